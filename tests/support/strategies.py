"""Hypothesis strategies for JSON instances, made from a JSON Schema document alone.

``Instances(document).valid(name)`` draws what the definition accepts: every variant of a union, variants and enum
values that no schema names, fields that no schema names, nulls where they are allowed, numbers at their bounds, awkward
text. ``faulty(name)`` draws such an instance and then breaks it in one to three places.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from jsonschema_rs import Draft202012Validator

Json = Any
Schema = dict[str, Any]
Place = tuple["str | int", ...]

_SURROGATES = ("\ud800", "a\udfffb")
_AWKWARD_TEXTS = ("", " ", "\x00", '"\\', "/~0~1", "\u2028", "é\u0301", "𝄞", "null", "1", *_SURROGATES)
_INTEGERS = (0, 1, -1, 2, 255, 65535, 65536, -(2**31), 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**30, 1e20)
_NUMBERS = (0, 1, -1, 0.5, -0.0, 5e-324, 1e-9, 1.7976931348623157e308, -1e308, 2**63, 10**30)
# names of extra fields: harmless ones, some that mean something elsewhere, some that a careless encoder trips over
_EXTRA_NAMES = (
    "x",
    "_x",
    "",
    "a/b~c",
    "meta",
    "extra",
    "raw",
    "tag",
    "type",
    "state",
    "mode",
    "__class__",
    *_SURROGATES,
)
_UNKNOWN_TAGS = ("_vendor", "_", "later", "", "other", "unknown", "Text", "\ud800")
_MAX_LENGTH = 3
_LENIENCY = {f"x-deserialize-{what}" for what in ("default-on-error", "default-on-null", "skip-invalid-items")}


class Instances:
    """Strategies for the definitions of one schema document."""

    def __init__(self, document: Schema) -> None:
        self._definitions: dict[str, Schema] = document["$defs"]
        self._candidates: dict[str, list[SearchStrategy[Json]]] = {}
        self._valid: dict[str, list[SearchStrategy[Json]]] = {}
        self._words = _vocabulary(document)

    def __repr__(self) -> str:
        return "instances"  # Hypothesis prints strategies; the whole schema in one is no help

    def valid(self, name: str) -> list[SearchStrategy[Json]]:
        """Strictly valid instances of a definition: a strategy for each variant, so that none is left to chance."""
        if name not in self._valid:
            root = {"$ref": f"#/$defs/{name}", "$defs": self._definitions}
            validator = Draft202012Validator(root, validate_formats=False)
            self._valid[name] = [c.filter(lambda x: _is_valid(validator, x)) for c in self.candidates(name)]
        return self._valid[name]

    def faulty(self, name: str, junk: SearchStrategy[Json] | None = None) -> list[SearchStrategy[Json]]:
        """Instances of each variant with one to three places changed; some are still valid.

        ``junk`` draws what the changes put in; without it, JSON values of every kind.
        """
        return [_faulty(strategy, JUNK if junk is None else junk, self._words) for strategy in self.valid(name)]

    def candidates(self, name: str) -> list[SearchStrategy[Json]]:
        """What ``valid`` draws before it looks: nearly all of it should be valid."""
        if name not in self._candidates:
            self._candidates[name] = self._variants(self._definitions[name])
        return self._candidates[name]

    def smallest(self, name: str) -> list[tuple[Json, dict[str, list[Json]]]]:
        """For each variant its least instance, and for every member a number of values that may or may not suit it."""
        return self._smallest(self._definitions[name])

    def weight(self, name: str) -> int:
        """How much there is to try about a definition: the properties and values in and below it."""
        seen: set[str] = set()
        return self._weight(self._definitions[name], seen)

    def _weight(self, schema: Json, seen: set[str]) -> int:
        if isinstance(schema, list):
            return sum(self._weight(part, seen) for part in schema)
        if not isinstance(schema, dict):
            return 0
        total = len(schema.get("properties", ())) + ("const" in schema)
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            total += self._weight(self._target(reference), seen)
        return total + sum(self._weight(part, seen) for part in _subschemas(schema))

    # ----------------------------------------------------------------------------------------- definitions

    def _target(self, reference: str) -> Schema:
        return self._definitions[reference.removeprefix("#/$defs/")]

    def _definition(self, name: str) -> SearchStrategy[Json]:
        return _of_definition(self, name)

    def _variants(self, schema: Schema) -> list[SearchStrategy[Json]]:
        """A strategy for every way to choose among the branches of a schema."""
        if "properties" in schema:
            shapes = self._shapes(schema)
            siblings = sorted({name for shape in shapes for name in shape.members})
            return [self._objects(shape, siblings) for shape in shapes]
        branches = [branch for keyword in ("anyOf", "oneOf") for branch in schema.get(keyword, ())]
        return [variant for branch in branches for variant in self._variants(branch)] or [self._instances(schema)]

    def _instances(self, schema: Schema) -> SearchStrategy[Json]:
        """Instances of any schema; the order of the cases is from the most to the least telling keyword."""
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        if "properties" in schema:
            return st.one_of(self._variants(schema))
        if "$ref" in schema:
            return self._definition(schema["$ref"].removeprefix("#/$defs/"))
        if "allOf" in schema:
            return self._instances(schema["allOf"][0])
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return st.one_of([self._instances(branch) for branch in schema[keyword]])
        types = schema.get("type")
        if types is None:
            return FREE
        if isinstance(types, list):
            return st.one_of([self._instances({**schema, "type": one}) for one in types])
        return self._of_type(types, schema)

    def _of_type(self, name: str, schema: Schema) -> SearchStrategy[Json]:
        if name == "null":
            return st.none()
        if name == "boolean":
            return st.booleans()
        if name == "string":
            return _texts(schema.get("minLength", 0))
        if name == "integer":
            return _numbers(schema, _INTEGERS, st.integers)
        if name == "number":
            return _numbers(schema, _NUMBERS, st.floats, allow_nan=False, allow_infinity=False)
        if name == "array":
            least = schema.get("minItems", 0)
            return st.lists(self._instances(schema.get("items", {})), min_size=least, max_size=least + _MAX_LENGTH - 1)
        values = schema.get("additionalProperties", True)
        inner = FREE if values is True else self._instances(values)
        return st.dictionaries(st.sampled_from(_EXTRA_NAMES), inner, max_size=_MAX_LENGTH)

    # --------------------------------------------------------------------------------------------- objects

    def _shapes(self, schema: Schema) -> list[_Shape]:
        """Every way to choose among the branches of an object schema, references followed."""
        own = _Shape(
            {name: [member] for name, member in schema.get("properties", {}).items()},
            frozenset(schema.get("required", ())),
            tuple(_excluded(schema.get("not", {}))),
            _forbidden(schema.get("not", {})),
        )
        shapes = [own]
        included = list(schema.get("allOf", ()))
        if "$ref" in schema:
            included.append(self._target(schema["$ref"]))
        for part in included:
            shapes = [shape.joined(other) for shape in shapes for other in self._shapes(part)]
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                branches = [shape for branch in schema[keyword] for shape in self._shapes(branch)]
                shapes = [shape.joined(other) for shape in shapes for other in branches]
        return shapes

    def _objects(self, shape: _Shape, siblings: list[str]) -> SearchStrategy[Json]:
        members = {name: self._member(name, schemas, shape) for name, schemas in shape.members.items()}
        required = {name: member for name, member in members.items() if name in shape.required}
        optional = {name: member for name, member in members.items() if name not in shape.required}
        known = st.fixed_dictionaries(required, optional=optional)
        # besides names that no schema knows: fields of other variants and of other objects, with any value at all
        taken = members.keys() | shape.forbidden
        pools = [[name for name in pool if name not in taken] for pool in (_EXTRA_NAMES, siblings, self._words.names)]
        names = st.one_of([_one_of(pool) for pool in pools if pool])
        extra = st.one_of(st.just({}), st.dictionaries(names, FREE, max_size=2))
        return st.builds(lambda first, second: {**first, **second}, extra, known)

    def _member(self, name: str, schemas: list[Schema], shape: _Shape) -> SearchStrategy[Json]:
        """Values of a property; where several schemas speak of it, the innermost is the most specific."""
        excluded = {tag[name] for tag in shape.excluded if name in tag}
        if not excluded:
            return self._instances(schemas[-1])
        tags = st.one_of(st.sampled_from(_UNKNOWN_TAGS), _texts(0))
        return tags.filter(lambda tag: tag not in excluded)

    # ------------------------------------------------------------------------------------ without any chance

    def _smallest(self, schema: Schema) -> list[tuple[Json, dict[str, list[Json]]]]:
        if "properties" in schema:
            shapes = self._shapes(schema)
            return [(self._least_object(shape), self._trials(shape)) for shape in shapes]
        branches = [branch for keyword in ("anyOf", "oneOf") for branch in schema.get(keyword, ())]
        return [pair for branch in branches for pair in self._smallest(branch)] or [(self._least(schema), {})]

    def _least_object(self, shape: _Shape) -> Json:
        tags = {name for tag in shape.excluded for name in tag}
        members = {name: schemas[-1] for name, schemas in shape.members.items() if name in shape.required}
        return {name: "_x" if name in tags else self._least(schema) for name, schema in members.items()}

    def _trials(self, shape: _Shape) -> dict[str, list[Json]]:
        members = {name: [*TRIALS, *self._at_bounds(schemas[-1])] for name, schemas in shape.members.items()}
        return {**members, **dict.fromkeys(sorted(shape.forbidden), TRIALS)}

    def _at_bounds(self, schema: Schema) -> list[Json]:
        """A fitting value, and what lies on and just beyond the bounds of the schema."""
        least = self._least(schema)
        bounds = [schema[keyword] for keyword in ("minimum", "maximum") if keyword in schema]
        numbers = [bound + step for bound in bounds for step in (-1, -0.5, 0, 0.0, 0.5, 1)]
        item = self._least(schema["items"]) if "items" in schema else least
        return [least, [item], [item, None], [item, item], *numbers]

    def _least(self, schema: Schema) -> Json:
        """The instance that one would write first."""
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else schema["enum"][0]
        if "properties" in schema:
            return self._least_object(self._shapes(schema)[0])
        if "$ref" in schema:
            return self._least(self._target(schema["$ref"]))
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in schema:
                return self._least(schema[keyword][0])
        types = schema.get("type", "boolean")
        kind = types if isinstance(types, str) else types[0]
        if kind == "array":
            return [self._least(schema["items"])] * schema.get("minItems", 0)
        number = max(1, schema.get("minimum", 1))
        return {"string": "t", "integer": number, "number": number, "boolean": False, "object": {}, "null": None}[kind]


@st.composite
def _of_definition(draw: Any, instances: Instances, name: str) -> Json:
    """By name, not by value: a definition may lead back to itself, and its name is all that is worth printing."""
    return draw(st.one_of(instances.candidates(name)))


@dataclass(frozen=True)
class _Shape:
    """One object without choices: its members, each with all the schemas that hold for it."""

    members: dict[str, list[Schema]]
    required: frozenset[str]
    excluded: tuple[dict[str, Json], ...]
    forbidden: frozenset[str]

    def joined(self, other: _Shape) -> _Shape:
        members = {name: list(schemas) for name, schemas in self.members.items()}
        for name, schemas in other.members.items():
            members.setdefault(name, []).extend(schemas)
        return _Shape(
            members, self.required | other.required, self.excluded + other.excluded, self.forbidden | other.forbidden
        )


def _subschemas(schema: Schema) -> list[Json]:
    """What stands under the keywords of a schema; names of properties are no keywords, even where they look like them."""
    others = [part for keyword, part in schema.items() if keyword not in ("properties", "not")]
    return [*schema.get("properties", {}).values(), *others]


def _excluded(schema: Schema) -> Iterator[dict[str, Json]]:
    """The constant properties that a ``not`` rules out."""
    for part in schema.get("anyOf", [schema]):
        constants = {name: member["const"] for name, member in part.get("properties", {}).items() if "const" in member}
        if constants:
            yield constants


def _forbidden(schema: Schema) -> frozenset[str]:
    """The properties that a ``not`` rules out whatever their value."""
    return frozenset() if "properties" in schema else frozenset(schema.get("required", ()))


# ----------------------------------------------------------------------------------------------------- values


def _one_of(pool: list[str]) -> SearchStrategy[str]:
    """As ``sampled_from``, which however repeats the whole pool wherever a strategy is printed."""
    return st.integers(min_value=0, max_value=len(pool) - 1).map(pool.__getitem__)


def _texts(least: int) -> SearchStrategy[str]:
    awkward = [text for text in _AWKWARD_TEXTS if len(text) >= least]
    # two surrogates side by side would become one character in JSON text, so only the listed lone ones occur
    return st.one_of(st.text(_CHARACTERS, min_size=least, max_size=least + 6), st.sampled_from(awkward))


def _numbers(
    schema: Schema, special: tuple[Any, ...], strategy: Callable[..., SearchStrategy[Any]], **options: bool
) -> SearchStrategy[Any]:
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = [bound for bound in (least, most) if bound is not None]
    near = [*bounds, *[bound + 1 for bound in bounds], *[bound - 1 for bound in bounds]]
    fitting = [n for n in (*special, *near) if (least is None or n >= least) and (most is None or n <= most)]
    whole = [float(n) for n in fitting if abs(n) < 2**53]  # 1.0 is an integer, and the way of a fast path to trip
    return st.one_of(
        st.sampled_from(fitting), st.sampled_from(whole), strategy(min_value=least, max_value=most, **options)
    )


_CHARACTERS = st.characters(exclude_categories=["Cs"])
_LEAVES: SearchStrategy[Json] = st.one_of(
    st.none(), st.booleans(), st.sampled_from([0, 1, -1, 1.5, 1.0, 10**25]), st.sampled_from(_AWKWARD_TEXTS)
)
_NAMES = st.sampled_from(_EXTRA_NAMES)
FREE: SearchStrategy[Json] = st.one_of(
    _LEAVES,
    st.lists(_LEAVES, max_size=2),
    st.dictionaries(_NAMES, _LEAVES, max_size=2),
    st.dictionaries(_NAMES, st.lists(st.dictionaries(_NAMES, _LEAVES, max_size=1), max_size=1), max_size=1),
)
"""JSON of no particular shape."""

JUNK: SearchStrategy[Json] = st.one_of(
    st.none(),
    st.sampled_from([True, False, 0, 1, -1, 1.0, 1.5, -32700.0, 65536, 2**64, 1e300, "", "x", "text", "_x", "idle"]),
    st.sampled_from([[], [None], ["x"], [[]], [{}], {}, {"x": 1}, {"type": "text"}, {"type": "_x"}, {"type": 5}]).map(
        copy.deepcopy  # the next fault may change it
    ),
)
"""What goes wrong in practice: a value of another type, near a bound, or empty."""

TRIALS: list[Json] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    1.5,
    1e300,
    "",
    "x",
    "_x",
    [],
    [None],
    ["x", 5],
    [{}],
    {},
    {"x": 1},
]
"""One of everything, for trying each on every member."""


# ----------------------------------------------------------------------------------------------------- faults


@dataclass(frozen=True)
class _Words:
    """What a document calls things, sorted: properties, those that are constant or lenient somewhere, and constants."""

    names: list[str]
    tags: list[str]
    lenient: list[str]
    constants: list[str]

    def __repr__(self) -> str:
        return "words"

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def is_ruled(self, step: str | int) -> bool:
        return isinstance(step, int) or step in self._known


def _vocabulary(document: Schema) -> _Words:
    names: set[str] = set()
    tags: set[str] = set()
    lenient: set[str] = set()
    constants: set[str] = set()

    def visit(schema: Json) -> None:
        if isinstance(schema, list):
            for part in schema:
                visit(part)
        elif isinstance(schema, dict):
            properties = schema.get("properties", {})
            names.update(properties)
            tags.update(name for name, member in properties.items() if "const" in member)
            lenient.update(name for name, member in properties.items() if _LENIENCY & member.keys())
            if isinstance(schema.get("const"), str):
                constants.add(schema["const"])
            for part in _subschemas(schema):
                visit(part)

    for definition in document["$defs"].values():
        visit(definition)
    return _Words(sorted(names), sorted(tags), sorted(lenient), sorted(constants))


def places(x: Json, here: Place = ()) -> list[Place]:
    """Where every value inside ``x`` stands, the root first."""
    found: list[Place] = [here]
    if isinstance(x, dict):
        for name, value in x.items():
            found += places(value, (*here, name))
    elif isinstance(x, list):
        for index, value in enumerate(x):
            found += places(value, (*here, index))
    return found


@st.composite
def _faulty(draw: Any, valid: SearchStrategy[Json], junk: SearchStrategy[Json], words: _Words) -> Json:
    x = copy.deepcopy(draw(valid))
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        everywhere = places(x)
        # mostly where schemas rule: inside free-form JSON no change does any harm
        ruled = [place for place in everywhere[1:] if all(map(words.is_ruled, place))]
        # and often where something can be salvaged: most other faults just end in a refusal
        lenient = [place for place in ruled if any(step in words.lenient for step in place[-2:])]
        place = draw(st.sampled_from(draw(st.sampled_from([ruled, lenient, everywhere])) or everywhere))
        x = _changed(draw, x, place, junk, words)
    return x


def _changed(draw: Any, x: Json, place: Place, junk: SearchStrategy[Json], words: _Words) -> Json:
    """``x`` with the value at ``place`` replaced, removed, added to, re-tagged, wrapped or moved past a bound."""
    if not place:
        return draw(junk)
    holder = x
    for step in place[:-1]:
        holder = holder[step]
    last = place[-1]
    value = holder[last]
    how = draw(st.sampled_from(["replace", "replace", "remove", "add", "retag", "wrap", "near"]))
    if how == "remove":
        del holder[last]
    elif how == "add":
        _add(draw, value if isinstance(value, (dict, list)) else holder, draw(junk), words)
    elif how == "retag" and last in words.tags:
        holder[last] = draw(st.sampled_from(words.constants))
    elif how == "wrap":
        holder[last] = [value]
    elif how == "near" and isinstance(value, (int, float)):
        holder[last] = draw(
            st.sampled_from([-1, 65536, 0.5, float(value) if abs(value) < 2**60 else 1e18, bool(value)])
        )
    elif how == "near" and isinstance(value, (str, list, dict)):
        holder[last] = type(value)()
    else:
        holder[last] = draw(junk)
    return x


def _add(draw: Any, container: Json, junk: Json, words: _Words) -> None:
    if isinstance(container, list):
        container.insert(draw(st.integers(min_value=0, max_value=len(container))), junk)
    else:
        container[draw(st.sampled_from(words.names))] = junk


def _is_valid(validator: Draft202012Validator, x: Json) -> bool:
    try:
        return validator.is_valid(x)
    except UnicodeEncodeError:  # the validator wants UTF-8; one character is as good as another for a schema
        return validator.is_valid(_with_plain_text(x))


def _with_plain_text(x: Json) -> Json:
    if isinstance(x, str):
        return x.encode("utf-8", "replace").decode()
    if isinstance(x, list):
        return [_with_plain_text(item) for item in x]
    if isinstance(x, dict):
        return {_with_plain_text(name): _with_plain_text(value) for name, value in x.items()}
    return x
