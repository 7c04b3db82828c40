"""Count the phrase pairs of one shard: how often each was extracted, alone and together.

The probabilities that follow from these counts are Koehn and Moses' relative frequencies over
*extracted* phrase pairs: p(t|s) = c(s, t) / c(s), where c(s) sums over everything extracted with
source s. So a source that was extracted with many targets is diluted, also by targets that could
never be a phrase themselves. Counts of shards are merged by adding them up by key.

Pairs that no threshold could let pass are not counted as pairs (their frequency is still part of
c(s) and c(t)): that keeps the tables a tenth of their size. What the thresholds decide is in
`selection.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import Spans, extract_phrases
from tasks.mining.function_words import is_content_word, is_function_word, is_punctuation
from tasks.mining.symmetrise import Links

SOURCE_JOINER = ""
"""Between the words of a Chinese phrase: its text must not depend on the segmenter."""
TARGET_JOINER = " "
ARTICLES = frozenset({"a", "an", "the"})

LinkedPair = tuple[Sequence[str], Sequence[str], Links]
"""Source words, target words, links."""


@dataclass(frozen=True, slots=True)
class PhraseCounts:
    """How often phrases were extracted in some sentence pairs."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """c(s, t) by (source text, target text), of the pairs that may become phrases."""
    sources: Counter[str] = field(default_factory=Counter)
    """c(s) over all extracted pairs, of the sources that occur in `pairs` or may."""
    targets: Counter[str] = field(default_factory=Counter)
    """c(t) over all extracted pairs, of the targets that occur in `pairs` or may."""


def count_phrases(
    linked: Iterable[LinkedPair], config: ExtractionConfig, *, max_words: int
) -> PhraseCounts:
    """Count the phrases of one shard.

    Args:
        linked: words and links of each sentence pair; English words lower-cased.
        config: longest span that is extracted, and treatment of edges.
        max_words: longest side of what may become a phrase (`MemoryConfig.max_words`).
    """
    counts = PhraseCounts()
    for source, target, links in linked:
        cut_source = _Cutter(source, SOURCE_JOINER, max_words)
        cut_target = _Cutter(target, TARGET_JOINER, max_words)
        for s1, s2, t1, t2 in phrase_spans(source, target, links, config):
            source_text, target_text = cut_source.text(s1, s2), cut_target.text(t1, t2)
            if source_text and target_text:
                counts.pairs[source_text, target_text] += 1
            if source_text:
                counts.sources[source_text] += 1
            if target_text:
                counts.targets[target_text] += 1
    return counts


def phrase_spans(
    source: Sequence[str], target: Sequence[str], links: Links, config: ExtractionConfig
) -> Iterator[Spans]:
    """Yield the spans that are counted, in the form that `config.edges` asks for."""
    found = extract_phrases(
        len(source),
        len(target),
        links,
        max_words=config.max_words,
        unaligned_edges=config.edges == "moses",
    )
    if config.edges != "tight-without-articles":
        yield from found
        return
    for s1, s2, t1, t2 in found:
        first = t1
        while first < t2 - 1 and target[first] in ARTICLES:
            first += 1
        yield s1, s2, first, t2


class _Cutter:
    """Cut phrase texts out of one sentence, asking once for each word what it is."""

    def __init__(self, words: Sequence[str], joiner: str, max_words: int) -> None:
        self._text = joiner.join(words)
        self._joiner = len(joiner)
        self._max_words = max_words
        self._starts = [0]
        self._may_be_edge = []
        self._num_content = [0]
        for word in words:
            may_be_edge, is_content = _kind(word)
            self._starts.append(self._starts[-1] + len(word) + len(joiner))
            self._may_be_edge.append(may_be_edge)
            self._num_content.append(self._num_content[-1] + is_content)

    def text(self, start: int, end: int) -> str:
        """Give the text of the words `[start, end)`, or "" if they may not be a phrase."""
        fit = (
            self._may_be_edge[start]
            and self._may_be_edge[end - 1]
            and self._num_content[end] > self._num_content[start]
            and end - start <= self._max_words
        )
        return self._text[self._starts[start] : self._starts[end] - self._joiner] if fit else ""


@lru_cache(maxsize=1 << 16)
def _kind(word: str) -> tuple[bool, bool]:
    """Say whether a word may stand at the edge of a phrase, and whether it carries content."""
    return not (is_function_word(word) or is_punctuation(word)), is_content_word(word)
