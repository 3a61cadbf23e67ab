"""Decoding and encoding: entry points, leniency, bounds, hostile input, wrong Python values, unknown fields."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import itertools
import json
import math
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from test_types import in_every_edition, instances, records, wire_samples

import acp_schema
from acp_schema import UNSET, v2
from acp_schema._careful import decode_carefully, encode_carefully
from acp_schema._fast import FAULTS
from acp_schema._record import Unknown
from acp_schema.v2._rules import RULES
from support import without_address
from support.editions import JUNE, V1, V2, Edition, every_definition

REMOVED = object()


def refusal(type_: Any, data: Any) -> tuple[str, str]:
    """Where and why decoding fails."""
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(type_, data)
    return caught.value.path, caught.value.message


def encode_refusal(value: Any, type_: Any = None) -> tuple[str, str]:
    """Where and why encoding fails; the text path fails the same way."""
    with pytest.raises(v2.EncodeError) as caught:
        v2.encode(value, type_)
    with pytest.raises(v2.EncodeError) as from_dumps:
        v2.dumps(value, type_)
    assert from_dumps.value.args == caught.value.args
    return caught.value.path, caught.value.message


# ------------------------------------------------------------------------------------------------ entry points


@every_definition
def test_class_alias_and_name_mean_the_same(edition: Edition, name: str) -> None:
    type_ = getattr(edition.module, name)
    for sample in wire_samples(name, edition=edition) + wire_samples(name, full=True, edition=edition):
        value = edition.module.decode(name, sample)
        assert edition.module.decode(type_, sample) == value
        assert (
            edition.module.loads(type_, json.dumps(sample)) == edition.module.loads(name, json.dumps(sample)) == value
        )
        encoded = edition.module.encode(value, name)
        assert edition.module.encode(value, type_) == encoded
        assert (
            json.loads(edition.module.dumps(value, type_)) == json.loads(edition.module.dumps(value, name)) == encoded
        )


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@every_definition
def test_each_definition_has_its_own_pair_of_functions(edition: Edition, name: str) -> None:
    decode_it = getattr(edition.module, f"decode_{snake(name)}")
    encode_it = getattr(edition.module, f"encode_{snake(name)}")
    assert {decode_it.__name__, encode_it.__name__} <= set(edition.module.__all__)
    for sample in wire_samples(name, edition=edition):
        value = decode_it(sample)
        assert value == edition.module.decode(name, sample)
        assert encode_it(value) == edition.module.encode(value, name)


def test_the_functions_of_a_definition_report_salvages() -> None:
    issues: list[v2.Issue] = []
    assert v2.decode_tool_call_update({"toolCallId": "t", "title": 5}, issues=issues).title is UNSET
    assert [issue.path for issue in issues] == ["/title"]


@every_definition
def test_every_complete_sample_comes_back_unchanged(edition: Edition, name: str) -> None:
    for sample in wire_samples(name, full=True, edition=edition):
        issues: list[v2.Issue] = []
        value = edition.module.decode(name, copy.deepcopy(sample), issues=issues)
        assert edition.module.encode(value, name) == edition.oracle.written_back(name, sample)
        assert issues == []


@every_definition
def test_the_fast_and_the_careful_path_agree(edition: Edition, name: str) -> None:
    for sample in wire_samples(name, edition=edition) + wire_samples(name, full=True, edition=edition):
        careful = decode_carefully(sample, edition.rules[name], edition.rules, None)
        assert edition.module.decode(name, sample) == careful
        assert edition.module.encode(careful, name) == encode_carefully(careful, edition.rules[name], edition.rules)


# Where exactly one alternative may fit, a number may be an integer, or lists are told apart by their items, the careful
# path decides.
DECIDED_CAREFULLY = {
    V1: {
        "CreateElicitationRequest",
        "CreateElicitationResponse",
        "ElicitationAcceptAction",
        "SessionConfigOption",
        "SessionConfigSelect",
    },
    V2: {
        "ConfigOptionUpdate",
        "CreateElicitationRequest",
        "ElicitationFormMode",
        "ElicitationUrlMode",
        "NewSessionResponse",
        "ResumeSessionResponse",
        "SessionConfigOption",
        "SessionConfigSelect",
        "SetSessionConfigOptionResponse",
    },
    JUNE: {"SessionConfigOption", "SessionConfigSelect"},
}


@in_every_edition(
    ("edition", "name"),
    lambda edition: [name for name in edition.definitions if name not in DECIDED_CAREFULLY[edition]],
)
def test_a_valid_sample_takes_the_fast_path(edition: Edition, name: str) -> None:
    """Nothing faults: otherwise every message would be read twice, unnoticed."""
    entry = edition.module.codec.CODEC.entry(name)
    for sample in wire_samples(name, edition=edition) + wire_samples(name, full=True, edition=edition):
        value = edition.module.decode(name, sample)
        has_options = isinstance(sample, dict) and "configOptions" in sample
        if entry.read is not None and not has_options:
            assert entry.read(sample) == value
        if entry.write is not None and not isinstance(value, Unknown):  # those are checked before they are written
            assert json.loads(entry.write(value)) == edition.module.encode(value, name)


STRANGE_JSON: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    1.0,
    0.5,
    "",
    "text",
    [],
    [None],
    ["a"],
    {},
    {"type": "text"},
    {"a": 1},
]
STRANGE_VALUES: list[Any] = [
    *(None, UNSET, True, 0, 1.0, 0.5, math.nan, "x", b"x", [], [None], ["a"], [1], {}, {1: 2}, {"a": {1: 2}}, {"a": 1}),
    *({"a": {1}}, (), object(), v2.TextContent(text="a"), [v2.TextContent(text="a")], 10**5000),
]


def places(data: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside."""
    members = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, member in members:
        yield (*above, key)
        yield from places(member, (*above, key))


def damaged(sample: Any) -> Iterator[Any]:
    """The sample with one value exchanged or removed, in every place."""
    for *above, last in places(sample):
        for strange in [*STRANGE_JSON, REMOVED]:
            copied = copy.deepcopy(sample)
            holder = copied
            for key in above:
                holder = holder[key]
            if strange is REMOVED:
                del holder[last]
            else:
                holder[last] = strange
            yield copied


def read_fast(edition: Edition) -> list[str]:
    return [name for name in edition.definitions if edition.module.codec.CODEC.entry(name).read]


@in_every_edition(("edition", "name"), read_fast)
def test_the_fast_reader_takes_nothing_that_the_careful_one_would_not(edition: Edition, name: str) -> None:
    """What it accepts is strictly valid, and the careful path makes the same of it."""
    read = edition.module.codec.CODEC.entry(name).read
    assert read is not None
    for sample in wire_samples(name, full=True, edition=edition):
        for data in damaged(sample):
            try:
                value = read(data)
            except FAULTS:
                continue
            issues: list[v2.Issue] = []
            assert decode_carefully(data, edition.rules[name], edition.rules, issues) == value, data
            assert issues == [], data


@in_every_edition(("edition", "name"), lambda edition: list(records(edition)))
def test_the_fast_writer_takes_nothing_that_the_careful_one_would_not(edition: Edition, name: str) -> None:
    entry = edition.module.codec.CODEC.entry(name)
    assert entry.write is not None
    for field, strange in itertools.product(dataclasses.fields(records(edition)[name]), STRANGE_VALUES):
        value = copy.copy(instances(edition)[name])
        setattr(value, field.name, strange)
        try:
            text = entry.write(value)
        except FAULTS:
            continue
        careful = encode_carefully(value, edition.module.codec.CODEC._rule(entry), edition.rules)
        assert json.loads(text) == json.loads(json.dumps(careful)), field.name


