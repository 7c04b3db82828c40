"""Measure a sentence pair; the limits within which it is kept are applied later (`clean.py`).

Counts and flags only, so that a changed limit needs no second look at the text.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from tasks.rules.guard import clash
from tasks.rules.style import DEFAULT_STYLE, RuleStyle
from tasks.text.config import MOST_CHARACTERS
from tasks.text.damage import count_tags, damage_of
from tasks.text.language import english_permille
from tasks.text.overlap import HeldOutIndex, fold

_HAN = re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]+")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]+")
_OTHER = re.compile(r"[^\W\d_\u3041-\u30ff\u31f0-\u31ff]+")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_DIGITS = re.compile(r"\d+")
_KEY_BYTES = 12


def measure(
    raw: tuple[str, str],
    texts: tuple[str, str],
    words: tuple[Sequence[str], Sequence[str]],
    held_out: HeldOutIndex,
    style: RuleStyle = DEFAULT_STYLE,
) -> dict[str, Any]:
    """Measure a pair.

    Args:
        raw: both sides as they were read.
        texts: both sides normalised, Chinese first.
        words: the words of both sides.
        held_out: the dev and test sets.
        style: where the Chinese comes from, for its numbers and dates.

    Returns:
        The columns of a row of the kind `quality`, except those that name the pair. Among the
        letters of the Chinese side, a run of letters that are neither Han nor kana counts once.
        Of a pair that is certainly too long, language and numbers, which take long, are not judged.
    """
    (source, target), (source_words, target_words) = texts, words
    folded_source, folded_target = fold(source), fold(target)
    not_han = _HAN.sub("", source)
    target_letters = len(folded_target) - _length(_DIGITS, folded_target)
    lowered = [word.lower() for word in target_words]
    is_measured = max(len(source), len(target)) <= MOST_CHARACTERS
    return {
        "num_source_characters": len(source),
        "num_target_characters": len(target),
        "num_source_words": len(source_words),
        "num_target_words": len(target_words),
        "num_source_han": len(source) - len(not_han),
        "num_source_kana": _length(_KANA, not_han),
        "num_source_other": len(_OTHER.findall(not_han)),
        "num_target_letters": target_letters,
        "num_target_latin": target_letters if target.isascii() else _length(_LATIN, target),
        "num_source_symbols": _symbols(source, folded_source),
        "num_target_symbols": _symbols(target, folded_target),
        "num_source_tags": count_tags(source),
        "num_target_tags": count_tags(target),
        "english_permille": english_permille(target, lowered, target_letters)
        if is_measured
        else 1000,
        "source_damage": damage_of(raw[0]),
        "target_damage": damage_of(raw[1]),
        "numbers_clash": clash(source, target, style) if is_measured else "",
        "identical": (folded_source or source) == (folded_target or target),
        "exact_key": _key(source, target),
        "normalised_key": _key(folded_source or source, folded_target or target),
        **_overlap_columns(
            held_out.find(folded_source, source_words) or held_out.find(folded_target, lowered)
        ),
    }


def _overlap_columns(found: Any) -> dict[str, str]:
    names = ("testset", "sentence_id", "side", "kind", "digest")
    return {f"overlap_{name}": getattr(found, name) if found else "" for name in names}


def _key(source: str, target: str) -> str:
    """Return a short name of a pair's texts, equal for equal texts."""
    joined = f"{source}\n{target}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=_KEY_BYTES).hexdigest()


def _length(pattern: re.Pattern[str], text: str) -> int:
    """Return how many characters of a text are in matches of a pattern."""
    return len("".join(pattern.findall(text)))


def _symbols(text: str, folded: str) -> int:
    """Return how many characters are neither letters, digits nor blanks."""
    return max(0, len(text) - text.count(" ") - len(folded))
