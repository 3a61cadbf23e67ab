"""Compare the method tables and the envelopes at the root of two schemas."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import Method
from ..jsontypes import Json, JsonObject, pointer
from .canonical import Canonical
from .findings import NOTHING, Effect, Findings, refuses
from .fitting import worst
from .model import Severity
from .wording import quoted

_Match = Callable[[Method, Method], bool]


def compare_methods(findings: Findings) -> None:
    """Report methods that came, went, or are something else now."""
    both = findings.both
    gone, came = list(both.old.methods), list(both.new.methods)
    for is_match in (_same, _other_kind, _other_side, _renamed(findings)):
        for old in list(gone):
            new = next((row for row in came if is_match(old, row)), None)
            if new is not None:
                gone.remove(old)
                came.remove(new)
                _compare_rows(findings, old, new)
    for rows in _by_sides(gone):
        _one_sided(findings, rows, is_new=False)
    for rows in _by_sides(came):
        _one_sided(findings, rows, is_new=True)


def _by_sides(rows: list[Method]) -> list[list[Method]]:
    """Rows that are one method, handled by either side."""
    groups: dict[tuple[str, str], list[Method]] = {}
    for row in rows:
        groups.setdefault((row.method, row.kind), []).append(row)
    return list(groups.values())


def _same(old: Method, new: Method) -> bool:
    return (old.method, old.side, old.kind) == (new.method, new.side, new.kind)


def _other_kind(old: Method, new: Method) -> bool:
    return (old.method, old.side) == (new.method, new.side)


def _other_side(old: Method, new: Method) -> bool:
    return (old.method, old.kind) == (new.method, new.kind)


def _renamed(findings: Findings) -> _Match:
    """The same message under another method: its params, or its result, belong together."""
    names = findings.both.names

    def is_match(old: Method, new: Method) -> bool:
        has_result = old.result is not None and names.get(old.result) == new.result
        return (old.side, old.kind) == (new.side, new.kind) and (names.get(old.params) == new.params or has_result)

    return is_match


def _row(row: Method) -> Json:
    cells = {"method": row.method, "side": row.side, "kind": row.kind, "params": row.params, "result": row.result}
    return {name: cell for name, cell in cells.items() if cell is not None}


def _unknown(row: Method) -> Effect:
    """What becomes of a call that its receiver does not know."""
    if row.kind == "request":
        return Effect(Severity.BREAKS, "answers {writer} that there is no such method")
    return Effect(Severity.LOSES, "ignores it")


def _one_sided(findings: Findings, rows: list[Method], *, is_new: bool) -> None:
    row = rows[0]
    side = row.side if len(rows) == 1 else "peer"
    whom = f"the {side}" if len(rows) == 1 else "either side"
    effect = _unknown(row)
    findings.add_method(
        f"{row.kind}-{'added' if is_new else 'removed'}",
        f"The {row.kind} {row.method} to {whom} is {'new' if is_new else 'gone'}",
        row.method,
        side,
        effect if is_new else NOTHING,
        NOTHING if is_new else effect,
        (None, _row(row)) if is_new else (_row(row), None),
    )


def _compare_rows(findings: Findings, old: Method, new: Method) -> None:
    excerpts = (_row(old), _row(new))
    if old.method != new.method:
        effect = _unknown(new)
        lead = f"The {new.kind} {old.method} is called {new.method} now"
        findings.add_method("method-renamed", lead, new.method, new.side, effect, effect, excerpts)
    if old.kind != new.kind:
        lead = f"{new.method} was a {old.kind} and is a {new.kind}"
        findings.add_method("method-kind-changed", lead, new.method, new.side, _unknown(new), _unknown(old), excerpts)
    if old.side != new.side:
        lead = f"{new.method} was handled by the {old.side} and is handled by the {new.side}"
        findings.add_method("method-side-changed", lead, new.method, "peer", _unknown(new), _unknown(old), excerpts)
    _types(findings, old, new, excerpts)


def _types(findings: Findings, old: Method, new: Method, excerpts: tuple[Json, Json]) -> None:
    """Params and results that are other definitions now; their own changes are reported with them."""
    both = findings.both
    for what, before, after in (("params", old.params, new.params), ("result", old.result, new.result)):
        if before is None or after is None or both.names.get(before) == after:
            continue
        by_old = both.old_reads.of_definitions(after, before)
        by_new = both.new_reads.of_definitions(before, after)
        rule = "method-types-respelled" if worst([by_old, by_new]) is Severity.SAFE else "method-types-changed"
        does = f"cannot read the {what} of {{writer}}"
        lead = f"The {what} of {new.method} are {after} instead of {before}"
        if what == "result":
            lead = f"The result of {new.method} is {after} instead of {before}"
        findings.add_method(rule, lead, new.method, new.side, Effect(by_old, does), Effect(by_new, does), excerpts)


# ----------------------------------------------------------------------------------------------------- envelopes


def compare_envelopes(findings: Findings) -> None:
    """Report what changed about the messages as such: the branches at the root, and whether they may come in batches."""
    both = findings.both
    with_batches = both.old.has_batches == both.new.has_batches
    if not with_batches:
        _batches(findings)
    before, after = _kinds(both.old.document, with_batches), _kinds(both.new.document, with_batches)
    pairs = _pair_kinds(findings, before, after)
    findings.met.update(pairs)
    for place, schema in before.items():
        if place not in pairs:
            _one_envelope(findings, place, schema, is_new=False)
        elif not _is_alike(findings, schema, after[pairs[place]]):
            effect = refuses("messages that only {writer} may write")
            lead = f"Messages of the kind {quoted(schema.get('title', 'message'))} look different now"
            findings.add("envelope-changed", lead, old_where=place, new_where=pairs[place], old=effect, new=effect)
    for place, schema in after.items():
        if place not in pairs.values():
            _one_envelope(findings, place, schema, is_new=True)


def _pair_kinds(findings: Findings, before: dict[str, JsonObject], after: dict[str, JsonObject]) -> dict[str, str]:
    """Kinds of messages that belong together, one to one: what is paired and alike, what is alike, what is paired."""
    places = findings.both.pairing.places
    pairs: dict[str, str] = {}
    for wants_pair, wants_alike in ((True, True), (False, True), (True, False)):
        for place, schema in before.items():
            free = [other for other in after if place not in pairs and other not in pairs.values()]
            for other in free:
                is_paired = not wants_pair or places.get(place) == other
                if is_paired and (not wants_alike or _is_alike(findings, schema, after[other])):
                    pairs[place] = other
                    break
    return pairs


def _is_alike(findings: Findings, old: JsonObject, new: JsonObject) -> bool:
    both = findings.both
    before = Canonical(both.old.loaded.definitions, both.pairing.definitions)
    return before.of(old) == Canonical(both.new.loaded.definitions, {}).of(new)


def _kinds(document: JsonObject, with_batches: bool) -> dict[str, JsonObject]:
    """The branches at the root: what a message can be."""
    branches: list[JsonObject] = document.get("anyOf", [])
    return {
        pointer("anyOf", index): branch
        for index, branch in enumerate(branches)
        if with_batches or branch.get("type") != "array"
    }


def _batches(findings: Findings) -> None:
    both = findings.both
    effect = refuses("the batches that {writer} may write")
    is_new = both.new.has_batches
    document = both.new.document if is_new else both.old.document
    index = next(i for i, branch in enumerate(document["anyOf"]) if branch.get("type") == "array")
    place = pointer("anyOf", index)
    findings.add(
        "batches-added" if is_new else "batches-removed",
        "Several messages may come as one array now" if is_new else "A message may no longer be an array of messages",
        old_where=None if is_new else place,
        new_where=place if is_new else None,
        old=effect if is_new else NOTHING,
        new=NOTHING if is_new else effect,
        subject_name="batches",
    )


def _one_envelope(findings: Findings, place: str, schema: JsonObject, *, is_new: bool) -> None:
    title = quoted(schema.get("title", "message"))
    effect = Effect(Severity.LOSES, "does not know them")
    findings.add(
        "envelope-added" if is_new else "envelope-removed",
        f"Messages of the kind {title} are {'new' if is_new else 'gone'}",
        old_where=None if is_new else place,
        new_where=place if is_new else None,
        old=effect if is_new else NOTHING,
        new=NOTHING if is_new else effect,
    )
