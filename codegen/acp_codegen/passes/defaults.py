"""Prove that every schema default is a value of its type, so that it can become a Python default."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import CodegenError
from ..ir import (
    Alias,
    Bounds,
    Choice,
    Definition,
    Enum,
    ListOf,
    MapOf,
    Nullable,
    Presence,
    Record,
    Ref,
    Scalar,
    Type,
    Values,
)
from ..jsontypes import is_array, is_object, python_pattern

_SCALARS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "any": (object,),
    "null": (type(None),),
}


def check_defaults(definitions: tuple[Definition, ...]) -> None:
    """Raise CodegenError for a default that is not a value of its property."""
    by_name = {definition.name: definition for definition in definitions}
    for definition in definitions:
        for field in definition.fields if isinstance(definition, Record) else ():
            if field.presence is Presence.DEFAULTED and not fits(field.default, field.type, by_name):
                raise CodegenError(
                    f"the default {json.dumps(field.default)} is not a value of the property",
                    where=field.where + "/default",
                    hint="use a scalar, a list or an object of records that fits the type",
                )
        if isinstance(definition, Record):
            _check_finite(definition, by_name, [])


def _check_finite(record: Record, by_name: dict[str, Definition], path: list[str]) -> None:
    """The default of a record must not need another of the same record, and so on for ever."""
    if record.name in path:
        raise CodegenError(
            f"the default of {record.name} contains itself: {' -> '.join([*path, record.name])}",
            where=record.where,
            hint="remove one of these defaults",
        )
    for field in record.fields:
        if field.presence is Presence.DEFAULTED and isinstance(field.type, Ref):
            held = by_name[field.type.name]
            if isinstance(held, Record):
                _check_finite(held, by_name, [*path, record.name])


def fits(value: Any, type_: Type, by_name: dict[str, Definition]) -> bool:
    """Whether JSON is a value of the type."""
    if isinstance(type_, Ref):
        return _fits_definition(value, by_name[type_.name], by_name)
    if isinstance(type_, Nullable):
        return value is None or fits(value, type_.inner, by_name)
    if isinstance(type_, Values):
        return value in type_.values
    if isinstance(type_, ListOf):
        return is_array(value) and _has_length(value, type_) and all(fits(item, type_.item, by_name) for item in value)
    if isinstance(type_, MapOf):
        return is_object(value) and all(fits(item, type_.value, by_name) for item in value.values())
    if isinstance(type_, Choice):
        return all(isinstance(option, Scalar) for option in type_.options) and any(
            fits(value, option, by_name) for option in type_.options
        )
    if isinstance(value, bool) and type_.kind in ("integer", "number"):
        return False
    return isinstance(value, _SCALARS[type_.kind]) and _within(value, type_.bounds)


def _has_length(value: list[Any], type_: ListOf) -> bool:
    return (type_.min_items or 0) <= len(value) and (type_.max_items is None or len(value) <= type_.max_items)


def _within(value: Any, bounds: Bounds) -> bool:
    limits = [
        bounds.minimum is None or value >= bounds.minimum,
        bounds.maximum is None or value <= bounds.maximum,
        bounds.exclusive_minimum is None or value > bounds.exclusive_minimum,
        bounds.exclusive_maximum is None or value < bounds.exclusive_maximum,
        bounds.min_length is None or len(value) >= bounds.min_length,
        bounds.max_length is None or len(value) <= bounds.max_length,
        bounds.pattern is None or re.search(python_pattern(bounds.pattern), value) is not None,
    ]
    return all(limits)


def _fits_definition(value: Any, definition: Definition, by_name: dict[str, Definition]) -> bool:
    if isinstance(definition, Alias):
        return fits(value, definition.type, by_name)
    if isinstance(definition, Enum):
        if definition.open:
            return fits(value, Scalar(definition.base), by_name)
        return any(value == known.value for known in definition.values)
    if not isinstance(definition, Record) or not is_object(value):
        return False
    fields = {field.wire: field for field in definition.fields}
    return (
        set(value) <= set(fields)
        and all(field.wire in value for field in definition.fields if field.required)
        and all(
            (item is None and fields[wire].nullable) or fits(item, fields[wire].type, by_name)
            for wire, item in value.items()
        )
    )
