"""The examples in the README run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


PAGES = {"README.md": 5, "docs/session.md": 5, "docs/bridge.md": 2}


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_run_in_order(page: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == PAGES[page]
    namespace: dict[str, Any] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{page}, example {number}", "exec"), namespace)


def test_the_example_client_prints_the_conversation() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "fold_client.py"], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == [
        "you:     Why does the build fail?",
        "thought: Look at the log first.",
        "plan:    Read the log [completed]; Fix the cause [completed]",
        "tool:    Read build.log (read, completed)",
        "tool:    Install the header package (execute, completed)",
        "agent:   A header was missing. It is installed, and the build passes.",
        "state:   idle",
    ]
    assert run.stderr == ""


def test_make_targets_named_in_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\$ make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named == {"generate", "test"}
    for target in [*named, "check", "lint", "bench", "clean", "help"]:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
