"""The algebra of patches: ``diff``, ``merge``, ``coalesce``, ``replay``.

They are rarer than ``apply_update``, which is generated code: they interpret the tables that are generated from the same
annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, replace
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, NamedTuple, TypeAlias

from ._careful import Object, Run, is_array, is_object
from ._codec import Codec
from ._fold import field_names, origin, owned, owned_update, read_base64, write_base64
from ._record import Record, Unknown
from ._unset import UNSET

How: TypeAlias = Literal["replace", "merge", "keep", "latest", "set", "bytes"]


class FieldRule(NamedTuple):
    """How one field of a stored entity follows the field of its update."""

    name: str
    how: How
    reset: Callable[[], Any]  # what a new entity starts with and null resets to
    wrap: Callable[[bytes], Any] | None = None  # stored bytes as the update's value
    unwrap: Callable[[Any], str] | None = None  # the text of the bytes in the update's value


class EntityRule(NamedTuple):
    """One kind of stored thing: a collection of them by id, or (without ``key``) a slot for one."""

    kind: str
    state: type[Any]
    payload: type[Any]
    key: str
    timeline: str
    fields: tuple[FieldRule, ...]
    whole: type[Any] | None = None  # the update that carries all of it
    of_chunks: bool = False  # no update carries it: the payload is a chunk of its only field


class ChunkRule(NamedTuple):
    """An update that appends to a field of an entity."""

    kind: str
    chunk: type[Any]
    key: str
    source: str
    field: str
    is_bytes: bool


class SnapshotRule(NamedTuple):
    """An update whose value takes the place of the previous one: of a slot, or of one member of a collection."""

    kind: str
    payloads: tuple[type[Any], ...]
    source: str  # empty: the update itself is the value
    key: str  # empty: a slot
    timeline: str
    type: str  # the definition that the value is encoded as
    keys: tuple[str, ...]  # wire names that its JSON form always has


# --------------------------------------------------------------------------------------------- the algebra


class Session:
    """Inverse operations of one edition's ``apply_update``, over its generated tables."""

    def __init__(
        self,
        state: type[Any],
        codec: Codec,
        updates: Iterable[type[Any]],
        *,
        entities: tuple[EntityRule, ...],
        chunks: tuple[ChunkRule, ...],
        snapshots: tuple[SnapshotRule, ...],
    ) -> None:
        self._state = state
        self._codec = codec
        self._updates = frozenset(updates)
        self._entities = entities
        self._snapshots = snapshots
        self._by_state = {rule.state: rule for rule in entities}
        self._by_payload = {rule.payload: rule for rule in entities if not rule.of_chunks}
        self._by_whole = {rule.whole: rule for rule in entities if rule.whole is not None}
        self._by_kind = {rule.kind: rule for rule in entities}
        self._by_chunk = {rule.chunk: rule for rule in chunks}
        self._by_snapshot = {payload: rule for rule in snapshots for payload in rule.payloads}

    # ------------------------------------------------------------------------------------------------ diff

    def diff(self, old: Any, new: Any) -> Any:
        """The smallest update that turns one entity's state into another.

        ``old`` is None for an entity that the receiver has not heard of. Where the two are the same, the update says
        nothing but which entity it is about. Raises ``ValueError`` where the edition has no update that does it.
        """
        rule = self._by_state.get(new.__class__)
        if rule is None or not (old is None or old.__class__ is rule.state):
            raise TypeError(f"diff takes two states of one entity, got {origin(old)} and {origin(new)}")
        key = {rule.key: getattr(new, rule.key)} if rule.key else {}
        if old is not None and rule.key and getattr(old, rule.key) != key[rule.key]:
            raise ValueError("diff takes two states of one entity, these have different ids")
        if rule.of_chunks:
            return self._next_chunk(rule, old, new)
        values: dict[str, Any] = dict(key)
        for field in rule.fields:
            before = field.reset() if old is None else getattr(old, field.name)
            after = getattr(new, field.name)
            if field.how == "keep" and after is None and before is not None:
                return self._whole(rule, new, field.name)
            values[field.name] = _difference(field, before, after)
        return rule.payload(**values)

    def _whole(self, rule: EntityRule, new: Any, cleared: str) -> Any:
        """The update that carries all of an entity, for what a patch cannot clear."""
        names = [rule.key, *(field.name for field in rule.fields)]
        required = (
            {field.name for field in dataclass_fields(rule.whole) if field.default is MISSING} if rule.whole else ()
        )
        if rule.whole is None or any(getattr(new, name) is None for name in required):
            raise ValueError(f"no update of this edition can clear {cleared}")
        return rule.whole(**{name: owned(getattr(new, name)) for name in names})

    def _next_chunk(self, rule: EntityRule, old: Any, new: Any) -> Any:
        name = rule.fields[0].name
        before: list[Any] = [] if old is None else getattr(old, name)
        after: list[Any] = getattr(new, name)
        if len(after) != len(before) + 1 or not _same(before, after[:-1]):
            raise ValueError(f"no single update of this edition leads to this {name}")
        return self._chunk(rule, new, after[-1])

    def _chunk(self, rule: EntityRule, entry: Any, item: Any) -> Any:
        chunk = self._by_chunk[rule.payload]
        return rule.payload(**{chunk.key: getattr(entry, rule.key), chunk.source: owned(item)})

    # ----------------------------------------------------------------------------------------------- merge

    def merge(self, first: Any, second: Any) -> Any | None:
        """One update that does what two in a row do, or None where no single update can."""
        place = self._place(first)
        if place is None or place != self._place(second):
            return None
        if second.__class__ in self._by_snapshot or second.__class__ in self._by_whole:
            return second
        if second.__class__ in self._by_payload:
            rule = self._by_payload[second.__class__]
            if first.__class__ in self._by_whole:
                return _replaced(first, **_spoken(rule, second))
            if first.__class__ in self._by_chunk:
                return self._absorbed_chunk(self._by_chunk[first.__class__], second)
            return self._merged_upserts(rule, first, second)
        return self._merged_chunk(first, second)

    def _absorbed_chunk(self, chunk: ChunkRule, second: Any) -> Any | None:
        """A chunk leaves no trace if the whole is sent after it."""
        whole = getattr(second, chunk.field)
        if whole is UNSET or (chunk.is_bytes and self._bytes(chunk, whole) is None):
            return None
        return second

    def _bytes(self, chunk: ChunkRule, whole: Any) -> bytes | None:
        """The bytes of a snapshot; None where they are not base64."""
        return _bytes_of(self._bytes_field(chunk), whole)

    def _bytes_field(self, chunk: ChunkRule) -> FieldRule:
        return next(field for field in self._by_kind[chunk.kind].fields if field.name == chunk.field)

    def _merged_chunk(self, first: Any, second: Any) -> Any | None:
        chunk = self._by_chunk[second.__class__]
        added = getattr(second, chunk.source)
        if first.__class__ is second.__class__:
            if not chunk.is_bytes or first.meta or second.meta:
                return None
            one, two = read_base64(getattr(first, chunk.source)), read_base64(added)
            if one is None or two is None:
                return None
            return _replaced(first, **{chunk.source: write_base64(one + two)})
        whole = getattr(first, chunk.field)
        if whole is UNSET:
            return None
        if chunk.is_bytes:
            one = self._bytes(chunk, whole)
            two = read_base64(added)
            if one is None or two is None:
                return None
            return _replaced(first, **{chunk.field: self._wrapped(chunk, one + two)})
        return _replaced(first, **{chunk.field: [*(whole or []), added]})

    def _wrapped(self, chunk: ChunkRule, data: bytes) -> Any:
        wrap = self._bytes_field(chunk).wrap
        assert wrap is not None
        return wrap(data)

    def _merged_upserts(self, rule: EntityRule, first: Any, second: Any) -> Any | None:
        values: dict[str, Any] = {rule.key: getattr(second, rule.key)} if rule.key else {}
        for field in rule.fields:
            one, two = getattr(first, field.name), getattr(second, field.name)
            if two is UNSET or (two is None and field.how == "keep"):
                values[field.name] = one
            elif field.unwrap is not None and _bytes_of(field, two) is None:
                return None  # not base64: the bytes of the first would stay
            elif field.how != "merge" or one is UNSET or two is None:
                values[field.name] = two
            elif one is None:
                return None  # "clear, then set these" is nothing that one merge can say
            else:
                values[field.name] = {**one, **two}
        return rule.payload(**values)

    def _place(self, update: Any) -> tuple[str, Any] | None:
        """What an update writes to; None for events and unknown updates, which write to nothing that has a name."""
        cls = update.__class__
        if cls not in self._updates:
            raise TypeError(f"expected a session update of the same edition, got {origin(update)}")
        if cls in self._by_payload:
            rule = self._by_payload[cls]
            return rule.kind, getattr(update, rule.key) if rule.key else None
        if cls in self._by_whole:
            rule = self._by_whole[cls]
            return rule.kind, getattr(update, rule.key)
        if cls in self._by_chunk:
            chunk = self._by_chunk[cls]
            key = getattr(update, chunk.key)
            return None if key is None else (chunk.kind, key)  # without an id only the fold knows what it extends
        if cls in self._by_snapshot:
            snapshot = self._by_snapshot[cls]
            return snapshot.kind, _follow(update, snapshot.key) if snapshot.key else None
        return None

    def coalesce(self, updates: Iterable[Any]) -> list[Any]:
        """A shorter list of updates with the same outcome.

        An update moves up to the last one about the same thing if the two can be one; the order in which things first
        appear stays, and so does everything that leaves no state.
        """
        result: list[Any] = []
        last: dict[tuple[str, Any], int] = {}
        for update in updates:
            place = self._place(update)
            if place is not None and place in last:
                combined = self.merge(result[last[place]], update)
                if combined is not None:
                    result[last[place]] = combined
                    continue
            if place is not None:
                last[place] = len(result)
            result.append(update)
        return result

    # ---------------------------------------------------------------------------------------------- replay

    def replay(self, state: Any) -> list[Any]:
        """Updates from which an empty state becomes this one, in the order of the conversation."""
        if state.__class__ is not self._state:
            raise TypeError(f"expected a {self._state.__module__}.{self._state.__name__}, got {origin(state)}")
        empty = self._state()
        places = {place: order for order, place in enumerate(state.timeline)}
        ordered: list[tuple[int, Any]] = []
        rest: list[Any] = []
        for rule in self._entities:
            stored = _follow(state, rule.kind)
            if not rule.key:
                if stored is not None and (rule.kind in state.received or stored != getattr(empty, rule.kind)):
                    rest.append(self.diff(None, stored))
                continue
            for key, entry in stored.items():
                place = places.get((rule.timeline, key))
                for update in self._telling(rule, entry):
                    if place is None:
                        rest.append(update)
                    else:
                        ordered.append((place, update))
        for snapshot in self._snapshots:
            stored = _follow(state, snapshot.kind)
            if snapshot.key:
                for key, value in stored.items():
                    own_key = {} if "." in snapshot.key else {snapshot.key: key}
                    update = snapshot.payloads[0](**own_key, **{snapshot.source: owned(value)})
                    place = places.get((snapshot.timeline, key))
                    if place is None:
                        rest.append(update)
                    else:
                        ordered.append((place, update))
            elif snapshot.kind in state.received or stored != getattr(empty, snapshot.kind):
                whole = snapshot.payloads[0](**{snapshot.source: stored}) if snapshot.source else stored
                rest.append(owned_update(whole))
        ordered.sort(key=lambda pair: pair[0])
        return [update for _, update in ordered] + rest

    def _telling(self, rule: EntityRule, entry: Any) -> list[Any]:
        """The updates that tell all of an entry to someone who has not heard of it."""
        if rule.of_chunks:
            return [self._chunk(rule, entry, item) for item in getattr(entry, rule.fields[0].name)]
        return [self.diff(None, entry)]

    # --------------------------------------------------------------------------------------------- to_json

    def to_json(self, state: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for field in dataclass_fields(state):
            if field.compare:  # the rest is bookkeeping
                result[field.name] = owned(self._json_of(field.name, getattr(state, field.name)))
        return result

    def _json_of(self, kind: str, value: Any) -> Any:
        if value is None:
            return None
        if value.__class__ in self._by_state:
            return self._entity_json(value)
        if is_object(value):
            return {key: self._json_of(kind, member) for key, member in value.items()}
        if kind == "timeline":
            return [list(place) for place in value]
        snapshot = next((rule for rule in self._snapshots if rule.kind == kind), None)
        if snapshot is None:
            spaces = dataclass_fields(value)
            return {space.name: self._json_of(f"{kind}.{space.name}", getattr(value, space.name)) for space in spaces}
        return self._snapshot_json(snapshot, value)

    def _entity_json(self, entry: Any) -> dict[str, Any]:
        rule = self._by_state[entry.__class__]
        slots = {slot.name: slot for slot in self._object(rule.payload).slots}
        result: dict[str, Any] = {}
        for field in rule.fields:
            value = getattr(entry, field.name)
            if field.how == "bytes":
                result["bytes_base64"] = write_base64(value)
                continue
            slot = slots[field.name]
            if rule.of_chunks:
                result[slot.wire] = [slot.rule.encode(item, "", self._run(), {}) for item in value]
                continue
            result[slot.wire] = None if value is None else slot.rule.encode(value, "", self._run(), {})
        return result

    def _snapshot_json(self, snapshot: SnapshotRule, value: Any) -> Any:
        if snapshot.source:
            slots = self._object(snapshot.payloads[0]).slots
            rule = next(slot.rule for slot in slots if slot.name == snapshot.source)
            return rule.encode(value, "", self._run(), {})
        # an unknown field of a known variant is not the field of that name of another variant
        whole = value if isinstance(value, Unknown) else replace(value, extra=None)
        data: dict[str, Any] = self._codec.encode(whole, snapshot.type)
        return {key: data.get(key) for key in snapshot.keys}

    def _object(self, cls: type[Any]) -> Object:
        rule = self._codec.rules()[cls.__name__]
        assert isinstance(rule, Object)
        return rule

    def _run(self) -> Run:
        return Run(self._codec.rules(), [])


def _difference(field: FieldRule, before: Any, after: Any) -> Any:
    if field.how == "set":
        return after
    if field.how == "latest":
        return owned(after)
    if _same(before, after):
        return None if field.how == "keep" else UNSET
    if field.wrap is not None:
        return field.wrap(bytes(after)) if after else None
    if field.how == "merge" and after is not None:
        stored: dict[str, Any] = before or {}
        wanted: dict[str, Any] = after
        gone = {key: None for key in stored if key not in wanted}
        changed = {key: value for key, value in wanted.items() if not _same(stored.get(key), value)}
        return {**gone, **owned(changed)}
    return owned(after)


def _spoken(rule: EntityRule, update: Any) -> dict[str, Any]:
    """What a patch whose null changes nothing does change."""
    values = {field.name: getattr(update, field.name) for field in rule.fields}
    return {name: value for name, value in values.items() if value is not None}


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON text: to Python, true and 1.0 are 1."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Record) and type(one) is type(other):
        return all(_same(getattr(one, name), getattr(other, name)) for name in field_names(type(one)))
    return type(one) is type(other) and bool(one == other)


def _bytes_of(field: FieldRule, value: Any) -> bytes | None:
    assert field.unwrap is not None
    return b"" if value is None else read_base64(field.unwrap(value))


def _replaced(update: Any, **values: Any) -> Any:
    current = {field.name: getattr(update, field.name) for field in dataclass_fields(update)}
    return type(update)(**{**current, **values})


def _follow(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name)
    return value
