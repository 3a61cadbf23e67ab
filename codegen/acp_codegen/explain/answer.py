"""From a name as a person typed it to the page that explains it."""

from __future__ import annotations

from dataclasses import replace

from ..jsontypes import at
from ..pipeline import build_edition
from .lookup import Schema, look_up, other_editions, schemas
from .names import Subject
from .page import Page, Pages, Section, Table, first_sentence


def answer(name: str, edition: str | None) -> Page:
    """The page of a name, or the list of what it stands for; raises CodegenError for a name that nothing has."""
    known = schemas()
    schema, subjects = look_up(name, known, edition)
    if len(subjects) > 1:
        return _choices(name, schema, subjects)
    (subject,) = subjects
    written = Pages(build_edition(schema.source), schema.document).page(subject)
    elsewhere = Section("Other editions", [Table((), [*other_editions(subject, schema, known)])])
    return replace(written, sections=[*written.sections, elsewhere])


def _choices(name: str, schema: Schema, subjects: list[Subject]) -> Page:
    rows = [
        (str(subject), subject.kind.value, first_sentence(at(schema.document, subject.where).get("description", "")))
        for subject in subjects
    ]
    kind = f"{len(subjects)} things in {schema.source.name}; explain one of them"
    return Page(name, kind, schema.source.label, [Section("", [Table((), [*rows])])])
