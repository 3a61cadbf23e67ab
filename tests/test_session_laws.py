"""The laws of the session engine, over random updates of every kind and over whole sessions, in every edition.

``HYPOTHESIS_PROFILE=long`` runs 1,000 examples a law (and a kind of entity); the default is a sample of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import SearchStrategy
from jsonschema_rs import Draft202012Validator

import acp_schema.v1
import acp_schema.v2
import acp_schema.v2_2026_06
from acp_schema import UNSET
from support import reference_fold, reference_fold_june, reference_fold_v1, schema
from support.profiles import profile
from support.sessions import IDS, Dialect, Json, Wire, entity, exactly, parts
from support.sessions_june import JUNE
from support.sessions_v1 import V1
from support.sessions_v2 import V2

IS_LONG = profile().max_examples >= 1000


@dataclass(frozen=True)
class Edition:
    """One edition: the product, a fold written by hand, and updates to try them on."""

    name: str
    acp: ModuleType
    reference: ModuleType
    dialect: Dialect

    @cached_property
    def definitions(self) -> dict[str, Json]:
        found: dict[str, Json] = schema(self.name)["$defs"]
        return found

    @cached_property
    def valid_update(self) -> Draft202012Validator:
        return Draft202012Validator({"$defs": self.definitions, "$ref": "#/$defs/SessionUpdate"})

    def decoded(self, update: Wire) -> Any:
        return self.acp.decode("SessionUpdate", update)

    def encoded(self, update: Any) -> Wire:
        wire: Wire = self.acp.encode(update, "SessionUpdate")
        return wire

    def folded(self, updates: list[Wire]) -> Any:
        return self.applied(self.acp.SessionState(), *map(self.decoded, updates))

    def applied(self, state: Any, *updates: Any) -> Any:
        for update in updates:
            self.acp.apply_update(state, update)
        return state

    def sent(self, update: Any) -> Any:
        """An update after a trip over the wire, which must be valid there."""
        data = self.encoded(update)
        assert self.valid_update.is_valid(data), data
        return self.decoded(json.loads(json.dumps(data)))

    def expected(self, updates: list[Wire]) -> Json:
        return self.reference.public(self.reference.fold(self.reference.empty(), updates))

    def without_null_members(self, update: Wire) -> Wire:
        """Null on a plain optional member of a known update is the same as leaving it out."""
        known = update["sessionUpdate"] in self.dialect.tags
        return {name: value for name, value in update.items() if not (known and value is None)}


EDITIONS = {
    "v1": Edition("v1", acp_schema.v1, reference_fold_v1, V1),
    "june": Edition("v2-2026-06", acp_schema.v2_2026_06, reference_fold_june, JUNE),
    "v2": Edition("v2", acp_schema.v2, reference_fold, V2),
}
each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)


def each_kind(kinds: Callable[[Dialect], tuple[str, ...]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("edition", "kind"),
        [
            pytest.param(edition, kind, id=f"{name}-{kind}")
            for name, edition in EDITIONS.items()
            for kind in kinds(edition.dialect)
        ],
    )


each_place = each_kind(lambda dialect: tuple(dialect.families))
each_entity = each_kind(lambda dialect: dialect.entities)
each_patched_entity = each_kind(
    lambda dialect: tuple(kind for kind in dialect.entities if dialect.families[kind][0] in dialect.patches)
)


def law(*drawn: SearchStrategy[Any], share: float = 1.0) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``given`` with the chosen profile, or a share of its examples where a law is checked many times over."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        examples = max(10, round(profile().max_examples * share))
        return settings(profile(), max_examples=examples)(given(*drawn)(check))

    return decorate


def for_each_field(
    edition: Edition,
    kind: str,
    strategy: Callable[[str, str], SearchStrategy[Any]],
    check: Callable[[Any], None],
    *,
    share: float,
) -> None:
    """A law over one kind: updates about all of its fields at once, then about each alone, so that they meet in it."""
    for focus in edition.dialect.focuses(kind):
        law(strategy(kind, focus), share=share if not focus or IS_LONG else share / 2)(check)()


def for_each_burst(
    edition: Edition,
    kind: str,
    size: int,
    check: Callable[[Any], None],
    *,
    share: float,
    ids: SearchStrategy[str] = IDS,
) -> None:
    def strategy(kind: str, focus: str) -> SearchStrategy[list[Wire]]:
        return edition.dialect.bursts(kind, focus, size, ids)

    for_each_field(edition, kind, strategy, check, share=share)


def assert_same(state: Any, other: Any) -> None:
    assert exactly(state.to_json()) == exactly(other.to_json())
    assert state == other


# ----------------------------------------------------------------------------------------- the fold itself


@each_edition
def test_the_strategies_speak_of_every_tag(edition: Edition) -> None:
    union = edition.definitions["SessionUpdate"]
    known = {
        branch["properties"]["sessionUpdate"].get("const") for branch in union.get("anyOf", []) + union.get("oneOf", [])
    }
    catch_all = set() if edition.dialect.unknown is None else {None}
    assert {*edition.dialect.tags, *catch_all} == known
    assert set(edition.reference.TAGS) == set(edition.dialect.tags)


@pytest.mark.parametrize(
    ("edition", "tag"),
    [
        pytest.param(edition, tag, id=f"{name}-{tag}")
        for name, edition in EDITIONS.items()
        for tag in edition.dialect.tags
    ],
)
def test_the_strategies_draw_valid_updates(edition: Edition, tag: str) -> None:
    @settings(profile(), max_examples=20)
    @given(edition.dialect.updates_of(tag))
    def holds(update: Wire) -> None:
        assert edition.valid_update.is_valid(update)
        issues: list[Any] = []
        edition.acp.decode("SessionUpdate", update, issues=issues)
        assert issues == []

    holds()


@each_edition
def test_the_fold_is_that_of_the_reference(edition: Edition) -> None:
    @law(edition.dialect.sessions)
    def holds(updates: list[Wire]) -> None:
        assert exactly(edition.folded(updates).to_json()) == exactly(edition.expected(updates))

    holds()


@each_place
def test_the_fold_of_one_kind_is_that_of_the_reference(edition: Edition, kind: str) -> None:
    """Many updates of few things, which mixed sessions seldom have."""

    def holds(updates: list[Wire]) -> None:
        assert exactly(edition.folded(updates).to_json()) == exactly(edition.expected(updates))

    for_each_burst(edition, kind, 5, holds, share=0.15)


@each_edition
def test_the_state_never_holds_unset(edition: Edition) -> None:
    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        assert not any(part is UNSET for part in parts(edition.folded(updates)))

    holds()


@each_edition
def test_a_change_names_what_the_update_touched_and_nothing_else(edition: Edition) -> None:
    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        state = edition.acp.SessionState()
        for update in updates:
            before = state.to_json()
            change = edition.acp.apply_update(state, edition.decoded(update))
            after = state.to_json()
            touched = {name for name in before if name != "timeline" and exactly(before[name]) != exactly(after[name])}
            assert touched <= {change.kind.partition(".")[0]}
            if change.id is not None:
                members = _member(before, change.kind), _member(after, change.kind)
                assert change.created is (change.id not in members[0])
                changed = {key for key in members[1] if exactly(members[0].get(key)) != exactly(members[1][key])}
                assert changed <= {change.id}
            elif change.kind in ("event", "unknown"):
                assert edition.encoded(change.event) == edition.without_null_members(update)

    holds()


def _member(state: Json, path: str) -> Json:
    for name in path.split("."):
        state = state[name]
    return state


# ------------------------------------------------------------------------------------------------ law 3: diff


def _json_of(state: Any, kind: str) -> Json:
    """The JSON form of the entity with the id ``1``, or of the slot."""
    found = _member(state.to_json(), kind)
    return found["1"] if "1" in found else found


def has_update(edition: Edition, kind: str, old: Json, new: Json) -> bool:
    """Whether one update leads from the one to the other, by the rules of the edition.

    In v1 a patch cannot clear, but a whole ``tool_call`` can, and it needs a title; a message only grows by one block.
    """
    if edition.name != "v1" or kind == "compactions":
        return True
    if kind.startswith("messages."):
        return exactly(new["content"][:-1]) == exactly(old["content"])
    can_clear = ("title", "updatedAt") if kind == "info" else ()
    cleared = [name for name in new if name not in can_clear and new[name] is None and old[name] is not None]
    return not cleared or new.get("title") is not None and kind == "tool_calls"


@each_entity
def test_applying_a_diff_gives_the_new_state(edition: Edition, kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        before, after = edition.folded(pair[0]), edition.folded(pair[1])
        if not has_update(edition, kind, _json_of(before, kind), _json_of(after, kind)):
            return
        update = edition.acp.diff(entity(before, kind), entity(after, kind))
        for received in (update, edition.sent(update)):
            state = edition.applied(edition.folded(pair[0]), received)
            assert entity(state, kind) == entity(after, kind)
            assert exactly(_json_of(state, kind)) == exactly(_json_of(after, kind))

    for_each_field(edition, kind, _pairs(edition), holds, share=0.2)


@each_kind(lambda dialect: dialect.entities if dialect is V1 else ())
def test_a_diff_that_no_update_can_say_is_refused(edition: Edition, kind: str) -> None:
    refused: Counter[bool] = Counter()

    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        before, after = edition.folded(pair[0]), edition.folded(pair[1])
        possible = has_update(edition, kind, _json_of(before, kind), _json_of(after, kind))
        refused[not possible] += 1
        if not possible:
            what = "leads to this content" if kind.startswith("messages.") else "can clear "
            with pytest.raises(ValueError, match=f"^no (single )?update of this edition {what}"):
                edition.acp.diff(entity(before, kind), entity(after, kind))

    for_each_field(edition, kind, _pairs(edition), holds, share=0.2)
    assert bool(refused[True]) is (kind != "compactions"), "the strategies reach what cannot be said"
    assert refused[False]


def _pairs(edition: Edition) -> Callable[[str, str], SearchStrategy[Any]]:
    """Histories that all speak of the entity with the id ``1``: in v1 a message may have no id or another one."""

    def strategy(kind: str, focus: str) -> SearchStrategy[Any]:
        pairs = edition.dialect.state_pairs(kind, focus)
        if not kind.startswith("messages."):
            return pairs
        return pairs.map(lambda pair: tuple([{**update, "messageId": "1"} for update in side] for side in pair))

    return strategy


@each_patched_entity
def test_the_diff_from_nothing_creates_the_entity(edition: Edition, kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        state = edition.folded(pair[0])
        update = edition.sent(edition.acp.diff(None, entity(state, kind)))
        assert_same(edition.applied(edition.acp.SessionState(), update), state)

    for_each_field(edition, kind, _pairs(edition), holds, share=0.2)


def required(edition: Edition, kind: str) -> set[str]:
    """What every patch of an entity says, changed or not."""
    patch = edition.dialect.patches[edition.dialect.families[kind][0]]
    return {*patch.always, *([patch.key] if patch.key else [])}


@each_patched_entity
def test_a_diff_says_nothing_but_what_changed(edition: Edition, kind: str) -> None:
    tag = edition.dialect.families[kind][0]
    is_snapshot = edition.name == "v2-2026-06" and kind == "usage"

    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        before, after = edition.folded(pair[0]), edition.folded(pair[1])
        old, new = _json_of(before, kind), _json_of(after, kind)
        if not has_update(edition, kind, old, new):
            return
        said = edition.encoded(edition.acp.diff(entity(before, kind), entity(after, kind)))
        if said.pop("sessionUpdate") != tag:
            assert any(new[name] is None and old[name] is not None for name in new), "a patch would have done"
            return
        changed = {name for name in new if exactly(old[name]) != exactly(new[name])}
        if is_snapshot:
            changed = {name for name in new if new[name] is not None}
        wire_names = {"output" if name == "bytes_base64" else name for name in changed}
        assert set(said) == wire_names | required(edition, kind)
        if kind in edition.dialect.merged_meta and "_meta" in changed:
            assert_smallest_meta(old["_meta"], new["_meta"], said["_meta"])

    for_each_field(edition, kind, _pairs(edition), holds, share=0.2)


def assert_smallest_meta(old: Json, new: Json, said: Json) -> None:
    if new is None:
        assert said is None or said == {key: None for key in old}
    else:
        changed = {key for key in {*(old or {}), *new} if exactly((old or {}).get(key)) != exactly(new.get(key))}
        assert exactly(said) == exactly({key: new.get(key) for key in changed})


@each_patched_entity
def test_the_diff_of_a_state_with_itself_is_empty(edition: Edition, kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        state, twin = edition.folded(pair[0]), edition.folded(pair[0])
        said = edition.acp.encode(edition.acp.diff(entity(state, kind), entity(twin, kind)))
        if edition.name == "v2-2026-06":
            said.pop("cost", None)  # a snapshot says it every time
        assert set(said) == required(edition, kind)

    for_each_field(edition, kind, _pairs(edition), holds, share=0.1)


# ----------------------------------------------------------------------------------------------- law 4: merge


@each_place
def test_a_merged_update_does_what_the_two_did(edition: Edition, kind: str) -> None:
    mostly_one = st.sampled_from(["1"] * 5 + ["2"])

    def holds(updates: list[Wire]) -> None:
        *earlier, first, second = updates
        merged = edition.acp.merge(edition.decoded(first), edition.decoded(second))
        event("merged" if merged is not None else "no single update can")
        if merged is not None:
            both = edition.folded(updates)
            assert_same(edition.applied(edition.folded(earlier), merged), both)
            assert_same(edition.applied(edition.folded(earlier), edition.sent(merged)), both)

    for_each_burst(edition, kind, 4, holds, share=0.3, ids=mostly_one)


@each_patched_entity
def test_two_patches_merge_unless_they_clear_and_set_meta_or_have_bad_bytes(edition: Edition, kind: str) -> None:
    """``merge`` may decline only where no single update can say both."""
    patches = edition.dialect.updates_of(edition.dialect.families[kind][0], st.just("1"))
    merges_meta = kind in edition.dialect.merged_meta

    @law(patches, patches, share=0.15)
    def holds(first: Wire, second: Wire) -> None:
        clears_then_sets = merges_meta and first.get("_meta", 0) is None and second.get("_meta") is not None
        if not clears_then_sets and not (_has_bad_bytes(first) or _has_bad_bytes(second)):
            assert edition.acp.merge(edition.decoded(first), edition.decoded(second)) is not None

    holds()


def _has_bad_bytes(update: Wire) -> bool:
    output = update.get("output")
    return output is not None and reference_fold.bytes_of(output["data"]) is None


@each_edition
def test_updates_of_different_things_do_not_merge(edition: Edition) -> None:
    place = edition.dialect.place

    @law(edition.dialect.updates, edition.dialect.updates, share=0.5)
    def holds(first: Wire, second: Wire) -> None:
        if place(first) != place(second) or place(first) is None:
            assert edition.acp.merge(edition.decoded(first), edition.decoded(second)) is None

    holds()


def _coalesced_alike(edition: Edition, updates: list[Wire]) -> None:
    shorter = edition.acp.coalesce([edition.decoded(update) for update in updates])
    assert len(shorter) <= len(updates)
    state = edition.folded(updates)
    assert_same(edition.applied(edition.acp.SessionState(), *shorter), state)
    assert_same(edition.applied(edition.acp.SessionState(), *map(edition.sent, shorter)), state)


@each_edition
def test_coalescing_a_burst_keeps_the_outcome_and_the_timeline(edition: Edition) -> None:
    law(edition.dialect.sessions)(lambda updates: _coalesced_alike(edition, updates))()


@each_place
def test_coalescing_a_burst_of_one_kind_keeps_the_outcome(edition: Edition, kind: str) -> None:
    for_each_burst(edition, kind, 5, lambda updates: _coalesced_alike(edition, updates), share=0.15)


@each_edition
def test_coalescing_drops_no_event_and_no_unknown_update(edition: Edition) -> None:
    place = edition.dialect.place

    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        kept = map(edition.encoded, edition.acp.coalesce([edition.decoded(update) for update in updates]))
        traceless = [edition.without_null_members(update) for update in updates if place(update) is None]
        assert [update for update in kept if place(update) is None] == traceless

    holds()


@each_edition
def test_coalescing_leaves_the_updates_it_was_given_alone(edition: Edition) -> None:
    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        given_updates = [edition.decoded(update) for update in updates]
        before = [exactly(edition.encoded(update)) for update in given_updates]
        edition.applied(edition.acp.SessionState(), *edition.acp.coalesce(given_updates))
        assert [exactly(edition.encoded(update)) for update in given_updates] == before

    holds()


# ---------------------------------------------------------------------------------------------- law 5: replay


@each_edition
def test_replaying_a_state_gives_the_state(edition: Edition) -> None:
    @law(edition.dialect.sessions)
    def holds(updates: list[Wire]) -> None:
        state = edition.folded(updates)
        replay = edition.acp.replay(state)
        assert_same(edition.applied(edition.acp.SessionState(), *replay), state)
        assert_same(edition.applied(edition.acp.SessionState(), *map(edition.sent, replay)), state)

    holds()


@each_edition
def test_a_replay_needs_one_update_for_each_thing(edition: Edition) -> None:
    """Where messages are made of chunks alone, one for each block of a message."""
    made_of_chunks = {kind for kind in edition.dialect.entities if edition.dialect.families[kind][0].endswith("_chunk")}

    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        state = edition.folded(updates)
        places = Counter(edition.dialect.place(edition.encoded(update)) for update in edition.acp.replay(state))
        assert None not in places
        for place, times in places.items():
            assert place is not None
            kind, key = place
            blocks = _member(state.to_json(), kind)[key]["content"] if kind in made_of_chunks else [...]
            assert times == len(blocks)

    holds()


@each_edition
def test_replaying_leaves_the_state_alone(edition: Edition) -> None:
    @law(edition.dialect.sessions, share=0.4)
    def holds(updates: list[Wire]) -> None:
        state = edition.folded(updates)
        before = exactly(state.to_json())
        twin = edition.applied(edition.acp.SessionState(), *edition.acp.replay(state))
        edition.applied(twin, *map(edition.decoded, updates))
        assert exactly(state.to_json()) == before

    holds()


# ------------------------------------------------------------------------------------------- law 6: no aliasing


@each_edition
def test_later_updates_leave_earlier_update_objects_alone(edition: Edition) -> None:
    @law(edition.dialect.sessions)
    def holds(updates: list[Wire]) -> None:
        given_updates = [edition.decoded(update) for update in updates]
        before = [exactly(edition.encoded(update)) for update in given_updates]
        edition.applied(edition.acp.SessionState(), *given_updates, *given_updates)
        assert [exactly(edition.encoded(update)) for update in given_updates] == before

    holds()


@each_edition
def test_two_states_that_were_fed_the_same_objects_are_independent(edition: Edition) -> None:
    @law(edition.dialect.sessions, edition.dialect.sessions, share=0.3)
    def holds(common: list[Wire], later: list[Wire]) -> None:
        one, other = edition.acp.SessionState(), edition.acp.SessionState()
        for update in map(edition.decoded, common):
            edition.applied(one, update)
            edition.applied(other, update)
        before = exactly(other.to_json())
        edition.applied(one, *map(edition.decoded, later))
        if edition.name == "v2":
            edition.acp.mark_cancelled(one)
        assert exactly(other.to_json()) == before

    holds()


# --------------------------------------------------------------------------------------------- whole sessions


def of_its_dialect(choose: Callable[[Dialect], SearchStrategy[Any]]) -> SearchStrategy[Any]:
    """A strategy that depends on the edition of the machine that draws from it."""
    return st.runner().flatmap(lambda machine: choose(machine.edition.dialect))


class Sessions(RuleBasedStateMachine):
    """A client in a session, and from some moment on a second one that was sent a replay."""

    edition: Edition

    def __init__(self) -> None:
        super().__init__()
        self.acp, self.reference = self.edition.acp, self.edition.reference
        self.state = self.acp.SessionState()
        self.expected = self.reference.empty()
        self.second: Any = None
        self.responded = False

    def clients(self) -> list[Any]:
        return [self.state] if self.second is None else [self.state, self.second]

    @rule(update=of_its_dialect(lambda dialect: dialect.updates))
    def an_update_arrives(self, update: Wire) -> None:
        for client in self.clients():
            self.acp.apply_update(client, self.edition.decoded(update))
        self.expected = self.reference.apply(self.expected, update)

    @rule(request=of_its_dialect(lambda dialect: dialect.permissions))
    def a_permission_is_requested(self, request: Json) -> None:
        for client in self.clients():
            self.acp.apply_request_permission_request(client, self.acp.decode("RequestPermissionRequest", request))
        self.expected = self.reference.permission_requested(self.expected, request)

    @precondition(lambda self: not self.responded)
    @rule(
        opening=of_its_dialect(
            lambda dialect: st.one_of(
                *(st.tuples(st.just(name), response) for name, response in dialect.openings.items())
            )
        )
    )
    def the_session_opens(self, opening: tuple[str, Wire]) -> None:
        """The response may come after updates that it must not overwrite."""
        definition, response = opening
        self.responded, self.second = True, None
        names = {
            "NewSessionResponse": "apply_new_session_response",
            "LoadSessionResponse": "apply_load_session_response",
            "ResumeSessionResponse": "apply_resume_session_response",
        }
        getattr(self.acp, names[definition])(self.state, self.acp.decode(definition, response))
        self.expected = self.reference.opened(self.expected, definition, response)

    @rule(options=of_its_dialect(lambda dialect: dialect.config_options))
    def a_config_option_is_set(self, options: Json) -> None:
        """The client that asked gets the response, the other one an update."""
        response = {"configOptions": options}
        decoded = self.acp.decode("SetSessionConfigOptionResponse", response)
        self.acp.apply_set_session_config_option_response(self.state, decoded)
        self.expected = self.reference.config_option_set(self.expected, response)
        if self.second is not None:
            update = {"sessionUpdate": "config_option_update", **response}
            self.acp.apply_update(self.second, self.edition.decoded(update))

    @rule()
    def a_second_client_gets_a_replay(self) -> None:
        replay = map(self.edition.sent, self.acp.replay(self.state))
        self.second = self.edition.applied(self.acp.SessionState(), *replay)

    @rule(call=IDS)
    def an_agent_sends_the_difference(self, call: str) -> None:
        """A diff of what is known against itself changes nothing, whatever the state."""
        if call in self.state.tool_calls:
            known = self.state.tool_calls[call]
            self.acp.apply_update(self.state, self.acp.diff(known, known))

    @invariant()
    def the_reference_agrees(self) -> None:
        assert exactly(self.state.to_json()) == exactly(self.reference.public(self.expected))

    @invariant()
    def the_second_client_sees_the_same(self) -> None:
        if self.second is not None:
            assert_same(self.second, self.state)

    @invariant()
    def nothing_is_unset(self) -> None:
        assert not any(part is UNSET for part in parts(self.state))


class V1Sessions(Sessions):
    edition = EDITIONS["v1"]

    @rule(tag=st.sampled_from(["agent_message_chunk", "agent_thought_chunk"]))
    def a_chunk_without_an_id_arrives(self, tag: str) -> None:
        """Often enough that runs grow, and are cut off by whatever comes between."""
        self.an_update_arrives({"sessionUpdate": tag, "content": {"type": "text", "text": "a"}})

    @rule()
    def a_turn_begins(self) -> None:
        prompt = self.acp.decode("PromptRequest", {"sessionId": "s", "prompt": []})
        for client in self.clients():
            assert self.acp.apply_prompt_request(client, prompt) == []
        self.expected = self.reference.prompted(self.expected)

    @rule()
    def a_second_client_gets_a_replay(self) -> None:
        """Between turns: within one, only the first client knows what the next chunk without an id follows."""
        self.a_turn_begins()
        super().a_second_client_gets_a_replay()


class JuneSessions(Sessions):
    edition = EDITIONS["june"]


class V2Sessions(Sessions):
    edition = EDITIONS["v2"]

    @rule(call=IDS, detached=IDS)
    def tool_calls_run_and_some_in_the_background(self, call: str, detached: str) -> None:
        for key in (call, detached):
            self.an_update_arrives({"sessionUpdate": "tool_call_update", "toolCallId": key, "status": "in_progress"})
        background = [{"type": "tool_call", "toolCallId": detached}]
        self.an_update_arrives({"sessionUpdate": "state_update", "state": "running", "background": background})

    @rule()
    def the_user_cancels(self) -> None:
        for client in self.clients():
            self.acp.mark_cancelled(client)
        self.expected = self.reference.cancelled(self.expected)


_MACHINE = settings(profile(), max_examples=profile().max_examples if IS_LONG else 100, stateful_step_count=20)
TestV1Sessions = V1Sessions.TestCase
TestV1Sessions.settings = _MACHINE
TestJuneSessions = JuneSessions.TestCase
TestJuneSessions.settings = _MACHINE
TestV2Sessions = V2Sessions.TestCase
TestV2Sessions.settings = _MACHINE
