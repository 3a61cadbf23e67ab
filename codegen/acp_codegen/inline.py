"""Flatten the schemas of properties: references, scalars, arrays, maps and choices among them."""

from __future__ import annotations

import re
from collections.abc import Callable

from .errors import CodegenError
from .jsontypes import JsonObject, ref_name
from .parts import ANNOTATIONS, BRANCHING, branches_of, only, spread, unsupported

_CONSTRAINTS = {
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
}


class InlineTypes:
    """Turns what stands in a property into plain JSON Schema that the front end reads without loss.

    ``define`` takes over objects that are written inline: they become definitions of their own.
    """

    def __init__(
        self,
        definitions: dict[str, JsonObject],
        places: dict[int, str],
        define: Callable[[str, JsonObject, str], None],
    ) -> None:
        self._definitions = definitions
        self._places = places
        self._define = define

    def flat(self, schema: JsonObject, name: str) -> JsonObject:
        """The flat form of a property's schema; an object written inline gets the given name."""
        where = self._places.get(id(schema), "")
        target = ref_name(schema)
        if target is not None:
            only(schema, ANNOTATIONS | {"$ref", "allOf"}, where)
            return {"$ref": f"#/$defs/{target}"}
        branches = branches_of(schema)
        if branches is not None:
            only(schema, ANNOTATIONS | BRANCHING, where)
            return self._inline_choice(schema, branches, name, where)
        if "properties" in schema:
            self._define(name, schema, where)
            return {"$ref": f"#/$defs/{name}"}
        if "const" in schema or "enum" in schema:
            only(schema, ANNOTATIONS | {"type", "const", "enum"}, where)
            values = schema.get("enum", [schema.get("const")])
            return {"type": schema.get("type", "string"), "enum": values}
        types = schema.get("type", [])
        names = [types] if isinstance(types, str) else list(types)
        if len([t for t in names if t != "null"]) > 1:
            return {"anyOf": [self.flat({**schema, "type": t}, name) for t in names]}
        return self._plain(schema, names, name, where)

    def _plain(self, schema: JsonObject, names: list[str], name: str, where: str) -> JsonObject:
        allowed = {"type"}
        flat: JsonObject = {"type": schema["type"]} if names else {}
        if "array" in names:
            allowed |= {"items", "minItems", "maxItems"}
            flat["items"] = self.flat(schema.get("items", {}), name + "Item")
        elif "object" in names:
            allowed |= {"additionalProperties"}
            rest = schema.get("additionalProperties", True)
            flat["additionalProperties"] = True if rest is True else self.flat(rest, name + "Value")
        elif names:
            allowed |= _CONSTRAINTS - {"minItems", "maxItems"}
        only(schema, ANNOTATIONS | allowed, where)
        if "pattern" in schema:
            try:
                re.compile(schema["pattern"])
            except re.error as error:
                raise CodegenError(
                    f"the pattern is not a regular expression: {error}", where=where + "/pattern", hint="correct it"
                ) from None
        flat.update({keyword: schema[keyword] for keyword in schema if keyword in _CONSTRAINTS})
        if set(names) == {"object", "null"}:
            # the front end forgets the value type of a map that is nullable by its type list
            return {"anyOf": [{**flat, "type": "object"}, {"type": "null"}]}
        return flat

    def _inline_choice(
        self, schema: JsonObject, branches: tuple[str, list[JsonObject]], name: str, where: str
    ) -> JsonObject:
        keyword, members = branches
        if self._is_routed(members):
            return {}
        members = [inner for member in members for inner in spread(member)]
        solid = [member for member in members if member.get("type") != "null"]
        if all("const" in member for member in solid):
            base = "integer" if isinstance(solid[0]["const"], int) else "string"
            options: list[JsonObject] = [{"type": base, "enum": [member["const"] for member in solid]}]
        elif any("properties" in member for member in solid):
            # an anonymous union of objects: it gets the name that its property suggests
            self._define(name, {keyword: solid}, where)
            options = [{"$ref": f"#/$defs/{name}"}]
        else:
            if keyword == "oneOf" and len(solid) > 1:
                unsupported("oneOf inside a property", where, "use anyOf, or a definition of its own")
            options = [self.flat(member, name) for member in solid]
        if len(solid) < len(members):
            options.append({"type": "null"})
        return options[0] if len(options) == 1 else {"anyOf": options}

    def _is_routed(self, members: list[JsonObject]) -> bool:
        """Whether these are the params or results of many methods, to be told apart by ``method`` alone.

        The schema lets any of them stand beside any method, so the envelope keeps the JSON as it came;
        ``decode_message`` gives it its type.
        """
        for member in members:
            if "anyOf" in member and self._is_routed(member["anyOf"]):
                return True
            target = ref_name(member)
            if target is not None and "x-method" in self._definitions[target]:
                return True
        return False
