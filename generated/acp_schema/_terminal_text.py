"""The bytes of a terminal as plain text."""

from __future__ import annotations

import re

# Control sequences (colours, cursor moves), operating system commands (titles, links) and other escapes.
_ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_].*?(?:\x1b\\\\|\x07|\\Z)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def terminal_text(output: bytes) -> str:
    """What the output says, without what only a terminal can do; a carriage return alone starts its line again."""
    text = _ESCAPES.sub("", output.decode("utf-8", "replace"))
    lines = [line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")]
    return _CONTROLS.sub("", "\n".join(lines))
