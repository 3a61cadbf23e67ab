"""Derive the session state from the update rules: what is stored, under which key, and how each update changes it."""

from __future__ import annotations

import json
from dataclasses import replace

from ..errors import CodegenError, Fault
from ..ir import (
    Cancel,
    Definition,
    Entity,
    Field,
    ListOf,
    Operation,
    Presence,
    Record,
    Ref,
    Scalar,
    SessionModel,
    StoredField,
    Type,
    Union_,
    Update,
)
from ..jsontypes import JsonObject, is_object
from .defaults import fits
from .feeds import derive_feeders
from .session_places import check_session_places
from .naming import field_name

_PLAIN = ("keep", "latest")  # stored, though their null is no clear


def derive_session(
    document: JsonObject, definitions: tuple[Definition, ...], updates: tuple[Update, ...]
) -> SessionModel | None:
    """The session model, or None for a schema without update rules."""
    if not updates:
        return None
    by_name = {definition.name: definition for definition in definitions}
    check_session_places(definitions, updates)
    entities: dict[str, Entity] = {}
    for update in updates:
        rule = dict(update.rule)
        if rule["op"] in ("upsert", "patch"):
            entity = _entity(update, rule, by_name)
            entities[entity.kind] = entity
        elif rule.get("creates"):
            entity = _entity_of_chunks(update, rule, by_name)
            entities[entity.kind] = entity
    for update in updates:
        if dict(update.rule)["op"] == "create":
            entities[dict(update.rule)["entity"]] = _created(update, dict(update.rule), entities, by_name)
    for entity in entities.values():
        _check_resets(entity, by_name)
    operations = tuple(_operation(update, dict(update.rule), entities, by_name) for update in updates)
    targets = {update.target for update in updates}
    union = next(d.name for d in definitions if isinstance(d, Union_) and {v.target for v in d.variants} == targets)
    return SessionModel(
        union,
        tuple(entities.values()),
        operations,
        derive_feeders(document, definitions, operations),
        _cancels(tuple(entities.values()), operations, by_name),
    )


def _cancels(
    entities: tuple[Entity, ...], operations: tuple[Operation, ...], by_name: dict[str, Definition]
) -> tuple[Cancel, ...]:
    slots = [operation.kind for operation in operations if operation.op in ("set", "patch")]
    found: list[Cancel] = []
    for entity in entities:
        for stored in entity.fields:
            rule = stored.field.keyword("x-cancelled")
            if is_object(rule) and entity.key is not None:
                slot, _, wire = str(rule.get("unless_in", "")).partition(".")
                _check_cancelled(stored.field, rule["value"], slot, slots, by_name)
                found.append(
                    Cancel(
                        entity.kind,
                        entity.key.name,
                        stored.field.name,
                        rule["value"],
                        tuple(rule["final"]),
                        (slot, field_name(wire, stored.field.where)) if slot else None,
                    )
                )
    return tuple(found)


def _check_cancelled(field: Field, value: str, slot: str, slots: list[str], by_name: dict[str, Definition]) -> None:
    fault = Fault(field.where, "x-cancelled", is_superfluous=True)
    if not fits(value, field.type, by_name):
        raise CodegenError(
            f"{json.dumps(value)} is not a value of the property",
            where=field.where + "/x-cancelled/value",
            hint="use a value of the property's type",
            fault=fault,
        )
    if slot and slot not in slots:
        raise CodegenError(
            f"there is no slot {json.dumps(slot)}",
            where=field.where + "/x-cancelled/unless_in",
            hint=f"use one of: {', '.join(slots)}",
            fault=fault,
        )


def _check_resets(entity: Entity, by_name: dict[str, Definition]) -> None:
    for stored in entity.fields:
        if stored.has_reset and not fits(stored.reset, stored.field.type, by_name):
            raise CodegenError(
                f"{json.dumps(stored.reset)} is not a value of the property",
                where=stored.field.where + "/x-reset",
                hint="use a value of the property's type",
                fault=Fault(stored.field.where, "x-reset", is_superfluous=True),
            )


