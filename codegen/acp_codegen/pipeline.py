"""The story on one page: from schema files to the texts of a package.

``generate`` writes the result and ``check`` compares it; both come through here, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import resources
from .errors import CodegenError
from .formatting import format_module
from .frontend import build_definitions
from .ir import Alias, Edition, Enum, Record, Union_
from .load import LoadedSchema, load_schema
from .manifest import MANIFEST, compose
from .normalise import normalise
from .passes.conversion import Direction, compare
from .passes.defaults import check_defaults
from .passes.methods import derive_methods, has_batches
from .passes.naming import assign_names
from .passes.presence import decide_presence
from .passes.state import derive_session
from .passes.updates import collect_updates
from .render import Renderer
from .resources import EditionSource
from .rulebook import RULES
from .rulebook.kinds import DOWN, NEWER, OLDER, PROTOCOL_VERSIONS, UP

# runtime modules that only session folding, or only conversion between editions needs
SESSION_RUNTIME = ("_fold.py", "_session.py")
BRIDGE_RUNTIME = (
    "_plans.py",
    "_conversion.py",
    "_conversion_session.py",
    "_conversion_setup.py",
    "_converter.py",
    "_relay.py",
    "_old_agent.py",
    "_new_agent.py",
    "_terminal_text.py",
    "_proxy.py",
)


@dataclass(frozen=True)
class Package:
    """A generated package: texts by path, and what went into it."""

    files: dict[str, str]
    editions: list[Edition]


def build_package(
    sources: list[EditionSource], *, session: bool = True, progress: Callable[[str], None] = lambda step: None
) -> Package:
    """The whole package for these schemas, in memory."""
    renderer = Renderer(resources.templates())
    texts: dict[str, str] = {"__init__.py": renderer.package(), **resources.runtime_files()}
    editions: list[Edition] = []
    for source in sources:
        progress(f"{source.name}: reading {source.label}")
        edition = build_edition(source, session=session)
        editions.append(edition)
        progress(f"{source.name}: rendering {len(edition.definitions)} definitions")
        texts.update({f"{edition.name}/{path}": text for path, text in renderer.edition(edition).items()})
    if all(edition.session is None for edition in editions):
        for path in SESSION_RUNTIME:
            texts.pop(path, None)
    bridge = _bridge(renderer, editions, progress)
    if not bridge:
        for path in BRIDGE_RUNTIME:
            texts.pop(path, None)
    texts.update(bridge)
    files: dict[str, str] = {"py.typed": ""}
    for path, text in texts.items():
        progress(f"formatting {path}")
        files[path] = format_module(text) if path.endswith(".py") else text
    files[MANIFEST] = compose(files, editions)
    return Package(dict(sorted(files.items())), editions)


def compare_editions(editions: list[Edition]) -> list[Direction]:
    """Both directions of every pair of editions that the rule book speaks of."""
    by_name = {edition.name: edition for edition in editions}
    pairs = [(OLDER, newer) for newer in NEWER if OLDER in by_name and newer in by_name]
    return [compare(by_name[older], by_name[newer], RULES, way) for older, newer in pairs for way in (UP, DOWN)]


def _bridge(renderer: Renderer, editions: list[Edition], progress: Callable[[str], None]) -> dict[str, str]:
    directions = compare_editions(editions)
    for direction in directions:
        progress(f"{direction.source} to {direction.target}: {len(direction.rows)} definitions differ")
    names = {direction.source for direction in directions}
    sides = [edition for edition in editions if edition.name in names]
    return renderer.bridge(sides, directions, PROTOCOL_VERSIONS) if directions else {}


def build_edition(source: EditionSource, *, session: bool = True) -> Edition:
    """One schema as complete IR."""
    loaded = load_schema(source.path, resources.vocabulary())
    try:
        return _passes(source, loaded, session)
    except CodegenError as error:
        raise error.in_file(source.path.name) from None


def _passes(source: EditionSource, loaded: LoadedSchema, session: bool) -> Edition:
    normalised = normalise(loaded.document)
    definitions = build_definitions(normalised)
    definitions = decide_presence(definitions)
    check_defaults(definitions)
    definitions = assign_names(definitions)
    updates = collect_updates(loaded.document, definitions) if session else ()
    return Edition(
        name=source.name,
        title=str(loaded.document.get("title", "protocol")),
        source=source.label,
        sha256=loaded.sha256,
        definitions=definitions,
        own_names=frozenset(loaded.definitions),
        methods=derive_methods(loaded.document),
        has_batches=has_batches(loaded.document),
        session=derive_session(loaded.document, definitions, updates),
    )


def count(edition: Edition) -> dict[str, int]:
    """How many of each kind the summary shows."""
    definitions = edition.definitions
    return {
        "definitions": len(edition.own_names),
        "records": sum(isinstance(d, Record) and not d.check_only for d in definitions),
        "unions": sum(isinstance(d, Union_) for d in definitions),
        "enums": sum(isinstance(d, Enum) for d in definitions),
        "aliases": sum(isinstance(d, Alias) for d in definitions),
    }
