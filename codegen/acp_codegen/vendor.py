"""Put a copy of the generated package into another source tree, and tell whether one is untouched and current.

What is not asked for stays as the copy that is there has it; the first copy has every edition and a sentinel of its own.
"""

from __future__ import annotations

import keyword
import os
from dataclasses import dataclass
from pathlib import Path

from . import resources
from .copies import Copy, Findings, compare, look, names_in
from .errors import CodegenError
from .manifest import GENERATOR, MANIFEST, Manifest, Vendored
from .output import Change, write
from .stock import Stock, take_stock


@dataclass(frozen=True)
class Order:
    """What a person asks for; None: as it is."""

    destination: Path
    name: str | None = None
    editions: list[str] | None = None
    runtime: str | None = None


@dataclass(frozen=True)
class Written:
    """What became of the copy."""

    folder: Path
    schemas: dict[str, tuple[str, str]]  # by edition: the schema's label and hash
    runtime: str | None
    before: str | None  # the generator that made what was there
    written: int
    unchanged: int
    removed: int


@dataclass(frozen=True)
class Verdict:
    """Whether a copy is untouched and current."""

    folder: Path
    editions: list[str]
    files: int
    findings: Findings
    ages: list[str]  # what it was made with or from, where that is no longer what there is
    disagreements: list[str]  # where it is not as it was asked for

    @property
    def is_same(self) -> bool:
        return not (self.findings.all() or self.ages or self.disagreements)

    def unexplained(self) -> list[Change]:
        """Files that agree with the copy's manifest but not with a generator that claims to have made them."""
        return [] if self.ages else self.findings.outdated


def vendor(order: Order, *, force: bool = False) -> Written:
    """Make the copy what it should be; raises CodegenError and changes nothing where that would lose something."""
    folder = _folder(order)
    copy = look(folder)
    stock = take_stock()
    editions = _editions(order, copy, stock)
    recorded = copy.manifest.vendored if copy else None
    runtime = recorded.runtime if recorded and order.runtime is None else order.runtime
    fresh = stock.copy(editions, Vendored(folder.name, _importable(runtime, folder)))
    if copy is None:
        changes = [Change(path, "missing", "", text) for path, text in fresh.items()]
    else:
        findings = compare(copy, fresh)
        _refuse_loss(folder, findings, force)
        changes = findings.all()
    _put(fresh, folder, changes)
    written = sum(change.path in fresh for change in changes)
    return Written(
        folder,
        {name: stock.schemas[name] for name in editions},
        runtime,
        copy.manifest.generator if copy else None,
        written,
        len(fresh) - written,
        sum(change.kind == "orphan" for change in changes),
    )


def verify(order: Order) -> Verdict:
    """Hold the copy that is there against what ``vendor`` would write now; writes nothing."""
    folder = _folder(order)
    copy = look(folder)
    if copy is None or copy.manifest.vendored is None:
        raise CodegenError(
            "there is no vendored copy", where=str(folder), hint="run `acp-codegen vendor` without --check"
        )
    recorded = copy.manifest.vendored
    stock = take_stock()
    editions = _known(list(copy.manifest.schemas), copy, stock)
    fresh = stock.copy(editions, Vendored(folder.name, _importable(recorded.runtime, folder)))
    ages = _ages(copy.manifest, stock)
    if recorded.name != folder.name:
        ages.append(f"made under the name {recorded.name}")
    disagreements: list[str] = []
    asked = _editions(order, copy, stock)
    if set(asked) != set(editions):
        disagreements.append(f"has {', '.join(editions)}, asked for is {', '.join(asked)}")
    if order.runtime is not None and _importable(order.runtime, folder) != recorded.runtime:
        disagreements.append(f"has {_sentinel(recorded.runtime)}, asked for is {_sentinel(order.runtime)}")
    return Verdict(folder, editions, len(fresh), compare(copy, fresh), ages, disagreements)


def _ages(manifest: Manifest, stock: Stock) -> list[str]:
    """Where the copy was made with another generator or from another schema than there is now."""
    ages: list[str] = []
    if manifest.generator != GENERATOR:
        ages.append(f"made by {manifest.generator}, this is {GENERATOR}")
    for name, (label, sha256) in manifest.schemas.items():
        now_label, now = stock.schemas[name]
        if (label, sha256) != (now_label, now):
            ages.append(f"{name} made from {label} with sha256 {sha256[:12]}, now from {now_label} with {now[:12]}")
    return ages


def _sentinel(runtime: str | None) -> str:
    return f"the sentinel of {runtime}" if runtime else "a sentinel of its own"


# -------------------------------------------------------------------------------------------- what is asked for


