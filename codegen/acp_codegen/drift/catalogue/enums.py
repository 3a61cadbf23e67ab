"""Rules about enums."""

from __future__ import annotations

from ...jsontypes import JsonObject
from .rule import BREAKS, SAFE, SOURCE, WIRE, Rule


def _closed(*values: str) -> JsonObject:
    return {"Note": {"type": "string", "enum": list(values)}}


def _open(*values: str) -> JsonObject:
    known: list[JsonObject] = [{"type": "string", "const": value} for value in values]
    return {"Note": {"anyOf": [*known, {"title": "Other", "type": "string"}]}}


def _codes(title: str) -> JsonObject:
    return {"Note": {"oneOf": [{"const": 1, "title": "Plain"}, {"const": 2, "title": title}]}}


ENUM_RULES = (
    Rule(
        "enum-value-added-open",
        "An open enum lists another value",
        SOURCE,
        SAFE,
        SAFE,
        "Old readers take any value and keep it as an unknown one. The bindings have a constant more.",
        _open("draft"),
        _open("draft", "final"),
        '"final"',
    ),
    Rule(
        "enum-value-added-closed",
        "A closed enum lists another value",
        WIRE,
        BREAKS,
        SAFE,
        "Old readers refuse the value, or lose it where all fields of this type are lenient. What counts is whether the old "
        "enum was closed.",
        _closed("draft"),
        _closed("draft", "final"),
        '"final"',
    ),
    Rule(
        "enum-value-removed-open",
        "An open enum no longer lists a value",
        SOURCE,
        SAFE,
        SAFE,
        "New readers keep the value as an unknown one. Code that uses the constant stops working.",
        _open("draft", "final"),
        _open("draft"),
        '"final"',
    ),
    Rule(
        "enum-value-removed-closed",
        "A closed enum no longer lists a value",
        WIRE,
        SAFE,
        BREAKS,
        "New readers refuse the value of old writers, or lose it where all fields of this type are lenient. What counts is "
        "whether the new enum is closed.",
        _closed("draft", "final"),
        _closed("draft"),
        '"final"',
    ),
    Rule(
        "enum-opened",
        "A closed enum was opened",
        WIRE,
        BREAKS,
        SAFE,
        "New writers may send values that are not listed; old readers refuse them.",
        _closed("draft"),
        _open("draft"),
        '"of my own"',
    ),
    Rule(
        "enum-closed",
        "An open enum was closed",
        WIRE,
        SAFE,
        BREAKS,
        "Old writers may send values that are not listed; new readers refuse them.",
        _open("draft"),
        _closed("draft"),
        '"of my own"',
    ),
    Rule(
        "enum-constant-renamed",
        "The constant of a value has another name",
        SOURCE,
        SAFE,
        SAFE,
        "The constant for a number is named after its title, and that title changed.",
        _codes("Urgent"),
        _codes("Pressing"),
        beside=("title-changed",),
    ),
)
