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
from pathlib import Path
from typing import Any

import pytest

from acp_schema import UNSET, v2

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "generated" / "acp_schema"
SCHEMA: dict[str, Any] = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))
DEFINITIONS: dict[str, Any] = SCHEMA["$defs"]

PICKLE_PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
CLASSES: dict[str, type[Any]] = {
    name: value for name in v2.types.__all__ if isinstance(value := getattr(v2.types, name), type)
}
DATACLASSES = {name: cls for name, cls in CLASSES.items() if dataclasses.is_dataclass(cls)}
RECORDS = {name: cls for name, cls in DATACLASSES.items() if any(f.name == "extra" for f in dataclasses.fields(cls))}
# Definitions that are one object with properties and nothing else: exactly one class each.
PLAIN_RECORDS = [
    name
    for name, body in DEFINITIONS.items()
    if body.get("type") == "object" and not {"anyOf", "oneOf"} & body.keys() and "properties" in body
]
CLASS_UNIONS = [
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


# ------------------------------------------------------------------------------------------------ samples


def wire_samples(name: str, *, full: bool = False) -> list[Any]:
    """Valid JSON for a definition: one sample an alternative; required members only, or all of them."""
    return _samples({"$ref": f"#/$defs/{name}"}, full)


def _samples(schema: dict[str, Any], full: bool) -> list[Any]:
    if "$ref" in schema:
        return _samples(DEFINITIONS[schema["$ref"].rpartition("/")[2]], full)
    if "const" in schema:
        return [schema["const"]]
    parts = [_samples(part, full) for part in schema.get("allOf", [])]
    for alternatives in ("anyOf", "oneOf"):
        if alternatives in schema:
            parts.append([sample for branch in schema[alternatives] for sample in _samples(branch, full)])
    if "properties" in schema:
        parts.insert(0, [_members(schema, full)])
    if not parts:
        return [_plain(schema, full)]
    if not all(isinstance(sample, dict) for part in parts for sample in part):
        return [sample for part in parts for sample in part]
    return [functools.reduce(lambda left, right: {**left, **right}, chosen) for chosen in itertools.product(*parts)]


def _members(schema: dict[str, Any], full: bool) -> dict[str, Any]:
    wanted = schema["properties"] if full else schema.get("required", [])
    return {name: _samples(schema["properties"][name], full)[0] for name in wanted if name in schema["properties"]}


def _plain(schema: dict[str, Any], full: bool) -> Any:
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "array":
        return _samples(schema["items"], full)[: 1 if full else schema.get("minItems", 0)]
    if kind == "object":
        inner = schema.get("additionalProperties", True)
        return {"key": 1 if inner is True else _samples(inner, full)[0]}
    scalars: dict[str, Any] = {"string": "sample", "integer": 1, "number": 0.5, "boolean": True, "null": None}
    return scalars[kind]


@functools.cache
def instances() -> dict[str, Any]:
    """An instance of every dataclass, each decoded from a sample of the definition that it belongs to."""
    found: dict[str, Any] = {}
    for name, full in itertools.product(DEFINITIONS, (False, True)):
        for sample in wire_samples(name, full=full):
            value = v2.decode(name, sample)
            found.setdefault(type(value).__name__, value)
    return {name: found[name] for name in DATACLASSES if name in found}


@pytest.fixture
def instance(request: pytest.FixtureRequest) -> Any:
    return instances()[request.param]


every_class = pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
every_dataclass = pytest.mark.parametrize("cls", DATACLASSES.values(), ids=DATACLASSES)
every_instance = pytest.mark.parametrize("instance", DATACLASSES, indirect=True)


def test_every_dataclass_has_a_sample() -> None:
    assert set(DATACLASSES) - set(instances()) == set()
    assert len(DATACLASSES) > 170


# ------------------------------------------------------------------------------------------------ names


def test_every_definition_is_an_attribute() -> None:
    assert len(DEFINITIONS) == 197
    assert [name for name in DEFINITIONS if not hasattr(v2, name)] == []
    assert set(DEFINITIONS) - set(v2.__all__) == set()


def test_all_lists_each_public_name_once() -> None:
    assert sorted(v2.__all__) == sorted(set(v2.__all__))
    public = {
        name for name, value in vars(v2).items() if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public - {"annotations"} == set(v2.__all__)  # "annotations" is the __future__ import


def test_all_of_types_lists_every_class_and_alias_of_the_module() -> None:
    tree = ast.parse((PACKAGE / "v2" / "types.py").read_text(encoding="utf-8"))
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    defined += [str(ast.unparse(node.target)) for node in tree.body if isinstance(node, ast.AnnAssign)]
    assert sorted(defined) == sorted(v2.types.__all__)


def test_no_name_is_made_of_a_number() -> None:
    assert [name for name in v2.types.__all__ if re.search(r"\d$", name)] == []


def snake(wire: str) -> str:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", wire).lower().lstrip("_")
    return name + "_" if keyword.iskeyword(name) else name


@pytest.mark.parametrize("name", PLAIN_RECORDS)
def test_fields_follow_the_schema(name: str) -> None:
    """Order, names and defaults: UNSET on patch fields only, None on plain optional ones, none on required ones."""
    body = DEFINITIONS[name]
    fields = dataclasses.fields(getattr(v2, name))
    assert [field.name for field in fields] == [snake(wire) for wire in body["properties"]] + ["extra"]
    for field, (wire, schema) in zip(fields, body["properties"].items()):
        if wire in body.get("required", []):
            assert field.default is field.default_factory is dataclasses.MISSING, wire
        elif schema.get("x-patch", "none") != "none":
            assert field.default is UNSET, wire
        elif "default" in schema:
            assert field.default_factory is not dataclasses.MISSING, wire
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
    ],
)
def test_the_tag_is_on_the_class_and_no_field(cls: Any, attribute: str, tag: str) -> None:
    assert getattr(cls, attribute) == tag
    assert attribute not in {field.name for field in dataclasses.fields(cls)}


