"""Compare two enums: values and openness."""

from __future__ import annotations

from ..ir import Enum, EnumValue
from .findings import NOTHING, Findings, Owner, refuses
from .wording import quoted


def compare_enums(findings: Findings, old: Enum, new: Enum) -> None:
    """Report every difference between two enums of one base."""
    owner = Owner(old.name, new.name)
    before = {value.value: value for value in old.values}
    after = {value.value: value for value in new.values}
    if old.open != new.open:
        _openness(findings, old, new, owner)
    for value in old.values:
        if value.value not in after:
            _removed(findings, value, old, new, owner)
    for value in new.values:
        if value.value not in before:
            _added(findings, value, old, new, owner)
        elif before[value.value].name != value.name:
            findings.add(
                "enum-constant-renamed",
                f"The constant for {quoted(value.value)} was {before[value.value].name} and is {value.name}",
                old_where=before[value.value].where,
                new_where=value.where,
                owner=owner,
            )


def _openness(findings: Findings, old: Enum, new: Enum, owner: Owner) -> None:
    effect = refuses("values beyond the listed ones, which {writer} may write")
    rule, lead = ("enum-opened", "Other values than the listed ones are allowed now")
    if old.open:
        rule, lead = ("enum-closed", "Only the listed values are allowed now")
    findings.add(
        rule,
        lead,
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=NOTHING if old.open else effect,
        new=effect if old.open else NOTHING,
    )


def _added(findings: Findings, value: EnumValue, old: Enum, new: Enum, owner: Owner) -> None:
    name = quoted(value.value)
    member = str(value.value) if value.where == new.where else ""
    if old.open:
        rule, lead, effect = "enum-value-added-open", f"{name} is new: old readers keep it as an unknown value", NOTHING
    else:
        rule, lead, effect = "enum-value-added-closed", f"{name} is new", refuses("it from {writer}")
    findings.add(
        rule, lead, old_where=None, new_where=value.where, owner=owner, old=effect, member=member, key=str(value.value)
    )


def _removed(findings: Findings, value: EnumValue, old: Enum, new: Enum, owner: Owner) -> None:
    name = quoted(value.value)
    member = str(value.value) if value.where == old.where else ""
    if new.open:
        rule, effect = "enum-value-removed-open", NOTHING
        lead = f"{name} is gone: new readers keep it as an unknown value"
    else:
        rule, lead, effect = "enum-value-removed-closed", f"{name} is gone", refuses("it from {writer}")
    findings.add(
        rule, lead, old_where=value.where, new_where=None, owner=owner, new=effect, member=member, key=str(value.value)
    )
