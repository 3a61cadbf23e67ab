"""Read a schema file and prove it fit for the pipeline: JSON, known keywords, references that lead somewhere."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .errors import CodegenError
from .jsontypes import (
    SUBSCHEMA_LISTS,
    SUBSCHEMA_MAPS,
    SUBSCHEMAS,
    JsonObject,
    is_array,
    is_object,
    pointer,
    ref_name,
    subschemas,
)
from .vocabulary import check_vocabulary

_OF_PROPERTIES = {"x-patch", "x-reset"}
_REF = re.compile(r"#/\$defs/[^/]+\Z")


@dataclass(frozen=True)
class LoadedSchema:
    """A schema that passed every check, and the fingerprint of the bytes that it came from."""

    document: JsonObject
    sha256: str
    file: str

    @property
    def definitions(self) -> dict[str, JsonObject]:
        defs: dict[str, JsonObject] = self.document["$defs"]
        return defs


def load_schema(path: Path, vocabulary: JsonObject, *, passed_over: list[str] | None = None) -> LoadedSchema:
    """The schema in ``path``; raises CodegenError naming the file and the JSON Pointer of the first mistake.

    An annotation that the vocabulary does not know is a mistake too, unless a list is given to collect the pointers of
    those that are passed over: a newer draft may bring some that nothing here reads yet.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CodegenError(
            f"cannot read the schema: {error.strerror}",
            where=str(path),
            hint="name a schema file that exists and can be read",
        ) from None
    document = parse_json(raw, path.name)
    try:
        if passed_over is not None:
            known = vocabulary["$defs"]["schema"]["properties"]
            passed_over += _pass_over(document, known, "")
        check_document(document, vocabulary)
    except CodegenError as error:
        raise error.in_file(path.name) from None
    except RecursionError:
        raise CodegenError(
            "the schema is nested too deeply",
            where=path.name,
            hint="move inner schemas into $defs and refer to them",
        ) from None
    return LoadedSchema(document, hashlib.sha256(raw).hexdigest(), path.name)


def check_protocol(loaded: LoadedSchema) -> None:
    """Raise CodegenError unless the schema is one of this protocol: some of its definitions belong to methods."""
    if not any("x-method" in body for body in loaded.definitions.values()):
        raise CodegenError(
            "not a schema of this protocol: no definition belongs to a method",
            where=loaded.file,
            hint='name a published protocol schema: its requests have "x-method"',
        )


def parse_json(raw: bytes, file: str) -> Any:
    """The JSON value in ``raw``; duplicate keys and NaN are mistakes here, not matters of taste."""

    def unique(pairs: list[tuple[str, Any]]) -> JsonObject:
        result: JsonObject = {}
        for key, value in pairs:
            if key in result:
                raise CodegenError(
                    f"the key {json.dumps(key)} occurs twice in one object",
                    where=file,
                    hint="keep one of the two",
                )
            result[key] = value
        return result

    def refuse(constant: str) -> NoReturn:
        raise CodegenError(f"{constant[:40]} is not JSON", where=file, hint="write a number")

    def finite(digits: str) -> float:
        return float(digits) if math.isfinite(float(digits)) else refuse(digits)

    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse, parse_float=finite)
    except UnicodeDecodeError as error:
        raise CodegenError(f"not UTF-8 text (byte {error.start})", where=file, hint="save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise CodegenError(
            f"not valid JSON: {error.msg}",
            where=f"{file}:{error.lineno}:{error.colno}",
            hint="repair the JSON at that line and column",
        ) from None
    except (RecursionError, ValueError):
        raise CodegenError(
            "not readable as JSON: nested too deeply or a number too long",
            where=file,
            hint="this is not a protocol schema",
        ) from None


