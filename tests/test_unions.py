"""Unions: tags in their contexts, nested tags, shared siblings, untagged alternatives, and variants nobody knows."""

from __future__ import annotations

import copy
import dataclasses
import re
from typing import Any

import pytest
from test_types import wire_samples

from acp_schema import v1, v2, v2_2026_06
from support.editions import JUNE, V1, V2, Edition

OpenUnions = dict[str, tuple[str, set[str], dict[str, Any]]]

# Union -> (discriminator, known tags, members that an unknown variant must carry), as the protocol says.
V2_OPEN: OpenUnions = {
    "SessionUpdate": (
        "sessionUpdate",
        {
            "user_message_chunk",
            "user_message",
            "agent_message_chunk",
            "agent_message",
            "agent_thought_chunk",
            "agent_thought",
            "state_update",
            "tool_call_content_chunk",
            "tool_call_update",
            "terminal_update",
            "terminal_output_chunk",
            "plan_update",
            "available_commands_update",
            "config_option_update",
            "session_info_update",
            "usage_update",
            "notice",
            "compaction_update",
            "compaction_summary_chunk",
        },
        {},
    ),
    "StateUpdate": ("state", {"running", "idle", "requires_action"}, {}),
    "IdleStateUpdate": (
        "stopReason",
        {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error"},
        {},
    ),
    "ToolCallContent": ("type", {"content", "diff", "terminal"}, {}),
    "ContentBlock": ("type", {"text", "image", "audio", "resource_link", "resource"}, {}),
    "PlanUpdateContent": ("type", {"items"}, {"planId": "p"}),
    "RequestPermissionSubject": ("type", {"tool_call", "command"}, {}),
    "RequestPermissionOutcome": ("outcome", {"cancelled", "selected"}, {}),
    "AuthMethod": ("type", {"terminal", "agent"}, {"methodId": "m", "name": "n"}),
    "AvailableCommand": ("type", {"command"}, {"name": "n", "description": "d"}),
    "AvailableCommandInput": ("type", {"text"}, {}),
    "BackgroundWork": ("type", {"terminal", "tool_call"}, {}),
    "McpServer": ("type", {"http", "stdio"}, {}),
    "ReplayFrom": ("type", {"start"}, {}),
    "SessionConfigOption": ("type", {"select", "boolean"}, {"configId": "c", "name": "n"}),
    "SetSessionConfigOptionRequest": (
        "type",
        {"id", "boolean"},
        {"sessionId": "s", "configId": "c", "value": {"any": 1}},
    ),
    "ElicitationPropertySchema": ("type", {"string", "number", "integer", "boolean", "array"}, {}),
    "MultiSelectItems": ("type", {"string"}, {}),
    "DiffChange": ("operation", {"add", "delete", "modify", "move", "copy"}, {}),
    "CreateElicitationRequest": ("mode", {"form", "url"}, {"message": "m", "sessionId": "s"}),
    "CreateElicitationResponse": ("action", {"accept", "decline", "cancel"}, {}),
}
JUNE_OPEN: OpenUnions = {
    "SessionUpdate": (
        "sessionUpdate",
        {
            "user_message_chunk",
            "user_message",
            "agent_message_chunk",
            "agent_message",
            "agent_thought_chunk",
            "agent_thought",
            "tool_call_content_chunk",
            "tool_call_update",
            "plan_update",
            "available_commands_update",
            "config_option_update",
            "session_info_update",
            "usage_update",
        },
        {},
    ),
    "ToolCallContent": ("type", {"content", "diff"}, {}),
    "ContentBlock": ("type", {"text", "image", "audio", "resource_link", "resource"}, {}),
    "PlanUpdateContent": ("type", {"items"}, {"id": "p"}),
    "AuthMethod": ("type", {"agent"}, {"id": "m", "name": "n"}),
    "McpServer": ("type", {"http", "stdio"}, {}),
    "SessionConfigOption": ("type", {"select"}, {"id": "c", "name": "n"}),
}
V1_OPEN: OpenUnions = {
    "CreateElicitationRequest": ("mode", {"form", "url"}, {"message": "m", "sessionId": "s"}),
    "CreateElicitationResponse": ("action", {"accept", "decline", "cancel"}, {}),
    "ElicitationPropertySchema": ("type", {"string", "number", "integer", "boolean", "array"}, {}),
    "MultiSelectItems": ("type", {"string"}, {}),
}
OPEN_UNIONS = {V1: V1_OPEN, V2: V2_OPEN, JUNE: JUNE_OPEN}
OPEN = [(edition, name) for edition, unions in OPEN_UNIONS.items() for name in unions]
every_union = pytest.mark.parametrize(("edition", "name"), OPEN, ids=str)
# A stop reason may be missing, and a malformed one counts as that: see "three tags in one object" below.
every_union_with_a_required_tag = pytest.mark.parametrize(
    ("edition", "name"), [case for case in OPEN if case[1] != "IdleStateUpdate"], ids=str
)
REQUIRED_BY_UNKNOWN = [
    (edition, name, member)
    for edition, name in OPEN
    for member in OPEN_UNIONS[edition][name][2]
    if (name, member) != ("CreateElicitationRequest", "sessionId")  # either scope will do: tested on its own below
]
TEXT_BLOCK = {"type": "text", "text": "a"}
FORM = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}


def refusal(type_: Any, data: Any, edition: Edition = V2) -> tuple[str, str]:
    with pytest.raises(edition.module.DecodeError) as caught:
        edition.module.decode(type_, data)
    return caught.value.path, caught.value.message


def encode_refusal(value: Any, type_: Any = None, edition: Edition = V2) -> tuple[str, str]:
    with pytest.raises(edition.module.EncodeError) as caught:
        edition.module.dumps(value, type_)
    return caught.value.path, caught.value.message


def unknown_wire(edition: Edition, name: str, tag: str) -> dict[str, Any]:
    discriminator, _, required = OPEN_UNIONS[edition][name]
    return {discriminator: tag, **copy.deepcopy(required), "payload": {"deep": [1, None]}, "flag": None}


# ------------------------------------------------------------------------------------------------ tags


@every_union
def test_every_known_tag_has_a_class_and_comes_back(edition: Edition, name: str) -> None:
    discriminator, known, _ = OPEN_UNIONS[edition][name]
    seen = set()
    for sample in wire_samples(name, edition=edition):
        value = edition.module.decode(name, sample)
        tag = sample.get(discriminator)
        if tag in known:
            seen.add(tag)
            assert type(value) is not getattr(edition.module, f"Unknown{name}")
            assert edition.module.encode(value, name)[discriminator] == tag
    assert seen == known


