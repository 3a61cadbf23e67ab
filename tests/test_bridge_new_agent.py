"""The bridge with a client of v1 and a newer agent: the rules that need the session so far, and faults.

Rule names are those of the conversion rules. Where nothing else is said, the agent is of the newest edition.
"""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import pytest
from support import ROOT
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
VECTORS = ROOT.parent / "shared" / "vectors" / "vectors.json"
PROFILES = {"npm-2.4.0": "v2", "june-2026": JUNE}

OPTIONS = [
    {"optionId": "yes", "name": "Do it", "kind": "allow_once"},
    {"optionId": "no", "name": "Leave it", "kind": "reject_once"},
]
CANCELLED = {"outcome": {"outcome": "cancelled"}}
CHOSEN = {"outcome": {"outcome": "selected", "optionId": "yes"}}

both_agents = pytest.mark.parametrize("agent", ["v2", JUNE])
strict_and_lossy = pytest.mark.parametrize("lossy", [False, True], ids=["strict", "lossy"])


def talk(agent: str = "v2", *, lossy: bool = False) -> Conversation:
    """A conversation in which the session ``s`` has nothing to say yet."""
    return Conversation(Bridge(client="v1", agent=agent, lossy=lossy))


def prompt(spoken: Conversation, request_id: Any = "p", words: str = "go", session: str = "s") -> None:
    asked = request(request_id, "session/prompt", {"sessionId": session, "prompt": [text(words)]})
    spoken.client(asked, to_agent(asked))


def idle(reason: str, session: str = "s", **members: Any) -> dict[str, Any]:
    return update("state_update", session, state="idle", stopReason=reason, **members)


# --------------------------------------------------------------------------------------------------------- the vectors


def shared_vectors() -> list[dict[str, Any]]:
    if not VECTORS.exists():
        pytest.skip("../shared is not here: no vectors/vectors.json")
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    return [vector for vector in vectors if str(vector.get("mode")).startswith("bridge")]


def told(bridge: Bridge, item: dict[str, Any]) -> list[Any]:
    """What the client gets for one item of a vector: a session update, or a prompt of the client."""
    if item.get("from") == "v1-client":
        params = {"sessionId": "s", "prompt": [text("go")]}
        passed = bridge.from_client(request(item["id"], item["method"], params))
    else:
        params = {"sessionId": "s", "update": item}
        passed = bridge.from_agent(notification("session/update", params))
    messages = [message for destination, message in passed if destination == "client"]
    return [
        (
            message["params"]["update"]
            if "method" in message
            else {"to": "v1-client", "id": message["id"], "result": message["result"]}
        )
        for message in messages
    ]


def test_the_shared_vectors_of_the_bridge() -> None:
    vectors = shared_vectors()
    assert sorted(vector["id"] for vector in vectors) == ["C13", "C31", "C70"]
    for vector in vectors:
        assert (vector["direction"], vector["what"]) == ("v2->v1", "SessionUpdate"), vector["id"]
        agent = PROFILES[vector["profile"]]
        bridge = Bridge(client="v1", agent=agent, lossy=vector["mode"] == "bridge")
        for item in vector["prior"]:
            told(bridge, item)
        assert bridge.problems == [], vector["id"]
        outputs = told(bridge, vector["input"])
        if "error" in vector["expect"]:
            assert [problem.code for problem in bridge.problems] == [vector["expect"]["error"]], vector["id"]
            assert outputs == [], vector["id"]
        else:
            assert outputs == vector["expect"]["outputs"], vector["id"]
            assert bridge.problems == [], vector["id"]


# ------------------------------------------------------------------------------------------------ a whole conversation


@strict_and_lossy
def test_a_whole_conversation(lossy: bool) -> None:
    """Two turns, the second one cancelled while a question waits."""
    spoken = talk(lossy=lossy)
    spoken.client(
        request(
            0,
            "initialize",
            {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "1"}, "clientCapabilities": {}},
        ),
        to_agent(
            request(0, "initialize", {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}})
        ),
    )
    spoken.agent(
        result(
            0,
            {
                "protocolVersion": 2,
                "info": {"name": "a", "version": "2"},
                "capabilities": {"session": {"mcp": {"stdio": {}}, "prompt": {"image": {}}}},
            },
        ),
        to_client(
            result(
                0,
                {
                    "protocolVersion": 1,
                    "agentInfo": {"name": "a", "version": "2"},
                    "agentCapabilities": {
                        "loadSession": True,
                        "promptCapabilities": {"image": True},
                        "mcpCapabilities": {"sse": False},
                        "sessionCapabilities": {"list": {}, "resume": {}, "close": {}},
                        "auth": {},
                    },
                },
            )
        ),
    )
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        result(
            1,
            {
                "sessionId": "s",
                "configOptions": [],
                "availableCommands": [{"type": "command", "name": "go", "description": "Go"}],
            },
        ),
        to_client(result(1, {"sessionId": "s", "configOptions": []})),
        to_client(update("available_commands_update", availableCommands=[{"name": "go", "description": "Go"}])),
    )
    prompt(spoken, 2, "Update the greeting")
    spoken.agent(result(2, {"messageId": "u1"}))
    spoken.agent(update("user_message", messageId="u1", content=[text("Update the greeting")]))
    spoken.agent(update("state_update", state="running"))
    reply = update("agent_message_chunk", messageId="a1", content=text("On it."))
    spoken.agent(reply, to_client(reply))
    spoken.agent(
        update("tool_call_update", toolCallId="call-1", title="Edit", kind="edit"),
        to_client(update("tool_call", toolCallId="call-1", title="Edit", kind="edit")),
    )
    tool_call = {"toolCallId": "call-1", "title": "Edit"}
    spoken.agent(update("state_update", state="requires_action"))
    spoken.agent(
        request(
            0,
            "session/request_permission",
            {
                "sessionId": "s",
                "title": "Edit",
                "subject": {"type": "tool_call", "toolCall": tool_call},
                "options": OPTIONS,
            },
        ),
        to_client(
            request(0, "session/request_permission", {"sessionId": "s", "toolCall": tool_call, "options": OPTIONS})
        ),
    )
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    done = update("tool_call_update", toolCallId="call-1", status="completed")
    spoken.agent(done, to_client(done))
    spoken.agent(idle("end_turn"), to_client(result(2, {"stopReason": "end_turn"})))

    prompt(spoken, 3, "Wait")
    spoken.agent(update("state_update", state="running"))
    spoken.agent(result(3, {"messageId": "u2"}))
    cancel = notification("session/cancel", {"sessionId": "s"})
    spoken.client(cancel, to_agent(cancel))
    spoken.agent(idle("cancelled"), to_client(result(3, {"stopReason": "cancelled"})))
    assert spoken.is_silent()


def test_a_whole_turn_of_a_june_agent() -> None:
    spoken = talk(JUNE)
    prompt(spoken, 2)
    reply = update("agent_message_chunk", messageId="a1", content=text("On it."))
    spoken.agent(reply, to_client(reply))
    asked = request(
        0,
        "session/request_permission",
        {"sessionId": "s", "toolCall": {"toolCallId": "t", "title": "Edit"}, "options": OPTIONS},
    )
    spoken.agent(asked, to_client(asked))
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    entry = {"content": "x", "priority": "low", "status": "pending"}
    spoken.agent(
        update("plan_update", plan={"type": "items", "id": "main", "entries": [entry]}),
        to_client(update("plan", entries=[entry])),
    )
    spoken.agent(result(2, {"stopReason": "max_tokens"}), to_client(result(2, {"stopReason": "max_tokens"})))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------------------ tool calls: TC


@both_agents
@strict_and_lossy
def test_tc_3_the_first_report_with_a_title_creates_the_tool_call(agent: str, lossy: bool) -> None:
    spoken = talk(agent, lossy=lossy)
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="Read", kind="read"),
        to_client(update("tool_call", toolCallId="t", title="Read", kind="read")),
    )
    for again in (
        update("tool_call_update", toolCallId="t", title="Read more"),
        update("tool_call_update", toolCallId="t", status="completed"),
    ):
        spoken.agent(again, to_client(again))
    assert spoken.is_silent()


