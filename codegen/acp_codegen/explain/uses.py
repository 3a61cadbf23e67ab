"""Where a definition is used: what refers to it in the schema, and which methods carry it."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Method
from ..jsontypes import JsonObject, at, pointer, ref_name, subschemas


@dataclass(frozen=True)
class Use:
    """One place of the schema."""

    holder: str  # the definition that it is in
    place: str  # what it is called: "Holder.field", or the holder
    tag: str = ""  # the constant that selects it there


class References:
    """Who refers to whom in one schema.

    Envelopes are left out: they refer to the messages of all methods, which ``carriers`` says better.
    """

    def __init__(self, document: JsonObject) -> None:
        self._uses: dict[str, list[Use]] = {}
        for holder, body in document["$defs"].items():
            if "x-docs-ignore" not in body:
                for where, schema in subschemas(body, pointer("$defs", holder)):
                    if "$ref" in schema:
                        found = self._uses.setdefault(ref_name(schema) or "", [])
                        use = place_of(where, document)
                        found += [use] if use not in found else []

    def uses(self, name: str) -> list[Use]:
        """The places that refer to a definition, in schema order."""
        return self._uses.get(name, [])

    def carriers(self, name: str, methods: tuple[Method, ...]) -> list[Method]:
        """The methods whose params or result hold the definition at any depth."""
        holders = {name}
        waiting = [name]
        while waiting:
            found = {use.holder for use in self.uses(waiting.pop())} - holders
            holders |= found
            waiting += found
        return [method for method in methods if {method.params, method.result} & holders]


def place_of(where: str, document: JsonObject) -> Use:
    """A pointer into a definition in words."""
    tokens = where.split("/")[1:]
    holder = tokens[1]
    names = [holder]
    tag = ""
    for index in range(2, len(tokens)):
        if tokens[index - 1] == "properties":
            names.append(tokens[index])
        elif tokens[index - 1] in ("anyOf", "oneOf"):
            tag = _tag(at(document, "/" + "/".join(tokens[: index + 1]))) or tag
    return Use(holder, ".".join(names), tag)


def _tag(branch: JsonObject) -> str:
    """The constant property that selects a branch."""
    for wire, schema in branch.get("properties", {}).items():
        if "const" in schema:
            return f'"{wire}": "{schema["const"]}"'
    return ""
