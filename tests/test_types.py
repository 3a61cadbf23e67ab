"""The generated classes are real dataclasses, and the package can be copied anywhere.

``wire_samples`` and the lists at the top serve other test files too.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import itertools
import json
import keyword
import pickle
import re
import shutil
import subprocess
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_schema import UNSET, v1, v2, v2_2026_06
from support import ROOT
from support.editions import EDITIONS, JUNE, V1, V2, Edition, every_edition

PACKAGE = ROOT / "generated" / "acp_schema"
DEFINITIONS = V2.definitions

PICKLE_PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def classes(edition: Edition) -> dict[str, type[Any]]:
    types_ = edition.module.types
    return {name: value for name in types_.__all__ if isinstance(value := getattr(types_, name), type)}


def dataclasses_of(edition: Edition) -> dict[str, type[Any]]:
    return {name: cls for name, cls in classes(edition).items() if dataclasses.is_dataclass(cls)}


def records(edition: Edition) -> dict[str, type[Any]]:
    """The dataclasses that keep unknown members."""
    found = dataclasses_of(edition)
    return {name: cls for name, cls in found.items() if any(f.name == "extra" for f in dataclasses.fields(cls))}


def plain_records(edition: Edition) -> list[str]:
    """Definitions that are one object with properties and nothing else: exactly one class each."""
    return [
        name
        for name, body in edition.definitions.items()
        if body.get("type") == "object" and not {"anyOf", "oneOf"} & body.keys() and "properties" in body
    ]


RECORDS = records(V2)
V2_CLASS_UNIONS = [
    "AgentResponse",
    "AuthMethod",
    "AvailableCommand",
    "AvailableCommandInput",
    "BackgroundWork",
    "ClientResponse",
    "ContentBlock",
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "DiffChange",
    "ElicitationFormMode",
    "ElicitationPropertySchema",
    "ElicitationUrlMode",
    "EmbeddedResourceResource",
    "IdleStateUpdate",
    "McpServer",
    "MultiSelectItems",
    "PlanUpdateContent",
    "ReplayFrom",
    "RequestPermissionOutcome",
    "RequestPermissionSubject",
    "SessionConfigOption",
    "SessionUpdate",
    "SetSessionConfigOptionRequest",
    "StateUpdate",
    "ToolCallContent",
]
# not AvailableCommandInput: its only member is what it is, and the alias has nothing of a union
V1_CLASS_UNIONS = [
    "AgentResponse",
    "AuthMethod",
    "ClientResponse",
    "ContentBlock",
    "CreateElicitationRequest",
    "CreateElicitationResponse",
    "ElicitationFormMode",
    "ElicitationPropertySchema",
    "ElicitationUrlMode",
    "EmbeddedResourceResource",
    "McpServer",
    "MultiSelectItems",
    "RequestPermissionOutcome",
    "SessionConfigOption",
    "SessionUpdate",
    "SetSessionConfigOptionRequest",
    "ToolCallContent",
]
JUNE_CLASS_UNIONS = [
    "AgentResponse",
    "AuthMethod",
    "AvailableCommandInput",
    "ClientResponse",
    "ContentBlock",
    "EmbeddedResourceResource",
    "McpServer",
    "PlanUpdateContent",
    "RequestPermissionOutcome",
    "SessionConfigOption",
    "SessionUpdate",
    "ToolCallContent",
]
CLASS_UNIONS = [
    (edition, name)
    for edition, names in ((V1, V1_CLASS_UNIONS), (V2, V2_CLASS_UNIONS), (JUNE, JUNE_CLASS_UNIONS))
    for name in names
]


# ------------------------------------------------------------------------------------------------ samples


def wire_samples(name: str, *, full: bool = False, edition: Edition = V2) -> list[Any]:
    """Valid JSON for a definition: one sample an alternative; required members only, or all of them."""
    return _samples({"$ref": f"#/$defs/{name}"}, full, edition.definitions)


def _samples(schema: dict[str, Any], full: bool, definitions: dict[str, Any]) -> list[Any]:
    if "$ref" in schema:
        return _samples(definitions[schema["$ref"].rpartition("/")[2]], full, definitions)
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    parts = [_samples(part, full, definitions) for part in schema.get("allOf", [])]
    for alternatives in ("anyOf", "oneOf"):
        if alternatives in schema:
            parts.append([sample for branch in schema[alternatives] for sample in _samples(branch, full, definitions)])
    if "properties" in schema:
        parts.insert(0, [_members(schema, full, definitions)])
    if not parts:
        return [_plain(schema, full, definitions)]
    if not all(isinstance(sample, dict) for part in parts for sample in part):
        return [sample for part in parts for sample in part]
    return [functools.reduce(lambda left, right: {**left, **right}, chosen) for chosen in itertools.product(*parts)]


def _members(schema: dict[str, Any], full: bool, definitions: dict[str, Any]) -> dict[str, Any]:
    members = schema["properties"]
    wanted = members if full else schema.get("required", [])
    return {name: _samples(members[name], full, definitions)[0] for name in wanted if name in members}


def _plain(schema: dict[str, Any], full: bool, definitions: dict[str, Any]) -> Any:
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "array":
        return _samples(schema["items"], full, definitions)[: 1 if full else schema.get("minItems", 0)]
    if kind == "object":
        inner = schema.get("additionalProperties", True)
        return {"key": 1 if inner is True else _samples(inner, full, definitions)[0]}
    scalars: dict[str, Any] = {"string": "sample", "integer": 1, "number": 0.5, "boolean": True, "null": None}
    return scalars[kind]


@functools.cache
def instances(edition: Edition = V2) -> dict[str, Any]:
    """An instance of every dataclass, each decoded from a sample of the definition that it belongs to."""
    found: dict[str, Any] = {}
    for name, full in itertools.product(edition.definitions, (False, True)):
        for sample in wire_samples(name, full=full, edition=edition):
            value = edition.module.decode(name, sample)
            found.setdefault(type(value).__name__, value)
    return {name: found[name] for name in dataclasses_of(edition) if name in found}


def in_every_edition(arguments: str | tuple[str, ...], select: Callable[[Edition], Any]) -> pytest.MarkDecorator:
    """Parametrise over what ``select`` lists by name: a list of names, or a dict of classes."""
    return pytest.mark.parametrize(
        arguments,
        [
            pytest.param(edition, found[name] if isinstance(found, dict) else name, id=f"{edition}-{name}")
            for edition in EDITIONS
            for found in [select(edition)]
            for name in found
        ],
    )


@pytest.fixture
def instance(request: pytest.FixtureRequest) -> Any:
    edition, name = request.param
    return instances(edition)[name]


every_class = in_every_edition(("edition", "cls"), classes)
every_dataclass = in_every_edition(("edition", "cls"), dataclasses_of)
every_instance = pytest.mark.parametrize(
    "instance",
    [pytest.param((edition, name), id=f"{edition}-{name}") for edition in EDITIONS for name in dataclasses_of(edition)],
    indirect=True,
)


@every_edition
def test_every_dataclass_has_a_sample(edition: Edition) -> None:
    assert set(dataclasses_of(edition)) - set(instances(edition)) == set()
    assert len(dataclasses_of(edition)) > 0.85 * edition.size


# ------------------------------------------------------------------------------------------------ names


@every_edition
def test_every_definition_is_an_attribute(edition: Edition) -> None:
    assert len(edition.definitions) == edition.size
    assert [name for name in edition.definitions if not hasattr(edition.module, name)] == []
    assert set(edition.definitions) - set(edition.module.__all__) == set()


@every_edition
def test_all_lists_each_public_name_once(edition: Edition) -> None:
    listed = edition.module.__all__
    assert sorted(listed) == sorted(set(listed))
    public = {
        name
        for name, value in vars(edition.module).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public - {"annotations"} == set(listed)  # "annotations" is the __future__ import


@every_edition
def test_all_of_types_lists_every_class_and_alias_of_the_module(edition: Edition) -> None:
    tree = ast.parse((PACKAGE / edition.name / "types.py").read_text(encoding="utf-8"))
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    defined += [str(ast.unparse(node.target)) for node in tree.body if isinstance(node, ast.AnnAssign)]
    assert sorted(defined) == sorted(edition.module.types.__all__)


@every_edition
def test_no_name_is_made_of_a_number(edition: Edition) -> None:
    assert [name for name in edition.module.types.__all__ if re.search(r"\d$", name)] == []


def snake(wire: str) -> str:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", wire).lower().lstrip("_")
    is_taken = keyword.iskeyword(name) or name == "list"  # the annotations of the class need the builtin
    return name + "_" if is_taken else name


@in_every_edition(("edition", "name"), plain_records)
def test_fields_follow_the_schema(edition: Edition, name: str) -> None:
    """Order, names and defaults: UNSET on patch fields only, None on plain optional ones, none on required ones."""
    body = edition.definitions[name]
    fields = dataclasses.fields(getattr(edition.module, name))
    assert [field.name for field in fields] == [snake(wire) for wire in body["properties"]] + ["extra"]
    for field, (wire, schema) in zip(fields, body["properties"].items()):
        if wire in body.get("required", []):
            assert field.default is field.default_factory is dataclasses.MISSING, wire
        elif schema.get("x-patch") in ("replace", "merge"):
            assert field.default is UNSET, wire
        elif isinstance(schema.get("default"), (dict, list)):
            assert field.default_factory is not dataclasses.MISSING, wire
        elif "default" in schema:
            assert field.default == schema["default"], wire
        else:
            assert field.default is None, wire


def test_a_default_of_the_schema_is_made_anew_each_time() -> None:
    info = v2.Implementation(name="a", version="1")
    first, second = (v2.InitializeRequest(protocol_version=2, info=info) for _ in range(2))
    assert first.capabilities == v2.ClientCapabilities()
    assert first.capabilities is not second.capabilities


@pytest.mark.parametrize(
    ("cls", "attribute", "tag"),
    [
        (v2.ToolCallUpdate, "session_update", "tool_call_update"),
        (v2.UserMessageChunk, "session_update", "user_message_chunk"),
        (v2.TextContent, "type", "text"),
        (v2.DiffChangeMove, "operation", "move"),
        (v2.IdleStateUpdateEndTurn, "stop_reason", "end_turn"),
        (v2.SelectedPermissionOutcome, "outcome", "selected"),
        (v1.ToolCall, "session_update", "tool_call"),
        (v1.AgentThoughtChunk, "session_update", "agent_thought_chunk"),
        (v1.Terminal, "type", "terminal"),
        (v2_2026_06.Diff, "type", "diff"),
        (v2_2026_06.PlanItems, "type", "items"),
    ],
)
def test_the_tag_is_on_the_class_and_no_field(cls: Any, attribute: str, tag: str) -> None:
    assert getattr(cls, attribute) == tag
    assert attribute not in {field.name for field in dataclasses.fields(cls)}


# ------------------------------------------------------------------------------------------------ dataclasses


@every_dataclass
def test_slots_and_keyword_only(edition: Edition, cls: type[Any]) -> None:
    assert all(field.kw_only for field in dataclasses.fields(cls))
    assert cls.__match_args__ == ()
    with pytest.raises(TypeError, match="positional argument"):
        cls("positional")
    instance = instances(edition)[cls.__name__]
    assert not hasattr(instance, "__dict__")
    with pytest.raises(AttributeError):
        instance.no_such_field = 1


@every_class
def test_every_class_has_its_own_docstring(edition: Edition, cls: type[Any]) -> None:
    text = cls.__dict__["__doc__"]
    assert text and text.strip().endswith("."), text
    assert not text.startswith(f"{cls.__name__}("), "the signature that dataclasses put where no docstring is"


@every_edition
def test_every_field_and_alias_has_a_docstring(edition: Edition) -> None:
    tree = ast.parse((PACKAGE / edition.name / "types.py").read_text(encoding="utf-8"))
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    bare = []
    for body in bodies:
        for node, following in zip(body, [*body[1:], None]):
            if isinstance(node, ast.AnnAssign) and "ClassVar" not in ast.unparse(node.annotation):
                is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                if not is_text:
                    bare.append(ast.unparse(node.target))
    # the draft lists the roles in one branch, which has no place for a description of each
    assert bare == (["ASSISTANT", "USER"] if edition is JUNE else [])


@every_dataclass
def test_annotations_resolve(edition: Edition, cls: type[Any]) -> None:
    """Tools read them at run time: every name in them exists."""
    hints = typing.get_type_hints(cls, include_extras=True)
    assert {field.name for field in dataclasses.fields(cls)} <= set(hints)


@every_instance
def test_copies_are_equal_and_deep_ones_share_nothing(instance: Any) -> None:
    assert copy.copy(instance) == instance
    assert copy.copy(instance) is not instance
    deep = copy.deepcopy(instance)
    assert deep == instance
    for field in dataclasses.fields(instance):
        value = getattr(instance, field.name)
        if isinstance(value, (list, dict)) or dataclasses.is_dataclass(value):
            assert getattr(deep, field.name) is not value


@every_instance
def test_pickle_restores_an_equal_value(instance: Any) -> None:
    for protocol in PICKLE_PROTOCOLS:
        restored = pickle.loads(pickle.dumps(instance, protocol))
        assert type(restored) is type(instance)
        assert restored == instance


@every_instance
def test_replace_and_asdict_cover_every_field(instance: Any) -> None:
    assert dataclasses.replace(instance) == instance
    names = [field.name for field in dataclasses.fields(instance)]
    assert list(dataclasses.asdict(instance)) == names


@in_every_edition(("edition", "name"), lambda edition: list(records(edition)))
def test_replace_changes_one_field(edition: Edition, name: str) -> None:
    original = instances(edition)[name]
    changed = dataclasses.replace(original, extra={"added": 1})
    assert changed.extra == {"added": 1}
    assert changed != original
    assert dataclasses.replace(changed, extra=original.extra) == original


def test_asdict_goes_into_nested_records() -> None:
    chunk = v2.UserMessageChunk(message_id="m", content=v2.TextContent(text="hi"))
    assert dataclasses.asdict(chunk)["content"] == {"text": "hi", "annotations": None, "meta": None, "extra": None}


def describe(update: v2.SessionUpdate) -> str:
    match update:
        case v2.ToolCallUpdate(tool_call_id=tool_call_id, title=None):
            return f"{tool_call_id} lost its title"
        case v2.ToolCallUpdate(tool_call_id=tool_call_id, title=str(title)):
            return f"{tool_call_id} is {title}"
        case v2.ToolCallUpdate(tool_call_id=tool_call_id):
            return f"{tool_call_id} keeps its title"
        case v2.AgentMessageChunk(content=v2.TextContent(text=text)):
            return f"says {text}"
        case v2.UnknownSessionUpdate(tag=tag, is_extension=True):
            return f"extension {tag}"
        case _:
            return "something else"


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": None}, "t lost its title"),
        ({"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "T"}, "t is T"),
        ({"sessionUpdate": "tool_call_update", "toolCallId": "t"}, "t keeps its title"),
        (
            {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "hi"}},
            "says hi",
        ),
        ({"sessionUpdate": "_mine"}, "extension _mine"),
        ({"sessionUpdate": "later"}, "something else"),
    ],
)
def test_match_statements_take_values_apart(wire: Any, expected: str) -> None:
    assert describe(v2.decode(v2.SessionUpdate, wire)) == expected


def test_equality_is_by_class_and_value() -> None:
    assert v2.TextContent(text="a") == v2.TextContent(text="a")
    assert v2.TextContent(text="a") != v2.TextContent(text="b")
    assert v2.PromptImageCapabilities() != v2.PromptAudioCapabilities()
    assert v2.ToolCallUpdate(tool_call_id="t") != v2.ToolCallUpdate(tool_call_id="t", title=None)


# ------------------------------------------------------------------------------------------------ repr


def test_repr_leaves_out_what_says_nothing() -> None:
    assert repr(v2.ToolCallUpdate(tool_call_id="t")) == "ToolCallUpdate(tool_call_id='t')"
    assert (
        repr(v2.ToolCallUpdate(tool_call_id="t", title=None, kind="read"))
        == "ToolCallUpdate(tool_call_id='t', title=None, kind='read')"
    )
    assert repr(v2.DiffPathChange(path="/a")) == "DiffPathChange(path='/a')"
    assert repr(v2.DiffPathChange(path="/a", extra={"x": 1})) == "DiffPathChange(path='/a', extra={'x': 1})"


@every_instance
def test_repr_names_every_field_that_says_something(instance: Any) -> None:
    shown = repr(instance)
    assert shown.startswith(f"{type(instance).__name__}(")
    assert "UNSET" not in shown
    for field in dataclasses.fields(instance):
        value = getattr(instance, field.name)
        is_shown = value is not UNSET and not (field.name == "extra" and value is None)
        assert (re.search(rf"[( ]{field.name}=", shown) is not None) or not is_shown, field.name


def test_repr_uses_the_name_of_a_subclass() -> None:
    class Mine(v2.DiffPathChange):
        __slots__ = ()

    assert "Mine(path='/a')" in repr(Mine(path="/a"))


# ------------------------------------------------------------------------------------------------ unions


@pytest.mark.parametrize(("edition", "name"), CLASS_UNIONS, ids=str)
def test_isinstance_takes_a_union(edition: Edition, name: str) -> None:
    union = getattr(edition.module, name)
    for sample in wire_samples(name, edition=edition):
        assert isinstance(edition.module.decode(name, sample), union)
    assert not isinstance("text", union)
    assert not isinstance(edition.module.Implementation(name="a", version="1"), union)


def test_classes_of_different_editions_are_different() -> None:
    """Equal names and fields, and yet another protocol: nothing goes from one edition into another unseen."""
    texts = [edition.module.TextContent(text="t") for edition in EDITIONS]
    assert len(set(map(type, texts))) == len(EDITIONS)
    for one, other in itertools.permutations(range(len(EDITIONS)), 2):
        assert texts[one] != texts[other]
        with pytest.raises(EDITIONS[one].module.EncodeError) as caught:
            EDITIONS[one].module.encode(texts[other], "ContentBlock")
        assert caught.value.path == ""


def test_isinstance_goes_through_nested_unions() -> None:
    for cls in (v2.IdleStateUpdateEndTurn, v2.IdleStateUpdateNone):
        assert isinstance(cls(), v2.IdleStateUpdate)
        assert isinstance(cls(), v2.StateUpdate)
        assert isinstance(cls(), v2.SessionUpdate)
        assert not isinstance(cls(), v2.ContentBlock)


# ------------------------------------------------------------------------------------------------ files

GENERATED_MODULES = sorted(PACKAGE.rglob("*.py"))
RENDERED = sorted([*PACKAGE.glob("v*/*.py"), PACKAGE / "__init__.py"])
every_module = pytest.mark.parametrize(
    "module", GENERATED_MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)


@pytest.mark.parametrize("module", RENDERED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_header_says_what_made_the_file_and_from_what(module: Path) -> None:
    manifest = json.loads((PACKAGE / "MANIFEST.json").read_text(encoding="utf-8"))
    first, second = module.read_text(encoding="utf-8").splitlines()[:2]
    made_by = re.escape(f"# Generated by {manifest['generator']}")
    if module.parent == PACKAGE:
        assert re.fullmatch(made_by + r"\.", first)
    else:
        edition = manifest["editions"][module.parent.name]
        source = re.escape(f" from {edition['schema']} (sha256 {edition['schema_sha256']}).")
        assert re.fullmatch(made_by + source, first)
    assert second.startswith("# Do not edit")


@every_module
def test_no_file_carries_a_time_or_a_place(module: Path) -> None:
    head = "\n".join(module.read_text(encoding="utf-8").splitlines()[:5])
    head = re.sub(r"schema/\S+", "", head)  # an edition may be called after a month
    assert not re.search(r"\b20\d\d-\d\d|\d\d:\d\d", head)
    assert str(ROOT) not in module.read_text(encoding="utf-8")


@every_module
def test_imports_are_relative_or_of_the_standard_library(module: Path) -> None:
    depth = len(module.relative_to(PACKAGE).parts)
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            if isinstance(node, ast.ImportFrom):
                assert node.level <= depth, f"line {node.lineno} leaves the package"
            continue
        for name in names:
            assert name.partition(".")[0] in sys.stdlib_module_names, f"line {node.lineno} imports {name}"


def run_python(code: str, *paths: Path) -> str:
    """Run code in a bare interpreter (no site-packages, no environment) and give what it prints."""
    prologue = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-W", "error", "-c", prologue + code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


IMPORTED = "print(sorted({name.split('.')[1] for name in sys.modules if name.startswith('acp_schema.v')}))"


def test_importing_the_package_imports_no_edition() -> None:
    assert run_python(f"import acp_schema; {IMPORTED}", PACKAGE.parent).strip() == "[]"


@every_edition
def test_importing_an_edition_imports_no_other(edition: Edition) -> None:
    """Not even where it has to look at something with care."""
    code = f"""
