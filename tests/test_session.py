"""What every update does to a session's state: the protocol's rules, one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import acp_schema.v2 as acp
from acp_schema.v2 import UNSET
from support import reference_fold as reference
from support.sessions import NOT_BASE64, SPLIT_EURO, exactly, parts, spoil

Json = Any
ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("ACP_SHARED", ROOT.parent / "shared"))


def update(tag: str, **members: Json) -> Any:
    """A decoded update; ``meta`` stands for ``_meta``."""
    if "meta" in members:
        members["_meta"] = members.pop("meta")
    return acp.decode("SessionUpdate", {"sessionUpdate": tag, **members})


def after(*updates: Any) -> acp.SessionState:
    state = acp.SessionState()
    for one in updates:
        acp.apply_update(state, one)
    return state


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def shown(words: str) -> Json:
    """A text as content of a tool call."""
    return {"type": "content", "content": text(words)}


def texts(blocks: list[Any]) -> list[str]:
    return [block.text for block in blocks]


# ------------------------------------------------------------------------------------- vectors and our own table


def apply_vectors() -> list[Any]:
    path = SHARED / "vectors" / "vectors.json"
    if not path.is_file():
        return [pytest.param(None, id="absent", marks=pytest.mark.skip("../shared is not here: no vectors to fold"))]
    vectors = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    chosen = [vector for vector in vectors if vector["suite"] == "apply"]
    assert chosen, f"{path} has no apply vectors"
    return [pytest.param(vector, id=vector["id"]) for vector in chosen]


def assert_contains(actual: Json, expected: Json, where: str = "") -> None:
    """Every member that is expected of an object is there; other values are exactly alike."""
    if isinstance(expected, dict) and isinstance(actual, dict) and not where.endswith("/_meta"):
        for name, value in expected.items():
            assert name in actual, f"{where}/{name} is missing"
            assert_contains(actual[name], value, f"{where}/{name}")
    else:
        assert exactly(actual) == exactly(expected), where


@pytest.mark.parametrize("vector", apply_vectors())
def test_apply_vector(vector: Json) -> None:
    state = after(*(acp.decode("SessionUpdate", wire) for wire in vector["updates"]))
    assert_contains(state.to_json(), vector["expect_state"])


@pytest.mark.parametrize("vector", apply_vectors())
def test_the_reference_folds_the_vectors_too(vector: Json) -> None:
    """A reference that does not know the facts is no reference."""
    assert_contains(reference.public(reference.fold(reference.empty(), vector["updates"])), vector["expect_state"])


def chunk(words: str, message: str = "m") -> Json:
    return {"sessionUpdate": "agent_message_chunk", "messageId": message, "content": text(words)}


TABLE: dict[str, tuple[list[Json], Json]] = {
    "a whole message replaces chunks, a later chunk is added": (
        [
            chunk("1"),
            chunk("2"),
            {"sessionUpdate": "agent_message", "messageId": "m", "content": [text("3")]},
            chunk("4"),
        ],
        {"messages": {"agent": {"m": {"content": [text("3"), text("4")], "_meta": None}}}},
    ),
    "_meta merges by top-level key only": (
        [
            {"sessionUpdate": "user_message", "messageId": "m", "_meta": {"gone": 1, "nested": {"old": 1}, "kept": 2}},
            {"sessionUpdate": "user_message", "messageId": "m", "_meta": {"gone": None, "nested": {"new": 1}}},
        ],
        {"messages": {"user": {"m": {"content": [], "_meta": {"nested": {"new": 1}, "kept": 2}}}}},
    ),
    "null and [] both clear": (
        [
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "t",
                "content": [shown("x")],
                "locations": [{"path": "/"}],
            },
            {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": None, "locations": []},
        ],
        {"tool_calls": {"t": {"content": [], "locations": []}}},
    ),
    "capabilities are replaced whole": (
        [
            {"sessionUpdate": "tool_call_update", "toolCallId": "t", "capabilities": {"cancel": {}}},
            {"sessionUpdate": "tool_call_update", "toolCallId": "t", "capabilities": {}},
        ],
        {"tool_calls": {"t": {"capabilities": {}}}},
    ),
    "a character that chunks split survives": (
        [{"sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": half} for half in SPLIT_EURO],
        {"terminals": {"t": {"bytes_base64": "4oKs", "command": None}}},
    ),
    "an exit status is replaced whole": (
        [
            {"sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {"signal": "SIGTERM"}},
            {"sessionUpdate": "terminal_update", "terminalId": "t", "exitStatus": {"exitCode": -9}},
        ],
        {"terminals": {"t": {"exitStatus": {"exitCode": -9}}}},
    ),
    "background that is left out is not reported": (
        [
            {"sessionUpdate": "state_update", "state": "running", "background": []},
            {"sessionUpdate": "state_update", "state": "requires_action"},
        ],
        {"foreground": {"state": "requires_action", "stopReason": None, "error": None, "background": None}},
    ),
    "session info keeps what is left out": (
        [
            {"sessionUpdate": "session_info_update", "title": "t", "updatedAt": "2026-01-01T00:00:00Z"},
            {"sessionUpdate": "session_info_update", "title": None},
        ],
        {"info": {"title": None, "updatedAt": "2026-01-01T00:00:00Z", "_meta": None}},
    ),
    "usage keeps the cost that is left out": (
        [
            {"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": {"amount": 0.5, "currency": "EUR"}},
            {"sessionUpdate": "usage_update", "used": 2, "size": 3},
        ],
        {"usage": {"used": 2, "size": 3, "cost": {"amount": 0.5, "currency": "EUR"}}},
    ),
    "an unset state is null everywhere": (
        [],
        {
            "messages": {"user": {}, "agent": {}, "thought": {}},
            "foreground": None,
            "usage": None,
            "commands": [],
            "config_options": [],
            "info": {"title": None, "updatedAt": None, "_meta": None},
            "timeline": [],
        },
    ),
}


@pytest.mark.parametrize("fact", TABLE)
def test_fact(fact: str) -> None:
    updates, expected = TABLE[fact]
    state = after(*(acp.decode("SessionUpdate", wire) for wire in updates))
    assert_contains(state.to_json(), expected)
    assert exactly(state.to_json()) == exactly(reference.public(reference.fold(reference.empty(), updates)))


def test_the_json_form_has_the_names_of_the_contract_and_no_others() -> None:
    assert set(acp.SessionState().to_json()) == set(reference.public(reference.empty()))
    state = after(
        update("tool_call_update", toolCallId="t"),
        update("terminal_update", terminalId="t"),
        update("compaction_update", compactionId="t", status="completed"),
        update("usage_update", used=1, size=2),
    ).to_json()
    assert set(state["tool_calls"]["t"]) == {
        *("name", "title", "kind", "status", "content", "locations"),
        *("rawInput", "rawOutput", "capabilities", "_meta"),
    }
    assert set(state["terminals"]["t"]) == {
        *("command", "cwd", "bytes_base64", "exitStatus", "size", "capabilities", "_meta"),
    }
    assert set(state["compactions"]["t"]) == {"status", "summary", "error", "_meta"}
    assert set(state["usage"]) == {"used", "size", "cost"}
    assert json.loads(json.dumps(state)) == state


# ----------------------------------------------------------------------------------------------------- messages

SPACES = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}
each_space = pytest.mark.parametrize(("space", "tag"), SPACES.items())


def message(state: acp.SessionState, space: str) -> Any:
    return getattr(state.messages, space)["m"]


@each_space
def test_a_chunk_for_an_unseen_message_creates_it_without_metadata(space: str, tag: str) -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, update(f"{tag}_chunk", messageId="m", content=text("a"), meta={"z": 1}))
    assert texts(message(state, space).content) == ["a"]
    assert message(state, space).meta is None
    assert change == acp.Change(f"messages.{space}", "m", ("content",), True)


@each_space
def test_chunk_metadata_leaves_stored_metadata_alone(space: str, tag: str) -> None:
    for said in ({"a": 2}, {"a": None}, None):
        state = after(
            update(tag, messageId="m", meta={"a": 1}),
            update(f"{tag}_chunk", messageId="m", content=text("a"), meta=said),
        )
        assert message(state, space).meta == {"a": 1}


@each_space
def test_chunks_are_kept_as_single_blocks_in_the_order_they_came(space: str, tag: str) -> None:
    state = after(*(update(f"{tag}_chunk", messageId="m", content=text(words)) for words in "aab"))
    assert texts(message(state, space).content) == ["a", "a", "b"]


@each_space
def test_chunks_of_interleaved_messages_do_not_mix(space: str, tag: str) -> None:
    state = after(*(update(f"{tag}_chunk", messageId=key, content=text(key * 2)) for key in "mnmn"))
    assert texts(getattr(state.messages, space)["m"].content) == ["mm", "mm"]
    assert texts(getattr(state.messages, space)["n"].content) == ["nn", "nn"]


@each_space
def test_a_new_message_without_content_is_empty(space: str, tag: str) -> None:
    state = after(update(tag, messageId="m"))
    assert message(state, space).content == []
    assert message(state, space).meta is None


@each_space
@pytest.mark.parametrize("cleared", [None, []])
def test_null_and_an_empty_list_clear_a_message(space: str, tag: str, cleared: Json) -> None:
    state = after(
        update(f"{tag}_chunk", messageId="m", content=text("a")),
        update(tag, messageId="m", content=cleared),
    )
    assert message(state, space).content == []
    acp.apply_update(state, update(f"{tag}_chunk", messageId="m", content=text("b")))
    assert texts(message(state, space).content) == ["b"]


@each_space
def test_omitted_content_keeps_what_chunks_gathered(space: str, tag: str) -> None:
    state = after(
        update(f"{tag}_chunk", messageId="m", content=text("a")),
        update(tag, messageId="m", meta={"a": 1}),
    )
    assert texts(message(state, space).content) == ["a"]
    assert message(state, space).meta == {"a": 1}


@each_space
def test_whole_content_replaces_and_later_chunks_append(space: str, tag: str) -> None:
    state = after(
        update(f"{tag}_chunk", messageId="m", content=text("a")),
        update(tag, messageId="m", content=[text("b"), text("c")]),
        update(f"{tag}_chunk", messageId="m", content=text("d")),
    )
    assert texts(message(state, space).content) == ["b", "c", "d"]


def test_message_kinds_have_separate_ids() -> None:
    state = after(*(update(f"{tag}_chunk", messageId="m", content=text(space)) for space, tag in SPACES.items()))
    assert [texts(message(state, space).content) for space in SPACES] == [["user"], ["agent"], ["thought"]]
    assert state.timeline == [("user_message", "m"), ("agent_message", "m"), ("agent_thought", "m")]


def test_a_block_of_unknown_type_is_kept_whole() -> None:
    block = {"type": "_hologram", "depth": [1, {"x": None}]}
    state = after(
        update("agent_message_chunk", messageId="m", content=block),
        update("agent_message_chunk", messageId="m", content=text("a")),
    )
    assert state.to_json()["messages"]["agent"]["m"]["content"] == [block, text("a")]


def test_items_that_cannot_be_read_are_dropped_from_a_whole_message() -> None:
    state = after(update("agent_message", messageId="m", content=[text("a"), {"type": "text"}, 5, text("b")]))
    assert texts(state.messages.agent["m"].content) == ["a", "b"]


# --------------------------------------------------------------------------------- metadata, on everything patched

PATCHED_META: dict[str, tuple[dict[str, Json], Callable[[acp.SessionState], Any]]] = {
    "user_message": ({"messageId": "x"}, lambda state: state.messages.user["x"]),
    "agent_message": ({"messageId": "x"}, lambda state: state.messages.agent["x"]),
    "agent_thought": ({"messageId": "x"}, lambda state: state.messages.thought["x"]),
    "tool_call_update": ({"toolCallId": "x"}, lambda state: state.tool_calls["x"]),
    "terminal_update": ({"terminalId": "x"}, lambda state: state.terminals["x"]),
    "compaction_update": ({"compactionId": "x", "status": "completed"}, lambda state: state.compactions["x"]),
    "session_info_update": ({}, lambda state: state.info),
}
META_STEPS: dict[str, tuple[list[Json], Json]] = {
    "first value": ([{"a": 1}], {"a": 1}),
    "a null key in the first value": ([{"a": 1, "b": None}], {"a": 1}),
    "a key is added": ([{"a": 1}, {"b": 2}], {"a": 1, "b": 2}),
    "a key is replaced whole": ([{"a": {"x": 1}}, {"a": {"y": 2}}], {"a": {"y": 2}}),
    "a null key is removed": ([{"a": 1, "b": 2}, {"a": None}], {"b": 2}),
    "removing what is not there": ([{"a": 1}, {"b": None}], {"a": 1}),
    "an empty object changes nothing": ([{"a": 1}, {}], {"a": 1}),
    "null clears all": ([{"a": 1}, None], None),
    "null, then a value": ([{"a": 1}, None, {"b": 2}], {"b": 2}),
    "the last key goes": ([{"a": 1}, {"a": None}], None),
    "an empty object at first": ([{}], None),
    "a null inside a value stays": ([{"a": {"x": None}}], {"a": {"x": None}}),
    "false is a value": ([{"a": False}], {"a": False}),
}


@pytest.mark.parametrize("tag", PATCHED_META)
@pytest.mark.parametrize("step", META_STEPS)
def test_metadata_is_merged(tag: str, step: str) -> None:
    members, find = PATCHED_META[tag]
    said, expected = META_STEPS[step]
    state = after(*(update(tag, **members, meta=meta) for meta in said))
    assert find(state).meta == expected


@pytest.mark.parametrize("tag", PATCHED_META)
def test_omitted_metadata_is_kept(tag: str) -> None:
    members, find = PATCHED_META[tag]
    state = after(update(tag, **members, meta={"a": 1}), update(tag, **members))
    assert find(state).meta == {"a": 1}


# --------------------------------------------------------------------------------------------------- tool calls

TOOL_CALL_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    # Python name: a value, another one, what a new tool call has and null resets to
    "name": ("bash", "cat", None),
    "title": ("List files", "Read a file", None),
    "kind": ("execute", "_mine", "other"),
    "status": ("in_progress", "later", "pending"),
    "content": ([shown("a")], [shown("b"), shown("c")], []),
    "locations": ([{"path": "/a"}], [{"path": "/b", "line": 3}], []),
    "rawInput": ({"a": 1}, "text", None),
    "rawOutput": ([1, 2], False, None),
    "capabilities": ({"cancel": {}}, {}, None),
}
TERMINAL_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    "command": ("make", "make test", None),
    "cwd": ("/a", "/b", None),
    "exitStatus": ({"exitCode": 0}, {}, None),
    "size": ({"cols": 80, "rows": 24}, {"cols": 1, "rows": 65535}, None),
    "capabilities": ({"cancel": {}}, {}, None),
}
COMPACTION_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    "summary": ([text("a")], [text("b")], []),
    "error": ("too long", "no model", None),
}
INFO_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    "title": ("a", "b", None),
    "updatedAt": ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00+01:00", None),
}
USAGE_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    "cost": ({"amount": 1.5, "currency": "EUR"}, {"amount": 2, "currency": "USD"}, None),
}
PATCHED: dict[str, tuple[dict[str, Json], str, dict[str, tuple[Json, Json, Json]]]] = {
    "tool_call_update": ({"toolCallId": "x"}, "tool_calls/x", TOOL_CALL_FIELDS),
    "terminal_update": ({"terminalId": "x"}, "terminals/x", TERMINAL_FIELDS),
    "compaction_update": ({"compactionId": "x", "status": "failed"}, "compactions/x", COMPACTION_FIELDS),
    "session_info_update": ({}, "info", INFO_FIELDS),
    "usage_update": ({"used": 1, "size": 2}, "usage", USAGE_FIELDS),
}
each_field = pytest.mark.parametrize(
    ("tag", "field"), [(tag, field) for tag, (_, _, values) in PATCHED.items() for field in values]
)


def patched(tag: str, field: str, *values: Json) -> Json:
    """The stored field after updates that say these values; Ellipsis is for one that does not speak of it."""
    members, path, _ = PATCHED[tag]
    state = after(*(update(tag, **members, **({} if value is ... else {field: value})) for value in values))
    stored: Json = state.to_json()
    for name in path.split("/"):
        stored = stored[name]
    return stored[field]


@each_field
def test_a_new_entity_starts_with_the_default(tag: str, field: str) -> None:
    _, _, default = PATCHED[tag][2][field]
    assert patched(tag, field, ...) == default
    assert patched(tag, field, None) == default


@each_field
def test_an_omitted_field_is_kept(tag: str, field: str) -> None:
    value, _, _ = PATCHED[tag][2][field]
    assert exactly(patched(tag, field, value, ...)) == exactly(value)


@each_field
def test_null_resets_a_field(tag: str, field: str) -> None:
    value, _, default = PATCHED[tag][2][field]
    assert patched(tag, field, value, None) == default


@each_field
def test_a_value_replaces_a_field_whole(tag: str, field: str) -> None:
    value, other, _ = PATCHED[tag][2][field]
    assert exactly(patched(tag, field, value, other)) == exactly(other)
    assert exactly(patched(tag, field, other, value)) == exactly(value)


@pytest.mark.parametrize(
    ("tag", "field", "wrong"),
    [
        ("tool_call_update", "title", 5),
        ("tool_call_update", "content", "text"),
        ("tool_call_update", "capabilities", []),
        ("terminal_update", "size", {"cols": 0, "rows": 1}),
        ("terminal_update", "exitStatus", "done"),
        ("session_info_update", "title", {}),
        ("usage_update", "cost", {"amount": "much"}),
        ("compaction_update", "error", 5),
    ],
)
def test_a_malformed_patch_field_keeps_what_is_stored(tag: str, field: str, wrong: Json) -> None:
    value, _, _ = PATCHED[tag][2][field]
    assert exactly(patched(tag, field, value, wrong)) == exactly(value)


def test_a_change_names_the_fields_that_the_update_spoke_of() -> None:
    state = acp.SessionState()
    first = acp.apply_update(state, update("tool_call_update", toolCallId="t", title="x", kind=None, meta={}))
    second = acp.apply_update(state, update("tool_call_update", toolCallId="t", rawInput=1))
    third = acp.apply_update(state, update("tool_call_update", toolCallId="t"))
    assert (first.kind, first.id, first.created) == ("tool_calls", "t", True)
    assert sorted(first.fields) == ["kind", "meta", "title"]
    assert second == acp.Change("tool_calls", "t", ("raw_input",), False)
    assert third == acp.Change("tool_calls", "t", (), False)


def test_a_chunk_for_an_unseen_tool_call_creates_it_with_the_defaults() -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, update("tool_call_content_chunk", toolCallId="t", content=shown("a")))
    call = state.tool_calls["t"]
    assert (call.kind, call.status, call.title, call.locations) == ("other", "pending", None, [])
    assert state.to_json()["tool_calls"]["t"]["content"] == [shown("a")]
    assert (change.kind, change.id, change.fields, change.created) == ("tool_calls", "t", ("content",), True)


def test_tool_content_is_replaced_whole_and_later_chunks_append() -> None:
    state = after(
        update("tool_call_content_chunk", toolCallId="t", content=shown("a")),
        update("tool_call_update", toolCallId="t", content=[shown("b")]),
        update("tool_call_content_chunk", toolCallId="t", content={"type": "_chart", "points": [1]}),
        update("tool_call_update", toolCallId="t", status="completed"),
    )
    assert state.to_json()["tool_calls"]["t"]["content"] == [shown("b"), {"type": "_chart", "points": [1]}]


@pytest.mark.parametrize("members", [{}, {"title": None}, {"status": "completed"}])
def test_a_first_report_without_a_title_is_noted(members: dict[str, Json]) -> None:
    change = acp.apply_update(acp.SessionState(), update("tool_call_update", toolCallId="t", **members))
    assert len(change.notes) == 1
    assert "title" in change.notes[0]


def test_a_title_at_first_or_a_later_report_without_one_is_not_noted() -> None:
    state = acp.SessionState()
    assert acp.apply_update(state, update("tool_call_update", toolCallId="t", title="x")).notes == ()
    assert acp.apply_update(state, update("tool_call_update", toolCallId="t", status="completed")).notes == ()
    assert acp.apply_update(state, update("tool_call_update", toolCallId="t", title=None)).notes == ()


# ---------------------------------------------------------------------------------------------------- terminals


def printed(data: str) -> Any:
    return update("terminal_output_chunk", terminalId="t", data=data)


def screen(data: Json) -> Any:
    return update("terminal_update", terminalId="t", output=data)


def test_a_chunk_for_an_unseen_terminal_creates_it_with_nothing_known() -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, printed("QQ=="))
    terminal = state.terminals["t"]
    assert bytes(terminal.output) == b"A"
    assert (terminal.command, terminal.cwd, terminal.exit_status, terminal.size) == (None, None, None, None)
    assert change == acp.Change("terminals", "t", ("output",), True)


def test_a_character_split_over_chunks_survives() -> None:
    assert after(*map(printed, SPLIT_EURO)).terminals["t"].output.decode() == "€"


def test_each_chunk_is_decoded_on_its_own() -> None:
    """Joined before decoding, the padding in the middle would end the text or break it."""
    assert bytes(after(printed("QQ=="), printed("Qg==")).terminals["t"].output) == b"AB"


def test_a_snapshot_replaces_all_bytes_and_later_chunks_append() -> None:
    state = after(printed("b2xk"), screen({"data": "bmV3", "_meta": {"z": 1}}), printed("IQ=="))
    assert bytes(state.terminals["t"].output) == b"new!"
    assert state.terminals["t"].meta is None  # the snapshot's metadata is about the snapshot


def test_null_empties_the_output_and_later_chunks_append() -> None:
    state = after(printed("b2xk"), screen(None))
    assert bytes(state.terminals["t"].output) == b""
    acp.apply_update(state, printed("IQ=="))
    assert bytes(state.terminals["t"].output) == b"!"


def test_an_update_without_output_keeps_the_bytes() -> None:
    state = after(printed("b2xk"), update("terminal_update", terminalId="t", command="make", exitStatus={}))
    assert bytes(state.terminals["t"].output) == b"old"
    assert state.terminals["t"].exit_status == acp.TerminalExitStatus()


@pytest.mark.parametrize("data", NOT_BASE64)
def test_a_chunk_that_is_not_base64_leaves_the_bytes_and_is_noted(data: str) -> None:
    state = after(printed("b2xk"))
    change = acp.apply_update(state, printed(data))
    assert bytes(state.terminals["t"].output) == b"old"
    assert (change.kind, change.id, change.fields, change.created) == ("terminals", "t", (), False)
    assert len(change.notes) == 1
    assert "base64" in change.notes[0]


@pytest.mark.parametrize("data", NOT_BASE64)
def test_a_snapshot_that_is_not_base64_leaves_the_bytes_and_is_noted(data: str) -> None:
    state = after(printed("b2xk"))
    change = acp.apply_update(state, update("terminal_update", terminalId="t", output={"data": data}, command="make"))
    assert bytes(state.terminals["t"].output) == b"old"
    assert state.terminals["t"].command == "make"  # the rest of the update holds
    assert change.fields == ("command",)
    assert len(change.notes) == 1
    assert "base64" in change.notes[0]


def test_a_terminal_has_no_place_in_the_timeline() -> None:
    assert after(printed("QQ=="), update("terminal_update", terminalId="u")).timeline == []


# -------------------------------------------------------------------------------------------------------- plans


def plan(key: str, *contents: str) -> Json:
    entries = [{"content": content, "priority": "high", "status": "pending"} for content in contents]
    return {"type": "items", "planId": key, "entries": entries}


def test_plans_are_replaced_by_id() -> None:
    state = acp.SessionState()
    changes = [
        acp.apply_update(state, update("plan_update", plan=new, meta={"z": 1}))
        for new in (plan("p", "a", "b"), plan("q", "c"), plan("p"))
    ]
    assert state.to_json()["plans"] == {"p": plan("p"), "q": plan("q", "c")}
    assert [(change.kind, change.id, change.created) for change in changes] == [
        ("plans", "p", True),
        ("plans", "q", True),
        ("plans", "p", False),
    ]


def test_an_unknown_plan_type_is_kept_and_replaces_the_plan() -> None:
    strange = {"type": "_gantt", "planId": "p", "bars": [{"from": 1, "to": None}]}
    state = after(update("plan_update", plan=plan("p", "a")), update("plan_update", plan=strange))
    assert state.to_json()["plans"] == {"p": strange}
    acp.apply_update(state, update("plan_update", plan=plan("p", "b")))
    assert state.to_json()["plans"] == {"p": plan("p", "b")}
    assert state.timeline == [("plan", "p")]


# ---------------------------------------------------------------------------------------------- the foreground


def foreground(*snapshots: Json) -> Json:
    return after(*(update("state_update", **snapshot) for snapshot in snapshots)).to_json()["foreground"]


def test_the_latest_state_stands_alone() -> None:
    running = {"state": "running", "background": [{"type": "terminal", "terminalId": "t"}]}
    failed = {"state": "idle", "stopReason": "error", "error": {"code": 1, "message": "x"}}
    assert foreground(running) == {**running, "stopReason": None, "error": None}
    assert foreground(running, failed) == {**failed, "background": None}
    assert foreground(failed, running) == {**running, "stopReason": None, "error": None}
    assert foreground(running, running) == foreground(running)


@pytest.mark.parametrize("unreported", [{}, {"background": None}, {"background": "none"}, {"background": [{"x": 1}]}])
def test_background_not_reported_is_not_the_same_as_none_running(unreported: Json) -> None:
    assert foreground({"state": "running", "background": []})["background"] == []
    assert foreground({"state": "running", "background": []}, {"state": "running", **unreported})["background"] is None


def test_unknown_background_work_counts() -> None:
    work = [{"type": "_daemon", "pid": 7}]
    state = after(update("state_update", state="idle", background=work))
    assert state.to_json()["foreground"]["background"] == work


@pytest.mark.parametrize("name", ["_paused", "thinking", "unknown"])
def test_an_unknown_state_is_kept_as_such_and_never_idle(name: str) -> None:
    state = after(
        update("state_update", state="idle", stopReason="end_turn", background=[]),
        update("state_update", state=name, why="because"),
    )
    assert isinstance(state.foreground, acp.UnknownStateUpdate)
    assert state.foreground.tag == name
    assert state.foreground.raw == {"state": name, "why": "because"}
    assert state.to_json()["foreground"] == {"state": name, "stopReason": None, "error": None, "background": None}


def test_an_unknown_stop_reason_is_idle_all_the_same() -> None:
    assert foreground({"state": "idle", "stopReason": "_bored"}) == {
        "state": "idle",
        "stopReason": "_bored",
        "error": None,
        "background": None,
    }


def test_a_stop_reason_is_for_idle_only() -> None:
    """On another state it is a field that the schema does not name, not an outcome."""
    assert foreground({"state": "running", "stopReason": "end_turn"})["stopReason"] is None
    assert (
        foreground({"state": "idle", "stopReason": "end_turn", "error": {"code": 1, "message": "x"}})["error"] is None
    )


def test_no_other_update_changes_the_foreground() -> None:
    state = after(update("state_update", state="running"))
    before = state.foreground
    for other in (
        update("notice", severity="error", title="broken"),
        update("tool_call_update", toolCallId="t", status="failed"),
        update("_vendor", state="idle"),
        update("compaction_update", compactionId="c", status="in_progress"),
    ):
        acp.apply_update(state, other)
    assert state.foreground == before


def test_a_state_update_is_a_change_of_the_foreground() -> None:
    change = acp.apply_update(acp.SessionState(), update("state_update", state="running"))
    assert (change.kind, change.id, change.event, change.notes) == ("foreground", None, None, ())


# ----------------------------------------------------------------------- commands, options, info, usage, compaction


def command(name: str) -> Json:
    return {"type": "command", "name": name, "description": "d"}


def option(key: str, value: bool = True) -> Json:
    return {"type": "boolean", "configId": key, "name": "n", "currentValue": value}


def test_commands_are_replaced_whole() -> None:
    strange = {"type": "_macro", "name": "m", "description": "d", "keys": [1]}
    state = acp.SessionState()
    change = acp.apply_update(state, update("available_commands_update", availableCommands=[command("a"), strange]))
    assert state.to_json()["commands"] == [command("a"), strange]
    assert (change.kind, change.id, change.fields) == ("commands", None, ("available_commands",))
    acp.apply_update(state, update("available_commands_update", availableCommands=[]))
    assert state.commands == []


def test_config_options_are_replaced_whole_and_keep_their_order() -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, update("config_option_update", configOptions=[option("b"), option("a")]))
    assert state.to_json()["config_options"] == [option("b"), option("a")]
    assert (change.kind, change.id, change.fields) == ("config_options", None, ("config_options",))
    acp.apply_update(state, update("config_option_update", configOptions=[option("a", False)]))
    assert state.to_json()["config_options"] == [option("a", False)]


def test_usage_is_unknown_until_it_is_first_heard_of() -> None:
    state = acp.SessionState()
    assert state.usage is None
    first = acp.apply_update(state, update("usage_update", used=1, size=2, meta={"z": 1}))
    second = acp.apply_update(state, update("usage_update", used=3, size=2))
    assert state.to_json()["usage"] == {"used": 3, "size": 2, "cost": None}
    assert (first.kind, first.created, second.created) == ("usage", True, False)


def test_a_summary_chunk_creates_a_compaction_in_progress() -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, update("compaction_summary_chunk", compactionId="c", content=text("s")))
    compaction = state.compactions["c"]
    assert (compaction.status, texts(compaction.summary), compaction.error) == ("in_progress", ["s"], None)
    assert change == acp.Change("compactions", "c", ("summary",), True)


def test_a_compaction_takes_the_status_of_every_update_and_keeps_its_summary() -> None:
    state = after(
        update("compaction_summary_chunk", compactionId="c", content=text("s")),
        update("compaction_update", compactionId="c", status="_stuck"),
        update("compaction_summary_chunk", compactionId="c", content=text("t"), meta={"z": 1}),
    )
    assert state.compactions["c"].status == "_stuck"
    assert texts(state.compactions["c"].summary) == ["s", "t"]
    assert state.compactions["c"].meta is None


# --------------------------------------------------------------------------------- what changes nothing, and the order


def busy_state() -> acp.SessionState:
    """A state with something in every place, and objects of its own."""
    return after(*map(fresh, EVERY_TAG))


def fresh(tag: str) -> Any:
    """The update of ``EVERY_TAG`` as an object of its own."""
    return acp.decode("SessionUpdate", json.loads(acp.dumps(EVERY_TAG[tag], "SessionUpdate")))


EVERY_TAG: dict[str, Any] = {
    "user_message_chunk": update("user_message_chunk", messageId="m", content=text("a"), meta={"z": {"y": 1}}),
    "user_message": update("user_message", messageId="m", content=[text("a")], meta={"a": {"b": [1]}}),
    "agent_message_chunk": update("agent_message_chunk", messageId="m", content={"type": "_x", "deep": {"a": [1]}}),
    "agent_message": update("agent_message", messageId="m", content=[text("b")], meta={"a": {"b": [1]}}),
    "agent_thought_chunk": update("agent_thought_chunk", messageId="m", content={**text("c"), "_meta": {"a": 1}}),
    "agent_thought": update("agent_thought", messageId="m", content=[text("c")], meta={"a": {"b": [1]}}),
    "state_update": update("state_update", state="running", background=[{"type": "_x", "a": [1]}], meta={"a": 1}),
    "tool_call_content_chunk": update(
        "tool_call_content_chunk",
        toolCallId="t",
        content={"type": "diff", "changes": [{"operation": "add", "path": "/a"}]},
    ),
    "tool_call_update": update(
        "tool_call_update",
        toolCallId="t",
        title="t",
        content=[shown("a")],
        locations=[{"path": "/a"}],
        rawInput={"a": [1]},
        rawOutput=[{"a": 1}],
        capabilities={"cancel": {"_meta": {"a": 1}}},
        meta={"a": {"b": [1]}},
    ),
    "terminal_update": update(
        "terminal_update",
        terminalId="t",
        output={"data": "QQ==", "_meta": {"a": 1}},
        exitStatus={"exitCode": 1, "_meta": {"a": 1}},
        size={"cols": 1, "rows": 1, "_meta": {"a": 1}},
        capabilities={"_meta": {"a": 1}},
        meta={"a": {"b": [1]}},
    ),
    "terminal_output_chunk": update("terminal_output_chunk", terminalId="t", data="QQ==", meta={"a": 1}),
    "plan_update": update("plan_update", plan={**plan("p", "a", "b"), "_meta": {"a": [1]}}),
    "available_commands_update": update("available_commands_update", availableCommands=[command("a")]),
    "config_option_update": update(
        "config_option_update",
        configOptions=[
            {
                "type": "select",
                "configId": "c",
                "name": "n",
                "currentValue": "v",
                "options": [{"value": "v", "name": "V"}],
            }
        ],
    ),
    "session_info_update": update("session_info_update", title="s", meta={"a": {"b": [1]}}),
    "usage_update": update("usage_update", used=1, size=2, cost={"amount": 1, "currency": "EUR", "_meta": {"a": 1}}),
    "notice": update("notice", severity="info", title="n", meta={"a": [1]}),
    "compaction_update": update(
        "compaction_update", compactionId="c", status="completed", summary=[text("s")], meta={"a": {"b": [1]}}
    ),
    "compaction_summary_chunk": update("compaction_summary_chunk", compactionId="c", content=text("s")),
}
each_tag = pytest.mark.parametrize("tag", EVERY_TAG)


def test_the_table_of_updates_has_a_row_for_every_tag() -> None:
    assert set(acp.UPDATES) == set(EVERY_TAG) == set(reference.TAGS)
    assert {tag: row.op for tag, row in acp.UPDATES.items() if row.op != "upsert"} == {
        "user_message_chunk": "append",
        "agent_message_chunk": "append",
        "agent_thought_chunk": "append",
        "tool_call_content_chunk": "append",
        "compaction_summary_chunk": "append",
        "terminal_output_chunk": "append_bytes",
        "plan_update": "replace",
        "state_update": "set",
        "available_commands_update": "set",
        "config_option_update": "set",
        "session_info_update": "patch",
        "usage_update": "patch",
        "notice": "event",
    }


@each_tag
def test_a_row_of_the_table_does_what_apply_update_does(tag: str) -> None:
    one, other = acp.SessionState(), acp.SessionState()
    assert acp.UPDATES[tag].handler(one, EVERY_TAG[tag]) == acp.apply_update(other, EVERY_TAG[tag])
    assert one == other
    if tag != "state_update":  # its payload is a union
        assert acp.UPDATES[tag].payload is type(EVERY_TAG[tag])


def test_every_notice_is_an_event_and_leaves_no_trace() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    notice = update("notice", severity="_dire", title="n", description="d")
    for _ in range(2):
        change = acp.apply_update(state, notice)
        assert (change.kind, change.id, change.fields, change.created) == ("event", None, (), False)
        assert change.event is notice
    assert exactly(state.to_json()) == before


@pytest.mark.parametrize("tag", ["_vendor", "plan", "tool_call", "current_mode_update", "", "agent_message_v3"])
def test_an_unknown_update_changes_nothing_and_loses_nothing(tag: str) -> None:
    members = {"messageId": "m", "toolCallId": "t", "content": [{"a": None}], "_meta": {"b": None}, "state": "idle"}
    state = busy_state()
    before = exactly(state.to_json())
    change = acp.apply_update(state, update(tag, **members))
    assert exactly(state.to_json()) == before
    assert (change.kind, change.id, change.fields, change.created) == ("unknown", None, (), False)
    assert acp.encode(change.event, "SessionUpdate") == {"sessionUpdate": tag, **members}


@pytest.mark.parametrize(
    ("tag", "place"),
    [
        ("user_message", ("user_message", "m")),
        ("user_message_chunk", ("user_message", "m")),
        ("agent_message", ("agent_message", "m")),
        ("agent_message_chunk", ("agent_message", "m")),
        ("agent_thought", ("agent_thought", "m")),
        ("agent_thought_chunk", ("agent_thought", "m")),
        ("tool_call_update", ("tool_call", "t")),
        ("tool_call_content_chunk", ("tool_call", "t")),
        ("plan_update", ("plan", "p")),
        ("compaction_update", ("compaction", "c")),
        ("compaction_summary_chunk", ("compaction", "c")),
    ],
)
def test_whatever_is_heard_of_first_gives_a_place_in_the_timeline(tag: str, place: tuple[str, str]) -> None:
    assert after(fresh(tag), fresh(tag)).timeline == [place]


def test_the_timeline_is_in_first_seen_order() -> None:
    state = after(
        update("tool_call_content_chunk", toolCallId="t", content=shown("a")),
        update("user_message", messageId="u"),
        update("compaction_summary_chunk", compactionId="c", content=text("s")),
        update("plan_update", plan=plan("p")),
        update("agent_thought_chunk", messageId="h", content=text("h")),
        update("agent_message", messageId="a"),
        update("tool_call_update", toolCallId="t", title="x"),
        update("compaction_update", compactionId="c", status="completed"),
        update("plan_update", plan=plan("p", "a")),
        update("user_message_chunk", messageId="u", content=text("u")),
    )
    expected = [
        ("tool_call", "t"),
        ("user_message", "u"),
        ("compaction", "c"),
        ("plan", "p"),
        ("agent_thought", "h"),
        ("agent_message", "a"),
    ]
    assert state.timeline == expected
    assert state.to_json()["timeline"] == [list(place) for place in expected]
    assert after(*acp.replay(state)).timeline == expected


# ------------------------------------------------------------------------------------------- what else feeds the state


def permission(subject: Json) -> Any:
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    return acp.decode(
        "RequestPermissionRequest", {"sessionId": "s", "title": "May I?", "subject": subject, "options": options}
    )


def test_a_permission_request_reports_its_tool_call_first() -> None:
    state = acp.SessionState()
    subject = {"type": "tool_call", "toolCall": {"toolCallId": "t", "title": "rm", "status": None}}
    changes = acp.apply_request_permission_request(state, permission(subject))
    assert [(change.kind, change.id, change.created) for change in changes] == [("tool_calls", "t", True)]
    assert (state.tool_calls["t"].title, state.tool_calls["t"].status) == ("rm", "pending")
    assert state.timeline == [("tool_call", "t")]


def test_a_permission_request_patches_a_known_tool_call() -> None:
    state = after(update("tool_call_update", toolCallId="t", title="rm", kind="delete", meta={"a": 1}))
    subject = {"type": "tool_call", "toolCall": {"toolCallId": "t", "kind": None, "_meta": {"b": 2}}}
    changes = acp.apply_request_permission_request(state, permission(subject))
    assert [change.created for change in changes] == [False]
    call = state.tool_calls["t"]
    assert (call.title, call.kind, call.meta) == ("rm", "other", {"a": 1, "b": 2})


@pytest.mark.parametrize(
    "subject",
    [
        None,
        {"type": "command", "command": "ls", "cwd": "/", "toolCallId": "t"},
        {"type": "_vendor", "toolCall": {"toolCallId": "t", "title": "not for us"}},
    ],
)
def test_other_subjects_of_a_permission_request_change_nothing(subject: Json) -> None:
    state = busy_state()
    before = exactly(state.to_json())
    assert acp.apply_request_permission_request(state, permission(subject)) == []
    assert exactly(state.to_json()) == before


def new_session(**members: Json) -> Any:
    return acp.decode("NewSessionResponse", {"sessionId": "s", **members})


def resumed_session(**members: Json) -> Any:
    return acp.decode("ResumeSessionResponse", members)


def test_a_new_session_is_idle_and_has_what_the_response_says() -> None:
    state = acp.SessionState()
    changes = acp.apply_new_session_response(
        state, new_session(configOptions=[option("a")], availableCommands=[command("b")])
    )
    assert state.to_json()["foreground"] == {"state": "idle", "stopReason": None, "error": None, "background": None}
    assert state.to_json()["config_options"] == [option("a")]
    assert state.to_json()["commands"] == [command("b")]
    assert {change.kind for change in changes} == {"foreground", "config_options", "commands"}


def test_a_new_session_response_does_not_overwrite_what_updates_said() -> None:
    """They were sent later, even if they came earlier."""
    state = after(
        update("state_update", state="running"),
        update("config_option_update", configOptions=[]),
        update("available_commands_update", availableCommands=[command("new")]),
    )
    before = exactly(state.to_json())
    response = new_session(configOptions=[option("old")], availableCommands=[command("old")])
    assert acp.apply_new_session_response(state, response) == []
    assert exactly(state.to_json()) == before


def test_an_unknown_state_that_came_first_is_not_turned_into_idle() -> None:
    state = after(update("state_update", state="_paused"))
    acp.apply_new_session_response(state, new_session())
    assert state.to_json()["foreground"]["state"] == "_paused"


def test_a_resumed_session_has_no_known_state_until_it_is_reported() -> None:
    state = acp.SessionState()
    acp.apply_resume_session_response(
        state, resumed_session(configOptions=[option("a")], availableCommands=[command("b")])
    )
    assert state.foreground is None
    assert state.to_json()["config_options"] == [option("a")]
    assert state.to_json()["commands"] == [command("b")]


def test_a_resume_response_does_not_overwrite_what_updates_said() -> None:
    state = after(update("config_option_update", configOptions=[option("new")]))
    acp.apply_resume_session_response(
        state, resumed_session(configOptions=[option("old")], availableCommands=[command("b")])
    )
    assert state.to_json()["config_options"] == [option("new")]
    assert state.to_json()["commands"] == [command("b")]


@pytest.mark.parametrize("missing", [{}, {"configOptions": None, "availableCommands": "?"}])
def test_what_a_response_leaves_out_is_empty(missing: Json) -> None:
    state = acp.SessionState()
    acp.apply_new_session_response(state, new_session(**missing))
    assert (state.config_options, state.commands) == ([], [])


def test_setting_an_option_replaces_the_options() -> None:
    state = after(update("config_option_update", configOptions=[option("a"), option("b")]))
    response = acp.decode("SetSessionConfigOptionResponse", {"configOptions": [option("a", False)]})
    changes = acp.apply_set_session_config_option_response(state, response)
    assert state.to_json()["config_options"] == [option("a", False)]
    assert [change.kind for change in changes] == ["config_options"]


def test_an_older_response_does_not_undo_the_setting_of_an_option() -> None:
    state = acp.SessionState()
    acp.apply_set_session_config_option_response(
        state, acp.decode("SetSessionConfigOptionResponse", {"configOptions": [option("a", False)]})
    )
    acp.apply_new_session_response(state, new_session(configOptions=[option("old")]))
    assert state.to_json()["config_options"] == [option("a", False)]


@pytest.mark.parametrize("status", ["pending", "in_progress", "paused", "later"])
def test_a_local_cancel_marks_unfinished_tool_calls(status: str) -> None:
    state = after(update("tool_call_update", toolCallId="t", title="x", status=status))
    assert acp.mark_cancelled(state) == [acp.Change("tool_calls", "t", ("status",), False)]
    assert state.tool_calls["t"].status == "cancelled"
    assert acp.mark_cancelled(state) == []


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_a_local_cancel_leaves_finished_tool_calls_alone(status: str) -> None:
    state = after(update("tool_call_update", toolCallId="t", title="x", status=status))
    assert acp.mark_cancelled(state) == []
    assert state.tool_calls["t"].status == status


def test_a_local_cancel_does_not_cover_work_in_the_background() -> None:
    """It ends the active work; what the last state lists as background goes on."""
    state = after(
        update("tool_call_update", toolCallId="active", title="x", status="in_progress"),
        update("tool_call_update", toolCallId="detached", title="x", status="in_progress"),
        update("state_update", state="running", background=[{"type": "tool_call", "toolCallId": "detached"}]),
    )
    assert [change.id for change in acp.mark_cancelled(state)] == ["active"]
    assert state.tool_calls["detached"].status == "in_progress"


def test_updates_after_a_local_cancel_still_apply() -> None:
    state = after(update("tool_call_update", toolCallId="t", title="x", status="in_progress"))
    acp.mark_cancelled(state)
    acp.apply_update(state, update("tool_call_content_chunk", toolCallId="t", content=shown("late")))
    acp.apply_update(state, update("tool_call_update", toolCallId="t", status="completed"))
    assert state.tool_calls["t"].status == "completed"
    assert state.to_json()["tool_calls"]["t"]["content"] == [shown("late")]


def test_answers_to_a_permission_request() -> None:
    selected = acp.request_permission_selected("yes")
    assert acp.encode(selected, "RequestPermissionResponse") == {"outcome": {"outcome": "selected", "optionId": "yes"}}
    cancelled = acp.request_permission_cancelled()
    assert acp.encode(cancelled, "RequestPermissionResponse") == {"outcome": {"outcome": "cancelled"}}


# --------------------------------------------------------------------------------------------------- the handler


class Recorder(acp.SessionHandler):
    """Remembers which method got which update."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("on_"):
            assert callable(getattr(acp.SessionHandler, name))  # only methods that the base class has
            return lambda got: self.calls.append((name, got))
        return super().__getattribute__(name)


