"""Types of parsed JSON, and JSON Pointers into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, TypeGuard, Union

# The members of an array or object are Any: every reader checks them by its own rules.
Json: TypeAlias = Union[None, bool, int, float, str, list[Any], dict[str, Any]]
JsonObject: TypeAlias = dict[str, Any]

SUBSCHEMA_LISTS = ("anyOf", "oneOf", "allOf")
SUBSCHEMA_MAPS = ("properties", "$defs")
SUBSCHEMAS = ("items", "not", "additionalProperties")


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object; its keys are then strings."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def pointer(*parts: str | int) -> str:
    """The RFC 6901 pointer made of these reference tokens."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def last_token(where: str) -> str:
    """The last reference token of a pointer, as the name that it stands for."""
    return where.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def at(document: JsonObject, where: str) -> JsonObject:
    """The schema that a pointer leads to."""
    value: Any = document
    for token in where.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = value[key if key in value else int(key)]
    found: JsonObject = value
    return found


def python_pattern(pattern: str) -> str:
    """A JSON Schema pattern for Python, where ``$`` would also match before a line break at the end."""
    result: list[str] = []
    in_class = escaped = False
    for char in pattern:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        elif char == "$" and not in_class:
            char = r"\Z"
        result.append(char)
    return "".join(result)


def subschemas(schema: JsonObject, where: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Every schema below and including this one, with its pointer, outermost first."""
    yield where, schema
    for keyword in SUBSCHEMA_MAPS:
        for name, member in schema.get(keyword, {}).items():
            yield from subschemas(member, where + pointer(keyword, name))
    for keyword in SUBSCHEMA_LISTS:
        for index, member in enumerate(schema.get(keyword, [])):
            yield from subschemas(member, where + pointer(keyword, index))
    for keyword in SUBSCHEMAS:
        member = schema.get(keyword)
        if is_object(member):
            yield from subschemas(member, where + pointer(keyword))


def ref_name(schema: JsonObject) -> str | None:
    """The definition that a schema consisting of one reference names, through a one-element allOf too."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix("#/$defs/")
    parts: list[JsonObject] = schema.get("allOf", [])
    if len(parts) != 1 or not set(parts[0]) <= {"$ref", "allOf", "title", "description"}:
        return None
    return ref_name(parts[0])
