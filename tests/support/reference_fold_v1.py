"""A slow fold of plain wire JSON by the rules of v1; see ``reference_fold``.

``tool_call`` says all of a tool call; in ``tool_call_update`` null is the same as nothing. Messages are made of chunks
alone; one without an id goes where the one before it went, as long as nothing new came between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy

from .reference_fold import Json, State, Update, config_option_set, filled, first_sight, patch, public

__all__ = [
    "TAGS",
    "apply",
    "config_option_set",
    "empty",
    "fold",
    "opened",
    "permission_requested",
    "prompted",
    "public",
]

_TOOL_CALL_DEFAULTS: Json = {
    **dict.fromkeys(("title", "name", "rawInput", "rawOutput", "_meta")),
    "kind": "other",
    "status": "pending",
    "content": [],
    "locations": [],
}


def empty() -> State:
    """``run`` is bookkeeping: the place of the timeline that a chunk without an id extends."""
    return {
        "messages": {"user": {}, "agent": {}, "thought": {}},
        "tool_calls": {},
        "plan": [],
        "commands": [],
        "current_mode": None,
        "config_options": [],
        "info": {"title": None, "updatedAt": None, "_meta": None},
        "usage": None,
        "compactions": {},
        "timeline": [],
        "received": [],
        "run": None,
    }


def fold(state: State, updates: Iterable[Update]) -> State:
    for update in updates:
        state = apply(state, update)
    return state


def apply(state: State, update: Update) -> State:
    """The state after one update; every tag that is not listed is an error."""
    state, update = deepcopy(state), deepcopy(update)
    _RULES[update["sessionUpdate"]](state, update)
    return state


def _message_chunk(space: str, kind: str) -> Callable[[State, Update], None]:
    def apply_to(state: State, update: Update) -> None:
        messages, key = state["messages"][space], update.get("messageId")
        if key is None:
            newest = state["timeline"][-1:]
            if newest != [state["run"]] or newest[0][0] != kind:
                state["run"] = [kind, _unused(messages)]
            key = state["run"][1]
        first_sight(state, messages, kind, key, lambda: {"content": []})
        messages[key]["content"].append(update["content"])

    return apply_to


def _unused(messages: dict[str, Json]) -> str:
    """A name for a message that came without: numbered by how many there are, and nobody else's."""
    numbers = range(len(messages) + 1, 2 * len(messages) + 2)
    return next(name for name in (f"unnamed-{number}" for number in numbers) if name not in messages)


def _tool_call(state: State, update: Update) -> None:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, dict)
    said = {name: value for name, value in update.items() if value is not None}
    calls[key] = {name: said.get(name, default) for name, default in deepcopy(_TOOL_CALL_DEFAULTS).items()}


def _tool_call_update(state: State, update: Update) -> None:
    calls, key = state["tool_calls"], update["toolCallId"]
    first_sight(state, calls, "tool_call", key, lambda: deepcopy(_TOOL_CALL_DEFAULTS))
    calls[key] |= {name: update[name] for name in _TOOL_CALL_DEFAULTS if update.get(name) is not None}


def _slot(slot: str, name: str) -> Callable[[State, Update], None]:
    def apply_to(state: State, update: Update) -> None:
        state[slot] = update[name]
        state["received"].append(slot)

    return apply_to


def _session_info_update(state: State, update: Update) -> None:
    patch(state["info"], update, "title", None)
    patch(state["info"], update, "updatedAt", None)
    if update.get("_meta") is not None:
        state["info"]["_meta"] = update["_meta"]


def _usage_update(state: State, update: Update) -> None:
    known = (state["usage"] or {}).get("cost")
    said = update.get("cost")
    state["usage"] = {"used": update["used"], "size": update["size"], "cost": known if said is None else said}


def _new_compaction() -> Json:
    return {"status": "in_progress", "summary": [], "error": None, "_meta": None}


def _compaction_update(state: State, update: Update) -> None:
    compactions, key = state["compactions"], update["compactionId"]
    first_sight(state, compactions, "compaction", key, _new_compaction)
    entry = compactions[key]
    entry["status"] = update["status"]
    patch(entry, update, "summary", [])
    patch(entry, update, "error", None)
    if "_meta" in update:
        entry["_meta"] = update["_meta"]


def _compaction_summary_chunk(state: State, update: Update) -> None:
    compactions, key = state["compactions"], update["compactionId"]
    first_sight(state, compactions, "compaction", key, _new_compaction)
    compactions[key]["summary"].append(update["content"])


def _notice(state: State, update: Update) -> None:
    """An event: nothing to remember."""


_RULES: dict[str, Callable[[State, Update], None]] = {
    "user_message_chunk": _message_chunk("user", "user_message"),
    "agent_message_chunk": _message_chunk("agent", "agent_message"),
    "agent_thought_chunk": _message_chunk("thought", "agent_thought"),
    "tool_call": _tool_call,
    "tool_call_update": _tool_call_update,
    "plan": _slot("plan", "entries"),
    "available_commands_update": _slot("commands", "availableCommands"),
    "current_mode_update": _slot("current_mode", "currentModeId"),
    "config_option_update": _slot("config_options", "configOptions"),
    "session_info_update": _session_info_update,
    "usage_update": _usage_update,
    "notice": _notice,
    "compaction_update": _compaction_update,
    "compaction_summary_chunk": _compaction_summary_chunk,
}
TAGS = tuple(_RULES)


def permission_requested(state: State, request: Json) -> State:
    return apply(state, {"sessionUpdate": "tool_call_update", **request["toolCall"]})


def opened(state: State, definition: str, response: Json) -> State:
    """What an update has already set is newer than the response; modes that it leaves out say nothing."""
    slots = {"config_options": response.get("configOptions") or []}
    if response.get("modes") is not None:
        slots["current_mode"] = response["modes"]["currentModeId"]
    return filled(state, slots)


def prompted(state: State) -> State:
    """A new turn: what comes without an id belongs to none of the messages so far."""
    return {**deepcopy(state), "run": None}
