"""What every command shares with the person at the terminal: exit codes, errors, notes, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

import typer

from ..errors import CodegenError

SAME, DIFFERENT, FAILED = 0, 1, 2


class errors:
    """Turn a mistake in the input into one message and exit code 2."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CodegenError):
            fail(error)


def fail(error: CodegenError) -> NoReturn:
    """Say what is wrong, where, and what to do; then stop."""
    first, *rest = str(error).split("\n")
    typer.secho(f"error: {first}", fg=typer.colors.RED, err=True)
    for line in rest:
        typer.echo(line, err=True)
    raise typer.Exit(FAILED)


def note(text: str) -> None:
    """A line for the person, apart from the output."""
    typer.echo(text, err=True)


def diff(text: str) -> None:
    """A unified diff, in colour on a terminal."""
    for line in text.splitlines():
        colour = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}.get(line[:1])
        typer.secho(line, fg=colour)


class Progress:
    """The current step, on one line of a terminal; silent elsewhere."""

    def __enter__(self) -> Callable[[str], None]:
        return self._show if sys.stderr.isatty() else lambda step: None

    def __exit__(self, *exc: object) -> None:
        if sys.stderr.isatty():
            self._show("")

    def _show(self, step: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{step[:100]}")
        sys.stderr.flush()
