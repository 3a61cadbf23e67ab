"""Views of ``_rules.py``: the tables that drive the careful path."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    Bounds,
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
    Values,
)
from ..jsontypes import python_pattern
from .common import Model
from .literals import literal
from .types import python_value

_SCALARS = {
    "string": "TEXT",
    "integer": "INTEGER",
    "number": "NUMBER",
    "boolean": "BOOLEAN",
    "any": "ANYTHING",
}


@dataclass(frozen=True)
class RuleView:
    name: str
    expression: str


def rule_items(model: Model) -> list[RuleView]:
    """One rule a definition, in schema order; catch-alls before their union."""
    items: list[RuleView] = []
    for definition in model.edition.definitions:
        if isinstance(definition, Union_) and definition.unknown:
            items.append(RuleView(literal(definition.unknown.name), _other(definition)))
        items.append(RuleView(literal(definition.name), _definition(definition, model)))
    return items


def _definition(definition: Definition, model: Model) -> str:
    if isinstance(definition, Record):
        cls = "None" if definition.check_only else definition.name
        slots = [_slot(field, model) for field in _written_order(definition)]
        forbidden = [f"forbidden={definition.forbidden!r}"] if definition.forbidden else []
        return f"Object({', '.join([cls, *slots, *forbidden])})"
    if isinstance(definition, Union_):
        return _tagged(definition)
    if isinstance(definition, Enum):
        if definition.open:
            return _SCALARS[definition.base]
        return f"OneOf({', '.join(literal(value.value) for value in definition.values)})"
    return _rule(definition.type)


def _written_order(record: Record) -> list[Field]:
    """Members that are always written come first, as the fast writers have them."""
    always = (Presence.REQUIRED, Presence.DEFAULTED)
    return sorted(record.fields, key=lambda field: field.presence not in always)


def _slot(field: Field, model: Model) -> str:
    parts = [literal(field.wire), literal(field.name), _rule(field.type)]
    usual_null = "value" if field.presence in (Presence.OPTIONAL, Presence.PATCH) else "fail"
    if field.presence is Presence.DEFAULTED:
        parts.append(f"lambda: {python_value(field.default, field.type, model)}")
    if field.on_error.value != "fail":
        parts.append(literal(field.on_error.value))
    if field.on_null.value != usual_null:
        parts.append(f"on_null={literal(field.on_null.value)}")
    if field.skip_invalid_items:
        parts.append("skip_invalid=True")
    return f"{field.presence.value}({', '.join(parts)})"


def _other(union: Union_) -> str:
    unknown = union.unknown
    assert unknown is not None
    known = sorted({variant.value for variant in union.variants} | set(unknown.refused))
    checks = [f"Named({literal(check)})" for check in unknown.checks]
    only = ["exclusive=True"] if unknown.exclusive else []
    check = checks[0] if len(checks) == 1 else f"FirstOf({', '.join([*checks, *only])})"
    tags = ", ".join(map(literal, known))
    return f"Other({unknown.name}, {literal(union.tag)}, frozenset({{{tags}}}), {check})"


def _tagged(union: Union_) -> str:
    variants = ", ".join(f"{literal(v.value)}: Named({literal(v.target)})" for v in union.variants)
    parts = [literal(union.tag), "{" + variants + "}"]
    if union.unknown:
        parts.append(f"other=Named({literal(union.unknown.name)})")
        if union.unknown.refused:
            parts.append(f"refused=frozenset({{{', '.join(map(literal, union.unknown.refused))}}})")
    if union.untagged:
        parts.append("untagged=(" + "".join(f"Named({literal(name)}), " for name in union.untagged) + ")")
    if union.absent:
        parts.append(f"absent=Named({literal(union.absent)})")
    if union.tag_on_error_absent:
        parts.append("lenient_tag=True")
    return f"Tagged({', '.join(parts)})"


def _rule(type_: Type) -> str:
    if isinstance(type_, Scalar):
        return _scalar(type_)
    if isinstance(type_, Values):
        return f"OneOf({', '.join(map(literal, type_.values))})"
    if isinstance(type_, Ref):
        return f"Named({literal(type_.name)})"
    if isinstance(type_, ListOf):
        limits = [
            f"{name}={limit}"
            for name, limit in (("min_items", type_.min_items), ("max_items", type_.max_items))
            if limit is not None
        ]
        return f"Items({', '.join([_rule(type_.item), *limits])})"
    if isinstance(type_, MapOf):
        return f"Members({_rule(type_.value)})"
    if isinstance(type_, Nullable):
        return f"OrNull({_rule(type_.inner)})"
    options = [_rule(option) for option in type_.options]
    if type_.exclusive:
        options.append("exclusive=True")
    return f"FirstOf({', '.join(options)})"


def _scalar(scalar: Scalar) -> str:
    bounds = scalar.bounds
    if bounds == Bounds():
        return _SCALARS[scalar.kind]
    if scalar.kind == "string":
        named: dict[str, str | float | None] = {
            "min_length": bounds.min_length,
            "max_length": bounds.max_length,
            "pattern": bounds.pattern and python_pattern(bounds.pattern),
        }
        cls = "Text"
    else:
        named = {
            "minimum": bounds.minimum,
            "maximum": bounds.maximum,
            "above": bounds.exclusive_minimum,
            "below": bounds.exclusive_maximum,
        }
        cls = {"integer": "Integer", "number": "Number"}[scalar.kind]
    given = [f"{name}={literal(value)}" for name, value in named.items() if value is not None]
    return f"{cls}({', '.join(given)})"
