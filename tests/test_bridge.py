"""The bridge with a newer client and an agent of v1: the rules that need the session so far, and faults.

Rule names are those of the conversion rules. Where nothing else is said, the client is of the newest edition.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from support.rpc import (
    ANY_TEXT,
    Conversation,
    content,
    error,
    notification,
    refusal,
    request,
    result,
    text,
    to_agent,
    to_client,
    update,
)

from acp_schema.bridge import Bridge

JUNE = "v2_2026_06"
CLIENTS = ["v2", JUNE]

IDENTITY = {"name": "agent", "version": "1"}
OPTIONS = [
    {"optionId": "yes", "name": "Do it", "kind": "allow_once"},
    {"optionId": "no", "name": "Leave it", "kind": "reject_once"},
]
MODES = {
    "currentModeId": "ask",
    "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code", "description": "Edits files"}],
}
CANCELLED = {"outcome": {"outcome": "cancelled"}}
CHOSEN = {"outcome": {"outcome": "selected", "optionId": "yes"}}

both_clients = pytest.mark.parametrize("client", CLIENTS)
strict_and_lossy = pytest.mark.parametrize("lossy", [False, True], ids=["strict", "lossy"])


def talk(client: str = "v2", *, lossy: bool = False) -> Conversation:
    """A conversation in which the session ``s`` has nothing to say yet."""
    return Conversation(Bridge(client=client, agent="v1", lossy=lossy))


def mode_option(current: str, client: str = "v2") -> dict[str, Any]:
    """The config option that stands for ``MODES``."""
    return {
        "configId" if client == "v2" else "id": "mode",
        "name": "Mode",
        "category": "mode",
        "type": "select",
        "currentValue": current,
        "options": [
            {"value": "ask", "name": "Ask"},
            {"value": "code", "name": "Code", "description": "Edits files"},
        ],
    }


def boolean_option(value: bool, key: str = "id") -> dict[str, Any]:
    return {key: "loud", "name": "Loud", "type": "boolean", "currentValue": value}


def select_option(key: str = "id", **members: Any) -> dict[str, Any]:
    options = [{"value": "small", "name": "Small"}, {"value": "large", "name": "Large"}]
    return {key: "model", "name": "Model", "type": "select", "currentValue": "small", "options": options, **members}


def open_session(spoken: Conversation, *, told: Any, modes: Any = None, options: Any = ()) -> None:
    """Open the session ``s`` with these modes and options of the agent; ``told`` are the options of the client."""
    said = {"modes": modes, "configOptions": list(options)}
    spoken.client(
        request("new", "session/new", {"cwd": "/p", "mcpServers": []}),
        to_agent(request("new", "session/new", {"cwd": "/p", "mcpServers": []})),
    )
    spoken.agent(
        result("new", {"sessionId": "s", **said}),
        to_client(result("new", {"sessionId": "s", "configOptions": told})),
    )


def prompt(spoken: Conversation, request_id: Any = "p", words: str = "go", session: str = "s") -> None:
    """A prompt of a client of the newest edition; its message is ``<user ID>``."""
    message = f"<user {request_id}>"
    asked = request(request_id, "session/prompt", {"sessionId": session, "prompt": [text(words)]})
    spoken.client(
        asked,
        to_agent(asked),
        to_client(result(request_id, {"messageId": message})),
        to_client(update("user_message", session, messageId=message, content=[text(words)])),
        to_client(update("state_update", session, state="running")),
    )


def ask(spoken: Conversation, request_id: Any = 0, session: str = "s", key: str = "t") -> None:
    """A permission request of the agent for a tool call that it names."""
    tool_call = {"toolCallId": key, "title": "Edit"}
    spoken.agent(
        request(
            request_id, "session/request_permission", {"sessionId": session, "toolCall": tool_call, "options": OPTIONS}
        ),
        to_client(
            request(
                request_id,
                "session/request_permission",
                {
                    "sessionId": session,
                    "title": "Edit",
                    "subject": {"type": "tool_call", "toolCall": tool_call},
                    "options": OPTIONS,
                },
            )
        ),
    )


# ------------------------------------------------------------------------------------------------ a whole conversation


def initialize(spoken: Conversation) -> None:
    spoken.client(
        request(
            0,
            "initialize",
            {"protocolVersion": 2, "info": {"name": "bridge-proxy-example", "version": "1.0.0"}, "capabilities": {}},
        ),
        to_agent(
            request(
                0,
                "initialize",
                {
                    "protocolVersion": 1,
                    "clientInfo": {"name": "bridge-proxy-example", "version": "1.0.0"},
                    "clientCapabilities": {
                        "fs": {"readTextFile": False, "writeTextFile": False},
                        "terminal": False,
                        "auth": {"terminal": False},
                        "session": {"configOptions": {"boolean": {}}},
                    },
                },
            )
        ),
    )
    spoken.agent(
        result(
            0,
            {
                "protocolVersion": 1,
                "agentCapabilities": {
                    "loadSession": True,
                    "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
                },
                "agentInfo": {"name": "scripted-agent", "version": "1.0.0"},
            },
        ),
        to_client(
            result(
                0,
                {
                    "protocolVersion": 2,
                    "info": {"name": "scripted-agent", "version": "1.0.0"},
                    "capabilities": {"session": {"mcp": {"stdio": {}}}},
                    "authMethods": [],
                },
            )
        ),
    )


def first_turn(spoken: Conversation) -> None:
    prompted = request(2, "session/prompt", {"sessionId": "session-1", "prompt": [text("Update the greeting")]})
    spoken.client(
        prompted,
        to_agent(prompted),
        to_client(result(2, {"messageId": "<first prompt>"})),
        to_client(
            update("user_message", "session-1", messageId="<first prompt>", content=[text("Update the greeting")])
        ),
        to_client(update("state_update", "session-1", state="running")),
    )
    for words in ("The greeting ", "is out of date."):
        spoken.agent(
            update("agent_message_chunk", "session-1", content=text(words)),
            to_client(update("agent_message_chunk", "session-1", messageId="<first reply>", content=text(words))),
        )
    call = {
        "toolCallId": "call-1",
        "title": "Change the greeting",
        "kind": "edit",
        "locations": [{"path": "/project/greeting.txt", "line": 1}],
        "rawInput": {"path": "/project/greeting.txt"},
    }
    spoken.agent(
        update("tool_call", "session-1", status="pending", **call),
        to_client(update("tool_call_update", "session-1", **call)),
    )
    tool_call = {"toolCallId": "call-1", "title": "Change the greeting"}
    permission = {"sessionId": "session-1", "options": OPTIONS}
    spoken.agent(
        request(0, "session/request_permission", {**permission, "toolCall": tool_call}),
        to_client(
            request(
                0,
                "session/request_permission",
                {
                    **permission,
                    "title": "Change the greeting",
                    "subject": {"type": "tool_call", "toolCall": tool_call},
                },
            )
        ),
    )
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    done = {"toolCallId": "call-1", "status": "completed", "rawOutput": {"lines": 1}}
    old, new = "Good evening\n", "Good morning\n"
    spoken.agent(
        update(
            "tool_call_update",
            "session-1",
            **done,
            content=[
                content("1 line changed"),
                {"type": "diff", "path": "/project/greeting.txt", "oldText": old, "newText": new},
            ],
        ),
        to_client(
            update(
                "tool_call_update",
                "session-1",
                **done,
                content=[
                    content("1 line changed"),
                    {
                        "type": "diff",
                        "changes": [{"operation": "modify", "path": "/project/greeting.txt", "fileType": "text"}],
                        "patch": {
                            "format": "git_patch",
                            "text": "diff --git /project/greeting.txt /project/greeting.txt\n"
                            "--- /project/greeting.txt\n+++ /project/greeting.txt\n"
                            "@@ -1,1 +1,1 @@\n-Good evening\n+Good morning\n",
                        },
                    },
                ],
            )
        ),
    )
    entries = [
        {"content": "Change the greeting", "priority": "high", "status": "completed"},
        {"content": "Tell the user", "priority": "medium", "status": "in_progress"},
    ]
    spoken.agent(
        update("plan", "session-1", entries=entries),
        to_client(update("plan_update", "session-1", plan={"type": "items", "planId": "main", "entries": entries})),
    )
    spoken.agent(
        update("agent_message_chunk", "session-1", content=text("You chose: yes.")),
        to_client(
            update("agent_message_chunk", "session-1", messageId="<second reply>", content=text("You chose: yes."))
        ),
    )
    spoken.agent(
        result(2, {"stopReason": "end_turn"}),
        to_client(update("state_update", "session-1", state="idle", stopReason="end_turn")),
    )


def second_turn(spoken: Conversation) -> None:
    prompted = request(3, "session/prompt", {"sessionId": "session-1", "prompt": [text("wait for me")]})
    spoken.client(
        prompted,
        to_agent(prompted),
        to_client(result(3, {"messageId": "<second prompt>"})),
        to_client(update("user_message", "session-1", messageId="<second prompt>", content=[text("wait for me")])),
        to_client(update("state_update", "session-1", state="running")),
    )
    spoken.agent(
        update("agent_message_chunk", "session-1", content=text("Waiting.")),
        to_client(update("agent_message_chunk", "session-1", messageId="<third reply>", content=text("Waiting."))),
    )
    waiting = {"toolCallId": "call-2", "title": "Wait", "status": "in_progress"}
    spoken.agent(
        update("tool_call", "session-1", kind="other", **waiting),
        to_client(update("tool_call_update", "session-1", **waiting)),
    )
    cancel = notification("session/cancel", {"sessionId": "session-1"})
    spoken.client(cancel, to_agent(cancel))
    failed = update("tool_call_update", "session-1", toolCallId="call-2", status="failed")
    spoken.agent(failed, to_client(failed))
    spoken.agent(
        result(3, {"stopReason": "cancelled"}),
        to_client(update("state_update", "session-1", state="idle", stopReason="cancelled")),
    )


@strict_and_lossy
def test_a_recorded_conversation(lossy: bool) -> None:
    """Between a client of the newest edition and an agent of v1, both by other makers: word for word."""
    spoken = talk(lossy=lossy)
    initialize(spoken)
    opened = request(1, "session/new", {"cwd": "/project", "mcpServers": []})
    spoken.client(opened, to_agent(opened))
    spoken.agent(
        result(1, {"sessionId": "session-1"}), to_client(result(1, {"sessionId": "session-1", "configOptions": []}))
    )
    first_turn(spoken)
    second_turn(spoken)
    listed = result(4, {"sessions": [{"sessionId": "session-1", "cwd": "/project"}]})
    spoken.client(request(4, "session/list", {}), to_agent(request(4, "session/list", {})))
    spoken.agent(listed, to_client(listed))
    close = request(5, "session/close", {"sessionId": "session-1"})
    spoken.client(close, to_agent(close))
    spoken.agent(result(5, {}), to_client(result(5, {})))
    assert spoken.is_silent()


@strict_and_lossy
def test_the_recorded_first_turn_with_a_client_of_june(lossy: bool) -> None:
    """Prompts end by their result, tool calls stay where they were, diffs too."""
    spoken = talk(JUNE, lossy=lossy)
    prompted = request(2, "session/prompt", {"sessionId": "s", "prompt": [text("Update the greeting")]})
    spoken.client(prompted, to_agent(prompted))
    spoken.agent(
        update("agent_message_chunk", content=text("Old.")),
        to_client(update("agent_message_chunk", messageId="<reply>", content=text("Old."))),
    )
    spoken.agent(
        update("tool_call", toolCallId="call-1", title="Change", kind="edit", status="pending"),
        to_client(update("tool_call_update", toolCallId="call-1", title="Change", kind="edit")),
    )
    asked = request(
        0,
        "session/request_permission",
        {"sessionId": "s", "toolCall": {"toolCallId": "call-1", "title": "Change"}, "options": OPTIONS},
    )
    spoken.agent(asked, to_client(asked))
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    diff = {"type": "diff", "path": "/a", "oldText": "1\n", "newText": "2\n"}
    done = update("tool_call_update", toolCallId="call-1", status="completed", content=[diff])
    spoken.agent(done, to_client(done))
    entry = {"content": "Change", "priority": "high", "status": "completed"}
    spoken.agent(
        update("plan", entries=[entry]),
        to_client(update("plan_update", plan={"type": "items", "id": "main", "entries": [entry]})),
    )
    spoken.agent(result(2, {"stopReason": "end_turn"}), to_client(result(2, {"stopReason": "end_turn"})))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------- tool calls: TC, CT, RM


@strict_and_lossy
def test_tc_1_a_tool_call_that_is_told_anew_forgets_what_it_does_not_repeat(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    spoken.agent(
        update("tool_call", toolCallId="t", title="Read", kind="read", status="completed", content=[content("a")]),
        to_client(
            update(
                "tool_call_update",
                toolCallId="t",
                title="Read",
                kind="read",
                status="completed",
                content=[content("a")],
            )
        ),
    )
    spoken.agent(
        update("tool_call", toolCallId="t", title="Read again", status="in_progress"),
        to_client(
            update(
                "tool_call_update",
                toolCallId="t",
                title="Read again",
                status="in_progress",
                kind=None,
                name=None,
                content=[],
                locations=[],
                rawInput=None,
                rawOutput=None,
            )
        ),
    )
    assert spoken.is_silent()


def test_tc_1_metadata_that_is_not_repeated_goes_too() -> None:
    spoken = talk()
    spoken.agent(
        update("tool_call", toolCallId="t", title="T", _meta={"a": 1, "b": 2}),
        to_client(update("tool_call_update", toolCallId="t", title="T", _meta={"a": 1, "b": 2})),
    )
    spoken.agent(
        update("tool_call", toolCallId="t", title="T", _meta={"b": 3}),
        to_client(
            update(
                "tool_call_update",
                toolCallId="t",
                title="T",
                _meta={"a": None, "b": 3},
                **dict.fromkeys(["name", "kind", "status", "rawInput", "rawOutput"]),
                content=[],
                locations=[],
            )
        ),
    )


def test_tc_1_in_june_metadata_is_no_patch() -> None:
    """So nothing is to be deleted by key, and tool calls have no name yet."""
    spoken = talk(JUNE)
    spoken.agent(
        update("tool_call", toolCallId="t", title="T", _meta={"a": 1}),
        to_client(update("tool_call_update", toolCallId="t", title="T", _meta={"a": 1})),
    )
    spoken.agent(
        update("tool_call", toolCallId="t", title="T"),
        to_client(
            update(
                "tool_call_update",
                toolCallId="t",
                title="T",
                **dict.fromkeys(["kind", "status", "rawInput", "rawOutput"]),
                content=[],
                locations=[],
            )
        ),
    )


@both_clients
def test_tc_1_the_first_tool_call_resets_nothing(client: str) -> None:
    spoken = talk(client)
    for key in ("t", "u"):
        spoken.agent(
            update("tool_call", toolCallId=key, title="T", kind="other", status="pending", content=[], locations=[]),
            to_client(update("tool_call_update", toolCallId=key, title="T")),
        )
    assert spoken.is_silent()


@both_clients
def test_tc_2_null_and_absent_are_omitted_and_an_empty_list_stays(client: str) -> None:
    spoken = talk(client)
    spoken.agent(
        update("tool_call_update", toolCallId="t", title=None, status=None, content=[], locations=None),
        to_client(update("tool_call_update", toolCallId="t", content=[])),
    )
    assert spoken.is_silent()


DIFF = {"type": "diff", "path": "/a", "newText": "x\n"}
TERMINAL = {"type": "terminal", "terminalId": "term"}


@both_clients
def test_ct_7_a_terminal_of_the_client_is_lost(client: str) -> None:
    spoken = talk(client, lossy=True)
    spoken.agent(
        update("tool_call", toolCallId="t", title="Run", content=[content("a"), TERMINAL, content("b")]),
        to_client(update("tool_call_update", toolCallId="t", title="Run", content=[content("a"), content("b")])),
    )
    assert spoken.losses() == [("RemovedInV2", "/params/update/content/1")]
    assert spoken.problems() == []


@both_clients
def test_ct_7_strictly_the_whole_update_is_refused(client: str) -> None:
    spoken = talk(client)
    spoken.agent(update("tool_call", toolCallId="t", title="Run", content=[content("a"), TERMINAL]))
    assert spoken.problems() == [("agent", "RemovedInV2", "/params/update/content/1/type")]
    assert spoken.losses() == []


CLIENT_SERVICES = {
    "fs/read_text_file": {"sessionId": "s", "path": "/a"},
    "fs/write_text_file": {"sessionId": "s", "path": "/a", "content": ""},
    "terminal/create": {"sessionId": "s", "command": "ls"},
    "terminal/output": {"sessionId": "s", "terminalId": "t"},
    "terminal/wait_for_exit": {"sessionId": "s", "terminalId": "t"},
    "terminal/kill": {"sessionId": "s", "terminalId": "t"},
    "terminal/release": {"sessionId": "s", "terminalId": "t"},
}


@both_clients
@strict_and_lossy
@pytest.mark.parametrize("method", CLIENT_SERVICES)
def test_rm_1_files_and_terminals_are_not_there(client: str, lossy: bool, method: str) -> None:
    spoken = talk(client, lossy=lossy)
    spoken.agent(request(4, method, CLIENT_SERVICES[method]), to_agent(error(4, -32601, ANY_TEXT)))
    assert spoken.problems() == [("agent", "RemovedInV2", "/method")]


# --------------------------------------------------------------------------------------------------------- messages: MS


@both_clients
@strict_and_lossy
@pytest.mark.parametrize("absent", [{}, {"messageId": None}], ids=["absent", "null"])
def test_ms_2_an_id_for_each_run_of_one_kind(client: str, lossy: bool, absent: dict[str, Any]) -> None:
    """What other kinds of messages interrupt is another message."""
    spoken = talk(client, lossy=lossy)
    for tag, message in [
        ("agent_thought_chunk", "<first thought>"),
        ("agent_thought_chunk", "<first thought>"),
        ("agent_message_chunk", "<first reply>"),
        ("agent_message_chunk", "<first reply>"),
        ("agent_thought_chunk", "<second thought>"),
        ("user_message_chunk", "<user>"),
        ("agent_message_chunk", "<second reply>"),
    ]:
        spoken.agent(
            update(tag, content=text("x"), **absent), to_client(update(tag, messageId=message, content=text("x")))
        )
    assert spoken.is_silent()


def test_ms_2_a_tool_call_ends_the_run() -> None:
    spoken = talk()
    chunk = update("agent_message_chunk", content=text("x"))
    spoken.agent(chunk, to_client(update("agent_message_chunk", messageId="<before>", content=text("x"))))
    spoken.agent(
        update("tool_call", toolCallId="t", title="T"),
        to_client(update("tool_call_update", toolCallId="t", title="T")),
    )
    spoken.agent(chunk, to_client(update("agent_message_chunk", messageId="<after>", content=text("x"))))


@both_clients
def test_ms_2_every_turn_has_its_own(client: str) -> None:
    spoken = talk(client)
    chunk = update("agent_message_chunk", content=text("x"))
    spoken.agent(chunk, to_client(update("agent_message_chunk", messageId="<before>", content=text("x"))))
    asked = request("p", "session/prompt", {"sessionId": "s", "prompt": [text("go")]})
    if client == "v2":
        prompt(spoken)
    else:
        spoken.client(asked, to_agent(asked))
    spoken.agent(chunk, to_client(update("agent_message_chunk", messageId="<after>", content=text("x"))))


def test_ms_2_every_session_has_its_own() -> None:
    spoken = talk()
    for session in ("s", "other", "s", "other"):
        spoken.agent(
            update("agent_message_chunk", session, content=text("x")),
            to_client(update("agent_message_chunk", session, messageId=f"<in {session}>", content=text("x"))),
        )


@both_clients
def test_ms_1_ids_of_the_agent_stay(client: str) -> None:
    spoken = talk(client)
    for tag in ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"):
        chunk = update(tag, messageId="m", content=text("x"), _meta={"a": 1})
        spoken.agent(chunk, to_client(chunk))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------------------------ modes: MD


@both_clients
@strict_and_lossy
def test_md_2_modes_are_a_config_option(client: str, lossy: bool) -> None:
    spoken = talk(client, lossy=lossy)
    open_session(spoken, modes=MODES, told=[mode_option("ask", client)])
    assert spoken.is_silent()


def test_md_2_beside_the_options_of_the_agent() -> None:
    spoken = talk()
    open_session(spoken, modes=MODES, options=[select_option()], told=[select_option("configId"), mode_option("ask")])


@pytest.mark.parametrize("members", [{"category": "mode"}, {"id": "mode"}], ids=["category", "id"])
def test_md_2_not_where_the_agent_offers_modes_as_an_option_itself(members: dict[str, Any]) -> None:
    own = {**select_option(), **members}
    told = {**{key: value for key, value in own.items() if key != "id"}, "configId": own["id"]}
    spoken = talk()
    open_session(spoken, modes=MODES, options=[own], told=[told])
    spoken.client(
        request(1, "session/set_config_option", {"sessionId": "s", "configId": own["id"], "type": "id", "value": "x"}),
        to_agent(request(1, "session/set_config_option", {"sessionId": "s", "configId": own["id"], "value": "x"})),
    )


@both_clients
def test_md_1_a_change_of_mode_sends_all_options(client: str) -> None:
    key = "configId" if client == "v2" else "id"
    spoken = talk(client)
    open_session(spoken, modes=MODES, options=[select_option()], told=[select_option(key), mode_option("ask", client)])
    spoken.agent(
        update("current_mode_update", currentModeId="code"),
        to_client(update("config_option_update", configOptions=[select_option(key), mode_option("code", client)])),
    )
    assert spoken.is_silent()


def test_md_1_options_that_change_keep_the_mode() -> None:
    spoken = talk()
    open_session(spoken, modes=MODES, told=[mode_option("ask")])
    spoken.agent(
        update("current_mode_update", currentModeId="code"),
        to_client(update("config_option_update", configOptions=[mode_option("code")])),
    )
    spoken.agent(
        update("config_option_update", configOptions=[boolean_option(True)]),
        to_client(
            update("config_option_update", configOptions=[boolean_option(True, "configId"), mode_option("code")])
        ),
    )


@strict_and_lossy
def test_md_1_without_modes_there_is_nothing_to_set(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    spoken.agent(update("current_mode_update", currentModeId="code"))
    assert spoken.problems() == [("agent", "NeedsState", "/params/update")]


@both_clients
def test_md_3_setting_the_option_sets_the_mode(client: str) -> None:
    spoken = talk(client)
    open_session(spoken, modes=MODES, told=[mode_option("ask", client)])
    typed = {"type": "id"} if client == "v2" else {}
    spoken.client(
        request(1, "session/set_config_option", {"sessionId": "s", "configId": "mode", "value": "code", **typed}),
        to_agent(request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"})),
    )
    spoken.agent(result(1, {}), to_client(result(1, {"configOptions": [mode_option("code", client)]})))
    assert spoken.is_silent()


def test_md_3_a_mode_that_the_agent_refuses_is_not_set() -> None:
    spoken = talk()
    open_session(spoken, modes=MODES, told=[mode_option("ask")])
    spoken.client(
        request(1, "session/set_config_option", {"sessionId": "s", "configId": "mode", "type": "id", "value": "x"}),
        to_agent(request(1, "session/set_mode", {"sessionId": "s", "modeId": "x"})),
    )
    refused = error(1, -32602, "no such mode", data=None)
    spoken.agent(refused, to_client(refused))
    spoken.agent(
        update("config_option_update", configOptions=[]),
        to_client(update("config_option_update", configOptions=[mode_option("ask")])),
    )


def test_md_3_a_mode_is_no_boolean() -> None:
    spoken = talk()
    open_session(spoken, modes=MODES, told=[mode_option("ask")])
    spoken.client_is_refused(
        request(
            1, "session/set_config_option", {"sessionId": "s", "configId": "mode", "type": "boolean", "value": True}
        ),
        "UnrepresentableField",
        "/params/value",
    )


def test_md_3_other_options_are_set_as_such_and_the_mode_is_shown_with_them() -> None:
    spoken = talk()
    open_session(spoken, modes=MODES, options=[select_option()], told=[select_option("configId"), mode_option("ask")])
    spoken.client(
        request(
            1, "session/set_config_option", {"sessionId": "s", "configId": "model", "type": "id", "value": "large"}
        ),
        to_agent(request(1, "session/set_config_option", {"sessionId": "s", "configId": "model", "value": "large"})),
    )
    changed = {"currentValue": "large"}
    spoken.agent(
        result(1, {"configOptions": [select_option(**changed)]}),
        to_client(result(1, {"configOptions": [select_option("configId", **changed), mode_option("ask")]})),
    )


def test_modes_that_are_gone_when_the_mode_is_set() -> None:
    """The session is opened again while the agent sets the mode."""
    spoken = talk()
    open_session(spoken, modes=MODES, told=[mode_option("ask")])
    spoken.client(
        request(1, "session/set_config_option", {"sessionId": "s", "configId": "mode", "type": "id", "value": "code"}),
        to_agent(request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"})),
    )
    resume = request(2, "session/resume", {"sessionId": "s", "cwd": "/p"})
    spoken.client(resume, to_agent(resume))
    spoken.agent(
        result(2, {"configOptions": []}),
        to_client(result(2, {"configOptions": []})),
        to_client(update("state_update", state="idle")),
    )
    spoken.agent(result(1, {}), to_client(result(1, {"configOptions": []})))


# ------------------------------------------------------------------------------------------------------ permissions: PR


def test_pr_1_the_title_of_the_tool_call_is_the_question() -> None:
    spoken = talk()
    ask(spoken)
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    assert spoken.is_silent()


@strict_and_lossy
def test_pr_1_a_tool_call_without_a_title_has_the_stored_one(lossy: bool) -> None:
    """Only the question needs it; the tool call says what the agent said."""
    spoken = talk(lossy=lossy)
    spoken.agent(
        update("tool_call", toolCallId="t", title="Stored"),
        to_client(update("tool_call_update", toolCallId="t", title="Stored")),
    )
    tool_call = {"toolCallId": "t", "status": "in_progress"}
    permission = {"sessionId": "s", "options": OPTIONS}
    spoken.agent(
        request(0, "session/request_permission", {**permission, "toolCall": tool_call}),
        to_client(
            request(
                0,
                "session/request_permission",
                {**permission, "title": "Stored", "subject": {"type": "tool_call", "toolCall": tool_call}},
            )
        ),
    )
    assert spoken.is_silent()


def test_pr_1_without_any_title_a_phrase_stands_in() -> None:
    spoken = talk(lossy=True)
    permission = {"sessionId": "s", "options": OPTIONS}
    spoken.agent(
        request(0, "session/request_permission", {**permission, "toolCall": {"toolCallId": "t"}}),
        to_client(
            request(
                0,
                "session/request_permission",
                {
                    **permission,
                    "title": "Permission requested",
                    "subject": {"type": "tool_call", "toolCall": {"toolCallId": "t"}},
                },
            )
        ),
    )
    assert spoken.losses() == [("MissingRequired", "/params/toolCall/title")]


@pytest.mark.parametrize("tool_call", [{"toolCallId": "t"}, {"toolCallId": "t", "title": ""}], ids=["none", "empty"])
def test_pr_1_strictly_there_must_be_a_title(tool_call: dict[str, Any]) -> None:
    talk().agent_is_refused(
        request(0, "session/request_permission", {"sessionId": "s", "toolCall": tool_call, "options": OPTIONS}),
        "MissingRequired",
        "/params/toolCall/title",
    )


@strict_and_lossy
def test_pr_1_in_june_the_request_is_about_the_tool_call(lossy: bool) -> None:
    spoken = talk(JUNE, lossy=lossy)
    spoken.agent(
        update("tool_call", toolCallId="t", title="Stored"),
        to_client(update("tool_call_update", toolCallId="t", title="Stored")),
    )
    for request_id, key in enumerate(["t", "never heard of"]):
        asked = request(
            request_id,
            "session/request_permission",
            {"sessionId": "s", "toolCall": {"toolCallId": key}, "options": OPTIONS},
        )
        spoken.agent(asked, to_client(asked))
    assert spoken.is_silent()


LATER = result(0, {"outcome": {"outcome": "_later", "optionId": "yes"}})


def test_pr_6_an_unknown_outcome_is_no_approval() -> None:
    spoken = talk(lossy=True)
    ask(spoken)
    spoken.client(LATER, to_agent(result(0, CANCELLED)))
    assert spoken.losses() == [("UnknownVariant", "/result/outcome/outcome")]


def test_pr_6_strictly_an_unknown_outcome_is_an_error() -> None:
    spoken = talk()
    ask(spoken)
    spoken.client(LATER, to_agent(refusal(0, "UnknownVariant", "/result/outcome/outcome")))
    assert spoken.problems() == [("client", "UnknownVariant", "/result/outcome/outcome")]


def test_pr_6_june_knows_two_outcomes_and_no_others() -> None:
    spoken = talk(JUNE)
    asked = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": OPTIONS}
    asking = request(0, "session/request_permission", asked)
    spoken.agent(asking, to_client(asking))
    spoken.client(LATER, to_agent(refusal(0, "Malformed", "/result/outcome/outcome")))
    assert spoken.problems() == [("client", "Malformed", "/result/outcome/outcome")]


@strict_and_lossy
def test_pr_8_a_question_without_answers_is_refused(lossy: bool) -> None:
    tool_call = {"toolCallId": "t", "title": "T"}
    talk(lossy=lossy).agent_is_refused(
        request(0, "session/request_permission", {"sessionId": "s", "toolCall": tool_call, "options": []}),
        "MissingRequired",
        "/params/options",
    )


def test_an_error_for_a_permission_request_reaches_the_agent() -> None:
    spoken = talk()
    ask(spoken)
    failed = error(0, -32000, "no screen", data={"x": 1})
    spoken.client(failed, to_agent(failed))
    cancel = notification("session/cancel", {"sessionId": "s"})
    spoken.client(cancel, to_agent(cancel))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------ prompts and cancelling: PP

REASONS = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]


@pytest.mark.parametrize("reason", REASONS)
@strict_and_lossy
def test_pp_2_the_result_of_a_prompt_is_the_end_of_the_work(reason: str, lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    prompt(spoken)
    spoken.agent(
        result("p", {"stopReason": reason}), to_client(update("state_update", state="idle", stopReason=reason))
    )
    assert spoken.is_silent()


@pytest.mark.parametrize("reason", REASONS)
def test_pp_2_in_june_the_result_stays_one(reason: str) -> None:
    spoken = talk(JUNE)
    asked = request("p", "session/prompt", {"sessionId": "s", "prompt": [text("go")]})
    spoken.client(asked, to_agent(asked))
    spoken.agent(result("p", {"stopReason": reason}), to_client(result("p", {"stopReason": reason})))
    assert spoken.is_silent()


def test_pp_2_metadata_of_the_result_ends_with_the_work() -> None:
    spoken = talk()
    prompt(spoken)
    spoken.agent(
        result("p", {"stopReason": "end_turn", "_meta": {"a": 1}}),
        to_client(update("state_update", state="idle", stopReason="end_turn", _meta={"a": 1})),
    )


def test_pp_6_the_error_of_a_prompt_ends_the_work() -> None:
    """The client has its answer already."""
    spoken = talk()
    prompt(spoken)
    why = {"code": -32000, "message": "log in first", "data": {"methods": []}}
    spoken.agent(
        error("p", -32000, "log in first", data={"methods": []}),
        to_client(update("state_update", state="idle", stopReason="error", error=why)),
    )


def test_pp_6_in_june_the_prompt_fails() -> None:
    spoken = talk(JUNE)
    asked = request("p", "session/prompt", {"sessionId": "s", "prompt": [text("go")]})
    spoken.client(asked, to_agent(asked))
    failed = error("p", -32000, "log in first")
    spoken.agent(failed, to_client(failed))


@strict_and_lossy
def test_pp_1_a_prompt_keeps_all_kinds_of_blocks(lossy: bool) -> None:
    blocks = [
        text("look"),
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "image", "data": "QQ==", "mimeType": "image/png"},
    ]
    spoken = talk(lossy=lossy)
    asked = request("p", "session/prompt", {"sessionId": "s", "prompt": blocks})
    spoken.client(
        asked,
        to_agent(asked),
        to_client(result("p", {"messageId": "<user>"})),
        to_client(update("user_message", messageId="<user>", content=blocks)),
        to_client(update("state_update", state="running")),
    )


def test_ct_2_strictly_a_prompt_with_an_unknown_block_is_refused() -> None:
    talk().client_is_refused(
        request("p", "session/prompt", {"sessionId": "s", "prompt": [text("look"), {"type": "hologram"}]}),
        "UnknownVariant",
        "/params/prompt/1/type",
    )


def test_ct_2_else_the_block_is_left_out_and_the_echo_keeps_it() -> None:
    """The echo goes to the client, which does know what it said."""
    spoken = talk(lossy=True)
    blocks = [text("look"), {"type": "hologram"}]
    spoken.client(
        request("p", "session/prompt", {"sessionId": "s", "prompt": blocks}),
        to_agent(request("p", "session/prompt", {"sessionId": "s", "prompt": [text("look")]})),
        to_client(result("p", {"messageId": "<user>"})),
        to_client(update("user_message", messageId="<user>", content=blocks)),
        to_client(update("state_update", state="running")),
    )
    assert spoken.losses() == [("UnknownVariant", "/params/prompt/1")]


def test_two_prompts_of_one_session_end_together() -> None:
    """The session is idle when no work is left."""
    spoken = talk()
    prompt(spoken, 1)
    prompt(spoken, 2)
    spoken.agent(result(1, {"stopReason": "end_turn"}))
    spoken.agent(
        result(2, {"stopReason": "refusal"}), to_client(update("state_update", state="idle", stopReason="refusal"))
    )
    assert spoken.is_silent()


def test_prompts_of_two_sessions_know_nothing_of_each_other() -> None:
    spoken = talk()
    prompt(spoken, 1, session="one")
    prompt(spoken, 2, session="two")
    spoken.agent(
        result(2, {"stopReason": "end_turn"}),
        to_client(update("state_update", "two", state="idle", stopReason="end_turn")),
    )
    spoken.agent(
        result(1, {"stopReason": "end_turn"}),
        to_client(update("state_update", "one", state="idle", stopReason="end_turn")),
    )


@both_clients
def test_pp_8_cancelling_gives_up_the_questions_that_wait(client: str) -> None:
    """An older agent waits for the client to do so, a newer client for the agent."""
    spoken = talk(client)
    for request_id, key in ((0, "t"), (1, "u")):
        asked = {"sessionId": "s", "options": OPTIONS}
        tool_call = {"toolCallId": key, "title": "Edit"}
        passed = (
            {"title": "Edit", "subject": {"type": "tool_call", "toolCall": tool_call}}
            if client == "v2"
            else {"toolCall": tool_call}
        )
        spoken.agent(
            request(request_id, "session/request_permission", {**asked, "toolCall": tool_call}),
            to_client(request(request_id, "session/request_permission", {**asked, **passed})),
        )
    cancel = notification("session/cancel", {"sessionId": "s"})
    withdrawn = [to_client(notification("$/cancel_request", {"requestId": n})) for n in (0, 1)]
    answers = [to_agent(result(n, CANCELLED)) for n in (0, 1)]
    if client == "v2":
        spoken.client(cancel, to_agent(cancel), answers[0], withdrawn[0], answers[1], withdrawn[1])
    else:
        spoken.client(cancel, to_agent(cancel), *answers)
    # what the client answers nevertheless is no news, approval or not
    spoken.client(result(0, CHOSEN))
    spoken.client(error(1, -32800, "cancelled"))
    # nothing waits any more
    spoken.client(cancel, to_agent(cancel))
    assert spoken.is_silent()


def test_pp_8_only_the_questions_of_that_session() -> None:
    spoken = talk()
    ask(spoken, 0, session="one")
    ask(spoken, 1, session="two")
    cancel = notification("session/cancel", {"sessionId": "two"})
    spoken.client(
        cancel,
        to_agent(cancel),
        to_agent(result(1, CANCELLED)),
        to_client(notification("$/cancel_request", {"requestId": 1})),
    )
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))


def test_pp_8_a_question_that_is_answered_does_not_wait() -> None:
    spoken = talk()
    ask(spoken)
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    cancel = notification("session/cancel", {"sessionId": "s"})
    spoken.client(cancel, to_agent(cancel))


# --------------------------------------------------------------------------------------------- initialize, sessions: IN, SL


def agent_says(spoken: Conversation, capabilities: Any, **members: Any) -> Any:
    """The agent's answer to initialize, after the request."""
    asked = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
    spoken.client(
        request(0, "initialize", asked),
        to_agent(
            request(
                0,
                "initialize",
                {
                    "protocolVersion": 1,
                    "clientInfo": {"name": "c", "version": "1"},
                    "clientCapabilities": {
                        "fs": {"readTextFile": False, "writeTextFile": False},
                        "terminal": False,
                        "auth": {"terminal": False},
                        "session": {"configOptions": {"boolean": {}}},
                    },
                },
            )
        ),
    )
    return result(0, {"protocolVersion": 1, "agentCapabilities": capabilities, **members})