@pytest.mark.parametrize(
    ("value", "union", "tag"),
    [
        (v2.TextContent(text="a"), v2.ContentBlock, {"type": "text"}),
        (v2.Terminal(terminal_id="t"), v2.ToolCallContent, {"type": "terminal"}),
        (v2.SelectedPermissionOutcome(option_id="o"), v2.RequestPermissionOutcome, {"outcome": "selected"}),
        (v2.ReplayFromStart(), v2.ReplayFrom, {"type": "start"}),
        (v2.SessionInfoUpdate(title=None), v2.SessionUpdate, {"sessionUpdate": "session_info_update"}),
        (v2.RunningStateUpdate(), v2.StateUpdate, {"state": "running"}),
        (v2.RunningStateUpdate(), v2.SessionUpdate, {"sessionUpdate": "state_update", "state": "running"}),
    ],
)
def test_a_payload_carries_its_tag_as_the_union_and_not_on_its_own(value: Any, union: Any, tag: Any) -> None:
    bare = v2.encode(value)
    assert not tag.keys() & bare.keys()
    as_union = v2.encode(value, union)
    assert as_union == {**tag, **bare}
    assert list(as_union)[: len(tag)] == list(tag), "tags come first"
    assert v2.decode(union, as_union) == value
    assert v2.decode(type(value), bare) == value


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        (
            v2.UserMessageChunk(message_id="m", content=v2.TextContent(text="a")),
            {"sessionUpdate": "user_message_chunk"},
        ),
        (v2.DiffChangeDelete(path="/a"), {"operation": "delete"}),
        (v2.IdleStateUpdateEndTurn(), {"stopReason": "end_turn"}),
        (v2.SessionConfigOptionBoolean(config_id="c", name="n", current_value=True), {"type": "boolean"}),
        (v2.SetSessionConfigOptionRequestId(session_id="s", config_id="c", value="v"), {"type": "id"}),
        (v2.CreateElicitationResponseDecline(), {"action": "decline"}),
    ],
)
def test_a_variant_of_its_own_always_carries_its_tag(value: Any, tag: Any) -> None:
    """A class that exists only as that variant would be lost without it."""
    bare = v2.encode(value)
    assert tag.items() <= bare.items()
    assert v2.decode(type(value), bare) == value


def test_a_variant_of_its_own_refuses_another_tag() -> None:
    assert refusal(v2.DiffChangeAdd, {"operation": "delete", "path": "/a"}) == (
        "/operation",
        "expected 'add', got string 'delete'",
    )
    assert refusal(v2.DiffChangeAdd, {"path": "/a"}) == ("/operation", "missing, expected the discriminator")


def test_three_tags_share_one_payload_and_stay_apart() -> None:
    payload = {"messageId": "m", "content": TEXT_BLOCK}
    classes = {
        "user_message_chunk": v2.UserMessageChunk,
        "agent_message_chunk": v2.AgentMessageChunk,
        "agent_thought_chunk": v2.AgentThoughtChunk,
    }
    for tag, cls in classes.items():
        value = v2.decode(v2.SessionUpdate, {"sessionUpdate": tag, **payload})
        assert type(value) is cls
        assert v2.encode(value, v2.SessionUpdate) == v2.encode(value) == {"sessionUpdate": tag, **payload}
    assert v2.encode(v2.decode(v2.ContentChunk, payload)) == payload


def test_the_context_decides_what_a_tool_call_update_carries() -> None:
    """The same class stands in a session update, with a tag, and in a permission request, without."""
    update = v2.ToolCallUpdate(tool_call_id="t", title=None)
    notification = v2.UpdateSessionNotification(session_id="s", update=update)
    assert v2.encode(notification)["update"] == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "t",
        "title": None,
    }
    subject = v2.ToolCallPermissionSubject(tool_call=update)
    option = v2.PermissionOption(option_id="o", name="n", kind="allow_once")
    request = v2.RequestPermissionRequest(session_id="s", title="t", subject=subject, options=[option])
    encoded = v2.encode(request)
    assert encoded["subject"] == {"type": "tool_call", "toolCall": {"toolCallId": "t", "title": None}}
    assert v2.decode(v2.RequestPermissionRequest, encoded) == request
    assert v2.decode(v2.UpdateSessionNotification, v2.encode(notification)) == notification


def test_a_tag_where_the_context_has_none_is_an_unknown_field() -> None:
    wire = {"type": "tool_call", "toolCall": {"sessionUpdate": "tool_call_update", "toolCallId": "t"}}
    subject = v2.decode(v2.RequestPermissionSubject, wire)
    assert subject.tool_call.extra == {"sessionUpdate": "tool_call_update"}
    assert v2.encode(subject, v2.RequestPermissionSubject) == wire


@every_union_with_a_required_tag
@pytest.mark.parametrize("tag", [None, 1, True, ["text"], {"text": 1}], ids=repr)
def test_a_tag_that_is_no_string_is_an_error(edition: Edition, name: str, tag: Any) -> None:
    discriminator, _, required = OPEN_UNIONS[edition][name]
    path, message = refusal(name, {discriminator: tag, **required}, edition=edition)
    assert path == f"/{discriminator}"
    assert message.startswith("expected string, got ")


@every_union_with_a_required_tag
def test_a_missing_tag_is_an_error(edition: Edition, name: str) -> None:
    discriminator, _, required = OPEN_UNIONS[edition][name]
    assert refusal(name, required, edition=edition) == (f"/{discriminator}", "missing, expected the discriminator")


@every_union
def test_a_union_needs_an_object(edition: Edition, name: str) -> None:
    for data in (None, "text", 5, [{}]):
        path, message = refusal(name, data, edition=edition)
        assert path == ""
        assert message.startswith("expected object, got ")


# ------------------------------------------------------------------------------------------------ unknown variants


@every_union
@pytest.mark.parametrize("tag", ["_mine", "later", "", "TEXT"])
def test_an_unknown_variant_keeps_tag_and_payload(edition: Edition, name: str, tag: str) -> None:
    wire = unknown_wire(edition, name, tag)
    issues: list[v2.Issue] = []
    value = edition.module.decode(name, copy.deepcopy(wire), issues=issues)
    assert type(value) is getattr(edition.module, f"Unknown{name}")
    assert value.tag == tag
    assert value.raw == wire
    assert value.is_extension is tag.startswith("_")
    assert issues == []
    assert edition.module.encode(value, name) == edition.module.encode(value) == wire
    assert dataclasses.replace(value) == value


@every_union
def test_an_unknown_variant_can_be_decoded_by_its_own_class(edition: Edition, name: str) -> None:
    cls = getattr(edition.module, f"Unknown{name}")
    wire = unknown_wire(edition, name, "later")
    assert edition.module.decode(cls, wire) == edition.module.decode(name, wire)
    discriminator, known, required = OPEN_UNIONS[edition][name]
    for tag in known:
        path, _ = refusal(cls, {discriminator: tag, **required}, edition=edition)
        assert path == f"/{discriminator}", "a known tag is not unknown"


