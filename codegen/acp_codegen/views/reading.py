"""Views of ``_read.py``: straight-line readers of strictly valid JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    Alias,
    Bounds,
    Choice,
    Enum,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Presence,
    Record,
    Ref,
    Scalar,
    Type,
    Union_,
    Values,
)
from ..jsontypes import python_pattern
from .common import Model, function, table
from .literals import literal, literal_set
from .types import python_value


@dataclass(frozen=True)
class ReadField:
    name: str
    key: str
    lines: list[str]


@dataclass(frozen=True)
class ReadRecord:
    kind: str
    function: str
    cls: str
    known: str
    keys: str
    required: list[ReadField]
    optional: list[ReadField]
    defaults: list[str]  # assignments to all optional fields
    forbidden: list[str]  # names that the object must not have


@dataclass(frozen=True)
class Alternative:
    """A member without a tag: the condition under which it is the one to read, and its reader."""

    condition: str
    reader: str


@dataclass(frozen=True)
class ReadUnion:
    kind: str
    function: str
    result: str
    tag: str
    table: str
    nested: bool
    unknown: str  # class, or nothing where there is none or only the careful path can tell
    refused: str
    check: str  # function that checks an unknown variant, or nothing
    absent: str
    untagged: list[Alternative]
    rows: list[tuple[str, str]]  # tag literal, reader


@dataclass(frozen=True)
class ReadChoice:
    kind: str
    function: str
    result: str
    exclusive: bool
    alternatives: list[Alternative]


@dataclass(frozen=True)
class ReadCheck:
    kind: str
    function: str
    required: list[ReadField]
    optional: list[ReadField]


ReadItem = ReadRecord | ReadUnion | ReadChoice | ReadCheck


def read_items(model: Model) -> tuple[list[ReadItem], list[tuple[str, str]]]:
    """The readers in schema order, and the names of module constants with their values."""
    items: list[ReadItem] = []
    constants: dict[str, str] = {}
    reader = _Reading(model, constants)
    for definition in model.edition.definitions:
        if isinstance(definition, Record):
            if not definition.check_only:
                items.append(reader.record(definition))
            elif definition.fields and definition.name in reader.checked:
                items.append(reader.check(definition))
        elif isinstance(definition, Union_):
            items.append(reader.union(definition))
        elif isinstance(definition, Alias) and isinstance(definition.type, Choice):
            if model.is_object_choice(definition):
                items.append(reader.choice(definition, definition.type))
    return items, sorted(constants.items())


class _Reading:
    def __init__(self, model: Model, constants: dict[str, str]) -> None:
        self._model = model
        self._constants = constants
        self.checked = {
            d.unknown.checks[0]
            for d in model.edition.definitions
            if isinstance(d, Union_) and d.unknown and len(d.unknown.checks) == 1
        }

    # ---------------------------------------------------------------------------------------- definitions

    def record(self, record: Record) -> ReadRecord:
        required = [field for field in record.fields if field.required]
        optional = [field for field in record.fields if not field.required]
        return ReadRecord(
            "record",
            function(record.name),
            record.name,
            table(record.name),
            literal_set(field.wire for field in record.fields),
            [self._field(field) for field in required],
            [self._field(field) for field in optional],
            self._defaults(optional),
            [literal(wire) for wire in record.forbidden],
        )

    def check(self, record: Record) -> ReadCheck:
        return ReadCheck(
            "check",
            function(record.name),
            [self._field(field) for field in record.fields if field.required],
            [self._field(field) for field in record.fields if not field.required],
        )

    def union(self, union: Union_) -> ReadUnion:
        # what an unknown variant must carry may have alternatives: then only the careful path can tell
        unknown = union.unknown if union.unknown and len(union.unknown.checks) == 1 else None
        check = ""
        if unknown is not None:
            record = self._model.by_name[unknown.checks[0]]
            assert isinstance(record, Record)
            check = f"check_{function(record.name)}" if record.fields else ""
        return ReadUnion(
            "union",
            function(union.name),
            union.name,
            literal(union.tag),
            table(union.name) + "_READERS",
            self._model.is_nested(union.name),
            unknown.name if unknown else "",
            ", ".join(literal(value) for value in unknown.refused) if unknown else "",
            check,
            f"read_{function(union.absent)}" if union.absent else "",
            self._alternatives(list(union.untagged)),
            [(literal(variant.value), f"read_{function(variant.target)}") for variant in union.variants],
        )

    def choice(self, alias: Alias, choice: Choice) -> ReadChoice:
        names = [option.name for option in choice.options if isinstance(option, Ref)]
        return ReadChoice("choice", function(alias.name), alias.name, choice.exclusive, self._alternatives(names))

    def _alternatives(self, names: list[str]) -> list[Alternative]:
        """The first member whose required keys are all there is read; if that fails, the careful path decides.

        A fault does not mean that a member is invalid (1.0 is an integer, for one), so a fast reader must not go on to the
        next member after it. A missing required key does mean that.
        """
        found: list[Alternative] = []
        for name in names:
            definition = self._model.by_name[name]
            excluded = definition.forbidden if isinstance(definition, Record) else ()
            tests = [f"{literal(key)} in d" for key in self._required_keys(name)]
            tests += [f"{literal(key)} not in d" for key in excluded]
            condition = " and ".join(tests)
            found.append(Alternative(condition or "True", f"read_{function(name)}"))
        return found

    def _required_keys(self, name: str) -> list[str]:
        definition = self._model.by_name[name]
        if isinstance(definition, Record):
            return [field.wire for field in definition.fields if field.required]
        if isinstance(definition, Union_) and not definition.absent and not definition.untagged:
            return [definition.tag]
        return []

    def _field(self, field: Field) -> ReadField:
        # null that is not valid here is for the careful path
        type_ = Nullable(field.type) if field.nullable else field.type
        return ReadField(field.name, literal(field.wire), self._lines(type_, 0))

    def _defaults(self, fields: list[Field]) -> list[str]:
        """Chained assignments, one a default value."""
        groups: dict[str, list[str]] = {}
        for field in fields:
            if field.presence is Presence.OPTIONAL:
                value = "None"
            elif field.presence is Presence.PATCH:
                value = "UNSET"
            else:
                value = python_value(field.default, field.type, self._model)
            key = value if value in ("None", "UNSET") else f"{value}\0{field.name}"
            groups.setdefault(key, []).append(f"o.{field.name}")
        groups.setdefault("None", []).append("o.extra")
        return [
            " = ".join([*names[start : start + 5], key.split("\0")[0]])
            for key, names in groups.items()
            for start in range(0, len(names), 5)
        ]

    # ----------------------------------------------------------------------------------------- statements

    def _lines(self, type_: Type, depth: int) -> list[str]:
        """Statements that check the variable of this depth and turn it into its Python value."""
        x = _variable(depth)
        found = self._model.resolve(type_)
        if isinstance(found, Nullable):
            return self._nullable(found.inner, depth)
        if isinstance(found, Scalar):
            tests = _tests(found, x, self._pattern)
            return _raise(" or ".join(tests)) if tests else []
        if isinstance(found, Enum):
            if found.open:
                return self._lines(Scalar(found.base), depth)
            found = Values(tuple(value.value for value in found.values))
        if isinstance(found, Values):
            return [f"{x} = among({x}, {self._values(found)})"]
        if isinstance(found, ListOf):
            return self._list(found, depth)
        if isinstance(found, MapOf):
            return self._map(found, depth)
        if isinstance(found, Choice):
            return self._choice(found, depth)
        return [f"{x} = read_{function(found.name)}({x})"]

    def _nullable(self, inner: Type, depth: int) -> list[str]:
        x = _variable(depth)
        lines = self._lines(inner, depth)
        if len(lines) == 2 and lines[0].startswith("if ") and lines[1] == "    raise Fault":
            test = lines[0][3:-1]
            return _raise(f"{x} is not None and {f'({test})' if ' or ' in test else test}")
        return [f"if {x} is not None:", *_indented(lines)] if lines else []

    def _list(self, found: ListOf, depth: int) -> list[str]:
        x, y = _variable(depth), _variable(depth + 1)
        tests = [f"{x}.__class__ is not list"]
        if found.min_items is not None:
            tests.append(f"len({x}) < {found.min_items}")
        if found.max_items is not None:
            tests.append(f"len({x}) > {found.max_items}")
        lines = _raise(" or ".join(tests))
        inner = self._lines(found.item, depth + 1)
        if len(inner) == 1 and inner[0].startswith(f"{y} = "):
            lines.append(f"{x} = [{inner[0].removeprefix(f'{y} = ')} for {y} in {x}]")
        elif inner == ["raise Fault"]:  # only the careful path can tell
            lines += _raise(x)
        elif _converts(inner, y):
            lines += [f"{x}, items = [], {x}", f"for {y} in items:", *_indented(inner), f"    {x}.append({y})"]
        elif inner:
            lines += [f"for {y} in {x}:", *_indented(inner)]
        return lines

    def _map(self, found: MapOf, depth: int) -> list[str]:
        x, y = _variable(depth), _variable(depth + 1)
        lines = _raise(f"{x}.__class__ is not dict")
        inner = self._lines(found.value, depth + 1)
        if found.value != Scalar("any"):
            lines += [f"for k in {x}:", "    if type(k) is not str:", "        raise Fault"]
        if len(inner) == 1 and inner[0].startswith(f"{y} = "):
            lines.append(f"{x} = {{k: {inner[0].removeprefix(f'{y} = ')} for k, {y} in {x}.items()}}")
        elif inner == ["raise Fault"]:  # only the careful path can tell
            lines += _raise(x)
        elif _converts(inner, y):
            lines += [f"{x}, members = {{}}, {x}", f"for k, {y} in members.items():", *_indented(inner)]
            lines += [f"    {x}[k] = {y}"]
        elif inner:
            lines += [f"for {y} in {x}.values():", *_indented(inner)]
        return lines

    def _choice(self, found: Choice, depth: int) -> list[str]:
        """Scalars can be told apart in place, records before free-form JSON by their required keys."""
        x = _variable(depth)
        kinds = [self._model.resolve(option) for option in found.options]
        if Scalar("any") in kinds and all(isinstance(kind, (Scalar, ListOf)) for kind in kinds):
            return []
        if all(isinstance(kind, Scalar) and kind.bounds == Bounds() for kind in kinds):
            tests = [_tests(kind, x, self._pattern) for kind in kinds if isinstance(kind, Scalar)]
            return _raise(" and ".join(f"({' or '.join(t)})" if len(t) > 1 else t[0] for t in tests))
        *records, last = kinds
        if last != Scalar("any") or not all(isinstance(kind, Record) for kind in records):
            return ["raise Fault"]
        lines = [f"if {x}.__class__ is dict:"]
        for number, alternative in enumerate(self._alternatives([r.name for r in records if isinstance(r, Record)])):
            condition = alternative.condition.replace(" in d", f" in {x}")
            lines.append(f"    {'elif' if number else 'if'} {condition}:")
            lines.append(f"        {x} = {alternative.reader}({x})")
        return lines

    def _values(self, values: Values) -> str:
        return self._constant("VALUES", f"frozenset({{{', '.join(map(literal, values.values))}}})")

    def _pattern(self, pattern: str) -> str:
        return self._constant("PATTERN", f"re.compile({literal(python_pattern(pattern))})")

    def _constant(self, prefix: str, value: str) -> str:
        for name, known in self._constants.items():
            if known == value:
                return name
        name = f"_{prefix}_{len(self._constants) + 1}"
        self._constants[name] = value
        return name


def _tests(scalar: Scalar, x: str, pattern_constant: object) -> list[str]:
    """Conditions of which any one makes the value invalid."""
    bounds = scalar.bounds
    if scalar.kind == "any":
        return []
    if scalar.kind == "null":
        return [f"{x} is not None"]
    if scalar.kind == "number":
        tests = [f"type({x}) is not int and (type({x}) is not float or not isfinite({x}))"]
    else:
        kind = {"string": "str", "integer": "int", "boolean": "bool"}[scalar.kind]
        tests = [f"type({x}) is not {kind}"]
    for limit, operator in (
        (bounds.minimum, "<"),
        (bounds.maximum, ">"),
        (bounds.exclusive_minimum, "<="),
        (bounds.exclusive_maximum, ">="),
    ):
        if limit is not None:
            tests.append(f"{x} {operator} {literal(limit)}")
    if bounds.min_length is not None:
        tests.append(f"len({x}) < {bounds.min_length}")
    if bounds.max_length is not None:
        tests.append(f"len({x}) > {bounds.max_length}")
    if bounds.pattern is not None:
        assert callable(pattern_constant)
        tests.append(f"not {pattern_constant(bounds.pattern)}.search({x})")
    return tests


def _variable(depth: int) -> str:
    """The name of the value at this depth of nested lists and maps."""
    return "xyz"[depth] if depth < 3 else f"x{depth}"


def _raise(test: str) -> list[str]:
    return [f"if {test}:", "    raise Fault"]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _converts(lines: list[str], variable: str) -> bool:
    return any(line.strip().startswith((f"{variable} = ", f"{variable}, ")) for line in lines)