@pytest.mark.parametrize(
    "type_",
    [
        int,
        str,
        dict,
        object,
        None,
        UNSET,
        5,
        [],
        "",
        "NoSuchDefinition",
        "decode",
        "textcontent",
        "UnknownSessionUpdateCheck",
        v2.decode,
        v2.Issue,
        v2.ToolKindValues,
        v2.Request,
        list[v2.TextContent],
        v2.TextContent | None,
    ],
    ids=without_address,
)
def test_what_is_no_type_of_the_edition_is_a_type_error(type_: Any) -> None:
    """A mistake of the caller, not of the data: neither DecodeError nor EncodeError."""
    calls = [lambda: v2.decode(type_, {}), lambda: v2.loads(type_, "{}")]
    if type_ is not None:
        calls += [lambda: v2.encode({}, type_), lambda: v2.dumps({}, type_)]
    for call in calls:
        with pytest.raises(TypeError, match="is neither a class, an alias nor a definition's name") as caught:
            call()
        assert caught.type is TypeError


@pytest.mark.parametrize("value", ["text", None, 1, {"type": "text"}, [], UNSET, object()], ids=without_address)
def test_what_has_no_class_of_the_edition_needs_a_type(value: Any) -> None:
    path, message = encode_refusal(value)
    assert path == ""
    assert message.endswith("is no class of this edition: say as which type to encode it")


def test_scalars_encode_by_type() -> None:
    assert v2.encode("s", v2.SessionId) == "s"
    assert v2.dumps("s", "SessionId") == b'"s"'
    assert v2.encode(7, v2.RequestId) == 7
    assert v2.encode([v2.SessionConfigSelectOption(value="v", name="n")], v2.SessionConfigSelectOptions) == [
        {"value": "v", "name": "n"}
    ]


def test_an_encoded_value_shares_nothing_with_its_source() -> None:
    content = v2.TextContent(text="a", meta={"list": [1]})
    encoded = v2.encode(content)
    encoded["_meta"]["list"].append(2)
    assert content.meta == {"list": [1]}


# ------------------------------------------------------------------------------------------------ errors


def test_errors_are_values_of_both_worlds() -> None:
    assert v2.DecodeError is acp_schema.DecodeError
    assert v2.EncodeError is acp_schema.EncodeError
    assert issubclass(v2.DecodeError, ValueError)
    assert issubclass(v2.EncodeError, TypeError)


@pytest.mark.parametrize("cls", [v2.DecodeError, v2.EncodeError])
def test_errors_say_where_and_what_and_can_be_pickled(cls: Any) -> None:
    error = cls("/a/0", "expected string, got null")
    assert str(error) == "/a/0: expected string, got null"
    assert str(cls("", "m")) == "(root): m"
    for copied in [pickle.loads(pickle.dumps(error, p)) for p in range(6)] + [copy.copy(error), copy.deepcopy(error)]:
        assert type(copied) is cls
        assert (copied.path, copied.message) == ("/a/0", "expected string, got null")


def test_raised_errors_survive_pickling() -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode(v2.TextContent, {})
    restored = pickle.loads(pickle.dumps(caught.value))
    assert (restored.path, restored.message) == ("/text", "missing, expected string")


@pytest.mark.parametrize(
    ("key", "pointer"),
    [
        ("plain", "plain"),
        ("a/b", "a~1b"),
        ("a~b", "a~0b"),
        ("~1", "~01"),
        ("/~", "~1~0"),
        ("", ""),
        ("ü ", "ü "),
        ("0", "0"),
    ],
)
def test_pointers_escape_what_they_must(key: str, pointer: str) -> None:
    schema = {"type": "object", "properties": {key: {"type": 5}}}
    assert refusal(v2.ElicitationSchema, schema) == (f"/properties/{pointer}/type", "expected string, got number 5")
    path, _ = encode_refusal(v2.TextContent(text="a", meta={key: {1}}))
    assert path == f"/_meta/{pointer}"


def test_issues_escape_pointers_too() -> None:
    issues: list[v2.Issue] = []
    wire = {"type": "object", "properties": {"a/b": {"type": "string", "title": 5}}}
    v2.decode(v2.ElicitationSchema, wire, issues=issues)
    assert [issue.path for issue in issues] == ["/properties/a~1b/title"]


def test_a_missing_member_is_named_in_the_pointer() -> None:
    assert refusal(v2.ToolCallUpdate, {}) == ("/toolCallId", "missing, expected ToolCallId")
    chunk = {"messageId": "m", "content": {"type": "resource", "resource": {"uri": 5, "text": "a"}}}
    assert refusal(v2.ContentChunk, chunk) == ("/content/resource/uri", "expected string, got number 5")
    wire = {"sessionId": "s", "prompt": [{"type": "text", "text": "a"}, {"type": "text"}]}
    assert refusal(v2.PromptRequest, wire) == ("/prompt/1/text", "missing, expected string")


@pytest.mark.parametrize("data", [None, True, 0, 1.5, "text", [], [{}]], ids=repr)
def test_a_record_needs_an_object(data: Any) -> None:
    for name in ("TextContent", "Annotations", "SessionUpdate", "InitializeRequest", "AgentResponse"):
        path, message = refusal(name, data)
        assert path == ""
        assert message.startswith("expected ")


def test_messages_stay_short() -> None:
    path, message = refusal(v2.TerminalSize, {"cols": "x" * 10_000, "rows": 1})
    assert path == "/cols"
    assert len(message) < 100


# ------------------------------------------------------------------------------------------------ leniency


@dataclass(frozen=True)
class Fails:
    """A cell of the table that is an error, at this pointer below the field."""

    below: str = ""


@dataclass(frozen=True)
class Row:
    """What one real field makes of missing, null, a wrong type, and a list with one good and one bad item."""

    definition: str
    base: dict[str, Any]
    field: str
    missing: Any
    null: Any
    wrong: Any
    partly_bad: Any = None  # None: not a list
    all_bad: Any = None
    wrong_value: Any = 5
    good_item: Any = None
    bad_item: Any = 5
    null_is_malformed: bool = False


TEXT_BLOCK = {"type": "text", "text": "a"}
TEXT = v2.TextContent(text="a")
INFO = {"name": "a", "version": "1"}
ICON = {"src": "file:///i"}
AUTH = {"type": "agent", "methodId": "m", "name": "n"}
SESSION = {"sessionId": "s", "cwd": "/"}
ENTRY = {"content": "c", "priority": "high", "status": "pending"}
COMMAND = {"type": "command", "name": "n", "description": "d"}
BOOLEAN_OPTION = {"type": "boolean", "configId": "c", "name": "n", "currentValue": True}
OPTION = {"value": "v", "name": "n"}
SERVER = {"type": "stdio", "name": "n", "command": "/c"}
CHANGE = {"operation": "add", "path": "/a"}
SESSION_RECORD = v2.SessionInfo(session_id="s", cwd="/")

