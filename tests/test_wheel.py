"""The wheel works on its own: built, installed away from the checkout, and run without a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "generated" / "acp_schema"

# Loaded by the empty environment at start: whoever opens a connection there fails.
NO_NETWORK = """
import sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise RuntimeError(f"the generator used the network: {event}")

sys.addaudithook(refuse)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a release would be but without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    result = subprocess.run([*command, "--wheel-dir", folder, ROOT], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    (built,) = folder.glob("*.whl")
    return built


def _files(folder: Path, pattern: str = "*") -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheel_holds_the_generator_and_its_data_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {f"acp_codegen/{path}" for path in _files(ROOT / "codegen" / "acp_codegen")}
    expected |= {f"acp_codegen/_data/templates/{path}" for path in _files(ROOT / "templates")}
    expected |= {f"acp_codegen/_data/schema/{path}" for path in _files(ROOT / "schema")}
    expected |= {f"acp_codegen/_data/generated/acp_schema/{path}" for path in _files(GENERATED)}
    assert names == expected
    # the comparison above would hold for two empty sets as well
    assert {
        "acp_codegen/cli/__init__.py",
        "acp_codegen/runtime/_careful.py",
        "acp_codegen/_data/templates/types.py.j2",
        "acp_codegen/_data/schema/vocabulary.json",
        "acp_codegen/_data/schema/upstream.lock.json",
        "acp_codegen/_data/schema/v1/schema.json",
        "acp_codegen/_data/schema/v2/schema.json",
        "acp_codegen/_data/schema/v2-2026-06/schema.json",
        "acp_codegen/_data/generated/acp_schema/MANIFEST.json",
        "acp_codegen/_data/generated/acp_schema/v2/types.py",
    } <= names


def test_wheel_describes_itself(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (folder,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
    metadata = archive.read(f"{folder}/METADATA").decode("utf-8")
    needs = set(re.findall(r"^Requires-Dist: ([A-Za-z0-9-]+)", metadata, re.MULTILINE))
    assert needs == {"black", "datamodel-code-generator", "jinja2", "typer"}
    assert re.search(r"^Requires-Dist: black==[\d.]+$", metadata, re.MULTILINE), "black decides bytes: pin it"
    assert "Requires-Python: >=3.10\n" in metadata
    assert "acp-codegen = acp_codegen.cli:app" in archive.read(f"{folder}/entry_points.txt").decode("utf-8")
    assert f"{folder}/licenses/LICENSE" in archive.namelist()


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``acp-codegen`` in an environment that has the wheel and the dependencies but no way to the checkout."""
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True, capture_output=True)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    options = ["--no-deps", "--no-index", "--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([python, "-m", "pip", "install", *options, wheel], check=True, capture_output=True)
    purelib = sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)})
    # A folder named in a .pth file is searched, but .pth files inside it (the editable install) are not read.
    Path(purelib, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    Path(purelib, "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    found = subprocess.run(
        [python, "-c", "import acp_codegen; print(acp_codegen.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=environment,
        env=_environment(),
    ).stdout.strip()
    assert Path(found).resolve().is_relative_to(Path(purelib).resolve()), found
    return scripts / "acp-codegen"


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def _run(command: Path, *arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([command, *arguments], capture_output=True, text=True, cwd=folder, env=_environment())


def test_installed_command_generates_the_committed_package(command: Path, tmp_path: Path) -> None:
    outside = tmp_path / "empty"
    outside.mkdir()
    result = _run(command, "generate", "--out", "written", folder=outside)
    assert result.returncode == 0, result.stderr
    written = outside / "written" / "acp_schema"
    assert _files(written) == _files(GENERATED)
    different = [path for path in _files(written) if (written / path).read_bytes() != (GENERATED / path).read_bytes()]
    assert different == []
    assert sorted(path.name for path in outside.iterdir()) == ["written"]


@pytest.mark.parametrize("subcommand", ["generate", "check"])
def test_installed_command_asks_where_to_write(command: Path, subcommand: str, tmp_path: Path) -> None:
    """There is no checkout whose ``generated`` folder could be the default, and the package itself must not be it."""
    result = _run(command, subcommand, folder=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "error: where to write is not said\n  fix: add --out DIR\n"
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_installed_command_vendors_and_checks(command: Path, tmp_path: Path) -> None:
    """From the package that the wheel carries."""
    written = _run(command, "vendor", "sdk", "--name", "protocol", folder=tmp_path)
    assert (written.returncode, written.stderr) == (0, "")
    copy = tmp_path / "sdk" / "protocol"
    assert _files(copy) == _files(GENERATED)
    different = [path for path in _files(copy) if (copy / path).read_bytes() != (GENERATED / path).read_bytes()]
    assert different == ["MANIFEST.json"]
    checked = _run(command, "vendor", "sdk", "--check", folder=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, ""), checked.stderr


def test_installed_command_helps(command: Path, tmp_path: Path) -> None:
    result = _run(command, "--help", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "generate" in result.stdout and "check" in result.stdout
    assert "Exit codes: 0 done or same, 1 different, 2 error." in " ".join(result.stdout.split())


def test_the_environment_has_no_network(command: Path, tmp_path: Path) -> None:
    """The guard of this file's other tests works."""
    attempt = "import socket; socket.create_connection(('127.0.0.1', 9))"
    result = subprocess.run(
        [command.parent / "python", "-c", attempt], capture_output=True, text=True, cwd=tmp_path, env=_environment()
    )
    assert "RuntimeError: the generator used the network" in result.stderr
    assert shutil.which("acp-codegen", path=str(command.parent)) is not None
