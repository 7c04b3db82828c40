"""The lexical scores of a memory are those of the text that it was mined from."""

import json
from collections.abc import Iterable
from math import isclose
from pathlib import Path
from random import Random

import pytest

from flows.cli import main
from storage.datasets import ArtifactRef
from storage.phrase_keys import phrase_key
from storage.workspace import Workspace, open_workspace
from tasks.lexical import Lexical, count_lexical
from tasks.lexical_scores import lexical_scores
from tasks.linked import read_linked
from tasks.mining.association import SentenceCounts, significance
from tasks.mining.candidates import count_phrases
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import LinkedPair
from tasks.mining.lexical_weights import WordLink, lexical_weights
from tasks.recount import Shard
from tasks.step import Before
from tests.property.test_mining_extraction import random_pair
from tests.reference.mining_places import links_plainly, sentences_plainly
from tests.support import copy_tiny, edit, refresh_directly


def linked_pairs(
    workspace: Workspace, pairs: tuple[ArtifactRef, ...], links: tuple[ArtifactRef, ...]
) -> list[LinkedPair]:
    shards = zip(pairs, links, strict=True)
    return [pair for shard in shards for pair in read_linked(workspace, *shard)]


def test_a_snapshot_knows_the_scores_of_what_was_mined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    workspace, refreshed, _ = refresh_directly(project)
    snapshot = refreshed.snapshot
    linked = linked_pairs(workspace, refreshed.pairs, refreshed.links)
    scores = lexical_scores(workspace, snapshot)
    phrases = {row["phrase_id"]: row for row in workspace.read_rows(snapshot.phrases)}
    mined = {key for key, row in phrases.items() if row["origin"] == "mined"}
    assert mined
    assert mined <= scores.keys() <= phrases.keys()
    counts = links_plainly(linked)
    words = {
        (source, target): WordLink(
            number,
            sum(n for (s, _), n in counts.items() if s == source),
            sum(n for (_, t), n in counts.items() if t == target),
        )
        for (source, target), number in counts.items()
    }
    for key, found in scores.items():
        row = phrases[key]
        assert "".join(found.source_words) == row["source"]
        assert " ".join(found.target_words) == row["target"]
        plain = lexical_weights(found.source_words, found.target_words, found.links, words)
        assert (found.forward, found.inverse) == (plain.forward, plain.inverse)
        [held] = sentences_plainly(linked, [(row["source"], row["target"])])
        assert (found.sentences, found.source_sentences, found.target_sentences) == held
        assert isclose(found.significance, significance(SentenceCounts(*held, len(linked))))
    one = min(mined)
    assert lexical_scores(workspace, snapshot, [one]) == {one: scores[one]}
    assert lexical_scores(workspace, snapshot, []) == {}
    _is_shown(project, phrases[one]["source"], capsys)
    edit(project, "shards = 2", "shards = 3")
    _, sharded, _ = refresh_directly(project)
    assert sharded.snapshot == snapshot


def _is_shown(project: Path, source: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["-c", str(project)]
    for command in (["memory", "lookup"], ["audit", "explain"]):
        capsys.readouterr()
        assert main([*command, source, *settings]) == 0
        assert "lexical weights" in capsys.readouterr().out
        assert main([*command, source, "--json", *settings]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert 0 < shown["lexical"]["forward"] <= 1
        if command[0] == "audit":
            line = shown["occurrences"][0]
            first, last = line["source_span"]
            assert line["linked"]
            assert last - first == len(line["source"][1].split())
    table = project.parent / "table"
    assert main(["memory", "export", str(table), "--format", "moses", *settings]) == 0
    lines = [line.split(" ||| ") for line in table.read_text("utf-8").splitlines()]
    (fields,) = [line for line in lines if line[0].replace(" ", "") == source]
    assert len(fields[2].split()) == 4
    assert fields[3]


CONFIG = ExtractionConfig(edges="moses")
MAX_WORDS = 4


def numbered(pairs: Iterable[LinkedPair]) -> dict[str, LinkedPair]:
    """Name pairs as they are, so that a pair that changes keeps its name."""
    return {
        f"{number:03}": (source, target, sorted(set(links)))
        for number, (source, target, links) in enumerate(pairs)
    }


def write_shard(workspace: Workspace, pairs: dict[str, LinkedPair]) -> Shard:
    texts = [
        {"pair_id": name, "source_words": source, "target_words": target}
        for name, (source, target, _) in pairs.items()
    ]
    links = [
        {
            "pair_id": name,
            "source_index": [source for source, _ in linked],
            "target_index": [target for _, target in linked],
        }
        for name, (_, _, linked) in pairs.items()
    ]
    return workspace.write_rows("pairs", texts), workspace.write_rows("links", links)


Phrases = tuple[ArtifactRef, ArtifactRef]


def write_phrases(
    workspace: Workspace, phrases: Iterable[tuple[str, str]], held: Iterable[str]
) -> Phrases:
    """Write likely phrases, and a memory of some sources."""
    candidates = workspace.write_rows(
        "candidates",
        (
            {
                "source": source,
                "target": target,
                "source_key": phrase_key(source),
                "target_key": phrase_key(target),
            }
            for source, target in phrases
        ),
    )
    memory = ({"phrase_id": source, "source": source} for source in held)
    return candidates, workspace.write_rows("phrases", memory)


@pytest.mark.parametrize("seed", range(4))
def test_counting_what_changed_gives_what_counting_everything_gives(
    tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    workspace = open_workspace(tmp_path / "workspace")
    pairs = numbered(random_pair(random) for _ in range(40))
    then = {name: pair for name, pair in pairs.items() if name < "035"}
    now = {name: pair for name, pair in pairs.items() if name > "002"}
    source, target, links = now["010"]
    now["010"] = source, target, links[1:]
    now["011"] = (*source, "银行"), target, links
    counted = count_phrases(pairs.values(), CONFIG, max_words=MAX_WORDS).pairs
    phrases = [*sorted(counted), ("银行银行", "no such phrase")]
    likely = {when: random.sample(phrases, 2 * len(phrases) // 3) for when in ("then", "now")}
    sources = sorted({source for source, _ in phrases})
    held = {when: random.sample(sources, 2 * len(sources) // 3) for when in ("then", "now")}
    if seed == 0:
        likely["now"], held["now"] = likely["then"], held["then"]

    def count(
        place: Workspace, shard: Shard, phrases: Phrases, before: Before | None = None
    ) -> Lexical:
        return count_lexical.function(
            place,
            shard=shard,
            phrases=phrases,
            config=CONFIG,
            max_words=MAX_WORDS,
            before=before,
        )

    old, new = (
        (write_shard(workspace, shard), write_phrases(workspace, likely[when], held[when]))
        for when, shard in (("then", then), ("now", now))
    )
    before = Before({"shard": old[0], "phrases": old[1]}, count(workspace, *old))
    made = count(workspace, *new)
    assert count(workspace, *new, before) == made
    # A shard says nothing of phrases that stand nowhere in it.
    sides = ("source_sentences", "target_sentences")
    assert all(any(row[side] for side in sides) for row in workspace.read_rows(made[2]))
    # Nor of phrases whose source the memory does not hold.
    wanted = {phrase_key(source) for source, _ in likely["now"] if source in held["now"]}
    assert {row["source_key"] for row in workspace.read_rows(made[1])} <= wanted
