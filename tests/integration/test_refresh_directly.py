"""A refresh of the tiny example without Prefect: line ends, shards, settings and repair."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.pipeline import Refreshed
from flows.planning import plan
from flows.stages import evaluate_stages
from storage.workspace import Workspace
from tests.support import assert_whole, copy_tiny, edit, refresh_directly


def rows_of(workspace: Workspace, refreshed: Refreshed, part: str) -> list[dict[str, Any]]:
    return [row for ref in getattr(refreshed, part) for row in workspace.read_rows(ref)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tiny project whose memory was refreshed; copy it before a change."""
    folder = copy_tiny(tmp_path_factory.mktemp("finished") / "tiny")
    refresh_directly(folder / "phrasenet.toml")
    return folder


@pytest.fixture
def project(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "project"))


@pytest.mark.parametrize("shards", [1, 3, 7])
def test_results_do_not_depend_on_shards(finished: Path, tiny: Path, shards: int) -> None:
    edit(tiny / "phrasenet.toml", "shards = 2", f"shards = {shards}")
    one, refreshed_one, _ = refresh_directly(tiny / "phrasenet.toml")
    two, refreshed_two, _ = refresh_directly(finished / "phrasenet.toml")
    assert len(refreshed_one.raw) == shards
    assert refreshed_one.snapshot == refreshed_two.snapshot
    for kind in ("candidates", "neighbours", "nestings", "context_weights", "corpus_counts"):
        digests = [
            sorted(path.name for path in (item.root / "warehouse" / kind).iterdir())
            for item in (one, two)
        ]
        assert digests[0] == digests[1]


def with_byte_order_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def with_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def without_last_line_end(data: bytes) -> bytes:
    return data.removesuffix(b"\n")


@pytest.mark.parametrize("change", [with_byte_order_mark, with_crlf, without_last_line_end])
def test_marks_and_line_ends_make_no_difference(
    finished: Path, tiny: Path, change: Callable[[bytes], bytes]
) -> None:
    for name in ("pairs.tsv", "terms.tsv", "test.zh", "test.en"):
        path = tiny / name
        path.write_bytes(change(path.read_bytes()))
    _, changed, _ = refresh_directly(tiny / "phrasenet.toml")
    _, plain, _ = refresh_directly(finished / "phrasenet.toml")
    assert changed == plain


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x0c", "\r"])
def test_a_line_separator_inside_a_sentence_shifts_nothing(tiny: Path, separator: str) -> None:
    edit(tiny / "pairs.tsv", "新的交通计划将", f"新的交通{separator}计划将")
    workspace, refreshed, _ = refresh_directly(tiny / "phrasenet.toml")
    raw = rows_of(workspace, refreshed, "raw")
    assert len(raw) == 40
    odd = [row for row in raw if separator in row["source"]]
    assert [(row["line"], row["target"]) for row in odd] == [
        (2, "The new traffic plan will begin next year.")
    ]


def test_empty_sides_are_set_aside_with_a_reason(tiny: Path) -> None:
    with (tiny / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write("\tNothing on the left.\tempty\n没有英文。\t\tempty\n \t \tempty\n")
    workspace, refreshed, _ = refresh_directly(tiny / "phrasenet.toml")
    dropped = [
        row for row in rows_of(workspace, refreshed, "dropped") if row["document"] == "empty"
    ]
    assert [row["reason"] for row in dropped] == ["empty_side"] * 3
    assert len(rows_of(workspace, refreshed, "raw")) == 43
    kept = {row["pair_id"] for row in rows_of(workspace, refreshed, "pairs")}
    assert not kept & {row["pair_id"] for row in dropped}


def test_no_sentence_of_a_test_set_is_trained_on(tiny: Path) -> None:
    source = (tiny / "test.zh").read_text().splitlines()[0]
    with (tiny / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write(f"{source}\tAnother translation.\tleak\n")
    workspace, refreshed, _ = refresh_directly(tiny / "phrasenet.toml")
    leaked = [row for row in rows_of(workspace, refreshed, "dropped") if row["document"] == "leak"]
    assert [row["reason"] for row in leaked] == ["in_test_set"]


def test_an_inserted_line_renames_no_other_pair(finished: Path, tiny: Path) -> None:
    path = tiny / "pairs.tsv"
    path.write_text("第一行。\tThe first line.\tnews-0\n" + path.read_text())
    new, refreshed_new, _ = refresh_directly(tiny / "phrasenet.toml")
    old, refreshed_old, _ = refresh_directly(finished / "phrasenet.toml")
    before = {row["pair_id"] for row in rows_of(old, refreshed_old, "raw")}
    after = {row["pair_id"] for row in rows_of(new, refreshed_new, "raw")}
    assert before < after
    assert len(after) == len(before) + 1


def test_a_second_refresh_computes_nothing(project: Path) -> None:
    _, _, run = refresh_directly(project / "phrasenet.toml")
    assert run.counts["computed"] == 0
    assert run.counts["reused"] > 10
    assert_whole(project / "workspace")


def test_moving_the_project_computes_nothing(project: Path, tmp_path: Path) -> None:
    moved = project.rename(tmp_path / "elsewhere")
    _, _, run = refresh_directly(moved / "phrasenet.toml")
    assert run.counts["computed"] == 0


def test_every_kind_of_artifact_is_made_again_with_its_digest(project: Path) -> None:
    warehouse = project / "workspace" / "warehouse"
    before = sorted(path.relative_to(warehouse) for path in warehouse.glob("*/*"))
    assert len(before) > 10
    shutil.rmtree(warehouse)
    _, _, run = refresh_directly(project / "phrasenet.toml")
    # All pairs have enough links, and all likely sources a reliable target, so what is kept of them
    # is what was just made again.
    assert run.counts["reused"] == 3
    assert sorted(path.relative_to(warehouse) for path in warehouse.glob("*/*")) == before
    assert_whole(project / "workspace")


def test_a_changed_setting_recomputes_what_it_shapes_and_status_names_it(project: Path) -> None:
    edit(project / "phrasenet.toml", "min_reliability = 0.7", "min_reliability = 0.8")
    planned = plan(project / "phrasenet.toml", evaluate_stages)
    found = {call.label: call.reasons for call in planned if call.step in ("mine", "select")}
    assert found["mine tiny 1/2"] == ()
    assert found["select"] == ("setting config.min_reliability was 0.7, is 0.8",)
    _, _, run = refresh_directly(project / "phrasenet.toml")
    # select, reliable, contexts, term-units and overhangs for both shards, term-totals,
    # judge-terms for both parts, terms, settle for both parts, collect, lexical-counts for both
    # shards, lexical, check
    assert run.counts["computed"] == 19


def test_a_changed_source_file_is_named(project: Path) -> None:
    edit(project / "terms.tsv", "library", "public library")
    [call] = plan(project / "phrasenet.toml", evaluate_stages, "dictionary")
    assert len(call.reasons) == 1
    assert call.reasons[0].startswith("input file")
    _, _, run = refresh_directly(project / "phrasenet.toml")
    # dictionary, lexicon, listed, confirm and contexts for both shards, judge-terms and settle for
    # both parts, collect, lexical-counts for both shards, lexical, and check
    assert run.counts["computed"] == 16


def test_deleting_the_cache_recomputes_and_changes_nothing(project: Path) -> None:
    shutil.rmtree(project / "workspace" / "cache")
    workspace, refreshed, run = refresh_directly(project / "phrasenet.toml")
    assert run.counts["reused"] == 0
    assert workspace.memory.head() == refreshed.snapshot
    assert len(workspace.memory.history()) == 1
