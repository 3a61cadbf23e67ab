"""One of the two schemas of a comparison: its IR, its methods, and who reads which definition how forgivingly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..definitions import read_definitions
from ..errors import CodegenError
from ..ir import (
    Alias,
    Choice,
    Definition,
    Fallback,
    Field,
    ListOf,
    MapOf,
    Method,
    Nullable,
    Record,
    Ref,
    Type,
    Union_,
)
from ..jsontypes import JsonObject, ref_name, subschemas
from ..load import LoadedSchema, check_protocol
from ..passes.methods import derive_methods, has_batches

OTHER_SIDE = {"agent": "client", "client": "agent"}


@dataclass(frozen=True)
class Version:
    """A schema as the comparison sees it."""

    loaded: LoadedSchema
    definitions: dict[str, Definition]
    methods: tuple[Method, ...]
    has_batches: bool

    @property
    def document(self) -> JsonObject:
        return self.loaded.document

    @cached_property
    def minted(self) -> frozenset[str]:
        """Definitions that the schema does not name: inline variants and objects, and what a catch-all demands."""
        return frozenset(self.definitions) - frozenset(self.loaded.definitions)

    @cached_property
    def _uses(self) -> dict[str, list[tuple[str, bool]]]:
        """What a definition refers to, and whether it passes over a value there that it cannot read."""
        return {name: list(_uses(definition)) for name, definition in self.definitions.items()}

    @cached_property
    def salvaged(self) -> frozenset[str]:
        """Definitions that stand only where a malformed value is passed over: none of them makes a message fail."""
        envelope = {name for _, schema in subschemas(_root(self.document)) if (name := ref_name(schema)) is not None}
        messages = {name for row in self.methods for name in (row.params, row.result) if name is not None}
        starts = (envelope | messages) & set(self.definitions)
        reached = self._reach(starts, forgiving=True)
        exposed = self._reach(starts, forgiving=False)
        return frozenset(reached - exposed)

    def _reach(self, starts: set[str], *, forgiving: bool) -> set[str]:
        found: set[str] = set()
        waiting = list(starts)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [target for target, is_lenient in self._uses[name] if forgiving or not is_lenient]
        return found

    @cached_property
    def _readers(self) -> dict[str, set[str]]:
        readers: dict[str, set[str]] = {}
        for row in self.methods:
            for name in self._reach({row.params}, forgiving=True):
                readers.setdefault(name, set()).add(row.side)
            if row.result is not None:
                for name in self._reach({row.result}, forgiving=True):
                    readers.setdefault(name, set()).add(OTHER_SIDE.get(row.side, "peer"))
        return readers

    def reader(self, name: str) -> str:
        """Who reads a definition: agent, client, or a peer where both do."""
        sides = self._readers.get(name, set())
        return next(iter(sides)) if len(sides) == 1 else "peer"


def read_version(loaded: LoadedSchema) -> Version:
    """The schema, ready to be compared; raises CodegenError where it is none that bindings can be made of."""
    check_protocol(loaded)
    try:
        definitions = read_definitions(loaded)
        methods = derive_methods(loaded.document)
    except CodegenError as error:
        raise error.in_file(loaded.file) from None
    by_name = {definition.name: definition for definition in definitions}
    return Version(loaded, by_name, methods, has_batches(loaded.document))


def _root(document: JsonObject) -> JsonObject:
    return {keyword: value for keyword, value in document.items() if keyword != "$defs"}


def _uses(definition: Definition) -> Iterator[tuple[str, bool]]:
    if isinstance(definition, Alias):
        yield from ((name, False) for name in _names(definition.type))
    elif isinstance(definition, Record):
        for field in definition.fields:
            yield from ((name, passes_over(field)) for name in _names(field.type))
    elif isinstance(definition, Union_):
        yield from ((variant.target, False) for variant in definition.variants)
        yield from ((name, False) for name in definition.untagged)
        if definition.absent is not None:
            yield definition.absent, False


def passes_over(field: Field) -> bool:
    """Whether a malformed value of the field, or a malformed item of its list, does not make the message fail."""
    return field.on_error is not Fallback.FAIL or (field.skip_invalid_items and isinstance(field.type, ListOf))


def _names(type_: Type) -> Iterator[str]:
    if isinstance(type_, Ref):
        yield type_.name
    elif isinstance(type_, ListOf):
        yield from _names(type_.item)
    elif isinstance(type_, MapOf):
        yield from _names(type_.value)
    elif isinstance(type_, Nullable):
        yield from _names(type_.inner)
    elif isinstance(type_, Choice):
        for option in type_.options:
            yield from _names(option)
