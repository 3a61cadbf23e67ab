"""The rule book for one direction: what explains a difference, and which rules explain none."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import CodegenError
from ..rulebook.kinds import (
    UP,
    AfterFields,
    Becomes,
    CannotSay,
    FieldByHand,
    Fills,
    IsVariant,
    Narrows,
    Needs,
    NoPlace,
    NoValue,
    NoVariant,
    Renamed,
    RenamedField,
    Rule,
    Rules,
    UnknownByHand,
    Way,
)

Key = tuple[str, str]  # kind of rule, and the place that it explains


class Explained:
    """Rules by what they explain; remembers which were asked for."""

    def __init__(self, rules: Rules, way: Way, newer: str) -> None:
        self.way = way
        self.newer = newer
        self._found: dict[Key, Rule] = {}
        self._used: set[Key] = set()
        for rule in rules:
            if newer in rule.on and getattr(rule, "way", way) == way:
                self._add(rule)

    def _add(self, rule: Rule) -> None:
        for place in self._places(rule):
            key = (type(rule).__name__, place)
            if key in self._found:
                raise CodegenError(
                    f"two rules of kind {key[0]} speak of {place} ({self.newer}, {self.way})",
                    where=f"rule {rule.rule}",
                    hint="remove one of them",
                )
            self._found[key] = rule

    def _places(self, rule: Rule) -> Iterator[str]:
        if isinstance(rule, Renamed):
            yield rule.older if self.way == UP else rule.newer
        elif isinstance(rule, (RenamedField, IsVariant)):
            yield rule.older
        elif isinstance(rule, Becomes):
            yield rule.definition
        elif isinstance(rule, (CannotSay, AfterFields)):
            yield from rule.definitions
        elif isinstance(rule, NoVariant):
            yield from (f"{rule.union}.{tag}" for tag in rule.tags)
        elif isinstance(rule, NoValue):
            yield from (f"{rule.enum}.{value}" for value in rule.values)
        elif isinstance(rule, Narrows):
            yield from rule.places
        elif isinstance(rule, UnknownByHand):
            yield rule.union
        else:
            yield from rule.fields

    # ------------------------------------------------------------------------------------------------------- lookups

    def _get(self, kind: type[Rule], place: str) -> Rule | None:
        rule = self._found.get((kind.__name__, place))
        if rule is not None:
            self._used.add((kind.__name__, place))
        return rule

    def other_name(self, name: str) -> str | None:
        """What the target calls a definition, if not the same."""
        rule = self._get(Becomes, name)
        if isinstance(rule, Becomes):
            return rule.target
        rule = self._get(Renamed, name)
        if isinstance(rule, Renamed):
            return rule.newer if self.way == UP else rule.older
        return None

    def other_field(self, older_definition: str, field: str) -> str:
        """What the target calls a field."""
        for key, rule in self._found.items():
            if isinstance(rule, RenamedField) and rule.older.startswith(f"{older_definition}."):
                older = rule.older.removeprefix(f"{older_definition}.")
                if field == (older if self.way == UP else rule.newer):
                    self._used.add(key)
                    return rule.newer if self.way == UP else older
        return field

    def variants(self) -> list[IsVariant]:
        self._used.update(key for key, rule in self._found.items() if isinstance(rule, IsVariant))
        return [rule for rule in self._found.values() if isinstance(rule, IsVariant)]

    def refused(self, definition: str) -> str | None:
        rule = self._get(CannotSay, definition)
        return rule.code if isinstance(rule, CannotSay) else None

    def refused_variant(self, union: str, tag: str) -> str | None:
        rule = self._get(NoVariant, f"{union}.{tag}")
        return rule.code if isinstance(rule, NoVariant) else None

    def refused_value(self, enum: str, value: str | int) -> str | None:
        rule = self._get(NoValue, f"{enum}.{value}")
        return rule.code if isinstance(rule, NoValue) else None

    def no_place(self, field: str) -> str | None:
        rule = self._get(NoPlace, field)
        return rule.code if isinstance(rule, NoPlace) else None

    def needs(self, field: str) -> bool:
        return self._get(Needs, field) is not None

    def fills(self, field: str) -> Fills | None:
        rule = self._get(Fills, field)
        return rule if isinstance(rule, Fills) else None

    def narrows(self, place: str) -> str | None:
        rule = self._get(Narrows, place)
        return rule.code if isinstance(rule, Narrows) else None

    def field_by_hand(self, field: str) -> FieldByHand | None:
        rule = self._get(FieldByHand, field)
        return rule if isinstance(rule, FieldByHand) else None

    def after(self, definition: str) -> AfterFields | None:
        rule = self._get(AfterFields, definition)
        return rule if isinstance(rule, AfterFields) else None

    def unknown_by_hand(self, union: str) -> UnknownByHand | None:
        rule = self._get(UnknownByHand, union)
        return rule if isinstance(rule, UnknownByHand) else None

    # --------------------------------------------------------------------------------------------------------- stale

    def refuse_unused(self) -> None:
        """A rule that explains nothing is about schemas that are no more."""
        for key, rule in self._found.items():
            if key not in self._used:
                raise CodegenError(
                    f"{key[0]} explains no difference in {key[1]} ({self.newer}, {self.way})",
                    where=f"rule {rule.rule}",
                    hint=f"take {key[1]} out of the rule, or {self.newer!r} out of the editions it is for",
                )
