"""The report as GitHub workflow commands: one annotation a change, the gravest first."""

from __future__ import annotations

from enum import IntEnum

from ..drift.model import Category, Change, Report, Severity
from ..errors import printable
from ..jsontypes import pointer
from .lines import lines
from .words import counts_line, effects_line, verdict, worst

# GitHub shows this many annotations of each level a step; the others stand in the log alone.
SHOWN = 10


class _Level(IntEnum):
    """How loud an annotation is, the loudest first; the names are GitHub's."""

    ERROR = 0
    WARNING = 1
    NOTICE = 2

    @property
    def command(self) -> str:
        return self.name.lower()


_LEVELS = {Severity.BREAKS: _Level.ERROR, Severity.LOSES: _Level.WARNING, Severity.SAFE: _Level.NOTICE}


def render(report: Report, new_text: str | None) -> str:
    """``new_text`` is the content of the new side's file; None where that side is no file."""
    places = None if new_text is None else lines(new_text)
    ordered = sorted(report.changes, key=_level)
    commands = [_command(change, report.new.label, places) for change in ordered]
    return "\n".join([*commands, _summary(report)]) + "\n"


def _level(change: Change) -> _Level:
    return _LEVELS[worst(change)] if change.category is Category.WIRE else _Level.NOTICE


def _command(change: Change, file: str, places: dict[str, int] | None) -> str:
    properties: dict[str, str] = {}
    if places is not None:
        properties["file"] = file
        line = _line(change, places)
        if line is not None:
            properties["line"] = str(line)
    properties["title"] = f"{change.category.value}: {change.subject} ({change.rule})"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    effects = effects_line(change)
    message = f"{change.message} ({effects})" if effects else change.message
    return f"::{_level(change).command} {listed}::{_data(message)}"


def _line(change: Change, places: dict[str, int]) -> int | None:
    """Where the change stands in the new schema; what is gone from it is shown at its definition."""
    if change.new_where is not None:
        return places.get(change.new_where)
    return places.get(pointer("$defs", change.definition))


def _summary(report: Report) -> str:
    if not report.changes:
        return verdict(report)
    levels = [_level(change) for change in report.changes]
    if max(levels.count(level) for level in _Level) <= SHOWN:
        return f"{counts_line(report)}. {verdict(report)}"
    return f"{counts_line(report)}. {verdict(report)} GitHub shows {SHOWN} annotations of a level; this log has all."


def _data(text: str) -> str:
    """Text as the value of a command: the runner takes a line break for its end and % for an escape."""
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    """Text as a property of a command, where a comma and a colon are special too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
