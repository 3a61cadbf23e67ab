"""Other makers' implementations understand us: the TypeScript SDK what we write, and two SDKs each other through us.

``make peers`` installs them where Node and the registries are at hand; without them these tests are skipped.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from acp_schema import UNSET, v2
from acp_schema._record import Record, Unknown
from peers import ANSWER_WITHIN, NODE_MODULES, Text, node, parsed_by_typescript, python_of_the_sdk
from support import ROOT
from support.editions import V1, V2, Edition
from support.oracle import ENVELOPE, PATCH, same_json
from support.profiles import for_all
from support.strategies import Instances

VECTORS = ROOT.parent / "shared" / "vectors" / "vectors.json"
EXAMPLE = ROOT / "examples" / "bridge_proxy"

both_editions = pytest.mark.parametrize("edition", [V1, V2], ids=str)


# ------------------------------------------------------------------------------------- what TypeScript understands


@both_editions
def test_typescript_parses_what_we_write(edition: Edition) -> None:
    """Every definition, every variant: nothing is refused, and every field that the schema names arrives as written."""
    node()
    instances = Instances(as_strict_about_formats(edition.document))
    samples: list[tuple[str, Any]] = []
    for name in edition.definitions:
        drawn: list[Any] = []
        for_all(instances.valid(name), drawn.append, share=0.1)
        samples += [(name, x) for x in drawn if not is_set_apart(x)]
    assert len(samples) > 10 * len(edition.definitions)
    assert_arrives(edition, samples)


@both_editions
def test_typescript_parses_the_shared_vectors(edition: Edition) -> None:
    node()
    samples = list(vector_inputs(edition))
    assert len(samples) > 10
    assert_arrives(edition, samples)


@both_editions
def test_typescript_tells_the_three_states_apart(edition: Edition) -> None:
    """Each patch field omitted and null; values are tried above."""
    texts: list[Text] = []
    expected: list[Any] = []
    for name, field in patch_fields(edition):
        least = edition.instances.smallest(name)[0][0]
        for x in (least, {**least, field: None}):
            texts.append(Text(edition.name, name, written(edition, name, decoded(edition, name, x))))
            expected.append({"parsed": x})
    assert len(texts) == {"v1": 10, "v2": 60}[edition.name]
    assert parsed_by_typescript(texts) == expected


def test_typescript_tells_the_three_states_of_our_own_values_apart() -> None:
    def update(**fields: Any) -> Text:
        value = v2.ToolCallUpdate(tool_call_id="call-1", **fields)
        return Text("v2", "SessionUpdate", v2.dumps(value, v2.SessionUpdate).decode())

    known = {"sessionUpdate": "tool_call_update", "toolCallId": "call-1"}
    assert parsed_by_typescript(
        [update(title=UNSET), update(title=None), update(title="Read"), update(content=[])]
    ) == [
        {"parsed": known},
        {"parsed": {**known, "title": None}},
        {"parsed": {**known, "title": "Read"}},
        {"parsed": {**known, "content": []}},
    ]


URL_ELICITATION = {"elicitationId": "e", "url": "https://example.com/"}

# Where the TypeScript SDK 2.4.0 does something else with our text than its own schema says (and than we do): the type,
# valid JSON that we read and write unchanged, and what the SDK makes of it.
DEVIATIONS: dict[str, tuple[Edition, str, Any, dict[str, Any]]] = {
    "`format` only describes, but a required URI is checked": (
        V2,
        "ResourceLink",
        {"name": "notes", "uri": "notes.txt"},
        {"issues": ["uri: Invalid URL"]},
    ),
    "and an optional URI is lost": (
        V2,
        "ImageContent",
        {"data": "", "mimeType": "image/png", "uri": "notes.png"},
        {"parsed": {"data": "", "mimeType": "image/png"}},
    ),
    "a time that is none is lost": (V2, "SessionInfoUpdate", {"updatedAt": "yesterday"}, {"parsed": {}}),
    "a number beyond 32 bits is lost": (
        V1,
        "ToolCallLocation",
        {"path": "/notes.txt", "line": 2**32},
        {"parsed": {"path": "/notes.txt"}},
    ),
    "or refused": (
        V1,
        "StringPropertySchema",
        {"maxLength": 2**32},
        {"issues": ["maxLength: Invalid value: Expected uint32 to be <= 4294967295"]},
    ),
    "a field that belongs to another scope counts whatever its value": (
        V2,
        "ElicitationUrlMode",
        {**URL_ELICITATION, "requestId": 1, "sessionId": 5},
        {"issues": [": Expected exactly one of `sessionId` or `requestId`, found 2"]},
    ),
    "inside an unknown variant, known objects lose the fields that the schema does not name": (
        V2,
        "IdleStateUpdate",
        {
            "stopReason": "_bored",
            "background": [{"type": "terminal", "terminalId": "t", "tone": "warm"}],
            "tone": "warm",
        },
        {"parsed": {"stopReason": "_bored", "background": [{"type": "terminal", "terminalId": "t"}], "tone": "warm"}},
    ),
    "fields that the schema does not name are dropped": (
        V2,
        "TextContent",
        {"text": "hello", "tone": "warm"},
        {"parsed": {"text": "hello"}},
    ),
}


def test_where_typescript_deviates_from_its_schema() -> None:
    texts: list[Text] = []
    for edition, name, x, _ in DEVIATIONS.values():
        assert edition.oracle.is_strictly_valid(name, x)
        text = written(edition, name, decoded(edition, name, x))
        assert json.loads(text) == x
        texts.append(Text(edition.name, name, text))
    answers = parsed_by_typescript(texts)
    assert dict(zip(DEVIATIONS, answers)) == {title: answer for title, (_, _, _, answer) in DEVIATIONS.items()}


def assert_arrives(edition: Edition, samples: list[tuple[str, Any]]) -> None:
    values = [decoded(edition, name, x) for name, x in samples]
    texts = [Text(edition.name, name, written(edition, name, value)) for (name, _), value in zip(samples, values)]
    for (name, x), value, text, answer in zip(samples, values, texts, parsed_by_typescript(texts)):
        assert same_json(json.loads(text.text), edition.oracle.written_back(name, x)), f"{name}: {text.text}"
        assert "parsed" in answer, f"{name}: {answer['issues']}\n{text.text}"
        got, sent = answer["parsed"], edition.module.encode(without_extra(edition, value), name)
        if edition.definitions[name].get(ENVELOPE):  # what it carries has a definition of its own, tried by itself
            got, sent = envelope_only(got), envelope_only(sent)
        assert same_in_javascript(got, sent), f"{name}:\n got {got!r}\nsent {sent!r}"


def decoded(edition: Edition, name: str, x: Any) -> Any:
    return edition.module.decode(name, x)


def written(edition: Edition, name: str, value: Any) -> str:
    text: bytes = edition.module.dumps(value, name)
    return text.decode()


# ------------------------------------------------------------------------------------------------------- samples


INT32, UINT32 = {"minimum": -(2**31), "maximum": 2**31 - 1}, {"maximum": 2**32 - 1}
FORMATS: dict[str, dict[str, Any]] = {
    "uri": {"enum": ["https://example.com/a?b=c#d", "file:///project/a%20b.txt", "vendor:notes"]},
    "date-time": {"enum": ["2026-11-18T08:15:30Z", "2026-11-18T08:15:30.25+01:00"]},
    "int32": INT32,
    "uint32": UINT32,
}


def as_strict_about_formats(schema: Any) -> Any:
    """A copy in which the formats that TypeScript checks are rules; see DEVIATIONS for what lies outside."""
    if isinstance(schema, list):
        return [as_strict_about_formats(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {keyword: as_strict_about_formats(part) for keyword, part in schema.items()}
    name = copied.get("format")
    if isinstance(name, str) and name in FORMATS:
        copied.update(FORMATS[name])
        if "enum" in copied and "null" in copied["type"]:
            copied["enum"] = [*copied["enum"], None]
    return copied


STOP_REASONS = ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error")


def is_set_apart(x: Any) -> bool:
    """Whether something inside falls under the DEVIATIONS with two scopes or with an unknown variant."""
    if isinstance(x, list):
        return any(map(is_set_apart, x))
    if not isinstance(x, dict):
        return False
    has_two_scopes = {"sessionId", "requestId"} <= x.keys()
    is_unknown_stop = {"stopReason", "background"} <= x.keys() and x["stopReason"] not in STOP_REASONS
    return has_two_scopes or is_unknown_stop or any(map(is_set_apart, x.values()))


def vector_inputs(edition: Edition) -> Iterator[tuple[str, Any]]:
    """What the shared vectors feed in, where the edition is the one that they speak of and the input is no fault."""
    if not VECTORS.exists():
        pytest.skip("../shared is not here: no vectors/vectors.json")
    for vector in json.loads(VECTORS.read_text("utf-8"))["vectors"]:
        source = vector["direction"].split("->")[0] if vector["suite"] == "convert" else "v2"
        if vector["profile"] != "npm-2.4.0" or source != edition.name:
            continue
        if vector["suite"] == "apply":
            yield from (("SessionUpdate", update) for update in vector["updates"])
        elif vector.get("expect") != {"error": "DecodeError"}:
            yield vector["what"], vector["input"]


def patch_fields(edition: Edition) -> list[tuple[str, str]]:
    return [
        (name, field)
        for name, definition in edition.definitions.items()
        for field, member in definition.get("properties", {}).items()
        if member.get("x-patch") in PATCH
    ]


def without_extra(edition: Edition, value: Any) -> Any:
    """The value without fields that the schema does not name, which TypeScript drops.

    It keeps the payload of unknown variants, and all of an object for whose definition any field is as good as another.
    """
    if isinstance(value, Record) and not isinstance(value, Unknown) and type(value).__name__ not in free_forms(edition):
        names = [field.name for field in dataclasses.fields(value)]  # type: ignore[arg-type]
        changes = {name: None if name == "extra" else without_extra(edition, getattr(value, name)) for name in names}
        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    if isinstance(value, list):
        return [without_extra(edition, item) for item in value]
    if isinstance(value, dict):
        return {name: without_extra(edition, item) for name, item in value.items()}
    return value


@cache
def free_forms(edition: Edition) -> frozenset[str]:
    definitions = edition.definitions.items()
    return frozenset(name for name, schema in definitions if schema.keys() & {"type", "properties"} == {"type"})


def envelope_only(x: Any) -> Any:
    return {name: value for name, value in x.items() if name not in ("params", "result")}


def same_in_javascript(a: Any, b: Any) -> bool:
    """Equality of JSON data where every number is a double."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_in_javascript(value, b[name]) for name, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_in_javascript, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return float(a) == float(b)
    return type(a) is type(b) and bool(a == b)


