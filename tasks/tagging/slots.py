"""Choose which matches become slots, and mark the slots whose target the reference holds.

Longest first, not leftmost: of [a b] and [b c d] in `a b c d` the longer wins. On the
same span the more trusted origin wins: review, rule, dictionary, mined.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from storage.records import Category, Origin, Slot
from tasks.tagging.occurrences import leftmost_free

_TRUST: dict[Origin, int] = {"review": 0, "rule": 1, "dictionary": 2, "mined": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A phrase that could be offered on the source words `[start, end)`."""

    start: int
    end: int
    source: str
    target: str
    """Target words separated by blanks."""
    category: Category
    origin: Origin
    phrase_id: str
    provider: str = ""
    """Who proposes it: rule id and version, dictionary or corpus."""
    score: float = 1.0
    """Reliability, between 0 and 1; rules have 1."""


def choose(candidates: Iterable[Candidate], num_slots: int = 10) -> list[Slot]:
    """Choose slots greedily, longest first.

    Candidates are accepted by source length in words (longest first), then score (highest first),
    then position (leftmost first), unless they overlap an accepted one. If more than `num_slots`
    are accepted, the longest stay (ties: leftmost).

    Args:
        candidates: all matches in one sentence.
        num_slots: most slots of a sentence (n_p in the paper).

    Returns:
        Slots without overlaps, numbered from 0 left to right.

    Raises:
        ValueError: `num_slots` is negative.
    """
    if num_slots < 0:
        raise ValueError(f"num_slots is {num_slots}; it must be 0 or more (10 is usual).")
    accepted: list[Candidate] = []
    taken: set[int] = set()
    for candidate in sorted(_most_trusted(candidates), key=_greedy_order):
        span = range(candidate.start, candidate.end)
        if span and taken.isdisjoint(span):
            accepted.append(candidate)
            taken.update(span)
    accepted.sort(key=lambda candidate: (candidate.start - candidate.end, candidate.start))
    chosen = sorted(accepted[:num_slots], key=lambda candidate: candidate.start)
    return [_slot(number, candidate) for number, candidate in enumerate(chosen)]


def mark_targets(slots: Sequence[Slot], reference: Sequence[str]) -> list[Slot]:
    """Mark each slot with the place of its target in the reference, if it is there.

    Longer targets look first (ties: source order), each takes the leftmost occurrence that overlaps
    none taken before; two slots never share a place. Slots without a place keep -1.

    Args:
        slots: slots of one sentence.
        reference: words of the reference, cased and tokenised like the targets.

    Returns:
        The same slots in the same order, marked.
    """
    marked = list(slots)
    taken = [False] * len(reference)
    words = list(reference)
    targets = [slot.target.split() for slot in slots]
    for number in sorted(range(len(slots)), key=lambda number: -len(targets[number])):
        start = leftmost_free(targets[number], words, taken)
        end = start if start < 0 else start + len(targets[number])
        if start >= 0:
            taken[start:end] = [True] * (end - start)
        marked[number] = replace(slots[number], target_start=start, target_end=end)
    return marked


def _most_trusted(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Keep one candidate a span: the most trusted origin, then the highest score."""
    best: dict[tuple[int, int], Candidate] = {}
    for candidate in candidates:
        span = (candidate.start, candidate.end)
        known = best.get(span)
        if known is None or _trust_order(candidate) < _trust_order(known):
            best[span] = candidate
    return list(best.values())


def _trust_order(candidate: Candidate) -> tuple[int, float, str, str]:
    return _TRUST[candidate.origin], -candidate.score, candidate.target, candidate.phrase_id


def _greedy_order(candidate: Candidate) -> tuple[int, float, int]:
    return candidate.start - candidate.end, -candidate.score, candidate.start


def _slot(number: int, candidate: Candidate) -> Slot:
    return Slot(
        slot=number,
        start=candidate.start,
        end=candidate.end,
        source=candidate.source,
        target=candidate.target,
        category=candidate.category,
        origin=candidate.origin,
        phrase_id=candidate.phrase_id,
        provider=candidate.provider,
    )
