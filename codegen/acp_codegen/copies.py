"""Read a copy that lies in another source tree, and say file by file what became of it.

Nothing here follows a link: whatever a copy holds is in its folder, or the copy is refused.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from .errors import CodegenError
from .manifest import MANIFEST, Manifest, digest, is_vendored, parse
from .output import Change


@dataclass(frozen=True)
class Copy:
    """A copy as it lies there; caches and hidden files aside."""

    folder: Path
    content: dict[str, bytes]
    manifest: Manifest


@dataclass(frozen=True)
class Findings:
    """Where a copy differs from what it should be, by what happened."""

    edited: list[Change] = field(default_factory=list[Change])  # not what its own manifest says
    missing: list[Change] = field(default_factory=list[Change])  # in its manifest, but not there
    extra: list[Change] = field(default_factory=list[Change])  # there, but not in its manifest
    outdated: list[Change] = field(
        default_factory=list[Change]
    )  # as its manifest says, but no longer what it should be

    def all(self) -> list[Change]:
        return [*self.edited, *self.missing, *self.extra, *self.outdated]


def names_in(destination: Path) -> list[str]:
    """The copies that lie in a folder."""
    try:
        return sorted(
            path.name
            for path in destination.iterdir()
            if not path.name.startswith(".") and not path.is_symlink() and path.is_dir() and is_vendored(path)
        )
    except OSError as error:
        raise _unreadable(destination, error) from None


def look(folder: Path) -> Copy | None:
    """The copy in a folder; None where nothing is in the way of one. Raises CodegenError where something is."""
    try:
        content = _read(folder)
    except OSError as error:
        raise _unreadable(folder, error) from None
    if not content:
        return None
    if MANIFEST not in content:
        raise CodegenError(
            f"the folder has no {MANIFEST}, so it is no copy of the generated package",
            where=str(folder),
            hint="choose another --name, or move the folder away",
        )
    hint = "restore it from version control, or remove the copy and vendor it again"
    return Copy(folder, content, parse(content[MANIFEST], str(folder / MANIFEST), hint=hint))


def compare(copy: Copy, fresh: dict[str, str]) -> Findings:
    """What became of a copy that should consist of the ``fresh`` files."""
    findings = Findings()
    recorded = copy.manifest.files
    for path in sorted({*copy.content, *recorded, *fresh}):
        there, wanted = copy.content.get(path), fresh.get(path)
        if there is not None and wanted is not None and there == wanted.encode("utf-8"):
            continue
        kind = "missing" if there is None else "orphan" if wanted is None else "different"
        change = Change(path, kind, (there or b"").decode("utf-8", "replace"), wanted or "")
        if path == MANIFEST or (there is None and path not in recorded):
            findings.outdated.append(change)
        elif there is None:
            findings.missing.append(change)
        elif path not in recorded:
            findings.extra.append(change)
        elif digest(there) != recorded[path]:
            findings.edited.append(change)
        else:
            findings.outdated.append(change)
    return findings


def _read(folder: Path) -> dict[str, bytes]:
    """Every file by its path; none where there is no folder."""
    if folder.is_symlink():
        raise _link(folder)
    if not folder.exists():
        return {}
    if not folder.is_dir():
        raise CodegenError("this is not a folder", where=str(folder), hint="choose another --name, or move it away")
    found: dict[str, bytes] = {}
    for path in _walk(folder):
        relative = path.relative_to(folder)
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise _link(path)
        if stat.S_ISDIR(mode) or "__pycache__" in relative.parts or any(part[0] == "." for part in relative.parts):
            continue
        if not stat.S_ISREG(mode):
            raise CodegenError("this is neither a file nor a folder", where=str(path), hint="remove it")
        found[relative.as_posix()] = path.read_bytes()
    return found


def _walk(folder: Path) -> list[Path]:
    def stop(error: OSError) -> None:
        raise error

    tree = os.walk(folder, onerror=stop)
    return sorted(Path(parent, name) for parent, folders, files in tree for name in [*folders, *files])


def _link(path: Path) -> CodegenError:
    return CodegenError(
        "this is a link, and a copy holds none",
        where=str(path),
        hint="put the file or folder itself there, or choose another --name; nothing was written",
    )


def _unreadable(folder: Path, error: OSError) -> CodegenError:
    return CodegenError(
        f"cannot read the copy: {error.strerror}", where=str(error.filename or folder), hint="make it readable"
    )
