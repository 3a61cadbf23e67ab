"""View of the update table for people: what each session update does, in words made from the annotations."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..ir import Entity, Operation, SessionModel, StoredField


@dataclass(frozen=True)
class RowView:
    tag: str
    payload: str
    effect: str


@dataclass(frozen=True)
class StoredFieldView:
    wire: str
    value: str
    null: str
    initial: str


@dataclass(frozen=True)
class StoredEntityView:
    kind: str
    state: str
    fields: list[StoredFieldView]


def update_rows(session: SessionModel) -> list[RowView]:
    return [
        RowView(operation.update.tag, operation.update.target, _effect(operation)) for operation in session.operations
    ]


def stored_entities(session: SessionModel) -> list[StoredEntityView]:
    return [_entity(entity) for entity in session.entities]


def _effect(operation: Operation) -> str:
    rule = dict(operation.update.rule)
    place = f"`{operation.kind}`"
    if operation.op == "upsert":
        return f"patches the entry of {place} under `{rule['key']}`, and creates it if it is new"
    if operation.op == "create":
        return f"replaces all of the entry of {place} under `{rule['key']}`, and creates it if it is new"
    if operation.op == "append":
        source = rule.get("from", rule["field"])
        unkeyed = "; without an id it continues the newest entry that has none either" if operation.unkeyed else ""
        return f"appends `{source}` to `{rule['field']}` of the entry of {place} under `{rule['key']}`{unkeyed}"
    if operation.op == "append_bytes":
        return f"decodes `{rule.get('from', rule['field'])}` and appends the bytes to the entry of {place} under `{rule['key']}`"
    if operation.op == "replace":
        return f"replaces the entry of {place} under `{rule['key']}` as a whole"
    if operation.op == "set":
        return f"replaces {place} by `{rule['field']}`" if "field" in rule else f"replaces {place} by itself"
    if operation.op == "patch":
        return f"patches {place}"
    return "is an event: no state changes"


def _entity(entity: Entity) -> StoredEntityView:
    if entity.of_chunks:
        collected = StoredFieldView(entity.fields[0].field.wire, "is appended, chunk by chunk", "not allowed", "`[]`")
        return StoredEntityView(entity.kind, entity.state_name, [collected])
    return StoredEntityView(entity.kind, entity.state_name, [_field(stored) for stored in entity.fields])


def _field(stored: StoredField) -> StoredFieldView:
    reset = f"`{json.dumps(stored.reset)}`" if stored.has_reset else "unset"
    if stored.how == "bytes":
        return StoredFieldView(stored.field.wire, "replaces all bytes", "no bytes", "no bytes")
    if stored.how == "merge":
        return StoredFieldView(stored.field.wire, "merges by key; a null key goes", "unset", reset)
    if stored.how == "keep":
        return StoredFieldView(stored.field.wire, "replaces", "changes nothing", reset)
    if stored.how == "latest":
        return StoredFieldView(stored.field.wire, "replaces; absent like null", "unset", "unset")
    if stored.how == "set":
        return StoredFieldView(stored.field.wire, "replaces (always sent)", "not allowed", reset)
    return StoredFieldView(stored.field.wire, "replaces", reset, reset)
