"""``acp-codegen vendor`` as its users meet it: what it writes, what it refuses, and what ``--check`` finds out."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_codegen import resources
from acp_codegen.cli import app
from acp_codegen.manifest import GENERATOR
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "generated" / "acp_schema"
CHOSEN = ["--edition", "v1", "--edition", "v2"]
FILES = 44  # of a copy of these two

Edit = Callable[[Path], None]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["vendor", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Inode, time of modification and content of everything in a folder; links are not followed."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_ino,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() and not path.is_symlink() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def schema_sha256(edition: str) -> str:
    return sha256(ROOT / "schema" / edition / "schema.json")


def manifest_of(copy: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((copy / "MANIFEST.json").read_text(encoding="utf-8"))
    return content


def change_manifest(copy: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = manifest_of(copy)
    change(content)
    (copy / "MANIFEST.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A first copy; tests get copies of it."""
    folder = tmp_path_factory.mktemp("fresh")
    assert run(folder, *CHOSEN).exit_code == 0
    return folder / "acp_schema"


@pytest.fixture
def sdk(tmp_path: Path) -> Path:
    """The package of another source tree."""
    folder = tmp_path / "sdk"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    return folder


@pytest.fixture
def copy(fresh: Path, sdk: Path) -> Path:
    shutil.copytree(fresh, sdk / "acp_schema")
    return sdk / "acp_schema"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of the generator whose files a test may spoil."""
    folder = tmp_path / "checkout"
    for part in ("generated", "schema", "codegen", "templates"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    monkeypatch.setattr(resources, "_CHECKOUT", folder)
    monkeypatch.setattr(resources, "_PACKAGE", folder / "codegen" / "acp_codegen")
    return folder


def refused(*arguments: str | Path, says: str, at: Path | None = None, fix: str = "") -> None:
    """The command stops with exactly this error."""
    result = run(*arguments)
    lines = [f"error: {says}", *([f"  at {at}"] if at else []), *([f"  fix: {fix}"] if fix else [])]
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "\n".join(lines) + "\n")


# ----------------------------------------------------------------------------------------------- writing


def test_the_first_copy(sdk: Path) -> None:
    result = run(sdk, *CHOSEN)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "edition  schema                 sha256",
        f"     v1  schema/v1/schema.json  {schema_sha256('v1')[:12]}",
        f"     v2  schema/v2/schema.json  {schema_sha256('v2')[:12]}",
        f"{sdk}/acp_schema: {FILES} files written, 0 unchanged ({GENERATOR})",
    ]
    assert sorted(path.name for path in sdk.iterdir()) == ["__init__.py", "acp_schema"]
    present = {path.relative_to(sdk / "acp_schema").as_posix() for path in (sdk / "acp_schema").rglob("*.*")}
    assert present == {"MANIFEST.json", *manifest_of(sdk / "acp_schema")["files"]}


def test_the_manifest_says_where_the_copy_comes_from(copy: Path) -> None:
    manifest = manifest_of(copy)
    assert list(manifest) == ["generator", "editions", "vendored", "files"]
    assert manifest["generator"] == GENERATOR
    assert manifest["editions"] == {
        name: {"schema": f"schema/{name}/schema.json", "schema_sha256": schema_sha256(name)} for name in ("v1", "v2")
    }
    assert manifest["vendored"] == {"name": "acp_schema", "runtime": None}
    assert manifest["files"] == {path: sha256(copy / path) for path in manifest["files"]}


def test_every_edition_without_a_choice(sdk: Path) -> None:
    assert run(sdk).exit_code == 0
    own = json.loads((GENERATED / "MANIFEST.json").read_text(encoding="utf-8"))
    assert manifest_of(sdk / "acp_schema") == {**own, "vendored": {"name": "acp_schema", "runtime": None}}


def test_a_second_run_touches_nothing(copy: Path, sdk: Path) -> None:
    before = snapshot(sdk)
    result = run(sdk, *CHOSEN)
    assert result.exit_code == 0
    assert result.stdout.endswith(f"{copy}: 0 files written, {FILES} unchanged ({GENERATOR})\n")
    assert snapshot(sdk) == before


def test_what_is_not_asked_for_stays_as_it_is(sdk: Path) -> None:
    assert run(sdk, "--name", "protocol", "--edition", "v2", "--runtime", "first.acp_schema").exit_code == 0
    before = snapshot(sdk)
    result = run(sdk)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "edition  schema                 sha256",
        f"     v2  schema/v2/schema.json  {schema_sha256('v2')[:12]}",
        "UNSET is that of first.acp_schema",
        f"{sdk}/protocol: 0 files written, 22 unchanged ({GENERATOR})",
    ]
    assert snapshot(sdk) == before
    assert run(sdk, "--check").exit_code == 0


def test_fewer_editions_remove_the_files_of_the_others(copy: Path, sdk: Path) -> None:
    result = run(sdk, "--edition", "v2")
    assert result.stdout.endswith(f"{copy}: 1 files written, 21 unchanged, 22 removed ({GENERATOR})\n")
    assert sorted(path.name for path in copy.iterdir() if path.is_dir()) == ["v2"]
    assert not (copy / "bridge.py").exists() and not list(copy.glob("_conver*"))
    assert run(sdk, "--check").exit_code == 0


def test_an_update_names_the_generator_before(copy: Path, sdk: Path) -> None:
    change_manifest(copy, lambda manifest: manifest.update(generator="acp-codegen 0.0.1"))
    result = run(sdk)
    line = f"{copy}: 1 files written, {FILES - 1} unchanged (acp-codegen 0.0.1 before, now {GENERATOR})\n"
    assert result.stdout.endswith(line)


def test_files_have_ordinary_permissions(sdk: Path) -> None:
    mask = os.umask(0o022)
    try:
        assert run(sdk).exit_code == 0
    finally:
        os.umask(mask)
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (sdk / "acp_schema").rglob("*")}
    assert modes == {(True, 0o755), (False, 0o644)}


def test_hidden_files_move_along_and_caches_do_not_count(copy: Path, sdk: Path) -> None:
    (copy / ".gitattributes").write_text("* -text\n", encoding="utf-8")
    (copy / "v2" / "__pycache__").mkdir()
    (copy / "v2" / "__pycache__" / "types.pyc").write_bytes(b"\0")
    assert run(sdk, "--check").exit_code == 0
    assert run(sdk, "--edition", "v2").exit_code == 0
    assert (copy / ".gitattributes").read_text(encoding="utf-8") == "* -text\n"
    assert run(sdk, "--check").exit_code == 0


def test_a_folder_with_nothing_but_hidden_files_is_free(sdk: Path) -> None:
    (sdk / "acp_schema").mkdir()
    (sdk / "acp_schema" / ".keep").write_text("", encoding="utf-8")
    assert run(sdk, *CHOSEN).exit_code == 0
    assert (sdk / "acp_schema" / ".keep").exists()


def test_a_copy_that_was_made_by_hand_is_taken_over(sdk: Path) -> None:
    """Its manifest proves that it is untouched, and what to keep."""
    copy = sdk / "acp_schema"
    shutil.copytree(GENERATED, copy, ignore=shutil.ignore_patterns("__pycache__"))
    refused(sdk, "--check", says="there is no vendored copy", at=copy, fix="run `acp-codegen vendor` without --check")
    result = run(sdk)
    assert re.search(r": 1 files written, \d+ unchanged \(", result.stdout)
    assert run(sdk, "--check").exit_code == 0


def test_dest_is_made_but_nothing_above_it(tmp_path: Path) -> None:
    assert run(tmp_path / "new", "--edition", "v2").exit_code == 0
    assert (tmp_path / "new" / "acp_schema" / "v2" / "types.py").is_file()
    refused(
        tmp_path / "above" / "new",
        says="cannot make DEST: No such file or directory",
        at=tmp_path / "above" / "new",
        fix="make the folder that holds it first, or correct the path",
    )
    assert not (tmp_path / "above").exists()


def test_dest_may_be_reached_through_links(tmp_path: Path, sdk: Path) -> None:
    (tmp_path / "link").symlink_to(sdk, target_is_directory=True)
    assert run(tmp_path / "link", "--edition", "v2").exit_code == 0
    assert (sdk / "acp_schema" / "v2").is_dir()
    assert run(tmp_path / "link", "--check").exit_code == 0


# ------------------------------------------------------------------------------------- what is never lost


def test_edited_files_are_overwritten_only_if_told(copy: Path, sdk: Path) -> None:
    intact = {path: (copy / path).read_bytes() for path in ("v1/types.py", "_enums.py")}
    for path in intact:
        (copy / path).write_text("# mine\n", encoding="utf-8")
    before = snapshot(sdk)
    refused(
        sdk,
        says="edited by hand: _enums.py, v1/types.py",
        at=copy,
        fix="keep the change outside the copy, or overwrite it with --force; nothing was written",
    )
    assert snapshot(sdk) == before
    result = run(sdk, "--force")
    assert result.stdout.endswith(f"{copy}: 2 files written, {FILES - 2} unchanged ({GENERATOR})\n")
    assert {path: (copy / path).read_bytes() for path in intact} == intact


def test_edited_files_of_an_edition_that_goes_away_are_kept_too(copy: Path, sdk: Path) -> None:
    (copy / "v1" / "types.py").write_text("# mine\n", encoding="utf-8")
    before = snapshot(sdk)
    assert "edited by hand: v1/types.py\n" in run(sdk, "--edition", "v2").stderr
    assert snapshot(sdk) == before
    assert run(sdk, "--edition", "v2", "--force").exit_code == 0
    assert not (copy / "v1").exists()


@pytest.mark.parametrize("options", [[], ["--force"], ["--edition", "v2"]], ids=" ".join)
def test_files_that_are_no_part_of_the_copy_always_stop_it(options: list[str], copy: Path, sdk: Path) -> None:
    (copy / "v1" / "mine.py").write_text("x = 1\n", encoding="utf-8")
    before = snapshot(sdk)
    refused(
        sdk,
        *options,
        says="the copy holds what is no part of it: v1/mine.py",
        at=copy,
        fix="move it elsewhere, --force does not delete it either; nothing was written",
    )
    assert snapshot(sdk) == before


@pytest.mark.parametrize("options", [[], ["--force"], ["--check"]], ids=" ".join)
def test_a_folder_without_a_manifest_is_not_ours(options: list[str], sdk: Path) -> None:
    (sdk / "acp_schema").mkdir()
    (sdk / "acp_schema" / "types.py").write_text("x = 1\n", encoding="utf-8")
    before = snapshot(sdk)
    refused(
        sdk,
        *options,
        says="the folder has no MANIFEST.json, so it is no copy of the generated package",
        at=sdk / "acp_schema",
        fix="choose another --name, or move the folder away",
    )
    assert snapshot(sdk) == before


@pytest.mark.parametrize("options", [[], ["--force"], ["--check"]], ids=" ".join)
@pytest.mark.parametrize(
    ("content", "what", "place"),
    [
        (b"", "Expecting value", ":1:1"),
        (b'{"generator": }', "Expecting value", ":1:15"),
        (b"\xff\xfe\xff", "it is no JSON text", ""),
        (b"[" * 100_000, "it is no JSON text", ""),
        (b"[]", "it is none of acp-codegen", ""),
        (b'{"name": "an extension"}', "it is none of acp-codegen", ""),
        (b'{"generator": "another 1.0"}', "it is none of acp-codegen", ""),
        (b'{"generator": "acp-codegen 0.1.0", "files": {"a": "b"}}', "its editions or files are incomplete", ""),
        (
            b'{"generator": "acp-codegen 0.1.0", "files": {"a": 1}, "editions": {"e": {"schema": "", "schema_sha256": ""}}}',
            "its editions or files are incomplete",
            "",
        ),
        (
            b'{"generator": "acp-codegen 0.1.0", "files": {"a": "b"}, "vendored": {"name": 1, "runtime": null},'
            b' "editions": {"e": {"schema": "", "schema_sha256": ""}}}',
            '"vendored" is not a name and a runtime',
            "",
        ),
    ],
    ids=["empty", "broken", "bytes", "deep", "list", "foreign", "other generator", "no editions", "no hash", "no name"],
)
def test_a_manifest_that_cannot_be_read(
    content: bytes, what: str, place: str, options: list[str], copy: Path, sdk: Path
) -> None:
    (copy / "MANIFEST.json").write_bytes(content)
    before = snapshot(sdk)
    refused(
        sdk,
        *options,
        says=f"the manifest cannot be read: {what}",
        at=Path(f"{copy}/MANIFEST.json{place}"),
        fix="restore it from version control, or remove the copy and vendor it again",
    )
    assert snapshot(sdk) == before


def test_a_manifest_cannot_name_files_elsewhere(copy: Path, sdk: Path) -> None:
    """Whatever it lists, nothing outside the copy is read, written or removed."""
    outside = sdk / "precious.py"
    outside.write_text("x = 1\n", encoding="utf-8")
    change_manifest(copy, lambda manifest: manifest["files"].update({"../precious.py": sha256(outside)}))
    assert "missing: ../precious.py\n" in run(sdk, "--check").stderr
    assert run(sdk, "--edition", "v2", "--force").exit_code == 0
    assert outside.read_text(encoding="utf-8") == "x = 1\n"


def test_a_manifest_cannot_put_code_into_the_copy(copy: Path, sdk: Path) -> None:
    change_manifest(copy, lambda manifest: manifest["vendored"].update(runtime="os; import evil"))
    before = snapshot(sdk)
    for options in ([], ["--force"], ["--check"]):
        refused(
            sdk,
            *options,
            says="'os; import evil' is not the name of a module",
            at=copy,
            fix="give --runtime the import name of another copy, as in first.acp_schema",
        )
    assert snapshot(sdk) == before


# ------------------------------------------------------------------------------------------ links, bad places


def _link_to_a_file(copy: Path) -> Path:
    (copy / "v1" / "types.py").rename(copy.parent / "types.py")
    (copy / "v1" / "types.py").symlink_to(copy.parent / "types.py")
    return copy / "v1" / "types.py"


def _link_to_a_folder(copy: Path) -> Path:
    (copy / "v1").rename(copy.parent / "v1")
    (copy / "v1").symlink_to(copy.parent / "v1", target_is_directory=True)
    return copy / "v1"


def _link_to_nothing(copy: Path) -> Path:
    (copy / "mine.py").symlink_to("nowhere")
    return copy / "mine.py"


def _hidden_link(copy: Path) -> Path:
    (copy / ".cache").symlink_to(copy.parent, target_is_directory=True)
    return copy / ".cache"


def _the_copy_is_a_link(copy: Path) -> Path:
    copy.rename(copy.parent / "elsewhere")
    copy.symlink_to(copy.parent / "elsewhere", target_is_directory=True)
    return copy


@pytest.mark.parametrize(
    "options",
    [["--name=acp_schema"], ["--name=acp_schema", "--force"], ["--name=acp_schema", "--check"]],
    ids=lambda options: options[-1],
)
@pytest.mark.parametrize(
    "link", [_link_to_a_file, _link_to_a_folder, _link_to_nothing, _hidden_link, _the_copy_is_a_link]
)
def test_no_link_is_followed(link: Callable[[Path], Path], options: list[str], copy: Path, sdk: Path) -> None:
    place = link(copy)
    before = snapshot(sdk)
    refused(
        sdk,
        *options,
        says="this is a link, and a copy holds none",
        at=place,
        fix="put the file or folder itself there, or choose another --name; nothing was written",
    )
    assert snapshot(sdk) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs os.mkfifo")
def test_what_is_no_file_is_refused_and_not_waited_for(copy: Path, sdk: Path) -> None:
    (copy / "_enums.py").unlink()
    os.mkfifo(copy / "_enums.py")
    refused(sdk, "--check", says="this is neither a file nor a folder", at=copy / "_enums.py", fix="remove it")
    refused(sdk, "--force", says="this is neither a file nor a folder", at=copy / "_enums.py", fix="remove it")


@pytest.mark.parametrize("options", [[], ["--check"]], ids=" ".join)
def test_dest_that_is_a_file(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("file", "dangling"):
        says = "DEST is not a folder"
        refused(tmp_path / name, *options, says=says, at=tmp_path / name, fix="name the folder that holds the copy")


def test_a_file_where_the_copy_goes(sdk: Path) -> None:
    (sdk / "acp_schema").write_text("", encoding="utf-8")
    refused(sdk, says="this is not a folder", at=sdk / "acp_schema", fix="choose another --name, or move it away")


@pytest.mark.parametrize(
    ("dest", "name"),
    [
        ("generated", "acp_schema"),
        ("generated", "other"),
        (".", "generated"),
        (".", "schema"),
        ("schema", "acp_schema"),
        ("schema/v2", "acp_schema"),
        ("templates", "acp_schema"),
        (".", "codegen"),
        ("codegen", "acp_codegen"),
        ("codegen/acp_codegen/runtime", "acp_schema"),
    ],
)
def test_the_generators_own_folders_are_no_place_for_a_copy(dest: str, name: str, checkout: Path) -> None:
    before = snapshot(checkout)
    for options in ([], ["--force"], ["--check"]):
        refused(
            checkout / dest,
            "--name",
            name,
            *options,
            says="the generator's own folders are no place for a copy",
            at=checkout / dest / name,
            fix="choose a DEST in another source tree",
        )
    assert snapshot(checkout) == before


def test_own_folders_are_known_behind_links(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(checkout / "generated", target_is_directory=True)
    assert "own folders are no place for a copy" in run(tmp_path / "link").stderr


FULL = "make the folder writable and see that the disk has room; nothing was changed"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=errno.errorcode.get)
def test_a_disk_that_takes_no_more(
    code: int, copy: Path, sdk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-way through: what was there is there still, and DEST is not left behind where there was none."""
    written: list[Path] = []
    write_text = Path.write_text

    def fail(self: Path, *arguments: Any, **options: Any) -> int:
        written.append(self)
        if len(written) % 10 == 0:
            raise OSError(code, os.strerror(code))
        return write_text(self, *arguments, **options)

    before = snapshot(sdk)
    monkeypatch.setattr(Path, "write_text", fail)
    says = f"cannot write the generated package: {os.strerror(code)}"
    refused(sdk, "--edition", "v2", says=says, at=copy, fix=FULL)
    refused(tmp_path / "new", says=says, at=tmp_path / "new" / "acp_schema", fix=FULL)
    monkeypatch.undo()
    assert snapshot(sdk) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sdk"]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for a few files."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=256k", "none", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_really_full(tiny_disk: Path) -> None:
    place = tiny_disk / "acp_schema"
    says = "cannot write the generated package: No space left on device"
    refused(tiny_disk, says=says, at=place, fix=FULL)
    assert list(tiny_disk.iterdir()) == []


