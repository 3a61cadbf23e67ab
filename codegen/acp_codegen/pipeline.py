"""The story on one page: from schema files to the texts of a package.

``generate`` writes the result and ``check`` compares it; both come through here, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from . import resources
from .definitions import read_definitions
from .errors import CodegenError
from .formatting import format_module
from .ir import Alias, Edition, Enum, Record, Union_
from .layout import BRIDGE, BRIDGE_TABLE, Pair, belonging, pair_module, pairs, pairs_in
from .load import LoadedSchema, load_schema
from .manifest import MANIFEST, compose
from .passes.conversion import Direction, compare
from .passes.methods import derive_methods, has_batches
from .passes.state import derive_session
from .passes.updates import collect_updates
from .render import Renderer
from .resources import EditionSource
from .rulebook import RULES
from .rulebook.kinds import DOWN, PROTOCOL_VERSIONS, UP


@dataclass(frozen=True)
class Package:
    """A generated package: texts by path, and what went into it."""

    files: dict[str, str]
    editions: list[Edition]


def build_package(
    sources: list[EditionSource],
    *,
    session: bool = True,
    kept: Collection[str] = (),
    progress: Callable[[str], None] = lambda step: None,
) -> Package:
    """The whole package for these schemas, in memory; ``kept`` files of other editions will lie beside its own."""
    renderer = Renderer(resources.templates())
    texts: dict[str, str] = {"__init__.py": renderer.package(), **resources.runtime_files()}
    editions: list[Edition] = []
    for source in sources:
        progress(f"{source.name}: reading {source.label}")
        edition = build_edition(source, session=session)
        editions.append(edition)
        progress(f"{source.name}: rendering {len(edition.definitions)} definitions")
        texts.update({f"{edition.name}/{path}": text for path, text in renderer.edition(edition).items()})
    texts.update(_bridge(renderer, editions, kept, progress))
    names = [edition.name for edition in editions]
    files: dict[str, str] = {"py.typed": ""}
    for path in belonging(texts, names, names):
        progress(f"formatting {path}")
        files[path] = format_module(texts[path]) if path.endswith(".py") else texts[path]
    files[MANIFEST] = compose(files, editions)
    return Package(dict(sorted(files.items())), editions)


def compare_editions(editions: list[Edition]) -> dict[Pair, list[Direction]]:
    """Both directions of every pair of editions that the rule book speaks of."""
    by_name = {edition.name: edition for edition in editions}
    return {
        (older, newer): [compare(by_name[older], by_name[newer], RULES, way) for way in (UP, DOWN)]
        for older, newer in pairs(by_name)
    }


def _bridge(
    renderer: Renderer, editions: list[Edition], kept: Collection[str], progress: Callable[[str], None]
) -> dict[str, str]:
    compared = compare_editions(editions)
    if not compared:
        return {}
    texts = {BRIDGE: renderer.bridge()}
    for pair, directions in compared.items():
        for direction in directions:
            progress(f"{direction.source} to {direction.target}: {len(direction.rows)} definitions differ")
        sides = [edition for edition in editions if edition.name in pair]
        texts[f"{pair_module(pair)}.py"] = renderer.conversions(sides, directions, PROTOCOL_VERSIONS)
    texts[BRIDGE_TABLE] = renderer.bridge_table(pairs_in({*texts, *kept}))
    return texts


def build_edition(source: EditionSource, *, session: bool = True) -> Edition:
    """One schema as complete IR."""
    loaded = source.loaded or load_schema(source.path, resources.vocabulary())
    try:
        return _passes(source, loaded, session)
    except CodegenError as error:
        raise error.in_file(source.path.name) from None


def _passes(source: EditionSource, loaded: LoadedSchema, session: bool) -> Edition:
    definitions = read_definitions(loaded)
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
