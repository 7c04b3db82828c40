"""Why phrases go with a law that is withdrawn, and why some of its lines may come back: counted for
`benchmarks/withdrawal.py`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Any

from benchmarks.measuring import say
from storage.lineage import lineage_of
from storage.workspace import Elsewhere, Workspace
from tasks.audit_tables import raw_tables, training_pairs
from tasks.lineage.held_elsewhere import Sentence, held_by, sentence_of
from tasks.lineage.tombstones import MIN_SENTENCE_WORDS
from tasks.mining.config import MemoryConfig

OF_CORPUS = "SELECT source, target FROM raw_pairs WHERE corpus = $corpus ORDER BY pair_id"
GONE = """
SELECT source, target FROM phrases
WHERE phrase_id IN (SELECT UNNEST($phrase_ids)) ORDER BY phrase_id
"""
HELD = """
SELECT phrases.source, phrases.target, COUNT(*) AS sources,
    COUNT(*) FILTER (contains(
        ' ' || array_to_string(target_words, ' ') || ' ', ' ' || phrases.target || ' '
    )) AS pairs
FROM phrases JOIN pairs ON contains(replace(pairs.source, ' ', ''), phrases.source)
WHERE phrases.phrase_id IN (SELECT UNNEST($phrase_ids))
GROUP BY ALL
"""
"""In how many pairs a phrase's source stands, and in how many of them its target, too."""


def say_why_gone(
    workspace: Workspace, config: MemoryConfig, before: Elsewhere, gone: Sequence[str]
) -> None:
    """Say what the remaining pairs still say of the phrases that are gone.

    Args:
        workspace: after the withdrawal.
        config: when a phrase is kept.
        before: the phrases of before it.
        gone: ids of those that are gone.
    """
    head = workspace.memory.head()
    assert head is not None
    pairs = training_pairs(lineage_of(workspace), head, workspace)
    asked = {"phrase_ids": list(gone)}
    held = {
        (row["source"], row["target"]): row
        for row in workspace.query(HELD, {"phrases": before, "pairs": pairs}, asked)
    }
    reasons = Counter(
        _why_gone(held.get((row["source"], row["target"])), config)
        for row in workspace.query(GONE, {"phrases": before}, asked)
    )
    for reason, number in reasons.most_common():
        say(f"    of these, {reason}: {number:,}")


def _why_gone(held: Mapping[str, Any] | None, config: MemoryConfig) -> str:
    if held is None or held["pairs"] == 0:
        return "no remaining pair holds both sides"
    if held["pairs"] < config.min_count:
        return f"fewer than {config.min_count} remaining pairs hold both sides"
    if held["pairs"] / held["sources"] < config.min_reliability:
        return f"less than {config.min_reliability} of the remaining pairs with its source"
    return "enough pairs, but not enough links of the aligner that was trained again"


def say_why_taken_in(workspace: Workspace, others: Sequence[str]) -> None:
    """Say why lines of the law that was withdrawn could come back: no side of them may be a
    sentence of the law's own."""
    tables = raw_tables(lineage_of(workspace), workspace, "raw_pairs")
    rows = workspace.query(OF_CORPUS, {"raw_pairs": tables}, {"corpus": "again"})
    sides = [
        (sentence_of(row["source"], is_source=True), sentence_of(row["target"], is_source=False))
        for row in rows
    ]
    held = held_by({side for pair in sides for side in pair if side is not None}, others)
    reasons = Counter(tuple(_why_free(side, held) for side in pair) for pair in sides)
    for (source, target), number in reasons.most_common():
        say(f"    of these, Chinese {source}, English {target}: {number:,}")


def _why_free(side: Sentence | None, held: Set[Sentence]) -> str:
    if side is None:
        return f"shorter than {MIN_SENTENCE_WORDS} words"
    return "held by another source" if side in held else "the law's own (a fault)"
