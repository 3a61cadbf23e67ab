"""Severities of one's own: what a row may say, whom it is about, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_codegen.drift.model import Category, Report, Severity
from acp_codegen.drift.severities import override, read_severities
from acp_codegen.errors import CodegenError
from support.drift import drift_of

STRING = {"type": "string"}


def report() -> Report:
    """Two optional fields that are new, each in a definition of its own, and one value that is refused."""
    other = {"type": "object", "properties": {}}
    old = {"Note": {"type": "object", "properties": {}}, "Label": other, "Mood": {"type": "string", "enum": ["a"]}}
    new = {
        "Note": {"type": "object", "properties": {"text": STRING, "size": STRING}},
        "Label": {"type": "object", "properties": {"text": STRING}},
        "Mood": {"type": "string", "enum": ["a", "b"]},
    }
    return drift_of(old, new)


def applied(tmp_path: Path, rows: dict[str, Any]) -> tuple[dict[str, tuple[str, str, str]], set[str]]:
    """Category and severities by subject, and the rows that were of use."""
    path = tmp_path / "severities.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    result, used = override(report(), read_severities(path))
    cells = {c.subject: (c.category.value, c.old_reader.value, c.new_reader.value) for c in result.changes}
    return cells, used


def test_without_a_row_a_change_is_what_its_rule_says(tmp_path: Path) -> None:
    assert applied(tmp_path, {}) == (
        {
            "Mood: b": ("wire", "breaks", "safe"),
            "Note.text": ("source", "safe", "safe"),
            "Note.size": ("source", "safe", "safe"),
            "Label.text": ("source", "safe", "safe"),
        },
        set(),
    )


def test_a_row_holds_everywhere_in_a_definition_or_at_one_place(tmp_path: Path) -> None:
    """And the narrowest has the last word, wherever it stands in the file."""
    rows = {
        "field-added-optional Note.size": {"category": "wire", "old_reader": "breaks"},
        "field-added-optional Note": {"category": "wire", "old_reader": "loses"},
        "field-added-optional": {"category": "docs"},
    }
    cells, used = applied(tmp_path, rows)
    assert cells == {
        "Mood: b": ("wire", "breaks", "safe"),
        "Note.text": ("wire", "loses", "safe"),
        "Note.size": ("wire", "breaks", "safe"),
        "Label.text": ("docs", "safe", "safe"),
    }
    assert used == set(rows)


def test_a_value_of_an_enum_is_a_place_too(tmp_path: Path) -> None:
    row = {"enum-value-added-closed Mood: b": {"category": "source", "old_reader": "safe"}}
    cells, used = applied(tmp_path, row)
    assert cells["Mood: b"] == ("source", "safe", "safe")
    assert used == set(row)


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ({"category": "docs"}, ("docs", "safe", "safe")),
        ({"old_reader": "loses"}, ("wire", "loses", "safe")),
        ({"old_reader": "safe"}, ("source", "safe", "safe")),
        ({"new_reader": "breaks"}, ("wire", "breaks", "breaks")),
        ({"category": "wire", "old_reader": "safe"}, ("wire", "safe", "safe")),
    ],
    ids=str,
)
def test_category_and_severities_go_together(tmp_path: Path, row: dict[str, str], cells: tuple[str, str, str]) -> None:
    assert applied(tmp_path, {"enum-value-added-closed": row})[0]["Mood: b"] == cells


def test_a_severity_makes_a_matter_of_source_one_of_the_wire(tmp_path: Path) -> None:
    rows = {"field-added-optional Label": {"old_reader": "loses"}}
    assert applied(tmp_path, rows)[0]["Label.text"] == ("wire", "loses", "safe")


def test_the_gravest_category_still_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "severities.json"
    path.write_text('{"field-added-optional Label": {"category": "wire", "new_reader": "loses"}}', encoding="utf-8")
    result, _ = override(report(), read_severities(path))
    assert [change.category for change in result.changes] == [Category.WIRE] * 2 + [Category.SOURCE] * 2
    assert result.counts() == {"wire": 2, "source": 2, "docs": 0}
    assert result.changes[1].new_reader is Severity.LOSES


def test_a_row_that_matches_nothing_is_not_used(tmp_path: Path) -> None:
    assert applied(tmp_path, {"type-changed": {"category": "docs", "old_reader": "safe"}})[1] == set()
    assert applied(tmp_path, {"field-added-optional Nothing": {"category": "docs"}})[1] == set()


BAD: dict[str, tuple[str, str, str, str]] = {
    "no JSON": (
        "{",
        "not valid JSON: Expecting property name enclosed in double quotes",
        "severities.json:1:2",
        "repair the JSON at that line and column",
    ),
    "a list": (
        "[]",
        "severities are an object: a rule, then what it means",
        "severities.json",
        'write {"field-added-optional": {"category": "docs"}}',
    ),
    "a rule twice": (
        '{"type-changed": {"category": "docs"}, "type-changed": {"category": "docs"}}',
        'the key "type-changed" occurs twice in one object',
        "severities.json",
        "keep one of the two",
    ),
    "a rule that is none": (
        '{"field-added-option": {"category": "docs"}}',
        'there is no rule "field-added-option"',
        "severities.json#/field-added-option",
        'did you mean "field-added-optional"?',
    ),
    "nothing like a rule": (
        '{"": {"category": "docs"}}',
        'there is no rule ""',
        "severities.json#/",
        "docs/drift-rules.md lists the rules",
    ),
    "two spaces": (
        '{"type-changed  Note": {"category": "docs"}}',
        "one space stands between a rule and its place",
        "severities.json#/type-changed  Note",
        'write "type-changed Name"',
    ),
    "an empty row": (
        '{"type-changed": {}}',
        "a row says one of category, old_reader, new_reader",
        "severities.json#/type-changed",
        'write {"type-changed": {"category": "docs"}}',
    ),
    "a row that is a word": (
        '{"type-changed": "docs"}',
        "a row says one of category, old_reader, new_reader",
        "severities.json#/type-changed",
        'write {"type-changed": {"category": "docs"}}',
    ),
    "a cell that is none": (
        '{"type-changed": {"severity": "safe"}}',
        'a row has no "severity"',
        "severities.json#/type-changed/severity",
        "use category, old_reader or new_reader",
    ),
    "a category that is none": (
        '{"type-changed Note.a/b": {"category": "minor"}}',
        "category is one of wire, source, docs",
        "severities.json#/type-changed Note.a~1b/category",
        "use one of these words",
    ),
    "a severity that is none": (
        '{"type-changed": {"new_reader": null}}',
        "new_reader is one of breaks, loses, safe",
        "severities.json#/type-changed/new_reader",
        "use one of these words",
    ),
    "a contradiction": (
        '{"type-changed": {"category": "docs", "old_reader": "loses"}}',
        '"loses" is a matter of the wire, not of "docs"',
        "severities.json#/type-changed",
        'use "category": "wire", or "safe" for both readers',
    ),
}


@pytest.mark.parametrize(("text", "message", "where", "hint"), BAD.values(), ids=BAD)
def test_a_file_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str, where: str, hint: str) -> None:
    path = tmp_path / "severities.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CodegenError) as caught:
        read_severities(path)
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, where, hint)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CodegenError) as caught:
        read_severities(tmp_path / "none.json")
    assert caught.value.message == "cannot read the severities: No such file or directory"
    assert caught.value.where == str(tmp_path / "none.json")