@both_agents
def test_tc_3_without_a_title_it_is_an_update(agent: str) -> None:
    """And stays one: creating the tool call later would take back what was said."""
    spoken = talk(agent)
    for told_so_far in (
        update("tool_call_update", toolCallId="t", status="in_progress"),
        update("tool_call_update", toolCallId="t", title="Read"),
    ):
        spoken.agent(told_so_far, to_client(told_so_far))


def test_tc_3_each_session_has_its_own_tool_calls() -> None:
    spoken = talk()
    for session in ("one", "two"):
        spoken.agent(
            update("tool_call_update", session, toolCallId="t", title="Read"),
            to_client(update("tool_call", session, toolCallId="t", title="Read")),
        )


@both_agents
def test_tc_3_a_question_may_be_the_first_report(agent: str) -> None:
    """What the client heard with it must not be taken back by creating the tool call again."""
    spoken = talk(agent)
    tool_call = {"toolCallId": "t", "title": "Edit", "content": [content("a")]}
    about = {"title": "Edit", "subject": {"type": "tool_call", "toolCall": tool_call}}
    asked = {"sessionId": "s", "options": OPTIONS}
    spoken.agent(
        request(0, "session/request_permission", {**asked, **(about if agent == "v2" else {"toolCall": tool_call})}),
        to_client(request(0, "session/request_permission", {**asked, "toolCall": tool_call})),
    )
    again = update("tool_call_update", toolCallId="t", title="Edit it")
    spoken.agent(again, to_client(again))


@both_agents
@strict_and_lossy
def test_tc_4_cleared_kind_and_status_are_those_of_a_new_tool_call(agent: str, lossy: bool) -> None:
    spoken = talk(agent, lossy=lossy)
    spoken.agent(
        update("tool_call_update", toolCallId="t", kind=None, status=None),
        to_client(update("tool_call_update", toolCallId="t", kind="other", status="pending")),
    )
    assert spoken.is_silent()


CLEARED = ["title", "name", "rawInput", "rawOutput"]


@pytest.mark.parametrize("name", CLEARED)
def test_tc_4_other_fields_cannot_be_cleared(name: str) -> None:
    cleared = update("tool_call_update", toolCallId="t", status="failed", **{name: None})
    spoken = talk()
    spoken.agent(cleared)
    assert spoken.problems() == [("agent", "UnrepresentableClear", f"/params/update/{name}")]
    spoken = talk(lossy=True)
    spoken.agent(cleared, to_client(update("tool_call_update", toolCallId="t", status="failed")))
    assert spoken.losses() == [("UnrepresentableClear", f"/params/update/{name}")]


@both_agents
@strict_and_lossy
def test_tc_5_cleared_lists_are_empty(agent: str, lossy: bool) -> None:
    spoken = talk(agent, lossy=lossy)
    spoken.agent(
        update("tool_call_update", toolCallId="t", content=None, locations=None),
        to_client(update("tool_call_update", toolCallId="t", content=[], locations=[])),
    )
    assert spoken.is_silent()


@pytest.mark.parametrize(
    ("status", "code"),
    [("cancelled", "NoV1Equivalent"), ("paused", "NoV1Equivalent"), ("_later", "UnknownVariant")],
)
def test_tc_7_a_status_that_v1_has_not(status: str, code: str) -> None:
    spoken = talk()
    told_so = update("tool_call_update", toolCallId="t", status=status, content=[])
    spoken.agent(told_so)
    assert spoken.problems() == [("agent", code, "/params/update/status")]
    spoken = talk(lossy=True)
    spoken.agent(told_so, to_client(update("tool_call_update", toolCallId="t", content=[])))
    assert spoken.losses() == [(code, "/params/update/status")]


@both_agents
@strict_and_lossy
def test_tc_8_chunks_add_up(agent: str, lossy: bool) -> None:
    spoken = talk(agent, lossy=lossy)
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="Run", content=[content("a")]),
        to_client(update("tool_call", toolCallId="t", title="Run", content=[content("a")])),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("b")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a"), content("b")])),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("b")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a"), content("b"), content("b")])),
    )
    # the whole replaces what was streamed, and the next chunk goes after that
    spoken.agent(
        update("tool_call_update", toolCallId="t", content=[content("c")]),
        to_client(update("tool_call_update", toolCallId="t", content=[content("c")])),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("d")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("c"), content("d")])),
    )
    assert spoken.is_silent()


@both_agents
def test_tc_8_a_chunk_may_be_the_first_report(agent: str) -> None:
    spoken = talk(agent)
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("a")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a")])),
    )


def test_tc_8_a_question_shows_the_content_of_its_tool_call_and_adds_to_it() -> None:
    spoken = talk()
    tool_call = {"toolCallId": "t", "title": "Edit", "content": [content("a")]}
    asked = {"sessionId": "s", "options": OPTIONS}
    spoken.agent(
        request(
            0,
            "session/request_permission",
            {**asked, "title": "Edit", "subject": {"type": "tool_call", "toolCall": tool_call}},
        ),
        to_client(request(0, "session/request_permission", {**asked, "toolCall": tool_call})),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("b")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a"), content("b")])),
    )


def test_tc_10_controls_of_a_tool_call_are_lost() -> None:
    able = update("tool_call_update", toolCallId="t", status="failed", capabilities={"cancel": {}})
    spoken = talk()
    spoken.agent(able)
    assert spoken.problems() == [("agent", "UnrepresentableField", "/params/update/capabilities")]
    spoken = talk(lossy=True)
    spoken.agent(able, to_client(update("tool_call_update", toolCallId="t", status="failed")))
    assert spoken.losses() == [("UnrepresentableField", "/params/update/capabilities")]


NEW_DIFF = {"type": "diff", "changes": [{"operation": "add", "path": "/a"}]}


def test_ct_6_a_diff_without_texts_is_lost() -> None:
    spoken = talk()
    spoken.agent(update("tool_call_update", toolCallId="t", content=[content("a"), NEW_DIFF]))
    assert spoken.problems() == [("agent", "NoV1Equivalent", "/params/update/content/1/type")]
    spoken = talk(lossy=True)
    spoken.agent(
        update("tool_call_update", toolCallId="t", content=[content("a"), NEW_DIFF]),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a")])),
    )
    assert spoken.losses() == [("NoV1Equivalent", "/params/update/content/1")]


@strict_and_lossy
def test_ct_6_a_diff_of_june_is_that_of_v1(lossy: bool) -> None:
    spoken = talk(JUNE, lossy=lossy)
    diff = {"type": "diff", "path": "/a", "oldText": "1", "newText": "2"}
    told_so = update("tool_call_update", toolCallId="t", content=[diff])
    spoken.agent(told_so, to_client(told_so))
    assert spoken.is_silent()


# ---------------------------------------------------------------------------------------------------- terminals: CT-8


def encoded(output: bytes | str) -> str:
    return base64.b64encode(output.encode() if isinstance(output, str) else output).decode()


def output_chunk(output: bytes | str, terminal: str = "term") -> dict[str, Any]:
    return update("terminal_output_chunk", terminalId=terminal, data=encoded(output))


TERMINAL = {"type": "terminal", "terminalId": "term"}


@strict_and_lossy
def test_ct_8_a_terminal_is_the_text_that_it_shows(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    spoken.agent(update("terminal_update", terminalId="term", command="make"))  # nobody shows it yet
    spoken.agent(output_chunk("one\n"))
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="Build", content=[content("a"), TERMINAL]),
        to_client(update("tool_call", toolCallId="t", title="Build", content=[content("a"), content("one\n")])),
    )
    spoken.agent(
        output_chunk("two\n"),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a"), content("one\ntwo\n")])),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("b")),
        to_client(
            update("tool_call_update", toolCallId="t", content=[content("a"), content("one\ntwo\n"), content("b")])
        ),
    )
    assert spoken.is_silent()


def test_ct_8_a_terminal_that_nobody_has_heard_of_is_empty() -> None:
    spoken = talk()
    spoken.agent(
        update("tool_call_update", toolCallId="t", content=[TERMINAL]),
        to_client(update("tool_call_update", toolCallId="t", content=[content("")])),
    )
    spoken.agent(output_chunk("x"), to_client(update("tool_call_update", toolCallId="t", content=[content("x")])))


