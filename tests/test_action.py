"""The GitHub Action, the workflows and the pre-commit hooks: static checks, and the action's steps run by a shell."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from support import ROOT
from support.actions import EXPRESSION, Action, Result, bare_environment, load_yaml
from test_cli import SCHEMA, run_here

ACTION = Action()
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = load_yaml(ROOT / ".pre-commit-hooks.yaml")
HOSTILE = ['"; touch hacked; "', "$(touch hacked)", "`touch hacked`", "'; touch hacked; '", "x\nchanged=false"]


def steps_of(workflow: Any) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


# ---------------------------------------------------------------------------------------------- the runner


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine whose package index is this interpreter's own folder of packages."""
    packages = sysconfig.get_path("purelib")
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": packages}
    path = f"{Path(sys.executable).parent}:{bare_environment()['PATH']}"
    return bare_environment(**offline, PATH=path)


@pytest.fixture(scope="module")
def installed(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the step that installs the tool leaves in the runner's folder."""
    folder = tmp_path_factory.mktemp("install")
    result = ACTION.run(folder, environment, {"command": "check"}, names=("Install acp-codegen",))
    assert result.code == 0, result.log
    return folder / "temp" / "acp-codegen"


class Machine:
    """A runner with the tool installed and a workspace of its own."""

    def __init__(self, folder: Path, environment: dict[str, str], installed: Path) -> None:
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        (folder / "temp").mkdir()
        (folder / "temp" / "acp-codegen").symlink_to(installed)
        self._folder = folder
        self._environment = environment

    def run(self, **inputs: str) -> Result:
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        result = ACTION.run(self._folder, self._environment, given, names=("Run acp-codegen",))
        assert "Traceback" not in result.log, result.log
        assert "\x1b" not in result.log + result.summary
        assert not list(self._folder.rglob("hacked"))
        return result

    def write(self, path: str, content: Any) -> Path:
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")
        return file

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *arguments], cwd=self.workspace, check=True, capture_output=True)


@pytest.fixture
def machine(tmp_path: Path, environment: dict[str, str], installed: Path) -> Machine:
    return Machine(tmp_path, environment, installed)


def commands_in(log: str) -> list[str]:
    """The lines of a log that the runner would obey."""
    found: list[str] = []
    stopped = ""
    for line in log.splitlines():
        # the runner looks past spaces at the beginning of a line
        command = line.lstrip()
        if stopped:
            stopped = "" if command == f"::{stopped}::" else stopped
        elif command.startswith("::stop-commands::"):
            stopped = command.removeprefix("::stop-commands::")
        elif command.startswith("::") or "##[" in line:
            found.append(command)
    assert not stopped, "commands stay switched off"
    return found


