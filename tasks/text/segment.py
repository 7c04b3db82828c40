"""Cut Chinese text into words with offsets, keeping the spans of rules apart.

No word crosses the border of a span. Inside a span each digit group, each numeral written in
Chinese characters and each unit is a word. URLs, mail addresses and identifiers stay whole
everywhere. Blanks are no words; the words of a text without blanks, joined, are the text.

The words are jieba's (its dictionary, its hidden Markov model for unknown words), as `rjieba` makes
them several times faster, or `jieba` itself. Each cutter owns its dictionary; nothing global is
read or written, neither jieba's default tokenizer nor its cache file, so what another user taught
jieba has no effect here.
"""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import ahocorasick_rs
import rjieba

from storage.records import Span
from tasks.rules.copied import EXACT
from tasks.rules.units import COUNTS, CURRENCIES, alternatives
from tasks.text.config import Segmenter

_WHOLE = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    rf"{EXACT}"
    r"|(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"
    r")"
)
"""What stays one word outside spans: URLs, mail addresses, hosts, identifiers, grouped digits."""

_CHINESE_DIGIT = "[零〇○一二三四五六七八九两壹贰叁肆伍陆柒捌玖貳參陸兩]"
_CHINESE_NUMERAL = (
    "[零〇○一二三四五六七八九十百千万亿兆两廿卅壹贰叁肆伍陆柒捌玖拾佰仟貳參陸兩萬億]+"
)
_UNITS = (
    "百分之|千分之|万分之|百分点|新臺幣|摄氏度|摄氏|华氏|零下|世纪|年代|季度|周年|星期|礼拜"
    "|中华民国|民国|公元前|公元|西元|农历"
    "|上半年|下半年|上旬|中旬|下旬|上午|下午|中午|早上|凌晨|傍晚|晚上|昨晚|今晚|北京时间|当地时间"
    "|大约|大概|将近|超过|不到|不足|至少|最多|左右|上下|"
) + alternatives(name for name in (*COUNTS, *CURRENCIES) if len(name) > 1 and not name.isascii())
"""Words of more than one character inside spans; none is hidden by a shorter one before it."""
_IN_SPAN = re.compile(
    r"[0-9０-９]+(?:[,，][0-9０-９]{3})*(?:[.．][0-9０-９]+)?"
    rf"|{_UNITS}"
    rf"|{_CHINESE_NUMERAL}(?:[点點]{_CHINESE_DIGIT}++(?![十分刻半]))?"
    r"|[A-Za-zＡ-Ｚａ-ｚ]+"
    r"|\S"
)
"""The words inside a rule's span; what is not a number or a longer unit is one character a word."""

_SURROGATES = re.compile("[\ud800-\udfff]")


class Word(NamedTuple):
    """A word on the characters `[start, end)` of the text."""

    text: str
    start: int
    end: int


class Cutter:
    """Cuts text without spans into words, in one of several ways."""

    def __init__(self, segmenter: Segmenter = "rjieba", user_words: Iterable[str] = ()) -> None:
        """Load the dictionary (about 0.1 s with rjieba).

        Args:
            segmenter: "rjieba" or "jieba" for words, "characters" for one Chinese character a word.
            user_words: words without blanks that are to be known beside the dictionary's own.
        """
        words = sorted(set(user_words)) if segmenter != "characters" else []
        self._tokens = _tokens_of(segmenter, [word for word in words if _HAN_WORD.fullmatch(word)])
        others = [word for word in words if not _HAN_WORD.fullmatch(word)]
        self._others = _matcher(others) if others else None

    def cut(self, text: str, start: int, end: int, words: list[Word]) -> None:
        """Append the words of `text[start:end]`."""
        if self._others is None:
            self._cut_plain(text, start, end, words)
            return
        position = start
        for _, first, last in self._others.find_matches_as_indexes(text[start:end]):
            self._cut_plain(text, position, start + first, words)
            words.append(Word(text[start + first : start + last], start + first, start + last))
            position = start + last
        self._cut_plain(text, position, end, words)

    def _cut_plain(self, text: str, start: int, end: int, words: list[Word]) -> None:
        if start >= end:
            return
        position = start
        for token in self._tokens(_SURROGATES.sub("\ufffd", text[start:end])):
            after = position + len(token)
            if not token.isspace():
                words.append(Word(text[position:after], position, after))
            position = after


def segment(text: str, spans: Sequence[Span] = (), *, cutter: Cutter | None = None) -> list[Word]:
    """Cut a text into words.

    Args:
        text: any text, best normalised.
        spans: spans of rules in characters, without overlaps.
        cutter: how to cut outside of them; rjieba with its own dictionary if left out.

    Returns:
        The words from left to right; together they cover everything but blanks.
    """
    chosen = cutter or _plain_cutter()
    words: list[Word] = []
    position = 0
    for span in sorted(spans, key=lambda span: span.start):
        _cut_outside(text, position, span.start, chosen, words)
        words.extend(
            Word(found[0], *found.span()) for found in _IN_SPAN.finditer(text, span.start, span.end)
        )
        position = span.end
    _cut_outside(text, position, len(text), chosen, words)
    return words


def _cut_outside(text: str, start: int, end: int, cutter: Cutter, words: list[Word]) -> None:
    """Append the words of `text[start:end]`, where no span lies."""
    position = start
    for found in _WHOLE.finditer(text, start, end):
        cutter.cut(text, position, found.start(), words)
        words.append(Word(found[0], *found.span()))
        position = found.end()
    cutter.cut(text, position, end, words)


_CHARACTERS = re.compile(r"[A-Za-z0-9]+|\s+|.", re.DOTALL)
_HAN_WORD = re.compile("[\u4e00-\u9fd5A-Za-z0-9]+")
"""What jieba can keep whole; it cuts at all other characters before it looks anything up."""

Tokens = Callable[[str], Iterable[str]]


def _tokens_of(segmenter: Segmenter, user_words: Sequence[str]) -> Tokens:
    if segmenter == "characters":
        return lambda piece: (found[0] for found in _CHARACTERS.finditer(piece))
    if segmenter == "jieba":
        return _original_jieba(user_words)
    fast = rjieba.Jieba()
    for word in user_words:
        fast.add_word(word, None, None)
    return lambda piece: fast.cut(piece, True)


def _original_jieba(user_words: Sequence[str]) -> Tokens:
    """Load jieba into an object of our own, as it does itself, but without its cache file."""
    import jieba  # Loading it takes long, and few ask for it.

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    for word in user_words:
        tokenizer.add_word(word)
    return lambda piece: tokenizer.cut(piece)


def _matcher(words: Sequence[str]) -> "ahocorasick_rs.AhoCorasick":
    longest = ahocorasick_rs.MatchKind.LeftmostLongest
    return ahocorasick_rs.AhoCorasick(words, matchkind=longest)


@cache
def _plain_cutter() -> Cutter:
    """Load the dictionary once a process, into an object of our own."""
    return Cutter()
