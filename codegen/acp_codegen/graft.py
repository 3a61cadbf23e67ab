"""Put what is ours of one schema, descriptions and annotations, onto the shape of another.

The shape, its order of keys included, is the other's. Each keyword of ours goes to the counterpart of its place and stands
behind the same neighbour as before, so grafting a schema onto its own shape gives that schema back, byte for byte.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

from .jsontypes import JsonObject, at, subschemas
from .lock import OUR_KEYWORDS
from .pairing import Pairing, pair
from .renaming import Renaming


@dataclass(frozen=True)
class Leftover:
    """Keywords of ours that have no place any more."""

    where: str  # pointer into the schema that they come from
    keywords: JsonObject


@dataclass(frozen=True)
class Grafted:
    document: JsonObject
    leftovers: tuple[Leftover, ...]
    pairing: Pairing


def graft(shape: JsonObject, ours: JsonObject, *, descriptions: bool) -> Grafted:
    """The other schema with our annotations, and with our descriptions if it is to have them.

    A keyword that the other schema has itself stays.
    """
    pairing = pair(ours, shape)
    renaming = Renaming(ours, shape, pairing)
    document = copy.deepcopy(shape)
    leftovers: list[Leftover] = []
    for where, schema in subschemas(ours):
        keywords = {
            keyword: renaming.annotation(keyword, value, where) for keyword, value in own(schema, descriptions).items()
        }
        if not keywords:
            continue
        if where in pairing.places:
            insert(at(document, pairing.places[where]), keywords, list(schema))
        else:
            leftovers.append(Leftover(where, keywords))
    return Grafted(document, tuple(leftovers), pairing)


def own(schema: JsonObject, descriptions: bool = True) -> JsonObject:
    """What in a schema is ours."""
    return {
        keyword: value
        for keyword, value in schema.items()
        if keyword in OUR_KEYWORDS or (descriptions and keyword == "description")
    }


def insert(schema: JsonObject, keywords: JsonObject, order: list[str]) -> None:
    """Add keywords to a schema that lacks them, each behind its nearest predecessor in an order of keywords."""
    keys = list(schema)
    for keyword in keywords:
        if keyword not in schema:
            before = [other for other in order[: order.index(keyword)] if other in keys]
            keys.insert(keys.index(before[-1]) + 1 if before else 0, keyword)
    merged = {keyword: schema[keyword] if keyword in schema else keywords[keyword] for keyword in keys}
    schema.clear()
    schema.update(merged)
