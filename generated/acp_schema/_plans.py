"""The vocabulary of the conversion tables: how a definition of one edition becomes one of another.

The generator writes these rows after comparing two schemas, and ``_conversion`` carries them out. A value needs a
``Plan``: None copies it, a string converts it by the row of that definition, anything else says what to do. A
definition without a row has the same JSON in both editions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, Union

if TYPE_CHECKING:
    from ._conversion import Run

# The codes of errors and losses.
CLEAR: Final = "UnrepresentableClear"
FIELD: Final = "UnrepresentableField"
UNKNOWN: Final = "UnknownVariant"
NO_EQUIVALENT: Final = "NoV1Equivalent"
REMOVED: Final = "RemovedInV2"
MISSING: Final = "MissingRequired"
META_CONFLICT: Final = "MetaConflict"
NEEDS_STATE: Final = "NeedsState"
MALFORMED: Final = (
    "Malformed"  # of losses only: what the leniency of the source's schema passes over
)

# --------------------------------------------------------------------------------------------- what rules hand back


class Converted(NamedTuple):
    """A converted message: the definition that it is of, and its JSON."""

    type: str
    data: Any


class Several(list[Any]):
    """Any number of results in the place of one; around it the enclosing object is repeated."""


class Omitted:
    """The answer of a hand-written rule for a field that is left out."""


Hand: TypeAlias = Callable[["Run", Any, str], Any]
"""A hand-written rule: the conversion, the source's JSON and its pointer in; the target's JSON out."""

HandAfter: TypeAlias = Callable[["Run", dict[str, Any], dict[str, Any], str], Any]
"""The same for an object whose other fields are converted already: they come third."""

# ------------------------------------------------------------------------------------------------------------ plans


class Each(NamedTuple):
    """An array; ``least`` is how many items the target wants."""

    item: Plan
    least: int = 0
    code: str = ""  # of the error where there are fewer


class Members(NamedTuple):
    """An object used as a map."""

    value: Plan


class Limits(NamedTuple):
    """A scalar that the target limits more than the source does."""

    code: str
    minimum: float | None = None
    maximum: float | None = None


class Accepted(NamedTuple):
    """A value that the target's definition ``by`` may refuse, once converted."""

    code: str
    by: str
    plan: Plan = None


class ByHand(NamedTuple):
    """A value that a hand-written rule converts."""

    function: Hand


class Option(NamedTuple):
    """One alternative without a tag: a definition of the source, ``X`` or for an array of them ``X[]``."""

    shape: str
    plan: Plan


class FirstOf(NamedTuple):
    """The first alternative that fits decides."""

    options: tuple[Option, ...]


Plan: TypeAlias = Union[None, str, Each, Members, Limits, Accepted, ByHand, FirstOf]

# ------------------------------------------------------------------------------------------------------------- rows


class Slot(NamedTuple):
    """A field that is not simply copied."""

    name: str  # in the target
    plan: Plan = None
    required: bool = False  # in the target: without it, the whole object cannot be said
    null: str = (
        ""  # what null becomes where it clears: "kept", "empty" (an empty array) or "refused"
    )
    merges: bool = False  # a null member of this map deletes a key, which the target cannot say


class Fields(NamedTuple):
    """A record, field by field; fields that are not mentioned are copied."""

    target: str
    slots: Mapping[str, Slot] = {}
    lost: Mapping[str, str] = {}  # what the target has no place for, with the error's code
    needed: Mapping[str, str] = {}  # by target name: the source's name for what must be there
    filled: Mapping[str, Any] = {}  # by target name: what stands for an absent field
    reserved: tuple[str, ...] = ()  # names that mean something in the target only
    taken: tuple[str, ...] = ()  # left to ``after``
    tag: tuple[str, str] | None = None  # the record is this variant of the target
    after: HandAfter | None = None


class Member(NamedTuple):
    """One variant of a union: the definition of its payload, and its tag in the target (None: it has none)."""

    payload: str
    tag: tuple[str, str] | None


class Tags(NamedTuple):
    """A union told apart by ``tag``."""

    target: str
    tag: str
    members: Mapping[str, Member]
    untagged: tuple[Member, ...] = ()
    refused: Mapping[str, str] = {}  # tags that the target cannot say, with the error's code
    closes: bool = False  # the source has unknown variants, the target has none
    unknown: Hand | None = None  # does better with them than to refuse them


class Values(NamedTuple):
    """An enum; ``known`` are the values of a closed target."""

    target: str
    known: tuple[str | int, ...] | None
    refused: Mapping[str | int, str] = {}


class Renamed(NamedTuple):
    """The same JSON under another name."""

    target: str


class Alias(NamedTuple):
    """A name for another type."""

    target: str
    plan: Plan


class Refused(NamedTuple):
    """A definition that the target cannot say."""

    code: str


Row: TypeAlias = Union[Fields, Tags, Values, Renamed, Alias, Refused]
Table: TypeAlias = Mapping[str, Row]
