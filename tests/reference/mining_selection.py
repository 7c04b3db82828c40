"""What the queries of mining select, in plain Python."""

from collections.abc import Sequence

from tasks.mining.candidates import PhraseCounts
from tasks.mining.config import MemoryConfig
from tasks.mining.selection import PairCounts, ScoredPair, passes, smoothed
from tasks.mining.uses import Uses
from tasks.mining.verification import WHOLE_PERCENT, ReliablePhrase


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


def _four(used: Uses) -> tuple[int, int, int, int]:
    return used.found, used.occurrences, used.found_documents, used.documents


def _is_part(one: ReliablePhrase, other: ReliablePhrase) -> bool:
    """Say whether the target of one phrase mostly stands inside of the other's."""
    words, longer = one.target.split(" "), other.target.split(" ")
    starts = range(len(longer) - len(words) + 1)
    is_inside = any(longer[at : at + len(words)] == words for at in starts)
    is_other = one.source == other.source and one.target != other.target
    return is_other and is_inside and 100 * other.found >= WHOLE_PERCENT * one.found


def select_reliable_plainly(
    candidates: Sequence[ScoredPair], uses: Sequence[Uses], config: MemoryConfig
) -> list[ReliablePhrase]:
    """Do what `SELECT_RELIABLE` does, for candidates with their uses."""
    phrases = []
    for candidate, used in zip(candidates, uses, strict=True):
        key = candidate.source, candidate.target
        counts = candidate.pair_count, candidate.source_count, candidate.target_count
        score = smoothed(used.found, used.occurrences)
        if config.count_by == "documents":
            score = min(score, smoothed(used.found_documents, used.documents))
        if used.occurrences and score >= config.min_reliability:
            phrases.append(ReliablePhrase(*key, *counts, *_four(used), score))
    phrases = [each for each in phrases if not any(_is_part(each, other) for other in phrases)]
    best = {
        source: max((p.pair_count, p.found) for p in phrases if p.source == source)
        for source in {phrase.source for phrase in phrases}
    }
    kept = [
        phrase for phrase in phrases if (phrase.pair_count, phrase.found) == best[phrase.source]
    ]
    return sorted(kept, key=lambda phrase: (phrase.source, phrase.target))
