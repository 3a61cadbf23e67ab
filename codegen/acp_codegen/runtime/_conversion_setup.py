"""Hand-written conversions of what comes before a session: initialize, capabilities, authentication, loading."""

from __future__ import annotations

from typing import Any

from ._conversion import Run
from ._errors import step
from ._plans import FIELD, MISSING, NO_EQUIVALENT, REMOVED, Converted, Omitted

UNNAMED = {"name": "unknown", "version": "unknown"}

# ----------------------------------------------------------------------------------------------------- flags, markers


def flag_as_marker(run: Run, data: bool, path: str) -> Any:
    """True as an empty object; false is said by saying nothing."""
    return {} if data else Omitted


def marker_as_flag(run: Run, data: dict[str, Any], path: str) -> bool:
    """An object as true; what it carries has no place in a flag."""
    run.lose_rest(data, path, ())
    return True


def implied_markers(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """Features that every peer of the target has need no marker; what the markers carry is lost."""
    for name in ("list", "resume", "close", "logout"):
        if name in data:
            run.lose_rest(data[name], step(path, name), ())
    return result


# --------------------------------------------------------------------------------------------------------- initialize


def own_version(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The protocol version is the one that the target speaks."""
    return {"protocolVersion": run.link.target.protocol_version, **result}


def initialize_up(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """A client's introduction, which the newer edition wants a name in."""
    result["info"] = _info(run, data, path, "clientInfo")
    place = step(path, "clientCapabilities")
    result["capabilities"] = run.definition("ClientCapabilities", data["clientCapabilities"], place)
    return own_version(run, data, result, path)


def initialize_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """A client's introduction to an agent of the older edition."""
    result["clientInfo"] = data["info"]
    place = step(path, "capabilities")
    result["clientCapabilities"] = run.definition("ClientCapabilities", data["capabilities"], place)
    return own_version(run, data, result, path)


def initialized_up(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """An agent's introduction; having ways to log in and being able to log out are one thing there."""
    result["info"] = _info(run, data, path, "agentInfo")
    capabilities, place = data["agentCapabilities"], step(path, "agentCapabilities")
    logs_out = "logout" in capabilities["auth"]
    if logs_out and not data["authMethods"]:
        run.lose(FIELD, step(step(place, "auth"), "logout"), "logging out goes with authMethods, and there are none")
    if data["authMethods"] and not logs_out:
        run.lose(FIELD, step(path, "authMethods"), "authMethods imply logging out, which is not announced")
    result["capabilities"] = run.definition("AgentCapabilities", capabilities, place)
    return own_version(run, data, result, path)


def initialized_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """An agent's introduction; ways to log in imply that one can log out."""
    result["agentInfo"] = data["info"]
    capabilities = run.definition("AgentCapabilities", data["capabilities"], step(path, "capabilities"))
    if data.get("authMethods"):
        capabilities["auth"] = {**capabilities["auth"], "logout": {}}
    result["agentCapabilities"] = capabilities
    return own_version(run, data, result, path)


def initialized_up_with_markers(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The same for a target where an agent may do without a name, and announces all that it can."""
    place = step(path, "agentCapabilities")
    result["capabilities"] = run.definition("AgentCapabilities", data["agentCapabilities"], place)
    return own_version(run, data, result, path)


def initialized_down_from_markers(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The way back."""
    place = step(path, "capabilities")
    result["agentCapabilities"] = run.definition("AgentCapabilities", data["capabilities"], place)
    return own_version(run, data, result, path)


def _info(run: Run, data: dict[str, Any], path: str, name: str) -> dict[str, Any]:
    info: dict[str, Any] | None = data.get(name)
    if info is None:
        run.lose(MISSING, step(path, name), f"{run.link.target.name} requires a name and version; 'unknown' stands in")
        return dict(UNNAMED)
    return info


# ------------------------------------------------------------------------------------------- capabilities of a client


def client_up(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """Files and terminals of the client are gone; what its session section announces is always there."""
    _lose_client_services(run, data, path)
    _lose_below(run, data.get("session"), step(path, "session"), ("configOptions", "notices", "compaction"))
    auth = run.definition("AuthCapabilities", data["auth"], step(path, "auth"))
    return {**result, "auth": auth} if auth else result


def client_up_to_bare(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The same for a target that knows no features of a client at all."""
    _lose_client_services(run, data, path)
    for name in ("session", "elicitation"):
        if name in data:
            run.lose(FIELD, step(path, name), f"{run.link.target.name} has no place for it")
    auth, place = data["auth"], step(path, "auth")
    run.lose_rest({name: value for name, value in auth.items() if value is not False}, place, ())
    return result


def client_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """A client of the newer edition takes boolean options, and offers neither files nor terminals."""
    result = client_down_from_bare(run, data, result, path)
    result["session"] = {"configOptions": {"boolean": {}}}
    auth = run.definition("ClientAuthCapabilities", data.get("auth", {}), step(path, "auth"))
    result["auth"] = {"terminal": False, **auth}
    return result


def client_down_from_bare(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The same for a source that knows no features of a client at all."""
    files = {"readTextFile": False, "writeTextFile": False}
    return {**result, "fs": files, "terminal": False, "auth": {"terminal": False}}


def _lose_client_services(run: Run, data: dict[str, Any], path: str) -> None:
    place = step(path, "fs")
    for name, value in data["fs"].items():
        if value is True:
            run.lose(REMOVED, step(place, name), f"{run.link.target.name} has no methods for files")
        elif value is not False:
            run.lose_rest({name: value}, place, ())
    if data["terminal"]:
        run.lose(REMOVED, step(path, "terminal"), f"{run.link.target.name} has no methods for terminals")


def _lose_below(run: Run, data: dict[str, Any] | None, path: str, implied: tuple[str, ...]) -> None:
    """Lose everything but empty objects, which is how implied features are announced."""
    for name, value in (data or {}).items():
        if name not in implied:
            run.lose_rest({name: value}, path, ())
        elif value:
            _lose_below(run, value, step(path, name), ("boolean",) if name == "configOptions" else ())


# ------------------------------------------------------------------------------------------- capabilities of an agent


def agent_up(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """Loading, listing, resuming and closing sessions are not optional in the newer edition."""
    place = step(path, "sessionCapabilities")
    if not data["loadSession"]:
        run.lose(
            MISSING, step(path, "loadSession"), f"{run.link.target.name} requires it; it is announced nevertheless"
        )
    for name in ("list", "resume", "close"):
        if name not in data["sessionCapabilities"]:
            run.lose(MISSING, step(place, name), f"{run.link.target.name} requires it; it is announced nevertheless")
    result["session"] = _session_up(run, data, path)
    auth = run.definition("AgentAuthCapabilities", data["auth"], step(path, "auth"))
    return {**result, "auth": auth} if auth else result


def agent_up_with_markers(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The same where they are announced by markers."""
    result["session"] = _session_up(run, data, path)
    if data["loadSession"]:
        result["session"]["load"] = {}
    return result


def _session_up(run: Run, data: dict[str, Any], path: str) -> dict[str, Any]:
    session: dict[str, Any] = dict(
        run.definition("SessionCapabilities", data["sessionCapabilities"], step(path, "sessionCapabilities"))
    )
    prompt = run.definition("PromptCapabilities", data["promptCapabilities"], step(path, "promptCapabilities"))
    if prompt:
        session["prompt"] = prompt
    session["mcp"] = run.definition("McpCapabilities", data["mcpCapabilities"], step(path, "mcpCapabilities"))
    return session


def agent_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """An agent with sessions; what the newer edition takes for granted is announced."""
    result = _session_down(run, data, result, path)
    result["loadSession"] = True
    result["sessionCapabilities"] |= {"list": {}, "resume": {}, "close": {}}
    return {**result, "auth": data.get("auth", {})}


def agent_down_from_markers(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """The same where it is announced by markers."""
    result = _session_down(run, data, result, path)
    load = data["session"].get("load")
    if load is not None:
        run.lose_rest(load, step(step(path, "session"), "load"), ())
    return {**result, "loadSession": load is not None}


def _session_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    session, place = data.get("session"), step(path, "session")
    if session is None:
        run.fail(NO_EQUIVALENT, place, f"an agent of {run.link.target.name} has sessions")
    own = {name: value for name, value in session.items() if name not in ("prompt", "mcp", "load")}
    result["promptCapabilities"] = run.definition(
        "PromptCapabilities", session.get("prompt", {}), step(place, "prompt")
    )
    result["mcpCapabilities"] = run.definition("McpCapabilities", session.get("mcp", {}), step(place, "mcp"))
    result["sessionCapabilities"] = dict(run.definition("SessionCapabilities", own, place))
    return result


def mcp_up(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """Standard input and output always worked; server-sent events are gone."""
    if data["sse"]:
        run.lose(REMOVED, step(path, "sse"), f"{run.link.target.name} has no MCP servers over SSE")
    return {"stdio": {}, **result}


def mcp_down(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """An agent without standard input and output cannot be told from one with it."""
    run.lose_rest(data.get("stdio", {}), step(path, "stdio"), ())
    return {**result, "sse": False}


# ------------------------------------------------------------------------------------------ authentication, MCP, loading


def variables_as_list(run: Run, data: dict[str, str], path: str) -> list[dict[str, str]]:
    """A map of variables in the order of their names."""
    return [{"name": name, "value": data[name]} for name in sorted(data)]


def variables_as_map(run: Run, data: list[dict[str, Any]], path: str) -> dict[str, str]:
    """A list of variables; of several values for a name the last one counts."""
    result: dict[str, str] = {}
    for index, variable in enumerate(data):
        place = f"{path}/{index}"
        run.lose_rest(variable, place, ("name", "value"))
        if variable["name"] in result:
            run.lose(FIELD, place, f"{variable['name']!r} has a value already; the last one counts")
        result[variable["name"]] = variable["value"]
    return result


def load_as_resume(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> dict[str, Any]:
    """Loading a session is resuming it with everything replayed."""
    return {**result, "replayFrom": {"type": "start"}}


def resume_or_load(run: Run, data: dict[str, Any], result: dict[str, Any], path: str) -> Any:
    """Resuming with a replay from the start is loading; without any replay it is resuming."""
    replay, place = data.get("replayFrom"), step(path, "replayFrom")
    if replay is None:
        return result
    if replay["type"] != "start":
        run.refuse_unknown(replay["type"], step(place, "type"))
    run.lose_rest(replay, place, ("type",))
    return Converted("LoadSessionRequest", {"mcpServers": [], **result})
