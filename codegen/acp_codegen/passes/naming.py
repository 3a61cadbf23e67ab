"""Give every field, constant and discriminator its Python name; two that want the same one are an error."""

from __future__ import annotations

import json
import keyword
import re
from dataclasses import replace

from ..errors import CodegenError
from ..ir import Definition, Enum, EnumValue, Field, Record, Union_

# Names that a class body needs for itself: annotations refer to them, or every record has them already.
_TAKEN = {"list", "dict", "str", "int", "float", "bool", "field", "extra", "property", "type_"}
# Names at the top of a generated module that a definition must not hide.
_MODULE_NAMES = set("""
    Annotated Any Callable ClassVar Final Literal Mapping TypeAlias
    ANYTHING BOOLEAN CODEC INTEGER METHODS NUMBER RULES TEXT UNSET UPDATES
    Change Codec DecodeError EncodeError EnumValues ErrorResponse Fault FirstOf Integer Issue Items Members Message Messages
    MethodSpec Named Notification Number Object OneOf OrNull Other Patch Reader Record Rejected Request Response Rule
    SessionHandler SessionState Tagged Text Unknown UnsetType UpdateSpec Writer
    """.split())


def assign_names(definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
    """The definitions with Python names filled in."""
    _check_modules(definitions)
    return tuple(_name(definition) for definition in definitions)


def snake(wire: str) -> str:
    """A wire name as a Python name: ``toolCallId`` is ``tool_call_id``, ``_meta`` is ``meta``."""
    words = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", wire))
    return re.sub(r"[^0-9A-Za-z]+", "_", words).strip("_").lower()


def field_name(wire: str, where: str) -> str:
    """The attribute for a wire name; raises where no identifier can be made of it."""
    name = snake(wire)
    if not name.isidentifier():
        raise CodegenError(
            f"no Python name can be made of the property {json.dumps(wire)}",
            where=where,
            hint="use letters, digits and underscores, beginning with a letter",
        )
    return name + "_" if keyword.iskeyword(name) or name in _TAKEN else name


def _name(definition: Definition) -> Definition:
    if isinstance(definition, Record):
        fields = tuple(replace(field, name=field_name(field.wire, field.where)) for field in definition.fields)
        tag_name = field_name(definition.tag[0], definition.where) if definition.tag else ""
        _check_fields(definition, fields, tag_name)
        return replace(definition, fields=fields, tag_name=tag_name)
    if isinstance(definition, Enum):
        values = tuple(replace(value, name=constant_name(value)) for value in definition.values)
        _distinct([(value.name, json.dumps(value.value), value.where) for value in values])
        return replace(definition, values=values)
    return definition


def _check_fields(record: Record, fields: tuple[Field, ...], tag_name: str) -> None:
    names = [(field.name, json.dumps(field.wire), field.where) for field in fields]
    if record.tag:
        names.append((tag_name, json.dumps(record.tag[0]), record.where))
    _distinct(names)


def constant_name(value: EnumValue) -> str:
    """The constant for a value; raises where no identifier can be made of it."""
    source = value.title if isinstance(value.value, int) else value.value
    name = snake(source).upper()
    if not name.isidentifier() or name == "KNOWN":
        raise CodegenError(
            f"no Python constant can be made of the value {json.dumps(value.value)}",
            where=value.where,
            hint='integers need a "title", strings a letter to begin with',
        )
    return name


def _check_modules(definitions: tuple[Definition, ...]) -> None:
    """Every class and alias shares one module, and every function made from one shares another."""
    names: list[tuple[str, str, str]] = []
    for definition in definitions:
        if isinstance(definition, Record) and definition.check_only:
            continue
        if definition.name in _MODULE_NAMES:
            raise CodegenError(
                f"the definition name {definition.name} is taken by the generated modules themselves",
                where=definition.where,
                hint="rename the definition",
            )
        names.append((definition.name, definition.name, definition.where))
        if isinstance(definition, Enum):
            names.append((definition.name + "Values", f"the values of {definition.name}", definition.where))
        if isinstance(definition, Union_) and definition.unknown:
            names.append((definition.unknown.name, definition.unknown.name, definition.where))
    for name, _, where in names:
        if keyword.iskeyword(name):
            raise CodegenError(f"the definition name {name} is a Python keyword", where=where, hint="rename it")
    _distinct(names)
    functions = [(snake(definition.name), definition.name, definition.where) for definition in definitions]
    _distinct(functions)


def _distinct(names: list[tuple[str, str, str]]) -> None:
    seen: dict[str, str] = {}
    for name, source, where in names:
        if name in seen:
            raise CodegenError(
                f"{seen[name]} and {source} would both be named {name} in Python",
                where=where,
                hint="rename one of them",
            )
        seen[name] = source
