"""From normalised definitions to IR, through datamodel-code-generator's JSON Schema parser.

The only module that knows datamodel-code-generator. Its parser resolves references, types, nullability,
defaults and constraints of the flat definitions; its models become IR. What it is known to lose stays out of its
sight (``normalise`` keeps unions, enums and docs), and what it returns is checked against the normalised
schema on every run, so that a release which reads a schema differently stops generation instead of changing types.
It is imported when a schema is read: commands that read none need not wait for it.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import CodegenError
from .ir import (
    Alias,
    Bounds,
    Choice,
    Definition,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Record,
    Ref,
    Scalar,
    Type,
    Values,
    keywords_of,
)
from .jsontypes import JsonObject
from .normalise import Normalised

if TYPE_CHECKING:
    from datamodel_code_generator.model.base import DataModel, DataModelFieldBase
    from datamodel_code_generator.types import DataType

_SCALARS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null", "Any": "any"}
_PREFIX = "#/$defs/"
_FREE_MAP = MapOf(Scalar("any"))


def build_definitions(normalised: Normalised) -> tuple[Definition, ...]:
    """Every definition of the normalised schema as IR, in its order."""
    models = _parse(normalised.flat)
    reader = _Reader(normalised, models)
    definitions: list[Definition] = []
    for name in normalised.where:
        if name in normalised.unions:
            definitions.append(normalised.unions[name])
        elif name in normalised.enums:
            definitions.append(normalised.enums[name])
        elif name in normalised.flat:
            definitions.append(reader.definition(name))
    return tuple(definitions)


def _parse(flat: dict[str, JsonObject]) -> dict[str, DataModel]:
    """datamodel-code-generator's models by the path of the schema they stand for."""
    from datamodel_code_generator.enums import DataModelType
    from datamodel_code_generator.format import PythonVersion
    from datamodel_code_generator.model import get_data_model_types
    from datamodel_code_generator.parser import LiteralType
    from datamodel_code_generator.parser.jsonschema import JsonSchemaParser

    kinds = get_data_model_types(DataModelType.DataclassesDataclass, target_python_version=PythonVersion.PY_310)
    source = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Protocol", "$defs": flat}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns about its own defaults, never about the schema
        parser = JsonSchemaParser(
            json.dumps(source),
            data_model_type=kinds.data_model,
            data_model_root_type=kinds.root_model,
            data_model_field_type=kinds.field_model,
            data_type_manager_type=kinds.data_type_manager,
            field_include_all_keys=True,
            field_constraints=True,
            enum_field_as_literal=LiteralType.All,
        )
        parser.parse_raw()
    return {model.reference.path: model for model in parser.results if model.reference is not None}


