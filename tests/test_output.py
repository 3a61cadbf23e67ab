"""Writing the package: whatever goes wrong, and whenever the process dies, the folder is the old one or the new one."""

from __future__ import annotations

import errno
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from acp_codegen.cli import app
from acp_codegen.errors import CodegenError
from acp_codegen.manifest import keep_the_rest
from acp_codegen.output import compare, write

PACKAGE = "acp_schema"
FOREIGN = "the output folder holds a file that was not generated"

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


def a_package(version: str, *modules: str) -> dict[str, str]:
    """Files as the pipeline gives them: some that every version shares, one that differs, and a manifest."""
    files = {"__init__.py": "", "_shared.py": "x = 1\n", "edition/__init__.py": f"version = {version!r}\n"}
    files.update({f"edition/{module}": f"# {module} of {version}\n" for module in modules})
    files["MANIFEST.json"] = json.dumps({"files": dict.fromkeys(files, "")}) + "\n"
    return files


OLD = a_package("old", "types.py", "gone.py")
NEW = a_package("new", "types.py", "added.py")
NEWER = a_package("newer", "types.py")


def put(files: dict[str, str], folder: Path) -> None:
    write(files, folder, compare(files, folder))


def content(folder: Path) -> dict[str, str]:
    """Everything in the folder, byte for byte."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def beside(folder: Path) -> list[str]:
    """What else lies where the folder lies."""
    return sorted(path.name for path in folder.parent.iterdir() if path != folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the package goes; nothing is there yet."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / PACKAGE


# ---------------------------------------------------------------------------------------- when all is well


def test_first_write_makes_the_folder_and_its_parents(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b" / PACKAGE
    put(NEW, folder)
    assert content(folder) == NEW
    assert beside(folder) == []


def test_replacing_leaves_nothing_of_the_old_package(folder: Path) -> None:
    put(OLD, folder)
    put(NEW, folder)
    assert content(folder) == NEW
    assert beside(folder) == []


def test_same_content_is_not_touched(folder: Path) -> None:
    put(OLD, folder)
    before = [(path, path.stat().st_ino, path.stat().st_mtime_ns) for path in [folder, *sorted(folder.rglob("*"))]]
    put(OLD, folder)
    assert [(path, path.stat().st_ino, path.stat().st_mtime_ns) for path, _, _ in before] == before


def test_changes_are_named_by_kind(folder: Path) -> None:
    put(OLD, folder)
    assert [(change.path, change.kind) for change in compare(NEW, folder)] == [
        ("MANIFEST.json", "different"),
        ("edition/__init__.py", "different"),
        ("edition/added.py", "missing"),
        ("edition/gone.py", "orphan"),
        ("edition/types.py", "different"),
    ]


def test_diff_says_where_the_last_line_has_no_end(folder: Path) -> None:
    put({"a.py": "one\n", "MANIFEST.json": "{}\n"}, folder)
    (change,) = compare({"a.py": "one\ntwo", "MANIFEST.json": "{}\n"}, folder)
    assert change.diff() == "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n one\n+two\n\\ No newline at end of file\n"


def test_others_can_read_the_package(folder: Path) -> None:
    """It is made under a private name first; that privacy must not stick."""
    mask = os.umask(0o022)
    try:
        put(OLD, folder)
        put(NEW, folder)
    finally:
        os.umask(mask)
    modes = {path.stat().st_mode & 0o777 for path in [folder, *folder.rglob("*")] if path.is_dir()}
    assert modes == {0o755}
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()} == {0o644}


# ---------------------------------------------------------------------------------------- one edition of several


def editions(**modules: dict[str, str]) -> dict[str, str]:
    """A package as the pipeline gives it: ``one={"a.py": "text"}`` is an edition with one module."""
    files = {"__init__.py": "", "_shared.py": "x = 1\n"}
    files.update({f"{name}/{path}": text for name, texts in modules.items() for path, text in texts.items()})
    hashes = {path: f"hash of {text!r}" for path, text in files.items()}
    told = {"editions": {name: {"schema": f"{name}.json"} for name in modules}, "files": hashes}
    return {**files, "MANIFEST.json": json.dumps(told)}


def manifest_of(files: dict[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(files["MANIFEST.json"])
    return told


BOTH = editions(one={"a.py": "one\n", "old.py": "old\n"}, two={"b.py": "two\n"})
ONE = editions(one={"a.py": "one, again\n"})


def test_other_editions_stay_with_their_files_and_entries(folder: Path) -> None:
    put(BOTH, folder)
    together = keep_the_rest(ONE, folder)
    put(together, folder)
    assert content(folder) == together
    assert together["two/b.py"] == "two\n"
    assert together["one/a.py"] == "one, again\n"
    told, before, asked = manifest_of(together), manifest_of(BOTH), manifest_of(ONE)
    assert told["editions"] == {"one": asked["editions"]["one"], "two": before["editions"]["two"]}
    assert told["files"] == {**asked["files"], "two/b.py": before["files"]["two/b.py"]}
    assert list(together) == sorted(together)


def test_a_module_that_the_edition_no_longer_has_goes(folder: Path) -> None:
    """It is listed, and not generated any more: that it belongs to the edition asked for decides."""
    put(BOTH, folder)
    put(keep_the_rest(ONE, folder), folder)
    assert not (folder / "one" / "old.py").exists()


def test_a_file_edited_by_hand_stays_and_keeps_its_old_hash(folder: Path) -> None:
    put(BOTH, folder)
    (folder / "two" / "b.py").write_text("mine\n", encoding="utf-8")
    together = keep_the_rest(ONE, folder)
    put(together, folder)
    assert (folder / "two" / "b.py").read_text(encoding="utf-8") == "mine\n"
    assert manifest_of(together)["files"]["two/b.py"] == manifest_of(BOTH)["files"]["two/b.py"]
    assert [change.path for change in compare(BOTH, folder) if change.path.startswith("two/")] == ["two/b.py"]


def test_a_file_removed_by_hand_is_not_forgotten(folder: Path) -> None:
    put(BOTH, folder)
    (folder / "two" / "b.py").unlink()
    together = keep_the_rest(ONE, folder)
    assert "two/b.py" not in together
    assert manifest_of(together)["files"]["two/b.py"] == manifest_of(BOTH)["files"]["two/b.py"]


def test_a_foreign_file_in_another_edition_is_still_refused(folder: Path) -> None:
    put(BOTH, folder)
    (folder / "two" / "mine.py").write_text("precious\n", encoding="utf-8")
    error = refused(keep_the_rest(ONE, folder), folder)
    assert error.message == FOREIGN
    assert error.where == str(folder / "two" / "mine.py")
    assert (folder / "two" / "mine.py").read_text(encoding="utf-8") == "precious\n"


def test_nothing_stays_where_nothing_was(folder: Path) -> None:
    together = keep_the_rest(ONE, folder)
    assert list(together) == sorted(ONE)
    assert manifest_of(together)["editions"] == manifest_of(ONE)["editions"]
    put(together, folder)
    assert content(folder) == together


@pytest.mark.parametrize("spoilt", ["", "{", "[]", '{"files": 5, "editions": []}', '{"files": {"": "", ".": ""}}'])
def test_a_spoilt_manifest_makes_nothing_stay(spoilt: str, folder: Path) -> None:
    put(BOTH, folder)
    (folder / "MANIFEST.json").write_text(spoilt, encoding="utf-8")
    together = keep_the_rest(ONE, folder)
    assert set(together) == set(ONE)
    assert manifest_of(together)["editions"] == manifest_of(ONE)["editions"]


def test_a_manifest_cannot_name_files_elsewhere(folder: Path, tmp_path: Path) -> None:
    """They would be read, and written again where they are."""
    precious = tmp_path / "precious.py"
    precious.write_bytes(b"\xff precious\n")
    put(BOTH, folder)
    told = manifest_of(BOTH)
    told["files"] |= {str(precious): "", "../../precious.py": "", "two/../../../precious.py": ""}
    (folder / "MANIFEST.json").write_text(json.dumps(told), encoding="utf-8")
    together = keep_the_rest(ONE, folder)
    assert set(together) == {*ONE, "two/b.py"}
    put(together, folder)
    assert precious.read_bytes() == b"\xff precious\n"


# ---------------------------------------------------------------------------------- what is not ours to touch


def refused(files: dict[str, str], folder: Path) -> CodegenError:
    with pytest.raises(CodegenError) as caught:
        put(files, folder)
    return caught.value


@pytest.mark.parametrize("name", ["notes.txt", "edition/mine.py", "edition/deep/er.py"])
def test_foreign_file_is_refused_and_kept(name: str, folder: Path) -> None:
    put(OLD, folder)
    foreign = folder / name
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text("precious\n", encoding="utf-8")
    error = refused(NEW, folder)
    assert error.message == FOREIGN
    assert error.where == str(foreign)
    assert error.hint == "move it elsewhere or delete it; nothing was written"
    assert content(folder) == {**OLD, name: "precious\n"}
    assert beside(folder) == []


def test_folder_of_somebody_else_is_refused(folder: Path) -> None:
    """No manifest: nothing in it was generated, whatever the names."""
    folder.mkdir()
    mine = {"setup.py": "precious\n", "app.py": "precious\n"}
    for name, text in mine.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert refused(NEW, folder).where == str(folder / "app.py")
    assert content(folder) == mine


def test_handwritten_file_of_a_generated_name_is_refused(folder: Path) -> None:
    """A package of one's own with the same name has an ``__init__.py`` too; no manifest says that we made it."""
    folder.mkdir()
    (folder / "__init__.py").write_text("precious = True\n", encoding="utf-8")
    error = refused(NEW, folder)
    assert error.where == str(folder / "__init__.py")
    assert content(folder) == {"__init__.py": "precious = True\n"}


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"files": 5}', '{"files": {}}', '{"files": {"../../etc": ""}}'])
def test_spoilt_manifest_makes_no_file_ours(manifest: str, folder: Path) -> None:
    put(OLD, folder)
    (folder / "MANIFEST.json").write_text(manifest, encoding="utf-8")
    error = refused(NEW, folder)
    assert error.where == str(folder / "edition" / "gone.py")
    assert content(folder) == {**OLD, "MANIFEST.json": manifest}


