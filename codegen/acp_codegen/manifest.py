"""The manifest of a generated package: what it consists of; tools compare copies with it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path, PurePosixPath
from typing import Any

from . import __version__
from .ir import Edition
from .jsontypes import is_object

MANIFEST = "MANIFEST.json"


def compose(files: dict[str, str], editions: list[Edition]) -> str:
    """The manifest of these files."""
    return _text(
        {edition.name: {"schema": edition.source, "schema_sha256": edition.sha256} for edition in editions},
        {path: hashlib.sha256(text.encode("utf-8")).hexdigest() for path, text in files.items()},
    )


def listed(folder: Path) -> dict[str, str]:
    """The files that the folder's manifest lists, with their hashes; none where there is no readable manifest."""
    return _table(_read(folder), "files")


def keep_the_rest(files: dict[str, str], folder: Path) -> dict[str, str]:
    """The files of a package together with what else the folder's manifest lists: the editions that were not asked for."""
    old = _read(folder)
    new = json.loads(files[MANIFEST])
    rest = {
        path: digest
        for path, digest in _table(old, "files").items()
        if path not in files and not _is_replaced(path, new["editions"])
    }
    kept = {path: (folder / path).read_bytes().decode("utf-8", "replace") for path in rest if (folder / path).is_file()}
    editions = {**_table(old, "editions"), **new["editions"]}
    # the old hash, not that of what is there now: a file edited or removed by hand must still show
    hashes = {**rest, **new["files"]}
    return dict(sorted({**files, **kept, MANIFEST: _text(editions, hashes)}.items()))


def _is_replaced(path: str, editions: dict[str, Any]) -> bool:
    """Whether a listed file belongs to an edition that is written anew, or lies where no package has files."""
    pure = PurePosixPath(path)
    return path.split("/")[0] in editions or ".." in pure.parts or pure.is_absolute()


def _read(folder: Path) -> Any:
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _table(manifest: Any, name: str) -> dict[str, Any]:
    found = manifest.get(name) if is_object(manifest) else None
    return found if is_object(found) else {}


def _text(editions: dict[str, Any], hashes: dict[str, str]) -> str:
    content = {
        "generator": f"acp-codegen {__version__}",
        "editions": dict(sorted(editions.items())),
        "files": dict(sorted(hashes.items())),
    }
    return json.dumps(content, indent=2) + "\n"
