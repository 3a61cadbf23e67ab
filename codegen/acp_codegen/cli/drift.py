"""drift: what changed between two schemas, or between ours and what was published."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Optional

import typer

from .. import resources
from ..drift.compare import compare
from ..drift.locked import compare_with_lock, locked_edition, nearest_edition
from ..drift.model import Category, Report
from ..drift.severities import Override, override, read_severities
from ..errors import CodegenError
from ..load import LoadedSchema, load_schema
from ..lockfile import LOCK, Locked, read_lock
from ..report import render
from ..resources import EditionSource
from .completion import complete_edition
from .terminal import DIFFERENT, Progress, errors, note


class Format(str, Enum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"
    HTML = "html"
    CHANGELOG = "changelog"


class FailOn(str, Enum):
    """What makes the command end with exit code 1."""

    WIRE = "wire"
    SOURCE = "source"
    ANY = "any"
    NONE = "none"


_COUNTS = {
    FailOn.WIRE: {Category.WIRE},
    FailOn.SOURCE: {Category.WIRE, Category.SOURCE},
    FailOn.ANY: set(Category),
    FailOn.NONE: set[Category](),
}
# formats of which several stand well one after the other
_IN_A_ROW = (Format.TEXT, Format.MARKDOWN, Format.GITHUB)


@dataclass(frozen=True)
class _Compared:
    """A report, and the text of the newer schema for annotations that point at its lines."""

    report: Report
    new_path: Path


def drift(
    old: Annotated[Optional[str], typer.Argument(metavar="OLD", help="A schema file, or an edition of ours.")] = None,
    new: Annotated[Optional[str], typer.Argument(metavar="NEW", help="The same for the newer schema.")] = None,
    upstream: Annotated[
        Optional[Path],
        typer.Option(
            "--upstream",
            metavar="FILE",
            help="Compare our schema with this published file, descriptions and our annotations aside.",
        ),
    ] = None,
    edition: Annotated[
        Optional[str],
        typer.Option(
            "--edition",
            metavar="NAME",
            help="The edition of ours. Default: with --upstream the one most like the file, without a file all of them.",
            show_default=False,
            autocompletion=complete_edition,
        ),
    ] = None,
    severities: Annotated[
        Optional[Path],
        typer.Option("--severities", metavar="FILE", help="JSON that gives rules other categories and severities."),
    ] = None,
    format: Annotated[
        Format,
        typer.Option("--format", help="How to write the report; json, html and changelog take one edition at a time."),
    ] = Format.TEXT,
    out: Annotated[
        Optional[Path],
        typer.Option("--out", metavar="FILE", help="Write the report to this file instead of the terminal."),
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option("--fail-on", help="Which changes give exit code 1: wire, source (and wire), any, or none."),
    ] = FailOn.ANY,
) -> None:
    """Tell what changed between two schemas, and whether it breaks the wire or only source code.

    OLD and NEW are schema files or editions of ours. With --upstream our schema is compared with a published file. With
    neither, our schemas are held against the fingerprints in schema/upstream.lock.json: no file and no network is needed, but
    only which definitions differ is known, not how.

    Exit 0: no changes that count; 1: changes; 2: error. docs/drift-rules.md explains every rule.

    \b
    Examples:
      acp-codegen drift
      acp-codegen drift --upstream draft/schema.json
      acp-codegen drift old.json new.json --format html --out drift.html
      acp-codegen drift v1 v2 --fail-on none
    """
    with errors():
        _check_arguments(old, new, upstream, edition)
        overrides = read_severities(severities) if severities else ()
        with Progress() as progress:
            progress("comparing")
            if old is not None and new is not None:
                compared = [_two(old, new)]
            elif upstream is not None:
                compared = [_published(upstream, edition)]
            else:
                compared = _offline(edition)
        if len(compared) > 1 and format not in _IN_A_ROW:
            raise CodegenError(f"{format.value} takes one edition at a time", hint="add --edition NAME")
        compared = _overridden(compared, overrides)
        texts = [_text(one, format, out) for one in compared]
        _write("\n".join(texts) if format is Format.MARKDOWN else "".join(texts), out)
    if any(change.category in _COUNTS[fail_on] for one in compared for change in one.report.changes):
        raise typer.Exit(DIFFERENT)


def _check_arguments(old: str | None, new: str | None, upstream: Path | None, edition: str | None) -> None:
    if old is not None and new is None:
        raise CodegenError(
            "one schema alone cannot be compared",
            hint=f"name two, as in `drift {old} NEW`, or compare with ours: `drift --upstream {old}`",
        )
    if old is not None and (upstream is not None or edition is not None):
        option = "--upstream" if upstream is not None else "--edition"
        raise CodegenError(
            f"OLD and NEW say what to compare already: {option} has no place beside them", hint="drop it"
        )


# ------------------------------------------------------------------------------------------------- what to compare


def _two(old: str, new: str) -> _Compared:
    one, other = _named(old), _named(new)
    return _Compared(compare(_load(one), _load(other), old_label=one.label, new_label=other.label), other.path)


def _named(name: str) -> EditionSource:
    """A schema file, or one of our editions by the name of its subpackage or folder."""
    path = Path(name)
    if path.is_file():
        return EditionSource(name, path, name)
    ours = {source.name: source for source in resources.editions()}
    source = ours.get(resources.edition_name(name))
    if source is None:
        raise CodegenError(
            f"{name} is neither a file nor an edition of ours",
            hint=f"name a schema file, or one of {', '.join(ours)}",
        )
    return source


def _published(file: Path, edition: str | None) -> _Compared:
    published = load_schema(file, resources.vocabulary())
    lock = _lock()
    if edition is not None:
        (source,) = resources.editions([resources.edition_name(edition)])
        ours = _load(source)
    else:
        sources = {source.name: source for source in resources.editions()}
        schemas = {name: _load(source) for name, source in sources.items()}
        nearest = nearest_edition(published, schemas)
        source, ours = sources[nearest], schemas[nearest]
    locked = locked_edition(lock, source.path.parent.name)
    report = compare(ours, published, old_label=source.label, new_label=str(file), shapes_only=True)
    if edition is None:
        note(f"{file} is most like the edition {source.name}: compared with it (--edition NAME for another)")
    recorded = "the file" if locked.sha256 == published.sha256 else "not the file"
    note(f"{file} is {recorded} that the lock records for {source.name} ({locked.published})")
    return _Compared(report, file)


def _offline(edition: str | None) -> list[_Compared]:
    lock = _lock()
    sources = resources.editions([resources.edition_name(edition)] if edition is not None else None)
    folders = {source.path.parent.name for source in sources}
    for folder in lock:
        if edition is None and folder not in folders:
            raise CodegenError(
                f"the lock records the edition {folder}, which has no schema",
                where=LOCK,
                hint=f"restore schema/{folder}/schema.json, or take the edition out of the lock",
            )
    return [
        _Compared(
            compare_with_lock(_load(source), locked_edition(lock, source.path.parent.name), label=source.label),
            source.path,
        )
        for source in sources
    ]


def _lock() -> dict[str, Locked]:
    return read_lock(resources.root() / "schema" / LOCK)


def _load(source: EditionSource) -> LoadedSchema:
    return load_schema(source.path, resources.vocabulary())


# ----------------------------------------------------------------------------------------------------- the report


def _overridden(compared: list[_Compared], overrides: tuple[Override, ...]) -> list[_Compared]:
    results: list[_Compared] = []
    used: set[str] = set()
    for one in compared:
        report, of_use = override(one.report, overrides)
        used |= of_use
        results.append(_Compared(report, one.new_path))
    for row in overrides:
        if row.row not in used:
            note(f'the severity for "{row.row}" is about nothing in this report')
    return results


def _text(compared: _Compared, format: Format, out: Path | None) -> str:
    colour = out is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    source = compared.new_path.read_text(encoding="utf-8") if format is Format.GITHUB else None
    return render(compared.report, format.value, colour=colour, new_text=source)


def _write(text: str, out: Path | None) -> None:
    """To the terminal, or to a file that is replaced as a whole or not at all."""
    if out is None:
        typer.echo(text, nl=False)
        return
    unfinished = out.with_name(out.name + ".part")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(out)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise CodegenError(
            f"cannot write the report: {error.strerror}", where=str(out), hint="name another file"
        ) from None
    note(f"the report is in {out}")
