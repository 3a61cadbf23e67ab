"""Grafting: a schema onto its own shape is itself, onto another it loses nothing; annotations follow renames."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_codegen.aside import bring_back, places, set_aside
from acp_codegen.decisions import settle, undescribed
from acp_codegen.errors import CodegenError
from acp_codegen.graft import graft, own
from acp_codegen.jsontypes import at, subschemas
from acp_codegen.lock import OUR_KEYWORDS, shape
from support.editions import JUNE, V1, V2, Edition, every_edition
from support.profiles import profile

FEW = settings(profile(), max_examples=profile().max_examples // 15)


def text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2) + "\n"


def published(edition: Edition) -> dict[str, Any]:
    if not edition.published_path.exists():
        pytest.skip("../shared is not here: no published schema to compare with")
    document: dict[str, Any] = json.loads(edition.published_path.read_text(encoding="utf-8"))
    return document


def sayings(document: dict[str, Any]) -> Counter[tuple[str, str]]:
    """Everything of ours in a schema, wherever it stands."""
    return Counter(
        (keyword, json.dumps(value)) for _, schema in subschemas(document) for keyword, value in own(schema).items()
    )


# ------------------------------------------------------------------------------------------ onto its own shape


@every_edition
def test_the_published_shape_and_our_words_give_our_file(edition: Edition) -> None:
    grafted = graft(shape(published(edition)), edition.document, descriptions=True)
    assert text(grafted.document) == edition.schema_path.read_text(encoding="utf-8")
    assert grafted.leftovers == ()


@every_edition
@FEW
@given(data=st.data())
def test_whatever_a_person_has_said_so_far_stays_as_it_is(edition: Edition, data: st.DataObject) -> None:
    """Any part of what is ours may be missing: the rest stays byte for byte, and nothing is made up."""
    document = copy.deepcopy(edition.document)
    ours = [(where, keyword) for where, schema in subschemas(document) for keyword in own(schema)]
    for where, keyword in data.draw(st.sets(st.sampled_from(ours), max_size=60)):
        del at(document, where)[keyword]
    assert text(graft(shape(document), document, descriptions=True).document) == text(document)


def test_an_overlay_keeps_the_words_of_the_file() -> None:
    theirs = published(JUNE)
    laid = graft(theirs, V2.document, descriptions=False).document
    assert shape(laid) == shape(theirs)
    assert [schema.get("description") for _, schema in subschemas(laid)] == [
        schema.get("description") for _, schema in subschemas(theirs)
    ]
    assert at(laid, "/$defs/ToolCallUpdate/properties/status")["x-reset"] == "pending"


def test_what_the_file_says_itself_goes_before_the_overlay() -> None:
    theirs = shape(V2.document)
    at(theirs, "/$defs/ToolCallUpdate/properties/title")["x-patch"] = "keep"
    laid = graft(theirs, V2.document, descriptions=False).document
    assert at(laid, "/$defs/ToolCallUpdate/properties/title")["x-patch"] == "keep"
    assert at(laid, "/$defs/ToolCallUpdate/properties/name")["x-patch"] == "replace"


# --------------------------------------------------------------------------------------------- onto another


def removable(document: dict[str, Any]) -> Iterator[tuple[str, str | int]]:
    """Properties and branches, each by its holder and its name in there: a list of one branch keeps it."""
    for where, schema in subschemas(document):
        for name in schema.get("properties", {}):
            yield f"{where}/properties", name
        for keyword in ("anyOf", "oneOf"):
            for index in range(1, len(schema.get(keyword, []))):
                yield f"{where}/{keyword}", index


@every_edition
@FEW
@given(data=st.data())
def test_nothing_of_ours_is_lost_and_all_of_it_comes_back(edition: Edition, data: st.DataObject) -> None:
    ours = edition.document
    theirs = shape(ours)
    everything = list(removable(theirs))
    chosen = data.draw(st.sets(st.integers(0, len(everything) - 1), min_size=1, max_size=12))
    for holder, name in (everything[number] for number in sorted(chosen, reverse=True)):  # the innermost first
        holding: Any = at(theirs, holder)
        del holding[name]
    grafted = graft(theirs, ours, descriptions=True)
    left = Counter(
        (keyword, json.dumps(value)) for entry in grafted.leftovers for keyword, value in entry.keywords.items()
    )
    assert sayings(grafted.document) + left == sayings(ours)
    assert shape(grafted.document) == theirs

    kept = set_aside([], grafted.leftovers, ours)
    again = graft(shape(ours), grafted.document, descriptions=True)
    back, rest = bring_back(set_aside(kept, again.leftovers, grafted.document), again.document)
    assert rest == []
    assert sayings(again.document) == sayings(ours)
    assert shape(again.document) == shape(ours)


@every_edition
def test_every_place_has_a_name_of_its_own(edition: Edition) -> None:
    names = places(edition.document)
    assert sorted(names.values()) == sorted(where for where, _ in subschemas(edition.document))


def test_places_go_by_what_a_branch_is() -> None:
    names = {where: place for place, where in places(V2.document).items()}
    assert names["/$defs/SessionUpdate/anyOf/8"] == "/$defs/SessionUpdate/anyOf/tool_call_update"
    assert names["/$defs/ToolCallStatus/anyOf/0"] == "/$defs/ToolCallStatus/anyOf/pending"
    assert (
        names["/$defs/SessionUpdate/anyOf/19/not/anyOf/1"] == "/$defs/SessionUpdate/anyOf/other/not/anyOf/user_message"
    )


# ---------------------------------------------------------------------------------------------------- renames


def with_rename(document: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The shape of a document with a name or value of it replaced, wherever it occurs."""
    renamed: dict[str, Any] = json.loads(json.dumps(shape(document)).replace(f'"{old}"', f'"{new}"'))
    return renamed


