"""Text of the schema as inert Python source: whatever it contains, it stays a string."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

from ..errors import printable

WIDTH = 100


def literal(value: str | int | float | bool | None) -> str:
    """A Python literal, in ASCII."""
    return ascii(value)


def literal_set(values: Iterable[str]) -> str:
    """A frozenset of strings."""
    members = ", ".join(literal(value) for value in values)
    return f"frozenset({{{members}}})" if members else "frozenset[str]()"


def docstring(text: str, indent: int) -> str:
    """A docstring of any text, wrapped; empty for no text."""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    safe = [_inert(paragraph) for paragraph in paragraphs if paragraph]
    if not safe:
        return ""
    room = WIDTH - indent
    if len(safe) == 1 and len(safe[0]) + 6 <= room:
        return f'"""{safe[0]}"""'
    wrapped = "\n\n".join(_wrap(paragraph, room, 3 if index == 0 else 0) for index, paragraph in enumerate(safe))
    lines = f'"""{wrapped}\n"""'.split("\n")
    pad = " " * indent
    return "\n".join(line if index == 0 or not line else pad + line for index, line in enumerate(lines))


def _wrap(paragraph: str, room: int, first: int) -> str:
    return "\n".join(
        textwrap.wrap(
            paragraph,
            room,
            initial_indent="\0" * first,
            break_long_words=False,
            break_on_hyphens=False,
        )
    ).replace("\0", "")


def _inert(text: str) -> str:
    """Text that can end or escape from no string literal."""
    result: list[str] = []
    for index, char in enumerate(text):
        beside = text[max(index - 1, 0) : index] + text[index + 1 : index + 2]
        if char == "\\":
            char = "\\\\"
        elif "\ud800" <= char <= "\udfff":  # a class cannot have it in its docstring: its escape in words
            char = f"\\\\u{ord(char):04x}"
        elif char == '"' and ('"' in beside or index == len(text) - 1):
            char = '\\"'
        result.append(printable(char) if len(char) == 1 else char)
    return "".join(result)


def json_key(wire: str) -> str:
    """``"wire":`` as it stands in JSON text, in ASCII."""
    return json.dumps(wire) + ":"


def f_text(text: str) -> str:
    """Constant text inside a single-quoted f-string."""
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("{", "{{").replace("}", "}}")
