"""Read bilingual word lists in the manner of MUSE: two words a line, separated by a blank or a tab.

Which of the two is Chinese is seen by its script. Such lists give every translation of a word on a
line of its own; only words with a single one are taken.
"""

import re
from collections.abc import Iterator

from tasks.readers.entries import Found, FoundEntry, bad_line, read_texts
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, set_aside

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
FORM = "two words separated by a blank"


def has_han(text: str) -> bool:
    """Say whether a text holds a Chinese character."""
    return _HAN.search(text) is not None


def chinese_first(one: str, other: str) -> tuple[str, str] | None:
    """Return the two texts with the Chinese one first; None if not just one of them is Chinese."""
    if has_han(one) == has_han(other):
        return None
    return (one, other) if has_han(one) else (other, one)


def read_word_pairs(path: PathLike, *, encoding: Encoding = "utf-8") -> Iterator[Found]:
    """Yield one record for each line; the entries come last, in the order of their lines.

    Raises:
        InputError: the file cannot be opened.
    """
    translations: dict[str, set[str]] = {}
    pairs: list[FoundEntry] = []
    for item in read_texts(path, encoding):
        if isinstance(item, SetAside):
            yield item
            continue
        number, text = item
        words = text.split()
        if len(words) != 2:
            yield bad_line(path, number, text, FORM, "columns")
            continue
        pair = chinese_first(words[0], words[1])
        if pair is None:
            yield set_aside(number, "not_one_chinese", text)
            continue
        pairs.append(FoundEntry(*pair, number))
        translations.setdefault(pair[0], set()).add(pair[1].casefold())
    seen: set[str] = set()
    for pair_found in pairs:
        yield _only(pair_found, translations[pair_found.source], seen)


def _only(pair: FoundEntry, translations: set[str], seen: set[str]) -> Found:
    if len(translations) == 1 and pair.source not in seen:
        seen.add(pair.source)
        return pair
    reason = "several_translations" if len(translations) > 1 else "repeated"
    return set_aside(pair.line, reason, f"{pair.source} {pair.target}")
