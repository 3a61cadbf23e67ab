"""Decide for every field how it may be absent, and what takes the place of null and of malformed values.

This is the table of the leniency keywords (``x-deserialize-*``) and of ``x-patch``, applied once; the fast and the
careful codecs both follow what is decided here.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import CodegenError, Fault
from ..ir import Definition, Fallback, Field, ListOf, MapOf, Presence, Record, Scalar

_LENIENT = "x-deserialize-default-on-error"
_SKIP = "x-deserialize-skip-invalid-items"
_NULL_EMPTY = "x-deserialize-default-on-null"


def decide_presence(definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
    """The definitions with presence and fallbacks filled in for every field."""
    return tuple(
        (
            replace(definition, fields=tuple(_decide(field) for field in definition.fields))
            if isinstance(definition, Record)
            else definition
        )
        for definition in definitions
    )


def _decide(field: Field) -> Field:
    is_list = isinstance(field.type, ListOf)
    is_container = is_list or isinstance(field.type, MapOf)
    takes_null = field.nullable or field.type == Scalar("any")
    lenient = bool(field.keyword(_LENIENT))
    if field.keyword(_SKIP) and not is_list:
        _refuse(field, f'"{_SKIP}" on something that is not an array', "use it on arrays only")
    if field.keyword(_NULL_EMPTY) and (not is_container or field.nullable):
        _refuse(field, f'"{_NULL_EMPTY}" needs an array or a map that is not nullable', "remove the keyword")
    field = replace(field, skip_invalid_items=bool(field.keyword(_SKIP)))
    unread = Fault(field.where, "x-patch", is_superfluous=True)
    if field.keyword("x-patch") in ("keep", "latest"):
        if field.required:
            _refuse(field, '"x-patch" on a required property', "remove it: a required property is never absent", unread)
        if field.has_default and field.default is not None:
            hint = "remove one of the two: with a default nothing is ever absent"
            _refuse(field, '"x-patch" beside a default', hint, unread)
    if field.keyword("x-patch") in ("replace", "merge"):
        return _patch(field, takes_null, lenient)
    if field.required:
        return _required(field, takes_null, lenient, is_container)
    if field.keyword("x-reset") is not None and field.keyword("x-patch") != "keep":
        _refuse(
            field,
            '"x-reset" on a property that null does not reset',
            'add "x-patch": "replace" or remove "x-reset"',
            Fault(field.where, "x-reset", is_superfluous=True),
        )
    if field.has_default and field.default is not None:
        return _defaulted(field, takes_null, lenient)
    return _optional(field, takes_null, lenient, is_container)


def _patch(field: Field, takes_null: bool, lenient: bool) -> Field:
    fault = Fault(field.where, "x-patch", is_superfluous=field.required)
    if field.required:
        _refuse(field, '"x-patch" on a required property', "remove it: a required property is never absent", fault)
    if not takes_null:
        _refuse(field, '"x-patch" on a property that cannot be null', "allow null or remove the keyword", fault)
    if field.keyword("x-patch") == "merge" and not isinstance(field.type, MapOf):
        _refuse(field, '"x-patch": "merge" on something that is not a map', 'use "replace"', fault)
    on_error = Fallback.ABSENT if lenient else Fallback.FAIL
    return replace(field, presence=Presence.PATCH, on_null=Fallback.VALUE, on_error=on_error)


def _required(field: Field, takes_null: bool, lenient: bool, is_container: bool) -> Field:
    on_error = Fallback.FAIL
    if lenient:
        if not is_container:
            _refuse(field, f'"{_LENIENT}" on a required property that is no array or map', "remove the keyword")
        on_error = Fallback.EMPTY
    return replace(field, presence=Presence.REQUIRED, on_null=_null(field, takes_null, on_error), on_error=on_error)


def _defaulted(field: Field, takes_null: bool, lenient: bool) -> Field:
    on_error = Fallback.ABSENT if lenient else Fallback.FAIL
    on_null = _null(field, takes_null, on_error)
    return replace(field, presence=Presence.DEFAULTED, on_null=on_null, on_error=on_error)


def _optional(field: Field, takes_null: bool, lenient: bool, is_container: bool) -> Field:
    empty = Fallback.EMPTY if is_container and not takes_null else Fallback.ABSENT
    on_error = empty if lenient else Fallback.FAIL
    return replace(field, presence=Presence.OPTIONAL, on_null=_null(field, takes_null, on_error), on_error=on_error)


def _null(field: Field, takes_null: bool, on_error: Fallback) -> Fallback:
    if takes_null:
        return Fallback.VALUE
    return Fallback.EMPTY if field.keyword(_NULL_EMPTY) else on_error


def _refuse(field: Field, what: str, hint: str, fault: Fault | None = None) -> None:
    raise CodegenError(what, where=field.where, hint=hint, fault=fault)