@pytest.mark.parametrize(
    ("old", "new", "where", "keyword", "expected"),
    [
        pytest.param(
            "planId",
            "id",
            "/$defs/SessionUpdate/anyOf/11",
            "x-update",
            {"op": "replace", "entity": "plans", "key": "plan.id", "field": "plan", "timeline": "plan"},
            id="the key of a rule, inside another property",
        ),
        pytest.param(
            "summary",
            "summaryContent",
            "/$defs/SessionUpdate/anyOf/18",
            "x-update",
            {
                "op": "append",
                "entity": "compactions",
                "key": "compactionId",
                "field": "summaryContent",
                "timeline": "compaction",
                "from": "content",
            },
            id="the field of another update's payload",
        ),
        pytest.param(
            "data",
            "rawData",
            "/$defs/SessionUpdate/anyOf/9",
            "x-update",
            {"op": "upsert", "entity": "terminals", "key": "terminalId", "bytes": "output.rawData"},
            id="bytes inside a record",
        ),
        pytest.param(
            "tool_call_update",
            "tool_update",
            "/$defs/ToolCallPermissionSubject/properties/toolCall",
            "x-feeds",
            {"update": "tool_update"},
            id="the tag of an update",
        ),
        pytest.param(
            "background",
            "backgroundWork",
            "/$defs/ToolCallUpdate/properties/status",
            "x-cancelled",
            {
                "value": "cancelled",
                "final": ["completed", "failed", "cancelled"],
                "unless_in": "foreground.backgroundWork",
            },
            id="a property of a slot",
        ),
        pytest.param(
            "state",
            "runState",
            "/$defs/NewSessionResponse",
            "x-initial",
            {"foreground": {"runState": "idle"}},
            id="a property of an initial value",
        ),
    ],
)
def test_annotations_follow_renames(old: str, new: str, where: str, keyword: str, expected: Any) -> None:
    grafted = graft(with_rename(V2.document, old, new), V2.document, descriptions=True)
    assert at(grafted.document, where)[keyword] == expected
    assert grafted.leftovers == ()


def test_a_chunk_and_its_entry_may_be_renamed_apart() -> None:
    theirs = shape(V2.document)
    message = theirs["$defs"]["UserMessage"]["properties"]
    message["messageContent"] = message.pop("content")
    rule = graft(theirs, V2.document, descriptions=True).document["$defs"]["SessionUpdate"]["anyOf"][0]["x-update"]
    assert (rule["field"], rule["from"]) == ("messageContent", "content")


def test_values_follow_renames_where_the_title_stays() -> None:
    """An enum value whose title tells that it is the same."""
    ours = copy.deepcopy(V2.document)
    for member in ours["$defs"]["ToolCallStatus"]["anyOf"]:
        member.setdefault("title", str(member.get("const")).title())
    theirs = with_rename(ours, "pending", "waiting")
    status = at(graft(theirs, ours, descriptions=True).document, "/$defs/ToolCallUpdate/properties/status")
    assert status["x-reset"] == "waiting"


# -------------------------------------------------------------------------------------------------- decisions


@every_edition
def test_our_schemas_leave_nothing_to_decide(edition: Edition) -> None:
    assert settle(edition.document).decisions == ()
    assert undescribed(edition.document) == []


