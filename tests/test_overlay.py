"""Bindings from published schemas that nobody has annotated: with --overlay they have a session, whatever the draft."""

from __future__ import annotations

import copy
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from acp_codegen import pipeline
from acp_codegen.cli import app
from acp_codegen.lock import OUR_KEYWORDS, shape
from acp_codegen.overlay import lay_over
from acp_codegen.pipeline import build_edition, build_package
from acp_codegen.resources import EditionSource
from support import ROOT
from support.editions import JUNE, V1, V2
from support.oracle import Oracle, same_json
from support.profiles import for_all
from support.strategies import Instances

PEERS = ROOT / ".peers" / "node_modules" / "@agentclientprotocol" / "sdk" / "schema"
# A schema and the edition that is laid over it.
DRAFTS = {
    "june_v2": (JUNE.published_path, "v2"),
    "newest_june": (V2.published_path, "v2_2026_06"),
    "unstable_v1": (PEERS / "v1" / "schema.unstable.json", "v1"),
    "unstable_v2": (PEERS / "v2" / "schema.unstable.json", "v2"),
}
TEXT = {"type": "text", "text": "hi"}
ENTRY = {"content": "do it", "priority": "high", "status": "pending"}


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(autouse=True)
def unformatted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layout is most of the time that a generation takes, and nothing here is about it."""
    monkeypatch.setattr(pipeline, "format_module", lambda text: text)


@pytest.fixture
def bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path, str], Any]]:
    """Import what a schema gives with an overlay."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(schema: Path, overlay: str) -> Any:
        if not schema.exists():
            pytest.skip(f"{schema.name} of this draft is not here")
        loaded = lay_over(schema, overlay).loaded
        package = build_package([EditionSource("draft", schema, schema.name, loaded)])
        for path, text in package.files.items():
            target = tmp_path / "overlaid" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        assert "bridge.py" not in package.files
        return importlib.import_module("overlaid.draft")

    yield make
    for name in [name for name in sys.modules if name.partition(".")[0] == "overlaid"]:
        del sys.modules[name]


# ------------------------------------------------------------------------------------------------- sessions


