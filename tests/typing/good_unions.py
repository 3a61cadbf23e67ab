"""Unions: every variant has a class, and a checker knows when all of them were handled."""

from __future__ import annotations

from typing import NoReturn, Union

from typing_extensions import assert_type

from acp_schema import v2


def never(value: NoReturn) -> NoReturn:
    """Checkers accept the call only where no value is left."""
    raise AssertionError(value)


def describe(block: v2.ContentBlock) -> str:
    match block:
        case v2.TextContent(text=text):
            assert_type(text, str)
            return text
        case v2.ImageContent(data=data) | v2.AudioContent(data=data):
            assert_type(data, str)
            return data
        case v2.ResourceLink(uri=uri):
            return uri
        case v2.EmbeddedResource(resource=v2.TextResourceContents(text=text)):
            return text
        case v2.EmbeddedResource():
            return block.resource.uri
        case v2.UnknownContentBlock(tag=tag):
            return tag
        case _:
            never(block)


def outcome(decision: v2.RequestPermissionOutcome) -> str:
    if isinstance(decision, v2.CancelledPermissionOutcome):
        return "cancelled"
    if isinstance(decision, v2.SelectedPermissionOutcome):
        assert_type(decision.option_id, v2.PermissionOptionId)
        return decision.option_id
    assert_type(decision, v2.UnknownRequestPermissionOutcome)
    return "not an approval: " + decision.tag


def is_idle(update: v2.SessionUpdate) -> bool:
    """A union in a union is flat: a state is a session update itself."""
    return isinstance(
        update,
        (
            v2.IdleStateUpdateEndTurn,
            v2.IdleStateUpdateMaxTokens,
            v2.IdleStateUpdateMaxTurnRequests,
            v2.IdleStateUpdateRefusal,
            v2.IdleStateUpdateCancelled,
            v2.IdleStateUpdateError,
            v2.IdleStateUpdateNone,
        ),
    )


def states_are_session_updates(state: v2.StateUpdate) -> v2.SessionUpdate:
    return state


def discriminators_are_constants(chunk: Union[v2.UserMessageChunk, v2.AgentMessageChunk]) -> v2.ContentBlock:
    if chunk.session_update == "user_message_chunk":
        assert_type(chunk, v2.UserMessageChunk)
    return chunk.content


def unknown_plans_have_an_id(plan: v2.PlanUpdateContent) -> str:
    """What the schema requires of an unknown variant is an attribute of its class too."""
    if isinstance(plan, v2.UnknownPlanUpdateContent):
        assert_type(plan.is_extension, bool)
    return plan.plan_id
