"""The session engine comes from annotations alone: mistakes in them stop generation, new updates need nothing else."""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from acp_codegen import pipeline
from acp_codegen.errors import CodegenError
from acp_codegen.pipeline import build_edition, build_package
from acp_codegen.resources import EditionSource

Json = Any
Schema = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
MESSAGES = (
    "UpdateSessionNotification",
    "NewSessionResponse",
    "ResumeSessionResponse",
    "SetSessionConfigOptionResponse",
    "RequestPermissionRequest",
)


def references(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == "$ref":
                yield value.removeprefix("#/$defs/")
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def session_part() -> Schema:
    """What of the v2 schema has to do with sessions: enough to make the engine, and quicker to generate from."""
    whole = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))
    wanted = [*MESSAGES]
    kept: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in kept:
            kept.add(name)
            wanted += references(whole["$defs"][name])
    definitions = {name: body for name, body in whole["$defs"].items() if name in kept}
    return {"$schema": whole["$schema"], "title": whole["title"], "$defs": definitions}


V2 = session_part()
VARIANTS: dict[str, int] = {
    branch["properties"]["sessionUpdate"]["const"]: index
    for index, branch in enumerate(V2["$defs"]["SessionUpdate"]["anyOf"])
    if "const" in branch["properties"]["sessionUpdate"]
}
RULES: dict[str, dict[str, str]] = {
    tag: V2["$defs"]["SessionUpdate"]["anyOf"][index]["x-update"] for tag, index in VARIANTS.items()
}
UNION = "schema.json#/$defs/SessionUpdate/anyOf"
BY_OP: dict[str, str] = {rule["op"]: tag for tag, rule in reversed(RULES.items())}  # the first update of each operation

Refuse = Callable[[Schema], CodegenError]


@pytest.fixture
def refuse(tmp_path: Path) -> Refuse:
    """The error that generation from a document stops with."""

    def run(document: Schema) -> CodegenError:
        path = tmp_path / "schema.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(CodegenError) as caught:
            build_edition(EditionSource("edition", path, "schema.json"), session=True)
        error = caught.value
        assert error.message and error.hint, f"says what is wrong and what to do: {error}"
        assert "use one of: " != error.hint, "names what may stand there"
        assert error.where.startswith("schema.json#/")
        return error

    return run


def changed(change: Callable[[Schema], None]) -> Schema:
    """The session part of the v2 schema with a change to its definitions."""
    document = deepcopy(V2)
    change(document["$defs"])
    return document


def with_rule(tag: str, **members: Json) -> Schema:
    """The schema with other members in the rule of one update; None removes a member."""

    def change(definitions: Schema) -> None:
        rule = definitions["SessionUpdate"]["anyOf"][VARIANTS[tag]]["x-update"]
        for name, value in members.items():
            if value is None:
                del rule[name]
            else:
                rule[name] = value

    return changed(change)


def annotated(definition: str, field: str, **annotations: Json) -> Schema:
    """The schema with other annotations of one property (``x_patch`` stands for ``x-patch``); None removes one."""

    def change(definitions: Schema) -> None:
        body = definitions[definition]["properties"][field]
        for name, value in annotations.items():
            if value is None:
                del body[name.replace("_", "-")]
            else:
                body[name.replace("_", "-")] = value

    return changed(change)


def test_the_session_part_itself_is_right(tmp_path: Path) -> None:
    """Otherwise every refusal below would prove nothing."""
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(V2), encoding="utf-8")
    edition = build_edition(EditionSource("edition", path, "schema.json"), session=True)
    assert edition.session is not None
    assert [operation.update.tag for operation in edition.session.operations] == list(RULES)
    assert len(RULES) == 19


# ------------------------------------------------------------------------------------------------ rules of updates


@pytest.mark.parametrize("tag", RULES)
def test_an_update_without_a_rule_stops_generation_with_the_line_to_add(tag: str, refuse: Refuse) -> None:
    def forget(definitions: Schema) -> None:
        del definitions["SessionUpdate"]["anyOf"][VARIANTS[tag]]["x-update"]

    error = refuse(changed(forget))
    assert error.message == f'the update "{tag}" has no rule'
    assert error.where == f"{UNION}/{VARIANTS[tag]}"
    assert '"x-update": {"op": ' in error.hint


NAMING = ("key", "field", "from", "bytes")


@pytest.mark.parametrize(
    ("tag", "member"), [(tag, member) for tag, rule in RULES.items() for member in NAMING if member in rule]
)
def test_a_misspelt_name_in_a_rule_stops_generation(tag: str, member: str, refuse: Refuse) -> None:
    path = RULES[tag][member].split(".")
    for index, name in enumerate(path):
        wrong = ".".join([*path[:index], name + "x", *path[index + 1 :]])
        error = refuse(with_rule(tag, **{member: wrong}))
        assert f'"{name}x"' in error.message
        assert error.where == f"{UNION}/{VARIANTS[tag]}/x-update/{member}"
        assert error.hint.startswith("use one of: ")
        assert name in error.hint


@pytest.mark.parametrize("tag", [tag for tag, rule in RULES.items() if rule["op"].startswith("append")])
def test_a_chunk_for_a_misspelt_entity_stops_generation(tag: str, refuse: Refuse) -> None:
    error = refuse(with_rule(tag, entity=RULES[tag]["entity"] + "x"))
    assert f'"{RULES[tag]["entity"]}x"' in error.message
    assert error.where == f"{UNION}/{VARIANTS[tag]}/x-update/entity"
    assert "upsert" in error.hint


@pytest.mark.parametrize("tag", [tag for tag, rule in RULES.items() if rule["op"] == "upsert"])
def test_a_misspelt_entity_leaves_its_chunks_without_one(tag: str, refuse: Refuse) -> None:
    chunk = next(other for other, rule in RULES.items() if rule["op"] != "upsert" and _writes_where(rule, RULES[tag]))
    error = refuse(with_rule(tag, entity=RULES[tag]["entity"] + "x"))
    assert f'"{RULES[tag]["entity"]}"' in error.message
    assert error.where == f"{UNION}/{VARIANTS[chunk]}/x-update/entity"


def _writes_where(rule: dict[str, str], other: dict[str, str]) -> bool:
    return rule.get("entity") == other["entity"]


@pytest.mark.parametrize("tag", BY_OP.values())
def test_a_misspelt_operation_stops_generation(tag: str, refuse: Refuse) -> None:
    error = refuse(with_rule(tag, op=RULES[tag]["op"] + "x"))
    assert f'"{RULES[tag]["op"]}x" is not one of "upsert"' in error.message
    assert error.where.endswith(f"{UNION}/{VARIANTS[tag]}/x-update/op")


@pytest.mark.parametrize("tag", BY_OP.values())
def test_a_rule_with_a_member_that_its_operation_has_not_stops_generation(tag: str, refuse: Refuse) -> None:
    error = refuse(with_rule(tag, feild="content"))
    assert '"feild"' in error.message
    assert error.where.endswith(f"{UNION}/{VARIANTS[tag]}/x-update/feild")


NEEDS = {
    "upsert": ("entity", "key"),
    "append": ("entity", "key", "field"),
    "append_bytes": ("entity", "key", "field"),
    "replace": ("entity", "key", "field"),
    "set": ("slot",),
    "patch": ("slot",),
}


