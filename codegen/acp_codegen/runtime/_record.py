"""Bases of the generated classes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ._unset import UNSET


class Record:
    """A JSON object of the protocol: a dataclass whose ``extra`` holds the fields that the schema does not name."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The dataclass form without what says nothing: fields that are UNSET, and an absent ``extra``."""
        parts: list[str] = []
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is not UNSET and not (field.name == "extra" and value is None):
                parts.append(f"{field.name}={value!r}")
        return f"{type(self).__qualname__}({', '.join(parts)})"


@dataclass(slots=True, kw_only=True, repr=False)
class Unknown(Record):
    """A variant that the schema does not know: its tag, and the whole JSON object as it came."""

    tag: str
    """Value of the discriminator."""

    raw: dict[str, Any]
    """The whole object, discriminator included; written back unchanged."""

    @property
    def is_extension(self) -> bool:
        """Whether the tag belongs to an extension (``_...``); all others are reserved for the protocol."""
        return self.tag.startswith("_")
