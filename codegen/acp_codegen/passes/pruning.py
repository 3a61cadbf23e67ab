"""Leave only differences in a conversion table: what is the same on both sides needs no row, no slot and no plan."""

from __future__ import annotations

from collections.abc import Mapping

from ..runtime import _plans as plans


def without_sameness(rows: dict[str, plans.Row]) -> dict[str, plans.Row]:
    """The rows that say something; a definition that only has another name keeps a row for that."""
    same = _same(rows)
    result: dict[str, plans.Row] = {}
    for name, row in rows.items():
        if name not in same:
            result[name] = _simplified(row, same)
        elif not isinstance(row, plans.Refused) and row.target != name:
            result[name] = plans.Renamed(row.target)
    return result


def _same(rows: dict[str, plans.Row]) -> set[str]:
    """Definitions with the same JSON: all but those that differ, or lead to one that does."""
    same = set(rows)
    while True:
        different = {name for name in same if not _is_same(rows[name], same)}
        if not different:
            return same
        same -= different


def _is_same(row: plans.Row, same: set[str]) -> bool:
    if isinstance(row, plans.Fields):
        if row != plans.Fields(row.target, row.slots):
            return False
        return all(_is_plain(name, slot, same) for name, slot in row.slots.items())
    if isinstance(row, plans.Tags):
        members = [*row.members.items(), *((None, member) for member in row.untagged)]
        if row.refused or row.unknown or row.closes:
            return False
        return all(
            member.payload in same and member.tag == (None if tag is None else (row.tag, tag))
            for tag, member in members
        )
    if isinstance(row, plans.Values):
        return row.known is None and not row.refused
    if isinstance(row, plans.Alias):
        return _copies(row.plan, same)
    return isinstance(row, plans.Renamed)


def _is_plain(name: str, slot: plans.Slot, same: set[str]) -> bool:
    return slot.name == name and _copies(slot.plan, same) and slot.null in ("", "kept") and not slot.merges


def _copies(plan: plans.Plan, same: set[str]) -> bool:
    return _simplified_plan(plan, same) is None


def _simplified(row: plans.Row, same: set[str]) -> plans.Row:
    if isinstance(row, plans.Fields):
        return row._replace(slots=_simplified_slots(row.slots, same))
    if isinstance(row, plans.Alias):
        return row._replace(plan=_simplified_plan(row.plan, same))
    return row


def _simplified_slots(slots: Mapping[str, plans.Slot], same: set[str]) -> dict[str, plans.Slot]:
    result: dict[str, plans.Slot] = {}
    for name, slot in slots.items():
        if not _is_plain(name, slot, same):
            slot = slot._replace(plan=_simplified_plan(slot.plan, same))
            if slot.plan is None:  # nothing can fail, and null is copied like any other value
                null = "" if slot.null == "kept" and not slot.merges else slot.null
                slot = slot._replace(required=False, null=null)
            result[name] = slot
    return result


def _simplified_plan(plan: plans.Plan, same: set[str]) -> plans.Plan:
    if isinstance(plan, str):
        return None if plan in same else plan
    if isinstance(plan, plans.Each):
        item = _simplified_plan(plan.item, same)
        return None if item is None and not plan.least else plan._replace(item=item)
    if isinstance(plan, plans.Members):
        value = _simplified_plan(plan.value, same)
        return None if value is None else plans.Members(value)
    if isinstance(plan, plans.FirstOf):
        options = tuple(option._replace(plan=_simplified_plan(option.plan, same)) for option in plan.options)
        return None if all(option.plan is None for option in options) else plans.FirstOf(options)
    if isinstance(plan, plans.Accepted):
        return plan._replace(plan=_simplified_plan(plan.plan, same))
    return plan
