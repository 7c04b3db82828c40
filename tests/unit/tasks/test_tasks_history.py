"""Why a call has to be computed again: each difference is named, nothing else is."""

from pathlib import Path
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.ledger import Ledger
from storage.workspace import Workspace
from tasks.arguments import as_json
from tasks.history import History, why_changed
from tasks.progress import Progress, add_listener, listen, track
from tasks.verify import verify_workspace
from tests.support import flip_byte, write_counts

FACTS: dict[str, Any] = {
    "code": "c1",
    "settings": {"config": {"min_count": 2, "categories": ["date", "time"]}},
    "inputs": {"pairs": [as_json("x", ArtifactRef("pairs", "a" * 32, 1))]},
    "versions": {"numpy": "2.4", "python": "3.11"},
    "schemas": {"links": 1},
}


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({}, []),
        (
            {"settings": {"config": {"min_count": 3, "categories": ["date", "time"]}}},
            ["setting config.min_count was 2, is 3"],
        ),
        (
            {"settings": {"config": {"min_count": 2, "categories": ["date"]}}},
            ["setting config.categories[1] is no longer there"],
        ),
        (
            {"settings": {**FACTS["settings"], "lowercase": True}},
            ["setting lowercase is new: True"],
        ),
        (
            {"inputs": {"pairs": [as_json("x", ArtifactRef("pairs", "b" * 32, 1))]}},
            ["input pairs[0] was pairs aaaaaaaaaaaa, is pairs bbbbbbbbbbbb"],
        ),
        (
            {"versions": {"numpy": "2.5", "python": "3.11"}},
            ["library numpy was 2.4, is 2.5"],
        ),
        ({"schemas": {"links": 2}}, ["schema links was 1, is 2"]),
        (
            {"code": "c2"},
            [
                "function tasks.mine:gone is no longer there",
                "function tasks.mine:mine changed",
                "function tasks.mine:new is new",
            ],
        ),
    ],
)
def test_each_difference_is_named(change: dict[str, Any], reasons: list[str]) -> None:
    before = {"tasks.mine:mine": "1", "tasks.mine:gone": "1", "tasks.mine:same": "1"}
    now = {"tasks.mine:mine": "2", "tasks.mine:new": "1", "tasks.mine:same": "1"}
    assert why_changed(FACTS, {**FACTS, **change}, before, now) == reasons


def test_a_code_digest_whose_functions_were_not_kept_is_still_a_reason() -> None:
    assert why_changed(FACTS, {**FACTS, "code": "c2"}, {}, {}) == ["code: the step's code changed"]


def test_a_reuse_brings_the_record_of_its_computation_back(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    one = {"key": "k1", "label": "mine x", "step": "mine"}
    two = {"key": "k2", "label": "mine x", "step": "mine"}
    for kind, body in (("run", one), ("run", two), ("decision", {}), ("reuse", one)):
        ledger.append(kind, body)
    history = History.of(ledger)
    assert history.keys == {"k1", "k2"}
    assert history.last_by_label["mine x"]["key"] == "k1"


def test_progress_is_told_to_all_who_listen_and_only_of_long_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Progress] = []
    listen("mine", (told.append,))
    assert list(track([1, 2, 3], total=3, unit="pairs")) == [1, 2, 3]
    assert told == []
    monkeypatch.setattr("tasks.progress.FIRST_AFTER_SECONDS", 0.0)
    monkeypatch.setattr("tasks.progress.EVERY_SECONDS", 0.0)
    others: list[Progress] = []
    add_listener(others.append)
    list(track([2, 3], total=5, unit="words", size=float, note=lambda item: f"loss {item}"))
    listen("", ())
    assert [(item.done, item.share, item.label) for item in told] == [
        (2.0, 0.4, "mine"),
        (5.0, 1.0, "mine"),
    ]
    assert others == told
    assert "100%, 5 of 5 words" in str(told[1])
    assert str(told[1]).endswith("loss 3")


def test_verifying_names_what_was_damaged_by_its_record(workspace: Workspace) -> None:
    ref = write_counts(workspace)
    body = {"key": "k", "label": "x", "step": "x", "outputs": [ref.to_json()]}
    workspace.ledger.append("run", body)
    assert verify_workspace(workspace) == []
    part = workspace.folder_of(ref) / "part-00000.parquet"
    flip_byte(part, 70)
    assert verify_workspace(workspace) == [f"record 0: {part} was changed after it was written"]
    record = workspace.root / "ledger" / "records" / "000000000000.json"
    record.write_bytes(b"{}")
    assert verify_workspace(workspace) == ["record 0 was changed after it was written"]
