"""The session updates of v1, as strategies."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from .sessions import (
    CATEGORIES,
    COSTS,
    IDS,
    KNOWN_BLOCKS,
    MAYBE_META,
    META,
    SELECT,
    TEXT,
    TEXT_DIFFS,
    TIMES,
    VALUES,
    Dialect,
    Patch,
    Strategies,
    Wire,
    chunk,
    notices,
    patch,
    permission_requests,
    tagged,
    untagged,
    whole,
    wire,
)

TOOL_CONTENT = st.one_of(
    wire({**tagged("type", "content"), "content": KNOWN_BLOCKS}, meta=META),
    TEXT_DIFFS,
    wire({**tagged("type", "terminal"), "terminalId": IDS}, meta=META),
)
LOCATIONS = wire({"path": st.sampled_from(["/a", "b"])}, line=st.integers(0, 9), meta=META)
ENTRIES = wire(
    {
        "content": TEXT,
        "priority": st.sampled_from(["high", "low"]),
        "status": st.sampled_from(["pending", "completed"]),
    }
)
COMMANDS = st.lists(wire({"name": TEXT, "description": TEXT}, meta=META), max_size=2)
CONFIG_OPTIONS = st.lists(
    st.one_of(
        wire({**tagged("type", "boolean"), "id": IDS, "name": TEXT, "currentValue": st.booleans()}, meta=META),
        wire({**SELECT, "id": IDS, "name": TEXT}, category=CATEGORIES),
    ),
    max_size=2,
)
MODES = wire({"currentModeId": st.sampled_from(["ask", "code"]), "availableModes": st.just([])})
TOOL_CALL_FIELDS: Strategies = {
    "kind": st.sampled_from(["read", "other"]),
    "status": st.sampled_from(["pending", "in_progress", "completed", "failed"]),
    "name": TEXT,
    "content": st.lists(TOOL_CONTENT, max_size=2),
    "locations": st.lists(LOCATIONS, max_size=2),
    "rawInput": VALUES,
    "rawOutput": VALUES,
    "meta": META,
}
TOOL_CALL_UPDATE = Patch("toolCallId", {"title": TEXT, **TOOL_CALL_FIELDS}, {})
FAMILIES = {
    "tool_calls": ("tool_call_update", "tool_call"),
    "compactions": ("compaction_update", "compaction_summary_chunk"),
    "info": ("session_info_update",),
    "usage": ("usage_update",),
    "messages.user": ("user_message_chunk",),
    "messages.agent": ("agent_message_chunk",),
    "messages.thought": ("agent_thought_chunk",),
    "plan": ("plan",),
    "commands": ("available_commands_update",),
    "current_mode": ("current_mode_update",),
    "config_options": ("config_option_update",),
}
_OPENED = {"modes": st.none() | MODES, "configOptions": st.none() | CONFIG_OPTIONS}


def _message_chunks(tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    """Half of them without an id; some with the one that the fold would mint for the second message."""
    given = st.one_of(ids, ids, ids, st.none(), st.just("unnamed-2"))
    always = {**tagged("sessionUpdate", tag), "content": KNOWN_BLOCKS}
    return wire(always, messageId=given, meta=MAYBE_META)


def _tool_calls(tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    """Optional members of a whole tool call; those that may be null are."""
    nullable = {name: st.none() | TOOL_CALL_FIELDS[name] for name in ("name", "rawInput", "rawOutput", "meta")}
    always = {**tagged("sessionUpdate", tag), "toolCallId": ids, "title": TEXT}
    return wire(always, **{**TOOL_CALL_FIELDS, **nullable})


V1 = Dialect(
    families=FAMILIES,
    entities=tuple(FAMILIES)[:7],
    merged_meta=(),
    patches={
        "tool_call_update": TOOL_CALL_UPDATE,
        "compaction_update": patch(
            "compactionId",
            {"status": st.sampled_from(["in_progress", "completed", "later"])},
            summary=st.lists(KNOWN_BLOCKS, max_size=2),
            error=TEXT,
            meta=META,
        ),
        "session_info_update": patch("", title=TEXT, updatedAt=TIMES, meta=META),
        "usage_update": patch("", {"used": st.integers(0, 2), "size": st.integers(0, 2)}, cost=COSTS, meta=META),
    },
    others={
        "user_message_chunk": _message_chunks,
        "agent_message_chunk": _message_chunks,
        "agent_thought_chunk": _message_chunks,
        "tool_call": _tool_calls,
        "compaction_summary_chunk": chunk("compactionId", content=KNOWN_BLOCKS),
        "plan": whole(entries=st.lists(ENTRIES, max_size=2)),
        "available_commands_update": whole(availableCommands=COMMANDS),
        "current_mode_update": whole(currentModeId=st.sampled_from(["ask", "code", "plan"])),
        "config_option_update": whole(configOptions=CONFIG_OPTIONS),
        "notice": notices,
    },
    events=("notice",),
    unknown=None,
    openings={
        "NewSessionResponse": wire({"sessionId": st.just("s")}, **_OPENED),
        "LoadSessionResponse": wire({}, **_OPENED),
        "ResumeSessionResponse": wire({}, **_OPENED),
    },
    config_options=CONFIG_OPTIONS,
    permissions=permission_requests(toolCall=untagged(TOOL_CALL_UPDATE.updates("tool_call_update"))),
)