def test_a_disk_that_is_really_read_only(tiny_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    says = "cannot write the generated package: Read-only file system"
    refused(tiny_disk, says=says, at=tiny_disk / "acp_schema", fix=FULL)


def test_a_copy_that_cannot_be_read(copy: Path, sdk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", fail)
    says = "cannot read the copy: Permission denied"
    refused(sdk, "--check", "--name=acp_schema", says=says, at=copy / "MANIFEST.json", fix="make it readable")


# ------------------------------------------------------------------------------------------------ check


def test_check_of_the_same(copy: Path, sdk: Path) -> None:
    before = snapshot(sdk)
    result = run(sdk, "--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{FILES} files in {copy} are untouched and current ({GENERATOR}; v1, v2)\n"
    assert run(sdk, "--check", *CHOSEN, "--name", "acp_schema").exit_code == 0
    assert snapshot(sdk) == before


def differ(count: int, copy: Path, advice: str) -> str:
    return f"{count} of {FILES} files in {copy} differ: {advice}"


def test_check_shows_a_hand_edit_as_a_diff(copy: Path, sdk: Path) -> None:
    target = copy / "_errors.py"
    text = target.read_text(encoding="utf-8")
    assert "class DecodeError(ValueError):\n" in text
    target.write_text(text.replace("DecodeError(ValueError)", "DecodeError(Exception)"), encoding="utf-8")
    before = snapshot(sdk)
    result = run(sdk, "--check")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == ["--- a/_errors.py", "+++ b/_errors.py"]
    assert [line for line in lines[2:] if line[0] in "+-"] == [
        "-class DecodeError(Exception):",
        "+class DecodeError(ValueError):",
    ]
    assert result.stderr.splitlines() == [
        "edited by hand: _errors.py",
        differ(1, copy, f"run `acp-codegen vendor {sdk} --force`"),
    ]
    assert snapshot(sdk) == before


def test_check_tells_missing_and_extra_files_apart(copy: Path, sdk: Path) -> None:
    (copy / "py.typed").unlink()
    (copy / "v1" / "mine.py").write_text("x = 1\n", encoding="utf-8")
    result = run(sdk, "--check")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "missing: py.typed",
        "no part of the copy: v1/mine.py",
        differ(2, copy, f"move away what is no part of it and run `acp-codegen vendor {sdk}`"),
    ]


def test_a_missing_file_comes_back_without_force(copy: Path, sdk: Path) -> None:
    (copy / "v1" / "types.py").unlink()
    assert run(sdk).exit_code == 0
    assert run(sdk, "--check").exit_code == 0


def test_check_names_the_generator_that_made_an_older_copy(copy: Path, sdk: Path) -> None:
    """Other versions give other files; those are not edited, and their diff would be noise."""
    (copy / "_enums.py").write_text("# of an older version\n", encoding="utf-8")
    (copy / "_gone.py").write_text("# of an older version\n", encoding="utf-8")

    def older(manifest: dict[str, Any]) -> None:
        manifest["generator"] = "acp-codegen 0.0.1"
        manifest["files"].update({path: sha256(copy / path) for path in ("_enums.py", "_gone.py")})
        del manifest["files"]["_fast.py"]

    (copy / "_fast.py").unlink()
    change_manifest(copy, older)
    result = run(sdk, "--check")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        f"MANIFEST.json: made by acp-codegen 0.0.1, this is {GENERATOR}",
        differ(4, copy, f"run `acp-codegen vendor {sdk}`"),
    ]
    assert run(sdk).stdout.endswith(
        f": 3 files written, {FILES - 3} unchanged, 1 removed (acp-codegen 0.0.1 before, now {GENERATOR})\n"
    )
    assert run(sdk, "--check").exit_code == 0


def test_check_still_shows_what_was_edited_in_an_older_copy(copy: Path, sdk: Path) -> None:
    change_manifest(copy, lambda manifest: manifest.update(generator="acp-codegen 0.0.1"))
    with (copy / "_enums.py").open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    result = run(sdk, "--check")
    assert [line for line in result.stdout.splitlines()[2:] if line[0] in "+-"] == ["-# mine"]
    assert result.stderr.splitlines() == [
        "edited by hand: _enums.py",
        f"MANIFEST.json: made by acp-codegen 0.0.1, this is {GENERATOR}",
        differ(2, copy, f"run `acp-codegen vendor {sdk} --force`"),
    ]


def test_check_names_the_schema_of_an_older_copy(copy: Path, sdk: Path) -> None:
    change_manifest(copy, lambda manifest: manifest["editions"]["v2"].update(schema_sha256="0" * 64))
    result = run(sdk, "--check")
    assert (result.exit_code, result.stdout) == (1, "")
    label = "schema/v2/schema.json"
    assert result.stderr.splitlines() == [
        f"MANIFEST.json: v2 made from {label} with sha256 000000000000, now from {label} with {schema_sha256('v2')[:12]}",
        differ(1, copy, f"run `acp-codegen vendor {sdk}`"),
    ]


def test_an_edit_cannot_hide_behind_an_edited_manifest(copy: Path, sdk: Path) -> None:
    with (copy / "_enums.py").open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    change_manifest(copy, lambda manifest: manifest["files"].update({"_enums.py": sha256(copy / "_enums.py")}))
    result = run(sdk, "--check")
    assert result.exit_code == 1
    assert "\n-# mine\n" in result.stdout
    assert re.findall(r"^--- (.*)", result.stdout, re.MULTILINE) == ["a/MANIFEST.json", "a/_enums.py"]
    assert result.stderr.splitlines() == [
        f"not what {GENERATOR} gives: MANIFEST.json",
        f"not what {GENERATOR} gives: _enums.py",
        differ(2, copy, f"run `acp-codegen vendor {sdk}`"),
    ]


def test_check_notices_line_ends(copy: Path, sdk: Path) -> None:
    target = copy / "_enums.py"
    target.write_bytes(target.read_bytes().replace(b"\n", b"\r\n"))
    result = run(sdk, "--check")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == "edited by hand: _enums.py"


def test_check_of_a_copy_that_was_renamed(copy: Path, sdk: Path) -> None:
    copy.rename(sdk / "renamed")
    result = run(sdk, "--check")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "MANIFEST.json: made under the name acp_schema",
        differ(1, sdk / "renamed", f"run `acp-codegen vendor {sdk}`"),
    ]
    assert run(sdk).exit_code == 0
    assert run(sdk, "--check").exit_code == 0