LENIENCY = {
    # default-on-error, plain optional
    "Notice.description": Row("Notice", {"severity": "info", "title": "t"}, "description", None, None, None),
    "RequestPermissionRequest.description": Row(
        "RequestPermissionRequest",
        {"sessionId": "s", "title": "t", "options": [{"optionId": "o", "name": "n", "kind": "allow_once"}]},
        "description",
        None,
        None,
        None,
    ),
    "TextContent._meta": Row("TextContent", {"text": "a"}, "_meta", None, None, None),
    "TextContent.annotations": Row("TextContent", {"text": "a"}, "annotations", None, None, None),
    "ToolCallLocation.line": Row("ToolCallLocation", {"path": "/"}, "line", None, None, None, wrong_value=0),
    # default-on-error on a patch field
    "ToolCallUpdate.title": Row("ToolCallUpdate", {"toolCallId": "t"}, "title", UNSET, None, UNSET),
    "ToolCallUpdate.kind": Row("ToolCallUpdate", {"toolCallId": "t"}, "kind", UNSET, None, UNSET),
    "ToolCallUpdate.capabilities": Row("ToolCallUpdate", {"toolCallId": "t"}, "capabilities", UNSET, None, UNSET),
    "ToolCallUpdate._meta": Row("ToolCallUpdate", {"toolCallId": "t"}, "_meta", UNSET, None, UNSET, wrong_value=False),
    "TerminalUpdate.size": Row(
        "TerminalUpdate", {"terminalId": "t"}, "size", UNSET, None, UNSET, wrong_value={"cols": 0, "rows": 1}
    ),
    "UsageUpdate.cost": Row("UsageUpdate", {"used": 1, "size": 2}, "cost", UNSET, None, UNSET),
    # default-on-error and skip-invalid-items on a patch field
    "ToolCallUpdate.content": Row(
        "ToolCallUpdate",
        {"toolCallId": "t"},
        "content",
        UNSET,
        None,
        UNSET,
        partly_bad=[v2.Content(content=TEXT)],
        all_bad=[],
        good_item={"type": "content", "content": TEXT_BLOCK},
        bad_item={"type": "content"},
    ),
    "UserMessage.content": Row(
        "UserMessage", {"messageId": "m"}, "content", UNSET, None, UNSET, [TEXT], [], good_item=TEXT_BLOCK
    ),
    # default-on-error and skip-invalid-items, nullable
    "ResourceLink.icons": Row(
        "ResourceLink",
        {"name": "n", "uri": "file:///a"},
        "icons",
        None,
        None,
        None,
        partly_bad=[v2.Icon(src="file:///i")],
        all_bad=[],
        good_item=ICON,
    ),
    "Annotations.audience": Row("Annotations", {}, "audience", None, None, None, ["user"], [], good_item="user"),
    # default-on-error, optional, not nullable
    "InitializeResponse.authMethods": Row(
        "InitializeResponse",
        {"protocolVersion": 2, "info": INFO},
        "authMethods",
        None,
        [],
        [],
        partly_bad=[v2.AuthMethodAgent(method_id="m", name="n")],
        all_bad=[],
        good_item=AUTH,
        bad_item={"type": "later"},
        null_is_malformed=True,
    ),
    "NewSessionResponse.configOptions": Row(
        "NewSessionResponse",
        {"sessionId": "s"},
        "configOptions",
        None,
        [],
        [],
        partly_bad=[v2.SessionConfigOptionBoolean(config_id="c", name="n", current_value=True)],
        all_bad=[],
        good_item=BOOLEAN_OPTION,
        null_is_malformed=True,
    ),
    "InitializeResponse.capabilities": Row(
        "InitializeResponse",
        {"protocolVersion": 2, "info": INFO},
        "capabilities",
        v2.AgentCapabilities(),
        v2.AgentCapabilities(),
        v2.AgentCapabilities(),
        null_is_malformed=True,
    ),
    "InitializeRequest.capabilities": Row(
        "InitializeRequest",
        {"protocolVersion": 2, "info": INFO},
        "capabilities",
        v2.ClientCapabilities(),
        v2.ClientCapabilities(),
        v2.ClientCapabilities(),
        null_is_malformed=True,
    ),
    # default-on-error and skip-invalid-items, required
    "ListSessionsResponse.sessions": Row(
        "ListSessionsResponse",
        {},
        "sessions",
        Fails(),
        [],
        [],
        partly_bad=[SESSION_RECORD],
        all_bad=[],
        good_item=SESSION,
        null_is_malformed=True,
    ),
    "SessionConfigSelectGroup.options": Row(
        "SessionConfigSelectGroup",
        {"groupId": "g", "name": "n"},
        "options",
        Fails(),
        [],
        [],
        partly_bad=[v2.SessionConfigSelectOption(value="v", name="n")],
        all_bad=[],
        good_item=OPTION,
        null_is_malformed=True,
    ),
    # skip-invalid-items alone, required
    "PlanItems.entries": Row(
        "PlanItems",
        {"planId": "p"},
        "entries",
        Fails(),
        Fails(),
        Fails(),
        partly_bad=[v2.PlanEntry(content="c", priority="high", status="pending")],
        all_bad=[],
        good_item=ENTRY,
    ),
    "AvailableCommandsUpdate.availableCommands": Row(
        "AvailableCommandsUpdate",
        {},
        "availableCommands",
        Fails(),
        Fails(),
        Fails(),
        partly_bad=[v2.Command(name="n", description="d")],
        all_bad=[],
        good_item=COMMAND,
    ),
    "SetSessionConfigOptionResponse.configOptions": Row(
        "SetSessionConfigOptionResponse",
        {},
        "configOptions",
        Fails(),
        Fails(),
        Fails(),
        partly_bad=[v2.SessionConfigOptionBoolean(config_id="c", name="n", current_value=True)],
        all_bad=[],
        good_item=BOOLEAN_OPTION,
    ),
    "Diff.changes": Row(
        "Diff",
        {},
        "changes",
        Fails(),
        Fails(),
        Fails(),
        partly_bad=[v2.DiffChangeAdd(path="/a")],
        all_bad=[],
        good_item=CHANGE,
        bad_item={"operation": "add"},
    ),
    # default-on-error on a list, without skipping
    "RunningStateUpdate.background": Row(
        "RunningStateUpdate",
        {},
        "background",
        None,
        None,
        None,
        partly_bad=None,
        good_item={"type": "terminal", "terminalId": "t"},
        bad_item={"type": "terminal"},
    ),
    # default-on-null
    "NewSessionRequest.mcpServers": Row(
        "NewSessionRequest",
        {"cwd": "/"},
        "mcpServers",
        None,
        [],
        Fails(),
        partly_bad=Fails("/1"),
        all_bad=Fails("/0"),
        good_item=SERVER,
        null_is_malformed=True,
    ),
    "McpServerStdio.args": Row(
        "McpServerStdio",
        {"name": "n", "command": "/c"},
        "args",
        None,
        [],
        Fails(),
        partly_bad=Fails("/1"),
        all_bad=Fails("/0"),
        good_item="a",
        null_is_malformed=True,
    ),
    "SessionInfo.additionalDirectories": Row(
        "SessionInfo",
        {"sessionId": "s", "cwd": "/"},
        "additionalDirectories",
        None,
        [],
        Fails(),
        partly_bad=Fails("/1"),
        all_bad=Fails("/0"),
        good_item="/a",
        null_is_malformed=True,
    ),
    # no keyword, optional
    "RequestPermissionRequest.subject": Row(
        "RequestPermissionRequest",
        {"sessionId": "s", "title": "t", "options": [{"optionId": "o", "name": "n", "kind": "allow_once"}]},
        "subject",
        None,
        None,
        Fails(),
    ),
    "ResumeSessionRequest.replayFrom": Row(
        "ResumeSessionRequest", {"sessionId": "s", "cwd": "/"}, "replayFrom", None, None, Fails()
    ),
    "ListSessionsRequest.cursor": Row("ListSessionsRequest", {}, "cursor", None, None, Fails()),
    "ListSessionsRequest.cwd": Row("ListSessionsRequest", {}, "cwd", None, None, Fails()),
    "ElicitationSchema.required": Row(
        "ElicitationSchema",
        {"type": "object", "properties": {}},
        "required",
        None,
        None,
        Fails(),
        partly_bad=Fails("/1"),
        all_bad=Fails("/0"),
        good_item="a",
    ),
    "StringPropertySchema.minLength": Row("StringPropertySchema", {}, "minLength", None, None, Fails(), wrong_value=-1),
}
every_row = pytest.mark.parametrize("row", LENIENCY.values(), ids=LENIENCY)


