"""Wrong ways to build a message."""

from __future__ import annotations

from dataclasses import replace

from acp_schema import v2

v2.TextContent("positional")  # E: both
v2.TextContent()  # E: both
v2.TextContent(text="x", colour="red")  # E: both
v2.TextContent(text=None)  # E: both
v2.TextContent(text=5)  # E: both
v2.TextContent(text="x").text = 5  # E: both
v2.TextContent(text="x").colour = "red"  # E: both
v2.TextContent(text="x").type = "image"  # E: both
v2.PromptRequest(session_id="s", prompt=["text"])  # E: both
v2.PromptRequest(session_id="s", prompt=v2.TextContent(text="x"))  # E: both
v2.ToolCallUpdate(tool_call_id="t", content=[v2.TextContent(text="x")])  # E: both
v2.Error(code="-32600", message="m")  # E: both
v2.UnknownContentBlock(raw={})  # E: both
v2.UpdateSessionNotification(session_id="s", update=v2.TextContent(text="x"))  # E: both
v2.ToolKindValues.READ = "write"  # E: both
v2.ToolKindValues.COOK  # E: both
replace(v2.TextContent(text="x"), text=5)  # E: mypy
