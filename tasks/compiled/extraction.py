"""Cut phrase pairs out of linked sentence pairs, compiled (Koehn, Och and Marcu 2003, section 2).

A source span and a target span are a phrase pair if at least one link joins them and no link leads
out of one of them only. The slow and obvious form is `tests/reference/mining_extraction.py`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import (
    MOSES,
    TIGHT_WITHOUT_ARTICLES,
    Corpus,
    Ids,
    Links,
    Numbers,
    Rule,
    Sentences,
)
from tasks.compiled.hashing import longest_sentence
from tasks.compiled.jit import compiled


class Side(NamedTuple):
    """Where the links of each word of one side lead, and what the words are."""

    low: Numbers
    """First word of the other side that a word is linked to; the other side's length if none."""
    high: Numbers
    """Last such word, or -1."""
    is_article: NDArray[np.bool_]


class Sides(NamedTuple):
    """The links of one sentence pair, from both sides."""

    source: Side
    target: Side
    num_source: int
    num_target: int


@compiled
def _mark_links(links: Links, pair: int, sides: Sides) -> None:
    """Note between which words of the other side the links of each word lead."""
    source, target = sides.source, sides.target
    for position in range(sides.num_source):
        source.low[position], source.high[position] = sides.num_target, -1
    for position in range(sides.num_target):
        target.low[position], target.high[position] = sides.num_source, -1
    for place in range(links.starts[pair], links.starts[pair + 1]):
        s, t = np.int64(links.source[place]), np.int64(links.target[place])
        source.low[s], source.high[s] = min(source.low[s], t), max(source.high[s], t)
        target.low[t], target.high[t] = min(target.low[t], s), max(target.high[t], s)


@compiled
def _extract(sides: Sides, rule: Rule, spans: Ids) -> int:
    """Write `(source start, source end, target start, target end)` of every phrase pair.

    Returns:
        How many there are; they are sorted by source span.
    """
    found = 0
    for start in range(sides.num_source):
        if rule.edges == MOSES or sides.source.high[start] >= 0:
            found = _extract_from(start, sides, rule, spans, found)
    return found


@compiled
def _extract_from(start: int, sides: Sides, rule: Rule, spans: Ids, found: int) -> int:
    """Write the phrase pairs whose source begins at `start`.

    Extending the source span only ever widens its target span and what that links back to. So the
    search stops for good when the target span is too long or links back to a word before `start`.
    """
    source = sides.source
    low, high, back_low, back_high = sides.num_target, -1, sides.num_source, -1
    for last in range(start, min(start + rule.max_words, sides.num_source)):
        if source.high[last] >= 0:
            first, final = min(low, source.low[last]), max(high, source.high[last])
            if final - first >= rule.max_words:
                break
            for t in range(first, final + 1):
                back_low = min(back_low, sides.target.low[t])
                back_high = max(back_high, sides.target.high[t])
            low, high = first, final
            if back_low < start:
                break
        if high >= 0 and back_high <= last:
            found = _write_spans((start, last + 1, low, high), sides, rule, spans, found)
    return found


@compiled
def _write_spans(
    tight: tuple[int, int, int, int], sides: Sides, rule: Rule, spans: Ids, found: int
) -> int:
    """Write what the rule makes of a source span and the target words between its links."""
    start, end, low, high = tight
    target = sides.target
    if rule.edges != MOSES:
        if sides.source.high[end - 1] < 0:
            return found
        if rule.edges == TIGHT_WITHOUT_ARTICLES:
            while low < high and target.is_article[low]:
                low += 1
        return _write((start, end, low, high + 1), spans, found)
    first = low
    while first >= 0 and high - first < rule.max_words and (first == low or target.high[first] < 0):
        last = high
        while (
            last < sides.num_target
            and last - first < rule.max_words
            and (last == high or target.high[last] < 0)
        ):
            found = _write((start, end, first, last + 1), spans, found)
            last += 1
        first -= 1
    return found


@compiled
def _write(span: tuple[int, int, int, int], spans: Ids, found: int) -> int:
    for place in range(4):
        spans[found, place] = span[place]
    return found + 1


@compiled
def most_spans(num_source: int, rule: Rule) -> int:
    """Return how many phrase pairs a sentence pair may have at most."""
    each = rule.max_words * (rule.max_words + 1) // 2 if rule.edges == MOSES else 1
    return num_source * rule.max_words * each


@compiled
def room_for(corpus: Corpus) -> Sides:
    """Make room for the links of the longest sentences."""
    return Sides(_side(corpus.source), _side(corpus.target), 0, 0)


@compiled
def _side(sentences: Sentences) -> Side:
    size = longest_sentence(sentences)
    return Side(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.bool_))


@compiled
def extract_pair(corpus: Corpus, pair: int, rule: Rule, sides: Sides, spans: Ids) -> int:
    """Write the phrase pairs of one sentence pair into `spans`; returns how many there are.

    Args:
        corpus: the sentence pairs.
        pair: which of them.
        rule: which spans are phrases.
        sides: from `room_for`.
        spans: rows `(source start, source end, target start, target end)`; `most_spans` of them
            are enough.
    """
    first = corpus.target.starts[pair]
    num_source, num_target = _num_words(corpus.source, pair), _num_words(corpus.target, pair)
    here = Sides(sides.source, sides.target, num_source, num_target)
    _mark_links(corpus.links, pair, here)
    if rule.edges == TIGHT_WITHOUT_ARTICLES:
        for position in range(num_target):
            word = corpus.target.ids[first + position]
            here.target.is_article[position] = corpus.target_kinds.is_article[word]
    return _extract(here, rule, spans)


@compiled
def _num_words(sentences: Sentences, sentence: int) -> int:
    return sentences.starts[sentence + 1] - sentences.starts[sentence]


@compiled
def extract_all(corpus: Corpus, rule: Rule, first: int, spans: Ids, starts: Numbers) -> int:
    """Extract the phrase pairs of sentence pairs, from `first` on, until there is no more room.

    Args:
        corpus: the sentence pairs.
        rule: which spans are phrases.
        first: the sentence pair to begin with.
        spans: room for rows as in `extract_pair`.
        starts: at which row those of each sentence pair begin; filled in behind `first`.

    Returns:
        The first sentence pair that was not extracted.
    """
    sides = room_for(corpus)
    for pair in range(first, len(corpus.source.starts) - 1):
        if starts[pair] + most_spans(_num_words(corpus.source, pair), rule) > len(spans):
            return pair
        found = extract_pair(corpus, pair, rule, sides, spans[starts[pair] :])
        starts[pair + 1] = starts[pair] + found
    return len(corpus.source.starts) - 1
