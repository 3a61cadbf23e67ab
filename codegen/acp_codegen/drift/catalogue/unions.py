"""Rules about tagged unions."""

from __future__ import annotations

from ...jsontypes import JsonObject
from .rule import BREAKS, INTEGER, LOSES, SAFE, SOURCE, STRING, WIRE, Rule, record


def _variant(tag: str, value: str, properties: JsonObject) -> JsonObject:
    return record({tag: {"const": value}, **properties}, tag, *properties)


_TEXT = _variant("kind", "text", {"text": STRING})
_LINK = _variant("kind", "link", {"url": STRING})


def _closed(*variants: JsonObject) -> JsonObject:
    return {"Note": {"oneOf": list(variants)}}


def _open(*variants: JsonObject, demands: JsonObject | None = None, tag: str = "kind") -> JsonObject:
    known: list[JsonObject] = [{"properties": {tag: variant["properties"][tag]}} for variant in variants]
    demanded = demands or {}
    rest = record({tag: STRING, **demanded}, tag, *demanded)
    return {"Note": {"anyOf": [*variants, {"title": "Other", **rest, "not": {"anyOf": known}}]}}


_UNTAGGED = {"title": "Plain", **record({"plain": STRING}, "plain")}

UNION_RULES = (
    Rule(
        "variant-added-open",
        "An open union has another variant",
        SOURCE,
        SAFE,
        SAFE,
        "Old readers keep it as an unknown variant and write it back. The bindings have a class more, and a match over the "
        "variants a case.",
        _open(_TEXT),
        _open(_TEXT, _LINK),
        '{"kind": "link", "url": "/milk"}',
    ),
    Rule(
        "variant-added-closed",
        "A variant is new that old readers refuse",
        WIRE,
        BREAKS,
        SAFE,
        "The old union is closed, or its catch-all excludes the tag or demands what the variant does not carry.",
        _closed(_TEXT),
        _closed(_TEXT, _LINK),
        '{"kind": "link", "url": "/milk"}',
    ),
    Rule(
        "variant-removed-open",
        "An open union has lost a variant",
        SOURCE,
        SAFE,
        SAFE,
        "New readers keep it as an unknown variant. Code that uses the class stops working.",
        _open(_TEXT, _LINK),
        _open(_TEXT),
        '{"kind": "link", "url": "/milk"}',
    ),
    Rule(
        "variant-removed-closed",
        "A variant is gone that new readers refuse",
        WIRE,
        SAFE,
        BREAKS,
        "The new union is closed, or its catch-all excludes the tag or demands what the variant does not carry.",
        _closed(_TEXT, _LINK),
        _closed(_TEXT),
        '{"kind": "link", "url": "/milk"}',
    ),
    Rule(
        "variant-retagged-open",
        "A variant of an open union has another tag",
        WIRE,
        LOSES,
        LOSES,
        "Each version takes the other's variant for an unknown one: it is kept, and not understood. Recognised by the "
        "definition or title that the variant kept.",
        _open({"title": "Link", **_LINK}),
        _open({"title": "Link", **_variant("kind", "url", {"url": STRING})}),
        '{"kind": "link", "url": "/milk"}',
        beside=("class-renamed",),
    ),
    Rule(
        "variant-retagged-closed",
        "A variant of a closed union has another tag",
        WIRE,
        BREAKS,
        BREAKS,
        "The version whose union is closed refuses the other's variant.",
        _closed({"title": "Link", **_LINK}),
        _closed({"title": "Link", **_variant("kind", "url", {"url": STRING})}),
        '{"kind": "link", "url": "/milk"}',
        beside=("class-renamed",),
    ),
    Rule(
        "union-opened",
        "A closed union was opened",
        WIRE,
        BREAKS,
        SAFE,
        "New writers may send variants that are not listed; old readers refuse them.",
        _closed(_TEXT),
        _open(_TEXT),
        '{"kind": "of my own"}',
    ),
    Rule(
        "union-closed",
        "An open union was closed",
        WIRE,
        SAFE,
        BREAKS,
        "Old writers may send variants that are not listed; new readers refuse them.",
        _open(_TEXT),
        _closed(_TEXT),
        '{"kind": "of my own"}',
    ),
    Rule(
        "union-tag-renamed",
        "Variants are told apart by another property",
        WIRE,
        BREAKS,
        BREAKS,
        "Each version looks for its own property and refuses a message without it.",
        _closed(_TEXT),
        _closed(_variant("type", "text", {"text": STRING})),
        '{"kind": "text", "text": "milk"}',
    ),
    Rule(
        "member-added",
        "A member without a tag is new",
        WIRE,
        BREAKS,
        SAFE,
        "Old readers find neither a tag nor a member that fits and refuse the message.",
        {"Note": {"anyOf": [_TEXT]}},
        {"Note": {"anyOf": [_TEXT, _UNTAGGED]}},
        '{"plain": "milk"}',
    ),
    Rule(
        "member-removed",
        "A member without a tag is gone",
        WIRE,
        SAFE,
        BREAKS,
        "New readers find neither a tag nor a member that fits and refuse the message.",
        {"Note": {"anyOf": [_TEXT, _UNTAGGED]}},
        {"Note": {"anyOf": [_TEXT]}},
        '{"plain": "milk"}',
    ),
    Rule(
        "catch-all-tightened",
        "Unknown variants must carry more",
        WIRE,
        SAFE,
        BREAKS,
        "The last branch of an open union says what every unknown variant must carry, and which tags it does not stand for. "
        "New readers refuse unknown variants of old writers that do not comply.",
        _open(_TEXT),
        _open(_TEXT, demands={"size": INTEGER}),
        '{"kind": "of my own"}',
    ),
    Rule(
        "catch-all-loosened",
        "Unknown variants need not carry as much",
        WIRE,
        BREAKS,
        SAFE,
        "Old readers refuse unknown variants of new writers that lack what the old catch-all demands.",
        _open(_TEXT, demands={"size": INTEGER}),
        _open(_TEXT),
        '{"kind": "of my own"}',
    ),
    Rule(
        "catch-all-changed",
        "Unknown variants must carry something else",
        WIRE,
        BREAKS,
        BREAKS,
        "Each version refuses unknown variants that only the other allows.",
        _open(_TEXT, demands={"size": INTEGER}),
        _open(_TEXT, demands={"size": STRING}),
        '{"kind": "of my own", "size": 3}',
    ),
)
