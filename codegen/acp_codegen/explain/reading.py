"""In words: what a reader makes of a field that is absent, null or malformed, and of values it does not know."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..ir import Choice, Enum, Fallback, Field, ListOf, Nullable, Presence, Scalar, Type, Union_
from ..views.common import Model

_ERROR = "error"
_SHORT = 12  # longer defaults stand in the Python text


@dataclass(frozen=True)
class Reading:
    """What a field is in Python when the message has it so."""

    wire: str
    absent: str
    null: str
    malformed: str


def field_reading(field: Field, model: Model) -> Reading:
    held = model.resolve(field.type)
    # a name can stand for a type that takes null, or anything
    null = "None" if isinstance(held, Nullable) else _fallback(field, field.on_null)
    if _is_free(field.type, model):
        return Reading(field.wire, _absent(field), null, "-")
    malformed = _fallback(field, field.on_error)
    if field.skip_invalid_items:
        malformed += "; malformed items are dropped"
    return Reading(field.wire, _absent(field), null, malformed)


def union_reading(union: Union_) -> str:
    """What happens to a tag that the union does not know."""
    sentences = [f"The property `{union.tag}` tells the variants apart."]
    if union.absent:
        malformed = " or with a malformed one" if union.tag_on_error_absent else ""
        sentences.append(f"Without it{malformed} the object is {union.absent}.")
    if union.untagged:
        sentences.append(f"An object that is none of them is read as {' or '.join(union.untagged)}.")
    if union.unknown:
        sentences.append(f"Any other tag is kept whole as {union.unknown.name}.")
    elif not union.untagged:
        sentences.append("Any other tag is an error.")
    return " ".join(sentences)


def enum_reading(enum: Enum) -> str:
    """What happens to a value that the enum does not know."""
    return f"Any other {enum.base} is {'kept as it came' if enum.open else 'an error'}."


def _is_free(type_: Type, model: Model) -> bool:
    held = model.resolve(type_)
    return held == Scalar("any") or (isinstance(held, Choice) and any(_is_free(o, model) for o in held.options))


def _absent(field: Field) -> str:
    if field.presence is Presence.REQUIRED:
        return _ERROR
    if field.presence is Presence.OPTIONAL:
        return "None"
    if field.presence is Presence.PATCH:
        return "UNSET"
    default = json.dumps(field.default, ensure_ascii=False)
    return default if len(default) <= _SHORT else "the default"


def _fallback(field: Field, fallback: Fallback) -> str:
    if fallback is Fallback.FAIL:
        return _ERROR
    if fallback is Fallback.ABSENT:
        return _absent(field)
    if fallback is Fallback.EMPTY:
        return "[]" if isinstance(field.type, ListOf) else "{}"
    return "None"
