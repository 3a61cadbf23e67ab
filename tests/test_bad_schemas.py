"""Schemas that are wrong, odd or hostile: one clear error and nothing written, or a package that is right and inert."""

from __future__ import annotations

import ast
import builtins
import importlib
import itertools
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from acp_codegen import pipeline, resources
from acp_codegen.cli import app
from acp_codegen.errors import CodegenError
from acp_codegen.pipeline import build_package
from acp_codegen.resources import EditionSource

ROOT = Path(__file__).resolve().parents[1]
TEXT = {"type": "string"}
MAYBE_TEXT = {"type": ["string", "null"]}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def variant(tag: str, value: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {tag: {"const": value}, **properties}, "required": [tag]}


def catch_all(tag: str, *known: str) -> dict[str, Any]:
    return {
        "title": "other",
        "type": "object",
        "properties": {tag: TEXT},
        "required": [tag],
        "not": {"anyOf": [variant(tag, value) for value in known]},
    }


def defs(**definitions: Any) -> dict[str, Any]:
    return {"$defs": definitions}


def a_property(schema: Any, *, required: bool = False) -> dict[str, Any]:
    """A document in which one record has one property, ``p``."""
    return defs(A=record(*(["p"] if required else []), p=schema))


# ------------------------------------------------------------------------------------------------ refusals


@dataclass(frozen=True)
class Refusal:
    """A schema (a document, or the bytes of the file), and the whole of what the command says about it."""

    schema: Any
    message: str
    where: str
    fix: str
    session: bool = False

    @property
    def content(self) -> bytes:
        return self.schema if isinstance(self.schema, bytes) else json.dumps(self.schema).encode()


def known_keywords() -> str:
    vocabulary = json.loads((ROOT / "schema" / "vocabulary.json").read_text(encoding="utf-8"))
    return "known here: " + ", ".join(sorted(vocabulary["$defs"]["schema"]["properties"]))


NOT_JSON = "repair the JSON at that line and column"
NO_DEFS = ("no definitions: the document has no $defs object", "schema.json#", 'put the protocol types under "$defs"')
TOO_DEEP_TO_READ = (
    "not readable as JSON: nested too deeply or a number too long",
    "schema.json",
    "this is not a protocol schema",
)
OWN_SHAPE = "give one of these definitions a shape of its own"
REFER = 'refer to a definition of this file as "#/$defs/Name"'
RENAME = "rename one of them"
PROPERTY_NAME = "use letters, digits and underscores, beginning with a letter"
CLASS_NAME = "use letters and digits, beginning with a capital"
CONSTANT_NAME = 'integers need a "title", strings a letter to begin with'
FITTING_DEFAULT = "use a scalar, a list or an object of records that fits the type"
X_PATCH = (
    "what a property of a patched payload does: a value replaces the stored one or merges into it by key and null clears "
    'it; with "keep" null changes nothing, with "latest" absence clears too, with "none" it is not stored'
)
PLACE = "schema.json#/$defs/A"
PROPERTY = PLACE + "/properties/p"

UNREADABLE = {
    "cut off": Refusal(
        b'{"$defs": {',
        "not valid JSON: Expecting property name enclosed in double quotes",
        "schema.json:1:12",
        NOT_JSON,
    ),
    "empty file": Refusal(b"", "not valid JSON: Expecting value", "schema.json:1:1", NOT_JSON),
    "second line": Refusal(
        b'{"$defs": {}\n  oops}', "not valid JSON: Expecting ',' delimiter", "schema.json:2:3", NOT_JSON
    ),
    "something after it": Refusal(b'{"$defs": {}} 1', "not valid JSON: Extra data", "schema.json:1:15", NOT_JSON),
    "not UTF-8": Refusal(b'{"$defs": "\xff"}', "not UTF-8 text (byte 11)", "schema.json", "save the file as UTF-8"),
    "UTF-16": Refusal(
        '{"$defs": {}}'.encode("utf-16"), "not UTF-8 text (byte 0)", "schema.json", "save the file as UTF-8"
    ),
    "duplicate key": Refusal(
        b'{"$defs": {"A": {"type": "string", "type": "integer"}}}',
        'the key "type" occurs twice in one object',
        "schema.json",
        "keep one of the two",
    ),
    "duplicate definition": Refusal(
        b'{"$defs": {"A": {}, "\\u0041": {}}}',
        'the key "A" occurs twice in one object',
        "schema.json",
        "keep one of the two",
    ),
    "NaN": Refusal(b'{"$defs": {"A": {"minimum": NaN}}}', "NaN is not JSON", "schema.json", "write a number"),
    "infinity": Refusal(
        b'{"$defs": {"A": {"default": -Infinity}}}', "-Infinity is not JSON", "schema.json", "write a number"
    ),
    "deep nesting": Refusal(b"[" * 100_000, *TOO_DEEP_TO_READ),
    "number with 5000 digits": Refusal(b'{"$defs": {"A": {"minimum": ' + b"9" * 5000 + b"}}}", *TOO_DEEP_TO_READ),
    "array": Refusal([], *NO_DEFS),
    "string": Refusal("text", *NO_DEFS),
    "no $defs": Refusal({"type": "object"}, *NO_DEFS),
    "$defs is an array": Refusal({"$defs": []}, *NO_DEFS),
    "definition is a number": Refusal(defs(A=5), "expected object, found 5", PLACE, "a schema object"),
    "definition is true": Refusal(defs(A=True), "expected object, found true", PLACE, "a schema object"),
}

REFERENCES = {
    "dangling": Refusal(
        a_property(ref("Nope")),
        'the reference "#/$defs/Nope" leads nowhere',
        PROPERTY + "/$ref",
        'define "Nope" under $defs or correct the name',
    ),
    "dangling in an array in a union": Refusal(
        defs(A={"anyOf": [TEXT, {"type": "array", "items": ref("B")}]}),
        'the reference "#/$defs/B" leads nowhere',
        PLACE + "/anyOf/1/items/$ref",
        'define "B" under $defs or correct the name',
    ),
    "dangling in a catch-all": Refusal(
        defs(A={"anyOf": [variant("t", "a"), {**catch_all("t", "a"), "not": ref("B")}]}),
        'the reference "#/$defs/B" leads nowhere',
        PLACE + "/anyOf/1/not/$ref",
        'define "B" under $defs or correct the name',
    ),
    "other file": Refusal(
        defs(A={"$ref": "other.json#/$defs/A"}),
        'unsupported reference "other.json#/$defs/A"',
        PLACE + "/$ref",
        REFER,
    ),
    "whole document": Refusal(a_property({"$ref": "#"}), 'unsupported reference "#"', PROPERTY + "/$ref", REFER),
    "inside a definition": Refusal(
        defs(A={"$ref": "#/$defs/B/properties/x"}, B=record(x=TEXT)),
        'unsupported reference "#/$defs/B/properties/x"',
        PLACE + "/$ref",
        REFER,
    ),
    "not a string": Refusal(
        defs(A={"$ref": 1}),
        "expected string, found 1",
        PLACE + "/$ref",
        "a definition of the same file, as #/$defs/Name",
    ),
    "itself": Refusal(defs(A=ref("A")), "A refers only to itself: A -> A", PLACE, OWN_SHAPE),
    "each other": Refusal(defs(A=ref("B"), B=ref("A")), "A refers only to itself: A -> B -> A", PLACE, OWN_SHAPE),
    "a loop behind others": Refusal(
        defs(Z=ref("A"), A=ref("B"), B=ref("C"), C=ref("A")),
        "A refers only to itself: A -> B -> C -> A",
        PLACE,
        OWN_SHAPE,
    ),
    "itself through allOf": Refusal(defs(A={"allOf": [ref("A")]}), "A refers only to itself: A -> A", PLACE, OWN_SHAPE),
    "itself through allOf of a record": Refusal(
        defs(A={**record(p=TEXT), "allOf": [ref("B")]}, B={**record(q=TEXT), "allOf": [ref("A")]}),
        "A refers only to itself: A -> B -> A",
        PLACE,
        OWN_SHAPE,
    ),
    "itself through anyOf": Refusal(
        defs(A={"anyOf": [ref("B"), ref("A")]}, B=ref("A")), "A refers only to itself: A -> B -> A", PLACE, OWN_SHAPE
    ),
    "itself through oneOf": Refusal(defs(A={"oneOf": [ref("A")]}), "A refers only to itself: A -> A", PLACE, OWN_SHAPE),
    "itself through items": Refusal(
        defs(A={"type": "array", "items": ref("A")}), "A refers only to itself: A -> A", PLACE, OWN_SHAPE
    ),
}