# ------------------------------------------------------------------------------------------ generated code


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a schema of its own and what was generated from it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "draft").mkdir()
    (folder / "draft" / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    result = run_here("generate", "--schema", folder / "draft" / "schema.json", "--out", folder / "src")
    assert result.exit_code == 0, result.stderr
    return folder


def test_check_of_code_that_is_up_to_date(machine: Machine, generated: Path) -> None:
    shutil.copytree(generated, machine.workspace, dirs_exist_ok=True)
    result = machine.run(command="check", schema="draft/schema.json", out="src")
    assert result.code == 0, result.log
    assert commands_in(result.log) == []
    assert result.summary.startswith("### `acp-codegen check`: up to date\n\n```text\n")
    assert re.search(r"\d+ files in src/acp_schema are up to date\n", result.summary)
    assert result.outputs == {"changed": "false", "exit-code": "0", "wire": "", "source": "", "docs": "", "report": ""}


def test_check_of_code_that_was_edited(machine: Machine, generated: Path) -> None:
    """And what stands in the code commands nothing: neither the runner nor the summary."""
    shutil.copytree(generated, machine.workspace, dirs_exist_ok=True)
    types = machine.workspace / "src" / "acp_schema" / "draft" / "types.py"
    text = types.read_text(encoding="utf-8")
    types.write_text(
        text + "\n::error::taken over\n ::set-output name=changed::false\n##[error]x\n````\n", encoding="utf-8"
    )
    result = machine.run(command="check", schema="draft/schema.json", out="src", edition="draft")
    assert result.code == 1
    (annotation,) = commands_in(result.log)
    assert re.fullmatch(
        r"::error title=acp-codegen check::1 of \d+ files in src/acp_schema differ: run `acp-codegen generate`",
        annotation,
    )
    assert "\n-::error::taken over\n" in result.log
    assert result.summary.startswith("### `acp-codegen check`: different\n\n```text\n1 of ")
    assert "\n`````diff\n--- " in result.summary
    assert result.summary.endswith("\n`````\n\n")
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("true", "1")


def test_check_that_fails_says_so_and_not_that_nothing_changed(machine: Machine) -> None:
    result = machine.run(command="check", schema="absent/schema.json", out="src")
    assert result.code == 2
    assert commands_in(result.log) == [
        "::error title=acp-codegen check::error: cannot read the schema: No such file or directory%0A"
        "  at absent/schema.json%0A  fix: name a schema file that exists and can be read"
    ]
    assert result.summary.startswith("### `acp-codegen check`: failed\n\n```text\nerror: cannot read the schema")
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")


# --------------------------------------------------------------------------------------------- vendored code


@pytest.fixture(scope="module")
def vendored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vendored")
    (folder / "lib").mkdir()
    result = run_here("vendor", folder / "lib", "--edition", "v1", "--name", "acp")
    assert result.exit_code == 0, result.stderr
    return folder


def test_vendored_copy_untouched_edited_and_absent(machine: Machine, vendored: Path) -> None:
    shutil.copytree(vendored, machine.workspace, dirs_exist_ok=True)
    result = machine.run(command="vendor-check", dest="lib", name="acp")
    assert result.code == 0, result.log
    assert commands_in(result.log) == []
    assert result.summary.startswith("### `acp-codegen vendor --check`: up to date\n")

    types = machine.workspace / "lib" / "acp" / "v1" / "types.py"
    types.write_text(types.read_text(encoding="utf-8") + "x = 1\n", encoding="utf-8")
    result = machine.run(command="vendor-check", dest="lib", name="acp")
    assert result.code == 1
    (annotation,) = commands_in(result.log)
    assert annotation.startswith("::error title=acp-codegen vendor --check::")
    assert "x = 1" in result.summary
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("true", "1")

    result = machine.run(command="vendor-check", dest="absent")
    assert result.code == 2
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")

    result = machine.run(command="vendor-check")
    assert result.code == 2
    assert commands_in(result.log) == [
        "::error title=acp-codegen vendor-check::error: the input `dest` is missing: the folder that holds the copy"
    ]


# ---------------------------------------------------------------------------------------------------- drift


def protocol(*required: str) -> dict[str, Any]:
    """A protocol of one notification, whose params have these properties."""
    params = {"$ref": "#/$defs/PointNotification"}
    envelope = {
        "type": "object",
        "properties": {"method": {"type": "string"}, "params": params},
        "required": ["method"],
    }
    return {
        "anyOf": [envelope],
        "$defs": {
            "PointNotification": {
                "type": "object",
                "properties": {name: {"type": "integer"} for name in required},
                "required": list(required),
                "x-method": "point",
                "x-side": "client",
            }
        },
    }


BEFORE, AFTER = protocol("x"), protocol("x", "y")
CHANGE = "PointNotification.y"


def test_drift_between_two_files(machine: Machine) -> None:
    machine.write("old.json", BEFORE)
    machine.write("new.json", AFTER)
    result = machine.run(command="drift", old="old.json", new="new.json")
    assert result.code == 1, result.log
    annotations = commands_in(result.log)
    assert [line for line in annotations if line.startswith("::error file=new.json,line=") and CHANGE in line]
    assert CHANGE in result.summary
    counts = [int(result.outputs[category]) for category in ("wire", "source", "docs")]
    assert counts[0] >= 1
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("true", "1")
    report = Path(result.outputs["report"])
    assert {path.name for path in report.iterdir()} == {
        "annotations.txt",
        "changelog.md",
        "drift.html",
        "drift.json",
        "drift.md",
    }
    assert sum(counts) == len(json.loads((report / "drift.json").read_text("utf-8"))["changes"])


def test_drift_that_is_only_reported(machine: Machine) -> None:
    machine.write("old.json", BEFORE)
    machine.write("new.json", AFTER)
    result = machine.run(command="drift", old="old.json", new="new.json", fail_on="none")
    assert result.code == 0
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("true", "0")
    assert commands_in(result.log) != []


def test_drift_without_changes(machine: Machine) -> None:
    machine.write("old.json", BEFORE)
    result = machine.run(command="drift", old="old.json", new="old.json")
    assert result.code == 0, result.log
    assert commands_in(result.log) == []
    assert result.summary.strip() != ""
    assert {name: value for name, value in result.outputs.items() if name != "report"} == {
        "changed": "false",
        "exit-code": "0",
        "wire": "0",
        "source": "0",
        "docs": "0",
    }


def test_drift_against_another_revision(machine: Machine) -> None:
    machine.write("schema.json", BEFORE)
    machine.git("init")
    machine.git("add", ".")
    machine.git("commit", "-m", "before")
    machine.write("schema.json", AFTER)
    result = machine.run(command="drift", old="HEAD:schema.json", new="schema.json")
    assert result.code == 1, result.log
    assert CHANGE in result.summary
    result = machine.run(command="drift", old="HEAD:absent.json", new="schema.json")
    assert result.code == 2
    (annotation,) = commands_in(result.log)
    assert annotation.startswith("::error title=acp-codegen drift::error: git has no HEAD:absent.json: fatal: ")
    assert result.outputs["changed"] == "unknown"
    assert (result.outputs["wire"], result.outputs["report"]) == ("", "")


def test_drift_without_files_asks_the_lock_about_every_edition(machine: Machine) -> None:
    result = machine.run(command="drift", fail_on="any")
    assert result.code == 0, result.log
    assert result.outputs["changed"] == "false"
    folders = sorted(path.name for path in Path(result.outputs["report"]).iterdir())
    assert folders == ["v1", "v2", "v2_2026_06"]
    assert [result.outputs[category] for category in ("wire", "source", "docs")] == ["0", "0", "0"]


def test_drift_takes_upstream_and_severities(machine: Machine) -> None:
    shutil.copy(ROOT / "schema" / "v1" / "schema.json", machine.workspace / "published.json")
    result = machine.run(command="drift", upstream="published.json", edition="v1")
    assert (result.code, result.outputs["changed"]) == (0, "false"), result.log
    result = machine.run(command="drift", upstream="published.json", edition="v1", severities="absent.file")
    assert (result.code, result.outputs["changed"]) == (2, "unknown")
    assert "absent.file" in commands_in(result.log)[0]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"old": "a.json"}, "the inputs `old` and `new` go together"),
        ({"new": "a.json"}, "the inputs `old` and `new` go together"),
        ({"old": "a.json", "new": "b.json", "upstream": "c.json"}, "either `old` and `new`, or `upstream`"),
    ],
)
def test_inputs_that_do_not_go_together(machine: Machine, inputs: dict[str, str], message: str) -> None:
    result = machine.run(command="drift", **inputs)
    assert result.code == 2
    assert commands_in(result.log) == [f"::error title=acp-codegen drift::error: {message}"]
    assert result.outputs["changed"] == "unknown"