@every_union
def test_the_tag_of_an_unknown_variant_has_the_name_of_the_discriminator(edition: Edition, name: str) -> None:
    attribute = {"sessionUpdate": "session_update", "stopReason": "stop_reason"}
    discriminator = OPEN_UNIONS[edition][name][0]
    value = edition.module.decode(name, unknown_wire(edition, name, "later"))
    assert getattr(value, attribute.get(discriminator, discriminator)) == "later"


@pytest.mark.parametrize(("edition", "name", "member"), REQUIRED_BY_UNKNOWN, ids=str)
def test_an_unknown_variant_must_carry_what_the_schema_requires(edition: Edition, name: str, member: str) -> None:
    discriminator, _, required = OPEN_UNIONS[edition][name]
    wire = {discriminator: "later", **required}
    without = {key: value for key, value in wire.items() if key != member}
    path, message = refusal(name, without, edition=edition)
    assert path == f"/{member}"
    assert message.startswith("missing, expected ")
    if member != "value":  # any JSON will do for that one
        assert refusal(name, {**wire, member: 5}, edition=edition) == (f"/{member}", "expected string, got number 5")
    path, message = encode_refusal(
        getattr(edition.module, f"Unknown{name}")(tag="later", raw=without), name, edition=edition
    )
    assert path == f"/{member}"
    assert message.startswith("missing, expected ")


@pytest.mark.parametrize(
    ("edition", "name", "member"), [case for case in REQUIRED_BY_UNKNOWN if case[2] != "value"], ids=str
)
def test_an_unknown_variant_is_not_written_with_malformed_members(edition: Edition, name: str, member: str) -> None:
    """What could not be read back must not be written."""
    discriminator, _, required = OPEN_UNIONS[edition][name]
    value = getattr(edition.module, f"Unknown{name}")(tag="later", raw={discriminator: "later", **required, member: 5})
    assert encode_refusal(value, name, edition=edition) == (f"/{member}", "expected string, got number 5")


def test_required_members_of_unknown_variants_are_properties() -> None:
    assert v2.decode(v2.PlanUpdateContent, {"type": "later", "planId": "p"}).plan_id == "p"
    method = v2.decode(v2.AuthMethod, {"type": "later", "methodId": "m", "name": "n"})
    assert (method.method_id, method.name) == ("m", "n")
    command = v2.decode(v2.AvailableCommand, {"type": "later", "name": "n", "description": "d"})
    assert (command.name, command.description) == ("n", "d")
    option = v2.decode(v2.SessionConfigOption, {"type": "later", "configId": "c", "name": "n"})
    assert (option.config_id, option.name) == ("c", "n")
    wire = {"type": "later", "sessionId": "s", "configId": "c", "value": None}
    request = v2.decode(v2.SetSessionConfigOptionRequest, wire)
    assert (request.session_id, request.config_id, request.value) == ("s", "c", None)
    assert v2.encode(request, v2.SetSessionConfigOptionRequest) == wire


def test_removed_names_are_unknown_ones() -> None:
    for tag in ("tool_call", "plan", "current_mode_update"):
        wire = {"sessionUpdate": tag, "toolCallId": "t", "title": "x"}
        update = v2.decode(v2.SessionUpdate, wire)
        assert update == v2.UnknownSessionUpdate(tag=tag, raw=wire)
        assert not update.is_extension


@pytest.mark.parametrize(
    ("value", "place", "message"),
    [
        (v2.UnknownContentBlock(tag="x", raw={"type": "y"}), "/type", "raw must carry the tag 'x', has 'y'"),
        (v2.UnknownContentBlock(tag="x", raw={}), "/type", "raw must carry the tag 'x', has None"),
        (
            v2.UnknownContentBlock(tag="text", raw=TEXT_BLOCK),
            "/type",
            "'text' is not unknown: the schema has a type of its own for it",
        ),
        (v2.UnknownContentBlock(tag=5, raw={"type": 5}), "", "expected a str as tag"),
        (v2.UnknownContentBlock(tag="x", raw=[]), "", "expected a str as tag and a dict as raw"),
        (v2.UnknownContentBlock(tag="x", raw={"type": "x", "k": {1}}), "", "expected JSON data as raw"),
        (v2.UnknownContentBlock(tag="x", raw={"type": "x", 1: 2}), "", "expected "),
        (v2.UnknownContentBlock(tag="x", raw={"type": "x", "k": {1: 2}}), "", "expected JSON data as raw"),
        (v2.UnknownToolCallContent(tag="x", raw={"type": "x"}), "", "got UnknownToolCallContent"),
    ],
    ids=repr,
)
def test_a_wrong_unknown_variant_is_not_written(value: Any, place: str, message: str) -> None:
    path, text = encode_refusal(value, v2.ContentBlock)
    assert path == place
    assert message in text
    nested_path, _ = encode_refusal(v2.Content(content=value))
    assert nested_path == f"/content{place}"


# ------------------------------------------------------------------------------------------------ malformed known ones


@every_union
def test_a_known_tag_with_a_malformed_payload_is_never_unknown(edition: Edition, name: str) -> None:
    """Every variant that requires something, without each of those members in turn."""
    discriminator, known, _ = OPEN_UNIONS[edition][name]
    for sample in wire_samples(name, edition=edition):
        if sample.get(discriminator) not in known:
            continue
        for member in sample:
            if member in (discriminator, "stopReason"):  # an idle state may do without that
                continue
            broken = {key: value for key, value in sample.items() if key != member}
            path, message = refusal(name, broken, edition=edition)
            # an alternative without a tag, or another scope, may be the one that the message speaks of
            assert path.count("/") == 1
            assert message.startswith("missing, expected ")


