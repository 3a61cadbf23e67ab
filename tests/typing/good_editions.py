"""What v1 and the June draft say otherwise than the newest edition, as a checker sees it."""

from __future__ import annotations

from typing import Literal, NoReturn, Union

from typing_extensions import assert_type

from acp_schema import Patch, v1, v2_2026_06
from acp_schema.v1 import UNSET


def never(value: NoReturn) -> NoReturn:
    """Checkers accept the call only where no value is left."""
    raise AssertionError(value)


def of_a_closed_union(content: v1.ToolCallContent) -> str:
    """No unknown variant is left over."""
    match content:
        case v1.Content(content=block):
            assert_type(block, v1.ContentBlock)
            return "content"
        case v1.Diff(path=path, old_text=old_text, new_text=new_text):
            assert_type(old_text, Union[str, None])
            return path + new_text
        case v1.Terminal(terminal_id=terminal_id):
            return terminal_id
        case _:
            never(content)


def of_a_closed_enum(reason: v1.StopReason) -> Literal["good", "bad"]:
    if reason == "end_turn":
        return "good"
    if reason == "max_tokens" or reason == "max_turn_requests" or reason == "refusal" or reason == "cancelled":
        return "bad"
    never(reason)


def null_and_absent_are_one(update: v1.ToolCallUpdate) -> str:
    return update.title or "kept"


def three_states_where_v1_has_them(update: v1.SessionInfoUpdate) -> str:
    assert_type(update.title, Patch[str])
    if update.title is UNSET:
        return "kept"
    return "cleared" if update.title is None else update.title


def a_message_without_an_id(chunk: v1.AgentMessageChunk) -> str:
    assert_type(chunk.message_id, Union[v1.MessageId, None])
    return chunk.message_id or "unnamed"


v1.CancelRequestNotification(request_id=None)
v1.PermissionOption(option_id="o", name="n", kind="allow_once")

june_request = v2_2026_06.RequestPermissionRequest(
    session_id="s",
    tool_call=v2_2026_06.ToolCallUpdate(tool_call_id="t", title=None, kind="_mine", status="later"),
    options=[],
)
assert_type(june_request.tool_call, v2_2026_06.ToolCallUpdate)
assert_type(june_request.tool_call.title, Patch[str])


def receive(message: object) -> int:
    """Only the June draft has batches."""
    match v2_2026_06.decode_message(message, "agent"):
        case v2_2026_06.Batch(messages=messages):
            return len(messages)
        case v2_2026_06.Rejected():
            return 0
        case _:
            return 1
