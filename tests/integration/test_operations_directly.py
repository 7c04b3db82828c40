"""What keeps a nightly refresh honest, without Prefect: checks before HEAD moves, and backfills."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows import driver, untold
from flows.checking import DRIFT, accept_change
from flows.driver import step_window
from flows.pipeline import Refreshed, refresh
from flows.settings import load_settings
from storage import memory
from storage.errors import InputError, MissingArtifact
from storage.files import write_bytes
from storage.workspace import Workspace, open_workspace
from tasks.check import ChecksFailed
from tasks.past import Past
from tasks.run import Run
from tasks.verify import verify_workspace
from tasks.window import UntilReached
from tasks.withdraw import remove_artifacts
from tests.support import copy_tiny, edit, refresh_directly

DRIFT_ALLOWED = "[checks]\ncompare_from = 1\nmax_rows_lost = 0.6\nmax_memory_change = 1.0"


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project that is up to date, and that has made, but not published, a memory of half
    of its corpus.
    """
    folder = copy_tiny(tmp_path_factory.mktemp("operations") / "tiny")
    file = folder / "phrasenet.toml"
    workspace, _, _ = refresh_directly(file)
    whole = (folder / "pairs.tsv").read_bytes()
    halve_the_corpus(file)
    with workspace.lease(), pytest.raises(UntilReached):
        refresh(Run(workspace, step_window(None, "check")), load_settings(file))
    (folder / "pairs.tsv").write_bytes(whole)
    return folder


@pytest.fixture
def file(tmp_path: Path, refreshed: Path) -> Path:
    """Return the settings of a project whose memory is up to date."""
    shutil.copytree(refreshed, tmp_path / "tiny")
    return tmp_path / "tiny" / "phrasenet.toml"


@pytest.fixture
def accepted() -> Iterator[None]:
    token = accept_change.set(True)
    yield
    accept_change.reset(token)


def add(file: Path, text: str) -> None:
    file.write_text(f"{file.read_text('utf-8')}\n{text}\n", "utf-8")


def head(file: Path) -> str:
    return (file.parent / "workspace" / "memory" / "HEAD").read_text()


