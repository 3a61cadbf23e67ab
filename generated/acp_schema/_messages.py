"""Whole JSON-RPC messages: told apart, and given their types by method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, Union

from ._careful import is_array, is_object
from ._codec import Codec
from ._errors import DecodeError, Issue

Side: TypeAlias = Literal["agent", "client"]

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601


class MethodSpec(NamedTuple):
    """The types of one method; ``result`` is None for a notification."""

    params: Any
    result: Any


@dataclass(slots=True, kw_only=True)
class Request:
    """A request to answer. Params of a known method are typed, of an extension (``_...``) as they came."""

    id: int | str | None
    method: str
    params: Any
    known: bool


@dataclass(slots=True, kw_only=True)
class Notification:
    """A notification; one that is not ``known`` and no extension (``_...``) is to be ignored."""

    method: str
    params: Any
    known: bool


@dataclass(slots=True, kw_only=True)
class Response:
    """The result of a request of ours; typed where ``pending`` named its method."""

    id: int | str | None
    method: str | None
    result: Any


@dataclass(slots=True, kw_only=True)
class ErrorResponse:
    """The failure of a request of ours; ``id`` is None where the peer could not tell which."""

    id: int | str | None
    method: str | None
    error: Any


@dataclass(slots=True, kw_only=True)
class Rejected:
    """A message with a prescribed answer: a batch, or a request for a method that does not exist."""

    message: Any
    answer: dict[str, Any]


Message: TypeAlias = Union[Request, Notification, Response, ErrorResponse, Rejected]


@dataclass(slots=True, kw_only=True)
class Batch:
    """Several calls, or several responses, that came as one array; only some drafts of the protocol have them."""

    messages: list[Message]


class Messages:
    """``decode_message`` of one edition."""

    def __init__(self, codec: Codec, methods: Mapping[tuple[str, str, str], MethodSpec]) -> None:
        self._codec = codec
        self._methods = methods

    def decode_message(
        self,
        data: object,
        side: Side,
        *,
        pending: Mapping[Any, str] | None = None,
        issues: list[Issue] | None = None,
    ) -> Message:
        """A JSON-RPC message that ``side`` receives.

        ``pending`` maps the ids of the requests that ``side`` has sent to their methods: it gives responses their
        types. Raises ``DecodeError`` for a malformed message, with a pointer into the whole of it.
        """
        _check_side(side)
        if is_array(data):
            return Rejected(
                message=data, answer=_error(None, INVALID_REQUEST, "batches are not supported")
            )
        return self._message(data, side, pending, issues)

    def decode_message_or_batch(
        self,
        data: object,
        side: Side,
        *,
        pending: Mapping[Any, str] | None = None,
        issues: list[Issue] | None = None,
    ) -> Message | Batch:
        """As ``decode_message``, in an edition in which several messages may come as one array."""
        _check_side(side)
        if is_array(data):
            return self._batch(data, side, pending, issues)
        return self._message(data, side, pending, issues)

    def _batch(
        self,
        data: list[Any],
        side: Side,
        pending: Mapping[Any, str] | None,
        issues: list[Issue] | None,
    ) -> Message | Batch:
        if not data:
            return Rejected(
                message=data,
                answer=_error(None, INVALID_REQUEST, "a batch holds at least one message"),
            )
        messages: list[Message] = []
        salvages: list[Issue] = []
        for index, member in enumerate(data):
            found: list[Issue] = []
            try:
                messages.append(self._message(member, side, pending, found))
            except DecodeError as error:
                raise DecodeError(f"/{index}{error.path}", error.message) from None
            salvages.extend(Issue(f"/{index}{issue.path}", issue.message) for issue in found)
        calls = ["method" in member for member in data]
        if any(calls) and not all(calls):
            raise DecodeError("", "a batch holds calls or responses, not both")
        if issues is not None:
            issues.extend(salvages)
        return Batch(messages=messages)

    def _message(
        self,
        data: object,
        side: Side,
        pending: Mapping[Any, str] | None,
        issues: list[Issue] | None,
    ) -> Message:
        if not is_object(data):
            raise DecodeError("", f"expected a JSON-RPC message, got {type(data).__name__}")
        if data.get("jsonrpc") != "2.0":
            raise DecodeError(
                "/jsonrpc", 'expected "2.0"' if "jsonrpc" in data else 'missing, expected "2.0"'
            )
        if "method" in data:
            return self._call(data, side, issues)
        if "result" in data or "error" in data:
            return self._response(data, side, pending, issues)
        raise DecodeError("", 'expected a JSON-RPC message with "method", "result" or "error"')

    def _call(self, data: dict[str, Any], side: Side, issues: list[Issue] | None) -> Message:
        method = data["method"]
        if not isinstance(method, str):
            raise DecodeError("/method", f"expected string, got {type(method).__name__}")
        is_request = "id" in data
        spec = self._methods.get((method, side, "request" if is_request else "notification"))
        params = data.get("params")
        request_id = None
        if is_request:
            request_id = self._at("/id", "RequestId", data["id"], issues)
            if spec is None and not method.startswith("_"):
                answer = _error(
                    request_id, METHOD_NOT_FOUND, f"the {side} has no method {method!r}"
                )
                return Rejected(message=data, answer=answer)
        if spec is not None:
            params = self._at("/params", spec.params, {} if params is None else params, issues)
        if is_request:
            return Request(id=request_id, method=method, params=params, known=spec is not None)
        return Notification(method=method, params=params, known=spec is not None)

    def _response(
        self,
        data: dict[str, Any],
        side: Side,
        pending: Mapping[Any, str] | None,
        issues: list[Issue] | None,
    ) -> Message:
        if "result" in data and "error" in data:
            raise DecodeError("", 'a response has "result" or "error", not both')
        if "id" not in data:
            raise DecodeError("/id", "missing, expected the id of a request")
        is_error = "error" in data
        request_id = None
        if data["id"] is not None or not is_error:
            request_id = self._at("/id", "RequestId", data["id"], issues)
        method = None
        if pending is not None and request_id is not None:
            method = pending.get(request_id)
            if method is None:
                raise DecodeError("/id", f"no request with the id {request_id!r} is pending")
        if is_error:
            error = self._at("/error", "Error", data["error"], issues)
            return ErrorResponse(id=request_id, method=method, error=error)
        result = data["result"]
        other = "client" if side == "agent" else "agent"
        spec = None if method is None else self._methods.get((method, other, "request"))
        if spec is not None:
            result = self._at("/result", spec.result, result, issues)
        return Response(id=request_id, method=method, result=result)

    def _at(self, path: str, type_: Any, data: Any, issues: list[Issue] | None) -> Any:
        """Decode a part of the message; its pointers begin at the whole."""
        found: list[Issue] = []
        try:
            value = self._codec.decode(type_, data, issues=found)
        except DecodeError as error:
            raise DecodeError(path + error.path, error.message) from None
        if issues is not None:
            issues.extend(Issue(path + issue.path, issue.message) for issue in found)
        return value


def _check_side(side: Side) -> None:
    if side not in ("agent", "client"):
        raise ValueError(f'side is "agent" or "client", not {side!r}')


def _error(request_id: int | str | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
