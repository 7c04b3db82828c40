"""Cleaning the tiny example without Prefect: which steps a changed limit runs, copies, shards."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows.cleaning import CleanPairs, clean_pairs
from flows.driver import step_window
from flows.settings import load_settings
from storage.datasets import ArtifactRef
from storage.workspace import Workspace, open_workspace
from tasks.align import TRAINING_PAIRS, keep_linked, train_aligner
from tasks.clean import clean, repeats
from tasks.mining.alignment_config import AlignmentConfig
from tasks.observer import Silent
from tasks.run import Run
from tests.conftest import Command
from tests.reference.cleaning_repeats import repeats as reference_repeats
from tests.support import copy_tiny, edit


@dataclass
class Computed(Silent):
    """Remembers which steps were computed."""

    steps: list[str] = field(default_factory=list)

    def finished(self, call: Any, outcome: Any) -> None:
        if outcome.how == "computed":
            self.steps.append(call.step.name)


def cleaned(settings_file: Path) -> tuple[Workspace, CleanPairs, set[str]]:
    """Read and clean; returns also the steps that were computed."""
    config = load_settings(settings_file)
    workspace = open_workspace(config.workspace_path, config.execution.engine)
    seen = Computed()
    with workspace.lease():
        run = Run(workspace, step_window(None, None), observer=seen)
        return workspace, clean_pairs(run, config), set(seen.steps)


def rows_of(workspace: Workspace, refs: tuple[ArtifactRef, ...]) -> list[dict[str, Any]]:
    return [row for ref in refs for row in workspace.read_rows(ref)]


def append(project: Path, text: str) -> None:
    with (project / "pairs.tsv").open("a", encoding="utf-8") as stream:
        stream.write(text)


def test_a_changed_limit_looks_at_no_text_again(tiny: Path) -> None:
    project = tiny / "phrasenet.toml"
    _, before, first = cleaned(project)
    assert {"words", "quality", "judge", "repeats", "clean"} <= first
    edit(project, "[memory]", "[text]\nmax_words = 9\nmin_english = 0.2\n\n[memory]")
    workspace, after, second = cleaned(project)
    assert second == {"judge", "repeats", "clean"}
    assert len(rows_of(workspace, after.pairs)) < len(rows_of(workspace, before.pairs))
    edit(project, "min_english = 0.2", 'min_english = 0.2\nduplicates = "keep"')
    assert cleaned(project)[2] == {"judge", "repeats", "clean"}
    edit(project, "min_english = 0.2", "min_english = 0.2\noverlap_words = 7")
    assert "quality" in cleaned(project)[2]


@pytest.mark.parametrize("shards", [1, 5])
def test_what_is_dropped_does_not_depend_on_shards(tiny: Path, tmp_path: Path, shards: int) -> None:
    other = copy_tiny(tmp_path / "other")
    for project in (tiny, other):
        append(
            project,
            "他昨天买了一本书。\tHe bought a book yesterday.\tz\n"
            "他 昨天 买了一本书\the bought a BOOK yesterday\ta\n"
            "他昨天买了一本书。\tHe bought a book yesterday.\tm\n"
            "他昨天买了一本书。\t<b>He bought a book yesterday.</b>\tb\n",
        )
    edit(other / "phrasenet.toml", "shards = 2", f"shards = {shards}")
    found = []
    for project in (tiny, other):
        workspace, made, _ = cleaned(project / "phrasenet.toml")
        dropped = rows_of(workspace, made.dropped)
        found.append(sorted((row["pair_id"], row["reason"], row["detail"]) for row in dropped))
        reasons = {row["document"]: row["reason"] for row in dropped}
        assert "z" not in reasons
        assert [reasons[name] for name in "amb"] == ["duplicate", "duplicate", "markup"]
        read = {row["pair_id"] for row in rows_of(workspace, made.raw)}
        kept = {row["pair_id"] for row in rows_of(workspace, made.pairs)}
        assert kept | {row["pair_id"] for row in dropped} == read
        assert len(kept) + len(dropped) == len(read) == 44
    assert found[0] == found[1]


@pytest.mark.parametrize(("setting", "documents"), [("exact", {"copy"}), ("keep", set())])
def test_which_copies_count_is_a_setting(tiny: Path, setting: str, documents: set[str]) -> None:
    append(
        tiny,
        "他昨天买了一本书。\tHe bought a book yesterday.\tfirst\n"
        "他昨天买了一本书\tHe bought a book yesterday\tlike\n"
        "他昨天买了一本书。\tHe bought a  book yesterday.\tcopy\n",
    )
    edit(tiny / "phrasenet.toml", "[memory]", f'[text]\nduplicates = "{setting}"\n\n[memory]')
    workspace, made, _ = cleaned(tiny / "phrasenet.toml")
    dropped = [row for row in rows_of(workspace, made.dropped) if row["reason"] == "duplicate"]
    assert {row["document"] for row in dropped} == documents


def test_the_proof_of_an_overlap_names_the_line_of_the_test_set(tiny: Path) -> None:
    english = (tiny / "test.en").read_text(encoding="utf-8").splitlines()
    append(tiny, f"完全不同的话。\t{english[1].upper()}\tleak\n")
    workspace, made, _ = cleaned(tiny / "phrasenet.toml")
    [leak] = [row for row in rows_of(workspace, made.dropped) if row["document"] == "leak"]
    assert leak["reason"] == "in_test_set"
    assert leak["detail"].endswith("in the reference 1 of tiny-test:00000001")


VERDICTS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from("cd"),
        st.sampled_from(["", "", "symbols"]),
        st.sampled_from(["", "k", "l"]),
    ),
    max_size=12,
)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(verdicts=VERDICTS, order=st.permutations([0, 1, 2]))
def test_of_copies_the_first_fit_one_is_kept_whatever_the_order_of_shards(
    workspace: Workspace, verdicts: list[tuple[int, str, str, str]], order: list[int]
) -> None:
    rows = [
        {**_verdict(f"{at * 7 % 13:02d}", corpus, at, key, reason), "shard": shard}
        for at, (shard, corpus, reason, key) in enumerate(verdicts)
    ]
    expected = reference_repeats(rows)
    parts = [[row for row in rows if row["shard"] == shard] for shard in order]
    tables = tuple(workspace.write_rows("verdicts", part) for part in parts)
    found = repeats.function(workspace, verdicts=tables)
    told = {row["pair_id"]: row["first_id"] for row in rows_of(workspace, found)}
    assert told == expected
    for part, table, repeated in zip(parts, tables, found, strict=True):
        words = workspace.write_rows("words", [_words(row["pair_id"]) for row in part])
        pairs, dropped = clean.function(workspace, words=words, verdicts=table, repeated=repeated)
        unfit = {row["pair_id"]: row["reason"] for row in part if row["reason"]}
        twice = {row["pair_id"]: "duplicate" for row in part if row["pair_id"] in expected}
        reasons = {row["pair_id"]: row["reason"] for row in workspace.read_rows(dropped)}
        assert reasons == unfit | twice
        kept = {row["pair_id"] for row in workspace.read_rows(pairs)}
        assert kept == {row["pair_id"] for row in part} - reasons.keys()


def test_repeats_of_one_shard_are_no_matter_of_another(workspace: Workspace) -> None:
    rows = [_verdict(f"{at}", "c", at, key) for at, key in enumerate("kkmn")]
    shards = tuple(
        workspace.write_rows("verdicts", part) for part in (rows[:1], rows[1:2], rows[2:], [])
    )
    before = repeats.function(workspace, verdicts=shards)
    more = workspace.write_rows("verdicts", [*rows[2:], _verdict("5", "c", 5, "n")])
    after = repeats.function(workspace, verdicts=(*shards[:2], more, shards[3]))
    assert [ref.rows for ref in before] == [0, 1, 0, 0]
    assert [ref.rows for ref in after] == [0, 1, 1, 0]
    assert (after[0], after[1], after[3]) == (before[0], before[1], before[3])


def test_after_a_new_pair_only_its_shard_is_cleaned_again(tiny: Path) -> None:
    cleaned(tiny / "phrasenet.toml")
    append(tiny, "他昨天买了一本书。\tHe bought a book yesterday.\tnew\n")
    config = load_settings(tiny / "phrasenet.toml")
    seen = Computed()
    workspace = open_workspace(config.workspace_path, config.execution.engine)
    with workspace.lease():
        clean_pairs(Run(workspace, step_window(None, None), observer=seen), config)
    assert seen.steps.count("repeats") == seen.steps.count("clean") == 1


def _verdict(
    identity: str, corpus: str, position: int, key: str, reason: str = ""
) -> dict[str, Any]:
    return {
        "pair_id": identity,
        "corpus": corpus,
        "document": "",
        "position": position,
        "reason": reason,
        "detail": "",
        "repeat_key": key,
    }


def _words(identity: Any, source: int = 1, target: int = 1) -> dict[str, Any]:
    return {
        "pair_id": identity,
        "corpus": "c",
        "document": "",
        "position": 0,
        "source": "",
        "target": "",
        "source_words": ["词"] * source,
        "target_words": ["word"] * target,
        "rules": [],
    }


def test_an_aligner_is_trained_on_a_sample_that_no_shard_decides(workspace: Workspace) -> None:
    rows = [
        {**_words(f"{at:02}"), "source_words": ["词", f"源{at}"][: 1 + at % 3]} for at in range(20)
    ]
    rows += [_words("too long", 9, 2), _words("empty", 0, 2)]
    whole = (workspace.write_rows("pairs", rows),)
    parts = tuple(workspace.write_rows("pairs", rows[shard::3]) for shard in range(3))
    limits = {"max_words": 8, "most": 5}
    drawn, again = (
        [row["source_words"] for row in workspace.query(TRAINING_PAIRS, {"pairs": refs}, limits)]
        for refs in (whole, parts[::-1])
    )
    assert drawn == again
    assert len(drawn) == 5
    everything = workspace.query(TRAINING_PAIRS, {"pairs": whole}, limits | {"most": 100})
    assert len(everything) == 20, "what cannot be linked trains nothing"
    config = AlignmentConfig(max_words=8, training_pairs=5)
    models = {
        train_aligner.function(workspace, pairs=refs, config=config).digest
        for refs in (whole, parts)
    }
    assert len(models) == 1
    all_pairs = train_aligner.function(workspace, pairs=whole, config=AlignmentConfig(max_words=8))
    assert all_pairs.digest not in models


def test_pairs_of_which_too_little_is_linked_are_dropped_with_their_links(
    workspace: Workspace,
) -> None:
    lengths = {"a": (4, 4), "b": (4, 4), "c": (4, 6), "d": (9, 9)}
    indices = {"a": ([0, 1], [0, 0]), "b": ([], []), "c": ([0, 0, 0], [1, 2, 3]), "d": ([], [])}
    pairs = workspace.write_rows("pairs", [_words(name, *size) for name, size in lengths.items()])
    links = workspace.write_rows(
        "links",
        [
            {"pair_id": name, "source_index": source, "target_index": target}
            for name, (source, target) in indices.items()
        ],
    )
    kept, left, dropped = keep_linked.function(
        workspace,
        pairs=pairs,
        links=links,
        min_linked_share=0.4,
        config=AlignmentConfig(max_words=8),
    )
    assert [row["pair_id"] for row in workspace.read_rows(kept)] == ["c", "d"]
    assert [row["pair_id"] for row in workspace.read_rows(left)] == ["c", "d"]
    assert [
        (row["pair_id"], row["reason"], row["detail"]) for row in workspace.read_rows(dropped)
    ] == [
        ("a", "unaligned", "3 of 8 words are linked"),
        ("b", "unaligned", "0 of 8 words are linked"),
    ]


def test_what_came_in_and_what_was_dropped_can_be_asked(tiny: Path, phrasenet: Command) -> None:
    project = str(tiny / "phrasenet.toml")
    cleaned(Path(project))
    shown = phrasenet("corpus", "stats", "-c", project)
    counts = {line.split()[1]: line.split()[-1] for line in shown.out.splitlines()[1:3]}
    assert counts == {"read": "40", "kept": "37"}
    one = phrasenet("corpus", "dropped", "--reason", "length_ratio", "--json", "-c", project)
    assert one.out.count("\n") == 1
    assert '"detail": "2 and 19 words"' in one.out
    samples = [
        phrasenet("corpus", "sample", "--limit", "3", "--seed", seed, "-c", project).out
        for seed in ("1", "1", "2")
    ]
    assert samples[0] == samples[1] != samples[2]
    for arguments, part in (
        (("dropped", "--reason", "bad"), "--reason bad: nothing was dropped for this reason"),
        (
            ("sample", "--corpus", "bad"),
            "--corpus bad: no such corpus; there are tiny.",
        ),
    ):
        refused = phrasenet("corpus", *arguments, "-c", project)
        assert (refused.code, refused.out) == (2, "")
        assert part in refused.err
