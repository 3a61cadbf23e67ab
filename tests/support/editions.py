"""The editions, for tests that hold for each of them. The only module here that imports the generated package."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from . import ROOT, schema
from .oracle import Oracle
from .profiles import share_of_older_editions
from .strategies import Instances


@dataclass(frozen=True)
class Edition:
    """One schema, and the subpackage that was generated from it."""

    folder: str
    effort: float  # how many of a profile's examples its laws get
    size: int  # how many definitions it has: facts of the protocol, like all below
    has_null_ids: bool
    has_batches: bool

    @property
    def name(self) -> str:
        """As a subpackage."""
        return self.folder.replace("-", "_")

    def __str__(self) -> str:
        return self.name

    @property
    def schema_path(self) -> Path:
        return ROOT / "schema" / self.folder / "schema.json"

    @property
    def published_path(self) -> Path:
        return ROOT.parent / "shared" / "upstream" / self.folder / "schema.json"

    @cached_property
    def document(self) -> dict[str, Any]:
        return schema(self.folder)

    @cached_property
    def definitions(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["$defs"]
        return found

    @cached_property
    def module(self) -> Any:
        """The generated subpackage."""
        return importlib.import_module(f"acp_schema.{self.name}")

    @cached_property
    def rules(self) -> Any:
        """What the careful path of the subpackage goes by."""
        return importlib.import_module(f"acp_schema.{self.name}._rules").RULES

    @cached_property
    def oracle(self) -> Oracle:
        return Oracle(self.document)

    @cached_property
    def instances(self) -> Instances:
        return Instances(self.document)


OLDER = share_of_older_editions()
V1 = Edition("v1", OLDER, size=178, has_null_ids=True, has_batches=False)
V2 = Edition("v2", 1.0, size=197, has_null_ids=False, has_batches=False)
JUNE = Edition("v2-2026-06", OLDER, size=123, has_null_ids=True, has_batches=True)
EDITIONS = (V1, V2, JUNE)

every_edition = pytest.mark.parametrize("edition", EDITIONS, ids=str)
every_definition = pytest.mark.parametrize(
    ("edition", "name"),
    [pytest.param(edition, name, id=f"{edition}-{name}") for edition in EDITIONS for name in edition.definitions],
)
