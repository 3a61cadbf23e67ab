"""``METHODS`` and ``decode_message``: whole JSON-RPC messages as either side receives them."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from test_types import wire_samples

from acp_schema import UNSET, v1, v2, v2_2026_06
from support import ROOT, without_address
from support.editions import JUNE, V1, V2, Edition, every_edition

METHOD_TABLES = ROOT.parent / "shared" / "protocol" / "method-tables.json"

Key = tuple[str, str, str]
# (method, who handles it, kind) -> names of the params and result types. Facts of the protocol, stable part.
V2_METHODS: dict[Key, tuple[str, str | None]] = {
    ("initialize", "agent", "request"): ("InitializeRequest", "InitializeResponse"),
    ("auth/login", "agent", "request"): ("LoginAuthRequest", "LoginAuthResponse"),
    ("auth/logout", "agent", "request"): ("LogoutAuthRequest", "LogoutAuthResponse"),
    ("session/new", "agent", "request"): ("NewSessionRequest", "NewSessionResponse"),
    ("session/list", "agent", "request"): ("ListSessionsRequest", "ListSessionsResponse"),
    ("session/delete", "agent", "request"): ("DeleteSessionRequest", "DeleteSessionResponse"),
    ("session/resume", "agent", "request"): ("ResumeSessionRequest", "ResumeSessionResponse"),
    ("session/close", "agent", "request"): ("CloseSessionRequest", "CloseSessionResponse"),
    ("session/prompt", "agent", "request"): ("PromptRequest", "PromptResponse"),
    ("session/set_config_option", "agent", "request"): (
        "SetSessionConfigOptionRequest",
        "SetSessionConfigOptionResponse",
    ),
    ("tool_call/cancel", "agent", "request"): ("CancelToolCallRequest", "CancelToolCallResponse"),
    ("terminal/cancel", "agent", "request"): ("CancelTerminalRequest", "CancelTerminalResponse"),
    ("session/request_permission", "client", "request"): ("RequestPermissionRequest", "RequestPermissionResponse"),
    ("elicitation/create", "client", "request"): ("CreateElicitationRequest", "CreateElicitationResponse"),
    ("session/cancel", "agent", "notification"): ("CancelSessionNotification", None),
    ("session/update", "client", "notification"): ("UpdateSessionNotification", None),
    ("elicitation/complete", "client", "notification"): ("CompleteElicitationNotification", None),
    ("$/cancel_request", "agent", "notification"): ("CancelRequestNotification", None),
    ("$/cancel_request", "client", "notification"): ("CancelRequestNotification", None),
}
# what v1 and the June draft have in common
OLDER_METHODS: dict[Key, tuple[str, str | None]] = {
    ("initialize", "agent", "request"): ("InitializeRequest", "InitializeResponse"),
    ("authenticate", "agent", "request"): ("AuthenticateRequest", "AuthenticateResponse"),
    ("logout", "agent", "request"): ("LogoutRequest", "LogoutResponse"),
    ("session/new", "agent", "request"): ("NewSessionRequest", "NewSessionResponse"),
    ("session/load", "agent", "request"): ("LoadSessionRequest", "LoadSessionResponse"),
    ("session/list", "agent", "request"): ("ListSessionsRequest", "ListSessionsResponse"),
    ("session/delete", "agent", "request"): ("DeleteSessionRequest", "DeleteSessionResponse"),
    ("session/resume", "agent", "request"): ("ResumeSessionRequest", "ResumeSessionResponse"),
    ("session/close", "agent", "request"): ("CloseSessionRequest", "CloseSessionResponse"),
    ("session/prompt", "agent", "request"): ("PromptRequest", "PromptResponse"),
    ("session/set_config_option", "agent", "request"): (
        "SetSessionConfigOptionRequest",
        "SetSessionConfigOptionResponse",
    ),
    ("session/request_permission", "client", "request"): ("RequestPermissionRequest", "RequestPermissionResponse"),
    ("session/cancel", "agent", "notification"): ("CancelNotification", None),
    ("session/update", "client", "notification"): ("SessionNotification", None),
}
V1_METHODS: dict[Key, tuple[str, str | None]] = {
    **OLDER_METHODS,
    ("session/set_mode", "agent", "request"): ("SetSessionModeRequest", "SetSessionModeResponse"),
    ("fs/read_text_file", "client", "request"): ("ReadTextFileRequest", "ReadTextFileResponse"),
    ("fs/write_text_file", "client", "request"): ("WriteTextFileRequest", "WriteTextFileResponse"),
    ("terminal/create", "client", "request"): ("CreateTerminalRequest", "CreateTerminalResponse"),
    ("terminal/output", "client", "request"): ("TerminalOutputRequest", "TerminalOutputResponse"),
    ("terminal/release", "client", "request"): ("ReleaseTerminalRequest", "ReleaseTerminalResponse"),
    ("terminal/wait_for_exit", "client", "request"): ("WaitForTerminalExitRequest", "WaitForTerminalExitResponse"),
    ("terminal/kill", "client", "request"): ("KillTerminalRequest", "KillTerminalResponse"),
    ("elicitation/create", "client", "request"): ("CreateElicitationRequest", "CreateElicitationResponse"),
    ("elicitation/complete", "client", "notification"): ("CompleteElicitationNotification", None),
    ("$/cancel_request", "agent", "notification"): ("CancelRequestNotification", None),
    ("$/cancel_request", "client", "notification"): ("CancelRequestNotification", None),
}
EXPECTED = {V1: V1_METHODS, V2: V2_METHODS, JUNE: OLDER_METHODS}
ROWS = [(edition, key) for edition, methods in EXPECTED.items() for key in methods]
REQUESTS = [(edition, key) for edition, key in ROWS if key[2] == "request"]
OTHER_SIDE = {"agent": "client", "client": "agent"}
both_sides = pytest.mark.parametrize("side", ["agent", "client"])


def message(**members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **members}


def refusal(data: Any, side: Any = "agent", **options: Any) -> tuple[str, str]:
    with pytest.raises(v2.DecodeError) as caught:
        v2.decode_message(data, side, **options)
    return caught.value.path, caught.value.message


def identify(part: Edition | Key) -> str:
    return str(part) if isinstance(part, Edition) else "-".join(part)


every_method = pytest.mark.parametrize(("edition", "key"), ROWS, ids=identify)
every_request = pytest.mark.parametrize(("edition", "key"), REQUESTS, ids=identify)


# ------------------------------------------------------------------------------------------------ the table


@every_edition
def test_methods_are_the_expected_ones(edition: Edition) -> None:
    assert set(edition.module.METHODS) == set(EXPECTED[edition])


@every_method
def test_each_method_has_its_types(edition: Edition, key: Key) -> None:
    params, result = EXPECTED[edition][key]
    spec = edition.module.METHODS[key]
    assert spec.params == getattr(edition.module, params)
    assert spec.result == (None if result is None else getattr(edition.module, result))


@pytest.mark.parametrize(("edition", "name"), [(V1, "v1-stable"), (V2, "v2-stable")], ids=str)
def test_methods_are_those_of_the_shared_table(edition: Edition, name: str) -> None:
    """The table knows published versions, and so nothing of the draft."""
    if not METHOD_TABLES.exists():
        pytest.skip("../shared is not here: no protocol/method-tables.json to compare with")
    table = {}
    for row in json.loads(METHOD_TABLES.read_text(encoding="utf-8"))[name]:
        sides = ["agent", "client"] if row["handled_by"] == "protocol" else [row["handled_by"]]
        for side in sides:
            table[row["method"], side, row["kind"]] = (row["params"], row["result"])
    assert table == EXPECTED[edition]


# ------------------------------------------------------------------------------------------------ calls


@every_method
def test_every_method_round_trips(edition: Edition, key: Key) -> None:
    method, side, kind = key
    module = edition.module
    spec = module.METHODS[key]
    name = EXPECTED[edition][key][0]
    for full in (False, True):
        for params in wire_samples(name, full=full, edition=edition):
            wire = message(method=method, params=copy.deepcopy(params))
            if kind == "request":
                wire["id"] = 7
            decoded = module.decode_message(wire, side)
            expected_class = module.Request if kind == "request" else module.Notification
            assert type(decoded) is expected_class
            assert decoded.method == method
            assert decoded.known
            assert decoded.params == module.decode(spec.params, params)
            assert module.encode(decoded.params, spec.params) == edition.oracle.written_back(name, params)
            if kind == "request":
                assert decoded.id == 7


@every_request
def test_every_result_is_typed_by_the_pending_method(edition: Edition, key: Key) -> None:
    """The side that asked receives the response: the other one than the handler."""
    method, handler, _ = key
    module = edition.module
    result_name = EXPECTED[edition][key][1]
    assert result_name is not None
    for result in wire_samples(result_name, edition=edition):
        wire = message(id="r", result=result)
        decoded = module.decode_message(wire, OTHER_SIDE[handler], pending={"r": method, 1: "session/close"})
        assert decoded == module.Response(id="r", method=method, result=module.decode(result_name, result))


@both_sides
def test_cancel_request_goes_both_ways(side: Any) -> None:
    decoded = v2.decode_message(message(method="$/cancel_request", params={"requestId": "r"}), side)
    assert decoded == v2.Notification(
        method="$/cancel_request", params=v2.CancelRequestNotification(request_id="r"), known=True
    )


@pytest.mark.parametrize("wire", [{}, {"params": None}, {"params": {}}], ids=["missing", "null", "empty"])
def test_missing_and_null_params_are_an_empty_object(wire: Any) -> None:
    decoded = v2.decode_message(message(id=1, method="auth/logout", **wire), "agent")
    assert decoded == v2.Request(id=1, method="auth/logout", params=v2.LogoutAuthRequest(), known=True)
    path, text = refusal(message(id=1, method="session/close", **wire))
    assert path == "/params/sessionId"
    assert text.startswith("missing, expected ")


@both_sides
@pytest.mark.parametrize("params", [{"a": [1, None]}, [1], "text", None], ids=repr)
def test_extensions_come_as_they_are(side: Any, params: Any) -> None:
    request = v2.decode_message(message(id="r", method="_vendor/do", params=params), side)
    assert request == v2.Request(id="r", method="_vendor/do", params=params, known=False)
    notification = v2.decode_message(message(method="_vendor/happened", params=params), side)
    assert notification == v2.Notification(method="_vendor/happened", params=params, known=False)


@both_sides
def test_an_extension_may_have_no_params(side: Any) -> None:
    assert v2.decode_message(message(id=1, method="_x"), side).params is None


@both_sides
@pytest.mark.parametrize("request_id", [0, 7, -1, "r", ""])
def test_an_unknown_request_is_answered_with_method_not_found(side: Any, request_id: Any) -> None:
    wire = message(id=request_id, method="session/teleport", params={"x": 1})
    decoded = v2.decode_message(wire, side)
    assert isinstance(decoded, v2.Rejected)
    assert decoded.message == wire
    assert decoded.answer["jsonrpc"] == "2.0"
    assert decoded.answer["id"] == request_id
    assert decoded.answer["error"]["code"] == -32601
    assert "session/teleport" in decoded.answer["error"]["message"]
    assert set(decoded.answer) == {"jsonrpc", "id", "error"}
    answer = v2.decode_message(decoded.answer, OTHER_SIDE[side])
    assert isinstance(answer, v2.ErrorResponse), "the prescribed answer is a message itself"


@both_sides
@pytest.mark.parametrize("method", ["session/teleported", "$/progress", ""])
def test_an_unknown_notification_is_to_be_ignored(side: Any, method: str) -> None:
    decoded = v2.decode_message(message(method=method, params=5), side)
    assert decoded == v2.Notification(method=method, params=5, known=False)


@every_request
def test_a_request_at_the_wrong_side_is_no_method_of_it(edition: Edition, key: Key) -> None:
    method, handler, _ = key
    decoded = edition.module.decode_message(message(id=1, method=method), OTHER_SIDE[handler])
    assert isinstance(decoded, edition.module.Rejected)
    assert decoded.answer["error"]["code"] == -32601


def test_a_notification_at_the_wrong_side_is_unknown() -> None:
    wire = message(method="session/update", params={"bad": True})
    assert v2.decode_message(wire, "agent") == v2.Notification(
        method="session/update", params={"bad": True}, known=False
    )


def test_request_and_notification_are_told_apart_by_the_id() -> None:
    as_request = v2.decode_message(message(id=1, method="session/cancel", params={"sessionId": "s"}), "agent")
    assert isinstance(as_request, v2.Rejected)
    as_notification = v2.decode_message(message(method="session/close", params={"sessionId": "s"}), "agent")
    assert as_notification == v2.Notification(method="session/close", params={"sessionId": "s"}, known=False)


# ------------------------------------------------------------------------------------------------ responses


def test_a_response_without_a_pending_table_is_raw() -> None:
    decoded = v2.decode_message(message(id=1, result={"outcome": 5}), "agent")
    assert decoded == v2.Response(id=1, method=None, result={"outcome": 5})


def test_a_response_to_an_extension_is_raw() -> None:
    decoded = v2.decode_message(message(id=1, result=[5]), "client", pending={1: "_vendor/do"})
    assert decoded == v2.Response(id=1, method="_vendor/do", result=[5])


def test_a_response_is_typed_by_what_this_side_may_ask() -> None:
    """The agent asks for permission; a client never does, so its table has no such result."""
    wire = message(id=1, result={"outcome": {"outcome": "cancelled"}})
    at_agent = v2.decode_message(wire, "agent", pending={1: "session/request_permission"})
    assert isinstance(at_agent, v2.Response)
    assert at_agent.result == v2.RequestPermissionResponse(outcome=v2.CancelledPermissionOutcome())
    at_client = v2.decode_message(wire, "client", pending={1: "session/request_permission"})
    assert isinstance(at_client, v2.Response)
    assert at_client.result == {"outcome": {"outcome": "cancelled"}}


@pytest.mark.parametrize("request_id", [2, "1", ""])
def test_a_response_to_nothing_pending_is_an_error(request_id: Any) -> None:
    pending = {1: "session/close"}
    expected = ("/id", f"no request with the id {request_id!r} is pending")
    assert refusal(message(id=request_id, result={}), "client", pending=pending) == expected
    error = {"code": 1, "message": "m"}
    assert refusal(message(id=request_id, error=error), "client", pending=pending) == expected


@both_sides
@pytest.mark.parametrize("request_id", [1, "r"])
def test_an_error_response_is_typed(side: Any, request_id: Any) -> None:
    wire = message(id=request_id, error={"code": -32002, "message": "gone", "data": {"sessionId": "s"}, "new": 1})
    expected = v2.Error(code=-32002, message="gone", data=v2.SessionNotFoundErrorData(session_id="s"), extra={"new": 1})
    assert v2.decode_message(wire, side) == v2.ErrorResponse(id=request_id, method=None, error=expected)
    decoded = v2.decode_message(wire, side, pending={request_id: "session/close"})
    assert decoded == v2.ErrorResponse(id=request_id, method="session/close", error=expected)


@pytest.mark.parametrize("pending", [None, {}, {1: "session/close"}], ids=repr)
def test_an_error_response_may_have_the_id_null(pending: Any) -> None:
    """The peer could not tell which request it was."""
    wire = message(id=None, error={"code": -32700, "message": "m"})
    decoded = v2.decode_message(wire, "client", pending=pending)
    assert decoded == v2.ErrorResponse(id=None, method=None, error=v2.Error(code=-32700, message="m"))


def test_a_result_may_not_have_the_id_null() -> None:
    path, text = refusal(message(id=None, result={}), "client")
    assert path == "/id"
    assert text.endswith("got null")


# ------------------------------------------------------------------------------------------------ refused


@both_sides
@pytest.mark.parametrize("edition", [V1, V2], ids=str)
@pytest.mark.parametrize("batch", [[], [{}], [{"jsonrpc": "2.0", "id": 1, "method": "session/close"}] * 2, [1]])
def test_a_batch_gets_one_answer(edition: Edition, side: Any, batch: list[Any]) -> None:
    decoded = edition.module.decode_message(batch, side)
    assert isinstance(decoded, edition.module.Rejected)
    assert decoded.message == batch
    assert decoded.answer == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "batches are not supported"},
    }


@both_sides
@pytest.mark.parametrize("data", [None, True, 1, 1.5, "text", b"{}", (), object(), UNSET], ids=without_address)
def test_what_is_no_object_is_an_error(side: Any, data: Any) -> None:
    path, text = refusal(data, side)
    assert path == ""
    assert text.startswith("expected a JSON-RPC message, got ")


@pytest.mark.parametrize("version", [None, "1.0", "2", 2, 2.0, True, ["2.0"], {}], ids=repr)
def test_another_json_rpc_is_an_error(version: Any) -> None:
    wire = {"jsonrpc": version, "id": 1, "method": "session/close", "params": {"sessionId": "s"}}
    assert refusal(wire) == ("/jsonrpc", 'expected "2.0"')


def test_a_missing_json_rpc_is_an_error() -> None:
    assert refusal({"id": 1, "method": "session/close"}) == ("/jsonrpc", 'missing, expected "2.0"')


@pytest.mark.parametrize("request_id", [None, True, False, 1.5, [], {}], ids=repr)
@pytest.mark.parametrize(
    "members", [{"method": "auth/logout"}, {"method": "_x"}, {"method": "no/such"}, {"result": {}}]
)
def test_a_bad_id_is_an_error(members: Any, request_id: Any) -> None:
    """Known or not: a request without an id that can be answered is malformed."""
    path, text = refusal(message(id=request_id, **members))
    assert path == "/id"
    assert text.startswith("expected ")


@pytest.mark.parametrize("request_id", [True, 1.5, [], {}], ids=repr)
def test_a_bad_id_of_an_error_response_is_an_error(request_id: Any) -> None:
    path, _ = refusal(message(id=request_id, error={"code": 1, "message": "m"}))
    assert path == "/id"


def test_a_whole_float_is_an_integer_id() -> None:
    decoded = v2.decode_message(message(id=1.0, method="auth/logout"), "agent")
    assert isinstance(decoded, v2.Request)
    assert type(decoded.id) is int


@pytest.mark.parametrize("method", [None, 1, True, [], {}], ids=repr)
def test_a_method_is_a_string(method: Any) -> None:
    path, text = refusal(message(id=1, method=method))
    assert path == "/method"
    assert text.startswith("expected string, got ")


def test_a_message_needs_a_method_or_an_outcome() -> None:
    path, text = refusal(message(id=1))
    assert path == ""
    assert text == 'expected a JSON-RPC message with "method", "result" or "error"'


def test_a_response_has_one_outcome_and_an_id() -> None:
    error = {"code": 1, "message": "m"}
    path, text = refusal(message(id=1, result={}, error=error))
    assert path == ""
    assert text == 'a response has "result" or "error", not both'
    for outcome in ({"result": {}}, {"error": error}):
        assert refusal(message(**outcome)) == ("/id", "missing, expected the id of a request")


@pytest.mark.parametrize("side", ["server", "", None, "Agent", 1])
def test_an_unknown_side_is_the_callers_mistake(side: Any) -> None:
    with pytest.raises(ValueError, match='side is "agent" or "client"') as caught:
        v2.decode_message(message(method="_x"), side)
    assert caught.type is ValueError


# ------------------------------------------------------------------------------------------------ the id null


@pytest.mark.parametrize("edition", [V1, JUNE], ids=str)
def test_a_request_may_have_the_id_null_in_older_editions(edition: Edition) -> None:
    """Unlike a notification it wants an answer, which then has the id null as well."""
    module = edition.module
    close = {"method": "session/close", "params": {"sessionId": "s"}}
    request = module.decode_message(message(id=None, **close), "agent")
    assert request == module.Request(
        id=None, method="session/close", params=module.CloseSessionRequest(session_id="s"), known=True
    )
    extension = module.decode_message(message(id=None, method="_x"), "agent")
    assert extension == module.Request(id=None, method="_x", params=None, known=False)
    rejected = module.decode_message(message(id=None, method="no/such"), "agent")
    assert isinstance(rejected, module.Rejected)
    assert rejected.answer["id"] is None
    assert rejected.answer["error"]["code"] == -32601
    result = module.decode_message(message(id=None, result={"x": 1}), "client", pending={1: "session/close"})
    assert result == module.Response(id=None, method=None, result={"x": 1})


@pytest.mark.parametrize("edition", [V1, JUNE], ids=str)
@pytest.mark.parametrize("request_id", [True, 1.5, [], {}], ids=repr)
def test_nothing_else_is_an_id_in_older_editions(edition: Edition, request_id: Any) -> None:
    for members in ({"method": "logout"}, {"method": "no/such"}, {"result": {}}):
        with pytest.raises(edition.module.DecodeError) as caught:
            edition.module.decode_message(message(id=request_id, **members), "agent")
        assert caught.value.path == "/id"
        assert caught.value.message.startswith("expected ")


def test_v1_cancels_a_request_with_the_id_null() -> None:
    decoded = v1.decode_message(message(method="$/cancel_request", params={"requestId": None}), "client")
    assert decoded == v1.Notification(
        method="$/cancel_request", params=v1.CancelRequestNotification(request_id=None), known=True
    )


# ------------------------------------------------------------------------------------------------ batches

june = v2_2026_06
CLOSE = message(id=1, method="session/close", params={"sessionId": "s"})
CANCEL = message(method="session/cancel", params={"sessionId": "s"})
RESULT = message(id=1, result={})
FAILURE = message(id=2, error={"code": -32002, "message": "gone"})


def batch_refusal(batch: list[Any], side: Any = "agent", **options: Any) -> tuple[str, str]:
    with pytest.raises(june.DecodeError) as caught:
        june.decode_message(batch, side, **options)
    return caught.value.path, caught.value.message


def test_a_batch_of_calls() -> None:
    decoded = june.decode_message([CLOSE, CANCEL, message(id="r", method="_x", params=[1])], "agent")
    assert decoded == june.Batch(
        messages=[
            june.Request(id=1, method="session/close", params=june.CloseSessionRequest(session_id="s"), known=True),
            june.Notification(method="session/cancel", params=june.CancelNotification(session_id="s"), known=True),
            june.Request(id="r", method="_x", params=[1], known=False),
        ]
    )


def test_a_batch_of_responses_is_typed_by_what_is_pending() -> None:
    decoded = june.decode_message([RESULT, FAILURE], "client", pending={1: "session/close", 2: "session/new"})
    assert decoded == june.Batch(
        messages=[
            june.Response(id=1, method="session/close", result=june.CloseSessionResponse()),
            june.ErrorResponse(id=2, method="session/new", error=june.Error(code=-32002, message="gone")),
        ]
    )


def test_a_batch_of_one_is_a_batch() -> None:
    assert june.decode_message([CANCEL], "agent") == june.Batch(messages=[june.decode_message(CANCEL, "agent")])


def test_a_batch_may_hold_what_has_a_prescribed_answer() -> None:
    """Each request is answered on its own."""
    decoded = june.decode_message([message(id=5, method="no/such"), CLOSE], "agent")
    assert isinstance(decoded, june.Batch)
    rejected, request = decoded.messages
    assert isinstance(rejected, june.Rejected)
    assert rejected.message == message(id=5, method="no/such")
    assert (rejected.answer["id"], rejected.answer["error"]["code"]) == (5, -32601)
    assert isinstance(request, june.Request)


@both_sides
def test_an_empty_batch_gets_one_answer(side: Any) -> None:
    decoded = june.decode_message([], side)
    assert decoded == june.Rejected(
        message=[],
        answer={
            "jsonrpc": "2.0",
            "id": None,
            "error": {"code": -32600, "message": "a batch holds at least one message"},
        },
    )


@pytest.mark.parametrize("batch", [[CLOSE, RESULT], [RESULT, CANCEL], [FAILURE, RESULT, CLOSE]])
def test_calls_and_responses_do_not_mix(batch: list[Any]) -> None:
    assert batch_refusal(batch) == ("", "a batch holds calls or responses, not both")


@pytest.mark.parametrize(
    ("member", "place", "text"),
    [
        (5, "/1", "expected a JSON-RPC message, got int"),
        ([CLOSE], "/1", "expected a JSON-RPC message, got list"),
        ({"id": 1, "method": "logout"}, "/1/jsonrpc", 'missing, expected "2.0"'),
        (message(id=1), "/1", 'expected a JSON-RPC message with "method", "result" or "error"'),
        (message(id=True, method="logout"), "/1/id", "expected "),
        (message(id=1, method="session/close"), "/1/params/sessionId", "missing, expected SessionId"),
        (message(id=1, method="session/close", params={"sessionId": 5}), "/1/params/sessionId", "expected string"),
        (RESULT, "/1/result/outcome", "missing, expected RequestPermissionOutcome"),
        (message(id=9, result={}), "/1/id", "no request with the id 9 is pending"),
    ],
)
def test_a_bad_member_spoils_the_batch_and_is_pointed_at(member: Any, place: str, text: str) -> None:
    path, found = batch_refusal([CLOSE, member], pending={1: "session/request_permission"})
    assert path == place
    assert found.startswith(text)


def test_salvages_in_a_batch_are_reported_with_pointers_into_it() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": [5], "locations": 5}
    bad = message(method="session/update", params={"sessionId": "s", "update": update})
    issues = [june.Issue("/earlier", "m")]
    june.decode_message([bad, message(method="_x"), bad], "client", issues=issues)
    assert [issue.path for issue in issues][0] == "/earlier"
    assert sorted(issue.path for issue in issues[1:]) == [
        "/0/params/update/content/0",
        "/0/params/update/locations",
        "/2/params/update/content/0",
        "/2/params/update/locations",
    ]


@pytest.mark.parametrize("last", [message(method="session/update"), RESULT], ids=["malformed", "mixed"])
def test_a_batch_that_fails_reports_no_salvage(last: Any) -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": [5]}
    first = message(method="session/update", params={"sessionId": "s", "update": update})
    issues: list[june.Issue] = []
    batch_refusal([first, last], "client", issues=issues)
    assert issues == []


def test_decoding_leaves_a_batch_alone_and_it_can_be_pickled() -> None:
    wire = [copy.deepcopy(CLOSE), message(method="session/cancel", params={"sessionId": "s", "new": [1]})]
    before = copy.deepcopy(wire)
    decoded = june.decode_message(wire, "agent")
    assert wire == before
    assert pickle.loads(pickle.dumps(decoded)) == decoded
    assert not hasattr(decoded, "__dict__")


# ------------------------------------------------------------------------------------------------ pointers


@pytest.mark.parametrize(
    ("wire", "side", "place"),
    [
        (message(id=1, method="session/close", params={"sessionId": 5}), "agent", "/params/sessionId"),
        (message(id=1, method="session/close", params=[]), "agent", "/params"),
        (message(id=1, method="session/close", params="text"), "agent", "/params"),
        (
            message(id=1, method="session/prompt", params={"sessionId": "s", "prompt": [{}]}),
            "agent",
            "/params/prompt/0/type",
        ),
        (
            message(method="session/update", params={"sessionId": "s", "update": {}}),
            "client",
            "/params/update/sessionUpdate",
        ),
        (message(method="session/update", params={"sessionId": "s"}), "client", "/params/update"),
        (message(method="$/cancel_request", params={"requestId": None}), "client", "/params/requestId"),
        (message(id=1, result=None), "client", "/result"),
        (message(id=1, result={}), "client", "/result/sessionId"),
        (message(id=1, result={"sessionId": 5}), "client", "/result/sessionId"),
        (message(id=1, error=None), "client", "/error"),
        (message(id=1, error={"code": "x", "message": "m"}), "client", "/error/code"),
        (message(id=1, error={"code": 1}), "client", "/error/message"),
    ],
)
def test_pointers_begin_at_the_whole_message(wire: Any, side: Any, place: str) -> None:
    path, text = refusal(wire, side, pending={1: "session/new"})
    assert path == place
    assert text.startswith(("expected ", "missing, expected "))


def test_salvages_are_reported_with_pointers_into_the_whole_message() -> None:
    issues = [v2.Issue("/earlier", "m")]
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": 5, "content": [1]}
    params = {"sessionId": "s", "update": update, "_meta": False}
    v2.decode_message(message(method="session/update", params=params), "client", issues=issues)
    assert sorted(issue.path for issue in issues) == [
        "/earlier",
        "/params/_meta",
        "/params/update/content/0",
        "/params/update/title",
    ]
    issues.clear()
    result = {"sessionId": "s", "configOptions": None}
    v2.decode_message(message(id=1, result=result), "client", pending={1: "session/new"}, issues=issues)
    assert [issue.path for issue in issues] == ["/result/configOptions"]
    issues.clear()
    v2.decode_message(message(id=1, error={"code": 1, "message": "m", "data": {}}), "client", issues=issues)
    assert issues == []


def test_a_message_that_fails_reports_no_salvage() -> None:
    issues: list[v2.Issue] = []
    with pytest.raises(v2.DecodeError):
        v2.decode_message(message(id=1, method="session/prompt", params={"_meta": 5}), "agent", issues=issues)
    assert issues == []


def test_decoding_leaves_the_message_alone() -> None:
    wire = message(id=1, method="auth/logout", params=None, extra=[1])
    before = copy.deepcopy(wire)
    v2.decode_message(wire, "agent")
    assert wire == before


def test_messages_can_be_pickled_and_compared() -> None:
    wires: list[tuple[Any, Any]] = [
        (message(id=1, method="auth/logout"), "agent"),
        (message(method="_x"), "agent"),
        (message(id=1, result={}), "agent"),
        (message(id=1, error={"code": 1, "message": "m"}), "agent"),
        ([], "agent"),
    ]
    for wire, side in wires:
        decoded = v2.decode_message(wire, side)
        assert pickle.loads(pickle.dumps(decoded)) == decoded
        assert not hasattr(decoded, "__dict__")
