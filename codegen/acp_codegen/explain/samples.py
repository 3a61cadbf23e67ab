"""Small wire samples, made from the IR: the same ones every time, and valid by the schema they come from."""

from __future__ import annotations

import json

from ..errors import CodegenError
from ..ir import (
    Alias,
    Bounds,
    Choice,
    Definition,
    Edition,
    Enum,
    Field,
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
from ..jsontypes import Json, JsonObject, at
from ..passes.naming import snake

# Hints of the schema that types do not carry; a sample should look like what it stands for.
_TEXTS = {
    "uri": "https://example.com/",
    "date-time": "2030-01-31T12:00:00Z",
    "regex": "^[a-z]+$",
    "base64": "aGVsbG8=",
}
_PATH = "/project/notes.txt"


class _Endless(Exception):
    """A value would have to hold another of its own kind."""


class Sampler:
    """Samples of one edition."""

    def __init__(self, edition: Edition, document: JsonObject) -> None:
        self._edition = edition
        self._document = document
        self._by_name = edition.by_name()
        self._unknown = {d.unknown.name: d for d in edition.definitions if isinstance(d, Union_) and d.unknown}
        self._open: list[str] = []  # the definitions that the value in work stands in

    def definition(self, name: str) -> Json:
        """A value of a definition; one that is only a variant of another has what tells it apart."""
        if name in self._unknown:
            return self._unknown_variant(self._unknown[name])
        sample = self._whole(name)
        if isinstance(sample, dict):
            return {**self._tags(name), **sample}
        return sample

    def variant(self, union: str, tag: str) -> JsonObject:
        """A value of a union with this tag."""
        definition = self._by_name[union]
        assert isinstance(definition, Union_)
        target = next(variant.target for variant in definition.variants if variant.value == tag)
        sample = self._whole(target)
        assert isinstance(sample, dict)
        return {**self._tags(union), definition.tag: tag, **sample}

    def field(self, record: Record, field: Field) -> JsonObject:
        """An object with this field, beside what it must have."""
        self._open = [record.name]
        sample = self._members([f for f in record.fields if f.required or f is field])
        return {**self._tags(record.name), **sample}

    # ------------------------------------------------------------------------------------------ objects

    def _whole(self, name: str) -> Json:
        self._open = []
        try:
            return self._named(name, "", is_outermost=True)
        except _Endless:
            raise CodegenError(f"{name} has no finite value", where=self._by_name[name].where) from None

    def _named(self, name: str, hint: str, *, is_outermost: bool = False) -> Json:
        if name in self._open:
            raise _Endless
        self._open.append(name)
        try:
            return self._of(self._by_name[name], hint, is_outermost)
        finally:
            self._open.pop()

    def _of(self, definition: Definition, hint: str, is_outermost: bool) -> Json:
        if isinstance(definition, Record):
            shown = [f for f in definition.fields if f.required or (is_outermost and not _is_free(f.type))]
            return self._members(shown)
        if isinstance(definition, Union_):
            return self._union(definition, is_outermost)
        if isinstance(definition, Enum):
            return definition.values[0].value
        if is_outermost and isinstance(definition.type, Ref):
            return self._named(definition.type.name, hint, is_outermost=True)
        return self._value(definition.type, definition.name, definition.where)

    def _members(self, fields: list[Field]) -> JsonObject:
        sample: JsonObject = {}
        for field in fields:
            try:
                sample[field.wire] = self._value(field.type, field.wire, field.where)
            except _Endless:
                if field.required:
                    raise
        return sample

    def _union(self, union: Union_, is_outermost: bool) -> Json:
        for variant in union.variants:
            try:
                member = self._named(variant.target, "", is_outermost=is_outermost)
            except _Endless:
                continue
            assert isinstance(member, dict)
            return {union.tag: variant.value, **member}
        raise _Endless

    def _unknown_variant(self, union: Union_) -> JsonObject:
        assert union.unknown is not None
        check = self._by_name[union.unknown.checks[0]]
        assert isinstance(check, Record)
        self._open = [union.name]
        required = self._members([field for field in check.fields if field.required])
        return {**self._tags(union.name), union.tag: "_custom", **required}

    def _tags(self, name: str) -> JsonObject:
        """What a definition that was made for a variant carries to be told from its siblings."""
        if name in self._edition.own_names:
            return {}
        for holder in self._edition.definitions:
            if isinstance(holder, Union_):
                for variant in holder.variants:
                    if variant.target == name:
                        return {**self._tags(holder.name), holder.tag: variant.value}
                if name in holder.untagged or name == holder.absent:
                    return self._tags(holder.name)
            elif isinstance(holder, Alias) and isinstance(holder.type, Choice) and Ref(name) in holder.type.options:
                return self._tags(holder.name)
        return {}

    # ------------------------------------------------------------------------------------------- values

    def _value(self, type_: Type, hint: str, where: str) -> Json:
        if isinstance(type_, Ref):
            return self._named(type_.name, hint)
        if isinstance(type_, Nullable):
            return self._value(type_.inner, hint, where)
        if isinstance(type_, Values):
            return type_.values[0]
        if isinstance(type_, ListOf):
            return self._list(type_, hint, where)
        if isinstance(type_, MapOf):
            return {} if _is_free(type_) else {"name": self._value(type_.value, hint, where)}
        if isinstance(type_, Choice):
            return self._choice(type_, hint, where)
        return self._scalar(type_, hint, where)

    def _list(self, type_: ListOf, hint: str, where: str) -> Json:
        try:
            return [self._value(type_.item, hint, where)] * max(type_.min_items or 0, 1)
        except _Endless:
            if type_.min_items:
                raise
            return []

    def _choice(self, type_: Choice, hint: str, where: str) -> Json:
        for option in type_.options:
            try:
                return self._value(option, hint, where)
            except _Endless:
                continue
        raise _Endless

    def _scalar(self, type_: Scalar, hint: str, where: str) -> Json:
        if type_.kind == "string":
            return self._text(type_.bounds, hint, where)
        if type_.kind == "boolean":
            return True
        if type_.kind == "any":
            return {}
        if type_.kind == "null":
            return None
        return _number(type_.bounds, 1 if type_.kind == "integer" else 0.5)

    def _text(self, bounds: Bounds, hint: str, where: str) -> str:
        place = at(self._document, where)
        looks = place.get("format", place.get("contentEncoding", ""))
        words = snake(hint).split("_")
        if looks in _TEXTS:
            text = _TEXTS[looks]
        elif words[-1] == "path":
            text = _PATH
        elif words[-1] == "id":
            text = "-".join([*words[:-1], "1"])
        else:
            text = " ".join(words)
        return text.ljust(bounds.min_length or 0, "x")[: bounds.max_length]


def sample_text(sample: Json) -> str:
    """A sample as it is shown."""
    return json.dumps(sample, indent=2, ensure_ascii=False)


def _is_free(type_: Type) -> bool:
    """Whether a type may hold anything: a sample of it would say nothing."""
    return type_ == Scalar("any") or (isinstance(type_, MapOf) and _is_free(type_.value))


def _number(bounds: Bounds, usual: int | float) -> int | float:
    """The usual number, or the nearest one within the bounds."""
    lows = [bounds.minimum, None if bounds.exclusive_minimum is None else bounds.exclusive_minimum + 1]
    highs = [bounds.maximum, None if bounds.exclusive_maximum is None else bounds.exclusive_maximum - 1]
    least = max([usual, *[low for low in lows if low is not None]])
    return min([least, *[high for high in highs if high is not None]])
