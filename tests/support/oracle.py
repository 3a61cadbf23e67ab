"""An independent judge of the codecs: what is accepted, and what is written back.

``jsonschema_rs`` decides validity. Before it does, a pre-pass honours the schema's ``x-deserialize-*`` keywords: it
walks schema and instance together, from the inside out, and removes or replaces what a reader has to pass over.
Nothing of the generator or of the generated package is used, so a mistake there cannot repeat itself here.
"""

from __future__ import annotations

import re
from typing import Any

from jsonschema_rs import Draft202012Validator

Json = Any
Schema = dict[str, Any]

ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP = "x-deserialize-skip-invalid-items"
PATCH = ("replace", "merge")  # values of "x-patch" that tell null from absent
ENVELOPE = "x-docs-ignore"
ROUTED = ("params", "result")  # members of an envelope: which schema applies depends on the method

_SURROGATE = re.compile("[\ud800-\udfff]")
_EMPTY: Schema = {}


class Oracle:
    """The judge for one schema document."""

    def __init__(self, document: Schema) -> None:
        self._definitions: dict[str, Schema] = document["$defs"]
        self._without_limits = _without_limits_on_defaults(self._definitions)
        self._validators: dict[tuple[int, bool], Draft202012Validator] = {}

    # ------------------------------------------------------------------------------------------ verdicts

    def is_strictly_valid(self, name: str, x: Json) -> bool:
        """Whether ``x`` is valid as it stands."""
        return self._is_valid(self._definitions[name], x)

    def accepts(self, name: str, x: Json) -> bool:
        """Whether ``x`` is valid once the ``x-deserialize-*`` keywords are honoured."""
        definition = self._definitions[name]
        return self._is_valid(definition, self._repaired(definition, x), after_repair=True)

    def written_back(self, name: str, x: Json) -> Json:
        """The JSON that decoding and encoding an accepted ``x`` gives.

        It is ``x`` after salvage, without the nulls that mean the same as absence, and with defaults filled in.
        """
        definition = self._definitions[name]
        return _with_unknowns_as_they_came(self._written(definition, self._repaired(definition, x)))

    def _is_valid(self, schema: Schema, x: Json, *, after_repair: bool = False) -> bool:
        key = (id(schema), after_repair)
        validator = self._validators.get(key)
        if validator is None:
            definitions = self._without_limits if after_repair else self._definitions
            body = _without_limits_on_defaults(schema) if after_repair else schema
            validator = Draft202012Validator({"allOf": [body], "$defs": definitions}, validate_formats=False)
            self._validators[key] = validator
        try:
            return validator.is_valid(x)
        except UnicodeEncodeError:  # the validator wants UTF-8, which has no lone surrogates
            return validator.is_valid(_without_surrogates(x))

    def _target(self, reference: str) -> Schema:
        return self._definitions[reference.removeprefix("#/$defs/")]

    def _included(self, schema: Schema) -> list[Schema]:
        """The schemas that hold beside this one, without a choice."""
        referred = [self._target(schema["$ref"])] if "$ref" in schema else []
        return [*referred, *schema.get("allOf", ())]

    # ----------------------------------------------------------------------------------------- pre-pass

    def _repaired(self, schema: Schema, x: Json) -> Json:
        """``x`` after every salvage that the keywords in and below ``schema`` ask for."""
        came = x
        for part in self._included(schema):
            x = self._repaired(part, x)
        if isinstance(x, dict):
            x = self._repaired_members(schema, x)
        elif isinstance(x, list) and "items" in schema:
            x = [self._repaired(schema["items"], item) for item in x]
        for keyword, branches in _choices(schema):
            x, branch = self._repaired_branch(branches, x, exclusive=keyword == "oneOf")
            if "not" in branch and x is not came and isinstance(x, dict):
                x = _UnknownVariant(x, came)
        return x

    def _repaired_members(self, schema: Schema, x: dict[str, Json]) -> dict[str, Json]:
        declared = schema.get("properties", _EMPTY)
        others = schema.get("additionalProperties")
        changed: dict[str, Json] = {}
        removed: set[str] = set()
        for name, value in x.items():
            member = declared.get(name, others)
            if not isinstance(member, dict):
                continue
            try:
                repaired = self._repaired_member(member, value)
            except _Malformed:
                removed.add(name)
            else:
                if repaired is not value:
                    changed[name] = repaired
        if not changed and not removed:
            return x
        return {name: changed.get(name, value) for name, value in x.items() if name not in removed}

    def _repaired_member(self, member: Schema, value: Json) -> Json:
        """The salvaged value; raises where the member is to be treated as absent."""
        if value is None and member.get(ON_NULL):
            return {} if member["type"] == "object" else []
        if member.get(SKIP) and isinstance(value, list):
            value = self._without_invalid_items(member["items"], value)
        value = self._repaired(member, value)
        if not member.get(ON_ERROR) or self._is_valid(member, value, after_repair=True):
            return value
        if "items" in member and not self._is_valid(member, None):
            return []  # the default of an array that cannot be null; nobody validates it
        raise _Malformed

    def _without_invalid_items(self, schema: Schema, items: list[Json]) -> list[Json]:
        repaired = [self._repaired(schema, item) for item in items]
        return [item for item in repaired if self._is_valid(schema, item, after_repair=True)]

    def _repaired_branch(self, branches: list[Schema], x: Json, *, exclusive: bool) -> tuple[Json, Schema]:
        """``x`` as its branch repairs it, and the branch: a strictly valid one goes before all that need salvage."""
        for branch in branches:
            if _may_fit(branch, x) and self._is_valid(branch, x):
                return x, branch
        fitting: list[tuple[Json, Schema]] = []
        for branch in branches:
            if _may_fit(branch, x):
                repaired = self._repaired(branch, x)
                if self._is_valid(branch, repaired, after_repair=True):
                    fitting.append((repaired, branch))
        if not fitting or (exclusive and len(fitting) > 1):
            return x, _EMPTY
        return fitting[0]

    # ------------------------------------------------------------------------------------------ writing

    def _written(self, schema: Schema, x: Json) -> Json:
        parts = self._parts(schema, x)
        if parts is None:
            return x
        if isinstance(x, list):
            items = next((part["items"] for part in parts if "items" in part), _EMPTY)
            return [self._written(items, item) for item in x]
        if isinstance(x, dict):
            return self._written_members(parts, x)
        return x

    def _written_members(self, parts: list[Schema], x: dict[str, Json]) -> dict[str, Json]:
        declared: dict[str, Schema] = {}
        required: set[str] = set()
        for part in parts:
            declared.update(part.get("properties", _EMPTY))
            required.update(part.get("required", ()))
        others = next((p["additionalProperties"] for p in parts if p.get("additionalProperties")), _EMPTY)
        is_envelope = any(part.get(ENVELOPE) for part in parts)
        result: dict[str, Json] = {}
        for name, value in x.items():
            member = declared.get(name, others)
            if value is None and name in declared and name not in required and member.get("x-patch") not in PATCH:
                continue  # null and absent are the same here
            is_raw = member is True or (is_envelope and name in ROUTED)
            result[name] = value if is_raw else self._written(member, value)
        for name, member in declared.items():
            if "default" in member and name not in result:
                result[name] = member["default"]
        return result

    def _parts(self, schema: Schema, x: Json) -> list[Schema] | None:
        """The schemas without choices that together describe ``x``; None where it is an unknown variant."""
        parts = [schema]
        chosen = [self._chosen(branches, x) for _, branches in _choices(schema)]
        if any("not" in branch for branch in chosen):
            return None
        for inner in self._included(schema) + chosen:
            found = self._parts(inner, x)
            if found is None:
                return None
            parts.extend(found)
        return parts

    def _chosen(self, branches: list[Schema], x: Json) -> Schema:
        for after_repair in (False, True):
            for branch in branches:
                if _may_fit(branch, x) and self._is_valid(branch, x, after_repair=after_repair):
                    return branch
        return _EMPTY


