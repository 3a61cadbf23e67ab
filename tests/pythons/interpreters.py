"""The Pythons of this machine on which generator and generated package must work."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

VERSIONS = ("3.10", "3.11", "3.12", "3.13")
_GENERATOR_NEEDS = ("black", "datamodel-code-generator", "jinja2", "typer")


class CannotInstall(Exception):
    """No environment with the generator's dependencies could be made, for want of a network most likely."""


@lru_cache(maxsize=None)
def found() -> dict[str, Path]:
    """One interpreter a version, by version; the one that runs the tests is always among them."""
    candidates = [Path(sys.executable)]
    candidates += [Path(path) for version in VERSIONS if (path := shutil.which(f"python{version}"))]
    candidates += sorted(Path.home().glob(".pyenv/versions/*/bin/python"))
    own = ".".join(map(str, sys.version_info[:2]))
    pythons: dict[str, Path] = {own: Path(sys.executable)}
    for candidate in candidates:
        version = _version(candidate)
        if version in VERSIONS:
            pythons.setdefault(version, candidate)
    return dict(sorted(pythons.items(), key=lambda item: int(item[0].split(".")[1])))


def _version(python: Path) -> str:
    """Major and minor version; nothing for a shim that leads nowhere."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    result = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else ""


def with_generator_dependencies(python: Path, version: str, requirements: Path, cache: Path) -> Path:
    """An interpreter like ``python`` that has what the generator imports, at the pinned versions.

    The environment is made once in ``cache`` and found again by the fingerprint of the pinned versions.
    """
    if python == Path(sys.executable):
        return python
    environment = cache / version
    ready = environment / "ready"
    fingerprint = hashlib.sha256(requirements.read_bytes()).hexdigest()
    inside = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    if ready.is_file() and ready.read_text(encoding="ascii") == fingerprint:
        return inside
    shutil.rmtree(environment, ignore_errors=True)
    _run_or_refuse([python, "-m", "venv", environment])
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run_or_refuse([*pip, *_pinned(requirements)])
    ready.write_text(fingerprint, encoding="ascii")
    return inside


def _run_or_refuse(command: list[str | Path]) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines()
        raise CannotInstall(lines[-1] if lines else f"exit code {result.returncode}")


def _pinned(requirements: Path) -> list[str]:
    """The generator's dependencies as requirements.txt pins them, and the file as a constraint for what those need."""
    pins = re.findall(r"^([A-Za-z0-9_.-]+)==(\S+)", requirements.read_text(encoding="utf-8"), re.MULTILINE)
    versions = {name.lower(): f"{name}=={version}" for name, version in pins}
    return ["--constraint", str(requirements), *(versions[name] for name in _GENERATOR_NEEDS)]
