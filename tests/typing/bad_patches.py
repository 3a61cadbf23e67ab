"""Wrong uses of patch fields; a marker names the checkers that must refuse its line, and no other line may be."""

from __future__ import annotations

from acp_schema import v2
from acp_schema.v2 import UNSET, Patch, UnsetType


def truth_mixes_up_three_states(update: v2.SessionInfoUpdate) -> str:
    if update.title:  # E: pyright
        return "set"
    return "unset, null or empty"


def or_keeps_the_sentinel(update: v2.SessionInfoUpdate) -> str:
    return update.title or "default"  # E: pyright


def a_conditional_expression_mixes_them_up_too(update: v2.SessionInfoUpdate) -> int:
    return 1 if update.title else 0  # E: pyright


def not_as_well(update: v2.SessionInfoUpdate) -> bool:
    return not update.title  # E: pyright


def none_is_left(update: v2.SessionInfoUpdate) -> str:
    if update.title is UNSET:
        return ""
    return update.title.upper()  # E: both


def unset_is_left(update: v2.SessionInfoUpdate) -> str:
    if update.title is None:
        return ""
    return update.title.upper()  # E: both


def equality_is_no_identity(title: Patch[str]) -> str:
    if title == "x" or title is None:
        return ""
    return title  # E: both


def unset_is_no_string() -> str:
    return UNSET  # E: both


def a_patch_is_no_optional(update: v2.SessionInfoUpdate) -> str | None:
    return update.title  # E: both


def the_sentinel_has_one_member() -> UnsetType:
    return UnsetType.OTHER  # E: both


kept = v2.SessionInfoUpdate(title=5)  # E: both
software = v2.Implementation(name="n", version="1", title=UNSET)  # E: both
session = v2.PromptRequest(session_id=UNSET, prompt=[])  # E: both
kept.title = b"bytes"  # E: both
