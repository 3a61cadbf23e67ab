"""Rules for what surrounds sessions: initialize, capabilities, authentication, setting up, options, MCP servers."""

from __future__ import annotations

from ..runtime import _conversion_setup as by_hand
from ..runtime._plans import FIELD, MISSING, NEEDS_STATE, NO_EQUIVALENT, REMOVED
from .kinds import (
    BOTH,
    DOWN,
    JUNE,
    NEWEST,
    UP,
    AfterFields,
    Becomes,
    CannotSay,
    FieldByHand,
    Fills,
    Narrows,
    NoPlace,
    Renamed,
    RenamedField,
    Rules,
)

_VERSION = ("protocolVersion",)

_CLIENT: Rules = (
    AfterFields(
        "IN-1",
        NEWEST,
        UP,
        ("InitializeRequest",),
        by_hand.initialize_up,
        takes=(*_VERSION, "clientInfo", "clientCapabilities"),
        gives=(*_VERSION, "info", "capabilities"),
    ),
    AfterFields(
        "IN-1",
        NEWEST,
        UP,
        ("ClientCapabilities",),
        by_hand.client_up,
        takes=("fs", "terminal", "session", "auth"),
        gives=("auth",),
    ),
    Renamed("IN-1", NEWEST, "AuthCapabilities", "ClientAuthCapabilities"),
    FieldByHand("IN-1", NEWEST, UP, ("AuthCapabilities.terminal",), by_hand.flag_as_marker),
    CannotSay("IN-1", BOTH, UP, FIELD, ("ClientSessionCapabilities", "SessionConfigOptionsCapabilities")),
    CannotSay("IN-1", BOTH, UP, FIELD, ("BooleanConfigOptionCapabilities", "NoticeCapabilities")),
    CannotSay("IN-1", BOTH, UP, FIELD, ("CompactionCapabilities",)),
    CannotSay("IN-1", JUNE, UP, FIELD, ("AuthCapabilities",)),
    RenamedField("IN-1", JUNE, "InitializeRequest.clientCapabilities", "capabilities"),
    AfterFields(
        "IN-1",
        JUNE,
        UP,
        ("ClientCapabilities",),
        by_hand.client_up_to_bare,
        takes=("fs", "terminal", "session", "auth", "elicitation"),
    ),
    CannotSay("IN-2", BOTH, UP, REMOVED, ("FileSystemCapabilities",)),
    AfterFields(
        "IN-3",
        NEWEST,
        DOWN,
        ("InitializeRequest",),
        by_hand.initialize_down,
        takes=(*_VERSION, "info", "capabilities"),
        gives=(*_VERSION, "clientInfo", "clientCapabilities"),
    ),
    AfterFields(
        "IN-3",
        NEWEST,
        DOWN,
        ("ClientCapabilities",),
        by_hand.client_down,
        takes=("auth",),
        gives=("fs", "terminal", "session", "auth"),
    ),
    FieldByHand("IN-3", NEWEST, DOWN, ("ClientAuthCapabilities.terminal",), by_hand.marker_as_flag),
    CannotSay("IN-3", NEWEST, DOWN, FIELD, ("TerminalAuthCapabilities",)),
    AfterFields(
        "IN-3",
        JUNE,
        DOWN,
        ("ClientCapabilities",),
        by_hand.client_down_from_bare,
        gives=("fs", "terminal", "auth"),
    ),
    *(
        AfterFields("IN-4", JUNE, way, ("InitializeRequest",), by_hand.own_version, takes=_VERSION, gives=_VERSION)
        for way in (UP, DOWN)
    ),
)

_OLDER_AGENT = ("loadSession", "promptCapabilities", "mcpCapabilities", "sessionCapabilities")
_FLAGS = tuple(f"PromptCapabilities.{name}" for name in ("image", "audio", "embeddedContext"))

