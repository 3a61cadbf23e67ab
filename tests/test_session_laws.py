"""The laws of the session engine, over random updates of every kind and over whole sessions.

``HYPOTHESIS_PROFILE=long`` runs 1,000 examples a law (and a kind of entity); the default is a sample of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import SearchStrategy
from jsonschema_rs import Draft202012Validator

import acp_schema.v2 as acp
from acp_schema.v2 import UNSET
from support import reference_fold as reference
from support.profiles import profile
from support.sessions import (
    COMMANDS,
    CONFIG_OPTIONS,
    ENTITIES,
    FAMILIES,
    IDS,
    SESSIONS,
    TAGS,
    UPDATES,
    Json,
    Wire,
    bursts,
    entity,
    exactly,
    focuses,
    parts,
    state_pairs,
    updates_of,
    wire,
)

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))
VALID_UPDATE = Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/SessionUpdate"})
IS_LONG = profile().max_examples >= 1000


def law(*drawn: SearchStrategy[Any], share: float = 1.0) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """``given`` with the chosen profile, or a share of its examples where a law is checked many times over."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        examples = max(10, round(profile().max_examples * share))
        return settings(profile(), max_examples=examples)(given(*drawn)(check))

    return decorate


def for_each_field(
    kind: str, strategy: Callable[[str, str], SearchStrategy[Any]], check: Callable[[Any], None], *, share: float = 1.0
) -> None:
    """A law over one kind: updates about all of its fields at once, then about each alone, so that they meet in it."""
    for focus in focuses(kind):
        law(strategy(kind, focus), share=share if not focus or IS_LONG else share / 2)(check)()


def of_one_thing(size: int, ids: SearchStrategy[str] = IDS) -> Callable[[str, str], SearchStrategy[list[Wire]]]:
    return lambda kind, focus: bursts(kind, focus, size, ids)


def for_each(kinds: tuple[str, ...]) -> Any:
    return pytest.mark.parametrize("kind", kinds)


def decoded(update: Wire) -> Any:
    return acp.decode("SessionUpdate", update)


def folded(updates: list[Wire]) -> acp.SessionState:
    return applied(acp.SessionState(), *map(decoded, updates))


def sent(update: Any) -> Any:
    """An update after a trip over the wire, which must be valid there."""
    data = acp.encode(update, "SessionUpdate")
    assert VALID_UPDATE.is_valid(data), data
    return decoded(json.loads(json.dumps(data)))


def applied(state: acp.SessionState, *updates: Any) -> acp.SessionState:
    for update in updates:
        acp.apply_update(state, update)
    return state


def assert_same(state: acp.SessionState, other: acp.SessionState) -> None:
    assert exactly(state.to_json()) == exactly(other.to_json())
    assert state == other


# ----------------------------------------------------------------------------------------- the fold itself


def test_the_strategies_speak_of_every_tag() -> None:
    known = {branch["properties"]["sessionUpdate"].get("const") for branch in SCHEMA["$defs"]["SessionUpdate"]["anyOf"]}
    assert {*TAGS, None} == known
    assert set(reference.TAGS) == set(TAGS)


@pytest.mark.parametrize("tag", TAGS)
def test_the_strategies_draw_valid_updates(tag: str) -> None:
    @settings(profile(), max_examples=20)
    @given(updates_of(tag))
    def holds(update: Wire) -> None:
        assert VALID_UPDATE.is_valid(update)
        issues: list[Any] = []
        acp.decode("SessionUpdate", update, issues=issues)
        assert issues == []

    holds()


@law(st.lists(UPDATES, max_size=12))
def test_the_fold_is_that_of_the_reference(updates: list[Wire]) -> None:
    expected = reference.public(reference.fold(reference.empty(), updates))
    assert exactly(folded(updates).to_json()) == exactly(expected)


@for_each(tuple(FAMILIES))
def test_the_fold_of_one_kind_is_that_of_the_reference(kind: str) -> None:
    """Many updates of few things, which mixed sessions seldom have."""

    def holds(updates: list[Wire]) -> None:
        expected = reference.public(reference.fold(reference.empty(), updates))
        assert exactly(folded(updates).to_json()) == exactly(expected)

    for_each_field(kind, of_one_thing(5), holds, share=0.15)


@law(SESSIONS, share=0.4)
def test_the_state_never_holds_unset(updates: list[Wire]) -> None:
    assert not any(part is UNSET for part in parts(folded(updates)))


