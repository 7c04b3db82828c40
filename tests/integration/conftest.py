"""What is made once for all integration tests."""

from pathlib import Path

import pytest

from tests.support import copy_tiny, evaluate_directly


@pytest.fixture(scope="session")
def evaluated_tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the tiny example with everything made; copy it before a change."""
    folder = copy_tiny(tmp_path_factory.mktemp("evaluated") / "tiny")
    evaluate_directly(folder / "phrasenet.toml")
    return folder
