"""Rules about definitions as a whole, and about what no reader looks at."""

from __future__ import annotations

from .rule import BREAKS, DOCS, INTEGER, SAFE, SOURCE, STRING, WIRE, Rule, note, record

_TEXT = record({"text": STRING}, "text")

DEFINITION_RULES = (
    Rule(
        "definition-added",
        "A definition is new",
        SOURCE,
        SAFE,
        SAFE,
        "The bindings have a class or alias more. What it means for the wire is reported where something refers to it.",
        {"Note": _TEXT},
        {"Note": _TEXT, "Label": STRING},
    ),
    Rule(
        "definition-removed",
        "A definition is gone",
        SOURCE,
        SAFE,
        SAFE,
        "Code that imports it stops working. What it means for the wire is reported where something referred to it.",
        {"Note": _TEXT, "Label": STRING},
        {"Note": _TEXT},
    ),
    Rule(
        "definition-renamed",
        "A definition has another name",
        SOURCE,
        SAFE,
        SAFE,
        "Names of definitions are not on the wire: messages stay as they are, code that imports the class does not. "
        "Changes inside the definition are reported beside the rename.",
        {"Note": record({"label": {"$ref": "#/$defs/NoteLabel"}}), "NoteLabel": record({"text": STRING}, "text")},
        {"Note": record({"label": {"$ref": "#/$defs/Label"}}), "Label": record({"text": STRING}, "text")},
    ),
    Rule(
        "class-renamed",
        "A generated class has another name",
        SOURCE,
        SAFE,
        SAFE,
        "A variant or object that is written inline has a class too, named after its tag, its title or its property. "
        "Here that name changed, or the variant got a definition of its own; messages stay as they are.",
        {"Note": {"oneOf": [record({"kind": {"const": "text"}, "text": STRING}, "kind", "text")]}},
        {
            "Note": {"oneOf": [{**record({"kind": {"const": "text"}}, "kind"), "allOf": [{"$ref": "#/$defs/Memo"}]}]},
            "Memo": _TEXT,
        },
        beside=("definition-added",),
    ),
    Rule(
        "kind-changed",
        "A definition is of another kind",
        WIRE,
        BREAKS,
        BREAKS,
        "What was an object, a union, an enum or a plain type is another of these now, and neither version takes what the "
        "other writes. Where one or both do, the change is reported as type-widened, type-narrowed or type-respelled.",
        {"Note": STRING},
        {"Note": _TEXT},
        sample='"milk"',
    ),
    Rule(
        "description-changed",
        "Descriptions differ",
        DOCS,
        SAFE,
        SAFE,
        "Docstrings of the bindings change. Reported once a definition, and only where two files are compared: our own "
        "descriptions are never held against published ones.",
        {"Note": {"description": "A note.", **_TEXT}},
        {"Note": {"description": "Something to remember.", **_TEXT}},
    ),
    Rule(
        "title-changed",
        "Titles differ",
        DOCS,
        SAFE,
        SAFE,
        "Titles name branches for people. Where a class or a constant takes its name from one, class-renamed or "
        "enum-constant-renamed tells so.",
        {"Note": {"title": "Note", **_TEXT}},
        {"Note": {"title": "Memo", **_TEXT}},
    ),
    Rule(
        "discriminator-changed",
        "The discriminator keyword came, went or changed",
        DOCS,
        SAFE,
        SAFE,
        "The keyword is a hint for tools: the branches themselves say which property tells them apart, and readers go by "
        "the branches. If that property changes, union-tag-renamed tells so.",
        {
            "Note": {
                "discriminator": {"propertyName": "kind"},
                "anyOf": [record({"kind": {"const": "text"}, "text": STRING}, "kind", "text")],
            }
        },
        {"Note": {"anyOf": [record({"kind": {"const": "text"}, "text": STRING}, "kind", "text")]}},
    ),
    Rule(
        "hint-changed",
        "A hint that nobody enforces differs",
        DOCS,
        SAFE,
        SAFE,
        "format, contentEncoding and x-docs-ignore tell people something; no reader refuses a value because of them.",
        note({"size": {"type": "integer", "format": "int32"}}),
        note({"size": {"type": "integer", "format": "int64"}}),
    ),
    Rule(
        "schema-rewritten",
        "The same, written in another way",
        DOCS,
        SAFE,
        SAFE,
        "The schema of the definition differs, but no reader tells the two apart. Reported so that no difference between "
        "two files goes without a line.",
        note({"size": {"type": ["integer", "null"]}}),
        note({"size": {"anyOf": [INTEGER, {"type": "null"}]}}),
    ),
)
