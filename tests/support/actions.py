"""A composite GitHub Action, run step by step as the runner would run it."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import ROOT

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def load_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Result:
    """What a run of the action left behind."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]  # of the action itself


class Action:
    """The action in the root of the repository."""

    def __init__(self) -> None:
        self.definition = load_yaml(ROOT / "action.yml")

    @property
    def inputs(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.definition["inputs"]
        return found

    @property
    def steps(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.definition["runs"]["steps"]
        return found

    def run(
        self, folder: Path, environment: dict[str, str], given: dict[str, str], *, names: tuple[str, ...] = ()
    ) -> Result:
        """Run the steps of the given names, or all that run a script, in ``folder/workspace``."""
        assert set(given) <= set(self.inputs), "the runner warns of inputs that are not declared"
        values = {name: str(given.get(name, spec.get("default", ""))) for name, spec in self.inputs.items()}
        workspace, temp = folder / "workspace", folder / "temp"
        files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")}
        for place in (workspace, temp):
            place.mkdir(exist_ok=True)
        for file in files.values():
            file.write_text("", encoding="utf-8")
        base = {
            **environment,
            **{name: str(path) for name, path in files.items()},
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(temp),
        }
        code, log = 0, ""
        for step in self.steps:
            if "run" not in step or (names and step["name"] not in names):
                continue
            own = (
                {name: EXPRESSION.sub(lambda m: _value(m[1], values), text) for name, text in step["env"].items()}
                if "env" in step
                else {}
            )
            code, text = _bash(step["run"], {**base, **own}, workspace, folder)
            log += text
            if code != 0:
                break
        written = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())
        mapped = {
            name: EXPRESSION.sub(lambda m: written.get(m[1].rpartition(".")[2], ""), spec["value"])
            for name, spec in self.definition["outputs"].items()
        }
        return Result(code, log, files["GITHUB_STEP_SUMMARY"].read_text("utf-8"), mapped)


def _value(expression: str, inputs: dict[str, str]) -> str:
    """The one kind of expression that a step's environment has."""
    scope, _, name = expression.partition(".")
    assert scope == "inputs", expression
    return inputs[name]


def _bash(script: str, environment: dict[str, str], workspace: Path, folder: Path) -> tuple[int, str]:
    """A script as ``shell: bash`` runs it: from a file, without the user's settings, stopping at the first failure."""
    file = folder / "step.sh"
    file.write_text(script, encoding="utf-8")
    result = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(file)],
        cwd=workspace,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return result.returncode, result.stdout


def bare_environment(**extra: str) -> dict[str, str]:
    """What a step needs of this machine."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
    return {name: value for name, value in os.environ.items() if name in kept} | extra
