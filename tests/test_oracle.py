"""The judge is judged: hand-written verdicts, and a second opinion by another road.

The laws are worth what the oracle and the strategies are worth, so both are checked here without the codecs.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from typing import Any, Final, NamedTuple

import pytest
from jsonschema_rs import Draft202012Validator

from support.editions import JUNE, V1, V2, Edition, every_definition, every_edition
from support.oracle import ON_ERROR, ON_NULL, SKIP, is_pointer, parent, resolve, same_json
from support.profiles import for_all

REFUSED: Final = object()


class Row(NamedTuple):
    """One verdict: what came, and what is written back after reading it (or REFUSED)."""

    case: str
    definition: str
    came: Any
    written: Any
    strict: bool = False
    edition: Edition = V2

    def __str__(self) -> str:
        return f"{self.edition}-{self.case}"


def valid(case: str, definition: str, came: Any, written: Any = ...) -> Row:
    """Strictly valid, and written back as it came unless said otherwise."""
    return Row(case, definition, came, came if written is ... else written, True)


def salvaged(case: str, definition: str, came: Any, written: Any) -> Row:
    return Row(case, definition, came, written)


def refused(case: str, definition: str, came: Any) -> Row:
    return Row(case, definition, came, REFUSED)


TEXT = {"type": "text", "text": "t"}
OPTION = {"value": "v", "name": "n"}
ENTRY = {"content": "c", "priority": "high", "status": "pending"}
INFO = {"name": "n", "version": "1"}
START = {"protocolVersion": 2, "info": INFO}
FORM = {"type": "object", "properties": {}}
STDIO = {"name": "n", "command": "/c"}
LINK = {"name": "n", "uri": "u:"}
ICON = {"src": "s:"}
TITLED = [{"const": "c", "title": "t"}]
SELECT = {"type": "select", "configId": "c", "name": "n", "currentValue": "v"}
IDLE = {"sessionUpdate": "state_update", "state": "idle"}
CALL = {"toolCallId": "t"}
PERMISSION = {"optionId": "o", "name": "n", "kind": "allow_once"}
TERMINAL_LOGIN = {"id": "a", "name": "n"}
PLAN = {"type": "items", "id": "p", "entries": []}

LENIENCY_TABLE = [
    # default-on-error, plain optional
    valid("plain optional: missing", "Implementation", INFO),
    valid("plain optional: null is absent", "Implementation", {**INFO, "title": None}, INFO),
    salvaged("plain optional: wrong type is absent", "Implementation", {**INFO, "title": 5}, INFO),
    # default-on-error, patch
    valid("patch: missing", "SessionInfoUpdate", {}),
    valid("patch: null stays", "SessionInfoUpdate", {"title": None}),
    salvaged("patch: wrong type is absent, not null", "SessionInfoUpdate", {"title": 5}, {}),
    valid("patch _meta: null stays", "SessionInfoUpdate", {"_meta": None}),
    salvaged("patch _meta: wrong type is absent", "SessionInfoUpdate", {"_meta": False}, {}),
    valid("patch of any type: null stays", "ToolCallUpdate", {"toolCallId": "t", "rawInput": None}),
    # default-on-error and skip, patch array
    valid("patch array: missing", "UserMessage", {"messageId": "m"}),
    valid("patch array: null stays", "UserMessage", {"messageId": "m", "content": None}),
    salvaged("patch array: wrong type is absent", "UserMessage", {"messageId": "m", "content": {}}, {"messageId": "m"}),
    salvaged(
        "patch array: bad item dropped",
        "UserMessage",
        {"messageId": "m", "content": [5, TEXT, {"type": "text"}]},
        {"messageId": "m", "content": [TEXT]},
    ),
    salvaged(
        "patch array: all bad is empty",
        "UserMessage",
        {"messageId": "m", "content": [5]},
        {"messageId": "m", "content": []},
    ),
    # default-on-error and skip, nullable plain array
    valid("nullable array: missing", "ResourceLink", LINK),
    valid("nullable array: null is absent", "ResourceLink", {**LINK, "icons": None}, LINK),
    salvaged("nullable array: wrong type is absent", "ResourceLink", {**LINK, "icons": "i"}, LINK),
    salvaged(
        "nullable array: bad item dropped", "ResourceLink", {**LINK, "icons": [{}, ICON]}, {**LINK, "icons": [ICON]}
    ),
    # default-on-error (and skip), optional but never null
    valid("lenient array: missing", "NewSessionResponse", {"sessionId": "s"}),
    salvaged(
        "lenient array: null is empty",
        "NewSessionResponse",
        {"sessionId": "s", "configOptions": None},
        {"sessionId": "s", "configOptions": []},
    ),
    salvaged(
        "lenient array: wrong type is empty",
        "NewSessionResponse",
        {"sessionId": "s", "configOptions": 5},
        {"sessionId": "s", "configOptions": []},
    ),
    salvaged(
        "lenient array: bad item dropped",
        "NewSessionResponse",
        {"sessionId": "s", "availableCommands": [5, {"type": "command", "name": "n"}]},
        {"sessionId": "s", "availableCommands": []},
    ),
    valid("defaulted object: missing is the default", "InitializeRequest", START, {**START, "capabilities": {}}),
    salvaged(
        "defaulted object: null", "InitializeRequest", {**START, "capabilities": None}, {**START, "capabilities": {}}
    ),
    salvaged(
        "defaulted object: wrong type",
        "InitializeRequest",
        {**START, "capabilities": []},
        {**START, "capabilities": {}},
    ),
    # default-on-error and skip, required
    refused("required lenient array: missing", "ListSessionsResponse", {}),
    salvaged("required lenient array: null", "ListSessionsResponse", {"sessions": None}, {"sessions": []}),
    salvaged("required lenient array: wrong type", "ListSessionsResponse", {"sessions": "s"}, {"sessions": []}),
    salvaged("required lenient array: bad item dropped", "ListSessionsResponse", {"sessions": [{}]}, {"sessions": []}),
    # skip only, required
    valid("skipping array", "PlanItems", {"planId": "p", "entries": [ENTRY]}),
    refused("skipping array: missing", "PlanItems", {"planId": "p"}),
    refused("skipping array: null", "PlanItems", {"planId": "p", "entries": None}),
    refused("skipping array: wrong type", "PlanItems", {"planId": "p", "entries": {}}),
    salvaged(
        "skipping array: bad item dropped",
        "PlanItems",
        {"planId": "p", "entries": [None, ENTRY, {"content": "c"}]},
        {"planId": "p", "entries": [ENTRY]},
    ),
    # default-on-error without skip on a list
    valid("whole list: missing", "RunningStateUpdate", {}),
    valid("whole list: null is absent", "RunningStateUpdate", {"background": None}, {}),
    salvaged("whole list: wrong type is absent", "RunningStateUpdate", {"background": 5}, {}),
    salvaged("whole list: one bad item spoils it", "RunningStateUpdate", {"background": [{"type": "_x"}, {}]}, {}),
    # default-on-null
    valid("null is empty: missing", "McpServerStdio", STDIO),
    salvaged("null is empty: null", "McpServerStdio", {**STDIO, "args": None}, {**STDIO, "args": []}),
    refused("null is empty: wrong type", "McpServerStdio", {**STDIO, "args": "a"}),
    refused("null is empty: bad item", "McpServerStdio", {**STDIO, "args": ["a", 5]}),
    # no keyword, optional
    valid("no keyword: missing", "ListSessionsRequest", {}),
    valid("no keyword: null is absent", "ListSessionsRequest", {"cursor": None}, {}),
    refused("no keyword: wrong type", "ListSessionsRequest", {"cursor": 5}),
    refused("no keyword: bad item", "StringPropertySchema", {"enum": ["a", 5]}),
]

NESTING = [
    salvaged(
        "the inner salvage spares the outer value",
        "TextContent",
        {"text": "t", "annotations": {"priority": 2, "audience": ["user", 5]}},
        {"text": "t", "annotations": {"audience": ["user"]}},
    ),
    salvaged(
        "what the inner cannot salvage the outer does",
        "Diff",
        {"changes": [], "patch": {"format": "f"}},
        {"changes": []},
    ),
    salvaged(
        "an item is salvaged before it is dropped",
        "PlanItems",
        {"planId": "p", "entries": [{**ENTRY, "_meta": 5}]},
        {"planId": "p", "entries": [ENTRY]},
    ),
    salvaged(
        "a default is not held against minItems",
        "SessionConfigSelectGroup",
        {"groupId": "g", "name": "n", "options": 5},
        {"groupId": "g", "name": "n", "options": []},
    ),
    salvaged(
        "too few items are malformed too",
        "SessionConfigSelectGroup",
        {"groupId": "g", "name": "n", "options": []},
        {"groupId": "g", "name": "n", "options": []},
    ),
    salvaged(
        "none left after dropping",
        "SessionConfigSelectGroup",
        {"groupId": "g", "name": "n", "options": [5]},
        {"groupId": "g", "name": "n", "options": []},
    ),
    refused("minItems without leniency", "PromptRequest", {"sessionId": "s", "prompt": []}),
    refused("leniency ends where a plain member is wrong", "Implementation", {"name": 5, "version": "1", "title": 5}),
    salvaged("an integer out of range", "ToolCallLocation", {"path": "/p", "line": 0}, {"path": "/p"}),
    salvaged("a fraction for an integer", "ToolCallLocation", {"path": "/p", "line": 1.5}, {"path": "/p"}),
    valid("a whole float for an integer", "ToolCallLocation", {"path": "/p", "line": 1.0}, {"path": "/p", "line": 1}),
    salvaged("true for an integer", "ToolCallLocation", {"path": "/p", "line": True}, {"path": "/p"}),
    refused("out of range without leniency", "ProtocolVersion", 65536),
    refused("too short without leniency", "Notice", {"severity": "info", "title": ""}),
]

UNIONS = [
    valid("known variant", "ContentBlock", TEXT),
    valid("known variant: null is absent", "ContentBlock", {**TEXT, "_meta": None}, TEXT),
    valid("unknown variant is kept whole", "ContentBlock", {"type": "_x", "text": 5, "_meta": None}),
    refused("known tag with a bad payload is never unknown", "ContentBlock", {"type": "text", "text": 5}),
    refused("no tag", "ContentBlock", {"text": "t"}),
    refused("a tag that is no string", "ContentBlock", {"type": None, "text": "t"}),
    valid("unknown variant with what it must carry", "PlanUpdateContent", {"type": "_x", "planId": "p", "entries": 5}),
    refused("unknown variant without what it must carry", "PlanUpdateContent", {"type": "_x"}),
    salvaged(
        "unknown variant: shared members are checked, and yet kept as they came",
        "SessionConfigOption",
        {"type": "_x", "configId": "c", "name": "n", "description": 5},
        {"type": "_x", "configId": "c", "name": "n", "description": 5},
    ),
    refused("unknown variant: shared members without leniency", "SessionConfigOption", {"type": "_x", "configId": "c"}),
    valid("three tags", "SessionUpdate", {**IDLE, "stopReason": "end_turn"}),
    valid("the innermost tag unknown", "SessionUpdate", {**IDLE, "stopReason": "_x", "background": None}),
    valid("the middle tag unknown", "SessionUpdate", {**IDLE, "state": "_x", "background": 5}),
    valid("the outer tag unknown", "SessionUpdate", {**IDLE, "sessionUpdate": "_x", "state": 5}),
    refused("the middle tag malformed", "SessionUpdate", {**IDLE, "state": 5}),
    valid("no stop reason", "SessionUpdate", IDLE),
    valid("a null stop reason is absent", "SessionUpdate", {**IDLE, "stopReason": None}, IDLE),
    salvaged("a malformed stop reason is absent", "SessionUpdate", {**IDLE, "stopReason": ["end_turn"]}, IDLE),
    valid("tagless member of a tagged union", "MultiSelectItems", {"anyOf": TITLED}),
    valid("tagless member with a stray tag", "MultiSelectItems", {"type": "string", "anyOf": TITLED}),
    valid("tagless member with a stray tag of another type", "MultiSelectItems", {"type": 5, "anyOf": TITLED}),
    refused("neither tagged nor tagless", "MultiSelectItems", {"type": "string", "anyOf": []}),
    salvaged("tagless member with salvage", "MultiSelectItems", {"anyOf": TITLED, "_meta": 5}, {"anyOf": TITLED}),
    valid("grouped options", "SessionConfigSelectOptions", [{"groupId": "g", "name": "n", "options": [OPTION]}]),
    salvaged(
        "grouped options with salvage",
        "SessionConfigOption",
        {**SELECT, "options": [{"groupId": "g", "name": "n", "options": [OPTION, 5]}]},
        {**SELECT, "options": [{"groupId": "g", "name": "n", "options": [OPTION]}]},
    ),
    refused("flat and grouped options mixed", "SessionConfigSelectOptions", [OPTION, {"groupId": "g", "name": "n"}]),
    valid(
        "a strictly valid alternative goes before an earlier one that needs salvage",
        "SessionConfigSelectOptions",
        [{**OPTION, "description": 5, "groupId": "g", "options": [OPTION]}],
    ),
    valid("accept-anything takes what needs salvage elsewhere", "ErrorData", {"sessionId": "s", "_meta": 5}),
    valid(
        "a whole float inside an untagged alternative",
        "Error",
        {"code": 1, "message": "m", "data": {"requested": 1.0, "supported": [2.0], "_meta": None}},
        {"code": 1, "message": "m", "data": {"requested": 1, "supported": [2]}},
    ),
    valid("envelope params stay raw", "ClientRequest", {"id": 1, "method": "m", "params": {"cursor": None}}),
    valid(
        "envelope params null is absent",
        "ClientRequest",
        {"id": 1, "method": "m", "params": None},
        {"id": 1, "method": "m"},
    ),
    valid("a result may be null", "AgentResponse", {"id": 1, "result": None}),
    valid("an error may have a null id", "AgentResponse", {"id": None, "error": {"code": 1, "message": "m"}}),
    refused("a result may not have a null id", "AgentResponse", {"id": None, "result": {}}),
]

EXACTLY_ONE = [
    valid("session scope", "ElicitationFormMode", {"requestedSchema": FORM, "sessionId": "s"}),
    valid("request scope", "ElicitationFormMode", {"requestedSchema": FORM, "requestId": 1}),
    refused("both scopes", "ElicitationFormMode", {"requestedSchema": FORM, "sessionId": "s", "requestId": 1}),
    refused("neither scope", "ElicitationFormMode", {"requestedSchema": FORM}),
    valid(
        "the other scope malformed",
        "ElicitationFormMode",
        {"requestedSchema": FORM, "sessionId": "s", "requestId": None},
    ),
    salvaged(
        "salvage within the scope",
        "ElicitationFormMode",
        {"requestedSchema": FORM, "sessionId": "s", "toolCallId": 5},
        {"requestedSchema": FORM, "sessionId": "s"},
    ),
    valid(
        "one scope whole, the other in need of salvage",
        "ElicitationFormMode",
        {"requestedSchema": FORM, "sessionId": "s", "toolCallId": 5, "requestId": 1},
    ),
    salvaged(
        "salvage beside the scopes does not change which of them fits",
        "ElicitationFormMode",
        {"requestedSchema": {**FORM, "title": 5}, "sessionId": "s", "toolCallId": 5, "requestId": 1},
        {"requestedSchema": FORM, "sessionId": "s", "toolCallId": 5, "requestId": 1},
    ),
    salvaged(
        "salvage beside the scopes of an unknown mode",
        "CreateElicitationRequest",
        {"mode": "_x", "message": "m", "_meta": 5, "sessionId": "s", "toolCallId": 5, "requestId": 1},
        {"mode": "_x", "message": "m", "_meta": 5, "sessionId": "s", "toolCallId": 5, "requestId": 1},
    ),
    refused(
        "unknown mode with both scopes",
        "CreateElicitationRequest",
        {"mode": "_x", "message": "m", "sessionId": "s", "requestId": 1},
    ),
    refused("unknown mode with no scope", "CreateElicitationRequest", {"mode": "_x", "message": "m"}),
]

# What v1 and the June draft say otherwise than the newest edition, or in a form of their own.

V1_TABLE = [
    valid("closed enum", "ToolKind", "switch_mode"),
    refused("closed enum: another value", "ToolKind", "_mine"),
    refused("closed enum: another value, required", "PermissionOption", {**PERMISSION, "kind": "_mine"}),
    salvaged("closed enum: another value, optional", "ToolCallUpdate", {**CALL, "kind": "_mine"}, CALL),
    valid(
        "null and absent are the same in an update", "ToolCallUpdate", {**CALL, "title": None, "content": None}, CALL
    ),
    salvaged(
        "list of a closed enum: bad item dropped", "Annotations", {"audience": ["user", "_x"]}, {"audience": ["user"]}
    ),
    valid("closed union", "ToolCallContent", {"type": "terminal", "terminalId": "t"}),
    refused("closed union: another tag", "ToolCallContent", {"type": "_x"}),
    refused("closed union: another update", "SessionUpdate", {"sessionUpdate": "_x"}),
    refused("closed union: the tag of a later edition", "SessionUpdate", {"sessionUpdate": "tool_call_content_chunk"}),
    salvaged(
        "closed union in a list: bad item dropped",
        "ToolCallUpdate",
        {**CALL, "content": [{"type": "_x"}, {"type": "terminal", "terminalId": "t"}]},
        {**CALL, "content": [{"type": "terminal", "terminalId": "t"}]},
    ),
    valid(
        "an unknown mode may have both scopes",
        "CreateElicitationRequest",
        {"mode": "_x", "message": "m", "sessionId": "s", "requestId": 1},
    ),
    refused("an unknown mode has at least one scope", "CreateElicitationRequest", {"mode": "_x", "message": "m"}),
    valid(
        "a known mode may have both scopes",
        "ElicitationFormMode",
        {"requestedSchema": FORM, "sessionId": "s", "requestId": None},
    ),
    valid("an open union beside the closed ones", "CreateElicitationResponse", {"action": "_x", "content": 5}),
    valid("a chunk without a message id", "SessionUpdate", {"sessionUpdate": "user_message_chunk", "content": TEXT}),
    valid(
        "a chunk with a null message id",
        "ContentChunk",
        {"messageId": None, "content": TEXT},
        {"content": TEXT},
    ),
    valid("the tag of a server may be missing", "McpServer", {**STDIO, "args": [], "env": []}),
    valid("the tag of a server is then one member more", "McpServer", {**STDIO, "args": [], "env": [], "type": "_x"}),
    refused("a tagged server without its members", "McpServer", {"type": "http", "name": "n"}),
    valid("an authentication method without a tag", "AuthMethod", {"id": "a", "name": "n"}),
    salvaged(
        "null is the empty map", "AuthMethodTerminal", {**TERMINAL_LOGIN, "env": None}, {**TERMINAL_LOGIN, "env": {}}
    ),
    refused("null is the empty map: wrong type", "AuthMethodTerminal", {**TERMINAL_LOGIN, "env": []}),
    valid("a request id may be null", "RequestId", None),
    valid("a request with a null id", "ClientRequest", {"id": None, "method": "m"}),
    valid("a result with a null id", "AgentResponse", {"id": None, "result": {}}),
    valid("line 0 is a line", "ToolCallLocation", {"path": "/p", "line": 0}),
    valid("a command input without a tag", "AvailableCommandInput", {"hint": "h", "type": "text"}),
]

JUNE_TABLE = [
    valid("open enum with its values in one list", "Role", "assistant"),
    valid("open enum with its values in one list: another value", "Role", "_mine"),
    refused("open enum with its values in one list: no string", "Role", 5),
    valid("patch: null stays", "ToolCallUpdate", {**CALL, "title": None, "kind": None, "status": None}),
    refused("patch: a malformed string", "ToolCallUpdate", {**CALL, "title": 5}),
    refused("patch: a malformed kind", "ToolCallUpdate", {**CALL, "kind": 5}),
    refused("patch: a malformed status", "ToolCallUpdate", {**CALL, "status": ["pending"]}),
    salvaged("patch array: wrong type is absent", "ToolCallUpdate", {**CALL, "content": 5}, CALL),
    valid("_meta of a message is a patch", "UserMessage", {"messageId": "m", "_meta": None}),
    refused("_meta of a message: malformed", "UserMessage", {"messageId": "m", "_meta": 5}),
    valid("_meta of a tool call is none", "ToolCallUpdate", {**CALL, "_meta": None}, CALL),
    salvaged("lenient entries", "PlanUpdateContent", {**PLAN, "entries": {}}, {**PLAN, "entries": []}),
    valid("an unknown plan", "PlanUpdateContent", {**PLAN, "type": "_x"}),
    refused("an unknown plan without its id", "PlanUpdateContent", {"type": "_x"}),
    refused("a plan type that is neither known nor unknown", "PlanUpdateContent", {**PLAN, "type": "file"}),
    refused("another such plan type", "PlanUpdateContent", {**PLAN, "type": "markdown", "content": "c"}),
    valid("a record without the member that it must not have", "UnstructuredCommandInput", {"hint": "h", "x": 1}),
    refused("a member that must not be there", "UnstructuredCommandInput", {"hint": "h", "type": "text"}),
    refused("not even as null", "UnstructuredCommandInput", {"hint": "h", "type": None}),
    valid("the other alternative takes it", "AvailableCommandInput", {"hint": "h", "type": "text"}),
    refused("no alternative takes it", "AvailableCommandInput", {"hint": "h", "type": None}),
    refused("neither alternative", "AvailableCommandInput", {}),
    salvaged(
        "what no alternative takes is absent where it may be",
        "AvailableCommand",
        {"name": "n", "description": "d", "input": {"hint": "h", "type": 5}},
        {"name": "n", "description": "d"},
    ),
    valid("a diff of texts", "ToolCallContent", {"type": "diff", "path": "/p", "oldText": "a", "newText": "b"}),
    refused("a diff in the form of the newest edition", "ToolCallContent", {"type": "diff", "changes": []}),
    valid("unknown content is kept", "ToolCallContent", {"type": "terminal", "terminalId": None}),
    valid("a closed outcome", "RequestPermissionOutcome", {"outcome": "cancelled"}),
    refused("a closed outcome: another tag", "RequestPermissionOutcome", {"outcome": "_x"}),
    valid("a request id may be null", "RequestId", None),
]

ROWS = [
    *(LENIENCY_TABLE + NESTING + UNIONS + EXACTLY_ONE),
    *(row._replace(edition=V1) for row in V1_TABLE),
    *(row._replace(edition=JUNE) for row in JUNE_TABLE),
]

every_row = pytest.mark.parametrize("row", ROWS, ids=str)


@every_row
def test_verdict(row: Row) -> None:
    oracle = row.edition.oracle
    assert oracle.is_strictly_valid(row.definition, row.came) is row.strict
    assert oracle.accepts(row.definition, row.came) is (row.written is not REFUSED)
    if row.written is not REFUSED:
        written = oracle.written_back(row.definition, row.came)
        assert same_json(written, row.written), f"\n     got {written!r}\nexpected {row.written!r}"


# ------------------------------------------------------------------------------------------- a second opinion


def lenient_schema(document: dict[str, Any]) -> dict[str, Any]:
    """The definitions as they are, and beside each a ``lenient:`` one with the keywords written out as plain schema.

    No instance is repaired here: a malformed member that counts as absent may simply be anything.
    """
    strict = document["$defs"]
    return {**strict, **{f"lenient:{name}": lenient(body) for name, body in strict.items()}}


def lenient(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    result = {k: v for k, v in body.items() if k not in ("$ref", "properties", "items", "allOf", "anyOf", "oneOf")}
    if "$ref" in body:
        result["$ref"] = body["$ref"].replace("#/$defs/", "#/$defs/lenient:")
    if "properties" in body:
        result["properties"] = {name: lenient_member(member) for name, member in body["properties"].items()}
    if "items" in body:
        result["items"] = lenient(body["items"])
    together = [lenient(part) for part in body.get("allOf", [])]
    if isinstance(body.get("additionalProperties"), dict):
        result["additionalProperties"] = lenient(body["additionalProperties"])
    if "anyOf" in body:
        result["anyOf"] = [lenient(blind_to_malformed(branch, body)) for branch in body["anyOf"]]
    if "oneOf" in body:
        whole: dict[str, Any] = {"oneOf": body["oneOf"]}
        needy = {"not": {"anyOf": body["oneOf"]}, "oneOf": [lenient(branch) for branch in body["oneOf"]]}
        together.append({"anyOf": [whole, needy]})
    return {**result, "allOf": together} if together else result


def lenient_member(member: dict[str, Any]) -> Any:
    if member.get(ON_ERROR):
        return True
    if member.get(SKIP):
        assert "minItems" not in member, "how many items are left would matter"
        return {**member, "items": True}
    return {"anyOf": [lenient(member), {"type": "null"}]} if member.get(ON_NULL) else lenient(member)


def blind_to_malformed(branch: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """The branch without a say in members that are malformed by a lenient schema beside the branches."""
    members = dict(branch.get("properties", {}))
    for name, shared in body.get("properties", {}).items():
        if name in members and name not in branch.get("required", ()) and shared.get(ON_ERROR):
            members[name] = {"anyOf": [members[name], {"not": shared}]}
    return {**branch, "properties": members} if members else branch


@every_row
def test_second_opinion_on_verdict(row: Row) -> None:
    assert second_opinion(row.edition, row.definition).is_valid(row.came) is (row.written is not REFUSED)


@every_definition
def test_second_opinion(edition: Edition, name: str) -> None:
    validator = second_opinion(edition, name)

    def check(x: Any) -> None:
        try:
            verdict = validator.is_valid(x)
        except UnicodeEncodeError:
            return  # lone surrogates: the validator cannot take them
        assert edition.oracle.accepts(name, x) is verdict

    for_all(edition.instances.faulty(name), check, share=0.05 * edition.effort)


@cache
def lenient_definitions(edition: Edition) -> dict[str, Any]:
    return lenient_schema(edition.document)


def second_opinion(edition: Edition, name: str) -> Draft202012Validator:
    root = {"$ref": f"#/$defs/lenient:{name}", "$defs": lenient_definitions(edition)}
    return Draft202012Validator(root, validate_formats=False)


# ---------------------------------------------------------------------------------------------- the strategies


@every_edition
def test_nearly_all_candidates_are_valid(edition: Edition) -> None:
    """Rejected candidates cost time and bias what is left."""
    drawn: Counter[bool] = Counter()

    def count(name: str, x: Any) -> None:
        drawn[edition.oracle.is_strictly_valid(name, x)] += 1

    for name in edition.definitions:
        for_all(edition.instances.candidates(name), partial(count, name), share=0.02)
    assert drawn[True] > 4 * edition.size
    assert drawn[False] < drawn[True] / 50


@every_edition
def test_faults_are_of_every_kind(edition: Edition) -> None:
    """Law 2 says little if nothing is salvaged, or if everything is refused."""
    drawn: Counter[str] = Counter()

    def count(name: str, x: Any) -> None:
        if edition.oracle.is_strictly_valid(name, x):
            drawn["valid"] += 1
        else:
            drawn["salvaged" if edition.oracle.accepts(name, x) else "refused"] += 1

    for name in list(edition.definitions)[::3]:
        for_all(edition.instances.faulty(name), partial(count, name), share=0.02)
    least = 1 / 40 if edition is JUNE else 1 / 20  # that draft is lenient in few places
    assert min(drawn[kind] for kind in ("valid", "salvaged", "refused")) > least * sum(drawn.values()), drawn


def known_updates(edition: Edition) -> set[str]:
    union = edition.definitions["SessionUpdate"]
    tags = [branch["properties"]["sessionUpdate"] for branch in union.get("anyOf", union.get("oneOf"))]
    return {tag["const"] for tag in tags if "const" in tag}


def drawn_updates(edition: Edition) -> list[Any]:
    drawn: list[Any] = []
    for_all(edition.instances.valid("SessionUpdate"), drawn.append, share=1)
    return drawn


def test_every_variant_is_drawn() -> None:
    updates = drawn_updates(V2)
    assert {x["sessionUpdate"] for x in updates} > known_updates(V2), "each known tag, and some unknown one"
    idle = [x for x in updates if x["sessionUpdate"] == "state_update" and x["state"] == "idle"]
    assert {None, "end_turn", "error"} < {x.get("stopReason") for x in idle}
    assert {x["sessionUpdate"] for x in drawn_updates(JUNE)} > known_updates(JUNE)
    assert {x["sessionUpdate"] for x in drawn_updates(V1)} == known_updates(V1), "a closed union has no other tags"


# -------------------------------------------------------------------------------------------------- small tools


def test_same_json_tells_types_apart() -> None:
    assert same_json({"a": [1, None]}, {"a": [1.0, None]})
    for a, b in [(True, 1), (False, 0), (0, None), ("1", 1), ([], {}), ({"a": None}, {}), ([1], [1, 1]), ([True], [1])]:
        assert not same_json(a, b)
        assert not same_json(b, a)


def test_pointers() -> None:
    assert [is_pointer(text) for text in ("", "/", "/a/0", "/a~1b~0c", "a", "/~", "/~2")] == [True] * 4 + [False] * 3
    data = {"a": [{"b/c~": 1}], "": 2}
    assert (resolve("/a/0/b~1c~0", data), resolve("/", data), resolve("", data)) == (1, 2, data)
    for dangling in ("/b", "/a/1", "/a/-", "/a/00", "/a/0/b~1c~0/d"):
        with pytest.raises(LookupError):
            resolve(dangling, data)
    assert (parent("/a/0"), parent("/a"), parent("")) == ("/a", "", "")
