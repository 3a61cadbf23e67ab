"""Rules about our schemas and the lock, which knows shapes by their fingerprints alone."""

from __future__ import annotations

from .rule import BREAKS, WIRE, Rule

LOCKED_RULES = (
    Rule(
        "locked-changed",
        "A definition is not of the published shape",
        WIRE,
        BREAKS,
        BREAKS,
        "The fingerprint of the definition in our schema is not the one that the lock records. A fingerprint tells that "
        "something differs, not what: compare with the published file to see. Descriptions and our annotations never "
        "count. Until then the worst is assumed.",
    ),
    Rule(
        "locked-missing",
        "A published definition is missing in our schema",
        WIRE,
        BREAKS,
        BREAKS,
        "The lock records a definition that our schema does not have.",
    ),
    Rule(
        "locked-extra",
        "Our schema has a definition that was not published",
        WIRE,
        BREAKS,
        BREAKS,
        "Our schema has a definition that the lock does not record.",
    ),
)