def halve_the_corpus(file: Path) -> None:
    corpus = file.parent / "pairs.tsv"
    lines = corpus.read_text("utf-8").splitlines(keepends=True)
    corpus.write_text("".join(lines[: len(lines) // 2 - 2]), "utf-8")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("min_rows = 1000", "check min_rows of tiny is 40, and .checks. allows 1000"),
        ("compare_from = 1", "check max_rows_lost of tiny is 0.55, and .checks. allows 0.5"),
        (
            "compare_from = 1\nmax_rows_lost = 1.0\nmax_memory_change = 0.01",
            "check max_memory_change of the phrase memory is",
        ),
    ],
)
def test_a_breach_stops_the_refresh_before_head_moves(
    file: Path, limits: str, message: str
) -> None:
    before = head(file)
    if "min_rows" not in limits:
        halve_the_corpus(file)
    add(file, f"[checks]\n{limits}")
    with pytest.raises(ChecksFailed, match=message):
        refresh_directly(file)
    assert head(file) == before
    workspace = open_workspace(file.parent / "workspace")
    assert verify_workspace(workspace) == []
    # It stays refused: the second try reuses all and finds the same.
    with pytest.raises(ChecksFailed, match=message):
        refresh_directly(file)


@pytest.mark.usefixtures("accepted")
def test_a_person_may_accept_a_change_but_not_broken_data(file: Path) -> None:
    before = head(file)
    halve_the_corpus(file)
    add(file, "[checks]\ncompare_from = 1\nmax_memory_change = 0.01")
    _, _, run = refresh_directly(file)
    assert head(file) != before
    assert drifted(run, accepted=True, before=before) == ["max_memory_change", "max_rows_lost"]
    edit(file, "compare_from = 1", "min_rows = 1000")
    with pytest.raises(ChecksFailed, match="min_rows"):
        refresh_directly(file)


@pytest.mark.parametrize(("tell_from", "told"), [(0.9, ["max_rows_lost"]), (1.0, [])])
def test_what_drifts_within_its_limits_is_published_and_told(
    file: Path, tell_from: float, told: list[str]
) -> None:
    before = head(file)
    halve_the_corpus(file)
    limits = "max_rows_lost = 0.6\nmax_memory_change = 1.0\nmax_dropped_more = 1.0"
    add(file, f"[checks]\ncompare_from = 1\ntell_from = {tell_from}\n{limits}")
    _, _, run = refresh_directly(file)
    assert head(file) != before
    assert drifted(run, accepted=False, before=before) == told


def test_drift_is_told_though_a_later_stage_fails(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(untold, "tell_drift", lambda *about, **_: told.append(about[-1]))
    halve_the_corpus(file)
    add(file, DRIFT_ALLOWED)
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path)
    run = Run(workspace, step_window(None, None))

    def retrain() -> None:
        with workspace.lease(), driver._told("x", run, settings, driver.Request(str(file))):
            refresh(run, settings)
            raise RuntimeError("no memory on the GPU")

    with pytest.raises(RuntimeError, match="no memory on the GPU"):
        retrain()
    assert told == [run.told[DRIFT]]


def test_drift_that_cannot_be_told_is_left_to_the_next_run_and_said(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(untold, "tell_drift", full)
    halve_the_corpus(file)
    add(file, DRIFT_ALLOWED)
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path)
    run = Run(workspace, step_window(None, None))
    with workspace.lease(), driver._told("x", run, settings, driver.Request(str(file))):
        refresh(run, settings)
    assert "drift of the memory is told by the next run: no space left" in caplog.text
    assert not [item for item in workspace.ledger.records() if item.kind == "told"]


def test_drift_that_a_dead_run_published_is_told_once_by_the_next_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[object, object]] = []
    monkeypatch.setattr(
        untold, "tell_drift", lambda *about, event_id: told.append((about[-1], event_id))
    )
    halve_the_corpus(file)
    add(file, DRIFT_ALLOWED)
    workspace, _, run = refresh_directly(file)  # and its process ended before it told anybody

    def next_run() -> None:
        with workspace.lease():
            again = Run(workspace, step_window(None, None))
            request = driver.Request(str(file))
            with driver._told("x", again, load_settings(file), request):
                refresh(again, load_settings(file))

    next_run()
    assert [about for about, _ in told] == [run.told[DRIFT]]
    next_run()
    assert len(told) == 1
    # It died between the event and its record: the event has the id that it had before.
    (record,) = [item for item in workspace.ledger.records() if item.kind == "told"]
    (file.parent / "workspace" / "ledger" / "records").joinpath(
        f"{record.sequence:012d}.json"
    ).rename(file.parent / "lost")
    untold.tell_untold(open_workspace(workspace.root), str(file))
    assert told[0] == told[1]