@each_tag
def test_the_handler_has_a_method_for_every_tag(tag: str) -> None:
    recorder = Recorder()
    acp.dispatch(recorder, EVERY_TAG[tag])
    assert recorder.calls == [(f"on_{tag}", EVERY_TAG[tag])]
    acp.dispatch(acp.SessionHandler(), EVERY_TAG[tag])  # what nobody overrides does nothing


@pytest.mark.parametrize("reason", ["end_turn", "error", "_bored", None])
def test_every_shape_of_a_state_goes_to_one_method(reason: str | None) -> None:
    recorder = Recorder()
    idle = update("state_update", state="idle", stopReason=reason)
    strange = update("state_update", state="_paused")
    acp.dispatch(recorder, idle)
    acp.dispatch(recorder, strange)
    assert recorder.calls == [("on_state_update", idle), ("on_state_update", strange)]


def test_unknown_updates_have_a_method_of_their_own() -> None:
    recorder, strange = Recorder(), update("_vendor", x=1)
    acp.dispatch(recorder, strange)
    assert recorder.calls == [("on_unknown", strange)]


# ---------------------------------------------------------------------------------------------------- wrong input


class OtherState:
    """A state of something else, with the same attributes as far as anyone can see."""

    def __init__(self) -> None:
        self.messages = acp.SessionState().messages
        self.timeline: list[Any] = []


