"""What type checkers say: ``typing/good_*.py`` passes, of ``typing/bad_*.py`` exactly the marked lines are refused.

A marker ends the line that must be refused: ``# E: mypy``, ``# E: pyright`` or ``# E: both``. Both checkers run
once, in their strictest mode, over the whole folder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "typing"
FILES = sorted(FOLDER.glob("*.py"))
MARKER = re.compile(r"# E: (mypy|pyright|both)\b")

Line = tuple[str, int]


def _marked(checker: str) -> set[Line]:
    """The lines that a checker must refuse."""
    return {
        (path.name, number)
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (marker := MARKER.search(line)) and marker.group(1) in (checker, "both")
    }


@pytest.fixture(scope="module")
def mypy_errors() -> dict[Line, str]:
    options = ["--strict", "--config-file=", "--python-version=3.10", "--no-error-summary", "--no-pretty"]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir", ROOT / ".mypy_cache" / "typing", *FILES],
        capture_output=True,
        text=True,
        cwd=ROOT / "generated",
    )
    assert result.returncode in (0, 1), result.stdout + result.stderr
    found: dict[Line, str] = {}
    for line in result.stdout.splitlines():
        match = re.fullmatch(r"(.+?):(\d+): (error|note): (.*)", line)
        assert match is not None, f"mypy says something else: {line}"
        if match.group(3) == "error":
            found[Path(match.group(1)).name, int(match.group(2))] = match.group(4)
    return found


@pytest.fixture(scope="module")
def pyright_errors(tmp_path_factory: pytest.TempPathFactory) -> dict[Line, str]:
    project = tmp_path_factory.mktemp("pyright") / "pyrightconfig.json"
    settings = {
        "include": [os.path.relpath(FOLDER, project.parent)],
        "extraPaths": [str(ROOT / "generated")],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.10",
        "reportUnusedExpression": "none",  # examples of attributes that do not exist stand alone on their lines
    }
    project.write_text(json.dumps(settings), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "pyright", "--project", project, "--pythonpath", sys.executable, "--outputjson"],
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stdout + result.stderr
    report = json.loads(result.stdout)
    assert report["summary"]["filesAnalyzed"] == len(FILES)
    return {
        (Path(finding["file"]).name, finding["range"]["start"]["line"] + 1): finding["message"]
        for finding in report["generalDiagnostics"]
    }


def _compare(found: dict[Line, str], checker: str) -> None:
    expected = _marked(checker)
    surplus = {f"{name}:{number}": found[name, number] for name, number in sorted(set(found) - expected)}
    lacking = [f"{name}:{number}" for name, number in sorted(expected - set(found))]
    assert (surplus, lacking) == ({}, []), f"{checker} refuses what it should not, or accepts what it should not"


def test_mypy_refuses_exactly_the_marked_lines(mypy_errors: dict[Line, str]) -> None:
    _compare(mypy_errors, "mypy")


def test_pyright_refuses_exactly_the_marked_lines(pyright_errors: dict[Line, str]) -> None:
    _compare(pyright_errors, "pyright")


def test_truth_of_a_patch_field_is_refused_for_its_reason(pyright_errors: dict[Line, str]) -> None:
    """``bool(UNSET)`` never returns: pyright says so, mypy takes it for granted that the line ends there."""
    reasons = [pyright_errors.get(line, "") for line in sorted(_marked("pyright") - _marked("mypy"))]
    assert all("UnsetType" in reason for reason in reasons), reasons
    assert sum('__bool__ for type "UnsetType" returns type "NoReturn"' in reason for reason in reasons) == 4, reasons


def test_there_are_files_of_both_kinds_and_markers_only_in_bad_ones() -> None:
    kinds = Counter(path.name.split("_")[0] for path in FILES)
    assert set(kinds) == {"good", "bad"} and min(kinds.values()) >= 3
    assert all(name.startswith("bad_") for name, _ in _marked("mypy") | _marked("pyright"))
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert text.count("# E:") == len(MARKER.findall(text)), f"{path.name} has a marker that is not one"
        assert "type: ignore" not in text and "pyright:" not in text.replace("# E: pyright", ""), path.name