# --------------------------------------------------------------------- a TypeScript client, our proxy, a Python agent


PERMISSION_OPTIONS = [
    {"optionId": "yes", "name": "Change it", "kind": "allow_once"},
    {"optionId": "no", "name": "Leave it", "kind": "reject_once"},
]
FILE = "/project/greeting.txt"


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def chunk(message_id: str, text: str) -> dict[str, Any]:
    return {"sessionUpdate": "agent_message_chunk", "messageId": message_id, "content": text_block(text)}


# Message ids are the proxy's to choose; here they are "m1", "m2", ... in the order in which they came.
FIRST_TURN = [
    {"sessionUpdate": "user_message", "messageId": "m1", "content": [text_block("Update the greeting")]},
    {"sessionUpdate": "state_update", "state": "running"},
    chunk("m2", "The greeting "),
    chunk("m2", "is out of date."),
    {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "call-1",
        "title": "Change the greeting",
        "kind": "edit",
        "locations": [{"path": FILE, "line": 1}],
        "rawInput": {"path": FILE},
    },
    {
        "permission": "Change the greeting",
        "subject": {"type": "tool_call", "toolCall": {"toolCallId": "call-1", "title": "Change the greeting"}},
        "options": PERMISSION_OPTIONS,
    },
    {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "call-1",
        "status": "completed",
        "content": [
            {"type": "content", "content": text_block("1 line changed")},
            {
                "type": "diff",
                "changes": [{"operation": "modify", "path": FILE, "fileType": "text"}],
                "patch": {"format": "git_patch", "text": "..."},
            },
        ],
        "rawOutput": {"lines": 1},
    },
    {
        "sessionUpdate": "plan_update",
        "plan": {
            "type": "items",
            "planId": "main",
            "entries": [
                {"content": "Change the greeting", "priority": "high", "status": "completed"},
                {"content": "Tell the user", "priority": "medium", "status": "in_progress"},
            ],
        },
    },
    chunk("m3", "You chose: yes."),
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"},
]
SECOND_TURN = [
    {"sessionUpdate": "user_message", "messageId": "m4", "content": [text_block("wait until I cancel")]},
    {"sessionUpdate": "state_update", "state": "running"},
    chunk("m5", "Waiting."),
    {"sessionUpdate": "tool_call_update", "toolCallId": "call-2", "title": "Wait", "status": "in_progress"},
    {"sessionUpdate": "tool_call_update", "toolCallId": "call-2", "status": "failed"},
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled"},
]


