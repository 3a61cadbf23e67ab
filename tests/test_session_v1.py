"""What every update of v1 does to a session's state, rule by rule; the laws are in ``test_session_laws``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import acp_schema.v1 as acp
import acp_schema.v2 as newest
from acp_schema import UNSET
from support import reference_fold_v1 as reference
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


def texts(blocks: list[Any]) -> list[str]:
    return [block.text for block in blocks]


# ----------------------------------------------------------------------------------------------- the table of updates

EVERY_TAG: dict[str, Any] = {
    "user_message_chunk": update("user_message_chunk", content=text("a"), meta={"z": {"y": 1}}),
    "agent_message_chunk": update("agent_message_chunk", messageId="m", content={**text("b"), "_meta": {"a": [1]}}),
    "agent_thought_chunk": update("agent_thought_chunk", messageId="m", content=text("c")),
    "tool_call": update(
        "tool_call",
        toolCallId="t",
        title="Read",
        kind="read",
        content=[shown("a"), {"type": "terminal", "terminalId": "x"}],
        locations=[{"path": "/a", "line": 0}],
        rawInput={"a": [1]},
        meta={"a": {"b": [1]}},
    ),
    "tool_call_update": update("tool_call_update", toolCallId="t", content=[shown("b")], rawOutput=[{"a": 1}]),
    "plan": update("plan", entries=[{"content": "c", "priority": "high", "status": "pending", "_meta": {"a": [1]}}]),
    "available_commands_update": update(
        "available_commands_update", availableCommands=[{"name": "n", "description": "d", "input": {"hint": "h"}}]
    ),
    "current_mode_update": update("current_mode_update", currentModeId="code"),
    "config_option_update": update(
        "config_option_update",
        configOptions=[
            {"type": "select", "id": "c", "name": "n", "currentValue": "v", "options": [{"value": "v", "name": "V"}]}
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


def fresh(tag: str) -> Any:
    """The update of ``EVERY_TAG`` as an object of its own."""
    return acp.decode("SessionUpdate", json.loads(acp.dumps(EVERY_TAG[tag], "SessionUpdate")))


def busy_state() -> acp.SessionState:
    """A state with something in every place, and objects of its own."""
    return after(*map(fresh, EVERY_TAG))


def test_the_table_of_updates_has_a_row_for_every_tag() -> None:
    assert {tag: row.op for tag, row in acp.UPDATES.items()} == {
        "user_message_chunk": "append",
        "agent_message_chunk": "append",
        "agent_thought_chunk": "append",
        "tool_call": "create",
        "tool_call_update": "upsert",
        "plan": "set",
        "available_commands_update": "set",
        "current_mode_update": "set",
        "config_option_update": "set",
        "session_info_update": "patch",
        "usage_update": "patch",
        "notice": "event",
        "compaction_update": "upsert",
        "compaction_summary_chunk": "append",
    }
    assert set(EVERY_TAG) == set(acp.UPDATES) == set(reference.TAGS)


@each_tag
def test_a_row_of_the_table_does_what_apply_update_does(tag: str) -> None:
    one, other = acp.SessionState(), acp.SessionState()
    assert acp.UPDATES[tag].handler(one, EVERY_TAG[tag]) == acp.apply_update(other, EVERY_TAG[tag])
    assert one == other
    assert acp.UPDATES[tag].payload is type(EVERY_TAG[tag])


@each_tag
def test_the_handler_has_a_method_for_every_tag(tag: str) -> None:
    got: list[Any] = []
    handler = acp.SessionHandler()
    assert callable(getattr(handler, f"on_{tag}"))

    class Recorder(acp.SessionHandler):
        def __getattribute__(self, name: str) -> Any:
            return (lambda seen: got.append((name, seen))) if name.startswith("on_") else super().__getattribute__(name)

    acp.dispatch(Recorder(), EVERY_TAG[tag])
    acp.dispatch(handler, EVERY_TAG[tag])  # what nobody overrides does nothing
    assert got == [(f"on_{tag}", EVERY_TAG[tag])]


@pytest.mark.parametrize(
    "tag", ["_vendor", "plan_update", "user_message", "state_update", "tool_call_content_chunk", ""]
)
def test_there_are_no_other_updates(tag: str) -> None:
    with pytest.raises(acp.DecodeError) as caught:
        update(tag, messageId="m", toolCallId="t", content=text("a"))
    assert caught.value.path == "/sessionUpdate"
    assert not hasattr(acp.SessionHandler, "on_unknown")
    assert not hasattr(acp, "UnknownSessionUpdate")


def test_what_later_editions_have_is_not_there() -> None:
    """A cancelled tool call has no status of its own in v1, so there is nothing to mark it with."""
    assert not hasattr(acp, "mark_cancelled")
    assert {"foreground", "terminals", "plans"}.isdisjoint(acp.SessionState().to_json())


def test_the_json_form_of_an_empty_state() -> None:
    assert acp.SessionState().to_json() == {
        "messages": {"user": {}, "agent": {}, "thought": {}},
        "tool_calls": {},
        "plan": [],
        "commands": [],
        "current_mode": None,
        "config_options": [],
        "info": {"title": None, "updatedAt": None, "_meta": None},
        "usage": None,
        "compactions": {},
        "timeline": [],
    }


def test_the_json_form_has_wire_names_and_null_for_what_is_unset() -> None:
    state = after(
        update("tool_call_update", toolCallId="t"),
        update("user_message_chunk", content=text("a")),
        update("compaction_summary_chunk", compactionId="c", content=text("s")),
        update("usage_update", used=1, size=2),
    ).to_json()
    assert state["tool_calls"] == {
        "t": {
            "kind": "other",
            "status": "pending",
            "title": None,
            "name": None,
            "content": [],
            "locations": [],
            "rawInput": None,
            "rawOutput": None,
            "_meta": None,
        }
    }
    assert state["messages"]["user"] == {"unnamed-1": {"content": [text("a")]}}
    assert state["compactions"] == {
        "c": {"status": "in_progress", "summary": [text("s")], "error": None, "_meta": None}
    }
    assert state["usage"] == {"used": 1, "size": 2, "cost": None}
    assert state["timeline"] == [["tool_call", "t"], ["user_message", "unnamed-1"], ["compaction", "c"]]
    assert json.loads(json.dumps(state)) == state


# --------------------------------------------------------------------------------------------------- tool calls

# wire name: a value, another one, what a new tool call has
TOOL_CALL_FIELDS: dict[str, tuple[Json, Json, Json]] = {
    "kind": ("execute", "read", "other"),
    "status": ("in_progress", "completed", "pending"),
    "title": ("List files", "Read a file", None),
    "name": ("bash", "cat", None),
    "content": ([shown("a")], [shown("b"), shown("c")], []),
    "locations": ([{"path": "/a"}], [{"path": "/b", "line": 3}], []),
    "rawInput": ({"a": 1}, "text", None),
    "rawOutput": ([1, 2], False, None),
    "_meta": ({"a": 1, "b": None}, {"c": 2}, None),
}
each_field = pytest.mark.parametrize("field", TOOL_CALL_FIELDS)


def called(*updates: Any) -> Json:
    """The stored tool call ``t`` after these updates."""
    return after(*updates).to_json()["tool_calls"]["t"]


def patched(**members: Json) -> Any:
    return update("tool_call_update", toolCallId="t", **members)


def created(**members: Json) -> Any:
    return update("tool_call", **{"toolCallId": "t", "title": "Read", **members})


@each_field
def test_a_new_tool_call_has_the_defaults(field: str) -> None:
    default = TOOL_CALL_FIELDS[field][2]
    assert called(patched())[field] == default
    assert called(patched(**{field: None}))[field] == default
    assert called(created())[field] == ("Read" if field == "title" else default)


@each_field
@pytest.mark.parametrize("unsaid", [{}, None], ids=["omitted", "null"])
def test_omitted_and_null_both_keep_a_field(field: str, unsaid: Json) -> None:
    value = TOOL_CALL_FIELDS[field][0]
    silent = patched() if unsaid == {} else patched(**{field: None})
    assert exactly(called(patched(**{field: value}), silent)[field]) == exactly(value)


@each_field
def test_a_value_replaces_a_field_whole(field: str) -> None:
    value, other, _ = TOOL_CALL_FIELDS[field]
    assert exactly(called(patched(**{field: value}), patched(**{field: other}))[field]) == exactly(other)
    assert exactly(called(patched(**{field: other}), patched(**{field: value}))[field]) == exactly(value)


@pytest.mark.parametrize("field", ["content", "locations"])
def test_an_empty_list_clears_a_collection(field: str) -> None:
    assert called(patched(**{field: TOOL_CALL_FIELDS[field][0]}), patched(**{field: []}))[field] == []


@each_field
def test_a_tool_call_resets_what_it_does_not_name(field: str) -> None:
    value, _, default = TOOL_CALL_FIELDS[field]
    again = called(patched(**{field: value}), created())
    assert again[field] == ("Read" if field == "title" else default)


@each_field
def test_a_tool_call_replaces_what_it_names(field: str) -> None:
    value, other, _ = TOOL_CALL_FIELDS[field]
    assert exactly(called(patched(**{field: value}), created(**{field: other}))[field]) == exactly(other)


def test_a_repeated_tool_call_stays_where_it_first_was() -> None:
    state = after(created(), update("user_message_chunk", messageId="m", content=text("a")), created(title="Again"))
    assert state.timeline == [("tool_call", "t"), ("user_message", "m")]
    assert state.tool_calls["t"].title == "Again"


def test_an_update_before_the_tool_call_creates_it() -> None:
    state = acp.SessionState()
    first = acp.apply_update(state, patched(status="in_progress"))
    second = acp.apply_update(state, created(kind="read"))
    assert first == acp.Change("tool_calls", "t", ("status",), True, None, ("the first report should have a title",))
    assert (second.kind, second.id, second.created, second.notes) == ("tool_calls", "t", False, ())
    assert (state.tool_calls["t"].kind, state.tool_calls["t"].status) == ("read", "pending")
    assert state.timeline == [("tool_call", "t")]


def test_a_change_names_all_fields_for_a_tool_call_and_the_spoken_ones_for_an_update() -> None:
    state = acp.SessionState()
    whole = acp.apply_update(state, created())
    assert (whole.kind, whole.id, whole.created, whole.notes) == ("tool_calls", "t", True, ())
    assert set(whole.fields) == {
        *("kind", "status", "title", "name", "content", "locations", "raw_input", "raw_output", "meta"),
    }
    spoken = acp.apply_update(state, patched(rawInput=0, status=None, content=[]))
    assert spoken == acp.Change("tool_calls", "t", ("content", "raw_input"), False)
    assert acp.apply_update(state, patched()) == acp.Change("tool_calls", "t", (), False)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("kind", "_mine"), ("status", "cancelled"), ("title", 5), ("content", "text"), ("locations", {}), ("_meta", [])],
)
def test_a_malformed_field_of_an_update_keeps_what_is_stored(field: str, wrong: Json) -> None:
    """Kinds and statuses are closed lists in v1."""
    value = TOOL_CALL_FIELDS[field][0]
    assert exactly(called(patched(**{field: value}), patched(**{field: wrong}))[field]) == exactly(value)


def test_items_of_content_that_cannot_be_read_are_dropped() -> None:
    strange = [shown("a"), {"type": "_chart"}, {"type": "diff", "path": "/a"}, shown("b")]
    assert called(patched(content=strange))["content"] == [shown("a"), shown("b")]


def permission(**tool_call: Json) -> Any:
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    request = {"sessionId": "s", "toolCall": {"toolCallId": "t", **tool_call}, "options": options}
    return acp.decode("RequestPermissionRequest", request)


def test_the_tool_call_of_a_permission_request_is_applied() -> None:
    state = acp.SessionState()
    changes = acp.apply_request_permission_request(state, permission(title="rm", status="pending"))
    assert changes == [acp.Change("tool_calls", "t", ("status", "title"), True)]
    assert state.timeline == [("tool_call", "t")]
    acp.apply_request_permission_request(state, permission(kind="delete", title=None))
    assert (state.tool_calls["t"].title, state.tool_calls["t"].kind) == ("rm", "delete")


def test_updates_after_a_cancel_still_apply() -> None:
    """Sending ``session/cancel`` does nothing to the state: the agent's last updates tell how the work ended."""
    state = after(created(status="in_progress"))
    acp.apply_update(state, patched(status="failed", content=[shown("stopped")]))
    assert state.tool_calls["t"].status == "failed"
    assert state.to_json()["tool_calls"]["t"]["content"] == [shown("stopped")]