def test_in_5_strictly_an_agent_without_all_session_methods_is_refused() -> None:
    spoken = talk()
    said = agent_says(
        spoken, {"loadSession": True, "sessionCapabilities": {"resume": {}, "close": {}}}, agentInfo=IDENTITY
    )
    spoken.agent(said, to_client(refusal(0, "MissingRequired", "/result/agentCapabilities/sessionCapabilities/list")))
    assert spoken.problems() == [("agent", "MissingRequired", "/result/agentCapabilities/sessionCapabilities/list")]


def test_in_5_else_sessions_are_announced_anyway() -> None:
    spoken = talk(lossy=True)
    said = agent_says(spoken, {"loadSession": True, "sessionCapabilities": {"resume": {}, "close": {}}})
    spoken.agent(
        said,
        to_client(
            result(
                0,
                {
                    "protocolVersion": 2,
                    "info": {"name": "unknown", "version": "unknown"},
                    "capabilities": {"session": {"mcp": {"stdio": {}}}},
                    "authMethods": [],
                },
            )
        ),
    )
    assert spoken.losses() == [
        ("MissingRequired", "/result/agentInfo"),
        ("MissingRequired", "/result/agentCapabilities/sessionCapabilities/list"),
    ]


def test_in_7_ways_to_log_in_go_with_logging_out() -> None:
    methods = [{"id": "key", "name": "Key"}]
    able = {"loadSession": True, "sessionCapabilities": {"list": {}, "resume": {}, "close": {}}}
    spoken = talk()
    said = agent_says(spoken, able, agentInfo=IDENTITY, authMethods=methods)
    spoken.agent(said, to_client(refusal(0, "UnrepresentableField", "/result/authMethods")))
    spoken = talk()
    said = agent_says(spoken, {**able, "auth": {"logout": {}}}, agentInfo=IDENTITY, authMethods=methods)
    spoken.agent(
        said,
        to_client(
            result(
                0,
                {
                    "protocolVersion": 2,
                    "info": IDENTITY,
                    "capabilities": {"session": {"mcp": {"stdio": {}}}},
                    "authMethods": [{"type": "agent", "methodId": "key", "name": "Key"}],
                },
            )
        ),
    )
    spoken.client(
        request(1, "auth/login", {"methodId": "key"}), to_agent(request(1, "authenticate", {"methodId": "key"}))
    )
    spoken.agent(result(1, {}), to_client(result(1, {})))
    spoken.client(request(2, "auth/logout", {}), to_agent(request(2, "logout", {})))
    spoken.agent(result(2, {}), to_client(result(2, {})))


