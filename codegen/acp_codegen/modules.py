"""Put a module together: header, docstring, the imports that its body needs, and the body."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .views.literals import docstring


@dataclass(frozen=True)
class Imports:
    """Names that a body may use, by the module they come from; None imports the module itself."""

    module: str
    names: tuple[str, ...] | None = None


def assemble(header: str, doc: str, candidates: list[Imports], body: str, *, export: list[str] | None = None) -> str:
    """The module's text; of the candidates only what the body names is imported."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    lines = [header.rstrip(), docstring(doc, 0), "", "from __future__ import annotations", ""]
    group = -1
    for candidate in candidates:
        names = candidate.names
        chosen = sorted(set(names) & used) if names is not None else []
        if names is None and candidate.module not in used:
            continue
        if names is not None and not chosen:
            continue
        if _group(candidate.module) != group and group != -1:
            lines.append("")
        group = _group(candidate.module)
        lines.append(f"from {candidate.module} import {', '.join(chosen)}" if chosen else f"import {candidate.module}")
    if export is not None:
        lines += ["", "__all__ = [" + "".join(f"{name!r}, " for name in export) + "]"]
    return "\n".join([*lines, "", "", body])


def _group(module: str) -> int:
    return 1 if module.startswith(".") else 0
