"""Fixtures for all tests: golden texts, a workspace, and a copy of the tiny example.

Test files have unique names, since the folders of tests are no packages.
"""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

from storage.workspace import Workspace, open_workspace
from tests.support import copy_tiny

GOLDEN = Path(__file__).parent / "golden"

# A test that imports Prefect must not make the others' logs go to its server.
os.environ.setdefault("PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW", "ignore")

# Where Triton is there without a GPU, its interpreter runs kernels; Triton reads this when it is
# imported, which torch may do in any test.
if importlib.util.find_spec("triton") is not None and not Path("/dev/nvidiactl").exists():
    os.environ.setdefault("TRITON_INTERPRET", "1")

# A busy machine is no fault of the code: no example has a deadline.
hypothesis.settings.register_profile("phrasenet", deadline=None)
hypothesis.settings.load_profile("phrasenet")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden texts; review the diff"
    )


Golden = Callable[[str, str], None]
"""Compares a text with the golden file of the name given, below `tests/golden`."""


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare texts with golden files, or rewrite these with `--update-golden`."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no golden file {path}; make it with pytest --update-golden"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Return an empty workspace."""
    return open_workspace(tmp_path / "workspace")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a copy of the tiny example, without a workspace."""
    return copy_tiny(tmp_path / "tiny")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def phrasenet(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command of the command line within this process."""
    from flows.cli import main

    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        code = main(arguments)
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
