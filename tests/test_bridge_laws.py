"""Laws of the bridge: a conversation stays the same, nothing that anyone says makes it stumble."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from support import schema
from support.conversations import (
    MODES,
    Step,
    as_told_to,
    conversation_of_new,
    conversation_of_old,
    new_streams,
    new_updates,
    old_streams,
    old_updates,
)
from support.oracle import Oracle, same_json
from support.profiles import for_all
from support.rpc import error, notification, request, result, text, update
from support.strategies import FREE, JUNK, Instances

from acp_schema import bridge, v1, v2, v2_2026_06
from acp_schema.bridge import Bridge

Json = Any

JUNE = "v2_2026_06"
EDITIONS: dict[str, Any] = {"v1": v1, "v2": v2, JUNE: v2_2026_06}
FOLDERS = {"v1": "v1", "v2": "v2", JUNE: "v2-2026-06"}
OTHER = {"client": "agent", "agent": "client"}
PAIRS = [("v2", "v1"), (JUNE, "v1"), ("v1", "v2"), ("v1", JUNE)]

both_newer = pytest.mark.parametrize("newer", ["v2", JUNE])
every_pair = pytest.mark.parametrize(("client", "agent"), PAIRS, ids=[f"{one}-{other}" for one, other in PAIRS])


# ------------------------------------------------------------------------------------------------- the conversation

NEW_SESSION = request("new", "session/new", {"cwd": "/p", "mcpServers": []})


def said(proxy: Bridge, steps: list[Step]) -> list[tuple[str, Any]]:
    """All that the bridge passes on for these steps."""
    passed: list[tuple[str, Any]] = []
    for sender, message in steps:
        passed += proxy.from_agent(message) if sender == "agent" else proxy.from_client(message)
    return passed


def fold(name: str, state: Any, message: Any) -> None:
    """Take over what a client of this edition is told; strictly, nothing is salvaged."""
    edition = EDITIONS[name]
    issues: list[Any] = []
    decoded = edition.decode_message(message, "client", issues=issues)
    assert issues == []
    if isinstance(decoded, edition.Response):
        return  # prompts are answered; the session is opened below
    if decoded.method == "session/update":
        edition.apply_update(state, decoded.params.update)
    elif decoded.method == "session/request_permission":
        edition.apply_request_permission_request(state, decoded.params)


def messages_to_client(passed: list[tuple[str, Any]]) -> list[Any]:
    return [message for destination, message in passed if destination == "client"]


def assert_same(told: Json, expected: Json) -> None:
    """Part by part, so that a difference is shown where it is."""
    assert told.keys() == expected.keys()
    for part in told:
        assert same_json(told[part], expected[part]), f"{part}: {told[part]} is not {expected[part]}"


@both_newer
def test_a_conversation_of_v1_is_the_same_for_a_newer_client(newer: str) -> None:
    def check(steps: list[Step]) -> None:
        proxy = Bridge(client=newer, agent="v1", lossy=True)
        opened = result("new", {"sessionId": "s", "modes": MODES, "configOptions": []})
        begin: list[Step] = [("client", NEW_SESSION), ("agent", opened)]
        ((_, answer),) = said(proxy, begin)[1:]

        old = v1.SessionState()
        for sender, message in steps:
            if sender == "agent":
                fold("v1", old, message)
            else:
                v1.apply_prompt_request(old, v1.decode("PromptRequest", message["params"]))

        edition = EDITIONS[newer]
        new = edition.SessionState()
        edition.apply_new_session_response(new, edition.decode("NewSessionResponse", answer["result"]))
        told = messages_to_client(said(proxy, steps))
        for message in told:
            fold(newer, new, message)
        echoes = frozenset(message["result"]["messageId"] for message in told if "result" in message)

        assert proxy.problems == []
        assert {loss.code for loss in proxy.losses} <= {"RemovedInV2", "UnrepresentableField", "UnknownVariant"} | (
            {"NoV1Equivalent"} if newer == JUNE else set()
        )
        expected = as_told_to(newer, conversation_of_old(old.to_json(), MODES["currentModeId"]))
        assert_same(conversation_of_new(new.to_json(), echoes), expected)

    for_all([old_streams(newer)], check, share=2)


@both_newer
@pytest.mark.parametrize("lossy", [False, True], ids=["strict", "lossy"])
def test_a_newer_conversation_is_the_same_for_a_client_of_v1(newer: str, lossy: bool) -> None:
    """Nothing is lost in streams that v1 can say, so strict and lossy do the same."""
    edition = EDITIONS[newer]

    def check(steps: list[Step]) -> None:
        proxy = Bridge(client="v1", agent=newer, lossy=lossy)
        said(proxy, [("client", request("init", "initialize", introduction(newer)))])
        assert (proxy.problems, proxy.losses) == ([], [])
        new, old = edition.SessionState(), v1.SessionState()
        for _, message in steps:
            fold(newer, new, message)
        for message in messages_to_client(said(proxy, steps)):
            fold("v1", old, message)
        assert (proxy.problems, proxy.losses) == ([], [])
        assert_same(conversation_of_old(old.to_json()), conversation_of_new(new.to_json()))

    for_all([new_streams(newer)], check, share=2)


def introduction(newer: str) -> Json:
    """What a client of v1 says first; only the newest edition has all that it asks for."""
    features: Json = {"session": {"notices": {}, "compaction": {}}} if newer == "v2" else {}
    return {"protocolVersion": 1, "clientInfo": {"name": "c", "version": "1"}, "clientCapabilities": features}


# ------------------------------------------------------------------------------------------- the same without a memory


def folded(name: str, updates: list[Json]) -> Json:
    edition = EDITIONS[name]
    state = edition.SessionState()
    for one in updates:
        edition.apply_update(state, edition.decode("SessionUpdate", one))
    return state.to_json()


@both_newer
def test_updates_of_v1_with_ids_need_no_bridge(newer: str) -> None:
    def check(updates: list[Json]) -> None:
        converted = [
            output
            for one in updates
            for output in bridge.convert(one, "SessionUpdate", source="v1", target=newer, lossy=True)
        ]
        expected = as_told_to(newer, conversation_of_old(folded("v1", updates)))
        assert_same(conversation_of_new(folded(newer, converted)), expected)

    for_all([old_updates(newer)], check)


@both_newer
def test_newer_updates_without_patches_of_lists_need_no_bridge(newer: str) -> None:
    def check(updates: list[Json]) -> None:
        converted = [
            output for one in updates for output in bridge.convert(one, "SessionUpdate", source=newer, target="v1")
        ]
        expected = conversation_of_new(folded(newer, updates))
        assert_same(conversation_of_old(folded("v1", converted)), expected)

    for_all([new_updates(newer)], check)


# ------------------------------------------------------------------------------------------------------ anything at all


@cache
def instances(edition: str) -> Instances:
    return Instances(schema(FOLDERS[edition]))


@cache
def oracle(edition: str) -> Oracle:
    return Oracle(schema(FOLDERS[edition]))


def definition(edition: str, type_: Any) -> str:
    """The name of params or of a result in the schema."""
    name: str = EDITIONS[edition].codec.CODEC.entry(type_).name
    return name


REQUEST_IDS = st.sampled_from([0, 1, 2, "a"])
ODD_IDS: SearchStrategy[Json] = st.sampled_from([None, True, 1.5, [], {}, "", -1])
KEYS = {"sessionId": "s", "toolCallId": "t", "messageId": "m", "terminalId": "term", "compactionId": "c"}


def meeting(value: Json) -> Json:
    """The same with ids that other messages have as well."""
    if isinstance(value, list):
        return [meeting(item) for item in value]
    if isinstance(value, dict):
        return {
            name: KEYS[name] if name in KEYS and isinstance(member, str) else meeting(member)
            for name, member in value.items()
        }
    return value


def bodies(edition: str, name: str) -> SearchStrategy[Json]:
    """Valid and faulty instances of a definition."""
    valid = st.one_of(instances(edition).valid(name))
    faulty = st.one_of(instances(edition).faulty(name))
    return st.one_of(valid, valid, faulty).map(meeting)


@st.composite
def messages(draw: Any, edition: str, sender: str) -> Json:
    """What a side might say, in and out of place; by name, since the whole strategy is nothing to print."""
    return draw(_messages(edition, sender))


@cache
def _messages(edition: str, sender: str) -> SearchStrategy[Json]:
    methods = EDITIONS[edition].METHODS
    # what everything turns on comes more often
    often = {"session/update": 12, "session/prompt": 4, "session/request_permission": 4, "session/new": 3}
    keys = [key for key in methods for _ in range(often.get(key[0], 1))]
    ids = st.one_of(REQUEST_IDS, REQUEST_IDS, REQUEST_IDS, ODD_IDS)

    def calls(key: tuple[str, str, str]) -> SearchStrategy[Json]:
        params = bodies(edition, definition(edition, methods[key].params))
        if key[2] == "notification":
            return params.map(lambda drawn: notification(key[0], drawn))
        return st.builds(lambda drawn, number: request(number, key[0], drawn), params, ids)

    def results(key: tuple[str, str, str]) -> SearchStrategy[Json]:
        return st.builds(result, ids, bodies(edition, definition(edition, methods[key].result)))

    asked = [key for key in keys if key[1] == OTHER[sender]]
    answered = [key for key in keys if key[1] == sender and key[2] == "request"]
    return st.one_of(
        st.sampled_from(asked).flatmap(calls),
        st.sampled_from(asked).flatmap(calls),
        st.sampled_from(answered).flatmap(results),
        st.builds(lambda number, body: {"jsonrpc": "2.0", "id": number, "error": body}, ids, bodies(edition, "Error")),
        st.builds(lambda number, body: request(number, "_vendor/ask", body), ids, FREE),
        st.builds(lambda number: error(number, -32000, "no"), ids),
        st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), FREE | JUNK),
        FREE,
    )


def turning_points(edition: str, sender: str) -> list[Json]:
    """Messages on which the lifecycle of prompts, questions and modes turns, in place or not."""
    ids = (0, 1)
    tool_call = {"toolCallId": "t", "title": "T"}
    choices = [{"value": "ask", "name": "Ask"}]
    mode = {"name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": choices}
    options: dict[str, Json] = {"configOptions": [{"configId" if edition == "v2" else "id": "mode", **mode}]}
    about = {"title": "T", "subject": {"type": "tool_call", "toolCall": tool_call}} if edition == "v2" else {}
    question = {"sessionId": "s", "options": [{"optionId": "o", "name": "O", "kind": "allow_once"}]}
    resume = {"sessionId": "s", "cwd": "/", "mcpServers": []}
    choose = {"sessionId": "s", "configId": "mode", "type": "id", "value": "ask"}
    calls: dict[str, list[tuple[str, Json]]] = {
        "client": [
            ("session/prompt", {"sessionId": "s", "prompt": [text("go")]}),
            ("session/resume", resume),
            ("session/set_mode", {"sessionId": "s", "modeId": "ask"}),
            ("session/set_config_option", choose),
        ],
        "agent": [("session/request_permission", {**question, **(about or {"toolCall": tool_call})})],
    }
    results: dict[str, list[Json]] = {
        "client": [{"outcome": {"outcome": "cancelled"}}, {"outcome": 5}],
        "agent": [{"messageId": "u"}, {"stopReason": "end_turn"}, {}, options, {"modes": MODES}],
    }
    told: dict[str, list[Json]] = {
        "client": [notification("session/cancel", {"sessionId": "s"})],
        "agent": [
            update("state_update", state="running"),
            update("state_update", state="idle"),
            update("state_update", state="idle", stopReason="end_turn"),
            update("state_update", state="idle", stopReason="error"),
            update("user_message", messageId="u", content=[text("go")]),
            update("agent_message_chunk", messageId="u", content=text("x")),
            update("current_mode_update", currentModeId="ask"),
            update("config_option_update", **options),
            update("config_option_update", configOptions=[]),
        ],
    }
    return [
        *(request(number, *call) for number in ids for call in calls[sender]),
        *(result(number, value) for number in ids for value in results[sender]),
        *(error(number, -32000, "no") for number in ids),
        *told[sender],
    ]


def lifecycles(client: str, agent: str) -> SearchStrategy[list[Step]]:
    """Nothing but turning points, in any order."""
    sides = {"client": client, "agent": agent}
    points = [(sender, message) for sender, edition in sides.items() for message in turning_points(edition, sender)]
    return st.lists(st.sampled_from(points), min_size=4, max_size=12)


def babble(client: str, agent: str) -> SearchStrategy[list[Step]]:
    """Anything at all, alone or as an array."""
    sides = {"client": client, "agent": agent}
    steps = [
        st.tuples(st.just(sender), st.one_of(messages(edition, sender), batches(edition, sender)))
        for sender, edition in sides.items()
    ]
    return st.lists(st.one_of(steps), max_size=8)


def batches(edition: str, sender: str) -> SearchStrategy[Json]:
    return st.lists(messages(edition, sender), max_size=2)


class Books:
    """Who has asked what, from what is said aloud: the tests' own idea of it."""

    def __init__(self, client: str, agent: str) -> None:
        self._editions = {"client": client, "agent": agent}
        self._asked: dict[str, list[tuple[Any, Any]]] = {"client": [], "agent": []}

    def calls(self, sender: str, message: Json) -> Iterator[Json]:
        """The requests in a message."""
        members = message if isinstance(message, list) and self._editions[sender] == JUNE else [message]
        for member in members:
            if isinstance(member, dict) and "method" in member and "id" in member:
                yield member

    def note(self, sender: str, message: Json) -> None:
        for call in self.calls(sender, message):
            self._asked[sender].append((call["id"], call["method"]))

    def check(self, receiver: str, message: Json) -> None:
        """What is passed on is a message that its receiver takes as it stands, and no answer is given twice."""
        edition = EDITIONS[self._editions[receiver]]
        assert isinstance(message, dict)
        if "method" in message:
            issues: list[Any] = []
            decoded = edition.decode_message(message, receiver, issues=issues)
            assert issues == []
            assert isinstance(decoded, (edition.Request, edition.Notification))
            assert decoded.known or message["method"].startswith("_")
            kind = "request" if "id" in message else "notification"
            self._is_valid(receiver, edition.METHODS.get((message["method"], receiver, kind)), "params", message)
            return
        self._check_answer(receiver, message, edition)

    def _check_answer(self, receiver: str, message: Json, edition: Any) -> None:
        assert isinstance(edition.decode_message(message, receiver), (edition.Response, edition.ErrorResponse))
        if message["id"] is None and "error" in message:
            return  # the sender of a message that has no id worth the name
        open_requests = [method for number, method in self._asked[receiver] if is_same_id(number, message["id"])]
        assert open_requests, f"nobody asked {message!r}"
        if "error" in message:
            # the latest request with this id is the one that can be refused
            self._close(receiver, message["id"], open_requests[-1])
            return
        # an id in use is refused at once, so the first one is the one that was passed on
        spec = edition.METHODS.get((open_requests[0], OTHER[receiver], "request"))
        assert spec is not None or open_requests[0].startswith("_")
        self._is_valid(receiver, spec, "result", message)
        self._close(receiver, message["id"], open_requests[0])

    def _close(self, receiver: str, number: Any, method: Any) -> None:
        for index, (asked, name) in enumerate(self._asked[receiver]):
            if is_same_id(asked, number) and name == method:
                del self._asked[receiver][index]
                return

    def _is_valid(self, receiver: str, spec: Any, part: str, message: Json) -> None:
        if spec is not None:
            edition = self._editions[receiver]
            name = definition(edition, getattr(spec, part))
            assert oracle(edition).is_strictly_valid(name, message.get(part, {}))


