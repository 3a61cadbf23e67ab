"""Compare types: wider, narrower, different, limited otherwise, or the same under another name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ir import Choice, ListOf, MapOf, Nullable, Ref, Type
from .findings import Both, Findings, Owner, judged
from .fitting import Fitting, unfolded
from .model import Severity
from .wording import described, limits


@dataclass(frozen=True)
class Compared:
    """Two types, and what the reader of each makes of the other."""

    old: Type
    new: Type
    old_reader: Severity
    new_reader: Severity

    @property
    def rule(self) -> str:
        """Which of the rules for types it is."""
        if self.old_reader is Severity.SAFE:
            return "type-respelled" if self.new_reader is Severity.SAFE else "type-narrowed"
        return "type-widened" if self.new_reader is Severity.SAFE else "type-changed"


def compare_types(findings: Findings, compared: Compared, name: str, owner: Owner, places: tuple[str, str]) -> None:
    """Report how a type changed, if it did; ``name`` is what the sentence calls it."""
    both = findings.both
    rule = compared.rule
    was, now = described(compared.old), described(compared.new)
    lead = f"The type of {name} was {was} and is {now}" if was != now else f"The type of {name} ({now}) changed inside"
    if isinstance(compared.old, Choice) and isinstance(compared.new, Choice):
        if compared.old.exclusive != compared.new.exclusive and is_same(compared.old, compared.new, both.names):
            how_many = "exactly one" if compared.new.exclusive else "at least one"
            lead = f"Of the alternatives of {name}, {how_many} must fit now"
    if rule == "type-respelled":
        if not is_same(compared.old, compared.new, both.names):
            _add(findings, rule, f"{lead}, which takes the same values", compared, owner, places)
        return
    if _is_limit(both, compared):
        rule = {
            "type-narrowed": "constraint-tightened",
            "type-widened": "constraint-loosened",
            "type-changed": "constraint-changed",
        }[rule]
        was, now = limits(unfolded(compared.old, both.old)), limits(unfolded(compared.new, both.new))
        lead = f"{name} had {was} and has {now}"
    _add(findings, rule, lead, compared, owner, places)


def _add(findings: Findings, rule: str, lead: str, compared: Compared, owner: Owner, places: tuple[str, str]) -> None:
    findings.add(
        rule,
        lead,
        old_where=places[0],
        new_where=places[1],
        owner=owner,
        old=judged(compared.old_reader, "values that only {writer} may write"),
        new=judged(compared.new_reader, "values that only {writer} may write"),
    )


def _is_limit(both: Both, compared: Compared) -> bool:
    """Whether the types differ in nothing but constraints."""
    readings: list[tuple[Fitting, Type, Type]] = [
        (both.old_reads, compared.new, compared.old),
        (both.new_reads, compared.old, compared.new),
    ]
    return all(fitting.without_bounds().of_types(written, read) is Severity.SAFE for fitting, written, read in readings)


def is_same(old: Type, new: Type, names: Mapping[str, str]) -> bool:
    """Whether both are spelled alike, once renamed definitions have their new names; constraints aside."""
    if isinstance(old, Ref) and isinstance(new, Ref):
        return names.get(old.name) == new.name
    if isinstance(old, ListOf) and isinstance(new, ListOf):
        return is_same(old.item, new.item, names)
    if isinstance(old, MapOf) and isinstance(new, MapOf):
        return is_same(old.value, new.value, names)
    if isinstance(old, Nullable) and isinstance(new, Nullable):
        return is_same(old.inner, new.inner, names)
    if isinstance(old, Choice) and isinstance(new, Choice):
        return len(old.options) == len(new.options) and all(
            any(is_same(option, other, names) for other in new.options) for option in old.options
        )
    return type(old) is type(new) and described(old) == described(new)