@pytest.mark.parametrize(
    ("name", "wire", "place", "message"),
    [
        ("ContentBlock", {"type": "text"}, "/text", "missing, expected string"),
        ("ContentBlock", {"type": "text", "text": 5}, "/text", "expected string, got number 5"),
        ("ContentBlock", {"type": "resource", "resource": 5}, "/resource", "got number 5"),
        ("ToolCallContent", {"type": "content", "content": {"type": "image"}}, "/content/data", "missing"),
        ("ToolCallContent", {"type": "diff"}, "/changes", "missing, expected array"),
        ("SessionUpdate", {"sessionUpdate": "tool_call_update"}, "/toolCallId", "missing, expected ToolCallId"),
        ("SessionUpdate", {"sessionUpdate": "notice", "severity": "info", "title": ""}, "/title", "at least 1"),
        ("SessionUpdate", {"sessionUpdate": "plan_update", "plan": {"type": "items"}}, "/plan/planId", "missing"),
        (
            "PlanUpdateContent",
            {"type": "items", "planId": "p", "entries": None},
            "/entries",
            "expected array, got null",
        ),
        ("RequestPermissionOutcome", {"outcome": "selected"}, "/optionId", "missing, expected PermissionOptionId"),
        ("AuthMethod", {"type": "agent", "methodId": "m"}, "/name", "missing, expected string"),
        ("McpServer", {"type": "stdio", "name": "n", "command": "/c", "args": 5}, "/args", "expected array"),
        (
            "SetSessionConfigOptionRequest",
            {"type": "id", "sessionId": "s", "configId": "c", "value": True},
            "/value",
            "expected string, got true",
        ),
        (
            "SetSessionConfigOptionRequest",
            {"type": "boolean", "sessionId": "s", "configId": "c", "value": "v"},
            "/value",
            "expected boolean, got string 'v'",
        ),
        ("CreateElicitationResponse", {"action": "accept", "content": 5}, "/content", "expected object, got number 5"),
    ],
)
def test_a_malformed_known_variant_says_where(name: str, wire: Any, place: str, message: str) -> None:
    path, text = refusal(name, wire)
    assert path == place
    assert message in text


def test_in_a_list_that_skips_it_is_dropped_and_the_unknown_one_kept() -> None:
    content = [{"type": "content"}, {"type": "later", "x": 1}, {"type": "terminal", "terminalId": "t"}, {"type": 5}]
    issues: list[v2.Issue] = []
    update = v2.decode(v2.ToolCallUpdate, {"toolCallId": "t", "content": content}, issues=issues)
    assert update.content == [
        v2.UnknownToolCallContent(tag="later", raw={"type": "later", "x": 1}),
        v2.Terminal(terminal_id="t"),
    ]
    assert [issue.path for issue in issues] == ["/content/0", "/content/3"]


# ------------------------------------------------------------------------------------------------ three tags in one object

IDLE = {"sessionUpdate": "state_update", "state": "idle"}
STOP_REASONS = {
    "end_turn": v2.IdleStateUpdateEndTurn,
    "max_tokens": v2.IdleStateUpdateMaxTokens,
    "max_turn_requests": v2.IdleStateUpdateMaxTurnRequests,
    "refusal": v2.IdleStateUpdateRefusal,
    "cancelled": v2.IdleStateUpdateCancelled,
    "error": v2.IdleStateUpdateError,
}
BACKGROUND = [{"type": "terminal", "terminalId": "t"}, {"type": "later", "id": 1}]


@pytest.mark.parametrize("reason", STOP_REASONS)
def test_each_stop_reason_is_a_class_of_its_own(reason: str) -> None:
    wire = {**IDLE, "stopReason": reason, "background": BACKGROUND, "_meta": {"a": 1}, "new": 2}
    value = v2.decode(v2.SessionUpdate, wire)
    assert type(value) is STOP_REASONS[reason]
    assert value.stop_reason == reason
    assert value.background == [
        v2.BackgroundTerminal(terminal_id="t"),
        v2.UnknownBackgroundWork(tag="later", raw={"type": "later", "id": 1}),
    ]
    assert value.extra == {"new": 2}, "no tag among the unknown fields"
    assert v2.encode(value, v2.SessionUpdate) == wire
    without_update = {key: member for key, member in wire.items() if key != "sessionUpdate"}
    assert v2.encode(value, v2.StateUpdate) == without_update
    without_state = {key: member for key, member in without_update.items() if key != "state"}
    assert v2.encode(value, v2.IdleStateUpdate) == v2.encode(value) == without_state
    assert v2.decode(v2.StateUpdate, without_update) == v2.decode(v2.IdleStateUpdate, without_state) == value


@pytest.mark.parametrize(
    ("wire", "issue"),
    [
        ({}, None),
        ({"stopReason": None}, None),
        ({"stopReason": 4}, "/stopReason"),
        ({"stopReason": ["end_turn"]}, "/stopReason"),
        ({"stopReason": {}}, "/stopReason"),
        ({"stopReason": False}, "/stopReason"),
    ],
)
def test_no_or_a_malformed_stop_reason_is_idle_without_one(wire: Any, issue: str | None) -> None:
    issues: list[v2.Issue] = []
    value = v2.decode(v2.SessionUpdate, {**IDLE, **wire, "new": 1}, issues=issues)
    assert value == v2.IdleStateUpdateNone(extra={"new": 1})
    assert [found.path for found in issues] == ([issue] if issue else [])
    assert v2.encode(value, v2.SessionUpdate) == {**IDLE, "new": 1}
    assert v2.decode(v2.IdleStateUpdate, wire) == v2.IdleStateUpdateNone()


@pytest.mark.parametrize("reason", ["_mine", "later", ""])
def test_an_unknown_stop_reason_is_idle_and_kept(reason: str) -> None:
    wire = {**IDLE, "stopReason": reason, "detail": {"a": 1}}
    value = v2.decode(v2.SessionUpdate, wire)
    assert value == v2.UnknownIdleStateUpdate(tag=reason, raw={"stopReason": reason, "detail": {"a": 1}})
    assert isinstance(value, v2.IdleStateUpdate)
    assert v2.encode(value, v2.SessionUpdate) == wire
    assert v2.encode(value, v2.StateUpdate) == {"state": "idle", "stopReason": reason, "detail": {"a": 1}}


@pytest.mark.parametrize("state", ["_mine", "later", ""])
def test_an_unknown_state_is_kept_and_never_idle(state: str) -> None:
    wire = {"sessionUpdate": "state_update", "state": state, "stopReason": "end_turn", "background": 5}
    value = v2.decode(v2.SessionUpdate, wire)
    assert value == v2.UnknownStateUpdate(tag=state, raw={k: m for k, m in wire.items() if k != "sessionUpdate"})
    assert not isinstance(value, v2.IdleStateUpdate)
    assert v2.encode(value, v2.SessionUpdate) == wire


@pytest.mark.parametrize(
    ("state", "cls"), [("running", v2.RunningStateUpdate), ("requires_action", v2.RequiresActionStateUpdate)]
)
def test_the_other_states(state: str, cls: Any) -> None:
    wire = {"sessionUpdate": "state_update", "state": state, "background": BACKGROUND, "stopReason": "end_turn"}
    value = v2.decode(v2.SessionUpdate, wire)
    assert type(value) is cls
    assert value.extra == {"stopReason": "end_turn"}, "only idle has stop reasons"
    assert v2.encode(value, v2.SessionUpdate) == wire


