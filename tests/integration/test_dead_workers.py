"""Kill the worker and its run in the middle of mining and of training: a new run takes over."""

import contextlib
import json
import os
import signal
import time
from pathlib import Path

import pytest

from storage.workspace import open_workspace
from tests.integration.commands import phrasenet
from tests.integration.prefect_site import Site, end_group, prefect_site, wait_until
from tests.support import assert_whole, copy_tiny, edit

pytestmark = [pytest.mark.server, pytest.mark.slow]

DETECTION_SECONDS = 240
"""Three heartbeats of 30 seconds, the delay of the restart, and a busy machine."""


def project(folder: Path) -> Path:
    """Return a project whose mining has many shards and whose training takes a while."""
    made = copy_tiny(folder / "tiny")
    edit(made / "phrasenet.toml", "shards = 2", "shards = 6\nworkers = 1")
    # A checkpoint is written every 200 steps; these are 1,200.
    edit(made / "phrasenet.toml", "batch_size = 10", "batch_size = 2")
    edit(made / "phrasenet.toml", "epochs = 5", "epochs = 60")
    with (made / "phrasenet.toml").open("a") as stream:
        stream.write("\n[evaluation]\nbaselines = []\n")
    return made


def results(folder: Path, kind: str) -> list[str]:
    """Return the content digests of all artifacts of a kind."""
    home = "models" if kind == "model" else f"warehouse/{kind}"
    return sorted(
        path.parent.name for path in (folder / "workspace" / home).glob("*/manifest.json")
    )


def kill_all(site: Site, folder: Path) -> None:
    """Kill the workers and the process that holds the workspace, as a power cut would."""
    holder = json.loads((folder / "workspace" / "lease.json").read_text())["process"]
    for worker in site.workers:
        end_group(worker, signal.SIGKILL)
    site.workers.clear()
    with contextlib.suppress(ProcessLookupError):
        os.kill(holder, signal.SIGKILL)


def next_run(site: Site, seen: set[str]) -> str:
    """Wait for a run of the deployment that was not there before."""

    def fresh() -> list[str]:
        runs = site.runs_of("retrain", "weekly")
        return [run["id"] for run in runs if run["id"] not in seen and not run["auto_scheduled"]]

    wait_until(lambda: bool(fresh()), "the run that takes over", DETECTION_SECONDS)
    [found] = fresh()
    return found


def test_a_run_whose_worker_died_is_taken_over_by_a_new_one(tmp_path: Path) -> None:
    undisturbed, folder = project(tmp_path / "undisturbed"), project(tmp_path / "killed")
    with prefect_site(tmp_path / "prefect") as site:
        site.deploy(folder)
        first = site.run("retrain", "weekly", until_step="train")
        seen = {first}
        site.start_worker("phrasenet-training")

        mined = folder / "workspace" / "cache" / "mine"
        wait_until(lambda: len(list(mined.glob("*.json"))) >= 2, "two shards that are mined")
        kill_all(site, folder)
        killed, shards = time.monotonic(), len(list(mined.glob("*.json")))
        assert site.state(first)["type"] == "RUNNING"
        second = next_run(site, seen)
        assert site.state(first)["type"] == "CRASHED"
        print(f"taken up {time.monotonic() - killed:.0f} s after the death")  # noqa: T201

        site.start_worker("phrasenet-training")
        checkpoints = folder / "workspace" / "checkpoints"
        wait_until(lambda: bool(list(checkpoints.glob("*.json"))), "a checkpoint")
        kill_all(site, folder)
        third = next_run(site, seen | {second})
        site.start_worker("phrasenet-training")
        site.wait_for(third)
        parameters = site.ask(f"/flow_runs/{third}")["parameters"]
        assert (parameters["restarts"], parameters["until_step"]) == (2, "train")
        # The slots of the dead are free again: the deployment takes one run at a time.
        assert {site.state(run)["type"] for run in (first, second)} == {"CRASHED"}

    assert 2 <= shards < 6, "the kill was to hit the middle of mining"
    workspace = open_workspace(folder / "workspace")
    reused = [
        record.body["label"]
        for record in workspace.ledger.records()
        if record.kind == "reuse" and record.body["flow_run"] == second
    ]
    assert len([label for label in reused if label.startswith("mine")]) >= shards - 1
    assert_whole(workspace.root)
    answer = phrasenet(undisturbed, "retrain", "--until", "train")
    assert answer.returncode == 0, answer.stderr
    for kind in ("links", "pair_counts", "phrases", "evidence", "tagged", "model"):
        made, expected = (results(item, kind) for item in (folder, undisturbed))
        assert made == expected != [], kind
