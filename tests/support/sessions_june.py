"""The session updates of the June draft, as strategies."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from .sessions import (
    BLOCKS,
    CATEGORIES,
    COSTS,
    IDS,
    MAYBE_META,
    META,
    SELECT,
    TEXT,
    TEXT_DIFFS,
    TIMES,
    VALUES,
    Dialect,
    Wire,
    chunk,
    patch,
    permission_requests,
    snapshot,
    tagged,
    unknown,
    untagged,
    whole,
    wire,
)

TOOL_CONTENT = st.one_of(
    wire({**tagged("type", "content"), "content": BLOCKS}, meta=META),
    TEXT_DIFFS,
    unknown("type"),
    wire({**tagged("type", "terminal"), "terminalId": IDS}),  # unknown to this draft
)
LOCATIONS = wire({"path": st.sampled_from(["/a", "b"])}, line=st.integers(0, 9), meta=META)
ENTRIES = wire(
    {
        "content": TEXT,
        "priority": st.sampled_from(["high", "low", "_mine"]),
        "status": st.sampled_from(["pending", "completed", "cancelled"]),
    }
)
COMMANDS = st.lists(wire({"name": TEXT, "description": TEXT}, meta=META), max_size=2)
CONFIG_OPTIONS = st.lists(
    st.one_of(
        wire({**SELECT, "id": IDS, "name": TEXT}, category=CATEGORIES),
        unknown("type", id=IDS, name=TEXT),
    ),
    max_size=2,
)
MESSAGE = patch("messageId", content=st.lists(BLOCKS, max_size=2), meta=META)
TOOL_CALL = patch(
    "toolCallId",
    title=TEXT,
    kind=st.sampled_from(["read", "other", "_mine", "later"]),
    status=st.sampled_from(["pending", "in_progress", "completed", "failed", "cancelled"]),
    content=st.lists(TOOL_CONTENT, max_size=2),
    locations=st.lists(LOCATIONS, max_size=2),
    rawInput=VALUES,
    rawOutput=VALUES,
    meta=META,
)
FAMILIES = {
    "messages.user": ("user_message", "user_message_chunk"),
    "messages.agent": ("agent_message", "agent_message_chunk"),
    "messages.thought": ("agent_thought", "agent_thought_chunk"),
    "tool_calls": ("tool_call_update", "tool_call_content_chunk"),
    "info": ("session_info_update",),
    "usage": ("usage_update",),
    "plans": ("plan_update",),
    "commands": ("available_commands_update",),
    "config_options": ("config_option_update",),
}


def _plan_updates(tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    items = wire({**tagged("type", "items"), "id": ids, "entries": st.lists(ENTRIES, max_size=2)}, meta=META)
    return snapshot(tag, plan=items | unknown("type", id=ids))


JUNE = Dialect(
    families=FAMILIES,
    entities=tuple(FAMILIES)[:6],
    merged_meta=(),
    patches={
        "user_message": MESSAGE,
        "agent_message": MESSAGE,
        "agent_thought": MESSAGE,
        "tool_call_update": TOOL_CALL,
        "session_info_update": patch("", title=TEXT, updatedAt=TIMES, meta=META),
        "usage_update": patch("", {"used": st.integers(0, 2), "size": st.integers(0, 2)}, cost=COSTS, meta=META),
    },
    others={
        "user_message_chunk": chunk("messageId", content=BLOCKS),
        "agent_message_chunk": chunk("messageId", content=BLOCKS),
        "agent_thought_chunk": chunk("messageId", content=BLOCKS),
        "tool_call_content_chunk": chunk("toolCallId", content=TOOL_CONTENT),
        "plan_update": _plan_updates,
        "available_commands_update": whole(availableCommands=COMMANDS),
        "config_option_update": whole(configOptions=CONFIG_OPTIONS),
    },
    events=(),
    unknown=wire(
        {"sessionUpdate": st.sampled_from(["_vendor", "state_update", "tool_call", "notice", "terminal_update"])},
        messageId=IDS,
        toolCallId=IDS,
        content=VALUES,
        meta=MAYBE_META,
    ),
    openings={
        "NewSessionResponse": wire({"sessionId": st.just("s")}, configOptions=st.none() | CONFIG_OPTIONS),
        "LoadSessionResponse": wire({}, configOptions=st.none() | CONFIG_OPTIONS),
        "ResumeSessionResponse": wire({}, configOptions=st.none() | CONFIG_OPTIONS),
    },
    config_options=CONFIG_OPTIONS,
    permissions=permission_requests(toolCall=untagged(TOOL_CALL.updates("tool_call_update"))),
)
