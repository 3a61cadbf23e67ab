"""View of the conversions between two editions: the rows of both directions as Python expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeGuard

from ..passes.conversion import Direction
from .literals import literal, literal_set


@dataclass(frozen=True)
class SideView:
    """One edition that takes part in conversions."""

    name: str
    key: str
    protocol_version: int
    homes: list[tuple[str, str]]


@dataclass(frozen=True)
class DirectionView:
    """One direction: the names of its edition's sides, and its rows."""

    source: str
    target: str
    key: str
    table: str
    rows: list[tuple[str, str]]
    droppable: str


def side_view(name: str, protocol_version: int, homes: Mapping[str, str]) -> SideView:
    return SideView(
        name,
        literal(name),
        protocol_version,
        [(literal(variant), literal(union)) for variant, union in homes.items()],
    )


def direction_view(direction: Direction) -> DirectionView:
    return DirectionView(
        direction.source,
        direction.target,
        f"({literal(direction.source)}, {literal(direction.target)})",
        f"_{direction.source}_to_{direction.target}".upper(),
        [(literal(name), _expression(row)) for name, row in direction.rows.items()],
        literal_set(direction.droppable),
    )


def hand_written(directions: list[Direction]) -> dict[str, list[str]]:
    """The functions that the rows name, by the module that has them."""
    found: dict[str, set[str]] = {}
    for direction in directions:
        for row in direction.rows.values():
            for function in _functions(row):
                found.setdefault("." + function.__module__.rpartition(".")[2], set()).add(function.__name__)
    return {module: sorted(names) for module, names in sorted(found.items())}


def _functions(value: object) -> Iterator[FunctionType]:
    if isinstance(value, FunctionType):
        yield value
    for member in _parts(value):
        yield from _functions(member)


def _parts(value: object) -> list[Any]:
    if _is_mapping(value):
        return list(value.values())
    return [*value] if isinstance(value, (tuple, list)) else []


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _expression(value: Any) -> str:
    """Python source for a row or a part of one; fields with their default value are left out."""
    if value is None or isinstance(value, (str, int, float)):
        return literal(value)
    if isinstance(value, FunctionType):
        return value.__name__
    if _is_mapping(value):
        return "{" + ", ".join(f"{_expression(key)}: {_expression(part)}" for key, part in value.items()) + "}"
    if hasattr(value, "_fields"):
        defaults = value._field_defaults
        members = ((name, getattr(value, name)) for name in value._fields)
        said = [(name, member) for name, member in members if name not in defaults or member != defaults[name]]
        parts = [
            _expression(member) if name not in defaults else f"{name}={_expression(member)}" for name, member in said
        ]
        return f"{type(value).__name__}({', '.join(parts)})"
    inner = ", ".join(map(_expression, value))
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"
