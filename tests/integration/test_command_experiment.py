"""The real `phrasenet experiment`: killed in the middle, it goes on where it was."""

import json
import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.integration.commands import assert_no_server, phrasenet, start, wait_for_line
from tests.support import assert_whole

EXPERIMENT = """
[experiment]
systems = ["rnnsearch", "phrasenet-gate", "groundhog-vanilla"]
target_words = 600
"""


@pytest.fixture
def folder(evaluated_tiny: Path, tmp_path: Path) -> Path:
    made = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    with (made / "phrasenet.toml").open("a", encoding="utf-8") as stream:
        stream.write(EXPERIMENT)
    return made


def cells(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "results" / "cells").glob("*.json"))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_experiment_goes_on_where_it_was(folder: Path, how: signal.Signals) -> None:
    process = start(folder, "experiment", "--cells", "1")
    said = wait_for_line(process, "all/rnnsearch/1 ")
    os.kill(process.pid, how)
    _, rest = process.communicate(timeout=120)
    assert process.returncode == (-how if how == signal.SIGKILL else 130), rest
    assert_no_server(said, patience_seconds=60)
    assert "all.rnnsearch.1.json" in cells(folder)
    assert len(cells(folder)) < 3

    again = phrasenet(folder, "experiment", "--cells", "2", "--json")
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    assert "all/rnnsearch/1" in told["reused"]
    assert len(told["reused"]) + len(told["finished"]) == 3
    assert not told["failed"]
    assert len(cells(folder)) == 3
    assert_whole(folder / "workspace")
