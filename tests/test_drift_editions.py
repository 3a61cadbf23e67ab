"""The published drafts of June and of November: every row of editions.md that is a matter of shape is in the report.

Rows that are not: 2, 7, 13, 14, 15 and 32 are prose alone (what a permission's tool call does, defaults of a new id, what an id
is unique in, how chunks interleave, how to convert) or say that nothing changed. Rows 8, 10, 11 and 24 are prose in the
published files; our annotations carry them, and so the drift between our own editions shows them.
"""

from __future__ import annotations

from functools import cache

import pytest

from acp_codegen.drift.compare import compare
from acp_codegen.drift.model import Category, Report, Severity
from acp_codegen.load import load_schema
from support.drift import VOCABULARY
from support.editions import JUNE, V2

WIRE, SOURCE, DOCS = Category.WIRE, Category.SOURCE, Category.DOCS
Row = tuple[str, str, Category]

PUBLISHED: dict[int, list[Row]] = {
    1: [
        ("field-removed-required", "RequestPermissionRequest.toolCall", WIRE),
        ("field-added-required", "RequestPermissionRequest.title", WIRE),
        ("field-added-optional", "RequestPermissionRequest.description", SOURCE),
        ("field-added-optional", "RequestPermissionRequest.subject", SOURCE),
        ("definition-added", "RequestPermissionSubject", SOURCE),
        ("constraint-tightened", "RequestPermissionRequest.options", WIRE),
    ],
    3: [
        ("union-opened", "RequestPermissionOutcome", WIRE),
        ("class-renamed", "RequestPermissionOutcome: cancelled", SOURCE),
        ("field-added-optional", "CancelledPermissionOutcome._meta", SOURCE),
    ],
    4: [
        ("field-removed-required", "Diff.path", WIRE),
        ("field-removed-optional", "Diff.oldText", SOURCE),
        ("field-removed-required", "Diff.newText", WIRE),
        ("field-added-required", "Diff.changes", WIRE),
        ("field-added-optional", "Diff.patch", SOURCE),
        ("definition-added", "DiffChange", SOURCE),
    ],
    5: [
        ("variant-added-open", "ToolCallContent: terminal", SOURCE),
        ("variant-added-open", "SessionUpdate: terminal_update", SOURCE),
        ("variant-added-open", "SessionUpdate: terminal_output_chunk", SOURCE),
    ],
    6: [
        ("enum-value-added-open", "ToolCallStatus: cancelled", SOURCE),
        ("enum-value-added-open", "ToolCallStatus: paused", SOURCE),
    ],
    9: [
        ("field-added-optional", "ToolCallUpdate.name", SOURCE),
        ("field-added-optional", "ToolCallUpdate.capabilities", SOURCE),
        ("request-added", "tool_call/cancel", WIRE),
        ("request-added", "terminal/cancel", WIRE),
    ],
    12: [
        ("leniency-added", f"ToolCallUpdate.{field}", WIRE)
        for field in ("title", "kind", "status", "rawInput", "rawOutput")
    ],
    16: [
        ("field-removed-required", "PromptResponse.stopReason", WIRE),
        ("field-added-required", "PromptResponse.messageId", WIRE),
        ("variant-added-open", "SessionUpdate: state_update", SOURCE),
    ],
    17: [
        ("definition-removed", "StopReason", SOURCE),
        ("definition-added", "IdleStateUpdate", SOURCE),
        ("definition-added", "BackgroundWork", SOURCE),
    ],
    18: [
        ("field-renamed-required", "PlanItems.planId", WIRE),
        ("catch-all-changed", "PlanUpdateContent: other", WIRE),
    ],
    19: [("enum-value-added-open", "PlanEntryStatus: cancelled", SOURCE)],
    20: [
        ("leniency-removed", "PlanItems.entries", WIRE),
        ("leniency-removed", "AvailableCommandsUpdate.availableCommands", WIRE),
        ("leniency-removed", "ConfigOptionUpdate.configOptions", WIRE),
    ],
    21: [
        ("type-respelled", "ToolCallLocation.path", SOURCE),
        ("constraint-tightened", "ToolCallLocation.line", WIRE),
    ],
    22: [
        ("field-renamed-required", "SessionConfigOption.configId", WIRE),
        ("field-renamed-required", "SessionConfigSelectGroup.groupId", WIRE),
        ("kind-changed", "SetSessionConfigOptionRequest", WIRE),
        ("variant-added-closed", "SessionConfigOption: boolean", WIRE),
    ],
    23: [
        ("kind-changed", "AvailableCommandInput", WIRE),
        ("type-narrowed", "AvailableCommand", WIRE),
        ("field-added-optional", "NewSessionResponse.availableCommands", SOURCE),
        ("field-added-optional", "ResumeSessionResponse.availableCommands", SOURCE),
    ],
    25: [
        ("variant-added-open", f"SessionUpdate: {tag}", SOURCE)
        for tag in ("notice", "compaction_update", "compaction_summary_chunk")
    ],
    26: [
        ("field-renamed-required", "InitializeRequest.info", WIRE),
        ("field-became-required", "InitializeRequest.info", WIRE),
        ("field-renamed-required", "InitializeResponse.info", WIRE),
        ("field-became-required", "InitializeResponse.info", WIRE),
        *(
            ("field-removed-optional", f"SessionCapabilities.{name}", SOURCE)
            for name in ("list", "resume", "close", "load")
        ),
        ("request-removed", "session/load", WIRE),
    ],
    27: [
        ("method-renamed", "auth/login", WIRE),
        ("method-renamed", "auth/logout", WIRE),
        ("definition-renamed", "LoginAuthRequest", SOURCE),
    ],
    28: [("enum-value-added-open", "ErrorCode: -32022", SOURCE)],
    29: [
        ("batches-removed", "batches", WIRE),
    ],
    30: [("type-narrowed", "RequestId", WIRE)],
    31: [("discriminator-changed", "SessionUpdate", DOCS), ("discriminator-changed", "ContentBlock", DOCS)],
}
ANNOTATED: dict[int, list[Row]] = {
    8: [
        ("session-rule-changed", "ToolCallUpdate.kind", WIRE),
        ("session-rule-changed", "ToolCallUpdate.status", WIRE),
    ],
    10: [("patch-rule-changed", "ToolCallUpdate._meta", WIRE)],
    11: [("patch-rule-changed", f"{name}._meta", WIRE) for name in ("UserMessage", "AgentMessage", "AgentThought")],
    24: [("patch-rule-changed", "UsageUpdate.cost", WIRE)],
}


