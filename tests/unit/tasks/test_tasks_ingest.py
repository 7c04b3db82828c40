"""Reading sources into tables: ids that stay, nothing lost, and the origin of each pair."""

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.records import pair_id
from storage.workspace import Workspace
from tasks.arguments import source_file
from tasks.ingest import ingest, testset
from tasks.readers.corpora import Origin
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.testset_config import TestsetForm
from tasks.readers.tsv import ColumnNames

LINES = ["甲\ta\td1", "乙\tb\td2", "甲\ta\td1", "丙\tc", "甲\ta\td2", "甲\ta\td1", "", "丁\td\td3"]


def read(
    workspace: Workspace, path: Path, form: CorpusForm, shards: int = 1
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return all raw pairs in the order of the file, and what was set aside."""
    refs, aside = ingest.function(
        workspace,
        parts=((source_file(path),),),
        origins=(Origin(path.name, "CC0-1.0"),),
        form=form,
        shards=shards,
    )
    rows = [row for ref in refs for row in workspace.read_rows(ref)]
    return sorted(rows, key=lambda row: row["position"]), list(workspace.read_rows(aside))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


LAX = CorpusForm(name="own", format="tsv", on_bad_line="drop")


@pytest.mark.parametrize("shards", [1, 3])
def test_kept_and_set_aside_add_up_to_what_was_read(
    workspace: Workspace, corpus: Path, shards: int
) -> None:
    rows, aside = read(workspace, corpus, LAX, shards)
    assert len(rows) + len(aside) == len(LINES)
    assert aside == [
        {"corpus": "own", "number": 0, "file": "pairs.tsv", "line": 4, "reason": "columns",
         "text": "丙\tc"}
    ]  # fmt: skip
    assert [row["line"] for row in rows] == [1, 2, 3, 5, 6, 7, 8]
    assert {(row["file"], row["licence"]) for row in rows} == {("pairs.tsv", "CC0-1.0")}


def test_a_bad_line_stops_unless_the_user_says_otherwise(
    workspace: Workspace, corpus: Path
) -> None:
    with pytest.raises(InputError, match=r"pairs\.tsv, line 4: expected 3 tab-separated"):
        read(workspace, corpus, CorpusForm(name="own", format="tsv"))


@pytest.mark.parametrize("shards", [1, 4])
def test_ids_count_the_repetitions_within_a_document(
    workspace: Workspace, corpus: Path, shards: int
) -> None:
    rows, _ = read(workspace, corpus, LAX, shards)
    seen: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        content = (row["document"], row["source"], row["target"])
        assert row["pair_id"] == pair_id("own", *content, seen[content])
        seen[content] += 1
    assert max(seen.values()) == 3


def test_a_line_more_renames_no_other_pair(workspace: Workspace, corpus: Path) -> None:
    before, _ = read(workspace, corpus, LAX)
    corpus.write_text("新\tnew\td9\n" + corpus.read_text(), encoding="utf-8")
    after, _ = read(workspace, corpus, LAX)
    assert [row["pair_id"] for row in after[1:]] == [row["pair_id"] for row in before]


def test_a_shard_holds_whole_documents(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"句{n}\ts{n}\td{n % 7}\n" for n in range(70)), encoding="utf-8")
    refs, _ = ingest.function(
        workspace,
        parts=((source_file(path),),),
        origins=(Origin("pairs.tsv", "x"),),
        form=CorpusForm(name="own", format="tsv"),
        shards=3,
    )
    found = [{row["document"] for row in workspace.read_rows(ref)} for ref in refs]
    assert sum(map(len, found)) == len(set().union(*found)) == 7


def test_the_pairs_of_several_files_name_their_file_as_document(
    workspace: Workspace, tmp_path: Path
) -> None:
    files = []
    for name in ("a.jsonl", "b.jsonl.gz"):
        data = '{"source": "雨", "target": "rain"}\n'.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        files.append(path)
    form = CorpusForm(
        name="own", format="jsonl", columns=ColumnNames(source="source", target="target")
    )
    refs, _ = ingest.function(
        workspace,
        parts=tuple((source_file(path),) for path in files),
        origins=tuple(Origin(path.name, "x") for path in files),
        form=form,
        shards=1,
    )
    rows = list(workspace.read_rows(refs[0]))
    assert {(row["document"], row["file"]) for row in rows} == {(p.name, p.name) for p in files}


def test_a_corpus_in_which_nothing_is_a_pair_is_refused(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("one column\nonly\n")
    with pytest.raises(InputError, match="expected at least one sentence pair, found none"):
        read(workspace, path, LAX)


def test_sentences_of_a_test_set_that_cannot_be_scored_are_kept_aside(
    workspace: Workspace, tmp_path: Path
) -> None:
    source, reference = tmp_path / "t.zh", tmp_path / "t.en"
    source.write_text("甲\n\n丙\n", encoding="utf-8")
    reference.write_text("a\nb\nc\n", encoding="utf-8")

    def tables(form: TestsetForm) -> tuple[ArtifactRef, ArtifactRef]:
        return testset.function(
            workspace,
            source=source_file(source),
            references=(source_file(reference),),
            form=form,
        )

    with pytest.raises(InputError, match="line 2: expected a sentence, found an empty line"):
        tables(TestsetForm(name="t"))
    kept, aside = tables(TestsetForm(name="t", on_bad_line="drop"))
    assert [row["sentence_id"] for row in workspace.read_rows(kept)] == ["t:00000000", "t:00000002"]
    assert [row["reason"] for row in workspace.read_rows(aside)] == ["empty_source"]
