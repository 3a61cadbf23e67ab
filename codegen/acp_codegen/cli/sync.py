"""sync: take the shape of a published schema over, keep what is ours, and list what a person must decide."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Optional

import typer

from ..aside import ASIDE, Kept
from ..sync import SyncPlan, plan_sync
from .terminal import DIFFERENT, diff, errors

UpstreamOption = Annotated[
    Path, typer.Option("--upstream", metavar="FILE", help="The published schema file to take over.")
]
EditionOption = Annotated[
    Optional[str],
    typer.Option(
        "--edition",
        metavar="NAME",
        help="The edition of ours that it is a newer version of, such as v2. Default: the one it has most in common with.",
        show_default=False,
    ),
]
PublishedOption = Annotated[
    Optional[str],
    typer.Option(
        "--published",
        metavar="TEXT",
        help="Where the file was published, for the lock. Default: its folder and name.",
        show_default=False,
    ),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print what would change, as a diff, and write nothing.")]


def sync(
    upstream: UpstreamOption,
    edition: EditionOption = None,
    published: PublishedOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Take the shape of a published schema over into ours.

    Our descriptions and annotations stay, also where a definition or property was renamed. What has no place any more is kept
    in aside.json beside the schema, and comes back with its place. Files are replaced together or not at all; a second
    run changes nothing. Whatever is now for a person to decide is listed with its place and a line that would do;
    `acp-codegen generate` stops at each until it is decided, descriptions aside.

    Exit 0: nothing is left to do; 1: something is to be decided or, in a dry run, would change; 2: error, nothing written.

    \b
    Examples:
      acp-codegen sync --upstream draft/schema.json --dry-run
      acp-codegen sync --upstream draft/schema.json --edition v2 --published "npm sdk 2.5.0, v2/schema.json"
    """
    with errors():
        plan = plan_sync(upstream, edition, published)
        if not dry_run:
            plan.carry_out()
    if dry_run:
        diff(plan.diff())
    _summary(plan, dry_run)
    if plan.decisions:
        _decisions(plan)
    if plan.undescribed:
        _descriptions(plan)
    if plan.decisions or plan.undescribed or (dry_run and plan.is_change):
        raise typer.Exit(DIFFERENT)


# ---------------------------------------------------------------------------------------------------- printing


def _summary(plan: SyncPlan, dry_run: bool) -> None:
    if not plan.is_change:
        typer.echo(f"{plan.label}: nothing to take over, it has the shape of {plan.published}")
        return
    renewal = plan.renewal
    typer.echo(f"{plan.label}: {'would take over' if dry_run else 'took over'} {plan.published}")
    parts = [("added", renewal.added), ("removed", renewal.removed), ("changed", renewal.changed)]
    counts = [f"{len(names)} {word}" for word, names in [*parts, ("renamed", list(renewal.renamed))] if names]
    typer.echo(f"  definitions: {', '.join(counts) or 'the same'}")
    for old, new in renewal.renamed.items():
        typer.echo(f"    {old} is {new} now")
    for old, new in renewal.renamed_properties.items():
        typer.echo(f"    {old} is {new} now")
    _listed("back in place", plan.brought_back)
    _listed(f"without a place, kept in {ASIDE}", plan.set_aside)


def _listed(heading: str, kept: list[Kept]) -> None:
    """Annotations one by one, descriptions by the definition that they belong to."""
    if kept:
        typer.echo(f"  {heading}: what we say at {len(kept)} place(s)")
    described = Counter("/".join(entry.place.split("/")[:3]) for entry in kept if "description" in entry.keywords)
    for place, count in described.items():
        typer.echo(f"    {place}: {count} description(s)")
    for entry in kept:
        annotations = [keyword for keyword in entry.keywords if keyword != "description"]
        if annotations:
            typer.echo(f"    {entry.place}: {', '.join(annotations)}")


def _decisions(plan: SyncPlan) -> None:
    typer.echo(f"to decide: {len(plan.decisions)}")
    for decision in plan.decisions:
        typer.echo(f"  {plan.label}#{decision.where}")
        typer.echo(f"    {decision.message}")
        typer.echo(f"    {decision.advice}")


def _descriptions(plan: SyncPlan) -> None:
    typer.echo(f'to describe: {len(plan.undescribed)}; add a line "description": "A sentence of ours."')
    for where in plan.undescribed:
        typer.echo(f"  {plan.label}#{where}")
