"""sync: what it takes over, what it keeps, what it lists, what it refuses; and that it does all of it or nothing."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from acp_codegen import replacing, resources
from acp_codegen.cli import app
from acp_codegen.jsontypes import at, subschemas
from acp_codegen.lock import OUR_KEYWORDS, fingerprints
from acp_codegen.pipeline import build_edition
from acp_codegen.resources import EditionSource
from support import ROOT
from support.editions import JUNE, V1, V2, Edition

NEWEST = V2.published_path
needs_published_schemas = pytest.mark.skipif(not NEWEST.exists(), reason="../shared is not here")


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, ["sync", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with our schemas, to be changed."""
    shutil.copytree(ROOT / "schema", tmp_path / "checkout" / "schema")
    monkeypatch.setattr(resources, "_CHECKOUT", tmp_path / "checkout")
    return tmp_path / "checkout"


@pytest.fixture
def june(checkout: Path) -> Path:
    """The checkout as it was in June: the draft of that time is its v2."""
    folder = checkout / "schema"
    shutil.rmtree(folder / "v2")
    (folder / JUNE.folder).rename(folder / "v2")
    lock = read(folder / "upstream.lock.json")
    lock["editions"]["v2"] = lock["editions"].pop(JUNE.folder)
    write(folder / "upstream.lock.json", lock)
    return checkout


@pytest.fixture
def draft(checkout: Path, tmp_path: Path) -> Callable[..., Path]:
    """A published file with the shape of an edition of ours, after a change."""

    def make(change: Callable[[dict[str, Any]], None], edition: Edition = V2) -> Path:
        document = copy.deepcopy(edition.document)
        for _, schema in subschemas(document):
            for keyword in list(schema):
                if keyword in OUR_KEYWORDS:
                    del schema[keyword]
                elif keyword == "description":
                    schema[keyword] = "Their words."
        change(document)
        path = tmp_path / "draft" / "schema.json"
        path.parent.mkdir(exist_ok=True)
        write(path, document)
        return path

    return make


def unchanged(document: dict[str, Any]) -> None:
    """The file as it was."""


# ------------------------------------------------------------------------------------------- June to newest


@needs_published_schemas
def test_june_to_newest(june: Path) -> None:
    result = run("--upstream", NEWEST, "--published", "npm sdk 2.4.0, v2/schema.json")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[:17] == [
        "schema/v2/schema.json: took over npm sdk 2.4.0, v2/schema.json",
        "  definitions: 83 added, 9 removed, 92 changed, 6 renamed",
        "    AuthenticateResponse is LoginAuthResponse now",
        "    LogoutResponse is LogoutAuthResponse now",
        "    SessionNotification is UpdateSessionNotification now",
        "    AuthenticateRequest is LoginAuthRequest now",
        "    LogoutRequest is LogoutAuthRequest now",
        "    CancelNotification is CancelSessionNotification now",
        "    /$defs/InitializeResponse/properties/agentInfo is /$defs/InitializeResponse/properties/info now",
        "    /$defs/AuthMethod/anyOf/1/properties/id is /$defs/AuthMethod/anyOf/2/properties/methodId now",
        "    /$defs/AuthMethodAgent/properties/id is /$defs/AuthMethodAgent/properties/methodId now",
        "    /$defs/SessionConfigOption/properties/id is /$defs/SessionConfigOption/properties/configId now",
        "    /$defs/SessionConfigSelectGroup/properties/group is /$defs/SessionConfigSelectGroup/properties/groupId now",
        "    /$defs/PlanUpdateContent/anyOf/1/properties/id is /$defs/PlanUpdateContent/anyOf/1/properties/planId now",
        "    /$defs/PlanItems/properties/id is /$defs/PlanItems/properties/planId now",
        "    /$defs/InitializeRequest/properties/clientInfo is /$defs/InitializeRequest/properties/info now",
        "  without a place, kept in aside.json: what we say at 89 place(s)",
    ]
    assert "    /$defs/RequestPermissionRequest/properties/toolCall: x-feeds" in lines
    start = lines.index("to decide: 8")
    rule = 'add "x-update": {"op": "event"}, which delivers it and stores nothing, or another rule'
    patch = 'add "x-patch": "replace", or "merge", "keep", "latest", or "none" if it is not stored'
    updates = {6: "state_update", 9: "terminal_update", 10: "terminal_output_chunk"}
    updates |= {16: "notice", 17: "compaction_update", 18: "compaction_summary_chunk"}
    expected: list[str] = []
    for position, tag in updates.items():
        expected += [f"  schema/v2/schema.json#/$defs/SessionUpdate/anyOf/{position}"]
        expected += [f'    the update "{tag}" has no rule', f"    {rule}"]
        for name in ("name", "capabilities") if tag == "state_update" else ():
            expected += [f"  schema/v2/schema.json#/$defs/ToolCallUpdate/properties/{name}"]
            expected += [
                f'    what null does to "{name}" of the update "tool_call_update" is not decided',
                f"    {patch}",
            ]
    assert lines[start + 1 : start + 25] == expected
    assert lines[start + 25] == 'to describe: 408; add a line "description": "A sentence of ours."'
    assert len(lines) == start + 26 + 408
    locked = read(june / "schema" / "upstream.lock.json")["editions"]["v2"]
    assert locked == read(ROOT / "schema" / "upstream.lock.json")["editions"]["v2"] | {
        "published": "npm sdk 2.4.0, v2/schema.json"
    }


