"""What the action does once acp-codegen is installed: run its commands, annotate, summarise, set outputs.

The inputs come through the environment and go on as arguments, so that no input is ever part of a program's text.
Runs with the interpreter that has acp-codegen.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from acp_codegen import resources

SAME, DIFFERENT, FAILED = 0, 1, 2
VERDICTS = {SAME: "up to date", DIFFERENT: "different", FAILED: "failed"}
CATEGORIES = ("wire", "source", "docs")
SHOWN = 60_000  # characters of a diff in the summary, which GitHub limits; the log has all


class Outcome(NamedTuple):
    """What came of a command."""

    code: int
    changed: bool  # also where nothing was to fail on it


def given(name: str) -> str:
    """An input; empty if it was left out."""
    return os.environ.get("INPUT_" + name.upper().replace("-", "_"), "").strip()


def options(*names: str) -> list[str]:
    """Inputs as options, those that were left out apart."""
    # joined by "=", so that a value cannot be taken for an option of its own
    return [f"--{name}={given(name)}" for name in names if given(name)]


def editions() -> list[str]:
    """The one input of several words: an option for each."""
    return [f"--edition={name}" for name in given("edition").split()]


def report_folder() -> Path:
    folder = Path(os.environ["RUNNER_TEMP"]) / "acp-codegen-report"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# ------------------------------------------------------------------------------------------- talking to GitHub


def annotate(level: str, title: str, message: str) -> None:
    """One annotation; the runner takes % for an escape and a line break for the end."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    say(f"::{level} title={title}::{escaped}")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def quote(text: str) -> None:
    """Text of others for the log: nothing in it is a command to the runner."""
    if text:
        token = secrets.token_hex(16)
        say(f"::stop-commands::{token}\n{text.rstrip()}\n::{token}::")


def summarise(markdown: str) -> None:
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as summary:
        summary.write(markdown.rstrip("\n") + "\n\n")


def output(name: str, value: str) -> None:
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
        outputs.write(f"{name}={value}\n")


def fenced(text: str, language: str) -> str:
    """Text as a code block that it cannot end itself."""
    shown = text.rstrip("\n")
    if len(shown) > SHOWN:
        shown = shown[:SHOWN].rpartition("\n")[0] + "\n... the log has the rest"
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}{language}\n{shown}\n{fence}"