# ----------------------------------------------------------------------------------------------------- messages

SPACES = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}
each_space = pytest.mark.parametrize(("space", "kind"), SPACES.items())


def said(kind: str, words: str, key: Json = ...) -> Any:
    """A chunk; without an id unless one is given."""
    members = {} if key is ... else {"messageId": key}
    return update(f"{kind}_chunk", content=text(words), **members)


def messages(state: acp.SessionState, space: str) -> dict[str, list[str]]:
    return {key: texts(message.content) for key, message in getattr(state.messages, space).items()}


def prompt() -> Any:
    return acp.decode("PromptRequest", {"sessionId": "s", "prompt": [text("go on")]})


@each_space
def test_chunks_with_an_id_go_to_that_message(space: str, kind: str) -> None:
    state = after(*(said(kind, words, key) for words, key in (("1", "m"), ("2", "n"), ("3", "m"))))
    assert messages(state, space) == {"m": ["1", "3"], "n": ["2"]}
    assert state.timeline == [(kind, "m"), (kind, "n")]


@each_space
def test_a_chunk_reports_what_it_did(space: str, kind: str) -> None:
    state = acp.SessionState()
    assert acp.apply_update(state, said(kind, "1")) == acp.Change(f"messages.{space}", "unnamed-1", ("content",), True)
    assert acp.apply_update(state, said(kind, "2")) == acp.Change(f"messages.{space}", "unnamed-1", ("content",), False)


