"""Hand-written conversions of what happens in a session: updates, diffs, plans, permission requests, envelopes."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ._conversion import Run
from ._errors import step
from ._plans import (
    CLEAR,
    FIELD,
    META_CONFLICT,
    MISSING,
    NO_EQUIVALENT,
    UNKNOWN,
    Each,
    Several,
)

MAIN_PLAN = "main"  # the id of the one plan that an edition without plan ids has
TITLE_FALLBACK = "Permission requested"

# --------------------------------------------------------------------------------------------------------- tool calls


def without_defaults(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """A new tool call as an update of it: what a new one has anyway is left unsaid."""
    defaults: dict[str, Any] = {
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
    }
    return {
        name: value
        for name, value in result.items()
        if name not in defaults or value != defaults[name]
    }


def diff_as_changes(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """Old and new text of one file as a change of it, with a patch that replaces the whole file."""
    old, new = data.get("oldText"), data["newText"]
    operation = "modify" if old is not None else "add"
    result["changes"] = [{"operation": operation, "path": data["path"], "fileType": "text"}]
    if old != new:
        result["patch"] = {"format": "git_patch", "text": _git_patch(data["path"], old, new)}
    return result


def _git_patch(path: str, old: str | None, new: str) -> str:
    """Git's format, but with absolute paths and so without its ``a/`` and ``b/``."""
    name = _quoted(path)
    # a tab tells where a name with spaces ends
    label = f"{name}\t" if " " in name else name
    lines = [f"diff --git {name} {name}\n"]
    if old is None:
        lines.append("new file mode 100644\n")
    before, after = _lines(old or ""), _lines(new)
    if before or after:
        lines += ["--- /dev/null\n" if old is None else f"--- {label}\n", f"+++ {label}\n"]
        lines.append(f"@@ -{_range(before)} +{_range(after)} @@\n")
        lines += [_ended(f"-{line}") for line in before] + [_ended(f"+{line}") for line in after]
    return "".join(lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _range(lines: list[str]) -> str:
    return f"{1 if lines else 0},{len(lines)}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _quoted(path: str) -> str:
    """A path as git writes it: bare, or in quotes with escapes if a reader could stumble over it."""
    escapes = {
        "\a": "\\a",
        "\b": "\\b",
        "\t": "\\t",
        "\n": "\\n",
        "\v": "\\v",
        "\f": "\\f",
        "\r": "\\r",
    }
    escapes |= {'"': '\\"', "\\": "\\\\"}
    written = ""
    for char in path:
        if char in escapes:
            written += escapes[char]
        elif " " <= char <= "~":
            written += char
        else:
            written += "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogatepass"))
    return path if written == path else f'"{written}"'


# ----------------------------------------------------------------------------------------------------------- messages


