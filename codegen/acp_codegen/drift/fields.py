"""Compare the fields of two records: what came, went, was renamed, and what of each changed."""

from __future__ import annotations

from ..ir import Fallback, Field, Nullable, Presence, Record, Scalar
from .filling import filled
from .findings import NOTHING, Effect, Findings, Owner, refuses
from .fitting import unfolded
from .model import Severity
from .types import Compared, compare_types
from .version import Version
from .wording import quoted

_ON_NULL = "x-deserialize-default-on-null"
_SALVAGES = {
    "x-deserialize-default-on-error": "a malformed value",
    "x-deserialize-skip-invalid-items": "a malformed item",
    _ON_NULL: "a null",
}


def compare_records(findings: Findings, old: Record, new: Record) -> None:
    """Report every difference between two records."""
    owner = Owner(old.name, new.name)
    pairs = pair_fields(findings, old, new)
    for field in old.fields:
        if field.wire not in pairs:
            _removed(findings, field, new, owner)
    found = {pairs[field.wire].wire: field for field in old.fields if field.wire in pairs}
    for field in new.fields:
        if field.wire in found:
            compare_fields(findings, found[field.wire], field, owner)
        else:
            _added(findings, field, old, owner)
    for wire in new.forbidden:
        if wire not in old.forbidden:
            _forbidden(findings, "forbidden-added", wire, old, new)
    for wire in old.forbidden:
        if wire not in new.forbidden:
            _forbidden(findings, "forbidden-removed", wire, old, new)


def pair_fields(findings: Findings, old: Record, new: Record) -> dict[str, Field]:
    """The new field of every old one that still exists, be it under another name."""
    by_wire = {field.wire: field for field in new.fields}
    by_place = {field.where: field for field in new.fields if all(field.wire != other.wire for other in old.fields)}
    pairs: dict[str, Field] = {}
    for field in old.fields:
        match = by_wire.get(field.wire) or by_place.get(findings.both.pairing.places.get(field.where, ""))
        if match is not None:
            pairs[field.wire] = match
    return pairs


def _added(findings: Findings, field: Field, old: Record, owner: Owner) -> None:
    name = quoted(field.wire)
    if field.required:
        findings.add(
            "field-added-required",
            f"{name} is new and required",
            old_where=None,
            new_where=field.where,
            owner=owner,
            new=refuses("what {writer} writes without it"),
        )
    else:
        findings.add(
            "field-added-optional",
            f"{name} is new and optional: old readers keep it unread",
            old_where=None,
            new_where=field.where,
            owner=owner,
        )


def _removed(findings: Findings, field: Field, new: Record, owner: Owner) -> None:
    name = quoted(field.wire)
    if field.required:
        findings.add(
            "field-removed-required",
            f"{name}, which was required, is gone",
            old_where=field.where,
            new_where=None,
            owner=owner,
            old=refuses("what {writer} writes without it"),
        )
    else:
        findings.add(
            "field-removed-optional",
            f"{name}, which was optional, is gone: new readers keep it unread",
            old_where=field.where,
            new_where=None,
            owner=owner,
        )


def _forbidden(findings: Findings, rule: str, wire: str, old: Record, new: Record) -> None:
    is_new = rule == "forbidden-added"
    effect = refuses(f"objects with {quoted(wire)}, which {{writer}} may write")
    findings.add(
        rule,
        f"{quoted(wire)} must not stand here now" if is_new else f"{quoted(wire)} may stand here now",
        old_where=old.where,
        new_where=new.where,
        owner=Owner(old.name, new.name),
        old=NOTHING if is_new else effect,
        new=effect if is_new else NOTHING,
        key=wire,
    )


# ------------------------------------------------------------------------------------------------------ one field