def test_ct_8_a_chunk_may_bring_the_terminal() -> None:
    spoken = talk()
    spoken.agent(output_chunk("x"))
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=TERMINAL),
        to_client(update("tool_call_update", toolCallId="t", content=[content("x")])),
    )


def test_ct_8_a_question_shows_its_terminal_too() -> None:
    spoken = talk()
    spoken.agent(output_chunk("x"))
    asked = {"sessionId": "s", "options": OPTIONS}
    tool_call = {"toolCallId": "t", "title": "Run"}
    spoken.agent(
        request(
            0,
            "session/request_permission",
            {
                **asked,
                "title": "Run",
                "subject": {"type": "tool_call", "toolCall": {**tool_call, "content": [TERMINAL]}},
            },
        ),
        to_client(
            request(0, "session/request_permission", {**asked, "toolCall": {**tool_call, "content": [content("x")]}})
        ),
    )


def test_ct_8_a_snapshot_takes_the_place_of_all_output() -> None:
    spoken = talk()
    spoken.agent(output_chunk("long gone"))
    spoken.agent(
        update("tool_call_update", toolCallId="t", content=[TERMINAL]),
        to_client(update("tool_call_update", toolCallId="t", content=[content("long gone")])),
    )
    for output, shown in [({"data": encoded("tail")}, "tail"), (None, "")]:
        spoken.agent(
            update("terminal_update", terminalId="term", output=output),
            to_client(update("tool_call_update", toolCallId="t", content=[content(shown)])),
        )
    spoken.agent(output_chunk("new"), to_client(update("tool_call_update", toolCallId="t", content=[content("new")])))


def test_ct_8_every_tool_call_that_shows_the_terminal_is_told() -> None:
    spoken = talk()
    for key in ("t", "u"):
        spoken.agent(
            update("tool_call_update", toolCallId=key, content=[TERMINAL, TERMINAL]),
            to_client(update("tool_call_update", toolCallId=key, content=[content(""), content("")])),
        )
    spoken.agent(
        output_chunk("x"),
        to_client(update("tool_call_update", toolCallId="t", content=[content("x"), content("x")])),
        to_client(update("tool_call_update", toolCallId="u", content=[content("x"), content("x")])),
    )
    # one that shows it no longer is not
    spoken.agent(
        update("tool_call_update", toolCallId="u", content=[]),
        to_client(update("tool_call_update", toolCallId="u", content=[])),
    )
    spoken.agent(
        output_chunk("y"),
        to_client(update("tool_call_update", toolCallId="t", content=[content("xy"), content("xy")])),
    )
    spoken.agent(output_chunk("z", "another terminal"))


