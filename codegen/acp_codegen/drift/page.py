"""The catalogue as a page of the documentation."""

from __future__ import annotations

import json

from .catalogue.rule import Rule
from .model import Severity
from .rules import GROUPS

_INTRODUCTION = """\
# The rules of `drift`

This page is written from the catalogue in `codegen/acp_codegen/drift/catalogue`; a test runs every example.

Each change has a category: `wire` (a peer of the other version can be misread or refused), `source` (the generated Python API
changes) or `docs` (neither). And it has a severity for each of the two readers:

| severity | what happens to a reader when the writer has the other version |
|---|---|
| `breaks` | a valid message is refused, or taken for something else |
| `loses` | the message is accepted, but something in it is not understood; or only a malformed message is treated differently |
| `safe` | nothing |

A change is `wire` exactly if one of the two readers is not safe. What a reader does is what the generated decoders do: they keep
unknown fields, unknown values of open enums and unknown variants of open unions, and refuse what the schema excludes, unless a
leniency keyword (`x-deserialize-...`) lets them pass over it. Where a definition stands only at places that pass over what is
malformed, changes inside it lose instead of breaking.

`--severities FILE` says otherwise for a project. A row holds for a rule everywhere, in one definition, or at one subject as
the report names it; the narrowest has the last word:

```json
{
  "field-added-optional": {"category": "docs"},
  "leniency-added ToolCallUpdate": {"category": "source"},
  "constraint-tightened ToolCallLocation.line": {"new_reader": "breaks"}
}
```

A category other than `wire` makes both readers safe, a severity other than `safe` makes the category `wire`.

The examples stand in a protocol with one request, `note/add`, whose params hold a `Note`. Each shows the definitions before and
after the change and, where it helps, JSON that the two versions read differently.
"""
_KEY = "the keywords at the root"


def rules_page() -> str:
    """The text of ``docs/drift-rules.md``."""
    parts = [_INTRODUCTION]
    for group, rules in GROUPS.items():
        parts.append(f"## {group}\n")
        parts += [_section(rule) for rule in rules]
    return "\n".join(parts)


def _section(rule: Rule) -> str:
    lines = [
        f"### {rule.id}",
        "",
        f"**{rule.title}.** `{rule.category.value}` · old reader {_cell(rule.old_reader)}, new reader {_cell(rule.new_reader)}",
        "",
        rule.explanation,
        "",
    ]
    if rule.old or rule.new:
        lines += [*_example("before", rule.old), *_example("after", rule.new)]
    if rule.sample:
        lines += ["on the wire:", "", "```json", rule.sample, "```", ""]
    if rule.beside:
        lines += [f"Comes with {' and '.join(f'`{other}`' for other in rule.beside)} here.", ""]
    return "\n".join(lines)


def _cell(severity: Severity) -> str:
    return f"`{severity.value}`"


def _example(when: str, definitions: dict[str, object]) -> list[str]:
    if not definitions:
        return [f"{when}: nothing", ""]
    named = {name or _KEY: body for name, body in definitions.items()}
    rows = [f"  {json.dumps(name)}: {json.dumps(body)}" for name, body in named.items()]
    return [f"{when}:", "", "```json", "{", ",\n".join(rows), "}", "```", ""]