KEYWORDS = {
    "misspelt keyword": Refusal(
        defs(A={"type": "object", "propertys": {}}),
        'unknown keyword "propertys"',
        PLACE + "/propertys",
        'did you mean "properties"?',
    ),
    "unsupported keyword": Refusal(
        a_property({"type": "object", "dependentSchemas": {}}),
        'unknown keyword "dependentSchemas"',
        PROPERTY + "/dependentSchemas",
        known_keywords(),
    ),
    "keyword at the root": Refusal(
        {"$defs": {}, "$anchor": "top"}, 'unknown keyword "$anchor"', "schema.json#/$anchor", known_keywords()
    ),
    "keyword where it means nothing": Refusal(
        a_property({"not": TEXT}), 'not supported: the keyword "not" here', PROPERTY + "/not", "remove it"
    ),
    "constraint beside a reference": Refusal(
        defs(A=record(p={**ref("B"), "minLength": 1}), B=TEXT),
        'not supported: the keyword "minLength" here',
        PROPERTY + "/minLength",
        "remove it",
    ),
    "two references in allOf": Refusal(
        defs(A=record(p={"allOf": [ref("B"), ref("B")]}), B=record(x=TEXT)),
        'not supported: the keyword "allOf" here',
        PROPERTY + "/allOf",
        "remove it",
    ),
    "closed object": Refusal(
        defs(A={**record(p=TEXT), "additionalProperties": False}),
        "false is not one of true",
        PLACE + "/additionalProperties",
        "true or a schema: objects of this protocol are open",
    ),
    "properties and typed additional ones": Refusal(
        defs(A={**record(p=TEXT), "additionalProperties": TEXT}),
        "not supported: named properties beside typed additionalProperties",
        PLACE,
        "use one of the two",
    ),
    "unknown type": Refusal(
        a_property({"type": "text"}),
        '"text" is not one of "object", "array", "string", "integer", "number", "boolean", "null"',
        PROPERTY + "/type",
        "a JSON type",
    ),
    "negative length": Refusal(
        a_property({"type": "string", "minLength": -1}),
        "expected a number from 0 up, found -1",
        PROPERTY + "/minLength",
        "a count",
    ),
    "limit is a boolean": Refusal(
        a_property({"type": "integer", "minimum": True}),
        "expected number, found true",
        PROPERTY + "/minimum",
        "a number",
    ),
    "empty anyOf": Refusal(
        a_property({"anyOf": []}), "expected at least 1 item(s)", PROPERTY + "/anyOf", "a list of schemas"
    ),
    "required names no property": Refusal(
        defs(A=record("q", p=TEXT)),
        '"q" is required but not a property',
        PLACE + "/required",
        "describe it under properties or drop it from required",
    ),
    "pattern": Refusal(
        a_property({"type": "string", "pattern": "("}),
        "the pattern is not a regular expression: missing ), unterminated subpattern at position 0",
        PROPERTY + "/pattern",
        "correct it",
    ),
    "one property, two schemas": Refusal(
        defs(A={**record(p=TEXT), "allOf": [ref("B")]}, B=record(p={"type": "integer"})),
        'the property "p" comes together from two different schemas',
        PLACE,
        "give it one schema",
    ),
    "oneOf in a property": Refusal(
        a_property({"oneOf": [TEXT, {"type": "integer"}]}),
        "not supported: oneOf inside a property",
        PROPERTY,
        "use anyOf, or a definition of its own",
    ),
    "default of another type": Refusal(
        a_property({"type": "string", "default": 5}),
        "the default 5 is not a value of the property",
        PROPERTY + "/default",
        FITTING_DEFAULT,
    ),
    "default that lacks a required field": Refusal(
        defs(A=record(p={**ref("B"), "default": {}}), B=record("x", x=TEXT)),
        "the default {} is not a value of the property",
        PROPERTY + "/default",
        FITTING_DEFAULT,
    ),
}

ANNOTATIONS = {
    "misspelt": Refusal(
        a_property({**MAYBE_TEXT, "x-pach": "replace"}),
        'unknown annotation "x-pach"',
        PROPERTY + "/x-pach",
        'did you mean "x-patch"?',
    ),
    "unknown": Refusal(defs(A={"x-q": 1}), 'unknown annotation "x-q"', PLACE + "/x-q", known_keywords()),
    "bad value": Refusal(
        a_property({**MAYBE_TEXT, "x-patch": "add"}),
        '"add" is not one of "replace", "merge", "keep", "latest", "none"',
        PROPERTY + "/x-patch",
        X_PATCH,
    ),
    "bad type": Refusal(
        a_property({**MAYBE_TEXT, "x-patch": True}),
        "expected string, found true",
        PROPERTY + "/x-patch",
        X_PATCH,
    ),
    "leniency that is false": Refusal(
        a_property({**TEXT, "x-deserialize-default-on-error": False}),
        "false is not one of true",
        PROPERTY + "/x-deserialize-default-on-error",
        "a malformed value counts as absent",
    ),
    "unknown side": Refusal(
        defs(A={"type": "object", "x-side": "server"}),
        '"server" is not one of "agent", "client", "both", "protocol", "proxy"',
        PLACE + "/x-side",
        "who handles the method",
    ),
    "x-patch on a required property": Refusal(
        a_property({**MAYBE_TEXT, "x-patch": "replace"}, required=True),
        '"x-patch" on a required property',
        PROPERTY,
        "remove it: a required property is never absent",
    ),
    "x-patch without null": Refusal(
        a_property({**TEXT, "x-patch": "replace"}),
        '"x-patch" on a property that cannot be null',
        PROPERTY,
        "allow null or remove the keyword",
    ),
    "merge of what is no map": Refusal(
        a_property({**MAYBE_TEXT, "x-patch": "merge"}),
        '"x-patch": "merge" on something that is not a map',
        PROPERTY,
        'use "replace"',
    ),
    "x-reset alone": Refusal(
        a_property({**MAYBE_TEXT, "x-reset": ""}),
        '"x-reset" on a property that null does not reset',
        PROPERTY,
        'add "x-patch": "replace" or remove "x-reset"',
    ),
    "items to skip in a string": Refusal(
        a_property({**TEXT, "x-deserialize-skip-invalid-items": True}),
        '"x-deserialize-skip-invalid-items" on something that is not an array',
        PROPERTY,
        "use it on arrays only",
    ),
    "empty string for null": Refusal(
        a_property({**TEXT, "x-deserialize-default-on-null": True}),
        '"x-deserialize-default-on-null" needs an array or a map that is not nullable',
        PROPERTY,
        "remove the keyword",
    ),
    "default on error without a default": Refusal(
        a_property({**TEXT, "x-deserialize-default-on-error": True}, required=True),
        '"x-deserialize-default-on-error" on a required property that is no array or map',
        PROPERTY,
        "remove the keyword",
    ),
    "method without a side": Refusal(
        defs(A={"type": "object", "x-method": "m"}, Call=record(method=TEXT, params=ref("A"))),
        "A has a method but no side",
        PLACE,
        'add "x-side": "agent" or "client", whoever handles it',
    ),
    "request without a result": Refusal(
        defs(
            A={"type": "object", "x-method": "m", "x-side": "agent"},
            Call=record(id=TEXT, method=TEXT, params=ref("A")),
        ),
        "the request m has no result type",
        PLACE,
        'give one definition under a response\'s result "x-method": "m"',
    ),
    "two params for one method": Refusal(
        defs(
            A={"type": "object", "x-method": "m", "x-side": "agent"},
            B={"type": "object", "x-method": "m", "x-side": "agent"},
            Call=record(method=TEXT, params={"anyOf": [ref("A"), ref("B")]}),
        ),
        "A and B are both listed for m",
        "schema.json#/$defs/Call/properties/params/anyOf/1",
        "list one of them",
    ),
}


def session_schema(rule: Any, **properties: Any) -> dict[str, Any]:
    """One update that carries this rule, where session/update can find it."""
    update = {**variant("sessionUpdate", "a"), "allOf": [ref("B")], **({} if rule is None else {"x-update": rule})}
    notification = {**record(update=ref("A")), "x-method": "session/update", "x-side": "client"}
    return defs(A={"anyOf": [update]}, B=record("jobId", jobId=TEXT, **properties), N=notification)


def excluding(excluded: Any, **properties: Any) -> dict[str, Any]:
    return {**record(**properties), "not": excluded}


