"""`phrasenet run` as users call it, with the private Prefect server that it brings along."""

import json
import shutil
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from flows.private_server import prefect_server
from tests.integration.commands import (
    assert_no_server,
    phrasenet,
    start,
    train_briefly,
    wait_for_line,
)
from tests.support import assert_whole, copy_tiny, edit, files_below

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Return a tiny project that was run once, and what the run answered."""
    folder = copy_tiny(tmp_path_factory.mktemp("finished") / "tiny")
    train_briefly(folder)
    return folder, phrasenet(folder, "run", "--json")


@pytest.fixture
def project(finished: tuple[Path, Any], tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished[0], tmp_path / "project"))


@pytest.fixture
def fresh(finished: tuple[Path, Any], tmp_path: Path) -> Path:
    """Return a tiny project with an empty workspace, but for the database of Prefect."""
    folder = copy_tiny(tmp_path / "fresh")
    (folder / "workspace" / "prefect").mkdir(parents=True)
    for name in ("phrasenet-workspace.json", "prefect/prefect.db"):
        shutil.copy(finished[0] / "workspace" / name, folder / "workspace" / name)
    return folder


def summary_of(answer: Any) -> dict[str, Any]:
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def task_runs(workspace: Path, flow_run: str) -> list[tuple[str, str]]:
    """Return name and state of the task runs that Prefect's database holds of a flow run."""
    with sqlite3.connect(workspace / "prefect" / "prefect.db") as connection:
        found = connection.execute(
            "SELECT name, state_name FROM task_run WHERE replace(flow_run_id, '-', '') = ?",
            (flow_run.replace("-", ""),),
        ).fetchall()
    connection.close()
    return sorted(found)


def digests(folder: Path) -> list[str]:
    return [
        name
        for name in files_below(folder / "workspace")
        if name.endswith("manifest.json") and not name.startswith("reports/")
    ]


def test_a_first_run_does_everything_and_loses_no_record(finished: tuple[Path, Any]) -> None:
    folder, answer = finished
    summary = summary_of(answer)
    assert summary["reused"] == 0
    assert summary["computed"] >= 20
    assert f"Done: {summary['computed']} steps computed, 0 reused." in answer.stderr
    assert Path(summary["report"]).is_file()
    runs = task_runs(folder / "workspace", summary["flow_run"])
    assert len(runs) == summary["computed"]
    assert {state for _, state in runs} == {"Completed"}
    assert_no_server(answer.stderr)
    assert_whole(folder / "workspace")


def test_a_second_run_reuses_everything_and_says_so(project: Path) -> None:
    before = digests(project)
    answer = phrasenet(project, "run", "--json")
    summary = summary_of(answer)
    assert summary["computed"] == 0
    assert f"Everything is up to date: all {summary['reused']} steps were reused" in answer.stderr
    runs = task_runs(project / "workspace", summary["flow_run"])
    assert len(runs) == summary["reused"]
    assert {state for _, state in runs} == {"Cached"}
    assert digests(project) == before
    assert_no_server(answer.stderr)


def test_a_deleted_artifact_is_made_again_until_the_step_asked_for(project: Path) -> None:
    before = digests(project)
    links = project / "workspace" / "warehouse" / "links"
    shutil.rmtree(links)
    answer = phrasenet(project, "refresh", "--until", "align", "--json")
    assert summary_of(answer)["computed"] == 2
    assert "(was damaged, made again)" in answer.stderr
    assert "\nselect" not in answer.stderr
    assert digests(project) == before
    assert phrasenet(project, "audit", "verify").returncode == 0


def test_a_run_from_a_step_takes_the_earlier_ones_as_they_were(project: Path) -> None:
    edit(project / "phrasenet.toml", "[memory]", "[text]\nmax_words = 12\n\n[memory]")
    answer = phrasenet(project, "refresh", "--from", "mine", "--json")
    summary = summary_of(answer)
    assert summary["computed"] == 0
    lines = answer.stderr.splitlines()
    [line] = [line for line in lines if line.startswith("judge tiny 1/2")]
    assert "taken  as it last was, although setting config.max_words was" in line


def test_ctrl_c_ends_with_130_and_leaves_no_server(fresh: Path) -> None:
    process = start(fresh, "refresh")
    said = wait_for_line(process, "words")
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=120)
    assert process.returncode == 130, rest
    assert "Interrupted. What was finished is kept; run again to go on." in rest
    assert "Traceback" not in rest
    assert_no_server(said)
    assert_whole(fresh / "workspace")


def test_a_mistake_ends_with_2_and_leaves_no_server(fresh: Path) -> None:
    edit(fresh / "pairs.tsv", "The new traffic plan will begin next year.\tnews-1", "news-1")
    answer = phrasenet(fresh, "refresh")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "pairs.tsv, line 2: expected 3 tab-separated columns" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert_no_server(answer.stderr)
    assert_whole(fresh / "workspace")


def test_a_killed_run_leaves_no_server_for_long(fresh: Path) -> None:
    process = start(fresh, "refresh")
    said = wait_for_line(process, "Workspace")
    process.kill()
    process.communicate(timeout=60)
    assert_no_server(said, patience_seconds=30)


def test_of_two_runs_at_once_one_works_and_the_other_waits_or_says_who(fresh: Path) -> None:
    first = start(fresh, "refresh", "--json")
    wait_for_line(first, "Workspace")
    waiting = start(fresh, "refresh", "--wait", "200", "--json")
    refused = phrasenet(fresh, "refresh")
    assert refused.returncode == 2
    assert f"is in use: process {first.pid} on " in refused.stderr
    one, _ = first.communicate(timeout=200)
    other, said = waiting.communicate(timeout=200)
    assert json.loads(one)["reused"] == 0
    assert json.loads(other)["computed"] == 0, said
    assert_whole(fresh / "workspace")


def test_a_server_that_is_configured_is_used(fresh: Path, tmp_path: Path) -> None:
    import os

    from storage.workspace import open_workspace

    before = dict(os.environ)
    os.environ.pop("PREFECT_API_URL", None)
    try:
        elsewhere = open_workspace(tmp_path / "elsewhere").root
        shutil.move(fresh / "workspace" / "prefect", elsewhere)
        with prefect_server(elsewhere) as server:
            server.wait()
            url = server.url
            answer = phrasenet(fresh, "refresh", "--json", PREFECT_API_URL=url)
    finally:
        os.environ.clear()
        os.environ.update(before)
    summary = summary_of(answer)
    assert len(task_runs(elsewhere, summary["flow_run"])) == summary["computed"]
    assert f"watch at {url.removesuffix('/api')}" in answer.stderr
    assert not (fresh / "workspace" / "prefect" / "prefect.db").exists()


def test_a_configured_server_that_does_not_answer_is_a_message(fresh: Path) -> None:
    answer = phrasenet(fresh, "refresh", PREFECT_API_URL="http://127.0.0.1:9/api")
    assert answer.returncode == 2
    assert "no Prefect server answers there" in answer.stderr
