"""Comparing editions: an unexplained difference stops the generation, and so does a rule without a difference."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from acp_codegen import layout, pipeline, resources
from acp_codegen.errors import CodegenError
from acp_codegen.ir import Edition
from acp_codegen.passes.conversion import compare
from acp_codegen.passes.explained import Explained
from acp_codegen.pipeline import build_edition, build_package, compare_editions
from acp_codegen.resources import EditionSource
from acp_codegen.rulebook import RULES
from acp_codegen.rulebook.kinds import DOWN, NEWEST, UP, CannotSay, IsVariant, Way
from acp_codegen.runtime._plans import Tags

ROOT = Path(__file__).resolve().parents[1]
Definitions = dict[str, Any]
Change = Callable[[Definitions], object]


@cache
def document(edition: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((ROOT / "schema" / edition / "schema.json").read_text(encoding="utf-8"))
    return parsed


@cache
def unchanged(edition: str) -> Edition:
    (source,) = resources.editions([edition])
    return build_edition(source, session=False)


def changed(edition: str, change: Change, folder: Path) -> Edition:
    """An edition whose schema is not quite the project's."""
    schema = deepcopy(document(edition))
    change(schema["$defs"])
    path = folder / "schema.json"
    path.write_text(json.dumps(schema), encoding="utf-8")
    return build_edition(EditionSource(edition, path, f"{edition}.json"), session=False)


def stopped(edition: str, change: Change, folder: Path) -> CodegenError:
    """The error that a change of one schema brings about."""
    editions = {name: unchanged(name) for name in ("v1", "v2") if name != edition}
    editions[edition] = changed(edition, change, folder)
    with pytest.raises(CodegenError) as caught:
        compare_editions(list(editions.values()))
    return caught.value


def set_at(*path: str | int, value: Any) -> Change:
    def change(definitions: Definitions) -> None:
        place: Any = definitions
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def remove_at(*path: str | int) -> Change:
    def change(definitions: Definitions) -> None:
        place: Any = definitions
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def without_variant(union: str, keyword: str, tag: str, value: str) -> Change:
    def change(definitions: Definitions) -> None:
        branches = definitions[union][keyword]
        definitions[union][keyword] = [
            branch for branch in branches if branch.get("properties", {}).get(tag, {}).get("const") != value
        ]

    return change


def without_value(enum: str, value: str) -> Change:
    def change(definitions: Definitions) -> None:
        for keyword in ("oneOf", "anyOf"):
            branches = definitions[enum].get(keyword, [])
            definitions[enum] |= {keyword: [b for b in branches if b.get("const") != value]} if branches else {}

    return change


def both(*changes: Change) -> Change:
    return lambda definitions: [change(definitions) for change in changes]


TEXT = {"type": "string", "description": "Some text."}
NO_RULE = "no rule says how to convert it"
BOOK = "add to codegen/acp_codegen/rulebook: "

