"""Rules for what happens in a session: updates, content, plans, permissions, prompts, elicitation, envelopes."""

from __future__ import annotations

from ..runtime import _conversion_session as by_hand
from ..runtime._plans import FIELD, MISSING, NEEDS_STATE, NO_EQUIVALENT, REMOVED, UNKNOWN
from .kinds import (
    BOTH,
    DOWN,
    JUNE,
    NEWEST,
    UP,
    AfterFields,
    Becomes,
    CannotSay,
    IsVariant,
    Narrows,
    Needs,
    NoPlace,
    NoValue,
    NoVariant,
    Renamed,
    Rules,
    UnknownByHand,
    Way,
)

_TOOL_CALLS: Rules = (
    Becomes("TC-1", BOTH, UP, "ToolCall", "ToolCallUpdate"),
    AfterFields("TC-1", BOTH, UP, ("ToolCall",), by_hand.without_defaults),
    NoValue("TC-7", NEWEST, DOWN, NO_EQUIVALENT, "ToolCallStatus", ("paused", "cancelled")),
    CannotSay("TC-8", BOTH, DOWN, NEEDS_STATE, ("ToolCallContentChunk",)),
    NoPlace("TC-9", JUNE, UP, FIELD, ("ToolCall.name", "ToolCallUpdate.name")),
    NoPlace("TC-10", NEWEST, DOWN, FIELD, ("ToolCallUpdate.capabilities",)),
    CannotSay("TC-10", NEWEST, DOWN, FIELD, ("ToolCallCapabilities", "ToolCallCancelCapabilities")),
    CannotSay("TC-10", NEWEST, DOWN, NO_EQUIVALENT, ("CancelToolCallRequest", "CancelToolCallResponse")),
    Narrows("TC-11", NEWEST, UP, ("ToolCallLocation.line",)),
)

_CONTENT: Rules = (
    Narrows("CT-1", NEWEST, UP, ("Annotations.priority", "ResourceLink.size")),
    NoPlace("CT-3", NEWEST, DOWN, FIELD, ("ResourceLink.icons",)),
    CannotSay("CT-3", NEWEST, DOWN, FIELD, ("Icon", "IconTheme")),
    AfterFields(
        "CT-5",
        NEWEST,
        UP,
        ("Diff",),
        by_hand.diff_as_changes,
        takes=("path", "oldText", "newText"),
        gives=("changes", "patch"),
    ),
    CannotSay("CT-6", NEWEST, DOWN, NO_EQUIVALENT, ("Diff", "DiffChange", "DiffPatch", "DiffPatchFormat")),
    CannotSay("CT-6", NEWEST, DOWN, NO_EQUIVALENT, ("DiffFileType", "DiffPathChange", "DiffPathPairChange")),
    CannotSay("CT-7", BOTH, UP, REMOVED, ("Terminal",)),
    CannotSay("CT-8", NEWEST, DOWN, NEEDS_STATE, ("Terminal", "TerminalUpdate", "TerminalOutputChunk")),
    CannotSay("CT-8", NEWEST, DOWN, NEEDS_STATE, ("TerminalOutput", "TerminalSize")),
    CannotSay("CT-8", NEWEST, DOWN, FIELD, ("TerminalCapabilities", "TerminalCancelCapabilities")),
    CannotSay("CT-8", NEWEST, DOWN, NO_EQUIVALENT, ("CancelTerminalRequest", "CancelTerminalResponse")),
    Narrows("CT-8", NEWEST, DOWN, ("TerminalExitStatus.exitCode",)),
)

_CHUNKS = ("UserMessageChunk", "AgentMessageChunk", "AgentThoughtChunk", "ContentChunk")
_MESSAGES = ("UserMessage", "AgentMessage", "AgentThought")

_MESSAGE_RULES: Rules = (
    Needs("MS-2", BOTH, UP, tuple(f"{name}.messageId" for name in _CHUNKS)),
    *(Becomes("MS-4", BOTH, DOWN, name, f"{name}Chunk") for name in _MESSAGES),
    AfterFields("MS-4", BOTH, DOWN, _MESSAGES, by_hand.fan_out, takes=("content",), gives=("content",)),
    Renamed("MS-7", NEWEST, "SessionNotification", "UpdateSessionNotification"),
)