class _Malformed(Exception):
    """A member that the reader is to treat as absent."""


class _UnknownVariant(dict[str, Json]):
    """A repaired object of a variant that the schema does not know, which remembers how it came.

    The repair decides whether it is accepted; what is kept and written again is the object as it came.
    """

    def __init__(self, repaired: dict[str, Json], came: dict[str, Json]) -> None:
        super().__init__(repaired)
        self.came = came


def _with_unknowns_as_they_came(x: Json) -> Json:
    if isinstance(x, _UnknownVariant):
        return x.came
    if isinstance(x, dict):
        return {name: _with_unknowns_as_they_came(value) for name, value in x.items()}
    if isinstance(x, list):
        return [_with_unknowns_as_they_came(item) for item in x]
    return x


def _choices(schema: Schema) -> list[tuple[str, list[Schema]]]:
    return [(keyword, schema[keyword]) for keyword in ("anyOf", "oneOf") if keyword in schema]


def _may_fit(branch: Schema, x: Json) -> bool:
    """False where a constant property of the branch rules ``x`` out; saves asking the validator."""
    if not isinstance(x, dict):
        return branch.get("type") != "object"
    required = branch.get("required", ())
    for name, member in branch.get("properties", _EMPTY).items():
        if "const" in member and (x[name] != member["const"] if name in x else name in required):
            return False
    return True


def _without_limits_on_defaults(schema: Json) -> Json:
    """A copy in which arrays that default to empty on error have no ``minItems``: the default is not validated."""
    if isinstance(schema, list):
        return [_without_limits_on_defaults(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    lifted = {name: _without_limits_on_defaults(part) for name, part in schema.items()}
    if schema.get(ON_ERROR) is True:
        lifted.pop("minItems", None)
    return lifted


def _without_surrogates(x: Json) -> Json:
    """Each lone surrogate as one other character: lengths, and keys that differ, stay so."""
    if isinstance(x, str):
        return _SURROGATE.sub("\ufffd", x)
    if isinstance(x, list):
        return [_without_surrogates(item) for item in x]
    if isinstance(x, dict):
        return {_without_surrogates(name): _without_surrogates(value) for name, value in x.items()}
    return x


def same_json(a: Json, b: Json) -> bool:
    """Equality of JSON data: 1 and 1.0 are one number, true and 1 are not."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(value, b[name]) for name, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return type(a) is type(b) and bool(a == b)


# -------------------------------------------------------------------------------------------- JSON Pointers

_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*", re.DOTALL)


def is_pointer(text: str) -> bool:
    """Whether ``text`` is a JSON Pointer of RFC 6901."""
    return _POINTER.fullmatch(text) is not None


def resolve(pointer: str, x: Json) -> Json:
    """What the pointer refers to in ``x``; raises LookupError where there is nothing."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(x, list):
            if not re.fullmatch(r"0|[1-9][0-9]*", name):
                raise LookupError(pointer)
            x = x[int(name)]
        elif isinstance(x, dict):
            x = x[name]
        else:
            raise LookupError(pointer)
    return x


def parent(pointer: str) -> str:
    """The pointer one step up; the root is its own parent."""
    return pointer.rpartition("/")[0]
