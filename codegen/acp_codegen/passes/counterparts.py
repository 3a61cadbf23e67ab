"""Two editions side by side: which definitions belong together, and what to say where a difference is unexplained."""

from __future__ import annotations

from typing import Protocol

from ..errors import CodegenError
from ..ir import Definition, Edition, Field, Record, Union_
from ..rulebook.kinds import UP
from .explained import Explained


class Placed(Protocol):
    """Anything of the IR that knows where it stands in its schema."""

    @property
    def where(self) -> str: ...


class Counterparts:
    """The source, the target, and the rules between them."""

    def __init__(self, source: Edition, target: Edition, explained: Explained) -> None:
        self.source = source
        self.target = target
        self.sources = source.by_name()
        self.targets = target.by_name()
        self.explained = explained
        self.wanted = [definition.name for definition in source.definitions if definition.name in source.own_names]
        self._variants = self._variant_names()

    def of(self, name: str) -> str | None:
        """The definition of the target that belongs to one of the source."""
        if name in self._variants:
            return self._variants[name][0]
        name = self.explained.other_name(name) or name
        return name if name in self.targets else None

    def tag(self, name: str) -> tuple[str, str] | None:
        """The tag that a record gets, because it is one variant of a union in the target."""
        return self._variants[name][1] if name in self._variants else None

    def want(self, name: str) -> str:
        """Ask for a row: classes without a definition of their own have one only where something leads to them."""
        self.wanted.append(name)
        return name

    def _variant_names(self) -> dict[str, tuple[str, tuple[str, str] | None]]:
        names: dict[str, tuple[str, tuple[str, str] | None]] = {}
        unions = self.targets if self.explained.way == UP else self.sources
        for rule in self.explained.variants():
            union = unions.get(rule.union)
            payloads = [v.target for v in union.variants if v.value == rule.tag] if isinstance(union, Union_) else []
            if not isinstance(union, Union_) or not payloads:
                raise CodegenError(
                    f"{rule.union} has no variant {rule.tag!r}",
                    where=f"rule {rule.rule}",
                    hint=f"correct or remove the rule about {rule.older}",
                )
            if self.explained.way == UP:
                names[rule.older] = (rule.union, (union.tag, rule.tag))
            else:
                names[payloads[0]] = (rule.older, None)
        return names

    # ------------------------------------------------------------------------------------------------------- errors

    def unexplained(self, message: str, source: Placed | None, target: Placed | None, rule: str) -> CodegenError:
        """The end of the generation; ``rule`` is the line of the rule book that is missing, its kind and its place."""
        kind, _, place = rule.partition(" ")
        where = [f"{edition.source}#{thing.where if thing else ''}" for edition, thing in self._beside(source, target)]
        line = f'{kind}("XX-0", ("{self.explained.newer}",), {self.explained.way.upper()}, ... {place} ...)'
        return CodegenError(
            f"{message}: no rule says how to convert it",
            where=" and ".join(where),
            hint=f"add to codegen/acp_codegen/rulebook: {line}",
        )

    def _beside(self, source: Placed | None, target: Placed | None) -> list[tuple[Edition, Placed | None]]:
        return [(self.source, source), (self.target, target)]

    def other_kind(self, source: Definition, target: Definition) -> CodegenError:
        message = f"{source.name} and {target.name} of {self.target.name} are of different kinds"
        return self.unexplained(message, source, target, f"CannotSay {source.name}")

    def other_type(self, place: str) -> CodegenError:
        message = f"{place} is of another type in {self.target.name}"
        return self.unexplained(message, *self._places(place), f"FieldByHand {place}")

    def narrowing(self, place: str) -> str:
        """The code for values that only the source takes; it takes a rule to say so."""
        code = self.explained.narrows(place)
        if code is None:
            message = f"{self.target.name} limits {place} more than {self.source.name} does"
            raise self.unexplained(message, *self._places(place), f"Narrows {place}")
        return code

    def _places(self, place: str) -> tuple[Placed | None, Placed | None]:
        """Where ``Definition`` or ``Definition.field`` of the source stands, and its counterpart."""
        name, _, wire = place.partition(".")
        return _placed(self.sources.get(name), wire), _placed(self.targets.get(self.of(name) or ""), wire)


def _placed(definition: Definition | None, wire: str) -> Definition | Field | None:
    fields = definition.fields if isinstance(definition, Record) else ()
    return next((field for field in fields if field.wire == wire), definition)
