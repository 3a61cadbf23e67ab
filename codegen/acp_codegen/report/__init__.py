"""A drift report as text, one module a format."""

from __future__ import annotations

from ..drift.model import Report
from . import changelog, document, markdown, page, terminal, workflow

FORMATS: tuple[str, ...] = ("text", "json", "markdown", "github", "html", "changelog")


def render(report: Report, format: str, *, colour: bool = False, new_text: str | None = None) -> str:
    """The report in one of ``FORMATS``, with a line break at its end; the same report gives the same text.

    ``colour`` is for text alone. ``new_text`` is the content of the file that ``report.new.label`` names, so that
    annotations can point at its lines; without it they name no file.
    """
    if format == "text":
        return terminal.render(report, colour=colour)
    if format == "json":
        return document.render(report)
    if format == "markdown":
        return markdown.render(report)
    if format == "github":
        return workflow.render(report, new_text)
    if format == "html":
        return page.render(report)
    if format == "changelog":
        return changelog.render(report)
    raise ValueError(f"{format!r} is none of {', '.join(FORMATS)}")
