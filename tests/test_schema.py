"""Our schema: inside its vocabulary, of the published shape, annotated completely, and in our own words."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from acp_codegen.errors import CodegenError
from acp_codegen.lock import fingerprint, fingerprints, shape
from acp_codegen.vocabulary import check_vocabulary

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT.parent / "shared" / "upstream" / "v2" / "schema.json"


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


SCHEMA: dict[str, Any] = read(ROOT / "schema" / "v2" / "schema.json")
DEFINITIONS: dict[str, Any] = SCHEMA["$defs"]
VOCABULARY: dict[str, Any] = read(ROOT / "schema" / "vocabulary.json")
LOCK: dict[str, Any] = read(ROOT / "schema" / "upstream.lock.json")["editions"]["v2"]


def published() -> dict[str, Any]:
    if not PUBLISHED.exists():
        pytest.skip("../shared is not here: no published schema to compare with")
    schema: dict[str, Any] = read(PUBLISHED)
    return schema


# ------------------------------------------------------------------------------------------------ vocabulary


def rejected_at(document: Any) -> str | None:
    """Where our own small validator finds the first mistake, or None."""
    try:
        check_vocabulary(document, VOCABULARY)
    except CodegenError as error:
        return error.where
    return None


ORACLE = jsonschema_rs.Draft202012Validator(VOCABULARY)


def test_the_vocabulary_is_a_schema() -> None:
    assert VOCABULARY["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(VOCABULARY)


def test_the_schema_stays_inside_the_vocabulary() -> None:
    assert [error.message for error in ORACLE.iter_errors(SCHEMA)] == []
    assert rejected_at(SCHEMA) is None


def test_the_schema_is_a_schema_itself() -> None:
    assert jsonschema_rs.meta.is_valid(SCHEMA)
    for name in DEFINITIONS:
        jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS})


UPSERT = {"op": "upsert", "entity": "tool_calls", "key": "toolCallId"}
GOOD: dict[str, Any] = {
    "nothing": {},
    "a record": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    "several types": {"type": ["string", "null"]},
    "a property named like a keyword": {"properties": {"x-nonsense": {}, "minItems": {"type": "string"}}},
    "a definition named like a keyword": {"$defs": {"type": {"type": "string"}}},
    "bounds": {"minimum": -1.5, "maximum": 3, "minLength": 0, "maxItems": 7},
    "any default": {"default": {"a": [None, 1]}},
    "open objects": {"additionalProperties": True, "unevaluatedProperties": True},
    "a map": {"additionalProperties": {"type": "integer"}},
    "consts": {"anyOf": [{"const": "a"}, {"const": 1}, {"const": True}]},
    "an upsert": {"x-update": UPSERT},
    "an event": {"x-update": {"op": "event"}},
    "a nested key": {"x-update": {"op": "replace", "entity": "plans", "key": "plan.planId", "field": "plan"}},
    "a patch": {"x-patch": "merge", "x-reset": []},
}
# What is wrong, and the pointer to it.
BROKEN: dict[str, tuple[Any, str]] = {
    "no object": ([], ""),
    "null": (None, ""),
    "unknown keyword": ({"minProperties": 1}, "/minProperties"),
    "unknown annotation": ({"x-patched": "replace"}, "/x-patched"),
    "unknown keyword deep inside": (
        {"$defs": {"A": {"properties": {"b/c": {"items": {"nullable": True}}}}}},
        "/$defs/A/properties/b~1c/items/nullable",
    ),
    "unknown type": ({"type": "str"}, "/type"),
    "no types": ({"type": []}, "/type"),
    "a bad type in a list": ({"type": ["string", "any"]}, "/type/1"),
    "a property that is no schema": ({"properties": {"a": "string"}}, "/properties/a"),
    "properties as a list": ({"properties": []}, "/properties"),
    "required as a string": ({"required": "a"}, "/required"),
    "a required name that is none": ({"required": [1]}, "/required/0"),
    "closed objects": ({"additionalProperties": False}, "/additionalProperties"),
    "closed evaluation": ({"unevaluatedProperties": False}, "/unevaluatedProperties"),
    "no alternatives": ({"anyOf": []}, "/anyOf"),
    "an alternative that is no schema": ({"oneOf": [{}, 1]}, "/oneOf/1"),
    "a negation that is no schema": ({"not": True}, "/not"),
    "a const that is null": ({"const": None}, "/const"),
    "a const that is a list": ({"const": []}, "/const"),
    "no values": ({"enum": []}, "/enum"),
    "a boolean among the values": ({"enum": ["a", True]}, "/enum/1"),
    "a negative length": ({"minLength": -1}, "/minLength"),
    "a boolean for a count": ({"minItems": True}, "/minItems"),
    "a string for a bound": ({"minimum": "1"}, "/minimum"),
    "half a count": ({"maxItems": 1.5}, "/maxItems"),
    "title is no text": ({"title": 1}, "/title"),
    "leniency switched off": ({"x-deserialize-default-on-error": False}, "/x-deserialize-default-on-error"),
    "leniency as a number": ({"x-deserialize-skip-invalid-items": 1}, "/x-deserialize-skip-invalid-items"),
    "an unknown patch": ({"x-patch": "append"}, "/x-patch"),
    "a patch switched on": ({"x-patch": True}, "/x-patch"),
    "an unknown side": ({"x-side": "server"}, "/x-side"),
    "an update without an operation": ({"x-update": {"entity": "plans"}}, "/x-update"),
    "an unknown operation": ({"x-update": {**UPSERT, "op": "delete"}}, "/x-update/op"),
    "an upsert without a key": ({"x-update": {"op": "upsert", "entity": "plans"}}, "/x-update"),
    "a misspelt entity": ({"x-update": {**UPSERT, "entity": "Tool Calls"}}, "/x-update/entity"),
    "an unknown member of an update": ({"x-update": {**UPSERT, "keys": "a"}}, "/x-update/keys"),
    "an event with an entity": ({"x-update": {"op": "event", "entity": "plans"}}, "/x-update/entity"),
    "a key of two lines": ({"x-update": {**UPSERT, "key": "toolCallId\n"}}, "/x-update/key"),
    "a discriminator without a name": ({"discriminator": {}}, "/discriminator"),
}


@pytest.mark.parametrize("document", GOOD.values(), ids=GOOD)
def test_good_schemas_pass_both_validators(document: Any) -> None:
    assert ORACLE.is_valid(document)
    assert rejected_at(document) is None


@pytest.mark.parametrize(("document", "place"), BROKEN.values(), ids=BROKEN)
def test_broken_schemas_pass_neither_and_the_place_is_named(document: Any, place: str) -> None:
    assert not ORACLE.is_valid(document)
    assert rejected_at(document) == place


@pytest.mark.parametrize("place", ["", "/$defs/ToolCallUpdate", "/$defs/ToolCallUpdate/properties/title"])
def test_a_mistake_in_the_real_schema_is_found(place: str) -> None:
    broken = copy.deepcopy(SCHEMA)
    at(broken, place)["x-pach"] = "replace"
    assert not ORACLE.is_valid(broken)
    with pytest.raises(CodegenError) as caught:
        check_vocabulary(broken, VOCABULARY)
    assert caught.value.where == f"{place}/x-pach"
    assert caught.value.message == 'unknown annotation "x-pach"'
    assert caught.value.hint == 'did you mean "x-patch"?'


def at(document: Any, place: str) -> Any:
    for token in place.split("/")[1:]:
        document = document[int(token) if isinstance(document, list) else token]
    return document


def places(value: Any, below: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield (*below, key)
        yield from places(member, (*below, key))


STRANGE = [None, True, False, 0, 1, -1, 2.5, "", "string", "replace", [], {}, ["string"], {"type": "string"}, {"a": 1}]


@pytest.mark.parametrize("name", DEFINITIONS)
def test_both_validators_agree_on_damaged_definitions(name: str) -> None:
    """Values exchanged, keys renamed and members removed at random places (the same ones each time)."""
    chance = random.Random(name)
    paths = list(places(DEFINITIONS[name]))
    for _ in range(25 if paths else 0):
        damaged = copy.deepcopy(DEFINITIONS[name])
        *above, last = chance.choice(paths)
        holder = damaged
        for key in above:
            holder = holder[key]
        harm = chance.choice(["exchange", "exchange", "remove", "add"])
        if harm == "exchange":
            holder[last] = chance.choice(STRANGE)
        elif harm == "remove":
            del holder[last]
        elif isinstance(holder, dict):
            holder[chance.choice(["type", "x-new", "const", "anyOf", "x-update"])] = chance.choice(STRANGE)
        assert (rejected_at(damaged) is None) == ORACLE.is_valid(damaged), damaged


# ------------------------------------------------------------------------------------------------ the published shape


def test_our_shape_has_the_locked_fingerprints() -> None:
    assert fingerprints(SCHEMA) == LOCK["definitions"]
    assert len(LOCK["definitions"]) == 198, "197 definitions and the root"


def test_the_lock_names_what_it_locks() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", LOCK["sha256"])
    assert "2.4.0" in LOCK["published"]


def test_the_locked_file_is_the_published_one() -> None:
    schema = published()
    assert hashlib.sha256(PUBLISHED.read_bytes()).hexdigest() == LOCK["sha256"]
    assert fingerprints(schema) == LOCK["definitions"]


def test_our_shape_is_the_published_one() -> None:
    schema = published()
    assert list(shape(SCHEMA)["$defs"]) == list(shape(schema)["$defs"])
    assert shape(SCHEMA) == shape(schema)


OUR_KEYWORDS = {"x-cancelled", "x-expected", "x-feeds", "x-initial", "x-patch", "x-reset", "x-update"}


def leaves(schema: dict[str, Any], below: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Every innermost value of a schema, and whether it is part of its shape."""
    for keyword, value in schema.items():
        path = (*below, keyword)
        if keyword == "description" or keyword in OUR_KEYWORDS:
            yield path, False
        elif keyword in ("properties", "$defs"):
            for name, member in value.items():
                yield from leaves(member, (*path, name))
        elif keyword in ("anyOf", "oneOf", "allOf"):
            for index, member in enumerate(value):
                yield from leaves(member, (*path, index))
        elif keyword in ("items", "not", "additionalProperties") and isinstance(value, dict):
            yield from leaves(value, path)
        elif isinstance(value, list):
            yield from (((*path, index), True) for index in range(len(value)))
        else:
            yield path, True


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value + "!"
    return value + 1 if isinstance(value, (int, float)) else [value]


