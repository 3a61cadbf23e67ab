"""The report for people at a terminal: counts first, then every change, by category and definition."""

from __future__ import annotations

import textwrap

from ..drift.model import Category, Change, Report, Severity
from ..errors import printable
from .words import MEANING, count, effects, grouped, verdict, worst

WIDTH = 100
_BOLD, _FAINT, _RED, _YELLOW, _CYAN = "1", "2", "31", "33", "36"
_CATEGORY_COLOUR = {Category.WIRE: _RED, Category.SOURCE: _YELLOW, Category.DOCS: _CYAN}
_SEVERITY_COLOUR = {Severity.BREAKS: _RED, Severity.LOSES: _YELLOW}
_EFFECTS = {
    Severity.BREAKS: " by which messages are refused or misread",
    Severity.LOSES: " by which something goes unheard",
    Severity.SAFE: "",
}


def render(report: Report, *, colour: bool = False) -> str:
    pen = _Pen(colour)
    lines = [f"{printable(report.old.label)} -> {printable(report.new.label)}"]
    if report.changes:
        lines += ["", *_counts(report, pen), ""]
    lines.append(pen(verdict(report), _BOLD))
    # what breaks comes first: it must not hide among what only loses something
    wire = report.of(Category.WIRE)
    for severity, effect in _EFFECTS.items():
        lines += _section([change for change in wire if worst(change) is severity], Category.WIRE, effect, pen)
    for category in (Category.SOURCE, Category.DOCS):
        lines += _section(report.of(category), category, "", pen)
    return "\n".join(lines) + "\n"


class _Pen:
    """Writes in colour, or not."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self._colour else text


def _counts(report: Report, pen: _Pen) -> list[str]:
    width = max(len(str(number)) for number in report.counts().values())
    return [
        f"  {pen(f'{len(report.of(category)):>{width}} {category.value:<6}', _BOLD, _CATEGORY_COLOUR[category])}"
        f"  {MEANING[category]}"
        for category in Category
    ]


def _section(changes: list[Change], category: Category, effect: str, pen: _Pen) -> list[str]:
    if not changes:
        return []
    title = f"{category.value.upper()}: {count(len(changes), 'change')}{effect}"
    lines = ["", pen(title, _BOLD, _CATEGORY_COLOUR[category])]
    for group in grouped(changes):
        lines += ["", f"  {pen(printable(group.title), _BOLD)}"]
        for change in group.changes:
            lines += _change(change, pen)
    return lines


def _change(change: Change, pen: _Pen) -> list[str]:
    lines = [f"    {pen(printable(change.subject), _BOLD)}  {pen(f'[{change.rule}]', _FAINT)}"]
    lines += textwrap.wrap(
        printable(change.message),
        WIDTH,
        initial_indent=" " * 6,
        subsequent_indent=" " * 8,
        break_long_words=False,
        break_on_hyphens=False,
    )
    severities = [pen(f"{reader} {severity.value}", _SEVERITY_COLOUR[severity]) for reader, severity in effects(change)]
    if severities:
        lines.append(" " * 6 + ", ".join(severities))
    return lines
