"""Hypothesis strategies for session updates as wire JSON, and helpers to compare what they add up to.

Ids are few, so that updates meet; every patch field is left out, null or a value; text is short.
"""

from __future__ import annotations

import base64
import json
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Json = Any
Wire = dict[str, Any]

IDS = st.sampled_from(["1", "2", "ü"])
TEXT = st.sampled_from(["", "a", "b", "é€", "\u0000", "𝄞"])
UNKNOWN_NAMES = st.sampled_from(["_vendor", "later", "_"])

# 1, 1.0 and true are three different JSON values; Python's == cannot tell them apart
CONFUSABLE = st.sampled_from([1, True, 1.0, {"k": 1}, {"k": True}])
VALUES = st.one_of(
    CONFUSABLE,
    st.sampled_from([-1, 0.5, "", "x", "é", [], {}, [None], {"k": None}, {"l": [{}]}]),
)
META = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES | st.none(), max_size=3)
MAYBE_META = st.none() | META


def wire(required: dict[str, SearchStrategy[Json]], **optional: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    """An object with these members; ``meta`` stands for ``_meta``."""
    named = {"_meta" if name == "meta" else name: strategy for name, strategy in optional.items()}
    return st.fixed_dictionaries(required, optional=named)


def three_state(**values: SearchStrategy[Json]) -> dict[str, SearchStrategy[Json]]:
    """Patch fields: each is left out (by ``wire``), null or a value."""
    return {name: st.none() | strategy for name, strategy in values.items()}


def tagged(tag: str, value: str) -> dict[str, SearchStrategy[Json]]:
    return {tag: st.just(value)}


def unknown(tag: str, **required: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    """A variant that no schema names, with members of its own."""
    return wire({tag: UNKNOWN_NAMES, **required}, payload=VALUES, meta=META)


# ------------------------------------------------------------------------------------------------- what updates hold

BLOCKS = st.one_of(
    wire({**tagged("type", "text"), "text": TEXT}, meta=META, annotations=st.just({"priority": 0.5})),
    wire({**tagged("type", "image"), "data": st.just("QQ=="), "mimeType": st.just("image/png")}),
    wire({**tagged("type", "resource_link"), "uri": st.just("file:///a"), "name": TEXT}, ofNobody=VALUES),
    unknown("type"),
)
TOOL_CONTENT = st.one_of(
    wire({**tagged("type", "content"), "content": BLOCKS}, meta=META),
    wire({**tagged("type", "terminal"), "terminalId": IDS}),
    wire({**tagged("type", "diff"), "changes": st.just([{"operation": "add", "path": "/a"}])}, meta=META),
    unknown("type"),
)
LOCATIONS = wire({"path": st.sampled_from(["/a", "/b"])}, line=st.integers(1, 9), meta=META)
CAPABILITIES = wire({}, cancel=wire({}, meta=META), meta=META)
BACKGROUND = st.one_of(
    wire({**tagged("type", "terminal"), "terminalId": IDS}),
    wire({**tagged("type", "tool_call"), "toolCallId": IDS}, meta=META),
    unknown("type"),
)
BACKGROUNDS = st.none() | st.lists(BACKGROUND, max_size=2)
ENTRIES = wire(
    {
        "content": TEXT,
        "priority": st.sampled_from(["high", "low", "_mine"]),
        "status": st.sampled_from(["pending", "completed", "later"]),
    }
)
COMMANDS = st.one_of(
    wire({**tagged("type", "command"), "name": TEXT, "description": TEXT}, meta=META),
    unknown("type", name=TEXT, description=TEXT),
)
CONFIG_OPTIONS = st.one_of(
    wire({**tagged("type", "boolean"), "configId": IDS, "name": TEXT, "currentValue": st.booleans()}, meta=META),
    wire(
        {
            **tagged("type", "select"),
            "configId": IDS,
            "name": TEXT,
            "currentValue": st.just("v"),
            "options": st.just([{"value": "v", "name": "V"}]),
        },
        category=st.sampled_from(["mode", "_mine"]),
    ),
    unknown("type", configId=IDS, name=TEXT),
)
SPLIT_EURO = ("4oI=", "rA==")  # the three bytes of one character in two chunks
NOT_BASE64 = ("Q", "QQ=", "QQ", "QUJD=", "QUJD====", "QQ===", "====", "Q Q=", "QQ==\n", "Q-_=", "é", "QQ==QQ==", "!")
BASE64 = st.one_of(
    st.sampled_from(SPLIT_EURO),
    st.sampled_from(["", "QR==", "AP8="]),
    st.binary(max_size=6).map(lambda data: base64.b64encode(data).decode()),
)
BYTES = st.one_of(BASE64, BASE64, st.sampled_from(NOT_BASE64))

# -------------------------------------------------------------------------------------------------- updates by tag


def _chunk(tag: str, key: str, ids: SearchStrategy[str], **content: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    return wire({**tagged("sessionUpdate", tag), key: ids, **content}, meta=MAYBE_META)


# by tag: fields that are left out, null or a value
PATCHES: dict[str, dict[str, SearchStrategy[Json]]] = {
    **{
        tag: {"content": st.lists(BLOCKS, max_size=2), "meta": META}
        for tag in ("user_message", "agent_message", "agent_thought")
    },
    "tool_call_update": {
        "name": TEXT,
        "title": TEXT,
        "kind": st.sampled_from(["read", "other", "_mine", "later"]),
        "status": st.sampled_from(["pending", "in_progress", "completed", "failed", "cancelled", "later"]),
        "content": st.lists(TOOL_CONTENT, max_size=2),
        "locations": st.lists(LOCATIONS, max_size=2),
        "rawInput": VALUES,
        "rawOutput": VALUES,
        "capabilities": CAPABILITIES,
        "meta": META,
    },
    "terminal_update": {
        "command": TEXT,
        "cwd": st.sampled_from(["/", "/a"]),
        "output": wire({"data": BYTES}, meta=META),
        "exitStatus": wire({}, exitCode=st.integers(-1, 1), signal=TEXT),
        "size": st.fixed_dictionaries({"cols": st.integers(1, 2), "rows": st.just(65535)}),
        "capabilities": CAPABILITIES,
        "meta": META,
    },
    "session_info_update": {
        "title": TEXT,
        "updatedAt": st.sampled_from(["2026-06-11T10:00:00Z", "2026-06-11T10:00:00.5+02:00"]),
        "meta": META,
    },
    "usage_update": {"cost": wire({"amount": st.sampled_from([0.5, 1]), "currency": st.just("EUR")})},
    "compaction_update": {"summary": st.lists(BLOCKS, max_size=2), "error": TEXT, "meta": META},
}


def _always(tag: str, ids: SearchStrategy[str]) -> dict[str, SearchStrategy[Json]]:
    """What every update of a patching tag says."""
    start = tagged("sessionUpdate", tag)
    if tag == "session_info_update":
        return start
    if tag == "usage_update":
        return {**start, "used": st.integers(0, 2), "size": st.integers(0, 2)}
    if tag == "tool_call_update":
        return {**start, "toolCallId": ids}
    if tag == "terminal_update":
        return {**start, "terminalId": ids}
    if tag == "compaction_update":
        return {**start, "compactionId": ids, "status": st.sampled_from(["in_progress", "completed", "later"])}
    return {**start, "messageId": ids}


def patches_of(tag: str, ids: SearchStrategy[str], only: str = "") -> SearchStrategy[Wire]:
    """Updates that patch: any of their fields, or (mostly) just one, so that two of them meet in it."""
    if not only:
        return wire(_always(tag, ids), **three_state(**PATCHES[tag]))
    value = PATCHES[tag][only]
    said = {**_always(tag, ids), "_meta" if only == "meta" else only: st.one_of(st.none(), value, value, value)}
    return st.one_of(wire(said), wire(said), wire(_always(tag, ids)))


def _state_updates() -> SearchStrategy[Wire]:
    tag = tagged("sessionUpdate", "state_update")
    error = wire({"code": st.just(-32000), "message": TEXT}, data=VALUES)
    idle = {**tag, **tagged("state", "idle")}
    reasons = st.sampled_from(["end_turn", "max_tokens", "refusal", "cancelled", "_mine", "later"])
    return st.one_of(
        wire({**tag, "state": st.sampled_from(["running", "requires_action"])}, background=BACKGROUNDS, meta=META),
        wire({**idle, "stopReason": reasons | st.none()}, background=BACKGROUNDS, meta=META),
        wire({**idle, "stopReason": st.just("error")}, error=st.none() | error, background=BACKGROUNDS),
        wire(idle, background=BACKGROUNDS),
        wire({**tag, "state": UNKNOWN_NAMES}, background=BACKGROUNDS, payload=VALUES),
    )


def updates_of(tag: str, ids: SearchStrategy[str] = IDS) -> SearchStrategy[Wire]:
    """Valid updates of one tag."""
    if tag in PATCHES:
        return patches_of(tag, ids)
    start = tagged("sessionUpdate", tag)
    items = wire({**tagged("type", "items"), "planId": ids, "entries": st.lists(ENTRIES, max_size=2)}, meta=META)
    severities = st.sampled_from(["info", "error", "_mine"])
    makers: dict[str, SearchStrategy[Wire]] = {
        "user_message_chunk": _chunk(tag, "messageId", ids, content=BLOCKS),
        "agent_message_chunk": _chunk(tag, "messageId", ids, content=BLOCKS),
        "agent_thought_chunk": _chunk(tag, "messageId", ids, content=BLOCKS),
        "tool_call_content_chunk": _chunk(tag, "toolCallId", ids, content=TOOL_CONTENT),
        "terminal_output_chunk": _chunk(tag, "terminalId", ids, data=BYTES),
        "compaction_summary_chunk": _chunk(tag, "compactionId", ids, content=BLOCKS),
        "state_update": _state_updates(),
        "plan_update": wire({**start, "plan": items | unknown("type", planId=ids)}, meta=MAYBE_META),
        "available_commands_update": _snapshot(tag, availableCommands=st.lists(COMMANDS, max_size=2)),
        "config_option_update": _snapshot(tag, configOptions=st.lists(CONFIG_OPTIONS, max_size=2)),
        "notice": wire(
            {**start, "severity": severities, "title": st.just("n")}, description=st.none() | TEXT, meta=MAYBE_META
        ),
    }
    return makers[tag]


def _snapshot(tag: str, **required: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    return wire({**tagged("sessionUpdate", tag), **required}, meta=MAYBE_META)


UNKNOWN_UPDATES = wire(
    {"sessionUpdate": st.sampled_from(["_vendor", "plan", "tool_call", "current_mode_update", "later"])},
    messageId=IDS,
    toolCallId=IDS,
    content=VALUES,
    meta=MAYBE_META,
)

# What one entity or slot is written by. The first tag is the update that can say all of it.
FAMILIES: dict[str, tuple[str, ...]] = {
    "messages.user": ("user_message", "user_message_chunk"),
    "messages.agent": ("agent_message", "agent_message_chunk"),
    "messages.thought": ("agent_thought", "agent_thought_chunk"),
    "tool_calls": ("tool_call_update", "tool_call_content_chunk"),
    "terminals": ("terminal_update", "terminal_output_chunk"),
    "compactions": ("compaction_update", "compaction_summary_chunk"),
    "info": ("session_info_update",),
    "usage": ("usage_update",),
    "plans": ("plan_update",),
    "foreground": ("state_update",),
    "commands": ("available_commands_update",),
    "config_options": ("config_option_update",),
}
ENTITIES = tuple(FAMILIES)[:8]  # what diff knows: things that updates patch
TAGS = tuple(tag for tags in FAMILIES.values() for tag in tags) + ("notice",)

UPDATES: SearchStrategy[Wire] = st.one_of(*(updates_of(tag) for tag in TAGS), UNKNOWN_UPDATES)
SESSIONS = st.lists(UPDATES, max_size=12)


def family_updates(kind: str, ids: SearchStrategy[str] = IDS) -> SearchStrategy[Wire]:
    """Updates that write to one kind of thing."""
    return st.one_of(*(updates_of(tag, ids) for tag in FAMILIES[kind]))


def focuses(kind: str) -> list[str]:
    """The fields that a burst of one kind can be about; the empty one stands for all of them."""
    return ["", *PATCHES.get(FAMILIES[kind][0], ())]


def bursts(kind: str, focus: str, size: int, ids: SearchStrategy[str] = IDS) -> SearchStrategy[list[Wire]]:
    """So many updates of one kind, all about one field."""
    if not focus:
        return st.lists(family_updates(kind, ids), min_size=size, max_size=size)
    whole, *chunks = FAMILIES[kind]
    narrow = patches_of(whole, ids, focus)
    return st.lists(st.one_of(narrow, narrow, *(updates_of(tag, ids) for tag in chunks)), min_size=size, max_size=size)


def state_pairs(kind: str, focus: str) -> SearchStrategy[tuple[list[Wire], list[Wire]]]:
    """Histories of two states of the same entity (id ``1``): one or two updates each."""
    return bursts(kind, focus, 4, st.just("1")).flatmap(
        lambda four: st.sampled_from([(four[:1], four[1:2]), (four[:2], four[2:]), (four[:1], four[:2])])
    )


# ------------------------------------------------------------------------------------------- comparing and spoiling


def entity(state: Any, kind: str) -> Any:
    """The entity with the id ``1``, or the slot."""
    value: Any = state
    for name in kind.split("."):
        value = getattr(value, name)
    return value["1"] if isinstance(value, dict) else value


def exactly(value: Json) -> str:
    """JSON text in which 1, 1.0 and true differ and the order of members does not count."""
    return json.dumps(value, sort_keys=True)


def parts(value: Any) -> list[Any]:
    """A value and everything in it."""
    found = [value]
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            found += parts(getattr(value, field.name))
    elif isinstance(value, dict):
        for member in value.values():
            found += parts(member)
    elif isinstance(value, (list, tuple, set)):
        for member in value:
            found += parts(member)
    return found


def spoil(container: Any) -> None:
    """Change a caller's list or dict in place."""
    if isinstance(container, list):
        container.append("spoilt")
        container.reverse()
    else:
        container.clear()
        container["spoilt"] = True
