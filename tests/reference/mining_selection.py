"""What the queries of mining select, in plain Python."""

from collections.abc import Iterable

from tasks.mining.candidates import PhraseCounts
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import PairCounts, ScoredPair, passes, smoothed
from tasks.mining.verification import ReliablePhrase, UseCounts


def select_plainly(counts: PhraseCounts, parameters: dict[str, int | float]) -> list[ScoredPair]:
    """Do what `SELECT_PHRASES` does, for counts that fit in memory."""
    found = []
    for (source, target), count in sorted(counts.pairs.items()):
        here = PairCounts(count, counts.sources[source], counts.targets[target])
        if passes(here, parameters):
            reliability = smoothed(count, here.source)
            reverse = smoothed(count, here.target)
            found.append(
                ScoredPair(source, target, count, here.source, here.target, reliability, reverse)
            )
    return found


def select_reliable_plainly(
    candidates: Iterable[ScoredPair], uses: UseCounts, config: MemoryConfig
) -> list[ReliablePhrase]:
    """Do what `SELECT_RELIABLE` does, for counts that fit in memory."""
    phrases = []
    for candidate in sorted(candidates, key=lambda c: (c.source, c.target)):
        key = candidate.source, candidate.target
        if key in uses.found:
            found, occurrences = uses.found[key], uses.occurrences[candidate.source]
            reliability = smoothed(found, occurrences)
            counts = candidate.pair_count, candidate.source_count, candidate.target_count
            if reliability >= config.min_reliability:
                phrases.append(ReliablePhrase(*key, *counts, found, occurrences, reliability))
    return phrases
