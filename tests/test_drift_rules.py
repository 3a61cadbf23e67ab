"""The catalogue of rules: complete, consistent, documented, and every example found as what it is."""

from __future__ import annotations

import os
import re

import pytest

from acp_codegen.drift.catalogue.rule import Rule
from acp_codegen.drift.model import Category, Severity
from acp_codegen.drift.page import rules_page
from acp_codegen.drift.rules import GROUPS, RULES
from support import ROOT
from support.drift import drift_of

PAGE = ROOT / "docs" / "drift-rules.md"
WITH_EXAMPLE = [rule for rule in RULES.values() if rule.old or rule.new]
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.id)
def test_the_example_shows_the_rule_and_nothing_else(rule: Rule) -> None:
    report = drift_of(rule.old, rule.new)
    assert {change.rule for change in report.changes} == {rule.id, *rule.beside}
    (change,) = [change for change in report.changes if change.rule == rule.id]
    assert (change.category, change.old_reader, change.new_reader) == (
        rule.category,
        rule.old_reader,
        rule.new_reader,
    )


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.id)
def test_the_example_the_other_way_round_is_a_change_too(rule: Rule) -> None:
    """With the severities of the two readers exchanged, whatever the rule is called then."""
    changes = drift_of(rule.new, rule.old).changes
    assert (rule.new_reader, rule.old_reader) in {(change.old_reader, change.new_reader) for change in changes}


def test_only_the_lock_has_rules_without_an_example() -> None:
    assert [rule for rule in RULES.values() if rule not in WITH_EXAMPLE] == list(GROUPS["Against the lock"])


@every_rule
def test_a_rule_is_about_the_wire_exactly_if_a_reader_is_not_safe(rule: Rule) -> None:
    is_safe = rule.old_reader is rule.new_reader is Severity.SAFE
    assert (rule.category is Category.WIRE) is not is_safe


@every_rule
def test_a_rule_says_what_it_means(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.id)
    assert rule.title[0].isupper() and not rule.title.endswith(".")
    assert rule.explanation.endswith(".") and len(rule.explanation) > 40


def test_no_id_is_taken_twice() -> None:
    assert len(RULES) == sum(len(rules) for rules in GROUPS.values())


def test_the_page_is_what_the_catalogue_says() -> None:
    if os.environ.get("UPDATE_GOLDENS"):
        PAGE.write_text(rules_page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == rules_page()


@every_rule
def test_the_page_has_a_section_for_the_rule(rule: Rule) -> None:
    assert f"\n### {rule.id}\n\n**{rule.title}.** `{rule.category.value}`" in PAGE.read_text(encoding="utf-8")
