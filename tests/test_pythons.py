"""The generated package on every Python of this machine, without any dependency."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import jsonschema_rs
import pytest

from pythons import interpreters
from pythons.samples import Sampler
from support import ROOT
from support.editions import EDITIONS, V1, V2, Edition, every_edition

CHECKS = ROOT / "tests" / "pythons" / "check_package.py"
PYTHONS = interpreters.found()


@pytest.fixture(scope="module")
def sample_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of samples for every edition, by its name."""
    folder = tmp_path_factory.mktemp("samples")
    files: dict[str, Path] = {}
    for edition in EDITIONS:
        sampler = Sampler(edition.document)
        content = {
            "samples": [sample.to_json() for name in edition.definitions for sample in sampler.samples(name)],
            "missing": [
                {"type": name, "wire": wire, "path": f"/{member}"}
                for name in edition.definitions
                for member, wire in sampler.without_a_required_member(name)
            ],
        }
        files[edition.name] = folder / f"{edition.name}.json"
        files[edition.name].write_text(json.dumps(content), encoding="utf-8")
    return files


@every_edition
def test_samples_are_valid_and_plentiful(edition: Edition, sample_files: dict[str, Path]) -> None:
    content = json.loads(sample_files[edition.name].read_text(encoding="utf-8"))
    definitions = edition.definitions
    validators = {
        name: jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})
        for name in definitions
    }
    for sample in content["samples"]:
        validators[sample["type"]].validate(sample["wire"])
        validators[sample["type"]].validate(sample["encoded"])
    for case in content["missing"]:
        assert not validators[case["type"]].is_valid(case["wire"]), case
    assert set(Counter(sample["type"] for sample in content["samples"])) == set(definitions)
    assert len(content["samples"]) >= 5 * len(definitions)


@every_edition
def test_samples_reach_every_variant_and_both_kinds_of_null(edition: Edition, sample_files: dict[str, Path]) -> None:
    """The sampler must not grow blind: every tag, unknown ones, and every patch field as null occur."""
    samples = json.loads(sample_files[edition.name].read_text(encoding="utf-8"))["samples"]
    updates = [sample["wire"] for sample in samples if sample["type"] == "SessionUpdate"]
    union = edition.definitions["SessionUpdate"]
    known = {
        branch["properties"]["sessionUpdate"]["const"]
        for branch in union.get("anyOf", union.get("oneOf"))
        if "const" in branch["properties"]["sessionUpdate"]
    }
    tags = {update["sessionUpdate"] for update in updates}
    assert known <= tags
    assert any(tag.startswith("_") for tag in tags) is (edition is not V1), "a closed union has no other tags"
    assert any(sample["wire"] != sample["encoded"] for sample in samples)
    for name, definition in edition.definitions.items():
        for wire, schema in definition.get("properties", {}).items():
            if schema.get("x-patch") in ("replace", "merge"):
                own = [sample["encoded"] for sample in samples if sample["type"] == name]
                assert any(wire in sample and sample[wire] is None for sample in own), f"{name}.{wire}"
                assert any(wire not in sample for sample in own), f"{name}.{wire}"


@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.parametrize(
    ("edition", "package"),
    [(V2, "acp_schema"), *((edition, "vendored_name") for edition in EDITIONS)],
    ids=str,
)
def test_package_on_python(
    version: str, edition: Edition, package: str, sample_files: dict[str, Path], tmp_path: Path
) -> None:
    """``-I`` keeps the environment and the working directory out; the package works under another name too."""
    source = ROOT / "generated" / "acp_schema"
    parent = source.parent
    if package != source.name:
        parent = tmp_path
        shutil.copytree(source, parent / package, ignore=shutil.ignore_patterns("__pycache__"))
    arguments = [parent, package, edition.name, sample_files[edition.name]]
    options = [] if edition is V2 else ["--samples-only"]
    result = subprocess.run(
        [PYTHONS[version], "-I", "-B", "-W", "error", CHECKS, *arguments, *options],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
    )
    assert result.returncode == 0, f"Python {version}:\n{result.stderr}"
    assert "OK" in result.stderr.splitlines()[-1], result.stderr
    assert "skipped" not in result.stderr
