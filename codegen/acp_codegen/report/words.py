"""The words that all formats share: counts, the verdict, who is affected, and changes by definition."""

from __future__ import annotations

from dataclasses import dataclass

from ..drift.model import Category, Change, Report, Severity

MEANING = {
    Category.WIRE: "a peer of the other version can be misread or refused",
    Category.SOURCE: "the generated Python API changes",
    Category.DOCS: "neither the wire nor the API changes",
}
# What is shown above the changes that belong to no definition.
NO_DEFINITION = "Methods and messages"
_WEIGHT = (Severity.BREAKS, Severity.LOSES, Severity.SAFE)


@dataclass(frozen=True)
class Group:
    """The changes of one definition, in the order of the report."""

    definition: str  # empty for methods and envelopes
    changes: tuple[Change, ...]

    @property
    def title(self) -> str:
        return self.definition or NO_DEFINITION


def count(number: int, noun: str) -> str:
    """A number with its noun: 1 change, 2 changes."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def counts_line(report: Report) -> str:
    """The number of changes of every category on one line."""
    return ", ".join(f"{number} {category}" for category, number in report.counts().items())


def verdict(report: Report) -> str:
    """One sentence on what all changes together mean."""
    wire = report.of(Category.WIRE)
    breaking = sum(worst(change) is Severity.BREAKS for change in wire)
    losing = sum(worst(change) is Severity.LOSES for change in wire)
    if not report.changes:
        return "No changes."
    if breaking:
        them = "change makes" if breaking == 1 else "changes make"
        return f"The wire breaks: {breaking} {them} one version refuse or misread messages of the other."
    if losing:
        them = "change makes" if losing == 1 else "changes make"
        return f"The wire holds with losses: {losing} {them} one version miss something that the other says."
    if wire:
        return "The wire changes, but each version understands the other."
    if report.of(Category.SOURCE):
        return "The wire is the same; the generated Python API changes."
    return "Neither the wire nor the generated Python API changes."


def worst(change: Change) -> Severity:
    """The graver of a change's two severities."""
    return min(change.old_reader, change.new_reader, key=_WEIGHT.index)


def effects(change: Change) -> list[tuple[str, Severity]]:
    """Which reader is affected and how; a reader that is safe is not named."""
    both = (("old reader", change.old_reader), ("new reader", change.new_reader))
    return [(reader, severity) for reader, severity in both if severity is not Severity.SAFE]


def effects_line(change: Change) -> str:
    """The effects on one line; empty where both readers are safe."""
    return ", ".join(f"{reader} {severity.value}" for reader, severity in effects(change))


def grouped(changes: list[Change]) -> list[Group]:
    """The changes by definition; definitions in the order in which they first occur."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(change.definition, []).append(change)
    return [Group(definition, tuple(members)) for definition, members in groups.items()]
