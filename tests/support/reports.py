"""A drift report made by hand: every category and severity, names that try to break out, and long sentences."""

from __future__ import annotations

from dataclasses import replace

from acp_codegen.drift.model import Category, Change, Report, Severity, Side
from acp_codegen.jsontypes import pointer

OLD = Side("drafts/june/schema.json", "a1" * 32, 183)
NEW = Side("schema/schema.json", "b2" * 32, 197)

_RENAMED = Change(
    rule="field-renamed",
    category=Category.WIRE,
    old_reader=Severity.BREAKS,
    new_reader=Severity.BREAKS,
    subject="Recipe.recipeId",
    definition="Recipe",
    message="`id` is called `recipeId` now: an old reader misses the field that it requires, and a new reader misses it in "
    "what an old writer sends.",
    old_where="/$defs/Recipe/properties/id",
    new_where="/$defs/Recipe/properties/recipeId",
    old={"type": "string", "minLength": 1},
    new={"type": "string", "minLength": 3, "maxLength": 64},
)
_REMOVED = Change(
    rule="field-removed",
    category=Category.WIRE,
    old_reader=Severity.SAFE,
    new_reader=Severity.LOSES,
    subject="Recipe.chef",
    definition="Recipe",
    message="The optional field `chef` is gone: a new reader keeps what an old writer sends in it, but does not know it.",
    old_where="/$defs/Recipe/properties/chef",
    new_where=None,
    old={"$ref": "#/$defs/Chef"},
    new=None,
)
_METHOD = Change(
    rule="method-added",
    category=Category.WIRE,
    old_reader=Severity.BREAKS,
    new_reader=Severity.SAFE,
    subject="kitchen/clean",
    definition="",
    message="The method `kitchen/clean` is new: an old peer answers it with an error.",
    old_where=None,
    new_where=None,
    old=None,
    new={"method": "kitchen/clean", "side": "agent", "kind": "request"},
)
_ADDED = Change(
    rule="field-added-optional",
    category=Category.SOURCE,
    old_reader=Severity.SAFE,
    new_reader=Severity.SAFE,
    subject="Oven.fan",
    definition="Oven",
    message="The optional field `fan` is new: an old reader keeps it without knowing it.",
    old_where=None,
    new_where="/$defs/Oven/properties/fan",
    old=None,
    new={"type": ["boolean", "null"], "default": None},
)
_TITLE = Change(
    rule="title-changed",
    category=Category.DOCS,
    old_reader=Severity.SAFE,
    new_reader=Severity.SAFE,
    subject="Oven",
    definition="Oven",
    message="The title changes from `Oven` to `The oven`.",
    old_where="/$defs/Oven",
    new_where="/$defs/Oven",
    old={"title": "Oven", "type": "object"},
    new={"title": "The oven", "type": "object"},
)

SMALL = Report(OLD, NEW, (_RENAMED, _REMOVED, _METHOD, _ADDED, _TITLE))
EMPTY = Report(OLD, NEW, ())

# The text of NEW's file, as far as SMALL points into it.
NEW_TEXT = """{
  "$defs": {
    "Recipe": {
      "properties": {
        "recipeId": {"type": "string", "minLength": 3, "maxLength": 64}
      }
    },
    "Oven": {
      "title": "The oven",
      "type": "object",
      "properties": {
        "fan": {"type": ["boolean", "null"], "default": null}
      }
    }
  }
}
"""

# What a schema may hold in its names and values to break out of every format.
HOSTILE = (
    "</script><script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 1'>",
    '" onfocus=window.broken=1 autofocus x="',
    "x`|@octocat #123 **bold** [a](https://example.org) <b>",
    "a\r\n::error::injected %0A ##[error]x,file=y",
    "\x1b[31mred\x1b[0m \u202eright to left \ud800",
    "{{ 7 * 7 }}{% raw %} --> ]]> </details></style>",
    "W" * 300,
)


def hostile() -> Report:
    """A report in which every text that a schema decides is one of ``HOSTILE``."""
    changes = tuple(
        replace(
            _RENAMED,
            subject=text,
            definition=text,
            message=f"{text} and `{text}`",
            old_where=pointer("$defs", text),
            new_where=pointer("$defs", text),
            old={text: text},
            new={text: [text]},
        )
        for text in HOSTILE
    )
    return Report(Side(HOSTILE[0], OLD.sha256, 1), Side(HOSTILE[4], NEW.sha256, 1), changes)


def large(number: int) -> Report:
    """A report of this many changes of all kinds, spread over many definitions, with fragments of many heights."""
    changes: list[Change] = []
    for index in range(number):
        kind = (_RENAMED, _REMOVED, _ADDED, _TITLE)[index % 4]
        dish = f"Dish{index // 7}"
        height = list(range(index % 23))
        old = None if kind.old_where is None else {"enum": height}
        new = None if kind.new_where is None else {"enum": [*height, "new"]}
        changes.append(replace(kind, definition=dish, subject=f"{dish}.part{index}", old=old, new=new))
    order = list(Category)
    return Report(OLD, NEW, tuple(sorted(changes, key=lambda change: order.index(change.category))))