@each_space
def test_consecutive_chunks_without_an_id_are_one_message(space: str, kind: str) -> None:
    state = after(said(kind, "1"), said(kind, "2", None), said(kind, "3"))
    assert messages(state, space) == {"unnamed-1": ["1", "2", "3"]}


BREAKS: dict[str, Callable[[], Any]] = {
    "a message of another kind": lambda: said("user_message", "x"),
    "a named message of the same kind": lambda: said("agent_message", "x", "m"),
    "a tool call": created,
    "an update of a new tool call": patched,
    "a compaction": lambda: fresh("compaction_update"),
    "a summary of a compaction": lambda: fresh("compaction_summary_chunk"),
}


@pytest.mark.parametrize("between", BREAKS)
def test_a_new_entry_of_the_timeline_ends_a_run(between: str) -> None:
    state = after(said("agent_message", "1"), BREAKS[between](), said("agent_message", "2"), said("agent_message", "3"))
    runs = {key: words for key, words in messages(state, "agent").items() if key != "m"}
    assert list(runs.values()) == [["1"], ["2", "3"]]
    assert [kind for kind, _ in state.timeline].count("agent_message") == len(state.messages.agent)


NO_BREAKS: dict[str, Callable[[], Any]] = {
    "a tool call that is known": lambda: patched(status="completed"),
    "a named message that is known": lambda: said("agent_message", "x", "known"),
    "a plan": lambda: fresh("plan"),
    "usage": lambda: fresh("usage_update"),
    "a notice": lambda: fresh("notice"),
    "a mode": lambda: fresh("current_mode_update"),
    "session info": lambda: fresh("session_info_update"),
}


