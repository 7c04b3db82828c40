"""Count how often phrases are right where their source stands, by occurrence and by document.

A phrase that is right ten times in one document was perhaps decided once, by whoever wrote that
document; ten documents are ten witnesses. So beside the occurrences it is counted in how many
documents a source stands, and in how many of these most of its occurrences are right. A pair whose
corpus names no documents is a document of its own: nothing says that it goes together with another.

All counts are integers. Those of parts of a text add up if each document is in one part.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple, TypeVar

import numpy as np

from tasks.compiled.arrays import Numbers, Sentences, sentences_of
from tasks.mining.extraction import TARGET_JOINER
from tasks.mining.likely import LikelyPhrases
from tasks.mining.sums import summed
from tasks.tagging.matcher import Match, Matcher

K = TypeVar("K")
T = TypeVar("T")

_BATCH = 1 << 13
"""Pairs in which phrases are looked up together."""

TOTAL_USES = """
SELECT source, target,
    SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences,
    SUM(found_documents)::BIGINT AS found_documents, SUM(documents)::BIGINT AS documents
FROM use_counts GROUP BY source, target
ORDER BY source, target
"""
"""Uses over all shards; a key may stand once for each of them."""

Phrase = tuple[str, str]
"""Source text without blanks, target words separated by blanks."""
DocumentKey = tuple[str, str]
"""Corpus, and what names a document in it."""
_UNNAMED = "\0"
"""Before the id of a pair that is a document of its own; no name of a document begins so."""
CountedPair = tuple[DocumentKey, Sequence[str], Sequence[str]]
"""Document, source words, target words."""


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a phrase stood in some text, and how often it was right there."""

    found: int = 0
    """Occurrences of the source that have an occurrence of the target opposite."""
    occurrences: int = 0
    """Occurrences of the source."""
    found_documents: int = 0
    """Documents in which most occurrences are found."""
    documents: int = 0
    """Documents in which the source occurs."""

    @staticmethod
    def of_document(found: int, occurrences: int) -> "Uses":
        """Return the uses in one document, or in none if the source does not occur."""
        is_right = _is_mostly_right(found, occurrences)
        return Uses(found, occurrences, int(is_right), int(occurrences > 0))

    def plus(self, other: "Uses") -> "Uses":
        """Add the uses in other documents."""
        return Uses(
            self.found + other.found,
            self.occurrences + other.occurrences,
            self.found_documents + other.found_documents,
            self.documents + other.documents,
        )

    def minus(self, other: "Uses") -> "Uses":
        """Take the uses in whole documents away."""
        return Uses(
            self.found - other.found,
            self.occurrences - other.occurrences,
            self.found_documents - other.found_documents,
            self.documents - other.documents,
        )


Held = tuple[int, int]
"""Found and occurrences, in one sentence or in one document."""


def document_key(corpus: str, document: str, pair_id: str) -> DocumentKey:
    """Name the document of a pair; a pair without one is its own."""
    return corpus, document or f"{_UNNAMED}{pair_id}"


def is_named(document: DocumentKey) -> bool:
    """Say whether a document is one that a corpus names."""
    return not document[1].startswith(_UNNAMED)


