"""The front half of the pipeline: a loaded schema as IR, with presence and Python names decided."""

from __future__ import annotations

from .frontend import build_definitions
from .ir import Definition
from .load import LoadedSchema
from .normalise import normalise
from .passes.defaults import check_defaults
from .passes.naming import assign_names
from .passes.presence import decide_presence


def read_definitions(loaded: LoadedSchema) -> tuple[Definition, ...]:
    """Every definition of a schema, those minted for inline variants included."""
    definitions = build_definitions(normalise(loaded.document))
    definitions = decide_presence(definitions)
    check_defaults(definitions)
    return assign_names(definitions)
