"""A newer client in front of an older agent.

The relay plays the newer agent: it gives messages their ids, shows modes as a config option, answers prompts at once and
tells by state updates when their work ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from ._conversion import ConversionError
from ._messages import Notification, Request
from ._plans import FIELD, NEEDS_STATE
from ._relay import Forwarded, Out, Party, Relay, answer, call
from ._unset import UNSET

MODE = "mode"  # id and category of the config option that stands for the modes (MD-2)
CANCEL_REQUEST = "$/cancel_request"
_CHUNKS = {"user_message_chunk", "agent_message_chunk", "agent_thought_chunk"}
_RESETS: dict[str, Any] = {
    "name": None,
    "kind": None,
    "status": None,
    "content": [],
    "locations": [],
    "rawInput": None,
    "rawOutput": None,
}


@dataclass
class _Session:
    """What the relay knows of one session, as the agent tells it."""

    state: Any
    minted: dict[tuple[str, str | None], str] = field(default_factory=dict[tuple[str, "str | None"], str])
    prompts: list[Any] = field(default_factory=list[Any])  # ids of prompts whose work goes on
    permissions: dict[Any, None] = field(default_factory=dict[Any, None])  # ids of those that wait for the client
    modes: dict[str, Any] | None = None
    options: list[Any] = field(default_factory=list[Any])

    def shows_modes(self) -> bool:
        """Whether a config option has to stand for the modes: not where the agent has one of its own for them."""
        own = [option for option in self.options if MODE in (option.get("id"), option.get("category"))]
        return self.modes is not None and not own

    def all_options(self) -> list[Any]:
        """The config options with the one for the modes, in the agent's edition."""
        return [*self.options, _mode_option(self.modes)] if self.modes and self.shows_modes() else list(self.options)


