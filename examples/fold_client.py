"""A small client: fold a recorded stream of session updates and print the conversation.

    python examples/fold_client.py [FILE]

FILE holds one JSON-RPC message a line, as an agent sends them; without it a short recording is used.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "generated"))

from acp_schema import v2  # noqa: E402


def text_of(blocks: list[Any]) -> str:
    """The readable part of content blocks; anything else by its kind."""
    return "".join(block.text if isinstance(block, v2.TextContent) else f"[{block.type}]" for block in blocks)


def describe(state: v2.SessionState, kind: str, key: str) -> str:
    """One line of the conversation."""
    if kind == "user_message":
        return f"you:     {text_of(state.messages.user[key].content)}"
    if kind == "agent_message":
        return f"agent:   {text_of(state.messages.agent[key].content)}"
    if kind == "agent_thought":
        return f"thought: {text_of(state.messages.thought[key].content)}"
    if kind == "tool_call":
        call = state.tool_calls[key]
        return f"tool:    {call.title or key} ({call.kind}, {call.status})"
    if kind == "plan":
        plan = state.plans[key]
        entries = plan.entries if isinstance(plan, v2.PlanItems) else []
        return "plan:    " + "; ".join(f"{entry.content} [{entry.status}]" for entry in entries)
    return f"{kind}: {key}"


def fold(lines: list[bytes]) -> v2.SessionState:
    """Everything that a recording says, in one state."""
    state = v2.SessionState()
    for line in lines:
        message = v2.decode_message(json.loads(line), "client")
        if isinstance(message, v2.Notification) and isinstance(message.params, v2.UpdateSessionNotification):
            change = v2.apply_update(state, message.params.update)
            for note in change.notes:
                print(f"note:    {note}", file=sys.stderr)
        elif isinstance(message, v2.Request) and isinstance(message.params, v2.RequestPermissionRequest):
            v2.apply_request_permission_request(state, message.params)
    return state


def main() -> None:
    recording = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "recording.jsonl"
    state = fold(recording.read_bytes().splitlines())
    for kind, key in state.timeline:
        print(describe(state, kind, key))
    print(f"state:   {'idle' if isinstance(state.foreground, v2.IdleStateUpdate) else 'busy'}")


if __name__ == "__main__":
    main()
