"""Which place of one schema is which place of another: the same name, or a name that was changed.

``drift`` tells renames from removals by it, ``sync`` and overlays carry descriptions and annotations along it. It looks at
shapes and names alone, never at descriptions, so it works between any two published schemas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .jsontypes import SUBSCHEMA_LISTS, SUBSCHEMAS, Json, JsonObject, is_object, pointer, ref_name
from .lock import shape

# How sure a rename must be: half of what two definitions consist of, or of the places that used the one and use the other.
_ENOUGH = 0.5
_CLEARLY = 0.75  # of the members, where the names have nothing to do with each other


@dataclass(frozen=True)
class Pairing:
    """What became of the definitions and of every schema inside them."""

    definitions: dict[str, str]  # old name to new name
    places: dict[str, str]  # old pointer to new pointer, of every schema that has a counterpart

    @property
    def renamed_definitions(self) -> dict[str, str]:
        return {old: new for old, new in self.definitions.items() if old != new}

    def renamed_properties(self) -> dict[str, str]:
        """Old pointer to new pointer of properties that have another name now."""
        return {
            old: new
            for old, new in self.places.items()
            if _is_property(old) and _is_property(new) and old.rpartition("/")[2] != new.rpartition("/")[2]
        }


def pair(old: JsonObject, new: JsonObject) -> Pairing:
    """Pair two schemas that ``load`` accepted."""
    known = _Definitions(old["$defs"], new["$defs"]).pairs()
    places = {"": ""}
    places.update(_walk(_without_definitions(old), _without_definitions(new), "", "", known))
    for before, after in known.names.items():
        here, there = pointer("$defs", before), pointer("$defs", after)
        places.update(_walk(old["$defs"][before], new["$defs"][after], here, there, known))
    return Pairing(known.names, places)


def _without_definitions(document: JsonObject) -> JsonObject:
    return {keyword: value for keyword, value in document.items() if keyword != "$defs"}


def _is_property(where: str) -> bool:
    return where.rpartition("/")[0].endswith("/properties")


# -------------------------------------------------------------------------------------------- definitions


@dataclass(frozen=True)
class _Known:
    """What is known so far of the definitions of both schemas."""

    old: dict[str, JsonObject]
    new: dict[str, JsonObject]
    names: dict[str, str]  # old name to new name


class _Definitions:
    """Definitions by name first; then, again and again, the surest of the others until none is sure enough."""

    def __init__(self, old: dict[str, JsonObject], new: dict[str, JsonObject]) -> None:
        self._old, self._new = old, new
        self._pairs = {name: name for name in old if name in new}
        self._known = _Known(old, new, self._pairs)

    def pairs(self) -> _Known:
        while True:
            best = self._surest()
            if best is None:
                in_order = {name: self._pairs[name] for name in self._old if name in self._pairs}
                return _Known(self._old, self._new, in_order)
            self._pairs[best[0]] = best[1]

    def _surest(self) -> tuple[str, str] | None:
        gone = [name for name in self._old if name not in self._pairs]
        taken = set(self._pairs.values())
        came = [name for name in self._new if name not in taken]
        votes = self._votes(set(gone), set(came))
        scored = [(self._likeness(one, other, votes), one, other) for one in gone for other in came]
        # the order of the schemas decides between equals: the same input gives the same pairs
        best = max(scored, key=lambda candidate: candidate[0], default=None)
        return (best[1], best[2]) if best is not None and best[0] > _ENOUGH else None

    def _votes(self, gone: set[str], came: set[str]) -> Counter[tuple[str, str]]:
        """How many paired places referred to the one and refer to the other now."""
        votes: Counter[tuple[str, str]] = Counter()
        for before, after in self._pairs.items():
            for one, other in _walk_schemas(self._old[before], self._new[after], self._known):
                was, now = _target(one), _target(other)
                if was in gone and now in came:
                    votes[was, now] += 1
        return votes

    def _likeness(self, one: str, other: str, votes: Counter[tuple[str, str]]) -> float:
        before, after = self._old[one], self._new[other]
        is_message = _is_same_role(one, before, other, after)
        if is_message and self._is_same_method(before["x-method"], after["x-method"]):
            return 1.0
        if not votes[one, other] and not is_message:
            return 0.0
        words, others_words = _words(one) - {_kind(one)}, _words(other) - {_kind(other)}
        members, others = _members(before), _members(after)
        alike = _share(members, others)
        if not _is_extended(words, others_words) and not (votes[one, other] and alike >= _CLEARLY):
            return 0.0  # two things of one kind that came and went: to load and to fork
        likeness = alike * 0.5 + _share(words, others_words) * 0.4 if members or others else _share(words, others_words)
        return likeness + (0.3 if votes[one, other] else 0.1)

    def _is_same_method(self, old: str, new: str) -> bool:
        """Whether the method is the same, or another message of it is paired already: a result follows its request."""
        return old == new or any(
            self._old[before].get("x-method") == old and self._new[after].get("x-method") == new
            for before, after in self._pairs.items()
        )


def _is_same_role(one: str, before: JsonObject, other: str, after: JsonObject) -> bool:
    """Whether both are messages of one kind that the same side handles."""
    has_methods = "x-method" in before and "x-method" in after
    return has_methods and before.get("x-side") == after.get("x-side") and _kind(one) == _kind(other)


def _kind(name: str) -> str:
    """The last word of a definition's name, which is request, response, capabilities, id and the like."""
    return _in_words(name)[-1]


