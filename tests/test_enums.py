"""Open enums take any value and tell known, extension and reserved ones apart; closed ones refuse the rest."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from acp_schema import v1, v2
from support.editions import JUNE, V1, V2, Edition, every_edition

# Written down here and not read from the schema: these are facts of the protocol.
V2_STRINGS = {
    "CompactionStatus": {"in_progress", "completed", "failed", "cancelled"},
    "DiffFileType": {"text", "binary", "directory", "symlink"},
    "DiffPatchFormat": {"git_patch"},
    "IconTheme": {"light", "dark"},
    "NoticeSeverity": {"info", "warning", "error"},
    "PermissionOptionKind": {"allow_once", "allow_always", "reject_once", "reject_always"},
    "PlanEntryPriority": {"high", "medium", "low"},
    "PlanEntryStatus": {"pending", "in_progress", "completed", "cancelled"},
    "Role": {"assistant", "user"},
    "SessionConfigOptionCategory": {"mode", "model", "model_config", "thought_level"},
    "StringFormat": {"email", "uri", "date", "date-time"},
    "ToolCallStatus": {"pending", "in_progress", "paused", "completed", "failed", "cancelled"},
    "ToolKind": {
        *("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"),
    },
}
JUNE_STRINGS = {
    "PermissionOptionKind": {"allow_once", "allow_always", "reject_once", "reject_always"},
    "PlanEntryPriority": {"high", "medium", "low"},
    "PlanEntryStatus": {"pending", "in_progress", "completed"},
    "Role": {"assistant", "user"},
    "SessionConfigOptionCategory": {"mode", "model", "thought_level"},
    "StopReason": {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"},
    "ToolCallStatus": {"pending", "in_progress", "completed", "failed"},
    "ToolKind": V2_STRINGS["ToolKind"],
}
V1_STRINGS = {
    "CompactionStatus": {"in_progress", "completed", "failed", "cancelled"},
    "NoticeSeverity": {"info", "warning", "error"},
    "SessionConfigOptionCategory": {"mode", "model", "model_config", "thought_level"},
}
V1_CLOSED = {
    "ElicitationSchemaType": {"object"},
    "PermissionOptionKind": {"allow_once", "allow_always", "reject_once", "reject_always"},
    "PlanEntryPriority": {"high", "medium", "low"},
    "PlanEntryStatus": {"pending", "in_progress", "completed"},
    "Role": {"assistant", "user"},
    "StopReason": {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"},
    "StringFormat": {"email", "uri", "date", "date-time"},
    "ToolCallStatus": {"pending", "in_progress", "completed", "failed"},
    "ToolKind": V2_STRINGS["ToolKind"],
}
OPEN_STRINGS = {V1: V1_STRINGS, V2: V2_STRINGS, JUNE: JUNE_STRINGS}
CLOSED_STRINGS = {V1: V1_CLOSED, V2: {"ElicitationSchemaType": {"object"}}, JUNE: {}}
V2_ERROR_CODES = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
    "REQUEST_CANCELLED": -32800,
    "AUTHENTICATION_REQUIRED": -32000,
    "RESOURCE_NOT_FOUND": -32002,
    "UNSUPPORTED_PROTOCOL_VERSION": -32022,
}

V1_ERROR_CODES = {name: code for name, code in V2_ERROR_CODES.items() if name != "UNSUPPORTED_PROTOCOL_VERSION"}
JUNE_ERROR_CODES = {name: code for name, code in V1_ERROR_CODES.items() if name != "REQUEST_CANCELLED"}


def of_each(enums: dict[Edition, dict[str, set[str]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("edition", "name"),
        [pytest.param(edition, name, id=f"{edition}-{name}") for edition, names in enums.items() for name in names],
    )


every_open_enum = of_each(OPEN_STRINGS)
every_closed_enum = of_each(CLOSED_STRINGS)


def constants(values: type[Any]) -> dict[str, Any]:
    return {name: value for name, value in vars(values).items() if name.isupper() and name != "KNOWN"}


@every_edition
def test_no_enum_is_forgotten(edition: Edition) -> None:
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for name, body in edition.definitions.items():
        branches = body.get("anyOf", body.get("oneOf", []))
        if body.get("type") == "string" and ("enum" in body or "const" in body):
            found[False].add(name)
        elif any("const" in branch or "enum" in branch for branch in branches) and branches[0]["type"] == "string":
            found[any("const" not in branch and "enum" not in branch for branch in branches)].add(name)
    assert found == {True: set(OPEN_STRINGS[edition]), False: set(CLOSED_STRINGS[edition])}


@every_open_enum
def test_known_values_are_constants(edition: Edition, name: str) -> None:
    known = OPEN_STRINGS[edition][name]
    values = getattr(edition.module, name + "Values")
    assert constants(values) == {value.upper().replace("-", "_"): value for value in known}
    assert values.KNOWN == known
    assert isinstance(values.KNOWN, frozenset)


@every_open_enum
def test_known_values_are_offered_to_editors(edition: Edition, name: str) -> None:
    """The alias is ``Literal[...] | str``: completion, and any other string as well."""
    union = typing.get_args(getattr(edition.module, name))[0]
    literal, anything = typing.get_args(union)
    assert set(typing.get_args(literal)) == OPEN_STRINGS[edition][name]
    assert anything is str


@every_open_enum
@pytest.mark.parametrize("value", ["_mine", "from_a_later_version", "", "ÜNÏ", "Pending"])
def test_an_open_enum_takes_any_string(edition: Edition, name: str, value: str) -> None:
    issues: list[Any] = []
    assert edition.module.decode(name, value, issues=issues) == value
    assert edition.module.encode(value, name) == value
    assert issues == []


@every_open_enum
@pytest.mark.parametrize("value", [None, 1, True, ["read"], {"read": 1}])
def test_an_open_enum_takes_nothing_but_strings(edition: Edition, name: str, value: Any) -> None:
    with pytest.raises(edition.module.DecodeError) as caught:
        edition.module.decode(name, value)
    assert caught.value.path == ""
    assert caught.value.message.startswith("expected string, got ")
    with pytest.raises(edition.module.EncodeError) as refused:
        edition.module.encode(value, name)
    assert refused.value.path == ""
    assert refused.value.message.startswith("expected str, got ")


@every_open_enum
def test_classify(edition: Edition, name: str) -> None:
    values = getattr(edition.module, name + "Values")
    for known in OPEN_STRINGS[edition][name]:
        assert values.classify(known) == "known"
        assert values.is_known(known)
        assert values.classify("_" + known) == "extension"
    for unknown, kind in [("_mine", "extension"), ("_", "extension"), ("later", "reserved"), ("", "reserved")]:
        assert values.classify(unknown) == kind
        assert not values.is_known(unknown)


def test_the_value_other_of_tool_kinds_is_a_known_one() -> None:
    """Its catch-all branch has another title for that reason."""
    assert v2.ToolKindValues.OTHER == "other"
    assert v2.ToolKindValues.classify("other") == "known"
    assert v2.ToolCallStatusValues.classify("other") == "reserved"


@pytest.mark.parametrize("edition", [V2, JUNE], ids=str)
def test_unknown_values_survive_in_a_record(edition: Edition) -> None:
    wire = {"toolCallId": "t", "kind": "_scan", "status": "waiting_for_moon"}
    issues: list[Any] = []
    update = edition.module.decode("ToolCallUpdate", wire, issues=issues)
    assert (update.kind, update.status) == ("_scan", "waiting_for_moon")
    assert edition.module.encode(update) == wire
    assert issues == []


# ------------------------------------------------------------------------------------------------ integers


@pytest.mark.parametrize(
    ("edition", "codes"),
    [(V1, V1_ERROR_CODES), (V2, V2_ERROR_CODES), (JUNE, JUNE_ERROR_CODES)],
    ids=["v1", "v2", "june"],
)
def test_error_codes_are_integers(edition: Edition, codes: dict[str, int]) -> None:
    values = edition.module.ErrorCodeValues
    assert constants(values) == codes
    assert values.KNOWN == frozenset(codes.values())
    assert values.classify(-32601) == "known"
    assert values.classify(-1) == "reserved"
    assert not values.is_known("-32601")


@pytest.mark.parametrize("code", [-32601, 0, 7, -40000])
def test_any_integer_is_an_error_code(code: int) -> None:
    wire = {"code": code, "message": "m"}
    error = v2.decode(v2.Error, wire)
    assert error.code == code
    assert v2.encode(error) == wire
    assert v2.decode(v2.ErrorCode, code) == code


def test_a_whole_float_is_read_as_an_integer_code() -> None:
    code = v2.decode(v2.ErrorCode, -32601.0)
    assert code == -32601
    assert type(code) is int


@pytest.mark.parametrize("code", ["-32601", True, None, 1.5, [1]])
def test_anything_else_is_no_error_code(code: Any) -> None:
    with pytest.raises(v2.DecodeError, match="integer") as caught:
        v2.decode(v2.Error, {"code": code, "message": "m"})
    assert caught.value.path == "/code"


# ------------------------------------------------------------------------------------------------ closed


def test_a_closed_enum_takes_its_values_only() -> None:
    assert v2.ElicitationSchemaTypeValues.OBJECT == "object"
    assert v2.ElicitationSchemaTypeValues.KNOWN == {"object"}
    assert v2.decode(v2.ElicitationSchemaType, "object") == "object"
    assert v2.encode("object", v2.ElicitationSchemaType) == "object"


@pytest.mark.parametrize("value", ["Object", "_object", "array", "", None, 1, True, ["object"], {"object": 1}])
def test_a_closed_enum_refuses_the_rest(value: Any) -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.ElicitationSchemaType, value)
    assert caught.value.path == ""
    assert caught.value.message.startswith("expected 'object', got ")
    with pytest.raises(v2.EncodeError) as refused:
        v2.encode(value, v2.ElicitationSchemaType)
    assert refused.value.message.startswith("expected 'object', got ")


def test_a_closed_enum_is_closed_inside_a_record_too() -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.ElicitationSchema, {"type": "array", "properties": {}})
    assert caught.value.path == "/type"
    assert caught.value.message == "expected 'object', got string 'array'"
    with pytest.raises(v2.EncodeError) as refused:
        v2.encode(v2.ElicitationSchema(type="array", properties={}))
    assert refused.value.path == "/type"


@every_closed_enum
def test_a_closed_enum_offers_its_values_and_no_others(edition: Edition, name: str) -> None:
    known = CLOSED_STRINGS[edition][name]
    values = getattr(edition.module, name + "Values")
    assert constants(values) == {value.upper().replace("-", "_"): value for value in known}
    assert values.KNOWN == known
    literal = typing.get_args(getattr(edition.module, name))[0]
    assert set(typing.get_args(literal)) == known
    for value in known:
        assert edition.module.decode(name, value) == value
        assert edition.module.encode(value, name) == value


@every_closed_enum
@pytest.mark.parametrize("value", ["_mine", "later", "", "Pending", None, 1, True, ["read"]])
def test_a_closed_enum_names_what_it_expects(edition: Edition, name: str, value: Any) -> None:
    with pytest.raises(edition.module.DecodeError) as caught:
        edition.module.decode(name, value)
    assert caught.value.path == ""
    expected, got = caught.value.message.removeprefix("expected ").split(", got ")
    assert set(expected.split(" or ")) == {repr(known) for known in CLOSED_STRINGS[edition][name]}
    assert got
    with pytest.raises(edition.module.EncodeError) as refused:
        edition.module.encode(value, name)
    assert refused.value.path == ""


V1_OPTION = {"optionId": "o", "name": "n"}
V1_PERMISSION = {"sessionId": "s", "toolCall": {"toolCallId": "t"}}


@pytest.mark.parametrize(
    ("name", "wire", "place"),
    [
        ("PermissionOption", {**V1_OPTION, "kind": "_ask_again"}, "/kind"),
        ("RequestPermissionRequest", {**V1_PERMISSION, "options": [{**V1_OPTION, "kind": "allow"}]}, "/options/0/kind"),
        ("PlanEntry", {"content": "c", "priority": "urgent", "status": "pending"}, "/priority"),
        ("PlanEntry", {"content": "c", "priority": "high", "status": "cancelled"}, "/status"),
        ("PromptResponse", {"stopReason": "error"}, "/stopReason"),
    ],
)
def test_an_unknown_value_in_v1_is_an_error_where_it_is_required(name: str, wire: Any, place: str) -> None:
    with pytest.raises(v1.DecodeError) as caught:
        v1.decode(name, wire)
    assert caught.value.path == place
    assert caught.value.message.startswith("expected '")


def test_an_unknown_value_in_v1_is_absent_where_the_schema_is_lenient() -> None:
    issues: list[v1.Issue] = []
    update = v1.decode(v1.ToolCallUpdate, {"toolCallId": "t", "kind": "_scan", "status": "paused"}, issues=issues)
    assert update == v1.ToolCallUpdate(tool_call_id="t")
    assert [issue.path for issue in issues] == ["/kind", "/status"]
    call = v1.decode(v1.ToolCall, {"toolCallId": "t", "title": "T", "kind": "_scan"})
    assert (call.kind, call.status) == (None, None)
