"""Compare two schemas: what changed, and what that means for whom."""

from __future__ import annotations

from ..load import LoadedSchema
from ..pairing import pair
from .annotations import compare_annotations
from .definitions import Definitions, read_both
from .findings import Findings, ordered
from .methods import compare_envelopes, compare_methods
from .model import Report, Side
from .remarks import compare_remarks
from .version import read_version


def compare(
    old: LoadedSchema,
    new: LoadedSchema,
    *,
    old_label: str | None = None,
    new_label: str | None = None,
    shapes_only: bool = False,
) -> Report:
    """The report on two schemas; raises CodegenError where one of them cannot be compared.

    Our annotations count where both schemas have them. With ``shapes_only`` they and all descriptions are left aside.
    """
    before, after = read_version(old), read_version(new)
    findings = Findings(read_both(before, after, pair(old.document, new.document)))
    Definitions(findings).compare()
    compare_methods(findings)
    compare_envelopes(findings)
    if not shapes_only:
        compare_annotations(findings)
    compare_remarks(findings, descriptions=not shapes_only)
    return Report(
        Side(old_label or old.file, old.sha256, len(old.definitions)),
        Side(new_label or new.file, new.sha256, len(new.definitions)),
        ordered(findings),
    )