def compare_fields(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    """Report what changed about one field."""
    places = (old.where, new.where)
    findings.met[old.where] = new.where
    if old.wire != new.wire:
        _renamed(findings, old, new, owner)
    if old.required != new.required:
        _required(findings, old, new, owner)
    both = findings.both
    if old.nullable != new.nullable and _takes_null(old, both.old) != _takes_null(new, both.new):
        _nullable(findings, old, new, owner)
    compared = Compared(old.type, new.type, both.old_reads.of_fields(new, old), both.new_reads.of_fields(old, new))
    compare_types(findings, compared, quoted(new.wire), owner, places)
    if old.required == new.required:
        _default(findings, old, new, owner)
    _leniency(findings, old, new, owner)


def _takes_null(field: Field, version: Version) -> bool:
    """Whether null is a value of the field, be it because its definition says so."""
    shape = unfolded(field.type, version)
    return field.nullable or isinstance(shape, Nullable) or shape == Scalar("any")


def _renamed(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    """A reader that needs the field refuses the message; another one reads it as absent."""
    rule = "field-renamed-required" if old.required or new.required else "field-renamed-optional"
    effects = [
        (
            refuses(f"what {{writer}} writes without {quoted(field.wire)}")
            if field.required
            else Effect(Severity.LOSES, f"finds no {quoted(field.wire)} in what {{writer}} writes")
        )
        for field in (old, new)
    ]
    findings.add(
        rule,
        f"{quoted(old.wire)} is called {quoted(new.wire)} now",
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=effects[0],
        new=effects[1],
    )


def _required(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    effect = refuses("what {writer} writes without it")
    if new.required:
        rule, lead = "field-became-required", f"{quoted(new.wire)} became required"
        findings.add(rule, lead, old_where=old.where, new_where=new.where, owner=owner, new=effect)
    else:
        rule, lead = "field-became-optional", f"{quoted(new.wire)} became optional"
        findings.add(rule, lead, old_where=old.where, new_where=new.where, owner=owner, old=effect)


def _nullable(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    reads = findings.both.new_reads if old.nullable else findings.both.old_reads
    severity = reads.null(new if old.nullable else old)
    does = "refuses the null that {writer} may write"
    if severity is Severity.LOSES:
        does = "takes the null that {writer} may write for an absent or empty value"
    effect = Effect(severity, does)
    if new.nullable:
        rule, lead = "field-became-nullable", f"{quoted(new.wire)} may be null now"
        findings.add(rule, lead, old_where=old.where, new_where=new.where, owner=owner, old=effect)
    else:
        rule, lead = "field-became-not-nullable", f"{quoted(new.wire)} may no longer be null"
        findings.add(rule, lead, old_where=old.where, new_where=new.where, owner=owner, new=effect)


def _default(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    had, has = old.presence is Presence.DEFAULTED, new.presence is Presence.DEFAULTED
    if (had, old.default if had else None) == (has, new.default if has else None):
        return
    version = findings.both.new
    if had and has and filled(old.default, new.type, version) == filled(new.default, new.type, version):
        return
    if had and has:
        rule, severity = "default-changed", Severity.BREAKS
        lead = f"Without {quoted(new.wire)} a message meant {quoted(old.default)} and means {quoted(new.default)}"
    elif has:
        rule, severity = "default-added", Severity.LOSES
        lead = f"{quoted(new.wire)} has the default {quoted(new.default)} now"
    else:
        rule, severity = "default-removed", Severity.LOSES
        lead = f"{quoted(new.wire)} has lost its default {quoted(old.default)}"
    findings.add(
        rule,
        lead,
        old_where=old.where,
        new_where=new.where,
        owner=owner,
        old=Effect(severity, _silence(old, had)),
        new=Effect(severity, _silence(new, has)),
    )


def _silence(field: Field, has_default: bool) -> str:
    meaning = quoted(field.default) if has_default else "nothing"
    return f"reads {meaning} where {{writer}} leaves it out"


def _leniency(findings: Findings, old: Field, new: Field, owner: Owner) -> None:
    """The keywords that came, and those that went, weighed by what the side without them does."""
    came = [keyword for keyword in _SALVAGES if new.keyword(keyword) and not old.keyword(keyword)]
    went = [keyword for keyword in _SALVAGES if old.keyword(keyword) and not new.keyword(keyword)]
    for rule, keywords, strict in (("leniency-added", came, old), ("leniency-removed", went, new)):
        if strict.on_null is not Fallback.FAIL and _ON_NULL in keywords:
            keywords.remove(_ON_NULL)  # null is read as something without it
        if not keywords:
            continue
        effect = Effect(Severity.LOSES, "refuses the whole message of {writer} that sends one", is_refusal=True)
        if strict.on_error is not Fallback.FAIL:
            effect = Effect(Severity.LOSES, "reads the whole field as absent or empty where {writer} sends one")
        is_new = rule == "leniency-added"
        what = " or ".join(_SALVAGES[keyword] for keyword in keywords)
        names = ", ".join(keyword.removeprefix("x-deserialize-") for keyword in keywords)
        findings.add(
            rule,
            f"In {quoted(new.wire)}, {what} is {'passed over now' if is_new else 'no longer passed over'} ({names})",
            old_where=old.where,
            new_where=new.where,
            owner=owner,
            old=effect if is_new else NOTHING,
            new=NOTHING if is_new else effect,
        )
