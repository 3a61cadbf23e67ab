"""Three states, told apart by ``is`` in every order; ``assert_type`` fails where a checker narrows to anything else."""

from __future__ import annotations

from typing import Optional, Union

from typing_extensions import assert_type

from acp_schema import v2
from acp_schema.v2 import UNSET, Patch, UnsetType, value_or


def unset_first(update: v2.SessionInfoUpdate) -> str:
    assert_type(update.title, Union[str, None, UnsetType])
    if update.title is UNSET:
        nothing: UnsetType = update.title
        return f"unchanged: {nothing}"
    assert_type(update.title, Optional[str])
    if update.title is None:
        return "cleared"
    assert_type(update.title, str)
    return update.title.upper()


def none_first(update: v2.SessionInfoUpdate) -> str:
    if update.title is None:
        return "cleared"
    elif update.title is UNSET:
        return "unchanged"
    else:
        assert_type(update.title, str)
        return update.title.upper()


def negated(update: v2.SessionInfoUpdate) -> int:
    if update.title is not UNSET and update.title is not None:
        assert_type(update.title, str)
        return len(update.title)
    return 0


def early_return(title: Patch[str]) -> str | None:
    """What a receiver writes: ``title`` is what to store."""
    if title is UNSET:
        return "kept"
    return title


def by_isinstance(update: v2.SessionInfoUpdate) -> int:
    return len(update.title) if isinstance(update.title, str) else -1


def by_the_enum_member(title: Patch[str]) -> str | None:
    return None if title is UnsetType.UNSET else title


def in_a_conditional_expression(update: v2.ToolCallUpdate, stored: list[v2.ToolCallContent]) -> int:
    content = stored if update.content is UNSET else update.content or []
    assert_type(content, list[v2.ToolCallContent])
    return len(content)


def with_a_default(update: v2.SessionInfoUpdate) -> str | None:
    title = value_or(update.title, "none was sent")
    assert_type(title, Optional[str])
    return title


def through_a_match(update: v2.SessionInfoUpdate) -> str:
    title = update.title
    match title:
        case UnsetType.UNSET:
            return "unchanged"
        case None:
            return "cleared"
        case text:
            assert_type(text, str)
            return text


def plain_optional_fields_are_not_patches(software: v2.Implementation) -> str:
    assert_type(software.title, Optional[str])
    return software.title or software.name
