"""Two fragments of JSON side by side: runs of lines that are the same, and runs that are not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..errors import printable
from ..jsontypes import Json
from .words import count

_AROUND = 3  # lines shown before and after a difference
_WORTH = 4  # fewer lines than this are not worth hiding


@dataclass(frozen=True)
class Run:
    """Lines that stand beside each other; a side without lines is empty."""

    kind: str  # "same", "changed", or "hidden": then both sides only say how many lines those are
    old: str
    new: str

    @property
    def height(self) -> int:
        return max(side.count("\n") + 1 for side in (self.old, self.new))


def side_by_side(old: Json, new: Json) -> list[Run]:
    """Both fragments, line by line against each other; of what is the same, what is near to a difference."""
    before, after = pretty(old), pretty(new)
    matcher = SequenceMatcher(None, _without_commas(before), _without_commas(after), autojunk=False)
    runs: list[Run] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        left, right = before[old_start:old_end], after[new_start:new_end]
        if tag == "equal":
            runs += _shortened(left, right, first=old_start == 0, last=old_end == len(before))
        else:
            runs.append(Run("changed", "\n".join(left), "\n".join(right)))
    return runs


def one_side(fragment: Json, *, is_old: bool) -> list[Run]:
    """A fragment that has nothing beside it."""
    text = "\n".join(pretty(fragment))
    return [Run("changed", text, "") if is_old else Run("changed", "", text)]


def pretty(fragment: Json) -> list[str]:
    """The lines of a fragment; nothing in them can reorder or hide what a person sees."""
    return [printable(line) for line in json.dumps(fragment, indent=2, ensure_ascii=False).split("\n")]


def _without_commas(lines: list[str]) -> list[str]:
    """A line that is no longer the last of its list has not changed."""
    return [line.removesuffix(",") for line in lines]


def _shortened(old: list[str], new: list[str], *, first: bool, last: bool) -> Iterator[Run]:
    """Lines that are the same, without their middle; at the two ends of a fragment there is no difference to be near to."""
    start = 0 if first else _AROUND
    end = len(old) if last else len(old) - _AROUND
    if end - start < _WORTH:
        yield Run("same", "\n".join(old), "\n".join(new))
        return
    hidden = count(end - start, "equal line")
    if start:
        yield Run("same", "\n".join(old[:start]), "\n".join(new[:start]))
    yield Run("hidden", hidden, hidden)
    if end < len(old):
        yield Run("same", "\n".join(old[end:]), "\n".join(new[end:]))