def test_symlink_instead_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    put(OLD, elsewhere)
    folder.symlink_to(elsewhere)
    error = refused(NEW, folder)
    assert (error.message, error.where) == ("the output is not a folder", str(folder))
    assert error.hint == "remove it or choose another --out"
    assert folder.is_symlink()
    assert content(elsewhere) == OLD


def test_dangling_symlink_instead_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    folder.symlink_to(tmp_path / "nowhere")
    assert refused(NEW, folder).message == "the output is not a folder"
    assert not (tmp_path / "nowhere").exists()


def test_file_instead_of_the_folder_is_refused(folder: Path) -> None:
    folder.write_text("precious\n", encoding="utf-8")
    assert refused(NEW, folder).message == "the output is not a folder"
    assert folder.read_text(encoding="utf-8") == "precious\n"


def test_file_instead_of_the_parent_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious\n", encoding="utf-8")
    error = refused(NEW, tmp_path / "out" / PACKAGE)
    assert error.message in (
        f"cannot write the generated package: {os.strerror(code)}" for code in (errno.EEXIST, errno.ENOTDIR)
    )
    assert (tmp_path / "out").read_text(encoding="utf-8") == "precious\n"


def test_symlink_above_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    put(OLD, tmp_path / "link" / PACKAGE)
    put(NEW, tmp_path / "link" / PACKAGE)
    assert content(tmp_path / "real" / PACKAGE) == NEW
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("target", ["nowhere", "a folder", "a file"])
@pytest.mark.parametrize("name", ["foreign", "edition/types.py"])
def test_symlink_inside_the_folder_is_not_followed(name: str, target: str, folder: Path, tmp_path: Path) -> None:
    """Refused, or replaced where it stands for a generated file; what it points at stays as it is."""
    put(OLD, folder)
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "inner").write_text("precious\n", encoding="utf-8")
    (tmp_path / "a file").write_text("precious\n", encoding="utf-8")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(tmp_path / target)
    if name == "foreign":
        error = refused(NEW, folder)
        assert error.where == str(folder / name)
        assert (folder / name).is_symlink()
    else:
        put(NEW, folder)
        assert content(folder) == NEW
        assert not (folder / name).is_symlink()
    assert (tmp_path / "a folder" / "inner").read_text(encoding="utf-8") == "precious\n"
    assert (tmp_path / "a file").read_text(encoding="utf-8") == "precious\n"
    assert not (tmp_path / "nowhere").exists()


