"""Makes words of both languages as a recipe says; the same for training, test sets and users."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from storage.records import RuleMatch, Span
from tasks.recipe import WordRecipe
from tasks.rules.grammar import find
from tasks.rules.style import RuleStyle
from tasks.text.conversion import Converter, Script
from tasks.text.english import tokenise
from tasks.text.lexicon import Lexicon
from tasks.text.script import normalise
from tasks.text.segment import Cutter, Word, segment


@dataclass(frozen=True, slots=True)
class ChineseWords:
    """A Chinese sentence in words."""

    text: str
    """Normalised, and converted where the recipe asks for it."""
    words: list[str]
    rules: list[dict[str, Any]]
    """What the rules saw, with spans in words."""
    script: Script
    """The script of the text as it was read."""
    converter: str
    """What converted it; empty if nothing was changed."""


class WordMaker:
    """Loads what a recipe needs once, and then cuts one sentence after the other."""

    def __init__(self, recipe: WordRecipe, lexicon: Lexicon) -> None:
        """Prepare a recipe with what the dictionaries say about words."""
        self._recipe = recipe
        names = (*recipe.protected_names, *lexicon.names)
        self._converter = Converter(recipe.script, recipe.variant, names)
        self._cutter = Cutter(recipe.segmenter, lexicon.words)

    @property
    def style(self) -> RuleStyle:
        """Return how the rules read and write."""
        return self._recipe.style

    def chinese(self, raw: str) -> ChineseWords:
        """Normalise, convert and cut a Chinese text, the spans of the rules kept apart."""
        converted = self._converter.convert(normalise(raw))
        matches = find(converted.text, self._recipe.style)
        spans = [Span(match.start, match.end) for match in matches]
        cut = segment(converted.text, spans, cutter=self._cutter)
        words = [word.text for word in cut]
        rules = list(_in_words(matches, cut))
        return ChineseWords(converted.text, words, rules, converted.script, converted.converter)

    def english(self, text: str) -> list[str]:
        """Cut a normalised English text."""
        words = tokenise(text)
        return [word.lower() for word in words] if self._recipe.lowercase else words


def _in_words(matches: Iterable[RuleMatch], cut: list[Word]) -> Iterator[dict[str, Any]]:
    """Give each rule's span in words; its borders are borders of words by construction."""
    starts = {word.start: index for index, word in enumerate(cut)}
    ends = {word.end: index + 1 for index, word in enumerate(cut)}
    for match in matches:
        yield {
            "start": starts[match.start],
            "end": ends[match.end],
            "source": match.source,
            "target": match.target,
            "category": match.category,
            "rule": match.rule,
        }
