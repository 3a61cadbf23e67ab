"""Rewrite the idioms of the published schemas into flat, named definitions.

The published files express tagged unions as ``anyOf`` branches that mix a tag, a payload reference and
properties, open unions by a branch with ``not``, open enums by a branch without ``const``. Here each becomes
one definition a shape: flat records (and aliases) as plain JSON Schema for the front end, unions and enums as
IR. A keyword that nothing below accounts for is an error, so nothing is lost without a word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from .errors import CodegenError
from .inline import InlineTypes
from .ir import Enum, EnumValue, Union_, UnknownVariant, Variant
from .jsontypes import JsonObject, ref_name, subschemas
from .parts import (
    ANNOTATIONS,
    BRANCHING,
    Parts,
    branches_of,
    enum_members,
    forbidden_by,
    is_enum,
    merge,
    only,
    pascal,
    required_alone,
    tag_value,
    unsupported,
    without,
)

_DEEPEST = 30  # objects inside objects, all written inline: deeper ones include themselves
_OBJECT = {"type", "properties", "required", "additionalProperties", "unevaluatedProperties", "allOf", "not"}


@dataclass
class Normalised:
    """A schema in which every shape has a name of its own."""

    flat: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    unions: dict[str, Union_] = field(default_factory=dict[str, Union_])
    enums: dict[str, Enum] = field(default_factory=dict[str, Enum])
    where: dict[str, str] = field(default_factory=dict[str, str])
    property_where: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    forbidden: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    exclusive: set[str] = field(default_factory=set[str])
    check_only: set[str] = field(default_factory=set[str])
    minted: set[str] = field(default_factory=set[str])
    tags: dict[str, tuple[str, str | None]] = field(default_factory=dict[str, tuple[str, str | None]])


def normalise(document: JsonObject) -> Normalised:
    """The normalised form of a schema that ``load`` accepted."""
    return _Normaliser(document).run()


class _Normaliser:
    def __init__(self, document: JsonObject) -> None:
        self._definitions: dict[str, JsonObject] = document["$defs"]
        self._places = {id(schema): where for where, schema in subschemas(document)}
        self._out = Normalised()
        self._depth = 0
        self._inline = InlineTypes(self._definitions, self._places, self._define)

    def run(self) -> Normalised:
        for name, body in self._definitions.items():
            self._define(name, body, self._place(body))
        self._tag_payloads()
        return self._out

    # ------------------------------------------------------------------------------------- definitions

    def _define(self, name: str, body: JsonObject, where: str) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            unsupported("an inline object that includes what it stands in", where, "give it a definition of its own")
        self._define_shape(name, body, where)
        self._depth -= 1

    def _define_shape(self, name: str, body: JsonObject, where: str) -> None:
        self._claim(name, where)
        parts = self._parts(body, where) if self._is_object(body) else None
        branches = parts.branches if parts else branches_of(body)
        if branches is None:
            if parts is not None:
                self._record(name, parts, body.get("description", ""))
            elif "enum" in body or "const" in body:
                self._enum(name, body, [{"const": v} for v in body.get("enum", [body.get("const")])], where)
            else:
                self._alias(name, body)
        elif parts is None and is_enum(enum_members(branches[1])):
            self._enum(name, body, enum_members(branches[1]), where)
        elif parts is None and not any(self._is_object(member) for member in branches[1]):
            self._alias(name, body)
        else:
            shared = replace(parts, branches=None) if parts else Parts({}, [])
            if shared.forbidden:
                unsupported("an excluded property beside variants", where, "exclude it where the variants are defined")
            tag = self._find_tag(branches[1], body, where)
            if tag is None:
                self._untagged_union(name, body, branches, shared, where)
            else:
                self._tagged_union(name, body, branches[1], shared, tag, where)

    def _claim(self, name: str, where: str) -> None:
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
            raise CodegenError(
                f"the definition name {json.dumps(name)} cannot be a Python class name",
                where=where,
                hint="use letters and digits, beginning with a capital",
            )
        if name in self._out.where:
            raise CodegenError(
                f"two shapes want the name {name}",
                where=where,
                hint=f"rename one; the other is at {self._out.where[name]}",
            )
        self._out.where[name] = where
        self._out.flat[name] = {}
        if name not in self._definitions:
            self._out.minted.add(name)

    def _record(self, name: str, parts: Parts, doc: str) -> None:
        flat: JsonObject = {"type": "object", "description": doc, "properties": {}, "required": parts.required}
        for wire, schema in parts.properties.items():
            extras = {k: v for k, v in schema.items() if k in ("description", "default") or k.startswith("x-")}
            flat["properties"][wire] = {**self._inline.flat(schema, name + pascal(wire)), **extras}
            self._out.property_where[name, wire] = self._place(schema)
        self._out.flat[name] = flat
        self._out.forbidden[name] = parts.forbidden

    def _alias(self, name: str, body: JsonObject) -> None:
        self._out.flat[name] = {"description": body.get("description", ""), **self._inline.flat(body, name)}

    def _enum(self, name: str, body: JsonObject, members: list[JsonObject], where: str) -> None:
        only(body, ANNOTATIONS | BRANCHING | {"type", "enum", "const"}, where)
        known = [member for member in members if "const" in member]
        bases = {"integer" if isinstance(member["const"], int) else "string" for member in known}
        if len(bases) != 1 or any(isinstance(member["const"], bool) for member in known):
            unsupported("an enum that mixes types", where, "use strings only, or integers only")
        base = bases.pop()
        is_open = len(known) < len(members)
        if any(member.get("type") != base for member in members if "const" not in member):
            unsupported("an open branch of another type than the values", where, f'use "type": "{base}"')
        values = [member["const"] for member in known]
        self._no_repeats(values, where)
        if body.get("type", base) != base:
            unsupported("an enum of another type than its values", where, f'use "type": "{base}"')
        closed = {"type": base, "enum": values}
        self._out.flat[name] = {"anyOf": [closed, {"type": base}]} if is_open else closed
        self._out.enums[name] = Enum(
            name,
            where,
            body.get("description", ""),
            base,
            tuple(
                EnumValue(m["const"], m.get("description", ""), m.get("title", ""), self._places.get(id(m), where))
                for m in known
            ),
            is_open,
        )

    def _untagged_union(
        self, name: str, body: JsonObject, branches: tuple[str, list[JsonObject]], shared: Parts, where: str
    ) -> None:
        only(body, ANNOTATIONS | _OBJECT | BRANCHING, where)
        keyword, members = branches
        for member in members:
            if ("properties" in body or body.get("type") == "object") and not self._is_object(member):
                unsupported("a variant of an object that is no object", where, "describe the variant's properties")
        options = [self._untagged_member(name, member, members, shared) for member in members]
        self._out.flat[name] = {"description": body.get("description", ""), "anyOf": options}
        if keyword == "oneOf":
            self._out.exclusive.add(name)

    def _untagged_member(self, union: str, member: JsonObject, members: list[JsonObject], shared: Parts) -> JsonObject:
        target = ref_name(member)
        if target is not None and not shared.properties and "properties" not in member:
            return {"$ref": f"#/$defs/{target}"}
        if not self._is_object(member):
            return self._inline.flat(member, union)
        where = self._place(member)
        title = member.get("title") or required_alone(member, members)
        if not title:
            unsupported("a variant with neither a tag nor a title", where, 'add a "title" to name it')
        name = union + pascal(title)
        self._define_parts(name, merge([shared, self._parts(member, where)], where), member, where)
        return {"$ref": f"#/$defs/{name}"}

    def _define_parts(self, name: str, parts: Parts, source: JsonObject, where: str) -> None:
        body: JsonObject = {
            "type": "object",
            "description": source.get("description", ""),
            "properties": parts.properties,
            "required": parts.required,
        }
        if parts.branches:
            body[parts.branches[0]] = parts.branches[1]
        if parts.forbidden:
            unsupported("a variant with an excluded property", where, "exclude it where the variant is defined")
        self._define(name, body, where)

    # ------------------------------------------------------------------------------------ tagged unions

    def _find_tag(self, members: list[JsonObject], body: JsonObject, where: str) -> str | None:
        """The property that is a constant in every branch that has a constant property."""
        candidates: list[set[str]] = []
        for member in members:
            constants = {wire for wire, schema in member.get("properties", {}).items() if "const" in schema}
            if constants:
                candidates.append(constants)
        if not candidates:
            return None
        common = candidates[0].intersection(*candidates[1:])
        declared = body.get("discriminator", {}).get("propertyName")
        if declared is not None:
            common &= {declared}
        if len(common) != 1:
            unsupported(
                "a union whose branches have no single constant property in common",
                where,
                "tag every branch with the same property",
            )
        return common.pop()

    def _tagged_union(
        self, name: str, body: JsonObject, members: list[JsonObject], shared: Parts, tag: str, where: str
    ) -> None:
        only(body, ANNOTATIONS | _OBJECT | BRANCHING, where)
        tag_schema = shared.properties.get(tag, {})
        if "const" in tag_schema or "enum" in tag_schema:
            unsupported("a tag that the object itself limits", where, "leave the tag to the variants")
        shared = without(shared, tag)
        payloads = Counter(ref_name(member) for member in members if tag_value(member, tag) is not None)
        variants: list[Variant] = []
        untagged: list[JsonObject] = []
        absent: str | None = None
        catch_all: JsonObject | None = None
        for member in members:
            value = tag_value(member, tag)
            place = self._place(member)
            if value is not None:
                if tag not in member.get("required", []):
                    unsupported("a variant whose tag may be missing", place, f'add "{tag}" to its required list')
                payload = ref_name(member)
                own = without(self._parts(member, place), tag)
                if payload and payloads[payload] == 1 and self._is_whole_variant(payload, member, shared, tag):
                    target = payload
                else:
                    target = self._variant_name(name, value, bool(shared.properties))
                    self._define_parts(target, merge([own, shared], place), member, place)
                    self._out.tags[target] = (tag, value)
                variants.append(Variant(value, target, place))
            elif "not" in member:
                if catch_all is not None:
                    unsupported("a second catch-all branch", place, "keep one")
                catch_all = member
            elif member.get("properties", {}).get(tag, {}).get("type") == "null":
                absent = name + pascal(member.get("title", "none"))
                own = without(self._parts(member, place), tag)
                self._define_parts(absent, merge([shared, own], place), member, place)
                self._out.tags[absent] = (tag, None)
            else:
                untagged.append(self._untagged_member(name, member, members, shared))
        self._no_repeats([variant.value for variant in variants], where)
        unknown = None
        if catch_all is not None:
            unknown = self._unknown(name, catch_all, shared, tag, {variant.value for variant in variants})
        options = [{"$ref": f"#/$defs/{variant.target}"} for variant in variants] + untagged
        if absent:
            options.append({"$ref": f"#/$defs/{absent}"})
        self._out.flat[name] = {"description": body.get("description", ""), "anyOf": options}
        self._out.unions[name] = Union_(
            name,
            where,
            body.get("description", ""),
            tag,
            tuple(variants),
            tuple(self._only_reference(option, where) for option in untagged),
            absent,
            unknown,
            bool(tag_schema.get("x-deserialize-default-on-error")),
        )

    def _is_whole_variant(self, payload: str, member: JsonObject, shared: Parts, tag: str) -> bool:
        """Whether the payload's own class can stand for the variant: nothing is added to it but the tag."""
        if shared.properties or set(member["properties"]) != {tag}:
            return False
        body = self._definitions[payload]
        return self._is_object(body) and tag not in self._parts(body, self._place(body)).properties

    def _variant_name(self, union: str, value: str, has_shared: bool) -> str:
        """A tag of several words names its class; a short one needs the union's name in front."""
        own = pascal(value)
        if "_" in value and not has_shared and own not in self._definitions and own not in self._out.where:
            return own
        return union + own

    def _unknown(self, union: str, member: JsonObject, shared: Parts, tag: str, known: set[str]) -> UnknownVariant:
        where = self._place(member)
        excluded = {tag_value(part, tag) for part in member["not"].get("anyOf", [member["not"]])}
        if None in excluded or not known <= excluded:
            raise CodegenError(
                f"the catch-all of {union} also accepts tags that the union knows",
                where=where + "/not",
                hint=f"exclude at least: {', '.join(sorted(known))}",
            )
        refused = tuple(sorted(value for value in excluded - known if value is not None))
        body = {keyword: value for keyword, value in member.items() if keyword != "not"}
        parts = merge([shared, without(self._parts(body, where), tag)], where)
        name = f"Unknown{union}"
        if name in self._definitions:  # a variant that the protocol itself calls unknown
            name = f"Unrecognised{union}"
        self._claim(name, where)
        del self._out.flat[name]
        checks: list[str] = []
        arms: list[tuple[str, Parts]] = []
        if parts.branches is None:
            arms.append((f"{name}Check", Parts(parts.properties, parts.required)))
        else:
            for branch in parts.branches[1]:
                arm = merge([Parts(parts.properties, parts.required), self._parts(branch, self._place(branch))], where)
                arms.append((f"{name}Check{pascal(branch.get('title', ''))}", arm))
        for check, arm in arms:
            self._claim(check, where)
            self._record(check, arm, "")
            self._out.check_only.add(check)
            checks.append(check)
        exclusive = parts.branches is not None and parts.branches[0] == "oneOf"
        return UnknownVariant(name, member.get("description", ""), tuple(checks), refused, exclusive)

    def _tag_payloads(self) -> None:
        """Give every class that stands for one tag value only that tag as a constant."""
        for name, tag in list(self._out.tags.items()):
            for option in self._out.flat[name].get("anyOf", []):
                target = ref_name(option)
                if target in self._out.minted and name not in self._out.unions:
                    self._out.tags[target] = tag
        uses: dict[str, set[tuple[str, str]]] = {}
        for union in self._out.unions.values():
            for variant in union.variants:
                uses.setdefault(variant.target, set()).add((union.tag, variant.value))
        for target, tags in uses.items():
            if target not in self._out.unions and target not in self._out.tags and len(tags) == 1:
                self._out.tags[target] = next(iter(tags))

    # --------------------------------------------------------------------------------------- structure

    def _parts(self, body: JsonObject, where: str) -> Parts:
        """What an object body contributes, its references followed."""
        only(body, ANNOTATIONS | _OBJECT | BRANCHING | {"$ref"}, where)
        if isinstance(body.get("additionalProperties"), dict) and "properties" in body:
            unsupported("named properties beside typed additionalProperties", where, "use one of the two")
        included = list(body.get("allOf", []))
        if "$ref" in body:
            included.append(body)
        forbidden = forbidden_by(body, where)
        parts = [Parts(dict(body.get("properties", {})), list(body.get("required", [])), branches_of(body), forbidden)]
        for member in included:
            target = ref_name(member)
            source = member if target is None else self._definitions[target]
            if not self._is_object(source):
                unsupported("an object that includes something else", where, "include objects with properties only")
            parts.append(self._parts(source, self._place(source)))
        merged = merge(parts, where)
        for wire in merged.required:
            if wire not in merged.properties and merged.branches is None:
                raise CodegenError(
                    f"{json.dumps(wire)} is required but not a property",
                    where=where + "/required",
                    hint="describe it under properties or drop it from required",
                )
        return merged

    def _is_object(self, schema: JsonObject) -> bool:
        """Whether values of this schema are objects with known properties (not maps)."""
        if "properties" in schema:
            return True
        if isinstance(schema.get("additionalProperties"), dict):
            return False
        if schema.get("type") == "object":
            return schema.get("additionalProperties") is not True
        target = ref_name(schema)
        if target is not None:
            return self._is_object(self._definitions[target])
        branches = branches_of(schema)
        return (
            branches is not None
            and any(
                "properties" in member or (ref_name(member) is not None and self._is_object(member))
                for member in branches[1]
            )
            and all(self._is_object(member) for member in branches[1])
        )

    # ---------------------------------------------------------------------------------------- mistakes

    def _place(self, schema: JsonObject) -> str:
        return self._places[id(schema)]

    def _no_repeats(self, values: list[str], where: str) -> None:
        for value, times in Counter(values).items():
            if times > 1:
                raise CodegenError(
                    f"the value {json.dumps(value)} occurs {times} times", where=where, hint="keep one of them"
                )

    def _only_reference(self, option: JsonObject, where: str) -> str:
        target = ref_name(option)
        if target is None:
            unsupported("a union of objects and other values", where, "give the value a definition")
        return target
