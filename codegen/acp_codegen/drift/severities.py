"""Severities of one's own: a file that says what a rule means for a project, everywhere or at one place."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from ..errors import CodegenError
from ..jsontypes import is_object, pointer
from ..load import parse_json
from .model import Category, Change, Report, Severity
from .rules import RULES

_Choice = TypeVar("_Choice", bound=Enum)
_CELLS = ("category", "old_reader", "new_reader")


@dataclass(frozen=True)
class Override:
    """One row: the rule, where it holds (a subject or definition; nothing: everywhere), and what it says."""

    row: str
    rule: str
    place: str
    category: Category | None
    old_reader: Severity | None
    new_reader: Severity | None

    def is_about(self, change: Change) -> bool:
        return self.rule == change.rule and self.place in ("", change.definition, change.subject)

    def apply(self, change: Change) -> Change:
        """What is no matter of the wire leaves both readers safe, and what leaves one of them unsafe is one."""
        if self.category in (Category.SOURCE, Category.DOCS):
            return replace(change, category=self.category, old_reader=Severity.SAFE, new_reader=Severity.SAFE)
        old_reader = self.old_reader or change.old_reader
        new_reader = self.new_reader or change.new_reader
        is_safe = old_reader is new_reader is Severity.SAFE
        fitting = Category.WIRE if not is_safe else _harmless(change.category)
        return replace(change, category=self.category or fitting, old_reader=old_reader, new_reader=new_reader)


def _harmless(category: Category) -> Category:
    return Category.SOURCE if category is Category.WIRE else category


def read_severities(path: Path) -> tuple[Override, ...]:
    """The rows of the file; raises CodegenError with the file and pointer of the first that makes no sense."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CodegenError(
            f"cannot read the severities: {error.strerror}", where=str(path), hint="name a file that can be read"
        ) from None
    document = parse_json(raw, path.name)
    if not is_object(document):
        raise CodegenError(
            "severities are an object: a rule, then what it means",
            where=path.name,
            hint=_example("field-added-optional"),
        )
    return tuple(_override(row, cells, f"{path.name}#{pointer(row)}") for row, cells in document.items())


def _example(rule: str) -> str:
    return f'write {{"{rule}": {{"category": "docs"}}}}'


def _override(row: str, cells: Any, where: str) -> Override:
    rule, _, place = row.partition(" ")
    if rule not in RULES:
        near = difflib.get_close_matches(rule, RULES, n=1)
        hint = f'did you mean "{near[0]}"?' if near else "docs/drift-rules.md lists the rules"
        raise CodegenError(f'there is no rule "{rule}"', where=where, hint=hint)
    if place != place.strip():
        raise CodegenError("one space stands between a rule and its place", where=where, hint=f'write "{rule} Name"')
    if not is_object(cells) or not cells:
        raise CodegenError(f"a row says one of {', '.join(_CELLS)}", where=where, hint=_example(rule))
    for cell in cells:
        if cell not in _CELLS:
            raise CodegenError(
                f'a row has no "{cell}"',
                where=where + pointer(cell),
                hint=f"use {', '.join(_CELLS[:-1])} or {_CELLS[-1]}",
            )
    override = Override(
        row,
        rule,
        place,
        _choice(Category, cells, "category", where),
        _choice(Severity, cells, "old_reader", where),
        _choice(Severity, cells, "new_reader", where),
    )
    _check_sense(override, where)
    return override


def _choice(kind: type[_Choice], cells: Mapping[str, Any], cell: str, where: str) -> _Choice | None:
    if cell not in cells:
        return None
    for member in kind:
        if member.value == cells[cell]:
            return member
    names = ", ".join(str(member.value) for member in kind)
    raise CodegenError(f"{cell} is one of {names}", where=where + pointer(cell), hint="use one of these words")


def _check_sense(override: Override, where: str) -> None:
    """A row that names a weight which its category denies contradicts itself."""
    heavy = [s for s in (override.old_reader, override.new_reader) if s not in (None, Severity.SAFE)]
    if heavy and override.category in (Category.SOURCE, Category.DOCS):
        raise CodegenError(
            f'"{heavy[0].value if heavy[0] else ""}" is a matter of the wire, not of "{override.category.value}"',
            where=where,
            hint='use "category": "wire", or "safe" for both readers',
        )


def override(report: Report, overrides: tuple[Override, ...]) -> tuple[Report, set[str]]:
    """The report with the rows applied, and the rows that had something to say in it.

    Where several rows are about one change, the one with the narrowest place has the last word.
    """
    used: set[str] = set()
    narrowest_last = sorted(overrides, key=lambda row: (bool(row.place), "." in row.place or ":" in row.place))
    changes: list[Change] = []
    for change in report.changes:
        for row in narrowest_last:
            if row.is_about(change):
                used.add(row.row)
                change = row.apply(change)
        changes.append(change)
    order = list(Category)
    changes.sort(key=lambda change: order.index(change.category))
    return replace(report, changes=tuple(changes)), used
