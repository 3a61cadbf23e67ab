"""Valid JSON for every definition of a schema: a small deterministic sampler.

It reads the schema file alone and shares no code with the generator. Each sample says what must come back when it is
decoded and encoded again, with our annotations and without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any

JsonObject = dict[str, Any]

# Above this depth an object is sampled in its smallest form only, which also ends recursion.
_DEEPEST = 4
# How many samples one value inside another gets, and how many a definition gets at the top.
_INNER, _OUTER = 3, 40
# No known tag or enum value; one belongs to an extension, one to a later protocol, one is hard to write.
_STRINGS = ["_sample", "Later-Protocol", 'quote " back\\slash \u00e9\u2603\U0001f600 \n\u2028 end', ""]
_ANY: list[Any] = [{"deep": [1, 2.5, None, True, "x", {"": []}]}, "sample", 7, [None, False], False]


class Null(Enum):
    """A null that a round trip treats by what its property is."""

    PATCH = "clears the receiver's value: kept"
    PLAIN = "means the same as a missing member: left out"


class Raw(dict[str, Any]):
    """An object that is kept as it came, nulls included: an unknown variant, or the params of an envelope."""


@dataclass(frozen=True)
class Sample:
    """One valid instance of a definition."""

    definition: str
    wire: Any
    encoded: Any
    """What encoding gives back: the wire without the nulls that mean nothing."""
    unannotated: Any
    """The same for a schema without ``x-patch``, where no null means anything."""

    def to_json(self, *, annotated: bool = True) -> JsonObject:
        return {
            "type": self.definition,
            "wire": self.wire,
            "encoded": self.encoded if annotated else self.unannotated,
        }


class Sampler:
    """Samples of one schema's definitions."""

    def __init__(self, document: JsonObject) -> None:
        self._definitions: dict[str, JsonObject] = document["$defs"]

    def samples(self, name: str) -> list[Sample]:
        """Valid instances of a definition, without repeats."""
        drafts = list(islice(self._values(self._definitions[name], 0), _OUTER))
        drafts += [{**draft, "unknownField": {"kept": [None, 1]}} for draft in drafts[:2] if isinstance(draft, dict)]
        found: list[Sample] = []
        for draft in drafts:
            sample = Sample(name, _rendered(draft), _rendered(draft, Null.PLAIN), _rendered(draft, *Null))
            if all(repr(sample.wire) != repr(other.wire) for other in found):
                found.append(sample)
        return found

    def without_a_required_member(self, name: str) -> list[tuple[str, JsonObject]]:
        """For a plain record: each required member, and an instance that lacks it and nothing else."""
        schema = self._definitions[name]
        if "properties" not in schema or "anyOf" in schema or "oneOf" in schema:
            return []
        smallest = _rendered(next(iter(self._values(schema, 0))))
        return [
            (wire, {key: value for key, value in smallest.items() if key != wire})
            for wire in schema.get("required", [])
        ]

    # -------------------------------------------------------------------------------------------- values

    def _values(self, schema: Any, depth: int) -> list[Any]:
        """Instances of a schema; a null that is subject to its property's rule is a ``Null``."""
        if schema is True:
            return _ANY
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return list(schema["enum"])
        parts: list[list[Any]] = []
        if "properties" in schema:
            parts.append(self._objects(_without_discriminator(schema), depth))
        if "$ref" in schema:
            parts.append(self._values(self._definitions[schema["$ref"].removeprefix("#/$defs/")], depth))
        for member in schema.get("allOf", []):
            parts.append(self._values(member, depth))
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                branches = [self._values(branch, depth) for branch in schema[keyword]]
                # the first of every branch comes before the second of any, so that a cut leaves no branch out
                parts.append([value for values in _transposed(branches) for value in values])
        if not parts:
            return self._plain(schema, depth)
        values = _combined(parts)
        return [_raw(value) for value in values] if _is_catch_all(schema) or self._is_routed(schema) else values

    def _plain(self, schema: JsonObject, depth: int) -> list[Any]:
        types = schema.get("type")
        if types is None:
            return _ANY
        names = [types] if isinstance(types, str) else types
        return [value for name in names for value in self._of_type(name, schema, depth)]

    def _of_type(self, name: str, schema: JsonObject, depth: int) -> list[Any]:
        if name == "null":
            return [None]
        if name == "boolean":
            return [True, False]
        if name == "string":
            return [text for text in _STRINGS if len(text) >= schema.get("minLength", 0)]
        if name in ("integer", "number"):
            return _numbers(name, schema)
        if name == "array":
            return self._arrays(schema, depth)
        return self._maps(schema, depth)

    def _arrays(self, schema: JsonObject, depth: int) -> list[Any]:
        items = self._values(schema.get("items", True), depth + 1)[:_INNER]
        least = schema.get("minItems", 0)
        return [array for array in (items[:1], items, []) if len(array) >= least]

    def _maps(self, schema: JsonObject, depth: int) -> list[Any]:
        values = self._values(schema.get("additionalProperties", True), depth + 1)[:_INNER]
        return [{f"key/{index}~": value for index, value in enumerate(values)}, {}]

    def _objects(self, schema: JsonObject, depth: int) -> list[Any]:
        """The smallest instance first, then ones with every property, each with the next of its values."""
        required = schema.get("required", [])
        choices = {
            wire: self._members(member, wire in required, depth) for wire, member in schema["properties"].items()
        }
        # a member with a default is always written back, so that only instances which have it come back the same
        always = [wire for wire in choices if wire in required or "default" in schema["properties"][wire]]
        smallest = {wire: choices[wire][0] for wire in always}
        if depth >= _DEEPEST:
            return [smallest]
        rounds = max(len(values) for values in choices.values()) if choices else 0
        full = [{wire: values[turn % len(values)] for wire, values in choices.items()} for turn in range(rounds)]
        return [smallest, *full]

    def _members(self, schema: JsonObject, required: bool, depth: int) -> list[Any]:
        """The values of one property."""
        values = self._values(schema, depth + 1)
        solid = [value for value in values if value is not None][: _INNER if depth else _OUTER]
        if schema.get("x-patch") in ("replace", "merge"):
            return [*solid, Null.PATCH]
        if None not in values:
            return solid
        return [*solid, None if required else Null.PLAIN]

    def _is_routed(self, schema: JsonObject) -> bool:
        """Whether a property lists the params or results of several methods."""
        for member in schema.get("anyOf", []):
            names = [
                part["$ref"].removeprefix("#/$defs/") for part in [member, *member.get("allOf", [])] if "$ref" in part
            ]
            if self._is_routed(member) or any("x-method" in self._definitions[name] for name in names):
                return True
        return False