# ------------------------------------------------------------------------------------- several, none, hostile


def test_several_commands_all_run_and_the_worst_decides(machine: Machine, generated: Path) -> None:
    shutil.copytree(generated, machine.workspace, dirs_exist_ok=True)
    (machine.workspace / "src" / "acp_schema" / "py.typed").unlink()
    result = machine.run(command="check vendor-check", schema="draft/schema.json", out="src", dest="absent")
    assert result.code == 2
    assert "### `acp-codegen check`: different\n" in result.summary
    assert "### `acp-codegen vendor --check`: failed\n" in result.summary
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("true", "2")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "the input `command` is missing: one or more of check, drift, vendor-check"),
        ("generate", "there is no command 'generate'; choose from: check, drift, vendor-check"),
    ],
)
def test_a_command_that_is_none(machine: Machine, command: str, message: str) -> None:
    result = machine.run(command=command)
    assert result.code == 2
    assert commands_in(result.log) == [f"::error title=acp-codegen action::error: {message}"]
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")


@pytest.mark.parametrize("name", [name for name in ACTION.inputs if name not in ("command", "python-version")])
@pytest.mark.parametrize("text", HOSTILE[:1])
def test_no_input_is_ever_run(machine: Machine, name: str, text: str) -> None:
    """The machine asserts after every run that nothing was touched."""
    commands = {"dest": "vendor-check", "name": "vendor-check", "schema": "check", "out": "check"}
    others = {
        "old": {"new": text},
        "new": {"old": text},
        "name": {"dest": "."},
        "severities": {"edition": "v1"},
        "fail-on": {"edition": "v1"},
        "out": {"schema": "absent.json"},
    }.get(name, {})
    result = machine.run(command=commands.get(name, "drift"), **{name.replace("-", "_"): text}, **others)
    assert result.code == 2, result.log
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")