@pytest.mark.parametrize("edition", [V1, V2], ids=str)
@settings(FEW, max_examples=FEW.max_examples // 3)
@given(data=st.data())
def test_everything_that_is_missing_is_listed_at_once(edition: Edition, data: st.DataObject) -> None:
    """With the safe answers nothing is left to decide, and no answer was given where nothing was missing."""
    document = copy.deepcopy(edition.document)
    annotated = [(where, kw) for where, schema in subschemas(document) for kw in schema if kw in OUR_KEYWORDS]
    gone = data.draw(st.sets(st.sampled_from(annotated), min_size=1, max_size=8))
    for where, keyword in gone:
        del at(document, where)[keyword]
    settled = settle(document)
    assert settle(settled.document).decisions == ()
    assert shape(settled.document) == shape(document)
    missing = {where for where, keyword in gone if keyword == "x-update"}
    assert missing <= {decision.where for decision in settled.decisions}
    if not gone & {(where, kw) for where, kw in annotated if kw in ("x-update", "x-patch", "x-reset")}:
        assert settled.decisions == ()


def decided(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(decision.where, decision.message, decision.advice) for decision in settle(document).decisions]


def test_a_missing_rule() -> None:
    document = copy.deepcopy(V2.document)
    del at(document, "/$defs/SessionUpdate/anyOf/16")["x-update"]
    assert decided(document) == [
        (
            "/$defs/SessionUpdate/anyOf/16",
            'the update "notice" has no rule',
            'add "x-update": {"op": "event"}, which delivers it and stores nothing, or another rule',
        )
    ]


@pytest.mark.parametrize(
    ("edition", "property_", "patch"),
    [
        pytest.param(V2, "ToolCallUpdate/properties/name", "replace", id="as its neighbours do"),
        pytest.param(V2, "ToolCallUpdate/properties/_meta", "merge", id="as its namesakes do"),
        pytest.param(V1, "ToolCallUpdate/properties/name", "keep", id="as its neighbours do in v1"),
    ],
)
def test_a_field_that_nobody_has_decided(edition: Edition, property_: str, patch: str) -> None:
    document = copy.deepcopy(edition.document)
    del at(document, f"/$defs/{property_}")["x-patch"]
    name = property_.rpartition("/")[2]
    assert decided(document) == [
        (
            f"/$defs/{property_}",
            f'what null does to "{name}" of the update "tool_call_update" is not decided',
            f'add "x-patch": "{patch}", or "merge", "keep", "latest", or "none" if it is not stored',
        )
    ]


def test_a_new_field_that_cannot_be_null_is_kept() -> None:
    document = copy.deepcopy(V2.document)
    document["$defs"]["ToolCallUpdate"]["properties"]["effort"] = {"type": "integer"}
    (decision,) = settle(document).decisions
    assert (decision.where, decision.answer) == ("/$defs/ToolCallUpdate/properties/effort", "keep")
    assert decision.message == 'what null does to "effort" of the update "tool_call_update" is not decided'


def test_a_new_field_that_the_whole_entry_does_not_carry_is_not_stored() -> None:
    document = copy.deepcopy(V1.document)
    document["$defs"]["ToolCallUpdate"]["properties"]["effort"] = {"type": ["integer", "null"]}
    (decision,) = settle(document).decisions
    assert (decision.where, decision.answer) == ("/$defs/ToolCallUpdate/properties/effort", "none")


def test_what_hangs_on_a_rule_goes_with_it() -> None:
    """Without the update that upserts tool calls: its chunks, its fields, and the request that feeds it."""
    document = copy.deepcopy(V2.document)
    del at(document, "/$defs/SessionUpdate/anyOf/8")["x-update"]
    answers = {(decision.where, decision.keyword): decision.answer for decision in settle(document).decisions}
    assert answers["/$defs/SessionUpdate/anyOf/8", "x-update"] == {"op": "event"}
    assert answers["/$defs/SessionUpdate/anyOf/7/x-update/entity", "x-update"] == {"op": "event"}
    assert answers["/$defs/ToolCallUpdate/properties/title/x-patch", "x-patch"] is None
    assert answers["/$defs/ToolCallUpdate/properties/status/x-cancelled", "x-cancelled"] is None


def test_a_value_that_the_schema_has_no_more() -> None:
    document = copy.deepcopy(V1.document)
    document["$defs"]["ToolKind"]["oneOf"] = document["$defs"]["ToolKind"]["oneOf"][:3]
    where, message, advice = decided(document)[0]
    assert (where, message) == (
        "/$defs/ToolCallUpdate/properties/kind/x-reset",
        '"other" is not a value of the property',
    )
    assert advice == 'use a value of the property\'s type, or remove "x-reset"'


def test_a_slot_that_is_no_more() -> None:
    document = copy.deepcopy(V2.document)
    at(document, "/$defs/SessionUpdate/anyOf/6")["x-update"] = {"op": "event"}
    assert [(where, message) for where, message, _ in decided(document)] == [
        ("/$defs/NewSessionResponse/x-initial", 'there is no slot "foreground"'),
        ("/$defs/ToolCallUpdate/properties/status/x-cancelled/unless_in", 'there is no slot "foreground"'),
    ]


def test_a_mistake_in_the_shape_is_no_decision() -> None:
    document = copy.deepcopy(V2.document)
    document["$defs"]["ToolKind"] = {"type": "null"}
    with pytest.raises(CodegenError, match="always null"):
        settle(document)
