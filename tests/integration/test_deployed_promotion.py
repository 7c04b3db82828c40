"""A retraining of a deployment asks a person, who answers in Prefect; refusals are told.

A real server, a worker, and a receiver of notifications: the run is suspended, its process ends,
the answer comes through the API as from the form of the UI, and a worker starts the run again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from storage.workspace import Workspace
from tasks.verify import verify_workspace
from tests.integration.commands import train_briefly
from tests.integration.pager import Pager, listening, make_webhook
from tests.integration.prefect_site import ENDED, Site, prefect_site, wait_until
from tests.support import assert_whole, copy_tiny, edit

pytestmark = [pytest.mark.server, pytest.mark.slow]

SETTINGS = """
[promotion]
automatic = true
approval = true

[deployment]
notify = ["webhook/pager"]
"""


@dataclass
class Promotions:
    """A deployed project whose new models wait for a person."""

    site: Site
    pager: Pager
    folder: Path
    workspace: Workspace

    def retrain(self, epochs: int) -> str:
        """Start a retraining that makes another model; returns the run."""
        file = self.folder / "phrasenet.toml"
        before = next(line for line in file.read_text().splitlines() if line.startswith("epochs"))
        edit(file, before, f"epochs = {epochs}")
        return self.site.run("retrain", "weekly")

    def suspended(self, epochs: int) -> str:
        """Start a retraining and wait until it asks; returns the run."""
        run = self.retrain(epochs)
        asks = {"PAUSED", *ENDED}
        wait_until(lambda: self.site.state(run)["type"] in asks, f"the question of run {run}")
        state = self.site.state(run)
        assert (state["type"], state["name"]) == ("PAUSED", "Suspended"), self.site.logs(run)
        return run

    def answer(self, run: str, *, approve: bool, reason: str) -> None:
        """Answer as the form of the UI does, and wait until the run is through."""
        given = {"approve": approve, "name": "the chief editor", "reason": reason}
        told = self.site.ask(f"/flow_runs/{run}/resume", {"run_input": given})
        assert told["status"] == "ACCEPT", told
        self.site.wait_for(run)

    def decision(self) -> dict[str, Any]:
        """Return the last decision of the ledger."""
        made = [record for record in self.workspace.ledger.records() if record.kind == "decision"]
        return dict(made[-1].body)

    def newest_model(self) -> str:
        """Return the model that was registered last."""
        entries = self.workspace.registry.entries()
        return max(entries, key=lambda entry: entry.registered).model_id


@pytest.fixture
def promotions(tmp_path: Path) -> Iterator[Promotions]:
    folder = copy_tiny(tmp_path / "tiny")
    train_briefly(folder)
    with (folder / "phrasenet.toml").open("a") as stream:
        stream.write(SETTINGS)
    fast = {"PREFECT_WORKER_QUERY_SECONDS": "2"}
    with prefect_site(tmp_path / "prefect", **fast) as site, listening() as pager:
        make_webhook(site, pager.address)
        site.deploy(folder)
        site.start_worker("phrasenet-training")
        yield Promotions(site, pager, folder, Workspace(folder / "workspace"))


def test_a_person_decides_in_prefect_and_refusals_are_told(promotions: Promotions) -> None:
    workspace, pager = promotions.workspace, promotions.pager
    run = promotions.suspended(1)
    with workspace.lease():  # nobody holds it while the person thinks
        assert workspace.production.current() is None
    first = promotions.newest_model()
    assert first[:12] in pager.wait_for("phrasenet: a model waits for approval")
    promotions.answer(run, approve=True, reason="names are right")
    assert workspace.production.current() == first
    said = promotions.decision()
    assert (said["decision"], said["author"], said["reason"]) == (
        "promote",
        "the chief editor",
        "names are right",
    )
    assert (said["approved"], said["forced"]) == (True, False)

    run = promotions.suspended(2)
    second = promotions.newest_model()
    assert second != first
    promotions.answer(run, approve=False, reason="not this week")
    assert workspace.production.current() == first, "the old model stays"
    said = promotions.decision()
    assert (said["decision"], said["model"], said["reason"]) == (
        "refuse-promotion",
        second,
        "not this week",
    )

    edit(
        promotions.folder / "phrasenet.toml",
        "approval = true",
        'refuse_conditions = ["attribution"]',
    )
    run = promotions.retrain(3)
    promotions.site.wait_for(run)
    third = promotions.newest_model()
    told = pager.wait_for("phrasenet: a model was refused")
    assert f"model {third[:12]}: licences: its sources ask for attribution" in told
    assert workspace.production.current() == first
    assert promotions.decision()["rules"] == ["licences"]
    # Events get into the database in batches.
    name = "phrasenet.promotion.refused"
    wait_until(lambda: bool(events(promotions.site, name)), f"the event {name}", 120)
    [event] = events(promotions.site, name)
    assert event["payload"]["model"] == third

    assert verify_workspace(workspace) == []
    assert_whole(workspace.root)


def events(site: Site, name: str) -> list[dict[str, Any]]:
    """Return the events of a name that the server knows."""
    chosen = {"filter": {"event": {"name": [name]}}}
    found: list[dict[str, Any]] = site.ask("/events/filter", chosen)["events"]
    return found
