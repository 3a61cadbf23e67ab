"""The session updates of the newest edition, as strategies."""

from __future__ import annotations

import base64
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from .sessions import (
    BLOCKS,
    CATEGORIES,
    COSTS,
    IDS,
    MAYBE_META,
    META,
    NOT_BASE64,
    SELECT,
    SPLIT_EURO,
    TEXT,
    TIMES,
    UNKNOWN_NAMES,
    VALUES,
    Dialect,
    Wire,
    chunk,
    notices,
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
COMMANDS = st.lists(
    st.one_of(
        wire({**tagged("type", "command"), "name": TEXT, "description": TEXT}, meta=META),
        unknown("type", name=TEXT, description=TEXT),
    ),
    max_size=2,
)
CONFIG_OPTIONS = st.lists(
    st.one_of(
        wire({**tagged("type", "boolean"), "configId": IDS, "name": TEXT, "currentValue": st.booleans()}, meta=META),
        wire({**SELECT, "configId": IDS, "name": TEXT}, category=CATEGORIES),
        unknown("type", configId=IDS, name=TEXT),
    ),
    max_size=2,
)
BASE64 = st.one_of(
    st.sampled_from(SPLIT_EURO),
    st.sampled_from(["", "QR==", "AP8="]),
    st.binary(max_size=6).map(lambda data: base64.b64encode(data).decode()),
)
BYTES = st.one_of(BASE64, BASE64, st.sampled_from(NOT_BASE64))
MESSAGE = patch("messageId", content=st.lists(BLOCKS, max_size=2), meta=META)


def _state_updates(name: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    tag = tagged("sessionUpdate", name)
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


def _plan_updates(tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    items = wire({**tagged("type", "items"), "planId": ids, "entries": st.lists(ENTRIES, max_size=2)}, meta=META)
    return snapshot(tag, plan=items | unknown("type", planId=ids))


TOOL_CALL = patch(
    "toolCallId",
    name=TEXT,
    title=TEXT,
    kind=st.sampled_from(["read", "other", "_mine", "later"]),
    status=st.sampled_from(["pending", "in_progress", "completed", "failed", "cancelled", "later"]),
    content=st.lists(TOOL_CONTENT, max_size=2),
    locations=st.lists(LOCATIONS, max_size=2),
    rawInput=VALUES,
    rawOutput=VALUES,
    capabilities=CAPABILITIES,
    meta=META,
)
FAMILIES = {
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
_OPENED: dict[str, Any] = {"configOptions": CONFIG_OPTIONS, "availableCommands": COMMANDS}

_SUBJECTS = st.one_of(
    st.none(),
    wire({**tagged("type", "tool_call"), "toolCall": untagged(TOOL_CALL.updates("tool_call_update"))}),
    st.just({"type": "command", "command": "ls", "cwd": "/", "toolCallId": "1"}),
    st.just({"type": "_vendor", "toolCall": {"toolCallId": "1", "title": "not for us"}}),
)

V2 = Dialect(
    families=FAMILIES,
    entities=tuple(FAMILIES)[:8],
    merged_meta=tuple(FAMILIES)[:7],
    patches={
        "user_message": MESSAGE,
        "agent_message": MESSAGE,
        "agent_thought": MESSAGE,
        "tool_call_update": TOOL_CALL,
        "terminal_update": patch(
            "terminalId",
            command=TEXT,
            cwd=st.sampled_from(["/", "/a"]),
            output=wire({"data": BYTES}, meta=META),
            exitStatus=wire({}, exitCode=st.integers(-1, 1), signal=TEXT),
            size=st.fixed_dictionaries({"cols": st.integers(1, 2), "rows": st.just(65535)}),
            capabilities=CAPABILITIES,
            meta=META,
        ),
        "session_info_update": patch("", title=TEXT, updatedAt=TIMES, meta=META),
        "usage_update": patch("", {"used": st.integers(0, 2), "size": st.integers(0, 2)}, cost=COSTS),
        "compaction_update": patch(
            "compactionId",
            {"status": st.sampled_from(["in_progress", "completed", "later"])},
            summary=st.lists(BLOCKS, max_size=2),
            error=TEXT,
            meta=META,
        ),
    },
    others={
        "user_message_chunk": chunk("messageId", content=BLOCKS),
        "agent_message_chunk": chunk("messageId", content=BLOCKS),
        "agent_thought_chunk": chunk("messageId", content=BLOCKS),
        "tool_call_content_chunk": chunk("toolCallId", content=TOOL_CONTENT),
        "terminal_output_chunk": chunk("terminalId", data=BYTES),
        "compaction_summary_chunk": chunk("compactionId", content=BLOCKS),
        "state_update": _state_updates,
        "plan_update": _plan_updates,
        "available_commands_update": whole(availableCommands=COMMANDS),
        "config_option_update": whole(configOptions=CONFIG_OPTIONS),
        "notice": notices,
    },
    events=("notice",),
    unknown=wire(
        {"sessionUpdate": st.sampled_from(["_vendor", "plan", "tool_call", "current_mode_update", "later"])},
        messageId=IDS,
        toolCallId=IDS,
        content=VALUES,
        meta=MAYBE_META,
    ),
    openings={
        "NewSessionResponse": wire({"sessionId": st.just("s")}, **_OPENED),
        "ResumeSessionResponse": wire({}, **_OPENED),
    },
    config_options=CONFIG_OPTIONS,
    permissions=permission_requests(title=st.just("May I?"), subject=_SUBJECTS),
)