SHOWN: dict[str, tuple[list[bytes], str]] = {
    "plain": ([b"a\n", b"b\tc\n"], "a\nb\tc\n"),
    "split characters": (["€uro".encode()[:1], "€uro".encode()[1:2], "€uro".encode()[2:]], "€uro"),
    "bytes that are no text": ([b"a\xffb"], "a\ufffdb"),
    "colours": ([b"\x1b[1;31mred\x1b[0m!"], "red!"),
    "a split colour": ([b"\x1b[1;3", b"1mred\x1b", b"[0m!"], "red!"),
    "cursor moves": ([b"\x1b[2J\x1b[1;1Hx\x1b[?25l"], "x"),
    "a title, ended by a bell": ([b"\x1b]0;title\x07x"], "x"),
    "a link, ended by a string terminator": ([b"\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\"], "link"),
    "a split title": ([b"\x1b]0;ti", b"tle\x1b", b"\\x"], "x"),
    "a character set": ([b"\x1b(Bx\x1b)0y"], "xy"),
    "a reset": ([b"\x1bcx\x1b7y\x1b8"], "xy"),
    "a device control string": ([b"\x1bP1$r0m\x1b\\x"], "x"),
    "eight-bit control sequences": (["\x9b31mred".encode()], "red"),
    "line ends of terminals": ([b"a\r\nb\r", b"\nc"], "a\nb\nc"),
    "a progress bar": ([b"10%\r", b"50%\r100%\ndone\n"], "100%\ndone\n"),
    "a carriage return at the end": ([b"10%\r"], "10%"),
    "bells and nulls": ([b"a\x07\x00b"], "ab"),
    "nothing": ([b""], ""),
}


@pytest.mark.parametrize(("chunks", "shown"), SHOWN.values(), ids=SHOWN)
def test_ct_8_escape_sequences_are_not_shown(chunks: list[bytes], shown: str) -> None:
    """However the output is cut: the client sees all of it at once."""
    whole = b"".join(chunks)
    for parts in (chunks, [whole], [whole[at : at + 1] for at in range(len(whole))]):
        spoken = talk()
        for part in parts:
            spoken.agent(output_chunk(part))
        spoken.agent(
            update("tool_call_update", toolCallId="t", content=[TERMINAL]),
            to_client(update("tool_call_update", toolCallId="t", content=[content(shown)])),
        )
        assert spoken.is_silent()


def test_ct_8_a_chunk_that_is_no_base64_changes_nothing() -> None:
    bridge = Bridge(client="v1", agent="v2")
    bridge.from_agent(output_chunk("x"))
    bridge.from_agent(update("terminal_output_chunk", terminalId="term", data="*"))
    Conversation(bridge).agent(
        update("tool_call_update", toolCallId="t", content=[TERMINAL]),
        to_client(update("tool_call_update", toolCallId="t", content=[content("x")])),
    )


# ------------------------------------------------------------------------------------------------------- messages: MS

WHOLE = {
    "user_message": "user_message_chunk",
    "agent_message": "agent_message_chunk",
    "agent_thought": "agent_thought_chunk",
}
every_message = pytest.mark.parametrize(("tag", "chunk"), WHOLE.items(), ids=WHOLE)


@both_agents
@strict_and_lossy
@every_message
def test_ms_4_a_whole_message_is_a_chunk_a_block(agent: str, lossy: bool, tag: str, chunk: str) -> None:
    spoken = talk(agent, lossy=lossy)
    spoken.agent(
        update(tag, messageId="m", content=[text("a"), text("b")], _meta={"k": 1}),
        *[to_client(update(chunk, messageId="m", content=text(words), _meta={"k": 1})) for words in "ab"],
    )
    assert spoken.is_silent()


@both_agents
@every_message
def test_ms_4_more_of_the_same_is_what_is_new(agent: str, tag: str, chunk: str) -> None:
    """After chunks the whole repeats what the client has."""
    spoken = talk(agent)
    first = update(chunk, messageId="m", content=text("a"))
    spoken.agent(first, to_client(first))
    spoken.agent(update(tag, messageId="m", content=[text("a")]))
    spoken.agent(
        update(tag, messageId="m", content=[text("a"), text("b")]),
        to_client(update(chunk, messageId="m", content=text("b"))),
    )
    last = update(chunk, messageId="m", content=text("c"))
    spoken.agent(last, to_client(last))
    spoken.agent(update(tag, messageId="m", content=[text("a"), text("b"), text("c")]))
    assert spoken.is_silent()


NOTHING: dict[str, dict[str, Any]] = {"omitted": {}, "null": {"content": None}, "empty": {"content": []}}


@both_agents
@every_message
@pytest.mark.parametrize("members", NOTHING.values(), ids=NOTHING)
def test_ms_5_a_message_without_content_does_not_vanish_silently(
    agent: str, tag: str, chunk: str, members: dict[str, Any]
) -> None:
    spoken = talk(agent)
    said = update(chunk, messageId="m", content=text("a"))
    spoken.agent(said, to_client(said))
    spoken.agent(update(tag, messageId="m", **members))
    place = "/params/update/content" if members else "/params/update"
    assert spoken.problems() == [("agent", "UnrepresentableClear", place)]
    spoken = talk(agent, lossy=True)
    spoken.agent(update(tag, messageId="m", **members))
    assert spoken.problems() == []
    assert spoken.losses() == [("UnrepresentableClear", "/params")]


def test_ms_5_cleared_metadata() -> None:
    cleared = update("agent_message", messageId="m", content=[text("a")], _meta=None)
    spoken = talk()
    spoken.agent(cleared)
    assert spoken.problems() == [("agent", "UnrepresentableClear", "/params/update/_meta")]
    spoken = talk(lossy=True)
    spoken.agent(cleared, to_client(update("agent_message_chunk", messageId="m", content=text("a"))))
    assert spoken.losses() == [("UnrepresentableClear", "/params/update/_meta")]


@every_message
def test_ms_5_metadata_for_content_that_the_client_has_does_not_vanish_silently(tag: str, chunk: str) -> None:
    said = update(chunk, messageId="m", content=text("a"))
    spoken = talk()
    spoken.agent(said, to_client(said))
    spoken.agent(update(tag, messageId="m", content=[text("a")], _meta={"k": 1}))
    assert [(problem[0], problem[2]) for problem in spoken.problems()] == [("agent", "/params/update/_meta")]


@both_agents
@every_message
def test_ms_6_replaced_content_is_another_message(agent: str, tag: str, chunk: str) -> None:
    """With an id of its own, to which later chunks belong as well."""
    spoken = talk(agent, lossy=True)
    said = update(chunk, messageId="m", content=text("a"))
    spoken.agent(said, to_client(said))
    spoken.agent(
        update(tag, messageId="m", content=[text("b"), text("c")]),
        *[to_client(update(chunk, messageId="<fresh>", content=text(words))) for words in "bc"],
    )
    assert spoken.losses() == [("NeedsState", "/params/update/content")]
    spoken.agent(
        update(chunk, messageId="m", content=text("d")),
        to_client(update(chunk, messageId="<fresh>", content=text("d"))),
    )
    spoken.agent(
        update(tag, messageId="m", content=[text("b"), text("c"), text("d"), text("e")]),
        to_client(update(chunk, messageId="<fresh>", content=text("e"))),
    )
    assert spoken.is_silent()
    spoken.agent(
        update(tag, messageId="m", content=[text("f")]),
        to_client(update(chunk, messageId="<fresher>", content=text("f"))),
    )
    assert spoken.losses() == [("NeedsState", "/params/update/content")]


@both_agents
@every_message
def test_ms_6_strictly_content_cannot_be_replaced(agent: str, tag: str, chunk: str) -> None:
    spoken = talk(agent)
    said = update(chunk, messageId="m", content=text("a"))
    spoken.agent(said, to_client(said))
    spoken.agent(update(tag, messageId="m", content=[text("b")]))
    assert spoken.problems() == [("agent", "NeedsState", "/params/update/content")]
    # the client still has the first, and can be told more
    more = update(chunk, messageId="m", content=text("c"))
    spoken.agent(more, to_client(more))
    assert spoken.is_silent()


def test_one_id_may_name_messages_of_different_kinds() -> None:
    spoken = talk()
    for tag, chunk in WHOLE.items():
        spoken.agent(
            update(tag, messageId="m", content=[text(tag)]),
            to_client(update(chunk, messageId="m", content=text(tag))),
        )
    assert spoken.is_silent()


def test_ms_7_metadata_of_the_notification_is_on_each() -> None:
    spoken = talk()
    said = {"sessionUpdate": "agent_message", "messageId": "m", "content": [text("a"), text("b")]}
    spoken.agent(
        notification("session/update", {"sessionId": "s", "update": said, "_meta": {"trace": 1}}),
        *[
            to_client(
                notification(
                    "session/update",
                    {
                        "sessionId": "s",
                        "update": {
                            "sessionUpdate": "agent_message_chunk",
                            "messageId": "m",
                            "content": text(words),
                        },
                        "_meta": {"trace": 1},
                    },
                )
            )
            for words in "ab"
        ],
    )


def test_ms_7_metadata_of_the_notification_stays_where_content_adds_up() -> None:
    spoken = talk()
    chunk = {"sessionUpdate": "tool_call_content_chunk", "toolCallId": "t", "content": content("a")}
    whole = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": [content("a")]}
    spoken.agent(
        notification("session/update", {"sessionId": "s", "update": chunk, "_meta": {"trace": 1}}),
        to_client(notification("session/update", {"sessionId": "s", "update": whole, "_meta": {"trace": 1}})),
    )


@both_agents
def test_ct_2_an_unknown_block(agent: str) -> None:
    said = update("agent_message_chunk", messageId="m", content={"type": "hologram"})
    spoken = talk(agent)
    spoken.agent(said)
    assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/content/type")]
    spoken = talk(agent, lossy=True)
    spoken.agent(said)
    assert spoken.losses() == [("UnknownVariant", "/params")]
    # what the client did not get is not taken for delivered
    spoken.agent(
        update("agent_message", messageId="m", content=[{"type": "hologram"}, text("a")]),
        to_client(update("agent_message_chunk", messageId="m", content=text("a"))),
    )
    assert spoken.losses() == [("UnknownVariant", "/params/update/content/0")]


# --------------------------------------------------------------------------------- modes, options, sessions: MD, SL, IN


def mode_option(current: str, key: str = "configId", **members: Any) -> dict[str, Any]:
    return {
        key: "the-mode",
        "name": "Mode",
        "category": "mode",
        "type": "select",
        "currentValue": current,
        "options": [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}],
        **members,
    }


def key_of(agent: str) -> str:
    return "configId" if agent == "v2" else "id"


def open_session(spoken: Conversation, agent: str = "v2") -> None:
    new = request("new", "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        result("new", {"sessionId": "s", "configOptions": [mode_option("ask", key_of(agent))]}),
        to_client(result("new", {"sessionId": "s", "configOptions": [mode_option("ask", "id")]})),
    )


@both_agents
@strict_and_lossy
def test_md_3_setting_the_mode_sets_the_option(agent: str, lossy: bool) -> None:
    """The result of setting a mode says nothing, so an update tells what the options are now."""
    spoken = talk(agent, lossy=lossy)
    open_session(spoken, agent)
    typed = {"type": "id"} if agent == "v2" else {}
    spoken.client(
        request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(
            request(
                1, "session/set_config_option", {"sessionId": "s", "configId": "the-mode", "value": "code", **typed}
            )
        ),
    )
    spoken.agent(
        result(1, {"configOptions": [mode_option("code", key_of(agent))]}),
        to_client(result(1, {})),
        to_client(update("config_option_update", configOptions=[mode_option("code", "id")])),
    )
    assert spoken.is_silent()


@both_agents
@strict_and_lossy
def test_md_3_without_an_option_for_modes_there_is_nothing_to_set(agent: str, lossy: bool) -> None:
    talk(agent, lossy=lossy).client_is_refused(
        request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"}), "NeedsState", "/params/modeId"
    )


def test_md_3_the_option_may_come_and_go_with_an_update() -> None:
    spoken = talk()
    spoken.agent(
        update("config_option_update", configOptions=[mode_option("ask")]),
        to_client(update("config_option_update", configOptions=[mode_option("ask", "id")])),
    )
    chosen = {"sessionId": "s", "configId": "the-mode", "type": "id", "value": "code"}
    spoken.client(
        request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(request(1, "session/set_config_option", chosen)),
    )
    spoken.agent(
        update("config_option_update", configOptions=[]), to_client(update("config_option_update", configOptions=[]))
    )
    spoken.client_is_refused(
        request(2, "session/set_mode", {"sessionId": "s", "modeId": "code"}), "NeedsState", "/params/modeId"
    )


def test_md_3_the_option_may_come_with_setting_another() -> None:
    spoken = talk()
    spoken.client(
        request(
            1, "session/set_config_option", {"sessionId": "s", "configId": "loud", "type": "boolean", "value": True}
        ),
        to_agent(
            request(
                1, "session/set_config_option", {"sessionId": "s", "configId": "loud", "type": "boolean", "value": True}
            )
        ),
    )
    spoken.agent(
        result(1, {"configOptions": [mode_option("ask")]}),
        to_client(result(1, {"configOptions": [mode_option("ask", "id")]})),
    )
    spoken.client(
        request(2, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(
            request(
                2,
                "session/set_config_option",
                {"sessionId": "s", "configId": "the-mode", "type": "id", "value": "code"},
            )
        ),
    )


def test_md_3_a_mode_that_the_agent_refuses() -> None:
    spoken = talk()
    open_session(spoken)
    spoken.client(
        request(1, "session/set_mode", {"sessionId": "s", "modeId": "x"}),
        to_agent(
            request(
                1, "session/set_config_option", {"sessionId": "s", "configId": "the-mode", "type": "id", "value": "x"}
            )
        ),
    )
    refused = error(1, -32602, "no such mode")
    spoken.agent(refused, to_client(refused))
    assert spoken.is_silent()


@both_agents
def test_md_4_a_mode_stays_a_config_option(agent: str) -> None:
    spoken = talk(agent)
    open_session(spoken, agent)
    spoken.agent(
        update("config_option_update", configOptions=[mode_option("code", key_of(agent))]),
        to_client(update("config_option_update", configOptions=[mode_option("code", "id")])),
    )
    assert spoken.is_silent()


COMMANDS = [
    {"type": "command", "name": "go", "description": "Go", "input": {"type": "text", "hint": "where"}},
    {"type": "command", "name": "stop", "description": "Stop"},
]
OLD_COMMANDS = [
    {"name": "go", "description": "Go", "input": {"hint": "where"}},
    {"name": "stop", "description": "Stop"},
]


@strict_and_lossy
@pytest.mark.parametrize(
    ("method", "passed_as", "extra"),
    [
        ("session/new", "session/new", {}),
        ("session/load", "session/resume", {"replayFrom": {"type": "start"}}),
        ("session/resume", "session/resume", {}),
    ],
)
def test_sl_4_commands_follow_the_result(lossy: bool, method: str, passed_as: str, extra: dict[str, Any]) -> None:
    spoken = talk(lossy=lossy)
    named = {} if method == "session/new" else {"sessionId": "s"}
    params = {"cwd": "/p", "mcpServers": [], **named}
    spoken.client(request(1, method, params), to_agent(request(1, passed_as, {**params, **extra})))
    opened = {"sessionId": "s"} if method == "session/new" else {}
    spoken.agent(
        result(1, {**opened, "configOptions": [], "availableCommands": COMMANDS}),
        to_client(result(1, {**opened, "configOptions": []})),
        to_client(update("available_commands_update", availableCommands=OLD_COMMANDS)),
    )
    assert spoken.is_silent()


def test_sl_4_without_commands_nothing_follows() -> None:
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    opened = result(1, {"sessionId": "s", "configOptions": []})
    spoken.agent(result(1, {**opened["result"], "availableCommands": []}), to_client(opened))


def test_sl_1_loading_replays_all_that_was_said() -> None:
    """A client that loads a session again starts with nothing, whatever went through the bridge before."""
    spoken = talk()
    message = update("agent_message", messageId="m", content=[text("a")])
    chunk = update("tool_call_content_chunk", toolCallId="t", content=content("x"))
    said = [to_client(update("agent_message_chunk", messageId="m", content=text("a")))]
    shown = [to_client(update("tool_call_update", toolCallId="t", content=[content("x")]))]
    spoken.agent(message, *said)
    spoken.agent(chunk, *shown)
    params = {"sessionId": "s", "cwd": "/p", "mcpServers": []}
    spoken.client(
        request(1, "session/load", params),
        to_agent(request(1, "session/resume", {**params, "replayFrom": {"type": "start"}})),
    )
    spoken.agent(message, *said)
    spoken.agent(chunk, *shown)
    spoken.agent(result(1, {"configOptions": []}), to_client(result(1, {"configOptions": []})))


def test_in_1_what_a_client_of_v1_offers_besides_is_lost() -> None:
    asked = {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "1"}}
    offered = {"fs": {"readTextFile": True}, "terminal": True}
    talk().client_is_refused(
        request(0, "initialize", {**asked, "clientCapabilities": offered}),
        "RemovedInV2",
        "/params/clientCapabilities/fs/readTextFile",
    )
    spoken = talk(lossy=True)
    spoken.client(
        request(0, "initialize", {**asked, "clientCapabilities": offered}),
        to_agent(request(0, "initialize", {"protocolVersion": 2, "info": asked["clientInfo"], "capabilities": {}})),
    )
    assert spoken.losses() == [
        ("RemovedInV2", "/params/clientCapabilities/fs/readTextFile"),
        ("RemovedInV2", "/params/clientCapabilities/terminal"),
    ]


@strict_and_lossy
def test_in_6_an_agent_without_sessions_is_none_for_v1(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    asked = {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "1"}, "clientCapabilities": {}}
    spoken.client(
        request(0, "initialize", asked),
        to_agent(request(0, "initialize", {"protocolVersion": 2, "info": asked["clientInfo"], "capabilities": {}})),
    )
    spoken.agent(
        result(0, {"protocolVersion": 2, "info": {"name": "a", "version": "1"}, "capabilities": {}}),
        to_client(refusal(0, "NoV1Equivalent", "/result/capabilities/session")),
    )
    assert spoken.problems() == [("agent", "NoV1Equivalent", "/result/capabilities/session")]


# ------------------------------------------------------------------------------------------------ notices, unknown: NC, UV

NOTICE = update("notice", severity="info", title="n", description="d")
COMPACTION = update("compaction_update", compactionId="c", status="completed", summary=[text("a")], _meta={"k": 1})
SUMMARY = update("compaction_summary_chunk", compactionId="c", content=text("b"))


def introduce(spoken: Conversation, session: dict[str, Any]) -> None:
    """A client that asks for these features of a session."""
    info = {"name": "c", "version": "1"}
    spoken.client(
        request(
            0, "initialize", {"protocolVersion": 1, "clientInfo": info, "clientCapabilities": {"session": session}}
        ),
        to_agent(request(0, "initialize", {"protocolVersion": 2, "info": info, "capabilities": {}})),
    )


@strict_and_lossy
def test_nc_1_a_client_that_asked_gets_notices_and_compactions(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    introduce(spoken, {"notices": {}, "compaction": {}})
    for message in (NOTICE, COMPACTION, SUMMARY):
        spoken.agent(message, to_client(message))
    assert spoken.is_silent()


@pytest.mark.parametrize(
    ("asked", "message"),
    [({"compaction": {}}, NOTICE), ({"notices": {}}, COMPACTION), ({"notices": {}}, SUMMARY)],
    ids=["notice", "compaction", "summary"],
)
def test_nc_1_a_client_that_asked_for_something_else_does_not(asked: dict[str, Any], message: dict[str, Any]) -> None:
    spoken = talk()
    introduce(spoken, asked)
    spoken.agent(message)
    assert spoken.problems() == [("agent", "NoV1Equivalent", "/params/update")]
    spoken = talk(lossy=True)
    introduce(spoken, asked)
    spoken.agent(message)
    assert (spoken.problems(), spoken.losses()) == ([], [("NoV1Equivalent", "/params/update")])


@pytest.mark.parametrize("message", [NOTICE, COMPACTION, SUMMARY], ids=["notice", "compaction", "summary"])
def test_nc_1_a_client_that_said_nothing_does_not(message: dict[str, Any]) -> None:
    spoken = talk()
    spoken.agent(message)
    assert spoken.problems() == [("agent", "NoV1Equivalent", "/params/update")]


def test_nc_1_a_deleted_key_of_a_compactions_metadata_cannot_be_said() -> None:
    spoken = talk()
    introduce(spoken, {"compaction": {}})
    spoken.agent(update("compaction_update", compactionId="c", status="completed", _meta={"k": None}))
    assert spoken.problems() == [("agent", "UnrepresentableClear", "/params/update/_meta/k")]


def test_nc_1_a_summary_that_v1_cannot_read_is_lost() -> None:
    unreadable = update("compaction_summary_chunk", compactionId="c", content={"type": "hologram"})
    spoken = talk()
    introduce(spoken, {"compaction": {}})
    spoken.agent(unreadable)
    assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/content/type")]
    spoken = talk(lossy=True)
    introduce(spoken, {"compaction": {}})
    spoken.agent(unreadable)
    assert spoken.problems() == []
    assert [loss[0] for loss in spoken.losses()] == ["UnknownVariant"]


@both_agents
@pytest.mark.parametrize("tag", ["_vendor", "later", "tool_call", "plan", "current_mode_update"])
def test_uv_1_an_unknown_update(agent: str, tag: str) -> None:
    spoken = talk(agent)
    spoken.agent(update(tag, toolCallId="t", title="T", entries=[]))
    assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/sessionUpdate")]
    spoken = talk(agent, lossy=True)
    spoken.agent(update(tag, toolCallId="t", title="T", entries=[]))
    assert (spoken.problems(), spoken.losses()) == ([], [("UnknownVariant", "/params")])


LATER_THAN_JUNE = [
    update("state_update"),
    update("state_update", state="idle", stopReason="end_turn"),
    NOTICE,
    update("notice"),
    COMPACTION,
    SUMMARY,
    update("terminal_update"),
    output_chunk("x"),
]


@strict_and_lossy
def test_uv_1_what_june_does_not_know_yet_is_unknown(lossy: bool) -> None:
    """Whatever it means to the newest edition, and whatever it contains."""
    spoken = talk(JUNE, lossy=lossy)
    prompt(spoken)
    for message in LATER_THAN_JUNE:
        spoken.agent(message)
        if lossy:
            assert (spoken.problems(), spoken.losses()) == ([], [("UnknownVariant", "/params")])
        else:
            assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/sessionUpdate")]
    spoken.agent(result("p", {"stopReason": "end_turn"}), to_client(result("p", {"stopReason": "end_turn"})))


# -------------------------------------------------------------------------------------------------------- prompts: PP

REASONS = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]


@pytest.mark.parametrize("reason", REASONS)
@strict_and_lossy
def test_pp_4_idle_answers_the_prompt(reason: str, lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    prompt(spoken)
    spoken.agent(result("p", {"messageId": "u"}))
    spoken.agent(idle(reason), to_client(result("p", {"stopReason": reason})))
    assert spoken.is_silent()


def test_pp_4_idle_may_come_before_the_prompt_is_accepted() -> None:
    spoken = talk()
    prompt(spoken)
    spoken.agent(idle("end_turn"), to_client(result("p", {"stopReason": "end_turn"})))
    spoken.agent(result("p", {"messageId": "u"}))
    assert spoken.is_silent()
    # nothing is left over for the next turn
    prompt(spoken, "q")
    spoken.agent(result("q", {"messageId": "u2"}))
    spoken.agent(idle("refusal"), to_client(result("q", {"stopReason": "refusal"})))


def test_pp_4_a_prompt_that_is_answered_cannot_fail() -> None:
    spoken = talk()
    prompt(spoken)
    spoken.agent(idle("end_turn"), to_client(result("p", {"stopReason": "end_turn"})))
    spoken.agent(error("p", -32000, "too late"))


def test_pp_4_without_a_reason() -> None:
    spoken = talk()
    prompt(spoken)
    spoken.agent(result("p", {"messageId": "u"}))
    done = update("state_update", state="idle")
    spoken.agent(done, to_client(refusal("p", "MissingRequired", "/params/update/stopReason")))
    assert spoken.problems() == [("agent", "MissingRequired", "/params/update/stopReason")]
    spoken = talk(lossy=True)
    prompt(spoken)
    spoken.agent(result("p", {"messageId": "u"}))
    spoken.agent(done, to_client(result("p", {"stopReason": "end_turn"})))
    assert spoken.losses() == [("MissingRequired", "/params/update/stopReason")]


@strict_and_lossy
def test_pp_5_other_states_say_nothing(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    states = [
        update("state_update", state="running"),
        update("state_update", state="requires_action"),
        update("state_update", state="_dreaming", until=5),
    ]
    for state in [*states, update("state_update", state="idle"), idle("end_turn")]:
        spoken.agent(state)
    # a snapshot of the time before the prompt does not answer it
    prompt(spoken)
    spoken.agent(update("state_update", state="idle"))
    for state in states:
        spoken.agent(state)
    spoken.agent(idle("end_turn"), to_client(result("p", {"stopReason": "end_turn"})))
    # nor does a repeated snapshot answer twice
    spoken.agent(idle("end_turn"))
    assert spoken.is_silent()


def test_pp_6_an_error_answers_the_prompt() -> None:
    spoken = talk()
    prompt(spoken)
    why = {"code": -32000, "message": "log in first", "data": {"k": 1}}
    spoken.agent(idle("error", error=why), to_client({"jsonrpc": "2.0", "id": "p", "error": why}))
    prompt(spoken, "q")
    spoken.agent(idle("error"), to_client(error("q", -32603, ANY_TEXT)))
    assert spoken.is_silent()


@strict_and_lossy
def test_pp_7_an_unknown_reason_answers_with_an_error(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    prompt(spoken)
    spoken.agent(idle("_bored"), to_client(refusal("p", "UnknownVariant", "/params/update/stopReason")))
    assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/stopReason")]
    prompt(spoken, "q")
    spoken.agent(idle("end_turn"), to_client(result("q", {"stopReason": "end_turn"})))


@strict_and_lossy
def test_pp_1_a_prompt_needs_content(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    spoken.client_is_refused(
        request("p", "session/prompt", {"sessionId": "s", "prompt": []}), "MissingRequired", "/params/prompt"
    )
    spoken.agent(idle("end_turn"))
    assert spoken.is_silent()


def test_pp_1_in_june_it_does_not() -> None:
    spoken = talk(JUNE)
    empty = request("p", "session/prompt", {"sessionId": "s", "prompt": []})
    spoken.client(empty, to_agent(empty))


@both_agents
def test_pp_3_a_prompt_that_the_agent_refuses_fails_at_once(agent: str) -> None:
    spoken = talk(agent)
    prompt(spoken)
    refused = error("p", -32000, "log in first", data={"k": 1})
    spoken.agent(refused, to_client(refused))
    if agent == "v2":
        spoken.agent(idle("end_turn"))  # answers nothing
    assert spoken.is_silent()


def test_pp_3_the_echo_of_a_prompt_is_not_shown_again() -> None:
    """Before or after the prompt is accepted; only the first repeats it."""
    spoken = talk()
    echo = update("user_message", messageId="u", content=[text("go")])
    prompt(spoken)
    spoken.agent(echo)
    spoken.agent(echo)  # says nothing new
    spoken.agent(result("p", {"messageId": "u"}))
    spoken.agent(
        update("user_message", messageId="u2", content=[text("go")]),
        to_client(update("user_message_chunk", messageId="u2", content=text("go"))),
    )
    spoken.agent(
        update("user_message", messageId="u", content=[text("go"), text("there")]),
        to_client(update("user_message_chunk", messageId="u", content=text("there"))),
    )
    assert spoken.is_silent()


def test_a_user_message_without_a_prompt_is_shown() -> None:
    spoken = talk()
    prompt(spoken, words="something else")
    spoken.agent(
        update("user_message", messageId="u", content=[text("go")]),
        to_client(update("user_message_chunk", messageId="u", content=text("go"))),
    )


def test_prompts_of_two_sessions_know_nothing_of_each_other() -> None:
    spoken = talk()
    prompt(spoken, 1, session="one")
    prompt(spoken, 2, session="two")
    spoken.agent(result(2, {"messageId": "u"}))
    spoken.agent(result(1, {"messageId": "u"}))
    spoken.agent(idle("end_turn", "two"), to_client(result(2, {"stopReason": "end_turn"})))
    spoken.agent(idle("refusal", "one"), to_client(result(1, {"stopReason": "refusal"})))
    assert spoken.is_silent()


def test_two_prompts_of_one_session_end_together() -> None:
    spoken = talk()
    prompt(spoken, 1)
    prompt(spoken, 2)
    spoken.agent(result(1, {"messageId": "u"}))
    spoken.agent(result(2, {"messageId": "v"}))
    spoken.agent(
        idle("end_turn"),
        to_client(result(1, {"stopReason": "end_turn"})),
        to_client(result(2, {"stopReason": "end_turn"})),
    )


def test_pp_8_cancelling_with_a_question_that_waits() -> None:
    """The older client gives up by itself; the newer agent withdraws its question."""
    spoken = talk()
    prompt(spoken)
    permission(spoken, 0, to_client(old_permission(0)))
    cancel = notification("session/cancel", {"sessionId": "s"})
    spoken.client(cancel, to_agent(cancel))
    withdrawn = notification("$/cancel_request", {"requestId": 0})
    spoken.agent(withdrawn, to_client(withdrawn))
    spoken.client(result(0, CANCELLED), to_agent(result(0, CANCELLED)))
    spoken.agent(idle("cancelled"), to_client(result("p", {"stopReason": "cancelled"})))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------------------ permissions: PR

TOOL_CALL = {"toolCallId": "t", "title": "Edit"}
SUBJECT = {"type": "tool_call", "toolCall": TOOL_CALL}


def new_permission(request_id: Any, **members: Any) -> dict[str, Any]:
    """A question of the agent; None leaves a member out."""
    asked = {"sessionId": "s", "title": "Edit", "subject": SUBJECT, "options": OPTIONS, **members}
    present = {name: value for name, value in asked.items() if value is not None}
    return request(request_id, "session/request_permission", present)


def old_permission(request_id: Any, **members: Any) -> dict[str, Any]:
    asked = {"sessionId": "s", "toolCall": TOOL_CALL, "options": OPTIONS, **members}
    return request(request_id, "session/request_permission", asked)


def permission(spoken: Conversation, request_id: Any, *expected: Any, **members: Any) -> None:
    spoken.agent(new_permission(request_id, **members), *expected)


@strict_and_lossy
def test_pr_2_a_question_about_a_tool_call(lossy: bool) -> None:
    spoken = talk(lossy=lossy)
    permission(spoken, 0, to_client(old_permission(0)))
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    permission(spoken, 1, to_client(old_permission(1)))
    spoken.client(result(1, CANCELLED), to_agent(result(1, CANCELLED)))
    assert spoken.is_silent()


def test_pr_2_the_title_of_the_question_is_that_of_the_tool_call() -> None:
    """Which the agent need not repeat."""
    spoken = talk()
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="Edit"),
        to_client(update("tool_call", toolCallId="t", title="Edit")),
    )
    unnamed = {"type": "tool_call", "toolCall": {"toolCallId": "t", "status": "in_progress"}}
    permission(
        spoken, 0, to_client(old_permission(0, toolCall={**TOOL_CALL, "status": "in_progress"})), subject=unnamed
    )
    assert spoken.is_silent()


@pytest.mark.parametrize(
    ("members", "names"),
    [({"title": "Sure?"}, ["title"]), ({"description": "why"}, ["description"])],
    ids=["title", "description"],
)
def test_pr_3_a_text_of_its_own_is_lost(members: dict[str, Any], names: list[str]) -> None:
    places = [f"/params/{name}" for name in names]
    talk().agent_is_refused(new_permission(0, **members), "UnrepresentableField", places[0])
    spoken = talk(lossy=True)
    permission(spoken, 0, to_client(old_permission(0)), **members)
    assert spoken.losses() == [("UnrepresentableField", place) for place in places]


def test_pr_4_a_question_about_nothing() -> None:
    talk().agent_is_refused(new_permission(0, subject=None), "NoV1Equivalent", "/params/subject")
    spoken = talk(lossy=True)
    permission(
        spoken,
        0,
        to_client(old_permission(0, toolCall={"toolCallId": "<minted>", "title": "Edit"})),
        subject=None,
    )
    permission(
        spoken,
        1,
        to_client(old_permission(1, toolCall={"toolCallId": "<minted too>", "title": "Edit"})),
        subject=None,
    )
    assert spoken.losses() == [("NoV1Equivalent", "/params/subject")] * 2
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        ({"type": "command", "command": "ls", "cwd": "/", "toolCallId": "t"}, "NoV1Equivalent"),
        ({"type": "_vendor", "toolCall": TOOL_CALL}, "UnknownVariant"),
    ],
    ids=["command", "unknown"],
)
def test_pr_5_a_question_that_v1_cannot_ask_is_declined(subject: dict[str, Any], code: str) -> None:
    spoken = talk()
    ((destination, answer),) = Bridge(client="v1", agent="v2").from_agent(new_permission(0, subject=subject))
    assert (destination, answer["error"]["code"], answer["error"]["data"]["code"]) == ("agent", -32603, code)
    spoken = talk(lossy=True)
    permission(spoken, 0, to_agent(result(0, CANCELLED)), subject=subject)
    assert spoken.problems() == []
    assert [loss[0] for loss in spoken.losses()] == [code]
    # the id is free again
    permission(spoken, 0, to_client(old_permission(0)))


def test_pr_7_unknown_options_are_left_out_unless_none_is_left() -> None:
    later = {"optionId": "later", "name": "Later", "kind": "_later"}
    talk().agent_is_refused(new_permission(0, options=[*OPTIONS, later]), "UnknownVariant", "/params/options/2/kind")
    spoken = talk(lossy=True)
    permission(spoken, 0, to_client(old_permission(0)), options=[*OPTIONS, later])
    assert spoken.losses() == [("UnknownVariant", "/params/options/2")]
    spoken.agent_is_refused(new_permission(1, options=[later]), "UnknownVariant", "/params/options")


@strict_and_lossy
def test_pr_1_a_question_of_june_is_that_of_v1(lossy: bool) -> None:
    spoken = talk(JUNE, lossy=lossy)
    for request_id, tool_call in enumerate([TOOL_CALL, {"toolCallId": "u"}]):
        asked = old_permission(request_id, toolCall=tool_call)
        spoken.agent(asked, to_client(asked))
    spoken.client(result(0, CHOSEN), to_agent(result(0, CHOSEN)))
    spoken.client(result(1, CANCELLED), to_agent(result(1, CANCELLED)))
    assert spoken.is_silent()


# ------------------------------------------------------------------------------------------- what is the same: ER, EL, BA


@both_agents
@strict_and_lossy
def test_er_1_errors_and_extensions_are_the_same(agent: str, lossy: bool) -> None:
    spoken = talk(agent, lossy=lossy)
    asked = request("x", "_vendor/ask", {"any": [1, None, {"thing": 1.5}]})
    spoken.client(asked, to_agent(asked))
    spoken.agent(result("x", None), to_client(result("x", None)))
    spoken.agent(asked, to_client(asked))
    failed = error("x", -31999, "a code of their own", data=[1])
    spoken.client(failed, to_agent(failed))
    stored = notification("_vendor/tell", {"x": None})
    spoken.client(stored, to_agent(stored))
    spoken.agent(stored, to_client(stored))
    assert spoken.is_silent()


def test_el_1_elicitation_is_the_same() -> None:
    spoken = talk()
    asked = request(
        3,
        "elicitation/create",
        {"sessionId": "s", "mode": "url", "message": "Go", "elicitationId": "e", "url": "https://example.com/"},
    )
    spoken.agent(asked, to_client(asked))
    spoken.client(result(3, {"action": "decline"}), to_agent(result(3, {"action": "decline"})))
    done = notification("elicitation/complete", {"elicitationId": "e"})
    spoken.agent(done, to_client(done))
    assert spoken.is_silent()


def test_au_1_logging_in_has_another_name() -> None:
    spoken = talk()
    spoken.client(
        request(1, "authenticate", {"methodId": "key"}), to_agent(request(1, "auth/login", {"methodId": "key"}))
    )
    spoken.agent(result(1, {}), to_client(result(1, {})))
    spoken.client(request(2, "logout", {}), to_agent(request(2, "auth/logout", {})))
    spoken.agent(result(2, {}), to_client(result(2, {})))
    assert spoken.is_silent()


@strict_and_lossy
def test_ba_1_a_batch_of_a_june_agent_is_passed_on_one_by_one(lossy: bool) -> None:
    spoken = talk(JUNE, lossy=lossy)
    chunk = update("agent_message_chunk", messageId="m", content=text("b"))
    asked = request(0, "_vendor/ask", {})
    spoken.agent(
        [update("agent_message", messageId="m", content=[text("a"), text("a")]), chunk, asked],
        *[to_client(update("agent_message_chunk", messageId="m", content=text("a")))] * 2,
        to_client(chunk),
        to_client(asked),
    )
    assert spoken.is_silent()


def test_ba_1_strictly_a_member_that_v1_cannot_say_leaves_the_others_alone() -> None:
    spoken = talk(JUNE)
    chunk = update("agent_message_chunk", messageId="m", content=text("b"))
    spoken.agent([chunk, update("later"), chunk], to_client(chunk), to_client(chunk))
    assert spoken.problems() == [("agent", "UnknownVariant", "/params/update/sessionUpdate")]


# --------------------------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize("bad", [{}, {"messageId": 5}, None, [1]], ids=repr)
def test_a_prompt_that_is_accepted_badly_fails_and_is_done(bad: Any) -> None:
    """One answer is enough, and the next prompt works as ever."""
    spoken = talk()
    prompt(spoken, 1)
    path = "/result/messageId" if isinstance(bad, dict) else "/result"
    spoken.agent(result(1, bad), to_client(refusal(1, "Malformed", path)))
    assert spoken.problems() == [("agent", "Malformed", path)]
    spoken.agent(idle("end_turn"))
    prompt(spoken, 2)
    spoken.agent(result(2, {"messageId": "u"}))
    spoken.agent(idle("refusal"), to_client(result(2, {"stopReason": "refusal"})))


def test_the_id_of_a_prompt_is_in_use_until_the_work_ends() -> None:
    """Accepting the prompt is no answer to the older client."""
    spoken = talk()
    prompt(spoken, 1)
    spoken.agent(result(1, {"messageId": "u"}))
    spoken.client_is_refused(request(1, "session/list", {}), "UnknownVariant", "/id")
    spoken.agent(idle("end_turn"), to_client(result(1, {"stopReason": "end_turn"})))
    spoken.client(request(1, "session/list", {}), to_agent(request(1, "session/list", {})))


@both_agents
def test_bad_params_are_refused(agent: str) -> None:
    spoken = talk(agent)
    for message, path in [
        (request(1, "session/new", {"cwd": 5, "mcpServers": []}), "/params/cwd"),
        (request(2, "session/new"), "/params/cwd"),
        (request(3, "session/prompt", {"sessionId": "s"}), "/params/prompt"),
        (request(4, "session/set_mode", {"sessionId": "s"}), "/params/modeId"),
    ]:
        spoken.client_is_refused(message, "Malformed", path, -32602)
    spoken.agent(update("tool_call_update"))
    assert spoken.problems() == [("agent", "Malformed", "/params/update/toolCallId")]
    spoken.agent(notification("session/update", {"sessionId": "s", "update": 5}))
    assert spoken.problems() == [("agent", "Malformed", "/params/update")]
    spoken.agent_is_refused(
        request(0, "session/request_permission", {"sessionId": "s", "title": "T", "toolCall": TOOL_CALL}),
        "Malformed",
        "/params/options",
        -32602,
    )
    # as if nothing had been
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="T"),
        to_client(update("tool_call", toolCallId="t", title="T")),
    )
    assert spoken.is_silent()


