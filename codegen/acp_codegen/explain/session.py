"""In words: what a message does to the state of a session."""

from __future__ import annotations

import json

from ..ir import Feeder, SessionModel
from ..views.updates_page import stored_entities, update_rows


def session_words(name: str, session: SessionModel | None) -> list[str]:
    """A sentence for everything that a message or payload does; for the union of updates one an update."""
    if session is None:
        return []
    rows = [row for row in update_rows(session) if name in (row.payload, session.union)]
    words = [f"`{row.tag}` {row.effect}." for row in rows]
    for feeder in session.feeders:
        if feeder.message == name:
            words += _fed(feeder)
    return words


def stored_rows(name: str, session: SessionModel | None) -> list[tuple[str, ...]]:
    """What a patch does to each field that is stored of a payload: wire name, value, null, new entry."""
    if session is None:
        return []
    kinds = [entity.kind for entity in session.entities if name == entity.payload.name]
    return [
        (field.wire, field.value, field.null, field.initial)
        for view in stored_entities(session)
        if view.kind in kinds
        for field in view.fields
    ]


def _fed(feeder: Feeder) -> list[str]:
    words: list[str] = []
    for feed in feeder.feeds:
        unless = ", unless an update came first" if feed.unless_received else ""
        effect = f"replaces `{feed.slot}`" if feed.slot else "is applied like an update"
        words.append(f"`{feed.path}` {effect}{unless}.")
    words += [f"`{slot}` begins as `{json.dumps(value)}`." for slot, _, value in feeder.initial]
    if feeder.ends_run:
        words.append("The next chunk without an id begins a new entry.")
    return words