def unlike_one_name(excluded: Any) -> Refusal:
    """A record that excludes something else than one property by its name."""
    return Refusal(
        defs(A=excluding(excluded, p=TEXT)),
        'not supported: a "not" of this form',
        PLACE + "/not",
        'exclude one property: {"required": ["name"]}',
    )


KEEP_ONE = "keep one of the two"
EXCLUSIONS = {
    "two names": unlike_one_name({"type": "object", "required": ["a", "b"]}),
    "no name": unlike_one_name({"type": "object", "required": []}),
    "nothing": unlike_one_name({}),
    "objects": unlike_one_name({"type": "object"}),
    "another type": unlike_one_name({"type": "string", "required": ["a"]}),
    "a name with a value": unlike_one_name({"properties": {"a": {"const": "x"}}, "required": ["a"]}),
    "a choice of names": unlike_one_name({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    "what is described": Refusal(
        defs(A=excluding({"required": ["p"]}, p=TEXT)),
        'the property "p" is both described and excluded',
        PLACE,
        KEEP_ONE,
    ),
    "what the including record describes": Refusal(
        defs(A={**record(p=TEXT), "allOf": [ref("B")]}, B=excluding({"required": ["p"]}, q=TEXT)),
        'the property "p" is both described and excluded',
        PLACE,
        KEEP_ONE,
    ),
    "the tag of a variant": Refusal(
        defs(
            A={"anyOf": [{**variant("t", "a"), "allOf": [ref("B")]}, {**variant("t", "b"), "allOf": [ref("C")]}]},
            B=excluding({"required": ["t"]}, q=TEXT),
            C=record(q=TEXT),
        ),
        'the property "t" is both described and excluded',
        PLACE + "/anyOf/0",
        KEEP_ONE,
    ),
    "in a variant itself": Refusal(
        defs(A={"anyOf": [{"title": "x", **excluding({"required": ["t"]}, p=TEXT)}, {"title": "y", **record(t=TEXT)}]}),
        "not supported: a variant with an excluded property",
        PLACE + "/anyOf/0",
        "exclude it where the variant is defined",
    ),
    "beside variants": Refusal(
        defs(
            A={"type": "object", "not": {"required": ["t"]}, "anyOf": [ref("B"), ref("C")]},
            B=record("b", b=TEXT),
            C=record("c", c=TEXT),
        ),
        "not supported: an excluded property beside variants",
        PLACE,
        "exclude it where the variants are defined",
    ),
    "beside variants with a tag": Refusal(
        defs(
            A={
                "type": "object",
                "not": {"required": ["x"]},
                "anyOf": [{**variant("t", "a"), "allOf": [ref("B")]}, {**variant("t", "b"), "allOf": [ref("C")]}],
            },
            B=record("b", b=TEXT),
            C=record("c", c=TEXT),
        ),
        "not supported: an excluded property beside variants",
        PLACE,
        "exclude it where the variants are defined",
    ),
    "in a map": Refusal(
        defs(A={"type": "object", "additionalProperties": TEXT, "not": {"required": ["a"]}}),
        'not supported: the keyword "not" here',
        PLACE + "/not",
        "remove it",
    ),
    "in a string": Refusal(
        defs(A={"type": "string", "not": {"required": ["a"]}}),
        'not supported: the keyword "not" here',
        PLACE + "/not",
        "remove it",
    ),
}

ENUM_LISTS = {
    "a value in two lists": Refusal(
        defs(A={"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["b"]}]}),
        'the value "b" occurs 2 times',
        PLACE,
        "keep one of them",
    ),
    "a value in a list and alone": Refusal(
        defs(A={"anyOf": [{"type": "string", "enum": ["a"]}, {"const": "a"}, {"type": "string", "title": "other"}]}),
        'the value "a" occurs 2 times',
        PLACE,
        "keep one of them",
    ),
    "a list that mixes types": Refusal(
        defs(A={"anyOf": [{"enum": ["a", 1]}, {"type": "string", "title": "other"}]}),
        "not supported: an enum that mixes types",
        PLACE,
        "use strings only, or integers only",
    ),
}

UPSERT = {"op": "upsert", "entity": "jobs", "key": "jobId"}
UPDATES = {
    "no rule": Refusal(
        session_schema(None),
        'the update "a" has no rule',
        PLACE + "/anyOf/0",
        'add a line such as "x-update": {"op": "upsert", "entity": "tool_calls", "key": "toolCallId"}, '
        "or generate with --no-session",
        session=True,
    ),
    "unknown key": Refusal(
        session_schema({**UPSERT, "key": "id"}),
        'the rule names "id", which B does not have',
        PLACE + "/anyOf/0/x-update/key",
        "use one of: jobId",
        session=True,
    ),
    "undecided field": Refusal(
        session_schema(UPSERT, title=MAYBE_TEXT),
        'what null does to "title" of the update "a" is not decided',
        "schema.json#/$defs/B/properties/title",
        'add "x-patch": "replace" (or "merge", "keep", "latest", or "none" if it is not stored)',
        session=True,
    ),
    "rule without its operands": Refusal(
        session_schema({"op": "upsert", "entity": "jobs"}),
        '"key" is missing',
        PLACE + "/anyOf/0/x-update",
        'op "upsert" needs entity, key',
        session=True,
    ),
    "rule with something else": Refusal(
        session_schema({**UPSERT, "keys": "jobId"}),
        'unknown keyword "keys"',
        PLACE + "/anyOf/0/x-update/keys",
        'did you mean "key"?',
        session=True,
    ),
    "unknown operation": Refusal(
        session_schema({**UPSERT, "op": "upsrt"}),
        '"upsrt" is not one of "upsert", "create", "append", "append_bytes", "replace", "set", "patch", "event"',
        PLACE + "/anyOf/0/x-update/op",
        "one of the operations on the session state",
        session=True,
    ),
    "rule without an operation": Refusal(
        session_schema({"entity": "jobs"}),
        '"op" is missing',
        PLACE + "/anyOf/0/x-update",
        "what one session update does to the session state",
        session=True,
    ),
}

COLLISIONS = {
    "two properties": Refusal(
        defs(A=record(fooBar=TEXT, foo_bar=TEXT)),
        '"fooBar" and "foo_bar" would both be named foo_bar in Python',
        PLACE + "/properties/foo_bar",
        RENAME,
    ),
    "meta and _meta": Refusal(
        defs(A=record(meta=TEXT, _meta=TEXT)),
        '"meta" and "_meta" would both be named meta in Python',
        PLACE + "/properties/_meta",
        RENAME,
    ),
    "keyword and its stand-in": Refusal(
        defs(A={"type": "object", "properties": {"class": TEXT, "class_": TEXT}}),
        '"class" and "class_" would both be named class_ in Python',
        PLACE + "/properties/class_",
        RENAME,
    ),
    "property and tag": Refusal(
        defs(A={"anyOf": [variant("kindOf", "a", kind_of=TEXT)]}),
        '"kind_of" and "kindOf" would both be named kind_of in Python',
        PLACE + "/anyOf/0",
        RENAME,
    ),
    "enum constants": Refusal(
        defs(A={"anyOf": [{"const": "a-b"}, {"const": "a_b"}]}),
        '"a-b" and "a_b" would both be named A_B in Python',
        PLACE + "/anyOf/1",
        RENAME,
    ),
    "equal enum values": Refusal(
        defs(A={"enum": ["a", "b", "a"]}), 'the value "a" occurs 2 times', PLACE, "keep one of them"
    ),
    "integer constant without a title": Refusal(
        defs(A={"anyOf": [{"const": 1}]}),
        "no Python constant can be made of the value 1",
        PLACE + "/anyOf/0",
        CONSTANT_NAME,
    ),
    "constant that every enum has": Refusal(
        defs(A={"enum": ["known"]}), 'no Python constant can be made of the value "known"', PLACE, CONSTANT_NAME
    ),
    "variant and definition": Refusal(
        defs(B={"anyOf": [variant("t", "dot")]}, BDot=TEXT),
        "two shapes want the name BDot",
        "schema.json#/$defs/BDot",
        "rename one; the other is at /$defs/B/anyOf/0",
    ),
    "variant and variant": Refusal(
        defs(B={"anyOf": [variant("t", "do.t"), variant("t", "do:t")]}),
        "two shapes want the name BDoT",
        "schema.json#/$defs/B/anyOf/1",
        "rename one; the other is at /$defs/B/anyOf/0",
    ),
    "inline object and definition": Refusal(
        defs(A=record(p=record(x=TEXT)), AP=TEXT),
        "two shapes want the name AP",
        "schema.json#/$defs/AP",
        "rename one; the other is at /$defs/A/properties/p",
    ),
    "values of an enum and definition": Refusal(
        defs(A={"enum": ["a"]}, AValues=TEXT),
        "the values of A and AValues would both be named AValues in Python",
        "schema.json#/$defs/AValues",
        RENAME,
    ),
    "two functions": Refusal(
        defs(FooBar=TEXT, FOOBar=TEXT),
        "FooBar and FOOBar would both be named foo_bar in Python",
        "schema.json#/$defs/FOOBar",
        RENAME,
    ),
    **{
        f"definition {name}": Refusal(
            {"$defs": {name: TEXT}},
            f"the definition name {name} is taken by the generated modules themselves",
            f"schema.json#/$defs/{name}",
            "rename the definition",
        )
        for name in ("Any", "Record", "Patch", "UNSET", "Literal", "DecodeError", "Request", "EnumValues")
    },
    "definition None": Refusal(
        {"$defs": {"None": TEXT}},
        "the definition name None is a Python keyword",
        "schema.json#/$defs/None",
        "rename it",
    ),
    "definition with a space": Refusal(
        {"$defs": {"A B": TEXT}}, 'the definition name "A B" cannot be a Python class name', PLACE + " B", CLASS_NAME
    ),
    "definition without a name": Refusal(
        {"$defs": {"": TEXT}}, 'the definition name "" cannot be a Python class name', "schema.json#/$defs/", CLASS_NAME
    ),
    "property without a name": Refusal(
        defs(A={"type": "object", "properties": {"": TEXT}}),
        'no Python name can be made of the property ""',
        PLACE + "/properties/",
        PROPERTY_NAME,
    ),
    "property that begins with a digit": Refusal(
        defs(A={"type": "object", "properties": {"1st/~": TEXT}}),
        'no Python name can be made of the property "1st/~"',
        PLACE + "/properties/1st~1~0",
        PROPERTY_NAME,
    ),
    "catch-all that takes a known tag": Refusal(
        defs(A={"anyOf": [variant("t", "dot"), catch_all("t", "line")]}),
        "the catch-all of A also accepts tags that the union knows",
        PLACE + "/anyOf/1/not",
        "exclude at least: dot",
    ),
    "no tag in common": Refusal(
        defs(A={"anyOf": [variant("t", "dot"), variant("u", "line")]}),
        "not supported: a union whose branches have no single constant property in common",
        PLACE,
        "tag every branch with the same property",
    ),
    "variant without tag and title": Refusal(
        defs(A={"anyOf": [record(p=TEXT), record(q=TEXT)]}),
        "not supported: a variant with neither a tag nor a title",
        PLACE + "/anyOf/0",
        'add a "title" to name it',
    ),
}

REFUSALS = {
    f"{group}-{name}": refusal
    for group, refusals in (
        ("unreadable", UNREADABLE),
        ("reference", REFERENCES),
        ("keyword", KEYWORDS),
        ("exclusion", EXCLUSIONS),
        ("enum", ENUM_LISTS),
        ("annotation", ANNOTATIONS),
        ("update", UPDATES),
        ("collision", COLLISIONS),
    )
    for name, refusal in refusals.items()
}


@pytest.fixture(scope="module")
def earlier_output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package that a good schema has left behind."""
    folder = tmp_path_factory.mktemp("earlier")
    (folder / "good.json").write_text(json.dumps(a_property(TEXT)), encoding="utf-8")
    run = CliRunner().invoke(
        app, ["generate", "--schema", str(folder / "good.json"), "--no-session", "--out", str(folder / "out")]
    )
    assert run.exit_code == 0, run.output
    return folder / "out"


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, hidden ones too, with its time of modification."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("command", ["generate", "check"])
@pytest.mark.parametrize("name", REFUSALS)
def test_bad_schema_gives_one_error_and_writes_nothing(
    name: str, command: str, tmp_path: Path, earlier_output: Path
) -> None:
    refusal = REFUSALS[name]
    schema = tmp_path / "schema.json"
    schema.write_bytes(refusal.content)
    before = snapshot(earlier_output)
    for out in (tmp_path / "fresh", earlier_output):
        arguments = [
            command,
            "--schema",
            str(schema),
            "--out",
            str(out),
            *([] if refusal.session else ["--no-session"]),
        ]
        run = CliRunner().invoke(app, arguments)
        assert run.stderr == f"error: {refusal.message}\n  at {refusal.where}\n  fix: {refusal.fix}\n"
        assert (run.exit_code, run.stdout, type(run.exception)) == (2, "", SystemExit)
    assert [path.name for path in tmp_path.iterdir()] == ["schema.json"]
    assert snapshot(earlier_output) == before


def test_missing_schema_file(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "schema.json"
    run = CliRunner().invoke(app, ["generate", "--schema", str(missing), "--out", str(tmp_path / "out")])
    assert run.stderr == (
        "error: cannot read the schema: No such file or directory\n"
        f"  at {missing}\n"
        "  fix: name a schema file that exists and can be read\n"
    )
    assert (run.exit_code, run.stdout, list(tmp_path.iterdir())) == (2, "", [])


def test_schema_that_is_a_folder(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["generate", "--schema", str(tmp_path), "--out", str(tmp_path / "out")])
    assert run.stderr == (
        "error: cannot read the schema: Is a directory\n"
        f"  at {tmp_path}\n"
        "  fix: name a schema file that exists and can be read\n"
    )
    assert (run.exit_code, run.stdout, list(tmp_path.iterdir())) == (2, "", [])


def test_schema_nested_too_deeply(tmp_path: Path) -> None:
    """Deep enough for the checks to run out of stack, and well within what the JSON parser reads."""
    nested = '{"properties": {"p": ' * 250 + "{}" + "}}" * 250
    (tmp_path / "schema.json").write_text('{"$defs": {"A": ' + nested + "}}", encoding="utf-8")
    run = CliRunner().invoke(
        app, ["generate", "--schema", str(tmp_path / "schema.json"), "--out", str(tmp_path / "out"), "--no-session"]
    )
    assert run.stderr == (
        "error: the schema is nested too deeply\n"
        "  at schema.json\n"
        "  fix: move inner schemas into $defs and refer to them\n"
    )
    assert (run.exit_code, run.stdout, (tmp_path / "out").exists()) == (2, "", False)


UNUSED = {
    "x-patch on a definition": (defs(A={**record(p=TEXT), "x-patch": "replace"}), "/$defs/A"),
    "x-patch on items": (
        a_property({"type": "array", "items": {**MAYBE_TEXT, "x-patch": "replace"}}),
        "/$defs/A/properties/p/items",
    ),
    "x-reset on a property that is no patch": (
        a_property({**MAYBE_TEXT, "x-reset": ""}),
        "/$defs/A/properties/p",
    ),
    "leniency on a definition": (
        defs(A={"type": "array", "items": TEXT, "x-deserialize-skip-invalid-items": True}),
        "/$defs/A",
    ),
    "leniency on items": (
        a_property({"type": "array", "items": {**MAYBE_TEXT, "x-deserialize-default-on-error": True}}),
        "/$defs/A/properties/p/items",
    ),
    "anyOf beside oneOf": (defs(A={"anyOf": [TEXT], "oneOf": [{"type": "integer"}]}), "/$defs/A"),
}


@pytest.mark.parametrize("name", UNUSED)
def test_what_would_be_ignored_is_refused(name: str, tmp_path: Path) -> None:
    """A keyword that nothing reads must not look as if it did something."""
    document, where = UNUSED[name]
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CodegenError) as caught:
        build_package([EditionSource("edition", schema, "schema.json")], session=False)
    assert caught.value.where.startswith(f"schema.json#{where}")
    assert caught.value.message and caught.value.hint


# ------------------------------------------------------------------------- odd, but right or refused


PACKAGE = "acp_bad_schema_package"
_serial = itertools.count()


@pytest.fixture(scope="module")
def package_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package with the runtime alone, importable; each test puts an edition of its own into it."""
    parent = tmp_path_factory.mktemp("editions")
    write_files(build_package([]).files, parent / PACKAGE)
    sys.path.insert(0, str(parent))
    yield parent / PACKAGE
    sys.path.remove(str(parent))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def generate(package_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], ModuleType]:
    """Make an edition of a document and import all of it; a refusal comes through as CodegenError."""
    monkeypatch.setattr(resources, "runtime_files", dict)  # is there already: formatting it each time takes too long

    def run(document: Any) -> ModuleType:
        schema = tmp_path / "schema.json"
        schema.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        name = f"edition{next(_serial)}"
        files = build_package([EditionSource(name, schema, "schema.json")], session=False).files
        write_files({path: text for path, text in files.items() if path.startswith(name)}, package_folder)
        importlib.invalidate_caches()
        for module in ("types", "_read", "_write", "_rules", "codec", "methods"):
            importlib.import_module(f"{PACKAGE}.{name}.{module}")
        return importlib.import_module(f"{PACKAGE}.{name}")

    return run


def write_files(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def exactly(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def check_round_trip(edition: ModuleType, name: str, wire: Any) -> None:
    """Fast and careful path, data and text: what goes in comes out."""
    value = edition.decode(name, wire)
    assert exactly(edition.encode(value, name)) == exactly(wire)
    assert exactly(json.loads(edition.dumps(value, name))) == exactly(wire)
    assert edition.loads(name, json.dumps(wire)) == value
    careful = sys.modules[f"{PACKAGE}._careful"]
    rules = sys.modules[f"{edition.__name__}._rules"].RULES
    assert careful.decode_carefully(wire, rules[name], rules, None) == value
    assert exactly(careful.encode_carefully(value, rules[name], rules)) == exactly(wire)


def assert_clear(error: CodegenError) -> None:
    """What, where and what to do; and no character that could forge further lines on a terminal."""
    assert error.message and error.hint
    assert error.where.startswith("schema.json")
    for part in (error.message, error.where, error.hint):
        assert part.isprintable(), part


def assert_about_the_schema(error: CodegenError, document: Any) -> None:
    """The message speaks of what the schema says, not of a tool that cannot read it, and of a place that is there."""
    assert_clear(error)
    assert "datamodel-code-generator" not in error.message
    if not isinstance(document, bytes):
        file, _, pointer = error.where.partition("#")
        assert file == "schema.json" and pointer.startswith("/$defs/"), error.where
        leads_somewhere(document, pointer)


def leads_somewhere(document: Any, pointer: str) -> None:
    """Follow a JSON Pointer; a step that is not there is a KeyError or an IndexError."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        document = document[int(key) if isinstance(document, list) else key]


RECURSIVE: dict[str, tuple[dict[str, Any], Any]] = {
    "property": (defs(A=record(p=ref("A"))), {"p": {"p": {}}}),
    "nullable property": (defs(A=record(p={"anyOf": [ref("A"), {"type": "null"}]})), {"p": {"p": {}}}),
    "array": (defs(A=record(p={"type": "array", "items": ref("A")})), {"p": [{}, {"p": []}]}),
    "map": (defs(A=record(p={"type": "object", "additionalProperties": ref("A")})), {"p": {"k": {"p": {}}}}),
    "each other": (defs(A=record(p=ref("B")), B=record(q=ref("A"))), {"p": {"q": {"p": {}}}}),
    "through a union": (
        defs(A={"anyOf": [variant("t", "leaf"), variant("t", "node", p=ref("A"))]}),
        {"t": "node", "p": {"t": "leaf"}},
    ),
    "through an alias": (
        defs(A=record(p=ref("B")), B={"type": "array", "items": ref("A")}),
        {"p": [{"p": []}]},
    ),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursive_records_are_fine(name: str, generate: Callable[[Any], ModuleType]) -> None:
    document, wire = RECURSIVE[name]
    check_round_trip(generate(document), "A", wire)


def lists(depth: int, inner: Any) -> Any:
    return inner if depth == 0 else {"type": "array", "items": lists(depth - 1, inner)}


VALID: dict[str, tuple[dict[str, Any], str, Any]] = {
    "array of an alias that comes later": (
        defs(A=lists(1, ref("B")), B=lists(1, ref("C")), C=record(x=TEXT)),
        "A",
        [[{"x": ""}]],
    ),
    "array of an enum that comes later": (defs(A=lists(1, ref("B")), B={"enum": ["a"]}), "A", ["a"]),
    "array of a union that comes later": (
        defs(A=lists(1, ref("B")), B={"anyOf": [ref("C"), ref("D")]}, C=record("c", c=TEXT), D=record("d", d=TEXT)),
        "A",
        [{"c": ""}, {"d": ""}],
    ),
    "alias of an alias that comes later": (defs(A=ref("B"), B=ref("C"), C=lists(1, TEXT)), "A", ["x"]),
    "arrays in arrays": (a_property(lists(8, TEXT)), "A", {"p": [[[[[[[["x"], []]]]]]]]}),
    "maps in maps": (
        a_property(
            {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": {"type": "integer"}},
            }
        ),
        "A",
        {"p": {"a": {"b": 1}}},
    ),
    "many closed sets": (
        defs(A=record(**{f"p{index}": {"enum": [f"v{index}"]} for index in range(60)})),
        "A",
        {f"p{index}": f"v{index}" for index in range(60)},
    ),
    "many patterns": (
        defs(A=record(**{f"p{index}": {"type": "string", "pattern": f"^{index}$"} for index in range(60)})),
        "A",
        {f"p{index}": str(index) for index in range(60)},
    ),
    "definition that takes any object": (defs(A={"type": "object", "additionalProperties": True}), "A", {"k": [1]}),
    "limit of 64 bits": (
        a_property({"type": "integer", "minimum": 0, "maximum": 2**64 - 1}),
        "A",
        {"p": 2**64 - 1},
    ),
    "limit beyond what a float holds": (a_property({"type": "integer", "minimum": 2**53 + 1}), "A", {"p": 2**53 + 1}),
    "fraction as limit": (a_property({"type": "number", "minimum": 0.1}), "A", {"p": 0.1}),
    "closed integers": (a_property({"enum": [1, 2]}), "A", {"p": 2}),
    "no definitions": (defs(A=TEXT), "A", "x"),
    "two types and null": (a_property({"type": ["string", "integer", "null"]}, required=True), "A", {"p": None}),
    "map of arrays that are not empty": (
        a_property({"type": "object", "additionalProperties": {**lists(1, TEXT), "minItems": 1}}),
        "A",
        {"p": {"k": ["x"]}},
    ),
    "array of arrays that are not empty": (
        a_property(lists(1, {**lists(1, TEXT), "minItems": 1, "maxItems": 2})),
        "A",
        {"p": [["x"], ["x", "y"]]},
    ),
    "array of strings with a limit": (
        a_property(lists(1, {"type": "string", "maxLength": 1})),
        "A",
        {"p": ["x", ""]},
    ),
}

# What the published schemas do not need: these may be refused, in so many words.
RARE: dict[str, tuple[dict[str, Any], str, Any]] = {
    "null": (a_property({"type": "null"}, required=True), "A", {"p": None}),
    "definition that is null": (defs(A={"type": "null"}), "A", None),
    "closed strings and integers": (a_property({"enum": [1, "a"]}), "A", {"p": "a"}),
    "constant boolean": (a_property({"const": True}), "A", {"p": True}),
    "types of which one takes a keyword": (a_property({"type": ["string", "array"], "items": TEXT}), "A", {"p": ["x"]}),
}


@pytest.mark.parametrize("name", VALID)
def test_unusual_but_valid_schema(name: str, generate: Callable[[Any], ModuleType]) -> None:
    document, type_name, wire = VALID[name]
    check_round_trip(generate(document), type_name, wire)


@pytest.mark.parametrize("name", RARE)
def test_rare_schema_is_generated_or_not_supported(name: str, generate: Callable[[Any], ModuleType]) -> None:
    document, type_name, wire = RARE[name]
    try:
        edition = generate(document)
    except CodegenError as error:
        assert_about_the_schema(error, document)
        assert error.message.startswith("not supported: ")
    else:
        check_round_trip(edition, type_name, wire)


SENSELESS: dict[str, Any] = {
    "map of itself": defs(A={"type": "object", "additionalProperties": ref("A")}),
    "string or map of itself": defs(A={"anyOf": [TEXT, {"type": "object", "additionalProperties": ref("A")}]}),
    "string or array of itself": defs(A={"anyOf": [TEXT, lists(1, ref("A"))]}),
    "limit that is infinite": b'{"$defs": {"A": {"properties": {"p": {"type": "number", "minimum": -1e999}}}}}',
    "default that is infinite": b'{"$defs": {"A": {"properties": {"p": {"type": "number", "default": 1e999}}}}}',
    "length of a boolean": a_property({"type": "boolean", "minLength": 1}),
    "limit of a string": a_property({"type": "string", "minimum": 1}),
    "length of an integer": a_property({"type": "integer", "minLength": 1}),
    "pattern of a number": a_property({"type": "number", "pattern": "a"}),
    "choice of nothing but null": a_property({"anyOf": [{"type": "null"}]}),
    "union of a record and null": defs(A={"anyOf": [ref("B"), {"type": "null"}]}, B=record(x=TEXT)),
    "union of a record and a string": defs(A={"anyOf": [ref("B"), TEXT]}, B=record(x=TEXT)),
    "inline object that includes what it is in": defs(A=record(p={**record(q=TEXT), "allOf": [ref("A")]})),
    "inline variant that includes what it is in": defs(
        A=record(
            p={"anyOf": [{**record(q=TEXT), "title": "One", "allOf": [ref("A")]}, {**record(r=TEXT), "title": "Two"}]}
        )
    ),
    "branches inside a branch": defs(A=record(p={"oneOf": [{**variant("t", "a"), "title": "One", "anyOf": [{}]}]})),
    "empty branches": defs(A={**record(p=TEXT), "anyOf": [{}]}),
    "default that holds itself": defs(A=record(p={**ref("A"), "default": {}})),
    "default shorter than allowed": a_property({"type": "string", "minLength": 2, "default": "a"}),
    "default that misses the pattern": a_property({"type": "string", "pattern": "^a$", "default": "b"}),
    "default of null": a_property({**MAYBE_TEXT, "default": None}),
    "default on a required property": a_property({**TEXT, "default": "a"}, required=True),
    "tag that is a number": defs(A={"anyOf": [{**record("t", t={"const": 1})}, {**record("t", t={"const": 2})}]}),
    "tag value without letters": defs(A={"anyOf": [variant("t", "+"), variant("t", "-")]}),
    "tag value with a digit and an underscore": defs(A={"anyOf": [variant("t", "2_d"), variant("t", "x")]}),
    "required twice": defs(A=record("p", "p", p=TEXT)),
    "type given twice": a_property({"type": ["string", "string"]}),
    "value given twice": a_property({"enum": ["a", "a"]}),
}


@pytest.mark.parametrize("name", SENSELESS)
def test_questionable_schema_is_right_or_refused(name: str, generate: Callable[[Any], ModuleType]) -> None:
    try:
        edition = generate(SENSELESS[name])
    except CodegenError as error:
        assert_about_the_schema(error, SENSELESS[name])
    else:
        # whatever a class makes of nothing must be valid again: defaults are values like any other
        if isinstance(edition.A, type):
            missing = [{}, {"p": "x"}]
            values = [value for value in missing if decodes(edition, value)]
            for wire in values:
                check_stable(edition, wire)


def decodes(edition: ModuleType, wire: Any) -> bool:
    try:
        edition.decode("A", wire)
    except edition.DecodeError as error:
        assert "nested too deeply" not in error.message
        return False
    return True


def check_stable(edition: ModuleType, wire: Any) -> None:
    """What a decoded value is written as decodes to that value."""
    value = edition.decode("A", wire)
    assert edition.decode("A", edition.encode(value, "A")) == value


MEANINGS: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "constant true": (a_property({"const": True}, required=True), [{"p": True}], [{"p": 1}, {"p": 1.0}, {"p": False}]),
    "constant one": (a_property({"const": 1}, required=True), [{"p": 1}], [{"p": True}, {"p": "1"}, {"p": 2}]),
    "closed integers": (
        a_property({"enum": [0, 1]}, required=True),
        [{"p": 0}],
        [{"p": False}, {"p": True}, {"p": ""}],
    ),
    "tag that may be missing": (
        defs(A={"anyOf": [record(t={"const": "a"}, p=TEXT)]}),
        [{}, {"p": "x"}, {"t": "a"}],
        [{"t": "b"}, {"p": 1}],
    ),
    "record that must be a string too": (
        defs(A={**record(p=TEXT), "allOf": [ref("B")]}, B=TEXT),
        [],
        [{}, {"p": "x"}, "x"],
    ),
    "record that includes a choice of a map": (
        defs(
            A={"anyOf": [{**record(q=TEXT), "title": "One", "allOf": [ref("B")]}, variant("t", "a")]},
            B={"anyOf": [{"enum": ["x"]}, {"type": "object", "additionalProperties": TEXT}]},
        ),
        [{}, {"q": "x"}, {"t": "a"}],
        ["x", 1],
    ),
    "properties inside a lone allOf": (
        defs(A={"allOf": [{**record("p", p=TEXT), "allOf": [ref("B")]}]}, B=record(q=TEXT)),
        [{"p": "x"}, {"p": "x", "q": "y"}],
        [{}, {"p": 1}, {"p": "x", "q": 1}],
    ),
    "tag that a part contradicts": (
        defs(A={**record(t={"const": "b"}), "allOf": [ref("B")]}, B={"anyOf": [variant("t", "a")]}),
        [],
        [{"t": "a"}, {"t": "b"}, {}],
    ),
    "anyOf beside oneOf": (
        defs(A={"anyOf": [TEXT, {"type": "integer"}], "oneOf": [TEXT, {"type": "boolean"}]}),
        ["x"],
        [1, True],
    ),
    "enum beside a wider type": (a_property({"enum": ["a"], "type": ["string", "null"]}), [{"p": "a"}], [{"p": None}]),
    "constant beside another type": (a_property({"const": "a", "type": "integer"}), [], [{"p": "a"}, {"p": 1}]),
    "closed set beside another type": (a_property({"enum": ["a", 1], "type": "string"}), [{"p": "a"}], [{"p": 1}]),
    "enum beside another type": (defs(A={"enum": ["a"], "type": "integer"}), [], ["a", 1]),
}


@pytest.mark.parametrize("name", MEANINGS)
def test_schema_means_what_json_schema_says_or_is_refused(name: str, generate: Callable[[Any], ModuleType]) -> None:
    document, valid, invalid = MEANINGS[name]
    try:
        edition = generate(document)
    except CodegenError as error:
        assert_about_the_schema(error, document)
        return
    for wire in valid:
        check_round_trip(edition, "A", wire)
    for wire in invalid:
        with pytest.raises(edition.DecodeError):
            edition.decode("A", wire)


class RandomSchema:
    """Schemas of the vocabulary's keywords, thrown together: most are refused, and none may do worse than that."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def document(self) -> dict[str, Any]:
        return {"$defs": {name: self.schema(3) for name in "ABCD"}}

    def schema(self, depth: int) -> dict[str, Any]:
        makers = [self.leaf, self.leaf, self.array, self.map, self.object, self.choice]
        return self.random.choice(makers)(depth) if depth > 0 else self.leaf(0)

    def leaf(self, depth: int) -> dict[str, Any]:
        name = self.random.choice(["string", "integer", "number", "boolean", "null"])
        return self.random.choice(
            [
                {"type": name},
                {"type": [name, "null"]},
                {"type": name, self.random.choice(["minLength", "minimum", "maxItems"]): 1},
                ref(self.random.choice("ABCD")),
                {"const": self.random.choice(["a", 1, True])},
                {"enum": self.random.choice([["a", "b"], [1, 2], ["a", 1]])},
                {},
            ]
        )

    def array(self, depth: int) -> dict[str, Any]:
        return {"type": "array", "items": self.schema(depth - 1)}

    def map(self, depth: int) -> dict[str, Any]:
        names = self.random.choice(["object", ["object", "null"]])
        return {"type": names, "additionalProperties": self.random.choice([True, self.schema(depth - 1)])}

    def object(self, depth: int) -> dict[str, Any]:
        properties = {name: self.schema(depth - 1) for name in "pqr" if self.random.random() < 0.5}
        if self.random.random() < 0.3:
            properties["kind"] = {"const": self.random.choice(["one", "two"])}
        for schema in properties.values():
            if self.random.random() < 0.1:
                schema["default"] = self.random.choice([1, "a", [], {}, None, True])
        found = record(*(name for name in properties if self.random.random() < 0.5), **properties)
        if self.random.random() < 0.15:
            found["allOf"] = [ref(self.random.choice("ABCD"))]
        if self.random.random() < 0.1:
            found["anyOf"] = [self.schema(depth - 1)]
        return found

    def choice(self, depth: int) -> dict[str, Any]:
        members = [self.schema(depth - 1) for _ in range(self.random.randint(1, 3))]
        for letter, member in zip("XYZ", members):
            if self.random.random() < 0.6:
                member["title"] = letter
        return {self.random.choice(["anyOf", "anyOf", "oneOf", "allOf"]): members}


@pytest.mark.parametrize("block", range(6))
def test_random_schemas_are_generated_or_refused(
    block: int, generate: Callable[[Any], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No crash of the generator, and no package that cannot be imported."""
    monkeypatch.setattr(pipeline, "format_module", str)  # the slowest part, and nothing here depends on it
    size = 150
    outcomes = {"generated": 0, "refused": 0}
    for seed in range(block * size, (block + 1) * size):
        document = RandomSchema(seed).document()
        print(json.dumps(document))  # shown where the test fails: the last one is to blame
        try:
            decodes(generate(document), {})
        except CodegenError as error:
            assert_clear(error)
            outcomes["refused"] += 1
        else:
            outcomes["generated"] += 1
    assert min(outcomes.values()) >= 3, outcomes


MODULE_NAMES = """
    list dict str int frozenset property field dataclass
    types codec decode encode loads dumps METHODS Message
    Fault Reader new among re isfinite quote array close
    Text Number Integer Items Members Named Object Other OneOf Rule Tagged FirstOf OrNull TEXT NUMBER ANYTHING RULES
    required optional patch defaulted Codec Callable Issue Messages
    x o d s head value data self match
""".split()


@pytest.mark.parametrize("name", MODULE_NAMES)
def test_definition_named_like_something_in_a_generated_module(
    name: str, generate: Callable[[Any], ModuleType]
) -> None:
    """Names that the modules use themselves: the definition works beside them, or it is refused."""
    properties = {
        "text": {"type": "string", "minLength": 1, "pattern": "^t"},
        "count": {"type": "integer", "minimum": 1},
        "share": {"type": ["number", "null"]},
        "flag": {"type": "boolean"},
        "names": {"type": "array", "items": TEXT, "default": []},
        "map": {"type": "object", "additionalProperties": TEXT},
        "either": {"anyOf": [TEXT, {"type": "integer"}]},
        "closed": {"enum": ["a", "b"]},
        "union": ref("Union2"),
    }
    union = {"anyOf": [variant("t", "leaf"), catch_all("t", "leaf")]}
    document = {"$defs": {name: record("text", **properties), "Union2": union, "Holder": record("one", one=ref(name))}}
    try:
        edition = generate(document)
    except CodegenError as error:
        assert_about_the_schema(error, document)
        assert error.where == f"schema.json#/$defs/{name}"
        return
    full = {
        "text": "t",
        "count": 1,
        "share": 0.5,
        "flag": True,
        "names": ["x"],
        "map": {"k": "v"},
        "either": 1,
        "closed": "a",
        "union": {"t": "leaf"},
    }
    check_round_trip(edition, name, full)
    check_round_trip(edition, "Holder", {"one": full})
    with pytest.raises(edition.DecodeError) as caught:
        edition.decode("Holder", {"one": {"text": ""}})
    assert caught.value.path == "/one/text"
    assert getattr(edition, name).__name__ == name
    assert_public_names_intact(edition)


def assert_public_names_intact(edition: ModuleType) -> None:
    """The edition's own interface is what the contract says, whatever the definitions are called."""
    codec = sys.modules[f"{edition.__name__}.codec"]
    for function in ("decode", "encode", "loads", "dumps", *codec.__all__):
        assert getattr(edition, function) is getattr(codec, function), function
    methods = sys.modules[f"{edition.__name__}.methods"]
    assert edition.METHODS is methods.METHODS
    assert type(edition.decode_message([], "agent")).__name__ == "Rejected"
    # annotations still mean what they say: str is the builtin, not a record of that name
    types = sys.modules[f"{edition.__name__}.types"]
    for builtin in ("str", "int", "float", "bool", "list", "dict"):
        assert getattr(types, builtin, None) is None, builtin


# ------------------------------------------------------------------------------------------ hostile text

FLAG = "acp_injected_code_ran"
RUN = f"__import__('builtins').__dict__.update({FLAG}=True)"


@dataclass(frozen=True)
class Payload:
    """Hostile text; what names can be made of it decides where it must be accepted."""

    text: str
    makes_name: bool = True  # an identifier can be made of its letters
    makes_suffix: bool = True  # with letters in front of it, at least


def nameless(text: str) -> Payload:
    return Payload(text, makes_name=False, makes_suffix=False)


PAYLOADS = {
    "empty": nameless(""),
    "double quote": nameless('"'),
    "triple quotes": nameless('"""'),
    "single quotes": nameless("'''"),
    "backslash": nameless("\\"),
    "braces": nameless("{}}{{"),
    "emoji": nameless("\U0001f98a"),
    "leading digit": Payload("1st", makes_name=False),
    "arithmetic in a template": Payload("{{ 7*7 }}", makes_name=False),
    "ends in a quote": Payload('say "a"'),
    "ends in a backslash": Payload("a\\"),
    "backslash before quotes": Payload('a\\"""'),
    "leaves a docstring": Payload(f'a"""\n{RUN}\n"""'),
    "leaves a docstring, indented": Payload(f'a"""\n\n    {RUN}\n\n    b = """'),
    "leaves a single-quoted string": Payload(f"a' + str({RUN}) + '"),
    "leaves a double-quoted string": Payload(f'a" + str({RUN}) + "'),
    "f-string expression": Payload("a{" + RUN + "}"),
    "escapes": Payload("\\x41\\u0042\\N{BULLET}\\n\\"),
    "new lines": Payload(f"a\n{RUN}\r\n{RUN}\r{RUN}\n"),
    "other line ends": Payload(f"a\x0b{RUN}\x0c{RUN}\x1c{RUN}\x85{RUN}\u2028{RUN}\u2029{RUN}"),
    "NUL and other controls": Payload("a\x00b\x1b[31mc\x7fd"),
    "template expression": Payload("{{ cycler.__init__.__globals__ }}"),
    "template statement": Payload("{% raise %}{% endraw %}{%- endmacro %}a"),
    "template comment": Payload("a #} b {# c"),
    "format directives": Payload("%s %(a)s {0} {a!r} $a"),
    "keyword": Payload("class"),
    "builtin": Payload("list"),
    "special method": Payload("__init__"),
    "lone surrogate": Payload("a\ud800b"),
    "pointer syntax": Payload("a/b~c~1d"),
    "long word": Payload("a" * 400),
    "long sentence": Payload('it\'s \\ """ ' * 60),
}


@dataclass(frozen=True)
class Place:
    """Where text can stand in a schema: a document with it, JSON that goes through it, and what it must be good for.

    Places of one kind share a document: to generate and import one takes longer than all else here.
    """

    document: Callable[[str], Any]
    samples: Callable[[str], list[tuple[str, Any]]]
    needs: str = ""  # "name" | "suffix" | nothing


def documented(text: str) -> dict[str, Any]:
    """A definition of every kind, with the text for its description and those of its parts."""
    return defs(
        RecordOf={**record(p={**TEXT, "description": text}), "description": text},
        EnumOf={"description": text, "anyOf": [{"const": "a", "description": text}]},
        AliasOf={**TEXT, "description": text},
        UnionOf={
            "description": text,
            "anyOf": [{**variant("t", "a"), "description": text}, {**catch_all("t", "a"), "description": text}],
        },
    )


def documented_samples(text: str) -> list[tuple[str, Any]]:
    return [
        ("RecordOf", {"p": "x"}),
        ("EnumOf", "a"),
        ("AliasOf", "x"),
        ("UnionOf", {"t": "a"}),
        ("UnionOf", {"t": "z"}),
    ]


def literals(text: str) -> dict[str, Any]:
    """Every place where a value of the schema becomes a literal."""
    return defs(
        Values2=record(
            constant={"const": text},
            closed={"enum": [text, "zzz"]},
            default={**TEXT, "default": text},
            map={"type": "object", "additionalProperties": TEXT, "default": {text: text}},
            pattern={"type": "string", "pattern": f"^{re.escape(text)}$"},
            format={**TEXT, "format": text},
        ),
        Tagged2={"anyOf": [{**variant("t", text), "allOf": [ref("Payload2")]}, catch_all("t", text)]},
        Payload2={**record("p", p=TEXT), "x-method": text, "x-side": "client"},
        Call=record(method=TEXT, params=ref("Payload2")),
    )


def literal_samples(text: str) -> list[tuple[str, Any]]:
    values = {"constant": text, "closed": text, "default": text, "map": {text: text}, "pattern": text, "format": "x"}
    return [
        ("Values2", values),
        ("Values2", {"default": "z", "map": {}}),
        ("Tagged2", {"t": text, "p": "x"}),
        ("Tagged2", {"t": "zzz", "p": 1}),
        ("Payload2", {"p": "x"}),
    ]


def names(text: str) -> dict[str, Any]:
    """Every place where text becomes an identifier; its wire form must stay what it was."""
    return defs(
        Optional2={"type": "object", "properties": {text: TEXT}},
        Required2={"type": "object", "properties": {text: MAYBE_TEXT}, "required": [text]},
        Patch2={"type": "object", "properties": {text: {**MAYBE_TEXT, "x-patch": "replace"}}},
        Inline2={"type": "object", "properties": {"p": {"type": "object", "properties": {text: lists(1, TEXT)}}}},
        Tag2={"anyOf": [variant(text, "a", other=TEXT), catch_all(text, "a")]},
        Enum2={"anyOf": [{"const": text}, {"type": "string", "title": "other"}]},
        Integer2={"anyOf": [{"const": 1, "title": text}]},
    )


def name_samples(text: str) -> list[tuple[str, Any]]:
    return [
        ("Optional2", {text: "x"}),
        ("Optional2", {}),
        ("Required2", {text: None, "other": 1}),
        ("Patch2", {text: "x"}),
        ("Patch2", {text: None}),
        ("Patch2", {}),
        ("Inline2", {"p": {text: ["x"]}}),
        ("Tag2", {text: "a", "other": "x"}),
        ("Tag2", {text: "a", "k": 1}),
        ("Tag2", {text: "zzz"}),
        ("Enum2", text),
        ("Enum2", "zzz"),
        ("Integer2", 1),
    ]


def suffixes(text: str) -> dict[str, Any]:
    """Every place where text becomes the end of a class name."""
    return defs(
        Tagged2={"anyOf": [variant("t", text, p=TEXT), catch_all("t", text)]},
        Titled2={"anyOf": [{"title": text, **record("p", p=TEXT)}, {"title": "Zzz", **record("q", q=TEXT)}]},
    )


def suffix_samples(text: str) -> list[tuple[str, Any]]:
    return [
        ("Tagged2", {"t": text, "p": "x"}),
        ("Tagged2", {"t": text}),
        ("Tagged2", {"t": "zzz"}),
        ("Titled2", {"p": "x"}),
        ("Titled2", {"q": "x"}),
    ]


PLACES = {
    "title of the schema": Place(lambda text: {"title": text, **a_property(TEXT)}, lambda text: [("A", {"p": "x"})]),
    "description": Place(documented, documented_samples),
    "literal": Place(literals, literal_samples),
    "name": Place(names, name_samples, needs="name"),
    "end of a class name": Place(suffixes, suffix_samples, needs="suffix"),
}


@pytest.fixture
def no_injected_code() -> Iterator[None]:
    vars(builtins).pop(FLAG, None)
    yield
    assert vars(builtins).pop(FLAG, None) is None, "text of the schema ran as code"


@pytest.mark.usefixtures("no_injected_code")
@pytest.mark.parametrize("payload_name", PAYLOADS)
@pytest.mark.parametrize("place_name", PLACES)
def test_hostile_text_stays_text(place_name: str, payload_name: str, generate: Callable[[Any], ModuleType]) -> None:
    place, payload = PLACES[place_name], PAYLOADS[payload_name]
    accepted = {"": True, "name": payload.makes_name, "suffix": payload.makes_suffix}[place.needs]
    document = place.document(payload.text)
    if not accepted:
        with pytest.raises(CodegenError) as caught:
            generate(document)
        assert_clear(caught.value)
        return
    edition = generate(document)
    for name, wire in place.samples(payload.text):
        check_round_trip(edition, name, wire)
    check_text(edition, place_name, payload.text)


def check_text(edition: ModuleType, place: str, text: str) -> None:
    """Where it can be seen from outside, the text is exactly what it was."""
    if place == "title of the schema":
        assert is_said(text, documentation(edition, "types")[0])
    elif place == "description":
        # record, property, enum, value, alias, union, variant, catch-all
        said = [doc for doc in documentation(edition, "types") if is_said(text, doc)]
        assert len(said) >= 8 or not words(text)
    elif place == "literal":
        made = edition.Values2()
        assert (made.default, made.map) == (text, {text: text})
        check_method(edition, text)
    elif place == "name":
        assert edition.Enum2Values.KNOWN == {text}


def words(text: str) -> str:
    return " ".join(text.split())


def is_said(text: str, doc: str) -> bool:
    """Whether documentation has this text; a lone surrogate cannot stand in it and may look like anything."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return bool(doc)
    return words(text) in doc


def documentation(edition: ModuleType, module: str) -> list[str]:
    """Every docstring of a module in its order, those of fields and aliases too."""
    source = Path(str(sys.modules[f"{edition.__name__}.{module}"].__file__)).read_text(encoding="utf-8")
    nodes = sorted(
        (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)), key=lambda node: node.lineno
    )
    values = [node.value.value for node in nodes if isinstance(node.value, ast.Constant)]
    return [words(value) for value in values if isinstance(value, str)]


def check_method(edition: ModuleType, method: str) -> None:
    assert set(edition.METHODS) == {(method, "client", "notification")}
    message = edition.decode_message({"jsonrpc": "2.0", "method": method, "params": {"p": "x"}}, "client")
    assert (message.method, message.params) == (method, edition.Payload2(p="x"))


HOSTILE_NAMES = {
    "new line": "A\nerror: all is well",
    "carriage return": "A\rB",
    "terminal sequence": "A\x1b[2J",
    "NUL": "A\x00B",
    "line separator": "A\u2028B",
    "right to left": "A\u202eB",
    "surrogate": "A\ud800",
    "quotes": 'A"""B',
}
NAMED_THINGS: dict[str, Callable[[str], Any]] = {
    "definition": lambda name: {"$defs": {name: TEXT}},
    "keyword": lambda name: defs(A={name: 1}),
    "annotation": lambda name: defs(A={"x-" + name: 1}),
    "reference": lambda name: defs(A=ref(name)),
    "property with an unknown keyword": lambda name: defs(A={"type": "object", "properties": {name: {"zzz": 1}}}),
    "type": lambda name: defs(A={"type": name}),
    "required": lambda name: defs(A={"type": "object", "properties": {}, "required": [name]}),
    "side": lambda name: defs(A={"x-side": name}),
    "tag that a catch-all lets through": lambda name: defs(
        A={"anyOf": [variant("t", name), catch_all("t", "something else")]}
    ),
    "method without a result": lambda name: defs(
        A={"type": "object", "x-method": name, "x-side": "agent"}, Call=record(id=TEXT, method=TEXT, params=ref("A"))
    ),
}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("thing", NAMED_THINGS)
def test_hostile_text_in_an_error_stays_on_its_line(thing: str, name: str, tmp_path: Path) -> None:
    """Three lines, whatever the schema is made of: text of it can neither forge a line nor steer a terminal."""
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(NAMED_THINGS[thing](HOSTILE_NAMES[name])), encoding="utf-8")
    run = CliRunner().invoke(app, ["generate", "--schema", str(schema), "--no-session", "--out", str(tmp_path / "out")])
    assert (run.exit_code, run.stdout, type(run.exception)) == (2, "", SystemExit)
    lines = run.stderr.split("\n")
    assert [line[:6] for line in lines] == ["error:", "  at s", "  fix:", ""]
    assert all(line.isprintable() for line in lines), lines
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("no_injected_code")
@pytest.mark.parametrize(
    "name",
    [f"a\n{RUN}\n.json", f"a\r{RUN}\r.json", f"a\x0c{RUN}.json", '"""a.json', "{{ 7*7 }}{% raise %}.json", "a\\.json"],
)
def test_hostile_file_name_stays_text(
    name: str, tmp_path: Path, package_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Generated files name their source in a comment."""
    monkeypatch.setattr(resources, "runtime_files", dict)
    schema = tmp_path / name
    schema.write_text(json.dumps(a_property(TEXT)), encoding="utf-8")
    edition_name = f"edition{next(_serial)}"
    files = build_package([EditionSource(edition_name, schema, schema.name)], session=False).files
    write_files({path: text for path, text in files.items() if path.startswith(edition_name)}, package_folder)
    importlib.invalidate_caches()
    importlib.import_module(f"{PACKAGE}.{edition_name}._rules")
    check_round_trip(importlib.import_module(f"{PACKAGE}.{edition_name}"), "A", {"p": "x"})
