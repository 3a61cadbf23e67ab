"""View of the HTML page: everything that its templates show, decided here."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ..drift.model import Category, Change, Report, Severity, Side
from ..drift.rules import RULES
from ..errors import printable
from ..jsontypes import Json
from .sides import Run, one_side, side_by_side
from .words import MEANING, count, effects, grouped, verdict, worst

_HARM = {
    Severity.BREAKS: "a message is refused or misread",
    Severity.LOSES: "something is not understood",
    Severity.SAFE: "both sides understand each other",
}
_TALLEST = 40  # lines of a fragment that are shown unasked


@dataclass(frozen=True)
class SideView:
    label: str
    sha256: str
    short_sha256: str
    definitions: str


@dataclass(frozen=True)
class ChoiceView:
    """One value to filter by."""

    value: str
    number: int
    meaning: str


@dataclass(frozen=True)
class PartView:
    """A piece of a sentence."""

    text: str
    is_code: bool


@dataclass(frozen=True)
class EffectView:
    reader: str
    severity: str


@dataclass(frozen=True)
class RuleView:
    id: str
    anchor: str
    title: str
    explanation: str


@dataclass(frozen=True)
class ChangeView:
    anchor: str
    category: str
    severity: str  # the graver of the two
    subject: str
    rule: str
    rule_anchor: str  # empty where nothing explains the rule
    effects: list[EffectView]
    message: list[PartView]
    has_old: bool
    has_new: bool
    old_where: str  # as the fragment of an address: "#/$defs/..."; empty where the schema has no such place
    new_where: str
    runs: list[Run]
    folded: str  # what stands on the button that unfolds them; empty where they are not many


@dataclass(frozen=True)
class GroupView:
    anchor: str
    title: str
    changes: list[ChangeView]


@dataclass(frozen=True)
class PageView:
    old: SideView
    new: SideView
    verdict: str
    tone: str  # the gravest severity on the wire
    categories: list[ChoiceView]
    severities: list[ChoiceView]
    groups: list[GroupView]
    rules: list[RuleView]
    total: int


def page_view(report: Report) -> PageView:
    anchors = _Anchors()
    severities = Counter(worst(change) for change in report.changes)
    tones = [worst(change) for change in report.of(Category.WIRE)]
    return PageView(
        old=_side(report.old),
        new=_side(report.new),
        verdict=verdict(report),
        tone=next((severity.value for severity in Severity if severity in tones), Severity.SAFE.value),
        categories=[ChoiceView(c.value, len(report.of(c)), MEANING[c]) for c in Category],
        severities=[ChoiceView(s.value, severities[s], _HARM[s]) for s in Severity],
        groups=[
            GroupView(
                anchors.make("definition", group.title),
                printable(group.title),
                [_change(change, anchors) for change in group.changes],
            )
            for group in grouped(list(report.changes))
        ],
        rules=[_rule(id) for id in sorted({change.rule for change in report.changes} & set(RULES))],
        total=len(report.changes),
    )


class _Anchors:
    """Names to link to: made of what is named, so that they stay when other changes come and go."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def make(self, kind: str, name: str) -> str:
        anchor = f"{kind}:{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}"
        self._taken[anchor] += 1
        return anchor if self._taken[anchor] == 1 else f"{anchor}:{self._taken[anchor]}"


def _side(side: Side) -> SideView:
    return SideView(printable(side.label), side.sha256, side.sha256[:12], count(side.definitions, "definition"))


def _rule(id: str) -> RuleView:
    return RuleView(id, _rule_anchor(id), RULES[id].title, RULES[id].explanation)


def _rule_anchor(id: str) -> str:
    return f"rule:{id}"


def _change(change: Change, anchors: _Anchors) -> ChangeView:
    has_old, has_new = _is_there(change.old_where, change.old), _is_there(change.new_where, change.new)
    runs = _runs(change, has_old, has_new)
    height = sum(run.height for run in runs)
    return ChangeView(
        anchor=anchors.make(change.rule, change.subject),
        category=change.category.value,
        severity=worst(change).value,
        subject=printable(change.subject),
        rule=change.rule,
        rule_anchor=_rule_anchor(change.rule) if change.rule in RULES else "",
        effects=[EffectView(reader, severity.value) for reader, severity in effects(change)],
        message=[
            PartView(text, index % 2 == 1) for index, text in enumerate(printable(change.message).split("`")) if text
        ],
        has_old=has_old,
        has_new=has_new,
        old_where=_fragment(change.old_where),
        new_where=_fragment(change.new_where),
        runs=runs,
        folded=f"Show {height} lines" if height > _TALLEST else "",
    )


def _is_there(where: str | None, fragment: Json) -> bool:
    """Whether a side has something to show; a method is gathered from several places and has none of its own."""
    return where is not None or fragment is not None


def _fragment(where: str | None) -> str:
    return "" if where is None else printable(f"#{where}")


def _runs(change: Change, has_old: bool, has_new: bool) -> list[Run]:
    if has_old and has_new:
        return side_by_side(change.old, change.new)
    if has_old or has_new:
        return one_side(change.old if has_old else change.new, is_old=has_old)
    return []
