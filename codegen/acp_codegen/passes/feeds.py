"""Find what feeds the session state beside the updates: requests and results whose properties carry ``x-feeds``."""

from __future__ import annotations

import json

from ..errors import CodegenError, Fault
from ..ir import Definition, Feed, Feeder, Field, ListOf, Operation, Record, Ref, Type, Union_
from ..jsontypes import Json, JsonObject, is_object, pointer


def derive_feeders(
    document: JsonObject, definitions: tuple[Definition, ...], operations: tuple[Operation, ...]
) -> tuple[Feeder, ...]:
    """Every message with a method that has a feed of its own or in a variant that it holds."""
    by_name = {definition.name: definition for definition in definitions}
    slots = {operation.kind: operation for operation in operations if operation.op == "set"}
    tags = {operation.update.tag: operation for operation in operations}
    feeders: list[Feeder] = []
    used: set[str] = set()
    for name, body in document["$defs"].items():
        definition = by_name[name]
        if "x-method" not in body or not isinstance(definition, Record):
            continue
        feeds: list[Feed] = []
        for field in definition.fields:
            for path, guard, fed in _fed(field, by_name):
                optional_holder = not guard and fed is not field and (not field.required or field.nullable)
                feeds.append(_feed(path, guard, optional_holder, fed, slots, tags, by_name))
                used.add(fed.where)
        initial = _initial(name, body.get("x-initial"), slots, by_name)
        ends_run = bool(body.get("x-ends-run"))
        if feeds or initial or ends_run:
            feeders.append(Feeder(name, tuple(feeds), initial, ends_run))
    has_run = any(operation.unkeyed for operation in operations)
    for name, body in document["$defs"].items():
        for keyword in ("x-initial", "x-ends-run"):
            if keyword in body and name not in {feeder.message for feeder in feeders}:
                raise CodegenError(
                    f'"{keyword}" on something that is neither a request nor a result',
                    where=pointer("$defs", name, keyword),
                    hint="remove it",
                    fault=Fault(pointer("$defs", name), keyword, is_superfluous=True),
                )
        if "x-ends-run" in body and not has_run:
            raise CodegenError(
                '"x-ends-run" where every chunk has an id',
                where=pointer("$defs", name, "x-ends-run"),
                hint='remove it, or add "unkeyed": "run" to an update',
                fault=Fault(pointer("$defs", name), "x-ends-run", is_superfluous=True),
            )
    _check_used(definitions, used)
    return tuple(feeders)


def _fed(field: Field, by_name: dict[str, Definition]) -> list[tuple[str, str, Field]]:
    """The fed properties that a property of a message is or holds: path, guarding class, property."""
    if field.keyword("x-feeds") is not None:
        return [(field.name, "", field)]
    found: list[tuple[str, str, Field]] = []
    held = by_name.get(field.type.name) if isinstance(field.type, Ref) else None
    if isinstance(held, Union_):
        for variant in held.variants:
            record = by_name[variant.target]
            if isinstance(record, Record):
                found += [
                    (f"{field.name}.{inner.name}", record.name, inner)
                    for inner in record.fields
                    if inner.keyword("x-feeds") is not None
                ]
    elif isinstance(held, Record):
        found += [
            (f"{field.name}.{inner.name}", "", inner) for inner in held.fields if inner.keyword("x-feeds") is not None
        ]
    return found


def _feed(
    path: str,
    guard: str,
    optional_holder: bool,
    field: Field,
    slots: dict[str, Operation],
    tags: dict[str, Operation],
    by_name: dict[str, Definition],
) -> Feed:
    rule = field.keyword("x-feeds")
    assert is_object(rule)
    where = field.where + pointer("x-feeds")
    fault = Fault(field.where, "x-feeds", is_superfluous=True)
    if "update" in rule:
        operation = tags.get(rule["update"])
        if operation is None or field.type != Ref(operation.update.target):
            raise CodegenError(
                f"no update {json.dumps(rule['update'])} has this property's type",
                where=where,
                hint=f"use one of: {', '.join(tags)}",
                fault=fault,
            )
        return Feed(path, guard, optional_holder, _may_lack(field), "", False, False)
    if rule["slot"] not in slots:
        raise CodegenError(
            f"there is no slot {json.dumps(rule['slot'])}",
            where=where,
            hint=f"use one of: {', '.join(slots)}",
            fault=fault,
        )
    fitting = [slot for slot, operation in slots.items() if _slot_type(operation, by_name) == field.type]
    if rule["slot"] not in fitting:
        raise CodegenError(
            f"the slot {json.dumps(rule['slot'])} holds values of another type",
            where=where,
            hint=f"use one of: {', '.join(fitting) or 'no slot holds such values'}",
            fault=fault,
        )
    is_list = isinstance(field.type, ListOf)
    optional = _may_lack(field) and not is_list  # a list that is not there is an empty one
    return Feed(path, guard, optional_holder, optional, rule["slot"], bool(rule.get("unless_received")), is_list)


def _may_lack(field: Field) -> bool:
    return not field.required or field.nullable


def _slot_type(operation: Operation, by_name: dict[str, Definition]) -> Type:
    payload = by_name[operation.update.target]
    for field in payload.fields if isinstance(payload, Record) else ():
        if field.name == operation.source:
            return field.type
    return Ref(operation.update.target)


def _initial(
    name: str, rule: Json, slots: dict[str, Operation], by_name: dict[str, Definition]
) -> tuple[tuple[str, str, Json], ...]:
    if not is_object(rule):
        return ()
    fault = Fault(pointer("$defs", name), "x-initial", is_superfluous=True)
    for slot, value in rule.items():
        union = by_name[slots[slot].update.target] if slot in slots else None
        if isinstance(union, Union_):
            tags = [variant.value for variant in union.variants]
            if not is_object(value) or value.get(union.tag) not in tags:
                raise CodegenError(
                    f"{json.dumps(value)} has no {json.dumps(union.tag)} of a {union.name}",
                    where=pointer("$defs", name, "x-initial", slot),
                    hint=f"use one of: {', '.join(tags)}",
                    fault=fault,
                )
        if slot not in slots:
            raise CodegenError(
                f"there is no slot {json.dumps(slot)}",
                where=pointer("$defs", name, "x-initial"),
                hint=f"use one of: {', '.join(slots)}",
                fault=fault,
            )
    return tuple((slot, slots[slot].update.target, value) for slot, value in rule.items())


def _check_used(definitions: tuple[Definition, ...], used: set[str]) -> None:
    for definition in definitions:
        for field in definition.fields if isinstance(definition, Record) else ():
            if field.keyword("x-feeds") is not None and field.where not in used:
                raise CodegenError(
                    '"x-feeds" in something that is neither a request nor a result',
                    where=field.where + pointer("x-feeds"),
                    hint="remove it",
                    fault=Fault(field.where, "x-feeds", is_superfluous=True),
                )
