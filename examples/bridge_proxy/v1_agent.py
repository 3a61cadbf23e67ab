"""A v1 agent on the official Python SDK, which plays the same short turn for every prompt.

    python v1_agent.py

It speaks over stdin and stdout. A prompt that begins with "wait" does nothing until it is cancelled; any other prompt
changes one line of one file, after asking. Nothing is really read or written.
"""

from __future__ import annotations

import asyncio
from typing import Any

import acp
from acp.schema import (
    AgentCapabilities,
    CloseSessionResponse,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionResumeCapabilities,
    TextContentBlock,
    ToolCallLocation,
    ToolCallUpdate,
)

FILE = "/project/greeting.txt"


class ScriptedAgent(acp.Agent):
    """Serves any number of sessions; each one knows where it works and whether its turn was cancelled."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}
        self._cancelled: dict[str, asyncio.Event] = {}

    def on_connect(self, conn: acp.Client) -> None:
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        # A v2 client takes these four session methods for granted, so an agent without them cannot serve one.
        session = SessionCapabilities(
            list=SessionListCapabilities(), resume=SessionResumeCapabilities(), close=SessionCloseCapabilities()
        )
        return InitializeResponse(
            protocol_version=min(protocol_version, acp.PROTOCOL_VERSION),
            agent_capabilities=AgentCapabilities(load_session=True, session_capabilities=session),
            agent_info=Implementation(name="scripted-agent", version="1.0.0"),
        )

    # ------------------------------------------------------------------------------------------------ sessions

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        session_id = f"session-{len(self._folders) + 1}"
        self._folders[session_id] = cwd
        return NewSessionResponse(session_id=session_id)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> LoadSessionResponse:
        self._folders[session_id] = cwd
        return LoadSessionResponse()

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> ResumeSessionResponse:
        self._folders[session_id] = cwd
        return ResumeSessionResponse()

    async def list_sessions(self, **_: Any) -> ListSessionsResponse:
        return ListSessionsResponse(sessions=[SessionInfo(session_id=i, cwd=cwd) for i, cwd in self._folders.items()])

    async def close_session(self, session_id: str, **_: Any) -> CloseSessionResponse:
        self._folders.pop(session_id, None)
        return CloseSessionResponse()

    # --------------------------------------------------------------------------------------------------- turns

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        self._cancelled[session_id] = asyncio.Event()
        text = "".join(block.text for block in prompt if isinstance(block, TextContentBlock))
        if text.startswith("wait"):
            return await self._wait(session_id)
        return await self._change_the_greeting(session_id)

    async def cancel(self, session_id: str, **_: Any) -> None:
        if session_id in self._cancelled:
            self._cancelled[session_id].set()

    async def _change_the_greeting(self, session_id: str) -> PromptResponse:
        await self._say(session_id, "The greeting ")
        await self._say(session_id, "is out of date.")
        start = acp.start_tool_call(
            "call-1",
            "Change the greeting",
            kind="edit",
            status="pending",
            locations=[ToolCallLocation(path=FILE, line=1)],
            raw_input={"path": FILE},
        )
        await self._client.session_update(session_id, start)

        answer = await self._client.request_permission(
            session_id,
            ToolCallUpdate(tool_call_id="call-1", title="Change the greeting"),
            [
                PermissionOption(option_id="yes", name="Change it", kind="allow_once"),
                PermissionOption(option_id="no", name="Leave it", kind="reject_once"),
            ],
        )
        chosen = answer.outcome.option_id if answer.outcome.outcome == "selected" else None
        if chosen == "yes":
            content = [
                acp.tool_content(acp.text_block("1 line changed")),
                acp.tool_diff_content(FILE, "Good morning\n", "Good evening\n"),
            ]
            done = acp.update_tool_call("call-1", status="completed", content=content, raw_output={"lines": 1})
        else:
            done = acp.update_tool_call("call-1", status="failed")
        await self._client.session_update(session_id, done)

        plan = acp.update_plan(
            [
                acp.plan_entry("Change the greeting", priority="high", status="completed"),
                acp.plan_entry("Tell the user", status="in_progress"),
            ]
        )
        await self._client.session_update(session_id, plan)
        await self._say(session_id, f"You chose: {chosen}.")
        return PromptResponse(stop_reason="end_turn")

    async def _wait(self, session_id: str) -> PromptResponse:
        await self._say(session_id, "Waiting.")
        await self._client.session_update(
            session_id, acp.start_tool_call("call-2", "Wait", kind="other", status="in_progress")
        )
        await self._cancelled[session_id].wait()
        await self._client.session_update(session_id, acp.update_tool_call("call-2", status="failed"))
        return PromptResponse(stop_reason="cancelled")

    async def _say(self, session_id: str, text: str) -> None:
        """A piece of a message. As is usual in v1, it does not say which message it belongs to."""
        await self._client.session_update(session_id, acp.update_agent_message_text(text))


if __name__ == "__main__":
    # The SDK counts session/resume and session/close, which v2 needs, among the unstable methods.
    asyncio.run(acp.run_agent(ScriptedAgent(), use_unstable_protocol=True))
