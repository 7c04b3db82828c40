"""All deployments on a server of their own, with Postgres where it is: each is run to its end."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.integration.browser import FLAGS, browser_path
from tests.integration.commands import train_briefly
from tests.integration.pager import Pager, listening, make_webhook
from tests.integration.prefect_site import Site, find_postgres, postgres, prefect_site, wait_until
from tests.support import ROOT, copy_tiny

pytestmark = [pytest.mark.server, pytest.mark.slow]

FLOWS = {
    "refresh-phrase-memory": "nightly",
    "evaluate": "on-demand",
    "audit-lineage": "daily",
    "maintain": "upkeep",
}
SCREENSHOTS = "PHRASENET_SCREENSHOTS"
"""Variable that names a folder in which the pictures are kept."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Give a server, with Postgres if this machine has it."""
    with contextlib.ExitStack() as stack:
        variables = {}
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
def deployed(site: Site, pager: Pager, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project that is deployed, with workers for both pools."""
    project = copy_tiny(tmp_path_factory.mktemp("deployed") / "tiny")
    train_briefly(project)
    make_webhook(site, pager.address)
    with (project / "phrasenet.toml").open("a") as stream:
        stream.write('\n[deployment]\ntimezone = "Europe/Lisbon"\nnotify = ["webhook/pager"]\n')
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
    assert len(site.ask("/automations/filter", {})) == 4 + 4 + 1


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


def test_a_failure_and_a_refused_refresh_are_told(site: Site, deployed: Path, pager: Pager) -> None:
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


@pytest.mark.usefixtures("deployed")
@pytest.mark.browser
def test_the_pages_of_the_ui_can_be_looked_at(site: Site, tmp_path: Path) -> None:
    browser = browser_path()
    if browser is None:
        pytest.skip("no headless browser")
    base = site.url.removesuffix("/api")
    nightly = site.ask("/deployments/name/refresh-phrase-memory/nightly")["id"]
    [last] = site.runs_of("refresh-phrase-memory", "nightly")[:1]
    pages = {
        "deployments": "deployments",
        "parameters": f"deployments/deployment/{nightly}/run",
        "run": f"runs/flow-run/{last['id']}",
        "automations": "automations",
    }
    for name, path in pages.items():
        picture = tmp_path / f"{name}.png"
        subprocess.run(
            [
                browser,
                *FLAGS,
                "--virtual-time-budget=20000",
                "--window-size=1400,900",
                f"--user-data-dir={tmp_path / 'profile'}",
                f"--screenshot={picture}",
                f"{base}/{path}",
            ],
            capture_output=True,
            timeout=240,
            check=True,
        )
        assert picture.stat().st_size > 20_000
        if SCREENSHOTS in os.environ:
            shutil.copy(picture, Path(os.environ[SCREENSHOTS]) / picture.name)


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
