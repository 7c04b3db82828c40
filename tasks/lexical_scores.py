"""The lexical weights and the significance of the phrases of a snapshot, worked out of its counts.

They are no columns of the snapshot, since sums of fractions could differ from run to run; and a new
sentence would change those of nearly all phrases.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.mining.association import SentenceCounts, significance
from tasks.mining.lexical_weights import WordLink, WordLinks, lexical_weights, word_pairs
from tasks.mining.phrase_places import read_links

ALIGNMENTS = """
SELECT * FROM alignments
WHERE len($phrase_ids) = 0 OR phrase_id IN (SELECT UNNEST($phrase_ids))
ORDER BY phrase_id
"""
WORD_LINKS = """
SELECT * FROM word_links
WHERE len($sources) = 0 OR source IN (SELECT UNNEST($sources))
ORDER BY source, target
"""
"""Rows of a snapshot; an empty list as parameter asks for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalScores:
    """What the links inside of a mined phrase say, and how many sentence pairs hold it."""

    source_words: tuple[str, ...]
    """As it was cut most often."""
    target_words: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    """`(source word, target word)` from 0: the alignment that was seen most often."""
    link_count: int
    """How often it was cut and linked so."""
    forward: float
    """Lexical weight of the target given the source, between 0 and 1."""
    inverse: float
    """Lexical weight of the source given the target, between 0 and 1."""
    significance: float
    """-ln of the probability that both stand together so often by chance, in nats."""
    sentences: int
    """Sentence pairs that hold both sides, linked or not."""
    source_sentences: int
    target_sentences: int
    total_sentences: int


def lexical_scores(
    workspace: Workspace, snapshot: Snapshot, phrase_ids: Iterable[str] | None = None
) -> dict[str, LexicalScores]:
    """Return the scores of phrases by id; of all of a snapshot if no ids are given.

    A phrase that was not mined has none, nor has any where a snapshot is older than these counts or
    they were withdrawn.
    """
    asked = None if phrase_ids is None else sorted(set(phrase_ids))
    tables = snapshot.alignments, snapshot.word_links
    if asked == [] or tables[0] is None or tables[1] is None:
        return {}
    if not all(map(workspace.holds, (tables[0], tables[1]))):
        return {}
    rows = workspace.query(ALIGNMENTS, {"alignments": tables[0]}, {"phrase_ids": asked or []})
    sources = {source for row in rows for source, _ in word_pairs(row)} if asked else set()
    found = workspace.query(WORD_LINKS, {"word_links": tables[1]}, {"sources": sorted(sources)})
    words = {(row.pop("source"), row.pop("target")): WordLink(**row) for row in found}
    return {row["phrase_id"]: _scores(row, words) for row in rows}


def _scores(row: Mapping[str, Any], words: WordLinks) -> LexicalScores:
    source, target = row["source_words"].split(), row["target_words"].split()
    links = read_links(row["links"])
    weights = lexical_weights(source, target, links, words)
    counts = SentenceCounts(
        row["sentences"], row["source_sentences"], row["target_sentences"], row["total_sentences"]
    )
    return LexicalScores(
        source_words=tuple(source),
        target_words=tuple(target),
        links=tuple(links),
        link_count=row["count"],
        forward=weights.forward,
        inverse=weights.inverse,
        significance=significance(counts),
        sentences=counts.both,
        source_sentences=counts.source,
        target_sentences=counts.target,
        total_sentences=counts.total,
    )
