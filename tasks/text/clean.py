"""Say why a sentence pair is unfit for training; pure judgement, one reason a pair.

Not here: duplicates and overlap with test sets, which need more than one pair to see.
"""

import re
from collections.abc import Sequence
from typing import Literal

from tasks.text.config import TextConfig

DropReason = Literal["empty_side", "too_long", "length_ratio", "identical_sides", "wrong_script"]
"""In the order in which they are looked for; the first that holds is the reason."""

_HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\uff21-\uff3a\uff41-\uff5a]")
_LETTER = re.compile(r"[^\W\d_]")


def why_drop(source: Sequence[str], target: Sequence[str], config: TextConfig) -> DropReason | None:
    """Say why a pair of word sequences is unfit, or None if it is fit."""
    shorter, longer = sorted((len(source), len(target)))
    if shorter == 0:
        return "empty_side"
    if longer > config.max_words:
        return "too_long"
    if longer > config.ratio_free_words and longer > config.max_ratio * shorter:
        return "length_ratio"
    if list(source) == list(target):
        return "identical_sides"
    return None


def why_drop_text(source: str, target: str, config: TextConfig) -> DropReason | None:
    """Say why a pair of raw texts is unfit before any words are made, or None if it is fit.

    Args:
        source: the Chinese side.
        target: the English side.
        config: the limits.

    Returns:
        The first reason that holds, in the order of `DropReason`.
    """
    source, target = source.strip(), target.strip()
    if not source or not target:
        return "empty_side"
    if max(len(source), len(target)) > config.max_characters:
        return "too_long"
    if source.casefold() == target.casefold():
        return "identical_sides"
    if (
        _share(_HAN, source) < config.min_script_share
        or _share(_LATIN, target) < config.min_script_share
    ):
        return "wrong_script"
    return None


def _share(script: re.Pattern[str], text: str) -> float:
    """Return which share of a text's letters is of a script; 1 where there are no letters."""
    letters = len(_LETTER.findall(text))
    return len(script.findall(text)) / letters if letters else 1.0
