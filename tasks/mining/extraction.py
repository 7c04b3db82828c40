"""Cut phrase pairs out of linked sentence pairs (Koehn, Och and Marcu 2003, section 2; Moses
`extract`).

A source span and a target span are a phrase pair if at least one link joins them and no link leads
out of one of them only. The loop is compiled (`tasks/compiled/extraction.py`); the slow and obvious
form is `tests/reference/mining_extraction.py`. Whether a phrase pair is worth remembering is
decided in `candidates.py` and `selection.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import get_args

import numpy as np

from tasks.compiled.arrays import (
    Corpus,
    Ids,
    Kinds,
    Numbers,
    Rule,
    Sentences,
    links_of,
    sentences_of,
)
from tasks.mining.config import Edges, ExtractionConfig
from tasks.mining.function_words import is_content_word, is_function_word, is_punctuation
from tasks.mining.symmetrise import Link

Spans = tuple[int, int, int, int]
"""`(source start, source end, target start, target end)` in words, half-open."""

LinkedPair = tuple[Sequence[str], Sequence[str], Sequence[Link]]
"""Source words, target words, links."""

ARTICLES = frozenset({"a", "an", "the"})
SOURCE_JOINER = ""
"""Between the words of a Chinese phrase: its text must not depend on the segmenter."""
TARGET_JOINER = " "


def phrase_spans(linked: Sequence[LinkedPair], config: ExtractionConfig) -> Iterator[list[Spans]]:
    """Yield the spans of every phrase pair of each sentence pair, each once, sorted by source span.

    With `config.edges` "moses" these are the spans that Moses counts: those that begin or end with
    a word without links are phrase pairs too. With "tight" only spans whose four outer words have
    links are; then a source span has one target span at most.

    Raises:
        ValueError: a link lies outside its sentences; the links belong to other words.
    """
    spans, starts = spans_of(corpus_of(linked), rule_of(config, config.max_words))
    rows = spans.tolist()
    for first, end in zip(starts.tolist(), starts.tolist()[1:], strict=False):
        yield [(s1, s2, t1, t2) for s1, s2, t1, t2 in rows[first:end]]


def spans_of(corpus: Corpus, rule: Rule) -> tuple[Ids, Numbers]:
    """Return the spans of every phrase pair, a row each, and at which row each pair's begin."""
    from tasks.compiled.extraction import extract_all, most_spans
    from tasks.compiled.hashing import longest_sentence

    num_pairs = len(corpus.source.starts) - 1
    starts = np.zeros(num_pairs + 1, np.int64)
    spans = np.empty((most_spans(longest_sentence(corpus.source), rule), 4), np.int32)
    done = 0
    while (done := extract_all(corpus, rule, done, spans, starts)) < num_pairs:
        wider = np.empty((2 * len(spans), 4), np.int32)
        wider[: starts[done]] = spans[: starts[done]]
        spans = wider
    return spans[: starts[num_pairs]], starts


def extract_phrases(
    num_source: int,
    num_target: int,
    links: Sequence[Link],
    *,
    max_words: int,
    unaligned_edges: bool = True,
) -> list[Spans]:
    """Return the spans of one sentence pair of which only the links are known; see `phrase_spans`.

    Raises:
        ValueError: a link lies outside the sentences.
    """
    config = ExtractionConfig(max_words=max_words, edges="moses" if unaligned_edges else "tight")
    return next(phrase_spans([([""] * num_source, [""] * num_target, links)], config))


def corpus_of(linked: Sequence[LinkedPair]) -> Corpus:
    """Lay linked sentence pairs out for the compiled loops."""
    source, source_words = sentences_of([pair[0] for pair in linked], blanks=len(SOURCE_JOINER))
    target, target_words = sentences_of([pair[1] for pair in linked], blanks=len(TARGET_JOINER))
    links = links_of([pair[2] for pair in linked])
    return checked(Corpus(source, target, links, kinds_of(source_words), kinds_of(target_words)))


def kinds_of(words: Iterable[str]) -> Kinds:
    """Say of distinct words what they are; English lower-cased."""
    kinds = [_kind(word) for word in words]
    columns = np.array(kinds, np.bool_).reshape(-1, 3)
    return Kinds(*(columns[:, place].copy() for place in range(3)))


@lru_cache(maxsize=1 << 18)
def _kind(word: str) -> tuple[bool, bool, bool]:
    """Say whether a word may stand at the edge of a phrase, carries content, is an article."""
    may_be_edge = not (is_function_word(word) or is_punctuation(word))
    return may_be_edge, is_content_word(word), word in ARTICLES


def checked(corpus: Corpus) -> Corpus:
    """Return linked sentence pairs whose links lie within their sentences.

    Raises:
        ValueError: one does not.
    """
    links = corpus.links
    pairs = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
    num_source, num_target = _lengths(corpus.source)[pairs], _lengths(corpus.target)[pairs]
    outside = (links.source < 0) | (links.source >= num_source)
    outside |= (links.target < 0) | (links.target >= num_target)
    if outside.any():
        at = int(np.argmax(outside))
        raise ValueError(
            f"link {links.source[at]}-{links.target[at]} lies outside a pair of {num_source[at]} "
            f"and {num_target[at]} words; links must be made on the same words that phrases are "
            "cut from"
        )
    return corpus


def _lengths(sentences: Sentences) -> Numbers:
    return np.diff(sentences.starts)


def rule_of(config: ExtractionConfig, longest: int) -> Rule:
    """Give the settings of extraction as numbers; phrases of at most `longest` words count."""
    edges: tuple[Edges, ...] = get_args(Edges)
    return Rule(config.max_words, edges.index(config.edges), longest)
