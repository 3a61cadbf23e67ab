"""Compare what no reader looks at: descriptions, titles, hints, and schemas that say the same in another way."""

from __future__ import annotations

from collections.abc import Iterator

from ..jsontypes import JsonObject, is_object
from .canonical import HINTS, Canonical
from .findings import Findings
from .places import at, definition_of


def compare_remarks(findings: Findings, *, descriptions: bool) -> None:
    """Report them, one change a definition and rule."""
    keywords = {"title": "title-changed", "discriminator": "discriminator-changed"}
    keywords.update({hint: "hint-changed" for hint in HINTS})
    if descriptions:
        keywords["description"] = "description-changed"
    for keyword, rule in keywords.items():
        differing: dict[tuple[str, str], int] = {}
        for old_where, new_where in _places(findings):
            was = _remark(findings.both.old.document, old_where, keyword)
            now = _remark(findings.both.new.document, new_where, keyword)
            if was != now:
                owners = _definition_place(old_where), _definition_place(new_where)
                differing[owners] = differing.get(owners, 0) + 1
        for (old_where, new_where), count in differing.items():
            places = "1 place" if count == 1 else f"{count} places"
            findings.add(
                rule, f"The {keyword} differs at {places}", old_where=old_where, new_where=new_where, key=keyword
            )
    _rewritten(findings)


def _places(findings: Findings) -> Iterator[tuple[str, str]]:
    """Places that belong together and are in definitions that do."""
    names = findings.both.pairing.definitions
    for old_where, new_where in {**findings.both.pairing.places, **findings.met}.items():
        old, new = definition_of(old_where), definition_of(new_where)
        if names.get(old, "") == new:
            yield old_where, new_where


def _remark(document: JsonObject, where: str, keyword: str) -> object:
    found = at(document, where)
    return found.get(keyword) if is_object(found) else None


def _definition_place(where: str) -> str:
    """The pointer to the definition that a place is in; the root for all others."""
    return "/".join(where.split("/")[:3]) if definition_of(where) else ""


def _rewritten(findings: Findings) -> None:
    """Definitions that are written in another way, though nothing about them was found to differ."""
    both = findings.both
    before = Canonical(both.old.loaded.definitions, both.pairing.definitions)
    after = Canonical(both.new.loaded.definitions, {})
    for old, new in both.pairing.definitions.items():
        one, other = before.of(both.old.loaded.definitions[old]), after.of(both.new.loaded.definitions[new])
        if one != other and findings.is_silent_about(new):
            findings.add(
                "schema-rewritten",
                f"{new} is written in another way and means the same to every reader",
                old_where=both.old.definitions[old].where,
                new_where=both.new.definitions[new].where,
            )
