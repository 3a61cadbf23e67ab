"""Lay a page out in lines of a terminal."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from enum import Enum

from .page import Code, Page, Prose, Section, Table

_GAP = "  "
_LEAST = 24  # a last column narrower than this would be a column of single words


class Role(Enum):
    """What a line is, for whoever colours it."""

    TITLE = "title"
    HEADING = "heading"
    PLACE = "place"
    COLUMNS = "columns"
    CODE = "code"
    TEXT = "text"


@dataclass(frozen=True)
class Line:
    text: str
    role: Role = Role.TEXT


def lay_out(page: Page, width: int) -> list[Line]:
    """The lines of a page; prose and the last column of a table wrap at the width, code never does."""
    lines = [Line(page.title, Role.TITLE), *_wrapped(page.kind, width), Line(page.where, Role.PLACE)]
    for section in page.sections:
        lines.append(Line(""))
        lines += _section(section, width)
    return lines


def _section(section: Section, width: int) -> list[Line]:
    lines = [Line(section.title, Role.HEADING)] if section.title else []
    indent = _GAP if section.title else ""
    for index, block in enumerate(section.blocks):
        if index and not (isinstance(block, Prose) and isinstance(section.blocks[index - 1], Prose)):
            lines.append(Line(""))
        if isinstance(block, Prose):
            lines += _wrapped(block.text, width, indent)
        elif isinstance(block, Code):
            lines += [Line(indent + text, Role.CODE) for text in block.text.split("\n")]
        else:
            lines += _table(block, width, indent)
    return lines


def _table(table: Table, width: int, indent: str) -> list[Line]:
    rows = [table.header, *table.rows] if table.header else table.rows
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    lines: list[Line] = []
    for row in rows:
        fixed = indent + "".join(cell.ljust(size) + _GAP for cell, size in zip(row[:-1], widths))
        room = max(width - len(fixed), _LEAST)
        cells = textwrap.wrap(row[-1], room, break_long_words=False, break_on_hyphens=False) or [""]
        role = Role.COLUMNS if row is table.header else Role.TEXT
        lines.append(Line((fixed + cells[0]).rstrip(), role))
        lines += [Line(" " * len(fixed) + cell) for cell in cells[1:]]
    return lines


def _wrapped(text: str, width: int, indent: str = "") -> list[Line]:
    return [
        Line(line)
        for line in textwrap.wrap(
            text,
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]
