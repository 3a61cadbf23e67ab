"""``acp-codegen explain``: what it says is what the schema, the generated package and the codecs have."""

from __future__ import annotations

import ast
import dataclasses
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from acp_codegen.explain.layout import Role, lay_out
from acp_codegen.explain.lookup import Schema, look_up, schemas
from acp_codegen.explain.names import Kind, Subject
from acp_codegen.explain.page import Code, Page, Pages, Table
from acp_codegen.explain.samples import Sampler
from acp_codegen.explain.uses import References
from acp_codegen.ir import Edition as EditionIr
from acp_codegen.ir import Record, Union_
from acp_codegen.pipeline import build_edition
from acp_codegen.resources import EditionSource
from acp_codegen.views.common import Model
from support import ROOT
from support.editions import Edition, every_edition
from support.strategies import TRIALS
from test_cli import clean_environment, run, run_here

SCHEMAS = {schema.source.name: schema for schema in schemas()}


@cache
def built(name: str) -> EditionIr:
    return build_edition(SCHEMAS[name].source)


@cache
def pages(name: str) -> Pages:
    return Pages(built(name), SCHEMAS[name].document)


@cache
def sampler(name: str) -> Sampler:
    return Sampler(built(name), SCHEMAS[name].document)


def explained(name: str, edition: str = "v2") -> Page:
    (subject,) = SCHEMAS[edition].names[name]
    return pages(edition).page(subject)


def section(page: Page, title: str) -> Any:
    """The blocks of a section; it must be there once."""
    (found,) = [section.blocks for section in page.sections if section.title == title]
    return found


def table(page: Page, title: str) -> list[tuple[str, ...]]:
    (found,) = [block for block in section(page, title) if isinstance(block, Table)]
    return found.rows


