"""Wrong uses of decoded values."""

from __future__ import annotations

from typing import NoReturn

from acp_schema import v2


def never(value: NoReturn) -> NoReturn:
    raise AssertionError(value)


image: v2.ImageContent = v2.decode(v2.TextContent, {})  # E: both
v2.decode(v2.TextContent, {}).colour  # E: both
v2.decode_text_content({}, [])  # E: both
v2.encode_text_content(image)  # E: both
text: str = v2.dumps(image)  # E: both
v2.loads(v2.TextContent, 5)  # E: both
v2.decode_message({}, "server")  # E: both


def a_variant_was_forgotten(decision: v2.RequestPermissionOutcome) -> str:
    match decision:
        case v2.CancelledPermissionOutcome():
            return "cancelled"
        case v2.SelectedPermissionOutcome():
            return "selected"
        case _:
            never(decision)  # E: both


def a_member_of_one_variant(block: v2.ContentBlock) -> str:
    return block.text  # E: both