from acp_schema import {edition.name} as edition
edition.decode("Annotations", {{"audience": 5}})
edition.SessionState()
{IMPORTED}
"""
    assert run_python(code, PACKAGE.parent).strip() == f"[{edition.name!r}]"


@every_edition
def test_the_careful_tables_are_loaded_by_the_first_surprise(edition: Edition) -> None:
    """Neither by the import nor by valid messages: those take the fast path, both ways."""
    code = f"""
from acp_schema import {edition.name} as edition
update = edition.decode("SessionUpdate", {{"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": None}})
edition.dumps(update, "SessionUpdate")
before = "acp_schema.{edition.name}._rules" in sys.modules
edition.decode("ToolCallUpdate", {{"toolCallId": "t", "content": 5}})
print(before, "acp_schema.{edition.name}._rules" in sys.modules)
"""
    assert run_python(code, PACKAGE.parent).strip() == "False True"


def test_the_package_works_under_another_name(tmp_path: Path) -> None:
    """Copied into somebody's tree: fast path, careful path, messages and pickle."""
    copied = tmp_path / "some_sdk" / "vendored_name"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "some_sdk" / "__init__.py").write_text("", encoding="utf-8")
    code = """
import pickle
from some_sdk.vendored_name import UNSET, v2
issues = []
update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": 5, "status": None, "new": 1}
message = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}
decoded = v2.decode_message(message, "client", issues=issues).params.update
assert decoded.title is UNSET and decoded.status is None and decoded.extra == {"new": 1}
assert [issue.path for issue in issues] == ["/params/update/title"]
restored = pickle.loads(pickle.dumps(decoded))
assert restored == decoded and restored.title is UNSET
assert "some_sdk.vendored_name.v1" not in sys.modules
from some_sdk.vendored_name import v1, v2_2026_06
assert v1.UNSET is v2_2026_06.UNSET is UNSET
assert v1.decode("ToolCallUpdate", {"toolCallId": "t", "title": 5}).title is None
assert v2_2026_06.decode("ToolCallUpdate", {"toolCallId": "t", "title": None}).title is None
assert type(restored).__module__ == "some_sdk.vendored_name.v2.types"
try:
    v2.decode("ToolCallUpdate", {})
except v2.DecodeError as error:
    assert error.path == "/toolCallId"
print(v2.dumps(decoded, v2.SessionUpdate).decode(), "acp_schema" in sys.modules)
"""
    expected = '{"sessionUpdate":"tool_call_update","toolCallId":"t","status":null,"new":1} False'
    assert run_python(code, tmp_path).strip() == expected
