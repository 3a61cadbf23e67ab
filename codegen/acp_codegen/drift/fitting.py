"""What a reader of one schema does with the values that a writer of the other may write.

Values are judged as the generated decoders judge them: unknown fields pass, a leniency keyword turns a refusal into a
loss. Definitions that belong together count as the same, because their own changes are reported where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..ir import (
    Alias,
    Bounds,
    Choice,
    Enum,
    Fallback,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Record,
    Ref,
    Scalar,
    Type,
    Union_,
    Values,
)
from ..passes.defaults import fits
from .model import Severity
from .version import Version

_WEIGHT = {Severity.SAFE: 0, Severity.LOSES: 1, Severity.BREAKS: 2}
Shape = Type | Record | Union_  # a type with names followed; enums are their values, or their base where they are open
Tags = Mapping[str, str]  # discriminators that a writer adds to an object
_Key = tuple[str, str, frozenset[tuple[str, str]]]


def worst(severities: Iterable[Severity]) -> Severity:
    return max(severities, key=_WEIGHT.__getitem__, default=Severity.SAFE)


def best(severities: Iterable[Severity]) -> Severity:
    return min(severities, key=_WEIGHT.__getitem__, default=Severity.BREAKS)


def _verdict(is_fit: bool) -> Severity:
    return Severity.SAFE if is_fit else Severity.BREAKS


@dataclass
class Fitting:
    """One direction; ``counterparts`` leads from the writer's definitions to the reader's."""

    writer: Version
    reader: Version
    counterparts: Mapping[str, str]
    with_bounds: bool = True
    _known: dict[_Key, Severity] = field(default_factory=dict[_Key, Severity])

    def without_bounds(self) -> Fitting:
        return replace(self, with_bounds=False, _known={})

    def of_types(self, written: Type, read: Type) -> Severity:
        """The worst that a value of one type can meet."""
        return self._of(written, read, {})

    def of_definitions(self, written: str, read: str) -> Severity:
        """The same for two definitions, even if they are counterparts: what is inside decides."""
        return self._unfolded(_unfold(written, self.writer), _unfold(read, self.reader), {})

    def of_fields(self, written: Field, read: Field) -> Severity:
        """The same for two fields, null and absence aside; the reader's leniency counts."""
        found = self.of_types(written.type, read.type)
        if found is Severity.BREAKS:
            one, other = self._follow(written.type, self.writer), self._follow(read.type, self.reader)
            found = self._unfolded(_without_null(one), _without_null(other), {})
        if found is not Severity.BREAKS:
            return found
        if read.on_error is not Fallback.FAIL or (
            read.skip_invalid_items and self._only_items(written.type, read.type)
        ):
            return Severity.LOSES
        return found

    def null(self, read: Field) -> Severity:
        """What the reader does with null."""
        if read.on_null is Fallback.FAIL:
            return Severity.BREAKS
        return Severity.SAFE if read.on_null is Fallback.VALUE else Severity.LOSES

    # ---------------------------------------------------------------------------------------------------- types

    def _of(self, written: Type, read: Type, tags: Tags) -> Severity:
        one, other = self._follow(written, self.writer), self._follow(read, self.reader)
        if not isinstance(written, Ref) or not isinstance(read, Ref):
            return self._unfolded(one, other, tags)
        if self.counterparts.get(written.name) == read.name:
            return Severity.SAFE
        key = (written.name, read.name, frozenset(tags.items()))
        if key not in self._known:
            self._known[key] = Severity.SAFE  # what a definition that holds itself meets again does not count twice
            self._known[key] = self._unfolded(one, other, tags)
        return self._known[key]

    def _follow(self, type_: Type, version: Version) -> Shape:
        return _unfold(type_.name, version) if isinstance(type_, Ref) else type_

    def _unfolded(self, written: Shape, read: Shape, tags: Tags) -> Severity:
        if read == Scalar("any"):
            return Severity.SAFE
        if isinstance(written, Nullable):
            takes_null = _verdict(self._takes_null(read))
            return worst([takes_null, self._unfolded(self._follow(written.inner, self.writer), read, tags)])
        if isinstance(read, Nullable):
            if written == Scalar("null"):
                return Severity.SAFE
            return self._unfolded(written, self._follow(read.inner, self.reader), tags)
        if isinstance(written, Choice):
            if isinstance(read, Choice) and read.exclusive and not written.exclusive and self._overlap(written):
                return Severity.BREAKS
            return worst(self._into(option, read, tags) for option in written.options)
        if isinstance(written, Union_):
            return worst(self._written_union(written, read, tags))
        if isinstance(read, Choice):
            return best(self._unfolded(written, self._follow(option, self.reader), tags) for option in read.options)
        if isinstance(written, Record):
            return self._written_record(written, read, tags)
        if isinstance(read, (Record, Union_)):
            return Severity.BREAKS
        return self._plain(written, read)

    def _into(self, written: Type, read: Shape, tags: Tags) -> Severity:
        """A written type into a shape; into a choice, the option that belongs to it comes first."""
        if isinstance(read, Choice):
            return best(self._of(written, option, tags) for option in read.options)
        return self._unfolded(self._follow(written, self.writer), read, tags)

    def _plain(self, written: Type, read: Type) -> Severity:
        if isinstance(written, Values):
            return _verdict(all(self._is_value(value, read) for value in written.values))
        if isinstance(written, ListOf) and isinstance(read, ListOf):
            length = not self.with_bounds or _is_within(
                (written.min_items, written.max_items), (read.min_items, read.max_items)
            )
            return worst([_verdict(length), self._of(written.item, read.item, {})])
        if isinstance(written, MapOf) and isinstance(read, MapOf):
            return self._of(written.value, read.value, {})
        if isinstance(written, Scalar) and isinstance(read, Scalar):
            same = written.kind == read.kind or (written.kind, read.kind) == ("integer", "number")
            return _verdict(same and (not self.with_bounds or _is_stricter(written.bounds, read.bounds)))
        return Severity.BREAKS

    def _is_value(self, value: str | int | bool, read: Type) -> bool:
        if isinstance(read, Scalar) and not self.with_bounds:
            read = Scalar(read.kind)
        return fits(value, read, self.reader.definitions)

    def _takes_null(self, read: Shape) -> bool:
        if isinstance(read, Choice):
            return any(self._takes_null(self._follow(option, self.reader)) for option in read.options)
        return isinstance(read, Nullable) or read in (Scalar("any"), Scalar("null"))

    def _only_items(self, written: Type, read: Type) -> bool:
        """Whether two lists differ in nothing but their items."""
        one, other = self._follow(written, self.writer), self._follow(read, self.reader)
        if not isinstance(one, ListOf) or not isinstance(other, ListOf):
            return False
        return self._plain(replace(one, item=Scalar("any")), replace(other, item=Scalar("any"))) is Severity.SAFE

    def _overlap(self, choice: Choice) -> bool:
        """Whether one value may be of two of the options: alternatives of different JSON types never are."""
        kinds = [_json_kind(self._follow(option, self.writer)) for option in choice.options]
        return len(set(kinds)) < len(kinds)

    # -------------------------------------------------------------------------------------------------- objects

    def _written_union(self, union: Union_, read: Shape, tags: Tags) -> Iterable[Severity]:
        for variant in union.variants:
            yield self._into(Ref(variant.target), read, {**tags, union.tag: variant.value})
        members = [*union.untagged, *([union.absent] if union.absent else [])]
        for member in members:
            yield self._into(Ref(member), read, tags)
        if union.unknown is not None:
            yield self._written_unknown(union, read, tags)

    def _written_unknown(self, union: Union_, read: Shape, tags: Tags) -> Severity:
        """What the catch-all of a union lets through."""
        checks = union.unknown.checks if union.unknown else ()
        if isinstance(read, Union_) and read.tag not in tags:
            if read.unknown is None or read.tag != union.tag:
                return Severity.BREAKS
            wanted = read.unknown.checks
            return worst(
                best(self._into(Ref(check), _unfold(w, self.reader), tags) for w in wanted) for check in checks
            )
        if isinstance(read, Choice):
            return best(
                self._written_unknown(union, self._follow(option, self.reader), tags) for option in read.options
            )
        return worst(self._into(Ref(check), read, tags) for check in checks)

    def _written_record(self, record: Record, read: Shape, tags: Tags) -> Severity:
        if isinstance(read, Record):
            return self.of_records(record, read, tags)
        if isinstance(read, Union_):
            return self._tell_apart(record, read, tags)
        return _verdict(isinstance(read, MapOf) and read.value == Scalar("any"))

    def of_records(self, written: Record, read: Record, tags: Tags) -> Severity:
        """What the reader of one record does with another."""
        fields = _written_fields(written, tags)
        found = [_verdict(not any(fields[wire].required for wire in read.forbidden if wire in fields))]
        for wanted in read.fields:
            given = fields.get(wanted.wire)
            if given is None:
                found.append(_verdict(not wanted.required))
                continue
            found.append(_verdict(given.required or not wanted.required))
            found.append(self.null(wanted) if given.nullable else Severity.SAFE)
            found.append(self.of_fields(given, wanted))
        return worst(found)

    def _tell_apart(self, record: Record, read: Union_, tags: Tags) -> Severity:
        """An object read as a member of a union: by its tag, or as one of the members without."""
        members = [*read.untagged, *([read.absent] if read.absent else [])]
        untagged = best(self._written_record(record, _unfold(member, self.reader), tags) for member in members)
        given = _written_fields(record, tags).get(read.tag)
        if given is None:
            return untagged
        values = self._follow(given.type, self.writer)
        if not isinstance(values, Values):
            return untagged
        targets = {variant.value: variant.target for variant in read.variants}
        return worst(self._by_tag(record, read, targets.get(str(value)), str(value), tags) for value in values.values)

    def _by_tag(self, record: Record, read: Union_, target: str | None, value: str, tags: Tags) -> Severity:
        if target is not None:
            return self._written_record(record, _unfold(target, self.reader), {**tags, read.tag: value})
        if read.unknown is None or value in read.unknown.refused:
            return Severity.BREAKS
        return best(self._written_record(record, _unfold(check, self.reader), tags) for check in read.unknown.checks)

    def as_unknown(self, target: str, tag: str, value: str, read: Union_) -> Severity:
        """What the reader of a union makes of a variant that it does not have."""
        return self._into(Ref(target), replace(read, variants=()), {tag: value})


