"""Words of English text with their places, and the vocabulary of its numbers; reads no values.

The text may be normal or tokenised, in any case, with curly or straight signs. Folding keeps its
length, so a word's place is a place in the original text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.rules.rendering import MONTHS, ORDINAL_WORDS, WORDS

SMALL = {word: value for value, word in enumerate(WORDS[:20])} | {"nought": 0}
TENS = {
    word: 10 * value
    for value, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
} | {"fourty": 40}
SCALES = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "quadrillion": 10**15, "quintillion": 10**18,
}  # fmt: skip
SHORT_SCALES = {
    "k": 10**3, "mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12, "trn": 10**12,
}  # fmt: skip
"""Scales that stand on the digits (`3.5bn`)."""
SMALL_ORDINALS = {word: value for value, word in enumerate(ORDINAL_WORDS)} | {
    word: value
    for value, word in enumerate(
        ("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
         "seventeenth", "eighteenth", "nineteenth"),
        start=11,
    )
}  # fmt: skip
TENS_ORDINALS = {word[:-1] + "ieth": value for word, value in TENS.items()}
SCALE_ORDINALS = {"hundredth": 100} | {word + "th": size for word, size in SCALES.items()}
ORDINALS = SMALL_ORDINALS | TENS_ORDINALS | SCALE_ORDINALS
PARTS = (
    {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
    | {word: value for word, value in ORDINALS.items() if value > 2}
    | {word + "s": value for word, value in ORDINALS.items() if value > 2}
)
"""Words for one part of so many equal ones: `third`, `quarters`, `hundredths`."""
COLLECTIVES = {"dozen": 12, "hundred": 100, **SCALES}
"""Words that multiply: `a dozen`, `half a million`."""
MULTIPLIERS = {
    **COLLECTIVES, **{word + "s": size for word, size in COLLECTIVES.items()}, "mil": 10**6,
}  # fmt: skip
"""The same behind a number, where some write `thirty thousands`."""
MULTIPLES = {
    "twice": 2, "thrice": 3, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "triple": 3,
    "tripled": 3, "triples": 3, "tripling": 3, "treble": 3, "quadruple": 4, "quadrupled": 4,
    "quadrupling": 4, "quintupled": 5,
}  # fmt: skip
MONTH_NUMBERS = {month: number for number, month in enumerate(MONTHS, start=1)} | {
    month[:3]: number for number, month in enumerate(MONTHS, start=1) if len(month) > 4
} | {"sept": 9}  # fmt: skip
SHORT_MONTHS = frozenset(month for month in MONTH_NUMBERS if len(month) < 5) - {"may"} - set(MONTHS)
WEEKDAYS = {
    day: day for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
                         "sunday")
}  # fmt: skip
WEEKDAYS |= {day + "s": day for day in list(WEEKDAYS)}
WEEKDAYS |= {"tue": "tuesday", "tues": "tuesday", "thu": "thursday", "thur": "thursday"}
WEEKDAYS |= {"thurs": "thursday", "fri": "friday"}
DECADES = {word[:-1] + "ies": value for word, value in TENS.items()}

_ASCII = {chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
_SIGNS = {chr(0xFF01 + offset): chr(0x21 + offset).lower() for offset in range(94)} | {
    **dict.fromkeys("–—―−‐‑‒﹣~〜", "-"),
    **dict.fromkeys("’‘‛`´", "'"),
    **dict.fromkeys("\u00a0\u3000\t", " "),
    "￥": "¥", "￡": "£", "％": "%", "～": "-", "⁄": "/", "∕": "/",
}  # fmt: skip
_FOLDING = str.maketrans(_ASCII | _SIGNS)

_WORD = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3}|,?\x200[0-9]{2})++(?![0-9])(?:\.[0-9]++)?|[0-9]++(?:\.[0-9]++)?|[^\W\d_]++|\S"
)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A text cut into words: numbers with their groups and decimals, letters, single signs.

    Two are equal only if they are one object, so that what was read at a place can be remembered.
    """

    texts: Sequence[str]
    """Folded words; some empty ones follow the last, so that looking ahead is always possible."""
    starts: Sequence[int]
    """Place of each word in the text, in characters."""

    def end(self, place: int) -> int:
        """Return where a word ends."""
        return self.starts[place] + len(self.texts[place])

    def touches(self, place: int) -> bool:
        """Say whether a word stands directly on the word before it."""
        return place > 0 and self.starts[place] == self.end(place - 1)

    def is_followed_by(self, place: int, *texts: str) -> bool:
        """Say whether these words stand at a place."""
        return tuple(self.texts[place : place + len(texts)]) == texts


LOOKAHEAD = 12


def cut(text: str) -> Words:
    """Cut a text into words."""
    folded = text.lower() if text.isascii() else text.translate(_FOLDING)
    texts: list[str] = []
    starts: list[int] = []
    for found in _WORD.finditer(folded):
        texts.append(found[0])
        starts.append(found.start())
    texts.extend([""] * LOOKAHEAD)
    starts.extend([len(text)] * LOOKAHEAD)
    return Words(texts, starts)


def is_digits(word: str) -> bool:
    """Say whether a word is a number in ASCII digits."""
    return "0" <= word[:1] <= "9"
