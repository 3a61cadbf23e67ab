"""explain: what a name of the protocol stands for."""

from __future__ import annotations

import shutil
from typing import Annotated, Optional

import typer

from .completion import complete_edition, complete_name
from .terminal import errors

_WIDEST = 120  # prose in longer lines is hard to read
_FALLBACK = (100, 24)
_COLOURS = {"title": typer.colors.GREEN, "heading": typer.colors.CYAN, "place": typer.colors.BRIGHT_BLACK}
_BOLD = {"title", "heading", "columns"}


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A definition, a field as Definition.field, a method, an update's tag, an enum's value, or a Python class.",
            autocompletion=complete_name,
        ),
    ],
    edition: Annotated[
        Optional[str],
        typer.Option(
            "--edition",
            metavar="NAME",
            help="In this edition. Default: the newest that has the name.",
            show_default=False,
            autocompletion=complete_edition,
        ),
    ] = None,
) -> None:
    """Show what a name stands for: in the schema, in Python, on the wire and in a session.

    A tag or value that stands for several things gives a list to choose from. Exit 0: explained; 2: no such name.

    \b
    Examples:
      acp-codegen explain ToolCallUpdate
      acp-codegen explain ToolCallUpdate.title --edition v1
      acp-codegen explain session/update
    """
    # imported late: they bring the whole generator, which completion has no time for
    from ..explain.answer import answer
    from ..explain.layout import lay_out

    with errors():
        page = answer(name, edition)
    width = min(shutil.get_terminal_size(_FALLBACK).columns, _WIDEST)
    for line in lay_out(page, width):
        role = line.role.value
        typer.secho(line.text, fg=_COLOURS.get(role), bold=role in _BOLD or None)
