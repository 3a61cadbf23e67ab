"""Flatten the schemas of properties: references, scalars, arrays, maps and choices among them."""

from __future__ import annotations

import re
from collections.abc import Callable

from .errors import CodegenError
from .jsontypes import JsonObject, python_pattern, ref_name
from .parts import ANNOTATIONS, BRANCHING, branches_of, only, spread, unsupported

_NUMERIC = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
_CONSTRAINTS: dict[str, set[str]] = {
    "string": {"minLength", "maxLength", "pattern"},
    "integer": _NUMERIC,
    "number": _NUMERIC,
    "array": {"minItems", "maxItems"},
}
_PYTHON_TYPES: dict[str, type] = {"string": str, "integer": int, "boolean": bool}


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
            return self._closed(schema, where)
        types = schema.get("type", [])
        names = [types] if isinstance(types, str) else list(types)
        solid = [t for t in names if t != "null"]
        if len(solid) > 1:
            options = [self._plain({**schema, "type": t}, [t], name, where) for t in solid]
            return {"anyOf": options + [{"type": "null"}] * ("null" in names)}
        return self._plain(schema, names, name, where)

    def _closed(self, schema: JsonObject, where: str) -> JsonObject:
        values = schema.get("enum", [schema.get("const")])
        names = {name for name, kind in _PYTHON_TYPES.items() if any(type(value) is kind for value in values)}
        if len(names) != 1 or "boolean" in names or schema.get("type", min(names)) not in list(names):
            unsupported(
                "a closed set of booleans, of several types, or of another type than stated",
                where,
                "list strings only, or integers only",
            )
        if len(set(values)) < len(values):
            unsupported("a value that is listed twice", where, "keep one of the two")
        return {"type": names.pop(), "enum": values}

    def _plain(self, schema: JsonObject, names: list[str], name: str, where: str) -> JsonObject:
        if set(names) == {"null"}:
            unsupported("something that is always null", where, "leave it out, or allow another type beside null")
        allowed = {"type"}
        flat: JsonObject = {"type": schema["type"]} if names else {}
        if "array" in names:
            allowed |= {"items"}
            flat["items"] = self.flat(schema.get("items", {}), name + "Item")
        elif "object" in names:
            allowed |= {"additionalProperties"}
            rest = schema.get("additionalProperties", True)
            if rest is not True and any(keyword in rest for keywords in _CONSTRAINTS.values() for keyword in keywords):
                # the front end forgets limits inside a map: they need a definition of their own
                self._define(name + "Value", rest, self._places[id(rest)])
                rest = {"$ref": f"#/$defs/{name}Value"}
            flat["additionalProperties"] = True if rest is True else self.flat(rest, name + "Value")
        constraints = {keyword for name in names for keyword in _CONSTRAINTS.get(name, ())}
        allowed |= constraints
        only(schema, ANNOTATIONS | allowed, where)
        if "pattern" in schema:
            try:
                re.compile(python_pattern(schema["pattern"]))
            except re.error as error:
                raise CodegenError(
                    f"the pattern is not a regular expression: {error}", where=where + "/pattern", hint="correct it"
                ) from None
        flat.update({keyword: schema[keyword] for keyword in schema if keyword in constraints})
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
        if not solid:
            unsupported("a choice of nothing but null", where, "leave the property out")
        if all("const" in member for member in solid):
            options: list[JsonObject] = [self._closed({"enum": [member["const"] for member in solid]}, where)]
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
