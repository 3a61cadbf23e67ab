"""Compare definitions of any kind: which came, went or was renamed, and what is inside those that stayed."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from ..ir import Alias, Definition, Enum, Record, Ref, Union_
from ..jsontypes import pointer, ref_name
from ..pairing import Pairing
from .enums import compare_enums
from .fields import compare_fields, compare_records, pair_fields
from .findings import Both, Findings, Owner, judged
from .places import at
from .types import Compared, compare_types
from .unions import compare_unions
from .version import Version

_KINDS = {Record: "object", Union_: "union", Enum: "enum", Alias: "type"}


def read_both(old: Version, new: Version, pairing: Pairing) -> Both:
    """The two versions with all their definitions paired, those of inline variants and objects included."""
    names = dict(pairing.definitions)
    taken = set(names.values())
    for before, after in _candidates(old, new, pairing):
        if before not in names and after not in taken:
            names[before] = after
            taken.add(after)
    return Both(old, new, pairing, names)


def _candidates(old: Version, new: Version, pairing: Pairing) -> Iterator[tuple[str, str]]:
    """Minted definitions that belong together, the surest first: same tag, same name, same place."""
    for before, after in pairing.definitions.items():
        one, other = old.definitions[before], new.definitions[after]
        if isinstance(one, Union_) and isinstance(other, Union_):
            targets = {variant.value: variant.target for variant in other.variants}
            for variant in one.variants:
                target = targets.get(variant.value)
                if variant.target in old.minted and target in new.minted:
                    yield variant.target, target
            if one.absent and other.absent:
                yield one.absent, other.absent
    ours, theirs = _classes(old), _classes(new)
    yield from ((name, name) for name in ours if name in theirs)
    for name, where in ours.items():
        alike = difflib.SequenceMatcher(None, "", name)  # it remembers its second text
        near: list[tuple[float, str]] = []
        for candidate, place in theirs.items():
            if place == pairing.places.get(where):
                alike.set_seq1(candidate)
                near.append((-alike.ratio(), candidate))
        yield from ((name, candidate) for _, candidate in sorted(near))


def _classes(version: Version) -> dict[str, str]:
    """Where each minted definition stands; what a catch-all demands is compared with its union."""
    return {
        name: definition.where
        for name, definition in version.definitions.items()
        if name in version.minted and not (isinstance(definition, Record) and definition.check_only)
    }


class Definitions:
    """Walks all pairs once."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._both = findings.both
        self._done: set[tuple[str, str]] = set()

    def compare(self) -> None:
        """Report all changes of definitions and inside them."""
        both = self._both
        for name, definition in both.old.definitions.items():
            if name not in both.names and name not in both.old.minted:
                kind = _KINDS[type(definition)]
                self._findings.add(
                    "definition-removed", f"The {kind} {name} is gone", old_where=pointer("$defs", name), new_where=None
                )
        known = {new: old for old, new in both.names.items()}
        for name, definition in both.new.definitions.items():
            if name in known:
                self.compare_pair(known[name], name)
            elif name not in both.new.minted:
                kind = _KINDS[type(definition)]
                self._findings.add(
                    "definition-added", f"The {kind} {name} is new", old_where=None, new_where=pointer("$defs", name)
                )

    def compare_pair(self, before: str, after: str, places: tuple[str, str] | None = None) -> None:
        """Compare two definitions, unless that was done already; ``places`` is where variants stand that are one."""
        if (before, after) in self._done:
            return
        self._done.add((before, after))
        old, new = self._both.old.definitions[before], self._both.new.definitions[after]
        if before != after:
            self._renamed(old, new, places or (old.where, new.where))
        if isinstance(old, Record) and isinstance(new, Record):
            compare_records(self._findings, old, new)
        elif isinstance(old, Union_) and isinstance(new, Union_):
            compare_unions(self._findings, old, new, self._compare_payloads)
        elif isinstance(old, Enum) and isinstance(new, Enum) and old.base == new.base:
            compare_enums(self._findings, old, new)
        elif isinstance(old, Alias) and isinstance(new, Alias):
            if self._only_includes_counterparts(old, new):
                return
            reads = self._both.old_reads, self._both.new_reads
            compared = Compared(
                old.type, new.type, reads[0].of_types(new.type, old.type), reads[1].of_types(old.type, new.type)
            )
            compare_types(self._findings, compared, after, Owner(before, after), (old.where, new.where))
        else:
            self._kind(old, new)

    def _only_includes_counterparts(self, old: Alias, new: Alias) -> bool:
        """Whether two variants only include definitions that are compared for themselves."""
        both = self._both
        one, other = ref_name(at(both.old.document, old.where)), ref_name(at(both.new.document, new.where))
        return one is not None and both.names.get(one) == other and old.name in both.old.minted

    def _compare_payloads(self, before: str, after: str, places: tuple[str, str]) -> None:
        """What a variant carries; two definitions that are pairs with others are compared as if it stood here."""
        names = self._both.names
        if names.get(before) != after and before in names and after in names.values():
            old, new = self._both.old.definitions[before], self._both.new.definitions[after]
            if isinstance(old, Record) and isinstance(new, Record):
                compare_records(self._findings, old, new)
                return
        self.compare_pair(before, after, places)

    def _renamed(self, old: Definition, new: Definition, places: tuple[str, str]) -> None:
        both = self._both
        if old.name in both.old.minted or new.name in both.new.minted:
            self._findings.add(
                "class-renamed",
                f"The generated class {old.name} is called {new.name} now",
                old_where=places[0],
                new_where=places[1],
                key=new.name,
            )
        elif both.names.get(old.name) == new.name:
            self._findings.add(
                "definition-renamed",
                f"{old.name} is called {new.name} now; no wire name changes with it",
                old_where=old.where,
                new_where=new.where,
            )

    def _kind(self, old: Definition, new: Definition) -> None:
        """Another kind of definition: what each reader makes of the other's values decides."""
        both = self._both
        old_reader = both.old_reads.of_definitions(new.name, old.name)
        new_reader = both.new_reads.of_definitions(old.name, new.name)
        rule = Compared(Ref(old.name), Ref(new.name), old_reader, new_reader).rule
        kinds = f"{_kind_of(old)} and is {_kind_of(new)}"
        what = "values that only {writer} may write"
        self._findings.add(
            "kind-changed" if rule == "type-changed" else rule,
            f"{new.name} was {kinds}" + (", which takes the same values" if rule == "type-respelled" else ""),
            old_where=old.where,
            new_where=new.where,
            owner=Owner(old.name, new.name),
            old=judged(old_reader, what),
            new=judged(new_reader, what),
        )
        self._shared_fields(old, new)

    def _shared_fields(self, old: Definition, new: Definition) -> None:
        """An object that became a union, or the reverse: the fields that both write at the top are compared too."""
        one, other = _top(old, self._both.old), _top(new, self._both.new)
        if one is None or other is None:
            return
        before = {field.wire: field for field in one.fields}
        for wire, field in pair_fields(self._findings, one, other).items():
            compare_fields(self._findings, before[wire], field, Owner(old.name, new.name))


def _kind_of(definition: Definition) -> str:
    if isinstance(definition, Enum):
        return f"an {'open' if definition.open else 'closed'} enum of {definition.base}s"
    if isinstance(definition, Union_):
        return f"{'a closed' if definition.unknown is None else 'an open'} union told apart by \"{definition.tag}\""
    return "an object" if isinstance(definition, Record) else "a type without fields"


def _top(definition: Definition, version: Version) -> Record | None:
    """The properties that stand at the top of a definition's schema, whatever its kind."""
    if isinstance(definition, Record):
        members: list[Definition] = [definition]
    elif isinstance(definition, Union_):
        members = [version.definitions[variant.target] for variant in definition.variants]
    else:
        return None
    fields = {
        field.wire: field
        for member in members
        if isinstance(member, Record)
        for field in member.fields
        if field.where.startswith(definition.where + "/properties/")
    }
    return Record(definition.name, definition.where, "", tuple(fields.values()))
