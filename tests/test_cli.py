"""The command as its users meet it: what it prints where, its exit codes, and that it never shows a traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import acp_codegen
from acp_codegen import resources
from acp_codegen.cli import app

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "acp_schema"
SCHEMA = {
    "$defs": {
        "Point": {
            "description": "Somewhere.",
            "type": "object",
            "properties": {"x": {"type": "integer"}, "label": {"type": ["string", "null"]}},
            "required": ["x"],
        },
        "Colour": {"anyOf": [{"const": "red"}, {"type": "string", "title": "other"}]},
        "Shape": {
            "anyOf": [
                {"type": "object", "properties": {"type": {"const": "dot"}}, "required": ["type"]},
                {"type": "object", "properties": {"type": {"const": "line"}}, "required": ["type"]},
            ]
        },
        "Name": {"type": "string"},
    }
}
# the runtime, the package's own three files, and seven modules an edition
FILES = 18


def clean_environment(**extra: str) -> dict[str, str]:
    """This process's environment without what would colour or translate the output."""
    dropped = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS")
    return {name: value for name, value in os.environ.items() if name not in dropped} | extra


def run(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own; a traceback is a failure wherever it comes from."""
    result = subprocess.run(
        [sys.executable, "-m", "acp_codegen", *map(str, arguments)],
        cwd=cwd,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in result.stderr + result.stdout, result.stderr
    assert "\x1b" not in result.stderr + result.stdout, "escape sequences outside a terminal"
    return result


def run_here(*arguments: str | Path) -> Result:
    """The command within this process, which is quicker: for what does not depend on the process around it."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A tiny schema, in a folder that gives the edition its name."""
    path = tmp_path / "draft-3" / "schema.json"
    path.parent.mkdir()
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    return path


@pytest.fixture
def options(schema: Path, tmp_path: Path) -> list[str]:
    return ["--schema", str(schema), "--no-session", "--out", str(tmp_path / "out")]


@pytest.fixture(scope="module")
def fresh_output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first run writes; tests get copies of it."""
    folder = tmp_path_factory.mktemp("fresh")
    (folder / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    arguments = ["--schema", folder / "schema.json", "--edition", "draft_3", "--no-session", "--out", folder / "out"]
    assert run("generate", *arguments).returncode == 0
    return folder / "out"


@pytest.fixture
def generated(fresh_output: Path, tmp_path: Path) -> Path:
    """The package's folder after a first run."""
    shutil.copytree(fresh_output, tmp_path / "out")
    return tmp_path / "out" / PACKAGE


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Inode, time of modification and content of everything below a folder."""
    return {
        path.relative_to(folder).as_posix(): (
            path.stat().st_ino,
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


# -------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_teaches_the_commands(flag: str) -> None:
    result = run(flag)
    text = " ".join(result.stdout.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert text.startswith("Usage: acp-codegen [OPTIONS] COMMAND [ARGS]...")
    assert "Generate three-state Python bindings for the Agent Client Protocol from its JSON Schema." in text
    assert "run `acp-codegen generate`, commit both. In CI run `acp-codegen check`." in text
    assert "Exit codes: 0 done or same, 1 different, 2 error." in text
    assert "generate Write the generated package." in text
    assert "check Tell whether the generated package" in text
    assert "--version Print the version and stop." in text


def test_help_of_generate_has_examples_and_every_option() -> None:
    result = run("generate", "--help")
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert "acp-codegen generate" in lines
    assert "acp-codegen generate --schema draft/schema.json --overlay v2 --out build" in lines
    assert "acp-codegen generate --schema draft/schema.json --no-session --out build" in lines
    assert [line.split()[0] for line in lines if line.startswith("-") and not line.startswith("-h")] == [
        "--edition",
        "--schema",
        "--overlay",
        "--out",
        "--no-session",
    ]
    assert "needs --out." in result.stdout


def test_help_of_check_states_its_exit_codes() -> None:
    result = run("check", "--help")
    assert result.returncode == 0
    text = " ".join(result.stdout.split())
    assert "write nothing" in text and "unified diff" in text
    assert "Exit 0: same; 1: different; 2: error." in text
    assert "Example, in CI: acp-codegen check" in text


def test_no_command_shows_the_help_and_is_an_error() -> None:
    result = run()
    assert result.returncode == 2
    assert "Usage: acp-codegen [OPTIONS] COMMAND [ARGS]..." in result.stdout + result.stderr


def test_version() -> None:
    result = run("--version")
    assert (result.returncode, result.stdout, result.stderr) == (0, f"acp-codegen {acp_codegen.__version__}\n", "")


def test_console_script_is_the_same_command() -> None:
    script = Path(sys.executable).parent / "acp-codegen"
    if not script.exists():
        pytest.skip("acp-codegen is not installed beside this interpreter")
    result = subprocess.run([script, "--version"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"acp-codegen {acp_codegen.__version__}\n", "")


# ---------------------------------------------------------------------------------------------- generate


def test_generate_prints_a_summary(options: list[str], tmp_path: Path) -> None:
    result = run("generate", *options)
    assert (result.returncode, result.stderr) == (0, "")
    columns, row, last = result.stdout.splitlines()
    assert columns.split() == ["edition", "definitions", "records", "unions", "enums", "aliases"]
    assert row.split() == ["draft_3", "4", "3", "1", "1", "1"]
    assert len(columns) == len(row), "the columns do not line up"
    folder = re.escape(str(tmp_path / "out" / PACKAGE))
    assert re.fullmatch(rf"{folder}: {FILES} files written, 0 unchanged in \d+\.\d s", last)


def test_generate_writes_what_the_manifest_lists(generated: Path) -> None:
    manifest = json.loads((generated / "MANIFEST.json").read_text(encoding="utf-8"))
    present = {path.relative_to(generated).as_posix() for path in generated.rglob("*") if path.is_file()}
    assert present == {"MANIFEST.json", *manifest["files"]}
    assert len(present) == FILES
    assert list(manifest["editions"]) == ["draft_3"]
    assert manifest["editions"]["draft_3"]["schema"] == "schema.json"
    assert [path.name for path in generated.parent.iterdir()] == [PACKAGE], "something is left beside the package"


def test_generate_again_writes_nothing(options: list[str], generated: Path) -> None:
    before = snapshot(generated.parent)
    result = run("generate", *options)
    assert result.returncode == 0
    assert re.search(rf": 0 files written, {FILES} unchanged in", result.stdout)
    assert snapshot(generated.parent) == before


def test_generate_counts_what_it_writes_and_removes(options: list[str], schema: Path, generated: Path) -> None:
    """Another edition name: seven modules go and seven come; the manifest changes."""
    result = run_here("generate", *options, "--edition", "other")
    assert result.exit_code == 0, result.stderr
    assert re.search(rf": 8 files written, {FILES - 8} unchanged, 7 removed in", result.stdout)
    assert (generated / "other" / "types.py").is_file()
    assert not (generated / "draft_3").exists()


def test_generate_repairs_a_changed_and_a_missing_file(options: list[str], generated: Path) -> None:
    intact = {path: content for path, (_, _, content) in snapshot(generated).items()}
    (generated / "_record.py").write_text("changed\n", encoding="utf-8")
    (generated / "py.typed").unlink()
    result = run_here("generate", *options)
    assert re.search(rf": 2 files written, {FILES - 2} unchanged in", result.stdout)
    assert {path: content for path, (_, _, content) in snapshot(generated).items()} == intact


def test_output_folder_relative_to_the_working_directory(schema: Path, tmp_path: Path) -> None:
    arguments = ["--schema", "draft-3/schema.json", "--no-session", "--out", "deep/er"]
    result = run("generate", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1].startswith(f"{Path('deep/er') / PACKAGE}: {FILES} files written")
    assert (tmp_path / "deep" / "er" / PACKAGE / "draft_3" / "types.py").is_file()
    assert run("check", *arguments, cwd=tmp_path).returncode == 0


def test_folder_that_is_no_name_gives_the_edition_a_neutral_one(tmp_path: Path) -> None:
    schema = tmp_path / "2 drafts" / "schema.json"
    schema.parent.mkdir()
    schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
    result = run_here("generate", "--schema", schema, "--no-session", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split()[0] == "custom"


@pytest.mark.parametrize("name", ["class", "_record", "a b"])
def test_edition_name_that_cannot_be_a_subpackage(name: str, schema: Path, tmp_path: Path) -> None:
    """Asked for by name: the package must be importable under it, or the command must say why not."""
    result = run_here("generate", "--schema", schema, "--edition", name, "--no-session", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ") and "\n  fix: " in result.stderr
    assert json.dumps(name) in result.stderr or repr(name) in result.stderr
    assert not (tmp_path / "out").exists()


# ------------------------------------------------------------------------------------------------- check


def test_check_of_the_same(options: list[str], generated: Path) -> None:
    before = snapshot(generated.parent)
    result = run("check", *options)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == f"{FILES} files in {generated} are up to date\n"
    assert snapshot(generated.parent) == before


def test_check_shows_a_unified_diff_and_writes_nothing(options: list[str], generated: Path) -> None:
    """From what is there to what should be, so that the diff reads like the change that generate would make."""
    types = generated / "draft_3" / "types.py"
    text = types.read_text(encoding="utf-8")
    assert '    """Somewhere."""\n' in text
    types.write_text(text.replace('"""Somewhere."""', '"""Elsewhere."""'), encoding="utf-8")
    before = snapshot(generated.parent)
    result = run("check", *options)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == ["--- a/draft_3/types.py", "+++ b/draft_3/types.py"]
    assert re.fullmatch(r"@@ -\d+,7 \+\d+,7 @@", lines[2])
    assert [line for line in lines[3:] if line[0] in "+-"] == ['-    """Elsewhere."""', '+    """Somewhere."""']
    assert result.stderr == f"1 of {FILES} files in {generated} differ: run `acp-codegen generate`\n"
    assert snapshot(generated.parent) == before


def test_check_counts_a_missing_file(options: list[str], generated: Path) -> None:
    (generated / "_enums.py").unlink()
    before = snapshot(generated.parent)
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert result.stdout.startswith("--- /dev/null\n+++ b/_enums.py\n@@ -0,0 +1,")
    assert result.stderr == f"1 of {FILES} files in {generated} differ: run `acp-codegen generate`\n"
    assert snapshot(generated.parent) == before


def test_check_counts_a_missing_empty_file(options: list[str], generated: Path) -> None:
    """An empty file has no lines to show: its name must be shown all the same."""
    (generated / "py.typed").unlink()
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert "py.typed" in result.stdout
    assert result.stderr == f"1 of {FILES} files in {generated} differ: run `acp-codegen generate`\n"


def test_check_counts_an_orphan(options: list[str], generated: Path) -> None:
    (generated / "draft_3" / "_old.py").write_text("old = 1\n", encoding="utf-8")
    before = snapshot(generated.parent)
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert result.stdout == "--- a/draft_3/_old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-old = 1\n"
    assert snapshot(generated.parent) == before


def test_check_of_nothing_shows_every_file(options: list[str], tmp_path: Path) -> None:
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert result.stdout.count("--- /dev/null\n+++ b/") >= FILES - 1  # py.typed is empty
    folder = tmp_path / "out" / PACKAGE
    assert result.stderr == f"{FILES} of {FILES} files in {folder} differ: run `acp-codegen generate`\n"
    assert not (tmp_path / "out").exists()


def test_check_of_a_file_that_is_no_text(options: list[str], generated: Path) -> None:
    (generated / "_enums.py").write_bytes(b"\xff\x00\xfe\r\n")
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert result.stdout.startswith("--- a/_enums.py\n+++ b/_enums.py\n")


def test_check_notices_line_ends(options: list[str], generated: Path) -> None:
    """Byte for byte: a checkout with converted line ends is different."""
    target = generated / "_enums.py"
    target.write_bytes(target.read_bytes().replace(b"\n", b"\r\n"))
    result = run_here("check", *options)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"1 of {FILES} files")


def test_check_of_a_bad_schema_is_an_error(options: list[str], schema: Path, generated: Path) -> None:
    before = snapshot(generated)
    schema.write_text("{", encoding="utf-8")
    result = run_here("check", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[1:] == ["  at schema.json:1:2", "  fix: repair the JSON at that line and column"]
    assert snapshot(generated) == before


def test_generated_package_of_this_repository_is_up_to_date() -> None:
    result = run("check", cwd=ROOT)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    assert re.fullmatch(rf"\d+ files in {re.escape(str(ROOT / 'generated' / PACKAGE))} are up to date\n", result.stderr)


# -------------------------------------------------------------------------------------- one edition of several


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the project's own package, which has several editions."""
    folder = tmp_path / "out" / PACKAGE
    shutil.copytree(ROOT / "generated" / PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path: content for path, (_, _, content) in snapshot(folder).items()}


def test_generate_of_one_edition_leaves_the_others_alone(package: Path) -> None:
    """Also what somebody changed in them: it is neither taken over nor repaired, and shows where it is asked for."""
    intact = contents(package)
    edited = package / "v2" / "types.py"
    edited.write_text(edited.read_text(encoding="utf-8") + "# by hand\n", encoding="utf-8")
    (package / "v1" / "types.py").write_text("spoilt\n", encoding="utf-8")
    (package / "v1" / "_read.py").unlink()
    result = run("generate", "--edition", "v1", "--out", package.parent)
    assert (result.returncode, result.stderr) == (0, "")
    _, *rows, last = result.stdout.splitlines()
    assert [row.split()[:2] for row in rows] == [["v1", "178"]]
    files = sum(path.is_file() for path in package.rglob("*"))
    assert re.search(rf": 2 files written, {files - 2} unchanged in", last)
    assert contents(package) == {**intact, "v2/types.py": intact["v2/types.py"] + b"# by hand\n"}

    assert run_here("check", "--edition", "v1", "--out", package.parent).exit_code == 0
    everything = run_here("check", "--out", package.parent)
    assert everything.exit_code == 1
    assert everything.stdout.startswith("--- a/v2/types.py\n+++ b/v2/types.py\n")
    assert [line for line in everything.stdout.splitlines()[2:] if line.startswith(("+", "-"))] == ["-# by hand"]
    assert everything.stderr == f"1 of {files} files in {package} differ: run `acp-codegen generate`\n"


def test_check_of_one_edition_writes_nothing_and_shows_that_edition(package: Path) -> None:
    (package / "v2_2026_06" / "types.py").write_text("spoilt\n", encoding="utf-8")
    (package / "v2" / "types.py").write_text("spoilt too\n", encoding="utf-8")
    (package / "v1" / "methods.py").unlink()
    before = snapshot(package)
    result = run_here("check", "--edition", "v2_2026_06", "--out", package.parent)
    assert result.exit_code == 1
    assert re.findall(r"^--- (.*)", result.stdout, re.MULTILINE) == ["a/v2_2026_06/types.py"]
    assert snapshot(package) == before


def test_some_editions_leave_the_bridge_to_the_others_standing(package: Path) -> None:
    """The table of conversions joins what is written anew and what stays."""
    before = snapshot(package)
    (package / "v2" / "types.py").write_text("spoilt\n", encoding="utf-8")
    result = run_here("generate", "--edition", "v1", "--edition", "v2", "--out", package.parent)
    assert result.exit_code == 0, result.stderr
    assert {path: file[-1] for path, file in snapshot(package).items()} == {
        path: file[-1] for path, file in before.items()
    }


def test_one_edition_without_session_does_not_take_it_from_the_others(package: Path) -> None:
    result = run_here("generate", "--edition", "v2_2026_06", "--no-session", "--out", package.parent)
    assert result.exit_code == 0, result.stderr
    assert not (package / "v2_2026_06" / "session.py").exists()
    assert (package / "v2" / "session.py").is_file()
    code = "from acp_schema import v2, v2_2026_06 as june; assert not hasattr(june, 'SessionState'); v2.SessionState()"
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", f"import sys; sys.path.insert(0, {str(package.parent)!r}); {code}"]
    )
    assert done.returncode == 0