@pytest.mark.parametrize(("op", "member"), [(op, member) for op, members in NEEDS.items() for member in members])
def test_a_rule_without_what_its_operation_needs_stops_generation(op: str, member: str, refuse: Refuse) -> None:
    error = refuse(with_rule(BY_OP[op], **{member: None}))
    assert error.message == f'"{member}" is missing'
    assert error.where == f"{UNION}/{VARIANTS[BY_OP[op]]}/x-update"
    assert f'op "{op}" needs' in error.hint


@pytest.mark.parametrize("tag", ["tool_call_update", "tool_call_content_chunk", "user_message_chunk"])
def test_updates_of_one_entity_that_disagree_on_the_timeline_stop_generation(tag: str, refuse: Refuse) -> None:
    """What is created by the one would be looked for under the name of the other."""
    error = refuse(with_rule(tag, timeline=RULES[tag]["timeline"] + "x"))
    assert f'"{RULES[tag]["timeline"]}x"' in error.message
    assert error.where.endswith("/x-update/timeline")


def test_two_updates_that_upsert_one_entity_stop_generation(refuse: Refuse) -> None:
    error = refuse(with_rule("agent_message", entity="messages.user"))
    assert error.message == 'two updates upsert "messages.user"'
    assert error.where == f"{UNION}/{VARIANTS['agent_message']}/x-update/entity"


@pytest.mark.parametrize("slot", ["commands", "foreground", "usage"])
def test_two_updates_that_set_one_slot_stop_generation(slot: str, refuse: Refuse) -> None:
    document = with_rule("config_option_update", slot=slot)
    for name in ("NewSessionResponse", "ResumeSessionResponse", "SetSessionConfigOptionResponse"):
        del document["$defs"][name]["properties"]["configOptions"]["x-feeds"]
    error = refuse(document)
    assert f'"{slot}"' in error.message
    assert error.where.startswith(f"{UNION}/")


@pytest.mark.parametrize("name", ["timeline", "received", "to_json", "messages"])
def test_a_collection_that_is_called_like_a_part_of_the_state_stops_generation(name: str, refuse: Refuse) -> None:
    error = refuse(with_rule("plan_update", entity=name))
    assert f'"{name}"' in error.message
    assert error.where.startswith(f"{UNION}/")


@pytest.mark.parametrize(
    ("tag", "members", "named"),
    [
        pytest.param("tool_call_content_chunk", {"field": "title", "from": "content"}, "title", id="to a text"),
        pytest.param("tool_call_content_chunk", {"field": "_meta", "from": "content"}, "_meta", id="to a map"),
        pytest.param(
            "tool_call_content_chunk", {"field": "locations", "from": "content"}, "locations", id="other items"
        ),
        pytest.param(
            "user_message_chunk", {"entity": "tool_calls", "timeline": "tool_call"}, "content", id="other entity"
        ),
        pytest.param(
            "terminal_output_chunk", {"from": "terminalId", "field": "command"}, "command", id="bytes to text"
        ),
    ],
)
def test_appending_what_the_field_cannot_hold_stops_generation(
    tag: str, members: dict[str, str], named: str, refuse: Refuse
) -> None:
    error = refuse(with_rule(tag, **members))
    assert f'"{named}"' in error.message
    assert error.where.startswith(f"{UNION}/{VARIANTS[tag]}/x-update")


@pytest.mark.parametrize("path", ["output", "command", "size.cols", "capabilities.cancel"])
def test_bytes_that_are_not_in_a_text_of_an_object_stop_generation(path: str, refuse: Refuse) -> None:
    document = with_rule("terminal_update", bytes=path)
    document["$defs"]["SessionUpdate"]["anyOf"][VARIANTS["terminal_output_chunk"]]["x-update"]["field"] = path
    error = refuse(document)
    assert error.where == f"{UNION}/{VARIANTS['terminal_update']}/x-update/bytes"


def test_appending_to_a_list_that_null_does_not_empty_stops_generation(refuse: Refuse) -> None:
    """Without x-reset a new tool call would have no list to append to."""
    error = refuse(annotated("ToolCallUpdate", "content", x_reset=None))
    assert '"content"' in error.message
    assert "x-reset" in error.hint


# ----------------------------------------------------------------------------------------------- fields of updates

PATCH_FIELDS = [
    (name, field)
    for name, body in V2["$defs"].items()
    for field, schema in body.get("properties", {}).items()
    if "x-patch" in schema
]


@pytest.mark.parametrize(("name", "field"), [*PATCH_FIELDS[:10], *PATCH_FIELDS[10::4]])
def test_a_patch_field_without_a_decision_stops_generation(name: str, field: str, refuse: Refuse) -> None:
    error = refuse(annotated(name, field, x_patch=None))
    assert error.where.startswith(f"schema.json#/$defs/{name}/properties/{field}")
    assert "x-patch" in error.hint


@pytest.mark.parametrize(
    ("name", "field", "annotation", "value", "place"),
    [
        ("ToolCallUpdate", "title", "x_patch", "replac", "/x-patch"),
        ("ToolCallUpdate", "title", "x_ptach", "replace", "/x-ptach"),
        ("ToolCallUpdate", "title", "x_patch", "merge", "/x-patch"),
        ("Cost", "currency", "x_patch", "replace", "/x-patch"),
        ("ToolCallUpdate", "kind", "x_reset", 5, "/x-reset"),
        ("ToolCallUpdate", "content", "x_reset", "none", "/x-reset"),
        ("Notice", "title", "x_reset", "none", "/x-reset"),
        ("ToolCallUpdate", "title", "x_expected", False, "/x-expected"),
        ("ToolCallUpdate", "title", "x_expectd", True, "/x-expectd"),
        ("Cost", "amount", "x_expected", True, "/x-expected"),
        ("Notice", "description", "x_expected", True, "/x-expected"),
        ("SessionInfoUpdate", "title", "x_expected", True, "/x-expected"),
        ("ToolCallUpdate", "status", "x_cancelled", {"value": "cancelled"}, "/x-cancelled"),
        ("ToolCallUpdate", "status", "x_cancelled", {"value": "cancelled", "final": []}, "/x-cancelled/final"),
        ("ToolCallUpdate", "status", "x_cancelled", {"value": 5, "final": ["x"]}, "/x-cancelled/value"),
        ("ToolCallUpdate", "status", "x_cancelled", {"value": "a", "final": ["b"], "fnal": 1}, "/x-cancelled/fnal"),
        ("ToolCallUpdate", "locations", "x_cancelled", {"value": "cancelled", "final": ["x"]}, "/x-cancelled"),
        ("Cost", "currency", "x_cancelled", {"value": "cancelled", "final": ["x"]}, "/x-cancelled"),
        ("SessionInfoUpdate", "title", "x_cancelled", {"value": "cancelled", "final": ["x"]}, "/x-cancelled"),
    ],
)
def test_a_wrong_annotation_of_a_field_stops_generation(
    name: str, field: str, annotation: str, value: Json, place: str, refuse: Refuse
) -> None:
    error = refuse(annotated(name, field, **{annotation: value}))
    where = f"schema.json#/$defs/{name}/properties/{field}"
    assert error.where in (where, where + place)