def plan(module: Any) -> dict[str, Any]:
    """A plan in the words of a draft: by its one property, or as an item with an id of some name."""
    if "plan_update" not in module.UPDATES or module.UPDATES["plan_update"].op == "event":
        return {"sessionUpdate": "plan", "entries": [ENTRY]}
    item = {"type": "items", "id": "p1", "planId": "p1", "entries": [ENTRY]}
    return {"sessionUpdate": "plan_update", "plan": item}


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_draft_folds_a_session(draft: str, bindings: Callable[[Path, str], Any]) -> None:
    module = bindings(*DRAFTS[draft])
    state = module.SessionState()
    updates = [
        {"sessionUpdate": "user_message_chunk", "messageId": "m1", "content": TEXT},
        {"sessionUpdate": "agent_message_chunk", "messageId": "m2", "content": TEXT},
        {"sessionUpdate": "agent_message_chunk", "messageId": "m2", "content": TEXT},
        {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "title": "Read", "status": "in_progress"},
        {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"},
        plan(module),
        {"sessionUpdate": "available_commands_update", "availableCommands": []},
    ]
    for update in updates:
        module.apply_update(state, module.decode("SessionUpdate", update))
    told = state.to_json()
    assert told["messages"]["user"]["m1"]["content"] == [TEXT]
    assert told["messages"]["agent"]["m2"]["content"] == [TEXT, TEXT]
    assert (told["tool_calls"]["t1"]["title"], told["tool_calls"]["t1"]["status"]) == ("Read", "completed")
    entries = told["plan"] if "plan" in told else told["plans"]["p1"]["entries"]
    assert [entry["content"] for entry in entries] == ["do it"]
    assert told["commands"] == []
    assert told["timeline"][:3] == [["user_message", "m1"], ["agent_message", "m2"], ["tool_call", "t1"]]


def test_an_update_without_a_rule_is_delivered(bindings: Callable[[Path, str], Any]) -> None:
    module = bindings(*DRAFTS["newest_june"])
    state = module.SessionState()
    before = state.to_json()
    update = module.decode("SessionUpdate", {"sessionUpdate": "state_update", "state": "running"})
    change = module.apply_update(state, update)
    assert (change.kind, change.event) == ("event", update)
    assert state.to_json() == before


@pytest.mark.parametrize("draft", ["unstable_v1", "unstable_v2"])
def test_an_unstable_draft_reads_what_its_schema_allows(draft: str, bindings: Callable[[Path, str], Any]) -> None:
    """The laws of our editions, sampled: the same verdict as the oracle, and the same JSON back."""
    schema, overlay = DRAFTS[draft]
    module = bindings(schema, overlay)
    document = lay_over(schema, overlay).loaded.document
    oracle, instances = Oracle(document), Instances(document)

    def check(name: str, x: Any) -> None:
        try:
            value = module.decode(name, x)
        except module.DecodeError:
            assert not oracle.accepts(name, x)
        else:
            assert oracle.accepts(name, x)
            assert same_json(module.encode(value, name), oracle.written_back(name, x))

    ours = V1 if overlay == "v1" else V2
    new = [
        name for name in document["$defs"] if shape(document["$defs"][name]) != shape(ours.definitions.get(name, {}))
    ]
    assert len(new) > 40
    for name in new[::4]:
        for_all(instances.valid(name), lambda x, name=name: check(name, x), share=0.01)
        for_all(instances.faulty(name), lambda x, name=name: check(name, x), share=0.01)


# ---------------------------------------------------------------------------------------------------- notes


@pytest.mark.skipif(not JUNE.published_path.exists(), reason="../shared is not here")
def test_every_default_is_noted(tmp_path: Path) -> None:
    result = run("generate", "--schema", JUNE.published_path, "--overlay", "v2", "--out", tmp_path)
    assert result.exit_code == 0
    assert result.stderr == (
        'note: there is no slot "foreground"; generated without "x-initial"\n'
        "  at schema.json#/$defs/NewSessionResponse/x-initial\n"
        'note: there is no slot "foreground"; generated without "x-cancelled"\n'
        "  at schema.json#/$defs/ToolCallUpdate/properties/status/x-cancelled/unless_in\n"
    )
    assert result.stdout.splitlines()[1].split()[0] == "v2_2026_06"
    again = run("check", "--schema", JUNE.published_path, "--overlay", "v2", "--out", tmp_path)
    assert again.exit_code == 0
    assert again.stderr.startswith(result.stderr)


def draft_of(document: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "draft" / "schema.json"
    path.parent.mkdir()
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def noted(document: dict[str, Any], tmp_path: Path) -> list[str]:
    laid = lay_over(draft_of(document, tmp_path), "v2")
    return [*laid.passed_over, *(f"{note.where} {note.line}" for note in laid.decisions)]


def test_our_own_shape_gets_our_own_session(tmp_path: Path) -> None:
    """And its own descriptions: here none."""
    schema = draft_of(shape(V2.document), tmp_path)
    laid = lay_over(schema, "v2")
    assert (laid.decisions, laid.passed_over) == ((), ())
    ours = build_edition(EditionSource("v2", V2.schema_path, "schema.json")).session
    theirs = build_edition(EditionSource("v2", schema, "schema.json", laid.loaded)).session
    assert ours is not None and theirs is not None
    assert [operation.update for operation in theirs.operations] == [operation.update for operation in ours.operations]
    assert "description" not in json.dumps(laid.loaded.document["$defs"]["ToolKind"])


def test_a_new_update_and_a_new_field(tmp_path: Path) -> None:
    document = shape(V2.document)
    document["$defs"]["ToolCallUpdate"]["properties"]["effort"] = {"type": ["integer", "null"]}
    tag = {"sessionUpdate": {"type": "string", "const": "weather"}}
    branch = {"type": "object", "properties": tag, "required": ["sessionUpdate"]}
    document["$defs"]["SessionUpdate"]["anyOf"].insert(0, branch)
    document["$defs"]["SessionUpdate"]["anyOf"][-1]["not"]["anyOf"].append(branch)
    assert noted(document, tmp_path) == [
        '/$defs/SessionUpdate/anyOf/0 "x-update": {"op": "event"}',
        '/$defs/ToolCallUpdate/properties/effort "x-patch": "replace"',
    ]


def test_an_annotation_that_nobody_knows_is_passed_over(tmp_path: Path) -> None:
    document = shape(V2.document)
    document["$defs"]["ToolKind"]["x-vendor"] = {"x-inner": 1}
    document["$defs"]["ToolCallUpdate"]["properties"]["title"]["x-deserialize-trimmed"] = True
    schema = draft_of(document, tmp_path)
    result = run("generate", "--schema", schema, "--overlay", "v2", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stderr == (
        "note: nothing here knows this annotation; it is passed over\n"
        "  at schema.json#/$defs/ToolCallUpdate/properties/title/x-deserialize-trimmed\n"
        "note: nothing here knows this annotation; it is passed over\n"
        "  at schema.json#/$defs/ToolKind/x-vendor\n"
    )


def test_without_a_session_there_are_three_state_fields_still(tmp_path: Path) -> None:
    schema = draft_of(shape(V2.document), tmp_path)
    options = ["--schema", schema, "--overlay", "v2", "--no-session", "--edition", "draft", "--out", tmp_path / "out"]
    assert run("generate", *options).exit_code == 0
    folder = tmp_path / "out" / "acp_schema" / "draft"
    assert not (folder / "session.py").exists()
    assert "title: Patch[str] = UNSET" in (folder / "types.py").read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------------------- mistakes


def test_an_overlay_over_nothing() -> None:
    result = run("generate", "--overlay", "v2")
    assert result.exit_code == 2
    assert result.stderr == "error: what to lay the annotations over is not said\n  fix: add --schema FILE\n"


def test_an_overlay_over_another_protocol(tmp_path: Path) -> None:
    schema = tmp_path / "other.json"
    schema.write_text('{"$defs": {"Point": {"type": "object", "properties": {}}}}', encoding="utf-8")
    result = run("generate", "--schema", schema, "--overlay", "v2", "--out", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error: not a schema of this protocol: no definition belongs to a method\n"
        "  at other.json\n"
        '  fix: name a published protocol schema: its requests have "x-method"\n'
    )
    assert not (tmp_path / "out").exists()


def test_an_overlay_that_is_no_edition(tmp_path: Path) -> None:
    schema = draft_of(shape(V2.document), tmp_path)
    result = run("generate", "--schema", schema, "--overlay", "v3", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr == "error: there is no edition 'v3'\n  fix: choose from: v1, v2, v2_2026_06\n"
    assert not (tmp_path / "out").exists()


def test_a_mistake_in_the_shape_names_the_file(tmp_path: Path) -> None:
    document = shape(V2.document)
    document["$defs"]["Nothing"] = {"type": "null"}
    result = run("generate", "--schema", draft_of(document, tmp_path), "--overlay", "v2", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[:2] == [
        "error: not supported: something that is always null",
        "  at schema.json#/$defs/Nothing",
    ]


# ------------------------------------------------------------------------------------ idioms of older drafts


def edition_of(document: dict[str, Any], tmp_path: Path) -> Any:
    return build_edition(EditionSource("draft", draft_of(document, tmp_path), "schema.json"), session=False)


def test_true_is_a_schema(tmp_path: Path) -> None:
    open_ = {"type": "object", "properties": {"meta": True, "list": {"type": "array", "items": True}}}
    spelled = copy.deepcopy(open_)
    spelled["properties"] = {"meta": {}, "list": {"type": "array", "items": {}}}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = edition_of({"$defs": {"A": open_}}, tmp_path / "a")
    other = edition_of({"$defs": {"A": spelled}}, tmp_path / "b")
    assert one.definitions == other.definitions
    assert shape(open_) == spelled


def test_a_method_that_both_sides_handle(tmp_path: Path) -> None:
    both = {"type": "object", "properties": {}, "x-method": "mcp/message", "x-side": "both"}
    envelope = {
        "type": "object",
        "properties": {"method": {"type": "string"}, "params": {"anyOf": [{"$ref": "#/$defs/MessageNotification"}]}},
    }
    edition = edition_of({"$defs": {"MessageNotification": both, "Envelope": envelope}}, tmp_path)
    assert [(row.method, row.side, row.kind) for row in edition.methods] == [
        ("mcp/message", "agent", "notification"),
        ("mcp/message", "client", "notification"),
    ]


def test_branches_without_a_title_are_named_by_what_they_alone_require(tmp_path: Path) -> None:
    result = {"type": "object", "properties": {"id": {"type": "string"}, "result": {}}, "required": ["id", "result"]}
    error = {"type": "object", "properties": {"id": {"type": "string"}, "error": {}}, "required": ["id", "error"]}
    edition = edition_of({"$defs": {"Answer": {"anyOf": [result, error]}}}, tmp_path)
    assert [definition.name for definition in edition.definitions] == ["Answer", "AnswerResult", "AnswerError"]


def test_without_envelopes_names_tell_requests_from_results(tmp_path: Path) -> None:
    def message(method: str) -> dict[str, Any]:
        return {"type": "object", "properties": {}, "x-method": method, "x-side": "agent"}

    definitions = {
        "PromptRequest": message("session/prompt"),
        "PromptResponse": message("session/prompt"),
        "CancelNotification": message("session/cancel"),
        "LonelyRequest": message("lonely"),
    }
    edition = edition_of({"$defs": definitions}, tmp_path)
    assert [(row.method, row.kind, row.params, row.result) for row in edition.methods] == [
        ("session/prompt", "request", "PromptRequest", "PromptResponse"),
        ("session/cancel", "notification", "CancelNotification", None),
    ]


@pytest.mark.parametrize("keyword", ["$id", "$comment", "deprecated", "examples", "readOnly", "writeOnly"])
def test_keywords_that_say_nothing_about_values(keyword: str, tmp_path: Path) -> None:
    value: Any = {"$id": "a", "$comment": "b", "examples": [{"description": 1}]}.get(keyword, True)
    document = {"$defs": {"A": {"type": "object", "properties": {"p": {"type": "string", keyword: value}}}}}
    edition = edition_of(document, tmp_path)
    assert [field.wire for field in edition.definitions[0].fields] == ["p"]


def test_our_keywords_are_those_of_the_vocabulary() -> None:
    """What is ours is what no published schema has."""
    vocabulary = json.loads((ROOT / "schema" / "vocabulary.json").read_text(encoding="utf-8"))
    known = {keyword for keyword in vocabulary["$defs"]["schema"]["properties"] if keyword.startswith("x-")}
    theirs = {"x-side", "x-method", "x-docs-ignore"} | {keyword for keyword in known if "deserialize" in keyword}
    assert known - theirs == OUR_KEYWORDS
