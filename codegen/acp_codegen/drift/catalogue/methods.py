"""Rules about methods, their messages and the envelopes at the root."""

from __future__ import annotations

from ...jsontypes import JsonObject
from .rule import BREAKS, INTEGER, LOSES, SAFE, SOURCE, STRING, WIRE, Rule, record


def _message(method: str, side: str = "agent") -> JsonObject:
    return record({}, **{"x-method": method, "x-side": side})


_LISTED = {"x-method": "note/list", "x-side": "agent"}
_LIST = {"ListNotesRequest": _message("note/list"), "ListNotesResponse": _message("note/list")}
_CHANGED = {"NoteChangedNotification": _message("note/changed", "client")}
_ENVELOPE = {"title": "Client", **record({"jsonrpc": STRING}, "jsonrpc")}


def _root(*branches: JsonObject) -> JsonObject:
    return {"": {"anyOf": [_ENVELOPE, *branches]}}


METHOD_RULES = (
    Rule(
        "request-added",
        "A request is new",
        WIRE,
        BREAKS,
        SAFE,
        "An old peer answers it with an error: it has no such method. Callers that ask for a capability first are safe.",
        {},
        _LIST,
        '{"jsonrpc": "2.0", "id": 1, "method": "note/list", "params": {}}',
        beside=("definition-added",),
    ),
    Rule(
        "request-removed",
        "A request is gone",
        WIRE,
        SAFE,
        BREAKS,
        "A new peer answers it with an error: it has no such method.",
        _LIST,
        {},
        '{"jsonrpc": "2.0", "id": 1, "method": "note/list", "params": {}}',
        beside=("definition-removed",),
    ),
    Rule(
        "notification-added",
        "A notification is new",
        WIRE,
        LOSES,
        SAFE,
        "An old peer ignores it, as it ignores every notification that it does not know.",
        {},
        _CHANGED,
        '{"jsonrpc": "2.0", "method": "note/changed", "params": {}}',
        beside=("definition-added",),
    ),
    Rule(
        "notification-removed",
        "A notification is gone",
        WIRE,
        SAFE,
        LOSES,
        "A new peer ignores it, as it ignores every notification that it does not know.",
        _CHANGED,
        {},
        '{"jsonrpc": "2.0", "method": "note/changed", "params": {}}',
        beside=("definition-removed",),
    ),
    Rule(
        "method-renamed",
        "A method has another name",
        WIRE,
        BREAKS,
        BREAKS,
        "Neither version knows the other's method: requests are answered with an error, notifications are ignored. "
        "Recognised by the params or the result, which belong together.",
        _LIST,
        {name: {**body, "x-method": "note/all"} for name, body in _LIST.items()},
        '{"jsonrpc": "2.0", "id": 1, "method": "note/list", "params": {}}',
    ),
    Rule(
        "method-kind-changed",
        "A request became a notification, or the reverse",
        WIRE,
        BREAKS,
        LOSES,
        "The version that knows a notification answers the request with an error; the version that knows a request ignores "
        "the notification.",
        {"SaveNotesNotification": _message("note/save")},
        {"SaveNotesRequest": _message("note/save"), "SaveNotesResponse": _message("note/save")},
        '{"jsonrpc": "2.0", "id": 1, "method": "note/save", "params": {}}',
        beside=("definition-added", "definition-removed", "method-types-respelled"),
    ),
    Rule(
        "method-side-changed",
        "A method is handled by the other side",
        WIRE,
        BREAKS,
        BREAKS,
        "Who sent it before must handle it now. Neither side of one version knows what to do with a call of the other.",
        {"ListNotesRequest": _message("note/list"), "ListNotesResponse": _message("note/list")},
        {"ListNotesRequest": _message("note/list", "client"), "ListNotesResponse": _message("note/list", "client")},
        '{"jsonrpc": "2.0", "id": 1, "method": "note/list", "params": {}}',
    ),
    Rule(
        "method-types-changed",
        "A method has other params or another result",
        WIRE,
        BREAKS,
        BREAKS,
        "The params or the result of the method are another definition, and at least one version does not take what the "
        "other writes. Where they are the same definition, its own changes are reported with it.",
        {
            "ListNotesRequest": {**record({"query": STRING}, "query"), **_LISTED},
            "ListNotesResponse": _message("note/list"),
            "FindNotesRequest": record({"size": INTEGER}, "size"),
        },
        {
            "ListNotesRequest": record({"query": STRING}, "query"),
            "ListNotesResponse": _message("note/list"),
            "FindNotesRequest": {**record({"size": INTEGER}, "size"), **_LISTED},
        },
    ),
    Rule(
        "method-types-respelled",
        "A method has params or a result of another name",
        SOURCE,
        SAFE,
        SAFE,
        "The params or the result of the method are another definition that takes the same messages.",
        {
            "ListNotesRequest": _message("note/list"),
            "ListNotesResponse": _message("note/list"),
            "FindNotesRequest": record({}),
        },
        {
            "ListNotesRequest": record({}),
            "ListNotesResponse": _message("note/list"),
            "FindNotesRequest": _message("note/list"),
        },
    ),
    Rule(
        "batches-added",
        "Several messages may come as one array",
        WIRE,
        BREAKS,
        SAFE,
        "Old peers answer an array with one error.",
        _root(),
        _root({"title": "Batch", "type": "array", "items": _ENVELOPE}),
        '[{"jsonrpc": "2.0", "id": 1, "method": "note/add", "params": {}}]',
    ),
    Rule(
        "batches-removed",
        "Messages may no longer come as an array",
        WIRE,
        SAFE,
        BREAKS,
        "New peers answer an array with one error.",
        _root({"title": "Batch", "type": "array", "items": _ENVELOPE}),
        _root(),
        '[{"jsonrpc": "2.0", "id": 1, "method": "note/add", "params": {}}]',
    ),
    Rule(
        "envelope-added",
        "A kind of message is new",
        WIRE,
        LOSES,
        SAFE,
        "The root of the schema lists another kind of message, which old peers do not know. The methods that it carries are "
        "reported for themselves.",
        _root(),
        _root({"title": "Proxy", **record({"proxy": STRING}, "proxy")}),
    ),
    Rule(
        "envelope-removed",
        "A kind of message is gone",
        WIRE,
        SAFE,
        LOSES,
        "The root of the schema lists a kind of message less, which new peers no longer know. The methods that it carried "
        "are reported for themselves.",
        _root({"title": "Proxy", **record({"proxy": STRING}, "proxy")}),
        _root(),
    ),
    Rule(
        "envelope-changed",
        "A kind of message looks different",
        WIRE,
        BREAKS,
        BREAKS,
        "What the root of the schema says of a kind of message differs, so that either version may refuse messages of the "
        "other. Which methods it carries, and changes inside the definitions it refers to, are reported for themselves.",
        _root({"title": "Proxy", **record({"proxy": STRING}, "proxy")}),
        _root({"title": "Proxy", **record({"proxy": INTEGER}, "proxy")}),
    ),
)