class OldAgent(Relay):
    """Messages between a newer client and an older agent."""

    requests: ClassVar = {
        ("client", "session/load"): "open_session",
        ("client", "session/resume"): "open_session",
        ("client", "session/prompt"): "prompt",
        ("client", "session/set_config_option"): "set_config_option",
        ("agent", "session/request_permission"): "request_permission",
    }
    results: ClassVar = {
        ("client", "session/new"): "session_opened",
        ("client", "session/load"): "session_opened",
        ("client", "session/resume"): "session_opened",
        ("client", "session/prompt"): "prompt_done",
        ("client", "session/set_config_option"): "config_option_set",
        ("agent", "session/request_permission"): "permission_decided",
    }
    failures: ClassVar = {
        ("client", "session/prompt"): "prompt_failed",
        ("agent", "session/request_permission"): "permission_failed",
    }
    notifications: ClassVar = {
        ("client", "session/cancel"): "cancel",
        ("agent", "session/update"): "update",
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._client = self.editions["client"]
        self._agent = self.editions["agent"]
        self._sessions: dict[str, _Session] = {}
        self._minted = 0
        # a draft without state updates still ends prompts by their result
        self._tells_state = "state_update" in self._client.UPDATES
        self._tool_call_fields = {field.name: field.default for field in fields(self._client.ToolCallUpdate)}
        self._merges_meta = self._tool_call_fields["meta"] is UNSET

    def _session(self, session_id: str) -> _Session:
        return self._sessions.setdefault(session_id, _Session(self._agent.SessionState()))

    def _mint(self) -> str:
        self._minted += 1
        return f"bridge-{self._minted}"

    def _tell(self, session_id: str, update: dict[str, Any]) -> tuple[str, Any]:
        """An update in the client's edition."""
        return "client", call("session/update", {"sessionId": session_id, "update": update})

    # --------------------------------------------------------------------------------------------- sessions and modes

    def open_session(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """Where all is told again, nothing is known before."""
        out = self.forward_request(sender, message, data)
        for _, passed in out:
            if passed.get("method") == "session/load":
                session = self._session(data["params"]["sessionId"])
                session.state = self._agent.SessionState()
                session.minted.clear()
        return out

    def session_opened(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """Modes become a config option (MD-2); a resumed session gets the state that the client waits for."""
        result: dict[str, Any] = data["result"]
        session_id = entry.session(result)
        session = self._session(session_id)
        received: set[str] = session.state.received  # an update is newer than the result that it came before
        session.modes = result.get("modes")
        if session.modes is not None and "current_mode" in received:
            session.modes = {**session.modes, "currentModeId": session.state.current_mode}
        if "config_options" not in received:
            session.options = result.get("configOptions") or []
        told = {key: value for key, value in result.items() if key != "modes"}
        if self._tells_state or session.shows_modes():
            told["configOptions"] = session.all_options()
        out: Out = [(requester, answer(data["id"], self.convert_result(requester, entry, told)))]
        if self._tells_state and entry.method != "session/new" and not session.prompts:
            out.append(self._tell(session_id, {"sessionUpdate": "state_update", "state": "idle"}))
        return out

    def set_config_option(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """The option that stands for the modes sets the mode (MD-3)."""
        params: dict[str, Any] = self.convert_params(sender, message, data["params"]).data
        session = self._session(params["sessionId"])
        if not session.shows_modes() or params["configId"] != MODE:
            return self.forward_request(sender, message, data)
        if not isinstance(params["value"], str):
            raise ConversionError(FIELD, "/params/value", "a mode is chosen by its id")
        return self.pass_request(
            sender, data, "session/set_mode", {"sessionId": params["sessionId"], "modeId": params["value"]}
        )

    def config_option_set(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        session = self._session(entry.params["sessionId"])
        if entry.passed_as == "session/set_mode":
            if session.modes is not None:
                session.modes = {**session.modes, "currentModeId": entry.params["value"]}
        else:
            session.options = data["result"]["configOptions"]
        (converted,) = self.convert(
            "agent",
            "SetSessionConfigOptionResponse",
            {**data["result"], "configOptions": session.all_options()},
            "/result",
        )
        return [(requester, answer(data["id"], converted.data))]

    # -------------------------------------------------------------------------------------------------------- prompts

    def prompt(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """Answer at once: the message is accepted, its echo follows, and the work begins (PP-2)."""
        prompt = self.convert_params(sender, message, data["params"])
        session_id: str = data["params"]["sessionId"]
        session = self._session(session_id)
        out = self.pass_request(sender, data, message.method, prompt.data)
        self._agent.apply_prompt_request(session.state, self._agent.decode(prompt.type, prompt.data))
        if not self._tells_state:
            return out
        session.prompts.append(data["id"])
        message_id = self._mint()
        echo = {"sessionUpdate": "user_message", "messageId": message_id, "content": data["params"]["prompt"]}
        return [
            *out,
            ("client", answer(data["id"], {"messageId": message_id})),
            self._tell(session_id, echo),
            self._tell(session_id, {"sessionUpdate": "state_update", "state": "running"}),
        ]

    def prompt_done(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        if not self._tells_state:
            return self.forward_result(requester, entry, data)
        result: dict[str, Any] = data["result"]
        idle = {"sessionUpdate": "state_update", "state": "idle", **result}
        return self._work_ended(entry, data["id"], idle)

    def prompt_failed(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """The client has its answer already: the error ends the work (PP-6)."""
        if not self._tells_state:
            return self.forward_error(requester, entry, data)
        idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "error", "error": data["error"]}
        return self._work_ended(entry, data["id"], idle)

    def _work_ended(self, entry: Forwarded, request_id: Any, idle: dict[str, Any]) -> Out:
        session_id: str = entry.params["sessionId"]
        session = self._session(session_id)
        session.prompts.remove(request_id)
        # the work of another prompt goes on
        return [] if session.prompts else [self._tell(session_id, idle)]

    def cancel(self, sender: Party, message: Notification, data: dict[str, Any]) -> Out:
        """An older agent waits for the client to give up its permission requests; a newer client waits for the agent."""
        session = self._session(data["params"]["sessionId"])
        out = self.forward_notification(sender, message, data)
        for request_id in session.permissions:
            self.answer_for("agent", request_id)
            out.append(("agent", answer(request_id, {"outcome": {"outcome": "cancelled"}})))
            if (CANCEL_REQUEST, "client", "notification") in self._client.METHODS:
                out.append(("client", call(CANCEL_REQUEST, {"requestId": request_id})))
        session.permissions.clear()
        return out

    # ---------------------------------------------------------------------------------------------------- permissions

    def request_permission(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """A tool call without a title is called what it was called before (PR-1)."""
        params: dict[str, Any] = data["params"]
        session = self._session(params["sessionId"])
        self._agent.apply_request_permission_request(session.state, message.params)
        title = session.state.tool_calls[message.params.tool_call.tool_call_id].title
        is_named = message.params.tool_call.title is not None
        if title and not is_named:
            params = {**params, "toolCall": {**params["toolCall"], "title": title}}
        converted = self.convert_params(sender, message, params).data
        if title and not is_named:
            del converted.get("subject", converted)["toolCall"]["title"]
        out = self.pass_request(sender, data, message.method, converted)
        session.permissions[data["id"]] = None
        return out

    def permission_decided(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        self._session(entry.params["sessionId"]).permissions.pop(data["id"], None)
        return self.forward_result(requester, entry, data)

    def permission_failed(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        self._session(entry.params["sessionId"]).permissions.pop(data["id"], None)
        return self.forward_error(requester, entry, data)

    # -------------------------------------------------------------------------------------------------------- updates

    def update(self, sender: Party, message: Notification, data: dict[str, Any]) -> Out:
        """Fold the update, and put into its conversion what only the session so far can tell."""
        params: dict[str, Any] = data["params"]
        wire: dict[str, Any] = params["update"]
        session = self._session(params["sessionId"])
        tag: str = wire["sessionUpdate"]
        earlier = session.state.tool_calls.get(wire["toolCallId"]) if tag == "tool_call" else None
        gone_meta = dict(earlier.meta or {}) if earlier else {}
        change = self._agent.apply_update(session.state, message.params.update)
        if tag in _CHUNKS and message.params.update.message_id is None:
            key = change.kind, change.id
            wire = {**wire, "messageId": session.minted.get(key) or session.minted.setdefault(key, self._mint())}
        elif tag == "current_mode_update":
            wire = self._mode_changed(session, wire)
        elif tag == "config_option_update":
            session.options = wire["configOptions"]
            wire = {**wire, "configOptions": session.all_options()}
        out = self.forward_notification(sender, message, {**data, "params": {**params, "update": wire}})
        if tag == "tool_call" and not change.created:
            for _, passed in out:
                self._reset(passed["params"]["update"], gone_meta)
        return out

    def _mode_changed(self, session: _Session, wire: dict[str, Any]) -> dict[str, Any]:
        """The whole list of options, with the mode's set (MD-1)."""
        if session.modes is None:
            raise ConversionError(NEEDS_STATE, "/params/update", "the agent has not said which modes there are")
        session.modes = {**session.modes, "currentModeId": wire["currentModeId"]}
        kept = {key: value for key, value in wire.items() if key not in ("sessionUpdate", "currentModeId")}
        return {**kept, "sessionUpdate": "config_option_update", "configOptions": session.all_options()}

    def _reset(self, update: dict[str, Any], meta: dict[str, Any]) -> None:
        """A tool call that is told anew forgets what it does not repeat (TC-1)."""
        for name, value in _RESETS.items():
            if name not in update and _snake(name) in self._tool_call_fields:
                update[name] = value
        gone = {key: None for key in meta if key not in update.get("_meta", {})}
        if gone and self._merges_meta:
            update["_meta"] = {**gone, **update.get("_meta", {})}


def _mode_option(modes: dict[str, Any]) -> dict[str, Any]:
    """A config option of the agent's edition that offers the modes."""
    options = [
        {"value": mode["id"], **{key: value for key, value in mode.items() if key != "id"}}
        for mode in modes["availableModes"]
    ]
    return {
        "id": MODE,
        "name": "Mode",
        "category": MODE,
        "type": "select",
        "currentValue": modes["currentModeId"],
        "options": options,
    }


def _snake(wire: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in wire)