@both_agents
def test_a_result_that_does_not_decode_fails_the_request(agent: str) -> None:
    spoken = talk(agent)
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(result(1, {"sessionId": 5}), to_client(refusal(1, "Malformed", "/result/sessionId")))
    assert spoken.problems() == [("agent", "Malformed", "/result/sessionId")]
    spoken.agent(result(1, {"sessionId": "s"}))
    assert spoken.problems() == [("agent", "Malformed", "/id")]
    open_session(spoken, agent)


def test_a_decision_that_does_not_decode_fails_the_request() -> None:
    spoken = talk()
    permission(spoken, 0, to_client(old_permission(0)))
    spoken.client(
        result(0, {"outcome": {"outcome": "_later"}}), to_agent(refusal(0, "Malformed", "/result/outcome/outcome"))
    )
    permission(spoken, 0, to_client(old_permission(0)))


def test_methods_of_the_newest_edition_are_unknown_in_v1() -> None:
    spoken = talk()
    for request_id, method in enumerate(["auth/login", "auth/logout", "tool_call/cancel", "terminal/cancel"]):
        spoken.client(request(request_id, method, {}), to_client(error(request_id, -32601, ANY_TEXT)))
    assert spoken.problems() == [("client", "UnknownVariant", "/method")] * 4


def test_a_session_id_in_a_result_that_has_none_means_nothing() -> None:
    spoken = talk()
    params = {"sessionId": "s", "cwd": "/p", "mcpServers": []}
    spoken.client(request(1, "session/resume", params), to_agent(request(1, "session/resume", params)))
    spoken.agent(
        result(1, {"sessionId": [1], "configOptions": [mode_option("ask")]}),
        to_client(result(1, {"sessionId": [1], "configOptions": [mode_option("ask", "id")]})),
    )
    chosen = {"sessionId": "s", "configId": "the-mode", "type": "id", "value": "code"}
    spoken.client(
        request(2, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(request(2, "session/set_config_option", chosen)),
    )


def test_updates_before_the_session_is_opened() -> None:
    """They belong to the session that the result will name."""
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        update("tool_call_update", toolCallId="t", title="T", content=[content("a")]),
        to_client(update("tool_call", toolCallId="t", title="T", content=[content("a")])),
    )
    spoken.agent(
        result(1, {"sessionId": "s", "configOptions": []}),
        to_client(result(1, {"sessionId": "s", "configOptions": []})),
    )
    spoken.agent(
        update("tool_call_content_chunk", toolCallId="t", content=content("b")),
        to_client(update("tool_call_update", toolCallId="t", content=[content("a"), content("b")])),
    )