def test_several_editions_can_be_named_in_any_order() -> None:
    assert [source.name for source in resources.editions(["v2_2026_06", "v1"])] == ["v1", "v2_2026_06"]
    assert [source.name for source in resources.editions()] == ["v1", "v2", "v2_2026_06"]


def test_one_edition_alone_in_a_new_folder(tmp_path: Path) -> None:
    result = run_here("generate", "--edition", "v2_2026_06", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    folder = tmp_path / "out" / PACKAGE
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    assert list(manifest["editions"]) == ["v2_2026_06"]
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == ["v2_2026_06"]
    own = ROOT / "generated" / PACKAGE
    assert {path: digest for path, digest in manifest["files"].items() if path.startswith("v2_2026_06/")} == {
        path: digest
        for path, digest in json.loads((own / "MANIFEST.json").read_text(encoding="utf-8"))["files"].items()
        if path.startswith("v2_2026_06/")
    }


# -------------------------------------------------------------------------------------------- wrong use


def test_unknown_edition(tmp_path: Path) -> None:
    result = run("generate", "--edition", "v9", "--out", tmp_path / "out")
    known = sorted(path.parent.name.replace("-", "_") for path in (ROOT / "schema").glob("*/schema.json"))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"error: there is no edition 'v9'\n  fix: choose from: {', '.join(known)}\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["generate", "check"])
def test_schema_of_ones_own_needs_an_output_folder(command: str, schema: Path) -> None:
    """It must never land in the project's own generated folder by default."""
    result = run(command, "--schema", schema)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: where to write is not said\n  fix: add --out DIR\n"


def test_one_schema_is_one_edition(options: list[str], tmp_path: Path) -> None:
    result = run_here("generate", *options, "--edition", "a", "--edition", "b")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: one schema makes one edition\n  fix: give --edition once\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["generate", "--colour"], "No such option: --colour"),
        (["generate", "--ouut", "x"], "No such option: --ouut"),
        (["check", "extra"], "unexpected extra argument"),
        (["generate", "--out"], "Option '--out' requires an argument."),
        (["generete"], "No such command 'generete'."),
    ],
)
def test_wrong_arguments(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert complaint in result.stderr


# ------------------------------------------------------------------------------------ terminals and pipes


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Exit code and everything shown, with standard output and error on one pseudo-terminal."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "acp_codegen", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        env=clean_environment(TERM="xterm"),
    ) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(master)
    return process.returncode, shown.decode("utf-8").replace("\r\n", "\n")