# ------------------------------------------------------------------------------------------------ what feeds the state


@pytest.mark.parametrize(
    ("name", "field", "rule", "place", "named"),
    [
        ("NewSessionResponse", "configOptions", {"slot": "config_optoins"}, "", "config_options"),
        ("NewSessionResponse", "configOptions", {"slot": "usage"}, "", "config_options"),
        ("NewSessionResponse", "configOptions", {"slot": "commands"}, "", "config_options"),
        ("NewSessionResponse", "configOptions", {"slot": "foreground"}, "", "config_options"),
        ("NewSessionResponse", "sessionId", {"slot": "commands"}, "", ""),
        ("NewSessionResponse", "configOptions", {"update": "config_option_update"}, "", ""),
        (
            "NewSessionResponse",
            "configOptions",
            {"slot": "config_options", "unless_recieved": True},
            "/unless_recieved",
            "",
        ),
        ("NewSessionResponse", "configOptions", {}, "", ""),
        ("NewSessionResponse", "configOptions", {"slot": "config_options", "update": "notice"}, "/update", ""),
        ("ToolCallPermissionSubject", "toolCall", {"update": "tool_call_updat"}, "", "tool_call_update"),
        ("ToolCallPermissionSubject", "toolCall", {"update": "terminal_update"}, "", "tool_call_update"),
        ("ToolCallPermissionSubject", "toolCall", {"slot": "tool_calls"}, "", ""),
        ("Cost", "amount", {"slot": "commands"}, "", ""),
    ],
)
def test_a_wrong_feed_stops_generation(
    name: str, field: str, rule: Json, place: str, named: str, refuse: Refuse
) -> None:
    error = refuse(annotated(name, field, x_feeds=rule))
    # the vocabulary may point at the member that it does not know
    assert error.where.startswith(f"schema.json#/$defs/{name}/properties/{field}/x-feeds")
    assert error.where.endswith(place)
    assert named in error.hint


@pytest.mark.parametrize(
    ("name", "initial", "named"),
    [
        ("NewSessionResponse", {"foregroud": {"state": "idle"}}, '"foregroud"'),
        ("NewSessionResponse", {"usage": {"used": 0, "size": 0}}, '"usage"'),
        ("NewSessionResponse", {"foreground": {"stat": "idle"}}, "state"),
        ("NewSessionResponse", {"foreground": "idle"}, "idle"),
        ("Cost", {"foreground": {"state": "idle"}}, '"x-initial"'),
    ],
)
def test_a_wrong_initial_value_stops_generation(name: str, initial: Json, named: str, refuse: Refuse) -> None:
    def change(definitions: Schema) -> None:
        definitions[name]["x-initial"] = initial

    error = refuse(changed(change))
    assert error.where.startswith(f"schema.json#/$defs/{name}/x-initial")
    assert named in error.message


def test_a_rule_on_something_that_is_no_update_stops_generation(refuse: Refuse) -> None:
    def change(definitions: Schema) -> None:
        definitions["Cost"]["x-update"] = {"op": "event"}

    error = refuse(changed(change))
    assert error.message == '"x-update" on something that is no session update'
    assert error.where == "schema.json#/$defs/Cost/x-update"


# ----------------------------------------------------------------------------------- new updates, by annotations alone

PACKAGE = "acp_session_generation_package"
TEXT = {"type": "string"}
MAYBE_TEXT = {"type": ["string", "null"], "x-patch": "replace"}
MERGED_META = {"type": ["object", "null"], "additionalProperties": True, "x-patch": "merge"}
_serial = itertools.count()

Generate = Callable[[Schema], ModuleType]


@pytest.fixture(scope="module")
def generate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generate]:
    """Make a package of a document, under a name of its own, and import its edition."""
    parent = tmp_path_factory.mktemp("packages")

    def run(document: Schema) -> ModuleType:
        package = f"{PACKAGE}_{next(_serial)}"
        schema = parent / f"{package}.json"
        schema.write_text(json.dumps(document), encoding="utf-8")
        files = build_package([EditionSource("edition", schema, "schema.json")], session=True).files
        for path, text in files.items():
            target = parent / package / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        importlib.invalidate_caches()
        return importlib.import_module(f"{package}.edition")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pipeline, "format_module", lambda text: text)  # nobody reads it, and black takes long
        patched.syspath_prepend(str(parent))
        yield run
    for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
        del sys.modules[name]


def record(*required: str, **properties: Json) -> Schema:
    """An object type; ``meta`` stands for ``_meta``."""
    named = {"_meta" if name == "meta" else name: schema for name, schema in properties.items()}
    return {"type": "object", "properties": named, "required": list(required)}


def variant(tag: str, payload: str, rule: Json) -> Schema:
    return {
        **record("sessionUpdate", sessionUpdate={"type": "string", "const": tag}),
        "allOf": [{"$ref": f"#/$defs/{payload}"}],
        "x-update": rule,
    }


def catch_all(*tags: str) -> Schema:
    known = [record("sessionUpdate", sessionUpdate={"type": "string", "const": tag}) for tag in tags]
    return {**record("sessionUpdate", sessionUpdate=TEXT), "title": "other", "not": {"anyOf": known}}


def small_schema(updates: dict[str, tuple[str, Json]], **definitions: Schema) -> Schema:
    """A protocol with these updates (tag: payload, rule) and nothing else."""
    branches = [variant(tag, payload, rule) for tag, (payload, rule) in updates.items()]
    notification = {
        **record("update", update={"allOf": [{"$ref": "#/$defs/Update"}]}),
        "x-method": "session/update",
        "x-side": "client",
    }
    return {
        "$defs": {
            "Update": {"anyOf": [*branches, catch_all(*updates)]},
            "UpdateNotification": notification,
            **definitions,
        }
    }


def decoded(edition: ModuleType, *wires: Json) -> list[Any]:
    union = "SessionUpdate" if hasattr(edition, "SessionUpdate") else "Update"
    return [edition.decode(union, wire) for wire in wires]


def folded(edition: ModuleType, updates: list[Any]) -> Any:
    state = edition.SessionState()
    for update in updates:
        edition.apply_update(state, update)
    return state


def assert_algebra(edition: ModuleType, updates: list[Any]) -> None:
    """What holds for every engine: shortened or replayed, the outcome is the same."""
    state = folded(edition, updates)
    assert folded(edition, edition.coalesce(updates)) == state
    assert folded(edition, edition.replay(state)) == state
    json.dumps(state.to_json())


TODO = record(
    "todoId",
    todoId=TEXT,
    title={**MAYBE_TEXT, "x-expected": True},
    state={"type": ["string", "null"], "x-patch": "replace", "x-reset": "open"},
    notes={"type": ["array", "null"], "items": TEXT, "x-patch": "replace", "x-reset": []},
    meta=MERGED_META,
)
TODO_RULE = {"op": "upsert", "entity": "todos", "key": "todoId", "timeline": "todo"}
NOTE = record("todoId", "note", todoId=TEXT, note=TEXT)
NOTE_RULE = {"op": "append", "entity": "todos", "key": "todoId", "field": "notes", "from": "note", "timeline": "todo"}


