"""Codecs: a class in gives an instance of it back, and each definition has functions of its own."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from acp_schema import v2
from acp_schema.v2 import DecodeError, EncodeError, Issue

data: object = {"text": "x"}
issues: list[Issue] = []

assert_type(v2.decode(v2.TextContent, data), v2.TextContent)
assert_type(v2.decode(v2.TextContent, data, issues=issues), v2.TextContent)
assert_type(v2.loads(v2.UpdateSessionNotification, b"{}"), v2.UpdateSessionNotification)
assert_type(v2.loads(v2.UpdateSessionNotification, "{}").update, v2.SessionUpdate)

assert_type(v2.decode_content_block(data), v2.ContentBlock)
assert_type(v2.decode_tool_call_update(data, issues=issues), v2.ToolCallUpdate)
block: v2.ContentBlock = v2.decode("ContentBlock", data)
by_alias: v2.ContentBlock = v2.decode(v2.ContentBlock, data)

assert_type(v2.encode(block, v2.ContentBlock), Any)
assert_type(v2.encode_content_block(block), Any)
assert_type(v2.dumps(block, "ContentBlock"), bytes)


def place(text: bytes) -> str:
    try:
        v2.loads(v2.PromptRequest, text)
    except (DecodeError, EncodeError) as error:
        assert_type(error.path, str)
        return error.path + error.message
    return "".join(issue.path + issue.message for issue in issues)


def receive(message: object) -> str:
    match v2.decode_message(message, "client"):
        case v2.Request(method=method) | v2.Notification(method=method):
            assert_type(method, str)
            return method
        case v2.Response(method=name) | v2.ErrorResponse(method=name):
            return name or "not a request of ours"
        case v2.Rejected(answer=answer):
            assert_type(answer, dict[str, Any])
            return str(answer)


assert_type(v2.METHODS["session/prompt", "agent", "request"], v2.MethodSpec)
