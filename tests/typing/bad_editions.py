"""What v1 and the June draft refuse, and what must not go from one edition into another."""

from __future__ import annotations

from typing import NoReturn

from acp_schema import UNSET, v1, v2, v2_2026_06


def never(value: NoReturn) -> NoReturn:
    raise AssertionError(value)


v1.ToolCallUpdate(tool_call_id="t", kind="_mine")  # E: both
v1.PermissionOption(option_id="o", name="n", kind="later")  # E: both
v1.PromptResponse(stop_reason="error")  # E: both
v1.ToolCallUpdate(tool_call_id="t", title=UNSET)  # E: both
v1.ToolCall(tool_call_id="t")  # E: both
v2.CancelRequestNotification(request_id=None)  # E: both
v2_2026_06.AgentMessageChunk(content=v2_2026_06.TextContent(text="t"))  # E: both
v2_2026_06.ToolCallUpdate(tool_call_id="t", meta=UNSET)  # E: both
v2_2026_06.RequestPermissionRequest(session_id="s", title="t", options=[])  # E: both

v1.ContentChunk(content=v2.TextContent(text="t"))  # E: both
v2_2026_06.encode_text_content(v2.TextContent(text="t"))  # E: both
older: v2_2026_06.ToolCallUpdate = v2.ToolCallUpdate(tool_call_id="t")  # E: both


def unknown_plans_were_forgotten(plan: v2_2026_06.PlanUpdateContent) -> str:
    match plan:
        case v2_2026_06.PlanItems():
            return "items"
        case _:
            never(plan)  # E: both


def three_states_in_the_draft(update: v2_2026_06.AgentMessage) -> int:
    return 1 if update.meta else 0  # E: pyright


def the_mode_is_gone(update: v2_2026_06.SessionUpdate) -> str:
    return update.current_mode_id  # E: both
