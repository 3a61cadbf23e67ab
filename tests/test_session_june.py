"""What is particular to the June draft when its updates are folded; the laws are in ``test_session_laws``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import acp_schema.v2 as newest
import acp_schema.v2_2026_06 as acp
from acp_schema import UNSET
from support import reference_fold_june as reference
from support.sessions import exactly, parts, spoil

Json = Any


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


def plan(key: str, *contents: str) -> Json:
    entries = [{"content": content, "priority": "high", "status": "pending"} for content in contents]
    return {"type": "items", "id": key, "entries": entries}


def option(key: str) -> Json:
    return {
        "type": "select",
        "id": key,
        "name": "n",
        "currentValue": "v",
        "options": [{"value": "v", "name": "V"}],
    }


# ----------------------------------------------------------------------------------------------- the table of updates

EVERY_TAG: dict[str, Any] = {
    "user_message_chunk": update("user_message_chunk", messageId="m", content=text("a"), meta={"z": {"y": 1}}),
    "user_message": update("user_message", messageId="m", content=[text("a")], meta={"a": {"b": [1]}}),
    "agent_message_chunk": update("agent_message_chunk", messageId="m", content={"type": "_x", "deep": {"a": [1]}}),
    "agent_message": update("agent_message", messageId="m", content=[text("b")], meta={"a": {"b": [1]}}),
    "agent_thought_chunk": update("agent_thought_chunk", messageId="m", content={**text("c"), "_meta": {"a": 1}}),
    "agent_thought": update("agent_thought", messageId="m", content=[text("c")], meta={"a": {"b": [1]}}),
    "tool_call_content_chunk": update(
        "tool_call_content_chunk", toolCallId="t", content={"type": "diff", "path": "/a", "newText": "n"}
    ),
    "tool_call_update": update(
        "tool_call_update",
        toolCallId="t",
        title="t",
        content=[shown("a")],
        locations=[{"path": "a", "line": 0}],
        rawInput={"a": [1]},
        rawOutput=[{"a": 1}],
        meta={"a": {"b": [1]}},
    ),
    "plan_update": update("plan_update", plan={**plan("p", "a", "b"), "_meta": {"a": [1]}}),
    "available_commands_update": update(
        "available_commands_update", availableCommands=[{"name": "n", "description": "d", "input": {"hint": "h"}}]
    ),
    "config_option_update": update("config_option_update", configOptions=[option("c")]),
    "session_info_update": update("session_info_update", title="s", meta={"a": {"b": [1]}}),
    "usage_update": update("usage_update", used=1, size=2, cost={"amount": 1, "currency": "EUR"}),
}
each_tag = pytest.mark.parametrize("tag", EVERY_TAG)


def fresh(tag: str) -> Any:
    """The update of ``EVERY_TAG`` as an object of its own."""
    return acp.decode("SessionUpdate", json.loads(acp.dumps(EVERY_TAG[tag], "SessionUpdate")))


def busy_state() -> acp.SessionState:
    """A state with something in every place, and objects of its own."""
    return after(*map(fresh, EVERY_TAG))


def test_the_table_of_updates_has_a_row_for_every_tag() -> None:
    assert {tag: row.op for tag, row in acp.UPDATES.items()} == {
        "user_message_chunk": "append",
        "user_message": "upsert",
        "agent_message_chunk": "append",
        "agent_message": "upsert",
        "agent_thought_chunk": "append",
        "agent_thought": "upsert",
        "tool_call_content_chunk": "append",
        "tool_call_update": "upsert",
        "plan_update": "replace",
        "available_commands_update": "set",
        "config_option_update": "set",
        "session_info_update": "patch",
        "usage_update": "patch",
    }
    assert set(EVERY_TAG) == set(acp.UPDATES) == set(reference.TAGS)


@each_tag
def test_a_row_of_the_table_does_what_apply_update_does(tag: str) -> None:
    one, other = acp.SessionState(), acp.SessionState()
    assert acp.UPDATES[tag].handler(one, EVERY_TAG[tag]) == acp.apply_update(other, EVERY_TAG[tag])
    assert one == other
    assert acp.UPDATES[tag].payload is type(EVERY_TAG[tag])


def test_the_json_form_of_an_empty_state() -> None:
    assert acp.SessionState().to_json() == {
        "messages": {"user": {}, "agent": {}, "thought": {}},
        "tool_calls": {},
        "plans": {},
        "commands": [],
        "config_options": [],
        "info": {"title": None, "updatedAt": None, "_meta": None},
        "usage": None,
        "timeline": [],
    }


def test_the_draft_has_no_foreground_state_and_no_local_cancel() -> None:
    """Work ends with the result of ``session/prompt``; a tool call has no status for a cancel."""
    for name in ("mark_cancelled", "StateUpdate", "TerminalUpdate", "Notice", "CompactionUpdate"):
        assert not hasattr(acp, name)
    assert not hasattr(acp, "apply_prompt_request")


@pytest.mark.parametrize(
    "tag", ["_vendor", "state_update", "notice", "terminal_update", "compaction_update", "tool_call", "plan", ""]
)
def test_an_unknown_update_changes_nothing_and_is_handed_over_whole(tag: str) -> None:
    members = {"messageId": "m", "toolCallId": "t", "state": "idle", "content": [{"a": None}], "_meta": {"b": None}}
    state = busy_state()
    before = exactly(state.to_json())
    strange = update(tag, **members)
    change = acp.apply_update(state, strange)
    assert exactly(state.to_json()) == before
    assert (change.kind, change.id, change.fields, change.created) == ("unknown", None, (), False)
    assert change.event is strange
    assert acp.encode(change.event, "SessionUpdate") == {"sessionUpdate": tag, **members}
    got: list[Any] = []

    class Handler(acp.SessionHandler):
        def on_unknown(self, update: Any) -> None:
            got.append(update)

    acp.dispatch(Handler(), strange)
    assert got == [strange]


# ----------------------------------------------------------------------------------------------------- metadata

REPLACED_META: dict[str, tuple[dict[str, Json], Callable[[acp.SessionState], Any]]] = {
    "user_message": ({"messageId": "x"}, lambda state: state.messages.user["x"]),
    "agent_message": ({"messageId": "x"}, lambda state: state.messages.agent["x"]),
    "agent_thought": ({"messageId": "x"}, lambda state: state.messages.thought["x"]),
    "session_info_update": ({}, lambda state: state.info),
}
META_STEPS: dict[str, tuple[list[Json], Json]] = {
    "first value": ([{"a": 1}], {"a": 1}),
    "other keys are gone": ([{"a": 1}, {"b": 2}], {"b": 2}),
    "a null key is a value": ([{"a": 1}, {"a": None}], {"a": None}),
    "an empty object replaces": ([{"a": 1}, {}], {}),
    "null clears": ([{"a": 1}, None], None),
    "null, then a value": ([{"a": 1}, None, {"b": 2}], {"b": 2}),
}


@pytest.mark.parametrize("tag", REPLACED_META)
@pytest.mark.parametrize("step", META_STEPS)
def test_metadata_is_replaced_whole(tag: str, step: str) -> None:
    members, find = REPLACED_META[tag]
    said, expected = META_STEPS[step]
    assert find(after(*(update(tag, **members, meta=meta) for meta in said))).meta == expected


@pytest.mark.parametrize("tag", REPLACED_META)
def test_omitted_metadata_is_kept(tag: str) -> None:
    members, find = REPLACED_META[tag]
    assert find(after(update(tag, **members, meta={"a": 1}), update(tag, **members))).meta == {"a": 1}


def test_the_newest_edition_merges_what_this_draft_replaces() -> None:
    wires = [{"sessionUpdate": "agent_message", "messageId": "m", "_meta": meta} for meta in ({"a": 1}, {"b": 2})]
    state = newest.SessionState()
    for wire in wires:
        newest.apply_update(state, newest.decode("SessionUpdate", wire))
    assert state.messages.agent["m"].meta == {"a": 1, "b": 2}
    assert after(*(acp.decode("SessionUpdate", wire) for wire in wires)).messages.agent["m"].meta == {"b": 2}


def test_metadata_of_a_tool_call_is_not_stored() -> None:
    state = acp.SessionState()
    change = acp.apply_update(state, update("tool_call_update", toolCallId="t", title="x", meta={"a": 1}))
    assert change == acp.Change("tool_calls", "t", ("title",), True)
    assert "_meta" not in state.to_json()["tool_calls"]["t"]
    assert state == after(update("tool_call_update", toolCallId="t", title="x"))


# --------------------------------------------------------------------------------------------------- tool calls

TOOL_CALL_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    # wire name: a value, another one, what null and a new tool call have: no defaults of the protocol
    "title": ("List files", "Read a file", None),
    "kind": ("execute", "_mine", None),
    "status": ("in_progress", "cancelled", None),
    "content": ([shown("a")], [shown("b"), {"type": "_chart", "points": [1]}], []),
    "locations": ([{"path": "/a", "line": 0}], [{"path": "b"}], []),
    "rawInput": ({"a": 1}, "text", None),
    "rawOutput": ([1, 2], False, None),
}
each_field = pytest.mark.parametrize("field", TOOL_CALL_FIELDS)


def stored(field: str, *values: Json) -> Json:
    """The field after updates that say these values; Ellipsis is for one that does not speak of it."""
    said = [{} if value is ... else {field: value} for value in values]
    state = after(*(update("tool_call_update", toolCallId="t", **members) for members in said))
    return state.to_json()["tool_calls"]["t"][field]


@each_field
def test_a_tool_call_is_patched_in_three_states(field: str) -> None:
    value, other, cleared = TOOL_CALL_FIELDS[field]
    assert stored(field, ...) == cleared
    assert stored(field, None) == cleared
    assert exactly(stored(field, value, ...)) == exactly(value)
    assert stored(field, value, None) == cleared
    assert exactly(stored(field, value, other)) == exactly(other)


def test_a_tool_call_is_stored_with_these_fields_and_no_others() -> None:
    state = after(update("tool_call_content_chunk", toolCallId="t", content=shown("a")))
    assert state.to_json()["tool_calls"]["t"] == {
        "title": None,
        "kind": None,
        "status": None,
        "content": [shown("a")],
        "locations": [],
        "rawInput": None,
        "rawOutput": None,
    }


@pytest.mark.parametrize(("field", "wrong"), [("title", 5), ("kind", []), ("status", {})])
def test_a_malformed_scalar_is_an_error(field: str, wrong: Json) -> None:
    """The draft's leniency covers collections only."""
    with pytest.raises(acp.DecodeError) as caught:
        update("tool_call_update", toolCallId="t", **{field: wrong})
    assert caught.value.path == f"/{field}"


