"""The maintainer's guide: its commands run in order, and print what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

GUIDE = ROOT / "docs" / "maintaining.md"
PUBLISHED = ROOT.parent / "shared" / "upstream" / "v2" / "schema.json"
EXIT = re.compile(r"\s+# exit (\d)$")


def steps() -> list[tuple[str, int, list[str]]]:
    """Every command of the page with its exit code and the lines below it."""
    found: list[tuple[str, int, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                code = EXIT.search(line)
                found.append((EXIT.sub("", line[2:]), int(code[1]) if code else 0, []))
            else:
                found[-1][2].append(line)
    return found


def as_pattern(lines: list[str]) -> str:
    """The lines as they are; three dots stand for any lines."""
    return "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in lines)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which v2 is still the draft of June, and the newest draft has just been saved."""
    if not PUBLISHED.exists():
        pytest.skip("../shared is not here: no published schema to take over")
    folder = tmp_path_factory.mktemp("project")
    for name in ("codegen", "schema", "templates", "generated"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    schemas = folder / "schema"
    shutil.copy(schemas / "v2-2026-06" / "schema.json", schemas / "v2" / "schema.json")
    lock = json.loads((schemas / "upstream.lock.json").read_text(encoding="utf-8"))
    lock["editions"]["v2"] = lock["editions"]["v2-2026-06"]
    (schemas / "upstream.lock.json").write_text(json.dumps(lock, indent=2) + "\n", encoding="utf-8")
    (folder / "draft").mkdir()
    shutil.copy(PUBLISHED, folder / "draft" / "schema.json")
    (folder / "sdk" / "src" / "my_sdk").mkdir(parents=True)
    return folder


def run(command: str, project: Path) -> tuple[int, str]:
    tool, *arguments = shlex.split(command)
    assert tool == "acp-codegen"
    result = subprocess.run(
        [sys.executable, "-m", "acp_codegen", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project / "codegen")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return result.returncode, result.stdout


def test_the_guide_leads_from_june_to_the_newest_draft(project: Path) -> None:
    commands = [command for command, _, _ in steps()]
    for command, code, lines in steps():
        returned, output = run(command, project)
        assert returned == code, f"{command}\n{output}"
        assert re.fullmatch(as_pattern(lines), output), f"{command}\n{output}"
        if returned == 2:
            # the person decides, and describes: what we decided about this draft is in our own schema
            shutil.copy(ROOT / "schema" / "v2" / "schema.json", project / "schema" / "v2" / "schema.json")
    assert {command.split()[1] for command in commands} == {"drift", "explain", "sync", "generate", "check", "vendor"}
    ours = (ROOT / "generated" / "acp_schema" / "v2" / "types.py").read_bytes()
    assert (project / "generated" / "acp_schema" / "v2" / "types.py").read_bytes() == ours
    assert (project / "build" / "acp_schema").is_dir()


def test_the_page_has_the_loop() -> None:
    assert len(steps()) >= 11
