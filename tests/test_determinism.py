"""The same schema gives the same bytes: whatever the machine, the place and the Python."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pythons import interpreters

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "generated" / "acp_schema"
PYTHONS = interpreters.found()

# Prints the sha256 of every file of a fresh build; ``sys.argv[1]`` is the folder that holds acp_codegen.
BUILD = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from acp_codegen import pipeline, resources
assert str(resources.root()) == sys.argv[2], resources.root()
files = pipeline.build_package(resources.editions()).files
print(json.dumps({path: hashlib.sha256(text.encode("utf-8")).hexdigest() for path, text in files.items()}))
"""


@dataclass(frozen=True)
class Setting:
    """Circumstances of one build that must not show in its result."""

    python: Path = Path(sys.executable)
    repository: Path = ROOT
    folder: Path = ROOT
    environment: dict[str, str] = field(default_factory=dict)


def _build(setting: Setting) -> dict[str, str]:
    """The fingerprints of a build; raises AssertionError with its output where it fails."""
    inherited = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT") if key in os.environ}
    result = subprocess.run(
        [setting.python, "-B", "-c", BUILD, setting.repository / "codegen", setting.repository],
        capture_output=True,
        text=True,
        cwd=setting.folder,
        env={**inherited, **setting.environment},
    )
    assert result.returncode == 0, result.stderr
    fingerprints: dict[str, str] = json.loads(result.stdout)
    return fingerprints


def _committed() -> dict[str, str]:
    return {
        path.relative_to(GENERATED).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in GENERATED.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def _locale(wanted: str, otherwise: str) -> str:
    """A locale with surprising case rules, where the machine has it."""
    if shutil.which("locale") is None:
        return otherwise
    installed = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.lower().replace("-", "")
    return wanted if wanted.lower().replace("-", "") in installed.split() else otherwise


def test_output_is_the_same_in_every_setting(tmp_path: Path) -> None:
    """Each build varies several things at once; a difference names the files and a rerun of one the cause."""
    elsewhere = tmp_path / "a folder with spaces \u00e9"
    for name in ("codegen", "schema", "templates"):
        shutil.copytree(ROOT / name, elsewhere / name, ignore=shutil.ignore_patterns("__pycache__"))
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    settings = {
        "hash seed 0, C locale, UTC": Setting(
            folder=tmp_path, environment={**ascii_only, "PYTHONHASHSEED": "0", "TZ": "UTC"}
        ),
        "hash seed 4242, Turkish if installed, far east, another path": Setting(
            repository=elsewhere,
            folder=elsewhere / "schema",
            environment={
                "PYTHONHASHSEED": "4242",
                "LC_ALL": _locale("tr_TR.UTF-8", "C.UTF-8"),
                "TZ": "Pacific/Kiritimati",
                "COLUMNS": "40",
            },
        ),
    }
    expected = _committed()
    with ThreadPoolExecutor(2) as pool:
        for name, fingerprints in zip(settings, pool.map(_build, settings.values())):
            assert fingerprints == expected, name


def test_output_is_the_same_on_every_python(tmp_path: Path) -> None:
    """The Python that runs the tests made the builds above; this is about the others."""
    requirements = ROOT / "requirements.txt"
    cache = ROOT / ".venv" / "pythons" if (ROOT / ".venv").is_dir() else tmp_path
    settings: dict[str, Setting] = {}
    lacking: list[str] = []
    for version, python in PYTHONS.items():
        if python == Path(sys.executable):
            continue
        try:
            ready = interpreters.with_generator_dependencies(python, version, requirements, cache)
        except interpreters.CannotInstall as error:
            lacking.append(f"{version} ({error})")
        else:
            settings[version] = Setting(python=ready, folder=tmp_path)
    expected = _committed()
    with ThreadPoolExecutor(2) as pool:
        for version, fingerprints in zip(settings, pool.map(_build, settings.values())):
            assert fingerprints == expected, f"Python {version}"
    if lacking:
        pytest.skip(f"same bytes on {', '.join(settings)}; no environment for {'; '.join(lacking)}")


def _texts() -> dict[str, str]:
    return {path: (GENERATED / path).read_text(encoding="utf-8") for path in _committed()}


def test_output_names_no_time() -> None:
    clock = re.compile(r"\b\d{1,2}:\d{2}:\d{2}\b|\b(19|20)\d{2}-\d{2}-\d{2}\b|\b1[5-9]\d{8}\b")
    found = {path: match.group() for path, text in _texts().items() if (match := clock.search(text))}
    assert found == {}


def test_output_names_no_place_on_this_machine() -> None:
    """Descriptions may well show paths as examples; those of this checkout and environment are no such examples."""
    for path, text in _texts().items():
        assert [
            place for place in (str(ROOT), sys.prefix, sys.base_prefix + os.sep + "bin") if place in text
        ] == [], path


def test_output_is_utf_8_with_plain_line_ends() -> None:
    for path in _committed():
        raw = (GENERATED / path).read_bytes()
        assert b"\r" not in raw and not raw.startswith(b"\xef\xbb\xbf"), path
        assert raw == b"" or (raw.endswith(b"\n") and not raw.endswith(b"\n\n")), path