def test_a_first_report_without_a_title_is_noted() -> None:
    state = acp.SessionState()
    first = acp.apply_update(state, update("tool_call_update", toolCallId="t", kind="read"))
    second = acp.apply_update(state, update("tool_call_update", toolCallId="t", title=None))
    assert first.notes == ("the first report should have a title",)
    assert second.notes == ()


def test_the_tool_call_of_a_permission_request_is_applied() -> None:
    options = [{"optionId": "y", "name": "Yes", "kind": "_maybe"}]
    state = after(update("tool_call_update", toolCallId="t", title="rm", kind="delete"))
    for tool_call in ({"toolCallId": "t", "kind": None}, {"toolCallId": "u", "title": "new", "content": [shown("a")]}):
        request = {"sessionId": "s", "toolCall": tool_call, "options": options}
        acp.apply_request_permission_request(state, acp.decode("RequestPermissionRequest", request))
    assert (state.tool_calls["t"].title, state.tool_calls["t"].kind) == ("rm", None)
    assert state.tool_calls["u"].title == "new"
    assert state.timeline == [("tool_call", "t"), ("tool_call", "u")]


# -------------------------------------------------------------------------------------------- plans, usage, options


def test_plans_are_replaced_by_their_id() -> None:
    strange = {"type": "_gantt", "id": "q", "bars": [{"from": 1, "to": None}]}
    state = acp.SessionState()
    changes = [
        acp.apply_update(state, update("plan_update", plan=new))
        for new in (plan("p", "a", "b"), plan("q", "c"), plan("p"), strange)
    ]
    assert state.to_json()["plans"] == {"p": plan("p"), "q": strange}
    assert [(change.kind, change.id, change.created) for change in changes] == [
        ("plans", "p", True),
        ("plans", "q", True),
        ("plans", "p", False),
        ("plans", "q", False),
    ]
    assert state.timeline == [("plan", "p"), ("plan", "q")]