def test_a_v2_client_talks_to_a_v1_agent_through_the_proxy(tmp_path: Path) -> None:
    lines = conversation(tmp_path)
    seen = {line["saw"]: line for line in lines}
    assert seen["initialized"]["protocolVersion"] == 2
    assert seen["initialized"]["info"] == {"name": "scripted-agent", "version": "1.0.0"}
    assert seen["initialized"]["capabilities"]["session"]["mcp"] == {"stdio": {}}
    assert seen["session"] == {"saw": "session", "sessionId": "session-1", "configOptions": []}
    assert seen["sessions"]["sessions"] == [{"sessionId": "session-1", "cwd": "/project"}]
    assert [line["saw"] for line in lines[:2]] == ["initialized", "session"]
    assert [line["saw"] for line in lines[-3:]] == ["sessions", "session closed", "end"]
    assert seen["end"]["exitCode"] == 0

    patch = taken_patch(lines)
    assert patch.startswith("diff --git ")
    assert patch.endswith("-Good evening\n+Good morning\n")
    names = message_names(lines)
    events = [event(line, names) for line in lines if line["saw"] in ("update", "permission request")]
    assert events == FIRST_TURN + SECOND_TURN

    # A prompt is answered while the agent still works on it, with the id under which the user's message appears.
    kinds = [line["saw"] if line["saw"] != "update" else line["update"].get("state") for line in lines]
    answered = [index for index, kind in enumerate(kinds) if kind == "prompt inserted"]
    idle = [index for index, kind in enumerate(kinds) if kind == "idle"]
    assert [names[lines[index]["messageId"]] for index in answered] == ["m1", "m4"]
    assert answered[0] < idle[0] < answered[1] < idle[1]