STOPS: dict[str, tuple[str, Change, str, str, str]] = {
    "a field only in the newer edition": (
        "v2",
        set_at("Cost", "properties", "tax", value=TEXT),
        f"Cost has a field 'tax', Cost of v1 has not: {NO_RULE}",
        "v2.json#/$defs/Cost/properties/tax and schema/v1/schema.json#/$defs/Cost",
        'NoPlace("XX-0", ("v2",), DOWN, ... Cost.tax ...)',
    ),
    "a field only in the older edition": (
        "v1",
        set_at("Cost", "properties", "tax", value=TEXT),
        f"Cost has a field 'tax', Cost of v2 has not: {NO_RULE}",
        "v1.json#/$defs/Cost/properties/tax and schema/v2/schema.json#/$defs/Cost",
        'NoPlace("XX-0", ("v2",), UP, ... Cost.tax ...)',
    ),
    "a renamed field": (
        "v2",
        both(
            set_at("EnvVariable", "properties", "key", value=TEXT),
            remove_at("EnvVariable", "properties", "name"),
            set_at("EnvVariable", "required", value=["key", "value"]),
        ),
        f"EnvVariable has a field 'name', EnvVariable of v2 has not: {NO_RULE}",
        "schema/v1/schema.json#/$defs/EnvVariable/properties/name and v2.json#/$defs/EnvVariable",
        'NoPlace("XX-0", ("v2",), UP, ... EnvVariable.name ...)',
    ),
    "a field that the newer edition requires": (
        "v2",
        set_at("ListSessionsRequest", "required", value=["cursor"]),
        f"ListSessionsRequest of v2 requires 'cursor', ListSessionsRequest does not: {NO_RULE}",
        "schema/v1/schema.json#/$defs/ListSessionsRequest and v2.json#/$defs/ListSessionsRequest/properties/cursor",
        'Needs("XX-0", ("v2",), UP, ... ListSessionsRequest.cursor ...)',
    ),
    "a higher minimum": (
        "v2",
        set_at("UsageUpdate", "properties", "used", "minimum", value=1),
        f"v2 limits UsageUpdate.used more than v1 does: {NO_RULE}",
        "schema/v1/schema.json#/$defs/UsageUpdate/properties/used and v2.json#/$defs/UsageUpdate/properties/used",
        'Narrows("XX-0", ("v2",), UP, ... UsageUpdate.used ...)',
    ),
    "a lower maximum": (
        "v1",
        set_at("UsageUpdate", "properties", "used", "maximum", value=10),
        f"v1 limits UsageUpdate.used more than v2 does: {NO_RULE}",
        "schema/v2/schema.json#/$defs/UsageUpdate/properties/used and v1.json#/$defs/UsageUpdate/properties/used",
        'Narrows("XX-0", ("v2",), DOWN, ... UsageUpdate.used ...)',
    ),
    "fewer empty arrays": (
        "v2",
        set_at("ListSessionsResponse", "properties", "sessions", "minItems", value=1),
        f"v2 limits ListSessionsResponse.sessions more than v1 does: {NO_RULE}",
        "schema/v1/schema.json#/$defs/ListSessionsResponse/properties/sessions"
        " and v2.json#/$defs/ListSessionsResponse/properties/sessions",
        'Narrows("XX-0", ("v2",), UP, ... ListSessionsResponse.sessions ...)',
    ),
    "longer texts": (
        "v2",
        set_at("Cost", "properties", "currency", "minLength", value=3),
        f"Cost.currency is of another type in v2: {NO_RULE}",
        "schema/v1/schema.json#/$defs/Cost/properties/currency and v2.json#/$defs/Cost/properties/currency",
        'FieldByHand("XX-0", ("v2",), UP, ... Cost.currency ...)',
    ),
    "a pattern": (
        "v2",
        set_at("Cost", "properties", "currency", "pattern", value="^[A-Z]{3}$"),
        f"Cost.currency is of another type in v2: {NO_RULE}",
        "schema/v1/schema.json#/$defs/Cost/properties/currency and v2.json#/$defs/Cost/properties/currency",
        'FieldByHand("XX-0", ("v2",), UP, ... Cost.currency ...)',
    ),
    "another type": (
        "v2",
        set_at("Cost", "properties", "currency", "type", value="integer"),
        f"Cost.currency is of another type in v2: {NO_RULE}",
        "schema/v1/schema.json#/$defs/Cost/properties/currency and v2.json#/$defs/Cost/properties/currency",
        'FieldByHand("XX-0", ("v2",), UP, ... Cost.currency ...)',
    ),
    "a new definition": (
        "v2",
        set_at("Fanfare", value={"type": "object", "description": "Loud.", "properties": {"tune": TEXT}}),
        f"Fanfare has no counterpart in v1: {NO_RULE}",
        "v2.json#/$defs/Fanfare and schema/v1/schema.json#",
        'CannotSay("XX-0", ("v2",), DOWN, ... Fanfare ...)',
    ),
    "a value that a closed enum has lost": (
        "v1",
        without_value("ToolKind", "fetch"),
        f"ToolKind has the value 'fetch', ToolKind of v1 has not: {NO_RULE}",
        "schema/v2/schema.json#/$defs/ToolKind and v1.json#/$defs/ToolKind",
        'NoValue("XX-0", ("v2",), DOWN, ... ToolKind fetch ...)',
    ),
    "a variant that a closed union has lost": (
        "v1",
        without_variant("SessionUpdate", "oneOf", "sessionUpdate", "usage_update"),
        f"SessionUpdate has the variant 'usage_update', SessionUpdate of v1 has not: {NO_RULE}",
        "schema/v2/schema.json#/$defs/SessionUpdate and v1.json#/$defs/SessionUpdate",
        'NoVariant("XX-0", ("v2",), DOWN, ... SessionUpdate usage_update ...)',
    ),
    "another kind of definition": (
        "v2",
        set_at("Cost", value={"type": "string", "enum": ["much"], "description": "How much."}),
        f"Cost and Cost of v2 are of different kinds: {NO_RULE}",
        "schema/v1/schema.json#/$defs/Cost and v2.json#/$defs/Cost",
        'CannotSay("XX-0", ("v2",), UP, ... Cost ...)',
    ),
}