def with_todos() -> Schema:
    """The v2 schema with two more updates: definitions and annotations, nothing else."""

    def add(definitions: Schema) -> None:
        definitions["TodoUpdate"] = deepcopy(TODO)
        definitions["TodoNote"] = deepcopy(NOTE)
        *known, other = definitions["SessionUpdate"]["anyOf"]
        for tag in ("todo_update", "todo_note"):
            const = {"type": "string", "const": tag}
            other["not"]["anyOf"].append(record("sessionUpdate", sessionUpdate=const))
        known += [variant("todo_update", "TodoUpdate", TODO_RULE), variant("todo_note", "TodoNote", NOTE_RULE)]
        definitions["SessionUpdate"]["anyOf"] = [*known, other]

    return changed(add)


@pytest.fixture(scope="module")
def todo_edition(generate: Generate) -> ModuleType:
    return generate(with_todos())


TODO_STREAM: list[Json] = [
    {"sessionUpdate": "todo_note", "todoId": "1", "note": "early"},
    {"sessionUpdate": "user_message_chunk", "messageId": "m", "content": {"type": "text", "text": "a"}},
    {"sessionUpdate": "todo_update", "todoId": "2", "title": "b", "state": "done", "_meta": {"a": 1, "b": 2}},
    {"sessionUpdate": "todo_update", "todoId": "1", "title": "a"},
    {"sessionUpdate": "todo_note", "todoId": "1", "note": "late"},
    {"sessionUpdate": "todo_update", "todoId": "2", "title": None, "state": None, "notes": ["x"], "_meta": {"a": None}},
    {"sessionUpdate": "todo_note", "todoId": "2", "note": "y"},
]


def test_a_new_update_is_folded_without_touching_the_generator(todo_edition: ModuleType) -> None:
    state = folded(todo_edition, decoded(todo_edition, *TODO_STREAM))
    assert state.to_json()["todos"] == {
        "1": {"title": "a", "state": "open", "notes": ["early", "late"], "_meta": None},
        "2": {"title": None, "state": "open", "notes": ["x", "y"], "_meta": {"b": 2}},
    }
    assert state.timeline == [("todo", "1"), ("user_message", "m"), ("todo", "2")]


def test_a_new_update_is_in_the_table_and_has_a_handler(todo_edition: ModuleType) -> None:
    assert list(todo_edition.UPDATES) == [*RULES, "todo_update", "todo_note"]
    got: list[Any] = []

    class Handler(todo_edition.SessionHandler):  # type: ignore[misc, name-defined]
        def on_todo_note(self, update: Any) -> None:
            got.append(update)

    (note,) = decoded(todo_edition, TODO_STREAM[0])
    todo_edition.dispatch(Handler(), note)
    assert got == [note]


def test_a_new_update_reports_its_changes(todo_edition: ModuleType) -> None:
    state = todo_edition.SessionState()
    first, second = decoded(
        todo_edition,
        {"sessionUpdate": "todo_update", "todoId": "1", "state": "done"},
        {"sessionUpdate": "todo_note", "todoId": "1", "note": "n"},
    )
    change = todo_edition.apply_update(state, first)
    assert (change.kind, change.id, change.fields, change.created) == ("todos", "1", ("state",), True)
    assert len(change.notes) == 1
    assert "title" in change.notes[0]
    assert todo_edition.apply_update(state, second) == todo_edition.Change("todos", "1", ("notes",), False)


def test_a_new_update_takes_part_in_the_algebra(todo_edition: ModuleType) -> None:
    updates = decoded(todo_edition, *TODO_STREAM)
    assert_algebra(todo_edition, updates)
    state = folded(todo_edition, updates)
    said = todo_edition.diff(None, state.todos["2"])
    assert todo_edition.encode(said, "SessionUpdate") == {
        "sessionUpdate": "todo_update",
        "todoId": "2",
        "notes": ["x", "y"],
        "_meta": {"b": 2},
    }


def test_states_of_two_editions_do_not_mix(todo_edition: ModuleType, generate: Generate) -> None:
    other = generate(small_schema({"todo_update": ("TodoUpdate", TODO_RULE)}, TodoUpdate=TODO))
    (mine,) = decoded(todo_edition, {"sessionUpdate": "todo_update", "todoId": "1"})
    (theirs,) = decoded(other, {"sessionUpdate": "todo_update", "todoId": "1"})
    mine_state, their_state = todo_edition.SessionState(), other.SessionState()
    for state, update in ((mine_state, theirs), (their_state, mine)):
        for edition in (todo_edition, other):
            with pytest.raises(TypeError, match="expected a "):
                edition.apply_update(state, update)
    assert mine_state == todo_edition.SessionState()
    assert their_state == other.SessionState()


def test_an_entity_with_a_required_field(generate: Generate) -> None:
    """Every update says it, so a new entity takes it from the update that creates it."""
    edition = generate(
        small_schema(
            {"job_update": ("JobUpdate", {"op": "upsert", "entity": "jobs", "key": "jobId"})},
            JobUpdate=record("jobId", "phase", jobId=TEXT, phase=TEXT, title=MAYBE_TEXT),
        )
    )
    updates = decoded(
        edition,
        {"sessionUpdate": "job_update", "jobId": "1", "phase": "a", "title": "t"},
        {"sessionUpdate": "job_update", "jobId": "1", "phase": "b"},
    )
    assert folded(edition, updates).to_json()["jobs"] == {"1": {"phase": "b", "title": "t"}}
    assert_algebra(edition, updates)


def test_a_chunk_that_calls_the_id_something_else(generate: Generate) -> None:
    edition = generate(
        small_schema(
            {
                "todo_update": ("TodoUpdate", TODO_RULE),
                "todo_note": ("TodoNote", {**NOTE_RULE, "key": "ofTodo"}),
            },
            TodoUpdate=TODO,
            TodoNote=record("ofTodo", "note", ofTodo=TEXT, note=TEXT),
        )
    )
    updates = decoded(
        edition,
        {"sessionUpdate": "todo_note", "ofTodo": "1", "note": "a"},
        {"sessionUpdate": "todo_update", "todoId": "1", "notes": ["b"]},
        {"sessionUpdate": "todo_note", "ofTodo": "1", "note": "c"},
    )
    assert folded(edition, updates).to_json()["todos"]["1"]["notes"] == ["b", "c"]
    assert_algebra(edition, updates)


def test_bytes_that_are_called_something_else(generate: Generate) -> None:
    edition = generate(
        small_schema(
            {
                "log_update": ("LogUpdate", {"op": "upsert", "entity": "logs", "key": "logId", "bytes": "body.base64"}),
                "log_chunk": (
                    "LogChunk",
                    {"op": "append_bytes", "entity": "logs", "key": "logId", "field": "body.base64", "from": "more"},
                ),
            },
            LogUpdate=record(
                "logId",
                logId=TEXT,
                body={"anyOf": [{"$ref": "#/$defs/LogBody"}, {"type": "null"}], "x-patch": "replace"},
            ),
            LogBody=record("base64", base64={"type": "string", "contentEncoding": "base64"}),
            LogChunk=record("logId", "more", logId=TEXT, more={"type": "string", "contentEncoding": "base64"}),
        )
    )
    updates = decoded(
        edition,
        {"sessionUpdate": "log_chunk", "logId": "1", "more": "b2xk"},
        {"sessionUpdate": "log_update", "logId": "1", "body": {"base64": "bmV3"}},
        {"sessionUpdate": "log_chunk", "logId": "1", "more": "IQ=="},
    )
    assert folded(edition, updates).to_json()["logs"] == {"1": {"bytes_base64": "bmV3IQ=="}}
    assert_algebra(edition, updates)