WRONG_UPDATES: dict[str, Any] = {
    "plain JSON": {"sessionUpdate": "user_message", "messageId": "m"},
    "None": None,
    "text": "user_message",
    "a class": acp.UserMessage,
    "a content block": acp.TextContent(text="a"),
    "a notification around an update": acp.decode(
        "UpdateSessionNotification", {"sessionId": "s", "update": {"sessionUpdate": "user_message", "messageId": "m"}}
    ),
    "a payload that is no update": acp.ToolCallLocation(path="/a"),
    "a list of updates": [EVERY_TAG["user_message"]],
    "UNSET": UNSET,
}


@pytest.mark.parametrize("name", WRONG_UPDATES)
def test_what_is_no_update_is_refused_and_changes_nothing(name: str) -> None:
    wrong, state = WRONG_UPDATES[name], busy_state()
    before = exactly(state.to_json())
    with pytest.raises(TypeError, match=f"expected a session update.*{type(wrong).__name__}"):
        acp.apply_update(state, wrong)
    with pytest.raises(TypeError, match=f"expected a session update.*{type(wrong).__name__}"):
        acp.dispatch(acp.SessionHandler(), wrong)
    assert exactly(state.to_json()) == before


@pytest.mark.parametrize("wrong", [OtherState(), {}, None, EVERY_TAG["user_message"]], ids=lambda x: type(x).__name__)
def test_a_state_of_another_class_is_refused_and_stays_as_it_is(wrong: Any) -> None:
    expected = f"expected a .*SessionState, got .*{type(wrong).__name__}"
    for call in (
        lambda: acp.apply_update(wrong, EVERY_TAG["user_message"]),
        lambda: acp.apply_request_permission_request(wrong, permission(None)),
        lambda: acp.apply_new_session_response(wrong, new_session()),
        lambda: acp.apply_resume_session_response(wrong, resumed_session()),
        lambda: acp.apply_set_session_config_option_response(
            wrong, acp.SetSessionConfigOptionResponse(config_options=[])
        ),
        lambda: acp.mark_cancelled(wrong),
        lambda: acp.replay(wrong),
    ):
        with pytest.raises(TypeError, match=expected):
            call()
    if isinstance(wrong, OtherState):
        assert wrong.timeline == []
        assert wrong.messages.user == {}


