"""Fingerprints of shapes: what ``schema/upstream.lock.json`` records of the published schemas.

A shape is everything that a schema says about the wire: all of it but the descriptions, which are ours, and our own
annotations. Equal fingerprints prove, without the published file, that our schema has its shape.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .jsontypes import JsonObject, is_array, is_object

OUR_KEYWORDS = frozenset(
    {"x-cancelled", "x-ends-run", "x-expected", "x-feeds", "x-initial", "x-patch", "x-reset", "x-update"}
)
# Values of these keywords are data, not schemas: a key named "description" in them is kept.
_DATA = frozenset({"const", "default", "enum", "examples", "required"})
# Members of these keywords are named by the protocol: a property may well be called "description".
_NAMED = frozenset({"properties", "$defs"})


def shape(schema: Any) -> Any:
    """The schema without descriptions and without our annotations."""
    if is_array(schema):
        return [shape(member) for member in schema]
    if not is_object(schema):
        return schema
    result: JsonObject = {}
    for keyword, value in schema.items():
        if keyword == "description" or keyword in OUR_KEYWORDS:
            continue
        if keyword in _DATA:
            result[keyword] = value
        elif keyword in _NAMED:
            result[keyword] = {name: {} if member is True else shape(member) for name, member in value.items()}
        elif keyword == "items" and value is True:  # the same as a schema that says nothing
            result[keyword] = {}
        else:
            result[keyword] = shape(value)
    return result


def fingerprint(schema: Any) -> str:
    """The sha256 of a shape; the order of keys does not matter, that of lists does."""
    canonical = json.dumps(shape(schema), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def fingerprints(document: JsonObject) -> dict[str, str]:
    """One fingerprint a definition, and one for the message envelope at the root under the empty name."""
    root = {keyword: value for keyword, value in document.items() if keyword != "$defs"}
    return {"": fingerprint(root), **{name: fingerprint(body) for name, body in document["$defs"].items()}}