@needs_published_schemas
def test_the_second_run_changes_nothing_and_says_so(june: Path) -> None:
    run("--upstream", NEWEST)
    before = contents(june)
    result = run("--upstream", NEWEST)
    assert contents(june) == before
    assert result.exit_code == 1, "the decisions are still open"
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "schema/v2/schema.json: nothing to take over, it has the shape of v2/schema.json",
        "to decide: 8",
    ]


@needs_published_schemas
def test_there_and_back_again(june: Path) -> None:
    """What was kept aside comes back with its place: the schema is the one of June, to the byte."""
    before = contents(june)
    run("--upstream", NEWEST)
    aside = read(june / "schema" / "v2" / "aside.json")["kept"]
    assert len(aside) == 89
    diff = JUNE.definitions["Diff"]["properties"]["newText"]["description"]
    assert {"place": "/$defs/Diff/properties/newText", "description": diff} in aside
    result = run(
        "--upstream", JUNE.published_path, "--published", "agent-client-protocol schema, draft of 2026-06-11 (bae0a2a7)"
    )
    assert result.exit_code == 0
    assert contents(june) == before
    assert "  back in place: what we say at 89 place(s)" in result.stdout.splitlines()


@needs_published_schemas
def test_the_loop_ends_in_our_own_v2(june: Path, tmp_path: Path) -> None:
    """Whoever follows the list with the decisions that we have taken for the newest draft ends where we are."""
    run("--upstream", NEWEST)
    path = june / "schema" / "v2" / "schema.json"
    document = read(path)
    while True:
        result = run("--upstream", NEWEST)
        places = [line[2:].partition("#")[2] for line in result.stdout.splitlines() if line.startswith("  schema/v2/")]
        if not places:
            break
        for where in dict.fromkeys(places):
            ours = at(V2.document, where)
            missing = {keyword: value for keyword, value in ours.items() if keyword not in at(document, where)}
            assert missing, f"nothing to add at {where}"
            at(document, where).update(missing)
        write(path, document)
    assert result.exit_code == 0
    edition = build_edition(EditionSource("v2", path, "schema.json"))
    ours = build_edition(EditionSource("v2", V2.schema_path, "schema.json"))
    assert edition.session is not None and ours.session is not None
    assert {o.update.tag: o.op for o in edition.session.operations} == {
        o.update.tag: o.op for o in ours.session.operations
    }
    assert fingerprints(document) == fingerprints(V2.document)