def test_sl_2_a_replay_from_the_start_is_loading() -> None:
    spoken = talk()
    spoken.client(
        request(1, "session/resume", {"sessionId": "s", "cwd": "/p", "replayFrom": {"type": "start"}}),
        to_agent(request(1, "session/load", {"sessionId": "s", "cwd": "/p", "mcpServers": []})),
    )
    # the history comes before the result
    for tag, message in [("user_message_chunk", "<question>"), ("agent_message_chunk", "<reply>")]:
        spoken.agent(update(tag, content=text("x")), to_client(update(tag, messageId=message, content=text("x"))))
    spoken.agent(
        result(1, {"modes": MODES}),
        to_client(result(1, {"configOptions": [mode_option("ask")]})),
        to_client(update("state_update", state="idle")),
    )
    assert spoken.is_silent()


def test_sl_2_else_it_is_resuming() -> None:
    spoken = talk()
    resume = request(1, "session/resume", {"sessionId": "s", "cwd": "/p"})
    spoken.client(resume, to_agent(resume))
    spoken.agent(
        result(1, {"configOptions": []}),
        to_client(result(1, {"configOptions": []})),
        to_client(update("state_update", state="idle")),
    )


def test_sl_2_while_a_prompt_works_the_session_is_not_idle() -> None:
    spoken = talk()
    prompt(spoken)
    resume = request(1, "session/resume", {"sessionId": "s", "cwd": "/p"})
    spoken.client(resume, to_agent(resume))
    spoken.agent(result(1, {"configOptions": []}), to_client(result(1, {"configOptions": []})))


