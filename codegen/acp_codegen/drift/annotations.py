"""Compare our own annotations, where both schemas have them: how a session folds, and what is a patch."""

from __future__ import annotations

from typing import Any

from ..jsontypes import Json, JsonObject, is_object, subschemas
from ..lock import OUR_KEYWORDS
from .findings import Effect, Findings, Owner
from .model import Severity
from .places import at, definition_of
from .wording import quoted

_PATCH, _EXPECTED = "x-patch", "x-expected"
_PATCHING = ("replace", "merge")  # the rules that make a field a Patch in Python


def is_annotated(document: JsonObject) -> bool:
    """Whether a schema says anything about sessions at all; a published one does not."""
    return any(not OUR_KEYWORDS.isdisjoint(schema) for _, schema in subschemas(document))


def compare_annotations(findings: Findings) -> None:
    """Report annotations that differ at places that belong together."""
    both = findings.both
    if not (is_annotated(both.old.document) and is_annotated(both.new.document)):
        return
    renamed = {old.rpartition("/")[2]: new.rpartition("/")[2] for old, new in both.pairing.renamed_properties().items()}
    for old_where, new_where in {**both.pairing.places, **findings.met}.items():
        old, new = at(both.old.document, old_where), at(both.new.document, new_where)
        for keyword in sorted(OUR_KEYWORDS & ({*old} | {*new})):
            if _with_new_names(old.get(keyword), renamed) != new.get(keyword):
                _report(findings, keyword, old, new, (old_where, new_where))


def _with_new_names(value: Any, renamed: dict[str, str]) -> Any:
    """An annotation whose paths go by the new names of properties."""
    if isinstance(value, str):
        return ".".join(renamed.get(part, part) for part in value.split("."))
    if is_object(value):
        return {key: _with_new_names(member, renamed) for key, member in value.items()}
    return value


def _report(findings: Findings, keyword: str, old: JsonObject, new: JsonObject, places: tuple[str, str]) -> None:
    was, now = old.get(keyword), new.get(keyword)
    rule = _rule(keyword, was, now)
    effect = Effect(Severity.BREAKS, "makes another state of what {writer} sends")
    if rule in ("patch-added", "patch-removed", "expectation-changed"):
        effect = Effect(Severity.SAFE, "")
    words = {
        "patch-added": "null and absence are told apart now: the field is a Patch",
        "patch-removed": "null and absence are no longer told apart: the field is no Patch any more",
    }
    findings.add(
        rule,
        words.get(rule, f"{keyword} was {_shown(was)} and is {_shown(now)}"),
        old_where=places[0],
        new_where=places[1],
        owner=Owner(definition_of(places[0]), definition_of(places[1])),
        old=effect,
        new=effect,
        key=keyword,
        excerpts=({keyword: was} if keyword in old else None, {keyword: now} if keyword in new else None),
    )


def _rule(keyword: str, was: Any, now: Any) -> str:
    if keyword == _EXPECTED:
        return "expectation-changed"
    if keyword != _PATCH:
        return "session-rule-changed"
    if was is None and now in _PATCHING:
        return "patch-added"
    return "patch-removed" if now is None and was in _PATCHING else "patch-rule-changed"


def _shown(value: Json) -> str:
    return "absent" if value is None else quoted(value)
