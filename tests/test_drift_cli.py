"""``acp-codegen drift`` as its users meet it: what is compared, what is printed where, exit codes, and bad input."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from acp_codegen import resources
from acp_codegen.cli import app
from support import ROOT
from support.drift import protocol
from support.editions import EDITIONS, JUNE, V1, V2, Edition, every_edition

NOTE = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
STRICTER = {**NOTE, "properties": {**NOTE["properties"], "size": {"type": "integer"}}, "required": ["text", "size"]}
LARGER = {**NOTE, "properties": {**NOTE["properties"], "size": {"type": "integer"}}}
CLEARER = {**NOTE, "description": "Something to remember."}


def drift(*arguments: str | Path) -> Result:
    """The command; nothing but an exit may end it."""
    result = CliRunner().invoke(app, ["drift", *map(str, arguments)], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


Write = Callable[[str, Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(name: str, document: Any) -> Path:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return to_file


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of our schemas that the command takes for ours."""
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    monkeypatch.setattr(resources, "root", lambda: tmp_path)
    return tmp_path


# ------------------------------------------------------------------------------------------------------- two files


def test_two_files_that_are_the_same(write: Write) -> None:
    old, new = write("old.json", protocol({})), write("new.json", protocol({}))
    result = drift(old, new)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{old} -> {new}\nNo changes.\n"


def test_two_files_that_differ(write: Write) -> None:
    old, new = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": STRICTER}))
    result = drift(old, new)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith(f"{old} -> {new}\n")
    assert "Note.size  [field-added-required]" in result.stdout
    assert '"size" is new and required: a new agent refuses what an old client writes without it.' in result.stdout


def test_the_report_as_json(write: Write) -> None:
    old, new = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": STRICTER}))
    result = drift(old, new, "--format", "json")
    (change,) = json.loads(result.stdout)["changes"]
    assert (change["rule"], change["subject"], change["category"]) == ("field-added-required", "Note.size", "wire")
    assert (result.exit_code, result.stderr) == (1, "")


def test_descriptions_count_between_two_files(write: Write) -> None:
    old, new = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": CLEARER}))
    result = drift(old, new)
    assert result.exit_code == 1
    assert "Note  [description-changed]" in result.stdout


def test_our_editions_by_subpackage_and_by_folder() -> None:
    by_name, by_folder = drift(JUNE.name, V2.name), drift(JUNE.folder, V2.folder)
    assert by_name.exit_code == by_folder.exit_code == 1
    assert by_name.stdout == by_folder.stdout
    assert by_name.stdout.startswith("schema/v2-2026-06/schema.json -> schema/v2/schema.json\n")


@pytest.mark.parametrize(
    ("new", "codes"),
    [
        (STRICTER, {"wire": 1, "source": 1, "any": 1, "none": 0}),
        (LARGER, {"wire": 0, "source": 1, "any": 1, "none": 0}),
        (CLEARER, {"wire": 0, "source": 0, "any": 1, "none": 0}),
        (NOTE, {"wire": 0, "source": 0, "any": 0, "none": 0}),
    ],
    ids=["wire", "source", "docs", "nothing"],
)
def test_fail_on_says_what_counts(write: Write, new: Any, codes: dict[str, int]) -> None:
    files = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": new}))
    assert {name: drift(*files, "--fail-on", name).exit_code for name in codes} == codes


@pytest.mark.parametrize("format", ["text", "json", "markdown", "github", "html", "changelog"])
def test_every_format_goes_to_a_file_as_it_goes_to_the_terminal(write: Write, tmp_path: Path, format: str) -> None:
    files = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": STRICTER}))
    out = tmp_path / "report"
    result = drift(*files, "--format", format, "--out", out)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"the report is in {out}\n")
    assert out.read_text(encoding="utf-8") == drift(*files, "--format", format).stdout
    assert {path.name for path in tmp_path.iterdir()} == {"old.json", "new.json", "report"}


def test_a_file_that_cannot_be_written_is_one_error(write: Write, tmp_path: Path) -> None:
    files = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": STRICTER}))
    out = tmp_path / "none" / "report"
    result = drift(*files, "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: cannot write the report: No such file or directory\n  at {out}\n  fix: name another file\n"
    )


