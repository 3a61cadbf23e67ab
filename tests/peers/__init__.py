"""Implementations of the protocol by other makers, as far as ``make peers`` could install them.

Nothing of theirs is in this repository: they live in ``.peers``, and tests that need one skip where it is missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).resolve().parent
INSTALLED = HERE.parents[1] / ".peers"
NODE_MODULES = INSTALLED / "node_modules"
TYPESCRIPT_SDK = NODE_MODULES / "@agentclientprotocol" / "sdk"
PYTHON_SDK = INSTALLED / "venv" / "bin" / "python"

ANSWER_WITHIN = 120  # seconds; a peer that hangs must not hang the tests


def node() -> str:
    """The Node that runs the TypeScript SDK."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("Node is not installed: the TypeScript SDK cannot run")
    if not TYPESCRIPT_SDK.exists():
        pytest.skip("the TypeScript SDK is not in .peers: run `make peers`")
    return program


def python_of_the_sdk() -> str:
    """The Python that has the official SDK."""
    if not PYTHON_SDK.exists():
        pytest.skip("the official Python SDK is not in .peers: run `make peers`")
    return str(PYTHON_SDK)


class Text(NamedTuple):
    """JSON text that stands for a value of a type."""

    edition: str
    type: str
    text: str


def parsed_by_typescript(texts: list[Text]) -> list[dict[str, Any]]:
    """For each text ``{"parsed": value}`` or ``{"issues": [...]}``; all go through one process."""
    lines = "".join(json.dumps(text._asdict()) + "\n" for text in texts)
    run = subprocess.run(
        [node(), str(HERE / "parse.mjs"), str(TYPESCRIPT_SDK)],
        input=lines.encode(),
        capture_output=True,
        timeout=ANSWER_WITHIN,
    )
    assert run.returncode == 0, run.stderr.decode()
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(texts)
    return answers
