"""Compare two editions definition by definition: what is the same, what converts field by field, what a rule settles.

Whatever none of these covers stops the generation: a difference that nobody has thought about would otherwise become a
message that nobody can explain.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Alias, Definition, Edition, Field, ListOf, Presence, Record, Ref, Scalar, Union_
from ..rulebook.kinds import UP, Rules, Way
from ..runtime import _plans as plans
from .counterparts import Counterparts
from .explained import Explained
from .pruning import without_sameness
from .shapes import droppable, members_of, values_of
from .type_plans import plan_alias, plan_type

_EVERYWHERE = ("_meta",)  # extension data: every object may carry it, whether or not its schema says so


@dataclass(frozen=True)
class Direction:
    """How the definitions of one edition become those of another."""

    source: str
    target: str
    rows: dict[str, plans.Row]
    droppable: tuple[str, ...]


def compare(older: Edition, newer: Edition, rules: Rules, way: Way) -> Direction:
    """One direction between two editions; raises for every difference that no rule explains."""
    source, target = (older, newer) if way == UP else (newer, older)
    explained = Explained(rules, way, newer.name)
    both = Counterparts(source, target, explained)
    rows: dict[str, plans.Row] = {}
    while both.wanted:
        name = both.wanted.pop(0)
        if name not in rows:
            rows[name] = _row(both, both.sources[name])
    explained.refuse_unused()
    return Direction(source.name, target.name, without_sameness(rows), droppable(source))


def _row(both: Counterparts, source: Definition) -> plans.Row:
    code = both.explained.refused(source.name)
    if code is not None:
        return plans.Refused(code)
    name = both.of(source.name)
    if name is None:
        if isinstance(source, Alias) and isinstance(source.type, Scalar):
            return plans.Refused(plans.FIELD)  # only the name: where it is used, the target has the plain scalar
        message = f"{source.name} has no counterpart in {both.target.name}"
        raise both.unexplained(message, source, None, f"CannotSay {source.name}")
    target = both.targets[name]
    if values_of(source) is not None and values_of(target) is not None:
        return _enum(both, source, target)
    if isinstance(source, Record):
        return _record(both, source, target)
    if isinstance(source, Union_):
        return _union(both, source, target)
    if isinstance(source, Alias):
        goal = target.type if isinstance(target, Alias) else Ref(target.name)
        return plans.Alias(name, plan_alias(both, source.type, goal, source.name, name))
    raise both.other_kind(source, target)


def _enum(both: Counterparts, source: Definition, target: Definition) -> plans.Values:
    known, is_open = values_of(source) or ((), False)
    theirs, accepts_others = values_of(target) or ((), False)
    refused: dict[str | int, str] = {}
    for value in known:
        code = both.explained.refused_value(source.name, value)
        if code is not None:
            refused[value] = code
        elif value not in theirs and not accepts_others:
            message = f"{source.name} has the value {value!r}, {target.name} of {both.target.name} has not"
            raise both.unexplained(message, source, target, f"NoValue {source.name} {value}")
    return plans.Values(target.name, theirs if is_open and not accepts_others else None, refused)


# ------------------------------------------------------------------------------------------------------------ records


@dataclass(frozen=True)
class _Pair:
    """Two records on their way to a row."""

    both: Counterparts
    source: Record
    target: Record
    slots: dict[str, plans.Slot]
    lost: dict[str, str]
    needed: dict[str, str]
    filled: dict[str, object]


def _record(both: Counterparts, source: Record, target: Definition) -> plans.Fields:
    name = target.name
    tag = both.tag(source.name)
    if tag is not None and isinstance(target, Union_):
        target = both.targets[next(variant.target for variant in target.variants if variant.value == tag[1])]
    if not isinstance(target, Record):
        raise both.other_kind(source, target)
    pair = _Pair(both, source, target, {}, {}, {}, {})
    after = both.explained.after(source.name)
    taken = after.takes if after else ()
    settled = set(after.gives if after else ())
    for field in source.fields:
        if field.wire not in taken:
            settled.add(_field(pair, field))
    for field in target.fields:
        if field.required and field.wire not in settled:
            _settle_absence(pair, field, field.wire)
    own = {field.wire for field in source.fields}
    reserved = (*(field.wire for field in target.fields), *target.forbidden)
    return plans.Fields(
        name,
        pair.slots,
        pair.lost,
        pair.needed,
        pair.filled,
        tuple(wire for wire in reserved if wire not in own and wire not in _EVERYWHERE),
        taken,
        tag,
        after.function if after else None,
    )


def _field(pair: _Pair, field: Field) -> str:
    """Plan one field of the source; the name in the target that is settled by it, or nothing."""
    both = pair.both
    place = f"{pair.source.name}.{field.wire}"
    no_place = both.explained.no_place(place)
    if no_place is not None:
        pair.lost[field.wire] = no_place
        return ""
    older = pair.source if both.explained.way == UP else pair.target
    wire = both.explained.other_field(older.name, field.wire)
    goal = next((theirs for theirs in pair.target.fields if theirs.wire == wire), None)
    if goal is None:
        if field.wire in _EVERYWHERE:
            return ""
        message = f"{pair.source.name} has a field {field.wire!r}, {pair.target.name} of {both.target.name} has not"
        raise both.unexplained(message, field, pair.target, f"NoPlace {place}")
    pair.slots[field.wire] = _slot(both, field, goal, place)
    if goal.required and field.presence in (Presence.OPTIONAL, Presence.PATCH):
        _settle_absence(pair, goal, field.wire)
    return wire


def _slot(both: Counterparts, field: Field, goal: Field, place: str) -> plans.Slot:
    by_hand = both.explained.field_by_hand(place)
    plan = plans.ByHand(by_hand.function) if by_hand else plan_type(both, field.type, goal.type, place)
    null = ""
    if field.presence is Presence.PATCH and goal.presence is not Presence.PATCH:
        null = "empty" if isinstance(field.type, ListOf) else "refused"
    elif field.presence is Presence.PATCH or (field.nullable and field.required):
        null = "kept"
    merges = field.keyword("x-patch") == "merge" and goal.keyword("x-patch") != "merge"
    return plans.Slot(goal.wire, plan, goal.required, null, merges)


def _settle_absence(pair: _Pair, goal: Field, wire: str) -> None:
    """What becomes of a field that the target requires where the source may have nothing."""
    place = f"{pair.target.name}.{goal.wire}"
    fills = pair.both.explained.fills(place)
    if fills is not None:
        pair.filled[goal.wire] = fills.value
    elif pair.both.explained.needs(place):
        pair.needed[goal.wire] = wire
    else:
        message = f"{pair.target.name} of {pair.both.target.name} requires {goal.wire!r}, {pair.source.name} does not"
        raise pair.both.unexplained(message, pair.source, goal, f"Needs {place}")


# ------------------------------------------------------------------------------------------------------------- unions


def _union(both: Counterparts, source: Union_, target: Definition) -> plans.Tags:
    if not members_of(target):
        raise both.other_kind(source, target)
    refused: dict[str, str] = {}
    tagged: dict[str, plans.Member] = {}
    untagged: list[plans.Member] = []
    for tag, payload in members_of(source):
        code = both.explained.refused_variant(source.name, tag) if tag is not None else None
        if tag is None:
            untagged.append(_member(both, source, tag, payload, target))
        elif code is not None:
            refused[tag] = code
        else:
            tagged[tag] = _member(both, source, tag, payload, target)
    by_hand = both.explained.unknown_by_hand(source.name)
    is_open = isinstance(target, Union_) and target.unknown is not None
    if source.unknown is not None and is_open:
        _check_unknown(both, source, target)
    return plans.Tags(
        target.name,
        source.tag,
        tagged,
        tuple(untagged),
        refused,
        source.unknown is not None and not is_open,
        by_hand.function if by_hand else None,
    )


def _member(both: Counterparts, source: Union_, tag: str | None, payload: str, target: Definition) -> plans.Member:
    both.want(payload)
    if both.explained.refused(payload) is not None:
        return plans.Member(payload, None)
    fitting = [value for value, name in members_of(target) if name == both.of(payload)]
    if not fitting:
        message = f"{source.name} has the variant {tag or payload!r}, {target.name} of {both.target.name} has not"
        raise both.unexplained(message, source, target, f"NoVariant {source.name} {tag or payload}")
    value = tag if tag in fitting else fitting[0]
    return plans.Member(payload, (target.tag, value) if value is not None and isinstance(target, Union_) else None)


def _check_unknown(both: Counterparts, source: Union_, target: Definition) -> None:
    """What is unknown to the source must not become something that the target knows: nobody checked its fields."""
    known = {tag for tag, _ in members_of(source)}
    for tag, _ in members_of(target):
        if tag not in known:
            message = f"{tag!r} is a variant of {target.name} in {both.target.name}, but unknown to {both.source.name}"
            raise both.unexplained(message, source, target, f"UnknownByHand {source.name}")