def conversation(folder: Path) -> list[dict[str, Any]]:
    """All that the example's client prints. It runs beside ``node_modules``, where Node looks for the SDK."""
    client = Path(shutil.copy(EXAMPLE / "v2_client.mjs", folder))
    program, agent = node(), [python_of_the_sdk(), str(EXAMPLE / "v1_agent.py")]
    (folder / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)
    proxy = [sys.executable, str(EXAMPLE / "proxy.py"), "--client", "v2", "--agent", "v1", "--", *agent]
    run = subprocess.run([program, str(client), *proxy], capture_output=True, text=True, timeout=ANSWER_WITHIN)
    assert run.stderr == ""
    assert run.returncode == 0
    return [json.loads(line) for line in run.stdout.splitlines()]


def message_names(lines: list[dict[str, Any]]) -> dict[str, str]:
    ids = [line["update"]["messageId"] for line in lines if "messageId" in line.get("update", ())]
    return {message_id: f"m{number}" for number, message_id in enumerate(dict.fromkeys(ids), 1)}


def event(line: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    if line["saw"] == "permission request":
        return {"permission": line["title"], "subject": line["subject"], "options": line["options"]}
    update: dict[str, Any] = line["update"]
    return {**update, "messageId": names[update["messageId"]]} if "messageId" in update else update


def taken_patch(lines: list[dict[str, Any]]) -> str:
    """The text of the only patch, which is replaced by dots: its form is for the tests of conversion."""
    (patch,) = (
        content["patch"]
        for line in lines
        if line["saw"] == "update" and line["update"]["sessionUpdate"] == "tool_call_update"
        for content in line["update"].get("content", ())
        if content["type"] == "diff"
    )
    text: str = patch["text"]
    patch["text"] = "..."
    return text


# ------------------------------------------------------------------------------------------- the proxy by itself


def run_proxy(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLE / "proxy.py"), *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=ANSWER_WITHIN,
    )


BRIDGED = ("--client", "v2", "--agent", "v1", "--")


def test_the_proxy_skips_what_is_no_json_and_goes_on() -> None:
    cancel = '{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}\n'
    echo = "import sys; sys.stderr.write(sys.stdin.read())"
    run = run_proxy(*BRIDGED, sys.executable, "-c", echo, text="oops\n\n" + cancel)
    assert run.returncode == 0
    assert run.stdout == ""
    first, second = run.stderr.splitlines()
    assert first == "proxy: a line from the client was skipped: Expecting value: line 1 column 1 (char 0)"
    assert json.loads(second) == json.loads(cancel)


def test_the_proxy_ends_when_the_agent_does_although_the_client_stays() -> None:
    with subprocess.Popen(
        [sys.executable, str(EXAMPLE / "proxy.py"), *BRIDGED, sys.executable, "-c", ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as proxy:
        assert proxy.wait(ANSWER_WITHIN) == 0


def test_the_proxy_tells_that_the_agent_failed() -> None:
    run = run_proxy(*BRIDGED, sys.executable, "-c", "raise SystemExit(3)")
    assert (run.returncode, run.stderr) == (1, "proxy: the agent ended with status 3\n")
    run = run_proxy(*BRIDGED, "no-such-agent")
    assert run.returncode == 1
    assert run.stderr.startswith("proxy: the agent does not start: ")


def test_wrong_usage_of_the_proxy() -> None:
    run = run_proxy("--client", "v2")
    assert run.returncode == 2
    assert run.stderr.endswith("error: the following arguments are required: --agent, COMMAND\n")
    run = run_proxy("--client", "v9", "--agent", "v1", "--", "agent")
    assert run.returncode == 2
    assert "argument --client: invalid choice: 'v9'" in run.stderr


def test_the_help_of_the_proxy() -> None:
    run = run_proxy("--help")
    assert run.returncode == 0
    assert run.stdout.startswith("usage: proxy.py [-h] --client {v1,v2,v2_2026_06} --agent {v1,v2,v2_2026_06}")
    assert "exit codes: 0 one side closed" in run.stdout
