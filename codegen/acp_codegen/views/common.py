"""What several views ask of the IR."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import (
    Alias,
    Choice,
    Definition,
    Edition,
    Enum,
    ListOf,
    MapOf,
    Nullable,
    Record,
    Ref,
    Scalar,
    Type,
    Union_,
    Values,
)
from ..passes.naming import snake
from .literals import literal

PY_SCALARS = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "any": "Any",
    "null": "None",
}


def py_type(type_: Type) -> str:
    """The annotation of a type."""
    if isinstance(type_, Scalar):
        return PY_SCALARS[type_.kind]
    if isinstance(type_, Values):
        return f"Literal[{', '.join(literal(value) for value in type_.values)}]"
    if isinstance(type_, Ref):
        return type_.name
    if isinstance(type_, ListOf):
        return f"list[{py_type(type_.item)}]"
    if isinstance(type_, MapOf):
        return f"dict[str, {py_type(type_.value)}]"
    if isinstance(type_, Nullable):
        return f"{py_type(type_.inner)} | None"
    return " | ".join(py_type(option) for option in type_.options)


def function(name: str) -> str:
    """A definition's name as part of a function's name."""
    return snake(name)


def table(name: str) -> str:
    """A definition's name as a module constant."""
    return "_" + snake(name).upper()


@dataclass(frozen=True)
class Member:
    """One class that a union can hold, and the discriminators that it stands for there."""

    cls: str
    is_unknown: bool
    tags: tuple[tuple[str, str], ...]


class Model:
    """Questions about an edition's definitions."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.by_name = edition.by_name()
        self._nested: set[str] = set()
        for definition in edition.definitions:
            if isinstance(definition, Union_):
                self._nested.update(variant.target for variant in definition.variants)

    def resolve(self, type_: Type) -> Type | Definition:
        """What a type stands for once names for plain types are looked through."""
        while isinstance(type_, Ref):
            definition = self.by_name[type_.name]
            if not isinstance(definition, Alias) or self.is_object_choice(definition):
                return definition
            type_ = definition.type
        return type_

    def is_object_choice(self, definition: Definition) -> bool:
        """Whether a definition is a union of objects without a discriminator of its own."""
        return (
            isinstance(definition, Alias)
            and isinstance(definition.type, Choice)
            and all(
                isinstance(option, Ref) and self.is_object(self.by_name[option.name])
                for option in definition.type.options
            )
        )

    def is_object(self, definition: Definition) -> bool:
        return isinstance(definition, (Record, Union_)) or self.is_object_choice(definition)

    def is_nested(self, name: str) -> bool:
        """Whether a union is a variant of another one, so that discriminators come before its own."""
        return name in self._nested

    def public(self) -> list[Definition]:
        """The definitions that are classes or aliases of the generated module."""
        return [d for d in self.edition.definitions if not (isinstance(d, Record) and d.check_only)]

    def members(self, name: str, tags: tuple[tuple[str, str], ...] = ()) -> list[Member]:
        """Every class that a definition can hold, in the schema's order, nested unions included."""
        definition = self.by_name[name]
        if isinstance(definition, Record):
            return [Member(name, False, tags)]
        if isinstance(definition, Union_):
            found: list[Member] = []
            for variant in definition.variants:
                found += self.members(variant.target, (*tags, (definition.tag, variant.value)))
            for target in [*definition.untagged, *([definition.absent] if definition.absent else [])]:
                found += self.members(target, tags)
            if definition.unknown:
                found.append(Member(definition.unknown.name, True, tags))
            return found
        assert isinstance(definition, Alias) and isinstance(definition.type, Choice)
        return [
            member
            for option in definition.type.options
            if isinstance(option, Ref)
            for member in self.members(option.name, tags)
        ]

    def is_enum(self, type_: Type) -> Enum | None:
        found = self.resolve(type_)
        return found if isinstance(found, Enum) else None
