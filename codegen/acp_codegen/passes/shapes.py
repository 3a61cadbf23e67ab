"""Questions about definitions that comparing two editions asks again and again."""

from __future__ import annotations

from ..ir import Alias, Choice, Definition, Edition, Enum, ListOf, Record, Ref, Scalar, Type, Union_, Values

ANYTHING = Scalar("any")


def plain(type_: Type, definitions: dict[str, Definition]) -> Type:
    """A type without the names that only stand for a scalar or for another name."""
    while isinstance(type_, Ref):
        definition = definitions[type_.name]
        if not isinstance(definition, Alias) or not isinstance(definition.type, (Ref, Scalar)):
            break
        type_ = definition.type
    return type_


def opened(type_: Type, definitions: dict[str, Definition]) -> Type:
    """A type without the name of any alias."""
    while isinstance(type_, Ref):
        definition = definitions[type_.name]
        if not isinstance(definition, Alias):
            break
        type_ = definition.type
    return type_


def is_anything(type_: Type, definitions: dict[str, Definition]) -> bool:
    """Whether every JSON value is of this type."""
    type_ = opened(type_, definitions)
    return type_ == ANYTHING or (isinstance(type_, Choice) and ANYTHING in type_.options)


def values_of(definition: Definition) -> tuple[tuple[str | int, ...], bool] | None:
    """The values of an enum and whether it is open; an alias of listed values or any string is an open one too."""
    if isinstance(definition, Enum):
        return tuple(value.value for value in definition.values), definition.open
    if isinstance(definition, Alias) and isinstance(definition.type, Choice):
        listed = [option.values for option in definition.type.options if isinstance(option, Values)]
        if len(listed) == 1 and set(definition.type.options) == {Values(listed[0]), Scalar("string")}:
            return listed[0], True
    return None


def members_of(definition: Definition) -> list[tuple[str | None, str]]:
    """The members of a union with their tags; a name for a record is a union of one."""
    if isinstance(definition, Union_):
        untagged = (*definition.untagged, *([definition.absent] if definition.absent else []))
        tagged: list[tuple[str | None, str]] = [(variant.value, variant.target) for variant in definition.variants]
        return [*tagged, *((None, name) for name in untagged)]
    if isinstance(definition, Alias) and isinstance(definition.type, Ref):
        return [(None, definition.type.name)]
    return [(None, definition.name)] if isinstance(definition, Record) else []


def shape_name(type_: Type) -> str:
    """A definition, or an array of one, as the tables name it; nothing for other types."""
    if isinstance(type_, Ref):
        return type_.name
    return f"{type_.item.name}[]" if isinstance(type_, ListOf) and isinstance(type_.item, Ref) else ""


# ------------------------------------------------------------------------------------------------- whole editions


def droppable(edition: Edition) -> tuple[str, ...]:
    """Messages that nobody waits for an answer to: params of notifications, and the unions and variants in them."""
    definitions = edition.by_name()
    names: dict[str, None] = {}
    for method in edition.methods:
        params = definitions[method.params]
        if method.kind != "notification" or not isinstance(params, Record):
            continue
        names[params.name] = None
        for field in params.fields:
            inner = definitions[field.type.name] if isinstance(field.type, Ref) and field.required else None
            if isinstance(inner, Union_):
                names[inner.name] = None
                names.update((name, None) for _, name in members_of(inner))
    return tuple(names)


def homes(edition: Edition) -> dict[str, str]:
    """The union of every class that is nothing but a variant: on its own, its JSON is that of the union."""
    definitions = edition.by_name()
    found: dict[str, str] = {}
    for union in edition.definitions:
        if not isinstance(union, Union_) or union.name not in edition.own_names:
            continue
        names = [name for _, name in members_of(union)]
        while names:
            name = names.pop(0)
            definition = definitions[name]
            if name not in edition.own_names:
                found.setdefault(name, union.name)
            if isinstance(definition, Alias) and isinstance(definition.type, Choice):
                names += [option.name for option in definition.type.options if isinstance(option, Ref)]
        if union.unknown is not None:
            found[union.unknown.name] = union.name
    return found