# ---------------------------------------------------------------------------------------------------- helpers


def _is_catch_all(schema: JsonObject) -> bool:
    """Whether the schema is what other branches with a tag leave over; ``not`` may also exclude a member by its name."""
    excluded = schema.get("not", {})
    return "anyOf" in excluded or "properties" in excluded


def _numbers(name: str, schema: JsonObject) -> list[Any]:
    least, most = schema.get("minimum"), schema.get("maximum")
    candidates: list[Any] = [7, -3, 0, 1, least, most, 2**53 + 1]
    if name == "number":
        candidates += [0.25, -1.5e300]
    return [
        number
        for number in dict.fromkeys(candidates)
        if number is not None and (least is None or number >= least) and (most is None or number <= most)
    ]


def _transposed(rows: list[list[Any]]) -> list[list[Any]]:
    longest = max((len(row) for row in rows), default=0)
    return [[row[index] for row in rows if index < len(row)] for index in range(longest)]


def _combined(parts: list[list[Any]]) -> list[Any]:
    """One instance that satisfies all parts, for each instance of the part that has most."""
    if len(parts) == 1:
        return parts[0]
    rounds = max(len(part) for part in parts)
    return [_united([part[turn % len(part)] for part in parts]) for turn in range(rounds)]


def _united(members: list[JsonObject]) -> JsonObject:
    """All members in one object; what is unknown in part is kept raw as a whole."""
    union = {key: value for member in members for key, value in member.items()}
    return _raw(union) if any(isinstance(member, Raw) for member in members) else union


def _raw(value: Any) -> Any:
    plain = _rendered(value)
    return Raw(plain) if isinstance(plain, dict) else plain


def _without_discriminator(schema: JsonObject) -> JsonObject:
    """The schema without the properties that its branches tell themselves apart by: the branches sample those."""
    told_apart = {wire for branch in schema.get("anyOf", []) for wire in branch.get("properties", {})}
    return {**schema, "properties": {w: member for w, member in schema["properties"].items() if w not in told_apart}}


def _rendered(draft: Any, *left_out: Null) -> Any:
    """Plain JSON of a draft: members that hold one of these nulls are left out, other nulls are null."""
    if isinstance(draft, Null):
        return None
    if isinstance(draft, list):
        return [_rendered(member, *left_out) for member in draft]
    if isinstance(draft, dict):
        return {
            key: _rendered(member, *left_out)
            for key, member in draft.items()
            if not (isinstance(member, Null) and member in left_out)
        }
    return draft