@pytest.mark.parametrize("between", NO_BREAKS)
def test_what_has_no_new_place_in_the_timeline_does_not_end_a_run(between: str) -> None:
    state = after(
        created(),
        said("agent_message", "0", "known"),
        said("agent_message", "1"),
        NO_BREAKS[between](),
        said("agent_message", "2"),
    )
    assert messages(state, "agent")["unnamed-2"] == ["1", "2"]


def test_runs_of_different_kinds_do_not_continue_each_other() -> None:
    kinds = ("agent_message", "agent_thought", "agent_thought", "agent_message")
    state = after(*(said(kind, str(number)) for number, kind in enumerate(kinds)))
    assert messages(state, "agent") == {"unnamed-1": ["0"], "unnamed-2": ["3"]}
    assert messages(state, "thought") == {"unnamed-1": ["1", "2"]}
    assert state.timeline == [
        ("agent_message", "unnamed-1"),
        ("agent_thought", "unnamed-1"),
        ("agent_message", "unnamed-2"),
    ]


@each_space
def test_a_prompt_ends_the_run(space: str, kind: str) -> None:
    state = after(said(kind, "1"))
    assert acp.apply_prompt_request(state, prompt()) == []
    acp.apply_update(state, said(kind, "2"))
    assert messages(state, space) == {"unnamed-1": ["1"], "unnamed-2": ["2"]}


