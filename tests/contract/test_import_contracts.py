"""The import contracts hold, and each of them catches a breach made on purpose."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

LAYERS = "Imports only look down: flows, then tasks, then model and storage"
APART = "model and storage never import each other"
PREFECT = "The pure code of tasks knows nothing of Prefect"
TORCH = "Only model touches torch"
ARROW = "Only storage touches DuckDB and Arrow"

BREACHES = [
    ("tasks/mining/extraction.py", "import flows.settings", LAYERS),
    ("model/loss.py", "import tasks.mining.config", LAYERS),
    ("storage/files.py", "import tasks.window", LAYERS),
    ("model/loss.py", "import storage.records", APART),
    ("storage/records.py", "import model.loss", APART),
    ("tasks/rules/grammar.py", "import prefect", PREFECT),
    ("storage/files.py", "import prefect", PREFECT),
    ("model/loss.py", "import prefect", PREFECT),
    ("tasks/text/clean.py", "import torch", TORCH),
    ("flows/settings.py", "import torch", TORCH),
    ("storage/files.py", "import torch", TORCH),
    ("tasks/mine.py", "import duckdb", ARROW),
    ("flows/planning.py", "import pyarrow", ARROW),
    ("model/loss.py", "import pyarrow", ARROW),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project's rooms and settings."""
    copy = tmp_path_factory.mktemp("project")
    for room in ("flows", "tasks", "model", "storage"):
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def verdicts(project: Path) -> dict[str, str]:
    """Return KEPT or BROKEN for each contract, by its name."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = {}
    for line in done.stdout.splitlines():
        for verdict in ("KEPT", "BROKEN"):
            if line.rstrip().endswith(verdict):
                found[line.rstrip().removesuffix(verdict).strip()] = verdict
    assert found, done.stdout + done.stderr
    assert done.returncode == int("BROKEN" in found.values())
    return found


@pytest.fixture
def breached(project: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return the copy with one forbidden import in it."""
    file, statement = request.param
    path = project / file
    text = path.read_text()
    path.write_text(f"{text}\n{statement}\n")
    yield project
    path.write_text(text)


def test_all_contracts_are_kept(project: Path) -> None:
    found = verdicts(project)
    assert set(found) == {LAYERS, APART, PREFECT, TORCH, ARROW}
    assert set(found.values()) == {"KEPT"}


@pytest.mark.parametrize(
    ("breached", "contract"),
    [((file, statement), contract) for file, statement, contract in BREACHES],
    indirect=["breached"],
)
def test_a_breach_is_caught(breached: Path, contract: str) -> None:
    assert verdicts(breached)[contract] == "BROKEN"


def test_every_topic_of_tasks_is_named_in_the_contracts() -> None:
    """A new package below tasks/ must not slip past the contracts on Prefect and torch."""
    import tomllib

    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    topics = {f"tasks.{path.parent.name}" for path in (ROOT / "tasks").glob("*/__init__.py")}
    for contract in listed["contracts"]:
        if contract["name"] in (PREFECT, TORCH):
            assert topics <= set(contract["source_modules"]), contract["name"]
