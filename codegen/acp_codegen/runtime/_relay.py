"""Pass JSON-RPC messages between a client and an agent of different editions, one message at a time.

``Relay`` keeps the books of pending requests and converts what can be converted on its own. What needs to know the
session so far, its two descendants add: one for an older agent behind a newer client, one for the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from ._careful import is_array, is_object
from ._conversion import ConversionError, Link, Loss, convert_message
from ._errors import DecodeError, Issue
from ._messages import INVALID_REQUEST, METHOD_NOT_FOUND, ErrorResponse, Notification, Rejected, Request, Response
from ._plans import MALFORMED, NO_EQUIVALENT, REMOVED, UNKNOWN, Converted

Party: TypeAlias = Literal["client", "agent"]
Out: TypeAlias = list[tuple[str, Any]]
"""Messages to pass on, each with the party that it is for."""

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

_OTHER: dict[Party, Party] = {"client": "agent", "agent": "client"}


class Problem(NamedTuple):
    """A message, or a part of one, that was not passed on."""

    sender: str
    code: str
    path: str
    message: str
    raw: Any


class Forwarded(NamedTuple):
    """A request that was passed on and is not answered yet."""

    method: str  # as its sender calls it
    passed_as: str  # as it was passed on
    params: Any  # as its sender wrote them

    def session(self, result: dict[str, Any]) -> str:
        """The session that the request opens; a new one has its id from the result."""
        session_id: str = (result if self.method == "session/new" else self.params)["sessionId"]
        return session_id


class Relay:
    """The messages of one connection."""

    requests: ClassVar[dict[tuple[str, str], str]] = {}
    """Names of the methods that handle a request of this sender."""
    results: ClassVar[dict[tuple[str, str], str]] = {}
    """The same for the result of a request of this sender."""
    failures: ClassVar[dict[tuple[str, str], str]] = {}
    """The same for the error that answers a request of this sender."""
    notifications: ClassVar[dict[tuple[str, str], str]] = {}
    """The same for a notification of this sender."""

    def __init__(self, client: Any, agent: Any, to_agent: Link, to_client: Link, *, lossy: bool) -> None:
        self.editions: dict[str, Any] = {"client": client, "agent": agent}
        self.lossy = lossy
        self.problems: list[Problem] = []
        self.losses: list[Loss] = []
        self._links: dict[str, Link] = {"client": to_agent, "agent": to_client}  # by sender
        self._pending: dict[str, dict[Any, Forwarded]] = {"client": {}, "agent": {}}  # by sender of the request
        self._answered: dict[str, set[Any]] = {"client": set(), "agent": set()}  # by the relay, not yet by the receiver
        self._held: dict[str, set[Any]] = {"client": set(), "agent": set()}  # by the receiver, not yet by the relay

    # --------------------------------------------------------------------------------------------------- one message

    def handle(self, sender: Party, data: Any) -> Out:
        """What to pass on for one message of this sender; a fault is reported and leaves later messages alone."""
        receiver = _OTHER[sender]
        if is_array(data) and data and self.editions[sender].BATCHES:
            return self._batch(sender, data)
        if is_object(data) and "method" not in data and _is_one_of(data.get("id"), self._answered[receiver]):
            self._answered[receiver].discard(data["id"])
            return []
        methods = {request_id: entry.passed_as for request_id, entry in self._pending[receiver].items()}
        issues: list[Issue] = []
        try:
            message = self.editions[sender].decode_message(data, receiver, pending=methods, issues=issues)
        except DecodeError as error:
            return self._refused(sender, data, MALFORMED, error.path, error.message)
        if isinstance(message, Rejected):
            self._report(sender, UNKNOWN, "/method", message.answer["error"]["message"], data)
            return [(sender, message.answer)]
        assert is_object(data)  # everything else was refused
        self.losses.extend(Loss(MALFORMED, issue.path, issue.message) for issue in issues)
        try:
            return self._passed(sender, message, self._normalised(sender, message, data))
        except ConversionError as error:
            return self._refused(sender, data, error.code, error.path, error.message)

    def _batch(self, sender: Party, data: list[Any]) -> Out:
        """Messages that came together go on one by one: the other party may not know batches (BA-1)."""
        out: Out = []
        for member in data:
            if is_object(member):
                out += self.handle(sender, member)
            else:
                self._report(sender, MALFORMED, "", "something in a batch is no message", member)
                out.append((sender, _error(None, INVALID_REQUEST, "something in a batch is no message")))
        return out

    def _normalised(self, sender: Party, message: Any, data: dict[str, Any]) -> dict[str, Any]:
        """The message without what its reader passes over."""
        edition = self.editions[sender]
        if isinstance(message, (Request, Notification)) and message.known:
            kind = "request" if isinstance(message, Request) else "notification"
            spec = edition.METHODS[message.method, _OTHER[sender], kind]
            return {**data, "params": edition.encode(message.params, spec.params)}
        if isinstance(message, Response):
            spec = edition.METHODS.get((message.method, sender, "request"))
            return data if spec is None else {**data, "result": edition.encode(message.result, spec.result)}
        return data

    def _passed(self, sender: Party, message: Any, data: dict[str, Any]) -> Out:
        if isinstance(message, Request):
            return self._by_name(self.requests, sender, message.method, self.forward_request)(sender, message, data)
        if isinstance(message, Notification):
            return self._by_name(self.notifications, sender, message.method, self.forward_notification)(
                sender, message, data
            )
        return self._answer(sender, message, data)

    def _answer(self, sender: Party, message: Response | ErrorResponse, data: dict[str, Any]) -> Out:
        receiver = _OTHER[sender]
        if message.id is None:  # an error about a message that nobody can name
            self._report(sender, UNKNOWN, "/id", "an error without the id of a request", data)
            return []
        entry = self._pending[receiver].pop(message.id)
        if isinstance(message, ErrorResponse):
            return self._failed(receiver, entry, data)
        try:
            return self._by_name(self.results, receiver, entry.method, self.forward_result)(receiver, entry, data)
        except ConversionError as error:
            self._report(sender, error.code, error.path, error.message, data)
            return self._failed(receiver, entry, failed(message.id, error.code, error.path, error.message))

    def _failed(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        return self._by_name(self.failures, requester, entry.method, self.forward_error)(requester, entry, data)

    def _by_name(
        self, table: dict[tuple[str, str], str], party: str, method: str, usual: Callable[..., Out]
    ) -> Callable[..., Out]:
        name = table.get((party, method))
        return usual if name is None else getattr(self, name)

    # --------------------------------------------------------------------------------------------------------- usual

    def forward_request(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """Convert a request and remember it."""
        if not message.known:
            return self.pass_request(sender, data, data["method"], data.get("params"))
        receiver = _OTHER[sender]
        link = self._links[sender]
        if link.target_method(message.method, receiver, "request") is None:
            text = f"{message.method} has no counterpart in {link.target.name}"
            is_newer = link.source.protocol_version > link.target.protocol_version
            self._report(sender, NO_EQUIVALENT if is_newer else REMOVED, "/method", text, data)
            return [(sender, _error(message.id, METHOD_NOT_FOUND, text))]
        converted = self.convert_params(sender, message, data["params"])
        method = link.target.method(converted.type, receiver, "request")
        assert method is not None
        return self.pass_request(sender, data, method, converted.data)

    def pass_request(self, sender: Party, data: dict[str, Any], method: str, params: Any) -> Out:
        """Pass a request on under the id that it has."""
        in_use = (self._pending[sender], self._answered[sender], self._held[sender])
        if data["id"] is None or any(data["id"] in table for table in in_use):
            raise ConversionError(UNKNOWN, "/id", "expected an id that no pending request has, and that is not null")
        self._pending[sender][data["id"]] = Forwarded(data["method"], method, data.get("params"))
        return [(_OTHER[sender], call(method, params, data["id"]))]

    def forward_result(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """Convert a result."""
        return [(requester, answer(data["id"], self.convert_result(requester, entry, data["result"])))]

    def forward_error(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """Errors are the same in every edition."""
        return [(requester, {"jsonrpc": "2.0", "id": data["id"], "error": data["error"]})]

    def forward_notification(self, sender: Party, message: Notification, data: dict[str, Any]) -> Out:
        """Convert a notification; one that nobody knows goes nowhere."""
        receiver = _OTHER[sender]
        if message.method.startswith("_"):
            return [(receiver, data)]
        if not message.known:
            self._report(sender, UNKNOWN, "/method", f"{message.method} is not known", data)
            return []
        link = self._links[sender]
        params = link.source.params(message.method, receiver, "notification")
        return [
            (receiver, call(self.notification_method(sender, output.type), output.data))
            for output in self.convert(sender, params, data["params"], "/params")
        ]

    # ---------------------------------------------------------------------------------------------------- conversion

    def convert(self, sender: Party, type_: Any, data: Any, path: str) -> list[Converted]:
        """Convert what the sender wrote for the other party."""
        return convert_message(self._links[sender], type_, data, lossy=self.lossy, losses=self.losses, path=path)

    def convert_params(self, sender: Party, message: Request, params: Any) -> Converted:
        """The params of a request, as the other party writes them."""
        type_ = self._links[sender].source.params(message.method, _OTHER[sender], "request")
        (converted,) = self.convert(sender, type_, params, "/params")
        return converted

    def convert_result(self, requester: Party, entry: Forwarded, result: Any) -> Any:
        """A result, as its requester reads it; that of an extension is anything."""
        answerer = _OTHER[requester]
        spec = self.editions[answerer].METHODS.get((entry.passed_as, answerer, "request"))
        if spec is None:
            return result
        (converted,) = self.convert(answerer, spec.result, result, "/result")
        return converted.data

    def notification_method(self, sender: Party, type_: str) -> str:
        """The receiver's name for the notification that has these params."""
        method = self._links[sender].target.method(type_, _OTHER[sender], "notification")
        assert method is not None
        return method

    # ------------------------------------------------------------------------------------------------------- faults

    def answer_for(self, requester: Party, request_id: Any) -> None:
        """The relay answers a request itself: if the other party has not yet, its answer will be no news."""
        self._held[requester].discard(request_id)
        if self._pending[requester].pop(request_id, None) is not None:
            self._answered[requester].add(request_id)

    def hold(self, requester: Party, request_id: Any) -> None:
        """The other party has answered, and the requester waits for something else."""
        self._held[requester].add(request_id)

    def lose(self, code: str, path: str, what: str) -> None:
        """Something is left out: strictly that is a fault."""
        if not self.lossy:
            raise ConversionError(code, path, what)
        self.losses.append(Loss(code, path, what))

    def report(self, sender: Party, error: ConversionError, raw: Any) -> None:
        """Note what was not passed on; the rest of the message is."""
        self._report(sender, error.code, error.path, error.message, raw)

    def _report(self, sender: str, code: str, path: str, message: str, raw: Any) -> None:
        self.problems.append(Problem(sender, code, path, message, raw))

    def _refused(self, sender: Party, data: Any, code: str, path: str, message: str) -> Out:
        """Report a message that cannot be passed on, and answer whoever waits for it."""
        self._report(sender, code, path, message, data)
        if not is_object(data) or "id" not in data:
            return []
        if "method" in data:
            if not _is_id(data["id"]):
                return [(sender, failed(None, code, path, message, INVALID_REQUEST))]
            number = INVALID_PARAMS if code == MALFORMED else INTERNAL_ERROR
            return [(sender, failed(data["id"], code, path, message, number))]
        requester = _OTHER[sender]
        if not _is_one_of(data["id"], self._pending[requester]):
            return []
        entry = self._pending[requester].pop(data["id"])
        return self._failed(requester, entry, failed(data["id"], code, path, message))


def _is_one_of(request_id: Any, known: Collection[Any]) -> bool:
    return _is_id(request_id) and request_id in known


def _is_id(request_id: Any) -> bool:
    return isinstance(request_id, (int, str)) and not isinstance(request_id, bool)


def call(method: str, params: Any, request_id: Any = None) -> dict[str, Any]:
    """A request, or without an id a notification."""
    head: dict[str, Any] = {"jsonrpc": "2.0"} if request_id is None else {"jsonrpc": "2.0", "id": request_id}
    return {**head, "method": method} if params is None else {**head, "method": method, "params": params}


def answer(request_id: Any, result: Any) -> dict[str, Any]:
    """A response with a result."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def _error(request_id: Any, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": message} if data is None else {"code": code, "message": message, "data": data}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def failed(request_id: Any, code: str, path: str, message: str, number: int = INTERNAL_ERROR) -> dict[str, Any]:
    """The answer to a request that could not be converted (ER-2)."""
    text = "the message is malformed" if code == MALFORMED else "the message cannot be converted"
    return _error(request_id, number, text, {"code": code, "path": path, "message": message})