@pytest.mark.parametrize("wrong", [None, {}, EVERY_TAG["user_message"]], ids=lambda x: type(x).__name__)
def test_a_message_of_another_type_is_refused_and_changes_nothing(wrong: Any) -> None:
    state = busy_state()
    before = exactly(state.to_json())
    for feed in (
        acp.apply_request_permission_request,
        acp.apply_new_session_response,
        acp.apply_resume_session_response,
        acp.apply_set_session_config_option_response,
    ):
        with pytest.raises(TypeError, match=type(wrong).__name__):
            feed(state, wrong)
    assert exactly(state.to_json()) == before


def test_a_wrong_message_is_not_called_an_update() -> None:
    with pytest.raises(TypeError, match="NewSessionResponse"):
        acp.apply_new_session_response(acp.SessionState(), {"sessionId": "s"})  # type: ignore[arg-type]


def test_diff_wants_two_states_of_one_entity() -> None:
    state = busy_state()
    with pytest.raises(TypeError, match="two states of one entity.*TerminalState.*ToolCallState"):
        acp.diff(state.terminals["t"], state.tool_calls["t"])
    with pytest.raises(TypeError, match="two states of one entity"):
        acp.diff(None, EVERY_TAG["user_message"])
    with pytest.raises(ValueError, match="different ids"):
        acp.diff(state.tool_calls["t"], replace(state.tool_calls["t"], tool_call_id="u"))


