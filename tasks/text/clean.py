"""Say why a sentence pair is unfit for training; pure judgement of what was measured, one reason a
pair.

Not here: duplicates, which need more than one pair to see, and links, which come after the words.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from tasks.text.config import TextConfig

DropReason = Literal[
    "in_test_set",
    "empty_side",
    "too_long",
    "broken_encoding",
    "markup",
    "identical_sides",
    "wrong_script",
    "wrong_language",
    "symbols",
    "length_ratio",
    "numbers_disagree",
    "duplicate",
    "unaligned",
]
"""In the order in which they are looked for; the first that holds is the reason."""

Measures = Mapping[str, Any]
"""A row of the kind `quality`."""


def why_drop(measures: Measures, config: TextConfig) -> DropReason | None:
    """Say why a pair is unfit, or None if it is fit.

    Args:
        measures: a row of the kind `quality`, as `quality.measure` makes it.
        config: the limits.
    """
    return next((reason for reason, holds in _CHECKS if holds(measures, config)), None)


def detail_of(measures: Measures, reason: DropReason) -> str:
    """Return the measurement behind a reason, as one line for people."""
    return _DETAILS[reason].format_map(measures) if reason in _DETAILS else ""


def _is_held_out(measures: Measures, config: TextConfig) -> bool:
    kinds = {"run": ("whole", "run"), "whole": ("whole",), "off": ()}[config.decontaminate]
    return measures["overlap_kind"] in kinds


def _is_too_long(measures: Measures, config: TextConfig) -> bool:
    return (
        _larger(measures, "characters") > config.max_characters
        or _larger(measures, "words") > config.max_words
    )


def _has_too_little_script(measures: Measures, config: TextConfig) -> bool:
    han = int(measures["num_source_han"])
    chinese = han + int(measures["num_source_kana"]) + int(measures["num_source_other"])
    latin, letters = int(measures["num_target_latin"]), int(measures["num_target_letters"])
    return han < config.min_script_share * chinese or latin < config.min_script_share * letters


def _is_other_language(measures: Measures, config: TextConfig) -> bool:
    kana, english = int(measures["num_source_kana"]), int(measures["english_permille"])
    characters = kana + int(measures["num_source_han"])
    return english < 1000 * config.min_english or kana > config.max_kana_share * characters


def _has_too_many_symbols(measures: Measures, config: TextConfig) -> bool:
    return any(
        measures[f"num_{side}_symbols"]
        > config.max_symbol_share * measures[f"num_{side}_characters"]
        for side in ("source", "target")
    )


def _has_unlike_lengths(measures: Measures, config: TextConfig) -> bool:
    longer, shorter = _larger(measures, "words"), _smaller(measures, "words")
    return longer > config.ratio_free_words and longer > config.max_ratio * shorter


def _larger(measures: Measures, unit: str) -> int:
    return max(int(measures[f"num_source_{unit}"]), int(measures[f"num_target_{unit}"]))


def _smaller(measures: Measures, unit: str) -> int:
    return min(int(measures[f"num_source_{unit}"]), int(measures[f"num_target_{unit}"]))


_CHECKS: tuple[tuple[DropReason, Callable[[Measures, TextConfig], bool]], ...] = (
    ("in_test_set", _is_held_out),
    ("empty_side", lambda measures, config: not _smaller(measures, "words")),
    ("too_long", _is_too_long),
    (
        "broken_encoding",
        lambda measures, config: bool(measures["source_damage"] or measures["target_damage"]),
    ),
    ("markup", lambda measures, config: _larger(measures, "tags") > config.max_tags),
    ("identical_sides", lambda measures, config: measures["identical"]),
    ("wrong_script", _has_too_little_script),
    ("wrong_language", _is_other_language),
    ("symbols", _has_too_many_symbols),
    ("length_ratio", _has_unlike_lengths),
    (
        "numbers_disagree",
        lambda measures, config: config.check_numbers and bool(measures["numbers_clash"]),
    ),
)

_DETAILS: Mapping[DropReason, str] = {
    "in_test_set": "{overlap_kind} {overlap_digest} in the {overlap_side} of {overlap_sentence_id}",
    "too_long": "{num_source_words} and {num_target_words} words, "
    "{num_source_characters} and {num_target_characters} characters",
    "broken_encoding": "source: {source_damage}, target: {target_damage}",
    "markup": "{num_source_tags} and {num_target_tags} tags",
    "wrong_script": "{num_source_han} Chinese characters beside {num_source_kana} kana and "
    "{num_source_other} words of other letters; {num_target_latin} of {num_target_letters} Latin",
    "wrong_language": "English against the likeliest language: {english_permille} of 1000; "
    "{num_source_kana} kana beside {num_source_han} Chinese characters",
    "symbols": "{num_source_symbols} of {num_source_characters} characters are symbols, "
    "{num_target_symbols} of {num_target_characters}",
    "length_ratio": "{num_source_words} and {num_target_words} words",
    "numbers_disagree": "{numbers_clash}",
}