def test_severities_of_one_s_own(write: Write) -> None:
    files = write("old.json", protocol({"Note": NOTE})), write("new.json", protocol({"Note": STRICTER}))
    rows = write(
        "rows.json", {"field-added-required Note.size": {"category": "docs"}, "type-changed": {"category": "docs"}}
    )
    result = drift(*files, "--severities", rows, "--fail-on", "source")
    assert result.exit_code == 0
    assert result.stderr == 'the severity for "type-changed" is about nothing in this report\n'
    broken = write("rows.json", {"field-added": {"category": "docs"}})
    result = drift(*files, "--severities", broken)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith('error: there is no rule "field-added"\n  at rows.json#/field-added\n')


# ------------------------------------------------------------------------------------------------ a published file


@every_edition
def test_a_published_file_finds_its_edition(edition: Edition) -> None:
    """Ours has its shape; descriptions and annotations are ours and do not count."""
    if not edition.published_path.exists():
        pytest.skip("../shared is not here: no published schema to compare with")
    published, locked = edition.published_path, lock_of(edition)["published"]
    result = drift("--upstream", published)
    assert result.exit_code == 0
    assert result.stdout == f"schema/{edition.folder}/schema.json -> {published}\nNo changes.\n"
    assert result.stderr == (
        f"{published} is most like the edition {edition.name}: compared with it (--edition NAME for another)\n"
        f"{published} is the file that the lock records for {edition.name} ({locked})\n"
    )


def lock_of(edition: Edition) -> Any:
    return json.loads((ROOT / "schema" / "upstream.lock.json").read_text(encoding="utf-8"))["editions"][edition.folder]


def test_a_newer_file_of_an_edition(write: Write) -> None:
    document = json.loads(json.dumps(V2.document))
    document["$defs"]["Cost"]["properties"]["amount"]["minimum"] = 0
    published = write("draft.json", document)
    result = drift("--upstream", published)
    assert result.exit_code == 1
    assert "1 wire" in result.stdout and "0 source" in result.stdout and "0 docs" in result.stdout
    assert "Cost.amount  [constraint-tightened]" in result.stdout
    assert f"{published} is not the file that the lock records for v2" in result.stderr


def test_the_edition_can_be_named(write: Write) -> None:
    published = write("draft.json", V2.document)
    result = drift("--upstream", published, "--edition", JUNE.folder, "--fail-on", "none")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"schema/v2-2026-06/schema.json -> {published}\n")
    assert "is most like" not in result.stderr
    wrong = drift("--upstream", published, "--edition", "v9")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr == "error: there is no edition 'v9'\n  fix: choose from: v1, v2, v2_2026_06\n"


# --------------------------------------------------------------------------------------------------- the lock alone


def test_our_schemas_are_what_the_lock_records() -> None:
    result = drift()
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line for line in result.stdout.splitlines() if "->" in line] == [
        f"upstream.lock.json ({lock_of(edition)['published']}) -> schema/{edition.folder}/schema.json"
        for edition in EDITIONS
    ]
    assert result.stdout.count("No changes.\n") == len(EDITIONS)


@every_edition
def test_a_hand_edit_of_one_line_is_found(checkout: Path, edition: Edition) -> None:
    path = checkout / "schema" / edition.folder / "schema.json"
    text = path.read_text(encoding="utf-8")
    assert text.count('"RequestId": {') == 1
    place = text.index('"type": "integer"', text.index('"RequestId": {'))
    path.write_text(text[:place] + text[place:].replace('"integer"', '"number"', 1), encoding="utf-8")
    result = drift("--edition", edition.name)
    assert (result.exit_code, result.stderr) == (1, "")
    assert "RequestId  [locked-changed]" in result.stdout
    assert drift().exit_code == 1
    others = [other for other in EDITIONS if other is not edition]
    assert [drift("--edition", other.folder).exit_code for other in others] == [0, 0]


