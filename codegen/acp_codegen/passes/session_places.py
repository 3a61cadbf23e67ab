"""Refuse update rules that contradict each other, and annotations that stand where nothing reads them."""

from __future__ import annotations

import json

from ..errors import CodegenError, Fault
from ..ir import Definition, Field, Record, Scalar, Update
from ..jsontypes import pointer

# What every session state has beside the places that updates write to.
_TAKEN = {"timeline", "received", "run", "to_json", "extra"}
_COLLECTION = {"upsert", "create", "append", "append_bytes"}


def check_session_places(definitions: tuple[Definition, ...], updates: tuple[Update, ...]) -> None:
    """Raise CodegenError at the first rule or annotation that cannot be meant."""
    _check_kinds(updates)
    _check_timelines(updates)
    _check_annotations(definitions, updates)


def _kind(update: Update) -> str:
    rule = dict(update.rule)
    return rule.get("entity", rule.get("slot", ""))


def _check_kinds(updates: tuple[Update, ...]) -> None:
    writers: dict[str, Update] = {}
    for update in updates:
        rule = dict(update.rule)
        kind = _kind(update)
        where = update.where + pointer("x-update", "entity" if "entity" in rule else "slot")
        if kind.partition(".")[0] in _TAKEN:
            raise CodegenError(
                f"{json.dumps(kind)} is taken by the state itself",
                where=where,
                hint="use another name",
                fault=Fault(update.where, "x-update"),
            )
        if not kind or (rule["op"] in ("create", "append", "append_bytes") and "creates" not in rule):
            continue
        for other, first in writers.items():
            if kind == other or kind.startswith(other + ".") or other.startswith(kind + "."):
                both = rule["op"] == dict(first.rule)["op"] == "upsert"
                raise CodegenError(
                    (
                        f"two updates upsert {json.dumps(kind)}"
                        if both
                        else f'the updates "{first.tag}" and "{update.tag}" both write to {json.dumps(kind)}'
                    ),
                    where=where,
                    hint="give one of them a place of its own",
                    fault=Fault(update.where, "x-update"),
                )
        writers[kind] = update


def _check_timelines(updates: tuple[Update, ...]) -> None:
    timelines: dict[str, str] = {}
    for update in updates:
        rule = dict(update.rule)
        if rule["op"] in _COLLECTION:
            timeline = timelines.setdefault(rule["entity"], rule.get("timeline", ""))
            if timeline != rule.get("timeline", ""):
                raise CodegenError(
                    f'the updates of {json.dumps(rule["entity"])} disagree about its timeline: '
                    f'{json.dumps(timeline)} and {json.dumps(rule.get("timeline", ""))}',
                    where=update.where + pointer("x-update", "timeline"),
                    hint=f'use "timeline": {json.dumps(timeline)} in all of them' if timeline else "use none or one",
                    fault=Fault(update.where, "x-update"),
                )


def _check_annotations(definitions: tuple[Definition, ...], updates: tuple[Update, ...]) -> None:
    """What speaks of stored fields must stand on fields that are stored."""
    collections = {update.target for update in updates if dict(update.rule)["op"] == "upsert"}
    slots = {update.target for update in updates if dict(update.rule)["op"] == "patch"}
    for definition in definitions:
        for field in definition.fields if isinstance(definition, Record) else ():
            in_collection = definition.name in collections
            if field.keyword("x-reset") is not None and not in_collection and definition.name not in slots:
                _refuse(field, "x-reset", "a property that no update stores")
            if field.keyword("x-expected") is not None and not (
                in_collection and field.keyword("x-patch") in ("replace", "keep") and field.keyword("x-reset") is None
            ):
                _refuse(field, "x-expected", "something else than a patch property of an upserted entity")
            if field.keyword("x-cancelled") is not None and not (in_collection and _is_text(field, definitions)):
                _refuse(field, "x-cancelled", "something else than a text property of an upserted entity")


def _is_text(field: Field, definitions: tuple[Definition, ...]) -> bool:
    by_name = {definition.name: definition for definition in definitions}
    held = by_name.get(getattr(field.type, "name", ""))
    return field.type == Scalar("string") or getattr(held, "base", "") == "string"


def _refuse(field: Field, keyword: str, what: str) -> None:
    raise CodegenError(
        f'"{keyword}" on {what}',
        where=field.where + pointer(keyword),
        hint="move it to where it is read, or remove it",
        fault=Fault(field.where, keyword, is_superfluous=True),
    )
