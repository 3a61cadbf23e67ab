"""Every statement of the protocol pages that the project started from, as a test of the editions it is true of.

``STATEMENTS`` maps each test to its page and to what the page says there, in our words. The pages: 000 tool call
updates of v2, 001 tool calls of v2, 002 message updates of v2, 003 tool calls of v1, 004 session updates as a client
sees them (of which one statement is protocol). What they say about conversion is in ``test_seeds_conversion``.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import acp_schema.v1
import acp_schema.v2
import acp_schema.v2_2026_06
from acp_schema import UNSET

Json = Any

STATEMENTS: dict[str, tuple[str, str]] = {
    # -- 000: one update for tool calls
    "test_one_update_both_creates_and_patches_a_tool_call": ("000", "an unseen id creates, a seen one is patched"),
    "test_tool_call_is_no_update_of_v2_any_more": ("000", "the variant tool_call is removed from v2"),
    "test_a_tool_call_update_needs_its_id": ("000", "toolCallId is required"),
    "test_the_patch_fields_of_a_tool_call_are_three_state": ("000", "omitted, null and a value can be told apart"),
    "test_an_omitted_field_of_a_tool_call_is_kept": ("000", "an omitted patch field changes nothing"),
    "test_null_unsets_a_field_of_a_tool_call": ("000", "null clears or unsets the field"),
    "test_a_value_replaces_a_field_of_a_tool_call": ("000", "a concrete value replaces the previous one"),
    "test_content_and_locations_are_replaced_as_whole_arrays": ("000", "arrays are replaced whole, not appended to"),
    "test_an_empty_array_and_null_both_clear_a_collection": ("000", "[] and null both clear content and locations"),
    "test_a_new_tool_call_has_defaults_for_what_is_omitted": ("000", "omitted fields of a new id take defaults"),
    "test_the_first_report_of_a_tool_call_should_have_a_title": (
        "000",
        "agents should send title with the first report",
    ),
    "test_a_permission_request_carries_a_tool_call_update": ("000", "permission requests hold the same patch shape"),
    "test_v1_has_two_tool_call_updates": ("000", "v1 creates with tool_call and changes with tool_call_update"),
    "test_v1_clients_can_do_with_tool_call_update_alone": (
        "000",
        "many agents send only updates, and clients take them",
    ),
    "test_v1_tool_calls_cannot_unset_a_value": ("000", "v1 has no way to unset a value of a tool call"),
    "test_session_info_can_unset_values_in_every_edition": ("000", "session_info_update established unsetting"),
    # -- 001: tool calls of v2
    "test_only_what_changes_needs_to_be_sent": ("001", "all fields but toolCallId are optional in updates"),
    "test_custom_and_future_kinds_are_kept": ("001", "kinds are open: underscore names and future ones"),
    "test_known_kinds_and_statuses_of_v2": ("001", "the named kinds and statuses"),
    "test_status_defaults_to_pending": ("001", "the status of a new tool call is pending"),
    "test_custom_and_future_statuses_are_kept": ("001", "statuses are open: underscore names and future ones"),
    "test_a_content_chunk_appends_one_item": ("001", "tool_call_content_chunk appends instead of replacing"),
    "test_updates_and_chunks_apply_in_the_order_they_came": ("001", "receive order, for each toolCallId"),
    "test_tool_calls_are_ordered_each_for_itself": ("001", "receive order, for each toolCallId"),
    "test_content_of_an_update_replaces_what_chunks_gathered": ("001", "later content replaces earlier chunks"),
    "test_chunks_after_a_replacement_append_to_it": ("001", "later chunks append to the replacement"),
    "test_clearing_content_after_chunks": ("001", "content [] or null clears the tool call's content"),
    "test_unknown_content_survives_storing_replaying_and_forwarding": ("001", "unknown content types are preserved"),
    "test_regular_content_holds_content_blocks": ("001", "content items hold text, images or resources"),
    "test_diff_content_of_the_june_draft": (
        "001",
        "a diff has a path, the old text (null for a new file), the new text",
    ),
    "test_locations_have_a_path_and_maybe_a_line": ("001", "locations let a client follow the agent"),
    "test_a_permission_request_offers_options": ("001", "each option has an id, a name and a kind"),
    "test_unknown_option_kinds_are_kept": ("001", "a client that does not know an option's kind keeps the value"),
    "test_the_answer_to_a_permission_request": ("001", "the outcome is cancelled, or selected with an optionId"),
    # -- 002: whole messages and chunks
    "test_whole_messages_are_upserts_by_id": (
        "002",
        "user_message, agent_message and agent_thought upsert by messageId",
    ),
    "test_whole_messages_and_chunks_need_an_id": ("002", "messageId is required on both"),
    "test_content_and_meta_of_a_message_are_three_state": ("002", "content and _meta are patch fields"),
    "test_a_message_update_that_omits_a_field_keeps_it": ("002", "an omitted patch field changes nothing"),
    "test_null_clears_a_field_of_a_message": ("002", "null clears or unsets the field"),
    "test_a_value_replaces_a_field_of_a_message": ("002", "a concrete value replaces the previous one"),
    "test_message_content_is_replaced_as_a_whole_array": ("002", "content is replaced whole, not appended to"),
    "test_an_empty_array_and_null_both_clear_a_message": ("002", "[] and null both clear content"),
    "test_a_new_message_has_defaults_for_what_is_omitted": ("002", "omitted fields of a new id take defaults"),
    "test_a_chunk_appends_one_block_to_the_message_with_its_id": ("002", "chunks append their single item"),
    "test_two_chunks_and_a_whole_message_leave_the_whole": ("002", "the page's sequence A, B, [C] gives [C]"),
    "test_a_whole_message_and_a_chunk_leave_both": ("002", "the page's sequence [A], B gives [A, B]"),
    "test_an_update_of_metadata_alone_leaves_the_content": ("002", "the page's update with _meta only"),
    "test_messages_are_ordered_each_for_itself": ("002", "updates and chunks apply in order for each messageId"),
    "test_a_message_update_before_any_chunk_creates_the_message": ("002", "later chunks append to what it made"),
    "test_chunks_before_a_message_update_create_the_message": ("002", "a later update with content replaces them"),
    "test_an_agent_can_seed_stream_and_correct": ("002", "whole messages and chunks combine"),
    "test_an_agent_can_redact_a_message": ("002", "content can be withdrawn after it was streamed"),
    "test_an_accepted_user_message_has_content_and_id": ("002", "agents acknowledge user messages with their own id"),
    "test_message_fields_of_the_future_pass_through": ("002", "room for optional message fields later"),
    "test_v1_reports_messages_as_chunks": ("002", "v1 has chunks for user, agent and thought, and no whole messages"),
    # -- 003: tool calls of v1
    "test_v1_tool_call_needs_id_and_title": ("003", "toolCallId and title are required"),
    "test_v1_tool_call_defaults": ("003", "kind defaults to other, status to pending"),
    "test_v1_kinds_and_statuses": ("003", "the named kinds and statuses"),
    "test_v1_updates_need_nothing_but_the_id": ("003", "only the fields being changed need to be included"),
    "test_v1_progress_is_reported_with_updates": ("003", "the page's example: in progress, with content"),
    "test_v1_permission_request": ("003", "the page's example: a tool call update and options"),
    "test_v1_permission_option_kinds": ("003", "the four kinds of options"),
    "test_v1_answer_to_a_permission_request": ("003", "the outcome is cancelled, or selected with an optionId"),
    "test_v1_content_kinds": ("003", "regular content, diffs and terminals"),
    "test_v1_diff_of_a_new_file_has_no_old_text": ("003", "oldText is null for new files"),
    "test_v1_locations": ("003", "locations have a path and maybe a line"),
    # -- 004: one statement that is protocol
    "test_updates_after_a_cancel_are_still_applied": ("004", "keep applying updates after sending session/cancel"),
}


def test_the_table_names_every_test_and_no_other() -> None:
    tests = {name for name in globals() if name.startswith("test_")}
    assert tests - {"test_the_table_names_every_test_and_no_other"} == set(STATEMENTS)


V1: Any = acp_schema.v1
JUNE: Any = acp_schema.v2_2026_06
NEWEST: Any = acp_schema.v2
in_v2 = pytest.mark.parametrize("acp", [JUNE, NEWEST], ids=["june", "newest"])
in_every_edition = pytest.mark.parametrize("acp", [V1, JUNE, NEWEST], ids=["v1", "june", "newest"])
each_message = pytest.mark.parametrize(
    ("space", "tag"), [("user", "user_message"), ("agent", "agent_message"), ("thought", "agent_thought")]
)


def folded(acp: ModuleType, *updates: Json) -> Any:
    state = acp.SessionState()
    for update in updates:
        acp.apply_update(state, acp.decode("SessionUpdate", update))
    return state


def call(acp: ModuleType, *updates: Json) -> Json:
    """The stored tool call ``call_1`` as JSON."""
    return folded(acp, *updates).to_json()["tool_calls"]["call_1"]


def said(**members: Json) -> Json:
    return {"sessionUpdate": "tool_call_update", "toolCallId": "call_1", **members}


def produced(item: Json, key: str = "call_1") -> Json:
    return {"sessionUpdate": "tool_call_content_chunk", "toolCallId": key, "content": item}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def shown(words: str) -> Json:
    return {"type": "content", "content": text(words)}


def refused(acp: ModuleType, definition: str, data: Json) -> tuple[str, str]:
    with pytest.raises(acp.DecodeError) as caught:
        acp.decode(definition, data)
    return caught.value.path, caught.value.message


def missing(name: str) -> tuple[str, str]:
    """The place and the words of a refusal for want of a required member."""
    types = {"toolCallId": "ToolCallId", "messageId": "MessageId", "title": "string", "newText": "string"}
    return f"/{name}", f"missing, expected {types[name]}"


# --------------------------------------------------------------------------------- 000: one update for tool calls

PATCH_FIELDS: dict[str, tuple[Json, Json]] = {
    "title": ("Read the settings", "Write the settings"),
    "kind": ("read", "edit"),
    "status": ("in_progress", "completed"),
    "content": ([shown("a"), shown("b")], [shown("c")]),
    "locations": ([{"path": "/a", "line": 1}, {"path": "/b"}], [{"path": "/c"}]),
    "rawInput": ({"path": "/a"}, [1]),
    "rawOutput": ("done", False),
}
PYTHON_NAMES = {"rawInput": "raw_input", "rawOutput": "raw_output"}
each_patch_field = pytest.mark.parametrize("field", PATCH_FIELDS)


def default_of(acp: ModuleType, field: str) -> Json:
    """The June draft leaves defaults to clients, so its state has none; the newest edition names two."""
    if field in ("content", "locations"):
        return []
    return {"kind": "other", "status": "pending"}.get(field) if acp is NEWEST else None


@in_v2
def test_one_update_both_creates_and_patches_a_tool_call(acp: Any) -> None:
    state = acp.SessionState()
    first = acp.apply_update(state, acp.decode("SessionUpdate", said(title="Read", kind="read")))
    second = acp.apply_update(state, acp.decode("SessionUpdate", said(status="completed")))
    assert (first.kind, first.id, first.created) == ("tool_calls", "call_1", True)
    assert (second.kind, second.id, second.created) == ("tool_calls", "call_1", False)
    stored = state.tool_calls["call_1"]
    assert (stored.title, stored.kind, stored.status) == ("Read", "read", "completed")
    assert list(state.tool_calls) == ["call_1"]


@in_v2
def test_tool_call_is_no_update_of_v2_any_more(acp: Any) -> None:
    wire = {"sessionUpdate": "tool_call", "toolCallId": "call_1", "title": "Read", "kind": "read"}
    state = acp.SessionState()
    change = acp.apply_update(state, acp.decode("SessionUpdate", wire))
    assert (change.kind, state) == ("unknown", acp.SessionState())
    assert acp.encode(change.event, "SessionUpdate") == wire
    assert "tool_call" not in acp.UPDATES


@in_v2
def test_a_tool_call_update_needs_its_id(acp: Any) -> None:
    wire = {"sessionUpdate": "tool_call_update", "title": "Read"}
    assert refused(acp, "SessionUpdate", wire) == missing("toolCallId")


@in_v2
@each_patch_field
def test_the_patch_fields_of_a_tool_call_are_three_state(acp: Any, field: str) -> None:
    value = PATCH_FIELDS[field][0]
    name = PYTHON_NAMES.get(field, field)
    omitted, null, concrete = (
        acp.decode("SessionUpdate", wire) for wire in (said(), said(**{field: None}), said(**{field: value}))
    )
    assert getattr(omitted, name) is UNSET
    assert getattr(null, name) is None
    assert getattr(concrete, name) not in (UNSET, None)
    for update, wire in ((omitted, said()), (null, said(**{field: None})), (concrete, said(**{field: value}))):
        assert acp.encode(update, "SessionUpdate") == wire


@in_v2
@each_patch_field
def test_an_omitted_field_of_a_tool_call_is_kept(acp: Any, field: str) -> None:
    value = PATCH_FIELDS[field][0]
    assert call(acp, said(**{field: value}), said())[field] == value


@in_v2
@each_patch_field
def test_null_unsets_a_field_of_a_tool_call(acp: Any, field: str) -> None:
    value = PATCH_FIELDS[field][0]
    assert call(acp, said(**{field: value}), said(**{field: None}))[field] == default_of(acp, field)


@in_v2
@each_patch_field
def test_a_value_replaces_a_field_of_a_tool_call(acp: Any, field: str) -> None:
    value, other = PATCH_FIELDS[field]
    assert call(acp, said(**{field: value}), said(**{field: other}))[field] == other


@in_v2
def test_content_and_locations_are_replaced_as_whole_arrays(acp: Any) -> None:
    stored = call(
        acp,
        said(content=[shown("a"), shown("b")], locations=[{"path": "/a"}, {"path": "/b"}]),
        said(content=[shown("c")], locations=[{"path": "/c"}]),
    )
    assert (stored["content"], stored["locations"]) == ([shown("c")], [{"path": "/c"}])


@in_v2
@pytest.mark.parametrize("field", ["content", "locations"])
@pytest.mark.parametrize("cleared", [[], None], ids=["[]", "null"])
def test_an_empty_array_and_null_both_clear_a_collection(acp: Any, field: str, cleared: Json) -> None:
    assert call(acp, said(**{field: PATCH_FIELDS[field][0]}), said(**{field: cleared}))[field] == []


@in_v2
@each_patch_field
def test_a_new_tool_call_has_defaults_for_what_is_omitted(acp: Any, field: str) -> None:
    assert call(acp, said())[field] == default_of(acp, field)


@in_every_edition
def test_the_first_report_of_a_tool_call_should_have_a_title(acp: Any) -> None:
    def notes(*wires: Json) -> tuple[str, ...]:
        state = acp.SessionState()
        changes = [acp.apply_update(state, acp.decode("SessionUpdate", wire)) for wire in wires]
        found: tuple[str, ...] = changes[-1].notes
        return found

    assert notes(said(kind="read")) == ("the first report should have a title",)
    assert notes(said(title="Read")) == ()
    assert notes(said(title="Read"), said(kind="read")) == ()


OPTIONS = [
    {"optionId": "allow-once", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "reject-once", "name": "Reject", "kind": "reject_once"},
]


def permission(acp: ModuleType, tool_call: Json, options: Json = OPTIONS) -> Any:
    """A request; the newest edition names what it is about in ``subject``, the others in ``toolCall``."""
    about = (
        {"title": "May I?", "subject": {"type": "tool_call", "toolCall": tool_call}}
        if acp is NEWEST
        else {"toolCall": tool_call}
    )
    return acp.decode("RequestPermissionRequest", {"sessionId": "s", "options": options, **about})


@in_v2
def test_a_permission_request_carries_a_tool_call_update(acp: Any) -> None:
    state = folded(acp, said(title="Remove", kind="delete", content=[shown("a")]))
    acp.apply_request_permission_request(
        state, permission(acp, {"toolCallId": "call_1", "status": "pending", "content": None})
    )
    acp.apply_request_permission_request(state, permission(acp, {"toolCallId": "call_2", "title": "New"}))
    first, second = state.tool_calls["call_1"], state.tool_calls["call_2"]
    assert (first.title, first.kind, first.status, first.content) == ("Remove", "delete", "pending", [])
    assert second.title == "New"
    assert state.timeline == [("tool_call", "call_1"), ("tool_call", "call_2")]


def test_v1_has_two_tool_call_updates() -> None:
    created = {
        "sessionUpdate": "tool_call",
        "toolCallId": "call_1",
        "title": "Reading settings",
        "kind": "read",
        "status": "pending",
    }
    stored = call(V1, created, said(status="completed"))
    assert (stored["title"], stored["kind"], stored["status"]) == ("Reading settings", "read", "completed")


def test_v1_clients_can_do_with_tool_call_update_alone() -> None:
    stored = call(V1, said(title="Read", status="in_progress"), said(kind="read", status="completed"))
    assert (stored["title"], stored["kind"], stored["status"]) == ("Read", "read", "completed")


@each_patch_field
def test_v1_tool_calls_cannot_unset_a_value(field: str) -> None:
    value = PATCH_FIELDS[field][0]
    assert call(V1, said(**{field: value}), said(**{field: None}))[field] == value


@in_every_edition
def test_session_info_can_unset_values_in_every_edition(acp: Any) -> None:
    info = {"sessionUpdate": "session_info_update"}
    state = folded(acp, {**info, "title": "t", "updatedAt": "2026-01-01T00:00:00Z"}, {**info, "title": None})
    assert (state.info.title, state.info.updated_at) == (None, "2026-01-01T00:00:00Z")


# ------------------------------------------------------------------------------------------ 001: tool calls of v2


@in_v2
def test_only_what_changes_needs_to_be_sent(acp: Any) -> None:
    everything = {field: values[0] for field, values in PATCH_FIELDS.items()}
    for field, (_, other) in PATCH_FIELDS.items():
        stored = call(acp, said(**everything), said(**{field: other}))
        assert {name: stored[name] for name in everything} == {**everything, field: other}


@in_v2
@pytest.mark.parametrize("kind", ["_my_tool", "teleport"])
def test_custom_and_future_kinds_are_kept(acp: Any, kind: str) -> None:
    assert call(acp, said(kind=kind))["kind"] == kind
    assert acp.encode(acp.decode("SessionUpdate", said(kind=kind)), "SessionUpdate") == said(kind=kind)


KINDS = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other")
STATUSES = ("pending", "in_progress", "completed", "failed")


@in_v2
def test_known_kinds_and_statuses_of_v2(acp: Any) -> None:
    assert [call(acp, said(kind=kind))["kind"] for kind in KINDS] == list(KINDS)
    progress = [call(acp, *(said(status=status) for status in STATUSES[: n + 1]))["status"] for n in range(4)]
    assert progress == list(STATUSES)


@pytest.mark.parametrize("acp", [V1, NEWEST], ids=["v1", "newest"])
def test_status_defaults_to_pending(acp: Any) -> None:
    assert call(acp, said(title="Read"))["status"] == "pending"


@in_v2
@pytest.mark.parametrize("status", ["_waiting_for_lunch", "postponed"])
def test_custom_and_future_statuses_are_kept(acp: Any, status: str) -> None:
    assert call(acp, said(status="completed"), said(status=status))["status"] == status


@in_v2
def test_a_content_chunk_appends_one_item(acp: Any) -> None:
    assert call(acp, produced(shown("a")), produced(shown("b")))["content"] == [shown("a"), shown("b")]


@in_v2
def test_updates_and_chunks_apply_in_the_order_they_came(acp: Any) -> None:
    steps = [produced(shown("a")), said(content=[shown("b")]), produced(shown("c"))]
    assert call(acp, *steps)["content"] == [shown("b"), shown("c")]
    assert call(acp, steps[1], steps[0], steps[2])["content"] == [shown("b"), shown("a"), shown("c")]
    assert call(acp, steps[0], steps[2], steps[1])["content"] == [shown("b")]


@in_v2
def test_tool_calls_are_ordered_each_for_itself(acp: Any) -> None:
    state = folded(
        acp,
        produced(shown("a")),
        produced(shown("x"), "call_2"),
        said(content=[shown("b")]),
        produced(shown("y"), "call_2"),
    ).to_json()["tool_calls"]
    assert state["call_1"]["content"] == [shown("b")]
    assert state["call_2"]["content"] == [shown("x"), shown("y")]


@in_v2
def test_content_of_an_update_replaces_what_chunks_gathered(acp: Any) -> None:
    assert call(acp, produced(shown("a")), produced(shown("b")), said(content=[shown("c")]))["content"] == [shown("c")]


@in_v2
def test_chunks_after_a_replacement_append_to_it(acp: Any) -> None:
    stored = call(acp, produced(shown("a")), said(content=[shown("b")]), produced(shown("c")))
    assert stored["content"] == [shown("b"), shown("c")]


@in_v2
@pytest.mark.parametrize("cleared", [[], None], ids=["[]", "null"])
def test_clearing_content_after_chunks(acp: Any, cleared: Json) -> None:
    assert call(acp, produced(shown("a")), said(content=cleared))["content"] == []
    assert call(acp, produced(shown("a")), said(content=cleared), produced(shown("b")))["content"] == [shown("b")]


@in_v2
@pytest.mark.parametrize("kind", ["_chart", "hologram"])
def test_unknown_content_survives_storing_replaying_and_forwarding(acp: Any, kind: str) -> None:
    item = {"type": kind, "points": [1, {"x": None}], "_meta": {"a": 1}}
    state = folded(acp, said(content=[item, shown("a")]), produced(item))
    assert state.to_json()["tool_calls"]["call_1"]["content"] == [item, shown("a"), item]
    (replayed,) = [acp.encode(update, "SessionUpdate") for update in acp.replay(state)]
    assert replayed["content"] == [item, shown("a"), item]
    for wire in (said(content=[item]), produced(item)):
        assert acp.encode(acp.decode("SessionUpdate", wire), "SessionUpdate") == wire


@in_every_edition
def test_regular_content_holds_content_blocks(acp: Any) -> None:
    blocks = [
        text("Analysis complete"),
        {"type": "image", "data": "QQ==", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
    ]
    items = [{"type": "content", "content": block} for block in blocks]
    assert call(acp, said(content=items))["content"] == items


def test_diff_content_of_the_june_draft() -> None:
    changed = {"type": "diff", "path": "/a.json", "oldText": "{}", "newText": "[]"}
    added = {"type": "diff", "path": "/b.json", "newText": "[]"}
    assert call(JUNE, said(content=[changed, {**added, "oldText": None}]))["content"] == [changed, added]
    assert refused(JUNE, "Diff", {"path": "/a.json", "oldText": "{}"}) == missing("newText")


@in_every_edition
def test_locations_have_a_path_and_maybe_a_line(acp: Any) -> None:
    locations = [{"path": "/src/main.py", "line": 42}, {"path": "/src"}]
    assert call(acp, said(locations=locations))["locations"] == locations
    assert call(acp, said(locations=[{"line": 42}, locations[1]]))["locations"] == [locations[1]]


@in_v2
def test_a_permission_request_offers_options(acp: Any) -> None:
    kinds = ["allow_once", "allow_always", "reject_once", "reject_always"]
    offered = [{"optionId": kind, "name": kind.title(), "kind": kind} for kind in kinds]
    request = permission(acp, {"toolCallId": "call_1"}, offered)
    assert [(option.option_id, option.name, option.kind) for option in request.options] == [
        (kind, kind.title(), kind) for kind in kinds
    ]


@in_v2
@pytest.mark.parametrize("kind", ["_allow_on_fridays", "allow_for_now"])
def test_unknown_option_kinds_are_kept(acp: Any, kind: str) -> None:
    offered = [{"optionId": "o", "name": "O", "kind": kind}]
    request = permission(acp, {"toolCallId": "call_1"}, offered)
    assert acp.encode(request, "RequestPermissionRequest")["options"] == offered


@in_v2
def test_the_answer_to_a_permission_request(acp: Any) -> None:
    _assert_answers(acp)


def _assert_answers(acp: ModuleType) -> None:
    for answer, outcome in (
        (acp.request_permission_cancelled(), {"outcome": "cancelled"}),
        (acp.request_permission_selected("allow-once"), {"outcome": "selected", "optionId": "allow-once"}),
    ):
        assert acp.encode(answer, "RequestPermissionResponse") == {"outcome": outcome}
        assert acp.decode("RequestPermissionResponse", {"outcome": outcome}) == answer


# --------------------------------------------------------------------------------- 002: whole messages and chunks


def whole(tag: str, **members: Json) -> Json:
    return {"sessionUpdate": tag, "messageId": "m1", **members}


def streamed(tag: str, words: str, key: str = "m1") -> Json:
    return {"sessionUpdate": f"{tag}_chunk", "messageId": key, "content": text(words)}


def message(acp: ModuleType, space: str, *updates: Json) -> Json:
    """The stored message ``m1`` as JSON."""
    return folded(acp, *updates).to_json()["messages"][space]["m1"]


@in_v2
@each_message
def test_whole_messages_are_upserts_by_id(acp: Any, space: str, tag: str) -> None:
    state = acp.SessionState()
    first = acp.apply_update(state, acp.decode("SessionUpdate", whole(tag, content=[text("A")])))
    second = acp.apply_update(state, acp.decode("SessionUpdate", whole(tag, _meta={"a": 1})))
    assert (first.kind, first.id, first.created, second.created) == (f"messages.{space}", "m1", True, False)
    assert state.to_json()["messages"][space] == {"m1": {"content": [text("A")], "_meta": {"a": 1}}}


@in_v2
@each_message
def test_whole_messages_and_chunks_need_an_id(acp: Any, space: str, tag: str) -> None:
    for wire in (
        {"sessionUpdate": tag, "content": [text("A")]},
        {"sessionUpdate": f"{tag}_chunk", "content": text("A")},
    ):
        assert refused(acp, "SessionUpdate", wire) == missing("messageId")


@in_v2
@each_message
def test_content_and_meta_of_a_message_are_three_state(acp: Any, space: str, tag: str) -> None:
    omitted, null = (acp.decode("SessionUpdate", wire) for wire in (whole(tag), whole(tag, content=None, _meta=None)))
    concrete = acp.decode("SessionUpdate", whole(tag, content=[text("A")], _meta={"a": 1}))
    assert (omitted.content, omitted.meta) == (UNSET, UNSET)
    assert (null.content, null.meta) == (None, None)
    assert ([block.text for block in concrete.content], concrete.meta) == (["A"], {"a": 1})
    assert acp.encode(omitted, "SessionUpdate") == whole(tag)
    assert acp.encode(null, "SessionUpdate") == whole(tag, content=None, _meta=None)


@in_v2
@each_message
def test_a_message_update_that_omits_a_field_keeps_it(acp: Any, space: str, tag: str) -> None:
    full = whole(tag, content=[text("A")], _meta={"a": 1})
    assert message(acp, space, full, whole(tag)) == {"content": [text("A")], "_meta": {"a": 1}}


@in_v2
@each_message
def test_null_clears_a_field_of_a_message(acp: Any, space: str, tag: str) -> None:
    full = whole(tag, content=[text("A")], _meta={"a": 1})
    assert message(acp, space, full, whole(tag, content=None)) == {"content": [], "_meta": {"a": 1}}
    assert message(acp, space, full, whole(tag, _meta=None)) == {"content": [text("A")], "_meta": None}


@in_v2
@each_message
def test_a_value_replaces_a_field_of_a_message(acp: Any, space: str, tag: str) -> None:
    """Metadata under the same key: what happens to other keys is where the editions differ."""
    stored = message(
        acp,
        space,
        whole(tag, content=[text("A")], _meta={"a": {"x": 1}}),
        whole(tag, content=[text("B")], _meta={"a": {"y": 2}}),
    )
    assert stored == {"content": [text("B")], "_meta": {"a": {"y": 2}}}


@in_v2
@each_message
def test_message_content_is_replaced_as_a_whole_array(acp: Any, space: str, tag: str) -> None:
    stored = message(acp, space, whole(tag, content=[text("A"), text("B")]), whole(tag, content=[text("C")]))
    assert stored["content"] == [text("C")]


@in_v2
@each_message
@pytest.mark.parametrize("cleared", [[], None], ids=["[]", "null"])
def test_an_empty_array_and_null_both_clear_a_message(acp: Any, space: str, tag: str, cleared: Json) -> None:
    assert message(acp, space, streamed(tag, "A"), whole(tag, content=cleared))["content"] == []


@in_v2
@each_message
def test_a_new_message_has_defaults_for_what_is_omitted(acp: Any, space: str, tag: str) -> None:
    assert message(acp, space, whole(tag)) == {"content": [], "_meta": None}


@in_every_edition
@each_message
def test_a_chunk_appends_one_block_to_the_message_with_its_id(acp: Any, space: str, tag: str) -> None:
    state = folded(acp, streamed(tag, "A"), streamed(tag, "X", "m2"), streamed(tag, "B")).to_json()
    assert state["messages"][space]["m1"]["content"] == [text("A"), text("B")]
    assert state["messages"][space]["m2"]["content"] == [text("X")]


@in_v2
@each_message
def test_two_chunks_and_a_whole_message_leave_the_whole(acp: Any, space: str, tag: str) -> None:
    steps = [streamed(tag, "A"), streamed(tag, "B"), whole(tag, content=[text("C")])]
    assert message(acp, space, *steps)["content"] == [text("C")]


@in_v2
@each_message
def test_a_whole_message_and_a_chunk_leave_both(acp: Any, space: str, tag: str) -> None:
    assert message(acp, space, whole(tag, content=[text("A")]), streamed(tag, "B"))["content"] == [text("A"), text("B")]


@in_v2
@each_message
def test_an_update_of_metadata_alone_leaves_the_content(acp: Any, space: str, tag: str) -> None:
    steps = [whole(tag, content=[text("A")]), streamed(tag, "B"), whole(tag, _meta={"source": "replay"})]
    assert message(acp, space, *steps) == {"content": [text("A"), text("B")], "_meta": {"source": "replay"}}


@in_v2
@each_message
def test_messages_are_ordered_each_for_itself(acp: Any, space: str, tag: str) -> None:
    state = folded(
        acp,
        streamed(tag, "A"),
        streamed(tag, "X", "m2"),
        whole(tag, content=[text("B")]),
        streamed(tag, "Y", "m2"),
        streamed(tag, "C"),
    ).to_json()["messages"][space]
    assert state["m1"]["content"] == [text("B"), text("C")]
    assert state["m2"]["content"] == [text("X"), text("Y")]


@in_v2
@each_message
def test_a_message_update_before_any_chunk_creates_the_message(acp: Any, space: str, tag: str) -> None:
    assert message(acp, space, whole(tag, _meta={"a": 1}), streamed(tag, "A")) == {
        "content": [text("A")],
        "_meta": {"a": 1},
    }


@in_v2
@each_message
def test_chunks_before_a_message_update_create_the_message(acp: Any, space: str, tag: str) -> None:
    assert message(acp, space, streamed(tag, "A")) == {"content": [text("A")], "_meta": None}
    assert message(acp, space, streamed(tag, "A"), whole(tag, content=[text("B")]))["content"] == [text("B")]


@in_v2
@each_message
def test_an_agent_can_seed_stream_and_correct(acp: Any, space: str, tag: str) -> None:
    steps = [
        whole(tag, content=[text("seed")]),
        streamed(tag, "more"),
        whole(tag, content=[text("corrected")]),
        streamed(tag, "and more"),
    ]
    assert message(acp, space, *steps)["content"] == [text("corrected"), text("and more")]


@in_v2
@each_message
@pytest.mark.parametrize("redacted", [[], None, [{"type": "text", "text": "(withdrawn)"}]], ids=["[]", "null", "words"])
def test_an_agent_can_redact_a_message(acp: Any, space: str, tag: str, redacted: Json) -> None:
    stored = message(acp, space, streamed(tag, "secret"), whole(tag, content=redacted))
    assert stored["content"] == (redacted or [])
    assert "secret" not in str(folded(acp, streamed(tag, "secret"), whole(tag, content=redacted)).to_json())


@in_v2
def test_an_accepted_user_message_has_content_and_id(acp: Any) -> None:
    state = folded(acp, {"sessionUpdate": "user_message", "messageId": "of_the_agent", "content": [text("Hello")]})
    assert state.timeline == [("user_message", "of_the_agent")]
    assert state.to_json()["messages"]["user"]["of_the_agent"]["content"] == [text("Hello")]


@in_v2
@each_message
def test_message_fields_of_the_future_pass_through(acp: Any, space: str, tag: str) -> None:
    wire = whole(tag, provenance={"from": [1, None]})
    assert acp.encode(acp.decode("SessionUpdate", wire), "SessionUpdate") == wire
    assert message(acp, space, streamed(tag, "A"), wire) == {"content": [text("A")], "_meta": None}


@each_message
def test_v1_reports_messages_as_chunks(space: str, tag: str) -> None:
    assert f"{tag}_chunk" in V1.UPDATES
    path, _ = refused(V1, "SessionUpdate", whole(tag, content=[text("A")]))
    assert path == "/sessionUpdate"
    assert message(V1, space, streamed(tag, "Analyzing")) == {"content": [text("Analyzing")]}


# ------------------------------------------------------------------------------------------ 003: tool calls of v1


def created(**members: Json) -> Json:
    return {"sessionUpdate": "tool_call", "toolCallId": "call_1", "title": "Reading settings", **members}


@pytest.mark.parametrize("member", ["toolCallId", "title"])
def test_v1_tool_call_needs_id_and_title(member: str) -> None:
    wire = {name: value for name, value in created().items() if name != member}
    assert refused(V1, "SessionUpdate", wire) == missing(member)


def test_v1_tool_call_defaults() -> None:
    assert call(V1, created()) == {
        "kind": "other",
        "status": "pending",
        "title": "Reading settings",
        "name": None,
        "content": [],
        "locations": [],
        "rawInput": None,
        "rawOutput": None,
        "_meta": None,
    }


def test_v1_kinds_and_statuses() -> None:
    assert [call(V1, created(kind=kind))["kind"] for kind in KINDS] == list(KINDS)
    assert [call(V1, created(status=status))["status"] for status in STATUSES] == list(STATUSES)
    progress = [call(V1, created(), *(said(status=status) for status in STATUSES[: n + 1]))["status"] for n in range(4)]
    assert progress == list(STATUSES)


@each_patch_field
def test_v1_updates_need_nothing_but_the_id(field: str) -> None:
    everything = {name: values[0] for name, values in PATCH_FIELDS.items()}
    assert call(V1, created(**everything), said()) == call(V1, created(**everything))
    stored = call(V1, created(**everything), said(**{field: PATCH_FIELDS[field][1]}))
    assert {name: stored[name] for name in everything} == {**everything, field: PATCH_FIELDS[field][1]}
    wire = {"sessionUpdate": "tool_call_update", "title": "Read"}
    assert refused(V1, "SessionUpdate", wire) == missing("toolCallId")


def test_v1_progress_is_reported_with_updates() -> None:
    found = [shown("Found 3 files")]
    stored = call(V1, created(kind="read"), said(status="in_progress", content=found))
    assert (stored["title"], stored["kind"], stored["status"]) == ("Reading settings", "read", "in_progress")
    assert stored["content"] == found


def test_v1_permission_request() -> None:
    state = folded(V1, created(kind="read"))
    request = permission(V1, {"toolCallId": "call_1"})
    assert V1.apply_request_permission_request(state, request) == [V1.Change("tool_calls", "call_1", (), False)]
    assert state == folded(V1, created(kind="read"))
    assert [option.option_id for option in request.options] == ["allow-once", "reject-once"]


@pytest.mark.parametrize("kind", ["allow_once", "allow_always", "reject_once", "reject_always"])
def test_v1_permission_option_kinds(kind: str) -> None:
    option = {"optionId": "o", "name": "O", "kind": kind}
    assert V1.encode(V1.decode("PermissionOption", option)) == option
    path, _ = refused(V1, "PermissionOption", {**option, "kind": f"_{kind}"})
    assert path == "/kind"


def test_v1_answer_to_a_permission_request() -> None:
    _assert_answers(V1)


def test_v1_content_kinds() -> None:
    items = [
        shown("Analysis complete"),
        {"type": "diff", "path": "/a.json", "oldText": "{}", "newText": "[]"},
        {"type": "terminal", "terminalId": "term_1"},
    ]
    assert call(V1, created(content=items))["content"] == items
    assert call(V1, created(), said(content=items[1:]))["content"] == items[1:]
    path, _ = refused(V1, "ToolCallContent", {"type": "_chart"})
    assert path == "/type"


def test_v1_diff_of_a_new_file_has_no_old_text() -> None:
    diff = V1.decode("Diff", {"path": "/new.json", "oldText": None, "newText": "[]"})
    assert (diff.path, diff.old_text, diff.new_text) == ("/new.json", None, "[]")
    assert diff == V1.decode("Diff", {"path": "/new.json", "newText": "[]"})


def test_v1_locations() -> None:
    locations = [{"path": "/src/main.py", "line": 42}, {"path": "/src"}]
    assert call(V1, created(locations=locations))["locations"] == locations


# -------------------------------------------------------------------------------- 004: what a client goes on doing


@in_every_edition
def test_updates_after_a_cancel_are_still_applied(acp: Any) -> None:
    state = folded(acp, said(title="Run", status="in_progress"))
    if acp is NEWEST:
        acp.mark_cancelled(state)
        assert state.tool_calls["call_1"].status == "cancelled"
    for late in (said(content=[shown("partial")]), said(status="failed")):
        acp.apply_update(state, acp.decode("SessionUpdate", late))
    stored = state.to_json()["tool_calls"]["call_1"]
    assert (stored["status"], stored["content"]) == ("failed", [shown("partial")])
