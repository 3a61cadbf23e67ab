"""Collect the rule of every session update, and stop where one is missing or speaks of what is not there.

A union is the list of session updates where one of its variants carries ``x-update``, or where ``session/update``
carries it. Its annotations are the whole truth about what updates do: nothing about a tag stands in the generator.
"""

from __future__ import annotations

import json

from ..errors import CodegenError, Fault
from ..ir import Definition, Field, Presence, Record, Ref, Scalar, Union_, Update
from ..jsontypes import JsonObject, at, pointer, subschemas

_EXAMPLE = '"x-update": {"op": "upsert", "entity": "tool_calls", "key": "toolCallId"}'


def collect_updates(document: JsonObject, definitions: tuple[Definition, ...]) -> tuple[Update, ...]:
    """The rules in the union's order; raises for a variant without one."""
    by_name = {definition.name: definition for definition in definitions}
    _check_places(document)
    unions = [d for d in definitions if isinstance(d, Union_) and d.name in _updates_of(document)]
    rows: list[Update] = []
    for union in unions:
        for variant in union.variants:
            rule = at(document, variant.where).get("x-update")
            if rule is None:
                raise CodegenError(
                    f'the update "{variant.value}" has no rule',
                    where=variant.where,
                    hint=f"add a line such as {_EXAMPLE}, or generate with --no-session",
                    fault=Fault(variant.where, "x-update"),
                )
            update = Update(variant.value, variant.target, variant.where, tuple(rule.items()))
            _check_rule(update, by_name)
            rows.append(update)
    _check_patches(definitions, rows)
    return tuple(rows)


def _check_places(document: JsonObject) -> None:
    """A rule that stands where no update is would be read by nobody."""
    branches = {pointer("$defs", name, keyword) for name in _updates_of(document) for keyword in ("anyOf", "oneOf")}
    for where, schema in subschemas(document):
        if "x-update" in schema and where.rpartition("/")[0] not in branches:
            raise CodegenError(
                '"x-update" on something that is no session update',
                where=where + pointer("x-update"),
                hint="move it to the variant of the update union that it speaks of, or remove it",
                fault=Fault(where, "x-update", is_superfluous=True),
            )


def _check_patches(definitions: tuple[Definition, ...], rows: list[Update]) -> None:
    """A three-state field of something that no update patches would be read by nobody."""
    patched = {row.target for row in rows if dict(row.rule)["op"] in ("upsert", "patch")}
    for definition in definitions:
        if isinstance(definition, Record) and definition.name not in patched:
            for field in definition.fields:
                if field.keyword("x-patch"):
                    raise CodegenError(
                        f'"x-patch" in {definition.name}, which no update patches',
                        where=field.where + pointer("x-patch"),
                        hint='give its update the op "upsert" or "patch", or remove the annotation',
                        fault=Fault(field.where, "x-patch", is_superfluous=True),
                    )


def update_tags(document: JsonObject) -> set[str]:
    """The tags of all session updates that a schema names."""
    return {
        str(schema["const"])
        for name in _updates_of(document)
        for keyword in ("anyOf", "oneOf")
        for variant in document["$defs"][name].get(keyword, [])
        for schema in variant.get("properties", {}).values()
        if "const" in schema
    }


def _updates_of(document: JsonObject) -> set[str]:
    """The unions that the params of ``session/update`` hold in their ``update`` property."""
    names: set[str] = set()
    for definition in document["$defs"].values():
        if definition.get("x-method") == "session/update":
            update = definition.get("properties", {}).get("update", {})
            names.update(
                part["$ref"].removeprefix("#/$defs/") for part in [update, *update.get("allOf", [])] if "$ref" in part
            )
    return names


def _check_rule(update: Update, by_name: dict[str, Definition]) -> None:
    rule = dict(update.rule)
    payload = by_name[update.target]
    if "key" in rule:
        for key in _resolve(rule["key"], payload, by_name, update, "key"):
            _check_key(key, update, rule, by_name)
    if rule["op"] in ("append", "append_bytes"):
        _resolve(rule.get("from", rule["field"]), payload, by_name, update, "from" if "from" in rule else "field")
    elif "field" in rule:
        _resolve(rule["field"], payload, by_name, update, "field")
    if "bytes" in rule:
        _resolve(rule["bytes"], payload, by_name, update, "bytes")
    if rule["op"] in ("upsert", "patch") and isinstance(payload, Record):
        for field in payload.fields:
            _check_decided(field, update)


def _check_key(key: Field, update: Update, rule: dict[str, str], by_name: dict[str, Definition]) -> None:
    """What an update without an id is about must be decided, and only a run of chunks can be."""
    is_always_there = key.required and not key.nullable
    if "unkeyed" in rule:
        held = by_name[key.type.name] if isinstance(key.type, Ref) else None
        is_text = Scalar("string") in (key.type, getattr(held, "type", None))
        if is_always_there or not is_text or "timeline" not in rule or "." in rule["key"]:
            raise CodegenError(
                f'"unkeyed" in the update "{update.tag}", whose key is no optional text of its own or which has no timeline',
                where=f"{update.where}/x-update/unkeyed",
                hint="remove it, or make the key an optional text and name a timeline",
                fault=Fault(update.where, "x-update"),
            )
    elif not is_always_there:
        raise CodegenError(
            f'what the update "{update.tag}" is about without {json.dumps(key.wire)} is not decided',
            where=f"{update.where}/x-update",
            hint='require the key, or add "unkeyed": "run" to an update that appends',
            fault=Fault(update.where, "x-update"),
        )


def _check_decided(field: Field, update: Update) -> None:
    """An optional field of a patched payload is three-state, or it is said not to be; silence is a mistake."""
    if field.presence is Presence.OPTIONAL and field.keyword("x-patch") is None:
        raise CodegenError(
            f'what null does to "{field.wire}" of the update "{update.tag}" is not decided',
            where=field.where,
            hint='add "x-patch": "replace" (or "merge", "keep", "latest", or "none" if it is not stored)',
            fault=Fault(field.where, "x-patch"),
        )


def _resolve(
    path: str, payload: Definition, by_name: dict[str, Definition], update: Update, keyword: str
) -> list[Field]:
    """Follow wire names joined by dots through records; in a union every variant must have the name."""
    current: list[Definition] = [payload]
    found: list[Field] = []
    for wire in path.split("."):
        following: list[Definition] = []
        records = _records(current, by_name)
        if not records:
            raise CodegenError(
                f"the rule looks for {json.dumps(wire)} in something that is no object",
                where=f"{update.where}/x-update/{keyword}",
                hint="end the path where the objects end",
                fault=Fault(update.where, "x-update"),
            )
        found = []
        for definition in records:
            field = next((field for field in definition.fields if field.wire == wire), None)
            if field is None:
                names = ", ".join(field.wire for field in definition.fields)
                raise CodegenError(
                    f"the rule names {json.dumps(wire)}, which {definition.name} does not have",
                    where=f"{update.where}/x-update/{keyword}",
                    hint=f"use one of: {names}",
                    fault=Fault(update.where, "x-update"),
                )
            found.append(field)
            if isinstance(field.type, Ref):
                following.append(by_name[field.type.name])
        current = following
    return found


def _records(definitions: list[Definition], by_name: dict[str, Definition]) -> list[Record]:
    found: list[Record] = []
    for definition in definitions:
        if isinstance(definition, Record):
            found.append(definition)
        elif isinstance(definition, Union_):
            found.extend(_records([by_name[variant.target] for variant in definition.variants], by_name))
    return found