def test_check_holds_the_copy_against_the_options_that_are_given(copy: Path, sdk: Path) -> None:
    result = run(sdk, "--check", "--edition", "v2", "--runtime", "first.acp_schema", "--name", "acp_schema")
    assert (result.exit_code, result.stdout) == (1, "")
    options = "--edition v2 --name acp_schema --runtime first.acp_schema"
    assert result.stderr.splitlines() == [
        "MANIFEST.json: has v1, v2, asked for is v2",
        "MANIFEST.json: has a sentinel of its own, asked for is the sentinel of first.acp_schema",
        f"{copy} is not what was asked for: run `acp-codegen vendor {sdk} {options}`",
    ]
    assert run(sdk, *options.split()).exit_code == 0
    assert run(sdk, *options.split(), "--check").exit_code == 0
    other = run(sdk, "--check", "--runtime", "second")
    assert "has the sentinel of first.acp_schema, asked for is the sentinel of second\n" in other.stderr


def test_check_of_nothing(sdk: Path, tmp_path: Path) -> None:
    for dest in (sdk, tmp_path / "absent"):
        refused(
            dest,
            "--check",
            says="there is no vendored copy",
            at=dest / "acp_schema",
            fix="run `acp-codegen vendor` without --check",
        )
    assert not (tmp_path / "absent").exists()


