"""How likely a text is English, told from other languages in Latin script.

Function words that hardly any other language shares decide most sentences at once; the rest is
asked of py3langid, whose answer is taken as a ratio, since its probabilities are spread over 130
languages (docs/adr/0009-language-of-a-side.md has the measurements).
"""

from collections.abc import Sequence
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_FUNCTION_WORDS = (
    "the of and to that for it with as was at are this from or not have has were which will his "
    "he she they you i but been its their if there what who when so out up your how would should "
    "could may shall any such other than then them him us our does about into after before under "
    "more most only also between during without within where why these those some each every very "
    "just now never always please"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words without content that hardly any other language has."""
_SHARED_WORDS = (
    "a in on an we he me do by be had men up no must not here her all or can is so was will over"
)
ALL_FUNCTION_WORDS = FUNCTION_WORDS | frozenset(_SHARED_WORDS.split())
"""Also those that other languages have, with another meaning."""
_ENOUGH = 2
_SHARE, _SHARE_OF_ALL = 0.15, 0.2
_FEWEST_LETTERS = 25
"""Shorter texts (`Tom quit.`, `Agenda item 7`) say too little about their language."""


def english_permille(text: str, words: Sequence[str], num_letters: int) -> int:
    """Return how likely a text is English, against the likeliest language, in thousandths.

    Args:
        text: the text.
        words: its words, lower-cased.
        num_letters: how many letters it has.

    Returns:
        0 to 1000; 1000 where English is the likeliest, or where the text is too short to say.
    """
    if num_letters < _FEWEST_LETTERS:
        return 1000
    own = sum(map(FUNCTION_WORDS.__contains__, words))
    if own >= _ENOUGH and own >= _SHARE * len(words):
        return 1000
    found = sum(map(ALL_FUNCTION_WORDS.__contains__, words))
    if own and found >= _ENOUGH and found >= _SHARE_OF_ALL * len(words):
        return 1000
    likelihoods: dict[str, float] = dict(_identifier().rank(text))
    return round(1000 * likelihoods["en"] / max(likelihoods.values()))


@cache
def _identifier() -> "LanguageIdentifier":
    """Load the model once a process, into an object of our own."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