def _folder(order: Order) -> Path:
    """Where the copy is or goes, once everything about the order itself is known to be right."""
    destination = order.destination
    if os.path.lexists(destination) and not os.path.isdir(destination):
        raise CodegenError("DEST is not a folder", where=str(destination), hint="name the folder that holds the copy")
    folder = destination / _name(order)
    place = Path(os.path.realpath(destination), folder.name)
    for own in map(Path.resolve, resources.own_folders()):
        if place.is_relative_to(own) or own.is_relative_to(place):
            raise CodegenError(
                "the generator's own folders are no place for a copy",
                where=str(folder),
                hint="choose a DEST in another source tree",
            )
    return folder


def _name(order: Order) -> str:
    if order.name is None:
        found = names_in(order.destination) if os.path.isdir(order.destination) else []
        if len(found) > 1:
            raise CodegenError(
                f"there are several copies: {', '.join(found)}",
                where=str(order.destination),
                hint="say which with --name",
            )
        return found[0] if found else resources.PACKAGE
    if "." in order.name and all(map(_is_name, order.name.split("."))):
        raise CodegenError(
            f"the name {order.name!r} has a dot",
            hint="DEST is the folder of the outer package, --name the last part alone",
        )
    if not _is_name(order.name):
        raise CodegenError(f"{order.name!r} cannot be the name of a package", hint="use a Python name")
    return order.name


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _importable(module: str | None, folder: Path) -> str | None:
    """A module that the copy can have its sentinel from; asked for or read in a manifest, it becomes source text."""
    if module is None:
        return None
    names = module.lstrip(".").split(".")
    if not all(map(_is_name, names)):
        what = "is not the name of a module"
    elif _is_inside(names, len(module) - len(module.lstrip(".")), folder):
        what = "is this copy itself"
    else:
        return module
    hint = "give --runtime the import name of another copy, as in first.acp_schema"
    raise CodegenError(f"{module!r} {what}", where=str(folder), hint=hint)


def _is_inside(names: list[str], dots: int, folder: Path) -> bool:
    """Whether a module is the copy or part of it, which would then import itself."""
    place = Path(os.path.realpath(folder.parent), folder.name)
    if dots:
        return Path(*place.parts[: len(place.parts) - dots + 1], *names).is_relative_to(place)
    own = _import_name(place)
    # a copy outside every package may be imported by any name
    return len(own) > 1 and names[: len(own)] == own


def _import_name(folder: Path) -> list[str]:
    """How the copy is imported, as far as the packages around it are regular ones."""
    names = [folder.name]
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
        names.insert(0, folder.name)
    return names


def _editions(order: Order, copy: Copy | None, stock: Stock) -> list[str]:
    if order.editions or copy is None:
        return [source.name for source in resources.editions(order.editions)]
    return _known(list(copy.manifest.schemas), copy, stock)


def _known(editions: list[str], copy: Copy, stock: Stock) -> list[str]:
    for name in editions:
        if name not in stock.schemas:
            raise CodegenError(
                f"the copy has the edition {name!r}, which {GENERATOR} does not know",
                where=str(copy.folder / MANIFEST),
                hint=f"use {copy.manifest.generator}, which made it, or choose from: {', '.join(stock.schemas)}",
            )
    return editions


# ------------------------------------------------------------------------------------------------- writing


def _refuse_loss(folder: Path, findings: Findings, force: bool) -> None:
    """What somebody edited is overwritten only if told; what never was of the copy is nobody's to delete."""
    if findings.extra:
        raise CodegenError(
            f"the copy holds what is no part of it: {_paths(findings.extra)}",
            where=str(folder),
            hint="move it elsewhere, --force does not delete it either; nothing was written",
        )
    if findings.edited and not force:
        raise CodegenError(
            f"edited by hand: {_paths(findings.edited)}",
            where=str(folder),
            hint="keep the change outside the copy, or overwrite it with --force; nothing was written",
        )


def _paths(changes: list[Change]) -> str:
    return ", ".join(change.path for change in changes)


def _put(files: dict[str, str], folder: Path, changes: list[Change]) -> None:
    """Write the copy; DEST itself is made where it is missing, but nothing above it."""
    destination = folder.parent
    is_new = not os.path.isdir(destination)
    if is_new:
        try:
            destination.mkdir()
        except OSError as error:
            raise CodegenError(
                f"cannot make DEST: {error.strerror}",
                where=str(destination),
                hint="make the folder that holds it first, or correct the path",
            ) from None
    try:
        write(files, folder, changes)
    except CodegenError:
        if is_new:
            destination.rmdir()
        raise
