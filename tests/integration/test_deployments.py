"""All deployments on a server of their own, with Postgres where it is: each is run to its end."""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.integration.commands import train_briefly
from tests.integration.pager import Pager, listening, mailbox, make_block, make_webhook
from tests.integration.prefect_site import Site, find_postgres, postgres, prefect_site, wait_until
from tests.integration.tab import browsing
from tests.support import ROOT, copy_tiny

pytestmark = [pytest.mark.server, pytest.mark.slow]

FLOWS = {
    "refresh-phrase-memory": "nightly",
    "evaluate": "on-demand",
    "audit-lineage": "daily",
    "maintain": "upkeep",
}
DEPLOYMENT = """
[deployment]
timezone = "Europe/Lisbon"
notify = ["webhook/pager", "slack-webhook/mail"]
"""
DRIFT_ALLOWED = """
[checks]
compare_from = 1
tell_from = 0.4
max_memory_change = 1.0

[refresh]
retrain_share = 1.0
"""
SCREENSHOTS = "PHRASENET_SCREENSHOTS"
"""Variable that names a folder in which the pictures are kept."""
PAGES: dict[str, tuple[str, tuple[int, int], list[str]]] = {
    "deployments": ("deployments", (1640, 600), ["nightly", "refresh-phrase-memory", "every day"]),
    "deployment": (
        "deployments/deployment/{nightly}?tab=Description",
        (1500, 470),
        ["Data checks stop it before the memory changes", "nightly-0200", "phrasenet-cpu"],
    ),
    "parameters": (
        "deployments/deployment/{nightly}/run",
        (1200, 1170),
        ["accept_change", "backfill a past date", "stop after this step"],
    ),
    "run": ("runs/flow-run/{run}", (1400, 940), ["Completed", "nightly", "Task runs"]),
    "automations": ("automations", (1200, 900), ["mark runs without heartbeat as crashed"]),
}
"""Address, size of the picture and what must be there to read, by name."""
TO_STEPS = """(() => {
    const named = (element) => !element.children.length && element.innerText === "Task Runs";
    const found = [...document.querySelectorAll("body *")].find(named);
    found?.click();
    return Boolean(found);
})()"""
"""Opens the list of steps below the graph of a run."""
SETTLED_SECONDS = 20.0
"""Time for what no text tells of, such as the graph of a run."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a server, with Postgres if this machine has it."""
    with contextlib.ExitStack() as stack:
        variables = {"PREFECT_WORKER_QUERY_SECONDS": "2"}
        with contextlib.suppress(pytest.skip.Exception):
            find_postgres()
            address = stack.enter_context(postgres())
            variables["PREFECT_API_DATABASE_CONNECTION_URL"] = address
        folder = tmp_path_factory.mktemp("site")
        yield stack.enter_context(prefect_site(folder, **variables))


@pytest.fixture(scope="module")
def pager() -> Iterator[Pager]:
    with listening() as made:
        yield made


@pytest.fixture(scope="module")
def mails() -> Iterator[Pager]:
    with mailbox() as made:
        yield made


