"""A drift report: the changes between two schemas, each with its rule, its weight and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..jsontypes import Json


class Category(Enum):
    """What a change touches; the gravest that applies."""

    WIRE = "wire"  # a peer of the other version can be misread or refused
    SOURCE = "source"  # the generated Python API changes
    DOCS = "docs"  # neither of both


class Severity(Enum):
    """What happens to a reader of one version when the writer has the other."""

    BREAKS = "breaks"  # a valid message is refused, or taken for something else
    LOSES = "loses"  # the message is accepted, but something in it is not understood
    SAFE = "safe"


@dataclass(frozen=True)
class Change:
    """One change."""

    rule: str  # id of the rule, such as "field-added"
    category: Category
    old_reader: Severity  # old reader, new writer
    new_reader: Severity  # new reader, old writer
    subject: str  # what changed, by the newest name: "ToolCallUpdate.name", "SessionUpdate: notice", "auth/login"
    definition: str  # the definition it is shown under, by its newest name; empty for methods and envelopes
    message: str  # one sentence: what happens to whom
    old_where: (
        str | None
    )  # JSON Pointer in the old schema; None where there is nothing, or no single place as for methods
    new_where: str | None
    old: Json  # the place in the old schema, without descriptions, for showing side by side
    new: Json


@dataclass(frozen=True)
class Side:
    """One of the two schemas."""

    label: str  # file or edition, as the user named it
    sha256: str
    definitions: int


@dataclass(frozen=True)
class Report:
    """All changes between two schemas, the gravest category first, then in the order of the schemas."""

    old: Side
    new: Side
    changes: tuple[Change, ...]

    def of(self, category: Category) -> list[Change]:
        return [change for change in self.changes if change.category is category]

    def counts(self) -> dict[str, int]:
        """How many changes each category has, in the order of their weight."""
        return {category.value: len(self.of(category)) for category in Category}
