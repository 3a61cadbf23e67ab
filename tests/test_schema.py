"""Our schemas: inside their vocabulary, of the published shapes, annotated completely, and in our own words."""

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
from support import ROOT
from support.editions import EDITIONS, JUNE, V1, V2, Edition, every_definition, every_edition


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


VOCABULARY: dict[str, Any] = read(ROOT / "schema" / "vocabulary.json")
LOCKS: dict[str, Any] = read(ROOT / "schema" / "upstream.lock.json")["editions"]


def lock(edition: Edition) -> dict[str, Any]:
    locked: dict[str, Any] = LOCKS[edition.folder]
    return locked


def published(edition: Edition) -> dict[str, Any]:
    if not edition.published_path.exists():
        pytest.skip("../shared is not here: no published schema to compare with")
    schema: dict[str, Any] = read(edition.published_path)
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


@every_edition
def test_the_schema_stays_inside_the_vocabulary(edition: Edition) -> None:
    assert [error.message for error in ORACLE.iter_errors(edition.document)] == []
    assert rejected_at(edition.document) is None


@every_edition
def test_the_schema_is_a_schema_itself(edition: Edition) -> None:
    assert jsonschema_rs.meta.is_valid(edition.document)
    for name in edition.definitions:
        jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": edition.definitions})


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


@every_edition
@pytest.mark.parametrize("place", ["", "/$defs/ToolCallUpdate", "/$defs/ToolCallUpdate/properties/title"])
def test_a_mistake_in_a_real_schema_is_found(edition: Edition, place: str) -> None:
    broken = copy.deepcopy(edition.document)
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


@every_definition
def test_both_validators_agree_on_damaged_definitions(edition: Edition, name: str) -> None:
    """Values exchanged, keys renamed and members removed at random places (the same ones each time)."""
    chance = random.Random(name)
    definition = edition.definitions[name]
    paths = list(places(definition))
    for _ in range(25 if paths else 0):
        damaged = copy.deepcopy(definition)
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


PUBLISHED_AS = {
    V1: "npm @agentclientprotocol/sdk 2.4.0, v1/schema.json",
    V2: "npm @agentclientprotocol/sdk 2.4.0, v2/schema.json",
    JUNE: "agent-client-protocol schema, draft of 2026-06-11 (bae0a2a7)",
}


def test_every_edition_is_locked() -> None:
    assert list(LOCKS) == [edition.folder for edition in EDITIONS]


@every_edition
def test_our_shape_has_the_locked_fingerprints(edition: Edition) -> None:
    assert fingerprints(edition.document) == lock(edition)["definitions"]
    assert len(lock(edition)["definitions"]) == edition.size + 1, "all definitions, and the root"


@every_edition
def test_the_lock_names_what_it_locks(edition: Edition) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", lock(edition)["sha256"])
    assert lock(edition)["published"] == PUBLISHED_AS[edition]


@every_edition
def test_the_locked_file_is_the_published_one(edition: Edition) -> None:
    schema = published(edition)
    assert hashlib.sha256(edition.published_path.read_bytes()).hexdigest() == lock(edition)["sha256"]
    assert fingerprints(schema) == lock(edition)["definitions"]


@every_edition
def test_our_shape_is_the_published_one(edition: Edition) -> None:
    schema = published(edition)
    assert list(shape(edition.document)["$defs"]) == list(shape(schema)["$defs"])
    assert shape(edition.document) == shape(schema)


OUR_KEYWORDS = {"x-cancelled", "x-ends-run", "x-expected", "x-feeds", "x-initial", "x-patch", "x-reset", "x-update"}


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


@every_definition
def test_any_one_thing_changes_the_fingerprint_and_our_words_do_not(edition: Edition, name: str) -> None:
    locked = lock(edition)["definitions"][name]
    definition = edition.definitions[name]
    found = list(leaves(definition))
    for path, is_shape in found:
        for change in (exchange, remove):
            same = fingerprint(with_change(definition, path, change)) == locked
            assert same is not is_shape, (path, change.__name__)
    assert any(not is_shape for _, is_shape in found), "every definition has a description"