@pytest.fixture(scope="module")
def deployed(
    site: Site, pager: Pager, mails: Pager, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a project that is deployed, with workers for both pools."""
    project = copy_tiny(tmp_path_factory.mktemp("deployed") / "tiny")
    train_briefly(project)
    make_webhook(site, pager.address)
    make_block(site, "slack-webhook/mail", {"url": mails.address})
    with (project / "phrasenet.toml").open("a") as stream:
        stream.write(DEPLOYMENT)
    made = site.deploy(project)
    assert sorted(made["deployments"]) == ["daily", "nightly", "on-demand", "upkeep", "weekly"]
    again = site.deploy(project)
    assert again == made, "a second deployment replaces the first"
    for pool in made["pools"]:
        site.start_worker(pool)
    return project


@pytest.mark.usefixtures("deployed")
def test_schedules_time_zone_limits_and_tags_are_on_the_server(site: Site) -> None:
    nightly = site.ask("/deployments/name/refresh-phrase-memory/nightly")
    [schedule] = nightly["schedules"]
    assert schedule["active"]
    assert schedule["schedule"]["cron"] == "0 2 * * *"
    assert schedule["schedule"]["timezone"] == "Europe/Lisbon"
    assert nightly["global_concurrency_limit"]["limit"] == 1
    assert set(nightly["tags"]) == {"phrasenet", "memory"}
    assert site.ask("/work_pools/phrasenet-training")["concurrency_limit"] == 1
    assert len(site.ask("/automations/filter", {})) == 4 + 5 + 1


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize("flow", FLOWS)
def test_each_flow_is_started_and_completes(site: Site, flow: str) -> None:
    site.wait_for(site.run(flow, FLOWS[flow]))


@pytest.mark.usefixtures("deployed")
def test_a_refresh_that_changed_much_started_a_retraining(site: Site) -> None:
    def by_automation() -> list[dict[str, Any]]:
        runs = site.runs_of("retrain", "weekly")
        return [run for run in runs if (run["created_by"] or {}).get("type") == "AUTOMATION"]

    wait_until(lambda: bool(by_automation()), "the retraining")
    site.wait_for(by_automation()[0]["id"])


def test_a_schedule_fires_by_itself(site: Site, deployed: Path, tmp_path: Path) -> None:
    document = yaml.safe_load((ROOT / "prefect.yaml").read_text("utf-8"))
    [daily] = [item for item in document["deployments"] if item["name"] == "daily"]
    schedule = {"cron": "* * * * *", "timezone": "UTC", "slug": "each-minute", "active": True}
    each_minute = {**daily, "name": "each-minute", "schedules": [schedule]}
    file = tmp_path / "prefect.yaml"
    file.write_text(yaml.safe_dump({**document, "deployments": [each_minute]}))
    site.deploy(deployed, file)

    def completed() -> bool:
        runs = site.runs_of("audit-lineage", "each-minute")
        return any(run["auto_scheduled"] and run["state_type"] == "COMPLETED" for run in runs)

    wait_until(completed, "a scheduled run")
    found = site.ask("/deployments/name/audit-lineage/each-minute")
    site.ask(f"/deployments/{found['id']}", method="DELETE")
    site.deploy(deployed)


def test_a_memory_that_drifted_is_published_and_told(
    site: Site, deployed: Path, pager: Pager, mails: Pager
) -> None:
    file, corpus = deployed / "phrasenet.toml", deployed / "pairs.tsv"
    text, pairs = file.read_text("utf-8"), corpus.read_text("utf-8")
    before = (deployed / "workspace" / "memory" / "HEAD").read_text()
    file.write_text(text + DRIFT_ALLOWED)
    corpus.write_text("".join(pairs.splitlines(keepends=True)[:-10]))
    site.wait_for(site.run("refresh-phrase-memory", "nightly"))
    corpus.write_text(pairs)
    site.wait_for(site.run("refresh-phrase-memory", "nightly"))
    file.write_text(text)
    fact = "check max_rows_lost of tiny is 0.25, and [checks] allows 0.5: 40 rows before, 30 now.\n"
    for place in (pager, mails):
        told = place.wait_for("phrasenet: the memory drifted")
        assert fact in told
        assert f"`phrasenet memory diff {before[:12]}` shows the phrases" in told


def test_a_failure_and_a_refused_refresh_are_told(
    site: Site, deployed: Path, pager: Pager, mails: Pager
) -> None:
    file = deployed / "phrasenet.toml"
    text = file.read_text("utf-8")
    file.write_text(f"{text}\n[checks]\nmin_rows = 1000\n")
    head = (deployed / "workspace" / "memory" / "HEAD").read_text()
    run = site.run("refresh-phrase-memory", "nightly")
    state = site.wait_for(run, "FAILED")
    file.write_text(text)
    assert "check min_rows of tiny is 40, and [checks] allows 1000" in state["message"]
    assert (deployed / "workspace" / "memory" / "HEAD").read_text() == head
    for words in ("phrasenet: a run failed", "phrasenet: a refresh was refused"):
        pager.wait_for(words)
        assert "oncall@example.org" in mails.wait_for(words)


@pytest.mark.usefixtures("deployed")
@pytest.mark.browser
def test_the_pages_of_the_ui_show_what_an_operator_looks_for(site: Site, tmp_path: Path) -> None:
    nightly = site.ask("/deployments/name/refresh-phrase-memory/nightly")["id"]
    runs = site.runs_of("refresh-phrase-memory", "nightly")
    done = next(run["id"] for run in runs if run["state_type"] == "COMPLETED")
    with browsing(tmp_path) as browser:
        for name, (path, size, words) in PAGES.items():
            url = f"{site.url.removesuffix('/api')}/{path.format(nightly=nightly, run=done)}"
            with browser.visited(url, *size) as tab:
                for word in words:
                    tab.until(f"document.body.innerText.includes({json.dumps(word)})")
                if name == "run":
                    tab.until(TO_STEPS)
                    tab.until("document.body.innerText.includes('check')")
                if SCREENSHOTS in os.environ:
                    time.sleep(SETTLED_SECONDS)
                    tab.picture(Path(os.environ[SCREENSHOTS]) / f"{name}.png")


def test_upkeep_removes_old_runs_and_the_ledger_keeps_them(site: Site, deployed: Path) -> None:
    [first, *_] = [run for run in site.runs_of("evaluate", "on-demand") if run["end_time"]]
    with (deployed / "phrasenet.toml").open("a") as stream:
        stream.write("\n[maintenance]\nrun_days = 0\n")
    site.wait_for(site.run("maintain", "upkeep", dry_run=True))
    assert first["id"] in {run["id"] for run in site.runs_of("evaluate", "on-demand")}
    site.wait_for(site.run("maintain", "upkeep"))
    assert first["id"] not in {run["id"] for run in site.runs_of("evaluate", "on-demand")}
    records = (deployed / "workspace" / "ledger" / "records").glob("*.json")
    assert any(first["id"] in path.read_text() for path in records)
