"""Compare two tagged unions: tag, variants, openness, and what the catch-all demands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import Record, Union_, UnknownVariant, Variant
from .findings import NOTHING, Effect, Findings, Owner, judged, refuses
from .fitting import best, worst
from .model import Severity
from .version import Version
from .wording import quoted

# the definitions behind a variant by their names in the two versions, and where the variant stands in each
ComparePayloads = Callable[[str, str, tuple[str, str]], None]


def compare_unions(findings: Findings, old: Union_, new: Union_, compare_payloads: ComparePayloads) -> None:
    """Report every difference between two unions; what a variant carries is left to ``compare_payloads``."""
    owner = Owner(old.name, new.name)
    if old.tag != new.tag:
        _tag_renamed(findings, old, new, owner)
    if (old.unknown is None) != (new.unknown is None):
        _openness(findings, old, new, owner)
    elif old.unknown is not None and new.unknown is not None:
        _catch_all(findings, old, new, old.unknown, new.unknown, owner)
    if old.tag_on_error_absent != new.tag_on_error_absent:
        _tag_leniency(findings, old, new, owner)
    pairs = pair_variants(findings, old, new)
    for variant in old.variants:
        if variant.value not in pairs:
            _removed(findings, variant, old, new, owner)
    found = {pairs[variant.value].value: variant for variant in old.variants if variant.value in pairs}
    for variant in new.variants:
        if variant.value not in found:
            _added(findings, variant, old, new, owner)
            continue
        before = found[variant.value]
        findings.met[before.where] = variant.where
        if before.value != variant.value:
            _retagged(findings, before, variant, old, new, owner)
        compare_payloads(before.target, variant.target, (before.where, variant.where))
    _members(findings, old, new, owner, compare_payloads)


def pair_variants(findings: Findings, old: Union_, new: Union_) -> dict[str, Variant]:
    """The new variant of every old one that still exists, be it under another tag."""
    by_value = {variant.value: variant for variant in new.variants}
    known = {variant.value for variant in old.variants}
    by_place = {variant.where: variant for variant in new.variants if variant.value not in known}
    pairs: dict[str, Variant] = {}
    for variant in old.variants:
        match = by_value.get(variant.value) or by_place.get(findings.both.pairing.places.get(variant.where, ""))
        if match is not None:
            pairs[variant.value] = match
    return pairs


def _tag_renamed(findings: Findings, old: Union_, new: Union_, owner: Owner) -> None:
    findings.add(
        "union-tag-renamed",
        f"Variants were told apart by {quoted(old.tag)} and are told apart by {quoted(new.tag)}",
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=refuses(f"what {{writer}} writes without {quoted(old.tag)}"),
        new=refuses(f"what {{writer}} writes without {quoted(new.tag)}"),
    )


def _openness(findings: Findings, old: Union_, new: Union_, owner: Owner) -> None:
    effect = refuses("variants beyond the listed ones, which {writer} may write")
    was_open = old.unknown is not None
    rule, lead = ("union-opened", "Other variants than the listed ones are allowed now")
    if was_open:
        rule, lead = ("union-closed", "Only the listed variants are allowed now")
    findings.add(
        rule,
        lead,
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=NOTHING if was_open else effect,
        new=effect if was_open else NOTHING,
    )


def _tag_leniency(findings: Findings, old: Union_, new: Union_, owner: Owner) -> None:
    effect = Effect(Severity.LOSES, "refuses the whole message of {writer} that sends one", is_refusal=True)
    has = new.tag_on_error_absent
    findings.add(
        "leniency-added" if has else "leniency-removed",
        f"A malformed {quoted(new.tag)} "
        + ("counts as a missing one now" if has else "no longer counts as a missing one"),
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=effect if has else NOTHING,
        new=NOTHING if has else effect,
    )


# ------------------------------------------------------------------------------------------------------- variants


def _added(findings: Findings, variant: Variant, old: Union_, new: Union_, owner: Owner) -> None:
    name = quoted(variant.value)
    read = findings.both.old_reads.as_unknown(variant.target, new.tag, variant.value, old)
    if old.unknown is not None and old.tag == new.tag and read is Severity.SAFE:
        lead, effect = f"{name} is new: old readers keep it as an unknown variant", NOTHING
        rule = "variant-added-open"
    else:
        rule, lead, effect = "variant-added-closed", f"{name} is new", refuses("it from {writer}")
    findings.add(rule, lead, old_where=None, new_where=variant.where, owner=owner, old=effect)


def _removed(findings: Findings, variant: Variant, old: Union_, new: Union_, owner: Owner) -> None:
    name = quoted(variant.value)
    read = findings.both.new_reads.as_unknown(variant.target, old.tag, variant.value, new)
    if new.unknown is not None and old.tag == new.tag and read is Severity.SAFE:
        rule, effect = "variant-removed-open", NOTHING
        lead = f"{name} is gone: new readers keep it as an unknown variant"
    else:
        rule, lead, effect = "variant-removed-closed", f"{name} is gone", refuses("it from {writer}")
    findings.add(rule, lead, old_where=variant.where, new_where=None, owner=owner, new=effect)


def _retagged(findings: Findings, before: Variant, after: Variant, old: Union_, new: Union_, owner: Owner) -> None:
    effects = [
        (
            refuses(f"{quoted(value)} from {{writer}}")
            if union.unknown is None
            else Effect(Severity.LOSES, f"takes {quoted(value)} from {{writer}} for an unknown variant")
        )
        for union, value in ((old, after.value), (new, before.value))
    ]
    findings.add(
        "variant-retagged-closed" if old.unknown is None or new.unknown is None else "variant-retagged-open",
        f"The variant {quoted(before.value)} is called {quoted(after.value)} now",
        old_where=before.where,
        new_where=after.where,
        owner=owner,
        old=effects[0],
        new=effects[1],
    )


def _members(findings: Findings, old: Union_, new: Union_, owner: Owner, compare_payloads: ComparePayloads) -> None:
    """Members without a tag: those that are tried in turn, and the one for a missing tag."""
    both = findings.both
    before, after = _untagged(old), _untagged(new)
    # a member that was written inline and has a definition now is no pair, but has the same name
    pairs = {name: match for name in before if (match := both.names.get(name, name)) in after}
    for name in before:
        if name in pairs:
            compare_payloads(name, pairs[name], (old.where, new.where))
            continue
        place = _place(both.old.definitions[name].where, old)
        findings.add(
            "member-removed",
            f"{name}, which has no tag, is gone",
            old_where=place,
            new_where=None,
            owner=owner,
            new=refuses("it from {writer}"),
            member=name if place == old.where else "",
            key=name,
        )
    for name in after:
        if name in pairs.values():
            continue
        place = _place(both.new.definitions[name].where, new)
        findings.add(
            "member-added",
            f"{name} is new and has no tag",
            old_where=None,
            new_where=place,
            owner=owner,
            old=refuses("it from {writer}"),
            member=name if place == new.where else "",
            key=name,
        )


def _untagged(union: Union_) -> list[str]:
    return [*union.untagged, *([union.absent] if union.absent else [])]


def _place(where: str, union: Union_) -> str:
    """A member's own place if it is written inside the union, or else the union's."""
    return where if where.startswith(union.where + "/") else union.where


# ------------------------------------------------------------------------------------------------------ catch-all


def _catch_all(
    findings: Findings, old: Union_, new: Union_, one: UnknownVariant, other: UnknownVariant, owner: Owner
) -> None:
    """What an unknown variant must carry; properties that all variants share are compared as fields of the union."""
    both = findings.both
    before, after = _demands(both.old, one), _demands(both.new, other)
    by_old = worst(best(both.old_reads.of_records(written, read, {}) for read in before) for written in after)
    by_new = worst(best(both.new_reads.of_records(written, read, {}) for read in after) for written in before)
    known_before = {variant.value for variant in old.variants}
    known_after = {variant.value for variant in new.variants}
    if set(one.refused) - set(other.refused) - known_after or (one.exclusive and not other.exclusive):
        by_old = Severity.BREAKS
    if set(other.refused) - set(one.refused) - known_before or (other.exclusive and not one.exclusive):
        by_new = Severity.BREAKS
    if Severity.SAFE is by_old is by_new:
        return
    rule = "catch-all-changed"
    if Severity.SAFE in (by_old, by_new):
        rule = "catch-all-tightened" if by_old is Severity.SAFE else "catch-all-loosened"
    words = {
        "catch-all-changed": "Unknown variants must carry something else now",
        "catch-all-tightened": "Unknown variants must carry more now",
        "catch-all-loosened": "Unknown variants need not carry as much now",
    }
    what = "unknown variants that only {writer} may write"
    findings.add(
        rule,
        words[rule],
        old_where=both.old.definitions[one.checks[0]].where,
        new_where=both.new.definitions[other.checks[0]].where,
        owner=owner,
        old=judged(by_old, what),
        new=judged(by_new, what),
    )


def _demands(version: Version, unknown: UnknownVariant) -> list[Record]:
    """What the catch-all itself demands: one of these."""
    checks = [version.definitions[name] for name in unknown.checks]
    return [
        replace(check, fields=tuple(field for field in check.fields if field.where.startswith(check.where + "/")))
        for check in checks
        if isinstance(check, Record)
    ]