@pytest.mark.parametrize(
    ("edition", "name", "path", "change"),
    [
        (V2, "ToolCallUpdate", ("required", 0), remove),
        (V2, "ToolCallUpdate", ("required",), remove),
        (V2, "ToolCallUpdate", ("properties", "title"), remove),
        (V2, "ToolCallUpdate", ("properties", "title", "type"), exchange),
        (V2, "ToolCallUpdate", ("properties", "title", "x-deserialize-default-on-error"), remove),
        (V2, "Command", ("properties", "description"), remove),
        (V2, "ContentBlock", ("anyOf", 0, "properties", "type", "const"), exchange),
        (V2, "ToolKind", ("anyOf", 10, "title"), exchange),
        (V2, "PromptRequest", ("properties", "prompt", "minItems"), exchange),
        (V2, "PromptRequest", ("x-method",), exchange),
        (V2, "InitializeRequest", ("properties", "capabilities", "default"), exchange),
        (V2, "RequestId", ("anyOf", 0), remove),
        (V1, "RequestId", ("anyOf", 0), remove),
        (V1, "ToolKind", ("oneOf", 0, "const"), exchange),
        (V1, "AuthMethodTerminal", ("properties", "env", "x-deserialize-default-on-null"), remove),
        (JUNE, "Role", ("anyOf", 0, "enum", 1), exchange),
        (JUNE, "UnstructuredCommandInput", ("not", "required", 0), exchange),
        (JUNE, "UnstructuredCommandInput", ("not",), remove),
        (JUNE, "ToolCallContent", ("discriminator", "propertyName"), exchange),
    ],
)
def test_a_change_moves_the_fingerprint_of_its_definition_alone(
    edition: Edition, name: str, path: Any, change: Any
) -> None:
    document = with_change(edition.document, ("$defs", name, *path), change)
    moved = {key for key, value in fingerprints(document).items() if value != lock(edition)["definitions"].get(key)}
    assert moved == {name}


@every_edition
def test_the_root_has_a_fingerprint_of_its_own(edition: Edition) -> None:
    document = with_change(edition.document, ("anyOf", 0, "properties", "jsonrpc", "enum", 0), exchange)
    moved = {key for key, value in fingerprints(document).items() if value != lock(edition)["definitions"][key]}
    assert moved == {""}


@every_edition
def test_a_definition_more_or_less_shows(edition: Edition) -> None:
    more = copy.deepcopy(edition.document)
    more["$defs"]["New"] = {"type": "string"}
    assert fingerprints(more) != lock(edition)["definitions"]
    assert fingerprints(with_change(edition.document, ("$defs", "Cost"), remove)) != lock(edition)["definitions"]


def test_the_order_of_alternatives_is_part_of_the_shape_and_that_of_keys_is_not() -> None:
    block = V2.definitions["ContentBlock"]
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


def named_places(edition: Edition) -> set[str]:
    """Definitions and properties."""
    return {
        f"{place}/{keyword}/{name}"
        for place, schema in schemas(edition.document)
        for keyword in ("$defs", "properties")
        for name in schema.get(keyword, {})
    }


def described(document: dict[str, Any]) -> dict[str, str]:
    return {place: schema["description"] for place, schema in schemas(document) if "description" in schema}


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.strip())


@every_edition
def test_everything_with_a_name_has_a_description(edition: Edition) -> None:
    """Enum values and variants too; not what merely refers to a definition or allows null."""
    values = {place for place, schema in schemas(edition.document) if "const" in schema or "title" in schema}
    needing = named_places(edition) | values
    assert len(needing) > 4 * edition.size
    assert needing - described(edition.document).keys() == set()


@every_edition
def test_descriptions_are_one_or_two_short_sentences(edition: Edition) -> None:
    texts = described(edition.document)
    assert {place: text for place, text in texts.items() if len(text) > 240 or len(sentences(text)) > 2} == {}


