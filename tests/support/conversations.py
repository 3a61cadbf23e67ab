"""Streams of messages from agents, and what the conversation in them looks like whichever edition told it.

Streams are made for the laws of the bridge: ids are few, so that updates meet. What a stream of v1 says, a newer client
can be told but for a few things that ``conversation_of_old`` knows; what a newer stream says here, v1 can say entirely.
Nothing here imports the generated package: states are compared as JSON.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from .rpc import content, notification, request, text

Json = Any
Wire = dict[str, Any]
Step = tuple[str, Wire]  # who says it, and the message
Draw = Callable[[SearchStrategy[Any]], Any]

IDS = st.sampled_from(["1", "2", "3"])
WORDS = st.sampled_from(["a", "b", "é€", ""])
TITLES = st.sampled_from(["Read", "Write"])
RAW = st.sampled_from(["x", 0, False, {"k": [None]}, [1.5]])
BLOCKS = st.one_of(
    WORDS.map(text),
    st.just({"type": "image", "data": "QQ==", "mimeType": "image/png"}),
    st.just({"type": "resource_link", "uri": "file:///a", "name": "a"}),
)
SAID = st.sampled_from(["user", "agent", "thought"])
CHUNKS = {"user": "user_message_chunk", "agent": "agent_message_chunk", "thought": "agent_thought_chunk"}
WHOLE = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}
TIMELINE = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}

LINES = st.sampled_from(["", "one\n", "two\n", "three", "\\ No newline", "-minus\n", "@@ plus\n"])
TEXTS = st.lists(LINES, max_size=3).map("".join)
OLD_DIFFS = st.fixed_dictionaries(
    {"type": st.just("diff"), "path": st.sampled_from(["/a", "/b c"]), "newText": TEXTS}, optional={"oldText": TEXTS}
)
TERMINALS = st.fixed_dictionaries({"type": st.just("terminal"), "terminalId": IDS})
ITEMS = WORDS.map(content)
KINDS = st.sampled_from(["read", "edit", "other"])
STATUSES = st.sampled_from(["pending", "in_progress", "completed", "failed"])
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {
            "content": WORDS,
            "priority": st.sampled_from(["high", "low"]),
            "status": st.sampled_from(["pending", "in_progress", "completed"]),
        }
    ),
    max_size=2,
)
INFO = st.fixed_dictionaries(
    {}, optional={"title": st.none() | TITLES, "updatedAt": st.none() | st.just("2026-01-01T00:00:00Z")}
)
OLD_COMMANDS = st.lists(
    st.fixed_dictionaries({"name": TITLES, "description": WORDS}, optional={"input": st.just({"hint": "h"})}),
    max_size=2,
)
CHOICES = st.sampled_from(
    [
        [{"value": "x", "name": "X"}],
        [{"group": "g", "name": "G", "options": [{"value": "x", "name": "X"}, {"value": "y", "name": "Y"}]}],
    ]
)
SELECTS = st.fixed_dictionaries(
    {"id": IDS, "name": WORDS, "type": st.just("select"), "currentValue": st.just("x"), "options": CHOICES},
    optional={"category": st.sampled_from(["model", "_mine"])},
)
SWITCHES = st.fixed_dictionaries({"id": IDS, "name": WORDS, "type": st.just("boolean"), "currentValue": st.booleans()})
COMPACTIONS = st.fixed_dictionaries(
    {"compactionId": IDS, "status": st.sampled_from(["in_progress", "completed", "failed"])},
    optional={"summary": st.none() | st.lists(BLOCKS, max_size=2), "error": st.none() | WORDS},
)
NOTICES = st.fixed_dictionaries({"severity": st.just("info"), "title": TITLES})
SUMMARIES = st.fixed_dictionaries({"compactionId": IDS, "content": BLOCKS})
OPTIONS = [{"optionId": "yes", "name": "Do it", "kind": "allow_once"}]


def usages(newer: str) -> SearchStrategy[Wire]:
    """Usage with and without its cost: absent, it is the last one in v1 and the newest edition, but none in June."""
    counts = {"used": st.integers(0, 3), "size": st.just(9)}
    cost = {"cost": st.just({"amount": 1.5, "currency": "EUR"})}
    members = (
        st.fixed_dictionaries(counts, optional=cost) if newer == "v2" else st.fixed_dictionaries({**counts, **cost})
    )
    return updates("usage_update", members)


def updates(tag: str, members: SearchStrategy[Wire]) -> SearchStrategy[Wire]:
    return members.map(lambda drawn: {"sessionUpdate": tag, **drawn})


def asking(members: SearchStrategy[Wire]) -> SearchStrategy[Wire]:
    """A tool call that a permission is asked for; told apart from updates by having no tag."""
    return st.tuples(members, TITLES).map(lambda drawn: {**drawn[0], "title": drawn[1]})


# ------------------------------------------------------------------------------------------------------- streams of v1

MODES = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}

_OLD_ITEMS = st.lists(st.one_of(ITEMS, OLD_DIFFS, TERMINALS), max_size=2)
_OLD_PLACES = st.lists(
    st.fixed_dictionaries({"path": st.just("/a")}, optional={"line": st.sampled_from([0, 1, 7])}), max_size=2
)
_OLD_FIELDS: dict[str, SearchStrategy[Json]] = {
    "kind": KINDS,
    "status": STATUSES,
    "name": WORDS,
    "content": _OLD_ITEMS,
    "locations": _OLD_PLACES,
    "rawInput": RAW,
    "rawOutput": RAW,
}
_OLD_CREATED = st.fixed_dictionaries({"toolCallId": IDS, "title": TITLES}, optional=_OLD_FIELDS)
_OLD_CHANGED = st.fixed_dictionaries(
    {"toolCallId": IDS},
    optional={name: st.none() | values for name, values in {**_OLD_FIELDS, "title": TITLES}.items()},
)
_PROMPT: Wire = {"prompt": [text("go")]}


def _old_chunks(ids: SearchStrategy[Wire]) -> SearchStrategy[Wire]:
    return st.builds(
        lambda said, block, named: {"sessionUpdate": CHUNKS[said], "content": block, **named}, SAID, BLOCKS, ids
    )


_NAMED = IDS.map(lambda message: {"messageId": message})
_OLD_CHANGES = updates("tool_call_update", _OLD_CHANGED)
_OLD_LISTS = {
    "plan": {"entries": ENTRIES},
    "available_commands_update": {"availableCommands": OLD_COMMANDS},
    "config_option_update": {"configOptions": st.lists(SELECTS | SWITCHES, max_size=2)},
}


def _old_slots(newer: str) -> list[SearchStrategy[Wire]]:
    return [
        *(updates(tag, st.fixed_dictionaries(members)) for tag, members in _OLD_LISTS.items()),
        updates("session_info_update", INFO),
        usages(newer),
        updates("notice", NOTICES),
        updates("compaction_update", COMPACTIONS),
        updates("compaction_summary_chunk", SUMMARIES),
    ]


def old_streams(newer: str) -> SearchStrategy[list[Step]]:
    """What an agent of v1 says in the session ``s``, which has ``MODES``, and prompts of the client in between."""
    modes = st.fixed_dictionaries({"currentModeId": st.sampled_from(["ask", "code"])})
    steps = st.one_of(
        _old_chunks(st.just({})),
        _old_chunks(st.just({})),
        _old_chunks(_NAMED),
        updates("tool_call", _OLD_CREATED),
        _OLD_CHANGES,
        asking(_OLD_CHANGED),
        st.just(_PROMPT),
        updates("current_mode_update", modes),
        *_old_slots(newer),
    )
    return st.lists(steps, max_size=14).map(lambda drawn: _as_steps(drawn, "v1"))


def old_updates(newer: str) -> SearchStrategy[list[Wire]]:
    """Updates of v1 that need no memory to be converted."""
    return st.lists(st.one_of(_old_chunks(_NAMED), _OLD_CHANGES, *_old_slots(newer)), max_size=14)


def _as_steps(drawn: list[Wire], edition: str) -> list[Step]:
    steps: list[Step] = []
    for number, one in enumerate(drawn):
        if "sessionUpdate" in one:
            steps.append(("agent", notification("session/update", {"sessionId": "s", "update": one})))
        elif "prompt" in one:
            steps.append(("client", request(number, "session/prompt", {"sessionId": "s", **one})))
        else:
            subject = {"title": one["title"], "subject": {"type": "tool_call", "toolCall": one}}
            about = subject if edition == "v2" else {"toolCall": one}
            params = {"sessionId": "s", "options": OPTIONS, **about}
            steps.append(("agent", request(number, "session/request_permission", params)))
    return steps


# --------------------------------------------------------------------------------------------------------- newer streams

_OUTPUT = "é€ ok\n".encode()
_BYTES = st.builds(lambda start, size: _OUTPUT[start : start + size], st.integers(0, 8), st.integers(0, 4))
_BASE64 = _BYTES.map(lambda data: base64.b64encode(data).decode())


def new_streams(edition: str) -> SearchStrategy[list[Step]]:
    """What an agent of a newer edition says in the session ``s``: all of it can be said in v1."""
    return st.lists(st.one_of(_new_steps(edition)), max_size=14).map(
        lambda drawn: _as_steps(_with_whole_messages(drawn), edition)
    )


def new_updates(edition: str) -> SearchStrategy[list[Wire]]:
    """Updates of a newer edition that need no memory to be converted."""
    chunks = st.builds(
        lambda said, key, block: {"sessionUpdate": CHUNKS[said], "messageId": key, "content": block}, SAID, IDS, BLOCKS
    )
    return st.lists(
        st.one_of(chunks, updates("tool_call_update", _new_changed(edition, ITEMS)), *_new_slots(edition)), max_size=14
    )


def _new_steps(edition: str) -> list[SearchStrategy[Wire]]:
    items = ITEMS | TERMINALS if edition == "v2" else ITEMS | OLD_DIFFS
    resets = {"kind": st.none(), "status": st.none()}
    steps = [
        st.builds(
            lambda said, key, blocks, whole: {"said": said, "key": key, "blocks": blocks, "whole": whole},
            SAID,
            IDS,
            st.lists(BLOCKS, min_size=1, max_size=2),
            st.booleans(),
        ),
        updates("tool_call_update", _new_changed(edition, items, resets)),
        updates("tool_call_content_chunk", st.fixed_dictionaries({"toolCallId": IDS, "content": items})),
        asking(_new_changed(edition, items)),
        *_new_slots(edition),
    ]
    if edition == "v2":
        steps += [
            updates("terminal_output_chunk", st.fixed_dictionaries({"terminalId": IDS, "data": _BASE64})),
            updates(
                "terminal_update",
                st.fixed_dictionaries(
                    {"terminalId": IDS},
                    optional={
                        "output": st.none() | st.fixed_dictionaries({"data": _BASE64}),
                        "exitStatus": st.just({"exitCode": 0}),
                        "command": WORDS,
                    },
                ),
            ),
            updates("state_update", st.fixed_dictionaries({"state": st.sampled_from(["running", "requires_action"])})),
            updates("notice", NOTICES),
            updates("compaction_update", COMPACTIONS),
            updates("compaction_summary_chunk", SUMMARIES),
        ]
    return steps


def _new_changed(
    edition: str, items: SearchStrategy[Wire], resets: dict[str, SearchStrategy[None]] | None = None
) -> SearchStrategy[Wire]:
    """A change of a tool call; ``resets`` are the scalars that may be cleared."""
    places = st.lists(
        st.fixed_dictionaries({"path": st.just("/a")}, optional={"line": st.sampled_from([1, 7])}), max_size=2
    )
    fields: dict[str, SearchStrategy[Json]] = {
        "title": TITLES,
        "kind": KINDS,
        "status": STATUSES,
        "content": st.none() | st.lists(items, max_size=2),
        "locations": st.none() | places,
        "rawInput": RAW,
        "rawOutput": RAW,
    }
    if edition == "v2":
        fields["name"] = WORDS
    for name, null in (resets or {}).items():
        fields[name] = null | fields[name]
    return st.fixed_dictionaries({"toolCallId": IDS}, optional=fields)


def _new_slots(edition: str) -> list[SearchStrategy[Wire]]:
    is_newest = edition == "v2"
    plan_key = "planId" if is_newest else "id"
    options = SELECTS | SWITCHES if is_newest else SELECTS
    return [
        updates("session_info_update", INFO),
        usages(edition),
        updates(
            "plan_update", ENTRIES.map(lambda drawn: {"plan": {"type": "items", plan_key: "main", "entries": drawn}})
        ),
        updates(
            "available_commands_update",
            OLD_COMMANDS.map(lambda drawn: {"availableCommands": _tagged(drawn) if is_newest else drawn}),
        ),
        updates(
            "config_option_update",
            st.lists(options, max_size=2).map(
                lambda drawn: {"configOptions": [_renamed(one) for one in drawn] if is_newest else drawn}
            ),
        ),
    ]


def _tagged(commands: list[Wire]) -> list[Wire]:
    typed = {"input": {"type": "text", "hint": "h"}}
    return [{"type": "command", **command, **(typed if "input" in command else {})} for command in commands]


_NEW_NAMES = {"id": "configId", "group": "groupId"}


def _renamed(option: Json) -> Json:
    if isinstance(option, list):
        return [_renamed(item) for item in option]
    if isinstance(option, dict):
        return {_NEW_NAMES.get(name, name): _renamed(value) for name, value in option.items()}
    return option


def _with_whole_messages(drawn: list[Wire]) -> list[Wire]:
    """Messages in chunks, or whole: then with all that was said before, since v1 cannot take it back."""
    told: dict[tuple[str, str], list[Wire]] = {}
    result: list[Wire] = []
    for one in drawn:
        if "said" not in one:
            result.append(one)
            continue
        said, key = one["said"], one["key"]
        so_far = told.setdefault((said, key), [])
        if one["whole"]:
            so_far += one["blocks"]
            result.append({"sessionUpdate": WHOLE[said], "messageId": key, "content": list(so_far)})
        else:
            so_far += one["blocks"][:1]
            result.append({"sessionUpdate": CHUNKS[said], "messageId": key, "content": one["blocks"][0]})
    return result


# ------------------------------------------------------------------------------------------------------- the conversation


def conversation_of_old(state: Json, mode: str | None = None) -> Json:
    """The conversation in a state of v1, given as JSON; ``mode`` is the one that the session began with."""
    return {
        "story": _story(state, _old_item),
        "plan": state["plan"],
        "commands": state["commands"],
        "options": state["config_options"],
        "mode": state["current_mode"] or mode,
        "info": _only(state["info"], "title", "updatedAt"),
        "usage": _only(state["usage"], "used", "size", "cost"),
    }


def conversation_of_new(state: Json, echoes: frozenset[str] = frozenset()) -> Json:
    """The conversation in a newer state; ``echoes`` are messages that repeat a prompt, which v1 does not tell."""
    plan = state["plans"].get("main", {"entries": []})
    modes = [option["currentValue"] for option in state["config_options"] if _key(option) == "mode"]
    terminals = state.get("terminals", {})
    story = _story(state, lambda item: _new_item(item, terminals), echoes)
    return {
        "story": story,
        "plan": plan["entries"],
        "commands": [_untagged(command) for command in state["commands"]],
        "options": [_old_named(option) for option in state["config_options"] if _key(option) != "mode"],
        "mode": modes[0] if modes else None,
        "info": _only(state["info"], "title", "updatedAt"),
        "usage": _only(state["usage"], "used", "size", "cost"),
    }


def as_told_to(edition: str, conversation: Json) -> Json:
    """A conversation of v1 without what this edition has no place for.

    Terminals belong to the client in v1. Lines are counted from 1 in the newest edition; June has neither names of tool
    calls nor compactions nor switches.
    """
    is_newest = edition == "v2"
    story = [entry for entry in conversation["story"] if is_newest or entry[0] != "compaction"]
    return {
        **conversation,
        "story": [_call_as_told(entry, is_newest) if entry[0] == "tool_call" else entry for entry in story],
        "options": [one for one in conversation["options"] if is_newest or one["type"] != "boolean"],
    }


def _call_as_told(entry: list[Json], is_newest: bool) -> list[Json]:
    call = entry[2]
    places = [
        {name: value for name, value in place.items() if not (is_newest and name == "line" and value == 0)}
        for place in call["locations"]
    ]
    kept = [item for item in call["content"] if "terminalId" not in item]
    return [*entry[:2], {**call, "locations": places, "content": kept, "name": call["name"] if is_newest else None}]


def _story(state: Json, item_of: Callable[[Wire], Wire], left_out: frozenset[str] = frozenset()) -> list[list[Json]]:
    """All that has a place in the conversation, in order; messages without their ids, which may be the bridge's."""
    story: list[list[Json]] = []
    for kind, key in state["timeline"]:
        if kind in TIMELINE:
            if key not in left_out:
                story.append([kind, state["messages"][TIMELINE[kind]][key]["content"]])
        elif kind == "tool_call":
            call = state["tool_calls"][key]
            view = _only(call, "title", "locations", "rawInput", "rawOutput")
            view["name"] = call.get("name")
            view["kind"] = call["kind"] or "other"  # where June is not told, it has no default
            view["status"] = call["status"] or "pending"
            view["content"] = [item_of(item) for item in call["content"]]
            story.append([kind, key, view])
        elif kind == "compaction":
            story.append([kind, key, _only(state["compactions"][key], "status", "summary", "error")])
    return story


