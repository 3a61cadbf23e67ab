"""Single changes of a schema, each of which means something: what a drift report must never be silent about."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]


class Mutation(NamedTuple):
    """One change: what it does and where, and the change itself, made to a copy."""

    what: str
    change: Callable[[Schema], None]
    only_old: str = ""  # the property that only the old schema has a name for
    only_new: str = ""


_LENIENCY = ("x-deserialize-default-on-error", "x-deserialize-skip-invalid-items", "x-deserialize-default-on-null")
_BOUNDS = {"string": "minLength", "integer": "minimum", "number": "maximum", "array": "minItems"}


def mutations(document: Schema, names: list[str]) -> list[Mutation]:
    """Every mutation of the definitions that are named, in a fixed order."""
    found: list[Mutation] = []
    for name in names:
        for where, schema in _schemas(document["$defs"][name], ("$defs", name)):
            found += _of_object(schema, where)
            found += _of_choice(schema, where)
            if where[-2] == "properties":
                found += _of_property(schema, where)
    return found


def mutated(document: Schema, mutation: Mutation) -> Schema:
    """A copy of the document with one mutation."""
    result = copy.deepcopy(document)
    mutation.change(result)
    return result


def _schemas(schema: Schema, where: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Schema]]:
    yield where, schema
    for name, member in schema.get("properties", {}).items():
        yield from _schemas(member, (*where, "properties", name))
    for keyword in ("anyOf", "oneOf", "allOf"):
        for index, member in enumerate(schema.get(keyword, ())):
            if "not" not in member:
                yield from _schemas(member, (*where, keyword, index))
    if isinstance(schema.get("items"), dict):
        yield from _schemas(schema["items"], (*where, "items"))


def _at(document: Schema, where: tuple[Any, ...]) -> Any:
    found: Any = document
    for step in where:
        found = found[step]
    return found


def _change(
    what: str, where: tuple[Any, ...], change: Callable[[Any], None], only_old: str = "", only_new: str = ""
) -> Mutation:
    return Mutation(
        f"{what} at {'/'.join(map(str, where))}", lambda document: change(_at(document, where)), only_old, only_new
    )


def _of_object(schema: Schema, where: tuple[Any, ...]) -> Iterator[Mutation]:
    required = schema.get("required", [])
    for name, member in schema.get("properties", {}).items():
        if "const" in member:
            continue

        def drop(body: Schema, name: str = name) -> None:
            del body["properties"][name]
            body["required"] = [other for other in body.get("required", []) if other != name]

        def toggle(body: Schema, name: str = name) -> None:
            listed = body.get("required", [])
            body["required"] = [other for other in listed if other != name] if name in listed else [*listed, name]

        def rename(body: Schema, name: str = name) -> None:
            members = body["properties"].items()
            body["properties"] = {_other(name) if key == name else key: value for key, value in members}
            body["required"] = [_other(name) if key == name else key for key in body.get("required", [])]

        yield _change(f"drop {name}", where, drop, only_old=name)
        yield _change(f"make {name} {'optional' if name in required else 'required'}", where, toggle)
        yield _change(f"rename {name}", where, rename, only_old=name, only_new=_other(name))
    if "properties" in schema:
        for kind, listed in (("optional", []), ("required", ["added"])):

            def add(body: Schema, listed: list[str] = listed) -> None:
                body["properties"] = {**body["properties"], "added": {"type": "boolean"}}
                body["required"] = [*body.get("required", []), *listed]

            yield _change(f"add a {kind} field", where, add, only_new="added")


def _other(name: str) -> str:
    return "other" + name[:1].upper() + name[1:]


def _of_choice(schema: Schema, where: tuple[Any, ...]) -> Iterator[Mutation]:
    if "enum" in schema:
        yield _change("add a value", where, lambda body: body["enum"].append("added"))
        if len(schema["enum"]) > 1:
            yield _change("drop a value", where, lambda body: body["enum"].pop())
    for keyword in ("anyOf", "oneOf"):
        members = schema.get(keyword, [])
        if any("const" in member for member in members):
            text = isinstance(next(member["const"] for member in members if "const" in member), str)
            value = {"const": "added" if text else 4711, "title": "Added"}
            yield _change("add a constant", where, lambda body, k=keyword, v=value: body[k].insert(0, v))
        for index, member in enumerate(members):
            if len(members) > 2:
                yield _change(f"drop branch {index}", where, lambda body, k=keyword, i=index: body[k].pop(i))
        if any("not" in member for member in members):

            def close(body: Schema, keyword: str = keyword) -> None:
                body[keyword] = [member for member in body[keyword] if "not" not in member]

            yield _change("close", where, close)


def _of_property(schema: Schema, where: tuple[Any, ...]) -> Iterator[Mutation]:
    types = schema.get("type")
    names = [types] if isinstance(types, str) else list(types or [])
    if names and "const" not in schema and "enum" not in schema:
        without = [name for name in names if name != "null"]
        other = without if "null" in names else [*names, "null"]
        yield _change("toggle null", where, lambda body: body.update(type=other if len(other) > 1 else other[0]))
        if without == ["string"]:
            yield _change("make it a number", where, lambda body: body.update(type="number"))
        bound = _BOUNDS.get(without[0]) if len(without) == 1 else None
        if bound is not None:
            least = schema.get(bound, 0) + 1
            yield _change(f"set {bound}", where, lambda body: body.update({bound: least}))
            if bound in schema:
                yield _change(f"drop {bound}", where, lambda body: body.pop(bound))
    for keyword in _LENIENCY:
        if keyword in schema:
            yield _change(f"drop {keyword}", where, lambda body, k=keyword: body.pop(k))
        else:
            yield _change(f"add {keyword}", where, lambda body, k=keyword: body.update({k: True}))
    if "default" in schema:
        yield _change("drop the default", where, lambda body: body.pop("default"))