def validator(edition: Edition, where: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#{where}", "$defs": edition.definitions}, validate_formats=True)


# ------------------------------------------------------------------------------------------------- samples


@every_edition
def test_the_sample_of_every_definition_is_valid_and_survives_the_package(edition: Edition) -> None:
    for name in edition.definitions:
        sample = sampler(edition.name).definition(name)
        assert list(validator(edition, f"/$defs/{name}").iter_errors(sample)) == [], name
        issues: list[Any] = []
        value = edition.module.decode(name, sample, issues=issues)
        assert issues == [], name
        assert edition.module.encode(value, name) == edition.oracle.written_back(name, sample), name


@every_edition
def test_the_sample_of_a_class_that_has_no_definition_is_one_of_its_union(edition: Edition) -> None:
    """It carries the tags of every union that was made for it, and is read as that class."""
    model = Model(built(edition.name))
    holders: dict[str, list[str]] = {}
    for definition in built(edition.name).definitions:
        if definition.name in edition.definitions and model.is_object(definition):
            for member in model.members(definition.name):
                if member.cls not in edition.definitions:
                    holders.setdefault(member.cls, []).append(definition.name)
    assert len(holders) > 10
    for cls, names in holders.items():
        sample = sampler(edition.name).definition(cls)
        read = [
            type(edition.module.decode(name, sample)).__name__ for name in names if _is_valid(edition, name, sample)
        ]
        assert cls in read, (cls, sample)


def _is_valid(edition: Edition, name: str, sample: Any) -> bool:
    return validator(edition, f"/$defs/{name}").is_valid(sample)


@every_edition
def test_the_sample_of_every_variant_is_read_as_that_variant(edition: Edition) -> None:
    for union in built(edition.name).definitions:
        if isinstance(union, Union_) and union.name in edition.definitions:
            for variant in union.variants:
                sample = sampler(edition.name).variant(union.name, variant.value)
                assert list(validator(edition, f"/$defs/{union.name}").iter_errors(sample)) == []
                assert sample[union.tag] == variant.value
                decoded = edition.module.decode(union.name, sample)
                assert not type(decoded).__name__.startswith("Unknown")


@every_edition
def test_the_messages_of_every_method_are_read_with_its_types(edition: Edition) -> None:
    for method in {method.method for method in built(edition.name).methods}:
        page = explained(method, edition.name)
        for side, kind, params, result in table(page, "Messages"):
            if side == "proxy":
                continue
            texts = [block.text for block in section(page, "On the wire") if isinstance(block, Code)]
            assert len(texts) == (1 if kind == "notification" else 2)
            message = edition.module.decode_message(json.loads(texts[0]), side)
            wanted = edition.module.METHODS[method, side, kind]
            assert message.method == method
            assert edition.module.encode(message.params, wanted.params) is not None
            assert (result == "-") == (wanted.result is None)


def test_a_sample_shows_every_field_that_says_something() -> None:
    """The outermost object has its optional fields, those inside only what they must have; free-form JSON is left out."""
    assert sampler("v2").definition("ToolCallUpdate") == {
        "toolCallId": "tool-call-1",
        "name": "name",
        "title": "title",
        "kind": "read",
        "status": "pending",
        "content": [{"type": "content", "content": {"type": "text", "text": "text"}}],
        "locations": [{"path": "/project/notes.txt"}],
        "capabilities": {},
    }


def test_a_sample_of_something_that_holds_itself_ends() -> None:
    """No edition has such a definition yet."""
    path = ROOT / "tests" / "cases" / "recursive_record" / "schema.json"
    edition = build_edition(EditionSource("case", path, "schema.json"), session=False)
    samples = Sampler(edition, json.loads(path.read_text(encoding="utf-8")))
    assert samples.definition("Tree") == {"value": 1, "children": [], "named": {"name": []}}
    assert samples.definition("Forest") == [{"value": 1}]


# -------------------------------------------------------------------------------------------------- Python


def _statements(source: str) -> dict[str, list[str]]:
    """Classes with their annotated names, and aliases, of a module; docstrings and methods left out."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            members = [ast.unparse(member) for member in node.body if isinstance(member, ast.AnnAssign)]
            found[node.name] = [f"{node.name}({ast.unparse(node.bases[0])})", *members]
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = [ast.unparse(node)]
    return found


def generated_types(edition: Edition) -> dict[str, list[str]]:
    return _statements((ROOT / "generated" / "acp_schema" / edition.name / "types.py").read_text("utf-8"))


@every_edition
def test_python_text_is_what_the_generated_module_has(edition: Edition) -> None:
    generated = generated_types(edition)
    definitions = [d for d in built(edition.name).definitions if not (isinstance(d, Record) and d.check_only)]
    for definition in definitions:
        (code,) = section(explained(definition.name, edition.name), "Python")
        assert _statements(code.text)[definition.name] == generated[definition.name]
    assert len(definitions) > edition.size


@every_edition
def test_every_class_and_constant_of_the_package_can_be_asked_for(edition: Edition) -> None:
    names = SCHEMAS[edition.name].names
    generated = generated_types(edition)
    assert [name for name in generated if name not in names and name != "__all__"] == []
    constants = [
        f"{name}.{line.split(':')[0]}"
        for name, lines in generated.items()
        if lines[0].endswith("(EnumValues)")
        for line in lines[1:]
        if not line.startswith("KNOWN")
    ]
    assert [name for name in constants if name not in names] == []
    assert len(constants) > 20


# ------------------------------------------------------------------------------------------------- reading


def outcome(edition: Edition, record: Record, sample: dict[str, Any], name: str) -> Any:
    """What decoding gives for a field, or "error"."""
    try:
        return getattr(edition.module.decode(record.name, sample), name)
    except edition.module.DecodeError:
        return "error"


def is_said(edition: Edition, got: Any, words: str) -> bool:
    """Whether what decoding gave is what the page says."""
    constants = {"None": None, "UNSET": edition.module.UNSET, "error": "error"}
    if words in constants:
        return got is constants[words] or got == constants[words] == "error"
    if words == "the default":
        return got not in constants.values()
    written = edition.module.encode(got) if dataclasses.is_dataclass(got) else got
    return bool(written == json.loads(words))


@every_edition
def test_reading_says_what_the_codecs_do(edition: Edition) -> None:
    """Absent and null for every field of every definition, and something malformed where anything is."""
    tried = 0
    for record in built(edition.name).definitions:
        if not isinstance(record, Record) or record.name not in edition.definitions or not record.fields:
            continue
        for field, row in zip(record.fields, table(explained(record.name, edition.name), "Reading"), strict=True):
            wire, absent, null, malformed = row
            rest = {n: v for n, v in sampler(edition.name).field(record, field).items() if n != wire}
            place = f"{record.name}.{wire}"
            assert wire == field.wire
            assert is_said(edition, outcome(edition, record, rest, field.name), absent), place
            assert is_said(edition, outcome(edition, record, {**rest, wire: None}, field.name), null), place
            bad = next((x for x in TRIALS if not validator(edition, field.where).is_valid(x)), ...)
            assert (bad is ...) == (malformed == "-"), place
            if bad is not ... and bad is not None:
                tried += 1
                fallback = malformed.partition(";")[0]
                assert is_said(edition, outcome(edition, record, {**rest, wire: bad}, field.name), fallback), place
            dropped = "malformed items are dropped" in malformed
            assert dropped == bool(field.keyword("x-deserialize-skip-invalid-items")), place
    assert tried > 100


def test_where_anything_goes_nothing_is_malformed() -> None:
    rows = {row[0]: row for row in table(explained("ToolCallUpdate"), "Reading")}
    assert rows["rawInput"] == ("rawInput", "UNSET", "None", "-")
    assert rows["content"] == ("content", "UNSET", "None", "UNSET; malformed items are dropped")
    assert rows["toolCallId"] == ("toolCallId", "error", "error", "error")


@pytest.mark.parametrize(
    ("name", "edition", "words"),
    [
        ("ToolKind", "v2", "Any other string is kept as it came."),
        ("ToolKind", "v1", "Any other string is an error."),
        ("ErrorCode", "v2", "Any other integer is kept as it came."),
        (
            "SessionUpdate",
            "v2",
            "The property `sessionUpdate` tells the variants apart. Any other tag is kept whole as UnknownSessionUpdate.",
        ),
        ("SessionUpdate", "v1", "The property `sessionUpdate` tells the variants apart. Any other tag is an error."),
        (
            "IdleStateUpdate",
            "v2",
            "The property `stopReason` tells the variants apart. Without it or with a malformed one the object is"
            " IdleStateUpdateNone. Any other tag is kept whole as UnknownIdleStateUpdate.",
        ),
        (
            "McpServer",
            "v1",
            "The property `type` tells the variants apart. An object that is none of them is read as McpServerStdio.",
        ),
    ],
)
def test_what_becomes_of_values_that_the_schema_does_not_know(name: str, edition: str, words: str) -> None:
    page = explained(name, edition)
    blocks = [block for section in page.sections if section.title in ("Values", "Variants") for block in section.blocks]
    assert blocks[-1].text == words  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------ sessions, uses, editions


def test_update_rule_is_that_of_the_update_table() -> None:
    page_of_updates = (ROOT / "generated" / "acp_schema" / "v2" / "UPDATES.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*) \|$", page_of_updates, re.MULTILINE)
    assert len(rows) > 15
    for tag, payload, effect in rows:
        for name in (f"SessionUpdate.{tag}", payload):
            assert section(explained(name), "In a session")[0].text == f"`{tag}` {effect}."
    assert [block.text for block in section(explained("SessionUpdate"), "In a session")] == [
        f"`{tag}` {effect}." for tag, _, effect in rows
    ]


def test_a_field_shows_what_a_patch_does_to_it() -> None:
    assert table(explained("ToolCallUpdate.kind"), "In a session") == [
        ("kind", "replaces", '`"other"`', '`"other"`'),
    ]
    assert table(explained("ToolCallUpdate._meta"), "In a session") == [
        ("_meta", "merges by key; a null key goes", "unset", "unset"),
    ]
    assert all(section.title != "In a session" for section in explained("ToolCallLocation.path").sections)


def test_messages_say_what_they_feed() -> None:
    words = [block.text for block in section(explained("session/new"), "In a session")]
    assert words == [block.text for block in section(explained("NewSessionResponse"), "In a session")]
    assert "`config_options` replaces `config_options`, unless an update came first." in words


def test_uses_are_direct_and_methods_are_not() -> None:
    assert table(explained("ToolCallUpdate"), "Used by") == [
        ("ToolCallPermissionSubject.toolCall", ""),
        ("SessionUpdate", '"sessionUpdate": "tool_call_update"'),
    ]
    carried = [
        ("session/request_permission", "request to the client"),
        ("session/update", "notification to the client"),
    ]
    assert table(explained("ToolCallUpdate"), "Carried by") == carried
    assert table(explained("ToolKind.read"), "Used by") == [("ToolCallUpdate.kind", "")]
    assert table(explained("ToolKind.read"), "Carried by") == carried
    assert table(explained("ToolCallUpdate.kind"), "Carried by") == carried


@every_edition
def test_uses_and_methods_are_those_that_the_text_of_the_schema_shows(edition: Edition) -> None:
    texts = {name: json.dumps(body) for name, body in edition.definitions.items() if "x-docs-ignore" not in body}
    referred = {name: set(re.findall(r'"#/\$defs/(\w+)"', text)) for name, text in texts.items()}

    def reached(name: str | None) -> set[str]:
        found, waiting = {name}, [name]
        while waiting:
            following = referred.get(waiting.pop() or "", set()) - found
            found |= following
            waiting += following
        return {name for name in found if name}

    references = References(edition.document)
    methods = built(edition.name).methods
    for name in edition.definitions:
        holders = {use.holder for use in references.uses(name)}
        assert holders == {holder for holder, names in referred.items() if name in names}, name
        expected = [method for method in methods if name in reached(method.params) | reached(method.result)]
        assert references.carriers(name, methods) == expected, name


def test_a_class_without_a_definition_is_used_where_it_was_made() -> None:
    assert table(explained("UserMessageChunk"), "Used by") == [
        ("SessionUpdate", '"sessionUpdate": "user_message_chunk"')
    ]
    assert table(explained("UnknownSessionUpdate"), "Used by") == [("SessionUpdate", "")]
    assert table(explained("ContentChunk"), "Used by") == [
        ("SessionUpdate", f'"sessionUpdate": "{kind}_chunk"')
        for kind in ("user_message", "agent_message", "agent_thought")
    ]


def test_other_editions_are_told_apart() -> None:
    result = run_here("explain", "ToolCallUpdate.title")
    assert result.stdout.endswith("Other editions\n  v2_2026_06  another shape\n  v1          the same\n")
    result = run_here("explain", "SessionUpdate.notice", "--edition", "v1")
    assert result.stdout.endswith("Other editions\n  v2          the same\n  v2_2026_06  not there\n")


# --------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("ToolCallUpdate", Subject(Kind.DEFINITION, "/$defs/ToolCallUpdate", "ToolCallUpdate")),
        ("ToolKindValues", Subject(Kind.DEFINITION, "/$defs/ToolKind", "ToolKind")),
        ("UserMessageChunk", Subject(Kind.DEFINITION, "/$defs/SessionUpdate/anyOf/0", "UserMessageChunk")),
        (
            "ToolCallUpdate.rawInput",
            Subject(Kind.FIELD, "/$defs/ToolCallUpdate/properties/rawInput", "ToolCallUpdate", "rawInput"),
        ),
        (
            "ToolCallUpdate.raw_input",
            Subject(Kind.FIELD, "/$defs/ToolCallUpdate/properties/rawInput", "ToolCallUpdate", "rawInput"),
        ),
        ("session/update", Subject(Kind.METHOD, "/$defs/UpdateSessionNotification", "session/update")),
        (
            "tool_call_update",
            Subject(Kind.VARIANT, "/$defs/SessionUpdate/anyOf/8", "SessionUpdate", "tool_call_update"),
        ),
        (
            "SessionUpdate.tool_call_update",
            Subject(Kind.VARIANT, "/$defs/SessionUpdate/anyOf/8", "SessionUpdate", "tool_call_update"),
        ),
        (
            "SessionUpdate: tool_call_update",
            Subject(Kind.VARIANT, "/$defs/SessionUpdate/anyOf/8", "SessionUpdate", "tool_call_update"),
        ),
        ("switch_mode", Subject(Kind.VALUE, "/$defs/ToolKind/anyOf/8", "ToolKind", "switch_mode")),
        ("ToolKind.switch_mode", Subject(Kind.VALUE, "/$defs/ToolKind/anyOf/8", "ToolKind", "switch_mode")),
        ("ToolKindValues.SWITCH_MODE", Subject(Kind.VALUE, "/$defs/ToolKind/anyOf/8", "ToolKind", "switch_mode")),
        ("-32700", Subject(Kind.VALUE, "/$defs/ErrorCode/anyOf/0", "ErrorCode", "-32700")),
    ],
)
def test_a_name_is_found_however_it_is_spelled(name: str, subject: Subject) -> None:
    schema, subjects = look_up(name, list(SCHEMAS.values()), None)
    assert (schema.source.name, subjects) == ("v2", [subject])


def test_what_a_drift_report_names_can_be_asked_for() -> None:
    """All but the envelopes and the alternatives inside them, which have no page of their own."""
    result = run_here("drift", "v2_2026_06", "v2", "--format", "json", "--fail-on", "none")
    changes = json.loads(result.stdout)["changes"]
    assert len(changes) > 300
    unknown = {change["subject"] for change in changes if not any(_has(s, change["subject"]) for s in SCHEMAS.values())}
    assert unknown == {"AgentResponse: Error.id", "ClientResponse: Error.id", "ProtocolLevel", "batches", "message"}


def _has(schema: Schema, subject: str) -> bool:
    return subject.replace(": ", ".") in schema.names


def test_a_property_of_a_union_is_a_field_of_its_variants() -> None:
    subjects = SCHEMAS["v2"].names["SessionConfigOption.configId"]
    assert [str(subject) for subject in subjects] == [
        "SessionConfigOptionSelect.configId",
        "SessionConfigOptionBoolean.configId",
    ]
    assert SCHEMAS["v2"].names["AuthMethod.other"] == SCHEMAS["v2"].names["UnknownAuthMethod"]
    assert SCHEMAS["v1"].names["McpServer.McpServerStdio"] == SCHEMAS["v1"].names["McpServerStdio"]


def test_the_newest_edition_that_has_the_name_answers() -> None:
    assert list(SCHEMAS) == ["v2", "v2_2026_06", "v1"]
    known = list(SCHEMAS.values())
    only_in_v1 = next(name for name in SCHEMAS["v1"].names if all(name not in s.names for s in known[:2]))
    assert look_up(only_in_v1, known, None)[0] is SCHEMAS["v1"]
    assert look_up("ToolCallUpdate", known, "v2_2026_06")[0] is SCHEMAS["v2_2026_06"]


def test_only_what_is_needed_is_read(tmp_path: Path) -> None:
    """A broken schema elsewhere does not keep anybody from asking about a sound one."""
    source = SCHEMAS["v1"].source
    broken = Schema(type(source)("broken", tmp_path / "absent.json", "absent.json"))
    assert look_up("ToolCallUpdate", [SCHEMAS["v2"], broken], None)[0] is SCHEMAS["v2"]


def test_a_name_of_several_things_gives_a_list() -> None:
    result = run("explain", "completed", COLUMNS="60")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "completed\n"
        "3 things in v2; explain one of them\n"
        "schema/v2/schema.json\n"
        "\n"
        "ToolCallStatus.completed    value  Execution ended in\n"
        "                                   success.\n"
        "PlanEntryStatus.completed   value  The entry was finished\n"
        "                                   with success.\n"
        "CompactionStatus.completed  value  The compaction ended with\n"
        "                                   success.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["ToolCalUpdate"],
            "error: nothing in any edition is called 'ToolCalUpdate'\n  fix: did you mean ToolCallUpdate, tool_call_update?\n",
        ),
        (
            ["toolCallId"],
            "error: nothing in any edition is called 'toolCallId'\n  fix: did you mean ToolCallUpdate.toolCallId, ",
        ),
        (
            ["ToolCallUpdate.titel"],
            "error: nothing in any edition is called 'ToolCallUpdate.titel'\n  fix: did you mean ToolCallUpdate.title, ",
        ),
        (
            ["SessionUpdate.notice", "--edition", "v2_2026_06"],
            "error: nothing in v2_2026_06 is called 'SessionUpdate.notice'\n  fix: add --edition v2\n",
        ),
        (
            ["ToolCallUpdate", "--edition", "v9"],
            "error: there is no edition 'v9'\n  fix: choose from: v1, v2, v2_2026_06\n",
        ),
        (
            ["\x1b[31mxyzzy"],
            "error: nothing in any edition is called '\\x1b[31mxyzzy'\n"
            "  fix: ask for a definition, a field as Definition.field, a method, a tag or a value\n",
        ),
    ],
)
def test_a_name_that_nothing_has_is_an_error_with_near_matches(arguments: list[str], message: str) -> None:
    result = run_here("explain", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(message)


# ------------------------------------------------------------------------------------------------ the page


def test_a_whole_page() -> None:
    result = run("explain", "UserMessage.content", COLUMNS="80")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == PAGE


PAGE = """\
UserMessage.content
field of UserMessage, in v2
schema/v2/schema.json#/$defs/UserMessage/properties/content

Whole new content, overriding streamed chunks too. If omitted it stays as it
was, or empty for a new message; `null` and `[]` both empty it.

Python
  class UserMessage(Record):
      content: Patch[list[ContentBlock]] = UNSET
      ...

On the wire
  {
    "messageId": "message-1",
    "content": [
      {
        "type": "text",
        "text": "text"
      }
    ]
  }

Reading
  field    absent  null  malformed
  content  UNSET   None  UNSET; malformed items are dropped

In a session
  field    a value   null  new entry
  content  replaces  `[]`  `[]`

Types
  ContentBlock  A piece of displayable content in a prompt, a message or tool
                output, selected by `type`.

Used by
  SessionUpdate  "sessionUpdate": "user_message"

Carried by
  session/update  notification to the client

Other editions
  v2_2026_06  the same
  v1          not there
"""


@every_edition
def test_every_name_has_a_page_that_keeps_to_the_width(edition: Edition) -> None:
    """Only what must not be broken is longer: code, places, and words in narrow columns."""
    generated = generated_types(edition)
    subjects = {subject for found in SCHEMAS[edition.name].names.values() for subject in found}
    assert len(subjects) > 3 * edition.size
    for subject in subjects:
        page = pages(edition.name).page(subject)
        assert page.where == f"schema/{edition.folder}/schema.json#{subject.where}"
        if subject.kind is Kind.FIELD:
            (code,) = section(page, "Python")
            _, line = _statements(code.text)[subject.owner]
            assert line in generated[subject.owner]
        titles = [section.title for section in page.sections]
        assert "On the wire" in titles and len(titles) == len(set(titles)), subject
        for line in lay_out(page, 100):
            assert line.text == line.text.rstrip()
            assert len(line.text) <= 100 or line.role in (Role.CODE, Role.PLACE), line.text


def _in_terminal(columns: int, *arguments: str) -> str:
    """What the command writes to a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "acp_codegen", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=clean_environment(TERM="xterm"),
    )
    os.close(theirs)
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert process.wait() == 0
    return b"".join(chunks).decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_gets_colours_and_its_width() -> None:
    shown = _in_terminal(60, "explain", "ToolKind.read")
    assert shown.startswith("\x1b[32m\x1b[1mToolKind.read\x1b[0m\n")
    assert "\x1b[36m\x1b[1mPython\x1b[0m\n" in shown
    plain = re.sub(r"\x1b\[\d+m", "", shown)
    assert plain == run("explain", "ToolKind.read", COLUMNS="60").stdout