@pytest.mark.parametrize(
    ("items", "value"),
    [(TEXT, ["a", "b"]), ({"type": "integer"}, [1, 2]), ({"type": "array", "items": TEXT}, [["a"], []])],
    ids=["texts", "numbers", "lists"],
)
def test_a_slot_that_holds_a_list_of_plain_values(items: Json, value: Json, generate: Generate) -> None:
    edition = generate(
        small_schema(
            {"labels_update": ("LabelsUpdate", {"op": "set", "slot": "labels", "field": "labels"})},
            LabelsUpdate=record("labels", labels={"type": "array", "items": items}),
        )
    )
    updates = decoded(edition, {"sessionUpdate": "labels_update", "labels": value})
    assert folded(edition, updates).to_json()["labels"] == value
    assert_algebra(edition, updates)


@pytest.mark.parametrize(
    ("schema", "value"),
    [(TEXT, "a"), ({"type": "integer"}, 5), (record("x", x=TEXT), {"x": "a"})],
    ids=["text", "number", "object"],
)
def test_a_slot_that_holds_one_value(schema: Json, value: Json, generate: Generate) -> None:
    edition = generate(
        small_schema(
            {"mood_update": ("MoodUpdate", {"op": "set", "slot": "mood", "field": "mood"})},
            MoodUpdate=record("mood", mood={"allOf": [{"$ref": "#/$defs/Mood"}]}),
            Mood=schema,
        )
    )
    assert edition.SessionState().to_json()["mood"] is None
    updates = decoded(edition, {"sessionUpdate": "mood_update", "mood": value})
    assert folded(edition, updates).to_json()["mood"] == value
    assert_algebra(edition, updates)


def test_a_collection_whose_members_are_replaced_by_their_own_key(generate: Generate) -> None:
    edition = generate(
        small_schema(
            {"cell_update": ("CellUpdate", {"op": "replace", "entity": "cells", "key": "cellId", "field": "value"})},
            CellUpdate=record("cellId", "value", cellId=TEXT, value={"allOf": [{"$ref": "#/$defs/Cell"}]}),
            Cell=record("text", text=TEXT),
        )
    )
    updates = decoded(
        edition,
        {"sessionUpdate": "cell_update", "cellId": "1", "value": {"text": "a"}},
        {"sessionUpdate": "cell_update", "cellId": "2", "value": {"text": "b"}},
        {"sessionUpdate": "cell_update", "cellId": "1", "value": {"text": "c"}},
    )
    assert folded(edition, updates).to_json()["cells"] == {"1": {"text": "c"}, "2": {"text": "b"}}
    assert_algebra(edition, updates)


def test_a_definition_that_is_called_like_a_class_of_the_state(generate: Generate) -> None:
    """The definition keeps its name: every ``$defs`` name is an attribute of the edition."""
    todo = deepcopy(TODO)
    todo["properties"]["phase"] = {"anyOf": [{"$ref": "#/$defs/TodoState"}, {"type": "null"}], "x-patch": "replace"}
    edition = generate(
        small_schema({"todo_update": ("TodoUpdate", TODO_RULE)}, TodoUpdate=todo, TodoState=record("x", x=TEXT))
    )
    assert edition.decode("TodoState", {"x": "a"}) == edition.TodoState(x="a")
    updates = decoded(edition, {"sessionUpdate": "todo_update", "todoId": "1", "phase": {"x": "a"}})
    assert folded(edition, updates).to_json()["todos"]["1"]["phase"] == {"x": "a"}
    assert_algebra(edition, updates)


def test_a_map_that_is_replaced_whole_is_copied(generate: Generate) -> None:
    counts = {"type": ["object", "null"], "additionalProperties": {"type": "integer"}, "x-patch": "replace"}
    edition = generate(
        small_schema(
            {"tally_update": ("TallyUpdate", {"op": "upsert", "entity": "tallies", "key": "tallyId"})},
            TallyUpdate=record("tallyId", tallyId=TEXT, counts=counts),
        )
    )
    updates = decoded(edition, {"sessionUpdate": "tally_update", "tallyId": "1", "counts": {"a": 1}})
    state = folded(edition, updates)
    updates[0].counts["b"] = 2
    assert state.to_json()["tallies"] == {"1": {"counts": {"a": 1}}}
    assert_algebra(edition, updates)


# ------------------------------------------------------ entries that chunks make, and updates that say all of one

MAYBE_KEY = {"type": ["string", "null"]}
KEPT_TEXT = {"type": ["string", "null"], "x-patch": "keep"}
LINE = record("text", lineId=MAYBE_KEY, text=TEXT)
LINE_RULE = {
    "op": "append",
    "entity": "lines",
    "key": "lineId",
    "field": "text",
    "timeline": "line",
    "creates": True,
    "unkeyed": "run",
}
CARD = record("cardId", "title", cardId=TEXT, title=TEXT, tags={"type": "array", "items": TEXT}, state=TEXT)
CARD_UPDATE = record(
    "cardId",
    cardId=TEXT,
    title={**KEPT_TEXT, "x-expected": True},
    tags={"type": ["array", "null"], "items": TEXT, "x-patch": "keep", "x-reset": []},
    state={**KEPT_TEXT, "x-reset": "open"},
)
UPSERT_CARD = {"op": "upsert", "entity": "cards", "key": "cardId", "timeline": "card"}
CREATE_CARD = {**UPSERT_CARD, "op": "create"}


def without(members: Schema, *names: str) -> Schema:
    return {name: value for name, value in members.items() if name not in names}


def with_lines(line: Schema = LINE, rule: Json = LINE_RULE, **definitions: Schema) -> Schema:
    return small_schema({"line": ("Line", rule)}, Line=line, **definitions)


def with_cards(card: Schema = CARD, card_update: Schema = CARD_UPDATE, **definitions: Schema) -> Schema:
    updates = {"card": ("Card", CREATE_CARD), "card_update": ("CardUpdate", UPSERT_CARD)}
    return small_schema(updates, Card=card, CardUpdate=card_update, **definitions)


def with_property(payload: Schema, name: str, schema: Json) -> Schema:
    return {**payload, "properties": {**payload["properties"], name: schema}}


def message(payload: Schema, **keywords: Json) -> Schema:
    return {**payload, "x-method": "lines/read", "x-side": "agent", **keywords}