_AGENT: Rules = (
    AfterFields(
        "IN-5",
        NEWEST,
        UP,
        ("InitializeResponse",),
        by_hand.initialized_up,  # settles IN-7 too
        takes=(*_VERSION, "agentInfo", "agentCapabilities"),
        gives=(*_VERSION, "info", "capabilities"),
    ),
    AfterFields(
        "IN-5",
        JUNE,
        UP,
        ("InitializeResponse",),
        by_hand.initialized_up_with_markers,
        takes=(*_VERSION, "agentCapabilities"),
        gives=(*_VERSION, "capabilities"),
    ),
    AfterFields(
        "IN-5",
        NEWEST,
        UP,
        ("AgentCapabilities",),
        by_hand.agent_up,
        takes=(*_OLDER_AGENT, "auth"),
        gives=("session", "auth"),
    ),
    AfterFields(
        "IN-5", JUNE, UP, ("AgentCapabilities",), by_hand.agent_up_with_markers, takes=_OLDER_AGENT, gives=("session",)
    ),
    AfterFields(
        "IN-5", NEWEST, UP, ("SessionCapabilities",), by_hand.implied_markers, takes=("list", "resume", "close")
    ),
    AfterFields("IN-7", NEWEST, UP, ("AgentAuthCapabilities",), by_hand.implied_markers, takes=("logout",)),
    FieldByHand("IN-5", BOTH, UP, (*_FLAGS, "McpCapabilities.http"), by_hand.flag_as_marker),
    AfterFields("IN-5", BOTH, UP, ("McpCapabilities",), by_hand.mcp_up, takes=("sse",), gives=("stdio",)),
    CannotSay("IN-5", NEWEST, UP, FIELD, ("SessionListCapabilities", "SessionResumeCapabilities")),
    CannotSay("IN-5", NEWEST, UP, FIELD, ("SessionCloseCapabilities", "LogoutCapabilities")),
    AfterFields(
        "IN-6",
        NEWEST,
        DOWN,
        ("InitializeResponse",),
        by_hand.initialized_down,  # settles IN-8 too
        takes=(*_VERSION, "info", "capabilities"),
        gives=(*_VERSION, "agentInfo", "agentCapabilities"),
    ),
    AfterFields(
        "IN-6",
        JUNE,
        DOWN,
        ("InitializeResponse",),
        by_hand.initialized_down_from_markers,
        takes=(*_VERSION, "capabilities"),
        gives=(*_VERSION, "agentCapabilities"),
    ),
    AfterFields(
        "IN-6",
        NEWEST,
        DOWN,
        ("AgentCapabilities",),
        by_hand.agent_down,
        takes=("session", "auth"),
        gives=(*_OLDER_AGENT, "auth"),
    ),
    AfterFields(
        "IN-6",
        JUNE,
        DOWN,
        ("AgentCapabilities",),
        by_hand.agent_down_from_markers,
        takes=("session",),
        gives=_OLDER_AGENT,
    ),
    FieldByHand("IN-6", BOTH, DOWN, (*_FLAGS, "McpCapabilities.http"), by_hand.marker_as_flag),
    AfterFields("IN-6", BOTH, DOWN, ("McpCapabilities",), by_hand.mcp_down, takes=("stdio",), gives=("sse",)),
    NoPlace("IN-6", BOTH, DOWN, FIELD, ("SessionCapabilities.prompt", "SessionCapabilities.mcp")),
    NoPlace("IN-6", JUNE, DOWN, FIELD, ("SessionCapabilities.load",)),
    CannotSay("IN-6", JUNE, DOWN, FIELD, ("SessionLoadCapabilities",)),
    CannotSay("IN-6", BOTH, DOWN, FIELD, ("PromptImageCapabilities", "PromptAudioCapabilities")),
    CannotSay("IN-6", BOTH, DOWN, FIELD, ("PromptEmbeddedContextCapabilities",)),
    CannotSay("IN-6", BOTH, DOWN, FIELD, ("McpStdioCapabilities", "McpHttpCapabilities")),
)

_AUTHENTICATION: Rules = (
    Renamed("AU-1", NEWEST, "AuthenticateRequest", "LoginAuthRequest"),
    Renamed("AU-1", NEWEST, "AuthenticateResponse", "LoginAuthResponse"),
    Renamed("AU-1", NEWEST, "LogoutRequest", "LogoutAuthRequest"),
    Renamed("AU-1", NEWEST, "LogoutResponse", "LogoutAuthResponse"),
    RenamedField("AU-1", NEWEST, "AuthMethodAgent.id", "methodId"),
    RenamedField("AU-1", NEWEST, "AuthMethodTerminal.id", "methodId"),
    FieldByHand("AU-2", NEWEST, UP, ("AuthMethodTerminal.env",), by_hand.variables_as_list),
    FieldByHand("AU-2", NEWEST, DOWN, ("AuthMethodTerminal.env",), by_hand.variables_as_map),
    CannotSay("AU-2", JUNE, UP, FIELD, ("AuthMethodTerminal",)),
)

