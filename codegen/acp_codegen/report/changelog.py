"""The report as a fragment for a changelog: what users notice, by definition."""

from __future__ import annotations

from ..drift.model import Category, Change, Report
from .markup import code, prose
from .words import count, grouped, verdict


def render(report: Report) -> str:
    if not report.changes:
        return verdict(report) + "\n"
    parts = [_section(report.of(category), category) for category in (Category.WIRE, Category.SOURCE)]
    documented = len(report.of(Category.DOCS))
    if documented:
        parts.append(f"{count(documented, 'further change')} of documentation.\n")
    return "\n".join(part for part in parts if part)


def _section(changes: list[Change], category: Category) -> str:
    if not changes:
        return ""
    lines = [f"### {category.value.capitalize()}", ""]
    for group in grouped(changes):
        lines.append(f"- {code(group.definition) if group.definition else group.title}")
        lines += [f"  - {code(change.subject)}: {prose(change.message)}" for change in group.changes]
    return "\n".join(lines) + "\n"
