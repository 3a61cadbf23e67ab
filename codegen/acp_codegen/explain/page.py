"""One page a name: the sections that explain it, apart from how they are laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union

from ..errors import printable
from ..ir import Definition, Edition, Enum, Field, Record, Union_
from ..jsontypes import JsonObject, at
from ..views.common import Model
from ..views.types import referred
from .names import Kind, Subject
from .python import PythonTexts, constant_text
from .reading import enum_reading, field_reading, union_reading
from .samples import Sampler, sample_text
from .session import session_words, stored_rows
from .uses import References, place_of


@dataclass(frozen=True)
class Prose:
    text: str


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Table:
    header: tuple[str, ...]  # empty for a table whose columns need no names
    rows: list[tuple[str, ...]]


Block: TypeAlias = Union[Prose, Code, Table]


@dataclass(frozen=True)
class Section:
    title: str
    blocks: list[Block]


@dataclass(frozen=True)
class Page:
    title: str
    kind: str
    where: str  # file and JSON Pointer
    sections: list[Section]  # the first has no title: the description


def first_sentence(text: str) -> str:
    """What a list has room for."""
    words = " ".join(text.split())
    end = words.find(". ")
    return printable(words if end < 0 else words[: end + 1])


class Pages:
    """The pages of one edition."""

    def __init__(self, edition: Edition, document: JsonObject) -> None:
        self._edition = edition
        self._document = document
        self._model = Model(edition)
        self._python = PythonTexts(self._model)
        self._samples = Sampler(edition, document)
        self._references = References(document)

    def page(self, subject: Subject) -> Page:
        """Everything that is known of a subject."""
        write = {
            Kind.DEFINITION: self._definition,
            Kind.FIELD: self._field,
            Kind.VARIANT: self._variant,
            Kind.VALUE: self._value,
            Kind.METHOD: self._method,
        }[subject.kind]
        kind, sections = write(subject)
        shown = [section for section in sections if section.blocks]
        return Page(str(subject), f"{kind}, in {self._edition.name}", f"{self._edition.source}#{subject.where}", shown)

    # ------------------------------------------------------------------------------------------- kinds

    def _definition(self, subject: Subject) -> tuple[str, list[Section]]:
        name = subject.owner
        sample = sample_text(self._samples.definition(name))
        if name not in self._model.by_name:
            return "what is kept of an unknown variant", [
                self._described(subject),
                Section("Python", [Code(self._python.definition(name))]),
                Section("On the wire", [Code(sample)]),
                *self._used(name, subject.where),
            ]
        definition = self._model.by_name[name]
        return _kind(definition, name in self._edition.own_names), [
            self._described(subject),
            *self._about(definition, sample),
            *self._used(name, subject.where),
        ]

    def _variant(self, subject: Subject) -> tuple[str, list[Section]]:
        union = self._model.by_name[subject.owner]
        assert isinstance(union, Union_)
        target = next(variant.target for variant in union.variants if variant.value == subject.member)
        sample = sample_text(self._samples.variant(union.name, subject.member))
        definition = self._model.by_name[target]
        described = self._described(subject)
        if target in self._edition.own_names:
            described = Section("", [*described.blocks, *_prose(definition.doc)])
        kind = f'variant of {union.name}, selected by "{union.tag}": "{subject.member}"'
        return kind, [described, *self._about(definition, sample), *self._used(union.name, union.where)]

    def _field(self, subject: Subject) -> tuple[str, list[Section]]:
        record, field = self._find(subject)
        stored = [row for row in stored_rows(record.name, self._edition.session) if row[0] == field.wire]
        return f"field of {record.name}", [
            self._described(subject),
            Section("Python", [Code(self._python.field(record, field))]),
            Section("On the wire", [Code(sample_text(self._samples.field(record, field)))]),
            self._reading([field]),
            Section("In a session", [_stored(stored)] if stored else []),
            Section("Types", self._types(field)),
            *self._used(record.name, record.where),
        ]

    def _value(self, subject: Subject) -> tuple[str, list[Section]]:
        enum = self._model.by_name[subject.owner]
        assert isinstance(enum, Enum)
        value = next(value for value in enum.values if str(value.value) == subject.member)
        return f"value of {enum.name}", [
            self._described(subject),
            Section("Python", [Code(constant_text(enum, value))]),
            Section("On the wire", [Code(sample_text(value.value))]),
            *self._used(enum.name, enum.where),
        ]

    def _method(self, subject: Subject) -> tuple[str, list[Section]]:
        rows = [method for method in self._edition.methods if method.method == subject.owner]
        first = rows[0]
        message: JsonObject = {"jsonrpc": "2.0", "method": first.method}
        if first.kind == "request":
            message = {"jsonrpc": "2.0", "id": 1, "method": first.method}
        message["params"] = self._samples.definition(first.params)
        wire: list[Block] = [Code(sample_text(message))]
        if first.result is not None:
            answer = {"jsonrpc": "2.0", "id": 1, "result": self._samples.definition(first.result)}
            wire.append(Code(sample_text(answer)))
        table = Table(
            ("handled by", "kind", "params", "result"),
            [(row.side, row.kind, row.params, row.result or "-") for row in rows],
        )
        session = [Prose(words) for words in session_words(first.params, self._edition.session)]
        if first.result is not None:
            session += [Prose(words) for words in session_words(first.result, self._edition.session)]
        return "method", [
            self._described(subject),
            Section("Messages", [table]),
            Section("On the wire", wire),
            Section("In a session", [*session]),
        ]

    # ------------------------------------------------------------------------------------------- parts

    def _described(self, subject: Subject) -> Section:
        return Section("", _prose(at(self._document, subject.where).get("description", "")))

    def _about(self, definition: Definition, sample: str) -> list[Section]:
        sections = [
            Section("Python", [Code(self._python.definition(definition.name))]),
            Section("On the wire", [Code(sample)]),
        ]
        if isinstance(definition, Record):
            sections.append(self._reading(list(definition.fields)))
        elif isinstance(definition, Union_):
            variants = [(variant.value, variant.target) for variant in definition.variants]
            blocks: list[Block] = [Table((definition.tag, "class"), [*variants]), Prose(union_reading(definition))]
            sections.append(Section("Variants", blocks))
        elif isinstance(definition, Enum):
            values = [(str(value.value), first_sentence(value.doc)) for value in definition.values]
            sections.append(Section("Values", [Table((), [*values]), Prose(enum_reading(definition))]))
        return [*sections, self._session(definition.name)]

    def _reading(self, fields: list[Field]) -> Section:
        readings = [field_reading(field, self._model) for field in fields]
        rows = [(reading.wire, reading.absent, reading.null, reading.malformed) for reading in readings]
        return Section("Reading", [Table(("field", "absent", "null", "malformed"), [*rows])] if rows else [])

    def _session(self, name: str) -> Section:
        blocks: list[Block] = [Prose(words) for words in session_words(name, self._edition.session)]
        rows = stored_rows(name, self._edition.session)
        return Section("In a session", [*blocks, *([_stored(rows)] if rows else [])])

    def _used(self, name: str, where: str) -> list[Section]:
        """Who refers to a definition; one that was made for a place in another is used there alone."""
        is_own = name in self._edition.own_names
        places = self._references.uses(name) if is_own else [place_of(where, self._document)]
        rows = [(use.place, use.tag) for use in places]
        carried = self._carried(name if is_own else places[0].holder)
        return [Section("Used by", [Table((), [*rows])] if rows else []), carried]

    def _carried(self, name: str) -> Section:
        methods = self._references.carriers(name, self._edition.methods)
        rows = [(method.method, f"{method.kind} to the {method.side}") for method in methods]
        return Section("Carried by", [Table((), [*rows])] if rows else [])

    def _types(self, field: Field) -> list[Block]:
        rows = [(name, first_sentence(self._model.by_name[name].doc)) for name in referred(field.type)]
        return [Table((), [*rows])] if rows else []

    def _find(self, subject: Subject) -> tuple[Record, Field]:
        record = self._model.by_name[subject.owner]
        assert isinstance(record, Record)
        return record, next(field for field in record.fields if field.wire == subject.member)


def _stored(rows: list[tuple[str, ...]]) -> Table:
    return Table(("field", "a value", "null", "new entry"), rows)


def _prose(text: str) -> list[Block]:
    return [Prose(printable(" ".join(part.split()))) for part in text.split("\n\n") if part.strip()]


def _kind(definition: Definition, is_own: bool) -> str:
    made = "" if is_own else ", named by the generator"
    if isinstance(definition, Record):
        return "object" + made
    if isinstance(definition, Union_):
        return f"{'open' if definition.unknown else 'closed'} union, told apart by `{definition.tag}`{made}"
    if isinstance(definition, Enum):
        return f"{'open' if definition.open else 'closed'} enum of {definition.base}s{made}"
    return "name of a type" + made
