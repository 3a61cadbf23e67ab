"""What is in a vendored copy: what ``generate`` gives, at work under another name, and one sentinel for two copies."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from itertools import chain, combinations
from pathlib import Path

import pytest
from acp_codegen import pipeline, resources
from acp_codegen.formatting import format_module
from acp_codegen.pipeline import build_package
from acp_codegen.render import Renderer
from acp_codegen.stock import take_stock
from acp_codegen.vendor import Order, vendor

from pythons import interpreters
from support import ROOT

PYTHONS = interpreters.found()
EDITIONS = [source.name for source in resources.editions()]
SUBSETS = list(chain.from_iterable(combinations(EDITIONS, size) for size in range(1, len(EDITIONS) + 1)))


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


# ------------------------------------------------------------------------------- the same as generate gives


@pytest.fixture(scope="module")
def generated() -> dict[tuple[str, ...], dict[str, str]]:
    """What the pipeline builds for every choice of editions.

    Each edition is read and rendered once; how black lays a text out is looked up in the committed package, where it is
    the same text. That takes the longest by far, and another test holds the committed package against the pipeline.
    """
    editions = {source.name: pipeline.build_edition(source) for source in resources.editions()}
    rendered = {name: Renderer(resources.templates()).edition(edition) for name, edition in editions.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "build_edition", lambda source, session: editions[source.name])
        patch.setattr(Renderer, "edition", lambda self, edition: rendered[edition.name])
        patch.setattr(pipeline, "format_module", lambda text: text)
        raw = build_package(resources.editions()).files
        laid_out = {raw[path]: text for path, text in take_stock().files.items()}
        patch.setattr(pipeline, "format_module", lambda text: laid_out.get(text) or format_module(text))
        return {chosen: build_package(resources.editions(list(chosen))).files for chosen in SUBSETS}


@pytest.mark.parametrize("chosen", SUBSETS, ids="+".join)
def test_a_copy_is_what_generate_gives_for_its_editions(
    chosen: tuple[str, ...], generated: dict[tuple[str, ...], dict[str, str]], tmp_path: Path
) -> None:
    vendor(Order(tmp_path, "copy", list(chosen)))
    copy, expected = texts(tmp_path / "copy"), dict(generated[chosen])
    manifest = json.loads(copy.pop("MANIFEST.json"))
    assert manifest.pop("vendored") == {"name": "copy", "runtime": None}
    assert manifest == json.loads(expected.pop("MANIFEST.json"))
    assert copy == expected


def test_the_choices_differ_in_more_than_folders(generated: dict[tuple[str, ...], dict[str, str]]) -> None:
    """The comparison above meets copies with the whole bridge, with half of it and without."""
    bridges = {
        chosen: {path for path in files if path.startswith("_conversions")} for chosen, files in generated.items()
    }
    assert bridges[("v1", "v2")] == {"_conversions.py", "_conversions_v1_v2.py"}
    assert bridges[("v1", "v2_2026_06")] == {"_conversions.py", "_conversions_v1_v2_2026_06.py"}
    assert bridges[tuple(EDITIONS)] == bridges["v1", "v2"] | bridges["v1", "v2_2026_06"]
    assert bridges[("v2", "v2_2026_06")] == set()
    tables = [files["_conversions.py"] for files in generated.values() if "_conversions.py" in files]
    assert len(set(tables)) == len(tables) == 3
    assert "bridge.py" not in generated[("v2",)] and "_plans.py" not in generated[("v2",)]


# ----------------------------------------------------------------------------------- under another name

AT_WORK = """
import sys
sys.path.insert(0, sys.argv[1])
from outer._vendor import protocol
from outer._vendor.protocol import bridge, v1, v2

assert protocol.__name__ == "outer._vendor.protocol"
wire = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": None}
update = v2.decode("SessionUpdate", wire)
assert type(update).__module__ == "outer._vendor.protocol.v2.types"
assert update.title is None and update.name is protocol.UNSET is v1.UNSET
assert v2.encode(update, "SessionUpdate") == wire
try:
    v2.decode("SessionUpdate", {"sessionUpdate": "tool_call_update"})
except protocol.DecodeError as error:
    assert error.path == "/toolCallId", error.path
