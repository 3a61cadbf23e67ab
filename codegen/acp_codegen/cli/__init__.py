"""The command line: the only package that prints or exits. One module a command, joined here."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import __version__
from .drift import drift
from .explain import explain
from .generate import check, generate
from .sync import sync
from .terminal import SAME
from .vendor import vendor

app = typer.Typer(
    name="acp-codegen",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


app.command()(generate)
app.command()(check)
app.command()(drift)
app.command()(sync)
app.command()(explain)
app.command()(vendor)