# ------------------------------------------------------------------------------------------------ dataclasses


@every_dataclass
def test_slots_and_keyword_only(cls: type[Any]) -> None:
    assert all(field.kw_only for field in dataclasses.fields(cls))
    assert cls.__match_args__ == ()
    with pytest.raises(TypeError, match="positional argument"):
        cls("positional")
    instance = instances()[cls.__name__]
    assert not hasattr(instance, "__dict__")
    with pytest.raises(AttributeError):
        instance.no_such_field = 1


@every_class
def test_every_class_has_its_own_docstring(cls: type[Any]) -> None:
    text = cls.__dict__["__doc__"]
    assert text and text.strip().endswith("."), text
    assert not text.startswith(f"{cls.__name__}("), "the signature that dataclasses put where no docstring is"


def test_every_field_and_alias_has_a_docstring() -> None:
    tree = ast.parse((PACKAGE / "v2" / "types.py").read_text(encoding="utf-8"))
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    bare = []
    for body in bodies:
        for node, following in zip(body, [*body[1:], None]):
            if isinstance(node, ast.AnnAssign) and "ClassVar" not in ast.unparse(node.annotation):
                is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                if not is_text:
                    bare.append(f"line {node.lineno}: {ast.unparse(node.target)}")
    assert bare == []


@every_dataclass
def test_annotations_resolve(cls: type[Any]) -> None:
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


@pytest.mark.parametrize("name", RECORDS)
def test_replace_changes_one_field(name: str) -> None:
    changed = dataclasses.replace(instances()[name], extra={"added": 1})
    assert changed.extra == {"added": 1}
    assert changed != instances()[name]
    assert dataclasses.replace(changed, extra=instances()[name].extra) == instances()[name]


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


@pytest.mark.parametrize("name", CLASS_UNIONS)
def test_isinstance_takes_a_union(name: str) -> None:
    union = getattr(v2, name)
    for sample in wire_samples(name):
        assert isinstance(v2.decode(name, sample), union)
    assert not isinstance("text", union)
    assert not isinstance(v2.Implementation(name="a", version="1"), union)


def test_isinstance_goes_through_nested_unions() -> None:
    for cls in (v2.IdleStateUpdateEndTurn, v2.IdleStateUpdateNone):
        assert isinstance(cls(), v2.IdleStateUpdate)
        assert isinstance(cls(), v2.StateUpdate)
        assert isinstance(cls(), v2.SessionUpdate)
        assert not isinstance(cls(), v2.ContentBlock)


# ------------------------------------------------------------------------------------------------ files

GENERATED_MODULES = sorted(PACKAGE.rglob("*.py"))
RENDERED = sorted([*(PACKAGE / "v2").glob("*.py"), PACKAGE / "__init__.py"])
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
        edition = manifest["editions"]["v2"]
        source = re.escape(f" from {edition['schema']} (sha256 {edition['schema_sha256']}).")
        assert re.fullmatch(made_by + source, first)
    assert second.startswith("# Do not edit")


@every_module
def test_no_file_carries_a_time_or_a_place(module: Path) -> None:
    head = "\n".join(module.read_text(encoding="utf-8").splitlines()[:5])
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


def test_importing_the_package_imports_no_edition() -> None:
    code = "import acp_schema; print([name for name in sys.modules if name.startswith('acp_schema.v')])"
    assert run_python(code, PACKAGE.parent).strip() == "[]"


def test_the_careful_tables_are_loaded_by_the_first_surprise() -> None:
    """Neither by the import nor by valid messages: those take the fast path, both ways."""
    code = """
from acp_schema import v2
update = v2.decode("SessionUpdate", {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": None})
v2.dumps(update, "SessionUpdate")
before = "acp_schema.v2._rules" in sys.modules
v2.decode("ToolCallUpdate", {"toolCallId": "t", "title": 5})
print(before, "acp_schema.v2._rules" in sys.modules)
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
assert type(restored).__module__ == "some_sdk.vendored_name.v2.types"
try:
    v2.decode("ToolCallUpdate", {})
except v2.DecodeError as error:
    assert error.path == "/toolCallId"
print(v2.dumps(decoded, v2.SessionUpdate).decode(), "acp_schema" in sys.modules)
"""
    expected = '{"sessionUpdate":"tool_call_update","toolCallId":"t","status":null,"new":1} False'
    assert run_python(code, tmp_path).strip() == expected
