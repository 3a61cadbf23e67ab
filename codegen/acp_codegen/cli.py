"""The command line: the only module that prints or exits."""

from __future__ import annotations

import keyword
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn, Optional

import typer

from . import __version__, resources
from .errors import CodegenError
from .manifest import keep_the_rest
from .output import Change, compare, write
from .pipeline import Package, build_package, count
from .resources import EditionSource

PACKAGE = "acp_schema"
SAME, DIFFERENT, FAILED = 0, 1, 2

app = typer.Typer(
    name="acp-codegen",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

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
SessionOption = Annotated[
    bool,
    typer.Option(
        "--no-session",
        help="Types, codecs and method tables alone: for a schema without our x-update and x-patch annotations.",
    ),
]


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    """Generate three-state Python bindings for the Agent Client Protocol from its JSON Schema.

    Daily use: edit schema/ or templates/, run `acp-codegen generate`, commit both. In CI run `acp-codegen check`.
    Exit codes: 0 done or same, 1 different, 2 error.
    """
    if version:
        typer.echo(f"acp-codegen {__version__}")
        raise typer.Exit(SAME)


@app.command()
def generate(
    edition: EditionOption = None, schema: SchemaOption = None, out: OutOption = None, no_session: SessionOption = False
) -> None:
    """Write the generated package.

    Files that are the same already stay untouched; the others are replaced together or not at all. Without
    options the project's own schemas go to generated/acp_schema.

    \b
    Examples:
      acp-codegen generate
      acp-codegen generate --schema draft/schema.json --no-session --out build
    """
    started = time.monotonic()
    with _errors():
        package, folder = _build(edition, schema, out, no_session)
        changes = compare(package.files, folder)
        write(package.files, folder, changes)
    _summary(package, folder, changes, time.monotonic() - started)


@app.command()
def check(
    edition: EditionOption = None, schema: SchemaOption = None, out: OutOption = None, no_session: SessionOption = False
) -> None:
    """Tell whether the generated package is what the schemas give; write nothing.

    Prints a unified diff from what is there to what should be. Missing files and files that are no longer generated count
    as different. Exit 0: same; 1: different; 2: error.

    \b
    Example, in CI:
      acp-codegen check
    """
    with _errors():
        package, folder = _build(edition, schema, out, no_session)
        changes = compare(package.files, folder)
    for change in changes:
        _diff(change)
    if changes:
        _note(f"{len(changes)} of {len(package.files)} files in {folder} differ: run `acp-codegen generate`")
        raise typer.Exit(DIFFERENT)
    _note(f"{len(package.files)} files in {folder} are up to date")


def _build(edition: list[str] | None, schema: Path | None, out: Path | None, no_session: bool) -> tuple[Package, Path]:
    folder = _output(schema, out) / PACKAGE
    if schema is None:
        sources = resources.editions(edition)
    else:
        sources = [EditionSource(_edition_name(schema, edition), schema, schema.name)]
    with _Progress() as progress:
        package = build_package(sources, session=not no_session, progress=progress)
    if edition and schema is None:
        package = Package(keep_the_rest(package.files, folder), package.editions)
    return package, folder


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


class _errors:
    """Turn a mistake in the input into one message and exit code 2."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CodegenError):
            _fail(error)


def _fail(error: CodegenError) -> NoReturn:
    first, *rest = str(error).split("\n")
    typer.secho(f"error: {first}", fg=typer.colors.RED, err=True)
    for line in rest:
        typer.echo(line, err=True)
    raise typer.Exit(FAILED)


class _Progress:
    """The current step, on one line of a terminal; silent elsewhere."""

    def __enter__(self) -> Callable[[str], None]:
        return self._show if sys.stderr.isatty() else lambda step: None

    def __exit__(self, *exc: object) -> None:
        if sys.stderr.isatty():
            self._show("")

    def _show(self, step: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{step[:100]}")
        sys.stderr.flush()


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


def _diff(change: Change) -> None:
    for line in change.diff().splitlines():
        colour = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}.get(line[:1])
        typer.secho(line, fg=colour)


def _note(text: str) -> None:
    typer.echo(text, err=True)
