"""Count the phrases of linked sentence pairs by text, straight from the definition and slow."""

from collections.abc import Iterable, Sequence

from tasks.mining.candidates import PhraseCounts
from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import ARTICLES, LinkedPair
from tasks.mining.function_words import is_content_word, is_function_word, is_punctuation
from tests.reference.mining_extraction import extract_phrases_plainly

Spans = tuple[int, int, int, int]


def spans_plainly(pair: LinkedPair, config: ExtractionConfig) -> set[Spans]:
    """Return the spans that `phrase_spans` yields."""
    source, target, links = pair
    found = extract_phrases_plainly(
        len(source),
        len(target),
        links,
        max_words=config.max_words,
        unaligned_edges=config.edges == "moses",
    )
    if config.edges != "tight-without-articles":
        return found
    return {(s1, s2, _behind_articles(target, t1, t2), t2) for s1, s2, t1, t2 in found}


def count_plainly(
    linked: Iterable[LinkedPair],
    config: ExtractionConfig,
    *,
    max_words: int,
    everything: bool = False,
) -> PhraseCounts:
    """Do what `count_phrases` does; with `everything`, count all that was extracted."""
    counts = PhraseCounts()
    for pair in linked:
        for s1, s2, t1, t2 in spans_plainly(pair, config):
            source, target = list(pair[0][s1:s2]), list(pair[1][t1:t2])
            fits = [
                len(words) <= max_words and (everything or may_be_phrase(words))
                for words in (source, target)
            ]
            source_text, target_text = "".join(source), " ".join(target)
            if all(fits):
                counts.pairs[source_text, target_text] += 1
            if fits[0]:
                counts.sources[source_text] += 1
            if fits[1]:
                counts.targets[target_text] += 1
    return counts


def _behind_articles(target: Sequence[str], start: int, end: int) -> int:
    while start < end - 1 and target[start] in ARTICLES:
        start += 1
    return start


def may_be_phrase(words: list[str]) -> bool:
    """Say whether words are worth counting as a phrase."""
    edges = (words[0], words[-1])
    if any(is_function_word(word) or is_punctuation(word) for word in edges):
        return False
    return any(is_content_word(word) for word in words)
