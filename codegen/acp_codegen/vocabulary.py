"""Hold a schema against ``schema/vocabulary.json``: which keywords exist and what each may carry.

The vocabulary is itself a JSON Schema. It needs few keywords, so this small interpreter replaces a
validator library; a keyword that it does not know in the vocabulary is a bug and raises ``KeyError``. Keywords are checked
in the vocabulary's order, which names the type first.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable
from typing import Any

from .errors import CodegenError
from .jsontypes import JsonObject, is_object, pointer, python_pattern

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
_ANNOTATIONS = {"$schema", "$id", "title", "description", "$defs", "$comment"}


def check_vocabulary(document: Any, vocabulary: JsonObject) -> None:
    """Raise CodegenError at the first place where the document leaves the vocabulary."""
    _check(document, vocabulary, vocabulary, "")


def _check(value: Any, rule: Any, root: JsonObject, where: str) -> None:
    if rule is True:
        return
    for keyword, argument in rule.items():
        if keyword not in _ANNOTATIONS:
            _CHECKS[keyword](value, argument, rule, root, where)


def _ref(value: Any, target: str, rule: JsonObject, root: JsonObject, where: str) -> None:
    referred: Any = root
    for part in target.removeprefix("#").split("/")[1:]:
        referred = referred[part]
    _check(value, referred, root, where)


def _type(value: Any, names: Any, rule: JsonObject, root: JsonObject, where: str) -> None:
    names = [names] if isinstance(names, str) else names
    if any(_is_a(value, name) for name in names):
        return
    _fail(f"expected {' or '.join(names)}, found {_show(value)}", where, _purpose(rule))


def _is_a(value: Any, name: str) -> bool:
    if isinstance(value, bool) and name in ("integer", "number"):
        return False
    return isinstance(value, _TYPES[name])


def _properties(value: Any, rules: JsonObject, rule: JsonObject, root: JsonObject, where: str) -> None:
    for name, inner in rules.items():
        if name in value:
            _check(value[name], inner, root, where + pointer(name))


def _additional(value: Any, inner: Any, rule: JsonObject, root: JsonObject, where: str) -> None:
    known = rule.get("properties", {})
    for name, member in value.items():
        if name in known:
            continue
        if inner is False:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {json.dumps(near[0])}?" if near else f"known here: {', '.join(sorted(known))}"
            kind = "annotation" if name.startswith("x-") else "keyword"
            _fail(f"unknown {kind} {json.dumps(name)}", where + pointer(name), hint)
        _check(member, inner, root, where + pointer(name))


def _required(value: Any, names: list[str], rule: JsonObject, root: JsonObject, where: str) -> None:
    for name in names:
        if name not in value:
            _fail(f"{json.dumps(name)} is missing", where, _purpose(rule))


def _items(value: Any, inner: Any, rule: JsonObject, root: JsonObject, where: str) -> None:
    for index, member in enumerate(value):
        _check(member, inner, root, where + pointer(index))


def _min_items(value: Any, least: int, rule: JsonObject, root: JsonObject, where: str) -> None:
    if len(value) < least:
        _fail(f"expected at least {least} item(s)", where, _purpose(rule))


def _minimum(value: Any, least: int, rule: JsonObject, root: JsonObject, where: str) -> None:
    if value < least:
        _fail(f"expected a number from {least} up, found {_show(value)}", where, _purpose(rule))


def _pattern(value: Any, pattern: str, rule: JsonObject, root: JsonObject, where: str) -> None:
    if not re.search(python_pattern(pattern), value):
        _fail(f"{_show(value)} does not have the form {pattern}", where, _purpose(rule))


def _enum(value: Any, members: list[Any], rule: JsonObject, root: JsonObject, where: str) -> None:
    if not any(value == member and type(value) is type(member) for member in members):
        _fail(f"{_show(value)} is not one of {', '.join(map(_show, members))}", where, _purpose(rule))


def _const(value: Any, member: Any, rule: JsonObject, root: JsonObject, where: str) -> None:
    _enum(value, [member], rule, root, where)


def _any_of(value: Any, rules: list[Any], rule: JsonObject, root: JsonObject, where: str) -> None:
    """The error that helps is that of the alternative which the value means, or else of the one that came furthest."""
    errors: list[CodegenError] = []
    for inner in rules:
        try:
            _check(value, inner, root, where)
        except CodegenError as error:
            if _is_meant(inner, value):
                raise
            errors.append(error)
        else:
            return
    raise max(errors, key=lambda error: len(error.where))


def _is_meant(rule: JsonObject, value: Any) -> bool:
    """Whether the value has a constant member that only this alternative asks for."""
    constants = {name: inner["const"] for name, inner in rule.get("properties", {}).items() if "const" in inner}
    return bool(constants) and is_object(value) and all(value.get(name) == const for name, const in constants.items())


_CHECKS: dict[str, Callable[[Any, Any, JsonObject, JsonObject, str], None]] = {
    "$ref": _ref,
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "minItems": _min_items,
    "minimum": _minimum,
    "pattern": _pattern,
    "enum": _enum,
    "const": _const,
    "anyOf": _any_of,
}


def _purpose(rule: JsonObject) -> str:
    return str(rule.get("description", "see schema/vocabulary.json for what may stand here"))


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _fail(message: str, where: str, hint: str) -> None:
    raise CodegenError(message, where=where, hint=hint)
