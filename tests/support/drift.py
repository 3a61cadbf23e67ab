"""Tiny protocols for tests of drift: what an example of the catalogue stands in."""

from __future__ import annotations

import copy
import json
from typing import Any

from acp_codegen import resources
from acp_codegen.drift.compare import compare
from acp_codegen.drift.model import Change, Report
from acp_codegen.load import LoadedSchema, check_document

VOCABULARY = resources.vocabulary()
_BASE: dict[str, Any] = {
    "Note": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "AddNoteRequest": {
        "type": "object",
        "properties": {"note": {"$ref": "#/$defs/Note"}},
        "required": ["note"],
        "x-method": "note/add",
        "x-side": "agent",
    },
    "AddNoteResponse": {"type": "object", "properties": {}, "x-method": "note/add", "x-side": "agent"},
}
_REQUEST_ID = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
_OTHER = {"agent": "Client", "client": "Agent"}


def protocol(fragment: dict[str, Any]) -> dict[str, Any]:
    """A whole schema around some definitions; the empty name stands for keywords at its root."""
    named = {name: body for name, body in fragment.items() if name}
    return {**enveloped({**copy.deepcopy(_BASE), **named}), **fragment.get("", {})}


def enveloped(messages: dict[str, Any]) -> dict[str, Any]:
    """A whole schema: definitions with a method are listed in the envelope that their name and side ask for."""
    definitions = {"RequestId": _REQUEST_ID, **messages}
    envelopes: dict[str, list[Any]] = {
        side + kind: [] for side in _OTHER.values() for kind in ("Request", "Response", "Notification")
    }
    for name, body in messages.items():
        if "x-method" in body:
            kind = next(word for word in ("Request", "Response", "Notification") if name.endswith(word))
            side = body["x-side"].capitalize() if kind == "Response" else _OTHER[body["x-side"]]
            envelopes[side + kind].append({"$ref": f"#/$defs/{name}"})
    for name, members in envelopes.items():
        definitions[name] = _envelope(name, members)
    branches = [
        {
            "title": side,
            "type": "object",
            "properties": {"jsonrpc": {"type": "string", "enum": ["2.0"]}},
            "required": ["jsonrpc"],
            "anyOf": [
                {"title": name, "allOf": [{"$ref": f"#/$defs/{name}"}]} for name in envelopes if name.startswith(side)
            ],
        }
        for side in ("Agent", "Client")
    ]
    return {"anyOf": branches, "$defs": definitions}


def _envelope(name: str, members: list[Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"id": {"$ref": "#/$defs/RequestId"}}
    carried = {"anyOf": members} if members else {}
    if name.endswith("Response"):
        return {"type": "object", "properties": {**properties, "result": carried}, "required": ["id", "result"]}
    call = {"method": {"type": "string"}, "params": carried}
    if name.endswith("Notification"):
        return {"type": "object", "properties": call, "required": ["method"]}
    return {"type": "object", "properties": {**properties, **call}, "required": ["id", "method"]}


def loaded(document: dict[str, Any], file: str = "schema.json") -> LoadedSchema:
    """A document as if it had come from a file: no part of it stands at two places."""
    read = json.loads(json.dumps(document))
    check_document(read, VOCABULARY)
    return LoadedSchema(read, "0" * 64, file)


def drift_of(old: dict[str, Any], new: dict[str, Any]) -> Report:
    """The report on two fragments."""
    return compare(loaded(protocol(old)), loaded(protocol(new)))