@needs_published_schemas
def test_dry_run_writes_nothing_and_shows_the_same(june: Path) -> None:
    before = contents(june)
    dry = run("--upstream", NEWEST, "--dry-run")
    assert contents(june) == before
    wet = run("--upstream", NEWEST)
    assert (dry.exit_code, wet.exit_code) == (1, 1)
    first, rest = wet.stdout.split("\n", 1)
    assert dry.stdout.endswith(first.replace("took over", "would take over") + "\n" + rest)
    for line in ("+++ b/schema/v2/aside.json", "--- a/schema/v2/schema.json", "+++ b/schema/upstream.lock.json"):
        assert line in dry.stdout.splitlines()
    assert '+    "LoginAuthRequest": {' in dry.stdout.splitlines()


@needs_published_schemas
def test_no_word_of_theirs_gets_in(june: Path) -> None:
    run("--upstream", NEWEST)
    theirs = {schema["description"] for _, schema in subschemas(read(NEWEST)) if "description" in schema}
    ours = {
        schema["description"]
        for _, schema in subschemas(read(june / "schema/v2/schema.json"))
        if "description" in schema
    }
    assert len(theirs) > 500 and len(ours) > 200
    assert ours & theirs == set()


# -------------------------------------------------------------------------------------------- small changes


def test_the_same_file_is_nothing_to_do(draft: Callable[..., Path], checkout: Path) -> None:
    """Its bytes differ, and so its hash: the lock says so, and nothing else changes."""
    before = contents(checkout / "schema")
    upstream = draft(unchanged)
    result = run("--upstream", upstream)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "schema/v2/schema.json: took over draft/schema.json",
        "  definitions: the same",
    ]
    after = contents(checkout / "schema")
    assert {path for path in after if after[path] != before.get(path)} == {"upstream.lock.json"}
    locked = read(checkout / "schema" / "upstream.lock.json")["editions"]["v2"]
    assert locked["sha256"] == hashlib.sha256(upstream.read_bytes()).hexdigest()
    assert locked["published"] == "draft/schema.json"
    again = run("--upstream", upstream)
    assert again.exit_code == 0
    assert again.stdout == "schema/v2/schema.json: nothing to take over, it has the shape of draft/schema.json\n"


def test_a_label_alone_can_be_changed(draft: Callable[..., Path], checkout: Path) -> None:
    upstream = draft(unchanged)
    run("--upstream", upstream)
    run("--upstream", upstream, "--published", "sdk 3")
    assert read(checkout / "schema" / "upstream.lock.json")["editions"]["v2"]["published"] == "sdk 3"
    before = contents(checkout)
    run("--upstream", upstream)
    assert contents(checkout) == before, "without --published the label stays"


def test_a_new_field_is_listed_with_its_place(draft: Callable[..., Path], checkout: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        effort = {"description": "Their words.", "type": ["integer", "null"]}
        document["$defs"]["ToolCallUpdate"]["properties"]["effort"] = effort

    result = run("--upstream", draft(change))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "schema/v2/schema.json: took over draft/schema.json",
        "  definitions: 1 changed",
        "to decide: 1",
        "  schema/v2/schema.json#/$defs/ToolCallUpdate/properties/effort",
        '    what null does to "effort" of the update "tool_call_update" is not decided',
        '    add "x-patch": "replace", or "merge", "keep", "latest", or "none" if it is not stored',
        'to describe: 1; add a line "description": "A sentence of ours."',
        "  schema/v2/schema.json#/$defs/ToolCallUpdate/properties/effort",
    ]
    written = read(checkout / "schema" / "v2" / "schema.json")
    assert written["$defs"]["ToolCallUpdate"]["properties"].pop("effort") == {"type": ["integer", "null"]}
    assert written == V2.document


