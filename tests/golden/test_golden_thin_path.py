"""What the tiny example gives, as texts that a reviewer can read; refreshed once for all tests
here.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from flows.pipeline import Refreshed, tag
from flows.settings import load_settings
from storage.workspace import Workspace
from tests.conftest import Golden
from tests.support import copy_tiny, refresh_directly


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Workspace, Refreshed, Any]:
    folder = copy_tiny(tmp_path_factory.mktemp("golden") / "tiny")
    workspace, refreshed, run = refresh_directly(folder / "phrasenet.toml")
    return folder, workspace, refreshed, run


def table(rows: Iterable[Mapping[str, Any]], *columns: str) -> str:
    """Write rows as lines of tab-separated columns, sorted."""
    return "".join(sorted("\t".join(_cell(row[name]) for name in columns) + "\n" for row in rows))


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def test_phrases(made: Any, golden: Golden) -> None:
    _, workspace, refreshed, _ = made
    text = table(
        workspace.read_rows(refreshed.snapshot.phrases),
        *("source", "target", "category", "origin", "state", "reliability", "evidence_count"),
    )
    golden("tiny/phrases.tsv", text)


def test_dropped_pairs(made: Any, golden: Golden) -> None:
    _, workspace, refreshed, _ = made
    rows = [row for ref in refreshed.dropped for row in workspace.read_rows(ref)]
    kept = sum(ref.rows for ref in refreshed.pairs)
    assert kept + len(rows) == sum(ref.rows for ref in refreshed.raw) == 40
    golden("tiny/dropped.tsv", table(rows, "document", "position", "reason"))


def test_words(made: Any, golden: Golden) -> None:
    _, workspace, refreshed, _ = made
    rows = [row for item in refreshed.testsets for row in workspace.read_rows(item.words)]
    golden("tiny/test_words.tsv", table(rows, "pair_id", "source_words", "target_words"))


def test_slots(made: Any, golden: Golden) -> None:
    folder, workspace, refreshed, run = made
    tagged = tag(run, load_settings(folder / "phrasenet.toml"), refreshed)
    rows = [
        {"sentence": row["sentence_id"], **slot}
        for _, ref in tagged.held_out
        for row in workspace.read_rows(ref)
        for slot in row["slots"]
    ]
    golden(
        "tiny/test_slots.tsv",
        table(rows, "sentence", "slot", "start", "end", "source", "target", "category", "origin"),
    )


def test_the_ledger_holds_no_text(made: Any) -> None:
    """A withdrawal purges text without breaking the chain, so no text may be in it."""
    _, workspace, refreshed, _ = made
    history = b"".join(path.read_bytes() for path in (workspace.root / "ledger").rglob("*.json"))
    texts = {
        row[side]
        for ref in refreshed.raw
        for row in workspace.read_rows(ref)
        for side in ("source", "target", "document")
    }
    texts |= {row["source"] for row in workspace.read_rows(refreshed.snapshot.phrases)}
    assert [text for text in texts if len(text) > 1 and text.encode() in history] == []
