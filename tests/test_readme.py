"""The examples in the README run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def test_python_examples_run_in_order() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 4
    namespace: dict[str, Any] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"README.md, example {number}", "exec"), namespace)


def test_make_targets_named_in_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\$ make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named == {"generate", "test"}
    for target in [*named, "check", "lint", "bench", "clean", "help"]:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
