"""What several tests share; only ``drift`` and ``reports`` import the generator, and only ``editions`` the generated package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def schema(edition: str) -> dict[str, Any]:
    """The schema document of an edition, as plain JSON."""
    document: dict[str, Any] = json.loads((ROOT / "schema" / edition / "schema.json").read_text("utf-8"))
    return document


def without_address(value: object) -> str:
    """The id of a test case: every run, and every worker of one run, must give the same."""
    return repr(value).partition(" object at 0x")[0]
