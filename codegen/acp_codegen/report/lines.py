"""On which line of a JSON text each value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..jsontypes import pointer

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def lines(text: str) -> dict[str, int]:
    """The line of every value by its JSON Pointer, counted from 1; of a member, the line of its name."""
    found: dict[str, int] = {}
    _value(_Tokens(text), "", found)
    return found


class _Tokens:
    """The tokens of a valid JSON text, one ahead."""

    def __init__(self, text: str) -> None:
        self._rest = self._scan(text)
        self.token, self.line = next(self._rest)

    def next(self) -> str:
        """The token that was ahead."""
        token = self.token
        self.token, self.line = next(self._rest, ("", self.line))
        return token

    @staticmethod
    def _scan(text: str) -> Iterator[tuple[str, int]]:
        line, seen = 1, 0
        for match in _TOKEN.finditer(text):
            line += text.count("\n", seen, match.start())
            seen = match.start()
            yield match[0], line


def _value(tokens: _Tokens, where: str, found: dict[str, int]) -> None:
    found.setdefault(where, tokens.line)
    opened = tokens.next()
    if opened == "{":
        while tokens.token != "}":
            inner, line = where + pointer(json.loads(tokens.token)), tokens.line
            tokens.next()  # the name
            tokens.next()  # the colon
            found[inner] = line
            _value(tokens, inner, found)
            _skip_comma(tokens)
        tokens.next()
    elif opened == "[":
        index = 0
        while tokens.token != "]":
            _value(tokens, where + pointer(index), found)
            index += 1
            _skip_comma(tokens)
        tokens.next()


def _skip_comma(tokens: _Tokens) -> None:
    if tokens.token == ",":
        tokens.next()