def test_a_copy_with_an_edition_that_is_not_known_here(copy: Path, sdk: Path) -> None:
    def newer(manifest: dict[str, Any]) -> None:
        manifest["generator"] = "acp-codegen 9.0"
        manifest["editions"]["v9"] = {"schema": "schema/v9/schema.json", "schema_sha256": "0" * 64}

    change_manifest(copy, newer)
    known = ", ".join(source.name for source in resources.editions())
    for options in ([], ["--check"], ["--force"]):
        refused(
            sdk,
            *options,
            says=f"the copy has the edition 'v9', which {GENERATOR} does not know",
            at=copy / "MANIFEST.json",
            fix=f"use acp-codegen 9.0, which made it, or choose from: {known}",
        )
    assert run(sdk, *CHOSEN).exit_code == 0


def test_what_a_manifest_says_cannot_drive_the_terminal(copy: Path, sdk: Path) -> None:
    change_manifest(copy, lambda manifest: manifest.update(generator="acp-codegen \r\a1"))
    assert f"MANIFEST.json: made by acp-codegen \\r\\x071, this is {GENERATOR}\n" in run(sdk, "--check").stderr
    assert f"(acp-codegen \\r\\x071 before, now {GENERATOR})\n" in run(sdk).stdout


# --------------------------------------------------------------------------- a byte anywhere is noticed

