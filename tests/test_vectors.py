"""Facts about decoding session updates: the shared vectors and the seeds' examples where they are, our own always."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_schema import UNSET, v2

ROOT = Path(__file__).resolve().parents[1]
VECTORS = ROOT.parent / "shared" / "vectors" / "vectors.json"
SEEDS = ROOT.parent / "shared" / "seeds"
PROFILE = "npm-2.4.0"  # the newest published draft
UNDEFINED = {"$undefined": True}


def check_fields(wire: dict[str, Any], fields: dict[str, Any]) -> None:
    """Compare what is written back: there, undefined is absent and null is null."""
    written = v2.encode(v2.decode(v2.SessionUpdate, wire), v2.SessionUpdate)
    for name, expected in fields.items():
        if expected == UNDEFINED:
            assert name not in written
        else:
            assert written[name] == expected


# ------------------------------------------------------------------------------------------------ shared vectors


def shared_vectors() -> list[dict[str, Any]]:
    if not VECTORS.exists():
        pytest.skip("../shared is not here: no vectors/vectors.json")
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    return [vector for vector in vectors if vector["suite"] == "decode" and vector["profile"] == PROFILE]


def test_the_shared_decode_vectors() -> None:
    vectors = shared_vectors()
    assert len(vectors) >= 10
    for vector in vectors:
        expect = vector["expect"]
        if "error" in expect:
            assert expect == {"error": "DecodeError"}, vector["id"]
            with pytest.raises(v2.DecodeError):
                v2.decode(vector["what"], vector["input"])
        else:
            assert vector["what"] == "SessionUpdate", vector["id"]
            check_fields(vector["input"], expect["fields"])


# ------------------------------------------------------------------------------------------------ our own

TOOL_CALL = {"sessionUpdate": "tool_call_update", "toolCallId": "call-1"}
TERMINAL = {"sessionUpdate": "terminal_update", "terminalId": "term-1"}
MESSAGE = {"sessionUpdate": "agent_message", "messageId": "msg-1"}
PLAN = {"sessionUpdate": "plan_update"}
RUNNING = {"sessionUpdate": "state_update", "state": "running"}
IDLE = {"sessionUpdate": "state_update", "state": "idle"}
ENTRY = {"content": "write tests", "priority": "low", "status": "in_progress"}
TEXT = {"type": "text", "text": "hello"}

FACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a malformed patch string is undefined, null stays null": (
        {**TOOL_CALL, "title": ["x"], "kind": None},
        {"title": UNDEFINED, "kind": None, "status": UNDEFINED},
    ),
    "a malformed patch enum is undefined": (
        {**TOOL_CALL, "status": 3, "kind": {}},
        {"status": UNDEFINED, "kind": UNDEFINED},
    ),
    "a malformed patch array is undefined, not null": (
        {**TOOL_CALL, "content": {"type": "content"}, "locations": 7},
        {"content": UNDEFINED, "locations": UNDEFINED},
    ),
    "null clears a patch array": ({**TOOL_CALL, "content": None}, {"content": None}),
    "some bad items are dropped": (
        {**TOOL_CALL, "content": [False, {"type": "content", "content": TEXT}, {"type": "content"}]},
        {"content": [{"type": "content", "content": TEXT}]},
    ),
    "only bad items leave the empty list, which clears": ({**TOOL_CALL, "content": ["x", None]}, {"content": []}),
    "a malformed _meta of a patch is undefined": ({**TOOL_CALL, "_meta": [1]}, {"_meta": UNDEFINED}),
    "a null _meta of a patch stays null": ({**TOOL_CALL, "_meta": None}, {"_meta": None}),
    "a null key of _meta stays": ({**TOOL_CALL, "_meta": {"gone": None}}, {"_meta": {"gone": None}}),
    "line 0 is absent": ({**TOOL_CALL, "locations": [{"path": "/x", "line": 0}]}, {"locations": [{"path": "/x"}]}),
    "line 1 is a line": (
        {**TOOL_CALL, "locations": [{"path": "/x", "line": 1}]},
        {"locations": [{"path": "/x", "line": 1}]},
    ),
    "raw input null is null": ({**TOOL_CALL, "rawInput": None}, {"rawInput": None, "rawOutput": UNDEFINED}),
    "malformed capabilities are undefined": ({**TOOL_CALL, "capabilities": "all"}, {"capabilities": UNDEFINED}),
    "an unknown status is kept": ({**TOOL_CALL, "status": "dreaming"}, {"status": "dreaming"}),
    "a terminal size out of bounds is undefined": (
        {**TERMINAL, "size": {"cols": 65536, "rows": 1}},
        {"size": UNDEFINED},
    ),
    "an empty exit status is one": ({**TERMINAL, "exitStatus": {}}, {"exitStatus": {}}),
    "exit status null is back to running": ({**TERMINAL, "exitStatus": None}, {"exitStatus": None}),
    "an unknown content block of a message is kept": (
        {**MESSAGE, "content": [{"type": "hologram", "depth": 3}]},
        {"content": [{"type": "hologram", "depth": 3}]},
    ),
    "a bad plan entry is dropped": (
        {**PLAN, "plan": {"type": "items", "planId": "p", "entries": [{"content": "no status"}, ENTRY]}},
        {"plan": {"type": "items", "planId": "p", "entries": [ENTRY]}},
    ),
    "an empty plan stays": (
        {**PLAN, "plan": {"type": "items", "planId": "p", "entries": []}},
        {"plan": {"type": "items", "planId": "p", "entries": []}},
    ),
    "an unknown plan is kept": (
        {**PLAN, "plan": {"type": "gantt", "planId": "p", "bars": [1]}},
        {"plan": {"type": "gantt", "planId": "p", "bars": [1]}},
    ),
    "a malformed stop reason is absent": ({**IDLE, "stopReason": {"x": 1}}, {"state": "idle", "stopReason": UNDEFINED}),
    "an unknown stop reason is kept": ({**IDLE, "stopReason": "bored"}, {"state": "idle", "stopReason": "bored"}),
    "one bad background item makes the list absent": (
        {**RUNNING, "background": [{"type": "tool_call", "toolCallId": "t"}, {"type": "tool_call"}]},
        {"background": UNDEFINED},
    ),
    "an unknown background item is kept": (
        {**RUNNING, "background": [{"type": "daemon", "pid": 3}]},
        {"background": [{"type": "daemon", "pid": 3}]},
    ),
    "an unknown state is kept": (
        {"sessionUpdate": "state_update", "state": "asleep", "until": 5},
        {"state": "asleep", "until": 5},
    ),
    "a name that v2 removed is just unknown": (
        {"sessionUpdate": "current_mode_update", "currentModeId": "m"},
        {"sessionUpdate": "current_mode_update", "currentModeId": "m"},
    ),
    "a malformed cost is undefined": (
        {"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": {"amount": "much"}},
        {"used": 1, "size": 2, "cost": UNDEFINED},
    ),
    "a malformed description of a notice is absent": (
        {"sessionUpdate": "notice", "severity": "info", "title": "t", "description": 5},
        {"description": UNDEFINED},
    ),
    "bad commands are dropped": (
        {
            "sessionUpdate": "available_commands_update",
            "availableCommands": [
                {"name": "no type", "description": "d"},
                {"type": "command", "name": "n", "description": "d"},
            ],
        },
        {"availableCommands": [{"type": "command", "name": "n", "description": "d"}]},
    ),
    "a compaction needs no summary": (
        {"sessionUpdate": "compaction_update", "compactionId": "c", "status": "failed", "summary": 5, "error": None},
        {"status": "failed", "summary": UNDEFINED, "error": None},
    ),
}


@pytest.mark.parametrize(("wire", "fields"), FACTS.values(), ids=FACTS)
def test_our_own_decode_facts(wire: Any, fields: Any) -> None:
    check_fields(wire, fields)


ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "entries null": ({**PLAN, "plan": {"type": "items", "planId": "p", "entries": None}}, "/plan/entries"),
    "entries of another type": ({**PLAN, "plan": {"type": "items", "planId": "p", "entries": {}}}, "/plan/entries"),
    "entries missing": ({**PLAN, "plan": {"type": "items", "planId": "p"}}, "/plan/entries"),
    "an unknown plan without its id": ({**PLAN, "plan": {"type": "gantt"}}, "/plan/planId"),
    "no tool call id": ({"sessionUpdate": "tool_call_update"}, "/toolCallId"),
    "a chunk with a malformed block": (
        {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text"}},
        "/content/text",
    ),
    "terminal output that is no string": (
        {"sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": 5},
        "/data",
    ),
    "a notice without words": ({"sessionUpdate": "notice", "severity": "info", "title": ""}, "/title"),
    "commands null": ({"sessionUpdate": "available_commands_update", "availableCommands": None}, "/availableCommands"),
    "options of another type": ({"sessionUpdate": "config_option_update", "configOptions": {}}, "/configOptions"),
    "no state": ({"sessionUpdate": "state_update"}, "/state"),
    "negative use": ({"sessionUpdate": "usage_update", "used": -1, "size": 1}, "/used"),
    "no tag": ({"toolCallId": "t"}, "/sessionUpdate"),
    "a tag that is no string": ({"sessionUpdate": ["tool_call_update"]}, "/sessionUpdate"),
}


@pytest.mark.parametrize(("wire", "place"), ERRORS.values(), ids=ERRORS)
def test_our_own_decode_errors(wire: Any, place: str) -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.SessionUpdate, wire)
    assert caught.value.path == place
    assert "expected " in caught.value.message


def test_undefined_is_the_sentinel_in_python() -> None:
    """The wire form above cannot tell UNSET from None on a field that is written as absent; the classes can."""
    update = v2.decode(v2.SessionUpdate, {**TOOL_CALL, "title": 5, "content": "x", "_meta": False, "status": None})
    assert update.title is update.content is update.meta is update.kind is UNSET
    assert update.status is None


# ------------------------------------------------------------------------------------------------ seeds


def examples_in(text: str) -> list[dict[str, Any]]:
    """Every JSON value that begins at the left edge of a line; a list counts as its items."""
    found: list[dict[str, Any]] = []
    position = 0
    while position < len(text):
        at_edge = position == 0 or text[position - 1] == "\n"
        if at_edge and text[position] in "{[":
            try:
                value, position = json.JSONDecoder().raw_decode(text, position)
            except json.JSONDecodeError:
                pass
            else:
                members = value if isinstance(value, list) else [value]
                found += [member for member in members if isinstance(member, dict)]
        following = text.find("\n", position)
        position = len(text) if following < 0 else following + 1
    return found


def refused_by_the_newest_draft(example: dict[str, Any]) -> str | None:
    """Where an example of the older pages is malformed now, or None.

    - Permission requests have a title of their own, and their tool call moved into ``subject``.
    - A diff lists ``changes`` instead of one path with its old and new text.
    """
    if example.get("method") == "session/request_permission" and "title" not in example["params"]:
        return "/params/title"
    if example.get("type") == "diff" and "changes" not in example:
        return "/changes"
    return None


def decode_and_encode(example: dict[str, Any]) -> dict[str, Any]:
    if "jsonrpc" in example:
        return decode_and_encode_message(example)
    if "sessionUpdate" in example:
        type_: Any = v2.SessionUpdate
    else:
        type_ = v2.ToolCallContent if "type" in example else v2.ToolCallLocation
    written: dict[str, Any] = v2.encode(v2.decode(type_, example), type_)
    return written


def decode_and_encode_message(example: dict[str, Any]) -> dict[str, Any]:
    if "result" in example:
        pending = {example["id"]: "session/request_permission"}
        response = v2.decode_message(example, "agent", pending=pending)
        assert isinstance(response, v2.Response)
        return {**example, "result": v2.encode(response.result)}
    call = v2.decode_message(example, "client")
    assert isinstance(call, (v2.Request, v2.Notification))
    assert call.known
    return {**example, "params": v2.encode(call.params)}


# Seed 001, the v2 page, came without its examples; 004 contradicts every schema and shows no JSON.
@pytest.mark.parametrize(("seed", "count"), [("000", 2), ("002", 7), ("003", 9)])
def test_the_examples_in_the_seeds(seed: str, count: int) -> None:
    if not SEEDS.exists():
        pytest.skip("../shared is not here: no seeds with examples")
    [page] = SEEDS.glob(f"{seed}_*.txt")
    examples = examples_in(page.read_text(encoding="utf-8"))
    assert len(examples) == count
    for example in examples:
        place = refused_by_the_newest_draft(example)
        if place is None:
            assert decode_and_encode(example) == example
        else:
            with pytest.raises(v2.DecodeError) as caught:
                decode_and_encode(example)
            assert caught.value.path == place
            assert caught.value.message.startswith("missing, expected ")


def test_what_changed_since_the_seeds_can_be_said_anew() -> None:
    """The two refused examples, in the words of the newest draft."""
    permission = {
        "sessionId": "s",
        "title": "Run the tool?",
        "subject": {"type": "tool_call", "toolCall": {"toolCallId": "call-1"}},
        "options": [{"optionId": "o", "name": "Allow", "kind": "allow_once"}],
    }
    assert v2.encode(v2.decode(v2.RequestPermissionRequest, permission)) == permission
    diff = {
        "type": "diff",
        "changes": [{"operation": "modify", "path": "/config.json", "fileType": "text"}],
        "patch": {"format": "git_patch", "text": "--- /config.json"},
    }
    assert v2.encode(v2.decode(v2.ToolCallContent, diff), v2.ToolCallContent) == diff
    old_request = {key: value for key, value in permission.items() if key not in ("title", "subject")}
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.RequestPermissionRequest, {**old_request, "toolCall": {"toolCallId": "call-1"}})
    assert caught.value.path == "/title"
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.ToolCallContent, {"type": "diff", "path": "/a", "oldText": "x", "newText": "y"})
    assert caught.value.path == "/changes"


def test_the_name_of_the_v1_tool_call_is_kept_as_unknown() -> None:
    wire = {"sessionUpdate": "tool_call", "toolCallId": "call-1", "title": "Read", "status": "pending"}
    update = v2.decode(v2.SessionUpdate, wire)
    assert update == v2.UnknownSessionUpdate(tag="tool_call", raw=wire)