def attribute(row: Row, value: Any) -> Any:
    return getattr(value, snake(row.field).lstrip("_"))


def check_cell(row: Row, wire: dict[str, Any], expected: Any, reported: list[str]) -> None:
    """Decode with and without a list for issues; ``reported`` are the pointers of the issues below the field."""
    issues: list[v2.Issue] = []
    place = f"/{row.field}"
    if isinstance(expected, Fails):
        with pytest.raises(v2.DecodeError) as caught:
            v2.decode(row.definition, wire, issues=issues)
        assert caught.value.path == place + expected.below
        assert caught.value.message.startswith("expected " if row.field in wire else "missing, expected ")
        assert issues == []
        return
    value = v2.decode(row.definition, wire, issues=issues)
    assert attribute(row, value) == expected
    assert type(attribute(row, value)) is type(expected)
    assert [issue.path for issue in issues] == [place + below for below in reported]
    assert all("expected " in issue.message for issue in issues)
    assert v2.decode(row.definition, wire) == value
    careful: list[v2.Issue] = []
    assert decode_carefully(wire, RULES[row.definition], RULES, careful) == value
    assert careful == issues, "whichever path it took"


@every_row
def test_leniency_missing(row: Row) -> None:
    check_cell(row, row.base, row.missing, [])


@every_row
def test_leniency_null(row: Row) -> None:
    check_cell(row, {**row.base, row.field: None}, row.null, [""] if row.null_is_malformed else [])


@every_row
def test_leniency_wrong_type(row: Row) -> None:
    check_cell(row, {**row.base, row.field: row.wrong_value}, row.wrong, [""])


@pytest.mark.parametrize(
    "row", [row for row in LENIENCY.values() if row.good_item], ids=[k for k, row in LENIENCY.items() if row.good_item]
)
def test_leniency_bad_items(row: Row) -> None:
    """One bad item after a good one, and nothing but bad ones; a list that does not skip is malformed as a whole."""
    skips = isinstance(row.partly_bad, list)
    check_cell(row, {**row.base, row.field: [row.good_item, row.bad_item]}, row.partly_bad, ["/1"] if skips else [""])
    if row.field == "options":  # at least one item is required, so an empty rest makes the whole malformed
        reported = [""]
    else:
        reported = ["/0", "/1"] if skips else [""]
    check_cell(row, {**row.base, row.field: [row.bad_item, row.bad_item]}, row.all_bad, reported)


@every_row
def test_a_good_list_or_value_is_no_issue(row: Row) -> None:
    if row.good_item:
        issues: list[v2.Issue] = []
        value = v2.decode(row.definition, {**row.base, row.field: [row.good_item]}, issues=issues)
        assert len(attribute(row, value)) == 1
        assert issues == []


def test_null_is_written_on_patch_fields_and_left_out_on_plain_ones() -> None:
    patch = {"toolCallId": "t", "title": None, "content": None, "_meta": None, "rawInput": None}
    assert v2.encode(v2.decode(v2.ToolCallUpdate, patch)) == patch
    assert v2.encode(v2.decode(v2.TextContent, {"text": "a", "annotations": None, "_meta": None})) == {"text": "a"}


def test_a_salvaged_patch_field_is_not_written() -> None:
    """None would clear the other side's value."""
    update = v2.decode(v2.ToolCallUpdate, {"toolCallId": "t", "title": 5, "content": "x", "_meta": False})
    assert v2.encode(update) == {"toolCallId": "t"}


def test_a_default_is_filled_in_when_written() -> None:
    wire = {"protocolVersion": 2, "info": INFO}
    assert v2.encode(v2.decode(v2.InitializeRequest, wire)) == {**wire, "capabilities": {}}


def test_empty_and_absent_lists_stay_apart() -> None:
    assert v2.encode(v2.decode(v2.NewSessionRequest, {"cwd": "/"})) == {"cwd": "/"}
    assert v2.encode(v2.decode(v2.NewSessionRequest, {"cwd": "/", "mcpServers": []})) == {"cwd": "/", "mcpServers": []}


def test_salvages_nest() -> None:
    """The innermost place that can be lenient is; each salvage is reported once, in order."""
    wire = {
        "toolCallId": "t",
        "title": 1,
        "locations": [{"path": "/a", "line": 0}, {"path": 2}, {"path": "/b", "line": 3}],
        "capabilities": {"cancel": 5},
    }
    issues: list[v2.Issue] = []
    update = v2.decode(v2.ToolCallUpdate, wire, issues=issues)
    assert update.locations == [v2.ToolCallLocation(path="/a"), v2.ToolCallLocation(path="/b", line=3)]
    assert update.capabilities == v2.ToolCallCapabilities()
    assert [issue.path for issue in issues] == ["/title", "/locations/0/line", "/locations/1", "/capabilities/cancel"]
    assert issues[2].message == "item dropped: expected string, got number 2 at /locations/1/path"


def test_issues_are_appended_to_what_the_list_holds() -> None:
    issues = [v2.Issue("/earlier", "m")]
    v2.decode(v2.ToolCallUpdate, {"toolCallId": "t", "title": 5}, issues=issues)
    assert [issue.path for issue in issues] == ["/earlier", "/title"]


def test_what_is_dropped_takes_its_own_issues_along() -> None:
    """A salvage inside of something that is passed over as a whole is no news."""
    issues: list[v2.Issue] = []
    grouped = [{"groupId": "g", "name": "n", "options": 5}]
    option = {"type": "select", "currentValue": "v", "options": grouped, "name": "no configId"}
    v2.decode(v2.ConfigOptionUpdate, {"configOptions": [option]}, issues=issues)
    assert [issue.path for issue in issues] == ["/configOptions/0"]
    issues.clear()
    background = [{"type": "terminal", "terminalId": "t", "_meta": 5}, {"type": "terminal"}]
    v2.decode(v2.RunningStateUpdate, {"background": background}, issues=issues)
    assert [issue.path for issue in issues] == ["/background"]


