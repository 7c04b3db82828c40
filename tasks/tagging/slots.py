"""Choose which matches become slots, and mark the slots whose target the reference holds.

Longest first, not leftmost: of [a b] and [b c d] in `a b c d` the longer wins. On the
same span the more trusted origin wins: review, rule, dictionary, mined. Where a system takes
several candidate translations of one source phrase, those of the most trusted origin are offered
side by side: slots on the same span, of which at most one stands in the reference.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

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


def choose(
    candidates: Iterable[Candidate], num_slots: int = 10, num_candidates: int = 1
) -> list[Slot]:
    """Choose slots greedily, longest first.

    Candidates are accepted by source length in words (longest first), then score (highest first),
    then position (leftmost first), unless they overlap an accepted one. If more than `num_slots`
    are accepted, the longest stay (ties: leftmost).

    Args:
        candidates: all matches in one sentence.
        num_slots: most source phrases of a sentence (n_p in the paper).
        num_candidates: most translations of each, highest score first.

    Returns:
        Slots, numbered from 0 left to right; those on different spans do not overlap.

    Raises:
        ValueError: `num_slots` is negative.
    """
    if num_slots < 0:
        raise ValueError(f"num_slots is {num_slots}; it must be 0 or more (10 is usual).")
    accepted: list[Candidate] = []
    taken: set[int] = set()
    rivals = _most_trusted(candidates)
    for candidate in sorted((best[0] for best in rivals.values()), key=_greedy_order):
        span = range(candidate.start, candidate.end)
        if span and taken.isdisjoint(span):
            accepted.append(candidate)
            taken.update(span)
    accepted.sort(key=lambda candidate: (candidate.start - candidate.end, candidate.start))
    chosen = sorted(accepted[:num_slots], key=lambda candidate: candidate.start)
    offered = (rivals[best.start, best.end][:num_candidates] for best in chosen)
    return [_slot(number, each) for number, each in enumerate(chain.from_iterable(offered))]


def mark_targets(slots: Sequence[Slot], reference: Sequence[str]) -> list[Slot]:
    """Mark each slot with the place of its target in the reference, if it is there.

    Longer targets look first (ties: source order), each takes the leftmost occurrence that overlaps
    none taken before; two slots never share a place, and of slots on one span at most one has a
    place. Slots without a place keep -1.

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
    placed: set[tuple[int, int]] = set()
    for number in sorted(range(len(slots)), key=lambda number: -len(targets[number])):
        span = (slots[number].start, slots[number].end)
        start = -1 if span in placed else leftmost_free(targets[number], words, taken)
        end = start if start < 0 else start + len(targets[number])
        if start >= 0:
            taken[start:end] = [True] * (end - start)
            placed.add(span)
        marked[number] = replace(slots[number], target_start=start, target_end=end)
    return marked


def single(slots: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the slots that have their span for themselves, for a system that takes one translation
    a source phrase: of several it takes none, as a memory that abstains.

    Args:
        slots: slots of one sentence, as rows of a `tagged` table hold them.
    """
    spans = Counter((slot["start"], slot["end"]) for slot in slots)
    return [slot for slot in slots if spans[slot["start"], slot["end"]] == 1]


def _most_trusted(candidates: Iterable[Candidate]) -> dict[tuple[int, int], list[Candidate]]:
    """Give the candidates of each span that have the most trusted origin, one for each target, the
    highest score first.
    """
    by_span: dict[tuple[int, int], list[Candidate]] = {}
    for candidate in sorted(candidates, key=_trust_order):
        rivals = by_span.setdefault((candidate.start, candidate.end), [])
        is_trusted = not rivals or candidate.origin == rivals[0].origin
        if is_trusted and all(candidate.target != other.target for other in rivals):
            rivals.append(candidate)
    return by_span


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