@pytest.mark.parametrize("name", WRONG_UPDATES)
def test_merge_and_coalesce_refuse_what_is_no_update(name: str) -> None:
    """Declining to merge would pass the mistake on to whoever applies the rest."""
    wrong = WRONG_UPDATES[name]
    with pytest.raises(TypeError, match=type(wrong).__name__):
        acp.merge(EVERY_TAG["user_message"], wrong)
    with pytest.raises(TypeError, match=type(wrong).__name__):
        acp.coalesce([EVERY_TAG["user_message"], wrong])


# -------------------------------------------------------------------------------------------------------- algebra


def test_a_diff_tells_json_values_apart_that_python_does_not() -> None:
    for first, second in ((1, True), (0, False), ([1], [True]), ({"a": 1}, {"a": True})):
        old = after(update("tool_call_update", toolCallId="t", rawInput=first, meta={"k": first}))
        new = after(update("tool_call_update", toolCallId="t", rawInput=second, meta={"k": second}))
        said = acp.encode(acp.diff(old.tool_calls["t"], new.tool_calls["t"]))
        assert exactly(said) == exactly({"toolCallId": "t", "rawInput": second, "_meta": {"k": second}})


def test_the_smallest_diff_of_metadata() -> None:
    old = after(update("agent_message", messageId="m", meta={"same": 1, "gone": 2, "changed": 3}))
    new = after(update("agent_message", messageId="m", meta={"same": 1, "changed": 4, "added": 5}))
    said = acp.diff(old.messages.agent["m"], new.messages.agent["m"])
    assert said == acp.AgentMessage(message_id="m", meta={"gone": None, "changed": 4, "added": 5})


