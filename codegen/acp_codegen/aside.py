"""``schema/<edition>/aside.json``: descriptions and annotations of ours whose place went, until the place comes back."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .errors import CodegenError
from .graft import Leftover, insert
from .jsontypes import (
    SUBSCHEMA_LISTS,
    SUBSCHEMA_MAPS,
    SUBSCHEMAS,
    JsonObject,
    at,
    is_array,
    is_object,
    pointer,
    ref_name,
)
from .load import parse_json

ASIDE = "aside.json"
# Where people and the published files put what we may have to put back without a neighbour to go by.
_FIRST = ["$schema", "$id", "title", "description"]


@dataclass(frozen=True)
class Kept:
    """Keywords of one place that went."""

    place: str
    keywords: JsonObject


def read_aside(path: Path) -> list[Kept]:
    """What is kept aside of an edition; nothing where there is no file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CodegenError(f"cannot read what is kept aside: {error.strerror}", where=str(path)) from None
    document = parse_json(raw, path.name)
    entries = document.get("kept") if is_object(document) else None
    if not is_array(entries) or not all(is_object(entry) and isinstance(entry.get("place"), str) for entry in entries):
        raise CodegenError(
            'what is kept aside is broken: "kept" lists objects with a "place"',
            where=str(path),
            hint="restore it from version control",
        )
    return [
        Kept(entry["place"], {keyword: value for keyword, value in entry.items() if keyword != "place"})
        for entry in entries
    ]


def aside_text(kept: list[Kept]) -> str | None:
    """The file, or None where nothing is left to keep."""
    if not kept:
        return None
    entries = [{"place": entry.place, **entry.keywords} for entry in kept]
    return json.dumps({"kept": entries}, indent=2) + "\n"


def set_aside(kept: list[Kept], leftovers: tuple[Leftover, ...], old: JsonObject) -> list[Kept]:
    """What was kept, and what a schema leaves over now; the same thing is kept once."""
    names = {where: place for place, where in places(old).items()}
    result = list(kept)
    for leftover in leftovers:
        entry = Kept(names[leftover.where], leftover.keywords)
        if entry not in result:
            result.append(entry)
    return result


def bring_back(kept: list[Kept], document: JsonObject) -> tuple[list[Kept], list[Kept]]:
    """Put back, into the document, what has a place again; return what did, and what stays aside."""
    found = places(document)
    back: list[Kept] = []
    rest: list[Kept] = []
    for entry in reversed(kept):  # the latest words first
        if entry.place not in found:
            rest.append(entry)
            continue
        schema = at(document, found[entry.place])
        missing = {keyword: value for keyword, value in entry.keywords.items() if keyword not in schema}
        taken = {keyword: value for keyword, value in entry.keywords.items() if keyword in schema}
        if missing:
            insert(schema, missing, [*_FIRST, *(keyword for keyword in [*schema, *missing] if keyword not in _FIRST)])
            back.append(Kept(entry.place, missing))
        if taken:
            rest.append(Kept(entry.place, taken))
    return back[::-1], rest[::-1]


# ------------------------------------------------------------------------------------------------ places


def places(document: JsonObject) -> dict[str, str]:
    """Every schema of a document by a name that lasts: a pointer in which branches go by what they are, not by position."""
    found: dict[str, str] = {}
    _visit(document, "", "", found)
    return found


def _visit(schema: JsonObject, where: str, place: str, found: dict[str, str]) -> None:
    found[place] = where
    for keyword in SUBSCHEMA_MAPS:
        for name, member in schema.get(keyword, {}).items():
            _visit(member, where + pointer(keyword, name), place + pointer(keyword, name), found)
    for keyword in SUBSCHEMA_LISTS:
        members: list[JsonObject] = schema.get(keyword, [])
        names = [_branch(member) for member in members]
        times = Counter(names)
        for index, member in enumerate(members):
            name = names[index] if names[index] and times[names[index]] == 1 else str(index)
            _visit(member, where + pointer(keyword, index), place + pointer(keyword, name), found)
    for keyword in SUBSCHEMAS:
        member = schema.get(keyword)
        if is_object(member):
            _visit(member, where + pointer(keyword), place + pointer(keyword), found)


def _branch(member: JsonObject) -> str:
    """What a branch is: a value, the variant with a tag, a definition, or whatever its title says."""
    if "const" in member:
        return str(member["const"])
    tags = [str(schema["const"]) for schema in member.get("properties", {}).values() if "const" in schema]
    return ",".join(tags) or ref_name(member) or str(member.get("title") or member.get("type", ""))
