"""The report as Markdown for a pull request comment or a job summary."""

from __future__ import annotations

from collections.abc import Iterator

from ..drift.model import Category, Change, Report
from .markup import code, prose
from .words import MEANING, count, effects_line, grouped, verdict

# GitHub takes 65,536 characters in a comment; what posts it may want to add a line of its own.
LONGEST = 64_000
_OPEN = "<details>\n<summary>{title}</summary>\n\n"
_CLOSE = "</details>\n\n"


def render(report: Report) -> str:
    head = _head(report)
    room = LONGEST - len(head) - len(_left_out(len(report.changes)))
    parts = [head]
    left = len(report.changes)
    for category in Category:
        changes = report.of(category)
        section, shown = _section(changes, category, room)
        parts.append(section)
        room -= len(section)
        left -= shown
        if shown < len(changes):
            break  # nothing lighter is shown while something graver is not
    parts.append(_left_out(left) if left else "")
    return "".join(parts).rstrip("\n") + "\n"


def _head(report: Report) -> str:
    names = f"{code(report.old.label)} → {code(report.new.label)}"
    title = f"## Schema drift\n\n{names}\n\n**{verdict(report)}**\n\n"
    if not report.changes:
        return title
    rows = [f"| {category.value} | {len(report.of(category))} | {MEANING[category]} |\n" for category in Category]
    return title + "| category | changes | meaning |\n|---|--:|---|\n" + "".join(rows) + "\n"


def _section(changes: list[Change], category: Category, room: int) -> tuple[str, int]:
    """As many changes as there is room for, and how many those are."""
    title = f"{category.value.capitalize()}: {count(len(changes), 'change')}"
    is_open = category is Category.WIRE
    start = f"### {title}\n\n" if is_open else _OPEN.format(title=title)
    end = "" if is_open else _CLOSE
    room -= len(start) + len(end) + 1
    body: list[str] = []
    for entry in _entries(changes):
        room -= len(entry)
        if room < 0:
            break
        body.append(entry)
    return (start + "".join(body) + "\n" + end if body else "", len(body))


def _entries(changes: list[Change]) -> Iterator[str]:
    """One text a change; the first of a definition brings the heading along."""
    gap = ""
    for group in grouped(changes):
        heading = f"{gap}#### {code(group.definition) if group.definition else group.title}\n\n"
        for change in group.changes:
            yield heading + _entry(change)
            heading = ""
        gap = "\n"


def _entry(change: Change) -> str:
    effects = effects_line(change)
    facts = f"{change.rule}, {effects}" if effects else change.rule
    return f"- **{code(change.subject)}** ({facts}): {prose(change.message)}\n"


def _left_out(number: int) -> str:
    verb = "is" if number == 1 else "are"
    return (
        f"**{count(number, 'more change')} {verb} left out here: a comment holds no more. "
        "`acp-codegen drift --format html` with the same arguments shows all.**\n"
    )
