"""Replace several files at once: all of them, or none."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .errors import CodegenError


def replace_files(texts: dict[Path, str | None]) -> None:
    """Give every file its new text, None for no file; raises CodegenError and leaves all as they were where one cannot be.

    What is new, and what is old, is on the disk a second time before anything changes: neither to go on nor to undo needs
    room then.
    """
    fresh: dict[Path, Path] = {}
    saved: dict[Path, Path] = {}
    done: list[Path] = []
    path = Path()
    try:
        for path, text in texts.items():
            if text is not None:
                fresh[path] = _beside(path, text.encode("utf-8"))
            if path.exists():
                saved[path] = _beside(path, path.read_bytes())
        for path in texts:
            _put(fresh.get(path), path)
            done.append(path)
    except OSError as error:
        for changed in done:
            _put(saved.get(changed), changed)
        raise CodegenError(
            f"cannot write: {error.strerror}",
            where=str(path),
            hint="make the folder writable and see that the disk has room; nothing was changed",
        ) from None
    finally:
        for leftover in [*fresh.values(), *saved.values()]:
            leftover.unlink(missing_ok=True)


def _put(source: Path | None, target: Path) -> None:
    """Let one file take the place of another, or of nothing; without a source the target goes."""
    if source is None:
        target.unlink(missing_ok=True)
    else:
        os.replace(source, target)


def _beside(path: Path, content: bytes) -> Path:
    """A file with this content in the same folder: only within one file system can it take the other's place."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    return beside
