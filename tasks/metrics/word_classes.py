"""The class of an English word, as far as it can be told without a tagger.

In this order: `punctuation`, `unknown` (not in the vocabulary of the model, which sees UNK in its
place), `name`, `number` and `term` (words of a phrase of such a category, numerals), `function`
(closed classes, see `tasks/mining/function_words.py`), else `content`. These are the classes by
which gates are looked at; they are no parts of speech.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from storage.records import Category
from tasks.mining.function_words import is_function_word, is_numeral, is_punctuation

WordClass = Literal["punctuation", "unknown", "name", "number", "term", "function", "content"]
WORD_CLASSES: tuple[WordClass, ...] = get_args(WordClass)

_OF_CATEGORY: Mapping[Category, WordClass] = {
    "person": "name",
    "location": "name",
    "organization": "name",
    "date": "number",
    "number": "number",
    "quantity": "number",
    "time": "number",
    "term": "term",
}


def word_class(word: str, *, known: bool, category: Category | None) -> WordClass:
    """Return the class of a word.

    Args:
        word: an English word; its case does not matter.
        known: whether the model has the word in its vocabulary.
        category: category of the phrase that the word belongs to, or None.
    """
    if is_punctuation(word):
        return "punctuation"
    if not known:
        return "unknown"
    if category is not None:
        return _OF_CATEGORY[category]
    if is_numeral(word.lower()):
        return "number"
    return "function" if is_function_word(word.lower()) else "content"


def classes_of(
    words: Sequence[str],
    known: Sequence[bool],
    spans: Sequence[tuple[int, int, Category]],
) -> list[WordClass]:
    """Return the class of each word of a sentence.

    Args:
        words: English words.
        known: for each word whether the model knows it.
        spans: phrases as half-open spans of words, with their categories; they do not overlap.
    """
    categories: list[Category | None] = [None] * len(words)
    for start, end, category in spans:
        categories[start:end] = [category] * (end - start)
    return [
        word_class(word, known=is_known, category=category)
        for word, is_known, category in zip(words, known, categories, strict=True)
    ]