def test_a_prompt_says_nothing_else_about_the_session() -> None:
    """Its content comes back as chunks of the user's message, if the agent sends them."""
    state = busy_state()
    before = exactly(state.to_json())
    acp.apply_prompt_request(state, prompt())
    assert exactly(state.to_json()) == before
    with pytest.raises(TypeError, match="PromptRequest.*NoneType"):
        acp.apply_prompt_request(state, None)  # type: ignore[arg-type]


@each_space
def test_a_minted_id_is_none_that_was_given(space: str, kind: str) -> None:
    state = after(
        said(kind, "1", "unnamed-2"),
        said(kind, "2", "unnamed-3"),
        said(kind, "3", "unnamed-4"),
        said(kind, "4"),
        said(kind, "5", "x"),
        said(kind, "6"),
    )
    assert messages(state, space) == {
        **{"unnamed-2": ["1"], "unnamed-3": ["2"], "unnamed-4": ["3"]},
        **{"unnamed-5": ["4"], "x": ["5"], "unnamed-6": ["6"]},
    }


def test_a_chunk_that_names_the_running_message_extends_it() -> None:
    """A client that was told the minted id in a replay may hear of it again."""
    state = after(said("agent_message", "1"), said("agent_message", "2", "unnamed-1"), said("agent_message", "3"))
    assert messages(state, "agent") == {"unnamed-1": ["1", "2", "3"]}


def test_chunk_metadata_is_not_stored() -> None:
    state = after(update("user_message_chunk", messageId="m", content=text("a"), meta={"z": 1}))
    assert state.to_json()["messages"]["user"]["m"] == {"content": [text("a")]}


def test_a_block_of_unknown_type_is_an_error() -> None:
    with pytest.raises(acp.DecodeError) as caught:
        update("user_message_chunk", content={"type": "_hologram"})
    assert caught.value.path == "/content/type"


# -------------------------------------------------------------------------------- plan, commands, modes, config options


def entry(words: str) -> Json:
    return {"content": words, "priority": "high", "status": "pending"}


def command(name: str) -> Json:
    return {"name": name, "description": "d"}


def option(key: str, value: bool = True) -> Json:
    return {"type": "boolean", "id": key, "name": "n", "currentValue": value}


SLOTS: dict[str, tuple[str, str, Json, Json]] = {
    # slot: tag, member, a value, another one
    "plan": ("plan", "entries", [entry("a"), entry("b")], []),
    "commands": ("available_commands_update", "availableCommands", [command("a")], [command("b"), command("c")]),
    "current_mode": ("current_mode_update", "currentModeId", "ask", "code"),
    "config_options": ("config_option_update", "configOptions", [option("b"), option("a")], [option("a", False)]),
}


@pytest.mark.parametrize("slot", SLOTS)
def test_a_slot_takes_the_latest_value_whole(slot: str) -> None:
    tag, member, value, other = SLOTS[slot]
    state = acp.SessionState()
    change = acp.apply_update(state, update(tag, **{member: value}, meta={"z": 1}))
    assert state.to_json()[slot] == value
    assert (change.kind, change.id, change.created) == (slot, None, False)
    acp.apply_update(state, update(tag, **{member: other}))
    assert state.to_json()[slot] == other
    assert state.timeline == []


OPENINGS: dict[str, Callable[..., list[acp.Change]]] = {
    "NewSessionResponse": acp.apply_new_session_response,
    "LoadSessionResponse": acp.apply_load_session_response,
    "ResumeSessionResponse": acp.apply_resume_session_response,
}
each_opening = pytest.mark.parametrize("definition", OPENINGS)


def opened(state: acp.SessionState, definition: str, **members: Json) -> list[acp.Change]:
    session = {"sessionId": "s"} if definition == "NewSessionResponse" else {}
    return OPENINGS[definition](state, acp.decode(definition, {**session, **members}))


def modes(current: str) -> Json:
    return {"currentModeId": current, "availableModes": [{"id": current, "name": "n"}]}


