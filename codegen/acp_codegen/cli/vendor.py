"""vendor: put a copy of the generated package into another source tree, or tell whether one is untouched and current."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Optional

import typer

from ..errors import CodegenError, printable
from ..manifest import GENERATOR, MANIFEST
from ..resources import PACKAGE
from ..vendor import Order, Verdict, Written, verify
from ..vendor import vendor as put
from .completion import complete_edition
from .terminal import DIFFERENT, diff, errors, note

DestinationArgument = Annotated[
    Path,
    typer.Argument(metavar="DEST", help="Folder of the other source tree that holds the copy.", show_default=False),
]
EditionOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--edition",
        metavar="NAME",
        help="Only this edition, such as v2; may be given again. Default: those of the copy that is there, else all.",
        show_default=False,
        autocompletion=complete_edition,
    ),
]
NameOption = Annotated[
    Optional[str],
    typer.Option(
        "--name",
        metavar="PKG",
        help=f"What the copy is called in DEST. Default: as the copy that is there, else {PACKAGE}.",
        show_default=False,
    ),
]
RuntimeOption = Annotated[
    Optional[str],
    typer.Option(
        "--runtime",
        metavar="MODULE",
        help="Share the UNSET of another copy, by its import name. Default: as the copy that is there, else its own.",
        show_default=False,
    ),
]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Tell whether the copy is untouched and current; write nothing.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite files of the copy that were edited by hand.")]


def vendor(
    dest: DestinationArgument,
    edition: EditionOption = None,
    name: NameOption = None,
    runtime: RuntimeOption = None,
    check: CheckOption = False,
    force: ForceOption = False,
) -> None:
    """Copy the generated package into another source tree.

    The copy works under any name and needs the standard library alone. Its MANIFEST.json keeps the options, so they need
    not be repeated for an update or a check. Files that were edited by hand are overwritten only with --force; files that
    are no part of the copy stop the command.

    With --check nothing is written. A file that was edited by hand is shown as a unified diff; a copy from another
    acp-codegen or another schema is named as such. Exit 0: untouched and current; 1: not; 2: error.

    With --runtime two copies share one UNSET, so that the patch fields of one can be passed on to the other. MODULE is
    absolute, or relative to the copy with two dots or more. Classes and exceptions stay apart: only the sentinel is shared.

    \b
    Examples:
      acp-codegen vendor src/my_sdk --edition v1 --edition v2
      acp-codegen vendor src/my_sdk/_vendor --name acp --runtime my_sdk.acp_schema
      acp-codegen vendor src/my_sdk --check
    """
    order = Order(dest, name, edition, runtime)
    with errors():
        if check and force:
            raise CodegenError("--check writes nothing, so there is nothing to force", hint="leave out one of the two")
        done = verify(order) if check else put(order, force=force)
    if isinstance(done, Written):
        _summary(done)
        return
    _report(done, order)
    if not done.is_same:
        raise typer.Exit(DIFFERENT)


def _summary(done: Written) -> None:
    width = max(len("edition"), *map(len, done.schemas))
    labels = max(len("schema"), *(len(label) for label, _ in done.schemas.values()))
    typer.echo(f"{'edition':>{width}}  {'schema':{labels}}  sha256")
    for edition, (label, sha256) in done.schemas.items():
        typer.echo(f"{edition:>{width}}  {label:{labels}}  {sha256[:12]}")
    if done.runtime is not None:
        typer.echo(f"UNSET is that of {done.runtime}")
    parts = [f"{done.written} files written", f"{done.unchanged} unchanged"]
    if done.removed:
        parts.append(f"{done.removed} removed")
    version = GENERATOR if done.before in (None, GENERATOR) else f"{printable(done.before)} before, now {GENERATOR}"
    typer.echo(f"{done.folder}: {', '.join(parts)} ({version})")


def _report(verdict: Verdict, order: Order) -> None:
    findings = verdict.findings
    if verdict.is_same:
        editions = ", ".join(verdict.editions)
        note(f"{verdict.files} files in {verdict.folder} are untouched and current ({GENERATOR}; {editions})")
        return
    for change in [*findings.edited, *verdict.unexplained()]:
        diff(change.diff())
    lines = [f"edited by hand: {change.path}" for change in findings.edited]
    lines += [f"missing: {change.path}" for change in findings.missing]
    lines += [f"no part of the copy: {change.path}" for change in findings.extra]
    lines += [f"not what {GENERATOR} gives: {change.path}" for change in verdict.unexplained()]
    lines += [f"{MANIFEST}: {line}" for line in [*verdict.ages, *verdict.disagreements]]
    for line in lines:
        note(printable(line))
    note(f"{_count(verdict)}: {_advice(verdict, order)}")


def _count(verdict: Verdict) -> str:
    differing = len(verdict.findings.all())
    if not differing:
        return f"{verdict.folder} is not what was asked for"
    return f"{differing} of {verdict.files} files in {verdict.folder} differ"


def _advice(verdict: Verdict, order: Order) -> str:
    """The command that puts it right."""
    words = ["acp-codegen", "vendor", str(order.destination)]
    for edition in order.editions or []:
        words += ["--edition", edition]
    if order.name:
        words += ["--name", order.name]
    if order.runtime:
        words += ["--runtime", order.runtime]
    if verdict.findings.edited:
        words.append("--force")
    first = "move away what is no part of it and " if verdict.findings.extra else ""
    return f"{first}run `{shlex.join(words)}`"
