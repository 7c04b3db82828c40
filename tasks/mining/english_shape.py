"""What the shape of English words tells of their part of speech, and of names.

Nothing here knows a sentence: it is asked whether a few words may be the name of a thing.
"""

import re
from collections.abc import Sequence

_NOMINAL = re.compile(
    r".+(?:tion|sion|ment|ance|ence|ancy|ency|ness|ity|ty|ism|ship|hood|ure|age|al|ing|sis|ics|apy"
    r"|logy|graphy|cy|th|dom|ist|ee|ery|ory)s?"
)
"""Endings of nouns. Not `-er` and `-or`: `cover`, `order` and `monitor` are verbs, too."""
_VERBAL = re.compile(r".+(?:ed|ify|ize|ise|izes|ises|ifies)")
_AGENT = re.compile(r".+(?:er|or)s?")
_ADJECTIVES = frozenset(
    ["financial", "national", "international", "commercial", "industrial", "special", "social"]
    + ["judicial", "municipal", "provincial", "internal", "external", "domestic", "foreign"]
    + ["electronic", "medical", "technical", "political", "physical", "digital", "economic"]
    + ["urban", "rural", "local", "general", "annual", "regional"]
    + ["public", "academic", "individual", "necessary", "major", "important", "substantive"]
)
"""Frequent adjectives, with which no translation of several words ends."""
_SMALL = frozenset(
    ["of", "the", "and", "for", "in", "on", "at", "to", "or", "a", "an", "by", "with", "from", "de"]
)


def looks_nominal(target: str) -> bool:
    """Say whether the last word of a target has an ending of nouns (`registration`)."""
    return _NOMINAL.fullmatch(target.rsplit(" ", 1)[-1]) is not None


def begins_nominal(target: str) -> bool:
    """Say whether the first word of a target may be a noun before another (`driver license`)."""
    first = target.split(" ", 1)[0]
    return (_NOMINAL.fullmatch(first) or _AGENT.fullmatch(first)) is not None


def breaks_off(target: str) -> bool:
    """Say whether a target of several words ends in an adjective (`domestic financial`)."""
    words = target.split(" ")
    return len(words) > 1 and words[-1] in _ADJECTIVES


def looks_verbal(target: str) -> bool:
    """Say whether the last word of a target has an ending of verb forms (`company invited`)."""
    return _VERBAL.fullmatch(target.rsplit(" ", 1)[-1]) is not None


def as_name(target: str) -> str:
    """Write a lower-cased target as titles and names are written: `Ministry of Justice`."""
    return " ".join(
        word if word in _SMALL and place else word[:1].upper() + word[1:]
        for place, word in enumerate(target.split(" "))
    )


_INITIAL = re.compile(
    rf"^[^ \n]|(?<= )(?!(?:{'|'.join(sorted(_SMALL))})(?: |$))[^ \n]", re.MULTILINE
)


def as_names(targets: Sequence[str]) -> list[str]:
    """Do what `as_name` does to many targets, none of which holds the end of a line."""
    whole = _INITIAL.sub(lambda initial: initial.group().upper(), "\n".join(targets))
    return whole.split("\n") if targets else []
