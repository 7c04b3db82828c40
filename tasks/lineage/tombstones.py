"""What was withdrawn, known by keyed hashes only: does a text that is read belong to it?"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tasks.text.overlap import fold
from tasks.text.script import normalise

MIN_SENTENCE_WORDS = 6
"""Shorter sentences are anybody's; they go with their line or document, and may come back."""
REASON = "withdrawn"
TABLE = "tombstones"
"""What stands before the name of a table in the place of a withdrawn text."""

Key = tuple[str, str]
"""A kind (`corpus`, `document`, `line`, `dictionary`, `entry`, `sentence`, `phrase`) and a text."""


def text_key(text: str) -> str:
    """Return a text without width, case, blanks and punctuation."""
    return fold(normalise(text))


def corpus_key(corpus: str) -> Key:
    """Name a whole corpus."""
    return "corpus", corpus


def document_key(corpus: str, document: str) -> Key:
    """Name a document of a corpus."""
    return "document", f"{corpus}\0{document}"


def line_key(corpus: str, document: str, source: str, target: str) -> Key:
    """Name a pair of a document, wherever it stands in it and however often."""
    return "line", "\0".join((corpus, document, text_key(source), text_key(target)))


def dictionary_key(dictionary: str) -> Key:
    """Name a whole dictionary."""
    return "dictionary", dictionary


def entry_key(dictionary: str, source: str, target: str) -> Key:
    """Name an entry of a dictionary."""
    return "entry", "\0".join((dictionary, text_key(source), text_key(target)))


def sentence_key(text: str) -> Key:
    """Name a sentence, in whatever file."""
    return "sentence", text_key(text)


def phrase_key(phrase_id: str) -> Key:
    """Name a phrase."""
    return "phrase", phrase_id


class Gone:
    """What was withdrawn from a workspace.

    Its questions are answered with the name of the table that says so, or with an empty text.
    """

    def __init__(
        self,
        tables: Mapping[str, Iterable[Mapping[str, Any]]],
        keyed_hash: Callable[[str], str],
    ) -> None:
        """Take rows of tables `tombstones` by the tables' names, and the hash that made them."""
        self._tables: dict[str, dict[str, str]] = defaultdict(dict)
        for name, rows in tables.items():
            for row in rows:
                self._tables[row["kind"]].setdefault(row["hash"], name)
        self._hash = keyed_hash

    def __bool__(self) -> bool:
        return bool(self._tables)

    def has(self, key: Key) -> str:
        """Say whether this very thing was withdrawn."""
        hashes = self._tables.get(key[0])
        return hashes.get(hash_of(key, self._hash), "") if hashes else ""

    def has_pair(self, corpus: str, document: str, source: str, target: str) -> str:
        """Say whether a pair belongs to what was withdrawn, by its place or by its text."""
        if not self._tables:
            return ""
        return (
            self.has(corpus_key(corpus))
            or self.has(document_key(corpus, document))
            or self.has(line_key(corpus, document, source, target))
            or self._has_sentence(source, target)
        )

    def has_entry(self, dictionary: str, source: str, target: str) -> str:
        """Say whether an entry of a dictionary belongs to what was withdrawn."""
        if not self._tables:
            return ""
        return (
            self.has(dictionary_key(dictionary))
            or self.has(entry_key(dictionary, source, target))
            or self._has_sentence(source, target)
        )

    def _has_sentence(self, *texts: str) -> str:
        if "sentence" not in self._tables:
            return ""
        return next(filter(None, (self.has(sentence_key(text)) for text in texts)), "")


def hash_of(key: Key, keyed_hash: Callable[[str], str]) -> str:
    """Return the keyed hash that stands for something withdrawn."""
    return keyed_hash("\0".join(("tombstone", *key)))