def test_the_state_is_required() -> None:
    update = {"sessionUpdate": "state_update"}
    assert refusal(v2.SessionUpdate, update) == ("/state", "missing, expected the discriminator")
    assert refusal(v2.SessionUpdate, {**update, "state": 5}) == ("/state", "expected string, got number 5")
    assert refusal(v2.SessionUpdate, {**update, "state": None}) == ("/state", "expected string, got null")


def test_error_details_belong_to_the_stop_reason_error() -> None:
    error = {"code": -32603, "message": "m"}
    value = v2.decode(v2.SessionUpdate, {**IDLE, "stopReason": "error", "error": error})
    assert value.error == v2.Error(code=-32603, message="m")
    issues: list[v2.Issue] = []
    assert v2.decode(v2.SessionUpdate, {**IDLE, "stopReason": "error", "error": {}}, issues=issues).error is None
    assert [issue.path for issue in issues] == ["/error"]
    other = v2.decode(v2.SessionUpdate, {**IDLE, "stopReason": "refusal", "error": error})
    assert other == v2.IdleStateUpdateRefusal(extra={"error": error})


@pytest.mark.parametrize("state", ["running", "idle", "requires_action"])
def test_malformed_background_is_not_reported_as_empty(state: str) -> None:
    wire = {"sessionUpdate": "state_update", "state": state, "background": [{"type": "terminal"}]}
    issues: list[v2.Issue] = []
    assert v2.decode(v2.SessionUpdate, wire, issues=issues).background is None
    assert [issue.path for issue in issues] == ["/background"]
    assert v2.decode(v2.SessionUpdate, {**wire, "background": []}).background == []


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (v2.IdleStateUpdateEndTurn(extra={"state": "running"}), "/state"),
        (v2.IdleStateUpdateEndTurn(extra={"sessionUpdate": "notice"}), "/sessionUpdate"),
        (v2.IdleStateUpdateEndTurn(extra={"stopReason": "error"}), "/stopReason"),
        (v2.IdleStateUpdateNone(extra={"stopReason": "end_turn"}), "/stopReason"),
        (v2.RunningStateUpdate(extra={"state": "idle"}), "/state"),
        (v2.UnknownIdleStateUpdate(tag="x", raw={"stopReason": "x", "state": "running"}), "/state"),
        (v2.UnknownStateUpdate(tag="x", raw={"state": "x", "sessionUpdate": "notice"}), "/sessionUpdate"),
    ],
    ids=repr,
)
def test_no_field_may_contradict_a_tag(value: Any, place: str) -> None:
    """What is written must read back as the same variant."""
    path, message = encode_refusal(value, v2.SessionUpdate)
    assert path == place
    assert re.search("contradicts the (missing )?discriminator", message)
    nested_path, _ = encode_refusal(v2.UpdateSessionNotification(session_id="s", update=value))
    assert nested_path == f"/update{place}"


# ------------------------------------------------------------------------------------------------ shared siblings

CHANGES = {
    "add": (v2.DiffChangeAdd, {"path": "/a"}),
    "delete": (v2.DiffChangeDelete, {"path": "/a"}),
    "modify": (v2.DiffChangeModify, {"path": "/a"}),
    "move": (v2.DiffChangeMove, {"path": "/a", "oldPath": "/b"}),
    "copy": (v2.DiffChangeCopy, {"path": "/a", "oldPath": "/b"}),
}


@pytest.mark.parametrize("operation", CHANGES)
def test_every_change_has_the_shared_fields(operation: str) -> None:
    cls, paths = CHANGES[operation]
    wire = {"operation": operation, **paths, "fileType": "text", "mimeType": "text/plain", "_meta": {"a": 1}}
    value = v2.decode(v2.DiffChange, wire)
    assert type(value) is cls
    assert (value.path, value.file_type, value.mime_type, value.meta) == ("/a", "text", "text/plain", {"a": 1})
    assert value.extra is None
    assert v2.encode(value, v2.DiffChange) == wire
    issues: list[v2.Issue] = []
    malformed = v2.decode(v2.DiffChange, {**wire, "fileType": 5, "mimeType": 6, "_meta": 7}, issues=issues)
    assert (malformed.file_type, malformed.mime_type, malformed.meta) == (None, None, None)
    assert sorted(issue.path for issue in issues) == ["/_meta", "/fileType", "/mimeType"]


def test_a_move_needs_both_paths_and_an_add_ignores_the_old_one() -> None:
    assert refusal(v2.DiffChange, {"operation": "move", "path": "/a"}) == ("/oldPath", "missing, expected AbsolutePath")
    value = v2.decode(v2.DiffChange, {"operation": "add", "path": "/a", "oldPath": "/b"})
    assert value == v2.DiffChangeAdd(path="/a", extra={"oldPath": "/b"})


def test_shared_required_fields_are_required_of_every_variant() -> None:
    option = {"type": "boolean", "name": "n", "currentValue": True}
    assert refusal(v2.SessionConfigOption, option) == ("/configId", "missing, expected SessionConfigId")
    assert refusal(v2.CreateElicitationRequest, {"mode": "later", "sessionId": "s"}) == (
        "/message",
        "missing, expected string",
    )


def test_an_elicitation_answer() -> None:
    wire = {"action": "accept", "content": {"s": "a", "n": 1, "l": ["a"], "o": {"k": None}}, "_meta": {"m": 1}}
    value = v2.decode(v2.CreateElicitationResponse, wire)
    assert value == v2.CreateElicitationResponseAccept(content=wire["content"], meta={"m": 1})
    assert v2.encode(value, v2.CreateElicitationResponse) == wire
    declined = v2.decode(v2.CreateElicitationResponse, {"action": "decline", "content": 5})
    assert declined == v2.CreateElicitationResponseDecline(extra={"content": 5})


# ------------------------------------------------------------------------------------------------ multi-select items

OPTIONS = [{"const": "a", "title": "A"}]
TITLED = v2.TitledMultiSelectItems(any_of=[v2.EnumOption(const="a", title="A")])


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ({"type": "string", "enum": ["a"]}, v2.StringMultiSelectItems(enum=["a"])),
        ({"anyOf": OPTIONS}, TITLED),
        ({"type": "later"}, v2.UnknownMultiSelectItems(tag="later", raw={"type": "later"})),
        (
            {"type": "later", "anyOf": OPTIONS},
            v2.UnknownMultiSelectItems(tag="later", raw={"type": "later", "anyOf": OPTIONS}),
        ),
        # a known tag with a bad payload, which the alternative without a tag takes whole
        ({"type": "string", "anyOf": OPTIONS}, dataclasses.replace(TITLED, extra={"type": "string"})),
        (
            {"type": "string", "enum": [], "anyOf": OPTIONS},
            dataclasses.replace(TITLED, extra={"type": "string", "enum": []}),
        ),
        ({"type": 5, "anyOf": OPTIONS}, dataclasses.replace(TITLED, extra={"type": 5})),
        # both fit: the tag goes first
        (
            {"type": "string", "enum": ["a"], "anyOf": OPTIONS},
            v2.StringMultiSelectItems(enum=["a"], extra={"anyOf": OPTIONS}),
        ),
    ],
)
def test_multi_select_items(wire: Any, expected: Any) -> None:
    issues: list[v2.Issue] = []
    value = v2.decode(v2.MultiSelectItems, wire, issues=issues)
    assert value == expected
    assert issues == []
    assert v2.encode(value, v2.MultiSelectItems) == wire
    schema = {"items": wire}
    assert v2.encode(v2.decode(v2.MultiSelectPropertySchema, schema)) == schema


