"""``UNSET`` stays one object whatever carries it, and refuses every use that would mix it up with a value.

That type checkers narrow on ``is UNSET`` is proved by the files in ``tests/typing``.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import multiprocessing
import pickle
import typing
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

import acp_schema
from acp_schema import UNSET, UnsetType, v2, value_or

PICKLE_PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
RECORD_PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)  # slots need protocol 2


def an_update() -> v2.ToolCallUpdate:
    """All three states in one record."""
    return v2.ToolCallUpdate(tool_call_id="t", title=None, kind="read")


def describe_in_worker(update: v2.ToolCallUpdate) -> tuple[bool, bool, v2.ToolCallUpdate]:
    """Runs in another process: is what arrived there that process's own UNSET?"""
    return update.name is UNSET, update.title is None, update


# ------------------------------------------------------------------------------------------------ identity


def test_the_package_and_the_edition_share_one_sentinel() -> None:
    assert v2.UNSET is acp_schema.UNSET
    assert v2.UnsetType is acp_schema.UnsetType
    assert v2.value_or is acp_schema.value_or
    assert v2.Patch == acp_schema.Patch
    assert list(UnsetType) == [UNSET]


def test_patch_is_a_value_none_or_the_sentinel() -> None:
    assert set(typing.get_args(acp_schema.Patch[int])) == {int, type(None), UnsetType}


def test_a_patch_field_that_is_not_given_is_the_sentinel() -> None:
    assert an_update().name is UNSET
    assert v2.decode(v2.ToolCallUpdate, {"toolCallId": "t"}).title is UNSET


@pytest.mark.parametrize("protocol", PICKLE_PROTOCOLS)
def test_pickle_keeps_the_sentinel(protocol: int) -> None:
    assert pickle.loads(pickle.dumps(UNSET, protocol)) is UNSET


@pytest.mark.parametrize("protocol", PICKLE_PROTOCOLS)
def test_pickle_keeps_the_sentinel_inside_containers(protocol: int) -> None:
    first, second = pickle.loads(pickle.dumps([UNSET, {"key": UNSET}], protocol))
    assert first is UNSET
    assert second["key"] is UNSET


@pytest.mark.parametrize("protocol", RECORD_PROTOCOLS)
def test_pickle_keeps_the_sentinel_in_a_record(protocol: int) -> None:
    restored = pickle.loads(pickle.dumps(an_update(), protocol))
    assert restored == an_update()
    assert restored.name is UNSET
    assert restored.title is None


def test_copies_keep_the_sentinel() -> None:
    assert copy.copy(UNSET) is UNSET
    assert copy.deepcopy(UNSET) is UNSET
    assert copy.deepcopy({"a": [UNSET]})["a"][0] is UNSET
    assert copy.copy(an_update()).name is UNSET
    assert copy.deepcopy(an_update()).name is UNSET


def test_dataclass_helpers_keep_the_sentinel() -> None:
    replaced = dataclasses.replace(an_update(), title="new")
    assert replaced.name is UNSET
    assert replaced.title == "new"
    assert dataclasses.replace(an_update(), kind=UNSET).kind is UNSET
    as_dict = dataclasses.asdict(an_update())
    assert as_dict["name"] is UNSET
    assert as_dict["title"] is None
    assert UNSET in dataclasses.astuple(an_update())


def test_a_process_pool_keeps_the_sentinel_both_ways() -> None:
    # "spawn" starts from nothing, so that identity is not just inherited from this process.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        name_is_unset, title_is_none, returned = pool.submit(describe_in_worker, an_update()).result(timeout=60)
    assert name_is_unset
    assert title_is_none
    assert returned == an_update()
    assert returned.name is UNSET


# ------------------------------------------------------------------------------------------------ misuse


def test_truth_is_refused_with_advice() -> None:
    with pytest.raises(TypeError, match=r"UNSET has no truth value.*`is UNSET`.*value_or"):
        bool(UNSET)
    with pytest.raises(TypeError, match="no truth value"):
        an_update().name or "default"
    with pytest.raises(TypeError, match="no truth value"):
        not UNSET


def test_it_prints_as_its_name() -> None:
    assert repr(UNSET) == "UNSET"
    assert str(UNSET) == "UNSET"
    assert f"{UNSET}" == "UNSET"


@pytest.mark.parametrize("holder", [UNSET, [UNSET], {"title": UNSET}], ids=["bare", "list", "dict"])
def test_json_refuses_it(holder: Any) -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        json.dumps(holder)


def test_no_second_sentinel_can_be_made() -> None:
    with pytest.raises(ValueError, match="is not a valid UnsetType"):
        UnsetType("UNSET")


def test_it_equals_only_itself() -> None:
    assert UNSET == UNSET
    for other in (None, "UNSET", 0, False, ""):
        assert UNSET != other
    assert len({UNSET, UNSET}) == 1


# ------------------------------------------------------------------------------------------------ value_or


@pytest.mark.parametrize(
    ("value", "expected"), [(UNSET, "fallback"), (None, None), ("", ""), (0, 0), (False, False), ("x", "x")]
)
def test_value_or_replaces_nothing_but_the_sentinel(value: Any, expected: Any) -> None:
    assert value_or(value, "fallback") is expected
