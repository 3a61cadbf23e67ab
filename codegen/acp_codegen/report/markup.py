"""Text from a schema inside GitHub's Markdown: shown as it is, never acted on."""

from __future__ import annotations

import re

from ..errors import printable

# GitHub links these after it has rendered the Markdown, where a backslash is no help: a character of no width is.
_LINKED = r"@|\#(?=\d)|(?i:\bgh-)(?=\d)|:(?=//)|(?i:\bwww)(?=\.)"
# What begins something in the middle of a line; an underscore inside a word does not.
_MARKED = r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])"
_SPECIAL = re.compile(f"(?P<linked>{_LINKED})|{_MARKED}")
_NO_WIDTH = "&#8203;"


def code(text: str) -> str:
    """A code span, in which nothing is linked; its fence is longer than any backticks within."""
    shown = printable(text)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if not shown or shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def prose(text: str) -> str:
    """A sentence: what stands between backticks becomes code, the rest text that formats and links nothing."""
    parts = text.split("`")
    return "".join(code(part) if index % 2 else plain(part) for index, part in enumerate(parts))


def plain(text: str) -> str:
    """Text as it is, in the middle of a line."""
    return _SPECIAL.sub(_escaped, printable(text))


def _escaped(match: re.Match[str]) -> str:
    return match[0] + _NO_WIDTH if match["linked"] else "\\" + match[0]
