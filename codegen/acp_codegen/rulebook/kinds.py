"""The kinds of rules, and which editions they speak of.

A rule explains one difference between two schemas. ``rule`` is its id in the list of conversion rules, ``on`` the newer
editions that it holds for. Up is from the older edition to the newer one, down is back. Fields are named as
``Definition.field``, the way the edition they come from does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, Union

from ..runtime._plans import FIELD, Hand, HandAfter

OLDER: Final = "v1"
NEWEST: Final = ("v2",)
JUNE: Final = ("v2_2026_06",)
NEWER: Final = (*NEWEST, *JUNE)
BOTH: Final = NEWER

PROTOCOL_VERSIONS: Final = {"v1": 1, "v2": 2, "v2_2026_06": 2}
"""What each edition says as ``protocolVersion``."""

Way: TypeAlias = Literal["up", "down"]
UP: Final = "up"
DOWN: Final = "down"

Editions: TypeAlias = tuple[str, ...]


class Renamed(NamedTuple):
    """A definition that has another name in the newer edition."""

    rule: str
    on: Editions
    older: str
    newer: str


class RenamedField(NamedTuple):
    """A field that has another name in the newer edition."""

    rule: str
    on: Editions
    older: str  # Definition.field
    newer: str  # the field


class IsVariant(NamedTuple):
    """A record of the older edition that is one variant of a union in the newer one."""

    rule: str
    on: Editions
    older: str
    union: str
    tag: str


class Becomes(NamedTuple):
    """A definition that turns into one that is not its namesake, in this direction only."""

    rule: str
    on: Editions
    way: Way
    definition: str
    target: str


class CannotSay(NamedTuple):
    """Definitions that the target has nothing for."""

    rule: str
    on: Editions
    way: Way
    code: str
    definitions: tuple[str, ...]


class NoVariant(NamedTuple):
    """Variants that convert on their own, but not as members of their union."""

    rule: str
    on: Editions
    way: Way
    code: str
    union: str
    tags: tuple[str, ...]


class NoValue(NamedTuple):
    """Values of an enum that the target has nothing for."""

    rule: str
    on: Editions
    way: Way
    code: str
    enum: str
    values: tuple[str | int, ...]


class NoPlace(NamedTuple):
    """Fields that the target has no place for; null and empty arrays say nothing, so they may go."""

    rule: str
    on: Editions
    way: Way
    code: str
    fields: tuple[str, ...]


class Needs(NamedTuple):
    """Fields, as the target names them, that it requires and the source may leave out: refused without them."""

    rule: str
    on: Editions
    way: Way
    fields: tuple[str, ...]


class Fills(NamedTuple):
    """Fields, as the target names them, that it requires and the source may leave out: ``value`` says as much."""

    rule: str
    on: Editions
    way: Way
    fields: tuple[str, ...]
    value: Any


class Narrows(NamedTuple):
    """Definitions or fields that the target limits more than the source."""

    rule: str
    on: Editions
    way: Way
    places: tuple[str, ...]
    code: str = FIELD


class FieldByHand(NamedTuple):
    """Fields of one name whose values a function converts."""

    rule: str
    on: Editions
    way: Way
    fields: tuple[str, ...]
    function: Hand


class AfterFields(NamedTuple):
    """A function that completes records: it takes these fields of the source and gives those of the target."""

    rule: str
    on: Editions
    way: Way
    definitions: tuple[str, ...]
    function: HandAfter
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()


class UnknownByHand(NamedTuple):
    """A function for the unknown variants of a union."""

    rule: str
    on: Editions
    way: Way
    union: str
    function: Hand


Rule: TypeAlias = Union[
    Renamed,
    RenamedField,
    IsVariant,
    Becomes,
    CannotSay,
    NoVariant,
    NoValue,
    NoPlace,
    Needs,
    Fills,
    Narrows,
    FieldByHand,
    AfterFields,
    UnknownByHand,
]

Rules: TypeAlias = Sequence[Rule]
