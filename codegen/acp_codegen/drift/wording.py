"""Types and values in the words of a report."""

from __future__ import annotations

import json

from ..ir import Bounds, Choice, ListOf, MapOf, Nullable, Record, Ref, Scalar, Type, Union_, Values
from ..jsontypes import Json

_LONGEST = 60


def quoted(value: Json) -> str:
    """A JSON value on one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def described(type_: Type) -> str:
    """A type as people say it: ``list of ToolCallLocation``."""
    if isinstance(type_, Ref):
        return type_.name
    if isinstance(type_, Values):
        return " or ".join(quoted(value) for value in type_.values)
    if isinstance(type_, ListOf):
        return f"list of {described(type_.item)}"
    if isinstance(type_, MapOf):
        return f"map of {described(type_.value)}"
    if isinstance(type_, Nullable):
        return f"{described(type_.inner)} or null"
    if isinstance(type_, Choice):
        return " or ".join(described(option) for option in type_.options)
    return "anything" if type_.kind == "any" else type_.kind


def limits(type_: Type | Record | Union_) -> str:
    """The constraints of a type, those of its items included; "no limit" where there is none."""
    return ", ".join(dict.fromkeys(_limits(type_))) or "no limit"


def _limits(type_: Type | Record | Union_) -> list[str]:
    if isinstance(type_, Scalar):
        return _bounds(type_.bounds)
    if isinstance(type_, ListOf):
        own = _named({"minItems": type_.min_items, "maxItems": type_.max_items})
        return own + [f"items with {limit}" for limit in _limits(type_.item)]
    if isinstance(type_, MapOf):
        return _limits(type_.value)
    if isinstance(type_, Nullable):
        return _limits(type_.inner)
    if isinstance(type_, Choice):
        return [limit for option in type_.options for limit in _limits(option)]
    return []


def _bounds(bounds: Bounds) -> list[str]:
    return _named(
        {
            "minimum": bounds.minimum,
            "maximum": bounds.maximum,
            "exclusiveMinimum": bounds.exclusive_minimum,
            "exclusiveMaximum": bounds.exclusive_maximum,
            "minLength": bounds.min_length,
            "maxLength": bounds.max_length,
            "pattern": bounds.pattern,
        }
    )


def _named(values: dict[str, float | int | str | None]) -> list[str]:
    return [f"{keyword} {value}" for keyword, value in values.items() if value is not None]
