"""The intermediate representation: what a schema says, in frozen dataclasses, free of Python source text.

Built by ``frontend`` from the normalised schema, completed by ``passes``, read by ``views``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum as PyEnum
from typing import TypeAlias, Union

from .jsontypes import Json, JsonObject

# ---------------------------------------------------------------------------------------------- types


@dataclass(frozen=True)
class Bounds:
    """Constraints on one scalar; None means not constrained."""

    minimum: float | int | None = None
    maximum: float | int | None = None
    exclusive_minimum: float | int | None = None
    exclusive_maximum: float | int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True)
class Scalar:
    """A JSON scalar, or "any" for free-form JSON."""

    kind: str  # "string" | "integer" | "number" | "boolean" | "null" | "any"
    bounds: Bounds = Bounds()


@dataclass(frozen=True)
class Values:
    """One of a closed set of strings or integers."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True)
class Ref:
    """A definition, by name."""

    name: str


@dataclass(frozen=True)
class ListOf:
    item: Type
    min_items: int | None = None
    max_items: int | None = None


@dataclass(frozen=True)
class MapOf:
    value: Type


@dataclass(frozen=True)
class Choice:
    """One of several types without a tag: the first that fits; with ``exclusive`` exactly one must fit."""

    options: tuple[Type, ...]
    exclusive: bool = False


@dataclass(frozen=True)
class Nullable:
    inner: Type


Type: TypeAlias = Union[Scalar, Values, Ref, ListOf, MapOf, Choice, Nullable]

# ---------------------------------------------------------------------------------------- definitions


class Presence(PyEnum):
    """How a field may be absent, and so what its Python default is."""

    REQUIRED = "required"
    OPTIONAL = "optional"  # T | None = None; null and absent mean the same
    PATCH = "patch"  # Patch[T] = UNSET; null clears, absent keeps
    DEFAULTED = "defaulted"  # absent means the schema's default


class Fallback(PyEnum):
    """What takes the place of a malformed or null value."""

    FAIL = "fail"
    ABSENT = "absent"  # what a missing field gives: None, UNSET or the schema's default
    EMPTY = "empty"  # the empty list, or the empty map
    VALUE = "value"  # null is an ordinary value of this field


@dataclass(frozen=True)
class Field:
    """One property of a record, as the schema has it (front end) and as Python sees it (passes)."""

    wire: str
    type: Type  # without the null that ``nullable`` says
    nullable: bool
    required: bool
    where: str
    doc: str = ""
    default: Json = None
    has_default: bool = False
    keywords: tuple[tuple[str, Json], ...] = ()
    # completed by the passes
    name: str = ""
    presence: Presence = Presence.REQUIRED
    on_error: Fallback = Fallback.FAIL
    on_null: Fallback = Fallback.FAIL
    skip_invalid_items: bool = False

    def keyword(self, name: str) -> Json:
        return dict(self.keywords).get(name)


@dataclass(frozen=True)
class Record:
    """An object with known properties; unknown ones are kept."""

    name: str
    where: str
    doc: str
    fields: tuple[Field, ...]
    tag: tuple[str, str | None] | None = None  # wire name and value, for a class that is one variant of one union
    check_only: bool = False  # describes what an unknown variant must carry; never a class
    forbidden: tuple[str, ...] = ()  # wire names that make an object something else
    tag_name: str = ""  # completed by the passes: the tag as a Python name


@dataclass(frozen=True)
class Variant:
    """A tagged member of a union: the tag's value and the record or nested union it selects."""

    value: str
    target: str
    where: str


@dataclass(frozen=True)
class UnknownVariant:
    """The catch-all of an open union: keeps the tag and the raw object."""

    name: str
    doc: str
    checks: tuple[str, ...]  # check-only records, one of which must fit
    refused: tuple[str, ...]  # tags that are neither a variant nor unknown: the catch-all excludes them
    exclusive: bool = False  # exactly one of the checks must fit


@dataclass(frozen=True)
class Union_:
    """A union told apart by a tag; members without a tag are tried when no tag fits."""

    name: str
    where: str
    doc: str
    tag: str
    variants: tuple[Variant, ...]
    untagged: tuple[str, ...] = ()
    absent: str | None = None  # the member for a missing or null tag
    unknown: UnknownVariant | None = None
    tag_on_error_absent: bool = False  # a malformed tag counts as a missing one


