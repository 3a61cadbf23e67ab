"""The report as JSON; ``docs/drift-report.schema.json`` describes it."""

from __future__ import annotations

import json

from ..drift.model import Change, Report, Side
from ..jsontypes import JsonObject

# Counts up when a reader of the former form would misread the new one.
FORMAT_VERSION = 1


def render(report: Report) -> str:
    document: JsonObject = {
        "format_version": FORMAT_VERSION,
        "old": _side(report.old),
        "new": _side(report.new),
        "counts": report.counts(),
        "changes": [_change(change) for change in report.changes],
    }
    return json.dumps(document, indent=2) + "\n"


def _side(side: Side) -> JsonObject:
    return {"label": side.label, "sha256": side.sha256, "definitions": side.definitions}


def _change(change: Change) -> JsonObject:
    return {
        "rule": change.rule,
        "category": change.category.value,
        "old_reader": change.old_reader.value,
        "new_reader": change.new_reader.value,
        "subject": change.subject,
        "definition": change.definition,
        "message": change.message,
        "old_where": change.old_where,
        "new_where": change.new_where,
        "old": change.old,
        "new": change.new,
    }
