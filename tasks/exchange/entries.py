"""What leaves the memory: one agreed translation of a source phrase, with what is known of it."""

from dataclasses import dataclass

from storage.records import Category, Origin


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