def test_caches_count_for_nothing(folder: Path) -> None:
    put(OLD, folder)
    for cache in (folder / "__pycache__", folder / "edition" / "__pycache__"):
        cache.mkdir()
        (cache / "types.cpython-310.pyc").write_bytes(b"\x00")
    assert compare(OLD, folder) == []
    put(NEW, folder)
    assert {path: text for path, text in content(folder).items() if "__pycache__" not in path} == NEW


@pytest.mark.parametrize("name", [".gitattributes", "edition/.hidden", ".idea/workspace.xml", "edition/.cache/a/b"])
def test_hidden_files_are_tolerated_and_kept(name: str, folder: Path) -> None:
    """They belong to tools and people, not to the generator: a new package does not cost them."""
    put(OLD, folder)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("precious\n", encoding="utf-8")
    assert compare(OLD, folder) == []
    put(NEW, folder)
    assert content(folder) == {**NEW, name: "precious\n"}


def test_hidden_file_of_an_edition_that_goes_is_not_lost_silently(folder: Path) -> None:
    put(OLD, folder)
    (folder / "edition" / ".keep").write_text("precious\n", encoding="utf-8")
    without = {"__init__.py": "", "MANIFEST.json": "{}\n"}
    try:
        put(without, folder)
    except CodegenError as error:
        assert ".keep" in error.where
        assert content(folder) == {**OLD, "edition/.keep": "precious\n"}
    else:
        assert content(folder) == {**without, "edition/.keep": "precious\n"}


