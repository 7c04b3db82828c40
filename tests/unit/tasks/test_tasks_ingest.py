"""Reading sources into tables: ids that stay, nothing lost, and the origin of each pair."""

import contextlib
import gzip
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.records import pair_id
from storage.workspace import Workspace
from tasks.arguments import source_file
from tasks.ingest import ingest, testset
from tasks.readers import batches
from tasks.readers.corpora import Origin, pieces_of
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.lines import count_lines
from tasks.readers.testset_config import TestsetForm
from tasks.readers.tsv import ColumnNames
from tasks.side_by_side import Each, side_by_side

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


@contextlib.contextmanager
def here(processes: int) -> Iterator[Each]:
    """Do the work of all processes in this one."""
    with side_by_side(1) as each:
        yield each


Results = tuple[tuple[ArtifactRef, ...], ArtifactRef]


def read_by(
    workspace: Workspace, paths: list[Path], form: CorpusForm, shards: int, processes: int
) -> Results | str:
    """Read a corpus with so many processes; returns the tables, or the message."""
    many = replace(workspace, engine=replace(workspace.engine, processes=processes))
    origins = tuple(Origin(path.name, "CC0-1.0") for path in paths)
    parts = tuple((source_file(path),) for path in paths)
    try:
        return ingest.function(many, parts=parts, origins=origins, form=form, shards=shards)
    except InputError as error:
        return str(error)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@example([LINES, ["甲\ta"]], LAX, 1, 2, 20)  # the last file is no batch of its own
@example([["丙\tc"] * 9 + [""]], LAX, 1, 2, 1)  # no batch has one
@given(
    files=st.lists(st.lists(st.sampled_from(LINES), max_size=16), min_size=1, max_size=3),
    form=st.sampled_from([LAX, replace(LAX, on_bad_line="stop")]),
    shards=st.sampled_from([1, 3, 8]),
    processes=st.integers(2, 4),
    least=st.sampled_from([1, 20, 50]),
)
def test_nothing_depends_on_how_a_corpus_is_divided(
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[list[str]],
    form: CorpusForm,
    shards: int,
    processes: int,
    least: int,
) -> None:
    paths = [tmp_path / f"{number}.tsv" for number in range(len(files))]
    for path, texts in zip(paths, files, strict=True):
        path.write_text("\n".join(texts), encoding="utf-8")
    whole = read_by(workspace, paths, form, shards, 1)
    monkeypatch.setattr(batches, "LEAST_BYTES", least)
    module = sys.modules[ingest.function.__module__]
    monkeypatch.setattr(module, "side_by_side", here)
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    assert read_by(workspace, paths, form, shards, processes) == whole


def test_a_large_file_is_read_by_several_processes(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"甲{at % 7}\ta{at % 7}\td{at % 3}\n" for at in range(200)))
    whole = read_by(workspace, [path], LAX, 3, 1)
    monkeypatch.setattr(batches, "LEAST_BYTES", 500)
    assert read_by(workspace, [path], LAX, 3, 2) == whole
    with path.open("a") as stream:
        stream.write("乙\n" + "甲\ta\td\n" * 50 + "丙\n")
    bad = read_by(workspace, [path], replace(LAX, on_bad_line="stop"), 3, 2)
    assert f"{path}, line 201: expected 3 tab-separated columns" in str(bad)


def test_large_compressed_files_are_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "LEAST_BYTES", 4)
    plain, packed = tmp_path / "a.tsv", tmp_path / "b.tsv.gz"
    plain.write_text("甲\ta\td\n" * 6)
    packed.write_bytes(gzip.compress(b"b\tb\td\n" * 6))
    pieces = pieces_of([(plain,), (packed,)], [Origin("a", ""), Origin("b", "")])
    made = batches.batches(LAX, pieces, 2, lambda spans: [count_lines(*span) for span in spans])
    files = [piece.origin.name for batch in made for piece in batch]
    assert files.count("a") > 1
    assert files.count("b") == 1
    lines_before = [piece.span.lines_before for batch in made for piece in batch]
    assert lines_before == sorted(lines_before[:-1]) + [0]