def is_same_id(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


@every_pair
@pytest.mark.parametrize("lossy", [False, True], ids=["strict", "lossy"])
def test_whatever_is_said_the_bridge_speaks_properly(client: str, agent: str, lossy: bool) -> None:
    """It never raises, says what its listeners understand, answers whoever asked, and leaves messages alone."""

    def check(steps: list[Step]) -> None:
        proxy = Bridge(client=client, agent=agent, lossy=lossy)
        books = Books(client, agent)
        for sender, message in steps:
            before = copy.deepcopy(message)
            books.note(sender, message)
            passed = said(proxy, [(sender, message)])
            assert same_json(message, before)
            for receiver, output in passed:
                books.check(receiver, output)
            assert_nobody_waits_in_vain(sender, list(books.calls(sender, message)), passed)

    for_all([lifecycles(client, agent)], check, share=6)
    for_all([babble(client, agent)], check, share=1.5)


def assert_nobody_waits_in_vain(sender: str, calls: list[Json], passed: list[tuple[str, Any]]) -> None:
    """Every request is passed on, or answered."""
    reactions = Counter(
        receiver for receiver, output in passed if ("method" in output) == (receiver != sender) and "id" in output
    )
    assert sum(reactions.values()) >= len(calls)


# ---------------------------------------------------------------------------------------------------- as if it had not come


def nonsense(edition: str, sender: str) -> SearchStrategy[Json]:
    """What a side says and nobody can read; answers that nobody waits for belong to it."""

    def is_unreadable(message: Json) -> bool:
        try:
            EDITIONS[edition].decode_message(message, OTHER[sender], pending={})
        except v1.DecodeError:
            return True
        return False

    return messages(edition, sender).filter(is_unreadable)


@every_pair
def test_what_cannot_be_read_leaves_no_trace(client: str, agent: str) -> None:
    streams = old_streams(client) if agent == "v1" else new_streams(agent)
    strays = st.one_of(
        nonsense(client, "client").map(lambda message: ("client", message)),
        nonsense(agent, "agent").map(lambda message: ("agent", message)),
    )

    def check(drawn: tuple[list[Step], list[tuple[int, Step]]]) -> None:
        steps, strays = drawn
        undisturbed, disturbed = (Bridge(client=client, agent=agent, lossy=True) for _ in range(2))
        for index, step in enumerate(steps):
            for place, stray in strays:
                if place == index and not is_answer_to_one_of(steps, stray):
                    said(disturbed, [stray])
            assert said(disturbed, [step]) == said(undisturbed, [step])

    for_all([st.tuples(streams, st.lists(st.tuples(st.integers(0, 6), strays), max_size=4))], check, share=0.7)


def is_answer_to_one_of(steps: list[Step], stray: Step) -> bool:
    """Whether this ends a request of the stream: that does leave a trace."""
    sender, message = stray
    if not isinstance(message, dict) or "method" in message:
        return False
    return any(who != sender and one.get("id") == message.get("id") for who, one in steps)
