"""Parts of speech of Chinese words, as jieba tags them, for words that we cut ourselves.

A word that jieba's dictionary holds has the tag that stands there (one a word, whatever the
sentence). Any other word has the tag under which the hidden Markov model of `jieba.posseg` finds it
likeliest as one word; where words end is not for the model to say, since we cut them ourselves. The
tables are read into objects of our own, so what another user taught jieba has no effect here.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from tasks.mining.function_words import is_function_word, is_numeral, is_punctuation
from tasks.text.conversion import Converter

WordClass = Literal["noun", "nominal", "adjective", "verb", "other"]

_CLASSES: dict[str, WordClass] = {
    **dict.fromkeys(["j", "l", "i", "eng", "ng", "g"], "noun"),
    **dict.fromkeys(["vn", "an"], "nominal"),
    **dict.fromkeys(["a", "ad", "ag", "b", "z", "s", "f"], "adjective"),
    **dict.fromkeys(["v", "vd", "vg", "vi", "vq"], "verb"),
}
"""By jieba's tags (ICTCLAS); every other tag that begins with n is a noun."""

NAME_TAGS = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "location", "nt":
             "organization"}  # fmt: skip
"""Tags of names, and the category of what they name."""

_TORN = re.compile(
    r"[及或并並且之其该該则則未若亦].+|.+[之及或并並且应應须須]|[应應依经經由于於以得须須将將]."
)
"""Unknown words that begin or end with a function word: the segmenter joined what is two words."""

_UNSEEN = -30.0
"""Logarithm of the probability of what the tagger's tables never saw."""


MOST_KNOWN = 1 << 18
"""A tagger remembers at most so many words: it serves all shards of a process."""


class Tagged(NamedTuple):
    """What a word is."""

    tag: str
    """jieba's tag; `x` for marks, `m` for numerals, `eng` for Latin letters."""
    word_class: WordClass
    is_known: bool
    """Whether jieba's dictionary holds the word."""


class Tagger:
    """Tags words one by one; load it once (about a second)."""

    def __init__(self) -> None:
        """Read jieba's word list and the tables of its tagger."""
        self._frequencies, self._tags = _word_list()
        self._total = sum(self._frequencies.values())
        self._simplify = Converter("simplified", "standard")
        self._known: dict[str, Tagged] = {}

    @property
    def reference_total(self) -> int:
        """Return the number of words on which jieba's frequencies rest."""
        return self._total

    def reference_count(self, word: str) -> int:
        """Return how often jieba's word list counts a word, in either script."""
        return self._frequencies.get(self._plain(word), 0)

    def tag(self, word: str) -> Tagged:
        """Tag a word; function words, numerals and marks are `other`, whatever their tag."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[word] = self._tag(self._plain(word))
        return found

    def _plain(self, word: str) -> str:
        return word if word in self._tags else self._simplify.convert(word).text

    def _tag(self, word: str) -> Tagged:
        is_known = word in self._tags
        if is_punctuation(word):
            return Tagged("x", "other", is_known)
        if is_numeral(word):
            return Tagged("m", "other", is_known)
        if not is_known and _TORN.fullmatch(word):
            return Tagged("x", "other", is_known)
        tag = self._tags[word] if is_known else _guess(word)
        kind: WordClass = "noun" if tag.startswith("n") else "other"
        kind = _CLASSES.get(tag, kind)
        return Tagged(tag, "other" if is_function_word(word) else kind, is_known)


@cache
def shared_tagger() -> Tagger:
    """Return the tagger of this process: what it knows of a word holds for all shards and parts."""
    return Tagger()


@cache
def _word_list() -> tuple[dict[str, int], dict[str, str]]:
    """Read the frequency and the tag of each word that comes with jieba."""
    import jieba

    frequencies: dict[str, int] = {}
    tags: dict[str, str] = {}
    with jieba.Tokenizer().get_dict_file() as lines:
        for line in lines:
            word, frequency, tag = line.decode().split()
            frequencies[word] = int(frequency)
            tags[word] = tag
    return frequencies, tags


def _guess(word: str) -> str:
    """Tag an unknown word by jieba's hidden Markov model over its characters."""
    if word.isascii():
        return "eng" if any(map(str.isalpha, word)) else "m"
    if len(word) == 1:
        return "x"
    model = _word_model()
    return max(model, key=lambda tag: (_likelihood(word, model[tag]), tag))


class _TagModel(NamedTuple):
    """How likely characters are in words of one tag: natural logarithms of probabilities."""

    start: float
    """That a text begins with such a word."""
    steps: Mapping[str, float]
    """From one place in the word to the next, such as `BM`."""
    characters: Mapping[str, Mapping[str, float]]
    """Of a character at the beginning (B), in the middle (M) and at the end (E)."""


def _likelihood(word: str, model: _TagModel) -> float:
    places = "B" + "M" * (len(word) - 2) + "E"
    steps = sum(model.steps.get(step, _UNSEEN) for step in map("".join, pairwise(places)))
    characters = sum(
        model.characters[place].get(character, _UNSEEN)
        for place, character in zip(places, word, strict=True)
    )
    return max(model.start, _UNSEEN) + steps + characters


@cache
def _word_model() -> dict[str, _TagModel]:
    """Arrange the tables of jieba's tagger by tag; it knows no tag that changes inside a word."""
    from jieba import posseg

    return {
        tag: _TagModel(
            start,
            {
                here + there: posseg.trans_P[here, tag][there, tag]
                for here in "BM"
                for there in "ME"
                if (there, tag) in posseg.trans_P.get((here, tag), {})
            },
            {place: posseg.emit_P.get((place, tag), {}) for place in "BME"},
        )
        for (place, tag), start in posseg.start_P.items()
        if place == "B" and start > _UNSEEN * 10
    }