@each_opening
def test_a_session_opens_with_the_mode_and_the_options_of_the_response(definition: str) -> None:
    state = acp.SessionState()
    changes = opened(state, definition, modes=modes("ask"), configOptions=[option("a")])
    assert {change.kind for change in changes} == {"current_mode", "config_options"}
    assert (state.current_mode, state.to_json()["config_options"]) == ("ask", [option("a")])
    acp.apply_update(state, update("current_mode_update", currentModeId="code"))
    assert state.current_mode == "code"


@each_opening
def test_a_response_does_not_overwrite_what_updates_said(definition: str) -> None:
    """They were sent later, even if they came earlier."""
    state = after(
        update("current_mode_update", currentModeId="new"), update("config_option_update", configOptions=[option("n")])
    )
    assert opened(state, definition, modes=modes("old"), configOptions=[option("old")]) == []
    assert (state.current_mode, state.to_json()["config_options"]) == ("new", [option("n")])


@each_opening
@pytest.mark.parametrize("missing", [{}, {"modes": None, "configOptions": None}, {"modes": {"currentModeId": 5}}])
def test_a_response_without_modes_leaves_the_mode_unknown(definition: str, missing: Json) -> None:
    state = acp.SessionState()
    opened(state, definition, **missing)
    assert (state.current_mode, state.config_options) == (None, [])


def test_setting_an_option_replaces_the_options_for_good() -> None:
    state = after(update("config_option_update", configOptions=[option("a"), option("b")]))
    response = acp.decode("SetSessionConfigOptionResponse", {"configOptions": [option("a", False)]})
    changes = acp.apply_set_session_config_option_response(state, response)
    assert [change.kind for change in changes] == ["config_options"]
    opened(state, "LoadSessionResponse", configOptions=[option("old")])
    assert state.to_json()["config_options"] == [option("a", False)]


# -------------------------------------------------------------------------------------- info, usage, compaction, notice


def info(*updates: dict[str, Json]) -> Json:
    return after(*(update("session_info_update", **members) for members in updates)).to_json()["info"]


TIME = "2026-01-01T00:00:00Z"


def test_title_and_time_of_a_session_have_three_states() -> None:
    both = {"title": "t", "updatedAt": TIME}
    assert info(both, {}) == {**both, "_meta": None}
    assert info(both, {"title": None}) == {"title": None, "updatedAt": TIME, "_meta": None}
    assert info(both, {"updatedAt": None}) == {"title": "t", "updatedAt": None, "_meta": None}
    assert info(both, {"title": "u"}) == {"title": "u", "updatedAt": TIME, "_meta": None}


def test_metadata_of_a_session_is_replaced_whole_and_never_cleared() -> None:
    assert info({"meta": {"a": 1, "b": 1}}, {"meta": {"b": None}})["_meta"] == {"b": None}
    assert info({"meta": {"a": 1}}, {"meta": None})["_meta"] == {"a": 1}
    assert info({"meta": {"a": 1}}, {"title": "t"})["_meta"] == {"a": 1}
    assert info({"meta": {"a": 1}}, {"meta": {}})["_meta"] == {}


@pytest.mark.parametrize("silent", [{}, {"cost": None}, {"cost": {"amount": "much"}}], ids=["omitted", "null", "bad"])
def test_usage_keeps_the_cost_that_it_does_not_say(silent: Json) -> None:
    cost = {"amount": 0.5, "currency": "EUR"}
    state = after(update("usage_update", used=1, size=2, cost=cost), update("usage_update", used=3, size=4, **silent))
    assert state.to_json()["usage"] == {"used": 3, "size": 4, "cost": cost}


def test_usage_is_unknown_until_it_is_first_heard_of() -> None:
    state = acp.SessionState()
    assert state.usage is None
    changes = [acp.apply_update(state, update("usage_update", used=1, size=2, meta={"z": 1})) for _ in range(2)]
    assert [change.created for change in changes] == [True, False]
    assert state.to_json()["usage"] == {"used": 1, "size": 2, "cost": None}


