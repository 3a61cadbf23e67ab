"""Black, in process and pinned: the bytes of every generated module are its."""

from __future__ import annotations

from .views.literals import WIDTH


def format_module(text: str) -> str:
    """The module as black writes it; black is imported here, so that commands which format nothing start at once."""
    import black
    from black.mode import TargetVersion

    return black.format_str(text, mode=black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY310}))