@dataclass(frozen=True)
class EnumValue:
    value: str | int
    doc: str
    title: str
    where: str
    name: str = ""


@dataclass(frozen=True)
class Enum:
    """Named strings or integers; an open one accepts any other value of the same base."""

    name: str
    where: str
    doc: str
    base: str  # "string" | "integer"
    values: tuple[EnumValue, ...]
    open: bool


@dataclass(frozen=True)
class Alias:
    """A name for a type that is neither record, tagged union nor enum."""

    name: str
    where: str
    doc: str
    type: Type


Definition: TypeAlias = Union[Record, Union_, Enum, Alias]

# ------------------------------------------------------------------------------------------- editions


@dataclass(frozen=True)
class Method:
    """One row of the method table."""

    method: str
    side: str  # who handles it
    kind: str  # "request" | "notification"
    params: str
    result: str | None


@dataclass(frozen=True)
class Update:
    """The rule of one session update, as its annotation states it."""

    tag: str
    target: str
    where: str
    rule: tuple[tuple[str, str], ...]


# ------------------------------------------------------------------------------------- session


@dataclass(frozen=True)
class StoredField:
    """One field of a stored entity."""

    field: Field
    how: str  # "replace" | "merge" | "keep" | "latest" | "set" | "bytes"
    has_reset: bool
    reset: Json
    inner: str = ""  # for bytes: the attribute that holds them in the update's value
    inner_wire: str = ""  # the same as a wire name


@dataclass(frozen=True)
class Entity:
    """What an upsert (or, without a key, a patch) writes to."""

    kind: str  # as annotated: "tool_calls", "messages.user", "usage"
    payload: Record
    state_name: str
    key: Field | None
    timeline: str
    fields: tuple[StoredField, ...]
    of_chunks: bool = False  # no update carries it whole: the payload is a chunk of its only field
    whole: Record | None = None  # the payload of the update that carries all of it


@dataclass(frozen=True)
class Operation:
    """One update: its rule with every name resolved to Python."""

    update: Update
    op: str
    kind: str
    entity: Entity | None  # upsert, patch, append, append_bytes
    key: str  # attribute path of the id in the update
    source: str  # attribute of the update that holds the value
    target: str  # field of the entity that is appended to
    timeline: str
    unkeyed: bool = False  # without an id it extends the run


@dataclass(frozen=True)
class Feed:
    """A property of a request or result that writes to the state."""

    path: str  # attributes from the message to the value
    guard: str  # class that the last but one attribute must have, or nothing
    optional_holder: bool  # the last but one attribute may be missing
    optional: bool  # the value itself may be missing, and then says nothing
    slot: str  # slot that the value is set to, or nothing
    unless_received: bool
    value_is_list: bool


@dataclass(frozen=True)
class Feeder:
    """A request or result that feeds the state beside the updates."""

    message: str
    feeds: tuple[Feed, ...]
    initial: tuple[tuple[str, str, Json], ...]  # slot, type, JSON value
    ends_run: bool = False  # chunks without an id begin anew after it


@dataclass(frozen=True)
class Cancel:
    """What a local cancel does to the entries of a collection."""

    kind: str
    key: str  # attribute that names an entry
    field: str
    value: str
    final: tuple[str, ...]
    listed: tuple[str, str] | None  # slot and attribute that list what a cancel leaves alone


@dataclass(frozen=True)
class SessionModel:
    """The whole of an edition's session rules."""

    union: str
    entities: tuple[Entity, ...]
    operations: tuple[Operation, ...]
    feeders: tuple[Feeder, ...]
    cancels: tuple[Cancel, ...]


@dataclass(frozen=True)
class Edition:
    """Everything the templates need to know about one schema."""

    name: str
    title: str
    source: str
    sha256: str
    definitions: tuple[Definition, ...]
    own_names: frozenset[str]  # the definitions of the schema; all others were minted for a variant
    methods: tuple[Method, ...] = ()
    has_batches: bool = False  # several messages may come as one array
    session: SessionModel | None = None

    def by_name(self) -> dict[str, Definition]:
        return {definition.name: definition for definition in self.definitions}


def keywords_of(schema: JsonObject) -> tuple[tuple[str, Json], ...]:
    """The ``x-`` keywords of a schema, in its order."""
    return tuple((key, value) for key, value in schema.items() if key.startswith("x-"))
