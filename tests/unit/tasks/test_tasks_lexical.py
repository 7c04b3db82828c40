"""The lexical scores of a memory are those of the text that it was mined from."""

import json
from math import isclose
from pathlib import Path

import pytest

from flows.cli import main
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.lexical_scores import lexical_scores
from tasks.linked import read_linked
from tasks.mining.association import SentenceCounts, significance
from tasks.mining.extraction import LinkedPair
from tasks.mining.lexical_weights import WordLink, lexical_weights
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