# ---------------------------------------------------------------------------------------------- completion


def completed(*words: str) -> list[str]:
    """What bash is offered for the last of these words."""
    result = run(
        _ACP_CODEGEN_COMPLETE="complete_bash",
        COMP_WORDS=" ".join(["acp-codegen", *words]),
        COMP_CWORD=str(len(words)),
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split()


def test_the_shell_completes_names_and_editions() -> None:
    assert completed("explain", "ToolCallUp") == ["ToolCallUpdate"]
    assert completed("explain", "ToolCallUpdate.raw") == [
        "ToolCallUpdate.rawInput",
        "ToolCallUpdate.rawOutput",
        "ToolCallUpdate.raw_input",
        "ToolCallUpdate.raw_output",
    ]
    assert completed("explain", "session/up") == ["session/update"]
    assert completed("explain", "X", "--edition", "v2") == ["v2", "v2_2026_06"]
    assert completed("explain", "X", "--edition", "x") == []
    assert completed("expl") == ["explain"]


def test_completion_needs_no_front_end() -> None:
    """It runs at every press of the key."""
    program = (
        "import sys; from acp_codegen.cli.completion import complete_edition, complete_name;"
        "assert complete_name('ToolCallUp') == ['ToolCallUpdate']; assert complete_edition('v1') == ['v1'];"
        "print([m for m in ('black', 'datamodel_code_generator') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
