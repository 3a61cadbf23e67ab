"""Building blocks of the generated fast paths.

Fast readers accept strictly valid JSON and nothing else; fast writers accept exactly the declared Python types. Both
raise one of ``FAULTS`` at the first surprise and know neither paths nor leniency: the careful path then
decides what the surprise means.
"""

from __future__ import annotations

from collections.abc import Callable
from json import JSONEncoder
from json.encoder import encode_basestring
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

_T = TypeVar("_T")

# A reader takes the object, how many discriminators were read from it, and their names.
Reader: TypeAlias = Callable[[Any, int, tuple[str, ...]], Any]
# A writer takes the value and the text that comes before its first member.
Writer: TypeAlias = Callable[[Any, str], str]


class Fault(Exception):
    """The fast path met something that it does not handle."""


FAULTS = (Fault, KeyError, TypeError, AttributeError, ValueError, RecursionError)

if TYPE_CHECKING:

    def new(cls: type[_T]) -> _T:
        """An instance without a call of ``__init__``: every field is assigned by the reader."""
        raise NotImplementedError

else:
    new = object.__new__


# ------------------------------------------------------------------------------------------------ reading


def extra_fields(d: dict[str, Any], known: frozenset[str], tags: tuple[str, ...]) -> dict[str, Any] | None:
    """The members of ``d`` that are neither known fields nor the discriminators read on the way here."""
    return {key: value for key, value in d.items() if key not in known and key not in tags} or None


def keep_unknown(cls: type[Any], d: dict[str, Any], tag: str, tags: tuple[str, ...]) -> Any:
    """An unknown variant; the discriminators of enclosing unions are not part of its own object."""
    if d.__class__ is not dict or type(tag) is not str:
        raise Fault
    o = new(cls)
    o.tag = tag
    o.raw = {key: value for key, value in d.items() if key not in tags} if tags else d
    return o


def among(x: Any, known: frozenset[Any]) -> Any:
    """``x`` if it is one of a closed set of strings or integers."""
    if x not in known or x.__class__ is bool:
        raise Fault
    return x


# ------------------------------------------------------------------------------------------------ writing

# A string as JSON text, in C.
quote: Callable[[Any], str] = encode_basestring

_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_CONTAINERS = (dict, list, tuple)


def free(x: Any) -> str:
    """Free-form JSON, through the C encoder; but that turns keys which are no strings into strings without a word."""
    text = _encode(x)
    if isinstance(x, _CONTAINERS):
        _check_keys(x)
    return text


def _check_keys(x: Any) -> None:
    """Raise a fault for a key that is no string, at any depth; circular structures were refused before."""
    waiting: list[Any] = [x]
    while waiting:
        members = waiting.pop()
        if hasattr(members, "values"):
            for key in members:
                if not isinstance(key, str):
                    raise Fault
            members = members.values()
        waiting.extend([member for member in members if isinstance(member, _CONTAINERS)])


def integer(x: Any) -> str:
    if type(x) is not int:
        raise Fault
    return int.__repr__(x)


def number(x: Any) -> str:
    if type(x) is float and isfinite(x):
        return float.__repr__(x)
    return integer(x)


def boolean(x: Any) -> str:
    if x is True:
        return "true"
    if x is False:
        return "false"
    raise Fault


def string_of(x: Any, known: frozenset[Any]) -> str:
    """One of a closed set of strings."""
    if x not in known:
        raise Fault
    return quote(x)


def integer_of(x: Any, known: frozenset[Any]) -> str:
    """One of a closed set of integers."""
    if x not in known:
        raise Fault
    return integer(x)


def nullable(x: Any, write: Callable[[Any], str]) -> str:
    return "null" if x is None else write(x)


def array(x: Any, write: Callable[[Any], str]) -> str:
    if x.__class__ is not list:
        raise Fault
    return "[" + ",".join(map(write, x)) + "]"


def mapping(x: Any, write: Callable[[Any], str]) -> str:
    if x.__class__ is not dict:
        raise Fault
    return "{" + ",".join([quote(key) + ":" + write(value) for key, value in x.items()]) + "}"


def free_object(x: Any) -> str:
    if x.__class__ is not dict:
        raise Fault
    return free(x)


def extra_text(x: Any, known: frozenset[str], head: str) -> str:
    """The members of an ``extra``, each after a comma; a name that is taken already is a fault."""
    if x.__class__ is not dict or not known.isdisjoint(x) or _repeats(x, head):
        raise Fault
    return "".join(["," + quote(key) + ":" + free(value) for key, value in x.items()])


def close(head: str, members: str) -> str:
    """An object whose members, each after a comma, may all be missing."""
    return head + members[1:] + "}" if members else head.rstrip(",") + "}"


def try_writers(x: Any, *writers: Callable[[Any], str]) -> str:
    """What the first writer that accepts ``x`` makes of it."""
    for writer in writers:
        try:
            return writer(x)
        except FAULTS:
            continue
    raise Fault


def unknown_text(x: Any, head: str, tag: str, known: frozenset[str]) -> str:
    """An unknown variant as it came, after the discriminators of enclosing unions in ``head``."""
    raw = x.raw
    name = x.tag
    if raw.__class__ is not dict or type(name) is not str or raw[tag] != name or name in known or _repeats(raw, head):
        raise Fault
    return head + free(raw)[1:]


def _repeats(members: dict[str, Any], head: str) -> bool:
    """Whether a member is among the discriminators in ``head``."""
    return head != "{" and any(quote(key) + ":" in head for key in members)
