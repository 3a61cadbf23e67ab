"""Take the shape of a newly published schema over into an edition of ours, and keep every word that is ours.

``plan_sync`` reads and refuses, ``SyncPlan.carry_out`` writes. Third-party text never enters our schema: of the published file
only the shape is used.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path

from . import resources
from .aside import ASIDE, Kept, aside_text, bring_back, read_aside, set_aside
from .decisions import Decision, settle, undescribed
from .errors import CodegenError
from .graft import Grafted, graft
from .load import LoadedSchema, check_protocol, load_schema
from .lock import fingerprints, shape
from .lockfile import LOCK, Locked, lock_text, read_lock
from .passes.updates import update_tags
from .replacing import replace_files
from .resources import EditionSource

# How much more a file may have in common with another edition before it is taken for a version of that one.
_MARGIN = 0.05


@dataclass(frozen=True)
class Renewal:
    """What became of the definitions."""

    added: list[str]
    removed: list[str]
    changed: list[str]
    renamed: dict[str, str]
    renamed_properties: dict[str, str]  # old pointer to new pointer


@dataclass(frozen=True)
class SyncPlan:
    """What a sync does to our files, and what it leaves to decide."""

    label: str  # our schema file, as people name it
    published: str
    texts: dict[Path, tuple[str | None, str | None]]  # what each file holds and what it will hold; None for no file
    renewal: Renewal
    set_aside: list[Kept]
    brought_back: list[Kept]
    decisions: tuple[Decision, ...]
    undescribed: list[str]  # pointers into our schema as it will be

    @property
    def is_change(self) -> bool:
        return any(old != new for old, new in self.texts.values())

    def diff(self) -> str:
        """A unified diff of all files."""
        parts: list[str] = []
        for path, (old, new) in self.texts.items():
            name = path.relative_to(_root(path)).as_posix()
            before = "/dev/null" if old is None else f"a/{name}"
            after = "/dev/null" if new is None else f"b/{name}"
            parts += difflib.unified_diff((old or "").splitlines(True), (new or "").splitlines(True), before, after)
        return "".join(parts)

    def carry_out(self) -> None:
        """Write the files that change, all or none."""
        replace_files({path: new for path, (old, new) in self.texts.items() if old != new})


def plan_sync(upstream: Path, edition: str | None, published: str | None) -> SyncPlan:
    """Everything that taking over the published file means; raises CodegenError where it must not be done."""
    folder = resources.schema_folder()
    if folder is None:
        raise CodegenError(
            "an installed copy has no schema folder to write to", hint="run sync in a checkout of the project"
        )
    theirs = load_schema(upstream, resources.vocabulary())
    check_protocol(theirs)
    locks = read_lock(folder / LOCK)
    source = _edition(theirs, edition, locks)
    _check_links([source.path, source.path.with_name(ASIDE), folder / LOCK])
    ours = load_schema(source.path, resources.vocabulary())
    locked = locks[source.path.parent.name]
    _check_clean(ours, theirs, locked, source.label)
    if published is not None or locked.sha256 != theirs.sha256:
        label = published or f"{upstream.resolve().parent.name}/{upstream.name}"
        locked = Locked(label, theirs.sha256, fingerprints(theirs.document))
    return _plan(theirs, ours, source, {**locks, source.path.parent.name: locked})


def _plan(theirs: LoadedSchema, ours: LoadedSchema, source: EditionSource, locks: dict[str, Locked]) -> SyncPlan:
    folder = source.path.parent
    grafted = graft(shape(theirs.document), ours.document, descriptions=True)
    aside = read_aside(folder / ASIDE)
    back, kept = bring_back(set_aside(aside, grafted.leftovers, ours.document), grafted.document)
    try:
        decisions = settle(grafted.document).decisions
    except CodegenError as error:
        raise error.in_file(theirs.file) from None
    texts = {
        folder / ASIDE: aside_text(kept),
        source.path: json.dumps(grafted.document, indent=2) + "\n",
        folder.parent / LOCK: lock_text(locks),
    }
    return SyncPlan(
        label=source.label,
        published=locks[folder.name].published,
        texts={path: (_present(path), text) for path, text in texts.items()},
        renewal=_renewal(ours, grafted),
        set_aside=[entry for entry in kept if entry not in aside],
        brought_back=back,
        decisions=decisions,
        undescribed=undescribed(grafted.document),
    )


def _renewal(ours: LoadedSchema, grafted: Grafted) -> Renewal:
    before, after = fingerprints(ours.document), fingerprints(grafted.document)
    names = grafted.pairing.definitions
    came = set(names.values())
    return Renewal(
        added=[name for name in after if name and name not in came],
        removed=[name for name in before if name and name not in names],
        changed=[new for old, new in {"": "", **names}.items() if before[old] != after[new] and old == new],
        renamed=grafted.pairing.renamed_definitions,
        renamed_properties=grafted.pairing.renamed_properties(),
    )


def _root(path: Path) -> Path:
    """The folder that holds ``schema``: the lock lies in it, the files of an edition one deeper."""
    return path.parents[1] if path.name == LOCK else path.parents[2]


def _present(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None


# ------------------------------------------------------------------------------------------------ refusals


def _edition(theirs: LoadedSchema, name: str | None, locks: dict[str, Locked]) -> EditionSource:
    """The edition that is asked for, or that the file is a version of; never one that it is no version of."""
    asked = resources.editions([name])[0] if name is not None else None
    kinship = {source: _kinship(theirs, source) for source in resources.editions()}
    closest, *others = sorted(kinship, key=lambda source: -kinship[source])
    source = asked or closest
    if asked is None and any(kinship[other] > kinship[closest] - _MARGIN for other in others):
        raise CodegenError(
            "which edition this is a version of does not show",
            where=theirs.file,
            hint=f"add --edition with one of: {', '.join(source.name for source in kinship)}",
        )
    if kinship[closest] > kinship[source] + _MARGIN:
        raise CodegenError(
            f"this looks like a version of {closest.name}, not of {source.name}: it has {kinship[closest]:.0%} of the "
            f"session updates in common with the one and {kinship[source]:.0%} with the other",
            where=theirs.file,
            hint=f"use --edition {closest.name}, or name another file",
        )
    if source.path.parent.name not in locks:
        raise CodegenError(
            f"the lock does not know the edition {source.name}", where=LOCK, hint="restore it from version control"
        )
    return source


def _kinship(theirs: LoadedSchema, source: EditionSource) -> float:
    """How much a file has in common with an edition: session updates tell versions apart, other names hardly change."""
    ours = update_tags(load_schema(source.path, resources.vocabulary()).document)
    tags = update_tags(theirs.document)
    return len(ours & tags) / max(1, len(ours | tags))


def _check_links(paths: list[Path]) -> None:
    for path in paths:
        if path.is_symlink():
            raise CodegenError(
                "a link is not replaced: the file that it leads to would stay as it is",
                where=str(path),
                hint="put the file itself there; nothing was changed",
            )


def _check_clean(ours: LoadedSchema, theirs: LoadedSchema, locked: Locked, label: str) -> None:
    """Our schema must have the locked shape: what was changed by hand would be lost without a word.

    The shape of the published file itself is fine too: a sync that was cut off leaves it.
    """
    found = fingerprints(ours.document)
    if found in (locked.definitions, fingerprints(theirs.document)):
        return
    edited = [
        name or "the root"
        for name in sorted({*found, *locked.definitions})
        if found.get(name) != locked.definitions.get(name)
    ]
    shown = ", ".join(edited[:5]) + (f" and {len(edited) - 5} more" if len(edited) > 5 else "")
    raise CodegenError(
        f"our schema has not the shape that the lock records: {shown}",
        where=label,
        hint="undo the edit, or restore the lock; descriptions and annotations alone are ours to change",
    )
