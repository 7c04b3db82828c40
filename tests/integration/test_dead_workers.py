"""Kill workers and their runs in the middle of mining and of training: new runs take over.

A refresh and a retraining of two projects die on one server at nearly the same time, so that one
wait for missed heartbeats serves both; the undisturbed project is made meanwhile. That a run may
die again, and how often, is in tests/unit/flows/test_flows_deployment.py.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from storage.workspace import open_workspace
from tests.integration.commands import TIMEOUT_SECONDS, start
from tests.integration.prefect_site import Site, end_group, prefect_site, wait_until
from tests.support import assert_whole, copy_tiny, edit

pytestmark = [pytest.mark.server, pytest.mark.slow]

DETECTION_SECONDS = 300
"""Three heartbeats of 30 seconds, the delay of the restart, and a busy machine."""
MINED = ("links", "pair_counts", "phrases", "evidence")
TRAINED = (*MINED, "tagged", "model")


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


@dataclass
class Victim:
    """A run of a deployment that is to die, with its worker."""

    site: Site
    folder: Path
    deployment: tuple[str, str]
    pool: str
    run: str = ""
    worker: "subprocess.Popen[bytes] | None" = None
    died: float = 0.0

    def begin(self, **parameters: str) -> None:
        """Start the run of this project, and the worker that takes it."""
        self.worker = self.site.start_worker(self.pool)
        settings = str(self.folder / "phrasenet.toml")
        self.run = self.site.run(*self.deployment, settings_file=settings, **parameters)

    def finished(self, pattern: str) -> int:
        """Return how much of a kind is there."""
        return len(list((self.folder / "workspace").glob(pattern)))

    def kill(self) -> None:
        """Kill the worker and the process that holds the workspace, as a power cut would."""
        assert self.worker is not None
        holder = json.loads((self.folder / "workspace" / "lease.json").read_text())["process"]
        end_group(self.worker, signal.SIGKILL)
        self.site.workers.remove(self.worker)
        with contextlib.suppress(ProcessLookupError):
            os.kill(holder, signal.SIGKILL)
        self.died = time.monotonic()
        assert self.site.state(self.run)["type"] == "RUNNING"

    def successor(self) -> str:
        """Wait for the run that takes over, and check that it is the same but for its count."""

        def fresh() -> list[str]:
            runs = self.site.runs_of(*self.deployment)
            return [run["id"] for run in runs if run["id"] != self.run and not scheduled(run)]

        wait_until(lambda: bool(fresh()), "the run that takes over", DETECTION_SECONDS)
        took = time.monotonic() - self.died
        print(f"{self.deployment[0]}: a new run {took:.0f} s after the death")  # noqa: T201
        [found] = fresh()
        assert self.site.state(self.run)["type"] == "CRASHED"
        dead, new = (self.site.ask(f"/flow_runs/{run}")["parameters"] for run in (self.run, found))
        assert {name: value for name, value in new.items() if dead.get(name, value) != value} == {}
        assert new["restarts"] == 1
        return found


def scheduled(run: "dict[str, object]") -> bool:
    """Say whether a run waits for its turn in the schedule."""
    return bool(run["auto_scheduled"])


def results(folder: Path, kind: str) -> list[str]:
    """Return the content digests of all artifacts of a kind."""
    home = "models" if kind == "model" else f"warehouse/{kind}"
    return sorted(
        path.parent.name for path in (folder / "workspace" / home).glob("*/manifest.json")
    )


def reused(folder: Path, run: str) -> list[str]:
    """Return which calls a run did not compute again."""
    workspace = open_workspace(folder / "workspace")
    return [
        record.body["label"]
        for record in workspace.ledger.records()
        if record.kind == "reuse" and record.body["flow_run"] == run
    ]


def test_runs_whose_workers_died_are_taken_over_by_new_ones(tmp_path: Path) -> None:
    undisturbed, a, b = (project(tmp_path / name) for name in ("undisturbed", "mining", "training"))
    with prefect_site(tmp_path / "prefect", PREFECT_WORKER_QUERY_SECONDS="2") as site:
        site.deploy(b)
        training = Victim(site, b, ("retrain", "weekly"), "phrasenet-training")
        training.begin(until_step="train")
        mining = Victim(site, a, ("refresh-phrase-memory", "nightly"), "phrasenet-cpu")
        mining.begin()

        wait_until(lambda: mining.finished("cache/mine/*.json") >= 2, "two mined shards")
        mining.kill()
        shards = mining.finished("cache/mine/*.json")
        wait_until(lambda: training.finished("checkpoints/*.json") > 0, "a checkpoint")
        training.kill()
        assert training.finished("models/*/manifest.json") == 0, "the kill came after the training"

        whole = start(undisturbed, "retrain", "--until", "train")
        for victim in (mining, training):
            site.start_worker(victim.pool)
        # The slots of the dead are free again: a deployment takes one run at a time.
        new = {victim.pool: victim.successor() for victim in (mining, training)}
        for run in new.values():
            site.wait_for(run)
        _, told = whole.communicate(timeout=TIMEOUT_SECONDS)

    assert whole.returncode == 0, told
    assert 2 <= shards < 6, "the kill was to hit the middle of mining"
    again = [label for label in reused(a, new[mining.pool]) if label.startswith("mine")]
    assert len(again) >= shards - 1
    assert len(reused(b, new[training.pool])) > 6, "mining was reused, and training went on"
    for folder, kinds in ((a, MINED), (b, TRAINED)):
        assert_whole(folder / "workspace")
        for kind in kinds:
            assert results(folder, kind) == results(undisturbed, kind) != [], (folder.name, kind)
