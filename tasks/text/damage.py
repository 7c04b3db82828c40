"""What went wrong with a text on its way here: wrong encodings, lost characters, left-over markup.

A text that was decoded with the wrong table is known by going back: if the characters, encoded with
the table that was probably used, are sound UTF-8 (or GBK) text, they were that before.
"""

import re
from typing import Literal

Damage = Literal["", "replacement_character", "control_character", "mojibake"]

_REPLACED = re.compile("[\ufffd\ufffe\uffff\ud800-\udfff\ue000-\uf8ff]|锟斤拷")
"""Marks of characters that were lost: U+FFFD (also after one more decoding), private use."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f]")
"""Control characters; tab, line ends, separators and U+0085 count as blanks."""
_WESTERN = re.compile(
    "[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
    "\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]{2,}"
)
"""Runs of what the tables Latin-1 and Windows-1252 have above ASCII."""
_HIGH_LATIN = re.compile("[\u0080-\u00ff]")
_HAN = re.compile("[\u4e00-\u9fff]")
_HAN_RUN = re.compile("[\u2e80-\ufaff]{2,}")
_FEWEST_HAN = 2
_LONGEST_UTF8 = 4
_BEGINS_UTF8 = re.compile(
    "["
    + "".join(
        bytes([first, second]).decode("gbk", "ignore")
        for first in range(0xE4, 0xEA)
        for second in range(0x80, 0xC0)
    )
    + "]"
)
"""What the first two bytes of a Chinese character in UTF-8 look like in GBK; rare otherwise."""

_TAG = re.compile(
    r"</?[A-Za-z][A-Za-z0-9:_-]{0,30}(?:\s[^<>]{0,300})?/?>"
    r"|<!(?:--|\[CDATA\[|DOCTYPE)"
    r"|&(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
    r"|\[\[|\]\]|\{\{|\}\}|'''"
    r"|\[/?(?:b|i|u|url|img|quote|color|size)(?:=[^\]]{0,200})?\]"
    r"|\{\\(?:an?[0-9]+|pos|[ibu][01])[^}]{0,80}\}",
    re.IGNORECASE,
)
"""Tags and comments of XML and HTML, entities, wiki and forum brackets, codes of subtitles."""


def damage_of(text: str) -> Damage:
    """Say what is wrong with the encoding of a raw text, or return the empty text."""
    if text.isascii() and text.isprintable():
        return ""
    if _REPLACED.search(text):
        return "replacement_character"
    if any(_was_other(found[0]) for found in _WESTERN.finditer(text)):
        return "mojibake"
    if _CONTROL.search(text):
        return "control_character"
    if _BEGINS_UTF8.search(text) and any(
        _was_utf8_read_as_gbk(found[0]) for found in _HAN_RUN.finditer(text)
    ):
        return "mojibake"
    return ""


def count_tags(text: str) -> int:
    """Count the tags, entities and the like that were left in a text."""
    if not ("<" in text or "&" in text or "[" in text or "{" in text or "'''" in text):
        return 0
    return len(_TAG.findall(text))


def _was_other(run: str) -> bool:
    """Say whether a run of Western characters was UTF-8, or Chinese in GBK."""
    data = b"".join(_western_byte(character) for character in run)
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        pass
    if len(run) < 2 * _FEWEST_HAN or not _HIGH_LATIN.search(run):
        return False
    before = data.decode("gb18030", "replace")
    return len(_HAN.findall(before)) == len(run) // 2


def _western_byte(character: str) -> bytes:
    """Return the byte that a character stood for; Windows-1252 leaves some to Latin-1."""
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1")


def _was_utf8_read_as_gbk(run: str) -> bool:
    """Say whether a run of Chinese characters is sound UTF-8 once it is GBK again.

    A character that was cut in half may end it, or lie further on.
    """
    data = run.encode("gb18030")
    try:
        before = data.decode("utf-8")
    except UnicodeDecodeError as error:
        whole = len(data) - error.start < _LONGEST_UTF8
        before = data[: error.start].decode("utf-8")
    else:
        whole = True
    return len(_HAN.findall(before)) >= (_FEWEST_HAN if whole else 2 * _FEWEST_HAN)
