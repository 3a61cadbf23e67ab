"""Schemas without our annotations: ``--no-session`` takes the published files as they are, nothing else does.

The published v2 schema cannot say which fields are patches, so there a null on such a field means what a missing one
does and is left out; ``Sample.unannotated`` is what then comes back. All other promises hold.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_codegen import pipeline
from acp_codegen.errors import CodegenError
from acp_codegen.resources import EditionSource
from pythons.samples import Sampler

ROOT = Path(__file__).resolve().parents[1]
UPSTREAM = ROOT.parent / "shared" / "upstream"
CHECKS = ROOT / "tests" / "pythons" / "check_package.py"
OURS: dict[str, Any] = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))

needs_published_schemas = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="../shared/upstream is not here: it holds the published schemas"
)


def _generate(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-m", "acp_codegen", "generate", *arguments], capture_output=True, text=True, cwd=folder
    )


def _published(edition: str) -> Path:
    return UPSTREAM / edition / "schema.json"


def _generated(edition: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package made from a published schema; the package is called ``published_EDITION``."""
    folder = tmp_path_factory.mktemp(edition)
    result = _generate("--schema", _published(edition), "--no-session", "--out", folder, folder=folder)
    assert result.returncode == 0, result.stderr
    (folder / "acp_schema").rename(folder / f"published_{edition}")
    return folder


@pytest.fixture(scope="module")
def published_v2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _generated("v2", tmp_path_factory)


@pytest.fixture(scope="module")
def published_v1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _generated("v1", tmp_path_factory)


def _round_trip(parent: Path, edition: str, document: dict[str, Any]) -> None:
    """Run the package's own tests on samples of the document."""
    sampler = Sampler(document)
    content = {
        "samples": [sample.to_json(annotated=False) for name in document["$defs"] for sample in sampler.samples(name)],
        "missing": [
            {"type": name, "wire": wire, "path": f"/{member}"}
            for name in document["$defs"]
            for member, wire in sampler.without_a_required_member(name)
        ],
    }
    samples = parent / "samples.json"
    samples.write_text(json.dumps(content), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-I", "-B", CHECKS, parent, f"published_{edition}", edition, samples, "--samples-only"],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr


def _type_check(parent: Path, edition: str) -> None:
    package = f"published_{edition}"
    options = ["--strict", "--config-file=", "--python-version=3.10", "--no-incremental", "--no-error-summary"]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--package", package], capture_output=True, text=True, cwd=parent
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr


@needs_published_schemas
def test_published_v2_round_trips_the_samples_of_our_schema(published_v2: Path) -> None:
    """Ours has the same shape, so its samples are the published schema's too; only nulls on patch fields go."""
    _round_trip(published_v2, "v2", OURS)


@needs_published_schemas
def test_published_v2_has_every_definition_and_no_patch_fields(published_v2: Path) -> None:
    types = (published_v2 / "published_v2" / "v2" / "types.py").read_text(encoding="utf-8")
    for name in OURS["$defs"]:
        assert f'"{name}",' in types, name
    assert "Patch[" not in types


@needs_published_schemas
def test_published_v1_round_trips(published_v1: Path) -> None:
    document = json.loads(_published("v1").read_text(encoding="utf-8"))
    _round_trip(published_v1, "v1", document)


@needs_published_schemas
def test_package_speaks_of_the_edition_that_it_has(published_v1: Path) -> None:
    """Its docstring is what ``help()`` shows: an example with another edition's name would not run."""
    text = (published_v1 / "published_v1" / "__init__.py").read_text(encoding="utf-8")
    assert "v2" not in text


@needs_published_schemas
def test_published_v2_passes_mypy(published_v2: Path) -> None:
    _type_check(published_v2, "v2")


@needs_published_schemas
def test_published_v1_passes_mypy(published_v1: Path) -> None:
    _type_check(published_v1, "v1")


@needs_published_schemas
def test_published_schema_needs_the_option(tmp_path: Path) -> None:
    result = _generate("--schema", _published("v2"), "--out", tmp_path / "out", folder=tmp_path)
    first = json.loads(_published("v2").read_text(encoding="utf-8"))["$defs"]["SessionUpdate"]["anyOf"][0]
    tag = first["properties"]["sessionUpdate"]["const"]
    assert result.returncode == 2
    assert result.stderr == (
        f'error: the update "{tag}" has no rule\n'
        "  at schema.json#/$defs/SessionUpdate/anyOf/0\n"
        '  fix: add a line such as "x-update": {"op": "upsert", "entity": "tool_calls", "key": "toolCallId"},'
        " or generate with --no-session\n"
    )
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------- annotations that went missing


def _annotated(keyword: str, schema: Any = OURS, where: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of every schema that carries a keyword."""
    if isinstance(schema, dict):
        if keyword in schema:
            yield where
        for key, member in schema.items():
            yield from _annotated(keyword, member, (*where, key))
    elif isinstance(schema, list):
        for index, member in enumerate(schema):
            yield from _annotated(keyword, member, (*where, index))


def _pointer(where: tuple[str | int, ...]) -> str:
    return "".join(f"/{part}" for part in where)


def _without(keyword: str, where: tuple[str | int, ...], tmp_path: Path) -> Path:
    """Our schema with one annotation taken out."""
    document = copy.deepcopy(OURS)
    place: Any = document
    for part in where:
        place = place[part]
    del place[keyword]
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _error_of(schema: Path) -> CodegenError:
    with pytest.raises(CodegenError) as raised:
        pipeline.build_edition(EditionSource("v2", schema, "schema.json"))
    return raised.value


@pytest.mark.parametrize("where", list(_annotated("x-update")), ids=_pointer)
def test_every_update_needs_its_rule(where: tuple[str | int, ...], tmp_path: Path) -> None:
    error = _error_of(_without("x-update", where, tmp_path))
    assert error.message.startswith("the update ") and error.message.endswith(" has no rule")
    assert error.where == f"schema.json#{_pointer(where)}"
    assert '"x-update": {' in error.hint and "--no-session" in error.hint


@pytest.mark.parametrize("where", list(_annotated("x-patch")), ids=_pointer)
def test_every_nullable_field_of_a_patched_payload_needs_a_decision(
    where: tuple[str | int, ...], tmp_path: Path
) -> None:
    """Without one, null and absent would fall together without a word, and clearing the field would be lost."""
    error = _error_of(_without("x-patch", where, tmp_path))
    assert error.where == f"schema.json#{_pointer(where)}"
    assert str(where[-1]) in error.message or '"x-reset" without "x-patch"' in error.message
    assert 'add "x-patch": "' in error.hint


@pytest.mark.parametrize("keyword", ["x-update", "x-patch"])
def test_a_missing_annotation_stops_the_command(keyword: str, tmp_path: Path) -> None:
    """The command says the same, exits with 2 and writes nothing."""
    where = next(_annotated(keyword))
    schema = _without(keyword, where, tmp_path)
    result = _generate("--schema", schema, "--out", tmp_path / "out", folder=tmp_path)
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith("error: ")
    assert lines[1] == f"  at schema.json#{_pointer(where)}"
    assert lines[2].startswith("  fix: add ") and keyword in lines[2]
    assert len(lines) == 3
    assert not (tmp_path / "out").exists()
