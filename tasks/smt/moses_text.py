"""Words as Moses reads and writes them: its own marks inside words are escaped."""

from collections.abc import Iterable, Sequence

_ESCAPES = (
    ("&", "&amp;"),
    ("|", "&#124;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("'", "&apos;"),
    ('"', "&quot;"),
    ("[", "&#91;"),
    ("]", "&#93;"),
)
"""Of `escape-special-chars.perl`; the first must be escaped first and read last."""
_UNUSUAL_SPACE = "\u2423"
"""Stands for white space inside a word, which would make two words of it."""


def moses_line(words: Iterable[str]) -> str:
    """Write words as a line of as many words."""
    return " ".join(map(_escaped, words))


def _escaped(word: str) -> str:
    for mark, escape in _ESCAPES:
        word = word.replace(mark, escape)
    return _UNUSUAL_SPACE.join(word.split()) or _UNUSUAL_SPACE


def moses_words(line: str) -> list[str]:
    """Read the words of a line."""
    return [_read(word) for word in line.split()]


def _read(word: str) -> str:
    for mark, escape in reversed(_ESCAPES):
        word = word.replace(escape, mark)
    return word


def link_line(links: Iterable[Sequence[int]]) -> str:
    """Write links as `source-target`, counted from 0."""
    return " ".join(f"{source}-{target}" for source, target in links)
