"""Conversion cases by rule: what surrounds sessions."""

from __future__ import annotations

from typing import Any

from .conversion import BOTH, JUNE, Case, Cases, Refused, down, up, update

FIELD, UNKNOWN, NO_V1 = "UnrepresentableField", "UnknownVariant", "NoV1Equivalent"
REMOVED, MISSING, STATE = "RemovedInV2", "MissingRequired", "NeedsState"

INFO = {"name": "n", "version": "1"}
NO_FILES = {"readTextFile": False, "writeTextFile": False}
BOOLEAN = {"configOptions": {"boolean": {}}}


def client(capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    data = {"protocolVersion": 1, "clientInfo": INFO, **more}
    return data if capabilities is None else {**data, "clientCapabilities": capabilities}


def newer_client(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"protocolVersion": 2, "info": INFO, "capabilities": capabilities, **more}


def june_client(capabilities: dict[str, Any]) -> dict[str, Any]:
    return {"protocolVersion": 2, "clientInfo": INFO, "capabilities": capabilities}


def older_client(**capabilities: Any) -> dict[str, Any]:
    bare = {"fs": NO_FILES, "terminal": False, "session": BOOLEAN, "auth": {"terminal": False}}
    return client({**bare, **capabilities})


def request(what: str, way: str, data: Any, strict: Any, lossy: Any = None, *losses: Refused, **more: Any) -> Case:
    return Case(what, way, "InitializeRequest", data, strict, lossy, losses, **more)


def response(what: str, way: str, data: Any, strict: Any, lossy: Any = None, *losses: Refused, **more: Any) -> Case:
    return Case(what, way, "InitializeResponse", data, strict, lossy, losses, **more)


CLIENT: Cases = {
    "IN-1": [
        request(
            "what is always there in v2 is dropped, terminal login is a marker",
            "up",
            client(
                {
                    "session": {**BOOLEAN, "notices": {}, "compaction": {}},
                    "auth": {"terminal": True},
                    "elicitation": {"form": {}},
                    "_meta": {"k": 1},
                }
            ),
            [newer_client({"auth": {"terminal": {}}, "elicitation": {"form": {}}, "_meta": {"k": 1}})],
        ),
        request("nothing announced", "up", client(), [newer_client({})]),
        request(
            "no clientInfo",
            "up",
            {"protocolVersion": 1},
            Refused(MISSING, "/clientInfo"),
            [newer_client({}) | {"info": {"name": "unknown", "version": "unknown"}}],
            Refused(MISSING, "/clientInfo"),
        ),
        request(
            "what a marker carries",
            "up",
            client({"session": {"configOptions": {"boolean": {"_meta": {"k": 1}}}}}),
            Refused(FIELD, "/clientCapabilities/session/configOptions/boolean/_meta"),
            [newer_client({})],
            Refused(FIELD, "/clientCapabilities/session/configOptions/boolean/_meta"),
        ),
        request("June: nothing announced", "up", client(), [june_client({})], on=JUNE),
        request(
            "June has no features of clients",
            "up",
            client({"session": {}, "auth": {"terminal": True}, "elicitation": {}, "_meta": {"k": 1}}),
            Refused(FIELD, "/clientCapabilities/session"),
            [june_client({"_meta": {"k": 1}})],
            Refused(FIELD, "/clientCapabilities/session"),
            Refused(FIELD, "/clientCapabilities/elicitation"),
            Refused(FIELD, "/clientCapabilities/auth/terminal"),
            on=JUNE,
        ),
    ],
    "IN-2": [
        request(
            "files and terminals",
            "up",
            client({"fs": {"readTextFile": True}, "terminal": True}),
            Refused(REMOVED, "/clientCapabilities/fs/readTextFile"),
            [expected],
            Refused(REMOVED, "/clientCapabilities/fs/readTextFile"),
            Refused(REMOVED, "/clientCapabilities/terminal"),
            on=on,
        )
        for on, expected in ((("v2",), newer_client({})), (JUNE, june_client({})))
    ]
    + [
        request(
            "what the files section carries has no place in v2",
            "up",
            client({"fs": {"_meta": {}}}),
            Refused(FIELD, "/clientCapabilities/fs/_meta"),
            [newer_client({})],
            Refused(FIELD, "/clientCapabilities/fs/_meta"),
        ),
    ],
    "IN-3": [
        request("nothing announced", "down", newer_client({}), [older_client()]),
        request(
            "terminal login, elicitation",
            "down",
            newer_client({"auth": {"terminal": {}}, "elicitation": {"url": {}}}),
            [older_client(auth={"terminal": True}, elicitation={"url": {}})],
        ),
        request(
            "what a marker carries",
            "down",
            newer_client({"auth": {"terminal": {"_meta": {"k": 1}}}}),
            Refused(FIELD, "/capabilities/auth/terminal/_meta"),
            [older_client(auth={"terminal": True})],
            Refused(FIELD, "/capabilities/auth/terminal/_meta"),
        ),
        request(
            "June",
            "down",
            june_client({}),
            [client({"fs": NO_FILES, "terminal": False, "auth": {"terminal": False}})],
            on=JUNE,
        ),
    ],
    "IN-4": [
        request("up", "up", client() | {"protocolVersion": 7}, [newer_client({})]),
        request("down", "down", newer_client({}) | {"protocolVersion": 7}, [older_client()]),
        request("June", "up", client() | {"protocolVersion": 7}, [june_client({})], on=JUNE),
    ],
}

MARKERS: dict[str, Any] = {"list": {}, "resume": {}, "close": {}}


def agent(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"protocolVersion": 1, "agentInfo": INFO, "agentCapabilities": capabilities, "authMethods": [], **more}


def newer_agent(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"protocolVersion": 2, "info": INFO, "capabilities": capabilities, "authMethods": [], **more}


def june_agent(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"protocolVersion": 2, "agentInfo": INFO, "capabilities": capabilities, "authMethods": [], **more}


FULL: dict[str, Any] = {"loadSession": True, "sessionCapabilities": MARKERS}
LOGIN = {"id": "l", "name": "Login"}
NEW_LOGIN = {"type": "agent", "methodId": "l", "name": "Login"}


def older_agent(**capabilities: Any) -> dict[str, Any]:
    bare = {"promptCapabilities": {}, "mcpCapabilities": {"sse": False}, "auth": {}}
    return agent({**FULL, **bare, **capabilities})


AGENT: Cases = {
    "IN-5": [
        response(
            "flags become markers, stdio is always there",
            "up",
            agent(
                {
                    **FULL,
                    "promptCapabilities": {"image": True, "audio": False},
                    "mcpCapabilities": {"http": True},
                    "sessionCapabilities": {**MARKERS, "delete": {"_meta": {"k": 1}}, "_meta": {"s": 1}},
                }
            ),
            [
                newer_agent(
                    {
                        "session": {
                            "prompt": {"image": {}},
                            "mcp": {"stdio": {}, "http": {}},
                            "delete": {"_meta": {"k": 1}},
                            "_meta": {"s": 1},
                        }
                    }
                )
            ],
        ),
        response(
            "what is not announced",
            "up",
            {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": {"resume": {}}}},
            Refused(MISSING, "/agentInfo"),
            [newer_agent({"session": {"mcp": {"stdio": {}}}}) | {"info": {"name": "unknown", "version": "unknown"}}],
            Refused(MISSING, "/agentInfo"),
            Refused(MISSING, "/agentCapabilities/loadSession"),
            Refused(MISSING, "/agentCapabilities/sessionCapabilities/list"),
            Refused(MISSING, "/agentCapabilities/sessionCapabilities/close"),
        ),
        response(
            "MCP over SSE, what markers carry",
            "up",
            agent(
                {
                    "loadSession": True,
                    "mcpCapabilities": {"sse": True},
                    "sessionCapabilities": {**MARKERS, "list": {"_meta": {"k": 1}}},
                }
            ),
            Refused(FIELD, "/agentCapabilities/sessionCapabilities/list/_meta"),
            [newer_agent({"session": {"mcp": {"stdio": {}}}})],
            Refused(FIELD, "/agentCapabilities/sessionCapabilities/list/_meta"),
            Refused(REMOVED, "/agentCapabilities/mcpCapabilities/sse"),
        ),
        response(
            "June has markers",
            "up",
            agent({"loadSession": True, "sessionCapabilities": {"list": {}}, "auth": {"logout": {}}}),
            [june_agent({"session": {"load": {}, "list": {}, "mcp": {"stdio": {}}}, "auth": {"logout": {}}})],
            on=JUNE,
        ),
        response(
            "June requires nothing",
            "up",
            agent({}),
            [june_agent({"session": {"mcp": {"stdio": {}}}, "auth": {}})],
            on=JUNE,
        ),
    ],
    "IN-6": [
        response(
            "markers become flags, what is always there is announced",
            "down",
            newer_agent(
                {"session": {"prompt": {"audio": {}}, "mcp": {"stdio": {}, "http": {}}, "delete": {}}, "auth": {}}
            ),
            [
                older_agent(
                    promptCapabilities={"audio": True},
                    mcpCapabilities={"http": True, "sse": False},
                    sessionCapabilities={**MARKERS, "delete": {}},
                )
            ],
        ),
        response("a bare session: stdio cannot be denied", "down", newer_agent({"session": {}}), [older_agent()]),
        response(
            "no session",
            "down",
            newer_agent({}),
            Refused(NO_V1, "/capabilities/session"),
            Refused(NO_V1, "/capabilities/session"),
        ),
        response(
            "what a marker carries",
            "down",
            newer_agent({"session": {"prompt": {"image": {"_meta": {"k": 1}}}}}),
            Refused(FIELD, "/capabilities/session/prompt/image/_meta"),
            [older_agent(promptCapabilities={"image": True})],
            Refused(FIELD, "/capabilities/session/prompt/image/_meta"),
        ),
        response(
            "what the marker of stdio carries",
            "down",
            newer_agent({"session": {"mcp": {"stdio": {"_meta": {}}}}}),
            Refused(FIELD, "/capabilities/session/mcp/stdio/_meta"),
            [older_agent()],
            Refused(FIELD, "/capabilities/session/mcp/stdio/_meta"),
        ),
        response(
            "what the marker of loading carries",
            "down",
            june_agent({"session": {"load": {"_meta": {}}}, "auth": {}}),
            Refused(FIELD, "/capabilities/session/load/_meta"),
            [older_agent(sessionCapabilities={})],
            Refused(FIELD, "/capabilities/session/load/_meta"),
            on=JUNE,
        ),
        response(
            "June announces by markers",
            "down",
            june_agent({"session": {"list": {}, "load": {}}, "auth": {"logout": {}}}),
            [
                agent(
                    {
                        "loadSession": True,
                        "promptCapabilities": {},
                        "mcpCapabilities": {"sse": False},
                        "sessionCapabilities": {"list": {}},
                        "auth": {"logout": {}},
                    }
                )
            ],
            on=JUNE,
        ),
        response(
            "no session in June",
            "down",
            june_agent({}),
            Refused(NO_V1, "/capabilities/session"),
            Refused(NO_V1, "/capabilities/session"),
            on=JUNE,
        ),
    ],
    "IN-7": [
        response(
            "login and logout",
            "up",
            agent({**FULL, "auth": {"logout": {}}}, authMethods=[LOGIN]),
            [newer_agent({"session": {"mcp": {"stdio": {}}}}, authMethods=[NEW_LOGIN])],
        ),
        response(
            "login alone",
            "up",
            agent(FULL, authMethods=[LOGIN]),
            Refused(FIELD, "/authMethods"),
            [newer_agent({"session": {"mcp": {"stdio": {}}}}, authMethods=[NEW_LOGIN])],
            Refused(FIELD, "/authMethods"),
        ),
        response(
            "logout alone",
            "up",
            agent({**FULL, "auth": {"logout": {}}}),
            Refused(FIELD, "/agentCapabilities/auth/logout"),
            [newer_agent({"session": {"mcp": {"stdio": {}}}})],
            Refused(FIELD, "/agentCapabilities/auth/logout"),
        ),
    ],
    "IN-8": [
        response(
            "login implies logout",
            "down",
            newer_agent({"session": {}, "auth": {"_meta": {"k": 1}}}, authMethods=[NEW_LOGIN]),
            [older_agent(auth={"_meta": {"k": 1}, "logout": {}}) | {"authMethods": [LOGIN]}],
        ),
        response(
            "an unknown way to log in",
            "down",
            newer_agent({"session": {}}, authMethods=[{"type": "_smile", "methodId": "s", "name": "S"}, NEW_LOGIN]),
            Refused(UNKNOWN, "/authMethods/0/type"),
            [older_agent(auth={"logout": {}}) | {"authMethods": [LOGIN]}],
            Refused(UNKNOWN, "/authMethods/0"),
        ),
    ],
}

TERMINAL = {"type": "terminal", "id": "t", "name": "T", "args": ["-x"], "env": {"Z": "1", "A": "2"}}
NEW_TERMINAL = {
    "type": "terminal",
    "methodId": "t",
    "name": "T",
    "args": ["-x"],
    "env": [{"name": "A", "value": "2"}, {"name": "Z", "value": "1"}],
}

AUTHENTICATION: Cases = {
    "AU-1": [
        case
        for older, newer in (
            ("AuthenticateRequest", "LoginAuthRequest"),
            ("AuthenticateResponse", "LoginAuthResponse"),
            ("LogoutRequest", "LogoutAuthRequest"),
            ("LogoutResponse", "LogoutAuthResponse"),
        )
        for data in [{"methodId": "l", "_meta": {"k": 1}} if older == "AuthenticateRequest" else {"_meta": {"k": 1}}]
        for case in (
            Case("up", "up", older, data, [data], output=newer),
            Case("down", "down", newer, data, [data], output=older),
            Case("June has the older name", "up", older, data, [data], on=JUNE),
        )
    ]
    + [
        Case("a method without type", "up", "AuthMethod", LOGIN, [NEW_LOGIN]),
        Case("and back", "down", "AuthMethod", NEW_LOGIN, [LOGIN]),
        Case("June has the older id", "up", "AuthMethod", LOGIN, [{"type": "agent", **LOGIN}], on=JUNE),
    ],
    "AU-2": [
        Case("sorted by name", "up", "AuthMethod", TERMINAL, [NEW_TERMINAL]),
        Case("and back", "down", "AuthMethod", NEW_TERMINAL, [TERMINAL]),
        Case(
            "two values, _meta",
            "down",
            "AuthMethod",
            {**NEW_TERMINAL, "env": [{"name": "A", "value": "1", "_meta": {}}, {"name": "A", "value": "2"}]},
            Refused(FIELD, "/env/0/_meta"),
            [{**TERMINAL, "env": {"A": "2"}}],
            (Refused(FIELD, "/env/0/_meta"), Refused(FIELD, "/env/1")),
        ),
        Case("not in June", "up", "AuthMethod", TERMINAL, Refused(FIELD, "/type"), Refused(FIELD, "/type"), on=JUNE),
    ],
}

MODES = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
SELECT: dict[str, Any] = {
    "name": "Model",
    "type": "select",
    "currentValue": "a",
    "options": [{"value": "a", "name": "A"}],
}
SWITCH: dict[str, Any] = {"name": "Fast", "type": "boolean", "currentValue": True}
PLACE = {"sessionId": "s", "cwd": "/w"}

SESSIONS: Cases = {
    "MD-2": [
        Case(
            f"modes of {type_}",
            "up",
            type_,
            {**ids, "modes": MODES},
            Refused(FIELD, "/modes"),
            [ids],
            (Refused(FIELD, "/modes"),),
            output=output,
        )
        for type_, ids, output in (
            ("NewSessionResponse", {"sessionId": "s"}, ""),
            ("LoadSessionResponse", {}, "ResumeSessionResponse"),
            ("ResumeSessionResponse", {}, ""),
        )
    ]
    + [Case("no modes", "up", "NewSessionResponse", {"sessionId": "s", "modes": None}, [{"sessionId": "s"}], on=BOTH)],
    "MD-3": [
        Case(
            "setting the mode",
            "up",
            "SetSessionModeRequest",
            {"sessionId": "s", "modeId": "ask"},
            Refused(REMOVED, ""),
            Refused(REMOVED, ""),
            on=BOTH,
        )
    ],
    "MD-4": [
        Case(
            "an option for the mode",
            "down",
            "NewSessionResponse",
            {"sessionId": "s", "configOptions": [{"configId": "mode", "category": "mode", **SELECT}]},
            [{"sessionId": "s", "configOptions": [{"id": "mode", "category": "mode", **SELECT}]}],
        )
    ],
    "SL-1": [
        Case(
            "loading",
            "up",
            "LoadSessionRequest",
            {**PLACE, "mcpServers": []},
            [{**PLACE, "mcpServers": [], "replayFrom": {"type": "start"}}],
            output="ResumeSessionRequest",
        ),
        Case(
            "June loads",
            "up",
            "LoadSessionRequest",
            {**PLACE, "mcpServers": []},
            [{**PLACE, "mcpServers": []}],
            on=JUNE,
        ),
    ],
    "SL-2": [
        Case(
            "with a replay",
            "down",
            "ResumeSessionRequest",
            {**PLACE, "replayFrom": {"type": "start"}},
            [{**PLACE, "mcpServers": []}],
            output="LoadSessionRequest",
        ),
        Case("without", "down", "ResumeSessionRequest", {**PLACE, "replayFrom": None}, [PLACE]),
        Case(
            "from elsewhere",
            "down",
            "ResumeSessionRequest",
            {**PLACE, "replayFrom": {"type": "_middle"}},
            Refused(UNKNOWN, "/replayFrom/type"),
            Refused(UNKNOWN, "/replayFrom/type"),
        ),
        Case(
            "what the replay carries",
            "down",
            "ResumeSessionRequest",
            {**PLACE, "replayFrom": {"type": "start", "_meta": {}}},
            Refused(FIELD, "/replayFrom/_meta"),
            [{**PLACE, "mcpServers": []}],
            (Refused(FIELD, "/replayFrom/_meta"),),
            output="LoadSessionRequest",
        ),
        Case("June resumes", "down", "ResumeSessionRequest", PLACE, [PLACE], on=JUNE),
    ],
    "SL-3": [
        Case("no servers", "down", "NewSessionRequest", {"cwd": "/w"}, [{"cwd": "/w", "mcpServers": []}]),
        Case(
            "no servers",
            "up",
            "NewSessionRequest",
            {"cwd": "/w", "mcpServers": []},
            [{"cwd": "/w", "mcpServers": []}],
            on=BOTH,
        ),
        Case("resuming", "up", "ResumeSessionRequest", PLACE, [PLACE], on=BOTH),
    ],
    "SL-4": [
        Case("no options", "up", "ResumeSessionResponse", {"configOptions": None}, [{}], on=BOTH),
        Case("a list", "down", "ResumeSessionResponse", {"configOptions": []}, [{"configOptions": []}], on=BOTH),
        Case(
            "commands",
            "down",
            "NewSessionResponse",
            {"sessionId": "s", "availableCommands": [{"type": "command", "name": "go", "description": "Go"}]},
            Refused(STATE, "/availableCommands"),
            [{"sessionId": "s"}],
            (Refused(STATE, "/availableCommands"),),
        ),
        Case(
            "no commands",
            "down",
            "NewSessionResponse",
            {"sessionId": "s", "availableCommands": []},
            [{"sessionId": "s"}],
        ),
    ],
}


def options(*rows: dict[str, Any]) -> dict[str, Any]:
    return update("config_option_update", configOptions=list(rows))


def grouped(key: str) -> dict[str, Any]:
    return {**SELECT, "options": [{key: "g", "name": "G", "options": [{"value": "a", "name": "A"}]}]}


CHOICE = {"sessionId": "s", "configId": "model", "value": "a"}

OPTIONS: Cases = {
    "CF-1": [
        up("names", options({"id": "m", **grouped("group")}), [options({"configId": "m", **grouped("groupId")})]),
        down("names", options({"configId": "m", **grouped("groupId")}), [options({"id": "m", **grouped("group")})]),
        up("June", options({"id": "m", **grouped("group")}), [options({"id": "m", **grouped("group")})], on=JUNE),
        up(
            "nothing to choose from",
            options({"id": "m", **SELECT, "options": []}, {"id": "f", **SWITCH}),
            Refused(MISSING, "/configOptions/0/options"),
            [options({"configId": "f", **SWITCH})],
            Refused(MISSING, "/configOptions/0"),
        ),
        up(
            "an unknown field that would take the place of the id",
            options({"id": "f", "configId": "x", **SWITCH}),
            Refused(FIELD, "/configOptions/0/configId"),
            [options({"configId": "f", **SWITCH})],
            Refused(FIELD, "/configOptions/0/configId"),
        ),
    ],
    "CF-2": [
        Case("a choice", "up", "SetSessionConfigOptionRequest", CHOICE, [{**CHOICE, "type": "id"}]),
        Case("a choice", "down", "SetSessionConfigOptionRequest", {**CHOICE, "type": "id"}, [CHOICE]),
        *(
            Case("a switch", way, "SetSessionConfigOptionRequest", data, [data])
            for way in ("up", "down")
            for data in [{**CHOICE, "type": "boolean", "value": True}]
        ),
        Case(
            "something unknown",
            "down",
            "SetSessionConfigOptionRequest",
            {**CHOICE, "type": "_range", "value": 3},
            Refused(UNKNOWN, "/type"),
            Refused(UNKNOWN, "/type"),
        ),
        *(Case("June", way, "SetSessionConfigOptionRequest", CHOICE, [CHOICE], on=JUNE) for way in ("up", "down")),
        Case(
            "June has no switches",
            "up",
            "SetSessionConfigOptionRequest",
            {**CHOICE, "type": "boolean", "value": True},
            Refused(FIELD, "/type"),
            Refused(FIELD, "/type"),
            on=JUNE,
        ),
    ],
    "CF-3": [
        down(
            "an unknown type",
            options({"configId": "z", "name": "Z", "type": "_slider"}, {"configId": "f", **SWITCH}),
            Refused(UNKNOWN, "/configOptions/0/type"),
            [options({"id": "f", **SWITCH})],
            Refused(UNKNOWN, "/configOptions/0"),
        ),
        up(
            "June has no switches",
            options({"id": "f", **SWITCH}),
            Refused(FIELD, "/configOptions/0/type"),
            [options()],
            Refused(FIELD, "/configOptions/0"),
            on=JUNE,
        ),
        down(
            "nor knows them",
            options({"id": "f", **SWITCH}),
            Refused(UNKNOWN, "/configOptions/0/type"),
            [options()],
            Refused(UNKNOWN, "/configOptions/0"),
            on=JUNE,
        ),
    ],
    "CF-4": [
        case
        for category in ("_mine", "later", "model_config")
        for case in (
            up(
                category,
                options({"id": "m", "category": category, **SELECT}),
                [options({"configId": "m", "category": category, **SELECT})],
            ),
            down(
                category,
                options({"configId": "m", "category": category, **SELECT}),
                [options({"id": "m", "category": category, **SELECT})],
            ),
            up(
                category,
                options({"id": "m", "category": category, **SELECT}),
                [options({"id": "m", "category": category, **SELECT})],
                on=JUNE,
            ),
        )
    ],
}

STDIO = {"name": "fs", "command": "/bin/fs"}
HTTP = {"type": "http", "name": "h", "url": "https://e.org"}


def servers(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"cwd": "/w", "mcpServers": list(rows)}


MCP: Cases = {
    "MC-1": [
        Case(
            "stdio gets a type",
            "up",
            "NewSessionRequest",
            servers({**STDIO, "args": [], "env": []}),
            [servers({"type": "stdio", **STDIO, "args": [], "env": []})],
            on=BOTH,
        ),
        Case(
            "and loses it; lists that are left out are empty",
            "down",
            "NewSessionRequest",
            servers({"type": "stdio", **STDIO}, HTTP),
            [servers({**STDIO, "args": [], "env": []}, {**HTTP, "headers": []})],
        ),
        Case(
            "an unknown field that looks like a type",
            "up",
            "NewSessionRequest",
            servers({**STDIO, "args": [], "env": [], "type": "http"}),
            Refused(FIELD, "/mcpServers/0/type"),
            [servers({"type": "stdio", **STDIO, "args": [], "env": []})],
            (Refused(FIELD, "/mcpServers/0/type"),),
        ),
    ],
    "MC-2": [
        Case(
            "server-sent events",
            "up",
            "NewSessionRequest",
            servers({"type": "sse", "name": "e", "url": "u", "headers": []}),
            Refused(REMOVED, "/mcpServers/0/type"),
            [servers()],
            (Refused(REMOVED, "/mcpServers/0"),),
            on=BOTH,
        )
    ],
    "MC-3": [
        Case(
            "an unknown transport",
            "down",
            "NewSessionRequest",
            servers({"type": "_pigeon", "name": "p"}),
            Refused(UNKNOWN, "/mcpServers/0/type"),
            [servers()],
            (Refused(UNKNOWN, "/mcpServers/0"),),
            on=BOTH,
        )
    ],
}

ON_TERMINAL = {"sessionId": "s", "terminalId": "t"}

GONE: Cases = {
    "RM-1": [
        Case(type_, "up", type_, data, Refused(REMOVED, ""), Refused(REMOVED, ""), on=BOTH)
        for type_, data in (
            ("ReadTextFileRequest", {"sessionId": "s", "path": "/a"}),
            ("ReadTextFileResponse", {"content": "x"}),
            ("WriteTextFileRequest", {"sessionId": "s", "path": "/a", "content": "x"}),
            ("CreateTerminalRequest", {"sessionId": "s", "command": "ls"}),
            ("TerminalOutputRequest", ON_TERMINAL),
            ("ReleaseTerminalRequest", ON_TERMINAL),
            ("WaitForTerminalExitRequest", ON_TERMINAL),
            ("KillTerminalRequest", ON_TERMINAL),
        )
    ]
}

CASES: Cases = {**CLIENT, **AGENT, **AUTHENTICATION, **SESSIONS, **OPTIONS, **MCP, **GONE}