def test_other_things_beside_the_folder_stay(folder: Path) -> None:
    """Names that look a little like ours are not ours."""
    others = [f".{PACKAGE}", f".{PACKAGE}.toml", f".{PACKAGE}.mine.d", f"{PACKAGE}.123.x", ".other.123.x"]
    for name in others:
        (folder.parent / name).mkdir()
        (folder.parent / name / "file").write_text("precious\n", encoding="utf-8")
    put(OLD, folder)
    put(NEW, folder)
    assert beside(folder) == sorted(others)
    assert all((folder.parent / name / "file").exists() for name in others)


def test_parent_that_cannot_be_written(folder: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes into read-only folders")
    put(OLD, folder)
    folder.parent.chmod(0o555)
    try:
        error = refused(NEW, folder)
        assert error.message == "cannot write the generated package: Permission denied"
        assert error.where == str(folder)
        assert content(folder) == OLD
        assert beside(folder) == []
    finally:
        folder.parent.chmod(0o755)


def test_errors_of_the_output_reach_the_command_line(tmp_path: Path) -> None:
    """With exit code 2 and no traceback, for check as for generate."""
    schema = tmp_path / "schema.json"
    schema.write_text('{"$defs": {"A": {"type": "string"}}}', encoding="utf-8")
    package = tmp_path / "out" / PACKAGE
    package.mkdir(parents=True)
    (package / "foreign").symlink_to(tmp_path / "nowhere")
    for command, codes in (("generate", {2}), ("check", {1, 2})):
        run = CliRunner().invoke(
            app, [command, "--schema", str(schema), "--no-session", "--out", str(tmp_path / "out")]
        )
        assert type(run.exception) is SystemExit, run.exception
        assert run.exit_code in codes
    assert [path.name for path in package.iterdir()] == ["foreign"]


# ------------------------------------------------------------------------------------- faults at every step

# Every call to the file system announces itself to audit hooks, in every version of Python, and a hook may raise. So
# each step of a write can be made to fail, or be the last thing the process does, without a word here about how
# the write is done.


def watched(event: str) -> bool:
    return event == "open" or event.startswith(("os.", "ctypes."))


def in_child(action: Callable[[], None], step: int, effect: Callable[[], None]) -> tuple[int, str]:
    """Run ``action`` in a forked process with ``effect`` at its n-th step: wait status, and what the child says.

    It says how many steps there were, or which error came out.
    """
    read_end, write_end = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(write_end, run_with_effect(action, step, effect).encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as reader:
        said = reader.read()
    return os.waitpid(process, 0)[1], said


def run_with_effect(action: Callable[[], None], step: int, effect: Callable[[], None]) -> str:
    state = {"steps": 0, "armed": True}

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if state["armed"] and watched(event):
            state["steps"] += 1
            if state["steps"] == step:
                effect()

    sys.addaudithook(hook)
    try:
        action()
    except CodegenError as error:
        return f"refused: {error.message}"
    except BaseException as error:  # whatever it is, the parent must hear of it: it fails the test
        return f"crashed: {error!r}"
    finally:
        state["armed"] = False
    return f"done in {state['steps']}"


def count_steps(before: dict[str, str] | None, tmp_path: Path) -> int:
    """How many steps an undisturbed write takes."""
    folder = tmp_path / "counted" / PACKAGE
    folder.parent.mkdir()
    if before is not None:
        put(before, folder)
    status, said = in_child(lambda: put(NEW, folder), 0, lambda: None)
    assert status == 0 and said.startswith("done in "), said
    assert content(folder) == NEW
    return int(said.removeprefix("done in "))


def each_step(before: dict[str, str] | None, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """Every step, with a folder of its own in which the old package lies."""
    steps = count_steps(before, tmp_path)
    assert steps > len(NEW)
    for step in range(1, steps + 1):
        folder = tmp_path / f"step{step}" / PACKAGE
        folder.parent.mkdir()
        if before is not None:
            put(before, folder)
        yield step, folder


def failing(code: int) -> Callable[[], None]:
    def effect() -> None:
        raise OSError(code, os.strerror(code))

    return effect


@needs_fork
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES], ids=["disk full", "permission denied"])
@pytest.mark.parametrize("before", [OLD, None], ids=["replacing", "first time"])
def test_failure_at_any_step_leaves_the_old_or_the_new_package(
    before: dict[str, str] | None, code: int, tmp_path: Path
) -> None:
    """And says which: an error means that nothing changed."""
    outcomes = set()
    for step, folder in each_step(before, tmp_path):
        changes = compare(NEW, folder)
        status, said = in_child(lambda: write(NEW, folder, changes), step, failing(code))
        assert status == 0
        outcomes.add(said.split(" ")[0])
        if said.startswith("done"):
            assert content(folder) == NEW, step
        else:
            # without its manifest, nothing in the folder is known to be ours
            assert said in (
                f"refused: cannot write the generated package: {os.strerror(code)}",
                f"refused: {FOREIGN}",
            ), step
            assert content(folder) == (before or {}), step
            assert folder.exists() == (before is not None), step
        put(NEWER, folder)
        assert content(folder) == NEWER, step
        assert beside(folder) == [], step
    assert outcomes == {"done", "refused:"}


@needs_fork
def test_failure_to_read_what_is_there_is_an_error_like_any_other(folder: Path) -> None:
    """A file of the old package that cannot be read stops the run; it is no reason for a traceback."""
    put(OLD, folder)
    reason = os.strerror(errno.EACCES)
    _, said = in_child(lambda: list_changes(folder), 0, lambda: None)
    for step in range(1, int(said.removeprefix("done in ")) + 1):
        status, said = in_child(lambda: list_changes(folder), step, failing(errno.EACCES))
        assert status == 0
        # to list a folder that cannot be listed may give nothing; to read a file must fail
        assert said.startswith("done in ") or (said.startswith("refused: ") and said.endswith(f": {reason}")), step
    assert said.startswith("refused: "), "the last step reads a file"
    assert content(folder) == OLD


def list_changes(folder: Path) -> None:
    compare(NEW, folder)


@needs_fork
@pytest.mark.parametrize("before", [OLD, None], ids=["replacing", "first time"])
def test_death_at_any_step_leaves_the_old_or_the_new_package(before: dict[str, str] | None, tmp_path: Path) -> None:
    """And the next run works as ever, and clears away what the dead one left."""
    seen = set()
    for step, folder in each_step(before, tmp_path):
        status, said = in_child(lambda: put(NEW, folder), step, lambda: os.kill(os.getpid(), signal.SIGKILL))
        assert (os.WIFSIGNALED(status), said) == (True, "")
        found = content(folder) if folder.exists() else None
        assert found in (before, NEW), step
        seen.add("new" if found == NEW else "old")
        put(NEWER, folder)
        assert content(folder) == NEWER, step
        assert beside(folder) == [], step
    assert seen == {"old", "new"}


@needs_fork
def test_another_run_in_between_harms_neither(tmp_path: Path) -> None:
    """At any step of one run a whole second one may happen: it must not clear away what the first still needs."""
    seen = set()
    for step, folder in each_step(OLD, tmp_path):
        changes = compare(NEW, folder)
        action = functools.partial(write, NEW, folder, changes)
        status, said = in_child(action, step, lambda: put_in_another_process(NEWER, folder))
        # a manifest that has changed since the comparison stops the run; nothing later does
        assert status == 0
        assert said.startswith("done in ") or (step, said) == (1, f"refused: {FOREIGN}"), (step, said)
        found = content(folder)
        assert found in ((NEW, NEWER) if said.startswith("done") else (NEWER,)), step
        seen.add("first" if found == NEW else "second")
        assert beside(folder) == [], step
    assert seen == {"first", "second"}


def put_in_another_process(files: dict[str, str], folder: Path) -> None:
    process = os.fork()
    if process == 0:
        try:
            put(files, folder)
        finally:
            os._exit(0)
    assert os.waitpid(process, 0)[1] == 0
    assert content(folder) == files


# ---------------------------------------------------------------------------------------- the real command


def schema_of(description: str) -> str:
    definitions = {f"Name{letter}": {"type": "string", "description": description} for letter in "ABCDEFGH"}
    return json.dumps({"$defs": definitions})


@pytest.fixture(scope="module")
def two_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command makes of two schemas, under ``old`` and ``new``."""
    parent = tmp_path_factory.mktemp("two")
    for name in ("old", "new"):
        (parent / f"{name}.json").write_text(schema_of(name), encoding="utf-8")
        run = CliRunner().invoke(app, ["generate", *command_options(parent / f"{name}.json", parent / name)])
        assert run.exit_code == 0, run.output
    assert content(parent / "old" / PACKAGE) != content(parent / "new" / PACKAGE)
    return parent


def command_options(schema: Path, out: Path) -> list[str]:
    return ["--schema", str(schema), "--edition", "edition", "--no-session", "--out", str(out)]


def start_generate(schema: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "acp_codegen", "generate", *command_options(schema, out)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for_writing(out: Path, before: list[str], process: subprocess.Popen[bytes]) -> None:
    """Until something comes into the folder or leaves it, or the process is done."""
    while os.listdir(out) == before and process.poll() is None:
        time.sleep(0.0002)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_command_killed_at_many_moments(two_packages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(two_packages / "old", out)
    expected = [content(two_packages / name / PACKAGE) for name in ("old", "new")]
    killed = 0
    for delay in (None, 0.0, 0.001, 0.002, 0.004, 0.007):
        before = os.listdir(out)
        with start_generate(two_packages / "new.json", out) as process:
            if delay is None:
                time.sleep(0.3)  # while it still reads and thinks
            else:
                wait_for_writing(out, before, process)
                time.sleep(delay)
            process.kill()
        killed += process.returncode == -signal.SIGKILL
        found = content(out / PACKAGE)
        assert found in expected, f"neither old nor new after a kill at {delay}"
        if found != expected[0]:  # back to the old one for the next round
            shutil.rmtree(out / PACKAGE)
            shutil.copytree(two_packages / "old" / PACKAGE, out / PACKAGE)
    assert killed >= 2, "the kills came too late to mean anything"
    run = CliRunner().invoke(app, ["generate", *command_options(two_packages / "new.json", out)])
    assert (run.exit_code, content(out / PACKAGE)) == (0, expected[1])
    assert os.listdir(out) == [PACKAGE], "leftovers pile up"


def test_commands_at_the_same_time(two_packages: Path, tmp_path: Path) -> None:
    """Each writes a whole package; the last one wins, and none breaks another."""
    out = tmp_path / "out"
    shutil.copytree(two_packages / "old", out)
    runs = [start_generate(two_packages / f"{name}.json", out) for name in ("new", "old", "new")]
    complaints = [process.communicate()[1].decode() for process in runs]
    assert [process.returncode for process in runs] == [0, 0, 0], complaints
    assert content(out / PACKAGE) in [content(two_packages / name / PACKAGE) for name in ("old", "new")]
    assert os.listdir(out) == [PACKAGE]