def _unfold(name: str, version: Version) -> Shape:
    """A definition with aliases followed and enums as what they accept."""
    definition = version.definitions[name]
    if isinstance(definition, Enum):
        return Scalar(definition.base) if definition.open else Values(tuple(v.value for v in definition.values))
    if isinstance(definition, Alias):
        return _unfold(definition.type.name, version) if isinstance(definition.type, Ref) else definition.type
    return definition


def _without_null(shape: Shape) -> Shape:
    return shape.inner if isinstance(shape, Nullable) else shape


def unfolded(type_: Type, version: Version) -> Shape:
    """A type with names followed, for whoever asks what a value looks like."""
    return _unfold(type_.name, version) if isinstance(type_, Ref) else type_


def _written_fields(record: Record, tags: Tags) -> dict[str, Field]:
    """The fields of a record as it is written, the tags that its union adds included."""
    constants = {tag: Field(tag, Values((value,)), False, True, record.where) for tag, value in tags.items()}
    return {**{field.wire: field for field in record.fields}, **constants}


def _json_kind(shape: Shape) -> str:
    if isinstance(shape, Nullable):
        return "any"
    if isinstance(shape, (Record, Union_, MapOf)):
        return "object"
    if isinstance(shape, ListOf):
        return "array"
    if isinstance(shape, Scalar):
        return "number" if shape.kind == "integer" else shape.kind
    return "any"


