"""A schema without what no reader looks at, so that two spellings of one thing are equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..jsontypes import SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS, JsonObject, is_array, is_object, ref_name
from ..lock import OUR_KEYWORDS

HINTS = ("format", "contentEncoding", "x-docs-ignore")
_ASIDE = frozenset({"$schema", "title", "description", "discriminator", "x-method", "x-side", *HINTS}) | OUR_KEYWORDS


class Canonical:
    """Schemas of one document, with definitions under the names that ``names`` gives them."""

    def __init__(self, definitions: dict[str, JsonObject], names: Mapping[str, str]) -> None:
        self._definitions = definitions
        self._names = names

    def of(self, schema: JsonObject) -> JsonObject:
        target = ref_name(schema)
        result: JsonObject = {}
        for keyword, value in schema.items():
            if keyword in _ASIDE or (target is not None and keyword == "allOf"):
                continue
            if keyword in SUBSCHEMA_LISTS and self._is_routed(value):
                continue  # the params or results of many methods: the method table says which
            result[keyword] = self._value(keyword, value)
        if target is not None:
            result["$ref"] = self._names.get(target, target)
        return result

    def _value(self, keyword: str, value: Any) -> Any:
        if keyword in SUBSCHEMA_MAPS:
            return {name: self.of(member) for name, member in value.items()}
        if keyword in SUBSCHEMA_LISTS:
            return [self.of(member) for member in value]
        if keyword in SUBSCHEMAS and is_object(value):
            return self.of(value)
        if keyword in ("required", "type") and is_array(value):
            return sorted(value)
        return value

    def _is_routed(self, members: list[JsonObject]) -> bool:
        for member in members:
            target = ref_name(member)
            if target is not None and "x-method" in self._definitions[target]:
                return True
            if self._is_routed(member.get("anyOf", [])):
                return True
        return False
