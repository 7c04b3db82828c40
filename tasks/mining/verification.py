"""Keep the phrases that are right where their source stands, with or without a link.

Relative frequencies over extracted pairs (`candidates.py`) say nothing of the sentences in which a
source stood but could not be cut out: a noun whose plural aligns well and whose singular does not
looks as if it were always plural. What the memory needs is how often a phrase would be *right* when
it is offered, so each candidate is looked up once more in the words alone:

    reliability = (found + 1) / (occurrences + 2)

`found` counts the occurrences of the source with the target opposite. Counts of shards are added up
by key.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tasks.mining.candidates import SOURCE_JOINER, TARGET_JOINER
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import PairCounts, candidate_parameters, passes, smoothed

SELECT_RELIABLE = """
WITH used AS (
    SELECT source, target, SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences
    FROM use_counts GROUP BY source, target
), scored AS (
    SELECT source, target, pair_count, source_count, target_count, found, occurrences,
        (found + 1)::DOUBLE / (occurrences + 2)::DOUBLE AS reliability
    FROM candidates JOIN used USING (source, target)
)
SELECT source, target, pair_count, source_count, target_count, found, occurrences, reliability
FROM scored
WHERE reliability >= $min_reliability
ORDER BY source, target
"""
"""Reliable phrases from `candidates` (rows of `SELECT_PHRASES` with `candidate_parameters`) and
`use_counts(source, target, found, occurrences)`, where a key may stand once for each shard; the
columns are those of `ReliablePhrase`. Parameters: `reliable_parameters`."""


def reliable_parameters(config: MemoryConfig) -> dict[str, int | float]:
    """Give the parameters of `SELECT_RELIABLE`."""
    return {"min_reliability": config.min_reliability}


@dataclass(frozen=True, slots=True)
class UseCounts:
    """How often candidates stood in the text, and how often their translation stood opposite."""

    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By (source text, target text): occurrences of the source with an occurrence of the target
    opposite."""
    occurrences: Counter[str] = field(default_factory=Counter)
    """By source text: all occurrences."""


def count_uses(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
    candidates: Mapping[str, Sequence[str]],
    *,
    max_words: int,
) -> UseCounts:
    """Count the uses of candidates in sentence pairs.

    A source occurs where its text begins and ends at word borders, within `max_words` words. If it
    occurs more often than the target does opposite, only as many count as found.

    Args:
        pairs: words of both sides, as they were when the candidates were counted.
        candidates: source text to its target texts.
        max_words: longest source phrase, in words.
    """
    counts = UseCounts()
    for source, target in pairs:
        here = _occurrences(source, candidates, max_words)
        if not here:
            continue
        opposite = f"{TARGET_JOINER}{TARGET_JOINER.join(target)}{TARGET_JOINER}"
        for text, number in here.items():
            counts.occurrences[text] += number
            for translation in candidates[text]:
                held = opposite.count(f"{TARGET_JOINER}{translation}{TARGET_JOINER}")
                counts.found[text, translation] += min(number, held)
    return counts


def _occurrences(
    words: Sequence[str], wanted: Mapping[str, object], max_words: int
) -> Counter[str]:
    found: Counter[str] = Counter()
    for start in range(len(words)):
        text = ""
        for word in words[start : start + max_words]:
            text = f"{text}{SOURCE_JOINER}{word}"
            if text in wanted:
                found[text] += 1
    return found


@dataclass(frozen=True, slots=True)
class ReliablePhrase:
    """A row of `SELECT_RELIABLE`."""

    source: str
    target: str
    pair_count: int
    source_count: int
    target_count: int
    found: int
    """Occurrences of the source with an occurrence of the target opposite."""
    occurrences: int
    """Occurrences of the source."""
    reliability: float
    """Smoothed found / occurrences, between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All counts on which a mined phrase rests."""

    extracted: PairCounts
    found: int
    occurrences: int

    def minus(self, other: "Evidence") -> "Evidence":
        """Take the counts of some sentences away."""
        return Evidence(
            self.extracted.minus(other.extracted),
            self.found - other.found,
            self.occurrences - other.occurrences,
        )


def still_verified(counts: Evidence, minus: Evidence, config: MemoryConfig) -> bool:
    """Say whether a phrase would pass both sieves without some sentences (leave-one-out).

    Args:
        counts: over the whole training text.
        minus: over the sentence that is tagged and its duplicates alone, each duplicate counted.
        config: the thresholds; with `leave_one_out` off nothing is taken away.
    """
    left = counts.minus(minus) if config.leave_one_out else counts
    return (
        passes(left.extracted, candidate_parameters(config))
        and smoothed(left.found, left.occurrences) >= config.min_reliability
    )


def by_source(candidates: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Arrange the sources and targets of candidates as `count_uses` wants them."""
    found: dict[str, tuple[str, ...]] = {}
    for source, target in candidates:
        found[source] = (*found.get(source, ()), target)
    return found