def _is_stricter(written: Bounds, read: Bounds) -> bool:
    """Whether everything within one set of bounds is within another."""
    return (
        _from_above(_low(written), _low(read))
        and _from_above(_high(written), _high(read))
        and _is_within((written.min_length, written.max_length), (read.min_length, read.max_length))
        and read.pattern in (None, written.pattern)
    )


_Limit = tuple[float, bool] | None  # a number, and whether it is excluded itself


def _low(bounds: Bounds) -> _Limit:
    found = [(bounds.minimum, False), (bounds.exclusive_minimum, True)]
    return max(((value, excluded) for value, excluded in found if value is not None), default=None)


def _high(bounds: Bounds) -> _Limit:
    """The upper limit, negated, so that a stricter one is the greater number here too."""
    found = [(bounds.maximum, False), (bounds.exclusive_maximum, True)]
    limits = [(-value, excluded) for value, excluded in found if value is not None]
    return max(limits, default=None)


def _from_above(written: _Limit, read: _Limit) -> bool:
    return read is None or (written is not None and written >= read)


def _is_within(written: tuple[int | None, int | None], read: tuple[int | None, int | None]) -> bool:
    low = (written[0] or 0) >= (read[0] or 0)
    high = read[1] is None or (written[1] is not None and written[1] <= read[1])
    return low and high