class _Reader:
    def __init__(self, normalised: Normalised, models: dict[str, DataModel]) -> None:
        self._normalised = normalised
        self._models = models

    def definition(self, name: str) -> Record | Alias:
        flat = self._normalised.flat[name]
        where = self._normalised.where[name]
        doc = flat.get("description", "")
        model = self._models.get(_PREFIX + name)
        if model is None:
            self._lost(f"definition {name}", where)
        if flat.get("type") == "object" and "properties" in flat:
            fields = {str(field.original_name): field for field in model.fields}
            if set(fields) != set(flat["properties"]):
                self._lost(f"properties of {name}", where)
            return Record(
                name,
                where,
                doc,
                tuple(self._field(name, wire, fields[wire]) for wire in flat["properties"]),
                tag=self._normalised.tags.get(name),
                check_only=name in self._normalised.check_only,
                forbidden=tuple(self._normalised.forbidden.get(name, ())),
            )
        # for an object of anything it makes a class without fields
        found = self._type(model.fields[0].data_type, model.fields[0].constraints) if model.fields else _FREE_MAP
        if name in self._normalised.exclusive and isinstance(found, Choice):
            found = Choice(found.options, exclusive=True)
        self._agree(found, flat, where)
        return Alias(name, where, doc, found)

    def _field(self, record: str, wire: str, field: DataModelFieldBase) -> Field:
        flat = self._normalised.flat[record]
        schema = flat["properties"][wire]
        where = self._normalised.property_where[record, wire]
        found = self._type(field.data_type, field.constraints)
        self._agree(found, schema, where)
        if bool(field.required) != (wire in flat["required"]):
            self._lost(f"whether {json.dumps(wire)} is required", where)
        if bool(field.has_default) != ("default" in schema):
            self._lost(f"the default of {json.dumps(wire)}", where)
        return Field(
            wire=wire,
            type=found.inner if isinstance(found, Nullable) else found,
            nullable=isinstance(found, Nullable),
            required=bool(field.required),
            where=where,
            doc=schema.get("description", ""),
            default=field.default if field.has_default else None,
            has_default=field.has_default,
            keywords=keywords_of(schema),
        )

    # -------------------------------------------------------------------------------------------- types

    def _type(self, data: DataType, constraints: Any) -> Type:
        """The IR of one of its types; the constraints of a field are those of its outermost type."""
        if data.is_optional:
            inner = data.model_copy(update={"is_optional": False})
            return Nullable(self._type(inner, constraints))
        if data.reference is not None:
            return self._reference(data.reference.path)
        if data.literals:
            return Values(tuple(data.literals))
        if data.is_list:
            item = self._members(data, None)
            return ListOf(item, _limit(constraints, "min_items"), _limit(constraints, "max_items"))
        if data.is_dict:
            return MapOf(self._members(data, None))
        if data.data_types:
            return self._members(data, constraints)
        if data.type not in _SCALARS:
            raise CodegenError(f"datamodel-code-generator gave the unknown type {data.type}")
        return Scalar(_SCALARS[data.type], _bounds(constraints))

    def _members(self, data: DataType, constraints: Any) -> Type:
        """The choice among the inner types; null among them makes it nullable."""
        options = [self._type(member, constraints) for member in data.data_types]
        solid = tuple(option for option in options if option != Scalar("null"))
        if not solid:
            return Scalar("any")
        choice = solid[0] if len(solid) == 1 else Choice(solid)
        return Nullable(choice) if len(solid) < len(options) else choice

    def _reference(self, path: str) -> Type:
        name = path.removeprefix(_PREFIX)
        if name in self._normalised.where:
            return Ref(name)
        # it makes models of its own for constrained items; they are part of the type that uses them
        field = self._models[path].fields[0]
        return self._type(field.data_type, field.constraints)

    # ---------------------------------------------------------------------------------------- cross-check

    def _agree(self, found: Type, schema: JsonObject, where: str) -> None:
        """Stop unless the type says what the normalised schema says."""
        expected = _expected(schema)
        if isinstance(expected, Choice) and isinstance(found, Choice):
            expected = Choice(expected.options, found.exclusive)
        if found != expected:
            raise CodegenError(
                f"datamodel-code-generator reads this schema as {found}, not {expected}",
                where=where,
                hint="install the version that pyproject.toml asks for",
            )

    def _lost(self, what: str, where: str) -> NoReturn:
        raise CodegenError(
            f"datamodel-code-generator lost {what}",
            where=where,
            hint="install the version that pyproject.toml asks for",
        )


def _expected(schema: JsonObject) -> Type:
    """The type that a flat schema states, read a second time without datamodel-code-generator."""
    if "$ref" in schema:
        return Ref(schema["$ref"].removeprefix(_PREFIX))
    if "anyOf" in schema:
        members = [member for member in schema["anyOf"] if member != {"type": "null"}]
        options = tuple(_expected(member) for member in members)
        choice: Type = options[0] if len(options) == 1 else Choice(options)
        return Nullable(choice) if len(members) < len(schema["anyOf"]) else choice
    if "enum" in schema:
        return Values(tuple(schema["enum"]))
    types = schema.get("type", "any")
    names = [types] if isinstance(types, str) else [name for name in types if name != "null"]
    inner: Type
    if names == ["array"]:
        inner = ListOf(_expected(schema["items"]), schema.get("minItems"), schema.get("maxItems"))
    elif names == ["object"]:
        rest = schema["additionalProperties"]
        inner = MapOf(Scalar("any") if rest is True else _expected(rest))
    else:
        inner = Scalar(
            names[0],
            Bounds(
                schema.get("minimum"),
                schema.get("maximum"),
                schema.get("exclusiveMinimum"),
                schema.get("exclusiveMaximum"),
                schema.get("minLength"),
                schema.get("maxLength"),
                schema.get("pattern"),
            ),
        )
    return Nullable(inner) if isinstance(types, list) and "null" in types else inner


def _bounds(constraints: Any) -> Bounds:
    return Bounds(
        _limit(constraints, "ge"),
        _limit(constraints, "le"),
        _limit(constraints, "gt"),
        _limit(constraints, "lt"),
        _limit(constraints, "min_length"),
        _limit(constraints, "max_length"),
        _limit(constraints, "regex"),
    )


def _limit(constraints: Any, name: str) -> Any:
    """One constraint; numbers come wrapped in a class of its own that hides whether they are whole."""
    value = getattr(constraints, name, None)
    value = getattr(value, "value", value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
