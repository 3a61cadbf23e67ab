"""Which place became which: renames are found where they are sure, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acp_codegen.jsontypes import subschemas
from acp_codegen.pairing import Pairing, pair
from support.editions import JUNE, V1, V2, Edition, every_edition

TEXT = {"type": "string"}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def message(method: str, **properties: Any) -> dict[str, Any]:
    return {**record(**properties), "x-method": method, "x-side": "agent"}


def paired(old: dict[str, Any], new: dict[str, Any]) -> Pairing:
    return pair({"$defs": old}, {"$defs": new})


def renamed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """What became of the properties of one record, by name."""
    found = paired({"A": record(**old)}, {"A": record(**new)}).renamed_properties()
    return {before.rpartition("/")[2]: after.rpartition("/")[2] for before, after in found.items()}


# ------------------------------------------------------------------------------------------------ properties


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param({"id": TEXT}, {"planId": TEXT}, {"id": "planId"}, id="a word more"),
        pytest.param({"clientInfo": TEXT}, {"info": TEXT}, {"clientInfo": "info"}, id="a word less"),
        pytest.param({"id": TEXT}, {"planId": {"type": ["string", "null"]}}, {"id": "planId"}, id="and null"),
        pytest.param({"id": TEXT}, {"planId": {**TEXT, "x-y": 1, "default": ""}}, {"id": "planId"}, id="and leniency"),
        pytest.param({"id": TEXT}, {"planId": {"type": "integer"}}, {}, id="another type"),
        pytest.param({"id": TEXT}, {"name": TEXT}, {}, id="another word"),
        pytest.param({"planId": TEXT}, {"planName": TEXT}, {}, id="one word in common"),
        pytest.param({"id": TEXT}, {"planId": TEXT, "toolId": TEXT}, {}, id="two candidates"),
        pytest.param({"planId": TEXT, "toolId": TEXT}, {"id": TEXT}, {}, id="two that went"),
        pytest.param({"id": TEXT}, {"id": TEXT, "planId": TEXT}, {}, id="still there"),
        pytest.param({"id": TEXT, "planId": TEXT}, {"planId": TEXT}, {}, id="there already"),
    ],
)
def test_properties(old: dict[str, Any], new: dict[str, Any], expected: dict[str, str]) -> None:
    assert renamed(old, new) == expected


def test_a_plain_type_may_get_a_name_or_lose_it() -> None:
    named = {"A": record(methodId=ref("Id")), "Id": TEXT}
    plain = {"A": record(id=TEXT)}
    before, after = "/$defs/A/properties/id", "/$defs/A/properties/methodId"
    assert paired(plain, named).renamed_properties() == {before: after}
    assert paired(named, plain).renamed_properties() == {after: before}
    assert paired(plain, {**named, "Id": {"type": "integer"}}).renamed_properties() == {}


def test_a_renamed_definition_is_the_same_type() -> None:
    old = {"A": record(id=ref("Id"), other=ref("Id")), "Id": TEXT}
    new = {"A": record(planId=ref("PlanId"), other=ref("PlanId")), "PlanId": TEXT}
    found = paired(old, new)
    assert found.renamed_definitions == {"Id": "PlanId"}
    assert found.renamed_properties() == {"/$defs/A/properties/id": "/$defs/A/properties/planId"}


# -------------------------------------------------------------------------------------------------- branches


def variant(value: str, payload: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"type": {"const": value}}, "required": ["type"], "allOf": [ref(payload)]}


def places(old: Any, new: Any) -> dict[str, str]:
    """Positions of branches, in a schema that refers to payloads A and B."""
    payloads = {"A": record(a=TEXT), "B": record(b=TEXT)}
    found = paired({"U": old, **payloads}, {"U": new, **payloads}).places
    prefix = "/$defs/U/"
    return {
        before.removeprefix(prefix): after.removeprefix(prefix)
        for before, after in found.items()
        if before.startswith(prefix) and before.count("/") == 4
    }


def test_branches_go_by_their_tag_wherever_they_stand() -> None:
    old = {"anyOf": [variant("a", "A"), variant("b", "B")]}
    new = {"anyOf": [variant("b", "B"), variant("c", "A"), variant("a", "A")]}
    assert places(old, new) == {"anyOf/0": "anyOf/2", "anyOf/1": "anyOf/0"}


def test_a_payload_keeps_its_branch_under_another_tag() -> None:
    old = {"anyOf": [variant("a", "A"), variant("b", "B")]}
    new = {"anyOf": [variant("z", "A"), variant("b", "B")]}
    assert places(old, new) == {"anyOf/0": "anyOf/0", "anyOf/1": "anyOf/1"}


def test_a_union_that_opens_keeps_its_branches() -> None:
    closed = {"oneOf": [{"const": "a"}, {"const": "b"}]}
    opened = {"anyOf": [{"const": "b"}, {"const": "a"}, {"type": "string", "title": "other"}]}
    assert places(closed, opened) == {"oneOf/0": "anyOf/1", "oneOf/1": "anyOf/0"}
    assert places(opened, closed) == {"anyOf/0": "oneOf/1", "anyOf/1": "oneOf/0"}


# ------------------------------------------------------------------------------------------------ definitions


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            {"SessionNotification": message("session/update", update=TEXT)},
            {"UpdateSessionNotification": message("session/update", update=TEXT)},
            {"SessionNotification": "UpdateSessionNotification"},
            id="the same method",
        ),
        pytest.param(
            {"LogoutRequest": message("logout"), "LogoutResponse": message("logout")},
            {"LogoutAuthRequest": message("auth/logout"), "LogoutAuthResponse": message("auth/logout")},
            {"LogoutRequest": "LogoutAuthRequest", "LogoutResponse": "LogoutAuthResponse"},
            id="a longer name",
        ),
        pytest.param(
            {
                "AuthenticateRequest": message("authenticate", methodId=TEXT),
                "AuthenticateResponse": message("authenticate"),
            },
            {"LoginAuthRequest": message("auth/login", methodId=TEXT), "LoginAuthResponse": message("auth/login")},
            {"AuthenticateRequest": "LoginAuthRequest", "AuthenticateResponse": "LoginAuthResponse"},
            id="a result follows its request",
        ),
        pytest.param(
            {"LoadSessionRequest": message("session/load", cwd=TEXT, servers=TEXT)},
            {"ForkSessionRequest": message("session/fork", cwd=TEXT, servers=TEXT)},
            {},
            id="one went and another like it came",
        ),
        pytest.param(
            {"SetModeRequest": message("mode/set", mode=TEXT)},
            {"SetTitleRequest": message("title/set", mode=TEXT)},
            {},
            id="one word in common",
        ),
        pytest.param({"A": record(x=TEXT)}, {"B": record(x=TEXT)}, {}, id="nobody refers to either"),
        pytest.param(
            {"A": record(p=ref("Role")), "Role": {"enum": ["user", "agent"]}},
            {"A": record(p=ref("Speaker")), "Speaker": {"enum": ["user", "agent"]}},
            {"Role": "Speaker"},
            id="referred to in the same place, and made of the same",
        ),
        pytest.param(
            {"A": record(p=ref("Role")), "Role": {"enum": ["user", "agent"]}},
            {"A": record(p=ref("Colour")), "Colour": {"enum": ["red", "agent"]}},
            {},
            id="referred to in the same place, but something else",
        ),
    ],
)
def test_definitions(old: dict[str, Any], new: dict[str, Any], expected: dict[str, str]) -> None:
    assert paired(old, new).renamed_definitions == expected


def test_what_many_messages_have_in_common_names_none_of_them() -> None:
    rest = {f"Do{number}Request": message(f"do/{number}", sessionId=TEXT) for number in range(6)}
    old = {**rest, "CloseRequest": message("session/close", sessionId=TEXT)}
    new = {**rest, "ArchiveRequest": message("session/archive", sessionId=TEXT)}
    assert paired(old, new).renamed_definitions == {}


# ---------------------------------------------------------------------------------------- published schemas


def published(edition: Edition) -> dict[str, Any]:
    if not edition.published_path.exists():
        pytest.skip("../shared is not here: no published schema to compare with")
    document: dict[str, Any] = json.loads(edition.published_path.read_text(encoding="utf-8"))
    return document


@every_edition
def test_a_schema_is_paired_with_itself_place_by_place(edition: Edition) -> None:
    found = pair(edition.document, edition.document)
    everything = [where for where, _ in subschemas(edition.document)]
    assert found.places == {where: where for where in everything}


def test_from_the_june_draft_to_the_newest() -> None:
    found = pair(published(JUNE), published(V2))
    assert found.renamed_definitions == {
        "AuthenticateRequest": "LoginAuthRequest",
        "AuthenticateResponse": "LoginAuthResponse",
        "CancelNotification": "CancelSessionNotification",
        "LogoutRequest": "LogoutAuthRequest",
        "LogoutResponse": "LogoutAuthResponse",
        "SessionNotification": "UpdateSessionNotification",
    }
    assert found.renamed_properties() == {
        "/$defs/AuthMethod/anyOf/1/properties/id": "/$defs/AuthMethod/anyOf/2/properties/methodId",
        "/$defs/AuthMethodAgent/properties/id": "/$defs/AuthMethodAgent/properties/methodId",
        "/$defs/InitializeRequest/properties/clientInfo": "/$defs/InitializeRequest/properties/info",
        "/$defs/InitializeResponse/properties/agentInfo": "/$defs/InitializeResponse/properties/info",
        "/$defs/PlanItems/properties/id": "/$defs/PlanItems/properties/planId",
        "/$defs/PlanUpdateContent/anyOf/1/properties/id": "/$defs/PlanUpdateContent/anyOf/1/properties/planId",
        "/$defs/SessionConfigOption/properties/id": "/$defs/SessionConfigOption/properties/configId",
        "/$defs/SessionConfigSelectGroup/properties/group": "/$defs/SessionConfigSelectGroup/properties/groupId",
    }


@pytest.mark.parametrize(("one", "other"), [(JUNE, V2), (V1, V2), (V1, JUNE)], ids=str)
def test_a_pairing_read_backwards_is_the_pairing_back(one: Edition, other: Edition) -> None:
    forth = pair(one.document, other.document)
    back = pair(other.document, one.document)
    assert {new: old for old, new in forth.definitions.items()} == back.definitions
    assert {new: old for old, new in forth.places.items()} == back.places