def test_progress_and_colours_on_a_terminal(options: list[str], generated: Path) -> None:
    (generated / "_enums.py").write_text("changed\n", encoding="utf-8")
    code, shown = on_a_terminal("check", *options)
    assert code == 1
    assert "\r\x1b[2Kdraft_3: reading schema.json" in shown
    assert "\r\x1b[2Kformatting draft_3/types.py" in shown
    assert "\x1b[31m-changed\x1b[0m\n" in shown
    assert "\x1b[32m+class EnumValues:\x1b[0m\n" in shown
    assert re.search(r"\x1b\[36m@@ -1 \+1,\d+ @@\x1b\[0m\n", shown)
    # the progress line is wiped before anything else is shown
    assert "\r\x1b[2K\x1b[31m--- a/_enums.py" in shown or "\r\x1b[2K--- a/_enums.py" in shown


def test_error_on_a_terminal_is_red_and_starts_on_a_line_of_its_own(options: list[str], schema: Path) -> None:
    schema.write_text(json.dumps({"$defs": {"A": {"$ref": "#/$defs/B"}}}), encoding="utf-8")
    code, shown = on_a_terminal("generate", *options)
    assert code == 2
    assert '\r\x1b[2K\x1b[31merror: the reference "#/$defs/B" leads nowhere\x1b[0m\n' in shown
    assert shown.endswith('  fix: define "B" under $defs or correct the name\n')


def test_reader_that_goes_away_early(options: list[str], tmp_path: Path) -> None:
    """As in ``acp-codegen check | head -1``."""
    read_end, write_end = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "acp_codegen", "check", *options],
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=clean_environment(),
    ) as process:
        os.close(write_end)
        os.close(read_end)
        assert process.stderr is not None
        complaint = process.stderr.read().decode()
    assert "Traceback" not in complaint and "BrokenPipeError" not in complaint
    assert process.returncode != 0
    assert not (tmp_path / "out").exists()


def test_output_encoding_that_knows_few_characters(options: list[str], schema: Path, tmp_path: Path) -> None:
    """A diff may contain any character; the terminal may not."""
    document = json.loads(json.dumps(SCHEMA))
    document["$defs"]["Point"]["description"] = "Ein schöner Ort \U0001f98a"
    schema.write_text(json.dumps(document), encoding="utf-8")
    result = run("check", *options, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert result.returncode == 1
    assert "sch" in result.stdout and "ner Ort" in result.stdout
    assert result.stderr.startswith(f"{FILES} of {FILES} files")