def _members(schema: JsonObject) -> set[str]:
    """What a definition consists of, roughly: its properties, the values and variants it lists, or its type."""
    found = set(schema.get("properties", {}))
    found |= {str(value) for value in schema.get("enum", [])}
    for keyword in SUBSCHEMA_LISTS:
        for member in schema.get(keyword, []):
            found.add(str(_branch_key(member, {})))
    return found - {"_meta"} or ({str(schema["type"])} if schema.get("type", "object") != "object" else set())


def _words(name: str) -> set[str]:
    return set(_in_words(name))


def _in_words(name: str) -> list[str]:
    """``toolCallId`` is made of tool, call and id; a name without letters is one word."""
    words: list[str] = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
    return [word.lower() for word in words] or [name]


def _is_extended(one: set[str], other: set[str]) -> bool:
    """Whether one name has all the words of the other, be they in the plural or spelt out."""
    shorter, longer = sorted((one, other), key=len)
    return bool(shorter) and all(
        any(word.startswith(like) or like.startswith(word) for like in longer) for word in shorter
    )


def _share(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


# ---------------------------------------------------------------------------------------- inside definitions


def _walk(old: JsonObject, new: JsonObject, here: str, there: str, known: _Known) -> dict[str, str]:
    """Pointer to pointer of every schema inside two paired ones, themselves included."""
    found = {here: there}
    for before, after, one, other in _steps(old, new, known):
        found.update(_walk(before, after, here + one, there + other, known))
    return found


def _walk_schemas(old: JsonObject, new: JsonObject, known: _Known) -> Iterator[tuple[JsonObject, JsonObject]]:
    yield old, new
    for before, after, _, _ in _steps(old, new, known):
        yield from _walk_schemas(before, after, known)


def _steps(old: JsonObject, new: JsonObject, known: _Known) -> Iterator[tuple[JsonObject, JsonObject, str, str]]:
    """The schemas directly inside two paired ones that belong together, with the step that leads to each."""
    before, after = old.get("properties", {}), new.get("properties", {})
    for name, other in _properties(before, after, known).items():
        yield before[name], after[other], pointer("properties", name), pointer("properties", other)
    for keyword in SUBSCHEMA_LISTS:
        counterpart = _counterpart(keyword, old, new)
        ours, theirs = old.get(keyword, []), new.get(counterpart, [])
        for one, two in _branches(ours, theirs, known.names).items():
            yield ours[one], theirs[two], pointer(keyword, one), pointer(counterpart, two)
    for keyword in SUBSCHEMAS:
        if is_object(old.get(keyword)) and is_object(new.get(keyword)):
            yield old[keyword], new[keyword], pointer(keyword), pointer(keyword)


def _counterpart(keyword: str, old: JsonObject, new: JsonObject) -> str:
    """The keyword that lists the branches now: a union that opens or closes goes from oneOf to anyOf or back."""
    other = {"anyOf": "oneOf", "oneOf": "anyOf"}.get(keyword, keyword)
    has_moved = keyword in old and other not in old and keyword not in new
    return other if has_moved else keyword


def _properties(old: JsonObject, new: JsonObject, known: _Known) -> dict[str, str]:
    """Old to new names: the same, or else one that shares its words and has the same type, if it is the only one."""
    gone = [name for name in old if name not in new]
    came = [name for name in new if name not in old]
    likely = [
        (name, other)
        for name in gone
        for other in came
        if _is_related(_words(name), _words(other)) and _is_same_type(old[name], new[other], known)
    ]
    rivals = Counter(name for pair in likely for name in pair)
    pairs = {name: name for name in old if name in new}
    return {**pairs, **{name: other for name, other in likely if rivals[name] == rivals[other] == 1}}


def _is_related(one: set[str], other: set[str]) -> bool:
    """Whether a name became longer or shorter by words: ``id`` and ``planId``, ``clientInfo`` and ``info``."""
    return bool(one) and bool(other) and (one <= other or other <= one)


def _is_same_type(old: JsonObject, new: JsonObject, known: _Known) -> bool:
    was, now = _target(old), _target(new)
    if was is not None and now is not None:
        return known.names.get(was) == now
    # a plain type may have got a name of its own, or lost it
    named = known.new[now] if now is not None else new
    return _plain(known.old[was] if was is not None else old) == _plain(named)


def _plain(schema: JsonObject) -> Json:
    """The type alone: a rename may come with leniency, or with a null more or less."""
    types: str | list[str] = schema.get("type", [])
    named = [types] if isinstance(types, str) else [name for name in types if name != "null"]
    rest = {
        keyword: value
        for keyword, value in schema.items()
        if not keyword.startswith("x-") and keyword not in ("type", "default", "title", "description")
    }
    return [named, shape(rest)]


def _target(schema: JsonObject) -> str | None:
    """The one definition that a property refers to, null aside."""
    direct = ref_name(schema)
    if direct is not None:
        return direct
    members = [member for member in schema.get("anyOf", []) if member != {"type": "null"}]
    return ref_name(members[0]) if len(members) == 1 else None


def _branches(old: list[JsonObject], new: list[JsonObject], names: dict[str, str]) -> dict[int, int]:
    """Old to new positions: the same tag or value, or else the same payload under another tag."""
    pairs: dict[int, int] = {}
    for keys in (
        ([_branch_key(member, names) for member in old], [_branch_key(member, {}) for member in new]),
        ([_payload_key(member, names) for member in old], [_payload_key(member, {}) for member in new]),
    ):
        taken = set(pairs.values())
        waiting = {position: key for position, key in enumerate(keys[1]) if position not in taken and key is not None}
        for position, key in enumerate(keys[0]):
            if position in pairs or key is None:
                continue
            match = next((other for other, theirs in waiting.items() if theirs == key), None)
            if match is not None:
                pairs[position] = match
                del waiting[match]
    return pairs


def _branch_key(member: JsonObject, renamed: dict[str, str]) -> tuple[object, ...]:
    """What tells a branch from its neighbours; references of the old schema are looked up under their new names."""
    if "const" in member:
        return ("const", member["const"])
    if "not" in member:
        return ("not",)
    tags = tuple(
        (name, schema["const"]) for name, schema in sorted(member.get("properties", {}).items()) if "const" in schema
    )
    if tags:
        return ("tag", tags)
    target = ref_name(member)
    if target is not None:
        return ("ref", renamed.get(target, target))
    return ("other", member.get("title"), str(member.get("type")), tuple(sorted(member.get("required", []))))


def _payload_key(member: JsonObject, renamed: dict[str, str]) -> tuple[object, ...] | None:
    target = ref_name(member)
    if target is not None:
        return ("ref", renamed.get(target, target))
    return ("title", member["title"]) if member.get("title") else None