@pytest.mark.parametrize(
    ("wire", "place"),
    [
        ({"type": "string"}, "/enum"),
        ({"type": "string", "enum": []}, "/enum"),
        ({"type": "string", "enum": ["a", 1]}, "/enum/1"),
        ({"anyOf": [{"const": "a"}]}, "/anyOf/0/title"),
        ({}, "/type"),
        ({"type": 5}, "/type"),
    ],
)
def test_multi_select_items_that_nothing_takes(wire: Any, place: str) -> None:
    path, message = refusal(v2.MultiSelectItems, wire)
    assert path == place
    assert message.startswith(("missing", "expected"))


# ------------------------------------------------------------------------------------------------ elicitation scope

SCOPED = {
    "form": (FORM, v2.CreateElicitationRequestFormSession, v2.CreateElicitationRequestFormRequest),
    "url": (
        {"message": "m", "elicitationId": "e", "url": "https://example.com"},
        v2.CreateElicitationRequestUrlSession,
        v2.CreateElicitationRequestUrlRequest,
    ),
}


@pytest.mark.parametrize("mode", SCOPED)
def test_an_elicitation_has_one_scope(mode: str) -> None:
    members, session_class, request_class = SCOPED[mode]
    base = {"mode": mode, **members}
    in_session = {**base, "sessionId": "s", "toolCallId": "t"}
    value = v2.decode(v2.CreateElicitationRequest, in_session)
    assert type(value) is session_class
    assert (value.session_id, value.tool_call_id) == ("s", "t")
    assert v2.encode(value, v2.CreateElicitationRequest) == v2.encode(value) == in_session
    for request_id in (1, "r"):
        in_request = {**base, "requestId": request_id}
        value = v2.decode(v2.CreateElicitationRequest, in_request)
        assert type(value) is request_class
        assert value.request_id == request_id
        assert v2.encode(value, v2.CreateElicitationRequest) == in_request


@pytest.mark.parametrize("mode", ["form", "url", "later"])
def test_an_elicitation_with_both_scopes_or_none_is_an_error(mode: str) -> None:
    members = SCOPED[mode][0] if mode in SCOPED else {"message": "m"}
    base = {"mode": mode, **members}
    path, message = refusal(v2.CreateElicitationRequest, {**base, "sessionId": "s", "requestId": 1})
    assert path == ""
    assert message.startswith("expected exactly one of ")
    assert message.endswith("but 2 fit")
    path, message = refusal(v2.CreateElicitationRequest, base)
    assert path in ("/sessionId", "/requestId")
    assert message.startswith("missing, expected ")


def test_a_scope_that_does_not_fit_is_none() -> None:
    """Exactly one fits where the other's member is there but malformed."""
    base = {"mode": "form", **FORM}
    value = v2.decode(v2.CreateElicitationRequest, {**base, "sessionId": "s", "requestId": None})
    assert value == v2.decode(v2.CreateElicitationRequestFormSession, {**base, "sessionId": "s", "requestId": None})
    assert value.extra == {"requestId": None}
    value = v2.decode(v2.CreateElicitationRequest, {**base, "sessionId": 5, "requestId": 1})
    assert type(value) is v2.CreateElicitationRequestFormRequest
    assert value.extra == {"sessionId": 5}


def test_leniency_within_a_scope() -> None:
    issues: list[v2.Issue] = []
    wire = {"mode": "form", **FORM, "sessionId": "s", "toolCallId": 5}
    assert v2.decode(v2.CreateElicitationRequest, wire, issues=issues).tool_call_id is None
    assert [issue.path for issue in issues] == ["/toolCallId"]


@pytest.mark.parametrize("name", ["ElicitationFormMode", "ElicitationUrlMode"])
def test_the_modes_on_their_own_have_one_scope_too(name: str) -> None:
    for sample in wire_samples(name):
        both = {**sample, "sessionId": "s", "requestId": 1}
        path, message = refusal(name, both)
        assert path == ""
        assert message.startswith(f"expected exactly one of {name}Session or {name}Request")
        assert v2.encode(v2.decode(name, sample), name) == sample


# ------------------------------------------------------------------------------------------------ alternatives without a tag


@pytest.mark.parametrize(
    ("wire", "expected", "paths"),
    [
        ({"uri": "u", "text": "t"}, v2.TextResourceContents(uri="u", text="t"), []),
        ({"uri": "u", "blob": "b"}, v2.BlobResourceContents(uri="u", blob="b"), []),
        # text goes before blob
        ({"uri": "u", "text": "t", "blob": "b"}, v2.TextResourceContents(uri="u", text="t", extra={"blob": "b"}), []),
        ({"uri": "u", "text": 5, "blob": "b"}, v2.BlobResourceContents(uri="u", blob="b", extra={"text": 5}), []),
        # the first that needs salvage, where none is strictly valid
        ({"uri": "u", "text": "t", "mimeType": 5}, v2.TextResourceContents(uri="u", text="t"), ["/mimeType"]),
    ],
)
def test_resource_contents(wire: Any, expected: Any, paths: list[str]) -> None:
    issues: list[v2.Issue] = []
    assert v2.decode(v2.EmbeddedResourceResource, wire, issues=issues) == expected
    assert [issue.path for issue in issues] == paths


def test_select_options_are_flat_or_grouped() -> None:
    flat = [{"value": "v", "name": "n"}]
    grouped = [{"groupId": "g", "name": "n", "options": flat}]
    option = v2.SessionConfigSelectOption(value="v", name="n")
    assert v2.decode(v2.SessionConfigSelectOptions, flat) == [option]
    group = v2.SessionConfigSelectGroup(group_id="g", name="n", options=[option])
    assert v2.decode(v2.SessionConfigSelectOptions, grouped) == [group]
    for wire in (flat, grouped):
        value = v2.decode(v2.SessionConfigSelectOptions, wire)
        assert v2.encode(value, v2.SessionConfigSelectOptions) == wire
    path, message = refusal(v2.SessionConfigSelectOptions, [*flat, *grouped])
    assert path.startswith(("/0/", "/1/"))
    assert message.startswith("missing, expected ")
    mixed: Any = [option, group]
    assert encode_refusal(mixed, v2.SessionConfigSelectOptions)[0] == ""