@strict_and_lossy
def test_sl_2_another_cursor_is_refused(lossy: bool) -> None:
    talk(lossy=lossy).client_is_refused(
        request(1, "session/resume", {"sessionId": "s", "cwd": "/p", "replayFrom": {"type": "_here"}}),
        "UnknownVariant",
        "/params/replayFrom/type",
    )


def test_sl_2_june_has_both_methods() -> None:
    spoken = talk(JUNE)
    for request_id, method in enumerate(["session/load", "session/resume"]):
        params = {"sessionId": "s", "cwd": "/p", "mcpServers": []}
        asked = request(request_id, method, params)
        spoken.client(asked, to_agent(asked))
        spoken.agent(result(request_id, {}), to_client(result(request_id, {})))


@pytest.mark.parametrize("options", [{}, {"configOptions": None}], ids=["absent", "null"])
def test_sl_4_a_session_without_options_has_none(options: dict[str, Any]) -> None:
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        result(1, {"sessionId": "s", **options}), to_client(result(1, {"sessionId": "s", "configOptions": []}))
    )
    resume = request(2, "session/resume", {"sessionId": "s", "cwd": "/p"})
    spoken.client(resume, to_agent(resume))
    spoken.agent(
        result(2, options), to_client(result(2, {"configOptions": []})), to_client(update("state_update", state="idle"))
    )


