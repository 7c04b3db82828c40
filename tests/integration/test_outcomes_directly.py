"""What became of every source is counted and shown: dictionaries and test sets beside corpora."""

from pathlib import Path
from typing import Any

from flows.workspaces import current_pairs
from storage.workspace import Workspace
from tasks.corpus_queries import CorpusTables, Wanted, corpus_stats, dropped_pairs
from tests.support import refresh_directly

SETTINGS = """
[workspace]
path = "work"

[[corpus]]
name = "own"
path = "pairs.tsv"
on_bad_line = "drop"
licence = "CC0-1.0"

[[dictionary]]
name = "own"
path = "terms.tsv"
licence = "CC0-1.0"

[[testset]]
name = "own"
source = "test.zh"
references = ["test.en"]
on_bad_line = "drop"
"""
FILES = {
    "pairs.tsv": "今天有雨\tit rains today\td\n只有一列\n明天有雪\tit snows tomorrow\td\n",
    "terms.tsv": "海港\tharbour\n灯塔\t\n",
    "test.zh": "下雨了\n\n下雪了\n",
    "test.en": "rain\nlost\nsnow\n",
}


def refreshed(folder: Path) -> tuple[Workspace, CorpusTables]:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = folder / "phrasenet.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    refresh_directly(settings)
    return current_pairs(settings)


def test_kept_dropped_and_set_aside_add_up_for_every_source(tmp_path: Path) -> None:
    workspace, tables = refreshed(tmp_path)
    counts: dict[str, dict[str, int]] = {}
    for row in corpus_stats(workspace, tables):
        counts.setdefault(row["corpus"], {})[row["outcome"]] = row["pairs"]
    assert {name: found.pop("read") for name, found in counts.items()} == {
        "own": 3,
        "dictionary own": 2,
        "testset own": 3,
    }
    assert [sum(found.values()) for found in counts.values()] == [3, 2, 3]
    assert counts["dictionary own"] == {"kept": 1, "set aside: no_translation": 1}
    assert counts["testset own"] == {"kept": 2, "set aside: empty_source": 1}

    def shown(corpus: str) -> list[tuple[Any, ...]]:
        rows = dropped_pairs(workspace, tables, Wanted(corpus=corpus))
        return [(row["file"], row["line"], row["reason"], row["source"]) for row in rows]

    assert shown("dictionary own") == [("terms.tsv", 2, "no_translation", "灯塔\t")]
    assert shown("testset own") == [("test.zh", 2, "empty_source", "lost")]
    assert ("pairs.tsv", 2, "columns", "只有一列") in shown("own")
