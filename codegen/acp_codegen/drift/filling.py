"""What a default says once the defaults inside it are filled in: two that come to the same are one."""

from __future__ import annotations

from ..ir import Alias, ListOf, MapOf, Nullable, Presence, Record, Ref, Type
from ..jsontypes import Json, is_array, is_object
from .version import Version


def filled(value: Json, type_: Type, version: Version) -> Json:
    """The value as a reader sees it: absent fields have their defaults, and null is as good as absent."""
    if isinstance(type_, Nullable):
        return filled(value, type_.inner, version)
    if isinstance(type_, Ref):
        definition = version.definitions[type_.name]
        if isinstance(definition, Alias):
            return filled(value, definition.type, version)
        return _record(value, definition, version) if isinstance(definition, Record) else value
    if isinstance(type_, ListOf) and is_array(value):
        return [filled(item, type_.item, version) for item in value]
    if isinstance(type_, MapOf) and is_object(value):
        return {name: filled(member, type_.value, version) for name, member in value.items()}
    return value


def _record(value: Json, record: Record, version: Version) -> Json:
    if not is_object(value):
        return value
    result = {name: member for name, member in value.items() if member is not None}
    for field in record.fields:
        if field.wire not in result and field.presence is Presence.DEFAULTED:
            result[field.wire] = field.default
        if field.wire in result:
            result[field.wire] = filled(result[field.wire], field.type, version)
    return result
