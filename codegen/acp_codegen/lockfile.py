"""``schema/upstream.lock.json``: which published file each edition has the shape of."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .errors import CodegenError
from .jsontypes import is_object, pointer
from .load import parse_json

LOCK = "upstream.lock.json"


@dataclass(frozen=True)
class Locked:
    """What is recorded of one edition's published schema."""

    published: str  # where it was published, for people
    sha256: str  # of the file
    definitions: dict[str, str]  # a fingerprint by definition; the root under the empty name


def read_lock(path: Path) -> dict[str, Locked]:
    """The editions of the lock by folder; raises CodegenError for a lock that is missing or broken."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CodegenError(
            f"cannot read the lock: {error.strerror}", where=str(path), hint="restore it from version control"
        ) from None
    document = parse_json(raw, path.name)
    editions = document.get("editions") if is_object(document) else None
    if not is_object(editions):
        raise _broken('it has no "editions"', path.name)
    return {folder: _locked(entry, path.name, folder) for folder, entry in editions.items()}


def lock_text(editions: dict[str, Locked]) -> str:
    """The lock as a file."""
    return json.dumps({"editions": {folder: asdict(locked) for folder, locked in editions.items()}}, indent=2) + "\n"


def _locked(entry: Any, file: str, folder: str) -> Locked:
    where = f"{file}#{pointer('editions', folder)}"
    if not is_object(entry) or set(entry) != {"published", "sha256", "definitions"}:
        raise _broken("an edition has published, sha256 and definitions, and nothing else", where)
    published, digest, definitions = entry["published"], entry["sha256"], entry["definitions"]
    is_text = isinstance(published, str) and isinstance(digest, str)
    if not is_text or not is_object(definitions) or not all(isinstance(value, str) for value in definitions.values()):
        raise _broken("published and sha256 are texts, and definitions has one for every name", where)
    return Locked(published, digest, definitions)


def _broken(what: str, where: str) -> CodegenError:
    return CodegenError(f"the lock is broken: {what}", where=where, hint="restore it from version control")
