"""Compare a generated package with a folder, and put it there in one step.

The folder is replaced as a whole: the new one is complete beside it before the two change places, so whoever looks sees
the old package or the new one, whenever the process dies.
"""

from __future__ import annotations

import ctypes
import difflib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .errors import CodegenError
from .manifest import MANIFEST, listed


@dataclass(frozen=True)
class Change:
    """One file in which folder and package differ."""

    path: str
    kind: str  # "missing" | "orphan" | "different"
    old: str
    new: str

    def diff(self) -> str:
        """A unified diff from what is there to what should be."""
        before = "/dev/null" if self.kind == "missing" else f"a/{self.path}"
        after = "/dev/null" if self.kind == "orphan" else f"b/{self.path}"
        lines = difflib.unified_diff(
            self.old.splitlines(keepends=True), self.new.splitlines(keepends=True), before, after
        )
        text = "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
        # an empty file has no lines to show, but its name says it all
        return text or f"--- {before}\n+++ {after}\n"


def compare(files: dict[str, str], folder: Path) -> list[Change]:
    """Where the folder differs from the package, by path."""
    try:
        present = _present(folder)
    except OSError as error:
        raise CodegenError(
            f"cannot read the output folder: {error.strerror}",
            where=str(error.filename or folder),
            hint="make it readable or choose another --out; nothing was changed",
        ) from None
    changes: list[Change] = []
    for path in sorted(set(files) | set(present)):
        if path not in present:
            changes.append(Change(path, "missing", "", files[path]))
        elif path not in files:
            changes.append(Change(path, "orphan", present[path], ""))
        elif present[path] != files[path]:
            changes.append(Change(path, "different", present[path], files[path]))
    return changes


def write(files: dict[str, str], folder: Path, changes: list[Change]) -> None:
    """Make the folder hold exactly these files; raises CodegenError and changes nothing where it cannot."""
    if not changes:
        return
    _refuse_foreign(folder, changes)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder)
        # next to the folder: only within one file system can the two change places
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.{os.getpid()}.", dir=folder.parent))
    except OSError as error:
        raise _cannot_write(folder, error) from None
    try:
        fresh = staging / "new"
        for path, text in files.items():
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        _keep_hidden(folder, fresh)
        _swap(fresh, folder, staging / "old")
    except OSError as error:
        raise _cannot_write(folder, error) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _present(folder: Path) -> dict[str, str]:
    """Every file of the folder but caches and hidden ones; unreadable text counts as different."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise CodegenError("the output is not a folder", where=str(folder), hint="remove it or choose another --out")
    for _ in range(5):
        try:
            return _read_tree(folder)
        except FileNotFoundError:  # another run has just replaced the folder: look again
            continue
    return _read_tree(folder)


def _read_tree(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")) if folder.exists() else []:
        relative = path.relative_to(folder)
        if "__pycache__" in relative.parts or _is_hidden(relative):
            continue
        if path.is_symlink():  # never a generated file, and not to be followed
            found[relative.as_posix()] = f"(a link to {os.readlink(path)})"
        elif path.is_file():
            found[relative.as_posix()] = path.read_bytes().decode("utf-8", "replace")
    return found


def _is_hidden(relative: Path) -> bool:
    return any(part.startswith(".") for part in relative.parts)


def _refuse_foreign(folder: Path, changes: list[Change]) -> None:
    """Files that no run of the generator made are not ours to delete, nor to replace where no manifest speaks for any."""
    ours = {MANIFEST, *listed(folder)}
    foreign = [change for change in changes if change.kind == "orphan" and change.path not in ours]
    if not (folder / MANIFEST).exists():
        foreign += [change for change in changes if change.kind == "different"]
    for change in foreign:
        raise CodegenError(
            "the output folder holds a file that was not generated",
            where=str(folder / change.path),
            hint="move it elsewhere or delete it; nothing was written",
        )


def _remove_leftovers(folder: Path) -> None:
    """Clear away what runs that were killed have left beside the folder; their process ids are in the names."""
    for path in folder.parent.glob(f".{folder.name}.*.*"):
        process = path.name.split(".")[2]
        if process.isdigit() and not _is_running(int(process)):
            shutil.rmtree(path, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _keep_hidden(folder: Path, fresh: Path) -> None:
    """Hidden files are not ours: they move along."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if _is_hidden(relative) and (path.is_file() or path.is_symlink()):
            target = fresh / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target, follow_symlinks=False)


def _swap(fresh: Path, folder: Path, aside: Path) -> None:
    """Put ``fresh`` where ``folder`` is; what was there ends up aside."""
    fresh.chmod(0o755)
    if not folder.exists():
        fresh.rename(folder)
    elif not _exchange(fresh, folder):
        # No exchange on this system: two renames, with a moment between them in which there is no folder.
        folder.rename(aside)
        try:
            fresh.rename(folder)
        except OSError:
            aside.rename(folder)
            raise


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places atomically; False where the system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    at_cwd, exchange = -100, 2
    return bool(renameat2(at_cwd, os.fsencode(one), at_cwd, os.fsencode(other), exchange) == 0)


def _cannot_write(folder: Path, error: OSError) -> CodegenError:
    return CodegenError(
        f"cannot write the generated package: {error.strerror}",
        where=str(folder),
        hint="make the folder writable and see that the disk has room; nothing was changed",
    )
