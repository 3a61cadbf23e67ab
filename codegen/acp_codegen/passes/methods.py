"""Derive the method table from the envelopes and the ``x-method`` / ``x-side`` keywords.

What a type is to its method, the envelope that lists it says: the params of an envelope with an id are a request's,
without one a notification's, and a ``result`` lists results. ``x-side`` names the side that handles the method.
"""

from __future__ import annotations

from ..errors import CodegenError
from ..ir import Method
from ..jsontypes import JsonObject, pointer, ref_name, subschemas

_SIDES = {
    "agent": ("agent",),
    "client": ("client",),
    "both": ("agent", "client"),
    "protocol": ("agent", "client"),
    "proxy": ("proxy",),
}


def derive_methods(document: JsonObject) -> tuple[Method, ...]:
    """Every row of the method table, in the order of the envelopes."""
    definitions: dict[str, JsonObject] = document["$defs"]
    requests: dict[tuple[str, str], str] = {}
    notifications: dict[tuple[str, str], str] = {}
    results: dict[tuple[str, str], str] = {}
    for where, envelope in subschemas(document):
        properties = envelope.get("properties", {})
        if "method" in properties and "params" in properties:
            table = requests if "id" in properties else notifications
            _collect(properties["params"], where + "/properties/params", definitions, table)
        elif "id" in properties and "result" in properties:
            _collect(properties["result"], where + "/properties/result", definitions, results)
    if not requests and not notifications and not results:
        _collect_by_name(definitions, {"Request": requests, "Notification": notifications, "Response": results})
        requests = {key: params for key, params in requests.items() if key in results}
    rows = [
        Method(method, handler, "request", params, results.get((method, side)))
        for (method, side), params in requests.items()
        for handler in _SIDES[side]
    ]
    rows += [
        Method(method, handler, "notification", params, None)
        for (method, side), params in notifications.items()
        for handler in _SIDES[side]
    ]
    for row in rows:
        if row.kind == "request" and row.result is None:
            raise CodegenError(
                f"the request {row.method} has no result type",
                where=pointer("$defs", row.params),
                hint=f'give one definition under a response\'s result "x-method": "{row.method}"',
            )
    return tuple(rows)


def has_batches(document: JsonObject) -> bool:
    """Whether several messages may come as one array."""
    return any(member.get("type") == "array" for member in document.get("anyOf", []))


def _collect(
    schema: JsonObject, where: str, definitions: dict[str, JsonObject], table: dict[tuple[str, str], str]
) -> None:
    for place, part in subschemas(schema, where):
        name = ref_name(part)
        if name is not None and "x-method" in definitions[name]:
            _add(name, place, definitions, table)


def _collect_by_name(definitions: dict[str, JsonObject], tables: dict[str, dict[tuple[str, str], str]]) -> None:
    """The first published schemas have no envelopes: there a name's last word says what the type is."""
    for name, definition in definitions.items():
        for word, table in tables.items():
            if "x-method" in definition and name.endswith(word):
                _add(name, pointer("$defs", name), definitions, table)


def _add(name: str, place: str, definitions: dict[str, JsonObject], table: dict[tuple[str, str], str]) -> None:
    definition = definitions[name]
    key = definition["x-method"], definition.get("x-side", "")
    if key[1] not in _SIDES:
        raise CodegenError(
            f"{name} has a method but no side",
            where=pointer("$defs", name),
            hint='add "x-side": "agent" or "client", whoever handles it',
        )
    if table.setdefault(key, name) != name:
        raise CodegenError(
            f"{table[key]} and {name} are both listed for {key[0]}", where=place, hint="list one of them"
        )