@every_edition
def test_descriptions_are_whole_sentences_on_one_line(edition: Edition) -> None:
    odd = [
        place
        for place, text in described(edition.document).items()
        if not text.endswith(".") or text != " ".join(text.split()) or text[0].islower()
    ]
    assert odd == []


def words(text: str) -> list[str]:
    """For comparing: words alone, whatever their case, punctuation and markup; a method or a tag is one word."""
    return re.findall(r"[\w/$]+", text.lower())


UNWRITTEN = re.compile(r"\b(TODO|FIXME|TBD|XXX)\b|\blorem ipsum\b|\bno description\b|\.\.\.|\?\?", re.IGNORECASE)


@every_edition
def test_no_description_is_still_to_be_written(edition: Edition) -> None:
    texts = described(edition.document)
    assert [place for place, text in texts.items() if UNWRITTEN.search(text)] == []
    few = [place for place, text in texts.items() if len(words(text)) < 3]
    assert few == []
    only_the_name = [
        place for place, text in texts.items() if "".join(words(text)) == place.rpartition("/")[2].lower().lstrip("_")
    ]
    assert only_the_name == []


def runs(text: str) -> set[str]:
    """Every six words in a row."""
    found = words(text)
    return {" ".join(found[start : start + 6]) for start in range(len(found) - 5)}


@every_edition
@pytest.mark.parametrize("source", EDITIONS, ids=lambda source: f"against-{source}")
def test_no_six_words_in_a_row_are_copied_from_a_published_schema(edition: Edition, source: Edition) -> None:
    theirs = set().union(*map(runs, described(published(source)).values()))
    assert len(theirs) > 3000
    copied = {
        (place, run) for place, text in described(edition.document).items() for run in sorted(runs(text) & theirs)
    }
    assert copied == set()


# ------------------------------------------------------------------------------------------------ annotations

