"""What the protocol pages that the project started from say about conversion between v1 and v2, statement by statement.

``STATEMENTS`` maps each test to its page and to what the page says there, in our words; the pages are listed in
``test_seeds``. All of it is true of both drafts of v2, and stateless.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from acp_schema import bridge

Json = Any

STATEMENTS: dict[str, tuple[str, str]] = {
    "test_a_v1_tool_call_becomes_a_tool_call_update": ("000", "v1 tool_call maps to tool_call_update"),
    "test_a_v1_tool_call_update_becomes_a_tool_call_update": ("000", "v1 tool_call_update maps to tool_call_update"),
    "test_what_v1_does_not_say_stays_omitted": ("000", "v1 cannot tell omitted from null, so neither clears in v2"),
    "test_a_v2_tool_call_update_becomes_a_v1_tool_call_update": ("000", "adapters answer with the v1 update"),
    "test_a_cleared_collection_becomes_an_empty_array": ("000", "collection clears can be said as empty arrays"),
    "test_a_cleared_scalar_is_refused": ("000", "v1 cannot say scalar and raw clears: strict conversion refuses"),
    "test_a_cleared_scalar_is_omitted_on_request": (
        "000",
        "scalar and raw clears may be omitted for v1, as best effort",
    ),
    "test_chunks_are_the_same_in_both_versions": ("002", "the chunk updates remain"),
    "test_a_chunk_without_an_id_cannot_become_v2": ("002", "v2 requires messageId on chunks"),
    "test_a_whole_message_fans_out_into_a_chunk_for_each_block": ("002", "one v1 chunk for each content block"),
    "test_a_patch_without_content_is_refused": ("002", "patch-only updates fail instead of vanishing"),
    "test_cleared_content_is_refused": ("002", "content null and [] fail instead of vanishing"),
    "test_cleared_metadata_is_refused": ("002", "_meta null fails instead of vanishing"),
    "test_what_is_dropped_on_request_is_reported": ("002", "nothing vanishes silently"),
}


def test_the_table_names_every_test_and_no_other() -> None:
    tests = {name for name in globals() if name.startswith("test_")}
    assert tests - {"test_the_table_names_every_test_and_no_other"} == set(STATEMENTS)


with_v2 = pytest.mark.parametrize("v2", ["v2_2026_06", "v2"])
each_message = pytest.mark.parametrize("tag", ["user_message", "agent_message", "agent_thought"])


def to_v2(update: Json, v2: str) -> Json:
    return bridge.convert(update, "SessionUpdate", source="v1", target=v2)


def to_v1(update: Json, v2: str) -> Json:
    before = deepcopy(update)
    result = bridge.convert(update, "SessionUpdate", source=v2, target="v1")
    assert update == before
    return result


def refusal(update: Json, v2: str) -> tuple[str, str]:
    """The code and the place with which strict conversion to v1 stops."""
    with pytest.raises(bridge.ConversionError) as caught:
        to_v1(update, v2)
    return caught.value.code, caught.value.path


def lossy_to_v1(update: Json, v2: str) -> tuple[Json, list[tuple[str, str]]]:
    """The messages for v1, and the code and place of everything that was lost."""
    losses: list[Any] = []
    result = bridge.convert(update, "SessionUpdate", source=v2, target="v1", lossy=True, losses=losses)
    return result, [(loss.code, loss.path) for loss in losses]


def said(**members: Json) -> Json:
    return {"sessionUpdate": "tool_call_update", "toolCallId": "call_1", **members}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def whole(tag: str, **members: Json) -> Json:
    return {"sessionUpdate": tag, "messageId": "m1", **members}


def streamed(tag: str, words: str, **members: Json) -> Json:
    return {"sessionUpdate": f"{tag}_chunk", "messageId": "m1", "content": text(words), **members}


CONTENT = [{"type": "content", "content": text("Found 3 files")}]
LOCATIONS = [{"path": "/src/main.py", "line": 42}]

# -------------------------------------------------------------------------------------------------- tool calls


@with_v2
def test_a_v1_tool_call_becomes_a_tool_call_update(v2: str) -> None:
    members = {"title": "Read", "kind": "read", "status": "in_progress", "content": CONTENT, "locations": LOCATIONS}
    raw = {"rawInput": {"path": "/a"}, "rawOutput": [1]}
    created = {"sessionUpdate": "tool_call", "toolCallId": "call_1", **members, **raw}
    assert to_v2(created, v2) == [said(**members, **raw)]


@with_v2
def test_a_v1_tool_call_update_becomes_a_tool_call_update(v2: str) -> None:
    update = said(status="completed", content=CONTENT, locations=[], rawOutput="done")
    assert to_v2(update, v2) == [update]


@with_v2
def test_what_v1_does_not_say_stays_omitted(v2: str) -> None:
    unsaid = dict.fromkeys(("title", "kind", "status", "content", "locations", "rawInput", "rawOutput"))
    assert to_v2(said(**unsaid), v2) == to_v2(said(), v2) == [said()]


@with_v2
def test_a_v2_tool_call_update_becomes_a_v1_tool_call_update(v2: str) -> None:
    for update in (said(title="Read", kind="read", status="pending"), said(content=CONTENT, rawInput=0), said()):
        assert to_v1(update, v2) == [update]


@with_v2
@pytest.mark.parametrize("cleared", [None, []], ids=["null", "[]"])
def test_a_cleared_collection_becomes_an_empty_array(v2: str, cleared: Json) -> None:
    assert to_v1(said(content=cleared, locations=cleared), v2) == [said(content=[], locations=[])]
    assert lossy_to_v1(said(content=cleared), v2) == ([said(content=[])], [])


SCALARS = ["title", "kind", "status", "rawInput", "rawOutput"]


@with_v2
@pytest.mark.parametrize("field", SCALARS)
def test_a_cleared_scalar_is_refused(v2: str, field: str) -> None:
    assert refusal(said(**{field: None}), v2) == ("UnrepresentableClear", f"/{field}")


@with_v2
@pytest.mark.parametrize("field", SCALARS)
def test_a_cleared_scalar_is_omitted_on_request(v2: str, field: str) -> None:
    update = said(**{field: None}, locations=LOCATIONS)
    assert lossy_to_v1(update, v2) == ([said(locations=LOCATIONS)], [("UnrepresentableClear", f"/{field}")])


# ----------------------------------------------------------------------------------------------------- messages


@with_v2
@each_message
def test_chunks_are_the_same_in_both_versions(v2: str, tag: str) -> None:
    assert to_v2(streamed(tag, "A"), v2) == to_v1(streamed(tag, "A"), v2) == [streamed(tag, "A")]


@with_v2
@each_message
def test_a_chunk_without_an_id_cannot_become_v2(v2: str, tag: str) -> None:
    chunk = {"sessionUpdate": f"{tag}_chunk", "content": text("A")}
    for nameless in (chunk, {**chunk, "messageId": None}):
        with pytest.raises(bridge.ConversionError) as caught:
            to_v2(nameless, v2)
        assert (caught.value.code, caught.value.path) == ("MissingRequired", "/messageId")


@with_v2
@each_message
def test_a_whole_message_fans_out_into_a_chunk_for_each_block(v2: str, tag: str) -> None:
    blocks = [text("A"), text("B"), text("A")]
    assert to_v1(whole(tag, content=blocks), v2) == [streamed(tag, words) for words in "ABA"]
    assert to_v1(whole(tag, content=blocks[:1]), v2) == [streamed(tag, "A")]


@with_v2
@each_message
def test_a_patch_without_content_is_refused(v2: str, tag: str) -> None:
    for update in (whole(tag, _meta={"source": "replay"}), whole(tag)):
        assert refusal(update, v2) == ("UnrepresentableClear", "")


@with_v2
@each_message
@pytest.mark.parametrize("cleared", [None, []], ids=["null", "[]"])
def test_cleared_content_is_refused(v2: str, tag: str, cleared: Json) -> None:
    assert refusal(whole(tag, content=cleared), v2) == ("UnrepresentableClear", "/content")


@with_v2
@each_message
def test_cleared_metadata_is_refused(v2: str, tag: str) -> None:
    assert refusal(whole(tag, content=[text("A")], _meta=None), v2) == ("UnrepresentableClear", "/_meta")


@with_v2
@each_message
def test_what_is_dropped_on_request_is_reported(v2: str, tag: str) -> None:
    for update in (whole(tag, content=None), whole(tag, content=[]), whole(tag, _meta={"a": 1})):
        result, losses = lossy_to_v1(update, v2)
        assert result == []
        assert [code for code, _ in losses] == ["UnrepresentableClear"]
    result, losses = lossy_to_v1(whole(tag, content=[text("A")], _meta=None), v2)
    assert (result, losses) == ([streamed(tag, "A")], [("UnrepresentableClear", "/_meta")])