@pytest.mark.parametrize("what", STOPS)
def test_an_unexplained_difference_stops_the_generation(what: str, tmp_path: Path) -> None:
    edition, change, message, where, line = STOPS[what]
    error = stopped(edition, change, tmp_path)
    assert (error.message, error.where, error.hint) == (message, where, BOOK + line)


def test_an_unknown_variant_must_not_become_a_known_one(tmp_path: Path) -> None:
    """Both unions are open: what the older edition passes on unread would have to be checked by the newer one."""
    change = without_variant("CreateElicitationResponse", "anyOf", "action", "decline")
    error = stopped("v1", both(change, _without_exclusion("CreateElicitationResponse", "decline")), tmp_path)
    assert error.message == (f"'decline' is a variant of CreateElicitationResponse in v2, but unknown to v1: {NO_RULE}")
    assert error.hint == BOOK + 'UnknownByHand("XX-0", ("v2",), UP, ... CreateElicitationResponse ...)'


def _without_exclusion(union: str, tag: str) -> Change:
    """The catch-all no longer rules the tag out."""

    def change(definitions: Definitions) -> None:
        for branch in definitions[union]["anyOf"]:
            if "not" in branch:
                excluded = branch["not"]["anyOf"]
                branch["not"]["anyOf"] = [part for part in excluded if tag not in json.dumps(part)]

    return change


def test_a_rule_without_a_difference_stops_the_generation(tmp_path: Path) -> None:
    error = stopped("v2", without_value("ToolCallStatus", "paused"), tmp_path)
    assert error.message == "NoValue explains no difference in ToolCallStatus.paused (v2, down)"
    assert error.where == "rule TC-7"
    assert error.hint == "take ToolCallStatus.paused out of the rule, or 'v2' out of the editions it is for"


def test_two_rules_for_one_thing() -> None:
    rule = CannotSay("XX-1", NEWEST, UP, "RemovedInV2", ("Thing",))
    with pytest.raises(CodegenError) as caught:
        Explained([rule, rule._replace(rule="XX-2")], UP, "v2")
    assert caught.value.message == "two rules of kind CannotSay speak of Thing (v2, up)"
    assert caught.value.where == "rule XX-2"


@pytest.mark.parametrize("way", [UP, DOWN])
def test_a_rule_about_a_variant_that_is_not_there(way: Way) -> None:
    rules = [*RULES, IsVariant("XX-1", NEWEST, "Cost", "AvailableCommand", "price")]
    with pytest.raises(CodegenError) as caught:
        compare(unchanged("v1"), unchanged("v2"), rules, way)
    assert caught.value.message == "AvailableCommand has no variant 'price'"
    assert caught.value.where == "rule XX-1"


