"""Open enums take any value and tell known, extension and reserved ones apart; closed ones refuse the rest."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import pytest

from acp_schema import v2

ROOT = Path(__file__).resolve().parents[1]
DEFINITIONS: dict[str, Any] = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))["$defs"]

# Written down here and not read from the schema: these are facts of the protocol.
OPEN_STRINGS = {
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
ERROR_CODES = {
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

every_open_enum = pytest.mark.parametrize("name", OPEN_STRINGS)


def constants(values: type[Any]) -> dict[str, Any]:
    return {name: value for name, value in vars(values).items() if name.isupper() and name != "KNOWN"}


def test_no_open_enum_is_forgotten() -> None:
    open_in_schema = {
        name
        for name, body in DEFINITIONS.items()
        if any("const" in branch and branch.get("type") == "string" for branch in body.get("anyOf", []))
    }
    assert open_in_schema == set(OPEN_STRINGS)


@every_open_enum
def test_known_values_are_constants(name: str) -> None:
    values = getattr(v2, name + "Values")
    expected = {value.upper().replace("-", "_"): value for value in OPEN_STRINGS[name]}
    assert constants(values) == expected
    assert values.KNOWN == OPEN_STRINGS[name]
    assert isinstance(values.KNOWN, frozenset)


@every_open_enum
def test_known_values_are_offered_to_editors(name: str) -> None:
    """The alias is ``Literal[...] | str``: completion, and any other string as well."""
    union = typing.get_args(getattr(v2, name))[0]
    literal, anything = typing.get_args(union)
    assert set(typing.get_args(literal)) == OPEN_STRINGS[name]
    assert anything is str


@every_open_enum
@pytest.mark.parametrize("value", ["_mine", "from_a_later_version", "", "ÜNÏ", "Pending"])
def test_an_open_enum_takes_any_string(name: str, value: str) -> None:
    issues: list[Any] = []
    assert v2.decode(name, value, issues=issues) == value
    assert v2.encode(value, name) == value
    assert issues == []


@every_open_enum
@pytest.mark.parametrize("value", [None, 1, True, ["read"], {"read": 1}])
def test_an_open_enum_takes_nothing_but_strings(name: str, value: Any) -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(name, value)
    assert caught.value.path == ""
    assert caught.value.message.startswith("expected string, got ")
    with pytest.raises(v2.EncodeError) as refused:
        v2.encode(value, name)
    assert refused.value.path == ""
    assert refused.value.message.startswith("expected str, got ")


@every_open_enum
def test_classify(name: str) -> None:
    values = getattr(v2, name + "Values")
    for known in OPEN_STRINGS[name]:
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


def test_unknown_values_survive_in_a_record() -> None:
    wire = {"toolCallId": "t", "kind": "_scan", "status": "waiting_for_moon"}
    update = v2.decode(v2.ToolCallUpdate, wire)
    assert (update.kind, update.status) == ("_scan", "waiting_for_moon")
    assert v2.encode(update) == wire


# ------------------------------------------------------------------------------------------------ integers


def test_error_codes_are_integers() -> None:
    assert constants(v2.ErrorCodeValues) == ERROR_CODES
    assert v2.ErrorCodeValues.KNOWN == frozenset(ERROR_CODES.values())
    assert v2.ErrorCodeValues.classify(-32601) == "known"
    assert v2.ErrorCodeValues.classify(-1) == "reserved"
    assert not v2.ErrorCodeValues.is_known("-32601")


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