class UseCounter:
    """Looks up phrases in sentence pairs as tagging does."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        """Prepare phrases, each once; results are by their place in the sequence."""
        self._matcher = Matcher(([source], place) for place, (source, _) in enumerate(phrases))
        self._targets = [marked(target.split(TARGET_JOINER)) for _, target in phrases]

    def in_pair(self, source: Sequence[str], target: Sequence[str]) -> dict[int, Held]:
        """Count the uses in one sentence pair, by phrase.

        A source occurs where its text begins and ends at borders of words. If it occurs more often
        than the target does opposite, only as many count as found.
        """
        return self.held(self._matcher.find(source), target)

    def in_pairs(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
    ) -> Iterator[dict[int, Held]]:
        """Yield what `in_pair` returns for each of many pairs."""
        found = self._matcher.find_each([source for source, _ in pairs])
        return (self.held(matches, pair[1]) for matches, pair in zip(found, pairs, strict=True))

    def held(self, found: Iterable[Match], target: Sequence[str]) -> dict[int, Held]:
        """Count the uses in a sentence pair in whose source something was found."""
        here = Counter(match.phrase for match in found)
        opposite = marked(target) if here else ""
        return {
            place: (min(number, opposite.count(self._targets[place])), number)
            for place, number in here.items()
        }


def by_document(
    pairs: Iterable[tuple[DocumentKey, Mapping[K, Held]]],
) -> Iterator[tuple[DocumentKey, dict[K, Held]]]:
    """Add up the uses in each document; its pairs must stand next to each other."""
    for document, inside in groupby(pairs, key=itemgetter(0)):
        totals: dict[K, Held] = {}
        for _, held in inside:
            for key, (found, occurrences) in held.items():
                before = totals.get(key, (0, 0))
                totals[key] = before[0] + found, before[1] + occurrences
        yield document, totals


def total(documents: Iterable[tuple[DocumentKey, Mapping[K, Held]]]) -> dict[K, Uses]:
    """Add up the uses in whole documents."""
    totals: dict[K, list[int]] = {}
    for _, held in documents:
        for key, (found, occurrences) in held.items():
            counts = totals.setdefault(key, [0, 0, 0, 0])
            counts[0] += found
            counts[1] += occurrences
            counts[2] += _is_mostly_right(found, occurrences)
            counts[3] += 1
    return {key: Uses(*counts) for key, counts in totals.items()}


class UseCounts(NamedTuple):
    """The uses of the phrases whose source stands in some text: arrays of shape (phrases,)."""

    phrase: Numbers
    """Which of the phrases, ascending."""
    found: Numbers
    occurrences: Numbers
    found_documents: Numbers
    documents: Numbers


def count_uses_in(
    source: Sentences, target: Sentences, documents: Numbers, phrases: LikelyPhrases
) -> UseCounts:
    """Count the uses of phrases in sentence pairs, all at once.

    Args:
        source: source words, without blanks in them.
        target: target words, with a blank between two of them.
        documents: number of the document of each pair; whole documents, in any order.
        phrases: what to look for.
    """
    from tasks.compiled.opposite import Standing, find_opposite, room_for

    size = max(len(phrases.first) - 1, 1)
    rows = phrases.finder.find(source).rows
    held, number = np.unique(rows[:, 0].astype(np.int64) * size + rows[:, 3], return_counts=True)
    standing = Standing(held // size, held % size)
    opposite = room_for(standing, phrases.first)
    find_opposite(standing, phrases.targets, target, opposite)
    row, phrase = opposite.row, opposite.target
    found, number = np.minimum(opposite.times, number[row]), number[row]
    size = max(len(phrases.targets.starts) - 1, 1)
    keys = documents[standing.sentence[row]] * size + phrase
    document, found, number = summed(keys, found, number)
    is_right = (2 * found > number).astype(np.int64)
    return UseCounts(*summed(document % size, found, number, is_right, np.ones_like(found)))


def count_uses(pairs: Iterable[CountedPair], phrases: Sequence[Phrase]) -> list[Uses]:
    """Count the uses of phrases in sentence pairs.

    Args:
        pairs: document and words of both sides; whole documents.
        phrases: what to look for, each once.

    Returns:
        The uses of each phrase, in the order of `phrases`.
    """
    listed, order = list(pairs), sorted(range(len(phrases)), key=phrases.__getitem__)
    wanted = LikelyPhrases.of_lists(
        [phrases[place][0] for place in order], [phrases[place][1] for place in order]
    )
    source, _ = sentences_of([source for _, source, _ in listed], blanks=0)
    target, _ = sentences_of([target for _, _, target in listed], blanks=1)
    number = {document: place for place, document in enumerate({pair[0]: 0 for pair in listed})}
    documents = np.asarray([number[document] for document, *_ in listed], np.int64)
    uses = [Uses()] * len(phrases)
    for phrase, *counts in zip(
        *(column.tolist() for column in count_uses_in(source, target, documents, wanted)),
        strict=True,
    ):
        uses[order[phrase]] = Uses(*counts)
    return uses


def in_batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield items some thousands at a time."""
    waiting = iter(items)
    while batch := list(islice(waiting, _BATCH)):
        yield batch


def without_copies(whole: Uses, here: Held, documents: Iterable[tuple[Held, int]]) -> Uses:
    """Take a sentence pair and its copies out of what was counted (leave-one-out).

    Args:
        whole: uses of a phrase in the whole text.
        here: its uses in that pair.
        documents: for each document that holds copies of the pair: the uses in that document, and
            how many copies it holds.
    """
    left = whole
    for (found, occurrences), copies in documents:
        without = found - copies * here[0], occurrences - copies * here[1]
        left = left.minus(Uses.of_document(found, occurrences)).plus(Uses.of_document(*without))
    return left


def _is_mostly_right(found: int, occurrences: int) -> bool:
    return 2 * found > occurrences


def marked(words: Sequence[str]) -> str:
    """Join words so that a run of words is found wherever it stands, and adjacent runs both are."""
    return "".join(f" {word} " for word in words)