LINES_OF_NOTHING = '"unkeyed" in the update "line", whose key is no optional text of its own or which has no timeline'
CREATES_DEEPER = '"creates" in the update "line", whose key or field is no property of its own'
NOT_ONE_UPSERT = 'the update "{}" creates "cards", which not exactly one other update upserts'
NAME_AN_UPSERT = 'name the entity of an update with the op "upsert"'
SAME_PROPERTY = 'give both the same property, with "x-patch": "keep" in the patch'
BRANCH = "schema.json#/$defs/Update/anyOf/{}/x-update"
PROPERTY = "schema.json#/$defs/CardUpdate/properties/{}"
REQUIRED_PATCH = ('"x-patch" on a required property', "remove it: a required property is never absent")
DECIDE_THE_KEY = 'require the key, or add "unkeyed": "run" to an update that appends'
BODY = {"allOf": [{"$ref": "#/$defs/Body"}]}
LINES_SLOT = ("LinesUpdate", {"op": "set", "slot": "lines", "field": "lines"})
LINES_UPDATE = record("lines", lines={"type": "array", "items": TEXT})
WRONG_RULES: dict[str, tuple[Schema, str, str, str]] = {
    # the mistake: a schema that makes it, the message, the place, the fix
    "creates after an upsert": (
        small_schema(
            {"todo_update": ("TodoUpdate", TODO_RULE), "todo_note": ("TodoNote", {**NOTE_RULE, "creates": True})},
            TodoUpdate=TODO,
            TodoNote=NOTE,
        ),
        'the updates "todo_update" and "todo_note" both write to "todos"',
        BRANCH.format(1) + "/entity",
        "give one of them a place of its own",
    ),
    "creates below a slot": (
        small_schema(
            {"lines_update": LINES_SLOT, "line": ("Line", {**LINE_RULE, "entity": "lines.a"})},
            Line=LINE,
            LinesUpdate=LINES_UPDATE,
        ),
        'the updates "lines_update" and "line" both write to "lines.a"',
        BRANCH.format(1) + "/entity",
        "give one of them a place of its own",
    ),
    "creates with a deeper source": (
        with_lines(
            record("body", lineId=MAYBE_KEY, body=BODY),
            {**LINE_RULE, "from": "body.text", "field": "texts"},
            Body=record("text", text=TEXT),
        ),
        CREATES_DEEPER,
        BRANCH.format(0) + "/creates",
        "name properties of the payload itself, and the list like the property that it collects",
    ),
    "creates from a property that may be absent": (
        with_lines(record(lineId=MAYBE_KEY, text=MAYBE_KEY)),
        'the update "line" makes entries of "text", which it may leave out',
        "schema.json#/$defs/Line/properties/text",
        "require the property",
    ),
    "an optional key of an append to an upserted entity": (
        small_schema(
            {"todo_update": ("TodoUpdate", TODO_RULE), "todo_note": ("TodoNote", NOTE_RULE)},
            TodoUpdate=TODO,
            TodoNote=record("note", todoId=MAYBE_KEY, note=TEXT),
        ),
        'what the update "todo_note" is about without "todoId" is not decided',
        BRANCH.format(1),
        DECIDE_THE_KEY,
    ),
    "an optional key of a create": (
        with_cards({**CARD, "required": ["title"]}),
        'what the update "card" is about without "cardId" is not decided',
        BRANCH.format(0),
        DECIDE_THE_KEY,
    ),
    "unkeyed with a key that is a number": (
        with_lines(with_property(LINE, "lineId", {"type": ["integer", "null"]})),
        LINES_OF_NOTHING,
        BRANCH.format(0) + "/unkeyed",
        "remove it, or make the key an optional text and name a timeline",
    ),
    "a key inside a text": (
        small_schema(
            {"card": ("Card", {**CREATE_CARD, "key": "cardId.x"}), "card_update": ("CardUpdate", UPSERT_CARD)},
            Card=CARD,
            CardUpdate=CARD_UPDATE,
        ),
        'the rule looks for "x" in something that is no object',
        BRANCH.format(0) + "/key",
        "end the path where the objects end",
    ),
    "a create with another key": (
        small_schema(
            {"card": ("Card", {**CREATE_CARD, "key": "id"}), "card_update": ("CardUpdate", UPSERT_CARD)},
            Card={**CARD, "required": ["id", "title"], "properties": {"id": TEXT, **CARD["properties"]}},
            CardUpdate=CARD_UPDATE,
        ),
        'the updates of "cards" have different keys',
        BRANCH.format(0) + "/key",
        'use "cardId" in both',
    ),
    "keep beside a default": (
        small_schema(
            {"card_update": ("CardUpdate", UPSERT_CARD)},
            CardUpdate=record("cardId", cardId=TEXT, state={"type": "string", "x-patch": "keep", "default": "d"}),
        ),
        '"x-patch" beside a default',
        "schema.json#/$defs/CardUpdate/properties/state",
        "remove one of the two: with a default nothing is ever absent",
    ),
    "creates beside an upsert": (
        small_schema(
            {"todo_note": ("TodoNote", {**NOTE_RULE, "creates": True}), "todo_update": ("TodoUpdate", TODO_RULE)},
            TodoNote=NOTE,
            TodoUpdate=TODO,
        ),
        'the updates "todo_note" and "todo_update" both write to "todos"',
        BRANCH.format(1) + "/entity",
        "give one of them a place of its own",
    ),
    "creates with a key that lies deeper": (
        with_lines(
            record("of", "text", of={"allOf": [{"$ref": "#/$defs/Of"}]}, text=TEXT),
            {**without(LINE_RULE, "unkeyed"), "key": "of.lineId"},
            Of=record("lineId", lineId=TEXT),
        ),
        CREATES_DEEPER,
        BRANCH.format(0) + "/creates",
        "name properties of the payload itself, and the list like the property that it collects",
    ),
    "creates with a field that lies deeper": (
        with_lines(rule={**LINE_RULE, "field": "body.text", "from": "text"}),
        CREATES_DEEPER,
        BRANCH.format(0) + "/creates",
        "name properties of the payload itself, and the list like the property that it collects",
    ),
    "unkeyed with a required key": (
        with_lines(record("lineId", "text", lineId=TEXT, text=TEXT)),
        LINES_OF_NOTHING,
        BRANCH.format(0) + "/unkeyed",
        "remove it, or make the key an optional text and name a timeline",
    ),
    "unkeyed without a timeline": (
        with_lines(rule=without(LINE_RULE, "timeline")),
        LINES_OF_NOTHING,
        BRANCH.format(0) + "/unkeyed",
        "remove it, or make the key an optional text and name a timeline",
    ),
    "an optional key without unkeyed": (
        with_lines(rule=without(LINE_RULE, "unkeyed")),
        'what the update "line" is about without "lineId" is not decided',
        BRANCH.format(0),
        DECIDE_THE_KEY,
    ),
    "create without an upsert": (
        small_schema({"card": ("Card", CREATE_CARD)}, Card=CARD),
        NOT_ONE_UPSERT.format("card"),
        BRANCH.format(0) + "/entity",
        NAME_AN_UPSERT,
    ),
    "create of what chunks make": (
        small_schema(
            {"line": ("Line", LINE_RULE), "card": ("Card", {**CREATE_CARD, "entity": "lines", "timeline": "line"})},
            Line=LINE,
            Card=CARD,
        ),
        'the update "card" creates "lines", which not exactly one other update upserts',
        BRANCH.format(1) + "/entity",
        NAME_AN_UPSERT,
    ),
    "create with two upserts": (
        small_schema(
            {
                "card": ("Card", CREATE_CARD),
                "card_update": ("CardUpdate", UPSERT_CARD),
                "card_change": ("CardChange", UPSERT_CARD),
            },
            Card=CARD,
            CardUpdate=CARD_UPDATE,
            CardChange=CARD_UPDATE,
        ),
        'two updates upsert "cards"',
        BRANCH.format(2) + "/entity",
        "give one of them a place of its own",
    ),
    "two creates of one entity": (
        small_schema(
            {
                "card": ("Card", CREATE_CARD),
                "new_card": ("NewCard", CREATE_CARD),
                "card_update": ("CardUpdate", UPSERT_CARD),
            },
            Card=CARD,
            NewCard=CARD,
            CardUpdate=CARD_UPDATE,
        ),
        NOT_ONE_UPSERT.format("new_card"),
        BRANCH.format(1) + "/entity",
        NAME_AN_UPSERT,
    ),
    "create on another timeline": (
        small_schema(
            {
                "card": ("Card", {**CREATE_CARD, "timeline": "ticket"}),
                "card_update": ("CardUpdate", UPSERT_CARD),
            },
            Card=CARD,
            CardUpdate=CARD_UPDATE,
        ),
        'the updates of "cards" disagree about its timeline: "ticket" and "card"',
        BRANCH.format(1) + "/timeline",
        'use "timeline": "ticket" in all of them',
    ),
    "create without a stored property": (
        with_cards({**CARD, "properties": without(CARD["properties"], "tags")}),
        'the update "card" does not carry "tags" as CardUpdate does',
        BRANCH.format(0),
        SAME_PROPERTY,
    ),
    "create with a property of another type": (
        with_cards(with_property(CARD, "state", {"type": "integer"})),
        'the update "card" does not carry "state" as CardUpdate does',
        BRANCH.format(0),
        SAME_PROPERTY,
    ),
    "create beside a patch that can clear": (
        with_cards(card_update=with_property(CARD_UPDATE, "title", MAYBE_TEXT)),
        'the update "card" does not carry "title" as CardUpdate does',
        BRANCH.format(0),
        SAME_PROPERTY,
    ),
    "x-ends-run without runs": (
        with_lines(
            record("lineId", "text", lineId=TEXT, text=TEXT),
            without(LINE_RULE, "unkeyed"),
            ReadRequest=message(record(), **{"x-ends-run": True}),
        ),
        '"x-ends-run" where every chunk has an id',
        "schema.json#/$defs/ReadRequest/x-ends-run",
        'remove it, or add "unkeyed": "run" to an update',
    ),
    "x-ends-run on something that nobody sends": (
        with_lines(Reading={**record(text=TEXT), "x-ends-run": True}),
        '"x-ends-run" on something that is neither a request nor a result',
        "schema.json#/$defs/Reading/x-ends-run",
        "remove it",
    ),
    "keep on a required property": (
        with_cards(card_update={**CARD_UPDATE, "required": ["cardId", "state"]}),
        REQUIRED_PATCH[0],
        PROPERTY.format("state"),
        REQUIRED_PATCH[1],
    ),
    "latest on a required property": (
        with_cards(
            card_update=with_property(
                {**CARD_UPDATE, "required": ["cardId", "state"]}, "state", {**KEPT_TEXT, "x-patch": "latest"}
            )
        ),
        REQUIRED_PATCH[0],
        PROPERTY.format("state"),
        REQUIRED_PATCH[1],
    ),
    "an optional property without a decision": (
        with_cards(card_update=with_property(CARD_UPDATE, "state", MAYBE_KEY)),
        'what null does to "state" of the update "card_update" is not decided',
        PROPERTY.format("state"),
        'add "x-patch": "replace" (or "merge", "keep", "latest", or "none" if it is not stored)',
    ),
    "x-reset that is no value of a kept property": (
        with_cards(card_update=with_property(CARD_UPDATE, "state", {**KEPT_TEXT, "x-reset": 5})),
        "5 is not a value of the property",
        PROPERTY.format("state") + "/x-reset",
        "use a value of the property's type",
    ),
    "x-reset in an update that says all of an entry": (
        with_cards(
            with_property({**CARD, "required": ["cardId", "title", "state"]}, "state", {**TEXT, "x-reset": "x"})
        ),
        '"x-reset" on a property that no update stores',
        "schema.json#/$defs/Card/properties/state/x-reset",
        "move it to where it is read, or remove it",
    ),
    "x-patch in an update that says all of an entry": (
        with_cards(with_property(CARD, "state", KEPT_TEXT)),
        '"x-patch" in Card, which no update patches',
        "schema.json#/$defs/Card/properties/state/x-patch",
        'give its update the op "upsert" or "patch", or remove the annotation',
    ),
    "x-expected on a property that absence clears": (
        small_schema(
            {"card_update": ("CardUpdate", UPSERT_CARD)},
            CardUpdate=record("cardId", cardId=TEXT, title={**KEPT_TEXT, "x-patch": "latest", "x-expected": True}),
        ),
        '"x-expected" on something else than a patch property of an upserted entity',
        PROPERTY.format("title") + "/x-expected",
        "move it to where it is read, or remove it",
    ),
    "chunks for a list that a patch cannot clear": (
        small_schema(
            {
                "card_update": ("CardUpdate", UPSERT_CARD),
                "tag": ("Tag", {**UPSERT_CARD, "op": "append", "field": "tags", "from": "tag"}),
            },
            CardUpdate=CARD_UPDATE,
            Tag=record("cardId", "tag", cardId=TEXT, tag=TEXT),
        ),
        'the update "tag" cannot append to "tags" of CardUpdate',
        BRANCH.format(1) + "/field",
        'append to an array of such values that has "x-reset": []',
    ),
    "a collection that is called like the run": (
        with_lines(rule={**LINE_RULE, "entity": "run"}),
        '"run" is taken by the state itself',
        BRANCH.format(0) + "/entity",
        "use another name",
    ),
}


