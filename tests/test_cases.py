"""Golden cases: one folder an idea under ``tests/cases``, each with a tiny schema and what must come of it.

A folder holds ``schema.json`` and either

* ``expected_types.py``, the generated ``types.py`` byte for byte, and ``samples.json``, JSON that goes through the codecs; or
* ``expected_error.txt``, what the command prints when it refuses the schema.

After a wanted change of the output, ``UPDATE_GOLDENS=1 pytest tests/test_cases.py`` rewrites the expected files; read the
diff before you commit it.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from acp_codegen.pipeline import build_package
from acp_codegen.resources import EditionSource

CASES = Path(__file__).resolve().parent / "cases"
EDITION = "edition"
UPDATE = bool(os.environ.get("UPDATE_GOLDENS"))
GENERATED = {"schema.json", "expected_types.py", "samples.json"}
REFUSED = {"schema.json", "expected_error.txt"}
SAMPLE_KEYS = {"type", "wire", "decoded_repr", "encoded", "bare", "attributes", "issues", "error"}
MESSAGE_KEYS = {"side", "wire", "pending", "decoded_repr", "error"}


def folders(marker: str) -> list[str]:
    """The cases that hold a file of this name."""
    return sorted(path.parent.name for path in CASES.glob(f"*/{marker}"))


ACCEPTED_CASES = folders("samples.json")
REFUSED_CASES = sorted(path.name for path in CASES.iterdir() if path.is_dir() and path.name.startswith("refused_"))


@dataclass
class Generated:
    """The package of one case, imported: its texts, its root module and the edition's modules."""

    files: dict[str, str]
    root: Any
    edition: Any
    rules: Any
    careful: Any


_loaded: dict[str, Generated] = {}


@pytest.fixture(scope="module")
def import_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder to import from; its packages are forgotten when the module's tests are done."""
    folder = tmp_path_factory.mktemp("packages")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0].startswith("acp_case_")]:
        del sys.modules[name]
    _loaded.clear()


@pytest.fixture
def generated(request: pytest.FixtureRequest, import_folder: Path) -> Generated:
    """The package of the case that the test is parametrised with, made once."""
    case = request.getfixturevalue("case")
    if case not in _loaded:
        _loaded[case] = generate_and_import(case, import_folder)
    return _loaded[case]


def generate_and_import(case: str, folder: Path) -> Generated:
    schema = CASES / case / "schema.json"
    has_updates = '"x-update"' in schema.read_text(encoding="utf-8")
    files = build_package([EditionSource(EDITION, schema, "schema.json")], session=has_updates).files
    # Under a name of its own: that it works there shows that its imports are relative.
    name = f"acp_case_{case}"
    for path, text in files.items():
        target = folder / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    importlib.invalidate_caches()
    modules = [importlib.import_module(f"{name}{part}") for part in ("", ".edition", ".edition._rules", "._careful")]
    return Generated(files, *modules)


def samples_of(case: str) -> list[dict[str, Any]]:
    samples: list[dict[str, Any]] = json.loads((CASES / case / "samples.json").read_text(encoding="utf-8"))
    return samples


def exactly(value: Any) -> str:
    """JSON data in a form that tells 1, 1.0 and true apart, which ``==`` does not."""
    return json.dumps(value, sort_keys=True)


def numbered(keys: str) -> list[Any]:
    """Every sample of every case that has this key, as a parameter with a readable id."""
    return [
        pytest.param(case, sample, id=f"{case}-{index}")
        for case in ACCEPTED_CASES
        for index, sample in enumerate(samples_of(case))
        if keys in sample
    ]


# ------------------------------------------------------------------------------------------ what is there


def test_every_folder_and_file_belongs_to_a_case() -> None:
    """A golden that no test reads would go stale unseen."""
    names = {path.name for path in CASES.iterdir()}
    assert names == {*ACCEPTED_CASES, *REFUSED_CASES}
    assert not set(ACCEPTED_CASES) & set(REFUSED_CASES)
    for case in names:
        files = {path.name for path in (CASES / case).iterdir() if path.name != "__pycache__"}
        assert files == (GENERATED if case in ACCEPTED_CASES else REFUSED), case


@pytest.mark.parametrize("case", ACCEPTED_CASES)
def test_samples_are_well_formed(case: str) -> None:
    """A misspelt key would make a sample claim less than it seems to; a case without both kinds proves half."""
    samples = samples_of(case)
    for sample in samples:
        allowed = MESSAGE_KEYS if "side" in sample else SAMPLE_KEYS
        assert set(sample) <= allowed and "wire" in sample
        claims = {"error"} if "error" in sample else set(sample) & {"decoded_repr", "attributes"}
        assert claims, sample
        assert "error" not in sample or not set(sample) & {"decoded_repr", "encoded", "bare", "attributes", "issues"}
    assert any("error" in sample for sample in samples)
    assert any("error" not in sample for sample in samples)
    definitions = json.loads((CASES / case / "schema.json").read_text(encoding="utf-8"))["$defs"]
    assert {sample["type"] for sample in samples if "type" in sample} <= set(definitions)


# ----------------------------------------------------------------------------------------------- goldens


def compare_with_golden(actual: str, golden: Path) -> None:
    if UPDATE:
        golden.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == golden.read_bytes().decode("utf-8"), f"{golden.parent.name}/{golden.name} is out of date"


@pytest.mark.parametrize("case", ACCEPTED_CASES)
def test_types_are_the_golden_text(case: str, generated: Generated) -> None:
    compare_with_golden(generated.files[f"{EDITION}/types.py"], CASES / case / "expected_types.py")


