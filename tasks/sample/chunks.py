"""Pieces of a sentence in both languages at once: words, links and phrases, put together in two
orders.

A word is known by its identity, not by its text, so a chunk can be moved on one side without
renumbering anything; positions are counted once, when the sentence is complete. Knows no
vocabulary.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.records import Category, Span


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One word of one side of one sentence; two words are equal only if they are the same one."""

    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A phrase inside a chunk."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    category: Category


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words of both sides with their links and phrases."""

    source: tuple[Word, ...] = ()
    target: tuple[Word, ...] = ()
    links: tuple[tuple[Word, Word], ...] = ()
    phrases: tuple[Marked, ...] = ()


def pair(source: str, target: str) -> Chunk:
    """Make a chunk of words separated by blanks, each source word linked to each target word."""
    sources = tuple(Word(text) for text in source.split())
    targets = tuple(Word(text) for text in target.split())
    return Chunk(sources, targets, tuple((s, t) for s in sources for t in targets))


def order(source: Sequence[Chunk], target: Sequence[Chunk] | None = None) -> Chunk:
    """Put chunks together: once in the order of the source, once in the order of the target.

    Args:
        source: every chunk, in source order.
        target: the same chunks in target order; None for the same order.
    """
    target = source if target is None else target
    assert {id(chunk) for chunk in source} == {id(chunk) for chunk in target}, "a chunk is lost"
    return Chunk(
        tuple(word for chunk in source for word in chunk.source),
        tuple(word for chunk in target for word in chunk.target),
        tuple(link for chunk in source for link in chunk.links),
        tuple(phrase for chunk in source for phrase in chunk.phrases),
    )


def phrase(chunk: Chunk, category: Category) -> Chunk:
    """Mark all words of a chunk as one phrase."""
    marked = Marked(chunk.source, chunk.target, category)
    return Chunk(chunk.source, chunk.target, chunk.links, (marked,))


@dataclass(frozen=True, slots=True)
class GoldPhrase:
    """A phrase of a complete sentence, with half-open spans in gold words."""

    source: Span
    target: Span
    source_text: str
    """Source words joined without blanks."""
    target_text: str
    """Target words, lower-cased, joined with blanks."""
    category: Category


@dataclass(frozen=True, slots=True)
class SamplePair:
    """A sentence pair as raw text, and the answers to it on its own gold words."""

    source: str
    target: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    """Lower-cased."""
    links: tuple[tuple[int, int], ...]
    """Sure links `(source index, target index)` in gold words, sorted."""
    possible_links: tuple[tuple[int, int], ...]
    """Links that are not wrong either, sorted: of words without counterpart, such as 了, counting
    words and articles, to what their neighbours are linked with."""
    phrases: tuple[GoldPhrase, ...]
    """From left to right of the source."""
    is_noise: bool = False
    """True if the target does not translate the source; then there are neither links nor
    phrases."""


def finish(chunk: Chunk) -> SamplePair:
    """Count the positions of a complete sentence and write both sides as normal text."""
    at_source = {id(word): i for i, word in enumerate(chunk.source)}
    at_target = {id(word): i for i, word in enumerate(chunk.target)}
    source_words = tuple(word.text for word in chunk.source)
    target_words = tuple(word.text.lower() for word in chunk.target)
    phrases = []
    for marked in chunk.phrases:
        source = _span([at_source[id(word)] for word in marked.source])
        target = _span([at_target[id(word)] for word in marked.target])
        phrases.append(
            GoldPhrase(
                source,
                target,
                "".join(source_words[source.start : source.end]),
                " ".join(target_words[target.start : target.end]),
                marked.category,
            )
        )
    links = sorted((at_source[id(s)], at_target[id(t)]) for s, t in chunk.links)
    return SamplePair(
        "".join(source_words),
        written([word.text for word in chunk.target]),
        source_words,
        target_words,
        tuple(links),
        tuple(sorted(_possible(links, len(source_words), len(target_words)))),
        tuple(phrases),
    )


def _possible(
    links: list[tuple[int, int]], num_source: int, num_target: int
) -> set[tuple[int, int]]:
    """Link each word without links to whatever the nearest linked words on its left and right
    have."""
    forward = _neighbours(links, num_source)
    backward = _neighbours([(t, s) for s, t in links], num_target)
    return {*forward, *((s, t) for t, s in backward)}


def _neighbours(links: list[tuple[int, int]], length: int) -> set[tuple[int, int]]:
    linked: dict[int, set[int]] = {}
    for here, there in links:
        linked.setdefault(here, set()).add(there)
    found = set()
    for position in (p for p in range(length) if p not in linked):
        before = next((p for p in range(position, -1, -1) if p in linked), position)
        after = next((p for p in range(position, length) if p in linked), position)
        for there in linked.get(before, set()) | linked.get(after, set()):
            found.add((position, there))
    return found


def _span(positions: list[int]) -> Span:
    span = Span(positions[0], positions[-1] + 1)
    assert positions == list(range(span.start, span.end)), "a phrase is torn apart"
    return span


def written(words: Sequence[str]) -> str:
    """Write English words as a sentence: capital first letter, marks without blanks before them."""
    text = " ".join(words)
    for mark in (",", "."):
        text = text.replace(f" {mark}", mark)
    return text[:1].upper() + text[1:]