def test_updates_before_the_session_is_opened() -> None:
    """They belong to the session that the result will name."""
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        update("available_commands_update", availableCommands=[{"name": "go", "description": "Go"}]),
        to_client(
            update(
                "available_commands_update",
                availableCommands=[{"type": "command", "name": "go", "description": "Go"}],
            )
        ),
    )
    spoken.agent(
        update("agent_message_chunk", content=text("a")),
        to_client(update("agent_message_chunk", messageId="<reply>", content=text("a"))),
    )
    spoken.agent(
        result(1, {"sessionId": "s", "modes": MODES}),
        to_client(result(1, {"sessionId": "s", "configOptions": [mode_option("ask")]})),
    )
    spoken.agent(
        update("agent_message_chunk", content=text("b")),
        to_client(update("agent_message_chunk", messageId="<reply>", content=text("b"))),
    )


# ------------------------------------------------------------------------------------- what is the same: ER, EL, NC, BA


@both_clients
@strict_and_lossy
def test_er_1_errors_and_extensions_are_the_same(client: str, lossy: bool) -> None:
    spoken = talk(client, lossy=lossy)
    asked = request("x", "_vendor/ask", {"any": [1, None, {"thing": 1.5}]})
    spoken.client(asked, to_agent(asked))
    spoken.agent(result("x", ["any", {"thing": None}]), to_client(result("x", ["any", {"thing": None}])))
    spoken.agent(asked, to_client(asked))
    failed = error("x", -31999, "a code of their own", data=[1])
    spoken.client(failed, to_agent(failed))
    told = notification("_vendor/tell", [1])
    spoken.client(told, to_agent(told))
    spoken.agent(told, to_client(told))
    spoken.agent(notification("_vendor/tell"), to_client(notification("_vendor/tell")))
    assert spoken.is_silent()