def test_what_is_kept_aside_adds_up(draft: Callable[..., Path], checkout: Path) -> None:
    """Two things go one after the other, one comes back: the other is still there."""

    def without(*names: str) -> Callable[[dict[str, Any]], None]:
        def change(document: dict[str, Any]) -> None:
            for name in names:
                del document["$defs"]["ToolCallUpdate"]["properties"][name]

        return change

    aside = checkout / "schema" / "v2" / "aside.json"
    ours = V2.definitions["ToolCallUpdate"]["properties"]
    name = {
        "place": "/$defs/ToolCallUpdate/properties/name",
        "description": ours["name"]["description"],
        "x-patch": "replace",
    }
    title = {
        "place": "/$defs/ToolCallUpdate/properties/title",
        "description": ours["title"]["description"],
        "x-patch": "replace",
        "x-expected": True,
    }
    run("--upstream", draft(without("name")))
    assert read(aside) == {"kept": [name]}
    run("--upstream", draft(without("name", "title")))
    assert read(aside) == {"kept": [name, title]}
    result = run("--upstream", draft(without("title")))
    assert read(aside) == {"kept": [title]}
    assert result.stdout.splitlines()[2:5] == [
        "  back in place: what we say at 1 place(s)",
        "    /$defs/ToolCallUpdate: 1 description(s)",
        "    /$defs/ToolCallUpdate/properties/name: x-patch",
    ]
    run("--upstream", draft(unchanged))
    assert not aside.exists()
    assert read(checkout / "schema" / "v2" / "schema.json") == V2.document


def test_the_same_thing_is_kept_once(draft: Callable[..., Path], checkout: Path) -> None:
    """A sync that was cut off had set it aside already."""
    schema, aside = checkout / "schema" / "v2" / "schema.json", checkout / "schema" / "v2" / "aside.json"
    lock = checkout / "schema" / "upstream.lock.json"
    before = schema.read_bytes(), lock.read_bytes()
    upstream = draft(without_a_title)
    run("--upstream", upstream)
    kept = aside.read_bytes()
    schema.write_bytes(before[0])
    lock.write_bytes(before[1])
    run("--upstream", upstream)
    assert aside.read_bytes() == kept
    assert len(read(aside)["kept"]) == 1


def test_words_of_today_stay_before_words_of_the_past(draft: Callable[..., Path], checkout: Path) -> None:
    path = checkout / "schema" / "v2" / "schema.json"
    kept = {"place": "/$defs/ToolCallUpdate/properties/name", "description": "What we once said."}
    write(checkout / "schema" / "v2" / "aside.json", {"kept": [kept]})
    assert run("--upstream", draft(unchanged)).exit_code == 0
    assert read(path) == V2.document
    assert read(checkout / "schema" / "v2" / "aside.json") == {"kept": [kept]}


def test_a_sync_that_was_cut_off_is_finished(draft: Callable[..., Path], checkout: Path) -> None:
    """Our schema has the new shape already, the lock has not."""

    def change(document: dict[str, Any]) -> None:
        document["$defs"]["Extra"] = {"type": "string"}

    upstream = draft(change)
    lock = (checkout / "schema" / "upstream.lock.json").read_bytes()
    run("--upstream", upstream)
    after = contents(checkout)
    (checkout / "schema" / "upstream.lock.json").write_bytes(lock)
    assert run("--upstream", upstream).exit_code == 1
    assert contents(checkout) == after


# -------------------------------------------------------------------------------------------------- refusals


def refused(*arguments: str | Path, checkout: Path) -> str:
    """What the command says, after it was seen to change nothing."""
    before = contents(checkout)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert contents(checkout) == before
    return result.stderr


def test_no_such_file(checkout: Path, tmp_path: Path) -> None:
    assert refused("--upstream", tmp_path / "none.json", checkout=checkout) == (
        "error: cannot read the schema: No such file or directory\n"
        f"  at {tmp_path / 'none.json'}\n"
        "  fix: name a schema file that exists and can be read\n"
    )