def _entity(update: Update, rule: dict[str, str], by_name: dict[str, Definition]) -> Entity:
    payload = by_name[update.target]
    if not isinstance(payload, Record):
        raise CodegenError(
            f'the op "{rule["op"]}" needs a record, {payload.name} is a union',
            where=update.where + "/x-update",
            hint='use the op "set"',
            fault=Fault(update.where, "x-update"),
        )
    key = next((field for field in payload.fields if field.wire == rule.get("key")), None)
    bytes_field, _, inner = rule.get("bytes", "").partition(".")
    if bytes_field:
        _check_bytes(update, payload, bytes_field, inner, by_name)
    fields = tuple(
        _stored(field, inner if field.wire == bytes_field else "")
        for field in payload.fields
        if field is not key and (field.presence is not Presence.OPTIONAL or field.keyword("x-patch") in _PLAIN)
    )
    return Entity(
        kind=rule.get("entity", rule.get("slot", "")),
        payload=payload,
        state_name=payload.name.removesuffix("Update") + "State",
        key=key,
        timeline=rule.get("timeline", ""),
        fields=fields,
    )


def _entity_of_chunks(update: Update, rule: dict[str, str], by_name: dict[str, Definition]) -> Entity:
    """An entry that no update carries whole: a list of what its chunks brought."""
    payload = by_name[update.target]
    source = rule.get("from", rule["field"])
    fields = {field.wire: field for field in payload.fields} if isinstance(payload, Record) else {}
    brought = fields.get(source)
    if not isinstance(payload, Record) or brought is None or source != rule["field"] or "." in rule["key"]:
        raise CodegenError(
            f'"creates" in the update "{update.tag}", whose key or field is no property of its own',
            where=update.where + "/x-update/creates",
            hint="name properties of the payload itself, and the list like the property that it collects",
            fault=Fault(update.where, "x-update"),
        )
    if not brought.required or brought.nullable:
        raise CodegenError(
            f'the update "{update.tag}" makes entries of {json.dumps(source)}, which it may leave out',
            where=brought.where,
            hint="require the property",
            fault=Fault(update.where, "x-update"),
        )
    items = replace(
        brought,
        type=ListOf(brought.type),
        required=False,
        presence=Presence.PATCH,
        doc="Everything that came so far, in order.",
    )
    return Entity(
        kind=rule["entity"],
        payload=payload,
        state_name=payload.name.removesuffix("Chunk") + "State",
        key=fields[rule["key"]],
        timeline=rule.get("timeline", ""),
        fields=(StoredField(items, "replace", True, []),),
        of_chunks=True,
    )


def _created(
    update: Update, rule: dict[str, str], entities: dict[str, Entity], by_name: dict[str, Definition]
) -> Entity:
    """The entity with the payload that carries all of it; that payload must have what the entity stores."""
    entity = entities.get(rule["entity"])
    payload = by_name[update.target]
    where = update.where + "/x-update"
    if entity is None or entity.of_chunks or entity.whole is not None or not isinstance(payload, Record):
        raise CodegenError(
            f'the update "{update.tag}" creates "{rule["entity"]}", which not exactly one other update upserts',
            where=where + "/entity",
            hint='name the entity of an update with the op "upsert"',
            fault=Fault(update.where, "x-update"),
        )
    if entity.key is None or rule["key"] != entity.key.wire:
        raise CodegenError(
            f'the updates of "{rule["entity"]}" have different keys',
            where=where + "/key",
            hint=f'use "{entity.key.wire if entity.key else ""}" in both',
            fault=Fault(update.where, "x-update"),
        )
    held = {field.wire: field.type for field in payload.fields}
    for stored in entity.fields:
        if held.get(stored.field.wire) != stored.field.type or stored.how != "keep":
            raise CodegenError(
                f'the update "{update.tag}" does not carry {json.dumps(stored.field.wire)} as {entity.payload.name} does',
                where=where,
                hint='give both the same property, with "x-patch": "keep" in the patch',
                fault=(
                    Fault(stored.field.where, "x-patch")
                    if stored.field.keyword("x-patch")
                    else Fault(update.where, "x-update")
                ),
            )
    return replace(entity, whole=payload)


