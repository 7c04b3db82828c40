"""English words: a tokeniser in the spirit of the Penn Treebank and Moses; `detokenise.py` is the
way back.

Rules, in order: URLs and mail addresses; abbreviations with inner full stops (`u.s.`, `p.m.`) and
titles (`mr.`); numbers with group commas, decimals, clock times, ordinals and a leading minus
(`1,345`, `3.5`, `10:20`, `16th`, `-2.5`); contractions cut as `do n't`, `it 's`; words with inner
hyphens and apostrophes kept whole; hosts, hashtags; runs of full stops, of dashes and of other
marks; anything else one character a word. Curly quotation marks and apostrophes become straight
ones, so that both quotation marks are the word `"`.

Lower-casing is a step of its own (`str.lower`); the tokeniser cuts both cases alike.
"""

import re

STRAIGHT = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‛": "'"}
)

_TITLES = "mr|mrs|ms|dr|prof|gen|col|sen|rep|gov|st|jr|sr|inc|ltd|co|corp|vs|etc|messrs"
_CONTRACTION = "'(?:s|re|ll|ve|d|m)(?![A-Za-z0-9])"
_LETTER = r"[^\W\d_]"
_HOST = (
    r"(?<![\w.@-])(?:[A-Za-z0-9-]{1,63}\.){1,5}(?:com|org|net|edu|gov|int|info|io|cn|tw|hk|uk|us|eu)"
    r"(?![\w-]|\.\w)"
)

_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)"
_PART = (
    rf"(?:{_NUMBER}(?:\.[0-9]+)?(?:[A-Za-z]+(?!\w|\.\w)|(?![\w]|[.:][0-9]))"
    r"|[0-9]+(?:[.:][0-9]+)+(?:[A-Za-z]+(?!\w|\.\w)|(?!\w))"
    rf"|{_LETTER}+[0-9]+\.[0-9]+(?![\w])"
    r"|(?:[A-Za-z]\.){2,}"
    r"|[\w&]+)"
)
"""A word between hyphens: a number with group commas, decimals or a short unit (`2.5kg`), a time, a
name with decimals (`PM2.5`), an abbreviation, or plain letters and digits."""
_HYPHEN = "[-\u2010\u2011]"

_TOKEN = re.compile(
    r"(?:https?|ftp)://[^\s\"<>]*[^\s\"<>.,;:!?)'\]]"
    r"|[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
    rf"|{_HOST}"
    r"|(?<![\w#])#[A-Za-z_]\w*#?"
    rf"|(?<!{_LETTER})(?:{_TITLES})\.(?![^\W_])"
    r"|(?<![\w.])ph\.d\.?(?!\w)"
    r"|(?<![\w.,)%])-(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?![\w-]|[.,][0-9])"
    rf"|{_LETTER}+?(?=n't(?![A-Za-z0-9]))|n't(?![A-Za-z0-9])"
    rf"|{_CONTRACTION}"
    rf"|{_PART}(?:{_HYPHEN}{_PART}|'(?!(?:s|re|ll|ve|d|m|t)(?![A-Za-z0-9]))[\w&]+)*"
    rf"(?:{_HYPHEN}(?=\s(?:and|or|to)\s))?"
    r"|\.{2,}|-{2,}|\*{2,}|[!?]{2,}|'{2,}"
    r"|\S",
    re.IGNORECASE,
)

CLITIC = re.compile(rf"(?:{_CONTRACTION}|n't)\Z", re.IGNORECASE)


def tokenise(text: str) -> list[str]:
    """Cut English text into words; no word holds a blank, and only quotation marks change."""
    return _TOKEN.findall(text.translate(STRAIGHT))