# ------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize(
    ("type_", "wire", "pointer", "expected"),
    [
        (v2.TerminalSize, {"cols": 0, "rows": 1}, "/cols", "integer from 1 up"),
        (v2.TerminalSize, {"cols": 1, "rows": 65536}, "/rows", "integer up to 65535"),
        (v2.TerminalSize, {"cols": 1, "rows": 1e9}, "/rows", "integer up to 65535"),
        (v2.ProtocolVersion, -1, "", "integer from 0 up"),
        (v2.ProtocolVersion, 65536, "", "integer up to 65535"),
        (v2.UsageUpdate, {"used": -1, "size": 0}, "/used", "integer from 0 up"),
        (v2.Notice, {"severity": "info", "title": ""}, "/title", r"string of at least 1 character\(s\)"),
        (v2.PromptRequest, {"sessionId": "s", "prompt": []}, "/prompt", r"at least 1 item\(s\), got 0"),
        (v2.StringMultiSelectItems, {"enum": []}, "/enum", r"at least 1 item\(s\), got 0"),
        (v2.StringPropertySchema, {"oneOf": []}, "/oneOf", r"at least 1 item\(s\), got 0"),
        (v2.SessionConfigSelectOptions, [], "", "array"),
    ],
)
def test_bounds_are_enforced(type_: Any, wire: Any, pointer: str, expected: str) -> None:
    path, message = refusal(type_, wire)
    assert path == pointer
    assert re.search(f"expected {expected}", message), message


@pytest.mark.parametrize(
    ("type_", "wire"),
    [
        (v2.TerminalSize, {"cols": 1, "rows": 65535}),
        (v2.ProtocolVersion, 0),
        (v2.ProtocolVersion, 65535),
        (v2.UsageUpdate, {"used": 0, "size": 2**64}),
        (v2.Notice, {"severity": "info", "title": "t"}),
        (v2.Annotations, {"priority": 0}),
        (v2.Annotations, {"priority": 1}),
        (v2.Annotations, {"priority": 0.25}),
        (v2.ToolCallLocation, {"path": "", "line": 1}),
        (v2.TerminalExitStatus, {"exitCode": -(2**63)}),
    ],
)
def test_bounds_are_inclusive(type_: Any, wire: Any) -> None:
    issues: list[v2.Issue] = []
    assert v2.encode(v2.decode(type_, wire, issues=issues), type_) == wire
    assert issues == []


@pytest.mark.parametrize("priority", [-0.001, 1.001, 2, math.nan, math.inf, True, "1"])
def test_a_lenient_number_out_of_bounds_is_absent(priority: Any) -> None:
    issues: list[v2.Issue] = []
    assert v2.decode(v2.Annotations, {"priority": priority}, issues=issues).priority is None
    assert [issue.path for issue in issues] == ["/priority"]


@pytest.mark.parametrize("flag", [True, False])
def test_booleans_are_no_numbers(flag: bool) -> None:
    described = "true" if flag else "false"
    assert refusal(v2.TerminalSize, {"cols": flag, "rows": 1}) == ("/cols", f"expected integer, got {described}")
    assert refusal(v2.Cost, {"amount": flag, "currency": "EUR"}) == ("/amount", f"expected number, got {described}")
    assert refusal(v2.RequestId, flag)[0] == ""


@pytest.mark.parametrize("number", [0, 1, 1.0, 0.0, "true", None])
def test_numbers_are_no_booleans(number: Any) -> None:
    path, message = refusal(v2.SessionConfigBoolean, {"currentValue": number})
    assert path == "/currentValue"
    assert message.startswith("expected boolean, got ")


def test_a_whole_float_is_an_integer_and_comes_out_as_one() -> None:
    size = v2.decode(v2.TerminalSize, {"cols": 80.0, "rows": 24})
    assert size.cols == 80
    assert type(size.cols) is int
    assert v2.dumps(size) == b'{"cols":80,"rows":24}'
    request_id = v2.loads(v2.RequestId, "1e2")
    assert request_id == 100
    assert type(request_id) is int


@pytest.mark.parametrize("value", [1.5, -0.5, math.nan, math.inf, -math.inf])
def test_other_floats_are_no_integers(value: float) -> None:
    path, message = refusal(v2.TerminalSize, {"cols": value, "rows": 1})
    assert path == "/cols"
    assert message.startswith("expected integer, got number ")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_are_numbers(value: float) -> None:
    path, message = refusal(v2.Cost, {"amount": value, "currency": "EUR"})
    assert path == "/amount"
    assert message.startswith("expected number, got number ")


def test_an_integer_is_a_number_and_stays_an_integer() -> None:
    cost = v2.decode(v2.Cost, {"amount": 3, "currency": "EUR"})
    assert type(cost.amount) is int
    assert v2.dumps(cost) == b'{"amount":3,"currency":"EUR"}'


# ------------------------------------------------------------------------------------------------ Python data in


def test_subclasses_of_json_types_are_taken() -> None:
    class Name(str):
        pass

    class Size(enum.IntEnum):
        COLS = 80

    ordered = collections.OrderedDict(cols=Size.COLS, rows=24, note=Name("x"))
    size = v2.decode(v2.TerminalSize, ordered)
    assert (size.cols, size.extra) == (80, {"note": "x"})
    assert v2.decode(v2.ContentBlock, {"type": Name("text"), "text": Name("a")}) == TEXT


@pytest.mark.parametrize("value", [(), {1}, b"bytes", object(), UNSET, 1j, range(3)], ids=without_address)
def test_what_is_no_json_is_refused(value: Any) -> None:
    """Or salvaged, where the schema salvages malformed values."""
    assert refusal(v2.PromptRequest, {"sessionId": "s", "prompt": value})[0] == "/prompt"
    assert refusal(v2.TextContent, {"text": value}) == ("/text", f"expected string, got {type(value).__name__}")
    assert refusal(v2.ContentBlock, {"type": value})[0] == "/type"
    assert refusal(v2.SessionUpdate, value)[0] == ""
    issues: list[v2.Issue] = []
    assert v2.decode(v2.TextContent, {"text": "a", "_meta": value}, issues=issues).meta is None
    assert [issue.path for issue in issues] == ["/_meta"]


@pytest.mark.parametrize("key", [None, 1, (1,), True, 1.5], ids=repr)
def test_keys_that_are_no_strings_raise_nothing_else(key: Any) -> None:
    """No JSON parser makes them; still nothing but DecodeError may come out."""
    with pytest.raises(v2.DecodeError):
        v2.decode(v2.ElicitationSchema, {"type": "object", "properties": {key: {"type": 5}}})


def test_decoding_leaves_the_data_alone() -> None:
    wire = {"toolCallId": "t", "title": 5, "locations": [{"path": 1}], "_meta": {"a": 1}, "new": [1]}
    before = copy.deepcopy(wire)
    v2.decode(v2.ToolCallUpdate, wire)
    assert wire == before


# ------------------------------------------------------------------------------------------------ JSON text in


@pytest.mark.parametrize(
    "convert", [str, str.encode, lambda text: bytearray(text, "utf-8")], ids=["str", "bytes", "bytearray"]
)
@pytest.mark.parametrize("text", ['{"text":"ä"}', ' \t\r\n{ "text" : "ä" }\n\n', '{"text":"\\u00e4"}'])
def test_text_bytes_and_bytearrays_load(convert: Any, text: str) -> None:
    assert v2.loads(v2.TextContent, convert(text)) == v2.TextContent(text="ä")