def fan_out(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> Several:
    """A whole message as one chunk a block; a message without content has no chunk to travel in."""
    content = data.get("content")
    if not content:
        place = step(path, "content") if "content" in data else path
        run.fail(CLEAR, place, f"{run.link.target.name} can only add content to a message")
    blocks = run.value(Each("ContentBlock"), content, step(path, "content"))
    return Several([{**deepcopy(result), "content": block} for block in blocks])


# -------------------------------------------------------------------------------------------------------------- plans


def plan_as_items(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """The only plan of a session as an identified one."""
    return _as_items(run, data, result, path, "planId")


def plan_as_items_with_id(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """The same where the id has its first name."""
    return _as_items(run, data, result, path, "id")


def _as_items(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str, key: str
) -> dict[str, Any]:
    entries = run.value(Each("PlanEntry"), data["entries"], step(path, "entries"))
    return {"plan": {"type": "items", key: MAIN_PLAN, "entries": entries}, **result}


def items_as_plan(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """An identified plan as the only one of the session."""
    return _as_plan(run, data, result, path, "planId")


def items_with_id_as_plan(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """The same where the id has its first name."""
    return _as_plan(run, data, result, path, "id")


def _as_plan(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str, key: str
) -> dict[str, Any]:
    plan, place = data["plan"], step(path, "plan")
    if plan["type"] != "items":
        run.refuse_unknown(plan["type"], step(place, "type"))
    if plan[key] != MAIN_PLAN:
        run.lose(
            FIELD,
            step(place, key),
            f"{run.link.target.name} has one plan without an id, which stands for 'main'",
        )
    outer, inner = data.get("_meta"), plan.get("_meta")
    if outer is not None and inner is not None and outer != inner:
        run.lose(
            META_CONFLICT,
            step(place, "_meta"),
            "the update and its plan have different _meta, one of them can stay",
        )
    run.lose_rest(plan, place, ("type", key, "entries", "_meta"))
    result["entries"] = run.value(Each("PlanEntry"), plan["entries"], step(place, "entries"))
    meta = inner if outer is None else outer
    return result if meta is None else {**result, "_meta": meta}


# -------------------------------------------------------------------------------------------------------- permissions


def permission_with_subject(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """The tool call that a permission is asked for becomes its subject, and lends it the title."""
    tool_call, place = data["toolCall"], step(path, "toolCall")
    title = tool_call.get("title")
    if not title:
        run.lose(
            MISSING,
            step(place, "title"),
            f"{run.link.target.name} requires a title; {TITLE_FALLBACK!r} stands in",
        )
        title = TITLE_FALLBACK
    subject = {"type": "tool_call", "toolCall": run.definition("ToolCallUpdate", tool_call, place)}
    return {**result, "title": title, "subject": subject}


def permission_of_tool_call(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """A permission whose subject is a tool call, without a text of its own."""
    subject, place = data.get("subject"), step(path, "subject")
    if subject is None:
        run.fail(
            NO_EQUIVALENT, place, f"{run.link.target.name} asks for permission for tool calls only"
        )
    if subject["type"] == "command":
        run.fail(
            NO_EQUIVALENT,
            step(place, "type"),
            f"{run.link.target.name} asks for permission for tool calls only",
        )
    if subject["type"] != "tool_call":
        run.refuse_unknown(subject["type"], step(place, "type"))
    tool_call = subject["toolCall"]
    if data["title"] != tool_call.get("title"):
        run.lose(
            FIELD, step(path, "title"), f"{run.link.target.name} shows the title of the tool call"
        )
    if data.get("description") is not None:
        run.lose(FIELD, step(path, "description"), f"{run.link.target.name} has no place for it")
    run.lose_rest(subject, place, ("type", "toolCall"))
    result["toolCall"] = run.definition("ToolCallUpdate", tool_call, step(place, "toolCall"))
    return with_an_option(run, data, result, path)


def with_an_option(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> dict[str, Any]:
    """Leaving out unknown options must not leave a question without answers."""
    if data["options"] and not result["options"]:
        run.fail(
            UNKNOWN, step(path, "options"), f"{run.link.target.name} knows none of the options"
        )
    return result


def unknown_outcome(run: Run, data: dict[str, Any], path: str) -> dict[str, Any]:
    """Whatever it means, it is no approval."""
    place = step(path, "outcome")
    run.lose(UNKNOWN, place, f"{data['outcome']!r} is unknown; 'cancelled' stands in")
    return {"outcome": "cancelled"}


# ----------------------------------------------------------------------------------------------------------- commands


def plain_command(run: Run, data: dict[str, Any], path: str) -> dict[str, Any]:
    """Of a command of unknown type, name and description are all that is sure."""
    run.lose(
        UNKNOWN,
        step(path, "type"),
        f"{data['type']!r} is unknown; only name and description are kept",
    )
    return {"name": data["name"], "description": data["description"]}


# ---------------------------------------------------------------------------------------------------------- envelopes


def request_to_client(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> Any:
    """A request with its params, by method."""
    return _envelope(run, data, result, path, "client", "request")


def request_to_agent(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> Any:
    """A request with its params, by method."""
    return _envelope(run, data, result, path, "agent", "request")


def notification_to_client(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str
) -> Any:
    """A notification with its params, by method."""
    return _envelope(run, data, result, path, "client", "notification")


def notification_to_agent(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> Any:
    """A notification with its params, by method."""
    return _envelope(run, data, result, path, "agent", "notification")


def _envelope(
    run: Run, data: dict[str, Any], result: dict[str, Any], path: str, handler: str, kind: str
) -> Any:
    method, params = data["method"], data.get("params")
    definition = run.link.source.params(method, handler, kind)
    if definition is None:  # an extension, or a method that the receiver will refuse
        return {**result, "method": method, **({} if params is None else {"params": params})}
    messages = Several()
    for output in run.nested(definition, {} if params is None else params, step(path, "params")):
        target = run.link.target.method(output.type, handler, kind)
        messages.append({**deepcopy(result), "method": target or method, "params": output.data})
    return messages