@pytest.mark.parametrize("dies_at", ["publish", "HEAD"])
def test_drift_is_told_once_after_a_run_that_died_while_it_published(
    file: Path, monkeypatch: pytest.MonkeyPatch, dies_at: str
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(untold, "tell_drift", lambda *about, **_: told.append(about[-1]))
    halve_the_corpus(file)
    add(file, DRIFT_ALLOWED)
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path)

    def begin() -> None:
        run = Run(workspace, step_window(None, None))
        with workspace.lease(), driver._told("x", run, settings, driver.Request(str(file))):
            refresh(run, settings)

    def die(path: Path, data: bytes) -> None:
        if path.name == "HEAD":
            raise RuntimeError("died")
        write_bytes(path, data)

    with monkeypatch.context() as broken:
        if dies_at == "HEAD":
            broken.setattr(memory, "write_bytes", die)
        else:
            broken.setattr(memory.PhraseMemory, "publish", lambda *_, **__: 1 // 0)
        with pytest.raises((RuntimeError, ZeroDivisionError)):
            begin()
    assert told == [], "nothing was published yet"
    begin()
    assert [item["check"] for item in told[0]["findings"]] == ["max_rows_lost"]
    begin()
    assert len(told) == 1


def drifted(run: Run, *, accepted: bool, before: str) -> list[str]:
    """Return the checks of which a run tells that the memory drifted; check what else it says."""
    if DRIFT not in run.told:
        return []
    told = run.told[DRIFT]
    assert told["accepted"] is accepted
    assert told["before"] == before.strip()
    for found in told["findings"]:
        assert f"check {found['check']} of {found['subject']} is " in found["fact"]
        assert (found["value"] > found["limit"]) is accepted
    return sorted(found["check"] for found in told["findings"])


def test_a_refresh_like_the_last_one_passes(file: Path) -> None:
    before = head(file)
    add(file, "[checks]\ncompare_from = 0\nmax_memory_change = 0.0\nmax_rows_lost = 0.0")
    refresh_directly(file)
    assert head(file) == before


def backfill(file: Path, date: str) -> tuple[Workspace, Refreshed, Run]:
    settings = load_settings(file)
    workspace = open_workspace(settings.workspace_path)
    with workspace.lease():
        run = Run(workspace, step_window(None, None), flow_run="backfill")
        run.past = Past.of(workspace, date)
        body = {"flow": "refresh-phrase-memory", "flow_run": "backfill", "as_of": date}
        workspace.ledger.append("flow", body)
        return workspace, refresh(run, settings), run


def test_a_backfill_makes_the_memory_of_then_and_publishes_nothing(file: Path) -> None:
    first = head(file).strip()
    workspace = open_workspace(file.parent / "workspace")
    [published] = [item for item in workspace.ledger.records() if item.kind == "publish"]
    halve_the_corpus(file)
    refresh_directly(file)
    second, history = head(file), workspace.memory.history()
    # Today's settings on the sources of then, which give another memory than was published then.
    edit(file, "min_count = 2 ", "min_count = 3 ")
    workspace, made, run = backfill(file, published.time)
    assert run.backfilled == made.snapshot.snapshot_id != first
    assert sum(ref.rows for ref in made.raw) == 40
    assert (head(file), workspace.memory.history()) == (second, history)
    assert workspace.memory.as_of(run.backfilled) == made.snapshot
    assert verify_workspace(workspace) == []
    # The next refresh goes on from the one before, and not from the backfill.
    edit(file, "min_count = 3 ", "min_count = 2 ")
    _, _, run = refresh_directly(file)
    assert run.counts["computed"] == 0
    assert head(file) == second
    # With the settings of then, it is the memory of then.
    assert backfill(file, published.time)[1].snapshot.snapshot_id == first


def test_a_backfill_says_what_it_lacks(file: Path) -> None:
    workspace = open_workspace(file.parent / "workspace")
    now = workspace.ledger.last()
    assert now is not None
    with pytest.raises(MissingArtifact, match="Nothing was read of 'dictionary terms' by 2020"):
        backfill(file, "2020-01-01")
    with pytest.raises(InputError, match="'yesterday' is no date"):
        backfill(file, "yesterday")
    with pytest.raises(InputError, match="2999-01-01 lies in the future"):
        backfill(file, "2999-01-01")
    edit(file, "shards = 2", "shards = 3")
    with pytest.raises(MissingArtifact, match="'ingest tiny' was then read with another shards"):
        backfill(file, now.time)
    edit(file, "shards = 3", "shards = 2")
    made = backfill(file, now.time)[1]
    remove_artifacts(workspace, [made.raw[0]])
    with pytest.raises(MissingArtifact, match="'ingest tiny' by .* is not kept any more"):
        backfill(file, now.time)