# ------------------------------------------------------------------------------------------------- commands


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """acp-codegen with these arguments."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "acp_codegen", *arguments]
    result = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if result.returncode not in VERDICTS:  # it was killed, or broke: nothing that it said is an answer
        result.returncode = FAILED
    return result


def tell(command: str, result: subprocess.CompletedProcess[str]) -> Outcome:
    """Show what a command said: all of it in the log, its verdict as an annotation, and a summary."""
    quote(result.stdout)
    quote(result.stderr)
    said = result.stderr.strip()
    if result.returncode != SAME:
        annotate("error", f"acp-codegen {command}", said or VERDICTS[result.returncode])
    parts = [f"### `acp-codegen {command}`: {VERDICTS[result.returncode]}"]
    parts += [fenced(said, "text")] if said else []
    parts += [fenced(result.stdout, "diff")] if result.stdout.strip() else []
    summarise("\n\n".join(parts))
    return Outcome(result.returncode, result.returncode == DIFFERENT)


def check() -> Outcome:
    return tell("check", run("check", *editions(), *options("schema", "out")))


def vendor_check() -> Outcome:
    if not given("dest"):
        return refuse("vendor-check", "the input `dest` is missing: the folder that holds the copy")
    return tell("vendor --check", run("vendor", "--check", *options("name"), "--", given("dest")))


def drift() -> Outcome:
    try:
        comparisons = what_to_compare()
    except ValueError as error:
        return refuse("drift", str(error))
    totals = dict.fromkeys(CATEGORIES, 0)
    codes: list[int] = []
    for folder, arguments in comparisons.items():
        code, counts = compare(folder, arguments)
        codes.append(code)
        for category in CATEGORIES:
            totals[category] += counts.get(category, 0)
    if FAILED not in codes:
        for category in CATEGORIES:
            output(category, str(totals[category]))
        output("report", str(report_folder()))
    return Outcome(max(codes), any(totals.values()))


def compare(folder: Path, arguments: list[str]) -> tuple[int, dict[str, int]]:
    """One comparison: reports for machines and people in a folder, annotations in the log, and a summary."""
    folder.mkdir(exist_ok=True)
    report = folder / "drift.json"
    report.unlink(missing_ok=True)
    found = run("drift", "--format=json", f"--out={report}", *options("fail-on"), *arguments)
    if found.returncode == FAILED or not report.is_file():
        found.returncode = FAILED
        return tell("drift", found).code, {}
    counts: dict[str, int] = json.loads(report.read_text(encoding="utf-8"))["counts"]
    files = {"markdown": folder / "drift.md"}
    if any(counts.values()):
        files |= {
            "html": folder / "drift.html",
            "changelog": folder / "changelog.md",
            "github": folder / "annotations.txt",
        }
    for form, file in files.items():
        # the same comparison in another form; whether it fails was decided above
        shown = run("drift", f"--format={form}", f"--out={file}", "--fail-on=none", *arguments)
        if shown.returncode != SAME:
            return tell("drift", shown).code, counts
    if "github" in files:
        say(files["github"].read_text(encoding="utf-8").rstrip("\n"))
    summarise(files["markdown"].read_text(encoding="utf-8"))
    return found.returncode, counts


def what_to_compare() -> dict[Path, list[str]]:
    """Arguments by the folder for their reports; raises ValueError for inputs that do not go together."""
    old, new, upstream = given("old"), given("new"), given("upstream")
    if bool(old) != bool(new):
        raise ValueError("the inputs `old` and `new` go together")
    if old and upstream:
        raise ValueError("either `old` and `new`, or `upstream`")
    folder = report_folder()
    if old:
        return {folder: [*editions(), *options("severities"), "--", from_git(old, "old"), from_git(new, "new")]}
    if upstream:
        return {folder: [*editions(), *options("upstream", "severities")]}
    names = given("edition").split() or [source.name for source in resources.editions()]
    return {folder / re.sub(r"\W", "_", name): [f"--edition={name}", *options("severities")] for name in names}


def from_git(source: str, side: str) -> str:
    """A file; one that is named as REVISION:PATH is taken out of the repository's history."""
    if Path(source).exists() or ":" not in source:
        return source
    shown = subprocess.run(
        ["git", "show", "--no-textconv", "--end-of-options", source], capture_output=True, check=False
    )
    if shown.returncode != 0:
        raise ValueError(f"git has no {source}: {shown.stderr.decode('utf-8', 'replace').strip()}")
    file = report_folder() / side / Path(source.partition(":")[2]).name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(shown.stdout)
    return str(file)


def refuse(command: str, message: str) -> Outcome:
    """Inputs that the command cannot be run with."""
    return tell(command, subprocess.CompletedProcess([], FAILED, "", f"error: {message}\n"))


COMMANDS: dict[str, Callable[[], Outcome]] = {"check": check, "drift": drift, "vendor-check": vendor_check}


def main() -> int:
    commands = given("command").split()
    outcomes = [COMMANDS[command]() for command in commands if command in COMMANDS]
    for command in commands:
        if command not in COMMANDS:
            outcomes.append(refuse("action", f"there is no command {command!r}; choose from: {', '.join(COMMANDS)}"))
    if not commands:
        outcomes.append(refuse("action", f"the input `command` is missing: one or more of {', '.join(COMMANDS)}"))
    code = max(outcome.code for outcome in outcomes)
    # what could not be compared is neither changed nor unchanged
    same = "unknown" if code == FAILED else "false"
    output("changed", "true" if any(outcome.changed for outcome in outcomes) else same)
    output("exit-code", str(code))
    return code


if __name__ == "__main__":
    sys.exit(main())