else:
    raise AssertionError("a required member may not be missing")

state = v2.SessionState()
v2.apply_update(state, v2.decode("SessionUpdate", {**wire, "title": "look"}))
assert state.to_json()["tool_calls"]["t"]["title"] == "look"

(chunk,) = bridge.convert(
    {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "messageId": "m",
                                  "content": {"type": "text", "text": "hi"}}},
    "UpdateSessionNotification", source="v2", target="v1", lossy=True,
)
assert chunk["update"]["content"] == {"type": "text", "text": "hi"}, chunk
try:
    bridge.convert({}, "SessionNotification", source="v1", target="v2_2026_06")
except ValueError as error:
    assert str(error) == "there is no conversion from 'v1' to 'v2_2026_06', only v1 to v2, v2 to v1", error
else:
    raise AssertionError("this copy has two editions")
assert not {name for name in sys.modules if name.split(".")[0] == "acp_schema"}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source tree with a copy two packages deep."""
    folder = tmp_path_factory.mktemp("tree")
    (folder / "outer" / "_vendor").mkdir(parents=True)
    (folder / "outer" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "outer" / "_vendor" / "__init__.py").write_text("", encoding="utf-8")
    vendor(Order(folder / "outer" / "_vendor", "protocol", ["v1", "v2"]))
    return folder


def python(interpreter: Path | str, code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run code with nothing of this environment; a warning is a failure."""
    command = [interpreter, "-I", "-B", "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize("version", PYTHONS)
def test_a_copy_works_inside_another_package(version: str, tree: Path) -> None:
    result = python(PYTHONS[version], AT_WORK, tree)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


# ------------------------------------------------------------------------------------ one sentinel for two


@pytest.fixture(scope="module")
def two_copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``second.acp_schema`` has its sentinel from ``first.acp_schema``, and so has a neighbour, by a relative name."""
    folder = tmp_path_factory.mktemp("two")
    for name in ("first", "second"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("", encoding="utf-8")
    vendor(Order(folder / "first", editions=["v2"]))
    vendor(Order(folder / "first", "neighbour", ["v2"], "..acp_schema"))
    vendor(Order(folder / "second", editions=["v1", "v2"], runtime="first.acp_schema"))
    return folder


def test_sharing_changes_one_module(two_copies: Path, tmp_path: Path) -> None:
    vendor(Order(tmp_path, editions=["v1", "v2"]))
    alone, shared = texts(tmp_path / "acp_schema"), texts(two_copies / "second" / "acp_schema")
    different = {path for path in alone if alone[path] != shared[path]}
    assert (set(alone), different) == (set(shared), {"MANIFEST.json", "_unset.py"})
    assert json.loads(shared["MANIFEST.json"])["vendored"] == {"name": "acp_schema", "runtime": "first.acp_schema"}


def test_the_shared_module_offers_all_that_the_sentinels_own_does(two_copies: Path) -> None:
    own = ast.parse((resources.generated_package() / "_unset.py").read_text(encoding="utf-8"))
    public = {node.name for node in own.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    targets = [node.target for node in own.body if isinstance(node, ast.AnnAssign)]
    public |= {target.id for target in targets if isinstance(target, ast.Name)}
    shared = ast.parse((two_copies / "second" / "acp_schema" / "_unset.py").read_text(encoding="utf-8"))
    (imported,) = (node for node in shared.body if isinstance(node, ast.ImportFrom))
    assert {alias.name for alias in imported.names} == public == {"UNSET", "Patch", "UnsetType", "value_or"}


SHARED = """
import copy, pickle, sys
sys.path.insert(0, sys.argv[1])
import first.acp_schema as a, first.neighbour as n, second.acp_schema as b
from first.acp_schema import v2 as one
from second.acp_schema import v2 as other, v1

for package in (b, n, other, v1):
    assert package.UNSET is a.UNSET and package.UnsetType is a.UnsetType and package.value_or is a.value_or

# patch fields of one copy go into messages of the other
update = one.decode(one.ToolCallUpdate, {"toolCallId": "t", "title": None})
passed_on = other.ToolCallUpdate(tool_call_id="t", title=update.title, name=update.name)
assert other.encode(passed_on) == {"toolCallId": "t", "title": None}
assert other.dumps(passed_on) == b'{"toolCallId":"t","title":null}'
state = other.SessionState()
other.apply_update(state, other.decode("SessionUpdate", {"sessionUpdate": "tool_call_update", "toolCallId": "t"}))
assert state.to_json()["tool_calls"]["t"]["title"] is None

# whatever copies it, it stays one; in a pickle it has the name of the copy that owns it
assert copy.deepcopy(passed_on).name is a.UNSET
assert pickle.loads(pickle.dumps(passed_on)).name is a.UNSET
assert b"first.acp_schema._unset" in pickle.dumps(b.UNSET, 0)
# a pickle from before the copies shared one finds it by the old name
assert pickle.loads(b"csecond.acp_schema._unset\\nUNSET\\n.") is a.UNSET

# classes and exceptions stay apart
assert one.ToolCallUpdate is not other.ToolCallUpdate
assert not issubclass(b.DecodeError, a.DecodeError) and issubclass(b.DecodeError, ValueError)
"""


@pytest.mark.parametrize("version", PYTHONS)
def test_two_copies_share_one_sentinel(version: str, two_copies: Path) -> None:
    result = python(PYTHONS[version], SHARED, two_copies)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_two_copies_of_their_own_do_not(two_copies: Path, tmp_path: Path) -> None:
    """The test above would pass for any two copies if the sentinel were not the copy's."""
    vendor(Order(tmp_path, "third", ["v2"]))
    code = "import sys; sys.path[:0] = sys.argv[1:]; import first.acp_schema as a, third as b; assert a.UNSET is not b.UNSET"
    result = python(sys.executable, code, two_copies, tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


USER = """
from first.acp_schema import UNSET, Patch
from first.acp_schema import v2 as one
from second.acp_schema import UNSET as SAME
from second.acp_schema import v2 as other


def pass_on(update: one.ToolCallUpdate) -> other.ToolCallUpdate:
    return other.ToolCallUpdate(tool_call_id=update.tool_call_id, title=update.title)


def title(field: Patch[str]) -> str:
    if field is SAME:
        return "not said"
    if field is None:
        return "cleared"
    return field


print(title(pass_on(one.ToolCallUpdate(tool_call_id="t")).title), title(UNSET))
wrong: int = pass_on(one.ToolCallUpdate(tool_call_id="t")).title
"""


@pytest.fixture(scope="module")
def user(two_copies: Path) -> Path:
    """A module that passes fields from one copy to the other; its last line is wrong, so that checkers must speak."""
    path = two_copies / "user.py"
    path.write_text(USER.lstrip(), encoding="utf-8")
    return path


def test_mypy_follows_the_sentinel_from_copy_to_copy(user: Path) -> None:
    options = ["--strict", "--config-file=", "--python-version=3.10", "--no-error-summary", "--no-pretty"]
    command = [sys.executable, "-m", "mypy", *options, "--cache-dir", ROOT / ".mypy_cache" / "vendored", "."]
    result = subprocess.run(command, capture_output=True, text=True, cwd=user.parent)
    last = len(USER.lstrip().splitlines())
    complaints = [line.split(" error: ")[0] for line in result.stdout.splitlines()]
    assert (complaints, result.stderr) == ([f"user.py:{last}:"], ""), result.stdout


def test_pyright_follows_the_sentinel_from_copy_to_copy(user: Path) -> None:
    project = user.parent / "pyrightconfig.json"
    # the copies are the committed package, which is checked elsewhere, but for the module that has the sentinel
    checked = ["user.py", *(path.relative_to(user.parent).as_posix() for path in user.parent.rglob("_unset.py"))]
    settings = {"include": checked, "typeCheckingMode": "strict", "pythonVersion": "3.10"}
    project.write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--project", project, "--pythonpath", sys.executable, "--outputjson"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    places = [
        (Path(finding["file"]).name, finding["range"]["start"]["line"] + 1) for finding in report["generalDiagnostics"]
    ]
    assert places == [("user.py", len(USER.lstrip().splitlines()))], report["generalDiagnostics"]
    assert report["summary"]["filesAnalyzed"] == len(checked) == 4
