"""Find what a person asks for among the editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .. import resources
from ..errors import CodegenError
from ..jsontypes import JsonObject, at
from ..load import load_schema
from ..lock import fingerprint
from ..resources import EditionSource
from ..rulebook.kinds import NEWER, OLDER
from .names import Names, Subject, names_of, nearest


@dataclass(frozen=True)
class Schema:
    """The schema of one edition, read when it is needed."""

    source: EditionSource

    @cached_property
    def document(self) -> JsonObject:
        return load_schema(self.source.path, resources.vocabulary()).document

    @cached_property
    def names(self) -> Names:
        return names_of(self.document)


def schemas() -> list[Schema]:
    """The project's own editions, the newest first."""
    order = [*NEWER, OLDER]
    sources = sorted(resources.editions(), key=lambda s: order.index(s.name) if s.name in order else len(order))
    return [Schema(source) for source in sources]


def look_up(name: str, known: Sequence[Schema], edition: str | None) -> tuple[Schema, list[Subject]]:
    """What a name stands for, in the edition that is asked for or in the newest that has it."""
    if edition is not None:
        resources.editions([edition])  # one that is not there is an error of its own
    # a drift report writes "Union: tag"
    spelled = name.replace(": ", ".")
    chosen = [schema for schema in known if edition in (None, schema.source.name)]
    for schema in chosen:
        if spelled in schema.names:
            return schema, schema.names[spelled]
    place = "any edition" if edition is None else edition
    raise CodegenError(f"nothing in {place} is called {name!r}", hint=_hint(spelled, chosen, known))


def other_editions(subject: Subject, schema: Schema, known: Sequence[Schema]) -> list[tuple[str, str]]:
    """Whether every other edition has the same under this name; what it refers to may still differ."""
    here = fingerprint(at(schema.document, subject.where))
    rows: list[tuple[str, str]] = []
    for other in known:
        if other is not schema:
            namesakes = [theirs for theirs in other.names.get(str(subject), []) if theirs.kind is subject.kind]
            shapes = [fingerprint(at(other.document, theirs.where)) for theirs in namesakes]
            verdict = "not there" if not shapes else "the same" if here in shapes else "another shape"
            rows.append((other.source.name, verdict))
    return rows


def _hint(name: str, chosen: Sequence[Schema], known: Sequence[Schema]) -> str:
    elsewhere = [schema.source.name for schema in known if name in schema.names]
    if elsewhere:
        return f"add --edition {elsewhere[0]}"
    everything: Names = {}
    for schema in chosen:
        everything.update(schema.names)
    alike = nearest(name, everything)
    if alike:
        return f"did you mean {', '.join(alike)}?"
    return "ask for a definition, a field as Definition.field, a method, a tag or a value"
