"""What is printed for a word that the model does not know."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

UNKNOWN_WORD = "UNK"
"""How a word is printed that the model does not know."""


def lexicon_of(phrases: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the target of each active phrase by its source, as a dictionary of words."""
    return {row["source"]: row["target"] for row in phrases if row["state"] == "active"}


def replacement(
    attended: int, source_words: Sequence[str], rule: str, lexicon: Mapping[str, str]
) -> str:
    """Return what stands for an unknown word.

    Args:
        attended: source position with most attention.
        source_words: words of the source sentence.
        rule: `DecodingConfig.unknown_words`.
        lexicon: translations of source words.

    Returns:
        The source word, or its entry in the lexicon, words separated by blanks; `UNK` where the
        rule keeps it or the end mark was attended to.
    """
    if rule == "keep" or attended >= len(source_words):
        return UNKNOWN_WORD
    word = source_words[attended]
    return lexicon.get(word, word) if rule == "dictionary" else word
