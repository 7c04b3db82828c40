"""English words: a tokeniser in the spirit of the Penn Treebank and Moses, and its way back.

Rules, in order: URLs and mail addresses; abbreviations with inner full stops (`u.s.`, `p.m.`) and
titles (`mr.`); numbers with group commas, decimals, clock times, ordinals and a leading minus
(`1,345`, `3.5`, `10:20`, `16th`, `-2.5`); contractions cut as `do n't`, `it 's`; words with inner
hyphens and apostrophes kept whole; runs of full stops and of dashes; anything else one character a
word. Curly quotation marks and apostrophes become straight ones, so that both quotation marks are
the word `"`.

`detokenise` is exact on what it printed: tokenising its output and printing again changes nothing.
Lower-casing is a step of its own (`str.lower`); the tokeniser cuts both cases alike.
"""

import re
from collections.abc import Sequence

_STRAIGHT = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‛": "'"}
)

_TITLES = "mr|mrs|ms|dr|prof|gen|col|sen|rep|gov|st|jr|sr|inc|ltd|co|corp|vs|etc|messrs"
_CONTRACTION = "'(?:s|re|ll|ve|d|m)(?![A-Za-z0-9])"
_LETTER = r"[^\W\d_]"

_TOKEN = re.compile(
    r"(?:https?|ftp)://[^\s\"<>]*[^\s\"<>.,;:!?)'\]]"
    r"|[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
    r"|(?<![A-Za-z0-9.])(?:[A-Za-z]\.){2,}"
    rf"|(?<!{_LETTER})(?:{_TITLES})\.(?![^\W_])"
    r"|(?<![\w.,)%])-(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![\w-]|[.,][0-9])"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"
    r"|[0-9]+(?:[.:][0-9]+)+(?![\w])"
    rf"|{_LETTER}+?(?=n't(?![A-Za-z0-9]))|n't(?![A-Za-z0-9])"
    rf"|{_CONTRACTION}"
    rf"|[\w&]+(?:-[\w&]+|'(?!(?:s|re|ll|ve|d|m|t)(?![A-Za-z0-9]))[\w&]+)*"
    r"|\.{2,}|-{2,}"
    r"|\S",
    re.IGNORECASE,
)

_NO_SPACE_BEFORE = frozenset([",", ".", ";", ":", "!", "?", ")", "]", "}", "%", "...", "/"])
_NO_SPACE_AFTER = frozenset(["(", "[", "{", "$", "#", "/"])
_CLITIC = re.compile(rf"(?:{_CONTRACTION}|n't)\Z", re.IGNORECASE)


def tokenise(text: str) -> list[str]:
    """Cut English text into words; no word holds a blank, and only quotation marks change."""
    return _TOKEN.findall(text.translate(_STRAIGHT))


def detokenise(words: Sequence[str]) -> str:
    """Print words as text: no blank before `,` or after `$`; quotation marks open and close in
    turn.

    Two words are only printed without a blank if the tokeniser would cut them apart again, and if
    the whole would still be cut differently, all words are printed with blanks. So for the words
    `w` of any text, `tokenise(detokenise(w)) == w`, and printing again changes nothing.
    """
    pieces: list[str] = []
    quotes_open = False
    for number, word in enumerate(words):
        opens = word == '"' and not quotes_open
        if number and not _attached(words[number - 1], word, opens=opens, inside=quotes_open):
            pieces.append(" ")
        pieces.append(word)
        quotes_open ^= word == '"'
    text = "".join(pieces)
    return text if tokenise(text) == list(words) else " ".join(words)


def _attached(left: str, right: str, *, opens: bool, inside: bool) -> bool:
    """Say whether `right` is printed directly after `left`.

    Args:
        left: the word before.
        right: the word to print.
        opens: `right` is a quotation mark that opens.
        inside: an opened quotation is not closed yet.
    """
    if right == '"':
        wanted = not opens
    elif left == '"':
        wanted = inside or right in _NO_SPACE_BEFORE
    elif right == "'":
        wanted = left.endswith("s")
    else:
        wanted = right in _NO_SPACE_BEFORE or left in _NO_SPACE_AFTER or bool(_CLITIC.match(right))
    return wanted and tokenise(left + right) == [left, right]
