"""The sentinel for "not in the message", as opposed to null.

A patch field has three states: ``UNSET`` keeps what the receiver has, ``None`` clears it, a value replaces it.
Tell them apart with ``is``::

    if update.title is UNSET:
        ...  # nothing was said about the title
    elif update.title is None:
        ...  # the title was cleared
    else:
        ...  # update.title is a str here, for type checkers too
"""

from __future__ import annotations

import enum
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, Union

_T = TypeVar("_T")
_D = TypeVar("_D")


class UnsetType(enum.Enum):
    """The type of ``UNSET``; an enum of one member, because that is what type checkers narrow on ``is``."""

    # A plain object and not a string, so that no JSON library writes the sentinel onto the wire.
    UNSET = object()

    def __bool__(self) -> NoReturn:
        raise TypeError("UNSET has no truth value: compare with `is UNSET`, or use value_or(field, default)")

    def __repr__(self) -> str:
        return "UNSET"

    def __str__(self) -> str:
        return "UNSET"

    def __copy__(self) -> UnsetType:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> UnsetType:
        return self

    def __reduce_ex__(self, protocol: object) -> Any:
        return "UNSET"  # pickled by name, so that identity survives


UNSET: Final = UnsetType.UNSET

Patch: TypeAlias = Union[_T, None, UnsetType]


def value_or(value: _T | UnsetType, default: _D) -> _T | _D:
    """The value of a patch field, or ``default`` where it is ``UNSET`` (``None`` stays ``None``)."""
    return default if value is UNSET else value
