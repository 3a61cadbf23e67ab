"""Rules about our own annotations: reported where both schemas have them."""

from __future__ import annotations

from ...jsontypes import Json, JsonObject
from .rule import BREAKS, DOCS, SAFE, SOURCE, WIRE, Rule, note

_KEPT = {"type": ["string", "null"], "x-patch": "keep"}


def _size(**annotations: Json) -> JsonObject:
    named = {f"x-{name}": value for name, value in annotations.items()}
    return note({"text": _KEPT, "size": {"type": ["integer", "null"], **named}})


SESSION_RULES = (
    Rule(
        "patch-added",
        "A field became a patch",
        SOURCE,
        SAFE,
        SAFE,
        "Null and absence are told apart now, and the attribute is a Patch instead of an optional value.",
        _size(),
        _size(patch="replace"),
    ),
    Rule(
        "patch-removed",
        "A field is no patch any more",
        SOURCE,
        SAFE,
        SAFE,
        "Null and absence mean the same now, and the attribute is an optional value instead of a Patch.",
        _size(patch="replace"),
        _size(),
    ),
    Rule(
        "patch-rule-changed",
        "A field is folded by another rule",
        WIRE,
        BREAKS,
        BREAKS,
        "The same update leaves one state in a peer of the old version and another in a peer of the new version.",
        _size(patch="replace"),
        _size(patch="keep"),
    ),
    Rule(
        "session-rule-changed",
        "A session is folded by another rule",
        WIRE,
        BREAKS,
        BREAKS,
        "x-update, x-reset, x-feeds, x-initial, x-cancelled or x-ends-run differ: the same messages leave one state in a "
        "peer of the old version and another in a peer of the new version.",
        _size(patch="replace", reset=0),
        _size(patch="replace", reset=1),
    ),
    Rule(
        "expectation-changed",
        "Agents are expected to send a field, or no longer",
        DOCS,
        SAFE,
        SAFE,
        "x-expected is advice to writers; readers do without the field.",
        _size(patch="replace"),
        _size(patch="replace", expected=True),
    ),
)
