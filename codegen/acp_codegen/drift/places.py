"""Places of a schema for people: what a JSON Pointer leads to is called, and what stands there."""

from __future__ import annotations

from typing import Any

from ..jsontypes import Json, JsonObject, is_array, pointer, ref_name
from ..lock import shape

# what follows one of these is a number or a name, and a name may itself be spelled like a keyword
_WITH_MEMBERS = ("$defs", "properties", "anyOf", "oneOf", "allOf")


def at(document: JsonObject, where: str) -> Any:
    """What a pointer leads to."""
    value: Any = document
    for token in _tokens(where):
        value = value[int(token)] if is_array(value) else value[token]
    return value


def excerpt(document: JsonObject, where: str | None) -> Json:
    """The shape of a place; nothing for a whole document, which nobody reads side by side."""
    if not where:
        return None
    found: Json = shape(at(document, where))
    return found


def definition_of(where: str) -> str:
    """The definition that a pointer leads into; empty at the root."""
    tokens = _tokens(where)
    return tokens[1] if tokens[:1] == ["$defs"] and len(tokens) > 1 else ""


def subject(document: JsonObject, where: str) -> str:
    """What people call a place: ``Definition.field``, ``Union: tag``, ``Union: tag.field``."""
    tokens = _tokens(where)
    name = ""
    position = 0
    while position + 1 < len(tokens):
        keyword, member = tokens[position], tokens[position + 1]
        position += 2 if keyword in _WITH_MEMBERS else 1
        if keyword == "$defs":
            name = member
        elif keyword == "properties":
            name = f"{name}.{member}" if name else member
        elif keyword in ("anyOf", "oneOf"):
            branch = _branch(at(document, pointer(*tokens[:position])), member)
            name = f"{name}: {branch}" if name else branch
    return name or "message"


def _branch(member: JsonObject, index: str) -> str:
    """A branch by its constant, its title or its type."""
    if "const" in member:
        return str(member["const"])
    constants = [schema["const"] for schema in member.get("properties", {}).values() if "const" in schema]
    if constants:
        return str(constants[0])
    named = member.get("title") or ref_name(member) or member.get("type")
    return str(named) if named else index


def _tokens(where: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in where.split("/")[1:]]
