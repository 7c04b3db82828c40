"""`kill -9` at twenty random moments, then a run to the end: the same digests as an undisturbed
run.
"""

import json
import random
import time
from pathlib import Path

import pytest

from tests.integration.commands import phrasenet, start, train_briefly, wait_for_line
from tests.support import assert_whole, copy_tiny, files_below

pytestmark = [pytest.mark.server, pytest.mark.slow]

KILLS = 20
SEED = 1


def results(folder: Path) -> list[str]:
    """Return the manifests of all artifacts, whose folders are named by their content.

    A report says when models were trained, and in which record that stands, so its name is not
    compared.
    """
    names = [
        name
        for name in files_below(folder / "workspace")
        if name.endswith("manifest.json") and "/checkpoint/" not in name
    ]
    return ["reports" if name.startswith("reports/") else name for name in names]


def kill_somewhere(folder: Path, moment: random.Random, seconds: float) -> str:
    """Start a run and kill it, mostly while steps run; returns where it was."""
    process = start(folder, "run")
    where = "start"
    if moment.random() < 0.8:
        wait_for_line(process, "Workspace")
        where = "steps"
    time.sleep(moment.uniform(0, seconds))
    if process.poll() is not None:
        where = "end"
    process.kill()
    process.communicate(timeout=60)
    return where


def test_a_run_that_is_killed_again_and_again_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    # The report is named after its folder, so both folders have one name.
    undisturbed, killed = (
        copy_tiny(tmp_path / name / "tiny") for name in ("undisturbed", "killed")
    )
    for folder in (undisturbed, killed):
        train_briefly(folder)
    process = start(undisturbed, "run")
    wait_for_line(process, "Workspace")
    began = time.monotonic()
    process.communicate(timeout=300)
    assert process.returncode == 0
    seconds = time.monotonic() - began

    moment = random.Random(SEED)
    places = []
    for number in range(1, KILLS + 1):
        # Later and later, so that the kills spread over all steps.
        where = kill_somewhere(killed, moment, 0.6 * seconds * number / KILLS)
        places.append(f"{where} with {len(results(killed))} artifacts")
    print(f"killed at {', '.join(places)}; steps take {seconds:.1f} s")  # noqa: T201
    answer = phrasenet(killed, "run", "--json")
    assert answer.returncode == 0, answer.stderr
    assert results(killed) == results(undisturbed)
    assert_whole(killed / "workspace")
    assert phrasenet(killed, "audit", "verify").returncode == 0
    heads = [(item / "workspace" / "memory" / "HEAD").read_text() for item in (killed, undisturbed)]
    assert heads[0] == heads[1]
    print(json.loads(answer.stdout))  # noqa: T201