@cache
def published() -> Report:
    for edition in (JUNE, V2):
        if not edition.published_path.exists():
            pytest.skip("../shared is not here: no published schemas to compare")
    return compare(load_schema(JUNE.published_path, VOCABULARY), load_schema(V2.published_path, VOCABULARY))


@cache
def ours() -> Report:
    return compare(load_schema(JUNE.schema_path, VOCABULARY), load_schema(V2.schema_path, VOCABULARY))


def rows(report: Report) -> set[Row]:
    return {(change.rule, change.subject, change.category) for change in report.changes}


@pytest.mark.parametrize("number", PUBLISHED)
def test_the_published_drafts_show_the_row(number: int) -> None:
    assert set(PUBLISHED[number]) - rows(published()) == set()


@pytest.mark.parametrize("number", PUBLISHED)
def test_our_editions_show_it_too(number: int) -> None:
    assert set(PUBLISHED[number]) - rows(ours()) == set()


@pytest.mark.parametrize("number", ANNOTATED)
def test_our_annotations_show_what_is_prose_in_the_published_drafts(number: int) -> None:
    assert set(ANNOTATED[number]) - rows(ours()) == set()
    assert {subject for _, subject, _ in ANNOTATED[number]} & {
        change.subject
        for change in published().changes
        if change.rule in ("patch-rule-changed", "session-rule-changed")
    } == set()


def test_a_rule_that_goes_by_the_new_name_of_a_property_is_the_same_rule() -> None:
    """A plan is still known by its id, which is called otherwise now."""
    rules = [JUNE.definitions, V2.definitions]
    keys = [
        branch["x-update"]["key"]
        for definitions in rules
        for branch in definitions["SessionUpdate"]["anyOf"]
        if branch.get("properties", {}).get("sessionUpdate", {}).get("const") == "plan_update"
    ]
    assert keys == ["plan.id", "plan.planId"]
    changed = {change.subject for change in ours().changes if change.rule == "session-rule-changed"}
    assert "SessionUpdate: plan_update" not in changed


def test_a_rename_is_no_removal() -> None:
    """What was renamed is neither gone nor new."""
    gone_or_new = {
        change.subject for change in published().changes if change.rule.startswith(("field-added", "field-removed"))
    }
    renamed = {change.subject for change in published().changes if change.rule.startswith("field-renamed")}
    assert renamed & gone_or_new == set()
    assert "PlanItems.id" not in gone_or_new


def test_a_change_is_reported_once() -> None:
    """Not at every use of a definition, nor at every variant that includes it."""
    for report in (published(), ours()):
        keys = [(change.rule, change.old_where, change.new_where, change.message) for change in report.changes]
        assert len(keys) == len(set(keys))
        mentioned = [change.subject for change in report.changes if change.rule == "field-renamed-required"]
        assert mentioned.count("SessionConfigOption.configId") == 1
        assert [subject for subject in mentioned if subject.endswith(".configId")] == ["SessionConfigOption.configId"]


def test_the_sentences_say_who_meets_what() -> None:
    found = {(change.rule, change.subject): change for change in published().changes}
    removed = found["field-removed-required", "RequestPermissionRequest.toolCall"]
    assert removed.message == (
        '"toolCall", which was required, is gone: an old client refuses what a new agent writes without it.'
    )
    line = found["constraint-tightened", "ToolCallLocation.line"]
    assert (line.old_reader, line.new_reader) == (Severity.SAFE, Severity.LOSES)
    assert line.message == (
        '"line" had minimum 0 and has minimum 1: a new client passes over values that only an old agent may write.'
    )
    info = found["field-renamed-required", "InitializeRequest.info"]
    assert info.message == (
        '"clientInfo" is called "info" now: an old agent finds no "clientInfo" in what a new client writes, '
        'and a new agent refuses what an old client writes without "info".'
    )
    assert (info.old_where, info.new_where) == (
        "/$defs/InitializeRequest/properties/clientInfo",
        "/$defs/InitializeRequest/properties/info",
    )
    login = found["method-renamed", "auth/login"]
    assert login.message == (
        "The request authenticate is called auth/login now: "
        "an old agent answers a new client that there is no such method, and the reverse."
    )
    assert (login.definition, login.old_where, login.new_where) == ("", None, None)
    assert login.old == {
        "method": "authenticate",
        "side": "agent",
        "kind": "request",
        "params": "AuthenticateRequest",
        "result": "AuthenticateResponse",
    }