def test_a_diff_clears_with_null() -> None:
    old, new = busy_state(), after(update("tool_call_update", toolCallId="t"))
    said = acp.encode(acp.diff(old.tool_calls["t"], new.tool_calls["t"]))
    for name in ("title", "rawInput", "rawOutput", "capabilities", "_meta"):
        assert said[name] is None


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        (screen({"data": "QQ=="}), printed("Qg=="), screen({"data": "QUI="})),
        (screen(None), printed("Qg=="), screen({"data": "Qg=="})),
        (printed("4oI="), printed("rA=="), printed("4oKs")),
        (printed("QQ=="), screen({"data": "Qg=="}), screen({"data": "Qg=="})),
        (printed("QQ=="), update("terminal_update", terminalId="t", command="x"), None),
        (printed("QQ=="), printed("Q"), None),
        (screen({"data": "Q"}), printed("QQ=="), None),
        (
            update("agent_message", messageId="m", content=[text("a")]),
            update("agent_message_chunk", messageId="m", content=text("b")),
            update("agent_message", messageId="m", content=[text("a"), text("b")]),
        ),
        (
            update("agent_message", messageId="m", content=None),
            update("agent_message_chunk", messageId="m", content=text("b")),
            update("agent_message", messageId="m", content=[text("b")]),
        ),
        (
            update("agent_message", messageId="m"),
            update("agent_message_chunk", messageId="m", content=text("b")),
            None,
        ),
        (
            update("agent_message_chunk", messageId="m", content=text("b")),
            update("user_message_chunk", messageId="m", content=text("b")),
            None,
        ),
        (
            update("tool_call_update", toolCallId="t", title="a", meta={"a": 1, "b": 1}),
            update("tool_call_update", toolCallId="t", kind=None, meta={"a": None}),
            update("tool_call_update", toolCallId="t", title="a", kind=None, meta={"a": None, "b": 1}),
        ),
        (
            update("tool_call_update", toolCallId="t", meta=None),
            update("tool_call_update", toolCallId="t", meta={"a": 1}),
            None,
        ),
        (update("usage_update", used=1, size=1), update("usage_update", used=2, size=1), ...),
        (EVERY_TAG["notice"], EVERY_TAG["notice"], None),
        (update("_vendor", a=1), update("_vendor", a=1), None),
    ],
)
def test_what_merges_into_what(first: Any, second: Any, merged: Any) -> None:
    expected = second if merged is ... else merged
    assert acp.merge(first, second) == expected