PATHS = ["MANIFEST.json", *(path for path in json.loads((GENERATED / "MANIFEST.json").read_text("utf-8"))["files"])]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of everything, which tests put back as it was."""
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder).exit_code == 0
    return folder / "acp_schema"


def noticed(copy: Path, path: str, content: bytes) -> None:
    """With this content, a check names the file and writes nothing; of a manifest it may also be unable to read it."""
    target = copy / path
    intact = target.read_bytes()
    target.write_bytes(content)
    try:
        result = run(copy.parent, "--check", "--name", copy.name)
        assert result.exit_code in ((1, 2) if path == "MANIFEST.json" else (1,)), result.output
        assert path in result.stderr
        assert target.read_bytes() == content
    finally:
        target.write_bytes(intact)


@pytest.mark.parametrize("path", PATHS)
def test_a_changed_byte_is_noticed_in_every_file(path: str, whole: Path) -> None:
    content = (whole / path).read_bytes()
    noticed(whole, path, content + b"\n")
    for place in {0, len(content) // 2, len(content) - 1} if content else ():
        noticed(whole, path, content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_changed_byte_is_noticed(whole: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([path for path in PATHS if (whole / path).stat().st_size]))
    content = (whole / path).read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    noticed(whole, path, content[:place] + bytes([byte]) + content[place + 1 :])


def test_the_copy_of_these_tests_is_whole_again(whole: Path) -> None:
    """Else the tests above would prove nothing."""
    assert run(whole.parent, "--check").exit_code == 0


# ------------------------------------------------------------------------------------ names and wrong use


def test_the_copy_in_dest_is_found_whatever_its_name(sdk: Path) -> None:
    assert run(sdk, "--name", "_protocol", "--edition", "v2").exit_code == 0
    (sdk / "manifests").mkdir()
    (sdk / "manifests" / "MANIFEST.json").write_text("{", encoding="utf-8")
    assert f"22 files in {sdk}/_protocol are untouched" in run(sdk, "--check").stderr


def test_of_several_copies_one_must_be_named(copy: Path, sdk: Path) -> None:
    assert run(sdk, "--name", "other", "--edition", "v2").exit_code == 0
    for options in ([], ["--check"]):
        says = "there are several copies: acp_schema, other"
        refused(sdk, *options, says=says, at=sdk, fix="say which with --name")
    assert run(sdk, "--check", "--name", "other").exit_code == 0


def test_a_link_to_a_copy_is_none(copy: Path, sdk: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "elsewhere", "--name", "other", "--edition", "v2").exit_code == 0
    (sdk / "other").symlink_to(tmp_path / "elsewhere" / "other", target_is_directory=True)
    assert f"{FILES} files in {copy} are untouched" in run(sdk, "--check").stderr


@pytest.mark.parametrize("name", ["", "two words", "class", "1st", "a/b", "..", "a..b", "-x"])
def test_names_that_no_package_can_have(name: str, sdk: Path) -> None:
    refused(sdk, f"--name={name}", says=f"{name!r} cannot be the name of a package", fix="use a Python name")
    assert sorted(path.name for path in sdk.iterdir()) == ["__init__.py"]


def test_a_dotted_name(sdk: Path) -> None:
    refused(
        sdk,
        "--name",
        "my_sdk.acp",
        says="the name 'my_sdk.acp' has a dot",
        fix="DEST is the folder of the outer package, --name the last part alone",
    )


@pytest.mark.parametrize("module", ["", ".", "..", "a b", "a..b", "a.", "import", "a.class", "a/b", "a;b", "first\nx"])
def test_modules_that_no_import_can_name(module: str, sdk: Path) -> None:
    shown = repr(module)
    refused(
        sdk,
        f"--runtime={module}",
        says=f"{shown} is not the name of a module",
        at=sdk / "acp_schema",
        fix="give --runtime the import name of another copy, as in first.acp_schema",
    )
    assert sorted(path.name for path in sdk.iterdir()) == ["__init__.py"]


@pytest.mark.parametrize(
    "module", ["sdk.acp_schema", "sdk.acp_schema.v2", "..acp_schema", ".v2", "...sdk.acp_schema._unset"]
)
def test_a_copy_cannot_have_its_sentinel_from_itself(module: str, sdk: Path) -> None:
    refused(
        sdk,
        "--runtime",
        module,
        says=f"{module!r} is this copy itself",
        at=sdk / "acp_schema",
        fix="give --runtime the import name of another copy, as in first.acp_schema",
    )


def test_unknown_edition(sdk: Path) -> None:
    known = ", ".join(source.name for source in resources.editions())
    refused(sdk, "--edition", "v9", says="there is no edition 'v9'", fix=f"choose from: {known}")
    assert not (sdk / "acp_schema").exists()


def test_check_and_force_contradict_each_other(copy: Path, sdk: Path) -> None:
    says = "--check writes nothing, so there is nothing to force"
    refused(sdk, "--check", "--force", says=says, fix="leave out one of the two")


def test_dest_is_needed() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr


def test_the_advice_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    dest = tmp_path / "my sdk"
    assert run(dest, "--edition", "v2").exit_code == 0
    (dest / "acp_schema" / "py.typed").unlink()
    assert run(dest, "--check").stderr.endswith(f"run `acp-codegen vendor '{dest}'`\n")


def test_help_has_examples_and_exit_codes() -> None:
    result = run("--help")
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert "acp-codegen vendor src/my_sdk --edition v1 --edition v2" in lines
    assert "acp-codegen vendor src/my_sdk/_vendor --name acp --runtime my_sdk.acp_schema" in lines
    assert "acp-codegen vendor src/my_sdk --check" in lines
    assert "Exit 0: untouched and current; 1: not; 2: error." in " ".join(lines)
    options = [line.split()[0] for line in lines if line.startswith("--")]
    assert options == ["--edition", "--name", "--runtime", "--check", "--force"]


def test_a_check_does_not_wait_for_what_only_generating_needs(whole: Path) -> None:
    """pre-commit runs it on every commit."""
    code = (
        "import sys; from acp_codegen.cli import app; app(sys.argv[1:], standalone_mode=False);"
        " print(sorted({'black', 'datamodel_code_generator'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, "vendor", str(whole.parent), "--check"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "[]\n"), result.stderr


# ------------------------------------------------------------------ the package that copies are taken from


def _append(path: str) -> Edit:
    def edit(checkout: Path) -> None:
        with (checkout / path).open("a", encoding="utf-8") as file:
            file.write("\n")

    return edit


def _another_version(checkout: Path) -> None:
    change_manifest(checkout / "generated/acp_schema", lambda manifest: manifest.update(generator="acp-codegen 0.0.1"))


def _one_edition(checkout: Path) -> None:
    change_manifest(checkout / "generated/acp_schema", lambda manifest: manifest["editions"].pop("v2"))


def _no_types(checkout: Path) -> None:
    (checkout / "generated/acp_schema/v2/types.py").unlink()


def _nothing(checkout: Path) -> None:
    shutil.rmtree(checkout / "generated")


SPOILT = "the generated package is not what the schemas give: "
GONE = "cannot read what copies are taken from: No such file or directory"


@pytest.mark.parametrize(
    ("edit", "says", "at"),
    [
        (_append("generated/acp_schema/v2/types.py"), f"{SPOILT}this file was changed by hand", "v2/types.py"),
        (_append("schema/v2/schema.json"), f"{SPOILT}schema/v2/schema.json has changed since", ""),
        (_another_version, f"{SPOILT}it was made by acp-codegen 0.0.1, and this is {GENERATOR}", ""),
        (_one_edition, f"{SPOILT}it has not the editions that there are schemas for", ""),
        (_no_types, GONE, "v2/types.py"),
        (_nothing, GONE, "MANIFEST.json"),
    ],
    ids=["edited", "schema", "version", "editions", "missing", "nothing"],
)
def test_copies_are_taken_only_from_what_the_schemas_give(
    edit: Edit, says: str, at: str, checkout: Path, copy: Path, sdk: Path
) -> None:
    edit(checkout)
    before = snapshot(sdk)
    for options in ([], ["--check"], ["--force"]):
        place = checkout / "generated" / "acp_schema" / at
        refused(sdk, *options, says=says, at=place, fix="run `acp-codegen generate`")
    assert snapshot(sdk) == before


def test_a_new_schema_makes_copies_out_of_date(checkout: Path, copy: Path, sdk: Path) -> None:
    """As after a sync and a generate: nothing was edited, and the next vendor brings it up to date."""
    _append("schema/v2/schema.json")(checkout)
    now = sha256(checkout / "schema" / "v2" / "schema.json")
    types = checkout / "generated" / "acp_schema" / "v2" / "types.py"
    types.write_text("# new\n" + types.read_text(encoding="utf-8"), encoding="utf-8")

    def regenerated(manifest: dict[str, Any]) -> None:
        manifest["editions"]["v2"]["schema_sha256"] = now
        manifest["files"]["v2/types.py"] = sha256(types)

    change_manifest(checkout / "generated" / "acp_schema", regenerated)
    result = run(sdk, "--check")
    label = "schema/v2/schema.json"
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        f"MANIFEST.json: v2 made from {label} with sha256 {schema_sha256('v2')[:12]}, now from {label} with {now[:12]}",
        differ(2, copy, f"run `acp-codegen vendor {sdk}`"),
    ]
    assert run(sdk).stdout.endswith(f"{copy}: 2 files written, {FILES - 2} unchanged ({GENERATOR})\n")
    assert run(sdk, "--check").exit_code == 0
