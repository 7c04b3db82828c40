"""Where mined phrase pairs were cut out, and in how many sentence pairs they stand.

Spans of ninety occurrences a pair would be hundreds of millions of rows, so none are kept: they are
found again from words and links when someone asks, by the same extraction that counted them.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import (
    Corpus,
    Ids,
    Keyed,
    Numbers,
    Seen,
    Texts,
    Wanted,
    spelled,
    texts_of,
)
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import rule_of
from tasks.mining.uses import Phrase


class PhraseLinks(NamedTuple):
    """One way in which a phrase pair was cut into words and linked."""

    phrase: int
    """Place in the phrases that were asked for."""
    source_words: str
    """Separated by blanks."""
    links: str
    """`i-j` for each link, counted from the first words of the phrase, sorted, with blanks."""


class PhrasePlaces:
    """Looks for phrase pairs in linked sentence pairs."""

    def __init__(
        self, phrases: Sequence[Phrase], config: ExtractionConfig, *, max_words: int
    ) -> None:
        """Prepare phrases.

        Args:
            phrases: source text and target words, each pair once.
            config: how phrases are extracted.
            max_words: longest side of what may be a phrase (`MemoryConfig.max_words`).
        """
        self._rule = rule_of(config, max_words)
        source, sources = _keyed([phrase[0] for phrase in phrases])
        target, targets = _keyed([phrase[1] for phrase in phrases])
        self._order = np.lexsort((targets, sources))
        self._sources, self._targets = sources, targets
        starts = np.searchsorted(sources[self._order], np.arange(len(source.keys) + 1))
        self._wanted = Wanted(
            source, target, starts.astype(np.int64), targets[self._order].astype(np.int32)
        )
        self._seen = Seen(
            *(
                np.zeros(size, np.int64)
                for size in (len(phrases), len(source.keys), len(target.keys))
            )
        )

    def find(self, corpus: Corpus) -> Ids:
        """Return the places at which the phrases were counted.

        Returns:
            Rows `(sentence pair, source start, source end, target start, target end, phrase)`, by
            pair and source span, of shape (places, 6); spans in words, half-open.
        """
        from tasks.compiled.extraction import most_spans
        from tasks.compiled.hashing import longest_sentence
        from tasks.compiled.places import find_places

        num_pairs = len(corpus.source.starts) - 1
        least = most_spans(longest_sentence(corpus.source), self._rule)
        places = np.empty((least + 2 * num_pairs, 6), np.int32)
        done, written = 0, 0
        while True:
            done, more = find_places(corpus, self._rule, self._wanted, done, places[written:])
            written += more
            if done == num_pairs:
                break
            wider = np.empty((2 * len(places), 6), np.int32)
            wider[:written] = places[:written]
            places = wider
        found = places[:written]
        found[:, 5] = self._order[found[:, 5]]
        return found

    def see(self, corpus: Corpus) -> None:
        """Count in how many sentence pairs the phrases stand, beside those counted before."""
        from tasks.compiled.places import count_sentences

        count_sentences(corpus, self._wanted, self._seen)

    def sentences(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return for each phrase in how many sentence pairs stand both of its sides, its source,
        and its target, linked or not."""
        both = np.empty(len(self._order), np.int64)
        both[self._order] = self._seen.both
        return both, self._seen.sources[self._sources], self._seen.targets[self._targets]


def count_alignments(corpus: Corpus, places: Ids) -> Iterable[tuple[PhraseLinks, int]]:
    """Count how phrases are cut and linked at the places that `PhrasePlaces.find` found."""
    from tasks.compiled.places import digest_places

    digests, phrases = digest_places(corpus, places), places[:, 5]
    order = np.lexsort((digests, phrases))
    is_first = np.ones(len(order), np.bool_)
    ordered = digests[order], phrases[order]
    is_first[1:] = (ordered[0][1:] != ordered[0][:-1]) | (ordered[1][1:] != ordered[1][:-1])
    firsts = np.flatnonzero(is_first)
    counts = np.diff(np.append(firsts, len(order)))
    words = spelled(corpus.source.words)
    for row, count in zip(places[order[firsts]].tolist(), counts.tolist(), strict=True):
        yield _phrase_links(corpus, words, row), count


def _phrase_links(corpus: Corpus, words: Sequence[str], place: Sequence[int]) -> PhraseLinks:
    pair, s1, s2, t1, t2, phrase = place
    first = corpus.source.starts[pair]
    ids = corpus.source.ids[first + s1 : first + s2].tolist()
    here = slice(corpus.links.starts[pair], corpus.links.starts[pair + 1])
    pairs = zip(corpus.links.source[here].tolist(), corpus.links.target[here].tolist(), strict=True)
    inside = sorted((s - s1, t - t1) for s, t in pairs if s1 <= s < s2 and t1 <= t < t2)
    links = " ".join(f"{s}-{t}" for s, t in inside)
    return PhraseLinks(phrase, " ".join(words[number] for number in ids), links)


def read_links(links: str) -> list[tuple[int, int]]:
    """Read links as `PhraseLinks` writes them."""
    pairs = (link.split("-") for link in links.split())
    return [(int(source), int(target)) for source, target in pairs]


def _keyed(texts: Sequence[str]) -> tuple[Keyed, Numbers]:
    """Make the table of distinct texts; returns also the number of each text."""
    from tasks.compiled.counting import refill

    laid = texts_of(texts)
    keys, numbers = np.unique(text_keys(laid), return_inverse=True)
    slots = np.zeros(1 << (2 * len(keys)).bit_length(), np.int32)
    refill(keys, len(keys), slots)
    longest = int(np.diff(laid.starts).max(initial=0))
    return Keyed(keys, slots, longest), numbers.astype(np.int64)


def text_keys(texts: Texts) -> Numbers:
    """Return `storage.phrase_keys.phrase_key` of each text."""
    from tasks.compiled.hashing import KEY_MASK, hash_words

    return (hash_words(texts) & KEY_MASK).astype(np.int64)
