"""Terms the slow way: from the definitions, one by one."""

import math
from collections.abc import Mapping, Sequence

Words = tuple[str, ...]


def holds(longer: Words, shorter: Words) -> bool:
    """Say whether a longer sequence of words holds a shorter one."""
    size = len(shorter)
    return size < len(longer) and any(
        longer[start : start + size] == shorter for start in range(len(longer) - size + 1)
    )


def outside(words: Words, frequencies: Mapping[Words, int]) -> int:
    """Count the occurrences of a candidate outside of all longer ones: f(a) - t(a)."""
    longer = [other for other in frequencies if holds(other, words)]
    return frequencies[words] - sum(outside(other, frequencies) for other in longer)


def c_value_plainly(words: Words, frequencies: Mapping[Words, int]) -> float:
    """Return C(a), asking for each longer candidate anew."""
    longer = [other for other in frequencies if holds(other, words)]
    inside = sum(outside(other, frequencies) for other in longer)
    mean = inside / len(longer) if longer else 0.0
    return math.log2(len(words)) * (frequencies[words] - mean)


def units_plainly(scores: Sequence[float], least: float) -> set[tuple[int, int]]:
    """Merge units one by one: always at the strongest border that is left, the left one of equals.

    Args:
        scores: the score of the border behind each word; the last word has none that counts.
        least: borders are dissolved only above this score.

    Returns:
        Every unit formed, `(start, end)` in words.
    """
    units = [(word, word + 1) for word in range(len(scores))]
    formed: set[tuple[int, int]] = set()
    while True:
        borders = [(scores[left[1] - 1], place) for place, left in enumerate(units[:-1])]
        if not borders or max(borders)[0] <= least:
            return formed
        strongest = max(score for score, _ in borders)
        place = next(place for score, place in borders if score == strongest)
        merged = units[place][0], units[place + 1][1]
        units[place : place + 2] = [merged]
        formed.add(merged)


def places_plainly(
    sentences: Sequence[Sequence[str]], texts: Sequence[str], max_words: int
) -> list[tuple[int, int, int]]:
    """Look at every run of words: `(phrase, start, end)`, words counted over all sentences."""
    found = []
    base = 0
    for words in sentences:
        for start in range(len(words)):
            for end in range(start + 1, min(start + max_words, len(words)) + 1):
                text = "".join(words[start:end])
                if text in texts:
                    found.append((texts.index(text), base + start, base + end))
        base += len(words)
    return sorted(found)
