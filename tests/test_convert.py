"""Conversion of single messages between editions: a case for every rule, the shared vectors, the interface."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from acp_codegen.rulebook import BY_PRINCIPLE, RULES
from support import conversion_session, conversion_setup
from support.conversion import Case, Refused

from acp_schema import DecodeError, bridge, v1, v2
from acp_schema._conversion import convert_message
from acp_schema._conversions import LINKS

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
CASES = {**conversion_session.CASES, **conversion_setup.CASES}
PROFILES = {"npm-2.4.0": "v2", "june-2026": "v2_2026_06"}


def shared(path: str) -> Any:
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"../shared is not here: no {path}")
    return json.loads(file.read_text(encoding="utf-8"))


# ----------------------------------------------------------------------------------------------------------- the cases


def every_case() -> Iterator[Any]:
    for rule, cases in CASES.items():
        for case in cases:
            for newer in case.on:
                yield pytest.param(case, newer, id=f"{rule}: {case.what} ({case.way}, {newer})")


def outcome(case: Case, newer: str, *, lossy: bool) -> tuple[Any, list[Refused]]:
    """Outputs or error, and the losses."""
    source, target = case.editions(newer)
    losses: list[bridge.Loss] = []
    try:
        outputs = bridge.converted(case.data, case.type, source=source, target=target, lossy=lossy, losses=losses)
    except bridge.ConversionError as error:
        assert losses == [], "losses of a conversion that failed"
        return Refused(error.code, error.path), []
    for output in outputs:
        assert output.type == (case.output or case.type)
    return [output.data for output in outputs], [Refused(loss.code, loss.path) for loss in losses]


@pytest.mark.parametrize(("case", "newer"), list(every_case()))
def test_strict(case: Case, newer: str) -> None:
    assert outcome(case, newer, lossy=False) == (case.strict, [])


@pytest.mark.parametrize(("case", "newer"), list(every_case()))
def test_lossy(case: Case, newer: str) -> None:
    expected = case.strict if case.lossy is None else case.lossy
    assert outcome(case, newer, lossy=True) == (expected, list(case.losses))


def test_every_shared_rule_is_in_the_rule_book_and_has_a_case() -> None:
    ids = {rule["id"] for rule in shared("protocol/conversion-rules.json")["rules"]}
    assert len(ids) == 84
    assert {rule.rule for rule in RULES} | set(BY_PRINCIPLE) == ids
    assert set(CASES) == ids


def test_the_rule_book_says_of_no_rule_that_it_needs_none() -> None:
    assert {rule.rule for rule in RULES} & set(BY_PRINCIPLE) == set()


# ------------------------------------------------------------------------------------------------------- shared vectors


def without(data: Any, pointers: list[str]) -> Any:
    """A copy in which nothing is at these pointers."""
    data = json.loads(json.dumps(data))
    for pointer in pointers:
        *steps, last = pointer.split("/")[1:]
        place = data
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        place.pop(last, None)
    return data


def test_the_shared_vectors() -> None:
    vectors = [vector for vector in shared("vectors/vectors.json")["vectors"] if vector["suite"] == "convert"]
    stateless = [vector for vector in vectors if vector["mode"] in ("strict", "lossy")]
    assert len(stateless) >= 47
    for vector in stateless:
        newer = PROFILES[vector["profile"]]
        source, target = ("v1", newer) if vector["direction"] == "v1->v2" else (newer, "v1")
        how = {"source": source, "target": target, "lossy": vector["mode"] == "lossy"}
        expect = vector["expect"]
        if "error" in expect:
            with pytest.raises(bridge.ConversionError) as caught:
                bridge.convert(vector["input"], vector["what"], **how)
            assert caught.value.code == expect["error"], vector["id"]
            continue
        outputs = bridge.converted(vector["input"], vector["what"], **how)
        ignored = expect.get("ignore_paths", [])
        expected = [expect["outputs"], *expect.get("accept_also", [])]
        found = [without(output.data, ignored) for output in outputs]
        assert found in [[without(output, ignored) for output in one] for one in expected], vector["id"]
        if "output_what" in vector:
            assert {output.type for output in outputs} == {vector["output_what"]}, vector["id"]


# ------------------------------------------------------------------------------------------------------- the interface

TOOL_CALL = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}


def test_a_class_is_as_good_as_its_name() -> None:
    data = {"methodId": "x"}
    assert bridge.convert(data, v1.AuthenticateRequest, source="v1", target="v2") == [data]
    assert bridge.convert(TOOL_CALL, v2.SessionUpdate, source="v2", target="v1") == [TOOL_CALL]


@pytest.mark.parametrize(
    ("source", "target"), [("v1", "v1"), ("v2", "v2"), ("v2", "v2_2026_06"), ("v1", "v3"), ("v0", "v1")]
)
def test_one_of_the_editions_is_v1(source: str, target: str) -> None:
    with pytest.raises(ValueError, match=f"no conversion from '{source}' to '{target}'"):
        bridge.convert(TOOL_CALL, "SessionUpdate", source=source, target=target)


def test_a_type_that_the_source_does_not_have() -> None:
    with pytest.raises(TypeError, match="PlanUpdate"):
        bridge.convert({}, "PlanUpdate", source="v1", target="v2")


def test_json_that_the_source_does_not_accept() -> None:
    with pytest.raises(DecodeError) as caught:
        bridge.convert(
            {"sessionUpdate": "tool_call_update", "toolCallId": 7}, "SessionUpdate", source="v1", target="v2"
        )
    assert caught.value.path == "/toolCallId"


def test_json_that_a_method_does_not_accept() -> None:
    with pytest.raises(DecodeError) as caught:
        bridge.convert({"id": 1, "method": "logout", "params": 5}, "ClientRequest", source="v1", target="v2")
    assert caught.value.path == "/params"


def test_an_error_says_code_place_and_reason() -> None:
    with pytest.raises(bridge.ConversionError) as caught:
        bridge.convert({**TOOL_CALL, "status": "paused"}, "SessionUpdate", source="v2", target="v1")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.code, error.path, error.message) == ("NoV1Equivalent", "/status", "v1 has no ToolCallStatus 'paused'")
    assert str(error) == "NoV1Equivalent at /status: v1 has no ToolCallStatus 'paused'"


def test_a_loss_says_code_place_and_reason() -> None:
    losses: list[bridge.Loss] = []
    data = {**TOOL_CALL, "content": [{"type": "content", "content": {"type": "_x"}}]}
    outputs = bridge.convert(data, "SessionUpdate", source="v2", target="v1", lossy=True, losses=losses)
    assert outputs == [{**TOOL_CALL, "content": []}]
    what = "'_x' is unknown, and v1 takes known ones only at /content/0/content/type"
    assert losses == [bridge.Loss("UnknownVariant", "/content/0", what)]


def test_a_message_that_is_left_out_says_so() -> None:
    losses: list[bridge.Loss] = []
    data = {"sessionUpdate": "_x"}
    assert bridge.convert(data, "SessionUpdate", source="v2", target="v1", lossy=True, losses=losses) == []
    what = "the whole message: '_x' is unknown, and v1 takes known ones only at /sessionUpdate"
    assert losses == [bridge.Loss("UnknownVariant", "", what)]


@pytest.mark.parametrize("lossy", [False, True])
def test_malformed_input_is_reported_in_both_modes(lossy: bool) -> None:
    losses: list[bridge.Loss] = []
    data = {**TOOL_CALL, "title": 5, "content": [{"type": "diff"}]}
    outputs = bridge.convert(data, "SessionUpdate", source="v1", target="v2", lossy=lossy, losses=losses)
    assert outputs == [{**TOOL_CALL, "content": []}]
    assert [(loss.code, loss.path) for loss in losses] == [("Malformed", "/title"), ("Malformed", "/content/0")]


def test_pointers_count_malformed_items() -> None:
    """They are into the data as it came, where nothing has been dropped yet."""
    terminal = {"type": "terminal", "terminalId": "x"}
    data = {**TOOL_CALL, "content": [{"type": "diff"}, terminal, 7, terminal]}
    with pytest.raises(bridge.ConversionError) as caught:
        bridge.convert(data, "SessionUpdate", source="v1", target="v2")
    assert caught.value.path == "/content/1/type"
    losses: list[bridge.Loss] = []
    bridge.convert(data, "SessionUpdate", source="v1", target="v2", lossy=True, losses=losses)
    assert [loss.path for loss in losses] == ["/content/0", "/content/2", "/content/1", "/content/3"]


def test_what_is_lost_inside_something_lost_is_not_counted_twice() -> None:
    """The empty group goes first; then there is nothing to choose from, and the whole option goes."""
    losses: list[bridge.Loss] = []
    group = {"group": "g", "name": "G", "options": []}
    option = {"id": "m", "name": "M", "type": "select", "currentValue": "a", "options": [group]}
    data = {"sessionUpdate": "config_option_update", "configOptions": [option]}
    bridge.convert(data, "SessionUpdate", source="v1", target="v2", lossy=True, losses=losses)
    assert [(loss.code, loss.path) for loss in losses] == [("MissingRequired", "/configOptions/0")]


def test_the_target_has_the_last_word() -> None:
    """A table that forgets something cannot make invalid messages."""
    link = replace(LINKS["v1", "v2"](), table={})
    with pytest.raises(bridge.ConversionError) as caught:
        convert_message(link, "PromptResponse", {"stopReason": "end_turn"}, lossy=False, losses=None)
    message = "v2 refuses the result at /messageId: missing, expected MessageId"
    assert (caught.value.code, caught.value.path, caught.value.message) == ("UnrepresentableField", "", message)


def test_outputs_share_nothing() -> None:
    blocks = [{"type": "text", "text": part} for part in "ab"]
    data = {"sessionUpdate": "agent_message", "messageId": "m", "content": blocks, "_meta": {"k": [1]}}
    first, second = bridge.convert(data, "SessionUpdate", source="v2", target="v1")
    first["_meta"]["k"].append(2)
    assert second["_meta"] == {"k": [1]}
    assert data["_meta"] == {"k": [1]}
    notification = {"sessionId": "s", "update": data, "_meta": {"k": [1]}}
    first, second = bridge.convert(notification, "UpdateSessionNotification", source="v2", target="v1")
    first["_meta"]["k"].append(2)
    assert second["_meta"] == {"k": [1]}


def test_free_json_that_is_too_deep_to_copy() -> None:
    deep: Any = 1
    for _ in range(700):
        deep = [deep]
    block = {"type": "text", "text": "a"}
    data = {"sessionUpdate": "agent_message", "messageId": "m", "content": [block], "_meta": {"k": deep}}
    with pytest.raises(DecodeError, match="nested too deeply"):
        bridge.convert(data, "SessionUpdate", source="v2", target="v1")


def test_values() -> None:
    update = v2.ToolCallUpdate(tool_call_id="t", title="x", content=None)
    (result,) = bridge.convert_value(update, source="v2", target="v1")
    assert result == v1.ToolCallUpdate(tool_call_id="t", title="x", content=[])
    (result,) = bridge.convert_value(update, v2.SessionUpdate, source="v2", target="v1")
    assert result == v1.ToolCallUpdate(tool_call_id="t", title="x", content=[])


def test_values_whose_class_is_only_a_variant() -> None:
    """On their own they carry their tag, so they convert as their union does."""
    request = v2.SetSessionConfigOptionRequestId(session_id="s", config_id="c", value="a")
    (result,) = bridge.convert_value(request, source="v2", target="v1")
    assert result == v1.SetSessionConfigOptionRequestValueId(session_id="s", config_id="c", value="a")
    (back,) = bridge.convert_value(result, source="v1", target="v2")
    assert back == request


def test_values_of_unknown_variants() -> None:
    unknown = v2.decode(v2.SessionUpdate, {"sessionUpdate": "_x"})
    with pytest.raises(bridge.ConversionError, match="UnknownVariant at /sessionUpdate"):
        bridge.convert_value(unknown, source="v2", target="v1")


# ------------------------------------------------------------------------------------------------------------- methods


@pytest.mark.parametrize(
    ("method", "handler", "kind", "source", "target", "expected"),
    [
        ("authenticate", "agent", "request", "v1", "v2", "auth/login"),
        ("auth/login", "agent", "request", "v2", "v1", "authenticate"),
        ("auth/logout", "agent", "request", "v2", "v1", "logout"),
        ("authenticate", "agent", "request", "v1", "v2_2026_06", "authenticate"),
        ("session/load", "agent", "request", "v1", "v2", "session/resume"),
        ("session/load", "agent", "request", "v1", "v2_2026_06", "session/load"),
        ("session/resume", "agent", "request", "v2", "v1", "session/resume"),
        ("session/set_config_option", "agent", "request", "v1", "v2", "session/set_config_option"),
        ("session/set_config_option", "agent", "request", "v2_2026_06", "v1", "session/set_config_option"),
        ("session/set_mode", "agent", "request", "v1", "v2", None),
        ("fs/read_text_file", "client", "request", "v1", "v2", None),
        ("tool_call/cancel", "agent", "request", "v2", "v1", None),
        ("session/update", "client", "notification", "v1", "v2", "session/update"),
        ("session/cancel", "agent", "notification", "v2", "v1", "session/cancel"),
        ("$/cancel_request", "client", "notification", "v1", "v2", "$/cancel_request"),
        ("$/cancel_request", "client", "notification", "v1", "v2_2026_06", None),
        ("session/update", "agent", "notification", "v1", "v2", None),
        ("_mine", "agent", "request", "v1", "v2", None),
    ],
)
def test_methods(method: str, handler: str, kind: str, source: str, target: str, expected: str | None) -> None:
    assert bridge.target_method(method, handler, kind, source=source, target=target) == expected


def test_the_method_of_converted_params() -> None:
    params = {"sessionId": "s", "cwd": "/", "replayFrom": {"type": "start"}}
    (output,) = bridge.converted(params, "ResumeSessionRequest", source="v2", target="v1")
    assert bridge.method_of(output.type, "agent", "request", edition="v1") == "session/load"


def test_editions_are_imported_when_they_are_needed() -> None:
    script = """
import sys
def loaded():
    return sorted(name.split(".")[1] for name in sys.modules if name.count(".") == 1 and name.split(".")[1][0] in "bv")
import acp_schema.v2
print(loaded())
from acp_schema import bridge
print(loaded())
bridge.convert({"methodId": "x"}, "LoginAuthRequest", source="v2", target="v1")
print(loaded())
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=_path())
    assert found.stdout.splitlines() == ["['v2']", "['bridge', 'v2']", "['bridge', 'v1', 'v2']"]


def _path() -> dict[str, str]:
    package = Path(bridge.__file__).resolve().parents[1]
    return {"PYTHONPATH": str(package)}