def test_no_json(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("<html>", encoding="utf-8")
    assert refused("--upstream", tmp_path / "a.json", checkout=checkout) == (
        "error: not valid JSON: Expecting value\n  at a.json:1:1\n  fix: repair the JSON at that line and column\n"
    )


def test_another_protocol(checkout: Path, tmp_path: Path) -> None:
    write(tmp_path / "a.json", {"$defs": {"Request": {"type": "object", "properties": {"method": {"type": "string"}}}}})
    assert refused("--upstream", tmp_path / "a.json", checkout=checkout) == (
        "error: not a schema of this protocol: no definition belongs to a method\n"
        "  at a.json\n"
        '  fix: name a published protocol schema: its requests have "x-method"\n'
    )


def test_a_keyword_that_nothing_reads(draft: Callable[..., Path], checkout: Path) -> None:
    upstream = draft(lambda document: document["$defs"]["ToolKind"].update({"x-new": 1}))
    assert refused("--upstream", upstream, checkout=checkout).splitlines()[:2] == [
        'error: unknown annotation "x-new"',
        "  at schema.json#/$defs/ToolKind/x-new",
    ]


def test_a_shape_that_cannot_be_generated(draft: Callable[..., Path], checkout: Path) -> None:
    upstream = draft(lambda document: document["$defs"].update(Nothing={"type": "null"}))
    assert refused("--upstream", upstream, checkout=checkout).splitlines()[:2] == [
        "error: not supported: something that is always null",
        "  at schema.json#/$defs/Nothing",
    ]


def test_another_version(draft: Callable[..., Path], checkout: Path) -> None:
    assert refused("--upstream", draft(unchanged, V1), "--edition", "v2", checkout=checkout) == (
        "error: this looks like a version of v1, not of v2: it has 100% of the session updates in common with the one "
        "and 50% with the other\n"
        "  at schema.json\n"
        "  fix: use --edition v1, or name another file\n"
    )


def test_a_newer_draft_is_not_written_over_an_older_edition(draft: Callable[..., Path], checkout: Path) -> None:
    message = refused("--upstream", draft(unchanged), "--edition", "v2_2026_06", checkout=checkout)
    assert message.startswith("error: this looks like a version of v2, not of v2_2026_06: ")


def test_which_edition_does_not_show(draft: Callable[..., Path], checkout: Path) -> None:
    upstream = draft(lambda document: document["$defs"]["UpdateSessionNotification"].pop("x-method"))
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: which edition this is a version of does not show\n"
        "  at schema.json\n"
        "  fix: add --edition with one of: v1, v2, v2_2026_06\n"
    )


def test_an_edition_that_is_not_there(draft: Callable[..., Path], checkout: Path) -> None:
    assert refused("--upstream", draft(unchanged), "--edition", "v3", checkout=checkout) == (
        "error: there is no edition 'v3'\n  fix: choose from: v1, v2, v2_2026_06\n"
    )


def test_a_schema_that_was_edited_by_hand(draft: Callable[..., Path], checkout: Path) -> None:
    document = copy.deepcopy(V2.document)
    document["$defs"]["ToolKind"]["anyOf"].pop(0)
    document["$defs"]["Extra"] = {"type": "string"}
    write(checkout / "schema" / "v2" / "schema.json", document)
    upstream = draft(lambda theirs: theirs["$defs"].update(Another={"type": "string"}))
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: our schema has not the shape that the lock records: Extra, ToolKind\n"
        "  at schema/v2/schema.json\n"
        "  fix: undo the edit, or restore the lock; descriptions and annotations alone are ours to change\n"
    )


def test_the_lock_is_broken(draft: Callable[..., Path], checkout: Path) -> None:
    upstream = draft(unchanged)
    lock = checkout / "schema" / "upstream.lock.json"
    good = read(lock)
    restore = "  fix: restore it from version control\n"
    lock.write_text("{", encoding="utf-8")
    assert refused("--upstream", upstream, checkout=checkout).startswith("error: not valid JSON: ")
    write(lock, [])
    assert refused("--upstream", upstream, checkout=checkout) == (
        'error: the lock is broken: it has no "editions"\n  at upstream.lock.json\n' + restore
    )
    broken = copy.deepcopy(good)
    del broken["editions"]["v2"]["sha256"]
    write(lock, broken)
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: the lock is broken: an edition has published, sha256 and definitions, and nothing else\n"
        "  at upstream.lock.json#/editions/v2\n" + restore
    )
    broken = copy.deepcopy(good)
    broken["editions"]["v2"]["definitions"]["ToolKind"] = 1
    write(lock, broken)
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: the lock is broken: published and sha256 are texts, and definitions has one for every name\n"
        "  at upstream.lock.json#/editions/v2\n" + restore
    )
    del good["editions"]["v2"]
    write(lock, good)
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: the lock does not know the edition v2\n  at upstream.lock.json\n" + restore
    )
    lock.unlink()
    assert refused("--upstream", upstream, checkout=checkout) == (
        f"error: cannot read the lock: No such file or directory\n  at {lock}\n" + restore
    )