def with_change(schema: Any, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    copied = copy.deepcopy(schema)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return copied


def exchange(holder: Any, key: Any) -> None:
    holder[key] = changed(holder[key])


def remove(holder: Any, key: Any) -> None:
    del holder[key]


@pytest.mark.parametrize("name", DEFINITIONS)
def test_any_one_thing_changes_the_fingerprint_and_our_words_do_not(name: str) -> None:
    locked = LOCK["definitions"][name]
    found = list(leaves(DEFINITIONS[name]))
    for path, is_shape in found:
        for change in (exchange, remove):
            same = fingerprint(with_change(DEFINITIONS[name], path, change)) == locked
            assert same is not is_shape, (path, change.__name__)
    assert any(not is_shape for _, is_shape in found), "every definition has a description"


@pytest.mark.parametrize(
    ("name", "path", "change"),
    [
        ("ToolCallUpdate", ("required", 0), remove),
        ("ToolCallUpdate", ("required",), remove),
        ("ToolCallUpdate", ("properties", "title"), remove),
        ("ToolCallUpdate", ("properties", "title", "type"), exchange),
        ("ToolCallUpdate", ("properties", "title", "x-deserialize-default-on-error"), remove),
        ("Command", ("properties", "description"), remove),
        ("ContentBlock", ("anyOf", 0, "properties", "type", "const"), exchange),
        ("ToolKind", ("anyOf", 10, "title"), exchange),
        ("PromptRequest", ("properties", "prompt", "minItems"), exchange),
        ("PromptRequest", ("x-method",), exchange),
        ("InitializeRequest", ("properties", "capabilities", "default"), exchange),
        ("RequestId", ("anyOf", 0), remove),
    ],
)
def test_a_change_moves_the_fingerprint_of_its_definition_alone(name: str, path: Any, change: Any) -> None:
    document = with_change(SCHEMA, ("$defs", name, *path), change)
    moved = {key for key, value in fingerprints(document).items() if value != LOCK["definitions"].get(key)}
    assert moved == {name}


def test_the_root_has_a_fingerprint_of_its_own() -> None:
    document = with_change(SCHEMA, ("anyOf", 0, "properties", "jsonrpc", "enum", 0), exchange)
    moved = {key for key, value in fingerprints(document).items() if value != LOCK["definitions"][key]}
    assert moved == {""}


def test_a_definition_more_or_less_shows() -> None:
    more = copy.deepcopy(SCHEMA)
    more["$defs"]["New"] = {"type": "string"}
    assert fingerprints(more) != LOCK["definitions"]
    assert fingerprints(with_change(SCHEMA, ("$defs", "Cost"), remove)) != LOCK["definitions"]


def test_the_order_of_alternatives_is_part_of_the_shape_and_that_of_keys_is_not() -> None:
    block = DEFINITIONS["ContentBlock"]
    assert fingerprint({**block, "anyOf": block["anyOf"][::-1]}) != fingerprint(block)
    assert fingerprint(dict(reversed(block.items()))) == fingerprint(block)


# ------------------------------------------------------------------------------------------------ descriptions


def schemas(schema: dict[str, Any], place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all those inside it, without those that only say what something is not."""
    yield place, schema
    for keyword in ("anyOf", "oneOf", "allOf"):
        for index, member in enumerate(schema.get(keyword, [])):
            yield from schemas(member, f"{place}/{keyword}/{index}")
    for keyword in ("properties", "$defs"):
        for name, member in schema.get(keyword, {}).items():
            yield from schemas(member, f"{place}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from schemas(schema[keyword], f"{place}/{keyword}")


def named_places() -> set[str]:
    """Definitions and properties."""
    return {
        f"{place}/{keyword}/{name}"
        for place, schema in schemas(SCHEMA)
        for keyword in ("$defs", "properties")
        for name in schema.get(keyword, {})
    }


DESCRIBED = {place: schema["description"] for place, schema in schemas(SCHEMA) if "description" in schema}


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.strip())


def test_everything_with_a_name_has_a_description() -> None:
    """Enum values and variants too; not what merely refers to a definition or allows null."""
    values = {place for place, schema in schemas(SCHEMA) if "const" in schema or "title" in schema}
    needing = named_places() | values
    assert len(needing) > 900
    assert needing - DESCRIBED.keys() == set()


def test_descriptions_are_one_or_two_short_sentences() -> None:
    too_long = {place: text for place, text in DESCRIBED.items() if len(text) > 240 or len(sentences(text)) > 2}
    assert too_long == {}


def test_descriptions_are_whole_sentences_on_one_line() -> None:
    odd = [
        place
        for place, text in DESCRIBED.items()
        if not text.endswith(".") or text != " ".join(text.split()) or text[0].islower()
    ]
    assert odd == []


def plain(sentence: str) -> str:
    """For comparing: words alone, whatever their case, punctuation and markup."""
    return " ".join(re.findall(r"\w+", sentence.lower()))


def test_no_sentence_is_copied_from_the_published_schema() -> None:
    theirs = {
        plain(sentence)
        for _, schema in schemas(published())
        for sentence in sentences(schema.get("description", ""))
        if len(plain(sentence).split()) >= 9
    }
    assert len(theirs) > 300
    copied = [
        (place, sentence)
        for place, text in DESCRIBED.items()
        for sentence in sentences(text)
        if plain(sentence) in theirs
    ]
    assert copied == []


# ------------------------------------------------------------------------------------------------ annotations

REPLACE, MERGE = "replace", "merge"
# Facts of the protocol: the fields in which omitted, null and a value are three different things.
PATCH_FIELDS: dict[str, dict[str, str]] = {
    "UserMessage": {"content": REPLACE, "_meta": MERGE},
    "AgentMessage": {"content": REPLACE, "_meta": MERGE},
    "AgentThought": {"content": REPLACE, "_meta": MERGE},
    "ToolCallUpdate": {
        "name": REPLACE,
        "title": REPLACE,
        "kind": REPLACE,
        "status": REPLACE,
        "content": REPLACE,
        "locations": REPLACE,
        "rawInput": REPLACE,
        "rawOutput": REPLACE,
        "capabilities": REPLACE,
        "_meta": MERGE,
    },
    "TerminalUpdate": {
        "command": REPLACE,
        "cwd": REPLACE,
        "output": REPLACE,
        "exitStatus": REPLACE,
        "size": REPLACE,
        "capabilities": REPLACE,
        "_meta": MERGE,
    },
    "SessionInfoUpdate": {"title": REPLACE, "updatedAt": REPLACE, "_meta": MERGE},
    "UsageUpdate": {"cost": REPLACE},
    "CompactionUpdate": {"summary": REPLACE, "error": REPLACE, "_meta": MERGE},
}
RESETS: dict[str, Any] = {
    "UserMessage.content": [],
    "AgentMessage.content": [],
    "AgentThought.content": [],
    "ToolCallUpdate.kind": "other",
    "ToolCallUpdate.status": "pending",
    "ToolCallUpdate.content": [],
    "ToolCallUpdate.locations": [],
    "CompactionUpdate.summary": [],
    "CompactionUpdate.status": "in_progress",
}
OPERATIONS = {
    "user_message_chunk": "append",
    "user_message": "upsert",
    "agent_message_chunk": "append",
    "agent_message": "upsert",
    "agent_thought_chunk": "append",
    "agent_thought": "upsert",
    "state_update": "set",
    "tool_call_content_chunk": "append",
    "tool_call_update": "upsert",
    "terminal_update": "upsert",
    "terminal_output_chunk": "append_bytes",
    "plan_update": "replace",
    "available_commands_update": "set",
    "config_option_update": "set",
    "session_info_update": "patch",
    "usage_update": "patch",
    "notice": "event",
    "compaction_update": "upsert",
    "compaction_summary_chunk": "append",
}


def test_the_patch_fields_are_the_expected_ones() -> None:
    annotated = {place: schema["x-patch"] for place, schema in schemas(SCHEMA) if "x-patch" in schema}
    # "none" marks what a patch carries without storing it: no third state
    not_stored = {place for place, how in annotated.items() if how == "none"}
    assert not_stored == {"/$defs/UsageUpdate/properties/_meta"}
    expected = {
        f"/$defs/{name}/properties/{field}": how
        for name, fields in PATCH_FIELDS.items()
        for field, how in fields.items()
    }
    assert {place: how for place, how in annotated.items() if place not in not_stored} == expected


def test_the_values_that_null_resets_to_are_the_expected_ones() -> None:
    annotated = {place: schema["x-reset"] for place, schema in schemas(SCHEMA) if "x-reset" in schema}
    expected = {"/$defs/{}/properties/{}".format(*name.split(".")): value for name, value in RESETS.items()}
    assert annotated == expected


def test_every_session_update_says_what_it_does() -> None:
    *variants, catch_all = DEFINITIONS["SessionUpdate"]["anyOf"]
    assert catch_all["title"] == "other"
    assert "x-update" not in catch_all
    operations = {variant["properties"]["sessionUpdate"]["const"]: variant["x-update"]["op"] for variant in variants}
    assert operations == OPERATIONS


def test_updates_are_annotated_nowhere_else() -> None:
    places_of_updates = [place for place, schema in schemas(SCHEMA) if "x-update" in schema]
    assert len(places_of_updates) == len(OPERATIONS)
    assert all(place.startswith("/$defs/SessionUpdate/anyOf/") for place in places_of_updates)
