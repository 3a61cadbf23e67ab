"""How conversion cases are written down; the tables are in ``conversion_session`` and ``conversion_setup``."""

from __future__ import annotations

from typing import Any, NamedTuple

BOTH = ("v2", "v2_2026_06")
NEWEST = ("v2",)
JUNE = ("v2_2026_06",)


class Refused(NamedTuple):
    """The error of a conversion."""

    code: str
    path: str


class Case(NamedTuple):
    """One message. ``lossy`` None: as strict, and nothing is lost."""

    what: str
    way: str  # "up" from v1, "down" to it
    type: str
    data: Any
    strict: list[Any] | Refused
    lossy: list[Any] | Refused | None = None
    losses: tuple[Refused, ...] = ()
    on: tuple[str, ...] = NEWEST
    output: str = ""  # the definition of the outputs, where it is not the source's

    def editions(self, newer: str) -> tuple[str, str]:
        return ("v1", newer) if self.way == "up" else (newer, "v1")


Cases = dict[str, list[Case]]


def update(tag: str, **fields: Any) -> dict[str, Any]:
    return {"sessionUpdate": tag, **fields}


def up(what: str, data: Any, strict: Any, lossy: Any = None, *losses: Refused, **more: Any) -> Case:
    """A session update on its way up."""
    return Case(what, "up", "SessionUpdate", data, strict, lossy, losses, **more)


def down(what: str, data: Any, strict: Any, lossy: Any = None, *losses: Refused, **more: Any) -> Case:
    """A session update on its way down."""
    return Case(what, "down", "SessionUpdate", data, strict, lossy, losses, **more)


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def content(words: str) -> dict[str, Any]:
    return {"type": "content", "content": text(words)}
