"""Bindings straight from a published schema: its own shape and words, with the annotations of an edition laid over it.

What the annotations leave open gets the safe answer: an update that no rule speaks of is delivered and not stored. Every
such answer is listed, for the person who asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import resources
from .decisions import Decision, settle
from .errors import CodegenError
from .graft import graft
from .load import LoadedSchema, check_protocol, load_schema


@dataclass(frozen=True)
class Overlaid:
    """A published schema, annotated, and what was decided on the way."""

    loaded: LoadedSchema
    decisions: tuple[Decision, ...]
    passed_over: tuple[str, ...]  # pointers of annotations that nothing here knows


def lay_over(schema: Path, edition: str) -> Overlaid:
    """The schema file with the annotations of one of our editions."""
    vocabulary = resources.vocabulary()
    passed_over: list[str] = []
    published = load_schema(schema, vocabulary, passed_over=passed_over)
    check_protocol(published)
    ours = load_schema(resources.editions([edition])[0].path, vocabulary)
    try:
        settled = settle(graft(published.document, ours.document, descriptions=False).document)
    except CodegenError as error:
        raise error.in_file(schema.name) from None
    loaded = LoadedSchema(settled.document, published.sha256, published.file)
    return Overlaid(loaded, settled.decisions, tuple(passed_over))