def test_what_is_missing_extra_and_changed(checkout: Path) -> None:
    path = checkout / "schema" / V2.folder / "schema.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["$defs"]["DiffPatch"]["properties"]["text"]
    document["$defs"]["DiffPatch"]["required"].remove("text")
    del document["$defs"]["ExtNotification"]
    document["$defs"]["Added"] = {"type": "string"}
    document["anyOf"].pop()
    for member in [*document["$defs"].values(), document]:
        replace_references(member, "#/$defs/ExtNotification", "#/$defs/Added")
    path.write_text(json.dumps(document), encoding="utf-8")
    changes = json.loads(drift("--edition", V2.name, "--format", "json").stdout)["changes"]
    found = {(change["rule"], change["subject"]) for change in changes}
    assert {
        ("locked-changed", "DiffPatch"),
        ("locked-missing", "ExtNotification"),
        ("locked-extra", "Added"),
        ("locked-changed", "message"),
    } <= found
    assert {change["category"] for change in changes} == {"wire"}


def replace_references(value: Any, old: str, new: str) -> None:
    if isinstance(value, dict):
        if value.get("$ref") == old:
            value["$ref"] = new
        for member in value.values():
            replace_references(member, old, new)
    elif isinstance(value, list):
        for member in value:
            replace_references(member, old, new)


def test_descriptions_and_annotations_do_not_count(checkout: Path) -> None:
    path = checkout / "schema" / V2.folder / "schema.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["$defs"]["Cost"]["description"] = "Another sentence."
    path.write_text(json.dumps(document), encoding="utf-8")
    assert drift("--edition", V2.name).exit_code == 0


@pytest.mark.parametrize("format", ["json", "html", "changelog"])
def test_formats_that_take_one_edition_at_a_time(format: str) -> None:
    result = drift("--format", format)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {format} takes one edition at a time\n  fix: add --edition NAME\n"
    assert drift("--format", format, "--edition", V1.name).exit_code == 0


@pytest.mark.parametrize("format", ["text", "markdown", "github"])
def test_formats_that_stand_one_after_the_other(checkout: Path, format: str) -> None:
    for edition in (V1, V2):
        path = checkout / "schema" / edition.folder / "schema.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        document["$defs"]["Added"] = {"type": "string"}
        path.write_text(json.dumps(document), encoding="utf-8")
    result = drift("--format", format)
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if "locked-extra" in line and "Added" in line] != []
    assert sum("Added was not published" in line for line in result.stdout.splitlines()) == 2


# ------------------------------------------------------------------------------------------------------- bad input


def refused(*arguments: str | Path) -> str:
    """The message of a run that fails; it must not look like one that found nothing."""
    result = drift(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_one_schema_alone(write: Write) -> None:
    old = write("old.json", protocol({}))
    assert refused(old) == (
        "error: one schema alone cannot be compared\n"
        f"  fix: name two, as in `drift {old} NEW`, or compare with ours: `drift --upstream {old}`\n"
    )


def test_options_that_have_no_place_beside_two_schemas(write: Write) -> None:
    old = write("old.json", protocol({}))
    for options in (("--upstream", old), ("--edition", "v2")):
        assert refused(old, old, *options) == (
            f"error: OLD and NEW say what to compare already: {options[0]} has no place beside them\n  fix: drop it\n"
        )


def test_a_schema_that_is_not_there(write: Write, tmp_path: Path) -> None:
    old = write("old.json", protocol({}))
    assert refused(old, tmp_path / "new.json") == (
        f"error: {tmp_path / 'new.json'} is neither a file nor an edition of ours\n"
        "  fix: name a schema file, or one of v1, v2, v2_2026_06\n"
    )
    assert refused("--upstream", tmp_path / "new.json").startswith(
        f"error: cannot read the schema: No such file or directory\n  at {tmp_path / 'new.json'}\n"
    )


def test_a_file_that_is_no_json(write: Write) -> None:
    old, new = write("old.json", protocol({})), write("new.json", "<html>")
    for arguments in ((old, new), (new, old), ("--upstream", new)):
        assert refused(*arguments) == (
            "error: not valid JSON: Expecting value\n"
            "  at new.json:1:1\n"
            "  fix: repair the JSON at that line and column\n"
        )


def test_a_schema_of_another_protocol(write: Write) -> None:
    old = write("old.json", protocol({}))
    new = write("pets.json", {"$defs": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}})
    for arguments in ((old, new), (new, old), ("--upstream", new)):
        assert refused(*arguments) == (
            "error: not a schema of this protocol: no definition belongs to a method\n"
            "  at pets.json\n"
            '  fix: name a published protocol schema: its requests have "x-method"\n'
        )