def test_a_strictly_valid_alternative_goes_before_one_that_needs_salvage() -> None:
    """Read as flat options nothing is lost; read as groups the options would be."""
    wire = [{"groupId": "g", "name": "n", "value": "v", "options": 5}]
    issues: list[v2.Issue] = []
    value = v2.decode(v2.SessionConfigSelectOptions, wire, issues=issues)
    assert value == [v2.SessionConfigSelectOption(value="v", name="n", extra={"groupId": "g", "options": 5})]
    assert issues == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"requested": 3, "supported": [2]}, v2.UnsupportedProtocolVersionErrorData(requested=3, supported=[2])),
        # 3.0 is an integer, so this is no free-form data either
        ({"requested": 3.0, "supported": [2]}, v2.UnsupportedProtocolVersionErrorData(requested=3, supported=[2])),
        ({"sessionId": "s"}, v2.SessionNotFoundErrorData(session_id="s")),
        ({"anything": [1]}, {"anything": [1]}),
        ([1, 2], [1, 2]),
        ("text", "text"),
        # free-form data is strictly valid as it is, so nothing is salvaged away from it
        ({"sessionId": "s", "_meta": 5}, {"sessionId": "s", "_meta": 5}),
        (None, None),
    ],
)
def test_error_data_is_typed_where_it_can_be(data: Any, expected: Any) -> None:
    issues: list[v2.Issue] = []
    error = v2.decode(v2.Error, {"code": -32002, "message": "m", "data": data}, issues=issues)
    assert error.data == expected
    assert type(error.data) is type(expected)
    assert issues == []
    members = {} if data is None else {"data": data}
    assert v2.encode(error) == {"code": -32002, "message": "m", **members}


@pytest.mark.parametrize("value", [1, "a", 1.5, True, ["a"], ["a", 1], {"a": 1}, None])
def test_an_elicitation_content_value_is_any_json(value: Any) -> None:
    decoded = v2.decode(v2.ElicitationContentValue, value)
    assert decoded == value
    assert type(decoded) is type(value)
    assert v2.encode(decoded, v2.ElicitationContentValue) == value


@pytest.mark.parametrize("request_id", [0, -1, 2**63, "", "r"])
def test_a_request_id_is_an_integer_or_a_string(request_id: Any) -> None:
    assert v2.decode(v2.RequestId, request_id) == request_id
    assert v2.encode(request_id, v2.RequestId) == request_id


@pytest.mark.parametrize("request_id", [None, True, 1.5, [], {}])
def test_nothing_else_is_a_request_id(request_id: Any) -> None:
    path, message = refusal(v2.AgentRequest, {"id": request_id, "method": "m"})
    assert path == "/id"
    assert message.startswith("expected ")


def test_responses_are_results_or_errors() -> None:
    for name in ("AgentResponse", "ClientResponse"):
        result = v2.decode(name, {"id": 1, "result": {"anything": 1}})
        assert type(result).__name__ == f"{name}Result"
        assert result.result == {"anything": 1}
        failure = v2.decode(name, {"id": None, "error": {"code": 1, "message": "m"}})
        assert type(failure).__name__ == f"{name}Error"
        assert failure.error == v2.Error(code=1, message="m")
        assert v2.encode(failure, name) == {"id": None, "error": {"code": 1, "message": "m"}}


# ------------------------------------------------------------------------------------------------ closed unions

CLOSED_UNIONS: dict[tuple[Edition, str], tuple[str, set[str]]] = {
    (V1, "SessionUpdate"): (
        "sessionUpdate",
        {
            "user_message_chunk",
            "agent_message_chunk",
            "agent_thought_chunk",
            "tool_call",
            "tool_call_update",
            "plan",
            "available_commands_update",
            "current_mode_update",
            "config_option_update",
            "session_info_update",
            "usage_update",
            "notice",
            "compaction_update",
            "compaction_summary_chunk",
        },
    ),
    (V1, "ToolCallContent"): ("type", {"content", "diff", "terminal"}),
    (V1, "ContentBlock"): ("type", {"text", "image", "audio", "resource_link", "resource"}),
    (V1, "RequestPermissionOutcome"): ("outcome", {"cancelled", "selected"}),
    (V1, "SessionConfigOption"): ("type", {"select", "boolean"}),
    (JUNE, "RequestPermissionOutcome"): ("outcome", {"cancelled", "selected"}),
}
every_closed_union = pytest.mark.parametrize(("edition", "name"), CLOSED_UNIONS, ids=str)


@every_closed_union
def test_a_closed_union_has_a_class_for_every_tag_and_none_for_others(edition: Edition, name: str) -> None:
    discriminator, known = CLOSED_UNIONS[edition, name]
    tags = set()
    for sample in wire_samples(name, edition=edition):
        value = edition.module.decode(name, sample)
        assert edition.module.encode(value, name) == sample
        tags.add(sample[discriminator])
    assert tags == known
    assert not hasattr(edition.module, f"Unknown{name}")


@every_closed_union
@pytest.mark.parametrize("tag", ["_mine", "later", "", "TEXT"])
def test_an_unknown_tag_of_a_closed_union_is_an_error(edition: Edition, name: str, tag: str) -> None:
    discriminator, known = CLOSED_UNIONS[edition, name]
    path, message = refusal(name, {**wire_samples(name, edition=edition)[0], discriminator: tag}, edition=edition)
    assert path == f"/{discriminator}"
    expected, got = message.removeprefix("expected ").split(", got ")
    assert set(expected.split(" or ")) == {repr(each) for each in known}
    assert got == f"string {tag!r}"


@every_closed_union
def test_a_closed_union_needs_its_tag(edition: Edition, name: str) -> None:
    discriminator, _ = CLOSED_UNIONS[edition, name]
    sample = {key: value for key, value in wire_samples(name, edition=edition)[0].items() if key != discriminator}
    assert refusal(name, sample, edition=edition) == (f"/{discriminator}", "missing, expected the discriminator")
    path, message = refusal(name, {**sample, discriminator: 5}, edition=edition)
    assert path == f"/{discriminator}"
    assert message.startswith("expected string, got number 5")