def test_merging_a_snapshot_that_is_not_base64_keeps_the_bytes_of_the_first() -> None:
    first, second = screen({"data": "QQ=="}), screen({"data": "Q"})
    state = after(*acp.coalesce([first, second]))
    assert bytes(state.terminals["t"].output) == b"A"


def test_coalescing_a_burst_of_snapshots_and_bytes() -> None:
    burst = [screen({"data": ""}), *(printed("QQ==") for _ in range(50)), EVERY_TAG["notice"]]
    burst += [update("usage_update", used=used, size=100) for used in range(50)]
    shorter = acp.coalesce(burst)
    assert len(shorter) == 3
    assert shorter[1] is EVERY_TAG["notice"]
    assert after(*shorter) == after(*burst)


# ---------------------------------------------------------------------------------------------- nobody else's data


def direct_containers(value: Any) -> list[Any]:
    """The lists and dicts that are fields of an update."""
    members = [getattr(value, field.name) for field in fields(value)]
    return [member for member in members if isinstance(member, (list, dict))]


def containers(value: Any) -> list[Any]:
    """The lists and dicts anywhere in an update, innermost last."""
    return [part for part in parts(value) if isinstance(part, (list, dict))]


@each_tag
def test_the_callers_lists_and_dicts_are_copied(tag: str) -> None:
    mine = fresh(tag)
    state = after(mine)
    before = exactly(state.to_json())
    for container in direct_containers(mine):
        spoil(container)
    assert exactly(state.to_json()) == before


