"""The manifest of a generated package: what it consists of; tools compare copies with it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from . import __version__
from .errors import CodegenError
from .ir import Edition
from .jsontypes import is_object

MANIFEST = "MANIFEST.json"
GENERATOR = f"acp-codegen {__version__}"


@dataclass(frozen=True)
class Vendored:
    """How a copy in another source tree was asked for."""

    name: str
    runtime: str | None  # the module that it has its sentinel from


@dataclass(frozen=True)
class Manifest:
    """What a package says about itself."""

    generator: str
    schemas: dict[str, tuple[str, str]]  # by edition: the schema's label and hash
    files: dict[str, str]  # hashes
    vendored: Vendored | None = None

    def text(self) -> str:
        """As the file holds it."""
        content: dict[str, Any] = {
            "generator": self.generator,
            "editions": {
                name: {"schema": label, "schema_sha256": sha256}
                for name, (label, sha256) in sorted(self.schemas.items())
            },
        }
        if self.vendored is not None:
            content["vendored"] = {"name": self.vendored.name, "runtime": self.vendored.runtime}
        return _text({**content, "files": dict(sorted(self.files.items()))})


def digest(content: str | bytes) -> str:
    """The hash of a file, as manifests have it."""
    return hashlib.sha256(content.encode("utf-8") if isinstance(content, str) else content).hexdigest()


def compose(files: dict[str, str], editions: list[Edition]) -> str:
    """The manifest of these files."""
    schemas = {edition.name: (edition.source, edition.sha256) for edition in editions}
    return Manifest(GENERATOR, schemas, {path: digest(text) for path, text in files.items()}).text()


def parse(content: bytes, where: str, *, hint: str) -> Manifest:
    """A manifest as it was written; raises CodegenError for anything else."""

    def wrong(what: str, place: str = where) -> CodegenError:
        return CodegenError(f"the manifest cannot be read: {what}", where=place, hint=hint)

    try:
        found = json.loads(content)
    except json.JSONDecodeError as error:
        raise wrong(error.msg, f"{where}:{error.lineno}:{error.colno}") from None
    except (ValueError, RecursionError):
        raise wrong("it is no JSON text") from None
    generator = found.get("generator") if is_object(found) else None
    if not isinstance(generator, str) or not generator.startswith("acp-codegen "):
        raise wrong("it is none of acp-codegen")
    schemas = {name: _schema(entry) for name, entry in _table(found, "editions").items()}
    files = _table(found, "files")
    vendored = found.get("vendored")
    said = [*files.values(), *(part for entry in schemas.values() for part in entry)]
    if not files or not schemas or not all(isinstance(part, str) for part in said):
        raise wrong("its editions or files are incomplete")
    if vendored is not None and not _is_vendored(vendored):
        raise wrong('"vendored" is not a name and a runtime')
    return Manifest(generator, schemas, files, vendored and Vendored(vendored["name"], vendored["runtime"]))


def is_vendored(folder: Path) -> bool:
    """Whether the folder's manifest says that this is a copy which ``vendor`` made."""
    return bool(_table(_read(folder), "vendored"))


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
    content = {
        "generator": GENERATOR,
        "editions": dict(sorted(editions.items())),
        "files": dict(sorted(hashes.items())),
    }
    return dict(sorted({**files, **kept, MANIFEST: _text(content)}.items()))


def _schema(entry: Any) -> tuple[Any, Any]:
    return (entry.get("schema"), entry.get("schema_sha256")) if is_object(entry) else (None, None)


def _is_vendored(entry: Any) -> bool:
    return (
        is_object(entry)
        and isinstance(entry.get("name"), str)
        and "runtime" in entry
        and isinstance(entry["runtime"], (str, type(None)))
    )


def _is_replaced(path: str, editions: dict[str, Any]) -> bool:
    """Whether a listed file belongs to an edition that is written anew, or lies where no package has files."""
    pure = PurePosixPath(path)
    return path.split("/")[0] in editions or ".." in pure.parts or pure.is_absolute()


def _read(folder: Path) -> Any:
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _table(manifest: Any, name: str) -> dict[str, Any]:
    found = manifest.get(name) if is_object(manifest) else None
    return found if is_object(found) else {}


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2) + "\n"
