"""Facts about decoding session updates: the shared vectors and the seeds' examples where they are, our own always."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from acp_schema import UNSET, v1, v2, v2_2026_06
from support import ROOT
from support.editions import JUNE, V1, V2, Edition

VECTORS = ROOT.parent / "shared" / "vectors" / "vectors.json"
SEEDS = ROOT.parent / "shared" / "seeds"
PROFILE = "npm-2.4.0"  # the newest published draft
UNDEFINED = {"$undefined": True}


def check_fields(wire: dict[str, Any], fields: dict[str, Any], edition: Edition = V2) -> None:
    """Compare what is written back: there, undefined is absent and null is null."""
    written = edition.module.encode(edition.module.decode("SessionUpdate", wire), "SessionUpdate")
    for name, expected in fields.items():
        if expected == UNDEFINED:
            assert name not in written
        else:
            assert written[name] == expected


# ------------------------------------------------------------------------------------------------ shared vectors


def shared_vectors(suite: str) -> list[dict[str, Any]]:
    if not VECTORS.exists():
        pytest.skip("../shared is not here: no vectors/vectors.json")
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    return [vector for vector in vectors if vector["suite"] == suite]


def test_the_shared_decode_vectors() -> None:
    vectors = shared_vectors("decode")
    assert {vector["profile"] for vector in vectors} == {PROFILE}
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


SPOKEN_BY = {("v1", "npm-2.4.0"): V1, ("v2", "npm-2.4.0"): V2, ("v1", "june-2026"): V1, ("v2", "june-2026"): JUNE}


def test_what_the_shared_conversion_vectors_hold_is_valid_in_its_edition() -> None:
    """Inputs and outputs; whether the one makes the other is tested elsewhere."""
    seen: Counter[str] = Counter()
    for vector in shared_vectors("convert"):
        source, target = (SPOKEN_BY[version, vector["profile"]] for version in vector["direction"].split("->"))
        is_stateless = vector["mode"] in ("strict", "lossy")  # otherwise whole messages may come out
        outputs = vector["expect"].get("outputs", []) if is_stateless else []
        samples = [(source, vector["what"], vector["input"])]
        samples += [(target, vector.get("output_what", vector["what"]), output) for output in outputs]
        for edition, name, wire in samples:
            if name not in edition.definitions:
                continue  # whole messages
            issues: list[v2.Issue] = []
            value = edition.module.decode(name, wire, issues=issues)
            assert issues == [], vector["id"]
            assert edition.module.encode(value, name) == edition.oracle.written_back(name, wire), vector["id"]
            seen[edition.name] += 1
    assert set(seen) == {"v1", "v2", "v2_2026_06"}
    assert min(seen["v1"], seen["v2"]) >= 30


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


# ------------------------------------------------------------------------------------------------ the June draft

JUNE_PLAN = {"type": "items", "id": "p", "entries": []}
JUNE_FACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "null clears, absent keeps": (
        {**TOOL_CALL, "title": None, "kind": None, "status": None, "content": None},
        {"title": None, "kind": None, "status": None, "content": None, "locations": UNDEFINED},
    ),
    "raw input null is null": ({**TOOL_CALL, "rawInput": None}, {"rawInput": None, "rawOutput": UNDEFINED}),
    "unknown kinds and statuses are kept": (
        {**TOOL_CALL, "kind": "_scan", "status": "cancelled"},
        {"kind": "_scan", "status": "cancelled"},
    ),
    "a malformed patch array is undefined": ({**TOOL_CALL, "content": {}, "locations": 7}, {"content": UNDEFINED}),
    "some bad items are dropped": (
        {**TOOL_CALL, "content": [False, {"type": "content", "content": TEXT}, {"type": "diff"}]},
        {"content": [{"type": "content", "content": TEXT}]},
    ),
    "a diff is one path with its texts": (
        {**TOOL_CALL, "content": [{"type": "diff", "path": "/a", "oldText": "x", "newText": "y"}]},
        {"content": [{"type": "diff", "path": "/a", "oldText": "x", "newText": "y"}]},
    ),
    "a diff of a new file has no old text": (
        {**TOOL_CALL, "content": [{"type": "diff", "path": "/a", "oldText": None, "newText": "y"}]},
        {"content": [{"type": "diff", "path": "/a", "newText": "y"}]},
    ),
    "unknown tool call content is kept": (
        {**TOOL_CALL, "content": [{"type": "terminal", "terminalId": "t", "x": None}]},
        {"content": [{"type": "terminal", "terminalId": "t", "x": None}]},
    ),
    "an unknown content block is kept": (
        {**MESSAGE, "content": [{"type": "hologram", "depth": 3}]},
        {"content": [{"type": "hologram", "depth": 3}]},
    ),
    "_meta of a message is a patch": ({**MESSAGE, "_meta": None}, {"_meta": None, "content": UNDEFINED}),
    "_meta of session info is a patch": ({"sessionUpdate": "session_info_update", "_meta": None}, {"_meta": None}),
    "_meta of a tool call is no patch": ({**TOOL_CALL, "_meta": None}, {"_meta": UNDEFINED}),
    "line 0 is a line": (
        {**TOOL_CALL, "locations": [{"path": "x", "line": 0}]},
        {"locations": [{"path": "x", "line": 0}]},
    ),
    "entries of another type are none": ({**PLAN, "plan": {**JUNE_PLAN, "entries": 5}}, {"plan": JUNE_PLAN}),
    "an unknown plan is kept": ({**PLAN, "plan": {"type": "gantt", "id": "p"}}, {"plan": {"type": "gantt", "id": "p"}}),
    "what only the newest draft knows is unknown": (RUNNING, RUNNING),
    "a command input without a tag": (
        {
            "sessionUpdate": "available_commands_update",
            "availableCommands": [{"name": "n", "description": "d", "input": {"hint": "h"}}],
        },
        {"availableCommands": [{"name": "n", "description": "d", "input": {"hint": "h"}}]},
    ),
}


@pytest.mark.parametrize(("wire", "fields"), JUNE_FACTS.values(), ids=JUNE_FACTS)
def test_decode_facts_of_the_june_draft(wire: Any, fields: Any) -> None:
    check_fields(wire, fields, JUNE)


def test_undefined_is_the_sentinel_in_the_june_draft_too() -> None:
    june = v2_2026_06
    update = june.decode(june.SessionUpdate, {**TOOL_CALL, "content": "x", "status": None})
    assert update.title is update.content is update.kind is UNSET
    assert update.status is None
    assert update.meta is None, "no patch field"
    message = june.decode(june.SessionUpdate, MESSAGE)
    assert message.content is message.meta is UNSET


JUNE_ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "a malformed title": ({**TOOL_CALL, "title": 5}, "/title"),
    "a malformed kind": ({**TOOL_CALL, "kind": ["read"]}, "/kind"),
    "a malformed status": ({**TOOL_CALL, "status": {}}, "/status"),
    "a malformed _meta of a tool call": ({**TOOL_CALL, "_meta": 5}, "/_meta"),
    "a malformed _meta of a message": ({**MESSAGE, "_meta": [1]}, "/_meta"),
    "a malformed title of session info": ({"sessionUpdate": "session_info_update", "title": 5}, "/title"),
    "a plan with the id of the newest draft": (
        {**PLAN, "plan": {"type": "items", "planId": "p", "entries": []}},
        "/plan/id",
    ),
    "entries missing": ({**PLAN, "plan": {"type": "items", "id": "p"}}, "/plan/entries"),
    "an excluded plan type": ({**PLAN, "plan": {**JUNE_PLAN, "type": "file"}}, "/plan/type"),
    "a chunk without a message id": ({"sessionUpdate": "agent_message_chunk", "content": TEXT}, "/messageId"),
    "a chunk with a malformed block": (
        {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text"}},
        "/content/text",
    ),
}


# ------------------------------------------------------------------------------------------------ v1

V1_CALL = {"sessionUpdate": "tool_call", "toolCallId": "call-1", "title": "Read"}
V1_FACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "null and absent are the same": (
        {**TOOL_CALL, "title": None, "kind": None, "content": None, "rawInput": None, "_meta": None},
        {"title": UNDEFINED, "kind": UNDEFINED, "content": UNDEFINED, "rawInput": UNDEFINED, "_meta": UNDEFINED},
    ),
    "an empty list is one": ({**TOOL_CALL, "content": [], "locations": []}, {"content": [], "locations": []}),
    "an unknown kind of a lenient field is absent": (
        {**TOOL_CALL, "kind": "_scan", "status": "paused"},
        {"kind": UNDEFINED, "status": UNDEFINED},
    ),
    "a new tool call may be lenient too": (
        {**V1_CALL, "kind": "_scan", "content": 5},
        {"title": "Read", "kind": UNDEFINED, "content": []},
    ),
    "unknown content is dropped": (
        {**TOOL_CALL, "content": [{"type": "hologram"}, {"type": "terminal", "terminalId": "t"}]},
        {"content": [{"type": "terminal", "terminalId": "t"}]},
    ),
    "a diff is one path with its texts": (
        {**TOOL_CALL, "content": [{"type": "diff", "path": "/a", "oldText": "x", "newText": "y"}]},
        {"content": [{"type": "diff", "path": "/a", "oldText": "x", "newText": "y"}]},
    ),
    "a chunk needs no message id": (
        {"sessionUpdate": "agent_message_chunk", "content": TEXT},
        {"messageId": UNDEFINED, "content": TEXT},
    ),
    "a chunk may have a message id": (
        {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": TEXT},
        {"messageId": "m"},
    ),
    "a title of session info is a patch": (
        {"sessionUpdate": "session_info_update", "title": None},
        {"title": None, "updatedAt": UNDEFINED},
    ),
    "line 0 is a line": (
        {**TOOL_CALL, "locations": [{"path": "x", "line": 0}]},
        {"locations": [{"path": "x", "line": 0}]},
    ),
    "the mode": (
        {"sessionUpdate": "current_mode_update", "currentModeId": "m"},
        {"currentModeId": "m"},
    ),
}


@pytest.mark.parametrize(("wire", "fields"), V1_FACTS.values(), ids=V1_FACTS)
def test_decode_facts_of_v1(wire: Any, fields: Any) -> None:
    check_fields(wire, fields, V1)


V1_ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "an update of an extension": ({"sessionUpdate": "_mine"}, "/sessionUpdate"),
    "an update of a later version": ({"sessionUpdate": "user_message", "messageId": "m"}, "/sessionUpdate"),
    "a tool call without a title": ({"sessionUpdate": "tool_call", "toolCallId": "t"}, "/title"),
    "an unknown content block": (
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "hologram"}},
        "/content/type",
    ),
    "no tag": ({"toolCallId": "t"}, "/sessionUpdate"),
}


@pytest.mark.parametrize(
    ("edition", "wire", "place"),
    [
        pytest.param(edition, *case, id=f"{edition}-{name}")
        for edition, cases in ((V1, V1_ERRORS), (JUNE, JUNE_ERRORS))
        for name, case in cases.items()
    ],
)
def test_decode_errors_of_older_editions(edition: Edition, wire: Any, place: str) -> None:
    with pytest.raises(edition.module.DecodeError) as caught:
        edition.module.decode("SessionUpdate", wire)
    assert caught.value.path == place
    assert "expected " in caught.value.message


# ------------------------------------------------------------------------------------------------ the newest draft


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


def refused_by(edition: Edition, example: dict[str, Any]) -> str | None:
    """Where an example of the pages is malformed in an edition, or None.

    - Whole messages came with the draft; v1 has chunks only.
    - In the newest draft permission requests have a title of their own, and their tool call moved into ``subject``.
    - There a diff lists ``changes`` instead of one path with its old and new text.
    """
    if edition is V1 and example.get("sessionUpdate") == "agent_message":
        return "/sessionUpdate"
    if edition is V2 and example.get("method") == "session/request_permission" and "title" not in example["params"]:
        return "/params/title"
    if edition is V2 and example.get("type") == "diff" and "changes" not in example:
        return "/changes"
    return None


def decode_and_encode(edition: Edition, example: dict[str, Any]) -> dict[str, Any]:
    if "jsonrpc" in example:
        return decode_and_encode_message(edition, example)
    if "sessionUpdate" in example:
        name = "SessionUpdate"
    else:
        name = "ToolCallContent" if "type" in example else "ToolCallLocation"
    written: dict[str, Any] = edition.module.encode(edition.module.decode(name, example), name)
    return written


def decode_and_encode_message(edition: Edition, example: dict[str, Any]) -> dict[str, Any]:
    module = edition.module
    if "result" in example:
        pending = {example["id"]: "session/request_permission"}
        response = module.decode_message(example, "agent", pending=pending)
        assert isinstance(response, module.Response)
        return {**example, "result": module.encode(response.result)}
    call = module.decode_message(example, "client")
    assert isinstance(call, (module.Request, module.Notification))
    assert call.known
    return {**example, "params": module.encode(call.params)}


# Seed 001, the v2 page, came without its examples; 004 contradicts every schema and shows no JSON.
@pytest.mark.parametrize("edition", [V1, V2, JUNE], ids=str)
@pytest.mark.parametrize(("seed", "count"), [("000", 2), ("002", 7), ("003", 9)])
def test_the_examples_in_the_seeds(edition: Edition, seed: str, count: int) -> None:
    """The draft that the pages describe takes all of them as they stand."""
    if not SEEDS.exists():
        pytest.skip("../shared is not here: no seeds with examples")
    [page] = SEEDS.glob(f"{seed}_*.txt")
    examples = examples_in(page.read_text(encoding="utf-8"))
    assert len(examples) == count
    for example in examples:
        place = refused_by(edition, example)
        if place is None:
            assert decode_and_encode(edition, example) == example
        else:
            with pytest.raises(edition.module.DecodeError) as caught:
                decode_and_encode(edition, example)
            assert caught.value.path == place
            assert caught.value.message.startswith(("missing, expected ", "expected '"))


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


@pytest.mark.parametrize("edition", [V2, JUNE], ids=str)
def test_the_name_of_the_v1_tool_call_is_kept_as_unknown(edition: Edition) -> None:
    wire = {"sessionUpdate": "tool_call", "toolCallId": "call-1", "title": "Read", "status": "pending"}
    update = edition.module.decode("SessionUpdate", wire)
    assert update == edition.module.UnknownSessionUpdate(tag="tool_call", raw=wire)
    known = v1.ToolCall(tool_call_id="call-1", title="Read", status="pending")
    assert v1.decode(v1.SessionUpdate, wire) == known
