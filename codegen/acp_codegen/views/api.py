"""Views of ``codec.py`` and ``methods.py``: the public functions and tables of an edition."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Method, Record
from .common import Model, function
from .literals import literal
from .writing import head_text


@dataclass(frozen=True)
class CodecView:
    """One definition of the schema in the public interface."""

    name: str
    key: str
    function: str
    reader: str  # fast reader, or nothing
    writer: str  # fast writer, or nothing


@dataclass(frozen=True)
class VariantView:
    """A class that is no definition of its own: its bare JSON carries its discriminator."""

    key: str
    tag: str  # a literal, or nothing for a variant without a tag
    value: str
    writer: str
    head: str


@dataclass(frozen=True)
class MethodView:
    key: str
    params: str
    result: str  # an expression, None for a notification


def codec_items(model: Model) -> list[CodecView]:
    views: list[CodecView] = []
    for definition in model.public():
        if definition.name not in model.edition.own_names:
            continue
        is_object = model.is_object(definition)
        name = function(definition.name)
        views.append(
            CodecView(
                definition.name,
                literal(definition.name),
                name,
                f"read_{name}" if is_object else "",
                f"write_{name}" if is_object else "",
            )
        )
    return views


def variant_items(model: Model) -> list[VariantView]:
    views: list[VariantView] = []
    for definition in model.public():
        if isinstance(definition, Record) and definition.name not in model.edition.own_names:
            tag, value = definition.tag or ("", None)
            head = head_text(((tag, value),) if value is not None else ())
            views.append(
                VariantView(
                    literal(definition.name),
                    literal(tag) if tag else "",
                    literal(value),
                    f"write_{function(definition.name)}",
                    literal(head),
                )
            )
    return views


def method_items(methods: tuple[Method, ...]) -> list[MethodView]:
    return [
        MethodView(
            f"({literal(row.method)}, {literal(row.side)}, {literal(row.kind)})",
            f"types.{row.params}",
            f"types.{row.result}" if row.result else "None",
        )
        for row in methods
    ]
