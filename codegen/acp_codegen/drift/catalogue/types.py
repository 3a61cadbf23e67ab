"""Rules about types and their constraints, of fields and of definitions alike."""

from __future__ import annotations

from .rule import BREAKS, INTEGER, SAFE, SOURCE, STRING, WIRE, Rule, note

TYPE_RULES = (
    Rule(
        "type-widened",
        "A type takes more values",
        WIRE,
        BREAKS,
        SAFE,
        "Every value of the old type is one of the new type, but not the reverse: old readers refuse what is new. Where "
        "the old field has default-on-error, or skip-invalid-items for its items, they lose it instead.",
        note({"size": INTEGER}),
        note({"size": {"anyOf": [INTEGER, STRING]}}),
        '{"size": "large"}',
    ),
    Rule(
        "type-narrowed",
        "A type takes fewer values",
        WIRE,
        SAFE,
        BREAKS,
        "Every value of the new type is one of the old type, but not the reverse: new readers refuse what is no longer "
        "allowed, or lose it where the new field is lenient.",
        note({"size": {"type": "number"}}),
        note({"size": INTEGER}),
        '{"size": 1.5}',
    ),
    Rule(
        "type-changed",
        "A type takes other values",
        WIRE,
        BREAKS,
        BREAKS,
        "Each version writes values that the other refuses, or loses where its field is lenient.",
        note({"size": INTEGER}),
        note({"size": STRING}),
        '{"size": 3}',
    ),
    Rule(
        "type-respelled",
        "A type has another name and takes the same values",
        SOURCE,
        SAFE,
        SAFE,
        "A plain type got a name of its own, lost it, or refers to another definition that takes the same values. Only the "
        "annotation in Python changes.",
        {**note({"path": STRING}), "Path": STRING},
        {**note({"path": {"$ref": "#/$defs/Path"}}), "Path": STRING},
    ),
    Rule(
        "constraint-tightened",
        "A limit is stricter",
        WIRE,
        SAFE,
        BREAKS,
        "minimum, maximum, their exclusive forms, minLength, maxLength, pattern, minItems or maxItems: new readers refuse "
        "values beyond the new limit, or lose them where the new field is lenient.",
        note({"line": {"type": "integer", "minimum": 0}}),
        note({"line": {"type": "integer", "minimum": 1}}),
        '{"line": 0}',
    ),
    Rule(
        "constraint-loosened",
        "A limit is less strict",
        WIRE,
        BREAKS,
        SAFE,
        "Old readers refuse values beyond the old limit, or lose them where the old field is lenient.",
        note({"code": {"type": "string", "maxLength": 3}}),
        note({"code": STRING}),
        '{"code": "EURO"}',
    ),
    Rule(
        "constraint-changed",
        "A limit is stricter here and less strict there",
        WIRE,
        BREAKS,
        BREAKS,
        "Each version writes values that are beyond the other's limit. Two different patterns count as such: nobody can "
        "tell which of them takes more.",
        note({"code": {"type": "string", "pattern": "^[A-Z]+$"}}),
        note({"code": {"type": "string", "pattern": "^[a-z]+$"}}),
        '{"code": "EUR"}',
    ),
)