def check_document(document: Any, vocabulary: JsonObject) -> None:
    """Raise CodegenError unless the document is a schema that every later stage can trust.

    ``true`` in place of a schema is spelled out, so that later stages meet objects alone.
    """
    if not is_object(document) or not is_object(document.get("$defs")):
        raise CodegenError(
            "no definitions: the document has no $defs object",
            hint='put the protocol types under "$defs"',
        )
    check_vocabulary(document, vocabulary)
    _spell_out(document)
    definitions: dict[str, JsonObject] = document["$defs"]
    for where, schema in subschemas(document):
        if "$ref" in schema:
            _check_reference(schema["$ref"], definitions, where + "/$ref")
        _check_place(schema, where)
    for name in definitions:
        _check_leads_somewhere(name, definitions)


def _pass_over(schema: Any, known: JsonObject, where: str) -> list[str]:
    """Take unknown annotations out of what may be a schema; nothing is checked yet."""
    if not is_object(schema):
        return []
    unknown = [keyword for keyword in schema if keyword.startswith("x-") and keyword not in known]
    for keyword in unknown:
        del schema[keyword]
    found = [where + pointer(keyword) for keyword in unknown]
    for keyword, value in schema.items():
        if keyword in SUBSCHEMAS:
            found += _pass_over(value, known, where + pointer(keyword))
        elif keyword in SUBSCHEMA_MAPS and is_object(value):
            for name, member in value.items():
                found += _pass_over(member, known, where + pointer(keyword, name))
        elif keyword in SUBSCHEMA_LISTS and is_array(value):
            for index, member in enumerate(value):
                found += _pass_over(member, known, where + pointer(keyword, index))
    return found


def _spell_out(document: JsonObject) -> None:
    """Write ``true``, where it stands for a schema, as the schema that says nothing."""
    for _, schema in subschemas(document):
        for name, member in schema.get("properties", {}).items():
            if member is True:
                schema["properties"][name] = {}
        if schema.get("items") is True:
            schema["items"] = {}


def _check_place(schema: JsonObject, where: str) -> None:
    """Keywords that speak of a property say nothing anywhere else."""
    if where.rpartition("/")[0].endswith("/properties"):
        return
    for keyword in schema:
        if keyword in _OF_PROPERTIES or keyword.startswith("x-deserialize-"):
            raise CodegenError(
                f"{json.dumps(keyword)} on something that is no property",
                where=where + pointer(keyword),
                hint="move it to the property that it speaks of, or remove it",
            )


def _check_reference(reference: str, definitions: JsonObject, where: str) -> None:
    if not _REF.match(reference):
        raise CodegenError(
            f"unsupported reference {json.dumps(reference)}",
            where=where,
            hint='refer to a definition of this file as "#/$defs/Name"',
        )
    name = reference.removeprefix("#/$defs/")
    if name not in definitions:
        raise CodegenError(
            f"the reference {json.dumps(reference)} leads nowhere",
            where=where,
            hint=f"define {json.dumps(name)} under $defs or correct the name",
        )


def _check_leads_somewhere(name: str, definitions: JsonObject) -> None:
    """A definition must not be made of nothing but references back to itself.

    Only edges without an object in between count: a record may hold itself in a property.
    """
    path: list[str] = []

    def visit(current: str) -> None:
        if current in path:
            if current == name:
                raise CodegenError(
                    f"{name} refers only to itself: {' -> '.join([*path, name])}",
                    where=pointer("$defs", name),
                    hint="give one of these definitions a shape of its own",
                )
            return
        path.append(current)
        for target in _transparent(definitions[current]):
            visit(target)
        path.pop()

    visit(name)


def _transparent(schema: JsonObject) -> list[str]:
    """The definitions that a value of this schema must match itself, or whose items are nothing else."""
    targets: list[str] = []
    direct = ref_name(schema)
    if direct is not None:
        targets.append(direct)
    for keyword in ("anyOf", "oneOf", "allOf"):
        for member in schema.get(keyword, []):
            targets.extend(_transparent(member))
    for keyword in ("items", "additionalProperties"):
        members = schema.get(keyword)
        if is_object(members):
            targets.extend(_transparent(members))
    return list(dict.fromkeys(targets))
