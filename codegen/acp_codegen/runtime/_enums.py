"""Base of the classes that list an enum's known values."""

from __future__ import annotations

from typing import Any, ClassVar, Literal


class EnumValues:
    """The values that the schema names for one enum; an open enum accepts any other value too."""

    KNOWN: ClassVar[frozenset[Any]] = frozenset()

    @classmethod
    def is_known(cls, value: object) -> bool:
        """Whether the schema names this value."""
        return value in cls.KNOWN

    @classmethod
    def classify(cls, value: str | int) -> Literal["known", "extension", "reserved"]:
        """``known``: named by the schema; ``extension``: an implementation's own (``_...``);
        ``reserved``: neither, so it comes from a later version of the protocol."""
        if value in cls.KNOWN:
            return "known"
        return "extension" if isinstance(value, str) and value.startswith("_") else "reserved"
