"""Conversion cases by rule: what happens in a session."""

from __future__ import annotations

from typing import Any

from .conversion import BOTH, JUNE, Case, Cases, Refused, content, down, text, up, update

CLEAR, FIELD, UNKNOWN = "UnrepresentableClear", "UnrepresentableField", "UnknownVariant"
NO_V1, REMOVED, MISSING, STATE = "NoV1Equivalent", "RemovedInV2", "MissingRequired", "NeedsState"


def tool(**fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId="t", **fields)


def chunk(block: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return update("agent_message_chunk", messageId="m", content=block, **fields)


def message(**fields: Any) -> dict[str, Any]:
    return update("agent_message", messageId="m", **fields)


def entry(status: str = "pending", priority: str = "low") -> dict[str, Any]:
    return {"content": "step", "priority": priority, "status": status}


def items(plan: dict[str, Any], key: str = "planId", id: str = "main", **fields: Any) -> dict[str, Any]:
    return update("plan_update", plan={"type": "items", key: id, **plan}, **fields)


def commands(*rows: dict[str, Any]) -> dict[str, Any]:
    return update("available_commands_update", availableCommands=list(rows))


def options(*rows: dict[str, Any]) -> dict[str, Any]:
    return update("config_option_update", configOptions=list(rows))


OPTION = {"optionId": "ok", "name": "Allow", "kind": "allow_once"}


def question(**fields: Any) -> dict[str, Any]:
    return {"sessionId": "s", "options": [OPTION], **fields}


def subject(**tool_call: Any) -> dict[str, Any]:
    return {"type": "tool_call", "toolCall": {"toolCallId": "t", **tool_call}}


TOOL_CALLS: Cases = {
    "TC-1": [
        up(
            "defaults of a new tool call are left unsaid",
            update("tool_call", toolCallId="t", title="Scan", kind="other", status="pending", content=[], locations=[]),
            [tool(title="Scan")],
            on=BOTH,
        ),
        up(
            "other values are kept",
            update(
                "tool_call",
                toolCallId="t",
                title="Scan",
                kind="read",
                status="failed",
                rawInput=0,
                content=[content("x")],
            ),
            [tool(title="Scan", kind="read", status="failed", rawInput=0, content=[content("x")])],
            on=BOTH,
        ),
    ],
    "TC-2": [
        up(
            "null and absent are omitted, [] stays",
            tool(title=None, kind=None, content=[]),
            [tool(content=[])],
            on=BOTH,
        ),
        up("an unknown field is copied", tool(mine={"a": [1]}), [tool(mine={"a": [1]})], on=BOTH),
        up(
            "an unknown field that the target would understand is not",
            tool(capabilities={"cancel": {}}),
            Refused(FIELD, "/capabilities"),
            [tool()],
            Refused(FIELD, "/capabilities"),
        ),
    ],
    "TC-3": [
        down(
            "values are copied, what is omitted is absent",
            tool(title="Build", status="completed", rawOutput={"code": 0}, locations=[{"path": "/a", "line": 3}]),
            [tool(title="Build", status="completed", rawOutput={"code": 0}, locations=[{"path": "/a", "line": 3}])],
            on=BOTH,
        )
    ],
    "TC-4": [
        down(
            f"null for {name} clears it",
            tool(**{name: None}),
            Refused(CLEAR, f"/{name}"),
            [tool()],
            Refused(CLEAR, f"/{name}"),
            on=BOTH if name != "name" else ("v2",),
        )
        for name in ("title", "kind", "status", "name", "rawInput", "rawOutput")
    ],
    "TC-5": [
        down(
            "null for an array is []",
            tool(content=None, locations=None),
            [tool(content=[], locations=[])],
            on=BOTH,
        )
    ],
    "TC-6": [
        down("null for _meta", tool(_meta=None), Refused(CLEAR, "/_meta"), [tool()], Refused(CLEAR, "/_meta")),
        down(
            "a null key of _meta deletes it",
            tool(_meta={"a": 1, "b/c": None}),
            Refused(CLEAR, "/_meta/b~1c"),
            [tool(_meta={"a": 1})],
            Refused(CLEAR, "/_meta/b~1c"),
        ),
        down(
            "nothing but deletions is no _meta at all",
            tool(_meta={"a": None}),
            Refused(CLEAR, "/_meta/a"),
            [tool()],
            Refused(CLEAR, "/_meta/a"),
        ),
        down(
            "_meta of the June draft has two states and no deletions",
            tool(_meta={"a": None}),
            [tool(_meta={"a": None})],
            on=JUNE,
        ),
    ],
    "TC-7": [
        down(
            "unknown kind", tool(kind="_lint"), Refused(UNKNOWN, "/kind"), [tool()], Refused(UNKNOWN, "/kind"), on=BOTH
        ),
        down(
            "unknown status",
            tool(status="later"),
            Refused(UNKNOWN, "/status"),
            [tool()],
            Refused(UNKNOWN, "/status"),
            on=BOTH,
        ),
        down("cancelled", tool(status="cancelled"), Refused(NO_V1, "/status"), [tool()], Refused(NO_V1, "/status")),
        down("paused", tool(status="paused"), Refused(NO_V1, "/status"), [tool()], Refused(NO_V1, "/status")),
        down(
            "June knows no cancelled",
            tool(status="cancelled"),
            Refused(UNKNOWN, "/status"),
            [tool()],
            Refused(UNKNOWN, "/status"),
            on=JUNE,
        ),
    ],
    "TC-8": [
        down(
            "a chunk of content",
            update("tool_call_content_chunk", toolCallId="t", content=content("x")),
            Refused(STATE, "/sessionUpdate"),
            [],
            Refused(STATE, ""),
            on=BOTH,
        )
    ],
    "TC-9": [
        up("name", tool(name="grep"), [tool(name="grep")]),
        down("name", tool(name="grep"), [tool(name="grep")]),
        up("null name", tool(name=None), [tool()]),
        up("June has no name", tool(name="grep"), Refused(FIELD, "/name"), [tool()], Refused(FIELD, "/name"), on=JUNE),
    ],
    "TC-10": [
        down(
            "capabilities",
            tool(title="x", capabilities={"cancel": {}}),
            Refused(FIELD, "/capabilities"),
            [tool(title="x")],
            Refused(FIELD, "/capabilities"),
        ),
        down("no capabilities", tool(capabilities=None), [tool()]),
        Case(
            "cancelling a tool call",
            "down",
            "CancelToolCallRequest",
            {"sessionId": "s", "toolCallId": "t"},
            Refused(NO_V1, ""),
            Refused(NO_V1, ""),
        ),
    ],
    "TC-11": [
        up(
            "line 0",
            tool(locations=[{"path": "/a", "line": 1}, {"path": "/b", "line": 0}]),
            Refused(FIELD, "/locations/1/line"),
            [tool(locations=[{"path": "/a", "line": 1}, {"path": "/b"}])],
            Refused(FIELD, "/locations/1/line"),
        ),
        up(
            "June counts from 0",
            tool(locations=[{"path": "/b", "line": 0}]),
            [tool(locations=[{"path": "/b", "line": 0}])],
            on=JUNE,
        ),
    ],
}

WIDGET = {"type": "_widget", "x": 1}
BLOCKS = [
    text("a", annotations={"audience": ["user"], "priority": 1}),
    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    {"type": "resource_link", "name": "n", "uri": "file:///n", "size": 3},
    {"type": "resource", "resource": {"uri": "file:///n", "text": "t"}},
    {"type": "resource", "resource": {"uri": "file:///n", "blob": "aGk="}},
]
DIFF = {"type": "diff", "changes": [{"operation": "delete", "path": "/a"}]}


def git_patch(*lines: str) -> dict[str, str]:
    return {"format": "git_patch", "text": "".join(f"{line}\n" for line in lines)}


def old_diff(old: str | None, new: str, path: str = "/w/a.txt") -> dict[str, Any]:
    return tool(content=[{"type": "diff", "path": path, "oldText": old, "newText": new}])


def new_diff(operation: str, path: str = "/w/a.txt", **patch: Any) -> dict[str, Any]:
    change = {"operation": operation, "path": path, "fileType": "text"}
    return tool(content=[{"type": "diff", "changes": [change], **patch}])


CONTENT: Cases = {
    "CT-1": [
        *(up(f"block {index}", chunk(block), [chunk(block)], on=BOTH) for index, block in enumerate(BLOCKS)),
        *(down(f"block {index}", chunk(block), [chunk(block)], on=BOTH) for index, block in enumerate(BLOCKS)),
        down("content of a tool call", tool(content=[content("x")]), [tool(content=[content("x")])], on=BOTH),
        up(
            "a priority above 1",
            chunk(text("a", annotations={"priority": 2})),
            Refused(FIELD, "/content/annotations/priority"),
            [chunk(text("a", annotations={}))],
            Refused(FIELD, "/content/annotations/priority"),
        ),
        up(
            "a negative size",
            chunk({**BLOCKS[3], "size": -1}),
            Refused(FIELD, "/content/size"),
            [chunk({"type": "resource_link", "name": "n", "uri": "file:///n"})],
            Refused(FIELD, "/content/size"),
        ),
    ],
    "CT-2": [
        down("unknown block", chunk(WIDGET), Refused(UNKNOWN, "/content/type"), [], Refused(UNKNOWN, ""), on=BOTH),
        down(
            "unknown blocks and tool content in lists",
            tool(content=[{"type": "_chart"}, content("x"), {"type": "content", "content": WIDGET}]),
            Refused(UNKNOWN, "/content/0/type"),
            [tool(content=[content("x")])],
            Refused(UNKNOWN, "/content/0"),
            Refused(UNKNOWN, "/content/2"),
            on=BOTH,
        ),
    ],
    "CT-3": [
        down(
            "icons",
            chunk({**BLOCKS[3], "icons": [{"src": "https://e.org/i.png"}]}),
            Refused(FIELD, "/content/icons"),
            [chunk(BLOCKS[3])],
            Refused(FIELD, "/content/icons"),
        ),
        down("no icons", chunk({**BLOCKS[3], "icons": []}), [chunk(BLOCKS[3])]),
    ],
    "CT-4": [
        down(
            "unknown role",
            chunk(text("a", annotations={"audience": ["user", "_bot"]})),
            Refused(UNKNOWN, "/content/annotations/audience/1"),
            [chunk(text("a", annotations={"audience": ["user"]}))],
            Refused(UNKNOWN, "/content/annotations/audience/1"),
            on=BOTH,
        )
    ],
    "CT-5": [
        up(
            "a new file",
            old_diff(None, "one\ntwo\n"),
            [
                new_diff(
                    "add",
                    patch=git_patch(
                        "diff --git /w/a.txt /w/a.txt",
                        "new file mode 100644",
                        "--- /dev/null",
                        "+++ /w/a.txt",
                        "@@ -0,0 +1,2 @@",
                        "+one",
                        "+two",
                    ),
                )
            ],
        ),
        up(
            "a changed file, without a line feed at its end",
            old_diff("1\n2", "3"),
            [
                new_diff(
                    "modify",
                    patch=git_patch(
                        "diff --git /w/a.txt /w/a.txt",
                        "--- /w/a.txt",
                        "+++ /w/a.txt",
                        "@@ -1,2 +1,1 @@",
                        "-1",
                        "-2",
                        "\\ No newline at end of file",
                        "+3",
                        "\\ No newline at end of file",
                    ),
                )
            ],
        ),
        up(
            "an emptied file whose path needs quotes",
            old_diff("x\n", "", '/w/é "q"\t.txt'),
            [
                new_diff(
                    "modify",
                    '/w/é "q"\t.txt',
                    patch=git_patch(
                        'diff --git "/w/\\303\\251 \\"q\\"\\t.txt" "/w/\\303\\251 \\"q\\"\\t.txt"',
                        '--- "/w/\\303\\251 \\"q\\"\\t.txt"\t',
                        '+++ "/w/\\303\\251 \\"q\\"\\t.txt"\t',
                        "@@ -1,1 +0,0 @@",
                        "-x",
                    ),
                )
            ],
        ),
        up("an unchanged file has no patch", old_diff("x", "x"), [new_diff("modify")]),
        up(
            "a new empty file",
            old_diff(None, ""),
            [new_diff("add", patch=git_patch("diff --git /w/a.txt /w/a.txt", "new file mode 100644"))],
        ),
        up("June has the older shape", old_diff("1", "2"), [old_diff("1", "2")], on=JUNE),
    ],
    "CT-6": [
        down(
            "a diff",
            tool(content=[content("x"), DIFF]),
            Refused(NO_V1, "/content/1/type"),
            [tool(content=[content("x")])],
            Refused(NO_V1, "/content/1"),
        ),
        down("June has the older shape", old_diff("1", "2"), [old_diff("1", "2")], on=JUNE),
    ],
    "CT-7": [
        up(
            "a terminal",
            tool(content=[{"type": "terminal", "terminalId": "x"}]),
            Refused(REMOVED, "/content/0/type"),
            [tool(content=[])],
            Refused(REMOVED, "/content/0"),
            on=BOTH,
        )
    ],
    "CT-8": [
        down(
            "a terminal",
            tool(content=[{"type": "terminal", "terminalId": "x"}]),
            Refused(STATE, "/content/0/type"),
            [tool(content=[])],
            Refused(STATE, "/content/0"),
        ),
        *(
            down(tag, update(tag, terminalId="x", **more), Refused(STATE, "/sessionUpdate"), [], Refused(STATE, ""))
            for tag, more in (("terminal_update", {}), ("terminal_output_chunk", {"data": "aGk="}))
        ),
    ],
}

MESSAGES: Cases = {
    "MS-1": [
        up(tag, update(tag, messageId="m", content=text("a")), [update(tag, messageId="m", content=text("a"))], on=BOTH)
        for tag in ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk")
    ],
    "MS-2": [
        up(
            f"messageId {how}",
            update("agent_message_chunk", content=text("a"), **more),
            Refused(MISSING, "/messageId"),
            [],
            Refused(MISSING, ""),
            on=BOTH,
        )
        for how, more in (("absent", {}), ("null", {"messageId": None}))
    ],
    "MS-3": [down("a chunk", chunk(text("a"), _meta={"k": 1}), [chunk(text("a"), _meta={"k": 1})], on=BOTH)],
    "MS-4": [
        down(
            f"{tag}: a chunk for each block",
            update(tag, messageId="m", content=[text("a"), text("b")], _meta={"k": 1}),
            [update(f"{tag}_chunk", messageId="m", content=text(part), _meta={"k": 1}) for part in "ab"],
            on=BOTH,
        )
        for tag in ("user_message", "agent_message", "agent_thought")
    ]
    + [
        down(
            "without unknown blocks",
            message(content=[WIDGET, text("b")]),
            Refused(UNKNOWN, "/content/0/type"),
            [chunk(text("b"))],
            Refused(UNKNOWN, "/content/0"),
            on=BOTH,
        )
    ],
    "MS-5": [
        down("content omitted", message(_meta={"k": 1}), Refused(CLEAR, ""), [], Refused(CLEAR, ""), on=BOTH),
        down("content null", message(content=None), Refused(CLEAR, "/content"), [], Refused(CLEAR, ""), on=BOTH),
        down("content []", message(content=[]), Refused(CLEAR, "/content"), [], Refused(CLEAR, ""), on=BOTH),
        down(
            "_meta null",
            message(content=[text("a")], _meta=None),
            Refused(CLEAR, "/_meta"),
            [chunk(text("a"))],
            Refused(CLEAR, "/_meta"),
            on=BOTH,
        ),
    ],
    "MS-6": [
        down(
            "one message does not tell that it is a replacement",
            message(content=[text("a")]),
            [chunk(text("a"))],
            on=BOTH,
        )
    ],
    "MS-7": [
        Case(
            "_meta of the notification goes with every chunk",
            "down",
            "UpdateSessionNotification",
            {"sessionId": "s", "update": message(content=[text("a"), text("b")]), "_meta": {"n": 1}},
            [{"sessionId": "s", "update": chunk(text(part)), "_meta": {"n": 1}} for part in "ab"],
            output="SessionNotification",
        ),
        Case(
            "a notification whose update cannot be said is left out",
            "down",
            "SessionNotification",
            {"sessionId": "s", "update": message(content=[])},
            Refused(CLEAR, "/update/content"),
            [],
            (Refused(CLEAR, ""),),
            on=JUNE,
        ),
    ],
}

PLANS: Cases = {
    "PL-1": [
        up(
            "entries",
            update("plan", entries=[entry()], _meta={"k": 1}),
            [items({"entries": [entry()]}, _meta={"k": 1})],
        ),
        up("June says id", update("plan", entries=[entry()]), [items({"entries": [entry()]}, "id")], on=JUNE),
    ],
    "PL-2": [
        down("the main plan", items({"entries": [entry()]}), [update("plan", entries=[entry()])]),
        down("June says id", items({"entries": [entry()]}, "id"), [update("plan", entries=[entry()])], on=JUNE),
        down("inner _meta", items({"entries": [], "_meta": {"i": 1}}), [update("plan", entries=[], _meta={"i": 1})]),
        down(
            "the same _meta twice",
            items({"entries": [], "_meta": {"i": 1}}, _meta={"i": 1}),
            [update("plan", entries=[], _meta={"i": 1})],
        ),
        down(
            "two kinds of _meta",
            items({"entries": [], "_meta": {"i": 1}}, _meta={"o": 1}),
            Refused("MetaConflict", "/plan/_meta"),
            [update("plan", entries=[], _meta={"o": 1})],
            Refused("MetaConflict", "/plan/_meta"),
        ),
    ],
    "PL-3": [
        down(
            "an unknown field of the plan, which v1 has no object for",
            items({"entries": [], "mine": None}),
            Refused(FIELD, "/plan/mine"),
            [update("plan", entries=[])],
            Refused(FIELD, "/plan/mine"),
        ),
        down(
            "another id",
            items({"entries": []}, id="p-2"),
            Refused(FIELD, "/plan/planId"),
            [update("plan", entries=[])],
            Refused(FIELD, "/plan/planId"),
        ),
        down(
            "another id of June",
            items({"entries": []}, "id", "p-2"),
            Refused(FIELD, "/plan/id"),
            [update("plan", entries=[])],
            Refused(FIELD, "/plan/id"),
            on=JUNE,
        ),
    ],
    "PL-4": [
        down(
            "an unknown type",
            update("plan_update", plan={"type": "_gantt", key: "main"}),
            Refused(UNKNOWN, "/plan/type"),
            [],
            Refused(UNKNOWN, ""),
            on=on,
        )
        for key, on in (("planId", ("v2",)), ("id", JUNE))
    ],
    "PL-5": [
        down(
            "entries that cannot be said",
            items({"entries": [entry(), entry("cancelled"), entry("_stuck"), entry(priority="_urgent")]}),
            Refused(NO_V1, "/plan/entries/1/status"),
            [update("plan", entries=[entry()])],
            Refused(NO_V1, "/plan/entries/1"),
            Refused(UNKNOWN, "/plan/entries/2"),
            Refused(UNKNOWN, "/plan/entries/3"),
        ),
        down(
            "unknown in June",
            items({"entries": [entry("cancelled")]}, "id"),
            Refused(UNKNOWN, "/plan/entries/0/status"),
            [update("plan", entries=[])],
            Refused(UNKNOWN, "/plan/entries/0"),
            on=JUNE,
        ),
    ],
}

COST = {"amount": 1.5, "currency": "EUR"}
USAGE = {"used": 1, "size": 9}
COMMAND = {"name": "go", "description": "Go"}

OTHER_UPDATES: Cases = {
    "MD-1": [
        up(
            "the current mode",
            update("current_mode_update", currentModeId="ask"),
            Refused(STATE, "/sessionUpdate"),
            [],
            Refused(STATE, ""),
            on=BOTH,
        )
    ],
    "CM-1": [
        up(
            "input and command get a type",
            commands({**COMMAND, "input": {"hint": "where"}}),
            [commands({"type": "command", **COMMAND, "input": {"type": "text", "hint": "where"}})],
        ),
        down(
            "and lose it",
            commands({"type": "command", **COMMAND, "input": {"type": "text", "hint": "where"}}),
            [commands({**COMMAND, "input": {"hint": "where"}})],
        ),
        up(
            "June has none",
            commands({**COMMAND, "input": {"hint": "h"}}),
            [commands({**COMMAND, "input": {"hint": "h"}})],
            on=JUNE,
        ),
        down(
            "nor here",
            commands({**COMMAND, "input": {"hint": "h"}}),
            [commands({**COMMAND, "input": {"hint": "h"}})],
            on=JUNE,
        ),
        up(
            "an unknown field must not become the type",
            commands({**COMMAND, "type": "alias"}),
            Refused(FIELD, "/availableCommands/0/type"),
            [commands({"type": "command", **COMMAND})],
            Refused(FIELD, "/availableCommands/0/type"),
        ),
    ],
    "CM-2": [
        down(
            "unknown input",
            commands({"type": "command", **COMMAND, "input": {"type": "_choices"}}),
            Refused(UNKNOWN, "/availableCommands/0/input/type"),
            [commands(COMMAND)],
            Refused(UNKNOWN, "/availableCommands/0/input"),
        ),
        down(
            "unknown command",
            commands({"type": "_macro", **COMMAND, "steps": 2}),
            Refused(UNKNOWN, "/availableCommands/0/type"),
            [commands(COMMAND)],
            Refused(UNKNOWN, "/availableCommands/0/type"),
        ),
        down(
            "unknown input of June",
            commands({**COMMAND, "input": {"type": "_choices"}}),
            Refused(UNKNOWN, "/availableCommands/0/input"),
            [commands(COMMAND)],
            Refused(UNKNOWN, "/availableCommands/0/input"),
            on=JUNE,
        ),
    ],
    "SI-1": [
        up(
            "three states up",
            update("session_info_update", title=None, updatedAt="2026-06-11T10:00:00Z"),
            [update("session_info_update", title=None, updatedAt="2026-06-11T10:00:00Z")],
            on=BOTH,
        ),
        down(
            "three states down",
            update("session_info_update", title=None),
            [update("session_info_update", title=None)],
            on=BOTH,
        ),
        down(
            "_meta null",
            update("session_info_update", title="t", _meta=None),
            Refused(CLEAR, "/_meta"),
            [update("session_info_update", title="t")],
            Refused(CLEAR, "/_meta"),
            on=BOTH,
        ),
    ],
    "US-1": [
        up("cost", update("usage_update", **USAGE, cost=COST), [update("usage_update", **USAGE, cost=COST)], on=BOTH),
        up("no cost", update("usage_update", **USAGE, cost=None), [update("usage_update", **USAGE)], on=BOTH),
        down("cost", update("usage_update", **USAGE, cost=COST), [update("usage_update", **USAGE, cost=COST)], on=BOTH),
        down(
            "cost null",
            update("usage_update", **USAGE, cost=None),
            Refused(CLEAR, "/cost"),
            [update("usage_update", **USAGE)],
            Refused(CLEAR, "/cost"),
        ),
        down(
            "June's cost has two states",
            update("usage_update", **USAGE, cost=None),
            [update("usage_update", **USAGE)],
            on=JUNE,
        ),
    ],
    "NC-1": [
        case
        for tag, fields in (
            ("notice", {"severity": "info", "title": "n"}),
            ("compaction_update", {"compactionId": "k", "status": "completed", "summary": None}),
            ("compaction_summary_chunk", {"compactionId": "k", "content": text("a")}),
        )
        for case in (
            up(f"{tag} up", update(tag, **fields), [update(tag, **fields)]),
            down(f"{tag} down", update(tag, **fields), Refused(NO_V1, "/sessionUpdate"), [], Refused(NO_V1, "")),
            up(
                f"{tag} to June",
                update(tag, **fields),
                Refused(FIELD, "/sessionUpdate"),
                [],
                Refused(FIELD, ""),
                on=JUNE,
            ),
        )
    ]
    + [
        Case(
            "on its own, for whoever knows the capabilities",
            "down",
            "Notice",
            {"severity": "_odd", "title": "n"},
            [{"severity": "_odd", "title": "n"}],
        )
    ],
    "UV-1": [
        down(
            "unknown update",
            update("_badge", x=1),
            Refused(UNKNOWN, "/sessionUpdate"),
            [],
            Refused(UNKNOWN, ""),
            on=BOTH,
        )
    ],
    "UV-2": [
        down(
            f"{tag} is unknown to v2",
            update(tag),
            Refused(UNKNOWN, "/sessionUpdate"),
            [],
            Refused(UNKNOWN, ""),
            on=BOTH,
        )
        for tag in ("tool_call", "plan", "current_mode_update")
    ],
}

ODD = {"optionId": "odd", "name": "Odd", "kind": "_odd"}

PERMISSIONS: Cases = {
    "PR-1": [
        Case(
            "the tool call is the subject and lends the title",
            "up",
            "RequestPermissionRequest",
            question(toolCall={"toolCallId": "t", "title": "Delete", "status": "pending"}, _meta={"k": 1}),
            [question(title="Delete", subject=subject(title="Delete", status="pending"), _meta={"k": 1})],
        ),
        *(
            Case(
                f"title {title!r}",
                "up",
                "RequestPermissionRequest",
                question(toolCall={"toolCallId": "t", "title": title}),
                Refused(MISSING, "/toolCall/title"),
                [question(title="Permission requested", subject=subject(**more))],
                (Refused(MISSING, "/toolCall/title"),),
            )
            for title, more in ((None, {}), ("", {"title": ""}))
        ),
        Case(
            "June has a tool call",
            "up",
            "RequestPermissionRequest",
            question(toolCall={"toolCallId": "t"}),
            [question(toolCall={"toolCallId": "t"})],
            on=JUNE,
        ),
    ],
    "PR-2": [
        Case(
            "the title of the tool call",
            "down",
            "RequestPermissionRequest",
            question(title="Delete", subject=subject(title="Delete", content=None)),
            [question(toolCall={"toolCallId": "t", "title": "Delete", "content": []})],
        )
    ],
    "PR-3": [
        Case(
            "another title, a description, _meta of the subject",
            "down",
            "RequestPermissionRequest",
            question(title="Sure?", description="why", subject={**subject(title="Edit"), "_meta": {"k": 1}}),
            Refused(FIELD, "/title"),
            [question(toolCall={"toolCallId": "t", "title": "Edit"})],
            (Refused(FIELD, "/title"), Refused(FIELD, "/description"), Refused(FIELD, "/subject/_meta")),
        )
    ],
    "PR-4": [
        Case(
            "no subject",
            "down",
            "RequestPermissionRequest",
            question(title="Sure?"),
            Refused(NO_V1, "/subject"),
            Refused(NO_V1, "/subject"),
        )
    ],
    "PR-5": [
        Case(
            "a command",
            "down",
            "RequestPermissionRequest",
            question(title="Run?", subject={"type": "command", "command": "ls", "cwd": "/"}),
            Refused(NO_V1, "/subject/type"),
            Refused(NO_V1, "/subject/type"),
        ),
        Case(
            "something unknown",
            "down",
            "RequestPermissionRequest",
            question(title="Run?", subject={"type": "_moon"}),
            Refused(UNKNOWN, "/subject/type"),
            Refused(UNKNOWN, "/subject/type"),
        ),
    ],
    "PR-6": [
        *(
            Case(way, way, "RequestPermissionResponse", {"outcome": outcome}, [{"outcome": outcome}], on=BOTH)
            for way in ("up", "down")
            for outcome in ({"outcome": "cancelled"}, {"outcome": "selected", "optionId": "ok"})
        ),
        Case(
            "an unknown outcome is no approval",
            "down",
            "RequestPermissionResponse",
            {"outcome": {"outcome": "_later", "optionId": "ok"}},
            Refused(UNKNOWN, "/outcome/outcome"),
            [{"outcome": {"outcome": "cancelled"}}],
            (Refused(UNKNOWN, "/outcome/outcome"),),
        ),
        Case(
            "_meta of a cancelled one",
            "down",
            "RequestPermissionResponse",
            {"outcome": {"outcome": "cancelled", "_meta": {"k": 1}}},
            [{"outcome": {"outcome": "cancelled", "_meta": {"k": 1}}}],
        ),
    ],
    "PR-7": [
        case
        for on, fields, tool_call in (
            (("v2",), {"title": "x", "subject": subject(title="x")}, {"toolCallId": "t", "title": "x"}),
            (JUNE, {"toolCall": {"toolCallId": "t"}}, {"toolCallId": "t"}),
        )
        for case in (
            Case(
                "an unknown kind of option",
                "down",
                "RequestPermissionRequest",
                question(**fields) | {"options": [ODD, OPTION]},
                Refused(UNKNOWN, "/options/0/kind"),
                [question(toolCall=tool_call)],
                (Refused(UNKNOWN, "/options/0"),),
                on=on,
            ),
            Case(
                "nothing but unknown options",
                "down",
                "RequestPermissionRequest",
                question(**fields) | {"options": [ODD]},
                Refused(UNKNOWN, "/options/0/kind"),
                Refused(UNKNOWN, "/options"),
                on=on,
            ),
        )
    ],
    "PR-8": [
        Case(
            "no options",
            "up",
            "RequestPermissionRequest",
            {"sessionId": "s", "toolCall": {"toolCallId": "t", "title": "x"}, "options": []},
            Refused(MISSING, "/options"),
            Refused(MISSING, "/options"),
        )
    ],
}

STOP_REASONS = ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")


def state(**fields: Any) -> Case:
    data = update("state_update", **fields)
    return down(str(fields), data, Refused(STATE, "/sessionUpdate"), [], Refused(STATE, ""))


PROMPTS: Cases = {
    "PP-1": [
        Case(
            "blocks",
            way,
            "PromptRequest",
            {"sessionId": "s", "prompt": BLOCKS},
            [{"sessionId": "s", "prompt": BLOCKS}],
            on=BOTH,
        )
        for way in ("up", "down")
    ]
    + [
        Case(
            "no blocks",
            "up",
            "PromptRequest",
            {"sessionId": "s", "prompt": []},
            Refused(MISSING, "/prompt"),
            Refused(MISSING, "/prompt"),
        ),
        Case(
            "only unknown blocks",
            "down",
            "PromptRequest",
            {"sessionId": "s", "prompt": [WIDGET]},
            Refused(UNKNOWN, "/prompt/0/type"),
            [{"sessionId": "s", "prompt": []}],
            (Refused(UNKNOWN, "/prompt/0"),),
            on=BOTH,
        ),
    ],
    "PP-2": [
        Case(
            "the end of a turn",
            "up",
            "PromptResponse",
            {"stopReason": "end_turn"},
            Refused(STATE, ""),
            Refused(STATE, ""),
        ),
        Case(
            "June answers prompts as v1",
            "up",
            "PromptResponse",
            {"stopReason": "refusal"},
            [{"stopReason": "refusal"}],
            on=JUNE,
        ),
    ],
    "PP-3": [
        Case("an accepted prompt", "down", "PromptResponse", {"messageId": "m"}, Refused(STATE, ""), Refused(STATE, ""))
    ],
    "PP-4": [state(state="idle", stopReason="max_tokens"), state(state="idle")],
    "PP-5": [state(state="running"), state(state="requires_action"), state(state="_dreaming")],
    "PP-6": [state(state="idle", stopReason="error", error={"code": -32603, "message": "no"})],
    "PP-7": [
        *(
            Case(reason, way, "PromptResponse", {"stopReason": reason}, [{"stopReason": reason}], on=JUNE)
            for way in ("up", "down")
            for reason in STOP_REASONS
        ),
        Case(
            "an unknown reason",
            "down",
            "PromptResponse",
            {"stopReason": "_bored"},
            Refused(UNKNOWN, "/stopReason"),
            Refused(UNKNOWN, "/stopReason"),
            on=JUNE,
        ),
    ],
    "PP-8": [
        Case(
            "up",
            "up",
            "CancelNotification",
            {"sessionId": "s"},
            [{"sessionId": "s"}],
            output="CancelSessionNotification",
        ),
        Case(
            "down",
            "down",
            "CancelSessionNotification",
            {"sessionId": "s"},
            [{"sessionId": "s"}],
            output="CancelNotification",
        ),
        Case("June", "up", "CancelNotification", {"sessionId": "s"}, [{"sessionId": "s"}], on=JUNE),
        Case(
            "cancelling a request: not in June",
            "up",
            "CancelRequestNotification",
            {"requestId": 1},
            Refused(FIELD, ""),
            [],
            (Refused(FIELD, ""),),
            on=JUNE,
        ),
    ],
}

ERROR = {"code": -32603, "message": "no", "data": {"why": [1]}}


def rpc(method: str, params: Any, **more: Any) -> dict[str, Any]:
    return {**more, "method": method, "params": params}


ENVELOPES: Cases = {
    "ER-1": [
        *(Case("an error", way, "Error", ERROR, [ERROR], on=BOTH) for way in ("up", "down")),
        *(
            Case(
                "an error response",
                way,
                "AgentResponse",
                {"id": 1, "error": ERROR},
                [{"id": 1, "error": ERROR}],
                on=BOTH,
            )
            for way in ("up", "down")
        ),
        *(
            Case(
                "an extension",
                way,
                "AgentRequest",
                rpc("_x/y", {"type": 1}, id=2),
                [rpc("_x/y", {"type": 1}, id=2)],
                on=BOTH,
            )
            for way in ("up", "down")
        ),
        Case(
            "a method with another name",
            "up",
            "ClientRequest",
            rpc("authenticate", {"methodId": "x"}, id="a"),
            [rpc("auth/login", {"methodId": "x"}, id="a")],
        ),
        Case(
            "a method that depends on its params",
            "down",
            "ClientRequest",
            rpc("session/resume", {"sessionId": "s", "cwd": "/", "replayFrom": {"type": "start"}}, id="a"),
            [rpc("session/load", {"sessionId": "s", "cwd": "/", "mcpServers": []}, id="a")],
        ),
        Case(
            "a notification that becomes several",
            "down",
            "AgentNotification",
            rpc("session/update", {"sessionId": "s", "update": message(content=[text("a"), text("b")])}),
            [rpc("session/update", {"sessionId": "s", "update": chunk(text(part))}) for part in "ab"],
            on=BOTH,
        ),
        Case(
            "a notification that is left out",
            "down",
            "AgentNotification",
            rpc("session/update", {"sessionId": "s", "update": update("_badge")}),
            Refused(UNKNOWN, "/params/update/sessionUpdate"),
            [],
            (Refused(UNKNOWN, "/params"),),
            on=BOTH,
        ),
        Case(
            "a result: its request would say of what",
            "up",
            "ClientResponse",
            {"id": 1, "result": {}},
            Refused(STATE, ""),
            Refused(STATE, ""),
            on=BOTH,
        ),
        Case(
            "a null id",
            "up",
            "AgentRequest",
            rpc("_x", {}, id=None),
            Refused(FIELD, "/id"),
            Refused(FIELD, "/id"),
        ),
    ],
    "ER-2": [
        Case(
            "the error tells where: what to answer is up to the proxy",
            "up",
            "AgentRequest",
            rpc("fs/read_text_file", {"sessionId": "s", "path": "/a"}, id=1),
            Refused(REMOVED, "/params"),
            Refused(REMOVED, "/params"),
            on=BOTH,
        )
    ],
    "BA-1": [
        Case(
            "a batch is taken apart by whoever received it",
            "down",
            "AgentNotification",
            rpc("session/update", {"sessionId": "s", "update": chunk(text("a"))}),
            [rpc("session/update", {"sessionId": "s", "update": chunk(text("a"))})],
            on=JUNE,
        )
    ],
}

FORM: dict[str, Any] = {"mode": "form", "message": "m", "sessionId": "s"}


def form(**properties: Any) -> dict[str, Any]:
    return {**FORM, "requestedSchema": {"type": "object", "properties": properties}}


ELICITATION: Cases = {
    "EL-1": [
        *(
            Case("copied", way, type_, data, [data])
            for way in ("up", "down")
            for type_, data in (
                ("CreateElicitationRequest", form(a={"type": "string", "enum": ["x"]}, b={"type": "_odd"})),
                ("CreateElicitationRequest", {"mode": "_voice", "message": "m", "requestId": 7}),
                (
                    "CreateElicitationRequest",
                    {"mode": "url", "message": "m", "requestId": 7, "url": "u", "elicitationId": "e"},
                ),
                ("CreateElicitationResponse", {"action": "accept", "content": {"a": "x", "b": 1, "c": ["y"]}}),
                ("CreateElicitationResponse", {"action": "_later"}),
                ("CompleteElicitationNotification", {"elicitationId": "e"}),
            )
        ),
        Case(
            "no choices at all",
            "up",
            "CreateElicitationRequest",
            form(a={"type": "string", "enum": []}),
            Refused(MISSING, "/requestedSchema/properties/a/enum"),
            [form(a={"type": "string"})],
            (Refused(MISSING, "/requestedSchema/properties/a/enum"),),
        ),
        Case(
            "a form for a session and a request",
            "up",
            "CreateElicitationRequest",
            {**form(), "requestId": 1},
            Refused(FIELD, ""),
            Refused(FIELD, ""),
        ),
        Case(
            "an unknown mode for a session and a request: v1 takes both",
            "up",
            "CreateElicitationRequest",
            {"mode": "_voice", "message": "m", "sessionId": "s", "requestId": 1},
            Refused(FIELD, ""),
            Refused(FIELD, ""),
        ),
        Case(
            "an answer of another type",
            "down",
            "CreateElicitationResponse",
            {"action": "accept", "content": {"a": "x", "b": {"deep": 1}}},
            Refused(FIELD, "/content/b"),
            [{"action": "accept", "content": {"a": "x"}}],
            (Refused(FIELD, "/content/b"),),
        ),
        Case(
            "an unknown format",
            "down",
            "CreateElicitationRequest",
            form(a={"type": "string", "format": "_iban"}),
            Refused(UNKNOWN, "/requestedSchema/properties/a/format"),
            [form(a={"type": "string"})],
            (Refused(UNKNOWN, "/requestedSchema/properties/a/format"),),
        ),
        Case("not in June", "up", "CreateElicitationRequest", form(), Refused(FIELD, ""), Refused(FIELD, ""), on=JUNE),
    ]
}

CASES: Cases = {
    **TOOL_CALLS,
    **CONTENT,
    **MESSAGES,
    **PLANS,
    **OTHER_UPDATES,
    **PERMISSIONS,
    **PROMPTS,
    **ENVELOPES,
    **ELICITATION,
}