@pytest.mark.parametrize(
    ("name", "wire", "place"),
    [
        ("SessionNotification", {"sessionId": "s", "update": {"sessionUpdate": "_x"}}, "/update/sessionUpdate"),
        ("PromptRequest", {"sessionId": "s", "prompt": [TEXT_BLOCK, {"type": "_x"}]}, "/prompt/1/type"),
        ("ContentChunk", {"content": {"type": "video"}}, "/content/type"),
        ("RequestPermissionResponse", {"outcome": {"outcome": "_x"}}, "/outcome/outcome"),
    ],
)
def test_an_unknown_tag_inside_a_v1_message_is_pointed_at(name: str, wire: Any, place: str) -> None:
    path, message = refusal(name, wire, edition=V1)
    assert path == place
    assert message.startswith("expected '")


def test_an_unknown_tag_in_a_lenient_list_of_v1_is_dropped() -> None:
    wire = {"toolCallId": "t", "content": [{"type": "_x"}, {"type": "terminal", "terminalId": "a"}]}
    issues: list[v1.Issue] = []
    update = v1.decode(v1.ToolCallUpdate, wire, issues=issues)
    assert update.content == [v1.Terminal(terminal_id="a")]
    assert [issue.path for issue in issues] == ["/content/0"]


# ------------------------------------------------------------------------------------------------ v1: tags that may be missing


@pytest.mark.parametrize(
    ("name", "wire", "expected"),
    [
        (
            "McpServer",
            {"name": "n", "command": "/c", "args": [], "env": []},
            v1.McpServerStdio(name="n", command="/c", args=[], env=[]),
        ),
        (
            "McpServer",
            {"type": "stdio", "name": "n", "command": "/c", "args": [], "env": []},
            v1.McpServerStdio(name="n", command="/c", args=[], env=[], extra={"type": "stdio"}),
        ),
        (
            "McpServer",
            {"type": "sse", "name": "n", "url": "u:", "headers": []},
            v1.McpServerSse(name="n", url="u:", headers=[]),
        ),
        ("AuthMethod", {"id": "a", "name": "n"}, v1.AuthMethodAgent(id="a", name="n")),
        ("AuthMethod", {"type": "terminal", "id": "a", "name": "n"}, v1.AuthMethodTerminal(id="a", name="n")),
        (
            "SetSessionConfigOptionRequest",
            {"sessionId": "s", "configId": "c", "type": "boolean", "value": True},
            v1.SetSessionConfigOptionRequestBoolean(session_id="s", config_id="c", value=True),
        ),
        (
            "SetSessionConfigOptionRequest",
            {"sessionId": "s", "configId": "c", "value": "v"},
            v1.SetSessionConfigOptionRequestValueId(session_id="s", config_id="c", value="v"),
        ),
    ],
)
def test_a_v1_union_with_a_member_that_has_no_tag(name: str, wire: Any, expected: Any) -> None:
    assert v1.decode(name, wire) == expected
    assert v1.encode(expected, name) == wire


@pytest.mark.parametrize(
    ("name", "wire", "place"),
    [
        ("McpServer", {"name": "n"}, "/type"),
        ("McpServer", {"type": "http", "name": "n"}, "/url"),
        ("AuthMethod", {"name": "n"}, "/type"),
        ("SetSessionConfigOptionRequest", {"sessionId": "s", "configId": "c", "value": 5}, "/type"),
    ],
)
def test_a_v1_union_that_nothing_fits(name: str, wire: Any, place: str) -> None:
    """The tag is spoken of where it is missing, and the payload where the tag is known."""
    path, message = refusal(name, wire, edition=V1)
    assert path == place
    assert message.startswith("missing, expected ")


@pytest.mark.parametrize("request_id", [None, 0, -1, "", "r"])
def test_a_request_id_of_older_editions_may_be_null(request_id: Any) -> None:
    for edition in (V1, JUNE):
        assert edition.module.decode("RequestId", request_id) == request_id
        wire = {"id": request_id, "method": "m"}
        assert edition.module.encode(edition.module.decode("AgentRequest", wire), "AgentRequest") == wire


# ------------------------------------------------------------------------------------------------ June: exclusions

june = v2_2026_06


def test_a_record_that_must_not_have_a_member() -> None:
    wire = {"hint": "h", "new": 1}
    assert june.decode(june.UnstructuredCommandInput, wire) == june.UnstructuredCommandInput(hint="h", extra={"new": 1})
    for value in ("text", None, 5, {}):
        assert refusal(june.UnstructuredCommandInput, {**wire, "type": value}, edition=JUNE) == (
            "/type",
            "expected no such field here",
        )


def test_such_a_record_is_not_written_with_that_member() -> None:
    value = june.UnstructuredCommandInput(hint="h", extra={"type": "text"})
    message = "extra has a field that the record must not have"
    assert encode_refusal(value, edition=JUNE) == ("/type", message)
    command = june.AvailableCommand(name="n", description="d", input=value)
    assert encode_refusal(command, edition=JUNE) == ("/input/type", message)


def test_the_excluded_member_tells_the_alternatives_apart() -> None:
    plain = june.decode(june.AvailableCommandInput, {"hint": "h"})
    assert plain == june.UnstructuredCommandInput(hint="h")
    wire = {"type": "text", "hint": "h"}
    other = june.decode(june.AvailableCommandInput, wire)
    assert type(other) is not june.UnstructuredCommandInput
    assert (other.type, other.extra) == ("text", {"hint": "h"})
    assert june.encode(other, june.AvailableCommandInput) == wire
    command = {"name": "n", "description": "d", "input": wire}
    assert june.encode(june.decode(june.AvailableCommand, command)) == command


@pytest.mark.parametrize("tag", ["file", "markdown"])
def test_a_plan_of_an_excluded_type_is_neither_known_nor_unknown(tag: str) -> None:
    wire = {"type": tag, "id": "p", "entries": []}
    assert refusal(june.PlanUpdateContent, wire, edition=JUNE) == ("/type", f"expected 'items', got string {tag!r}")
    unknown = june.UnknownPlanUpdateContent(tag=tag, raw=wire)
    assert encode_refusal(unknown, june.PlanUpdateContent, edition=JUNE)[0] == "/type"
    nested, _ = refusal(june.SessionUpdate, {"sessionUpdate": "plan_update", "plan": wire}, edition=JUNE)
    assert nested == "/plan/type"


def test_a_permission_request_of_june_carries_a_tool_call_without_a_tag() -> None:
    options = [{"optionId": "o", "name": "n", "kind": "_later"}]
    wire = {"sessionId": "s", "toolCall": {"toolCallId": "t", "title": None}, "options": options}
    request = june.decode(june.RequestPermissionRequest, wire)
    assert request.tool_call == june.ToolCallUpdate(tool_call_id="t", title=None)
    assert june.encode(request) == wire
    without = {key: value for key, value in wire.items() if key != "toolCall"}
    assert refusal(june.RequestPermissionRequest, without, edition=JUNE) == (
        "/toolCall",
        "missing, expected ToolCallUpdate",
    )
