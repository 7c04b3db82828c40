"""Links that need no counting: words of a pair that everybody knows to translate each other.

A model may leave a full stop, a number or a name that it has never seen without its counterpart, or
give it another. Where exactly one word of the other side is known to translate a word, each
direction takes it; where there are several, the model decides.
"""

from collections.abc import Sequence

from tasks.mining.renderings import renderings
from tasks.mining.symmetrise import Link


def known_places(source: Sequence[str], target: Sequence[str]) -> list[Link]:
    """Return the places `(source index, target index)` of words that are known to translate each
    other, sorted."""
    there = frozenset(target)
    found = []
    for i, word in enumerate(source):
        words = renderings(word)
        if not words.isdisjoint(there):
            found += [(i, j) for j, other in enumerate(target) if other in words]
    return found


def anchored(
    source: Sequence[str],
    target: Sequence[str],
    forward: Sequence[Link],
    backward: Sequence[Link],
) -> tuple[list[Link], list[Link]]:
    """Give each word the one word that it is known to be translated by, in each direction.

    Args:
        source: words of the source side.
        target: words of the target side.
        forward: links that give each target word at most one source word.
        backward: links that give each source word at most one target word, also written
            `(source index, target index)`.

    Returns:
        Both directions; words that are known to translate none or several are as they were.
    """
    known = known_places(source, target)
    return (
        [(i, j) for j, i in _with_known([(j, i) for i, j in forward], [(j, i) for i, j in known])],
        _with_known(backward, known),
    )


def _with_known(links: Sequence[Link], known: Sequence[Link]) -> list[Link]:
    """Replace the links of the words, first in each link, that have one known counterpart."""
    counterparts: dict[int, list[int]] = {}
    for word, other in known:
        counterparts.setdefault(word, []).append(other)
    sure = {word: others[0] for word, others in counterparts.items() if len(others) == 1}
    return sorted([*sure.items(), *(link for link in links if link[0] not in sure)])