def test_a_schema_that_cannot_be_read_by_the_generator(write: Write) -> None:
    old = write("old.json", protocol({}))
    new = write("new.json", protocol({"Note": {"type": "object", "properties": {"a": {"type": "null"}}}}))
    assert refused(old, new) == (
        "error: not supported: something that is always null\n"
        "  at new.json#/$defs/Note/properties/a\n"
        "  fix: leave it out, or allow another type beside null\n"
    )


def test_a_lock_that_is_missing(checkout: Path) -> None:
    (checkout / "schema" / "upstream.lock.json").unlink()
    for arguments in ((), ("--upstream", V2.schema_path)):
        assert refused(*arguments) == (
            "error: cannot read the lock: No such file or directory\n"
            f"  at {checkout / 'schema' / 'upstream.lock.json'}\n"
            "  fix: restore it from version control\n"
        )


BROKEN_LOCKS = {
    "no JSON": ("{", "not valid JSON: Expecting property name enclosed in double quotes", "upstream.lock.json:1:2"),
    "no editions": ("[]", 'the lock is broken: it has no "editions"', "upstream.lock.json"),
    "an edition of another shape": (
        '{"editions": {"v1": {"sha256": "0"}}}',
        "the lock is broken: an edition has published, sha256 and definitions, and nothing else",
        "upstream.lock.json#/editions/v1",
    ),
    "no fingerprints": (
        '{"editions": {"v1": {"published": "", "sha256": "0", "definitions": []}}}',
        "the lock is broken: published and sha256 are texts, and definitions has one for every name",
        "upstream.lock.json#/editions/v1",
    ),
}


@pytest.mark.parametrize(("text", "message", "where"), BROKEN_LOCKS.values(), ids=BROKEN_LOCKS)
def test_a_lock_that_is_broken(checkout: Path, text: str, message: str, where: str) -> None:
    (checkout / "schema" / "upstream.lock.json").write_text(text, encoding="utf-8")
    for arguments in ((), ("--edition", V1.name), ("--upstream", V2.schema_path)):
        assert refused(*arguments).startswith(f"error: {message}\n  at {where}\n")


def test_an_edition_that_the_lock_does_not_record(checkout: Path) -> None:
    path = checkout / "schema" / "upstream.lock.json"
    lock = json.loads(path.read_text(encoding="utf-8"))
    del lock["editions"][JUNE.folder]
    path.write_text(json.dumps(lock), encoding="utf-8")
    assert refused() == (
        "error: the lock does not record the edition v2-2026-06\n"
        "  at upstream.lock.json\n"
        "  fix: it records: v1, v2; run `acp-codegen sync` with the published file\n"
    )
    assert drift("--edition", V2.name).exit_code == 0


def test_an_edition_that_has_no_schema_any_more(checkout: Path) -> None:
    shutil.rmtree(checkout / "schema" / JUNE.folder)
    assert refused() == (
        "error: the lock records the edition v2-2026-06, which has no schema\n"
        "  at upstream.lock.json\n"
        "  fix: restore schema/v2-2026-06/schema.json, or take the edition out of the lock\n"
    )


def test_a_schema_of_ours_that_is_broken(checkout: Path) -> None:
    (checkout / "schema" / V2.folder / "schema.json").write_text("{", encoding="utf-8")
    assert refused().startswith("error: not valid JSON: ")


def test_help_shows_examples_and_exit_codes() -> None:
    result = drift("--help")
    assert result.exit_code == 0
    for line in (
        "acp-codegen drift --upstream draft/schema.json",
        "Exit 0: no changes that count; 1: changes; 2: error.",
    ):
        assert line in " ".join(result.stdout.split())


def test_the_digest_of_a_side_is_that_of_its_file(write: Write) -> None:
    old, new = write("old.json", protocol({})), write("new.json", protocol({"Note": LARGER}))
    document = json.loads(drift(old, new, "--format", "json").stdout)
    for side, path in (("old", old), ("new", new)):
        assert document[side]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
