"""Schemas without our annotations: ``--no-session`` takes the published files as they are, nothing else does.

The published schemas cannot say which fields are patches, so there a null on such a field means what a missing one
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
from support import ROOT
from support.editions import EDITIONS, V1, V2, Edition, every_edition
from support.oracle import resolve

UPSTREAM = ROOT.parent / "shared" / "upstream"
CHECKS = ROOT / "tests" / "pythons" / "check_package.py"

needs_published_schemas = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="../shared/upstream is not here: it holds the published schemas"
)


def _generate(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-m", "acp_codegen", "generate", *arguments], capture_output=True, text=True, cwd=folder
    )


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For each edition the folder with the package made from its published schema; it is called ``published_EDITION``."""
    folders: dict[str, Path] = {}
    for edition in EDITIONS:
        folder = tmp_path_factory.mktemp(edition.name)
        result = _generate("--schema", edition.published_path, "--no-session", "--out", folder, folder=folder)
        assert result.returncode == 0, result.stderr
        (folder / "acp_schema").rename(folder / f"published_{edition}")
        folders[edition.name] = folder
    return folders


@needs_published_schemas
@every_edition
def test_published_schema_round_trips_the_samples_of_ours(edition: Edition, published: dict[str, Path]) -> None:
    """Ours has the same shape, so its samples are the published schema's too; only nulls on patch fields go."""
    sampler = Sampler(edition.document)
    names = edition.definitions
    content = {
        "samples": [sample.to_json(annotated=False) for name in names for sample in sampler.samples(name)],
        "missing": [
            {"type": name, "wire": wire, "path": f"/{member}"}
            for name in names
            for member, wire in sampler.without_a_required_member(name)
        ],
    }
    parent = published[edition.name]
    samples = parent / "samples.json"
    samples.write_text(json.dumps(content), encoding="utf-8")
    arguments = [parent, f"published_{edition}", edition.name, samples, "--samples-only"]
    result = subprocess.run([sys.executable, "-I", "-B", CHECKS, *arguments], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@needs_published_schemas
@every_edition
def test_published_schema_gives_every_definition_and_no_patch_fields(
    edition: Edition, published: dict[str, Path]
) -> None:
    package = published[edition.name] / f"published_{edition}"
    types = (package / edition.name / "types.py").read_text(encoding="utf-8")
    for name in edition.definitions:
        assert f'"{name}",' in types, name
    assert "Patch[" not in types
    assert not (package / edition.name / "session.py").exists()


@needs_published_schemas
def test_package_speaks_of_the_edition_that_it_has(published: dict[str, Path]) -> None:
    """Its docstring is what ``help()`` shows: an example with another edition's name would not run."""
    text = (published["v1"] / "published_v1" / "__init__.py").read_text(encoding="utf-8")
    assert "v2" not in text


@needs_published_schemas
@every_edition
def test_package_of_a_published_schema_passes_mypy(edition: Edition, published: dict[str, Path]) -> None:
    options = ["--strict", "--config-file=", "--python-version=3.10", "--no-incremental", "--no-error-summary"]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--package", f"published_{edition}"],
        capture_output=True,
        text=True,
        cwd=published[edition.name],
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr


@needs_published_schemas
@every_edition
def test_published_schema_needs_the_option(edition: Edition, tmp_path: Path) -> None:
    result = _generate("--schema", edition.published_path, "--out", tmp_path / "out", folder=tmp_path)
    keyword = "oneOf" if edition is V1 else "anyOf"
    first = json.loads(edition.published_path.read_text(encoding="utf-8"))["$defs"]["SessionUpdate"][keyword][0]
    tag = first["properties"]["sessionUpdate"]["const"]
    assert result.returncode == 2
    assert result.stderr == (
        f'error: the update "{tag}" has no rule\n'
        f"  at schema.json#/$defs/SessionUpdate/{keyword}/0\n"
        '  fix: add a line such as "x-update": {"op": "upsert", "entity": "tool_calls", "key": "toolCallId"},'
        " or generate with --no-session\n"
    )
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------- annotations that went missing


Place = tuple["str | int", ...]


def _annotated(keyword: str, schema: Any, where: Place = ()) -> Iterator[Place]:
    """The places of every schema that carries a keyword."""
    if isinstance(schema, dict):
        if keyword in schema:
            yield where
        for key, member in schema.items():
            yield from _annotated(keyword, member, (*where, key))
    elif isinstance(schema, list):
        for index, member in enumerate(schema):
            yield from _annotated(keyword, member, (*where, index))


def _pointer(where: Place) -> str:
    return "".join(f"/{part}" for part in where)


def every_place_of(keyword: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("edition", "where"),
        [
            pytest.param(edition, where, id=f"{edition}{_pointer(where)}")
            for edition in EDITIONS
            for where in _annotated(keyword, edition.document)
        ],
    )


def _without(edition: Edition, keyword: str, where: Place, tmp_path: Path) -> Path:
    """Our schema with one annotation taken out."""
    document = copy.deepcopy(edition.document)
    place: Any = document
    for part in where:
        place = place[part]
    del place[keyword]
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _error_of(edition: Edition, schema: Path) -> CodegenError:
    with pytest.raises(CodegenError) as raised:
        pipeline.build_edition(EditionSource(edition.name, schema, "schema.json"))
    return raised.value


@every_place_of("x-update")
def test_every_update_needs_its_rule(edition: Edition, where: Place, tmp_path: Path) -> None:
    error = _error_of(edition, _without(edition, "x-update", where, tmp_path))
    assert error.message.startswith("the update ") and error.message.endswith(" has no rule")
    assert error.where == f"schema.json#{_pointer(where)}"
    assert '"x-update": {' in error.hint and "--no-session" in error.hint


@every_place_of("x-patch")
def test_every_nullable_field_of_a_patched_payload_needs_a_decision(
    edition: Edition, where: Place, tmp_path: Path
) -> None:
    """Without one, null and absent would fall together without a word, and clearing the field would be lost."""
    error = _error_of(edition, _without(edition, "x-patch", where, tmp_path))
    assert error.where == f"schema.json#{_pointer(where)}"
    has_reset = "x-reset" in resolve(_pointer(where), edition.document)
    if has_reset:
        assert error.message == '"x-reset" on a property that null does not reset'
    else:
        assert json.dumps(where[-1]) in error.message
    assert 'add "x-patch": "' in error.hint


@pytest.mark.parametrize("keyword", ["x-update", "x-patch"])
def test_a_missing_annotation_stops_the_command(keyword: str, tmp_path: Path) -> None:
    """The command says the same, exits with 2 and writes nothing."""
    where = next(_annotated(keyword, V2.document))
    schema = _without(V2, keyword, where, tmp_path)
    result = _generate("--schema", schema, "--out", tmp_path / "out", folder=tmp_path)
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith("error: ")
    assert lines[1] == f"  at schema.json#{_pointer(where)}"
    assert lines[2].startswith("  fix: add ") and keyword in lines[2]
    assert len(lines) == 3
    assert not (tmp_path / "out").exists()
