"""Collects changes: gives each its place, its weight and its sentence, and takes what is found twice only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..jsontypes import Json
from ..pairing import Pairing
from .fitting import Fitting, worst
from .model import Category, Change, Severity
from .places import definition_of, excerpt, subject
from .rules import RULES
from .version import OTHER_SIDE, Version


@dataclass(frozen=True)
class Effect:
    """What one reader does with a message of the other version."""

    severity: Severity
    does: str  # a verb and what follows; "{writer}" is whoever wrote the message
    is_refusal: bool = False


NOTHING = Effect(Severity.SAFE, "")


def refuses(what: str) -> Effect:
    return Effect(Severity.BREAKS, f"refuses {what}", is_refusal=True)


def judged(severity: Severity, what: str) -> Effect:
    """What becomes of values of the other version, once their weight is known."""
    does = "passes over" if severity is Severity.LOSES else "refuses"
    return Effect(severity, f"{does} {what}", is_refusal=severity is Severity.BREAKS)


@dataclass(frozen=True)
class Both:
    """The two schemas, and what of the one is what of the other."""

    old: Version
    new: Version
    pairing: Pairing
    names: Mapping[str, str]  # definitions of the old IR to those of the new, minted ones included

    @cached_property
    def old_reads(self) -> Fitting:
        return Fitting(self.new, self.old, {new: old for old, new in self.names.items()})

    @cached_property
    def new_reads(self) -> Fitting:
        return Fitting(self.old, self.new, self.names)


@dataclass(frozen=True)
class Owner:
    """The definitions of the IR, one on each side, that a change is in."""

    old: str
    new: str


@dataclass
class Findings:
    """The changes so far, by what tells them apart."""

    both: Both
    _found: dict[tuple[str, str | None, str | None, str], Change] = field(
        default_factory=dict[tuple[str, "str | None", "str | None", str], Change]
    )

    met: dict[str, str] = field(default_factory=dict[str, str])  # places that were compared with each other

    @property
    def changes(self) -> list[Change]:
        return list(self._found.values())

    def add(
        self,
        rule: str,
        lead: str,
        *,
        old_where: str | None,
        new_where: str | None,
        owner: Owner | None = None,
        old: Effect = NOTHING,
        new: Effect = NOTHING,
        member: str = "",
        key: str = "",
        subject_name: str = "",
        excerpts: tuple[Json, Json] | None = None,
    ) -> None:
        """Report a change.

        ``member`` names what has no place of its own, such as one value of a list of values; ``key`` tells changes of one
        rule at one place apart.
        """
        if owner is not None:
            old = _salvaged(old, owner.old in self.both.old.salvaged)
            new = _salvaged(new, owner.new in self.both.new.salvaged)
        document, where = (
            (self.both.new.document, new_where) if new_where is not None else (self.both.old.document, old_where or "")
        )
        named = subject_name or subject(document, where)
        definition = definition_of(where)
        shown = excerpts or (excerpt(self.both.old.document, old_where), excerpt(self.both.new.document, new_where))
        change = Change(
            rule,
            RULES[rule].category,
            old.severity,
            new.severity,
            f"{named}: {member}" if member else named,
            self.both.names.get(definition, definition) if new_where is None else definition,
            self._sentence(lead, old, new, owner),
            old_where,
            new_where,
            *shown,
        )
        self._keep(change, member or key)

    def add_method(
        self, rule: str, lead: str, method: str, side: str, old: Effect, new: Effect, excerpts: tuple[Json, Json]
    ) -> None:
        """Report a change of the method table, which stands at no place of the schema."""
        sentence = self._spoken(lead, old, new, side)
        self._keep(
            Change(rule, RULES[rule].category, old.severity, new.severity, method, "", sentence, None, None, *excerpts),
            f"{method} {side}",
        )

    def is_silent_about(self, definition: str) -> bool:
        """Whether nothing was found in a definition, by its new name."""
        return all(change.definition != definition for change in self._found.values())

    def _keep(self, change: Change, member: str) -> None:
        key = (change.rule, change.old_where, change.new_where, member)
        known = self._found.get(key)
        if known is None or _weights(known) != _weights(known, change):
            self._found[key] = change

    # ------------------------------------------------------------------------------------------------- sentences

    def _sentence(self, lead: str, old: Effect, new: Effect, owner: Owner | None) -> str:
        reader = "peer"
        if owner is not None:
            sides = {self.both.old.reader(owner.old), self.both.new.reader(owner.new)}
            reader = sides.pop() if len(sides) == 1 else "peer"
        return self._spoken(lead, old, new, reader)

    def _spoken(self, lead: str, old: Effect, new: Effect, reader: str) -> str:
        writer = OTHER_SIDE.get(reader, "peer")
        if old == new and old.severity is not Severity.SAFE:
            return f"{lead}: an old {reader} {old.does.replace('{writer}', f'a new {writer}')}, and the reverse."
        parts: list[str] = []
        if old.severity is not Severity.SAFE:
            parts.append(f"an old {reader} {old.does.replace('{writer}', f'a new {writer}')}")
        if new.severity is not Severity.SAFE:
            parts.append(f"a new {reader} {new.does.replace('{writer}', f'an old {writer}')}")
        return f"{lead}: {', and '.join(parts)}." if parts else f"{lead}."


def _salvaged(effect: Effect, is_salvaged: bool) -> Effect:
    """A refusal inside something that stands only where malformed values are passed over is a loss."""
    if not is_salvaged or not effect.is_refusal:
        return effect
    return Effect(Severity.LOSES, "passes over the part that holds it")


def _weights(*changes: Change) -> tuple[Severity, Severity]:
    return worst(change.old_reader for change in changes), worst(change.new_reader for change in changes)


def ordered(findings: Findings) -> tuple[Change, ...]:
    """The gravest category first, then in the order of the schemas; what is gone stands where it stood."""
    order = {"": 0}
    position = 0
    places = {new: index for index, new in enumerate(findings.both.new.loaded.definitions, start=1)}
    for name in findings.both.old.loaded.definitions:
        renamed = findings.both.names.get(name)
        if renamed is not None:
            position = places[renamed]
        order.setdefault(name, position)
    order.update(places)
    weight = list(Category)
    return tuple(
        sorted(findings.changes, key=lambda change: (weight.index(change.category), order.get(change.definition, 0)))
    )