@pytest.mark.parametrize("mistake", WRONG_RULES)
def test_a_mistake_in_the_rules_of_chunks_and_wholes_stops_generation(mistake: str, refuse: Refuse) -> None:
    document, said, where, fix = WRONG_RULES[mistake]
    error = refuse(document)
    assert (error.message, error.where, error.hint) == (said, where, fix)


@pytest.mark.parametrize("keyword", ["unkeyed", "creates"])
@pytest.mark.parametrize("op", ["upsert", "create", "append_bytes", "replace"])
def test_only_chunks_make_entries_and_come_without_an_id(op: str, keyword: str, refuse: Refuse) -> None:
    rule = {**LINE_RULE, "op": op} if op in ("append_bytes", "replace") else {**without(LINE_RULE, "field"), "op": op}
    other = "creates" if keyword == "unkeyed" else "unkeyed"
    error = refuse(with_lines(rule=without(rule, other)))
    assert f'"{keyword}"' in error.message
    assert error.where.endswith(f"{BRANCH.format(0)}/{keyword}")


@pytest.mark.parametrize(("keyword", "value"), [("unkeyed", "newest"), ("unkeyed", True), ("creates", False)])
def test_a_misspelt_value_in_a_rule_of_chunks_stops_generation(keyword: str, value: Json, refuse: Refuse) -> None:
    error = refuse(with_lines(rule={**LINE_RULE, keyword: value}))
    assert error.where.endswith(f"{BRANCH.format(0)}/{keyword}")