@each_tag
def test_no_list_or_dict_deep_in_an_update_is_shared(tag: str) -> None:
    mine = fresh(tag)
    state = after(mine)
    before = exactly(state.to_json())
    shared = {id(part) for part in containers(state)}
    assert not [container for container in containers(mine) if id(container) in shared]
    for container in reversed(containers(mine)):
        spoil(container)
    assert exactly(state.to_json()) == before


@each_tag
def test_later_updates_do_not_change_the_object_of_an_earlier_one(tag: str) -> None:
    mine = fresh(tag)
    before = exactly(acp.encode(mine, "SessionUpdate"))
    after(mine, *map(fresh, EVERY_TAG), *map(fresh, EVERY_TAG))
    assert exactly(acp.encode(mine, "SessionUpdate")) == before


def test_the_lists_of_a_response_are_copied() -> None:
    state, response = acp.SessionState(), new_session(configOptions=[option("a")], availableCommands=[command("b")])
    acp.apply_new_session_response(state, response)
    before = exactly(state.to_json())
    response.config_options.clear()
    response.available_commands.clear()
    assert exactly(state.to_json()) == before


def test_a_replay_hands_out_no_list_or_dict_of_the_state() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    for container in [part for said in acp.replay(state) for part in containers(said)][::-1]:
        spoil(container)
    assert exactly(state.to_json()) == before


def test_the_json_form_is_a_snapshot_of_its_own() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    for container in containers(state.to_json())[::-1]:
        spoil(container)
    assert exactly(state.to_json()) == before


def test_no_part_of_the_state_is_unset() -> None:
    assert not any(part is UNSET for part in parts(busy_state()))


def test_states_do_not_share_their_defaults() -> None:
    one, other = acp.SessionState(), acp.SessionState()
    for tag in EVERY_TAG:
        acp.apply_update(one, fresh(tag))
    assert other == acp.SessionState()
    assert exactly(other.to_json()) == exactly(reference.public(reference.empty()))
