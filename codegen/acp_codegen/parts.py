"""Small questions about schema objects: what their branches, tags and properties are, and how parts come together."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import NoReturn

from .errors import CodegenError
from .jsontypes import JsonObject, pointer

BRANCHING = {"anyOf", "oneOf"}
_SAYING_NOTHING = {"$id", "$comment", "deprecated", "examples", "readOnly", "writeOnly"}
ANNOTATIONS = {
    "$schema",
    "title",
    "description",
    "format",
    "contentEncoding",
    "default",
    "discriminator",
} | _SAYING_NOTHING


@dataclass(frozen=True)
class Parts:
    """The properties that a body and everything it includes contribute, and its branches if it has any."""

    properties: dict[str, JsonObject]
    required: list[str]
    branches: tuple[str, list[JsonObject]] | None = None
    forbidden: list[str] = field(default_factory=list[str])  # an object that has one of these is something else


def pascal(text: str) -> str:
    """``switch_mode`` as a class name part: ``SwitchMode``."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", text) if word)


def only(schema: JsonObject, allowed: set[str], where: str) -> None:
    """Refuse a schema with a keyword that the caller does not account for."""
    for keyword in schema:
        if keyword not in allowed and not keyword.startswith("x-"):
            unsupported(f"the keyword {json.dumps(keyword)} here", where + pointer(keyword), "remove it")
    if BRANCHING <= set(schema):
        unsupported("anyOf and oneOf side by side", where, "keep one of the two")


def unsupported(what: str, where: str, hint: str) -> NoReturn:
    raise CodegenError(f"not supported: {what}", where=where, hint=hint)


def branches_of(body: JsonObject) -> tuple[str, list[JsonObject]] | None:
    """The alternatives of a schema, and the keyword that lists them."""
    found = [(keyword, body[keyword]) for keyword in ("anyOf", "oneOf") if keyword in body]
    return found[0] if found else None


def spread(member: JsonObject) -> list[JsonObject]:
    """The members of a choice inside a choice, as one list."""
    if set(member) <= {"anyOf", "title", "description"} and "anyOf" in member:
        return [inner for part in member["anyOf"] for inner in spread(part)]
    return [member]


def forbidden_by(body: JsonObject, where: str) -> list[str]:
    """The properties that an object must not have: ``not`` beside properties says nothing else."""
    excluded = body.get("not")
    if excluded is None:
        return []
    names = excluded.get("required", [])
    if len(names) != 1 or set(excluded) - {"type", "required"} or excluded.get("type", "object") != "object":
        unsupported('a "not" of this form', where + pointer("not"), 'exclude one property: {"required": ["name"]}')
    return list(names)


def enum_members(members: list[JsonObject]) -> list[JsonObject]:
    """The members of a choice, with one member a value where a member lists several."""
    found: list[JsonObject] = []
    for member in members:
        if set(member) <= {"type", "enum", "description"} and "enum" in member:
            found += [{"const": value} for value in member["enum"]]
        else:
            found.append(member)
    return found


def is_enum(members: list[JsonObject]) -> bool:
    return any("const" in member for member in members) and all(_is_enum_member(member) for member in members)


def _is_enum_member(member: JsonObject) -> bool:
    if "const" in member:
        return not isinstance(member["const"], bool)
    return set(member) - ANNOTATIONS == {"type"} and member["type"] in ("string", "integer") and "title" in member


def tag_value(member: JsonObject, tag: str) -> str | None:
    value = member.get("properties", {}).get(tag, {}).get("const")
    return value if isinstance(value, str) else None


def required_alone(member: JsonObject, members: list[JsonObject]) -> str:
    """The properties that a branch requires and no other does: what names it where it has no title."""
    others = {wire for other in members if other is not member for wire in other.get("required", [])}
    return " ".join(wire for wire in member.get("required", []) if wire not in others)


def without(parts: Parts, tag: str) -> Parts:
    properties = {wire: schema for wire, schema in parts.properties.items() if wire != tag}
    return Parts(properties, [wire for wire in parts.required if wire != tag], parts.branches, parts.forbidden)


def merge(many: list[Parts], where: str) -> Parts:
    properties: dict[str, JsonObject] = {}
    required: list[str] = []
    forbidden: list[str] = []
    branches: tuple[str, list[JsonObject]] | None = None
    for parts in many:
        forbidden.extend(wire for wire in parts.forbidden if wire not in forbidden)
        for wire, schema in parts.properties.items():
            if wire in properties and properties[wire] != schema:
                raise CodegenError(
                    f"the property {json.dumps(wire)} comes together from two different schemas",
                    where=where,
                    hint="give it one schema",
                )
            properties.setdefault(wire, schema)
        required.extend(wire for wire in parts.required if wire not in required)
        if parts.branches is not None:
            if branches is not None:
                raise CodegenError(
                    "not supported: two lists of variants in one object", where=where, hint="nest one in a property"
                )
            branches = parts.branches
    for wire in forbidden:
        if wire in properties:
            raise CodegenError(
                f"the property {json.dumps(wire)} is both described and excluded",
                where=where,
                hint="keep one of the two",
            )
    return Parts(properties, required, branches, forbidden)
