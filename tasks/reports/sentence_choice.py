"""Which sentences a report shows where a test set has more than one page can hold."""

from collections.abc import Sequence

MOST_SENTENCES = 2000
"""Sentences that one report shows, over all test sets."""


def allowances(sizes: Sequence[int], most: int = MOST_SENTENCES) -> list[int]:
    """Share the room of a page among test sets; what a small one leaves goes to the others.

    Args:
        sizes: sentences of each test set.
        most: the room.

    Returns:
        For each test set how many of its sentences are shown.
    """
    shares = [0] * len(sizes)
    left, waiting = most, sorted(range(len(sizes)), key=lambda index: sizes[index])
    while waiting:
        index = waiting.pop(0)
        shares[index] = min(sizes[index], left // (len(waiting) + 1))
        left -= shares[index]
    return shares


def chosen(scores: Sequence[float], changes: Sequence[float], allowance: int) -> list[int]:
    """Return which sentences to show, in their order: those worth a look, the rest spread evenly.

    A quarter each goes to the most changed, the worst and the best.

    Args:
        scores: of each sentence.
        changes: how far its score is from the baseline's, in either direction.
        allowance: how many are shown at most.
    """
    number = len(scores)
    if number <= allowance:
        return list(range(number))
    quarter = allowance // 4
    by_score = sorted(range(number), key=lambda index: (scores[index], index))
    by_change = sorted(range(number), key=lambda index: (-changes[index], index))
    picked = {*by_change[:quarter], *by_score[:quarter], *by_score[number - quarter :]}
    rest = [index for index in range(number) if index not in picked]
    wanted = allowance - len(picked)
    picked.update(rest[place * len(rest) // wanted] for place in range(wanted))
    return sorted(picked)