_PLANS: Rules = (
    Becomes("PL-1", BOTH, UP, "Plan", "PlanUpdate"),
    AfterFields("PL-1", NEWEST, UP, ("Plan",), by_hand.plan_as_items, takes=("entries",), gives=("plan",)),
    AfterFields("PL-1", JUNE, UP, ("Plan",), by_hand.plan_as_items_with_id, takes=("entries",), gives=("plan",)),
    Becomes("PL-2", BOTH, DOWN, "PlanUpdate", "Plan"),
    AfterFields("PL-2", NEWEST, DOWN, ("PlanUpdate",), by_hand.items_as_plan, ("plan", "_meta"), ("entries",)),
    AfterFields("PL-2", JUNE, DOWN, ("PlanUpdate",), by_hand.items_with_id_as_plan, ("plan", "_meta"), ("entries",)),
    CannotSay("PL-4", BOTH, DOWN, NO_EQUIVALENT, ("PlanUpdateContent", "PlanItems")),
    NoValue("PL-5", NEWEST, DOWN, NO_EQUIVALENT, "PlanEntryStatus", ("cancelled",)),
)

_OTHER_UPDATES: Rules = (
    CannotSay("MD-1", BOTH, UP, NEEDS_STATE, ("CurrentModeUpdate",)),
    IsVariant("CM-1", NEWEST, "AvailableCommand", "AvailableCommand", "command"),
    IsVariant("CM-1", NEWEST, "UnstructuredCommandInput", "AvailableCommandInput", "text"),
    UnknownByHand("CM-2", NEWEST, DOWN, "AvailableCommand", by_hand.plain_command),
    CannotSay("CM-2", JUNE, DOWN, UNKNOWN, ("AvailableCommandInputOther",)),
    # Whether the client takes them was negotiated, which a single message does not tell.
    NoVariant(
        "NC-1",
        NEWEST,
        DOWN,
        NO_EQUIVALENT,
        "SessionUpdate",
        ("notice", "compaction_update", "compaction_summary_chunk"),
    ),
    CannotSay("NC-1", JUNE, UP, FIELD, ("Notice", "NoticeSeverity")),
    CannotSay("NC-1", JUNE, UP, FIELD, ("CompactionUpdate", "CompactionSummaryChunk", "CompactionStatus")),
)

_PERMISSIONS: Rules = (
    AfterFields(
        "PR-1",
        NEWEST,
        UP,
        ("RequestPermissionRequest",),
        by_hand.permission_with_subject,
        takes=("toolCall",),
        gives=("title", "subject"),
    ),
    # Settles PR-2 to PR-5 and PR-7: all of them look at the same object.
    AfterFields(
        "PR-3",
        NEWEST,
        DOWN,
        ("RequestPermissionRequest",),
        by_hand.permission_of_tool_call,
        takes=("title", "description", "subject"),
        gives=("toolCall",),
    ),
    CannotSay("PR-5", NEWEST, DOWN, NO_EQUIVALENT, ("RequestPermissionSubject",)),
    CannotSay("PR-5", NEWEST, DOWN, NO_EQUIVALENT, ("ToolCallPermissionSubject", "CommandPermissionSubject")),
    Renamed("PR-6", NEWEST, "RequestPermissionOutcomeCancelled", "CancelledPermissionOutcome"),
    UnknownByHand("PR-6", NEWEST, DOWN, "RequestPermissionOutcome", by_hand.unknown_outcome),
    AfterFields("PR-7", JUNE, DOWN, ("RequestPermissionRequest",), by_hand.with_an_option),
    Narrows("PR-8", NEWEST, UP, ("RequestPermissionRequest.options",), MISSING),
)

