"""Laws of drift: nothing differs from itself, no change goes unreported, and an independent judge confirms what breaks."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import reject
from hypothesis import strategies as st

from acp_codegen.drift.compare import compare
from acp_codegen.drift.model import Category, Report, Severity
from acp_codegen.errors import CodegenError
from support.drift import enveloped, loaded
from support.editions import EDITIONS, V1, V2, Edition, every_edition
from support.mutations import Mutation, Schema, mutated, mutations
from support.oracle import Oracle
from support.profiles import for_all
from support.strategies import Instances


@every_edition
def test_no_schema_differs_from_itself(edition: Edition) -> None:
    assert compare(loaded(edition.document), loaded(edition.document)).changes == ()


@cache
def slices() -> list[tuple[str, Schema]]:
    """Small protocols cut out of our editions: one message definition each, with all that it needs."""
    found: list[tuple[str, Schema]] = []
    for edition in EDITIONS:
        definitions = edition.definitions
        for name, body in definitions.items():
            if body.get("x-side") in ("agent", "client") and name.endswith(("Request", "Notification")):
                answers = [
                    other
                    for other, message in definitions.items()
                    if message.get("x-method") == body["x-method"] and message.get("x-side") == body["x-side"]
                ]
                found.append((name, enveloped(_needed(answers, definitions))))
    return found


def _needed(names: list[str], definitions: dict[str, Any]) -> dict[str, Any]:
    """The definitions that these refer to, and so on."""
    found: dict[str, Any] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = definitions[name]
            waiting += [reference.removeprefix("#/$defs/") for reference in _references(definitions[name])]
    return found


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [name for member in value.values() for name in _references(member)]
    return [name for member in value for name in _references(member)] if isinstance(value, list) else []


@cache
def kinds(index: int) -> dict[str, list[Mutation]]:
    """The mutations of a slice, by what they do."""
    _, document = slices()[index]
    names = [name for name in document["$defs"] if not name.startswith(("Agent", "Client")) and name != "RequestId"]
    found: dict[str, list[Mutation]] = {}
    for mutation in mutations(document, names):
        found.setdefault(mutation.what.partition(" ")[0], []).append(mutation)
    return found


class Case(NamedTuple):
    """A message definition, and its protocol before and after a mutation."""

    name: str
    old: Schema
    new: Schema
    mutation: Mutation
    report: Report


@st.composite
def cases(draw: Any) -> Case:
    """Mutations after which it is still a schema that bindings can be made of; the others are no matter of drift."""
    index = draw(st.integers(0, len(slices()) - 1))
    name, old = slices()[index]
    kind = draw(st.sampled_from(sorted(kinds(index))))
    mutation = draw(st.sampled_from(kinds(index)[kind]))
    new = mutated(old, mutation)
    try:
        report = compare(loaded(old), loaded(new))
    except CodegenError:
        reject()
    return Case(name, old, new, mutation, report)


def no_change_goes_unreported(case: Case) -> None:
    assert case.report.changes, case.mutation.what
    for change in case.report.changes:
        is_safe = change.old_reader is change.new_reader is Severity.SAFE
        assert (change.category is Category.WIRE) is not is_safe, change
        assert change.message.endswith(".") and "{writer}" not in change.message, change


def what_a_reader_refuses_is_a_break(case: Case, data: st.DataObject) -> None:
    """And what it salvages is a loss at least: jsonschema is the judge, with the leniency keywords honoured."""
    changes = case.report.changes
    for writer, reader, severities, unknown in (
        (case.new, case.old, {change.old_reader for change in changes}, case.mutation.only_old),
        (case.old, case.new, {change.new_reader for change in changes}, case.mutation.only_new),
    ):
        judge, written = Oracle(reader), st.one_of(Instances(writer).valid(case.name))
        for _ in range(4):
            message = data.draw(written)
            if not Oracle(writer).is_strictly_valid(case.name, message) or unknown in keys(message):
                continue  # a name that the writer does not know is free to it: no schema speaks of that
            if not judge.accepts(case.name, message):
                assert Severity.BREAKS in severities, (case.mutation.what, message)
            elif not judge.is_strictly_valid(case.name, message):
                assert severities & {Severity.BREAKS, Severity.LOSES}, (case.mutation.what, message)


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {*value, *(key for member in value.values() for key in keys(member))}
    return {key for member in value for key in keys(member)} if isinstance(value, list) else set()


def test_no_change_goes_unreported_and_a_judge_confirms_what_breaks() -> None:
    def check(drawn: tuple[Case, st.DataObject]) -> None:
        no_change_goes_unreported(drawn[0])
        what_a_reader_refuses_is_a_break(*drawn)

    for_all([st.tuples(cases(), st.data())], check, share=0.3)


@pytest.mark.parametrize(("old", "new"), [(V1, V2), (V2, V1)], ids=str)
def test_even_two_versions_of_the_protocol_can_be_compared(old: Edition, new: Edition) -> None:
    """Far apart as they are, no change is reported twice, and each weighs what its category says."""
    changes = compare(loaded(old.document), loaded(new.document)).changes
    keys = [(change.rule, change.subject, change.old_where, change.new_where, change.message) for change in changes]
    assert len(set(keys)) == len(keys) > 100
    for change in changes:
        assert (change.category is Category.WIRE) is not (change.old_reader is change.new_reader is Severity.SAFE)
