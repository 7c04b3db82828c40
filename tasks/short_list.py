"""Which target words a sentence may need: the most frequent ones, and the translations of its words
that the phrase memory and its counts of linked words know.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tasks.text.units import PairCoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from model.vocabulary import Vocabulary

WordTable = Mapping[str, Sequence[str]]
"""Target words of a source word, the likeliest first."""

MOST_TRANSLATIONS = 20
"""Words that are taken for one source word."""


def word_table(
    phrases: Iterable[Mapping[str, Any]], links: Iterable[Mapping[str, Any]]
) -> dict[str, tuple[str, ...]]:
    """Return the translations of words.

    Args:
        phrases: rows of a `phrases` table; the words of an active phrase are translations of its
            source, where that is a word.
        links: rows of a `word_links` table.
    """
    found: dict[str, list[str]] = {}
    for row in sorted(phrases, key=lambda row: (row["source"], row["target"])):
        if row["state"] == "active":
            found.setdefault(row["source"], []).extend(row["target"].split())
    for row in sorted(links, key=lambda row: (row["source"], -row["count"], row["target"])):
        if row["source"] and row["target"]:
            found.setdefault(row["source"], []).append(row["target"])
    return {
        source: tuple(dict.fromkeys(targets))[:MOST_TRANSLATIONS]
        for source, targets in found.items()
    }


def listed_ids(
    words: Sequence[str], table: WordTable, coder: PairCoder, target: "Vocabulary", frequent: int
) -> "NDArray[np.int64]":
    """Return the ids of the target words, or of their units, that a sentence may need.

    Args:
        words: of the source sentence.
        table: translations of words.
        coder: between words and the units of the models.
        target: what the models know, the most frequent first.
        frequent: how many of the most frequent ones are on every list.
    """
    import numpy as np

    translations = [word for each in words for word in table.get(each, ())]
    units, _ = coder.target.code(translations)
    first = np.arange(min(frequent, len(target.words)))
    return np.union1d(first, target.encode(units)).astype(np.int64)