_PROMPTS: Rules = (
    Narrows("PP-1", NEWEST, UP, ("PromptRequest.prompt",), MISSING),
    CannotSay("PP-2", NEWEST, UP, NEEDS_STATE, ("PromptResponse", "StopReason")),
    CannotSay("PP-3", NEWEST, DOWN, NEEDS_STATE, ("PromptResponse",)),
    CannotSay("PP-4", NEWEST, DOWN, NEEDS_STATE, ("StateUpdate", "IdleStateUpdate")),
    CannotSay("PP-5", NEWEST, DOWN, NEEDS_STATE, ("RunningStateUpdate", "RequiresActionStateUpdate")),
    CannotSay("PP-5", NEWEST, DOWN, NEEDS_STATE, ("BackgroundWork", "BackgroundTerminal", "BackgroundToolCall")),
    CannotSay("PP-6", NEWEST, DOWN, NEEDS_STATE, ("ErrorStopReason",)),
    Renamed("PP-8", NEWEST, "CancelNotification", "CancelSessionNotification"),
    CannotSay("PP-8", JUNE, UP, FIELD, ("CancelRequestNotification",)),
)

_ELICITATION = (
    *("CreateElicitationRequest", "CreateElicitationResponse", "CompleteElicitationNotification"),
    *("ElicitationSessionScope", "ElicitationRequestScope", "ElicitationFormMode", "ElicitationUrlMode"),
    *("ElicitationSchema", "ElicitationSchemaType", "ElicitationPropertySchema", "StringFormat", "EnumOption"),
    *("StringPropertySchema", "NumberPropertySchema", "IntegerPropertySchema", "BooleanPropertySchema"),
    *("MultiSelectPropertySchema", "MultiSelectItems", "StringMultiSelectItems", "TitledMultiSelectItems"),
    *("ElicitationContentValue", "ElicitationAcceptAction", "ElicitationCapabilities"),
    *("ElicitationFormCapabilities", "ElicitationUrlCapabilities"),
)

_ELICITATION_RULES: Rules = (
    Narrows("EL-1", NEWEST, UP, ("StringPropertySchema.enum", "StringPropertySchema.oneOf"), MISSING),
    Narrows("EL-1", NEWEST, UP, ("StringMultiSelectItems.enum", "TitledMultiSelectItems.anyOf"), MISSING),
    # A form is for a session or for a request: the older edition takes one that names both.
    Narrows("EL-1", NEWEST, UP, ("ElicitationFormMode", "CreateElicitationRequestForm")),
    Narrows("EL-1", NEWEST, UP, ("ElicitationUrlMode", "CreateElicitationRequestUrl")),
    Narrows("EL-1", NEWEST, DOWN, ("ElicitationContentValue",)),
    CannotSay("EL-1", JUNE, UP, FIELD, _ELICITATION),
)

_BOTH_WAYS: tuple[Way, ...] = (UP, DOWN)

_ENVELOPES: Rules = (
    Narrows("ER-1", NEWEST, UP, ("RequestId",)),
    CannotSay("ER-1", NEWEST, DOWN, NO_EQUIVALENT, ("ErrorData",)),
    CannotSay("ER-1", NEWEST, DOWN, NO_EQUIVALENT, ("UnsupportedProtocolVersionErrorData", "SessionNotFoundErrorData")),
    *(
        AfterFields("ER-1", BOTH, way, (envelope,), function, takes=("method", "params"), gives=("method",))
        for way in _BOTH_WAYS
        for envelope, function in (
            ("AgentRequest", by_hand.request_to_client),
            ("ClientRequest", by_hand.request_to_agent),
            ("AgentNotification", by_hand.notification_to_client),
            ("ClientNotification", by_hand.notification_to_agent),
        )
    ),
    # What a result is of, its request said.
    *(CannotSay("ER-1", BOTH, way, NEEDS_STATE, ("AgentResponseResult", "ClientResponseResult")) for way in _BOTH_WAYS),
)

RULES: Rules = (
    *_TOOL_CALLS,
    *_CONTENT,
    *_MESSAGE_RULES,
    *_PLANS,
    *_OTHER_UPDATES,
    *_PERMISSIONS,
    *_PROMPTS,
    *_ELICITATION_RULES,
    *_ENVELOPES,
)
