"""Where templates, schemas and the generated package are: beside the code in a checkout, inside the package in a wheel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import CodegenError
from .jsontypes import JsonObject
from .load import LoadedSchema, parse_json

_PACKAGE = Path(__file__).resolve().parent
_BUNDLED = _PACKAGE / "_data"
_CHECKOUT = _PACKAGE.parent.parent

PACKAGE = "acp_schema"
"""The name of the generated package, where nobody says otherwise."""


@dataclass(frozen=True)
class EditionSource:
    """One schema to generate from."""

    name: str  # the subpackage
    path: Path
    label: str  # how generated files name their source
    loaded: LoadedSchema | None = None  # what to generate from instead of the file as it is


def root() -> Path:
    """The folder that holds ``templates``, ``schema`` and ``generated``."""
    return _BUNDLED if _BUNDLED.is_dir() else _CHECKOUT


def default_output() -> Path | None:
    """``generated`` of the checkout this code runs from; an installed copy has none."""
    return None if _BUNDLED.is_dir() else _CHECKOUT / "generated"


def generated_package() -> Path:
    """What the project's own schemas give: committed in a checkout, part of a wheel."""
    return root() / "generated" / PACKAGE


def own_folders() -> list[Path]:
    """What nothing but the generator itself may write into."""
    return [root() / "schema", root() / "templates", root() / "generated", _PACKAGE]


def schema_folder() -> Path | None:
    """``schema`` of the checkout this code runs from, to be changed; an installed copy has none."""
    return None if _BUNDLED.is_dir() else _CHECKOUT / "schema"


def templates() -> Path:
    return root() / "templates"


def runtime_files() -> dict[str, str]:
    """The runtime modules, which go into every generated package as they are."""
    folder = _PACKAGE / "runtime"
    return {
        path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("_*.py")) if path.stem != "__init__"
    }


def vocabulary() -> JsonObject:
    path = root() / "schema" / "vocabulary.json"
    parsed: JsonObject = parse_json(path.read_bytes(), "schema/vocabulary.json")
    return parsed


def editions(names: list[str] | None = None) -> list[EditionSource]:
    """The project's own editions, or those that are named, as a subpackage or as a folder of ``schema``."""
    found = [
        EditionSource(edition_name(path.parent.name), path, f"schema/{path.parent.name}/schema.json")
        for path in sorted((root() / "schema").glob("*/schema.json"))
    ]
    known = {source.name: source for source in found}
    if not names:
        return found
    for name in names:
        if edition_name(name) not in known:
            raise CodegenError(f"there is no edition {name!r}", hint=f"choose from: {', '.join(known)}")
    asked = {edition_name(name) for name in names}
    return [source for source in found if source.name in asked]


def edition_name(folder: str) -> str:
    """A folder's name as a subpackage: ``v2-2026-06`` is ``v2_2026_06``."""
    return folder.replace("-", "_").replace(".", "_")
