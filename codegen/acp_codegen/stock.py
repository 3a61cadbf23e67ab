"""The generated package at hand, from which copies are taken: building it anew would take many times as long.

A copy must be what ``generate`` would give. So the package is held against its manifest, and the manifest against this
generator and the schemas, before a byte of it is handed out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import resources
from .errors import CodegenError
from .formatting import format_module
from .layout import BRIDGE_TABLE, SENTINEL, belonging, pairs
from .manifest import GENERATOR, MANIFEST, Manifest, Vendored, digest, parse
from .render import Renderer


@dataclass(frozen=True)
class Stock:
    """A package that is what its schemas give."""

    files: dict[str, str]
    schemas: dict[str, tuple[str, str]]  # by edition: the schema's label and hash

    def copy(self, editions: list[str], vendored: Vendored) -> dict[str, str]:
        """The files of a copy with these editions, its manifest included."""
        files = {path: self.files[path] for path in belonging(self.files, self.schemas, editions)}
        joined = pairs(editions)
        if joined and joined != pairs(self.schemas):
            files[BRIDGE_TABLE] = format_module(_renderer().bridge_table(joined))
        if vendored.runtime is not None:
            files[SENTINEL] = format_module(_renderer().shared_sentinel(vendored.runtime))
        schemas = {name: self.schemas[name] for name in editions}
        hashes = {path: digest(text) for path, text in files.items()}
        return {**files, MANIFEST: Manifest(GENERATOR, schemas, hashes, vendored).text()}


def take_stock() -> Stock:
    """The package of all the project's editions; raises CodegenError where it is not what they give."""
    folder = resources.generated_package()
    manifest = parse(_read(folder / MANIFEST), str(folder / MANIFEST), hint=_hint())
    if manifest.generator != GENERATOR:
        raise _spoilt(f"it was made by {manifest.generator}, and this is {GENERATOR}", folder)
    sources = resources.editions()
    if set(manifest.schemas) != {source.name for source in sources}:
        raise _spoilt("it has not the editions that there are schemas for", folder)
    for source in sources:
        if manifest.schemas[source.name][1] != digest(_read(source.path)):
            raise _spoilt(f"{source.label} has changed since", folder)
    files: dict[str, str] = {}
    for path, expected in manifest.files.items():
        content = _read(folder / path)
        if digest(content) != expected:
            raise _spoilt("this file was changed by hand", folder / path)
        files[path] = content.decode("utf-8")
    return Stock(files, manifest.schemas)


def _renderer() -> Renderer:
    return Renderer(resources.templates())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CodegenError(
            f"cannot read what copies are taken from: {error.strerror}", where=str(path), hint=_hint()
        ) from None


def _spoilt(what: str, where: Path) -> CodegenError:
    return CodegenError(f"the generated package is not what the schemas give: {what}", where=str(where), hint=_hint())


def _hint() -> str:
    installed = resources.default_output() is None
    return "install acp-codegen again" if installed else "run `acp-codegen generate`"
