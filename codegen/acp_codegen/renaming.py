"""Annotations name properties, tags and values of the schema: give them the names that another schema has for these."""

from __future__ import annotations

from collections.abc import Iterator

from .jsontypes import SUBSCHEMA_LISTS, Json, JsonObject, at, is_array, is_object, last_token, pointer, subschemas
from .pairing import Pairing


class Renaming:
    """The annotations of one schema, in the words of another that it is paired with.

    What has no counterpart keeps its name: that it does not fit any more is for ``decisions`` to say.
    """

    def __init__(self, old: JsonObject, new: JsonObject, pairing: Pairing) -> None:
        self._old, self._new = old, new
        self._places = pairing.places
        self._rules: dict[str, JsonObject] = {
            where: schema["x-update"] for where, schema in subschemas(old) if "x-update" in schema
        }

    def annotation(self, keyword: str, value: Json, where: str) -> Json:
        """What an annotation at a place of the old schema says, in new names."""
        if keyword == "x-update" and is_object(value):
            return self._update(value, where)
        if keyword == "x-feeds" and is_object(value) and "update" in value:
            return {**value, "update": self._tag(value["update"])}
        if keyword == "x-initial" and is_object(value):
            return {slot: self._data(part, self._writers(slot)) for slot, part in value.items()}
        if keyword == "x-reset":
            return self._data(value, [where])
        if keyword == "x-cancelled" and is_object(value):
            return self._cancelled(value, where)
        return value

    def _update(self, rule: JsonObject, where: str) -> JsonObject:
        renamed = dict(rule)
        for keyword in ("key", "bytes", "from", "field"):
            if keyword in rule:
                appends = keyword == "field" and "append" in rule["op"]
                holders = self._owners(rule["entity"]) if appends else [where]
                renamed[keyword] = self._path(rule[keyword], holders or [where])
        if "append" in rule["op"] and "from" not in rule:
            # without "from" the chunk's property is called like the entry's: both must have moved together
            source = self._path(rule["field"], [where])
            if source != renamed["field"]:
                renamed["from"] = source
        return renamed

    def _cancelled(self, rule: JsonObject, where: str) -> JsonObject:
        renamed = {**rule, "value": self._data(rule["value"], [where])}
        renamed["final"] = [self._data(value, [where]) for value in rule["final"]]
        if "unless_in" in rule:
            slot, _, wire = rule["unless_in"].partition(".")
            renamed["unless_in"] = f"{slot}.{self._path(wire, self._writers(slot))}"
        return renamed

    def _owners(self, entity: str) -> list[str]:
        """The updates whose payload has the fields of an entity."""
        return [
            where
            for where, rule in self._rules.items()
            if rule.get("entity") == entity and (rule["op"] == "upsert" or "creates" in rule)
        ]

    def _writers(self, slot: str) -> list[str]:
        return [where for where, rule in self._rules.items() if rule.get("slot") == slot]

    # -------------------------------------------------------------------------------------------- names

    def _path(self, path: str, holders: list[str]) -> str:
        names: list[str] = []
        for wire in path.split("."):
            holders = [found for holder in holders for found in self._properties(holder, wire, set())]
            names.append(self._new_name(wire, holders))
        return ".".join(names)

    def _new_name(self, wire: str, properties: list[str]) -> str:
        names = {last_token(self._places[where]) for where in properties if where in self._places}
        return names.pop() if len(names) == 1 else wire

    def _properties(self, where: str, wire: str, seen: set[str]) -> Iterator[str]:
        """Every property of that name which an object described at a place can have."""
        for place, schema in self._spread(where, seen):
            if wire in schema.get("properties", {}):
                yield place + pointer("properties", wire)

    def _spread(self, where: str, seen: set[str]) -> Iterator[tuple[str, JsonObject]]:
        """A schema, what it refers to and what it is composed of."""
        if where in seen:
            return
        seen.add(where)
        schema = at(self._old, where)
        yield where, schema
        if "$ref" in schema:
            yield from self._spread(str(schema["$ref"]).removeprefix("#"), seen)
        for keyword in SUBSCHEMA_LISTS:
            for index in range(len(schema.get(keyword, []))):
                yield from self._spread(where + pointer(keyword, index), seen)

    # ------------------------------------------------------------------------------------------- values

    def _data(self, value: Json, holders: list[str]) -> Json:
        """A JSON value of what is described at these places."""
        if is_object(value):
            renamed: JsonObject = {}
            for wire, member in value.items():
                properties = [found for holder in holders for found in self._properties(holder, wire, set())]
                renamed[self._new_name(wire, properties)] = self._data(member, properties)
            return renamed
        if is_array(value):
            return value
        constants = [
            self._places[place]
            for holder in holders
            for place, schema in self._spread(holder, set())
            if "const" in schema and schema["const"] == value and place in self._places
        ]
        return self._new_constant(value, constants)

    def _tag(self, tag: str) -> Json:
        """The tag of an update, which is a constant property of its variant."""
        constants = [
            self._places[property_]
            for where in self._rules
            for wire, schema in at(self._old, where).get("properties", {}).items()
            if schema.get("const") == tag and (property_ := where + pointer("properties", wire)) in self._places
        ]
        return self._new_constant(tag, constants)

    def _new_constant(self, value: Json, places: list[str]) -> Json:
        found = [schema["const"] for schema in (at(self._new, place) for place in places) if "const" in schema]
        return found[0] if found and all(other == found[0] for other in found) else value