@pytest.mark.parametrize("silent", [{}, {"cost": None}], ids=["omitted", "null"])
def test_usage_is_a_snapshot_and_an_absent_cost_clears(silent: Json) -> None:
    cost = {"amount": 0.5, "currency": "EUR"}
    state = after(update("usage_update", used=1, size=2, cost=cost))
    assert state.to_json()["usage"] == {"used": 1, "size": 2, "cost": cost}
    change = acp.apply_update(state, update("usage_update", used=3, size=4, **silent))
    assert state.to_json()["usage"] == {"used": 3, "size": 4, "cost": None}
    assert change == acp.Change("usage", None, ("used", "size", "cost"), False)


OPENINGS: dict[str, Callable[..., list[acp.Change]]] = {
    "NewSessionResponse": acp.apply_new_session_response,
    "LoadSessionResponse": acp.apply_load_session_response,
    "ResumeSessionResponse": acp.apply_resume_session_response,
}


@pytest.mark.parametrize("definition", OPENINGS)
def test_a_response_sets_the_options_unless_an_update_has(definition: str) -> None:
    session = {"sessionId": "s"} if definition == "NewSessionResponse" else {}
    response = acp.decode(definition, {**session, "configOptions": [option("old")]})
    fresh_state, known = acp.SessionState(), after(update("config_option_update", configOptions=[]))
    assert [change.kind for change in OPENINGS[definition](fresh_state, response)] == ["config_options"]
    assert fresh_state.to_json()["config_options"] == [option("old")]
    assert OPENINGS[definition](known, response) == []
    assert known.config_options == []