def test_sl_4_options_that_came_as_an_update_are_newer_than_the_result() -> None:
    """The result of opening was made earlier: the option for modes is the one that the update brought."""
    spoken = talk()
    new = request(1, "session/new", {"cwd": "/p", "mcpServers": []})
    spoken.client(new, to_agent(new))
    spoken.agent(
        update("config_option_update", configOptions=[mode_option("ask", configId="another")]),
        to_client(update("config_option_update", configOptions=[mode_option("ask", "id", id="another")])),
    )
    spoken.agent(
        result(1, {"sessionId": "s", "configOptions": [mode_option("ask")]}),
        to_client(result(1, {"sessionId": "s", "configOptions": [mode_option("ask", "id")]})),
    )
    chosen = {"sessionId": "s", "configId": "another", "type": "id", "value": "code"}
    spoken.client(
        request(2, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(request(2, "session/set_config_option", chosen)),
    )


# ------------------------------------------------------------------------------------------------------------ ownership


def test_messages_stay_as_they_came() -> None:
    bridge = Bridge(client="v1", agent="v2", lossy=True)
    messages = [
        update("tool_call_update", toolCallId="t", title=None, kind=None, content=[content("a"), TERMINAL, NEW_DIFF]),
        output_chunk("x"),
        update("agent_message", messageId="m", content=[text("a")], _meta={"k": 1}),
        update("agent_message", messageId="m", content=[text("b")]),
        update("config_option_update", configOptions=[mode_option("ask")]),
        new_permission(0, subject=None),
    ]
    before = copy.deepcopy(messages)
    for message in messages:
        bridge.from_agent(message)
    assert messages == before


def test_what_the_caller_does_with_messages_later_does_not_matter() -> None:
    """Neither what came in nor what went out belongs to the bridge."""
    bridge = Bridge(client="v1", agent="v2")
    came = update("config_option_update", configOptions=[mode_option("ask")])
    ((_, passed),) = bridge.from_agent(came)
    passed["params"]["update"]["configOptions"].clear()
    came["params"]["update"]["configOptions"].clear()
    chosen = {"sessionId": "s", "configId": "the-mode", "type": "id", "value": "code"}
    Conversation(bridge).client(
        request(1, "session/set_mode", {"sessionId": "s", "modeId": "code"}),
        to_agent(request(1, "session/set_config_option", chosen)),
    )
    said = update("agent_message", messageId="m", content=[text("a")])
    bridge.from_agent(said)
    said["params"]["update"]["content"][0]["text"] = "spoilt"
    Conversation(bridge).agent(update("agent_message", messageId="m", content=[text("a")]))


def test_pp_4_work_that_was_reported_before_the_acceptance_ends() -> None:
    """Running tells that the prompt's work began, so idle without a reason is its end and no older snapshot."""
    spoken = talk(lossy=True)
    prompt(spoken)
    spoken.agent(update("state_update", state="running"))
    spoken.agent(update("state_update", state="idle"), to_client(result("p", {"stopReason": "end_turn"})))
    assert spoken.losses() == [("MissingRequired", "/params/update/stopReason")]
