"""What a schema leaves open for a person to decide: all of it at once, each with a safe answer.

Nothing is checked twice here. The passes that derive the session are run as they are; where one stops over an annotation
that is missing or does not fit, the next safer answer takes its place and they run again. So the list is complete, and a
schema with all the answers generates.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .errors import CodegenError, Fault
from .frontend import build_definitions
from .ir import Definition, Field, Record, keywords_of
from .jsontypes import SUBSCHEMA_MAPS, Json, JsonObject, at, last_token, pointer, subschemas
from .normalise import normalise
from .passes.naming import assign_names
from .passes.presence import decide_presence
from .passes.state import derive_session
from .passes.updates import collect_updates

_EVENT: JsonObject = {"op": "event"}  # delivered, and nothing is stored
_REMOVE = None
_ALTERNATIVES = {
    "x-update": "which delivers it and stores nothing, or another rule",
    "x-patch": 'or "merge", "keep", "latest", or "none" if it is not stored',
}
# From the most that can be done with a value to the least; which of them a field allows, the passes know.
_PATCHES = ("replace", "keep", "none")


@dataclass(frozen=True)
class Decision:
    """One thing to decide: what is open, where, and what would do."""

    where: str  # JSON Pointer
    message: str
    hint: str
    keyword: str
    answer: Json  # a safe value, or None where the keyword had better go
    is_missing: bool = False  # nobody has decided it yet: there is no such keyword

    @property
    def line(self) -> str:
        """The answer as it stands in a schema."""
        return f"{json.dumps(self.keyword)}: {json.dumps(self.answer)}"

    @property
    def advice(self) -> str:
        """What a person can do about it."""
        if self.answer is None:
            return self.hint if "remove" in self.hint else f'{self.hint}, or remove "{self.keyword}"'
        if not self.is_missing:
            return f"{self.hint}, or make it {self.line}"
        return f"add {self.line}, {_ALTERNATIVES[self.keyword]}"


@dataclass(frozen=True)
class Settled:
    """A schema in which every open decision has its safe answer."""

    document: JsonObject
    decisions: tuple[Decision, ...]


def settle(document: JsonObject) -> Settled:
    """Decide everything; raises CodegenError for a mistake that is not a matter of annotations."""
    settler = _Settler(document)
    settler.run()
    return Settled(settler.document, tuple(settler.decisions.values()))


def undescribed(document: JsonObject) -> list[str]:
    """The places with a name that have no description: definitions, properties, variants and values."""
    found: list[str] = []
    named: set[str] = set()
    silent: tuple[str, ...] = ()  # what only says what something is not
    for where, schema in subschemas(document):
        named.update(where + pointer(keyword, name) for keyword in SUBSCHEMA_MAPS for name in schema.get(keyword, {}))
        if "not" in schema:
            silent += (where + pointer("not") + "/",)
        needs_one = where in named or "const" in schema or ("title" in schema and where)
        if needs_one and "description" not in schema and not f"{where}/".startswith(silent):
            found.append(where)
    return found


class _Settler:
    def __init__(self, document: JsonObject) -> None:
        self.document = copy.deepcopy(document)
        self.decisions: dict[tuple[str, str], Decision] = {}
        self._definitions = list(assign_names(build_definitions(normalise(document))))
        self._unread = set(range(len(self._definitions)))  # whose annotations are new, by position
        self._answers: dict[tuple[str, str], Iterator[Json]] = {}

    def run(self) -> None:
        while True:
            try:
                self._derive()
            except CodegenError as error:
                if error.fault is None:
                    raise
                self._decide(error, error.fault)
            else:
                return

    def _derive(self) -> None:
        for position in sorted(self._unread):
            self._definitions[position] = self._with_annotations(self._definitions[position])
            self._unread.discard(position)
        definitions = tuple(self._definitions)
        derive_session(self.document, definitions, collect_updates(self.document, definitions))

    def _with_annotations(self, definition: Definition) -> Definition:
        """Names and types stay as they were read; what the annotations say may have changed since."""
        if not isinstance(definition, Record):
            return definition
        fields = tuple(
            replace(field, keywords=keywords_of(at(self.document, field.where))) for field in definition.fields
        )
        return decide_presence((replace(definition, fields=fields),))[0]

    def _decide(self, error: CodegenError, fault: Fault) -> None:
        place = (fault.where, fault.keyword)
        schema = at(self.document, fault.where)
        is_missing = fault.keyword not in schema
        if fault.is_superfluous:
            answer: Json = _REMOVE
        else:
            answers = self._answers.setdefault(place, self._choices(fault, schema.get(fault.keyword)))
            try:
                answer = next(answers)
            except StopIteration:
                raise error from None
        if answer is _REMOVE:
            del schema[fault.keyword]
        else:
            schema[fault.keyword] = answer
        self._unread.update(
            position
            for position, definition in enumerate(self._definitions)
            if isinstance(definition, Record) and any(field.where == fault.where for field in definition.fields)
        )
        first = self.decisions.get(place)
        self.decisions[place] = (
            replace(first, answer=answer)
            if first is not None
            else Decision(error.where, error.message, error.hint, fault.keyword, answer, is_missing)
        )

    def _choices(self, fault: Fault, current: Json) -> Iterator[Json]:
        if fault.keyword == "x-patch":
            return iter([patch for patch in self._patches(fault.where) if patch != current])
        return iter([_EVENT] if current != _EVENT else [])

    def _patches(self, where: str) -> list[str]:
        """What the property may do, the likeliest first: as one of its name mostly does, as its neighbours mostly do."""
        namesakes = [field for field in self._fields() if last_token(field.where) == last_token(where)]
        parent = where.rpartition("/")[0]
        neighbours = [field for field in self._fields() if field.where.rpartition("/")[0] == parent]
        likely = [self._mostly(namesakes), self._mostly(neighbours), *_PATCHES]
        return [patch for patch in dict.fromkeys(likely) if isinstance(patch, str) and patch != "latest"]

    def _mostly(self, fields: list[Field]) -> Json:
        """What more than half of the fields do that say anything."""
        patches = {field.where: at(self.document, field.where).get("x-patch") for field in fields}
        counts = Counter(patch for patch in patches.values() if patch is not None)
        most = counts.most_common(1)
        return most[0][0] if most and most[0][1] > sum(counts.values()) / 2 else None

    def _fields(self) -> Iterator[Field]:
        for definition in self._definitions:
            if isinstance(definition, Record):
                yield from definition.fields
