"""What the generated ``apply_update`` needs: its report, and the small steps that its handlers share."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import fields as dataclass_fields
from typing import Any, NamedTuple

from ._record import Record
from ._unset import UNSET


class Change(NamedTuple):
    """What one update did: enough for a UI to redraw that and nothing else."""

    kind: str
    """The collection or slot that changed, such as ``tool_calls`` or ``messages.agent``; ``event`` or ``unknown`` if none did."""

    id: str | None
    """Which member of the collection."""

    fields: tuple[str, ...]
    """The Python names of the fields that the update spoke of."""

    created: bool
    """Whether this was the first that was heard of the member."""

    event: Any = None
    """The update itself where it is an event or of unknown kind: it left no trace in the state."""

    notes: tuple[str, ...] = ()
    """What was wrong with the update: unreadable bytes, or something that agents should have sent and did not."""


class UpdateSpec(NamedTuple):
    """One row of ``UPDATES``."""

    payload: Any
    op: str
    handler: Callable[[Any, Any], Change]


def merged(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any] | None:
    """A map after a merge by top-level key: null values remove, null for the whole clears; empty is None."""
    if new is None:
        return None
    result = {key: value for key, value in {**(old or {}), **owned(new)}.items() if value is not None}
    return result or None


_BASE64 = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


_ATOMS = frozenset({str, int, float, bool, type(None), UNSET.__class__})
_FIELDS: dict[type[Any], tuple[str, ...]] = {}


def owned(value: Any) -> Any:
    """The value without a list or dictionary that anyone else holds; what has none inside is shared."""
    cls = value.__class__
    if cls in _ATOMS:
        return value
    if cls is list:
        return [owned(item) for item in value]
    if cls is dict:
        return {key: owned(member) for key, member in value.items()}
    if not isinstance(value, Record):
        return value
    for name in field_names(cls):
        member = getattr(value, name)
        if member.__class__ not in _ATOMS and owned(member) is not member:
            return owned_update(value)
    return value


def owned_update(update: Any) -> Any:
    """A copy of a record that shares no list and no dictionary with it."""
    cls = update.__class__
    return cls(**{name: owned(getattr(update, name)) for name in field_names(cls)})


def field_names(cls: type[Any]) -> tuple[str, ...]:
    names = _FIELDS.get(cls)
    if names is None:
        names = _FIELDS[cls] = tuple(field.name for field in dataclass_fields(cls))
    return names


def run_key(state: Any, timeline: str, entries: dict[str, Any]) -> str:
    """The id of the entry that a chunk without one extends: a new one unless the newest of the timeline has none either."""
    run: tuple[str, str] | None = state.run
    if run is not None and run[0] == timeline and state.timeline[-1] == run:
        return run[1]
    number = len(entries) + 1
    while f"unnamed-{number}" in entries:
        number += 1
    state.run = (timeline, f"unnamed-{number}")
    return f"unnamed-{number}"


def read_base64(text: str) -> bytes | None:
    """The bytes, or None where the text is not base64."""
    # b64decode alone takes padding that is none, and other padding in every version of Python
    return b64decode(text) if _BASE64.fullmatch(text) else None


def write_base64(data: bytes | bytearray) -> str:
    return b64encode(data).decode("ascii")


def wrong_types(state: object, expected: type[Any], message: object, what: str = "session update") -> TypeError:
    """What to raise for arguments that are not a state and a message of one edition."""
    if state.__class__ is not expected:
        return TypeError(f"expected a {expected.__module__}.{expected.__name__}, got {origin(state)}")
    return TypeError(f"expected a {what} of the same edition, got {origin(message)}")


def origin(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
