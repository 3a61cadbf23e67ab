"""The formats of a drift report, from a report made by hand.

``tests/reports`` holds what each format makes of it; after a wanted change ``UPDATE_GOLDENS=1 pytest tests/test_report.py``
rewrites the files, and you read the diff. The HTML page is looked at in a browser, see ``test_report_page.py``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.reports import EMPTY, HOSTILE, NEW_TEXT, SMALL, hostile, large

from acp_codegen import resources
from acp_codegen.drift.compare import compare
from acp_codegen.drift.model import Category, Report, Severity
from acp_codegen.errors import printable
from acp_codegen.jsontypes import pointer
from acp_codegen.load import load_schema
from acp_codegen.report import FORMATS, markdown, render
from acp_codegen.report.lines import lines
from acp_codegen.report.markup import prose
from acp_codegen.report.sides import Run, side_by_side

ROOT = Path(__file__).resolve().parents[1]
REPORTS = Path(__file__).resolve().parent / "reports"
UPDATE = bool(os.environ.get("UPDATE_GOLDENS"))
GOLDENS = {
    "text": "text.txt",
    "json": "json.json",
    "markdown": "markdown.md",
    "github": "github.txt",
    "changelog": "changelog.md",
}
SCHEMA = json.loads((ROOT / "docs" / "drift-report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)


def only(*categories: Category) -> Report:
    """The small report with the changes of these categories."""
    return replace(SMALL, changes=tuple(change for change in SMALL.changes if change.category in categories))


def with_severities(old: Severity, new: Severity, category: Category = Category.WIRE) -> Report:
    """A report of one change."""
    change = replace(SMALL.changes[0], category=category, old_reader=old, new_reader=new)
    return replace(SMALL, changes=(change,))


# ------------------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize("format", GOLDENS)
def test_format_is_the_golden_text(format: str) -> None:
    golden = REPORTS / GOLDENS[format]
    actual = render(SMALL, format, new_text=NEW_TEXT)
    if UPDATE:
        golden.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == golden.read_bytes().decode("utf-8"), f"{golden.name} is out of date"


def test_every_golden_is_read() -> None:
    assert {path.name for path in REPORTS.iterdir()} == set(GOLDENS.values())
    assert {*GOLDENS, "html"} == set(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("report", [SMALL, EMPTY, hostile(), large(2000)], ids=["small", "empty", "hostile", "large"])
def test_every_format_can_be_printed(format: str, report: Report) -> None:
    """Text that UTF-8 can hold, complete lines, nothing that a terminal acts on, and the same each time."""
    text = render(report, format, new_text="{}")
    assert text.encode("utf-8") == render(report, format, new_text="{}").encode("utf-8")
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert [char for char in text if not char.isprintable() and char != "\n"] == []


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="'yaml' is none of text, json, markdown, github, html, changelog"):
        render(SMALL, "yaml")


BREAKING = "The wire breaks: 1 change makes one version refuse or misread messages of the other."
LOSING = "The wire holds with losses: 1 change makes one version miss something that the other says."


@pytest.mark.parametrize(
    "report, verdict",
    [
        (EMPTY, "No changes."),
        (with_severities(Severity.BREAKS, Severity.SAFE), BREAKING),
        (with_severities(Severity.LOSES, Severity.BREAKS), BREAKING),
        (with_severities(Severity.SAFE, Severity.LOSES), LOSING),
        (with_severities(Severity.SAFE, Severity.SAFE), "The wire changes, but each version understands the other."),
        (only(Category.SOURCE, Category.DOCS), "The wire is the same; the generated Python API changes."),
        (only(Category.DOCS), "Neither the wire nor the generated Python API changes."),
    ],
)
def test_verdict(report: Report, verdict: str) -> None:
    assert verdict in render(report, "text").split("\n")
    assert f"\n**{verdict}**\n" in render(report, "markdown")
    assert render(report, "github").split("\n")[-2].endswith(verdict)
    assert f">{verdict}</p>" in render(report, "html")


# --------------------------------------------------------------------------------------------------- text


def test_no_changes_are_said_clearly() -> None:
    names = "drafts/june/schema.json -> schema/schema.json"
    assert render(EMPTY, "text") == f"{names}\nNo changes.\n"
    assert render(EMPTY, "github") == "No changes.\n"
    assert render(EMPTY, "changelog") == "No changes.\n"


def test_text_stays_within_its_width() -> None:
    long = replace(SMALL.changes[0], message="word-with-hyphens `and` " * 40)
    text = render(replace(SMALL, changes=(long,)), "text")
    assert max(len(line) for line in text.split("\n")) <= 100
    assert text.count("word-with-hyphens") == 40


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = render(SMALL, "text", colour=True)
    assert re.sub(r"\x1b\[[0-9;]+m", "", coloured) == render(SMALL, "text")
    assert "\x1b[31mold reader breaks\x1b[0m" in coloured
    assert "\x1b[33mnew reader loses\x1b[0m" in coloured
    assert "\x1b[1;31mWIRE: 1 change by which something goes unheard\x1b[0m" in coloured


# --------------------------------------------------------------------------------------------------- json


@pytest.mark.parametrize("report", [SMALL, EMPTY, hostile(), large(50)], ids=["small", "empty", "hostile", "large"])
def test_json_is_what_its_schema_says(report: Report) -> None:
    document = json.loads(render(report, "json"))
    # The validator takes whole characters only; half of a pair is the one thing of a JSON text that is none.
    VALIDATOR.validate(json.loads(render(report, "json").replace("\\ud800", "?")))
    assert [change["subject"] for change in document["changes"]] == [change.subject for change in report.changes]
    assert document["counts"] == report.counts()


def test_schema_of_the_json_is_a_valid_schema() -> None:
    jsonschema_rs.meta.validate(SCHEMA)


def _objects(document: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a report, aside from the fragments of the schemas."""
    if isinstance(document, dict):
        yield where, document
        for key, value in document.items():
            if not where.startswith("/changes/") or key not in ("old", "new"):
                yield from _objects(value, where + pointer(key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from _objects(value, where + pointer(index))


def test_schema_of_the_json_is_strict() -> None:
    """No object may have a member more, or one less."""
    places = [where for where, _ in _objects(json.loads(render(SMALL, "json")))]
    assert places == ["", "/old", "/new", "/counts", *(f"/changes/{index}" for index in range(5))]
    for place in places:
        document = json.loads(render(SMALL, "json"))
        target = dict(_objects(document))[place]
        for name in list(target):
            value = target.pop(name)
            assert not VALIDATOR.is_valid(document), f"{place} without {name}"
            target[name] = value
        target["more"] = 1
        assert not VALIDATOR.is_valid(document), f"{place} with one more"


@pytest.mark.parametrize(
    "name, value",
    [
        ("category", "other"),
        ("old_reader", "maybe"),
        ("rule", "Field Added"),
        ("old_where", "no/pointer"),
        ("subject", ""),
    ],
)
def test_schema_of_the_json_refuses(name: str, value: Any) -> None:
    document = json.loads(render(SMALL, "json"))
    assert VALIDATOR.is_valid(document)
    document["changes"][0][name] = value
    assert not VALIDATOR.is_valid(document)


# ----------------------------------------------------------------------------------------------- Markdown


def _inline(text: str) -> list[Token]:
    """All tokens inside the blocks of a Markdown text."""
    parser = MarkdownIt("commonmark").enable("table")
    return [child for token in parser.parse(text) for child in token.children or []]


@pytest.mark.parametrize("format", ["markdown", "changelog"])
def test_names_are_shown_and_never_acted_on(format: str) -> None:
    text = render(hostile(), format)
    tokens = _inline(text)
    assert {token.type for token in tokens} <= {"text", "text_special", "code_inline", "strong_open", "strong_close"}
    codes = [token.content for token in tokens if token.type == "code_inline"]
    assert [name for name in HOSTILE if printable(name) not in codes] == []
    blocks = [token for token in MarkdownIt("commonmark").enable("table").parse(text) if token.type == "html_block"]
    assert blocks == []


LINKED_BY_GITHUB = re.compile(r"@\w|#\d|\bGH-\d|://|\bwww\.", re.IGNORECASE)


@pytest.mark.parametrize(
    "sentence",
    [
        "ask @octocat",
        "see #123",
        "see gh-12 and GH-12",
        "at https://example.org",
        "at www.example.org",
        "a@example.org",
    ],
)
@pytest.mark.parametrize("format", ["markdown", "changelog"])
def test_a_sentence_mentions_nobody_and_links_nothing(sentence: str, format: str) -> None:
    report = replace(SMALL, changes=(replace(SMALL.changes[0], message=sentence),))
    shown = "".join(token.content for token in _inline(render(report, format)) if token.type != "code_inline")
    assert LINKED_BY_GITHUB.search(sentence)
    assert not LINKED_BY_GITHUB.search(shown)
    assert sentence in shown.replace("\u200b", "")


@pytest.mark.parametrize(
    "sentence",
    [
        "a*b*c _d_ __d__ d_e_f [e](f) ![e](f) <b> &amp; ~g~ ~~g~~ $h$ | i \\ j! **k** \\*",
        "`a` and ` b",
        "`a``b`",
        "`<b>`",
    ],
)
def test_a_sentence_reads_as_it_was_written(sentence: str) -> None:
    shown = "".join(token.content for token in _inline(prose(sentence)))
    assert re.sub(r"[` ]", "", shown) == re.sub(r"[` ]", "", sentence)


def test_source_and_docs_are_folded() -> None:
    text = render(SMALL, "markdown")
    open_part = text.split("<details>")[0]
    assert "Recipe.recipeId" in open_part and "kitchen/clean" in open_part
    assert "Oven.fan" not in open_part
    assert text.count("<details>") == text.count("</details>") == 2
    assert re.findall("<summary>(.*)</summary>", text) == ["Source: 1 change", "Docs: 1 change"]


@pytest.mark.parametrize("number", [10, 500, 3000])
def test_markdown_fits_into_a_comment(number: int) -> None:
    report = large(number)
    text = render(report, "markdown")
    assert len(text) < 65_536 and len(text.encode("utf-8")) < 1 << 20
    shown = len(re.findall(r"^- \*\*`Dish", text, re.MULTILINE))
    missing = re.search(r"\*\*(\d+) more changes are left out", text)
    assert number == shown + (int(missing[1]) if missing else 0)
    assert bool(missing) == (number > 10)
    assert text.count("<details>") == text.count("</details>")
    if missing:
        assert len(text) > 60_000
        assert text.endswith("`acp-codegen drift --format html` with the same arguments shows all.**\n")


def test_markdown_leaves_out_the_lightest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for all but the last: the docs section goes, and one change is counted as left out."""
    whole = render(SMALL, "markdown")
    monkeypatch.setattr(markdown, "LONGEST", len(whole) + 60)
    text = render(SMALL, "markdown")
    assert "title-changed" not in text and "field-added-optional" in text
    assert "**1 more change is left out here" in text
    monkeypatch.setattr(markdown, "LONGEST", 0)
    assert "**5 more changes are left out here" in render(SMALL, "markdown")


def test_markdown_shows_nothing_lighter_than_what_it_leaves_out() -> None:
    """There would be room for the short one."""
    wire, source = replace(SMALL.changes[0], message="long " * 20_000), SMALL.changes[3]
    text = render(replace(SMALL, changes=(wire, source)), "markdown")
    assert "Oven.fan" not in text
    assert "**2 more changes are left out here" in text


# ----------------------------------------------------------------------------------------------- workflow


@pytest.mark.parametrize(
    "report, command",
    [
        (with_severities(Severity.BREAKS, Severity.SAFE), "error"),
        (with_severities(Severity.LOSES, Severity.BREAKS), "error"),
        (with_severities(Severity.LOSES, Severity.SAFE), "warning"),
        (with_severities(Severity.SAFE, Severity.SAFE), "notice"),
        (with_severities(Severity.BREAKS, Severity.BREAKS, Category.SOURCE), "notice"),
    ],
)
def test_level_of_an_annotation(report: Report, command: str) -> None:
    assert render(report, "github").startswith(f"::{command} title=")


def _parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as GitHub's runner reads it."""
    head, _, data = line.removeprefix("::").partition("::")
    command, _, listed = head.partition(" ")
    properties = dict(item.split("=", 1) for item in listed.split(","))
    return command, {name: _unescaped(value) for name, value in properties.items()}, _unescaped(data)


def _unescaped(text: str) -> str:
    for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def test_commands_read_back_as_they_were_meant() -> None:
    """One line a change, whatever stands in it; what no log can show is an escape."""
    report = hostile()
    *commands, last, end = render(report, "github", new_text="{}").split("\n")
    assert end == "" and last.startswith("8 wire, 0 source, 0 docs. ")
    assert len(commands) == len(report.changes)
    for line, change in zip(commands, report.changes, strict=True):
        command, properties, message = _parsed(line)
        assert command == "error"
        assert set(properties) == {"file", "title"}
        assert properties["file"] == report.new.label
        assert properties["title"] == f"wire: {_printable(change.subject)} (field-renamed)"
        assert message == f"{_printable(change.message)} (old reader breaks, new reader breaks)"


def _printable(text: str) -> str:
    return "".join(char if char in "\r\n" else printable(char) for char in text)


def test_annotations_name_no_file_without_its_text() -> None:
    assert "file=" not in render(SMALL, "github")
    assert "line=" not in render(SMALL, "github")


def test_gravest_annotations_come_first_and_the_rest_is_announced() -> None:
    *commands, last, _ = render(large(200), "github").split("\n")
    levels = [line.split(" ")[0] for line in commands]
    assert levels == ["::error"] * 50 + ["::warning"] * 50 + ["::notice"] * 100
    assert last.startswith("100 wire, 50 source, 50 docs. The wire breaks: 50 changes make")
    assert last.endswith("GitHub shows 10 annotations of a level; this log has all.")


def test_lines_of_a_json_text() -> None:
    text = '{"a": [1,\n {"b/c": {},\n  "d~e":\n "x{}[],:\\" y"}\n, []],\n "\\u0061b": null,\n\n "": true}'
    assert lines(text) == {
        "": 1,
        "/a": 1,
        "/a/0": 1,
        "/a/1": 2,
        "/a/1/b~1c": 2,
        "/a/1/d~0e": 3,
        "/a/2": 5,
        "/ab": 6,
        "/": 8,
    }
    assert lines("\n 1") == {"": 2}


@pytest.mark.parametrize("edition", ["v1", "v2", "v2-2026-06"])
def test_lines_of_a_schema(edition: str) -> None:
    """Every value is found, and on the line of a member stands its name."""
    text = (ROOT / "schema" / edition / "schema.json").read_text(encoding="utf-8")
    rows = text.split("\n")
    found = lines(text)
    assert set(found) == set(_pointers(json.loads(text)))
    for where, line in found.items():
        name = where.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        if where and not name.isdigit():
            assert json.dumps(name, ensure_ascii=False) in rows[line - 1], where


def _pointers(value: Any, where: str = "") -> Iterator[str]:
    yield where
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from _pointers(member, where + pointer(key))


# ------------------------------------------------------------------------------- changelog, side by side


def test_changelog_only_counts_docs() -> None:
    twice = replace(SMALL, changes=(*SMALL.changes, SMALL.changes[-1]))
    assert render(twice, "changelog").endswith("\n2 further changes of documentation.\n")
    assert render(only(Category.DOCS), "changelog") == "1 further change of documentation.\n"
    assert "title" not in render(SMALL, "changelog")
    assert "documentation" not in render(only(Category.WIRE, Category.SOURCE), "changelog")


def test_sides_are_compared_line_by_line() -> None:
    """The comma that a line gets when another comes after it is no difference."""
    assert side_by_side({"a": [2], "b": 3}, {"a": [4], "b": 3, "c": 5}) == [
        Run("same", '{\n  "a": [', '{\n  "a": ['),
        Run("changed", "    2", "    4"),
        Run("same", '  ],\n  "b": 3', '  ],\n  "b": 3,'),
        Run("changed", "", '  "c": 5'),
        Run("same", "}", "}"),
    ]


def test_sides_hide_what_is_far_from_a_difference() -> None:
    old = list(range(30))
    runs = side_by_side(old, [*old[:10], "x", *old[11:20], *old[21:]])
    assert [(run.kind, run.old.split(), run.new.split()) for run in runs] == [
        ("hidden", ["8", "equal", "lines"], ["8", "equal", "lines"]),
        ("same", ["7,", "8,", "9,"], ["7,", "8,", "9,"]),
        ("changed", ["10,"], ['"x",']),
        ("same", [f"{n}," for n in range(11, 20)], [f"{n}," for n in range(11, 20)]),
        ("changed", ["20,"], []),
        ("same", ["21,", "22,", "23,"], ["21,", "22,", "23,"]),
        ("hidden", ["7", "equal", "lines"], ["7", "equal", "lines"]),
    ]
    assert side_by_side(old, old) == [Run("hidden", "32 equal lines", "32 equal lines")]
    assert side_by_side({"a": 1}, {"a": 1}) == [Run("same", '{\n  "a": 1\n}', '{\n  "a": 1\n}')]


def test_changes_of_one_definition_stand_together() -> None:
    """In every category, in the order in which the definitions first occur."""
    first, second = SMALL.changes[0], replace(SMALL.changes[0], definition="Other", subject="Other.x")
    text = render(replace(SMALL, changes=(first, second, replace(first, subject="Recipe.z"))), "text")
    order = [line.split()[0] for line in text.split("\n") if line.endswith("[field-renamed]")]
    assert order == ["Recipe.recipeId", "Recipe.z", "Other.x"]


# ---------------------------------------------------------------------------------- HTML, without a browser


def test_page_holds_everything_itself() -> None:
    text = render(SMALL, "html")
    assert re.findall(r"<(?:link|img|iframe|object|embed|base)\b", text) == []
    assert re.findall(r"\b(?:src|srcset|action|style|on\w+)\s*=", text.split("<script>")[0].split("</style>")[1]) == []
    assert re.findall(r"@import|url\(|https?:", text) == []
    assert "default-src 'none'" in text and "unsafe" not in text


def test_addresses_of_changes_are_theirs_alone() -> None:
    """Two changes of one rule and subject are told apart; a change keeps its address when others go."""
    twice = replace(SMALL, changes=(SMALL.changes[0], SMALL.changes[0], *SMALL.changes[1:]))
    ids = re.findall(r'<article [^>]*id="([^"]+)"', render(twice, "html"))
    assert ids[:3] == ["field-renamed:Recipe.recipeId", "field-renamed:Recipe.recipeId:2", "field-removed:Recipe.chef"]
    assert len(set(ids)) == len(ids) == 6
    fewer = re.findall(r'<article [^>]*id="([^"]+)"', render(replace(SMALL, changes=SMALL.changes[1:]), "html"))
    assert fewer == ids[2:]


# ------------------------------------------------------------------------------------------ a report of real schemas


@pytest.fixture(scope="module")
def real() -> tuple[Report, str]:
    """The changes between two of our own editions, and the text of the newer one."""
    old, new = (ROOT / "schema" / edition / "schema.json" for edition in ("v2-2026-06", "v2"))
    vocabulary = resources.vocabulary()
    return compare(load_schema(old, vocabulary), load_schema(new, vocabulary)), new.read_text(encoding="utf-8")


def test_json_of_a_real_report_is_what_its_schema_says(real: tuple[Report, str]) -> None:
    report, _ = real
    document = json.loads(render(report, "json"))
    VALIDATOR.validate(document)
    assert sum(document["counts"].values()) == len(document["changes"]) > 100


def test_annotations_of_a_real_report_point_at_lines(real: tuple[Report, str]) -> None:
    """Every place in the new schema is found."""
    report, text = real
    *commands, _, _ = render(report, "github", new_text=text).split("\n")
    with_line = [command for command in commands if re.match(r"::\w+ file=[^,]+,line=\d+,title=", command)]
    assert len(with_line) >= sum(change.new_where is not None for change in report.changes) > 100


def test_every_change_of_a_real_report_is_shown(real: tuple[Report, str]) -> None:
    report, _ = real
    page = render(report, "html")
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert page.count("<article ") == len(report.changes)
    text = render(report, "text")
    assert len(re.findall(r"^    \S.*  \[[a-z-]+\]$", text, re.MULTILINE)) == len(report.changes)