@pytest.mark.parametrize("case", REFUSED_CASES)
def test_refusal_is_the_golden_text(case: str, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "acp_codegen",
        "generate",
        "--schema",
        "schema.json",
        "--out",
        str(tmp_path / "out"),
    ]
    run = subprocess.run(command, cwd=CASES / case, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert not (tmp_path / "out").exists()
    compare_with_golden(run.stderr, CASES / case / "expected_error.txt")


# ----------------------------------------------------------------------------------------------- samples


@pytest.mark.parametrize("case, sample", numbered("type"))
def test_sample_of_a_type(case: str, sample: dict[str, Any], generated: Generated) -> None:
    if "error" in sample:
        check_refused(sample, generated)
    else:
        check_accepted(sample, generated)


def check_refused(sample: dict[str, Any], generated: Generated) -> None:
    edition, wire = generated.edition, sample["wire"]
    expected = sample["error"]["path"], sample["error"]["message"]
    issues: list[Any] = []
    with pytest.raises(edition.DecodeError) as decoding:
        edition.decode(sample["type"], wire, issues=issues)
    with pytest.raises(edition.DecodeError) as loading:
        edition.loads(sample["type"], json.dumps(wire))
    assert (decoding.value.path, decoding.value.message) == expected
    assert (loading.value.path, loading.value.message) == expected
    assert issues == []


def check_accepted(sample: dict[str, Any], generated: Generated) -> None:
    edition, name, wire = generated.edition, sample["type"], sample["wire"]
    issues: list[Any] = []
    value = edition.decode(name, wire, issues=issues)
    assert repr(value) == sample.get("decoded_repr", repr(value))
    assert [list(issue) for issue in issues] == sample.get("issues", [])
    for attribute, expected in sample.get("attributes", {}).items():
        assert exactly(getattr(value, attribute)) == exactly(expected), attribute
    check_encodings(sample, value, edition)
    assert edition.decode(getattr(edition, name), wire) == value
    assert edition.loads(name, json.dumps(wire)) == value
    check_careful_path(sample, value, generated)


def check_encodings(sample: dict[str, Any], value: Any, edition: Any) -> None:
    encoded = exactly(sample.get("encoded", sample["wire"]))
    assert exactly(edition.encode(value, sample["type"])) == encoded
    assert exactly(json.loads(edition.dumps(value, sample["type"]))) == encoded
    if "bare" in sample:
        assert exactly(edition.encode(value)) == exactly(sample["bare"])
        assert exactly(json.loads(edition.dumps(value))) == exactly(sample["bare"])


def check_careful_path(sample: dict[str, Any], value: Any, generated: Generated) -> None:
    """The careful path alone says the same as the fast one before it."""
    rules = generated.rules.RULES
    rule = rules[sample["type"]]
    issues: list[Any] = []
    careful = generated.careful.decode_carefully(sample["wire"], rule, rules, issues)
    assert (repr(careful), careful) == (repr(value), value)
    assert [list(issue) for issue in issues] == sample.get("issues", [])
    encoded = generated.careful.encode_carefully(value, rule, rules)
    assert exactly(encoded) == exactly(sample.get("encoded", sample["wire"]))


@pytest.mark.parametrize("case, sample", numbered("side"))
def test_sample_of_a_whole_message(case: str, sample: dict[str, Any], generated: Generated) -> None:
    edition = generated.edition
    pending = dict(sample["pending"]) if "pending" in sample else None
    if "error" in sample:
        with pytest.raises(edition.DecodeError) as caught:
            edition.decode_message(sample["wire"], sample["side"], pending=pending)
        assert {"path": caught.value.path, "message": caught.value.message} == sample["error"]
    else:
        assert repr(edition.decode_message(sample["wire"], sample["side"], pending=pending)) == sample["decoded_repr"]


@pytest.mark.parametrize("case", ["methods_and_envelopes"])
def test_method_table_of_the_envelopes(case: str, generated: Generated) -> None:
    types = generated.edition
    assert {key: tuple(spec) for key, spec in types.METHODS.items()} == {
        ("sum/add", "agent", "request"): (types.AddRequest, types.AddResponse),
        ("clock/tick", "client", "notification"): (types.Tick, None),
        ("$/cancel", "agent", "notification"): (types.Cancel, None),
        ("$/cancel", "client", "notification"): (types.Cancel, None),
    }


@pytest.mark.parametrize("case", ["open_enum"])
def test_constants_of_an_open_enum(case: str, generated: Generated) -> None:
    values = generated.edition.WeatherValues
    assert (values.SUNNY, values.LIGHT_RAIN, values.IN_BETWEEN) == ("sunny", "light_rain", "in-between")
    assert values.KNOWN == {"sunny", "light_rain", "in-between"}
    assert [values.classify(value) for value in ("sunny", "_mine", "later")] == ["known", "extension", "reserved"]


@pytest.mark.parametrize("case", ["defaults"])
def test_mutable_defaults_are_not_shared(case: str, generated: Generated) -> None:
    """Neither by the constructor nor by the two readers."""
    edition, rules = generated.edition, generated.rules.RULES
    made = [
        edition.Options(),
        edition.Options(),
        edition.decode("Options", {}),
        edition.decode("Options", {}),
        generated.careful.decode_carefully({}, rules["Options"], rules, None),
        generated.careful.decode_carefully({}, rules["Options"], rules, None),
    ]
    for field in ("tags", "labels", "limits"):
        assert len({id(getattr(value, field)) for value in made}) == len(made), field
    assert all(value == made[0] for value in made)