def test_a_compaction_is_patched_as_in_the_newest_edition_but_for_its_metadata() -> None:
    state = after(
        update("compaction_summary_chunk", compactionId="c", content=text("1"), meta={"z": 1}),
        update("compaction_update", compactionId="c", status="_stuck", error="e", meta={"a": 1, "b": 2}),
        update("compaction_summary_chunk", compactionId="c", content=text("2")),
        update("compaction_update", compactionId="c", status="failed", meta={"a": None}),
    )
    expected = {"status": "failed", "summary": [text("1"), text("2")], "error": "e", "_meta": {"a": None}}
    assert state.to_json()["compactions"] == {"c": expected}
    acp.apply_update(
        state, update("compaction_update", compactionId="c", status="completed", summary=None, error=None, meta=None)
    )
    emptied: Json = {"status": "completed", "summary": [], "error": None, "_meta": None}
    assert state.to_json()["compactions"] == {"c": emptied}
    assert state.timeline == [("compaction", "c")]


def test_a_notice_is_an_event_and_leaves_no_trace() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    notice = update("notice", severity="_dire", title="n", description="d")
    change = acp.apply_update(state, notice)
    assert (change.kind, change.id, change.fields, change.created) == ("event", None, (), False)
    assert change.event is notice
    assert exactly(state.to_json()) == before


# -------------------------------------------------------------------------------------------------------- algebra


def call(*updates: Any) -> acp.ToolCallState:
    return after(*updates).tool_calls["t"]


@pytest.mark.parametrize("field", ["name", "rawInput", "rawOutput", "_meta"])
def test_a_diff_that_clears_is_a_whole_tool_call_or_refused(field: str) -> None:
    value, _, _ = TOOL_CALL_FIELDS[field]
    said_whole = acp.diff(call(created(**{field: value})), call(created(status="completed")))
    assert acp.encode(said_whole, "SessionUpdate") == {
        "sessionUpdate": "tool_call",
        "toolCallId": "t",
        "title": "Read",
        "kind": "other",
        "status": "completed",
        "content": [],
        "locations": [],
    }
    name = {"rawInput": "raw_input", "rawOutput": "raw_output", "_meta": "meta"}.get(field, field)
    with pytest.raises(ValueError, match=f"^no update of this edition can clear {name}$"):
        acp.diff(call(patched(**{field: value})), call(patched()))


def test_a_diff_that_clears_a_title_is_refused() -> None:
    with pytest.raises(ValueError, match="^no update of this edition can clear title$"):
        acp.diff(call(created()), call(patched()))


def test_a_diff_that_clears_nothing_or_a_list_is_a_patch() -> None:
    said_patch = acp.diff(call(created(kind="read", content=[shown("a")])), call(created(name="cat")))
    assert acp.encode(said_patch, "SessionUpdate") == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "t",
        "kind": "other",
        "name": "cat",
        "content": [],
    }


def test_a_diff_cannot_clear_cost_or_metadata_of_the_session() -> None:
    cost = update("usage_update", used=1, size=1, cost={"amount": 1, "currency": "EUR"})
    none = update("usage_update", used=1, size=1)
    with pytest.raises(ValueError, match="^no update of this edition can clear cost$"):
        acp.diff(after(cost).usage, after(none).usage)
    assert acp.diff(after(none).usage, after(cost).usage) == cost
    with pytest.raises(ValueError, match="^no update of this edition can clear meta$"):
        acp.diff(after(update("session_info_update", meta={})).info, after().info)


def test_a_diff_of_messages_is_one_more_chunk_or_refused() -> None:
    def message(*words: str) -> acp.AgentMessageState:
        return after(*(said("agent_message", word, "m") for word in words)).messages.agent["m"]

    assert acp.diff(message("a"), message("a", "b")) == said("agent_message", "b", "m")
    assert acp.diff(None, message("a")) == said("agent_message", "a", "m")
    for old, new in (
        (message("a"), message("a")),
        (message("a"), message("b")),
        (message("a"), message("b", "c")),
        (message("a", "b"), message("a")),
        (message("a"), message("a", "b", "c")),
        (None, message("a", "b")),
    ):
        with pytest.raises(ValueError, match="^no single update of this edition leads to this content$"):
            acp.diff(old, new)


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        (created(kind="read", name="n"), patched(kind="edit", name=None), created(kind="edit", name="n")),
        (created(content=[shown("a")]), patched(content=[]), created(content=[])),
        (patched(kind="edit", name="n"), created(), created()),
        (created(kind="read"), created(name="n"), created(name="n")),
        (patched(kind="edit", name="n"), patched(name=None, kind="read"), patched(kind="read", name="n")),
        (created(), update("tool_call_update", toolCallId="u"), None),
        (said("agent_message", "a", "m"), said("agent_message", "b", "m"), None),
        (said("agent_message", "a"), said("agent_message", "b"), None),
        (fresh("plan"), update("plan", entries=[]), update("plan", entries=[])),
        (fresh("notice"), fresh("notice"), None),
        (
            update("session_info_update", title="t", meta={"a": 1}),
            update("session_info_update", title=None, meta=None),
            update("session_info_update", title=None, meta={"a": 1}),
        ),
        (
            update("usage_update", used=1, size=1, cost={"amount": 1, "currency": "EUR"}),
            update("usage_update", used=2, size=1),
            update("usage_update", used=2, size=1, cost={"amount": 1, "currency": "EUR"}),
        ),
    ],
)
def test_what_merges_into_what(first: Any, second: Any, merged: Any) -> None:
    assert acp.merge(first, second) == merged
    if merged is not None:
        assert after(first, second) == after(merged)