@law(SESSIONS, share=0.4)
def test_a_change_names_what_the_update_touched_and_nothing_else(updates: list[Wire]) -> None:
    state = acp.SessionState()
    for update in updates:
        before = state.to_json()
        change = acp.apply_update(state, decoded(update))
        after = state.to_json()
        touched = {name for name in before if name != "timeline" and exactly(before[name]) != exactly(after[name])}
        assert touched <= {change.kind.partition(".")[0]}
        if change.id is not None:
            members = _member(before, change.kind), _member(after, change.kind)
            assert change.created is (change.id not in members[0])
            changed = {key for key in members[1] if exactly(members[0].get(key)) != exactly(members[1][key])}
            assert changed <= {change.id}
        elif change.kind in ("event", "unknown"):
            assert acp.encode(change.event, "SessionUpdate") == _without_null_members(update)


def _member(state: Json, path: str) -> Json:
    for name in path.split("."):
        state = state[name]
    return state


def _without_null_members(update: Wire) -> Wire:
    """Null on a plain optional member of a known update is the same as leaving it out."""
    known = update["sessionUpdate"] in TAGS
    return {name: value for name, value in update.items() if not (known and value is None)}


# ------------------------------------------------------------------------------------------------ law 3: diff


@for_each(ENTITIES)
def test_applying_a_diff_gives_the_new_state(kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        before, after = folded(pair[0]), folded(pair[1])
        update = acp.diff(entity(before, kind), entity(after, kind))
        for received in (update, sent(update)):
            state = applied(folded(pair[0]), received)
            assert entity(state, kind) == entity(after, kind)
            assert exactly(state.to_json()[kind.partition(".")[0]]) == exactly(after.to_json()[kind.partition(".")[0]])

    for_each_field(kind, state_pairs, holds, share=0.2)


@for_each(ENTITIES)
def test_the_diff_from_nothing_creates_the_entity(kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        state = folded(pair[0])
        created = applied(acp.SessionState(), sent(acp.diff(None, entity(state, kind))))
        assert_same(created, state)

    for_each_field(kind, state_pairs, holds, share=0.2)


REQUIRED = {  # by payload: what every update says, changed or not
    "tool_calls": {"tool_call_id"},
    "terminals": {"terminal_id"},
    "compactions": {"compaction_id", "status"},
    "info": set(),
    "usage": {"used", "size"},
    "messages.user": {"message_id"},
    "messages.agent": {"message_id"},
    "messages.thought": {"message_id"},
}


@for_each(ENTITIES)
def test_a_diff_says_nothing_but_what_changed(kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        old, new = entity(folded(pair[0]), kind), entity(folded(pair[1]), kind)
        update = acp.diff(old, new)
        for field in fields(new):
            if field.name in REQUIRED[kind]:
                assert getattr(update, field.name) == getattr(new, field.name)
            elif field.name == "meta":
                assert_smallest_meta(old.meta, new.meta, update.meta)
            elif _exact_value(getattr(old, field.name)) == _exact_value(getattr(new, field.name)):
                assert getattr(update, field.name) is UNSET
            else:
                assert getattr(update, field.name) is not UNSET

    for_each_field(kind, state_pairs, holds, share=0.2)


def _exact_value(value: Any) -> str:
    """What a stored value is, with 1 and true apart."""
    return repr(value)


def assert_smallest_meta(old: Json, new: Json, said: Json) -> None:
    if exactly(old) == exactly(new):
        assert said is UNSET
    elif new is None:
        assert said is None or said == {key: None for key in old}
    else:
        changed = {key for key in {*(old or {}), *new} if exactly((old or {}).get(key)) != exactly(new.get(key))}
        assert exactly(said) == exactly({key: new.get(key) for key in changed})


@for_each(ENTITIES)
def test_the_diff_of_a_state_with_itself_is_empty(kind: str) -> None:
    def holds(pair: tuple[list[Wire], list[Wire]]) -> None:
        update = acp.diff(entity(folded(pair[0]), kind), entity(folded(pair[0]), kind))
        said = {field.name for field in fields(update) if getattr(update, field.name) not in (UNSET, None)}
        assert said == REQUIRED[kind]
        assert not set(acp.encode(update)) & {"_meta", "content", "title", "summary", "output", "cost", "error"}

    for_each_field(kind, state_pairs, holds, share=0.1)


# ----------------------------------------------------------------------------------------------- law 4: merge


@for_each(tuple(FAMILIES))
def test_a_merged_update_does_what_the_two_did(kind: str) -> None:
    mostly_one = st.sampled_from(["1"] * 5 + ["2"])

    def holds(updates: list[Wire]) -> None:
        *earlier, first, second = updates
        merged = acp.merge(decoded(first), decoded(second))
        event("merged" if merged is not None else "no single update can")
        if merged is not None:
            both = applied(folded(earlier), decoded(first), decoded(second))
            assert_same(applied(folded(earlier), merged), both)
            assert_same(applied(folded(earlier), sent(merged)), both)

    for_each_field(kind, of_one_thing(4, mostly_one), holds, share=0.3)


@for_each(ENTITIES)
def test_two_whole_updates_merge_unless_they_clear_and_set_meta_or_have_bad_bytes(kind: str) -> None:
    """``merge`` may decline only where no single update can say both."""
    one = st.just("1")

    @law(updates_of(FAMILIES[kind][0], one), updates_of(FAMILIES[kind][0], one), share=0.15)
    def holds(first: Wire, second: Wire) -> None:
        clears_then_sets = kind != "usage" and first.get("_meta", 0) is None and second.get("_meta") is not None
        if not clears_then_sets and not (_has_bad_bytes(first) or _has_bad_bytes(second)):
            assert acp.merge(decoded(first), decoded(second)) is not None

    holds()


def _has_bad_bytes(update: Wire) -> bool:
    output = update.get("output")
    return output is not None and reference.bytes_of(output["data"]) is None


@law(UPDATES, UPDATES, share=0.5)
def test_updates_of_different_things_do_not_merge(first: Wire, second: Wire) -> None:
    if _place(first) != _place(second) or _place(first) is None:
        assert acp.merge(decoded(first), decoded(second)) is None


def _place(update: Wire) -> tuple[str, Json] | None:
    tag = update["sessionUpdate"]
    kind = next((kind for kind, tags in FAMILIES.items() if tag in tags), None)
    if kind is None:
        return None
    ids = [update.get(name) for name in ("messageId", "toolCallId", "terminalId", "compactionId") if name in update]
    return kind, update["plan"]["planId"] if tag == "plan_update" else (ids or [None])[0]


def _coalesced_alike(updates: list[Wire]) -> None:
    shorter = acp.coalesce([decoded(update) for update in updates])
    assert len(shorter) <= len(updates)
    state = folded(updates)
    assert_same(applied(acp.SessionState(), *shorter), state)
    assert applied(acp.SessionState(), *map(sent, shorter)).timeline == state.timeline


@law(SESSIONS)
def test_coalescing_a_burst_keeps_the_outcome_and_the_timeline(updates: list[Wire]) -> None:
    _coalesced_alike(updates)


@for_each(tuple(FAMILIES))
def test_coalescing_a_burst_of_one_kind_keeps_the_outcome(kind: str) -> None:
    for_each_field(kind, of_one_thing(5), _coalesced_alike, share=0.15)


@law(SESSIONS, share=0.4)
def test_coalescing_drops_no_event_and_no_unknown_update(updates: list[Wire]) -> None:
    kept = [acp.encode(update, "SessionUpdate") for update in acp.coalesce([decoded(update) for update in updates])]
    traceless = [_without_null_members(update) for update in updates if _place(update) is None]
    assert [update for update in kept if _place(update) is None] == traceless


@law(SESSIONS, share=0.4)
def test_coalescing_leaves_the_updates_it_was_given_alone(updates: list[Wire]) -> None:
    given_updates = [decoded(update) for update in updates]
    before = [exactly(acp.encode(update, "SessionUpdate")) for update in given_updates]
    applied(acp.SessionState(), *acp.coalesce(given_updates))
    assert [exactly(acp.encode(update, "SessionUpdate")) for update in given_updates] == before


# ---------------------------------------------------------------------------------------------- law 5: replay


@law(SESSIONS)
def test_replaying_a_state_gives_the_state(updates: list[Wire]) -> None:
    state = folded(updates)
    assert_same(applied(acp.SessionState(), *acp.replay(state)), state)
    assert_same(applied(acp.SessionState(), *map(sent, acp.replay(state))), state)


@law(SESSIONS, share=0.4)
def test_a_replay_needs_one_update_for_each_thing(updates: list[Wire]) -> None:
    places = [_place(acp.encode(update, "SessionUpdate")) for update in acp.replay(folded(updates))]
    assert None not in places
    assert len(places) == len(set(places))


@law(SESSIONS, share=0.4)
def test_replaying_leaves_the_state_alone(updates: list[Wire]) -> None:
    state = folded(updates)
    before = exactly(state.to_json())
    twin = applied(acp.SessionState(), *acp.replay(state))
    applied(twin, *(decoded(update) for update in updates))
    assert exactly(state.to_json()) == before


# ------------------------------------------------------------------------------------------- law 6: no aliasing


@law(SESSIONS)
def test_later_updates_leave_earlier_update_objects_alone(updates: list[Wire]) -> None:
    given_updates = [decoded(update) for update in updates]
    before = [exactly(acp.encode(update, "SessionUpdate")) for update in given_updates]
    applied(acp.SessionState(), *given_updates, *given_updates)
    assert [exactly(acp.encode(update, "SessionUpdate")) for update in given_updates] == before


@law(SESSIONS, SESSIONS, share=0.3)
def test_two_states_that_were_fed_the_same_objects_are_independent(common: list[Wire], later: list[Wire]) -> None:
    one, other = acp.SessionState(), acp.SessionState()
    for update in map(decoded, common):
        applied(one, update)
        applied(other, update)
    before = exactly(other.to_json())
    applied(one, *map(decoded, later))
    acp.mark_cancelled(one)
    assert exactly(other.to_json()) == before


# --------------------------------------------------------------------------------------------- whole sessions

RESPONSES = wire(
    {"sessionId": st.just("s")},
    configOptions=st.lists(CONFIG_OPTIONS, max_size=2),
    availableCommands=st.lists(COMMANDS, max_size=2),
)
SUBJECTS = st.one_of(
    st.none(),
    updates_of("tool_call_update").map(
        lambda update: {"type": "tool_call", "toolCall": {k: v for k, v in update.items() if k != "sessionUpdate"}}
    ),
    st.just({"type": "command", "command": "ls", "cwd": "/", "toolCallId": "1"}),
    st.just({"type": "_vendor", "toolCall": {"toolCallId": "1", "title": "not for us"}}),
)


class Sessions(RuleBasedStateMachine):
    """A client in a session, and from some moment on a second one that was sent a replay."""

    def __init__(self) -> None:
        super().__init__()
        self.state = acp.SessionState()
        self.expected = reference.empty()
        self.second: acp.SessionState | None = None
        self.responded = False

    @rule(update=UPDATES)
    def an_update_arrives(self, update: Wire) -> None:
        acp.apply_update(self.state, decoded(update))
        self.expected = reference.apply(self.expected, update)
        if self.second is not None:
            acp.apply_update(self.second, decoded(update))

    @rule(subject=SUBJECTS)
    def a_permission_is_requested(self, subject: Json) -> None:
        options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
        request = {"sessionId": "s", "title": "May I?", "subject": subject, "options": options}
        for state in (self.state, self.second):
            if state is not None:
                acp.apply_request_permission_request(state, acp.decode("RequestPermissionRequest", request))
        self.expected = reference.permission_requested(self.expected, request)

    @precondition(lambda self: not self.responded)
    @rule(response=RESPONSES, is_new=st.booleans())
    def the_session_opens(self, response: Json, is_new: bool) -> None:
        """The response may come after updates that it must not overwrite."""
        self.responded, self.second = True, None
        if is_new:
            acp.apply_new_session_response(self.state, acp.decode("NewSessionResponse", response))
            self.expected = reference.session_created(self.expected, response)
        else:
            del response["sessionId"]
            acp.apply_resume_session_response(self.state, acp.decode("ResumeSessionResponse", response))
            self.expected = reference.session_resumed(self.expected, response)

    @rule(options=st.lists(CONFIG_OPTIONS, max_size=2))
    def a_config_option_is_set(self, options: Json) -> None:
        """The client that asked gets the response, the other one an update."""
        response = {"configOptions": options}
        acp.apply_set_session_config_option_response(self.state, acp.decode("SetSessionConfigOptionResponse", response))
        self.expected = reference.config_option_set(self.expected, response)
        if self.second is not None:
            acp.apply_update(self.second, decoded({"sessionUpdate": "config_option_update", **response}))

    @rule(call=IDS, detached=IDS)
    def tool_calls_run_and_some_in_the_background(self, call: str, detached: str) -> None:
        for key in (call, detached):
            self.an_update_arrives({"sessionUpdate": "tool_call_update", "toolCallId": key, "status": "in_progress"})
        background = [{"type": "tool_call", "toolCallId": detached}]
        self.an_update_arrives({"sessionUpdate": "state_update", "state": "running", "background": background})

    @rule()
    def the_user_cancels(self) -> None:
        acp.mark_cancelled(self.state)
        self.expected = reference.cancelled(self.expected)
        if self.second is not None:
            acp.mark_cancelled(self.second)

    @rule()
    def a_second_client_gets_a_replay(self) -> None:
        self.second = applied(acp.SessionState(), *map(sent, acp.replay(self.state)))

    @rule(call=IDS)
    def an_agent_sends_the_difference(self, call: str) -> None:
        """A diff of what is known against itself changes nothing, whatever the state."""
        if call in self.state.tool_calls:
            acp.apply_update(self.state, acp.diff(self.state.tool_calls[call], self.state.tool_calls[call]))

    @invariant()
    def the_reference_agrees(self) -> None:
        assert exactly(self.state.to_json()) == exactly(reference.public(self.expected))

    @invariant()
    def the_second_client_sees_the_same(self) -> None:
        if self.second is not None:
            assert_same(self.second, self.state)

    @invariant()
    def nothing_is_unset(self) -> None:
        assert not any(part is UNSET for part in parts(self.state))


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    profile(), max_examples=profile().max_examples if IS_LONG else 100, stateful_step_count=20
)
