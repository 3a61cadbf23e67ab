"""The generated package on every Python of this machine, without any dependency."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from pythons import interpreters
from pythons.samples import Sampler

ROOT = Path(__file__).resolve().parents[1]
CHECKS = ROOT / "tests" / "pythons" / "check_package.py"
SCHEMA: dict[str, Any] = json.loads((ROOT / "schema" / "v2" / "schema.json").read_text(encoding="utf-8"))
PYTHONS = interpreters.found()


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sampler = Sampler(SCHEMA)
    content = {
        "samples": [sample.to_json() for name in SCHEMA["$defs"] for sample in sampler.samples(name)],
        "missing": [
            {"type": name, "wire": wire, "path": f"/{member}"}
            for name in SCHEMA["$defs"]
            for member, wire in sampler.without_a_required_member(name)
        ],
    }
    path = tmp_path_factory.mktemp("samples") / "samples.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_samples_are_valid_and_plentiful(sample_file: Path) -> None:
    content = json.loads(sample_file.read_text(encoding="utf-8"))
    validators = {
        name: jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
        for name in SCHEMA["$defs"]
    }
    for sample in content["samples"]:
        validators[sample["type"]].validate(sample["wire"])
        validators[sample["type"]].validate(sample["encoded"])
    for case in content["missing"]:
        assert not validators[case["type"]].is_valid(case["wire"]), case
    assert set(Counter(sample["type"] for sample in content["samples"])) == set(SCHEMA["$defs"])
    assert len(content["samples"]) >= 5 * len(SCHEMA["$defs"])


def test_samples_reach_every_variant_and_both_kinds_of_null(sample_file: Path) -> None:
    """The sampler must not grow blind: every tag, unknown ones, and every patch field as null occur."""
    samples = json.loads(sample_file.read_text(encoding="utf-8"))["samples"]
    updates = [sample["wire"] for sample in samples if sample["type"] == "SessionUpdate"]
    known = {
        branch["properties"]["sessionUpdate"]["const"]
        for branch in SCHEMA["$defs"]["SessionUpdate"]["anyOf"]
        if "const" in branch["properties"]["sessionUpdate"]
    }
    tags = {update["sessionUpdate"] for update in updates}
    assert known < tags
    assert any(tag.startswith("_") for tag in tags)
    assert any(sample["wire"] != sample["encoded"] for sample in samples)
    for name, definition in SCHEMA["$defs"].items():
        for wire, schema in definition.get("properties", {}).items():
            if schema.get("x-patch", "none") != "none":
                own = [sample["encoded"] for sample in samples if sample["type"] == name]
                assert any(wire in sample and sample[wire] is None for sample in own), f"{name}.{wire}"
                assert any(wire not in sample for sample in own), f"{name}.{wire}"


@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.parametrize("package", ["acp_schema", "vendored_name"])
def test_package_on_python(version: str, package: str, sample_file: Path, tmp_path: Path) -> None:
    """``-I`` keeps the environment and the working directory out; the package works under another name too."""
    source = ROOT / "generated" / "acp_schema"
    parent = source.parent
    if package != source.name:
        parent = tmp_path
        shutil.copytree(source, parent / package, ignore=shutil.ignore_patterns("__pycache__"))
    result = subprocess.run(
        [PYTHONS[version], "-I", "-B", "-W", "error", CHECKS, parent, package, "v2", sample_file],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
    )
    assert result.returncode == 0, f"Python {version}:\n{result.stderr}"
    assert "OK" in result.stderr.splitlines()[-1], result.stderr
    assert "skipped" not in result.stderr
