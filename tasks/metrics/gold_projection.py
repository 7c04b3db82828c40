"""Gold links on other words: from the words that a person saw to those that the pipeline cuts.

Both cuts are of the same text, so a word of one shares characters with words of the other; a link
between two words becomes links between all words that share characters with them. Of the words that
a person saw only the lengths count.
"""

from collections.abc import Sequence

from tasks.metrics.alignment_error import GoldLinks, Link

Lengths = Sequence[int]
"""Characters of each word, blanks left out."""


def lengths_of(words: Sequence[str]) -> list[int]:
    """Return the number of characters of each word, blanks left out."""
    return [len("".join(word.split())) for word in words]


def project(
    gold: GoldLinks,
    before: tuple[Lengths, Lengths],
    after: tuple[Sequence[str], Sequence[str]],
) -> GoldLinks:
    """Bring gold links from words of the lengths `before` to the words `after`, source and target.

    Raises:
        ValueError: on one side, the two do not have the same number of characters without blanks.
    """
    source, target = (_shared(old, new) for old, new in zip(before, after, strict=True))
    sure = _moved(gold.sure, source, target)
    return GoldLinks(sure, _moved(gold.possible, source, target) - sure)


def _moved(
    links: frozenset[Link], source: Sequence[Sequence[int]], target: Sequence[Sequence[int]]
) -> frozenset[Link]:
    return frozenset((new_i, new_j) for i, j in links for new_i in source[i] for new_j in target[j])


def _shared(before: Lengths, after: Sequence[str]) -> list[list[int]]:
    """Return for each word `before` the words `after` that share characters with it."""
    owner = [number for number, length in enumerate(lengths_of(after)) for _ in range(length)]
    shared: list[list[int]] = []
    at = 0
    for length in before:
        shared.append(sorted(set(owner[at : at + length])))
        at += length
    if at != len(owner):
        raise ValueError(
            f"the words of the gold links have {at} characters and the sentence has {len(owner)}"
        )
    return shared
