"""Building messages: by keyword, with every state that a patch field has and with known and other enum values."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from typing_extensions import assert_type

from acp_schema import v2
from acp_schema.v2 import UNSET, Patch

kept = v2.SessionInfoUpdate()
cleared = v2.SessionInfoUpdate(title=None)
renamed = v2.SessionInfoUpdate(title="name")
said = v2.SessionInfoUpdate(title=UNSET, updated_at=None, meta={"key": [1, None]})
again = replace(renamed, title=UNSET)
assert_type(again, v2.SessionInfoUpdate)


def pass_on(title: Patch[str]) -> v2.SessionInfoUpdate:
    return v2.SessionInfoUpdate(title=title)


renamed.title = None
renamed.title = UNSET
renamed.title = "other name"

# An open enum takes its constants, its known values and any other string.
reading = v2.ToolCallUpdate(tool_call_id="t", kind=v2.ToolKindValues.READ, status="in_progress")
private = v2.ToolCallUpdate(tool_call_id="t", kind="_mine", status=None)
kind: Literal["read"] = v2.ToolKindValues.READ
code: Literal[-32601] = v2.ErrorCodeValues.METHOD_NOT_FOUND
assert_type(v2.ToolKindValues.is_known("read"), bool)
assert_type(v2.ToolKindValues.classify("_mine"), Literal["known", "extension", "reserved"])

# Aliases of scalars are the scalars: ids need no wrapping.
session: v2.SessionId = "session"
note = v2.UpdateSessionNotification(
    session_id=session,
    update=v2.AgentMessage(message_id="m", content=[v2.TextContent(text="x", extra={"later": 1})]),
)
prompt = v2.PromptRequest(
    session_id=session,
    prompt=[v2.TextContent(text="x"), v2.UnknownContentBlock(tag="_mine", raw={"type": "_mine"})],
)
software = v2.Implementation(name="n", version="1", title=None)
assert_type(v2.InitializeResponse(protocol_version=2, info=software).capabilities, v2.AgentCapabilities)