def test_el_1_elicitation_is_the_same() -> None:
    spoken = talk()
    asked = request(
        3,
        "elicitation/create",
        {
            "sessionId": "s",
            "mode": "form",
            "message": "Who?",
            "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
    )
    spoken.agent(asked, to_client(asked))
    answer = result(3, {"action": "accept", "content": {"name": "me"}})
    spoken.client(answer, to_agent(answer))
    done = notification("elicitation/complete", {"elicitationId": "e"})
    spoken.agent(done, to_client(done))
    assert spoken.is_silent()


def test_el_1_june_has_no_elicitation() -> None:
    spoken = talk(JUNE)
    asked = {"sessionId": "s", "mode": "url", "message": "Go", "elicitationId": "e", "url": "https://example.com/"}
    spoken.agent(request(3, "elicitation/create", asked), to_agent(error(3, -32601, ANY_TEXT)))
    assert [problem[0] for problem in spoken.problems()] == ["agent"]


@strict_and_lossy
def test_nc_1_notices_and_compactions_reach_a_newer_client(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    for told in (
        update("notice", severity="info", title="n"),
        update("compaction_update", compactionId="c", status="in_progress", summary=None),
        update("compaction_summary_chunk", compactionId="c", content=text("so far")),
    ):
        spoken.agent(told, to_client(told))
    assert spoken.is_silent()


def test_ba_1_a_batch_of_a_june_client_is_passed_on_one_by_one() -> None:
    spoken = talk(JUNE)
    cancel = notification("session/cancel", {"sessionId": "s"})
    listing = request(1, "session/list", {})
    spoken.client([cancel, listing, cancel], to_agent(cancel), to_agent(listing), to_agent(cancel))
    assert spoken.is_silent()


def test_ba_1_a_batch_of_answers_too() -> None:
    spoken = talk(JUNE)
    for request_id in (0, 1):
        asked = request(request_id, "_vendor/ask", {})
        spoken.agent(asked, to_client(asked))
    spoken.client([result(1, "b"), result(0, "a")], to_agent(result(1, "b")), to_agent(result(0, "a")))


def test_ba_1_a_fault_in_a_batch_leaves_the_others_alone() -> None:
    """Every request in it waits for an answer."""
    spoken = talk(JUNE)
    spoken.client(
        [request(1, "session/list", {}), request(2, "nope", {}), request(3, "session/new", {"cwd": 5})],
        to_agent(request(1, "session/list", {})),
        to_client(error(2, -32601, ANY_TEXT)),
        to_client(refusal(3, "Malformed", "/params/cwd", -32602)),
    )


def test_ba_1_something_that_is_no_message_in_a_batch_leaves_the_others_alone() -> None:
    spoken = talk(JUNE)
    spoken.client(
        [request(1, "session/list", {}), 5],
        to_agent(request(1, "session/list", {})),
        to_client(error(None, -32600, ANY_TEXT)),
    )


@pytest.mark.parametrize("array", [[], [request(1, "session/list", {})], [[]]], ids=["empty", "full", "nested"])
def test_an_array_from_an_edition_without_batches_is_refused(array: list[Any]) -> None:
    spoken = talk()
    spoken.client(array, to_client(error(None, -32600, ANY_TEXT)))
    assert [problem[0] for problem in spoken.problems()] == ["client"]
    spoken.agent(array, to_agent(error(None, -32600, ANY_TEXT)))
    assert [problem[0] for problem in spoken.problems()] == ["agent"]


@pytest.mark.parametrize("edition", ["v1", "v2", JUNE])
def test_one_edition_on_both_sides_passes_everything(edition: str) -> None:
    bridge = Bridge(client=edition, agent=edition)
    spoken = Conversation(bridge)
    for message in (request(1, "session/new", {"cwd": "/p"}), update("later", x=1), result(9, {}), 5, [], None, "x"):
        spoken.client(message, to_agent(message))
        spoken.agent(message, to_client(message))
    assert bridge.problems == bridge.losses == []


def test_editions_without_a_conversion_have_no_bridge() -> None:
    with pytest.raises(ValueError, match="^there is no conversion from 'v2' to 'v2_2026_06', only "):
        Bridge(client="v2", agent=JUNE)
    with pytest.raises(ValueError, match="^there is no conversion from 'v3' to 'v1', only "):
        Bridge(client="v3", agent="v1")


# --------------------------------------------------------------------------------------------------------------- faults

PLAIN = update("agent_message_chunk", messageId="m", content=text("x"))

NO_MESSAGES: dict[str, tuple[Any, str]] = {
    "null": (None, ""),
    "a number": (5, ""),
    "a string": ("session/cancel", ""),
    "an empty object": ({}, "/jsonrpc"),
    "another version": ({"jsonrpc": "1.0", "method": "session/cancel"}, "/jsonrpc"),
    "no version": ({"method": "session/cancel"}, "/jsonrpc"),
    "nothing in it": ({"jsonrpc": "2.0"}, ""),
    "a method that is no string": ({"jsonrpc": "2.0", "method": 5}, "/method"),
    "a result without an id": ({"jsonrpc": "2.0", "result": {}}, "/id"),
    "an error without an id": ({"jsonrpc": "2.0", "error": {"code": 1, "message": ""}}, "/id"),
    "an answer with an id of nobody": (result(77, {}), "/id"),
    "an error with an id of nobody": (error(77, 1, "x"), "/id"),
    "an error for nobody": (error(None, -32600, "what?"), "/id"),
    "an error that is none": ({"jsonrpc": "2.0", "id": None, "error": "what?"}, "/error"),
}


@both_clients
@pytest.mark.parametrize("sender", ["client", "agent"])
@pytest.mark.parametrize(("message", "path"), NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_is_reported_and_passed_over(client: str, sender: str, message: Any, path: str) -> None:
    spoken = talk(client)
    if sender == "client":
        spoken.client(message)
    else:
        spoken.agent(message)
    assert [(problem[0], problem[2]) for problem in spoken.problems()] == [(sender, path)]
    spoken.agent(PLAIN, to_client(PLAIN))
    assert spoken.is_silent()


@pytest.mark.parametrize("request_id", [True, False, 1.5, [], {}, [1]], ids=repr)
@pytest.mark.parametrize("sender", ["client", "agent"])
def test_an_id_that_is_none_is_not_repeated(request_id: Any, sender: str) -> None:
    """No answer could have it."""
    spoken = talk()
    message = request(request_id, "_vendor/ask", {})
    answer = error(None, -32600, ANY_TEXT, data={"code": "Malformed", "path": "/id", "message": ANY_TEXT})
    if sender == "client":
        spoken.client(message, to_client(answer))
    else:
        spoken.agent(message, to_agent(answer))
    assert spoken.problems() == [(sender, "Malformed", "/id")]


@pytest.mark.parametrize("request_id", [True, 1.5, [], {}], ids=repr)
def test_an_answer_with_an_id_that_is_none_answers_nothing(request_id: Any) -> None:
    spoken = talk()
    asked = request(1, "_vendor/ask", {})
    spoken.client(asked, to_agent(asked))
    spoken.agent(result(request_id, "wrong"))
    assert spoken.problems() == [("agent", "Malformed", "/id")]
    spoken.agent(result(1, "right"), to_client(result(1, "right")))


@both_clients
def test_unknown_methods_are_refused_and_unknown_notifications_dropped(client: str) -> None:
    spoken = talk(client)
    spoken.client(request(1, "session/dance", {}), to_client(error(1, -32601, ANY_TEXT)))
    spoken.agent(request(1, "session/dance", {}), to_agent(error(1, -32601, ANY_TEXT)))
    # a method of the other side is none of this one
    spoken.client(request(2, "session/request_permission", {}), to_client(error(2, -32601, ANY_TEXT)))
    spoken.agent(request(2, "session/new", {"cwd": "/"}), to_agent(error(2, -32601, ANY_TEXT)))
    # nor is a notification that wants an answer, or a request that wants none
    spoken.client(request(3, "session/cancel", {"sessionId": "s"}), to_client(error(3, -32601, ANY_TEXT)))
    spoken.client(notification("session/new", {"cwd": "/"}))
    spoken.client(notification("session/dance", {}))
    spoken.agent(notification("$/progress", {}))
    expected = ["client", "agent", "client", "agent", "client", "client", "client", "agent"]
    assert spoken.problems() == [(sender, "UnknownVariant", "/method") for sender in expected]


def test_a_method_that_only_the_client_knows_is_not_there() -> None:
    spoken = talk()
    for request_id, (method, params) in enumerate(
        {
            "tool_call/cancel": {"sessionId": "s", "toolCallId": "t"},
            "terminal/cancel": {"sessionId": "s", "terminalId": "t"},
        }.items()
    ):
        spoken.client(request(request_id, method, params), to_client(error(request_id, -32601, ANY_TEXT)))
        assert spoken.problems() == [("client", "NoV1Equivalent", "/method")]


def test_methods_of_v1_are_unknown_in_the_newest_edition() -> None:
    spoken = talk()
    for request_id, method in enumerate(["session/load", "session/set_mode", "authenticate", "logout"]):
        spoken.client(request(request_id, method, {}), to_client(error(request_id, -32601, ANY_TEXT)))


@both_clients
def test_bad_params_are_refused(client: str) -> None:
    spoken = talk(client)
    for message, path in [
        (request(1, "session/new", {"cwd": 5, "mcpServers": []}), "/params/cwd"),
        (request(2, "session/new"), "/params/cwd"),
        (request(3, "session/prompt", {"sessionId": "s"}), "/params/prompt"),
        (request(4, "session/prompt", [1]), "/params"),
    ]:
        spoken.client_is_refused(message, "Malformed", path, -32602)
    spoken.client(notification("session/cancel", {}))
    assert spoken.problems() == [("client", "Malformed", "/params/sessionId")]
    spoken.agent(update("tool_call", toolCallId="t"))
    assert spoken.problems() == [("agent", "Malformed", "/params/update/title")]
    spoken.agent(update("later"))
    assert spoken.problems() == [("agent", "Malformed", "/params/update/sessionUpdate")]
    spoken.agent_is_refused(
        request(0, "session/request_permission", {"sessionId": "s", "options": OPTIONS}),
        "Malformed",
        "/params/toolCall",
        -32602,
    )
    # as if nothing had been
    spoken.agent(
        update("tool_call", toolCallId="t", title="T"),
        to_client(update("tool_call_update", toolCallId="t", title="T")),
    )
    assert spoken.is_silent()


def test_what_an_update_says_wrong_but_may_leave_out_is_lost() -> None:
    """Leniency of the agent's own edition, strict or not."""
    spoken = talk()
    spoken.agent(
        update("tool_call_update", toolCallId="t", title=5, status="completed"),
        to_client(update("tool_call_update", toolCallId="t", status="completed")),
    )
    assert spoken.losses() == [("Malformed", "/params/update/title")]
    assert spoken.problems() == []


@both_clients
@pytest.mark.parametrize("sender", ["client", "agent"])
def test_an_id_that_is_in_use_is_refused_and_the_first_request_goes_on(client: str, sender: str) -> None:
    spoken = talk(client)
    first, second = request(1, "_vendor/ask", {"n": 1}), request(1, "_vendor/ask", {"n": 2})
    if sender == "client":
        spoken.client(first, to_agent(first))
        spoken.client_is_refused(second, "UnknownVariant", "/id")
        spoken.agent(result(1, "first"), to_client(result(1, "first")))
        spoken.client(second, to_agent(second))
    else:
        spoken.agent(first, to_client(first))
        spoken.agent_is_refused(second, "UnknownVariant", "/id")
        spoken.client(result(1, "first"), to_agent(result(1, "first")))
        spoken.agent(second, to_client(second))


def test_a_prompt_with_an_id_in_use_starts_no_work() -> None:
    spoken = talk()
    prompt(spoken, 1)
    spoken.client_is_refused(
        request(1, "session/prompt", {"sessionId": "s", "prompt": [text("again")]}), "UnknownVariant", "/id"
    )
    spoken.agent(
        result(1, {"stopReason": "end_turn"}), to_client(update("state_update", state="idle", stopReason="end_turn"))
    )


def test_both_sides_count_for_themselves() -> None:
    spoken = talk()
    listing = request(0, "session/list", {})
    spoken.client(listing, to_agent(listing))
    ask(spoken, 0)
    spoken.agent(result(0, {"sessions": []}), to_client(result(0, {"sessions": []})))
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    # text and number are two ids
    for request_id in (1, "1"):
        asked = request(request_id, "session/list", {})
        spoken.client(asked, to_agent(asked))
    for request_id in ("1", 1):
        spoken.agent(result(request_id, {"sessions": []}), to_client(result(request_id, {"sessions": []})))
    assert spoken.is_silent()


def test_an_id_of_null_cannot_be_answered() -> None:
    """June and v1 allow it in requests; nobody could tell what the answer belongs to."""
    spoken = talk(JUNE)
    spoken.client_is_refused(request(None, "session/list", {}), "UnknownVariant", "/id", -32600)
    spoken.agent_is_refused(request(None, "_vendor/ask", {}), "UnknownVariant", "/id", -32600)


@both_clients
def test_a_result_that_does_not_decode_fails_the_request(client: str) -> None:
    spoken = talk(client)
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(result(1, {"sessionId": 5}), to_client(refusal(1, "Malformed", "/result/sessionId")))
    assert spoken.problems() == [("agent", "Malformed", "/result/sessionId")]
    # it is answered now
    spoken.agent(result(1, {"sessionId": "s"}))
    assert spoken.problems() == [("agent", "Malformed", "/id")]
    open_session(spoken, told=[])


def test_both_a_result_and_an_error_fail_the_request() -> None:
    spoken = talk()
    asked = request(1, "_vendor/ask", {})
    spoken.client(asked, to_agent(asked))
    spoken.agent({**result(1, 1), "error": {"code": 1, "message": "x"}}, to_client(refusal(1, "Malformed", "")))


def test_an_error_that_does_not_decode_fails_the_request() -> None:
    spoken = talk()
    asked = request(1, "_vendor/ask", {})
    spoken.client(asked, to_agent(asked))
    spoken.agent(
        {"jsonrpc": "2.0", "id": 1, "error": {"code": "many"}}, to_client(refusal(1, "Malformed", "/error/code"))
    )


@pytest.mark.parametrize("bad", [{}, {"stopReason": "bored"}, None, [1]], ids=repr)
def test_a_prompt_that_ends_badly_ends_nevertheless(bad: Any) -> None:
    """Its client has an answer already and waits for the end of the work; the next prompt works as ever."""
    spoken = talk()
    prompt(spoken, 1)
    path = "/result/stopReason" if isinstance(bad, dict) else "/result"
    why = refusal(1, "Malformed", path)["error"]
    spoken.agent(result(1, bad), to_client(update("state_update", state="idle", stopReason="error", error=why)))
    assert spoken.problems() == [("agent", "Malformed", path)]
    prompt(spoken, 2)
    spoken.agent(
        result(2, {"stopReason": "end_turn"}), to_client(update("state_update", state="idle", stopReason="end_turn"))
    )


def test_a_decision_that_does_not_decode_is_none_and_does_not_wait_any_more() -> None:
    spoken = talk()
    ask(spoken)
    spoken.client(result(0, {"outcome": 5}), to_agent(refusal(0, "Malformed", "/result/outcome")))
    assert spoken.problems() == [("client", "Malformed", "/result/outcome")]
    cancel = notification("session/cancel", {"sessionId": "s"})
    spoken.client(cancel, to_agent(cancel))
    assert spoken.is_silent()


STRAY: dict[str, Any] = {"toolCallId": [], "messageId": {}, "sessionId": [1]}


@pytest.mark.parametrize("name", STRAY)
def test_fields_of_other_messages_mean_nothing(name: str) -> None:
    """An update or a result may have any field that its definition does not name."""
    spoken = talk()
    stray = {name: STRAY[name]}
    spoken.agent(
        update("plan", entries=[], **stray),
        to_client(update("plan_update", plan={"type": "items", "planId": "main", "entries": []}, **stray)),
    )
    resume = request(1, "session/resume", {"sessionId": "s", "cwd": "/p"})
    spoken.client(resume, to_agent(resume))
    spoken.agent(
        result(1, {"configOptions": [], **stray}),
        to_client(result(1, {"configOptions": [], **stray})),
        to_client(update("state_update", state="idle")),
    )


def test_er_2_the_error_says_what_the_problem_says() -> None:
    bridge = Bridge(client="v2", agent="v1")
    asked = request(0, "session/request_permission", {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []})
    ((destination, answer),) = bridge.from_agent(asked)
    (problem,) = bridge.problems
    assert destination == "agent"
    assert answer["error"]["code"] == -32603
    assert answer["error"]["data"] == {"code": problem.code, "path": problem.path, "message": problem.message}
    assert problem.message
    assert problem.raw == asked


# ------------------------------------------------------------------------------------------------------------ ownership


def test_messages_stay_as_they_came() -> None:
    bridge = Bridge(client="v2", agent="v1", lossy=True)
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    opened = result(1, {"sessionId": "s", "modes": copy.deepcopy(MODES), "configOptions": [select_option()]})
    first = update("tool_call", toolCallId="t", title="T", content=[content("a"), TERMINAL], _meta={"a": 1})
    again = update("tool_call", toolCallId="t", title="T")
    before = copy.deepcopy([new, opened, first, again])
    bridge.from_client(new)
    for message in (opened, first, again):
        bridge.from_agent(message)
    assert [new, opened, first, again] == before


def test_what_the_caller_does_with_messages_later_does_not_matter() -> None:
    """Neither what came in nor what went out belongs to the bridge."""
    bridge = Bridge(client="v2", agent="v1")
    bridge.from_client(request(1, "session/new", {"cwd": "/p", "mcpServers": []}))
    opened = result(1, {"sessionId": "s", "modes": copy.deepcopy(MODES), "configOptions": [select_option()]})
    ((_, told),) = bridge.from_agent(opened)
    opened["result"]["modes"]["availableModes"].clear()
    opened["result"]["configOptions"].clear()
    told["result"]["configOptions"].clear()
    Conversation(bridge).agent(
        update("current_mode_update", currentModeId="code"),
        to_client(update("config_option_update", configOptions=[select_option("configId"), mode_option("code")])),
    )


# ------------------------------------------------------------------------------------------------ earlier and later news


def test_sl_4_options_that_came_as_an_update_are_newer_than_the_result() -> None:
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    later = {"id": "later", "name": "L", "type": "boolean", "currentValue": True}
    told = {**{key: value for key, value in later.items() if key != "id"}, "configId": "later"}
    spoken.agent(
        update("config_option_update", configOptions=[later]),
        to_client(update("config_option_update", configOptions=[told])),
    )
    spoken.agent(
        result(1, {"sessionId": "s", "configOptions": []}),
        to_client(result(1, {"sessionId": "s", "configOptions": [told]})),
    )


def test_sl_2_a_session_that_is_told_again_has_messages_of_its_own() -> None:
    """The client begins with nothing: what is replayed must not get the id of something that it heard before."""
    bridge = Bridge(client="v2", agent="v1")
    chunk = update("agent_message_chunk", content={"type": "text", "text": "a"})
    ((_, first),) = bridge.from_agent(chunk)
    replay = {"sessionId": "s", "cwd": "/p", "mcpServers": [], "replayFrom": {"type": "start"}}
    ((_, passed),) = bridge.from_client(request(1, "session/resume", replay))
    assert passed["method"] == "session/load"
    ((_, again),) = bridge.from_agent(chunk)
    assert again["params"]["update"]["messageId"] != first["params"]["update"]["messageId"]
