"""Black, in process and pinned: the bytes of every generated module are its."""

from __future__ import annotations

import black
from black.mode import TargetVersion

from .views.literals import WIDTH

_MODE = black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY310})


def format_module(text: str) -> str:
    """The module as black writes it."""
    return black.format_str(text, mode=_MODE)
