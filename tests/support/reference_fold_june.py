"""A slow fold of plain wire JSON by the rules of the June draft; see ``reference_fold``.

What differs from the newest edition: metadata is replaced whole, that of a tool call is not stored, a tool call has no
defaults of the protocol, a plan's id is called ``id``, usage is a snapshot, and there is no foreground state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy

from .reference_fold import Json, State, Update, config_option_set, filled, first_sight, patch, public

__all__ = ["TAGS", "apply", "config_option_set", "empty", "fold", "opened", "permission_requested", "public"]


def empty() -> State:
    return {
        "messages": {"user": {}, "agent": {}, "thought": {}},
        "tool_calls": {},
        "plans": {},
        "commands": [],
        "config_options": [],
        "info": {"title": None, "updatedAt": None, "_meta": None},
        "usage": None,
        "timeline": [],
        "received": [],
    }


def fold(state: State, updates: Iterable[Update]) -> State:
    for update in updates:
        state = apply(state, update)
    return state


def apply(state: State, update: Update) -> State:
    """The state after one update; an unknown one changes nothing."""
    state, update = deepcopy(state), deepcopy(update)
    rule = _RULES.get(update["sessionUpdate"])
    if rule is not None:
        rule(state, update)
    return state


def _new_message() -> Json:
    return {"content": [], "_meta": None}


def _new_tool_call() -> Json:
    call: Json = dict.fromkeys(("title", "kind", "status", "rawInput", "rawOutput"))
    return {**call, "content": [], "locations": []}


def _message(space: str, kind: str) -> Callable[[State, Update], None]:
    def apply_to(state: State, update: Update) -> None:
        messages, key = state["messages"][space], update["messageId"]
        first_sight(state, messages, kind, key, _new_message)
        patch(messages[key], update, "content", [])
        patch(messages[key], update, "_meta", None)

    return apply_to


def _message_chunk(space: str, kind: str) -> Callable[[State, Update], None]:
    def apply_to(state: State, update: Update) -> None:
        messages, key = state["messages"][space], update["messageId"]
        first_sight(state, messages, kind, key, _new_message)
        messages[key]["content"].append(update["content"])

    return apply_to


def _tool_call_update(state: State, update: Update) -> None:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, _new_tool_call)
    for name in ("title", "kind", "status", "rawInput", "rawOutput"):
        patch(calls[key], update, name, None)
    for name in ("content", "locations"):
        patch(calls[key], update, name, [])


def _tool_call_content_chunk(state: State, update: Update) -> None:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, _new_tool_call)
    calls[key]["content"].append(update["content"])


def _plan_update(state: State, update: Update) -> None:
    plan = update["plan"]
    first_sight(state, state["plans"], "plan", plan["id"], dict)
    state["plans"][plan["id"]] = plan


def _available_commands_update(state: State, update: Update) -> None:
    state["commands"] = update["availableCommands"]
    state["received"].append("commands")


def _config_option_update(state: State, update: Update) -> None:
    state["config_options"] = update["configOptions"]
    state["received"].append("config_options")


def _session_info_update(state: State, update: Update) -> None:
    for name in ("title", "updatedAt", "_meta"):
        patch(state["info"], update, name, None)


def _usage_update(state: State, update: Update) -> None:
    state["usage"] = {"used": update["used"], "size": update["size"], "cost": update.get("cost")}


_RULES: dict[str, Callable[[State, Update], None]] = {
    "user_message_chunk": _message_chunk("user", "user_message"),
    "user_message": _message("user", "user_message"),
    "agent_message_chunk": _message_chunk("agent", "agent_message"),
    "agent_message": _message("agent", "agent_message"),
    "agent_thought_chunk": _message_chunk("thought", "agent_thought"),
    "agent_thought": _message("thought", "agent_thought"),
    "tool_call_content_chunk": _tool_call_content_chunk,
    "tool_call_update": _tool_call_update,
    "plan_update": _plan_update,
    "available_commands_update": _available_commands_update,
    "config_option_update": _config_option_update,
    "session_info_update": _session_info_update,
    "usage_update": _usage_update,
}
TAGS = tuple(_RULES)


def permission_requested(state: State, request: Json) -> State:
    return apply(state, {"sessionUpdate": "tool_call_update", **request["toolCall"]})


def opened(state: State, definition: str, response: Json) -> State:
    return filled(state, {"config_options": response.get("configOptions") or []})
