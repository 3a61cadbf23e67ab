"""Views of ``types.py``: classes, aliases and constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir import (
    Alias,
    Choice,
    Definition,
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
    UnknownVariant,
    Values,
)
from ..passes.naming import field_name
from .common import PY_SCALARS, Model, py_type
from .literals import docstring, literal


@dataclass(frozen=True)
class FieldView:
    name: str
    annotation: str
    default: str  # " = None", or nothing
    doc: str


@dataclass(frozen=True)
class ClassView:
    kind: str
    name: str
    doc: str
    tag: str  # a ready class variable, or nothing
    fields: list[FieldView]


@dataclass(frozen=True)
class UnknownView:
    kind: str
    name: str
    doc: str
    tag: str
    properties: list[tuple[str, str, str]]  # name, annotation, key of the raw object


@dataclass(frozen=True)
class AliasView:
    kind: str
    name: str
    expression: str
    doc: str


@dataclass(frozen=True)
class ConstantView:
    name: str
    value: str
    doc: str


@dataclass(frozen=True)
class ConstantsView:
    kind: str
    name: str
    doc: str
    constants: list[ConstantView]


ItemView = ClassView | UnknownView | AliasView | ConstantsView


def type_items(model: Model) -> tuple[list[ItemView], list[AliasView]]:
    """What ``types.py`` holds, in schema order, and the unions that must come after all classes."""
    items: list[ItemView] = []
    late: list[Definition] = []
    for definition in model.public():
        if isinstance(definition, Record):
            items.append(_class(definition, model))
        elif isinstance(definition, Enum):
            items.extend(_enum(definition))
        elif isinstance(definition, Alias) and not referred(definition.type):
            items.append(AliasView("alias", definition.name, _scalar(definition), docstring(definition.doc, 0)))
        else:
            if isinstance(definition, Union_) and definition.unknown:
                items.append(_unknown(definition, definition.unknown, model))
            late.append(definition)
    expressions: set[str] = set()
    return items, [_union(definition, model, expressions) for definition in _in_order(late, model)]


def referred(type_: Type) -> list[str]:
    """The definitions that a type names."""
    if isinstance(type_, Ref):
        return [type_.name]
    if isinstance(type_, Choice):
        return [name for option in type_.options for name in referred(option)]
    inner = getattr(type_, "item", None) or getattr(type_, "value", None) or getattr(type_, "inner", None)
    return referred(inner) if isinstance(inner, (Ref, ListOf, MapOf, Nullable, Choice)) else []


def _in_order(late: list[Definition], model: Model) -> list[Definition]:
    """Aliases after the aliases that they name; otherwise in schema order."""
    waiting = {definition.name: definition for definition in late}
    ordered: list[Definition] = []

    def place(definition: Definition) -> None:
        if waiting.pop(definition.name, None) is None:
            return
        if isinstance(definition, Alias) and not model.is_object(definition):
            for name in referred(definition.type):
                place(model.by_name[name])
        ordered.append(definition)

    for definition in late:
        place(definition)
    return ordered


def _scalar(alias: Alias) -> str:
    # the name inside tells this alias from others of the same type when it is passed to decode()
    return f"Annotated[{py_type(alias.type)}, {literal(alias.name)}]"


def _union(definition: Definition, model: Model, expressions: set[str]) -> AliasView:
    if not model.is_object(definition):
        assert isinstance(definition, Alias)
        return AliasView("alias", definition.name, _scalar(definition), docstring(definition.doc, 0))
    names = list(dict.fromkeys(member.cls for member in model.members(definition.name)))
    expression = " | ".join(names)
    if expression in expressions or len(names) == 1:
        # not the only alias of these classes: the name inside tells them apart
        expression = f"Annotated[{expression}, {literal(definition.name)}]"
    expressions.add(expression)
    return AliasView("alias", definition.name, expression, docstring(definition.doc, 0))


def _class(record: Record, model: Model) -> ClassView:
    tag = ""
    if record.tag:
        value = record.tag[1]
        kind = f"Literal[{literal(value)}]" if value is not None else "None"
        tag = f"{record.tag_name}: ClassVar[{kind}] = {literal(value)}"
    fields = [
        FieldView(field.name, _annotation(field), _default(field, model), docstring(field.doc, 4))
        for field in record.fields
    ]
    return ClassView("class", record.name, docstring(record.doc or record.name, 4), tag, fields)


def _annotation(field: Field) -> str:
    inner = py_type(field.type)
    if field.presence is Presence.PATCH:
        return f"Patch[{inner}]"
    takes_none = field.nullable if field.presence is not Presence.OPTIONAL else inner != "Any"
    return f"{inner} | None" if takes_none else inner


def _default(field: Field, model: Model) -> str:
    if field.presence is Presence.REQUIRED:
        return ""
    if field.presence is Presence.OPTIONAL:
        return " = None"
    if field.presence is Presence.PATCH:
        return " = UNSET"
    return " = " + default_expression(field, model)


def default_expression(field: Field, model: Model) -> str:
    """The schema's default as a class-level default."""
    text = python_value(field.default, field.type, model)
    return text if is_immutable(field) else f"field(default_factory=lambda: {text})"


def is_immutable(field: Field) -> bool:
    """Whether one object can serve as the default of every instance."""
    return isinstance(field.default, (str, int, float, bool))


def python_value(value: Any, type_: Type, model: Model) -> str:
    """An expression for the Python value of JSON that is known to fit the type."""
    found = model.resolve(type_)
    if isinstance(found, Record):
        wires = {field.wire: field for field in found.fields}
        arguments = [
            f"{wires[wire].name}={python_value(member, wires[wire].type, model)}" for wire, member in value.items()
        ]
        return f"{found.name}({', '.join(arguments)})"
    if isinstance(found, ListOf):
        return "[" + ", ".join(python_value(item, found.item, model) for item in value) + "]"
    if isinstance(found, MapOf):
        members = [f"{literal(key)}: {python_value(item, found.value, model)}" for key, item in value.items()]
        return "{" + ", ".join(members) + "}"
    return ascii(value)


def _unknown(union: Union_, unknown: UnknownVariant, model: Model) -> UnknownView:
    properties: list[tuple[str, str, str]] = []
    if len(unknown.checks) == 1:
        check = model.by_name[unknown.checks[0]]
        assert isinstance(check, Record)
        for field in check.fields:
            if field.required and _is_plain(field, model):
                properties.append((field.name, _annotation(field), literal(field.wire)))
    tag = field_name(union.tag, union.where)
    return UnknownView("unknown", unknown.name, docstring(unknown.doc or unknown.name, 4), tag, properties)


def _is_plain(field: Field, model: Model) -> bool:
    found = model.resolve(field.type)
    return isinstance(found, (Scalar, Values, Enum))


def _enum(enum: Enum) -> list[ItemView]:
    values = ", ".join(literal(value.value) for value in enum.values)
    kind = f"Literal[{values}]"
    if enum.open:
        kind = f"{kind} | {PY_SCALARS[enum.base]}"
    openness = "open: any other value is kept as it came" if enum.open else "closed"
    return [
        AliasView("alias", enum.name, f"Annotated[{kind}, {literal(enum.name)}]", docstring(enum.doc, 0)),
        ConstantsView(
            "constants",
            enum.name + "Values",
            f'"""Known values of ``{enum.name}`` ({openness})."""',
            [ConstantView(value.name, literal(value.value), docstring(value.doc, 4)) for value in enum.values],
        ),
    ]