REPLACE, MERGE, KEEP, LATEST, NONE = "replace", "merge", "keep", "latest", "none"
# Facts of the protocol: what every field of a patched payload does. Omitted, null and a value are three different
# things where it says "replace" or "merge" and nowhere else.
V2_PATCH_FIELDS: dict[str, dict[str, str]] = {
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
    "UsageUpdate": {"cost": REPLACE, "_meta": NONE},
    "CompactionUpdate": {"summary": REPLACE, "error": REPLACE, "_meta": MERGE},
}
V1_PATCH_FIELDS: dict[str, dict[str, str]] = {
    "ToolCallUpdate": {
        "kind": KEEP,
        "status": KEEP,
        "title": KEEP,
        "name": KEEP,
        "content": KEEP,
        "locations": KEEP,
        "rawInput": KEEP,
        "rawOutput": KEEP,
        "_meta": KEEP,
    },
    "SessionInfoUpdate": {"title": REPLACE, "updatedAt": REPLACE, "_meta": KEEP},
    "UsageUpdate": {"cost": KEEP, "_meta": NONE},
    "CompactionUpdate": {"summary": REPLACE, "error": REPLACE, "_meta": REPLACE},
}
JUNE_PATCH_FIELDS: dict[str, dict[str, str]] = {
    "UserMessage": {"content": REPLACE, "_meta": REPLACE},
    "AgentMessage": {"content": REPLACE, "_meta": REPLACE},
    "AgentThought": {"content": REPLACE, "_meta": REPLACE},
    "ToolCallUpdate": {
        "title": REPLACE,
        "kind": REPLACE,
        "status": REPLACE,
        "content": REPLACE,
        "locations": REPLACE,
        "rawInput": REPLACE,
        "rawOutput": REPLACE,
        "_meta": NONE,
    },
    "SessionInfoUpdate": {"title": REPLACE, "updatedAt": REPLACE, "_meta": REPLACE},
    "UsageUpdate": {"cost": LATEST, "_meta": NONE},
}
V2_RESETS: dict[str, Any] = {
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
V1_RESETS: dict[str, Any] = {
    "ToolCallUpdate.kind": "other",
    "ToolCallUpdate.status": "pending",
    "ToolCallUpdate.content": [],
    "ToolCallUpdate.locations": [],
    "CompactionUpdate.summary": [],
    "CompactionUpdate.status": "in_progress",
}
JUNE_RESETS: dict[str, Any] = {
    "UserMessage.content": [],
    "AgentMessage.content": [],
    "AgentThought.content": [],
    "ToolCallUpdate.content": [],
    "ToolCallUpdate.locations": [],
}
V2_OPERATIONS = {
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


V1_OPERATIONS = {
    "user_message_chunk": "append",
    "agent_message_chunk": "append",
    "agent_thought_chunk": "append",
    "tool_call": "create",
    "tool_call_update": "upsert",
    "plan": "set",
    "available_commands_update": "set",
    "current_mode_update": "set",
    "config_option_update": "set",
    "session_info_update": "patch",
    "usage_update": "patch",
    "notice": "event",
    "compaction_update": "upsert",
    "compaction_summary_chunk": "append",
}
JUNE_OPERATIONS = {
    "user_message_chunk": "append",
    "user_message": "upsert",
    "agent_message_chunk": "append",
    "agent_message": "upsert",
    "agent_thought_chunk": "append",
    "agent_thought": "upsert",
    "tool_call_content_chunk": "append",
    "tool_call_update": "upsert",
    "plan_update": "replace",
    "available_commands_update": "set",
    "config_option_update": "set",
    "session_info_update": "patch",
    "usage_update": "patch",
}
OPERATIONS = {V1: V1_OPERATIONS, V2: V2_OPERATIONS, JUNE: JUNE_OPERATIONS}


def annotated(edition: Edition, keyword: str) -> dict[str, Any]:
    return {place: schema[keyword] for place, schema in schemas(edition.document) if keyword in schema}


@pytest.mark.parametrize(
    ("edition", "fields"),
    [(V1, V1_PATCH_FIELDS), (V2, V2_PATCH_FIELDS), (JUNE, JUNE_PATCH_FIELDS)],
    ids=["v1", "v2", "june"],
)
def test_the_patch_fields_are_the_expected_ones(edition: Edition, fields: dict[str, dict[str, str]]) -> None:
    expected = {
        f"/$defs/{name}/properties/{field}": how for name, members in fields.items() for field, how in members.items()
    }
    assert annotated(edition, "x-patch") == expected


@pytest.mark.parametrize(
    ("edition", "resets"), [(V1, V1_RESETS), (V2, V2_RESETS), (JUNE, JUNE_RESETS)], ids=["v1", "v2", "june"]
)
def test_the_values_that_null_resets_to_are_the_expected_ones(edition: Edition, resets: dict[str, Any]) -> None:
    expected = {"/$defs/{}/properties/{}".format(*name.split(".")): value for name, value in resets.items()}
    assert annotated(edition, "x-reset") == expected


@every_edition
def test_every_session_update_says_what_it_does(edition: Edition) -> None:
    union = edition.definitions["SessionUpdate"]
    variants = [branch for branch in union.get("anyOf", union.get("oneOf")) if branch.get("title") != "other"]
    operations = {variant["properties"]["sessionUpdate"]["const"]: variant["x-update"]["op"] for variant in variants}
    assert operations == OPERATIONS[edition]


def test_only_the_union_of_v1_is_closed() -> None:
    """What stands beside the variants that have a rule: nothing in v1, the catch-all elsewhere, which has none."""
    assert len(V1.definitions["SessionUpdate"]["oneOf"]) == len(V1_OPERATIONS)
    for edition in (V2, JUNE):
        catch_all = edition.definitions["SessionUpdate"]["anyOf"][len(OPERATIONS[edition]) :]
        assert [branch["title"] for branch in catch_all] == ["other"]
        assert "x-update" not in catch_all[0]


@every_edition
def test_updates_are_annotated_nowhere_else(edition: Edition) -> None:
    keyword = "oneOf" if edition is V1 else "anyOf"
    places_of_updates = list(annotated(edition, "x-update"))
    assert places_of_updates == [f"/$defs/SessionUpdate/{keyword}/{index}" for index in range(len(OPERATIONS[edition]))]
