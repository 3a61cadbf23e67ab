"""An older client in front of a newer agent.

The relay plays the older agent: it answers a prompt when the work ends, sends what older updates cannot append or patch
as a whole, and turns terminals into text.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ._conversion import ConversionError
from ._messages import Notification, Request
from ._plans import FIELD, MISSING, NEEDS_STATE, NO_EQUIVALENT, UNKNOWN
from ._relay import INTERNAL_ERROR, Forwarded, Out, Party, Relay, answer, call, failed
from ._terminal_text import terminal_text

MODE = "mode"
_WHOLE = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}
_CHUNKS = {
    "user_message_chunk": "user",
    "agent_message_chunk": "agent",
    "agent_thought_chunk": "thought",
}
# Updates that an older client gets only if it asked for them, and the capability that asks (NC-1).
_ON_REQUEST = {
    "notice": "notices",
    "compaction_update": "compaction",
    "compaction_summary_chunk": "compaction",
}


@dataclass
class _Prompt:
    """A prompt that the client waits for."""

    id: Any
    content: list[Any]
    began: bool = False  # the agent has accepted it, or reports work
    echoed: bool = False


@dataclass
class _Message:
    """What the client has of a message: the id that it knows it by, and the blocks that it got."""

    id: str
    blocks: list[Any]


@dataclass
class _Session:
    """What the relay knows of one session, as the agent tells it."""

    state: Any
    prompts: list[_Prompt] = field(default_factory=list[_Prompt])
    messages: dict[tuple[str, str], _Message] = field(
        default_factory=dict[tuple[str, str], _Message]
    )
    tool_calls: set[str] = field(default_factory=set[str])  # those that the client has heard of
    options: list[Any] = field(default_factory=list[Any])  # config options as the client has them


class NewAgent(Relay):
    """Messages between an older client and a newer agent."""

    requests: ClassVar = {
        ("client", "initialize"): "initialize",
        ("client", "session/load"): "load_session",
        ("client", "session/prompt"): "prompt",
        ("client", "session/set_mode"): "set_mode",
        ("agent", "session/request_permission"): "request_permission",
    }
    results: ClassVar = {
        ("client", "session/new"): "session_opened",
        ("client", "session/load"): "session_opened",
        ("client", "session/resume"): "session_opened",
        ("client", "session/prompt"): "prompt_accepted",
        ("client", "session/set_mode"): "mode_set",
        ("client", "session/set_config_option"): "config_option_set",
    }
    failures: ClassVar = {("client", "session/prompt"): "prompt_failed"}
    notifications: ClassVar = {("agent", "session/update"): "update"}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._agent = self.editions["agent"]
        self._sessions: dict[str, _Session] = {}
        self._wants: dict[str, Any] = {}  # what the client asked for with its session capabilities
        self._minted = 0
        # a draft without state updates ends prompts by their result, as the client expects
        self._tells_state = "state_update" in self._agent.UPDATES

    def _session(self, session_id: str) -> _Session:
        return self._sessions.setdefault(session_id, _Session(self._agent.SessionState()))

    def initialize(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        self._wants = data["params"].get("clientCapabilities", {}).get("session", {})
        return self.forward_request(sender, message, data)

    # --------------------------------------------------------------------------------------------- sessions and modes

    def load_session(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """All is told again to a client that knows nothing of it."""
        out = self.forward_request(sender, message, data)
        session_id: str = data["params"]["sessionId"]
        self._sessions[session_id] = _Session(
            self._agent.SessionState(), self._session(session_id).prompts
        )
        return out

    def session_opened(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """Commands that come with the result follow it as an update (SL-4)."""
        commands = data["result"].get("availableCommands")
        told = {key: value for key, value in data["result"].items() if key != "availableCommands"}
        result: dict[str, Any] = self.convert_result(requester, entry, told)
        session_id = entry.session(result)
        session = self._session(session_id)
        if (
            "config_options" not in session.state.received
        ):  # an update is newer than the result that it came before
            session.options = deepcopy(result.get("configOptions") or [])
        out: Out = [(requester, answer(data["id"], result))]
        if commands:
            update = {"sessionUpdate": "available_commands_update", "availableCommands": commands}
            out += self._tell(session_id, update)
        return out

    def set_mode(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        """A mode is the value of the config option for modes (MD-3)."""
        params: dict[str, Any] = data["params"]
        options = self._session(params["sessionId"]).options
        option = next((o for o in options if MODE in (o.get("category"), o["id"])), None)
        if option is None:
            raise ConversionError(
                NEEDS_STATE, "/params/modeId", "the agent has no config option for modes"
            )
        request = {
            "sessionId": params["sessionId"],
            "configId": option["id"],
            "value": params["modeId"],
        }
        (converted,) = self.convert(sender, "SetSessionConfigOptionRequest", request, "/params")
        return self.pass_request(sender, data, "session/set_config_option", converted.data)

    def mode_set(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """The result of setting a mode says nothing, so an update tells what the options are now."""
        session_id: str = entry.params["sessionId"]
        update = {
            "sessionUpdate": "config_option_update",
            "configOptions": data["result"]["configOptions"],
        }
        return [(requester, answer(data["id"], {})), *self._tell(session_id, update)]

    def config_option_set(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        result = self.convert_result(requester, entry, data["result"])
        self._session(entry.params["sessionId"]).options = deepcopy(result["configOptions"])
        return [(requester, answer(data["id"], result))]

    # -------------------------------------------------------------------------------------------------------- prompts

    def prompt(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        prompt = self.convert_params(sender, message, data["params"]).data
        out = self.pass_request(sender, data, message.method, prompt)
        if self._tells_state:
            self._session(data["params"]["sessionId"]).prompts.append(
                _Prompt(data["id"], prompt["prompt"])
            )
        return out

    def prompt_accepted(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        """The older client waits for the end of the work, not for this (PP-3)."""
        if not self._tells_state:
            return self.forward_result(requester, entry, data)
        for prompt in self._session(entry.params["sessionId"]).prompts:
            prompt.began = prompt.began or prompt.id == data["id"]
        self.hold(requester, data["id"])
        return []

    def prompt_failed(self, requester: Party, entry: Forwarded, data: dict[str, Any]) -> Out:
        session = self._session(entry.params["sessionId"])
        session.prompts = [prompt for prompt in session.prompts if prompt.id != data["id"]]
        return self.forward_error(requester, entry, data)

    def _state(self, session: _Session, update: dict[str, Any]) -> Out:
        """Idle answers the prompts that wait; an older client takes all other states for granted (PP-4, PP-5)."""
        if update["state"] != "idle":
            for prompt in session.prompts:
                prompt.began = True
            return []
        reason = update.get("stopReason")
        if reason is None and not any(prompt.began for prompt in session.prompts):
            return []  # a snapshot of the time before the prompt
        prompts, session.prompts = session.prompts, []
        for prompt in prompts:
            self.answer_for("client", prompt.id)
        return [("client", self._ending(prompt.id, update, reason)) for prompt in prompts]

    def _ending(self, request_id: Any, update: dict[str, Any], reason: Any) -> dict[str, Any]:
        if reason == "error":  # PP-6
            error = update.get("error") or {
                "code": INTERNAL_ERROR,
                "message": "the agent stopped with an error",
            }
            return {"jsonrpc": "2.0", "id": request_id, "error": error}
        try:
            if reason is None:
                self.lose(
                    MISSING, "/params/update/stopReason", "the agent did not say why it stopped"
                )
                reason = "end_turn"
            result = {"stopReason": reason}
            if not self.editions["client"].StopReasonValues.is_known(reason):  # PP-7
                raise ConversionError(
                    UNKNOWN, "/params/update/stopReason", f"{reason!r} has no counterpart"
                )
        except ConversionError as error:
            self.report("agent", error, update)
            return failed(request_id, error.code, error.path, error.message)
        return answer(request_id, result)

    # ---------------------------------------------------------------------------------------------------- permissions

    def request_permission(self, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        params: dict[str, Any] = data["params"]
        session = self._session(params["sessionId"])
        self._agent.apply_request_permission_request(session.state, message.params)
        if "toolCall" in params:  # a draft in which the request is about the tool call itself
            return self._ask(session, sender, message, data)
        subject: dict[str, Any] | None = params.get("subject")
        if subject is None:  # PR-4
            self.lose(
                NO_EQUIVALENT, "/params/subject", "an older client needs a tool call to ask about"
            )
            self._minted += 1
            subject = {"type": "tool_call", "toolCall": {"toolCallId": f"bridge-{self._minted}"}}
        elif subject["type"] != "tool_call":  # PR-5
            code = NO_EQUIVALENT if subject["type"] == "command" else UNKNOWN
            self.lose(
                code, "/params/subject", "declined for the client, which cannot be asked about it"
            )
            return [(sender, answer(data["id"], {"outcome": {"outcome": "cancelled"}}))]
        tool_call = self._whole_content(session, subject["toolCall"])
        stored = session.state.tool_calls.get(tool_call["toolCallId"])
        if "title" not in tool_call and (stored is None or stored.title in (None, params["title"])):
            tool_call = {**tool_call, "title": params["title"]}
        asked = {**params, "subject": {**subject, "toolCall": tool_call}}
        return self._ask(session, sender, message, {**data, "params": asked})

    def _ask(self, session: _Session, sender: Party, message: Request, data: dict[str, Any]) -> Out:
        out = self.forward_request(sender, message, data)
        for _, passed in out:
            session.tool_calls.add(passed["params"]["toolCall"]["toolCallId"])
        return out

    # -------------------------------------------------------------------------------------------------------- updates

    def update(self, sender: Party, message: Notification, data: dict[str, Any]) -> Out:
        params: dict[str, Any] = data["params"]
        session = self._session(params["sessionId"])
        update: dict[str, Any] = params["update"]
        tag: str = update["sessionUpdate"]
        change = self._agent.apply_update(session.state, message.params.update)
        if tag not in self._agent.UPDATES:
            return self._pass(params, update)
        if tag == "state_update":
            return self._state(session, update)
        if tag in _WHOLE:
            return self._message(session, params, _WHOLE[tag])
        if tag in _CHUNKS:
            return self._chunk(session, params, _CHUNKS[tag])
        if tag == "tool_call_update":
            return self._tool_call(
                session, params, self._whole_content(session, _with_defaults(update))
            )
        if tag == "tool_call_content_chunk":
            return self._tool_call(session, params, self._content_of(session, update["toolCallId"]))
        if change.kind == "terminals":
            return [
                output
                for key in self._showing(session, update["terminalId"])
                for output in self._tool_call(session, params, self._content_of(session, key))
            ]
        if tag in _ON_REQUEST:
            return self._on_request(params, message.params.update, tag)
        out = self._pass(params, update)
        if tag == "config_option_update":
            for _, passed in out:
                session.options = deepcopy(passed["params"]["update"]["configOptions"])
        return out

    def _pass(self, params: dict[str, Any], update: dict[str, Any]) -> Out:
        """Convert an update, and with it what else the notification says (MS-7)."""
        type_ = self._agent.METHODS["session/update", "client", "notification"].params
        outputs = self.convert("agent", type_, {**params, "update": update}, "/params")
        return [("client", call("session/update", output.data)) for output in outputs]

    def _tell(self, session_id: str, update: dict[str, Any]) -> Out:
        return self._pass({"sessionId": session_id}, update)

    # ------------------------------------------------------------------------------------------------------- messages

    def _chunk(self, session: _Session, params: dict[str, Any], kind: str) -> Out:
        update: dict[str, Any] = params["update"]
        key = kind, update["messageId"]
        known = session.messages.get(key) or _Message(update["messageId"], [])
        out = self._pass(params, {**update, "messageId": known.id})
        if out:
            known.blocks.append(update["content"])
            session.messages[key] = known
        return out

    def _message(self, session: _Session, params: dict[str, Any], kind: str) -> Out:
        """One chunk a block; what the client has already cannot be taken back (MS-4, MS-5, MS-6)."""
        update: dict[str, Any] = params["update"]
        blocks: list[Any] = update.get("content") or []
        key = kind, update["messageId"]
        known = session.messages.get(key)
        if known is None and self._is_echo(session, kind, blocks):
            session.messages[key] = _Message(update["messageId"], list(blocks))
            return []
        if known is None or not blocks:
            out = self._pass(params, update)
            if out:
                session.messages[key] = _Message(update["messageId"], list(blocks))
            return out
        if blocks[: len(known.blocks)] == known.blocks:
            rest = blocks[len(known.blocks) :]
            if not rest and "_meta" in update:
                self.lose(
                    FIELD,
                    "/params/update/_meta",
                    "an older client gets metadata with new content only",
                )
            out = (
                self._pass(params, {**update, "messageId": known.id, "content": rest})
                if rest
                else []
            )
            known.blocks = list(blocks)
            return out
        self.lose(
            NEEDS_STATE,
            "/params/update/content",
            "an older client cannot replace content that it has",
        )
        self._minted += 1
        fresh = _Message(f"{update['messageId']}-{self._minted}", list(blocks))
        out = self._pass(params, {**update, "messageId": fresh.id})
        session.messages[key] = fresh
        return out

    def _is_echo(self, session: _Session, kind: str, blocks: list[Any]) -> bool:
        """Whether this repeats a prompt: the older client shows its own."""
        for prompt in session.prompts if kind == "user" else ():
            if not prompt.echoed and prompt.content == blocks:
                prompt.echoed = True
                return True
        return False

    # ----------------------------------------------------------------------------------------------------- tool calls

    def _tool_call(self, session: _Session, params: dict[str, Any], update: dict[str, Any]) -> Out:
        """The first report of a tool call creates it where it can (TC-3)."""
        out = self._pass(params, {**update, "sessionUpdate": "tool_call_update"})
        for _, passed in out:
            told: dict[str, Any] = passed["params"]["update"]
            if told["toolCallId"] not in session.tool_calls and "title" in told:
                told["sessionUpdate"] = "tool_call"
            session.tool_calls.add(told["toolCallId"])
        return out

    def _content_of(self, session: _Session, tool_call_id: str) -> dict[str, Any]:
        """All that a tool call holds by now, since an older client cannot append (TC-8)."""
        entry = session.state.tool_calls[tool_call_id]
        content = [self._agent.encode(item, "ToolCallContent") for item in entry.content]
        return self._whole_content(session, {"toolCallId": tool_call_id, "content": content})

    def _whole_content(self, session: _Session, update: dict[str, Any]) -> dict[str, Any]:
        """The update with terminals as the text that they show (CT-8)."""
        content: list[Any] | None = update.get("content")
        if not content:
            return update
        return {**update, "content": [self._item(session, item) for item in content]}

    def _item(self, session: _Session, item: dict[str, Any]) -> dict[str, Any]:
        if item.get("type") != "terminal":
            return item
        terminal = session.state.terminals.get(item["terminalId"])
        text = terminal_text(bytes(terminal.output)) if terminal else ""
        return {"type": "content", "content": {"type": "text", "text": text}}

    def _showing(self, session: _Session, terminal_id: str) -> list[str]:
        """The tool calls in which the terminal is shown."""
        return [
            key
            for key, entry in session.state.tool_calls.items()
            if any(getattr(item, "terminal_id", None) == terminal_id for item in entry.content)
        ]

    # ---------------------------------------------------------------------------------------------- only if asked for

    def _on_request(self, params: dict[str, Any], update: Any, tag: str) -> Out:
        if _ON_REQUEST[tag] not in self._wants:
            self.lose(
                NO_EQUIVALENT, "/params/update", f"the client did not ask for {_ON_REQUEST[tag]}"
            )
            return []
        payload = {key: value for key, value in params["update"].items() if key != "sessionUpdate"}
        return [
            (
                "client",
                call(
                    "session/update", {**params, "update": {"sessionUpdate": tag, **converted.data}}
                ),
            )
            for converted in self.convert("agent", type(update), payload, "/params/update")
        ]


def _with_defaults(update: dict[str, Any]) -> dict[str, Any]:
    """Cleared kind and status are what a new tool call has (TC-4)."""
    defaults = {"kind": "other", "status": "pending"}
    return {
        **update,
        **{key: value for key, value in defaults.items() if key in update and update[key] is None},
    }