_SETTING_UP: Rules = (
    NoPlace(
        "MD-2",
        BOTH,
        UP,
        FIELD,
        ("NewSessionResponse.modes", "LoadSessionResponse.modes", "ResumeSessionResponse.modes"),
    ),
    CannotSay("MD-2", BOTH, UP, FIELD, ("SessionModeState", "SessionMode")),
    CannotSay("MD-3", BOTH, UP, REMOVED, ("SetSessionModeRequest", "SetSessionModeResponse")),
    Becomes("SL-1", NEWEST, UP, "LoadSessionRequest", "ResumeSessionRequest"),
    Becomes("SL-1", NEWEST, UP, "LoadSessionResponse", "ResumeSessionResponse"),
    AfterFields("SL-1", NEWEST, UP, ("LoadSessionRequest",), by_hand.load_as_resume, gives=("replayFrom",)),
    AfterFields("SL-2", NEWEST, DOWN, ("ResumeSessionRequest",), by_hand.resume_or_load, takes=("replayFrom",)),
    CannotSay("SL-2", NEWEST, DOWN, NO_EQUIVALENT, ("ReplayFrom", "ReplayFromStart")),
    Fills("SL-3", NEWEST, DOWN, ("NewSessionRequest.mcpServers",), []),
    # The commands have to follow in an update of their own.
    NoPlace(
        "SL-4",
        NEWEST,
        DOWN,
        NEEDS_STATE,
        ("NewSessionResponse.availableCommands", "ResumeSessionResponse.availableCommands"),
    ),
)

_OPTIONS: Rules = (
    RenamedField("CF-1", NEWEST, "SessionConfigOptionSelect.id", "configId"),
    RenamedField("CF-1", NEWEST, "SessionConfigOptionBoolean.id", "configId"),
    RenamedField("CF-1", NEWEST, "SessionConfigSelectGroup.group", "groupId"),
    Narrows("CF-1", NEWEST, UP, ("SessionConfigSelectOptions", "SessionConfigSelectGroup.options"), MISSING),
    Renamed("CF-2", NEWEST, "SetSessionConfigOptionRequestValueId", "SetSessionConfigOptionRequestId"),
    Renamed("CF-2", JUNE, "SetSessionConfigOptionRequestValueId", "SetSessionConfigOptionRequest"),
    CannotSay("CF-2", JUNE, UP, FIELD, ("SetSessionConfigOptionRequestBoolean",)),
    CannotSay("CF-3", JUNE, UP, FIELD, ("SessionConfigOptionBoolean", "SessionConfigBoolean")),
)

_MCP: Rules = (
    Fills("MC-1", NEWEST, DOWN, ("McpServerHttp.headers", "McpServerStdio.args", "McpServerStdio.env"), []),
    CannotSay("MC-2", BOTH, UP, REMOVED, ("McpServerSse",)),
)

_GONE: Rules = (
    CannotSay("RM-1", BOTH, UP, REMOVED, ("ReadTextFileRequest", "ReadTextFileResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("WriteTextFileRequest", "WriteTextFileResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("CreateTerminalRequest", "CreateTerminalResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("TerminalOutputRequest", "TerminalOutputResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("ReleaseTerminalRequest", "ReleaseTerminalResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("WaitForTerminalExitRequest", "WaitForTerminalExitResponse")),
    CannotSay("RM-1", BOTH, UP, REMOVED, ("KillTerminalRequest", "KillTerminalResponse")),
    CannotSay("RM-1", JUNE, UP, REMOVED, ("TerminalExitStatus",)),
)

RULES: Rules = (*_CLIENT, *_AGENT, *_AUTHENTICATION, *_SETTING_UP, *_OPTIONS, *_MCP, *_GONE)