def test_what_is_kept_aside_is_broken(draft: Callable[..., Path], checkout: Path) -> None:
    aside = checkout / "schema" / "v2" / "aside.json"
    write(aside, {"kept": [{"description": "Of what?"}]})
    assert refused("--upstream", draft(unchanged), checkout=checkout) == (
        'error: what is kept aside is broken: "kept" lists objects with a "place"\n'
        f"  at {aside}\n"
        "  fix: restore it from version control\n"
    )


def test_a_linked_schema(draft: Callable[..., Path], checkout: Path, tmp_path: Path) -> None:
    path = checkout / "schema" / "v2" / "schema.json"
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert refused("--upstream", draft(unchanged), checkout=checkout) == (
        "error: a link is not replaced: the file that it leads to would stay as it is\n"
        f"  at {path}\n"
        "  fix: put the file itself there; nothing was changed\n"
    )
    assert path.is_symlink()


def test_an_installed_copy_has_nothing_to_write_to(
    draft: Callable[..., Path], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = draft(unchanged)
    monkeypatch.setattr(resources, "_BUNDLED", checkout)
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: an installed copy has no schema folder to write to\n  fix: run sync in a checkout of the project\n"
    )


# ----------------------------------------------------------------------------------------- all of it or nothing


def without_a_title(document: dict[str, Any]) -> None:
    del document["$defs"]["ToolCallUpdate"]["properties"]["title"]


CANNOT_WRITE = "  fix: make the folder writable and see that the disk has room; nothing was changed\n"


@pytest.mark.parametrize("failing", range(1, 7))
def test_a_disk_that_fills_up_changes_nothing(
    failing: int, draft: Callable[..., Path], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the files cannot be written: three new ones, and a second copy of each old one."""
    upstream = draft(without_a_title)
    write(checkout / "schema" / "v2" / "aside.json", {"kept": [{"place": "/x", "description": "Old words."}]})
    calls = 0
    real = os.fsync

    def fsync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(replacing.os, "fsync", fsync)
    message = refused("--upstream", upstream, checkout=checkout)
    assert calls == failing
    assert message.splitlines()[0] == "error: cannot write: No space left on device"
    assert message.endswith(CANNOT_WRITE)


@pytest.mark.parametrize("failing", range(1, 4))
def test_a_rename_that_fails_is_undone(
    failing: int, draft: Callable[..., Path], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = draft(without_a_title)
    calls = 0
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(replacing.os, "replace", replace)
    message = refused("--upstream", upstream, checkout=checkout)
    assert message.splitlines()[0] == "error: cannot write: Input/output error"


def test_a_folder_that_cannot_be_written(
    draft: Callable[..., Path], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is for everyone but the superuser, who may write anywhere."""
    upstream = draft(without_a_title)

    def mkstemp(*, prefix: str, dir: Path) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(replacing.tempfile, "mkstemp", mkstemp)
    assert refused("--upstream", upstream, checkout=checkout) == (
        "error: cannot write: Permission denied\n" f"  at {checkout / 'schema' / 'v2' / 'aside.json'}\n" + CANNOT_WRITE
    )


def test_files_keep_their_mode(draft: Callable[..., Path], checkout: Path) -> None:
    path = checkout / "schema" / "v2" / "schema.json"
    path.chmod(0o640)
    run("--upstream", draft(without_a_title))
    assert path.stat().st_mode & 0o777 == 0o640
    assert (path.parent / "aside.json").stat().st_mode & 0o777 == 0o644


def test_help_states_examples_and_exit_codes() -> None:
    text = " ".join(CliRunner().invoke(app, ["sync", "--help"]).stdout.split())
    assert "acp-codegen sync --upstream draft/schema.json --dry-run" in text
    assert (
        "Exit 0: nothing is left to do; 1: something is to be decided or, in a dry run, would change; 2: error" in text
    )
