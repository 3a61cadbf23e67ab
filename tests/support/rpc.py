"""JSON-RPC messages written short, and conversations through a bridge told step by step."""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

Json = Any
Message = dict[str, Any]
Passed = tuple[str, Json]

_PLACEHOLDER = re.compile("<[a-z0-9 ]+>")
ANY_TEXT = "<any text>"


# ------------------------------------------------------------------------------------------------------------ messages


def request(request_id: Json, method: str, params: Json = None) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, **({} if params is None else {"params": params})}


def notification(method: str, params: Json = None) -> Message:
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def result(request_id: Json, value: Json) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "result": value}


def error(request_id: Json, code: int, message: str, **data: Json) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message, **data}}


def refusal(request_id: Json, code: str, path: str, number: int = -32603) -> Message:
    """The error for a message that could not be passed on; its texts are for people."""
    return error(request_id, number, ANY_TEXT, data={"code": code, "path": path, "message": ANY_TEXT})


def update(tag: str, session: str = "s", **members: Json) -> Message:
    return notification("session/update", {"sessionId": session, "update": {"sessionUpdate": tag, **members}})


def text(words: str) -> Message:
    return {"type": "text", "text": words}


def content(words: str) -> Message:
    """Text as an item of what a tool call has produced."""
    return {"type": "content", "content": text(words)}


def to_client(message: Json) -> Passed:
    return "client", message


def to_agent(message: Json) -> Passed:
    return "agent", message


# ------------------------------------------------------------------------------------------------------- conversations


class Bridge(Protocol):
    problems: list[Any]
    losses: list[Any]

    def from_client(self, message: Json) -> list[Passed]: ...

    def from_agent(self, message: Json) -> list[Passed]: ...


class Conversation:
    """Both ends of a bridge. Each step says one message, and what exactly the bridge has to pass on for it.

    A string such as ``<reply>`` stands for an id that the bridge chooses: the same one wherever it is written, another
    one than every other. ``ANY_TEXT`` stands for any text but none.
    """

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._chosen: dict[str, str] = {}

    def client(self, message: Json, *expected: Passed) -> None:
        self._check(self._bridge.from_client(message), expected)

    def agent(self, message: Json, *expected: Passed) -> None:
        self._check(self._bridge.from_agent(message), expected)

    def client_is_refused(self, message: Json, code: str, path: str, number: int = -32603) -> None:
        """The client's request gets an error, and that is reported."""
        self.client(message, to_client(refusal(message["id"], code, path, number)))
        assert self.problems() == [("client", code, path)]

    def agent_is_refused(self, message: Json, code: str, path: str, number: int = -32603) -> None:
        """The agent's request gets an error, and that is reported."""
        self.agent(message, to_agent(refusal(message["id"], code, path, number)))
        assert self.problems() == [("agent", code, path)]

    def problems(self) -> list[tuple[str, str, str]]:
        """Sender, code and path of all problems since the last look."""
        found = [(problem.sender, problem.code, problem.path) for problem in self._bridge.problems]
        self._bridge.problems.clear()
        return found

    def losses(self) -> list[tuple[str, str]]:
        """Code and path of all losses since the last look."""
        found = [(loss.code, loss.path) for loss in self._bridge.losses]
        self._bridge.losses.clear()
        return found

    def is_silent(self) -> bool:
        """Whether nothing was reported since the last look."""
        return not self._bridge.problems and not self._bridge.losses

    def _check(self, passed: list[Passed], expected: tuple[Passed, ...]) -> None:
        wanted = [list(pair) for pair in expected]
        came = [list(pair) for pair in passed]
        self._learn(wanted, came)
        assert len(set(self._chosen.values())) == len(self._chosen), "two things have one id"
        wanted = self._filled(wanted, came)
        assert came == wanted, f"passed on:\n{_shown(came)}\nexpected:\n{_shown(wanted)}"

    def _learn(self, wanted: Json, came: Json) -> None:
        if isinstance(wanted, str) and _PLACEHOLDER.fullmatch(wanted) and wanted != ANY_TEXT and isinstance(came, str):
            self._chosen.setdefault(wanted, came)
        elif isinstance(wanted, dict) and isinstance(came, dict):
            for name in wanted.keys() & came.keys():
                self._learn(wanted[name], came[name])
        elif isinstance(wanted, list) and isinstance(came, list):
            for one, other in zip(wanted, came):
                self._learn(one, other)

    def _filled(self, wanted: Json, came: Json) -> Json:
        """What is wanted, with what the placeholders stand for."""
        if isinstance(wanted, str):
            if wanted == ANY_TEXT:
                return came if isinstance(came, str) and came else wanted
            return self._chosen.get(wanted, wanted)
        if isinstance(wanted, dict):
            other = came if isinstance(came, dict) else {}
            return {name: self._filled(value, other.get(name)) for name, value in wanted.items()}
        if isinstance(wanted, list):
            others = came if isinstance(came, list) else []
            padded = [*others, *[None] * len(wanted)]
            return [self._filled(value, padded[index]) for index, value in enumerate(wanted)]
        return wanted


def _shown(passed: Json) -> str:
    return "\n".join(f"  to {destination}: {json.dumps(message, sort_keys=True)}" for destination, message in passed)