# -------------------------------------------------------------------------------------------------------- algebra


def test_a_diff_of_metadata_says_all_of_it() -> None:
    def message(meta: Json) -> acp.AgentMessageState:
        return after(update("agent_message", messageId="m", meta=meta)).messages.agent["m"]

    assert acp.diff(message({"a": 1, "b": 2}), message({"a": 1})) == update(
        "agent_message", messageId="m", meta={"a": 1}
    )
    assert acp.diff(message({"a": 1}), message(None)) == update("agent_message", messageId="m", meta=None)
    assert acp.diff(message({"a": 1}), message({"a": 1})) == update("agent_message", messageId="m")
    assert acp.diff(message({"a": 1}), message({"a": True})) == update("agent_message", messageId="m", meta={"a": True})


def test_a_diff_of_usage_says_the_cost_every_time() -> None:
    cost = {"amount": 1, "currency": "EUR"}
    dear, free = update("usage_update", used=1, size=1, cost=cost), update("usage_update", used=1, size=1)
    assert acp.diff(after(dear).usage, after(dear).usage) == dear
    assert acp.diff(after(dear).usage, after(free).usage) == free


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        (
            update("agent_message", messageId="m", meta=None),
            update("agent_message", messageId="m", meta={"a": 1}),
            update("agent_message", messageId="m", meta={"a": 1}),
        ),
        (
            update("agent_message", messageId="m", content=[text("a")], meta={"a": 1}),
            update("agent_message", messageId="m", meta={"b": 1}),
            update("agent_message", messageId="m", content=[text("a")], meta={"b": 1}),
        ),
        (
            update("tool_call_update", toolCallId="t", kind="read", status="failed"),
            update("tool_call_update", toolCallId="t", kind=None),
            update("tool_call_update", toolCallId="t", kind=None, status="failed"),
        ),
        (
            update("usage_update", used=1, size=1, cost={"amount": 1, "currency": "EUR"}),
            update("usage_update", used=2, size=1),
            update("usage_update", used=2, size=1),
        ),
        (
            update("tool_call_update", toolCallId="t", content=None),
            update("tool_call_content_chunk", toolCallId="t", content=shown("a")),
            update("tool_call_update", toolCallId="t", content=[shown("a")]),
        ),
        (update("plan_update", plan=plan("p")), update("plan_update", plan=plan("q")), None),
        (update("state_update", state="idle"), update("state_update", state="idle"), None),
    ],
)
def test_what_merges_into_what(first: Any, second: Any, merged: Any) -> None:
    assert acp.merge(first, second) == merged
    if merged is not None:
        assert after(first, second) == after(merged)


# --------------------------------------------------------------------------------- wrong input, and nobody else's data


def test_what_is_of_another_edition_is_refused_and_changes_nothing() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    foreign = newest.decode("SessionUpdate", {"sessionUpdate": "tool_call_update", "toolCallId": "t"})
    with pytest.raises(TypeError, match="expected a session update of the same edition, got .*v2.*ToolCallUpdate"):
        acp.apply_update(state, foreign)
    with pytest.raises(TypeError, match="expected a .*v2_2026_06.*SessionState, got .*SessionState"):
        acp.apply_update(newest.SessionState(), fresh("tool_call_update"))  # type: ignore[arg-type]
    assert exactly(state.to_json()) == before


def containers(value: Any) -> list[Any]:
    return [part for part in parts(value) if isinstance(part, (list, dict))]


@each_tag
def test_no_list_or_dict_of_an_update_is_shared(tag: str) -> None:
    mine = fresh(tag)
    state = after(mine)
    before = exactly(state.to_json())
    shared = {id(part) for part in containers(state)}
    assert not [container for container in containers(mine) if id(container) in shared]
    for container in reversed(containers(mine)):
        spoil(container)
    assert exactly(state.to_json()) == before


def test_no_part_of_the_state_is_unset() -> None:
    assert not any(part is UNSET for part in parts(busy_state()))
