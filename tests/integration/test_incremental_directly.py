"""A refresh after a change gives what mining everything with the same aligner gives."""

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from storage.workspace import Workspace
from tests.support import copy_tiny, edit, refresh_directly

Lines = list[str]
ALWAYS_SAVED = "[refresh]\nmax_drift = 1.0\n\n[memory]"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project whose memory was refreshed, with an aligner that is kept."""
    folder = copy_tiny(tmp_path_factory.mktemp("first") / "tiny")
    edit(folder / "phrasenet.toml", "[memory]", ALWAYS_SAVED)
    edit(folder / "phrasenet.toml", 'count_by = "sentences"', 'count_by = "documents"')
    edit(folder / "phrasenet.toml", "min_reliability = 0.7", "min_reliability = 0.6")
    lines = (folder / "pairs.tsv").read_text().splitlines()
    spread = [
        line.rpartition("\t")[0] + f"\tspread-{place % 9}" for place, line in enumerate(lines)
    ]
    (folder / "pairs.tsv").write_text("\n".join([*spread, *lines[::2]]) + "\n")
    edit(folder / "phrasenet.toml", "[memory]", '[text]\nduplicates = "keep"\n\n[memory]')
    refresh_directly(folder / "phrasenet.toml")
    return folder


def added_document(lines: Lines) -> Lines:
    return [*lines, *(line.rpartition("\t")[0] + "\tnew" for line in lines[3:6])]


def changed_lines(lines: Lines) -> Lines:
    return [
        line.replace("The ", "Then the ") if place in (2, 20) else line
        for place, line in enumerate(lines)
    ]


def removed_lines(lines: Lines) -> Lines:
    return [line for place, line in enumerate(lines) if place not in (0, 7, 30)]


def lines_elsewhere(lines: Lines) -> Lines:
    return [
        line.rpartition("\t")[0] + "\tspread-1" if place in (5, 6) else line
        for place, line in enumerate(lines)
    ]


def lines_without_document(lines: Lines) -> Lines:
    return [*lines, *(line.rpartition("\t")[0] + "\t" for line in lines[:2])]


def all_mixed_up(lines: Lines) -> Lines:
    shuffled = removed_lines(added_document(lines_elsewhere(changed_lines(lines))))
    random.Random(5).shuffle(shuffled)
    return shuffled


CHANGES: Sequence[Callable[[Lines], Lines]] = (
    added_document,
    changed_lines,
    removed_lines,
    lines_elsewhere,
    lines_without_document,
    all_mixed_up,
)


def forget_results(workspace: Workspace) -> None:
    """Make a workspace mine everything again, with its aligner."""
    for folder in (workspace.root / "cache").iterdir():
        if folder.name not in ("aligner", "drift"):
            shutil.rmtree(folder)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(change, marks=[] if change is all_mixed_up else [pytest.mark.slow])
        for change in CHANGES
    ],
)
def test_a_refresh_after_a_change_is_that_of_everything(
    first: Path, tmp_path: Path, change: Callable[[Lines], Lines]
) -> None:
    project = Path(shutil.copytree(first, tmp_path / "project"))
    path = project / "pairs.tsv"
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")
    workspace, quick, run = refresh_directly(project / "phrasenet.toml")
    continued = {
        record.body["step"] for record in workspace.ledger.records() if "continued" in record.body
    }
    counting = {"mine", "sequences", "contexts", "overhangs", "confirm", "rule-uses"}
    assert {"words", "quality", "align", "lexical-counts"} | counting <= continued
    forget_results(workspace)
    _, slow, _ = refresh_directly(project / "phrasenet.toml")
    for part in ("raw", "pairs", "links", "dropped"):
        assert getattr(quick, part) == getattr(slow, part)
    assert quick.snapshot == slow.snapshot


def test_a_source_that_is_removed_leaves_nothing_behind(first: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(first, tmp_path / "project"))
    settings, lines = project / "phrasenet.toml", (project / "pairs.tsv").read_text().splitlines()
    (project / "more.tsv").write_text("\n".join(lines[::3]) + "\n")
    alone = settings.read_text()
    corpus = '[[corpus]]\nname = "more"\npath = "more.tsv"\nlicence = "Apache-2.0"\n\n'
    settings.write_text(alone.replace("[[corpus]]", f"{corpus}[[corpus]]", 1))
    workspace, with_more, _ = refresh_directly(settings)
    evidence = workspace.read_rows(with_more.snapshot.evidence)
    assert "more" in {row["provider"] for row in evidence}
    settings.write_text(alone)
    _, quick, _ = refresh_directly(settings)
    forget_results(workspace)
    _, never, _ = refresh_directly(settings)
    assert quick.snapshot == never.snapshot
    evidence = workspace.read_rows(quick.snapshot.evidence)
    assert "more" not in {row["provider"] for row in evidence}
