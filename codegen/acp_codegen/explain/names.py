"""Every name of a schema that a person can ask about.

Made without the front end, so that looking a name up, and completing one in a shell, takes no time.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .. import ir
from ..jsontypes import JsonObject, pointer
from ..normalise import Normalised, normalise
from ..passes.methods import derive_methods
from ..passes.naming import constant_name, field_name

_SUGGESTIONS = 5
_CATCH_ALL = "other"  # as a drift report calls it


class Kind(Enum):
    """What a name can stand for."""

    DEFINITION = "definition"
    FIELD = "field"
    VARIANT = "variant"
    VALUE = "value"
    METHOD = "method"


@dataclass(frozen=True)
class Subject:
    """One thing that has a name."""

    kind: Kind
    where: str  # its JSON Pointer; of a method that of its params
    owner: str  # the definition, or the method
    member: str = ""  # wire name of a field, tag of a variant, or value of an enum

    def __str__(self) -> str:
        return f"{self.owner}.{self.member}" if self.member else self.owner


Names = dict[str, list[Subject]]
"""What each name stands for, however it is spelled; a bare tag or value can stand for several things."""


def names_of(document: JsonObject) -> Names:
    """The names of a schema that ``load`` accepted."""
    names: Names = {}
    for name, subject in _spelled(normalise(document), document):
        known = names.setdefault(name, [])
        if subject not in known:
            known.append(subject)
    return names


def nearest(name: str, names: Names) -> list[str]:
    """The names that may have been meant: members that are called so, then those spelled much the same."""
    members = [known for known in names if known.rpartition(".")[2] == name]
    by_lower: dict[str, str] = {}
    for known in names:
        if ("." in known) == ("." in name):
            by_lower.setdefault(known.lower(), known)
    alike = [by_lower[lower] for lower in difflib.get_close_matches(name.lower(), by_lower, _SUGGESTIONS, 0.7)]
    return list(dict.fromkeys([*members, *alike]))[:_SUGGESTIONS]


def _spelled(normalised: Normalised, document: JsonObject) -> Iterator[tuple[str, Subject]]:
    for method in derive_methods(document):
        yield method.method, Subject(Kind.METHOD, pointer("$defs", method.params), method.method)
    for name, where in normalised.where.items():
        if name in normalised.check_only:
            continue
        yield name, Subject(Kind.DEFINITION, where, name)
        if name in normalised.enums:
            yield from _values(normalised.enums[name])
        elif name in normalised.unions:
            yield from _variants(normalised.unions[name], normalised)
        else:
            for wire in normalised.flat.get(name, {}).get("properties", {}):
                subject = Subject(Kind.FIELD, normalised.property_where[name, wire], name, wire)
                yield f"{name}.{wire}", subject
                yield f"{name}.{field_name(wire, where)}", subject


def _values(enum: ir.Enum) -> Iterator[tuple[str, Subject]]:
    yield f"{enum.name}Values", Subject(Kind.DEFINITION, enum.where, enum.name)
    for value in enum.values:
        subject = Subject(Kind.VALUE, value.where, enum.name, str(value.value))
        yield f"{enum.name}.{value.value}", subject
        yield f"{enum.name}Values.{constant_name(value)}", subject
        yield str(value.value), subject


def _variants(union: ir.Union_, normalised: Normalised) -> Iterator[tuple[str, Subject]]:
    for variant in union.variants:
        subject = Subject(Kind.VARIANT, variant.where, union.name, variant.value)
        yield f"{union.name}.{variant.value}", subject
        yield variant.value, subject
    for target in union.untagged:
        yield f"{union.name}.{target}", Subject(Kind.DEFINITION, normalised.where[target], target)
    if union.unknown:
        unknown = union.unknown.name
        yield f"{union.name}.{_CATCH_ALL}", Subject(Kind.DEFINITION, normalised.where[unknown], unknown)
    for (owner, wire), where in normalised.property_where.items():
        # a property of the union itself is a field of every class that stands for a variant
        if owner not in normalised.check_only and where.startswith(union.where + pointer("properties")):
            yield f"{union.name}.{wire}", Subject(Kind.FIELD, where, owner, wire)
