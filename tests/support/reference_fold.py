"""A slow fold of plain wire JSON, written by hand from the protocol's rules and sharing no code with the product.

This is the newest edition; ``reference_fold_v1`` and ``reference_fold_june`` do the same for theirs.
Every function takes a state and gives a new one, so that what the product does in place can be held against it.
``public`` is the state as JSON that the product's ``to_json`` promises.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

Json = Any
State = dict[str, Any]
Update = dict[str, Any]

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def empty() -> State:
    """What a client knows of a session before anything came; ``received`` is bookkeeping."""
    return {
        "messages": {"user": {}, "agent": {}, "thought": {}},
        "tool_calls": {},
        "terminals": {},
        "plans": {},
        "foreground": None,
        "commands": [],
        "config_options": [],
        "info": {"title": None, "updatedAt": None, "_meta": None},
        "usage": None,
        "compactions": {},
        "timeline": [],
        "received": [],
    }


def public(state: State) -> State:
    """The state without the bookkeeping."""
    return {name: deepcopy(value) for name, value in state.items() if name not in ("received", "run")}


def fold(state: State, updates: Iterable[Update]) -> State:
    for update in updates:
        state = apply(state, update)
    return state


def apply(state: State, update: Update) -> State:
    """The state after one update; an unknown one and a notice change nothing."""
    rule = _RULES.get(update["sessionUpdate"])
    return deepcopy(state) if rule is None else rule(deepcopy(state), deepcopy(update))


def bytes_of(text: str) -> bytes | None:
    """What base64 text stands for, or None if it is none."""
    return base64.b64decode(text) if _BASE64.fullmatch(text) else None


def merged_meta(old: dict[str, Json] | None, new: dict[str, Json] | None) -> dict[str, Json] | None:
    """Merge by top-level key: null removes a key, null for the whole removes all, and nothing left is null."""
    if new is None:
        return None
    result = dict(old or {})
    for key, value in new.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = value
    return result or None


# ------------------------------------------------------------------------------------------------ entities


def _new_message() -> Json:
    return {"content": [], "_meta": None}


def _new_tool_call() -> Json:
    return {
        "name": None,
        "title": None,
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
        "rawInput": None,
        "rawOutput": None,
        "capabilities": None,
        "_meta": None,
    }


def _new_terminal() -> Json:
    return {
        "command": None,
        "cwd": None,
        "bytes_base64": "",
        "exitStatus": None,
        "size": None,
        "capabilities": None,
        "_meta": None,
    }


def _new_compaction() -> Json:
    return {"status": "in_progress", "summary": [], "error": None, "_meta": None}


def first_sight(state: State, members: dict[str, Json], kind: str | None, key: str, new: Callable[[], Json]) -> None:
    if key not in members:
        members[key] = new()
        if kind is not None:
            state["timeline"].append([kind, key])


def patch(entry: Json, update: Update, name: str, cleared: Json) -> None:
    """Omitted keeps, null clears, a value replaces."""
    if name in update:
        entry[name] = cleared if update[name] is None else update[name]


def _patch_meta(entry: Json, update: Update) -> None:
    if "_meta" in update:
        entry["_meta"] = merged_meta(entry["_meta"], update["_meta"])


# ------------------------------------------------------------------------------------------------- one tag each


def _message_chunk(space: str, kind: str, state: State, update: Update) -> State:
    messages, key = state["messages"][space], update["messageId"]
    first_sight(state, messages, kind, key, _new_message)
    messages[key]["content"].append(update["content"])
    return state


def _message(space: str, kind: str, state: State, update: Update) -> State:
    messages, key = state["messages"][space], update["messageId"]
    first_sight(state, messages, kind, key, _new_message)
    patch(messages[key], update, "content", [])
    _patch_meta(messages[key], update)
    return state


def _user_message_chunk(state: State, update: Update) -> State:
    return _message_chunk("user", "user_message", state, update)


def _user_message(state: State, update: Update) -> State:
    return _message("user", "user_message", state, update)


def _agent_message_chunk(state: State, update: Update) -> State:
    return _message_chunk("agent", "agent_message", state, update)


def _agent_message(state: State, update: Update) -> State:
    return _message("agent", "agent_message", state, update)


def _agent_thought_chunk(state: State, update: Update) -> State:
    return _message_chunk("thought", "agent_thought", state, update)


def _agent_thought(state: State, update: Update) -> State:
    return _message("thought", "agent_thought", state, update)


def _state_update(state: State, update: Update) -> State:
    """A whole snapshot: what it does not say is not reported, whatever came before."""
    idle = update["state"] == "idle"
    failed = idle and update.get("stopReason") == "error"
    state["foreground"] = {
        "state": update["state"],
        "stopReason": update.get("stopReason") if idle else None,
        "error": update.get("error") if failed else None,
        "background": update.get("background"),
    }
    state["received"].append("foreground")
    return state


def _tool_call_content_chunk(state: State, update: Update) -> State:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, _new_tool_call)
    calls[key]["content"].append(update["content"])
    return state


def _tool_call_update(state: State, update: Update) -> State:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, _new_tool_call)
    call = calls[key]
    patch(call, update, "name", None)
    patch(call, update, "title", None)
    patch(call, update, "kind", "other")
    patch(call, update, "status", "pending")
    patch(call, update, "content", [])
    patch(call, update, "locations", [])
    patch(call, update, "rawInput", None)
    patch(call, update, "rawOutput", None)
    patch(call, update, "capabilities", None)
    _patch_meta(call, update)
    return state


def _terminal_update(state: State, update: Update) -> State:
    terminals, key = state["terminals"], update["terminalId"]
    first_sight(state, terminals, None, key, _new_terminal)
    terminal = terminals[key]
    patch(terminal, update, "command", None)
    patch(terminal, update, "cwd", None)
    patch(terminal, update, "exitStatus", None)
    patch(terminal, update, "size", None)
    patch(terminal, update, "capabilities", None)
    _patch_meta(terminal, update)
    if "output" in update:
        data = b"" if update["output"] is None else bytes_of(update["output"]["data"])
        if data is not None:
            terminal["bytes_base64"] = base64.b64encode(data).decode()
    return state


def _terminal_output_chunk(state: State, update: Update) -> State:
    terminals, key = state["terminals"], update["terminalId"]
    first_sight(state, terminals, None, key, _new_terminal)
    data = bytes_of(update["data"])
    if data is not None:
        stored = base64.b64decode(terminals[key]["bytes_base64"])
        terminals[key]["bytes_base64"] = base64.b64encode(stored + data).decode()
    return state


def _plan_update(state: State, update: Update) -> State:
    plan = update["plan"]
    first_sight(state, state["plans"], "plan", plan["planId"], dict)
    state["plans"][plan["planId"]] = plan
    return state


def _available_commands_update(state: State, update: Update) -> State:
    state["commands"] = update["availableCommands"]
    state["received"].append("commands")
    return state


def _config_option_update(state: State, update: Update) -> State:
    state["config_options"] = update["configOptions"]
    state["received"].append("config_options")
    return state


def _session_info_update(state: State, update: Update) -> State:
    patch(state["info"], update, "title", None)
    patch(state["info"], update, "updatedAt", None)
    _patch_meta(state["info"], update)
    return state


def _usage_update(state: State, update: Update) -> State:
    cost = None if state["usage"] is None else state["usage"]["cost"]
    state["usage"] = {"used": update["used"], "size": update["size"], "cost": update.get("cost", cost)}
    return state


def _compaction_update(state: State, update: Update) -> State:
    compactions, key = state["compactions"], update["compactionId"]
    first_sight(state, compactions, "compaction", key, _new_compaction)
    compactions[key]["status"] = update["status"]
    patch(compactions[key], update, "summary", [])
    patch(compactions[key], update, "error", None)
    _patch_meta(compactions[key], update)
    return state


def _compaction_summary_chunk(state: State, update: Update) -> State:
    compactions, key = state["compactions"], update["compactionId"]
    first_sight(state, compactions, "compaction", key, _new_compaction)
    compactions[key]["summary"].append(update["content"])
    return state


def _notice(state: State, update: Update) -> State:
    return state


_RULES: dict[str, Callable[[State, Update], State]] = {
    "user_message_chunk": _user_message_chunk,
    "user_message": _user_message,
    "agent_message_chunk": _agent_message_chunk,
    "agent_message": _agent_message,
    "agent_thought_chunk": _agent_thought_chunk,
    "agent_thought": _agent_thought,
    "state_update": _state_update,
    "tool_call_content_chunk": _tool_call_content_chunk,
    "tool_call_update": _tool_call_update,
    "terminal_update": _terminal_update,
    "terminal_output_chunk": _terminal_output_chunk,
    "plan_update": _plan_update,
    "available_commands_update": _available_commands_update,
    "config_option_update": _config_option_update,
    "session_info_update": _session_info_update,
    "usage_update": _usage_update,
    "notice": _notice,
    "compaction_update": _compaction_update,
    "compaction_summary_chunk": _compaction_summary_chunk,
}
TAGS = tuple(_RULES)


# ------------------------------------------------------------------------------------ what else feeds the state


def permission_requested(state: State, request: Json) -> State:
    """A tool call that a permission is asked for is reported by the request itself."""
    subject = request.get("subject")
    if subject is None or subject["type"] != "tool_call":
        return deepcopy(state)
    return apply(state, {"sessionUpdate": "tool_call_update", **subject["toolCall"]})


def opened(state: State, definition: str, response: Json) -> State:
    """What an update has already set is newer than the response; a new session is idle."""
    slots = {"commands": response.get("availableCommands", []), "config_options": response.get("configOptions", [])}
    state = filled(state, slots)
    if definition == "NewSessionResponse" and state["foreground"] is None:
        state["foreground"] = {"state": "idle", "stopReason": None, "error": None, "background": None}
    return state


def filled(state: State, slots: dict[str, Json]) -> State:
    """The state with these values in the slots that no update has set."""
    fresh = {slot: deepcopy(value) for slot, value in slots.items() if slot not in state["received"]}
    return {**deepcopy(state), **fresh}


def config_option_set(state: State, response: Json) -> State:
    state = deepcopy(state)
    state["config_options"] = deepcopy(response["configOptions"])
    state["received"].append("config_options")
    return state


def cancelled(state: State) -> State:
    """A cancel covers the unfinished tool calls of the active work, not those that run in the background."""
    state = deepcopy(state)
    background = (state["foreground"] or {}).get("background") or []
    detached = {work["toolCallId"] for work in background if work["type"] == "tool_call"}
    for key, call in state["tool_calls"].items():
        if call["status"] not in ("completed", "failed", "cancelled") and key not in detached:
            call["status"] = "cancelled"
    return state
