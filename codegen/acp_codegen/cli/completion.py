"""What a shell offers for an argument; quick, because it runs at every press of the key."""

from __future__ import annotations

from .. import resources
from ..errors import CodegenError
from ..explain.names import names_of
from ..load import load_schema


def complete_edition(incomplete: str) -> list[str]:
    """The editions that begin so."""
    return [source.name for source in resources.editions() if source.name.startswith(incomplete)]


def complete_name(incomplete: str) -> list[str]:
    """The names of all editions that begin so; members only once their owner is typed."""
    found: set[str] = set()
    try:
        for source in resources.editions():
            found.update(names_of(load_schema(source.path, resources.vocabulary()).document))
    except CodegenError:
        return []  # a schema in the middle of an edit: nothing to offer, and no place for a message
    has_owner = "." in incomplete
    return sorted(name for name in found if name.startswith(incomplete) and ("." in name) == has_owner)
