"""Hypothesis strategies for session updates as wire JSON, and helpers to compare what they add up to.

What editions share stands here; ``sessions_v1``, ``sessions_june`` and ``sessions_v2`` say what each has.
Ids are few, so that updates meet; every patch field is left out, null or a value; text is short.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Json = Any
Wire = dict[str, Any]
Strategies = dict[str, SearchStrategy[Json]]

IDS = st.sampled_from(["1", "2", "ü"])
TEXT = st.sampled_from(["", "a", "b", "é€", "\u0000", "𝄞"])
UNKNOWN_NAMES = st.sampled_from(["_vendor", "later", "_"])

# 1, 1.0 and true are three different JSON values; Python's == cannot tell them apart
CONFUSABLE = st.sampled_from([1, True, 1.0, {"k": 1}, {"k": True}])
VALUES = st.one_of(
    CONFUSABLE,
    st.sampled_from([-1, 0.5, "", "x", "é", [], {}, [None], {"k": None}, {"l": [{}]}]),
)
META = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES | st.none(), max_size=3)
MAYBE_META = st.none() | META

SPLIT_EURO = ("4oI=", "rA==")  # the three bytes of one character in two chunks
NOT_BASE64 = ("Q", "QQ=", "QQ", "QUJD=", "QUJD====", "QQ===", "====", "Q Q=", "QQ==\n", "Q-_=", "é", "QQ==QQ==", "!")


def wire(required: Strategies, **optional: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    """An object with these members; ``meta`` stands for ``_meta``."""
    named = {"_meta" if name == "meta" else name: strategy for name, strategy in optional.items()}
    return st.fixed_dictionaries(required, optional=named)


def three_state(**values: SearchStrategy[Json]) -> Strategies:
    """Patch fields: each is left out (by ``wire``), null or a value."""
    return {name: st.none() | strategy for name, strategy in values.items()}


def tagged(tag: str, value: str) -> Strategies:
    return {tag: st.just(value)}


def unknown(tag: str, **required: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    """A variant that no schema names, with members of its own."""
    return wire({tag: UNKNOWN_NAMES, **required}, payload=VALUES, meta=META)


# ------------------------------------------------------------------------------- what the updates of all editions hold

KNOWN_BLOCKS = st.one_of(
    wire({**tagged("type", "text"), "text": TEXT}, meta=META, annotations=st.just({"priority": 0.5})),
    wire({**tagged("type", "image"), "data": st.just("QQ=="), "mimeType": st.just("image/png")}),
    wire({**tagged("type", "resource_link"), "uri": st.just("file:///a"), "name": TEXT}, ofNobody=VALUES),
)
BLOCKS = st.one_of(KNOWN_BLOCKS, unknown("type"))
COSTS = wire({"amount": st.sampled_from([0.5, 1]), "currency": st.just("EUR")})
TIMES = st.sampled_from(["2026-06-11T10:00:00Z", "2026-06-11T10:00:00.5+02:00"])
TEXT_DIFFS = wire({**tagged("type", "diff"), "path": st.just("/a"), "newText": TEXT}, oldText=TEXT, meta=META)
SELECT = {**tagged("type", "select"), "currentValue": st.just("v"), "options": st.just([{"value": "v", "name": "V"}])}
CATEGORIES = st.sampled_from(["mode", "_mine"])


def snapshot(tag: str, **required: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    """Updates that say the whole of something."""
    return wire({**tagged("sessionUpdate", tag), **required}, meta=MAYBE_META)


def permission_requests(**members: SearchStrategy[Json]) -> SearchStrategy[Wire]:
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    return wire({"sessionId": st.just("s"), "options": st.just(options), **members})


def untagged(updates: SearchStrategy[Wire]) -> SearchStrategy[Wire]:
    """Updates without their tag, as other messages hold them."""
    return updates.map(lambda update: {name: value for name, value in update.items() if name != "sessionUpdate"})


# -------------------------------------------------------------------------------------------- the updates of an edition


@dataclass(frozen=True)
class Patch:
    """An update that patches: the member with its id, what it always says, what it may leave out."""

    key: str  # empty: a slot
    fields: Strategies
    always: Strategies

    def said(self, tag: str, ids: SearchStrategy[str]) -> Strategies:
        """What every such update says."""
        key = {self.key: ids} if self.key else {}
        return {**tagged("sessionUpdate", tag), **key, **self.always}

    def updates(self, tag: str, ids: SearchStrategy[str] = IDS) -> SearchStrategy[Wire]:
        return wire(self.said(tag, ids), **three_state(**self.fields))

    def updates_about(self, field: str, tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
        """Updates of (mostly) just one field, so that two of them meet in it."""
        value, always = self.fields[field], self.said(tag, ids)
        about = {**always, "_meta" if field == "meta" else field: st.one_of(st.none(), value, value, value)}
        return st.one_of(wire(about), wire(about), wire(always))


def patch(key: str, always: Strategies | None = None, **optional: SearchStrategy[Json]) -> Patch:
    return Patch(key, optional, always or {})


Maker = Callable[[str, SearchStrategy[str]], SearchStrategy[Wire]]


@dataclass(frozen=True)
class Dialect:
    """The session updates of one edition, and the messages that feed the same state."""

    families: dict[str, tuple[str, ...]]
    """What one entity or slot is written by; the first tag is the one that patches it, where there is such a tag."""
    entities: tuple[str, ...]
    """What ``diff`` knows."""
    merged_meta: tuple[str, ...]
    """Entities whose metadata is merged by key."""
    patches: dict[str, Patch]
    others: dict[str, Maker]
    """Updates that do not patch, by tag; given the tag and ids."""
    events: tuple[str, ...]
    unknown: SearchStrategy[Wire] | None
    """Updates that the edition does not name; None where its list is closed."""
    openings: dict[str, SearchStrategy[Wire]]
    """Results that open a session, by definition."""
    config_options: SearchStrategy[list[Wire]]
    permissions: SearchStrategy[Wire]

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(tag for tags in self.families.values() for tag in tags) + self.events

    @cached_property
    def updates(self) -> SearchStrategy[Wire]:
        known = [self.updates_of(tag) for tag in self.tags]
        return st.one_of(*known, *([] if self.unknown is None else [self.unknown]))

    @cached_property
    def sessions(self) -> SearchStrategy[list[Wire]]:
        return st.lists(self.updates, max_size=12)

    def updates_of(self, tag: str, ids: SearchStrategy[str] = IDS) -> SearchStrategy[Wire]:
        """Valid updates of one tag."""
        return self.patches[tag].updates(tag, ids) if tag in self.patches else self.others[tag](tag, ids)

    def focuses(self, kind: str) -> list[str]:
        """The fields that a burst of one kind can be about; the empty one stands for all of them."""
        rule = self.patches.get(self.families[kind][0])
        return ["", *(rule.fields if rule else ())]

    def bursts(self, kind: str, focus: str, size: int, ids: SearchStrategy[str] = IDS) -> SearchStrategy[list[Wire]]:
        """So many updates of one kind, all about one field."""
        first, *rest = self.families[kind]
        if focus:
            narrow = self.patches[first].updates_about(focus, first, ids)
            drawn = [narrow, narrow, *(self.updates_of(tag, ids) for tag in rest)]
        else:
            drawn = [self.updates_of(tag, ids) for tag in self.families[kind]]
        return st.lists(st.one_of(*drawn), min_size=size, max_size=size)

    def state_pairs(self, kind: str, focus: str) -> SearchStrategy[tuple[list[Wire], list[Wire]]]:
        """Histories of two states of the same entity (id ``1``): one or two updates each."""
        return self.bursts(kind, focus, 4, st.just("1")).flatmap(
            lambda four: st.sampled_from([(four[:1], four[1:2]), (four[:2], four[2:]), (four[:1], four[:2])])
        )

    def place(self, update: Wire) -> tuple[str, Json] | None:
        """What an update writes to, if that can be told without knowing the state."""
        kind = next((kind for kind, tags in self.families.items() if update["sessionUpdate"] in tags), None)
        if kind is None:
            return None
        if kind == "plans":
            plan = update["plan"]
            return kind, plan.get("planId", plan.get("id"))
        if kind.startswith("messages."):
            key = update.get("messageId")
            return None if key is None else (kind, key)
        return kind, update.get("toolCallId", update.get("terminalId", update.get("compactionId")))


def chunk(key: str, **content: SearchStrategy[Json]) -> Maker:
    """Updates that append one item to the entity with this id."""
    return lambda tag, ids: wire({**tagged("sessionUpdate", tag), key: ids, **content}, meta=MAYBE_META)


def notices(tag: str, ids: SearchStrategy[str]) -> SearchStrategy[Wire]:
    severities = st.sampled_from(["info", "error", "_mine"])
    always = {**tagged("sessionUpdate", tag), "severity": severities, "title": st.just("n")}
    return wire(always, description=st.none() | TEXT, meta=MAYBE_META)


def whole(**required: SearchStrategy[Json]) -> Maker:
    return lambda tag, ids: snapshot(tag, **required)


# ------------------------------------------------------------------------------------------- comparing and spoiling


def entity(state: Any, kind: str) -> Any:
    """The entity with the id ``1``, or the slot."""
    value: Any = state
    for name in kind.split("."):
        value = getattr(value, name)
    return value["1"] if isinstance(value, dict) else value


def exactly(value: Json) -> str:
    """JSON text in which 1, 1.0 and true differ and the order of members does not count."""
    return json.dumps(value, sort_keys=True)


def parts(value: Any) -> list[Any]:
    """A value and everything in it."""
    found = [value]
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            found += parts(getattr(value, field.name))
    elif isinstance(value, dict):
        for member in value.values():
            found += parts(member)
    elif isinstance(value, (list, tuple, set)):
        for member in value:
            found += parts(member)
    return found


def spoil(container: Any) -> None:
    """Change a caller's list or dict in place."""
    if isinstance(container, list):
        container.append("spoilt")
        container.reverse()
    else:
        container.clear()
        container["spoilt"] = True
