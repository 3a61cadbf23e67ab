"""generate and check: write the package, or tell whether it is what the schemas give."""

from __future__ import annotations

import keyword
import time
from pathlib import Path
from typing import Annotated, Optional

import typer

from .. import resources
from ..decisions import Decision
from ..errors import CodegenError
from ..load import LoadedSchema
from ..manifest import keep_the_rest, listed
from ..output import Change, compare, write
from ..overlay import lay_over
from ..pipeline import Package, build_package, count
from ..resources import PACKAGE, EditionSource
from .terminal import DIFFERENT, Progress, diff, errors, note

EditionOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--edition",
        metavar="NAME",
        help="Only this edition, such as v2, and leave the others as they are; may be given again. Default: all.",
        show_default=False,
    ),
]
SchemaOption = Annotated[
    Optional[Path],
    typer.Option(
        "--schema", metavar="FILE", help="Generate from this schema file instead of the project's own; needs --out."
    ),
]
OutOption = Annotated[
    Optional[Path],
    typer.Option(
        "--out",
        metavar="DIR",
        help=f"Folder that receives the package {PACKAGE}. Default in a checkout: generated.",
        show_default=False,
    ),
]
OverlayOption = Annotated[
    Optional[str],
    typer.Option(
        "--overlay",
        metavar="EDITION",
        help="Give the schema file the annotations of this edition of ours: a published file gets a session too.",
        show_default=False,
    ),
]
SessionOption = Annotated[
    bool,
    typer.Option(
        "--no-session",
        help="Types, codecs and method tables alone: for a schema without our x-update and x-patch annotations.",
    ),
]


def generate(
    edition: EditionOption = None,
    schema: SchemaOption = None,
    overlay: OverlayOption = None,
    out: OutOption = None,
    no_session: SessionOption = False,
) -> None:
    """Write the generated package.

    Files that are the same already stay untouched; the others are replaced together or not at all. Without
    options the project's own schemas go to generated/acp_schema.

    With --overlay a published schema that nobody has annotated gets bindings with a session. What the annotations of the
    edition do not decide gets a safe default, and each of these is printed as a note: an update that no rule speaks of is
    delivered and not stored. Together with --no-session the annotations give three-state fields alone.

    \b
    Examples:
      acp-codegen generate
      acp-codegen generate --schema draft/schema.json --overlay v2 --out build
      acp-codegen generate --schema draft/schema.json --no-session --out build
    """
    started = time.monotonic()
    with errors():
        package, folder = _build(edition, schema, overlay, out, no_session)
        changes = compare(package.files, folder)
        write(package.files, folder, changes)
    _summary(package, folder, changes, time.monotonic() - started)


def check(
    edition: EditionOption = None,
    schema: SchemaOption = None,
    overlay: OverlayOption = None,
    out: OutOption = None,
    no_session: SessionOption = False,
) -> None:
    """Tell whether the generated package is what the schemas give; write nothing.

    Prints a unified diff from what is there to what should be. Missing files and files that are no longer generated count
    as different. Exit 0: same; 1: different; 2: error.

    \b
    Example, in CI:
      acp-codegen check
    """
    with errors():
        package, folder = _build(edition, schema, overlay, out, no_session)
        changes = compare(package.files, folder)
    for change in changes:
        diff(change.diff())
    if changes:
        note(f"{len(changes)} of {len(package.files)} files in {folder} differ: run `acp-codegen generate`")
        raise typer.Exit(DIFFERENT)
    note(f"{len(package.files)} files in {folder} are up to date")


def _build(
    edition: list[str] | None, schema: Path | None, overlay: str | None, out: Path | None, no_session: bool
) -> tuple[Package, Path]:
    if overlay is not None and schema is None:
        raise CodegenError("what to lay the annotations over is not said", hint="add --schema FILE")
    folder = _output(schema, out) / PACKAGE
    if schema is None:
        sources = resources.editions(edition)
    else:
        laid = _overlaid(schema, overlay) if overlay is not None else None
        sources = [EditionSource(_edition_name(schema, edition), schema, schema.name, laid)]
    is_part = bool(edition) and schema is None
    with Progress() as progress:
        kept = listed(folder) if is_part else ()
        package = build_package(sources, session=not no_session, kept=kept, progress=progress)
    if is_part:
        package = Package(keep_the_rest(package.files, folder), package.editions)
    return package, folder


def _overlaid(schema: Path, overlay: str) -> LoadedSchema:
    laid = lay_over(schema, overlay)
    for where in laid.passed_over:
        note(f"note: nothing here knows this annotation; it is passed over\n  at {schema.name}#{where}")
    for decision in laid.decisions:
        note(f"note: {decision.message}; generated {_as(decision)}\n  at {schema.name}#{decision.where}")
    return laid.loaded


def _as(decision: Decision) -> str:
    return f'without "{decision.keyword}"' if decision.answer is None else f"with {decision.line}"


def _output(schema: Path | None, out: Path | None) -> Path:
    if out is not None:
        return out
    default = resources.default_output()
    if schema is not None or default is None:
        raise CodegenError("where to write is not said", hint="add --out DIR")
    return default


def _edition_name(schema: Path, edition: list[str] | None) -> str:
    """A schema of one's own is called as --edition says, or like the folder it lies in."""
    if edition and len(edition) > 1:
        raise CodegenError("one schema makes one edition", hint="give --edition once")
    if edition:
        if not _is_subpackage(edition[0]):
            raise CodegenError(
                f"{edition[0]!r} cannot be the name of a subpackage", hint="use a Python name that begins with a letter"
            )
        return edition[0]
    name = resources.edition_name(schema.resolve().parent.name)
    return name if _is_subpackage(name) else "custom"


def _is_subpackage(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


# ---------------------------------------------------------------------------------------------------- printing


def _summary(package: Package, folder: Path, changes: list[Change], seconds: float) -> None:
    columns = ["edition", "definitions", "records", "unions", "enums", "aliases"]
    typer.echo("  ".join(f"{column:>11}" for column in columns))
    for edition in package.editions:
        row = {"edition": edition.name, **count(edition)}
        typer.echo("  ".join(f"{row[column]:>11}" for column in columns))
    removed = sum(change.kind == "orphan" for change in changes)
    written = len(changes) - removed
    parts = [f"{written} files written", f"{len(package.files) - written} unchanged"]
    if removed:
        parts.append(f"{removed} removed")
    typer.echo(f"{folder}: {', '.join(parts)} in {seconds:.1f} s")