def test_coalescing_leaves_every_chunk_where_it_was() -> None:
    chunks = [said("agent_message", "a"), said("agent_message", "b")]
    burst = [created(), chunks[0], patched(status="in_progress"), chunks[1], patched(status="completed")]
    shorter = acp.coalesce(burst)
    assert shorter == [created(status="completed"), *chunks]
    assert after(*shorter) == after(*burst)


def test_a_replay_names_every_message() -> None:
    state = after(said("agent_message", "a"), said("agent_message", "b"), created(), said("agent_message", "c"))
    assert [acp.encode(one, "SessionUpdate") for one in acp.replay(state)] == [
        {"sessionUpdate": "agent_message_chunk", "messageId": "unnamed-1", "content": text("a")},
        {"sessionUpdate": "agent_message_chunk", "messageId": "unnamed-1", "content": text("b")},
        {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "Read"},
        {"sessionUpdate": "agent_message_chunk", "messageId": "unnamed-2", "content": text("c")},
    ]


# --------------------------------------------------------------------------------- wrong input, and nobody else's data


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"sessionUpdate": "plan", "entries": []},
        newest.decode("SessionUpdate", {"sessionUpdate": "tool_call_update", "toolCallId": "t"}),
        acp.PlanEntry(content="c", priority="high", status="pending"),
    ],
    ids=["None", "plain JSON", "an update of another edition", "a part of an update"],
)
def test_what_is_no_update_of_this_edition_is_refused_and_changes_nothing(wrong: Any) -> None:
    state = busy_state()
    before = exactly(state.to_json())
    for call_it in (
        lambda: acp.apply_update(state, wrong),
        lambda: acp.dispatch(acp.SessionHandler(), wrong),
        lambda: acp.merge(fresh("plan"), wrong),
        lambda: acp.coalesce([wrong]),
    ):
        with pytest.raises(TypeError, match=f"expected a session update of .*{type(wrong).__name__}"):
            call_it()
    assert exactly(state.to_json()) == before


def test_a_state_of_another_edition_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a .*v1.*SessionState, got .*v2.*SessionState"):
        acp.apply_update(newest.SessionState(), fresh("plan"))  # type: ignore[arg-type]


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


def test_a_replay_and_a_diff_hand_out_no_list_or_dict_of_the_state() -> None:
    state = busy_state()
    before = exactly(state.to_json())
    cleared = call(created(), patched(content=[shown("b")]))
    whole = acp.diff(call(created(name="n")), cleared)
    assert isinstance(whole, acp.ToolCall)
    for container in [part for told in (*acp.replay(state), whole) for part in containers(told)][::-1]:
        spoil(container)
    assert exactly(state.to_json()) == before
    assert cleared == call(created(), patched(content=[shown("b")]))


def test_no_part_of_the_state_is_unset() -> None:
    assert not any(part is UNSET for part in parts(busy_state()))


def test_answers_to_a_permission_request() -> None:
    selected, cancelled = acp.request_permission_selected("yes"), acp.request_permission_cancelled()
    assert acp.encode(selected, "RequestPermissionResponse") == {"outcome": {"outcome": "selected", "optionId": "yes"}}
    assert acp.encode(cancelled, "RequestPermissionResponse") == {"outcome": {"outcome": "cancelled"}}
