"""Our schemas and the lock: what the fingerprints of the published shapes tell without the published files."""

from __future__ import annotations

from ..errors import CodegenError
from ..jsontypes import Json, pointer
from ..load import LoadedSchema
from ..lock import fingerprints, shape
from ..lockfile import LOCK, Locked
from .model import Change, Report, Side
from .rules import RULES


def locked_edition(lock: dict[str, Locked], folder: str) -> Locked:
    """What the lock records of an edition; raises CodegenError where it records nothing."""
    if folder not in lock:
        raise CodegenError(
            f"the lock does not record the edition {folder}",
            where=LOCK,
            hint=f"it records: {', '.join(lock)}; run `acp-codegen sync` with the published file",
        )
    return lock[folder]


def compare_with_lock(ours: LoadedSchema, locked: Locked, *, label: str) -> Report:
    """Which definitions of ours, or the root, are not of the shape that was published."""
    found = fingerprints(ours.document)
    changes: list[Change] = []
    for name, fingerprint in found.items():
        if name not in locked.definitions:
            changes.append(_change("locked-extra", name, f"{_called(name)} was not published", ours))
        elif locked.definitions[name] != fingerprint:
            changes.append(_change("locked-changed", name, f"{_called(name)} is not of the published shape", ours))
    for name in locked.definitions:
        if name not in found:
            changes.append(_change("locked-missing", name, f"{_called(name)} was published and is missing", ours))
    published = Side(f"{LOCK} ({locked.published})", locked.sha256, sum(name != "" for name in locked.definitions))
    return Report(published, Side(label, ours.sha256, len(ours.definitions)), tuple(changes))


def nearest_edition(published: LoadedSchema, editions: dict[str, LoadedSchema]) -> str:
    """The edition of ours that shares the most fingerprints with a published file; the first of equals."""
    theirs = fingerprints(published.document)

    def shared(name: str) -> int:
        ours = fingerprints(editions[name].document)
        return sum(theirs.get(definition) == fingerprint for definition, fingerprint in ours.items())

    return max(editions, key=shared)


def _called(name: str) -> str:
    return name or "The message envelope at the root"


def _change(rule: str, name: str, lead: str, ours: LoadedSchema) -> Change:
    catalogued = RULES[rule]
    is_ours, is_published = rule != "locked-missing", rule != "locked-extra"
    where = pointer("$defs", name) if name else ""
    body: Json = shape(ours.definitions[name]) if is_ours and name else None
    consequence = (
        "peers that keep to the published schema may misread or refuse what our bindings write, and the reverse"
    )
    return Change(
        rule,
        catalogued.category,
        catalogued.old_reader,
        catalogued.new_reader,
        name or "message",
        name,
        f"{lead}: {consequence}.",
        where if is_published else None,
        where if is_ours else None,
        None,
        body,
    )
