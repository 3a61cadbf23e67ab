"""Views of ``_write.py``: writers straight to JSON text."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    Alias,
    Choice,
    Enum,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Presence,
    Record,
    Scalar,
    Type,
    Union_,
    Values,
)
from .common import Model, function, table
from .literals import f_text, json_key, literal, literal_set

_SCALAR_WRITERS = {"string": "quote", "integer": "integer", "number": "number", "boolean": "boolean", "any": "free"}


@dataclass(frozen=True)
class WriteOptional:
    attribute: str
    absent: str  # the value that is left out: "None" or "UNSET"
    null: str  # the member as null, where None is written and not left out; or nothing
    text: str  # an f-string for the member, with a comma in front


@dataclass(frozen=True)
class WriteRecord:
    kind: str
    function: str
    cls: str
    known: str
    keys: str
    start: str  # the text of all members that are always there
    optional: list[WriteOptional]
    end: str  # the finished text


@dataclass(frozen=True)
class WriteUnion:
    kind: str
    function: str
    table: str
    rows: list[tuple[str, str, str]]  # class, writer, head literal


@dataclass(frozen=True)
class WriteUnknown:
    kind: str
    function: str
    tag: str
    known: str
    tags: str
    check: str  # reader's function for what it must carry, or nothing


WriteItem = WriteRecord | WriteUnion | WriteUnknown


def write_items(model: Model) -> tuple[list[WriteItem], list[tuple[str, str]]]:
    """The writers in schema order, and the module constants with their values."""
    constants: dict[str, str] = {}
    writing = _Writing(model, constants)
    items: list[WriteItem] = []
    for definition in model.public():
        if isinstance(definition, Record):
            items.append(writing.record(definition))
        elif model.is_object(definition):
            if isinstance(definition, Union_) and definition.unknown:
                items.append(writing.unknown(definition))
            items.append(writing.union(definition.name))
    return items, sorted(constants.items())


def head_text(tags: tuple[tuple[str, str], ...]) -> str:
    """What stands before a variant's own members: the brace and its discriminators."""
    return "{" + "".join(f"{json_key(wire)}{json_key(value)[:-1]}," for wire, value in tags)


class _Writing:
    def __init__(self, model: Model, constants: dict[str, str]) -> None:
        self._model = model
        self._constants = constants

    def record(self, record: Record) -> WriteRecord:
        always = [field for field in record.fields if _is_always_written(field)]
        members = ",".join(f_text(json_key(field.wire)) + "{" + self._member(field) + "}" for field in always)
        return WriteRecord(
            "record",
            function(record.name),
            record.name,
            table(record.name),
            literal_set(_taken(record)),
            "f'{head}" + members + "'" if members else '""',
            [self._optional(field) for field in record.fields if not _is_always_written(field)],
            's + "}"' if members else "close(head, s)",
        )

    def union(self, name: str) -> WriteUnion:
        rows: dict[str, tuple[str, str, str]] = {}
        for member in self._model.members(name):
            head = literal(head_text(member.tags))
            rows.setdefault(member.cls, (member.cls, f"write_{function(member.cls)}", head))
        return WriteUnion("union", function(name), table(name) + "_WRITERS", list(rows.values()))

    def unknown(self, union: Union_) -> WriteUnknown:
        unknown = union.unknown
        assert unknown is not None
        check = self._model.by_name[unknown.checks[0]]
        has_alternatives = len(unknown.checks) > 1
        must_carry = isinstance(check, Record) and bool(check.fields)
        known = sorted({variant.value for variant in union.variants} | set(unknown.refused))
        return WriteUnknown(
            "careful" if has_alternatives else "unknown",
            function(unknown.name),
            literal(union.tag),
            table(union.name) + "_TAGS",
            literal_set(known),
            f"check_{function(check.name)}" if must_carry else "",
        )

    def _member(self, field: Field) -> str:
        value = f"o.{field.name}"
        if field.nullable:
            return self._expression(Nullable(field.type), value)
        return self._expression(field.type, value)

    def _optional(self, field: Field) -> WriteOptional:
        key = json_key(field.wire)
        text = "f'," + f_text(key) + "{" + self._expression(field.type, "x") + "}'"
        if field.presence is not Presence.PATCH:
            return WriteOptional(field.name, "None", "", text)
        null = "" if field.type == Scalar("any") else literal(f",{key}null")
        return WriteOptional(field.name, "UNSET", null, text)

    # ---------------------------------------------------------------------------------------- expressions

    def _expression(self, type_: Type, value: str) -> str:
        """JSON text of a value."""
        found = self._model.resolve(type_)
        if isinstance(found, Nullable):
            return f"nullable({value}, {self._callable(found.inner)})"
        if isinstance(found, ListOf):
            return f"array({value}, {self._callable(found.item)})"
        if isinstance(found, MapOf):
            if found.value == Scalar("any"):
                return f"free_object({value})"
            return f"mapping({value}, {self._callable(found.value)})"
        if isinstance(found, Enum):
            if found.open:
                return f"{_SCALAR_WRITERS[found.base]}({value})"
            found = Values(tuple(item.value for item in found.values))
        if isinstance(found, Values):
            kind = "string_of" if isinstance(found.values[0], str) else "integer_of"
            return f"{kind}({value}, {self._values(found)})"
        if isinstance(found, Choice):
            return f"try_writers({value}, {', '.join(self._callable(option) for option in found.options)})"
        return f"{self._callable(type_)}({value})"

    def _callable(self, type_: Type) -> str:
        """A function from a value to its JSON text."""
        found = self._model.resolve(type_)
        if isinstance(found, Scalar):
            return _SCALAR_WRITERS[found.kind]
        if isinstance(found, Enum) and found.open:
            return _SCALAR_WRITERS[found.base]
        if isinstance(found, MapOf) and found.value == Scalar("any"):
            return "free_object"
        if isinstance(found, (Record, Union_)) or isinstance(found, Alias):
            return f"write_{function(found.name)}"
        return f"lambda v: {self._expression(type_, 'v')}"

    def _values(self, values: Values) -> str:
        text = f"frozenset({{{', '.join(map(literal, values.values))}}})"
        for name, known in self._constants.items():
            if known == text:
                return name
        name = f"_VALUES_{len(self._constants) + 1}"
        self._constants[name] = text
        return name


def _taken(record: Record) -> list[str]:
    """Names that ``extra`` must not repeat; a variant without a tag must not get one that way."""
    absent_tag = [record.tag[0]] if record.tag and record.tag[1] is None else []
    return [field.wire for field in record.fields] + absent_tag + list(record.forbidden)


def _is_always_written(field: Field) -> bool:
    return field.presence in (Presence.REQUIRED, Presence.DEFAULTED)
