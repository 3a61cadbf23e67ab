"""Drift in detail: what leniency softens, what is told apart, who is named, and what is no change at all."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from acp_codegen.drift.catalogue.rule import Rule
from acp_codegen.drift.compare import compare
from acp_codegen.drift.model import Category, Change, Severity
from acp_codegen.drift.rules import GROUPS, RULES
from acp_codegen.errors import CodegenError
from support.drift import drift_of, loaded, protocol

BREAKS, LOSES, SAFE = Severity.BREAKS, Severity.LOSES, Severity.SAFE
STRING = {"type": "string"}
INTEGER = {"type": "integer"}


def note(properties: dict[str, Any], *required: str, **definitions: Any) -> dict[str, Any]:
    body = {"type": "object", "properties": properties, "required": list(required)}
    return {"Note": body, **definitions}


def found(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, str, Severity, Severity]]:
    """What the report says, sentences aside."""
    return [(c.rule, c.subject, c.old_reader, c.new_reader) for c in drift_of(old, new).changes]


def only(old: dict[str, Any], new: dict[str, Any]) -> Change:
    (change,) = drift_of(old, new).changes
    return change


# ---------------------------------------------------------------------------------------- the samples of the catalogue

ON_THE_WIRE = [
    rule
    for group in ("Definitions", "Fields", "Types and constraints", "Enums", "Unions")
    for rule in GROUPS[group]
    if rule.sample
]
NO_MATTER_OF_VALIDITY = {"default-added", "default-changed", "default-removed", "leniency-added", "leniency-removed"}


@pytest.mark.parametrize("rule", ON_THE_WIRE, ids=lambda rule: rule.id)
def test_a_validator_agrees_about_the_sample(rule: Rule) -> None:
    """A version that is safe takes the sample; of versions that break, one does not."""
    sample = json.loads(rule.sample)
    takes = [
        jsonschema_rs.is_valid({"$ref": "#/$defs/Note", "$defs": protocol(fragment)["$defs"]}, sample)
        for fragment in (rule.old, rule.new)
    ]
    severities = (rule.old_reader, rule.new_reader)
    if rule.id.startswith("leniency"):
        assert takes == [False, False]  # malformed in both: what differs is who passes over it
    elif rule.id in NO_MATTER_OF_VALIDITY or BREAKS not in severities:
        assert takes == [True, True]
    elif severities == (BREAKS, BREAKS):
        assert takes == [True, False]
    else:
        assert takes == [severity is SAFE for severity in severities]


# ---------------------------------------------------------------------------------------------------------- leniency

LENIENT = "x-deserialize-default-on-error"
SKIP = "x-deserialize-skip-invalid-items"
EMPTY = "x-deserialize-default-on-null"


def test_a_lenient_reader_loses_instead_of_breaking() -> None:
    old, new = note({"size": {**INTEGER, LENIENT: True}}), note({"size": {**STRING, LENIENT: True}})
    assert found(old, new) == [("type-changed", "Note.size", LOSES, LOSES)]


def test_only_the_lenient_side_is_softened() -> None:
    old, new = note({"size": {**INTEGER, LENIENT: True}}), note({"size": STRING})
    assert found(old, new) == [
        ("type-changed", "Note.size", LOSES, BREAKS),
        ("leniency-removed", "Note.size", SAFE, LOSES),
    ]


def test_skipped_items_are_lost_and_a_whole_list_is_not() -> None:
    old = note({"labels": {"type": "array", "items": STRING, SKIP: True}})
    items = note({"labels": {"type": "array", "items": INTEGER, SKIP: True}})
    length = note({"labels": {"type": "array", "items": STRING, "minItems": 1, SKIP: True}})
    assert found(old, items) == [("type-changed", "Note.labels", LOSES, LOSES)]
    assert found(old, length) == [("constraint-tightened", "Note.labels", SAFE, BREAKS)]


def test_null_that_is_read_as_empty_is_lost() -> None:
    plain = {"type": "array", "items": STRING}
    old, new = note({"labels": {**plain, EMPTY: True}}), note({"labels": {**plain, "type": ["array", "null"]}})
    changes = {change.rule: change for change in drift_of(old, new).changes}
    assert set(changes) == {"field-became-nullable"}
    assert (changes["field-became-nullable"].old_reader, changes["field-became-nullable"].new_reader) == (LOSES, SAFE)


def test_a_keyword_that_changes_nothing_is_no_loss() -> None:
    """With default-on-error, null is read as the empty list already."""
    plain = {"type": "array", "items": STRING, LENIENT: True}
    assert found(note({"labels": plain}), note({"labels": {**plain, EMPTY: True}})) == [
        ("schema-rewritten", "Note", SAFE, SAFE)
    ]


def test_what_stands_only_where_it_is_passed_over_is_lost() -> None:
    """A closed enum gets a value; whether old readers break depends on all the places that hold it."""
    colour = {"type": "string", "enum": ["red"]}
    more = {"type": "string", "enum": ["red", "blue"]}
    reference: dict[str, Any] = {"$ref": "#/$defs/Colour"}
    lenient = {"colour": {**reference, LENIENT: True}}
    strict = {**lenient, "background": reference}
    assert found(note(lenient, Colour=colour), note(lenient, Colour=more)) == [
        ("enum-value-added-closed", "Colour: blue", LOSES, SAFE)
    ]
    assert found(note(strict, Colour=colour), note(strict, Colour=more)) == [
        ("enum-value-added-closed", "Colour: blue", BREAKS, SAFE)
    ]
    assert only(note(lenient, Colour=colour), note(lenient, Colour=more)).message == (
        '"blue" is new: an old agent passes over the part that holds it.'
    )


def test_keywords_that_go_together_are_one_change() -> None:
    plain = {"type": "array", "items": STRING}
    change = only(note({"labels": plain}), note({"labels": {**plain, LENIENT: True, SKIP: True, EMPTY: True}}))
    assert (change.rule, change.subject, change.old_reader) == ("leniency-added", "Note.labels", LOSES)
    assert change.message == (
        'In "labels", a malformed value or a malformed item or a null is passed over now '
        "(default-on-error, skip-invalid-items, default-on-null): "
        "an old agent refuses the whole message of a new client that sends one."
    )


def test_a_list_that_is_lost_as_a_whole_instead_of_its_items() -> None:
    plain = {"type": "array", "items": STRING, LENIENT: True}
    assert only(note({"labels": {**plain, SKIP: True}}), note({"labels": plain})).message == (
        'In "labels", a malformed item is no longer passed over (skip-invalid-items): '
        "a new agent reads the whole field as absent or empty where an old client sends one."
    )


# ------------------------------------------------------------------------------------------------------------ types


def test_a_reference_to_another_object_is_judged_by_what_both_hold() -> None:
    """The two definitions stay as they are; only the field refers to the other one."""
    optional = {"type": "object", "properties": {"x": INTEGER}}
    required = {**optional, "required": ["x"]}
    both = {"Loose": optional, "Strict": required}
    old, new = note({"a": {"$ref": "#/$defs/Loose"}}, **both), note({"a": {"$ref": "#/$defs/Strict"}}, **both)
    assert found(old, new) == [("type-narrowed", "Note.a", SAFE, BREAKS)]
    assert found(new, old) == [("type-widened", "Note.a", BREAKS, SAFE)]


def test_null_that_a_definition_allows_is_null_that_the_field_allows() -> None:
    named = {"anyOf": [INTEGER, {"type": "null"}]}
    old = note({"a": {"$ref": "#/$defs/Size"}}, Size=named)
    assert found(old, note({"a": {"type": ["integer", "null"]}}, Size=named)) == [
        ("type-respelled", "Note.a", SAFE, SAFE)
    ]


def test_a_closed_enum_that_was_opened_refuses_its_new_values_before() -> None:
    opened = {"anyOf": [{"const": "a"}, {"const": "b"}, {"title": "Other", "type": "string"}]}
    assert found({"Note": {"type": "string", "enum": ["a"]}}, {"Note": opened}) == [
        ("enum-opened", "Note", BREAKS, SAFE),
        ("enum-value-added-closed", "Note: b", BREAKS, SAFE),
    ]


# --------------------------------------------------------------------------------------------------------- defaults


def test_a_default_that_goes_because_the_field_is_required_now_is_no_change_of_its_own() -> None:
    old, new = note({"size": {**INTEGER, "default": 1}}), note({"size": INTEGER}, "size")
    assert found(old, new) == [("field-became-required", "Note.size", SAFE, BREAKS)]
    assert found(new, old) == [("field-became-optional", "Note.size", BREAKS, SAFE)]


def test_a_default_that_comes_to_the_same_is_no_other_default() -> None:
    """What is left out of it has a default of its own."""
    flag = {"type": "boolean", "default": False}

    def holder(default: dict[str, bool], **flags: Any) -> dict[str, Any]:
        can = {"type": "object", "properties": flags}
        return note({"can": {"allOf": [{"$ref": "#/$defs/Can"}], "default": default}}, Can=can)

    old = holder({"read": False}, read=flag)
    assert found(old, holder({"read": False, "write": False}, read=flag, write=flag)) == [
        ("field-added-optional", "Can.write", SAFE, SAFE),
        ("schema-rewritten", "Note", SAFE, SAFE),
    ]
    assert found(old, holder({"read": True}, read=flag)) == [("default-changed", "Note.can", BREAKS, BREAKS)]


# ---------------------------------------------------------------------------------------------------------- renames


def test_a_rename_and_what_changed_with_it() -> None:
    assert found(note({"id": STRING}), note({"noteId": STRING}, "noteId")) == [
        ("field-renamed-required", "Note.noteId", LOSES, BREAKS),
        ("field-became-required", "Note.noteId", SAFE, BREAKS),
    ]


def test_a_renamed_definition_is_compared_with_its_old_self() -> None:
    properties = {name: STRING for name in ("text", "colour", "shape")}
    label = {"type": "object", "properties": properties, "required": ["text"]}
    more = {"type": "object", "properties": {**properties, "size": INTEGER}, "required": ["text", "size"]}
    old = note({"label": {"$ref": "#/$defs/NoteLabel"}}, NoteLabel=label)
    new = note({"label": {"$ref": "#/$defs/Label"}}, Label=more)
    assert found(old, new) == [
        ("field-added-required", "Label.size", SAFE, BREAKS),
        ("definition-renamed", "Label", SAFE, SAFE),
    ]


# ------------------------------------------------------------------------------------------------- one change, one place


def test_a_changed_definition_is_reported_once_however_often_it_is_used() -> None:
    reference = {"$ref": "#/$defs/Size"}
    fields = {name: reference for name in ("width", "height", "depth")}
    assert found(note(fields, Size=INTEGER), note(fields, Size={"type": "number"})) == [
        ("type-widened", "Size", BREAKS, SAFE)
    ]


def test_a_property_that_all_variants_share_is_reported_once() -> None:
    def union(wire: str) -> dict[str, Any]:
        variants = [
            {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]}
            for kind in ("a", "b", "c")
        ]
        return {"Note": {"type": "object", "properties": {wire: STRING}, "required": [wire], "oneOf": variants}}

    assert found(union("id"), union("noteId")) == [("field-renamed-required", "Note.noteId", BREAKS, BREAKS)]


def test_what_two_contexts_weigh_differently_is_reported_once_with_the_graver_weight() -> None:
    """A label is included in a variant, which breaks, and stands in a lenient field, which only loses."""

    def protocol_with(size: dict[str, Any]) -> dict[str, Any]:
        including = {
            "type": "object",
            "properties": {"kind": {"const": "a"}, "more": STRING},
            "required": ["kind"],
            "allOf": [{"$ref": "#/$defs/Label"}],
        }
        lenient = {"kind": {"const": "b"}, "label": {"$ref": "#/$defs/Label", LENIENT: True}}
        holding = {"type": "object", "properties": lenient, "required": ["kind"]}
        label = {"type": "object", "properties": {"size": size}}
        return {"Note": {"oneOf": [including, holding]}, "Label": label}

    assert found(protocol_with(INTEGER), protocol_with(STRING)) == [("type-changed", "Label.size", BREAKS, BREAKS)]


def test_a_variant_that_only_includes_alternatives_leaves_their_changes_to_them() -> None:
    def protocol_with(keyword: str) -> dict[str, Any]:
        members = [
            {"title": name, "type": "object", "properties": {name.lower(): STRING}, "required": [name.lower()]}
            for name in ("Short", "Long")
        ]
        variants = [
            {
                "type": "object",
                "properties": {"kind": {"const": "a"}, "more": STRING},
                "required": ["kind"],
                "allOf": [{"$ref": "#/$defs/Wording"}],
            },
            variant("b"),
        ]
        return {"Note": {"oneOf": variants}, "Wording": {"type": "object", "properties": {}, keyword: members}}

    assert found(protocol_with("anyOf"), protocol_with("oneOf")) == [("type-narrowed", "Wording", SAFE, BREAKS)]


def test_inline_variants_are_compared_as_part_of_their_union() -> None:
    def union(size: dict[str, Any], keyword: str) -> dict[str, Any]:
        variant = {"type": "object", "properties": {"kind": {"const": "a"}, "size": size}, "required": ["kind"]}
        other = {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}
        return {"Note": {keyword: [variant, other]}}

    assert found(union(INTEGER, "oneOf"), union(STRING, "anyOf")) == [("type-changed", "Note: a.size", BREAKS, BREAKS)]


def test_an_inline_object_is_compared_inside() -> None:
    def holder(*required: str) -> dict[str, Any]:
        return note(
            {"place": {"type": "object", "properties": {"x": INTEGER, "y": INTEGER}, "required": list(required)}}
        )

    assert found(holder("x"), holder("x", "y")) == [("field-became-required", "Note.place.y", SAFE, BREAKS)]


def test_an_object_that_became_a_union_is_compared_at_the_top() -> None:
    old = note({"id": STRING, "text": STRING}, "id")
    variant = {"type": "object", "properties": {"kind": {"const": "text"}, "text": STRING}, "required": ["kind"]}
    new = {"Note": {"type": "object", "properties": {"noteId": STRING}, "required": ["noteId"], "oneOf": [variant]}}
    assert found(old, new) == [
        ("kind-changed", "Note", BREAKS, BREAKS),
        ("field-renamed-required", "Note.noteId", BREAKS, BREAKS),
    ]


# ----------------------------------------------------------------------------------------------- open unions, in detail


def catching(*variants: dict[str, Any], demands: tuple[str, ...] = (), besides: tuple[str, ...] = ()) -> dict[str, Any]:
    """An open union whose catch-all demands some strings and leaves out some tags besides those it knows."""
    tags = [variant["properties"]["kind"]["const"] for variant in variants]
    excluded = [{"properties": {"kind": {"const": tag}}, "required": ["kind"]} for tag in (*tags, *besides)]
    rest = {
        "type": "object",
        "properties": {"kind": STRING, **{name: STRING for name in demands}},
        "required": ["kind", *demands],
        "not": {"anyOf": excluded},
    }
    return {"Note": {"anyOf": [*variants, rest]}}


def variant(tag: str, *fields: str) -> dict[str, Any]:
    properties = {"kind": {"const": tag}, **{name: STRING for name in fields}}
    return {"type": "object", "properties": properties, "required": ["kind", *fields]}


def test_an_open_union_refuses_a_variant_that_lacks_what_its_catch_all_demands() -> None:
    old = catching(variant("a", "id"), demands=("id",))
    assert found(old, catching(variant("a", "id"), variant("b", "id"), demands=("id",))) == [
        ("variant-added-open", "Note: b", SAFE, SAFE)
    ]
    assert found(old, catching(variant("a", "id"), variant("b"), demands=("id",))) == [
        ("variant-added-closed", "Note: b", BREAKS, SAFE)
    ]


def test_an_open_union_refuses_a_tag_that_its_catch_all_excludes() -> None:
    assert found(catching(variant("a"), besides=("b",)), catching(variant("a"), variant("b"))) == [
        ("variant-added-closed", "Note: b", BREAKS, SAFE)
    ]
    assert found(catching(variant("a")), catching(variant("a"), besides=("b",))) == [
        ("catch-all-tightened", "Note: object", SAFE, BREAKS)
    ]


def test_a_member_without_a_tag_that_got_a_definition_is_neither_gone_nor_new() -> None:
    plain = {"title": "Plain", "type": "object", "properties": {"size": INTEGER}, "required": ["size"]}
    old = {"Note": {"anyOf": [variant("a"), plain]}}
    new = {"Note": {"anyOf": [variant("a"), {"$ref": "#/$defs/NotePlain"}]}, "NotePlain": plain}
    assert [rule for rule, *_ in found(old, new)] == ["definition-added", "schema-rewritten"]


# --------------------------------------------------------------------------------------------------- who is concerned


def test_the_sentence_names_the_side_that_reads() -> None:
    answer = {
        "type": "object",
        "properties": {"note": {"$ref": "#/$defs/Note"}},
        "x-method": "note/add",
        "x-side": "agent",
    }
    strict = note({"text": STRING}, "text")
    assert only(note({"text": STRING}), strict).message == (
        '"text" became required: a new agent refuses what an old client writes without it.'
    )
    both = {"AddNoteResponse": answer}
    assert only({**note({"text": STRING}), **both}, {**strict, **both}).message == (
        '"text" became required: a new peer refuses what an old peer writes without it.'
    )


def test_a_method_of_either_side_is_reported_once() -> None:
    messages = {
        name: {"type": "object", "properties": {}, "x-method": "note/ping", "x-side": side}
        for name, side in (("PingAgentNotification", "agent"), ("PingClientNotification", "client"))
    }
    changes = [change for change in drift_of({}, messages).changes if change.subject == "note/ping"]
    assert [change.message for change in changes] == [
        "The notification note/ping to either side is new: an old peer ignores it."
    ]


def test_two_kinds_of_messages_that_look_alike_stay_two() -> None:
    branches = protocol({})["anyOf"]
    twins = [{**branches[0], "title": title} for title in ("Agent", "Proxy")]
    assert found({"": {"anyOf": twins}}, {"": {"anyOf": twins}}) == []
    assert found({"": {"anyOf": twins[:1]}}, {"": {"anyOf": twins}}) == [("envelope-added", "Proxy", LOSES, SAFE)]
    assert found({"": {"anyOf": twins}}, {"": {"anyOf": twins[::-1]}}) == []
    others = [{**twin, "title": f"From{twin['title']}"} for twin in twins]
    assert found({"": {"anyOf": twins}}, {"": {"anyOf": others}}) == [("title-changed", "message", SAFE, SAFE)]


def test_messages_of_a_kind_are_told_by_what_they_are_and_not_by_their_title() -> None:
    branches = protocol({})["anyOf"]
    renamed = [{**branch, "title": f"From{branch['title']}"} for branch in branches]
    assert found({}, {"": {"anyOf": renamed}}) == [("title-changed", "message", SAFE, SAFE)]
    required = [{**branch, "required": []} for branch in branches]
    assert [row[:2] for row in found({}, {"": {"anyOf": required}})] == [
        ("envelope-changed", "Agent"),
        ("envelope-changed", "Client"),
    ]


# ------------------------------------------------------------------------------------------------------- no change


def test_order_is_no_change() -> None:
    old = {"Note": {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["a", "b"]}}
    new = {"Note": {"required": ["b", "a"], "properties": {"b": STRING, "a": STRING}, "type": "object"}}
    assert found(old, new) == []


def test_allof_around_a_single_reference_is_no_change() -> None:
    reference = {"$ref": "#/$defs/Wording"}
    assert found(note({"a": reference}, Wording=STRING), note({"a": {"allOf": [reference]}}, Wording=STRING)) == []


def test_annotations_count_only_where_both_schemas_have_them() -> None:
    plain, patched = {"type": ["integer", "null"]}, {"type": ["integer", "null"], "x-patch": "replace"}
    assert found(note({"size": plain}), note({"size": patched})) == []
    assert found(note({"size": patched}), note({"size": plain})) == []
    other = {"type": ["string", "null"], "x-patch": "keep"}
    assert found(note({"size": plain, "text": other}), note({"size": patched, "text": other})) == [
        ("patch-added", "Note.size", SAFE, SAFE)
    ]


def test_shapes_only_leaves_descriptions_and_annotations_aside() -> None:
    old = note({"size": {"type": ["integer", "null"], "description": "How much.", "x-patch": "keep"}})
    new = note({"size": {"type": ["integer", "null"], "description": "How many.", "x-patch": "replace"}})
    assert [change.rule for change in drift_of(old, new).changes] == ["patch-rule-changed", "description-changed"]
    assert compare(loaded(protocol(old)), loaded(protocol(new)), shapes_only=True).changes == ()


# ----------------------------------------------------------------------------------------------------------- errors


def refused(old: dict[str, Any], new: dict[str, Any]) -> CodegenError:
    with pytest.raises(CodegenError) as caught:
        compare(loaded(old, "old.json"), loaded(new, "new.json"))
    return caught.value


def test_a_schema_of_another_protocol_is_refused() -> None:
    error = refused(protocol({}), {"$defs": {"Pet": {"type": "object", "properties": {}}}})
    assert error.message == "not a schema of this protocol: no definition belongs to a method"
    assert error.where == "new.json"


def test_a_schema_that_no_bindings_can_be_made_of_is_an_error_and_not_the_absence_of_changes() -> None:
    broken = protocol({"Note": {"type": "object", "properties": {"a": {"type": "integer", SKIP: True}}}})
    for error in (refused(protocol({}), broken), refused(broken, broken)):
        assert error.message == f'"{SKIP}" on something that is not an array'
        assert error.where.endswith(".json#/$defs/Note/properties/a")


def test_changes_come_gravest_first_then_in_the_order_of_the_schema() -> None:
    old = note({"a": INTEGER, "b": INTEGER}, Last=INTEGER)
    new = note({"a": STRING, "b": INTEGER, "c": INTEGER}, Last=STRING, Label=STRING)
    report = drift_of(old, new)
    assert [(change.category.value, change.subject) for change in report.changes] == [
        ("wire", "Note.a"),
        ("wire", "Last"),
        ("source", "Note.c"),
        ("source", "Label"),
    ]
    assert report.counts() == {"wire": 2, "source": 2, "docs": 0}
    assert set(RULES) >= {change.rule for change in report.changes}