@pytest.mark.parametrize("text", [*HOSTILE, "--out=hacked", "--help"])
def test_no_text_is_taken_for_an_option_a_script_or_an_output(machine: Machine, text: str) -> None:
    result = machine.run(command="vendor-check", dest=text)
    assert result.code == 2, result.log
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")
    result = machine.run(command=text)
    assert result.code == 2
    assert (result.outputs["changed"], result.outputs["exit-code"]) == ("unknown", "2")


# --------------------------------------------------------------------------------------------------- static


def test_no_script_has_an_expression_in_its_text() -> None:
    """An expression is put into the text before the shell reads it, whatever it holds."""
    scripts = [step["run"] for step in ACTION.steps if "run" in step]
    scripts += [step["run"] for path in WORKFLOWS for step in steps_of(load_yaml(path)) if "run" in step]
    assert len(scripts) > 4
    assert [script for script in scripts if EXPRESSION.search(script)] == []


def test_the_action_passes_every_input_on_and_declares_every_output() -> None:
    (step,) = [step for step in ACTION.steps if step.get("id") == "run"]
    passed = {name: EXPRESSION.fullmatch(text)[1] for name, text in step["env"].items()}  # type: ignore[index]
    assert passed == {
        "INPUT_" + name.upper().replace("-", "_"): f"inputs.{name}"
        for name in ACTION.inputs
        if name != "python-version"
    }
    script = (ROOT / ".github" / "action" / "run.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"([a-z-]+)"', script))
    assert {name for name in ACTION.inputs if name != "python-version"} <= named
    assert set(ACTION.definition["outputs"]) <= named
    for name, spec in ACTION.definition["outputs"].items():
        assert spec["value"] == f"${{{{ steps.run.outputs.{name} }}}}"


def test_scripts_of_the_action_stop_at_the_first_failure() -> None:
    for step in ACTION.steps:
        if "run" in step:
            assert step["shell"] == "bash"
            assert step["run"].startswith("set -euo pipefail\n")


def test_only_well_known_actions_are_used() -> None:
    used = [step["uses"] for step in ACTION.steps if "uses" in step]
    used += [step["uses"] for path in WORKFLOWS for step in steps_of(load_yaml(path)) if "uses" in step]
    assert "./" in used
    for name in used:
        assert name == "./" or re.fullmatch(r"actions/(checkout|setup-python|upload-artifact)@v\d+", name), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_only_reads_and_ends_in_time(path: Path) -> None:
    workflow = load_yaml(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["cancel-in-progress"] is True
    for job in workflow["jobs"].values():
        assert 0 < job["timeout-minutes"] <= 40
        assert "permissions" not in job


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_uses_the_action_as_it_is(path: Path) -> None:
    for job in load_yaml(path)["jobs"].values():
        ids = {step["id"] for step in job["steps"] if step.get("uses") == "./" and "id" in step}
        for step in job["steps"]:
            if step.get("uses") == "./":
                assert set(step["with"]) <= set(ACTION.inputs)
                assert set(step["with"]["command"].split()) <= {"check", "drift", "vendor-check"}
        for step_id, output in re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", json.dumps(job["steps"])):
            assert step_id in ids
            assert output in ACTION.definition["outputs"]


def test_workflows_name_what_there_is() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = "\n".join(step.get("run", "") for path in WORKFLOWS for step in steps_of(load_yaml(path)))
    made = re.findall(r"\bmake ([a-z-]+)", text)
    assert made and set(made) <= targets
    tests = re.findall(r"\btests/\w+\.py", text)
    assert tests and [name for name in tests if not (ROOT / name).is_file()] == []
    assert "acp-codegen" not in text, "commands of the tool go through the action, whose inputs are checked"
    drift = load_yaml(ROOT / ".github" / "workflows" / "drift.yml")["jobs"]
    folders = sorted(path.parent.name for path in (ROOT / "schema").glob("*/schema.json"))
    assert drift["changes"]["strategy"]["matrix"]["folder"] == folders
    assert set(drift["upstream"]["strategy"]["matrix"]["edition"]) <= set(folders)


# ---------------------------------------------------------------------------------------------------- hooks


def test_hooks_are_those_that_are_documented() -> None:
    assert [hook["id"] for hook in HOOKS] == ["acp-codegen-check", "acp-codegen-drift", "acp-codegen-vendor-check"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hook_runs_a_command_that_exists(hook: dict[str, Any]) -> None:
    program, *words = hook["entry"].split()
    assert f"\n{program} = " in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert re.compile(hook["files"])
    command, *options = [*words, *hook.get("args", [])]
    result = run_here(command, "--help")
    assert result.exit_code == 0
    for option in options:
        assert not option.startswith("-") or re.search(rf"^  {option}\b", result.stdout, re.MULTILINE), option


@pytest.mark.parametrize(
    ("hook", "arguments", "code"),
    [
        ("acp-codegen-check", ["--schema", "draft/schema.json", "--out", "src"], 0),
        ("acp-codegen-check", ["--schema", "draft/schema.json", "--out", "elsewhere"], 1),
        ("acp-codegen-drift", ["before.json", "before.json"], 0),
        ("acp-codegen-drift", ["before.json", "after.json"], 1),
        ("acp-codegen-drift", ["before.json", "absent.json"], 2),
        ("acp-codegen-vendor-check", ["absent"], 2),
    ],
)
def test_hook_answers_by_its_exit_code(
    hook: str, arguments: list[str], code: int, generated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, schema in (("before.json", BEFORE), ("after.json", AFTER)):
        (generated / name).write_text(json.dumps(schema), encoding="utf-8")
    monkeypatch.chdir(generated)
    (entry,) = [found["entry"] for found in HOOKS if found["id"] == hook]
    assert run_here(*entry.split()[1:], *arguments).exit_code == code


@pytest.mark.parametrize(
    ("hook", "path", "concerned"),
    [
        ("acp-codegen-check", "generated/acp_schema/v1/types.py", True),
        ("acp-codegen-check", "generated/acp_schema/MANIFEST.json", True),
        ("acp-codegen-check", "setup.cfg", False),
        ("acp-codegen-drift", "schema/v2/schema.json", True),
        ("acp-codegen-drift", "src/main.py", False),
        ("acp-codegen-vendor-check", "src/sdk/acp_schema/py.typed", True),
        ("acp-codegen-vendor-check", "Makefile", False),
    ],
)
def test_hook_runs_where_it_is_concerned(hook: str, path: str, concerned: bool) -> None:
    (pattern,) = [found["files"] for found in HOOKS if found["id"] == hook]
    assert bool(re.search(pattern, path)) == concerned
