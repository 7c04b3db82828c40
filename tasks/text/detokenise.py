"""Print English words as text: the inverse of `english.tokenise`.

Most marks say by themselves on which side they stand close. Quotation marks do not: they open and
close in turn where their number is even, and otherwise as their neighbours make likely. Measured on
news and United Nations text: docs/sources.md.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from tasks.text.english import CLITIC, tokenise

Direction = Literal["opens", "closes"]

_ENDS = frozenset([",", ".", ";", ":", "!", "?", "...", "!!", "??", "?!", "!?"])
_NO_SPACE_BEFORE = _ENDS | frozenset(")]}%‰/°*—·®™~") | {"**", "***"}
_NO_SPACE_AFTER = frozenset("([{$£€¥#/—·@")
_CURRENCY_PREFIXES = frozenset(["us", "nt", "hk", "au", "ca", "sg", "nz"])
_MARK = re.compile("[.!?]{2,}|[\U0001f000-\U0001faff]")
_LONGEST_NUMBER = 2
"""Digits of the number of a paragraph; `resolution 2127 (2013)` holds a year."""
_DEGREES = frozenset("cfnsew")
_NO_OWNERS = frozenset(["is", "was", "as", "has", "does", "his", "this", "says", "us", "yes", "'s"])
"""Words in `s` after which an apostrophe is a quotation mark and no possessive."""


def detokenise(words: Sequence[str]) -> str:
    """Print words as text.

    Two words are only printed without a blank if the tokeniser would cut them apart again, and if
    the whole would still be cut differently, all words are printed with blanks. So for the words
    `w` of any text, `tokenise(detokenise(w)) == w`, and printing again changes nothing.
    """
    directions = {**_double_quotes(words), **_single_quotes(words)}
    pieces: list[str] = []
    for number, word in enumerate(words):
        if number and not _attached(words, number, directions):
            pieces.append(" ")
        pieces.append(word)
    text = "".join(pieces)
    return text if tokenise(text) == list(words) else " ".join(words)


def _attached(words: Sequence[str], number: int, directions: Mapping[int, Direction]) -> bool:
    """Say whether a word is printed directly after the one before it."""
    left, right = words[number - 1], words[number]
    before, after = directions.get(number - 1), directions.get(number)
    if before == "opens" or after == "closes":
        wanted = True
    elif after == "opens":
        wanted = left in _NO_SPACE_AFTER
    elif before == "closes" and left == '"':
        wanted = right in _NO_SPACE_BEFORE or bool(CLITIC.match(right))
    else:
        wanted = _close(words, number)
    return wanted and tokenise(left + right) == [left, right]


def _close(words: Sequence[str], number: int) -> bool:
    """Say whether two words stand close by their own nature, quotation marks aside."""
    left, right = words[number - 1], words[number]
    if right in _NO_SPACE_BEFORE or left in _NO_SPACE_AFTER or _MARK.fullmatch(right):
        return True
    if CLITIC.match(right):
        return True
    if right == "$":
        return left.lower() in _CURRENCY_PREFIXES
    if right == "(":
        return _is_numbering(words, number)
    if left == "°":
        return right.lower() in _DEGREES
    return _joins_numbers(words, number)


def _is_numbering(words: Sequence[str], number: int) -> bool:
    """Say whether a bracket holds the number of a paragraph, as in `55(1)(b)`."""
    content, left = words[number + 1 : number + 3], words[number - 1]
    if len(content) != 2 or content[1] != ")":
        return False
    number_there = content[0].isdecimal() and len(content[0]) <= _LONGEST_NUMBER
    return (left == ")" and len(content[0]) == 1) or (left.isdecimal() and number_there)


def _joins_numbers(words: Sequence[str], number: int) -> bool:
    """Say whether a dash, plus or prime binds its neighbours: `7–2`, `UTC+1`, `50+`, `3'54''`."""
    left, right = words[number - 1], words[number]
    after = words[number + 1] if number + 1 < len(words) else ""
    if right == "''":
        return left[-1].isdecimal()
    if right == "+":
        return left[0].isdecimal() != after[:1].isdecimal()
    if left == "+" and number > 1:
        return words[number - 2].isalpha() and right[0].isdecimal()
    if right == "–":
        return left[-1].isdecimal() and after[:1].isdecimal()
    return left == "–" and number > 1 and words[number - 2][-1].isdecimal() and right[0].isdecimal()


def _double_quotes(words: Sequence[str]) -> dict[int, Direction]:
    """Say for each double quotation mark whether it opens or closes."""
    places = [number for number, word in enumerate(words) if word == '"']
    if len(places) % 2 == 0:
        return {at: "closes" if turn % 2 else "opens" for turn, at in enumerate(places)}
    directions: dict[int, Direction] = {}
    is_open = False
    for at in places:
        is_open = not (is_open or _ends_here(words, at))
        directions[at] = "opens" if is_open else "closes"
    return directions


def _ends_here(words: Sequence[str], at: int) -> bool:
    """Say whether a quotation mark without a partner closes, by the words around it."""
    if at == 0:
        return False
    if at == len(words) - 1:
        return True
    if words[at - 1] == ",":
        return words[at + 1].islower()
    return words[at - 1] in _ENDS - {":"} or words[at + 1] in _NO_SPACE_BEFORE


def _single_quotes(words: Sequence[str]) -> dict[int, Direction]:
    """Say for each apostrophe that is a word whether it opens, closes or marks a possessive."""
    places = [number for number, word in enumerate(words) if word == "'"]
    directions: dict[int, Direction] = {}
    is_open = False
    for at in places:
        owner = words[at - 1].lower() if at else ""
        if is_open or at == len(words) - 1 or (owner.endswith("s") and owner not in _NO_OWNERS):
            directions[at] = "closes"
            is_open = False
        else:
            directions[at] = "opens"
            is_open = True
    return directions