@pytest.fixture(scope="module")
def board(generate: Generate) -> ModuleType:
    """A protocol of its own with lines that chunks make and cards that one update creates and another patches."""
    return generate(
        small_schema(
            {
                "line": ("Line", LINE_RULE),
                "card": ("Card", CREATE_CARD),
                "card_update": ("CardUpdate", UPSERT_CARD),
                "meter": ("MeterUpdate", {"op": "patch", "slot": "meter"}),
            },
            Line=LINE,
            Card=CARD,
            CardUpdate=CARD_UPDATE,
            MeterUpdate=record(
                "used", used={"type": "integer"}, price={**KEPT_TEXT, "x-patch": "latest"}, seen={**KEPT_TEXT}
            ),
            ReadRequest=message(record(), **{"x-ends-run": True}),
        )
    )


def line(words: str, **members: Json) -> Json:
    return {"sessionUpdate": "line", "text": words, **members}


def card(tag: str = "card", **members: Json) -> Json:
    return {"sessionUpdate": tag, "cardId": "1", **members}


BOARD_STREAM: list[Json] = [
    line("a"),
    line("b", lineId=None),
    card("card_update", tags=["early"], state="done"),
    line("c"),
    card(title="t", tags=["x"]),
    line("d"),
    line("e", lineId="mine"),
    card("card_update", title=None, tags=[], state=None),
    {"sessionUpdate": "meter", "used": 1, "price": "2", "seen": "yes"},
    {"sessionUpdate": "meter", "used": 3},
    line("f", lineId="mine"),
]


def test_annotations_alone_give_runs_of_chunks_wholes_and_patches_that_keep(board: ModuleType) -> None:
    state = folded(board, decoded(board, *BOARD_STREAM))
    assert state.to_json() == {
        "lines": {"unnamed-1": {"text": ["a", "b"]}, "unnamed-2": {"text": ["c", "d"]}, "mine": {"text": ["e", "f"]}},
        "cards": {"1": {"title": "t", "tags": [], "state": "open"}},
        "meter": {"used": 3, "price": None, "seen": "yes"},
        "timeline": [["line", "unnamed-1"], ["card", "1"], ["line", "unnamed-2"], ["line", "mine"]],
    }
    assert_algebra(board, decoded(board, *BOARD_STREAM))


def test_a_message_that_ends_a_run_is_generated_from_its_annotation(board: ModuleType) -> None:
    state = folded(board, decoded(board, line("a")))
    assert board.apply_read_request(state, board.decode("ReadRequest", {})) == []
    board.apply_update(state, *decoded(board, line("b")))
    assert state.to_json()["lines"] == {"unnamed-1": {"text": ["a"]}, "unnamed-2": {"text": ["b"]}}


def test_a_change_of_a_whole_entry_names_all_of_it_and_that_of_a_patch_what_it_said(board: ModuleType) -> None:
    state = board.SessionState()
    first, second, third = decoded(board, card("card_update", state="x"), card(title="t"), card("card_update", tags=[]))
    assert board.apply_update(state, first) == board.Change(
        "cards", "1", ("state",), True, None, ("the first report should have a title",)
    )
    assert board.apply_update(state, second) == board.Change("cards", "1", ("title", "tags", "state"), False)
    assert board.apply_update(state, third) == board.Change("cards", "1", ("tags",), False)


def test_a_difference_that_a_patch_cannot_say_is_told_as_a_whole_or_refused(board: ModuleType) -> None:
    bare = board.decode("Update", card("card_update", state="done"))
    titled = board.decode("Update", card(title="t"))
    old, new = folded(board, [titled]).cards["1"], folded(board, [bare]).cards["1"]
    assert board.encode(board.diff(new, old), "Update") == card("card_update", title="t", state="open")
    with pytest.raises(ValueError, match="^no update of this edition can clear title$"):
        board.diff(old, new)
    meters = decoded(board, {"sessionUpdate": "meter", "used": 1, "seen": "x"}, {"sessionUpdate": "meter", "used": 1})
    with pytest.raises(ValueError, match="^no update of this edition can clear seen$"):
        board.diff(folded(board, meters[:1]).meter, folded(board, meters[1:]).meter)


def test_chunks_that_make_an_entry_differ_by_one(board: ModuleType) -> None:
    def lines(*words: str) -> Any:
        return folded(board, decoded(board, *(line(word, lineId="l") for word in words))).lines["l"]

    assert board.encode(board.diff(lines("a"), lines("a", "b")), "Update") == line("b", lineId="l")
    assert board.encode(board.diff(None, lines("a")), "Update") == line("a", lineId="l")
    for old, new in ((lines("a"), lines("a")), (lines("a"), lines("b", "a")), (None, lines("a", "b"))):
        with pytest.raises(ValueError, match="^no single update of this edition leads to this text$"):
            board.diff(old, new)


MOOD = small_schema(
    {"mood": ("MoodUpdate", {"op": "set", "slot": "mood", "field": "mood"})},
    MoodUpdate=record("mood", mood={"allOf": [{"$ref": "#/$defs/Mood"}]}),
    Mood=TEXT,
)


def test_a_holder_that_is_null_feeds_nothing(generate: Generate) -> None:
    holder = record("mood", mood={"allOf": [{"$ref": "#/$defs/Mood"}], "x-feeds": {"slot": "mood"}})
    maybe = {"anyOf": [{"$ref": "#/$defs/Holder"}, {"type": "null"}]}
    response = message(record("holder", holder=maybe))
    edition = generate({"$defs": {**MOOD["$defs"], "Holder": holder, "OpenResponse": response}})
    opened = edition.decode("OpenResponse", {"holder": None})
    assert edition.apply_open_response(edition.SessionState(), opened) == []


def test_an_absent_value_does_not_empty_a_slot(generate: Generate) -> None:
    fed = {"anyOf": [{"$ref": "#/$defs/Mood"}, {"type": "null"}], "x-feeds": {"slot": "mood"}}
    edition = generate({"$defs": {**MOOD["$defs"], "OpenResponse": message(record(mood=fed))}})
    state = folded(edition, decoded(edition, {"sessionUpdate": "mood", "mood": "good"}))
    assert edition.apply_open_response(state, edition.decode("OpenResponse", {})) == []
    assert state.mood == "good"


def test_an_absent_update_of_a_request_is_not_applied(generate: Generate) -> None:
    maybe = {"anyOf": [{"$ref": "#/$defs/CardUpdate"}, {"type": "null"}], "x-feeds": {"update": "card_update"}}
    edition = generate(with_cards(AskRequest=message(record(card=maybe))))
    state = edition.SessionState()
    assert edition.apply_ask_request(state, edition.decode("AskRequest", {})) == []
    (change,) = edition.apply_ask_request(state, edition.decode("AskRequest", {"card": {"cardId": "1"}}))
    assert change.created
