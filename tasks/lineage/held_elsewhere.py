"""Which sentences of a withdrawn source no other source holds: only these may not come back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import ahocorasick_rs

from tasks.lineage.tombstones import MIN_SENTENCE_WORDS, text_key
from tasks.text.english import tokenise
from tasks.text.overlap import fold
from tasks.text.script import normalise
from tasks.text.segment import segment


@dataclass(frozen=True, slots=True)
class Sentence:
    """One side of a withdrawn pair or entry."""

    text: str
    """As it was read."""
    forms: frozenset[str]
    """All forms in which it may be kept, folded: as read, normalised, converted."""


def sentence_of(text: str, *, is_source: bool, kept_as: Iterable[str] = ()) -> Sentence | None:
    """Return a text as a sentence to be known again; None if it is too short to be anybody's own.

    Args:
        text: as it was read.
        is_source: whether it is Chinese.
        kept_as: how it stands in tables of words, where its script may have been converted.
    """
    if _num_words(text, is_source=is_source) < MIN_SENTENCE_WORDS:
        return None
    forms = {fold(text), text_key(text), *map(fold, kept_as)}
    return Sentence(text, frozenset(filter(None, map(_plain, forms))))


def _num_words(text: str, *, is_source: bool) -> int:
    plain = normalise(text)
    words = [word.text for word in segment(plain)] if is_source else tokenise(plain)
    return sum(1 for word in words if fold(word))


def _plain(text: str) -> str:
    """Drop lone surrogates, which the automaton does not take."""
    return text.encode("utf-8", "ignore").decode()


def held_by(sentences: Iterable[Sentence], remaining: Iterable[str]) -> set[Sentence]:
    """Return the sentences that stand in one of the remaining texts, alone or within more."""
    quotes = Quotations(sentences)
    return (
        {sentence for text in remaining for sentence in quotes.found_in(text)} if quotes else set()
    )


class Quotations:
    """Sentences that are looked for in texts."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        """Take the sentences, in all their forms."""
        self._owners = list(_owners(sentences))
        forms = [form for form, _ in self._owners]
        self._automaton = ahocorasick_rs.AhoCorasick(forms) if forms else None

    def __bool__(self) -> bool:
        return self._automaton is not None

    def are_in(self, *texts: str) -> bool:
        """Say whether one of the sentences stands in one of these texts."""
        return any(self.found_in(text) for text in texts)

    def found_in(self, text: str) -> set[Sentence]:
        """Return the sentences that stand in a text."""
        if self._automaton is None:
            return set()
        forms = {_plain(fold(text)), _plain(text_key(text))}
        hits = (self._automaton.find_matches_as_indexes(form, overlapping=True) for form in forms)
        return {self._owners[index][1] for found in hits for index, _, _ in found}


def _owners(sentences: Iterable[Sentence]) -> Iterator[tuple[str, Sentence]]:
    for sentence in sentences:
        for form in sorted(sentence.forms):
            yield form, sentence
