"""Where a phrase's target stands in a reference or an output. Whose place it becomes is for callers
to say."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple


def leftmost_free(target: list[str], words: list[str], taken: Sequence[bool]) -> int:
    """Return where the target first stands on words of which none is taken, or -1.

    Args:
        target: words of the target; an empty one stands nowhere.
        words: words of the sentence, cased and tokenised like the target.
        taken: for each word of the sentence whether it is somebody's already.
    """
    if not target:
        return -1
    length = len(target)
    for start in range(len(words) - length + 1):
        free = words[start] == target[0] and not any(taken[start : start + length])
        if free and words[start : start + length] == target:
            return start
    return -1


class Standing(NamedTuple):
    """Where both sides of a phrase stand in a sentence pair, in words, half-open."""

    source: tuple[int, int]
    target: tuple[int, int]
    num_links: int
    """Links between the two; 0 if they only stand opposite each other."""


def standings(
    source_spans: Sequence[tuple[int, int]],
    target: list[str],
    words: list[str],
    links: Iterable[tuple[int, int]] = (),
) -> list[Standing]:
    """Return all ways in which a phrase stands in a sentence pair, the best linked first.

    Better is what fewer links leave and more links join; of equals the first.

    Args:
        source_spans: where the source stands.
        target: words of the target.
        words: words of the other sentence.
        links: `(source word, target word)` of the sentence pair.
    """
    starts = range(len(words) - len(target) + 1) if target else range(0)
    spans = [(at, at + len(target)) for at in starts if words[at : at + len(target)] == target]
    known = list(links)
    found = []
    for source, span in product(source_spans, spans):
        inside = [(source[0] <= s < source[1], span[0] <= t < span[1]) for s, t in known]
        joined, left = inside.count((True, True)), sum(a != b for a, b in inside)
        found.append((-min(joined, 1), left, -joined, Standing(source, span, joined)))
    return [standing for *_, standing in sorted(found)]


def around(words: Sequence[str], start: int, end: int) -> tuple[str, str, str]:
    """Give the text before a span, of the span and after it, as words separated by blanks."""
    blank = " "
    return blank.join(words[:start]), blank.join(words[start:end]), blank.join(words[end:])
