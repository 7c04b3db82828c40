"""What leaves the memory: one agreed translation of a source phrase, with what is known of it."""

from dataclasses import dataclass

from storage.records import Category, Origin


@dataclass(frozen=True, slots=True)
class Aligned:
    """How the words of a mined phrase are linked."""

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    """`(source word, target word)`, counted from 0, sorted."""
    forward: float
    """Lexical weight of the target given the source, between 0 and 1."""
    inverse: float
    """Lexical weight of the source given the target, between 0 and 1."""


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """One active phrase."""

    phrase_id: str
    source: str
    """Chinese, unsegmented."""
    source_words: tuple[str, ...]
    """The same as the words of the corpora, for tools that look phrases up by word."""
    target: str
    """English words, separated by blanks."""
    category: Category
    origin: Origin
    reliability: float
    """Smoothed p(target|source) if it was mined, else 1; between 0 and 1."""
    pair_count: int
    """How often the two sides were extracted together; 0 if the phrase was not mined."""
    source_count: int
    target_count: int
    note: str
    aligned: Aligned | None = None
    """How its words are linked; None if it was not mined."""