def _only(value: Json, *names: str) -> Json:
    return None if value is None else {name: value[name] for name in names}


def _old_item(item: Wire) -> Wire:
    if item["type"] != "diff":
        return item
    return _diff(item["path"], "oldText" not in item, item.get("oldText", ""), item["newText"])


def _new_item(item: Wire, terminals: Json) -> Wire:
    if item["type"] == "terminal":
        output = terminals.get(item["terminalId"], {"bytes_base64": ""})["bytes_base64"]
        return content(base64.b64decode(output).decode("utf-8", "replace"))
    if item["type"] != "diff" or "changes" not in item:
        return _old_item(item)
    [change] = item["changes"]
    return _diff(
        change["path"], change["operation"] == "add", *_texts_of_patch(item.get("patch", {"text": ""})["text"])
    )


def _diff(path: str, is_new: bool, before: str, after: str) -> Wire:
    """A patch that changes nothing shows nothing of the file."""
    return {"diff": path, "is_new": is_new, "texts": [before, after] if before != after else None}


def _texts_of_patch(patch: str) -> tuple[str, str]:
    """The file before and after a patch that shows all of it."""
    texts = {"-": "", "+": ""}
    latest = ""
    _, _, hunk = patch.partition("\n@@ ")
    for line in hunk.split("\n")[1:-1]:
        mark, rest = line[:1], line[1:]
        if mark == "\\":
            for side in latest:
                texts[side] = texts[side].removesuffix("\n")
            continue
        latest = "-+" if mark == " " else mark
        for side in latest:
            texts[side] += rest + "\n"
    return texts["-"], texts["+"]


def _key(option: Wire) -> str:
    key: str = option["configId"] if "configId" in option else option["id"]
    return key


def _untagged(command: Wire) -> Wire:
    plain = {name: value for name, value in command.items() if name != "type"}
    return {**plain, "input": {"hint": plain["input"]["hint"]}} if "input" in plain else plain


def _old_named(option: Json) -> Json:
    if isinstance(option, list):
        return [_old_named(item) for item in option]
    if isinstance(option, dict):
        names = {new: old for old, new in _NEW_NAMES.items()}
        return {names.get(name, name): _old_named(value) for name, value in option.items()}
    return option