def _check_bytes(update: Update, payload: Record, wire: str, inner: str, by_name: dict[str, Definition]) -> None:
    """The bytes of an entity stand as text in a record that a patch property holds."""
    field = next(field for field in payload.fields if field.wire == wire)
    held = by_name.get(field.type.name) if isinstance(field.type, Ref) else None
    texts = [f for f in held.fields if f.wire == inner] if isinstance(held, Record) else []
    required = [f.wire for f in held.fields if f.required] if isinstance(held, Record) else []
    if field.presence is not Presence.PATCH or not texts or texts[0].type != Scalar("string") or required != [inner]:
        raise CodegenError(
            f"{json.dumps(wire + ('.' + inner if inner else ''))} does not name text in a record of a patch property",
            where=update.where + "/x-update/bytes",
            hint='name a patch property and its only required text, such as "output.data"',
            fault=Fault(update.where, "x-update"),
        )


def _stored(field: Field, inner: str) -> StoredField:
    reset = field.keyword("x-reset")
    has_reset = reset is not None
    if inner:
        return StoredField(field, "bytes", False, None, field_name(inner, field.where), inner)
    if field.presence is Presence.PATCH:
        how = "merge" if field.keyword("x-patch") == "merge" else "replace"
        return StoredField(field, how, has_reset, reset)
    if field.presence is Presence.OPTIONAL:
        return StoredField(field, str(field.keyword("x-patch")), has_reset, reset)
    return StoredField(field, "set", has_reset, reset)


def _operation(
    update: Update, rule: dict[str, str], entities: dict[str, Entity], by_name: dict[str, Definition]
) -> Operation:
    op = rule["op"]
    kind = rule.get("entity", rule.get("slot", ""))
    entity = entities.get(kind)
    if op in ("append", "append_bytes"):
        _check_target(update, rule, entity, by_name)
    return Operation(
        update=update,
        op=op,
        kind=kind,
        entity=entity,
        key=_python_path(rule.get("key", ""), update),
        source=_python_path(rule.get("from", rule.get("field", "")), update),
        target=_python_path(rule.get("field", "").partition(".")[0], update),
        timeline=rule.get("timeline", ""),
        unkeyed="unkeyed" in rule,
    )


def _check_target(update: Update, rule: dict[str, str], entity: Entity | None, by_name: dict[str, Definition]) -> None:
    where = update.where + "/x-update"
    if entity is None:
        raise CodegenError(
            f'the update "{update.tag}" appends to "{rule["entity"]}", which no update upserts',
            where=where + "/entity",
            hint='name the entity of an update with the op "upsert"',
            fault=Fault(update.where, "x-update"),
        )
    for stored in entity.fields:
        if stored.how == "set" and not stored.has_reset:
            raise CodegenError(
                f'the update "{update.tag}" can create an entry without {json.dumps(stored.field.wire)}',
                where=stored.field.where,
                hint='add "x-reset" with the value that a new entry starts with',
                fault=Fault(update.where, "x-update"),
            )
    payload = by_name[update.target]
    source_wire = rule.get("from", rule["field"])
    source = next((f.type for f in getattr(payload, "fields", ()) if f.wire == source_wire), None)
    targets = {_append_path(stored): stored for stored in entity.fields if _takes(stored, rule["op"], source)}
    if rule["field"] not in targets:
        first, _, second = rule["field"].partition(".")
        wrong = second if any(path.startswith(first + ".") for path in targets) else first
        choices = ", ".join(map(json.dumps, targets))
        raise CodegenError(
            f'the update "{update.tag}" cannot append to {json.dumps(wrong)} of {entity.payload.name}',
            where=where + "/field",
            hint=f"use one of: {choices}" if choices else 'append to an array of such values that has "x-reset": []',
            fault=Fault(update.where, "x-update"),
        )


def _append_path(stored: StoredField) -> str:
    return f"{stored.field.wire}.{stored.inner_wire}" if stored.how == "bytes" else stored.field.wire


def _takes(stored: StoredField, op: str, source: Type | None) -> bool:
    if op == "append_bytes":
        return stored.how == "bytes" and source == Scalar("string")
    type_ = stored.field.type
    return stored.how == "replace" and stored.reset == [] and isinstance(type_, ListOf) and type_.item == source


def _python_path(path: str, update: Update) -> str:
    return ".".join(field_name(part, update.where) for part in path.split(".")) if path else ""
