"""One rule of the catalogue, and the shorthand that its examples are written in."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...jsontypes import JsonObject
from ..model import Category, Severity

BREAKS, LOSES, SAFE = Severity.BREAKS, Severity.LOSES, Severity.SAFE
WIRE, SOURCE, DOCS = Category.WIRE, Category.SOURCE, Category.DOCS


@dataclass(frozen=True)
class Rule:
    """One kind of change. Leniency keywords can make a change of a rule lighter: what would break loses instead."""

    id: str
    title: str
    category: Category
    old_reader: Severity
    new_reader: Severity
    explanation: str
    old: JsonObject = field(default_factory=dict[str, "JsonObject"])  # definitions of a tiny schema before the change
    new: JsonObject = field(default_factory=dict[str, "JsonObject"])  # and after it
    sample: str = ""  # JSON that the two read differently
    beside: tuple[str, ...] = ()  # other rules that the example cannot do without


def record(properties: JsonObject, *required: str, **keywords: object) -> JsonObject:
    """An object of the example, with its required properties."""
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        **keywords,
    }


def note(properties: JsonObject, *required: str) -> JsonObject:
    """An example of one object that is called Note."""
    return {"Note": record(properties, *required)}


STRING: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