# ------------------------------------------------------------------------------------------------ what needs no rule


def _without_leniency(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_leniency(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if not name.startswith("x-deserialize")}
    if isinstance(kept.get("description"), str):
        kept["description"] = "Something else."
    return {name: _without_leniency(part) for name, part in kept.items()}


def test_leniency_and_descriptions_are_no_difference(tmp_path: Path) -> None:
    def change(definitions: Definitions) -> None:
        definitions.update(_without_leniency(definitions))

    older, newer = unchanged("v1"), changed("v2", change, tmp_path)
    for way in (UP, DOWN):
        assert compare(older, newer, RULES, way) == compare(older, unchanged("v2"), RULES, way)


def test_an_opened_enum_is_no_difference_upwards(tmp_path: Path) -> None:
    opened = set_at("ToolKind", value={**document("v2")["$defs"]["ToolKind"]})
    rows = compare(changed("v1", opened, tmp_path), unchanged("v2"), RULES, DOWN).rows
    assert "ToolKind" not in rows
    assert "ToolKind" in compare(unchanged("v1"), unchanged("v2"), RULES, DOWN).rows


def test_same_shapes_have_no_row() -> None:
    rows = compare(unchanged("v1"), unchanged("v2"), RULES, UP).rows
    assert {"Cost", "TextResourceContents", "UsageUpdate", "SessionId", "ToolKind"} & set(rows) == set()


def test_variants_that_share_a_payload_keep_their_tags(tmp_path: Path) -> None:
    def again(definitions: Definitions) -> None:
        union = definitions["SessionUpdate"]
        branches = union.get("oneOf") or union["anyOf"]
        (usage,) = (b for b in branches if b["properties"]["sessionUpdate"].get("const") == "usage_update")
        other = deepcopy(usage)
        other["properties"]["sessionUpdate"]["const"] = "usage_again"
        branches.append(other)
        for branch in branches:
            if "not" in branch:
                branch["not"]["anyOf"].append({"properties": other["properties"], "required": ["sessionUpdate"]})

    (tmp_path / "older").mkdir()
    (tmp_path / "newer").mkdir()
    older, newer = changed("v1", again, tmp_path / "older"), changed("v2", again, tmp_path / "newer")
    row = compare(older, newer, RULES, UP).rows["SessionUpdate"]
    assert isinstance(row, Tags)
    for tag in ("usage_update", "usage_again"):
        assert row.members[tag].tag == ("sessionUpdate", tag)


# ----------------------------------------------------------------------------------------------------- the package

BRIDGE = {layout.BRIDGE, layout.BRIDGE_TABLE, *layout.BRIDGE_RUNTIME}


@pytest.mark.parametrize(
    ("editions", "expected"),
    [
        (["v1"], False),
        (["v2", "v2_2026_06"], False),
        (["v1", "v2"], True),
        (["v1", "v2_2026_06"], True),
    ],
)
def test_the_bridge_is_there_for_editions_that_it_joins(
    editions: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "format_module", lambda text: text)
    files = build_package(resources.editions(editions), session=False).files
    assert BRIDGE & set(files) == (BRIDGE if expected else set())
    listed = json.loads(files["MANIFEST.json"])["files"]
    assert BRIDGE & set(listed) == (BRIDGE if expected else set())


@pytest.mark.parametrize("folder", ["codegen/acp_codegen/passes", "codegen/acp_codegen/views", "templates"])
def test_no_edition_has_a_branch_of_its_own(folder: str) -> None:
    """What one edition has and another has not, the rule book says."""
    for path in (ROOT / folder).glob("*.*"):
        assert re.findall(r"\bv\d\w*|2026|\bjune\b", path.read_text(encoding="utf-8"), re.IGNORECASE) == [], path.name