def test_loads_reports_salvages() -> None:
    issues: list[v2.Issue] = []
    assert v2.loads(v2.ToolCallUpdate, '{"toolCallId":"t","title":1}', issues=issues).title is UNSET
    assert [issue.path for issue in issues] == ["/title"]


BAD_TEXTS = {
    "empty": ("", "not JSON"),
    "empty bytes": (b"", "not JSON"),
    "spaces": (" \n ", "not JSON"),
    "bom": (b"\xef\xbb\xbf" + b'{"text":"a"}', "not JSON"),
    "bom in str": ('\ufeff{"text":"a"}', "not JSON"),
    "not utf-8": (b'{"text":"\xff"}', "not UTF-8 at byte 9"),
    "truncated utf-8": (b'{"text":"\xc3', "not UTF-8 at byte 9"),
    "surrogate as utf-8": (b'{"text":"\xed\xa0\x80"}', "not UTF-8 at byte 9"),
    "utf-16": ('{"text":"a"}'.encode("utf-16"), "not UTF-8 at byte 0"),
    "trailing word": ('{"text":"a"} x', "not JSON: something follows the value at character 13"),
    "trailing nul": ('{"text":"a"}\0', "not JSON: something follows the value at character 13"),
    "second value": ('{"text":"a"}{"text":"b"}', "not JSON: something follows the value at character 13"),
    "space that is none in JSON": ('\u00a0{"text":"a"}', "not JSON"),
    "vertical tab": ('\x0b{"text":"a"}', "not JSON"),
    "form feed behind": ('{"text":"a"}\x0c', "not JSON: something follows"),
    "line separator": ('\u2028{"text":"a"}', "not JSON"),
    "trailing comma": ('{"text":"a",}', "not JSON"),
    "single quotes": ("{'text':'a'}", "not JSON"),
    "comment": ('{"text":"a"/**/}', "not JSON"),
    "cut off": ('{"text":"a"', "not JSON"),
    "control character": ('{"text":"a\nb"}', "not JSON: Invalid control character"),
    "NaN": ('{"text":"a","_meta":{"n":NaN}}', "not JSON: NaN is no JSON number"),
    "Infinity": ('{"text":"a","_meta":{"n":Infinity}}', "not JSON: Infinity is no JSON number"),
    "-Infinity": ('{"text":"a","_meta":{"n":-Infinity}}', "not JSON: -Infinity is no JSON number"),
    "1e999": ('{"text":"a","_meta":{"n":1e999}}', "not JSON: the number 1e999 is too large"),
    "-1e999": ('{"text":"a","_meta":{"n":-1e999}}', "not JSON: the number -1e999 is too large"),
    "leading zero": ("01", "not JSON"),
    "5000 digits": ('{"text":"a","_meta":{"n":' + "9" * 5000 + "}}", "not JSON"),
    "-5000 digits": ("-" + "9" * 5000, "not JSON"),
    "100000 brackets": ("[" * 100_000, "not JSON: nested too deeply"),
    "100000 braces": ('{"a":' * 100_000, "not JSON: nested too deeply"),
    "100000 closed brackets": ("[" * 100_000 + "]" * 100_000, "not JSON: nested too deeply"),
    "deep _meta": ('{"text":"a","_meta":' + '{"a":' * 100_000 + "1" + "}" * 100_001, "not JSON: nested too deeply"),
    "None": (None, "not JSON"),
    "a number": (5, "not JSON"),
    "parsed data": ({"text": "a"}, "not JSON"),
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_bad_text_is_a_decode_error(text: Any, message: str) -> None:
    with pytest.raises(v2.DecodeError) as caught:
        v2.loads(v2.TextContent, text)
    assert caught.value.path == ""
    assert caught.value.message.startswith(message)
    assert len(caught.value.message) < 250


def test_the_place_in_bad_text_counts_from_its_beginning() -> None:
    with pytest.raises(v2.DecodeError, match="line 3, column 9"):
        v2.loads(v2.TextContent, '\n\n{"text":}')


def test_the_last_of_duplicate_keys_wins() -> None:
    assert v2.loads(v2.TextContent, '{"text":"first","text":"last"}') == v2.TextContent(text="last")
    text = '{"sessionUpdate":"plan_update","toolCallId":"t","sessionUpdate":"tool_call_update"}'
    assert v2.loads(v2.SessionUpdate, text) == v2.ToolCallUpdate(tool_call_id="t")


@pytest.mark.parametrize("escape", ["\\ud800", "\\udfff", "a\\udc80b", "\\ude00\\ud83d"])
def test_lone_surrogates_survive(escape: str) -> None:
    wire = '{"text":"%s","_meta":{"%s":"%s"},"new":"%s"}' % (escape, escape, escape, escape)
    content = v2.loads(v2.TextContent, wire)
    written = v2.dumps(content)
    assert written.decode("utf-8") == wire
    assert v2.loads(v2.TextContent, written) == content
    assert v2.encode(content) == json.loads(wire)


def test_paired_surrogates_are_one_character() -> None:
    content = v2.loads(v2.TextContent, '{"text":"\\ud83d\\ude00"}')
    assert content.text == "\U0001f600"
    assert v2.dumps(content) == '{"text":"\U0001f600"}'.encode()


# ------------------------------------------------------------------------------------------------ JSON text out


def test_dumps_is_compact_utf_8() -> None:
    text = 'ä 日本 \U0001f600 \u2028 \x7f \t \n "quoted" \\ /'
    content = v2.TextContent(text=text, meta={"ключ": [1, {"b": None}]}, extra={"ñ": True})
    written = v2.dumps(content, v2.ContentBlock)
    expected = {"type": "text", "text": text, "_meta": {"ключ": [1, {"b": None}]}, "ñ": True}
    assert isinstance(written, bytes)
    assert written == json.dumps(expected, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


@every_definition
def test_dumps_of_every_definition_is_compact(edition: Edition, name: str) -> None:
    for sample in wire_samples(name, full=True, edition=edition):
        written = edition.module.dumps(edition.module.decode(name, sample), name)
        compact = json.dumps(json.loads(written), ensure_ascii=False, separators=(",", ":"))
        assert written.decode("utf-8") == compact


def nested(depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(depth):
        data = {"a": data}
    return data


def can_be_dumped(depth: int) -> bool:
    try:
        v2.dumps(v2.TextContent(text="a", meta=nested(depth)))
    except v2.EncodeError:
        return False
    return True


def test_moderate_nesting_passes() -> None:
    content = v2.TextContent(text="a", meta=nested(200))
    assert v2.loads(v2.TextContent, v2.dumps(content)) == content


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [("meta", nested(100_000), "/_meta/a"), ("extra", {"new": nested(100_000)}, "/new")],
    ids=["meta", "extra"],
)
def test_deep_nesting_is_an_encode_error(field: str, value: Any, place: str) -> None:
    """Decoding keeps free-form data as it is, however deep; writing it is what recursion limits stop."""
    wire = {"text": "a", "_meta" if field == "meta" else "new": value if field == "meta" else value["new"]}
    content = v2.decode(v2.TextContent, wire)
    assert getattr(content, field) is not None
    with pytest.raises(v2.EncodeError) as caught:
        v2.encode(content)
    assert caught.value.path == place
    with pytest.raises(v2.EncodeError):
        v2.dumps(content)


def test_encoding_at_the_limit_of_nesting_raises_no_decode_error() -> None:
    """The limits of Python's JSON writer and reader differ; ``encode`` must not let the reader's show."""
    low, high = 100, 200_000  # dumps can do the one and not the other
    assert can_be_dumped(low) and not can_be_dumped(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if can_be_dumped(middle) else (low, middle)
    for depth in (low - 5, low - 1, low, high):
        try:
            v2.encode(v2.TextContent(text="a", meta=nested(depth)))
        except v2.EncodeError as error:
            assert "nested too deeply" in error.message or error.path.startswith("/_meta")


def test_a_cycle_is_an_encode_error() -> None:
    meta: dict[str, Any] = {}
    meta["self"] = meta
    assert encode_refusal(v2.TextContent(text="a", meta=meta))[0] == "/_meta/self"


# ------------------------------------------------------------------------------------------------ wrong Python values


def tool_call(**fields: Any) -> v2.ToolCallUpdate:
    return v2.ToolCallUpdate(tool_call_id="t", **fields)


def text_content(**fields: Any) -> v2.TextContent:
    return v2.TextContent(**{"text": "a", **fields})


IMAGE = v2.ImageContent(data="", mime_type="image/png")

WRONG_VALUES: dict[str, tuple[Any, str, str]] = {
    "str for int": (v2.ToolCallLocation(path="/", line="3"), "/line", "expected integer, got string '3'"),
    "True for int": (v2.ToolCallLocation(path="/", line=True), "/line", "expected integer, got true"),
    "float for int": (v2.ToolCallLocation(path="/", line=3.0), "/line", "expected integer, got number 3.0"),
    "True for a bounded int": (v2.TerminalSize(cols=True, rows=1), "/cols", "expected integer, got true"),
    "str for number": (v2.Cost(amount="3", currency="EUR"), "/amount", "expected number, got string '3'"),
    "True for number": (v2.Cost(amount=True, currency="EUR"), "/amount", "expected number, got true"),
    "NaN for number": (v2.Cost(amount=math.nan, currency="EUR"), "/amount", "expected number, got number nan"),
    "infinity for number": (v2.Annotations(priority=math.inf), "/priority", "expected number, got number inf"),
    "int for bool": (v2.SessionConfigBoolean(current_value=1), "/currentValue", "expected bool, got number 1"),
    "int for str": (text_content(text=5), "/text", "expected str, got number 5"),
    "bytes for str": (text_content(text=b"a"), "/text", "expected str, got bytes"),
    "True for str": (text_content(text=True), "/text", "expected str, got true"),
    "None for a required str": (text_content(text=None), "/text", "expected str, got null"),
    "None for a required record": (v2.Content(content=None), "/content", "got null"),
    "None for a required list": (v2.Diff(changes=None), "/changes", "expected list, got null"),
    "None for a field with a default": (
        v2.InitializeRequest(protocol_version=2, info=v2.Implementation(name="a", version="1"), capabilities=None),
        "/capabilities",
        "expected ClientCapabilities, got null",
    ),
    "UNSET for a required field": (text_content(text=UNSET), "/text", "expected str, got UNSET"),
    "UNSET in a plain optional field": (text_content(annotations=UNSET), "/annotations", "got UNSET"),
    "UNSET in a plain meta": (text_content(meta=UNSET), "/_meta", "expected dict, got UNSET"),
    "UNSET inside a patch list": (tool_call(content=[UNSET]), "/content/0", "got UNSET"),
    "UNSET in free JSON": (v2.AgentRequest(id=1, method="m", params=UNSET), "/params", "expected JSON data, got UNSET"),
    "UNSET as extra": (text_content(extra=UNSET), "", "expected dict or None as extra, got UNSET"),
    "int for a patch str": (tool_call(title=5), "/title", "expected str, got number 5"),
    "int for a patch enum": (tool_call(kind=5), "/kind", "expected str, got number 5"),
    "another record": (
        v2.InitializeRequest(protocol_version=2, info=v2.ClientCapabilities()),
        "/info",
        "expected Implementation, got ClientCapabilities",
    ),
    "a record with the very same fields": (
        v2.PromptCapabilities(audio=v2.PromptImageCapabilities()),
        "/audio",
        "expected PromptAudioCapabilities, got PromptImageCapabilities",
    ),
    "a dict for a record": (v2.Content(content={"type": "text", "text": "a"}), "/content", "got object"),
    "a record outside the union": (v2.Content(content=v2.Terminal(terminal_id="t")), "/content", "got Terminal"),
    "a content block where tool content is declared": (tool_call(content=[TEXT]), "/content/0", "got TextContent"),
    "an untagged payload for its variant": (
        v2.Diff(changes=[v2.DiffPathChange(path="/")]),
        "/changes/0",
        "got DiffPathChange",
    ),
    "a record where another is nested": (
        v2.EmbeddedResource(resource=TEXT),
        "/resource",
        "expected TextResourceContents or BlobResourceContents, got TextContent",
    ),
    "str for list[str]": (v2.Icon(src="", sizes="48x48"), "/sizes", "expected list, got string '48x48'"),
    "tuple for list": (v2.Icon(src="", sizes=("a",)), "/sizes", "expected list, got tuple"),
    "bad item": (v2.Icon(src="", sizes=["a", 5]), "/sizes/1", "expected str, got number 5"),
    "bad item in a patch list": (
        tool_call(locations=[v2.ToolCallLocation(path=5)]),
        "/locations/0/path",
        "got number 5",
    ),
    "list for a record": (tool_call(capabilities=[]), "/capabilities", "got array"),
    "a list for a map": (
        v2.ElicitationSchema(type="object", properties=[]),
        "/properties",
        "expected dict, got array",
    ),
    "a wrong value in a map": (
        v2.ElicitationSchema(type="object", properties={"a/b": TEXT}),
        "/properties/a~1b",
        "got TextContent",
    ),
    "a wrong key in a map": (
        v2.ElicitationSchema(type="object", properties={1: v2.StringPropertySchema()}),
        "/properties",
        "expected str as every key, got number 1",
    ),
    "None for an id": (v2.AgentRequest(id=None, method="m"), "/id", "got null"),
    "True for an id": (v2.AgentRequest(id=True, method="m"), "/id", "got true"),
    "list for meta": (text_content(meta=[]), "/_meta", "expected dict, got array"),
    "set in meta": (text_content(meta={"k": {1}}), "/_meta/k", "expected JSON data, got set"),
    "NaN in meta": (text_content(meta={"k": math.nan}), "/_meta/k", "expected JSON data, got number nan"),
    "bytes in meta": (text_content(meta={"k": b""}), "/_meta/k", "expected JSON data, got bytes"),
    "a record in meta": (text_content(meta={"k": TEXT}), "/_meta/k", "expected JSON data, got TextContent"),
    "int key in meta": (text_content(meta={1: 2}), "/_meta", "expected str as every key, got number 1"),
    "None key in meta": (text_content(meta={None: 2}), "/_meta", "expected str as every key, got null"),
    "int key deeper in meta": (text_content(meta={"k": {1: 2}}), "/_meta/k", "expected "),
    "int key in raw input": (tool_call(raw_input={1: 2}), "/rawInput", "expected "),
    "set in raw input": (tool_call(raw_input={1}), "/rawInput", "expected JSON data, got set"),
    "list as extra": (text_content(extra=[]), "", "expected dict or None as extra, got array"),
    "int key in extra": (text_content(extra={1: 2}), "", "expected str as every key of extra, got number 1"),
    "int key deeper in extra": (text_content(extra={"k": {1: 2}}), "/k", "expected "),
    "set in extra": (text_content(extra={"k/": {1}}), "/k~1", "expected JSON data, got set"),
    "set in a nested extra": (v2.Content(content=text_content(extra={"k": {1}})), "/content/k", "got set"),
    "extra repeats a field": (text_content(extra={"text": "b"}), "/text", "extra repeats a field of the record"),
    "extra repeats meta": (text_content(extra={"_meta": {}}), "/_meta", "extra repeats a field of the record"),
    "extra in a nested record": (
        v2.Content(content=text_content(extra={"text": "b"})),
        "/content/text",
        "extra repeats a field of the record",
    ),
    "extra contradicts the tag": (
        v2.Content(content=text_content(extra={"type": "image"})),
        "/content/type",
        "extra contradicts the discriminator",
    ),
    "extra contradicts the tag of a minted variant": (
        v2.DiffChangeAdd(path="/", extra={"operation": "move"}),
        "/operation",
        "extra contradicts the discriminator",
    ),
    "an integer with too many digits": (v2.AgentRequest(id=10**5000, method="m"), "/id", "digits"),
}


@pytest.mark.parametrize(("value", "place", "message"), WRONG_VALUES.values(), ids=WRONG_VALUES)
def test_a_wrong_python_value_is_an_encode_error(value: Any, place: str, message: str) -> None:
    path, text = encode_refusal(value)
    assert path == place
    assert message in text


def test_a_value_that_is_not_of_the_type_it_is_encoded_as() -> None:
    assert encode_refusal(IMAGE, v2.AudioContent) == ("", "expected AudioContent, got ImageContent")
    user_message = v2.UserMessage(message_id="m")
    assert encode_refusal(user_message, v2.AgentMessage) == ("", "expected AgentMessage, got UserMessage")
    assert encode_refusal(IMAGE, v2.SessionUpdate)[0] == ""
    assert encode_refusal(TEXT, v2.SessionId) == ("", "expected str, got TextContent")
    assert encode_refusal("a", v2.TextContent) == ("", "expected TextContent, got string 'a'")
    assert encode_refusal({"text": "a"}, v2.TextContent) == ("", "expected TextContent, got object")
    assert encode_refusal(UNSET, v2.SessionId) == ("", "expected str, got UNSET")


def test_the_record_class_and_not_its_fields_decide() -> None:
    """An image has every field that audio has; it is still none."""
    audio = v2.AudioContent(data="", mime_type="audio/wav")
    assert v2.encode(audio, v2.ContentBlock)["type"] == "audio"
    assert v2.encode(IMAGE, v2.ContentBlock)["type"] == "image"


def test_a_field_that_was_never_set_is_named() -> None:
    assert encode_refusal(object.__new__(v2.TextContent)) == ("/text", "the field was never set")


def test_an_assigned_field_is_checked_when_written() -> None:
    content = v2.TextContent(text="a")
    content.text = 5
    assert encode_refusal(content) == ("/text", "expected str, got number 5")


def test_extra_may_repeat_the_tag_truthfully() -> None:
    content = text_content(extra={"type": "text", "new": 1})
    assert v2.encode(content, v2.ContentBlock) == {"type": "text", "text": "a", "new": 1}


@dataclass(slots=True, kw_only=True, repr=False)
class MyText(v2.TextContent):
    """A user's own subclass, with a field that is nobody else's business."""

    cached: int = 0


class MyPlainText(v2.TextContent):
    """A user's own subclass that is no dataclass of its own."""


def test_a_subclass_of_a_record_still_encodes() -> None:
    for mine in (MyText(text="a", cached=3), MyPlainText(text="a")):
        assert v2.encode(mine) == {"text": "a"}
        assert v2.encode(mine, v2.TextContent) == {"text": "a"}
        assert v2.dumps(mine, v2.ContentBlock) == b'{"type":"text","text":"a"}'
        assert v2.encode(v2.Content(content=mine)) == {"content": {"type": "text", "text": "a"}}


def test_subclasses_of_plain_types_still_encode() -> None:
    class Kind(str, enum.Enum):
        READ = "read"

    class Lines(enum.IntEnum):
        THIRD = 3

    class Sizes(list):
        pass

    class Meta(dict):
        pass

    assert v2.dumps(tool_call(kind=Kind.READ)) == b'{"toolCallId":"t","kind":"read"}'
    assert v2.dumps(v2.ToolCallLocation(path="/", line=Lines.THIRD)) == b'{"path":"/","line":3}'
    assert v2.encode(v2.Icon(src="", sizes=Sizes(["a"]), meta=Meta(k=1))) == {
        "src": "",
        "sizes": ["a"],
        "_meta": {"k": 1},
    }


# ------------------------------------------------------------------------------------------------ unknown fields


@in_every_edition(("edition", "name"), lambda edition: list(records(edition)))
def test_every_record_keeps_unknown_fields(edition: Edition, name: str) -> None:
    """Kept in ``extra``, written back, and carried along by ``replace``."""
    unknown = {"x-new": {"deep": [1, None, {"a": "b"}]}, "_private": None}
    source = instances(edition)[name]
    wire = {**edition.module.encode(source), **unknown}
    issues: list[v2.Issue] = []
    decoded = edition.module.decode(name, wire, issues=issues)
    assert type(decoded) is type(source)
    assert decoded.extra == {**(source.extra or {}), **unknown}
    assert edition.module.encode(decoded) == wire
    assert edition.module.encode(dataclasses.replace(decoded)) == wire
    assert issues == []


def with_unknown_fields(data: Any) -> Any:
    """A member more in every object that is a record and not a map, which samples give the one member "key"."""
    if isinstance(data, list):
        return [with_unknown_fields(item) for item in data]
    if not isinstance(data, dict):
        return data
    members = {key: with_unknown_fields(value) for key, value in data.items()}
    return members if data.keys() == {"key"} else {**members, "zz-unknown": {"kept": True}}


@every_definition
def test_unknown_fields_survive_at_every_level(edition: Edition, name: str) -> None:
    for sample in wire_samples(name, full=True, edition=edition):
        wire = with_unknown_fields(sample)
        assert edition.module.encode(edition.module.decode(name, wire), name) == edition.oracle.written_back(name, wire)


def test_unknown_fields_and_salvage_go_together() -> None:
    """The careful path keeps them as the fast one does."""
    update = v2.decode(v2.SessionUpdate, {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": 5, "new": 1})
    assert update == v2.ToolCallUpdate(tool_call_id="t", extra={"new": 1})


def test_no_unknown_fields_is_none() -> None:
    assert v2.decode(v2.TextContent, {"text": "a"}).extra is None
    assert v2.decode(v2.ContentBlock, {"type": "text", "text": "a"}).extra is None
    assert v2.encode(v2.TextContent(text="a", extra={})) == {"text": "a"}


def test_a_bare_payload_keeps_a_tag_that_came_along() -> None:
    """Decoded as the payload and not as the union, ``type`` is just a field that the schema does not name."""
    content = v2.decode(v2.TextContent, {"type": "text", "text": "a"})
    assert content.extra == {"type": "text"}
    assert v2.encode(content) == {"type": "text", "text": "a"}
    assert v2.encode(content, v2.ContentBlock) == {"type": "text", "text": "a"}
