"""Sentences a second and processor, on the built-in sample."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from benchmarks.measuring import figure, median_in_turn
from storage.records import Span
from tasks.rules.grammar import find
from tasks.sample.newswire import generate
from tasks.tagging.matcher import Matcher
from tasks.text.clean import why_drop
from tasks.text.config import TextConfig
from tasks.text.conversion import Converter
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.overlap import HeldOutIndex, HeldOutText
from tasks.text.quality import measure
from tasks.text.segment import Cutter, segment
from tasks.text.truecase import learn_casing, restore_case

T = TypeVar("T")

ROUNDS = 3
_CONFIG = TextConfig()


def run() -> None:
    """Measure rules, words of both languages, printing, script, cleaning and phrase matching."""
    sample = generate(1)
    chinese = [pair.source for pair in sample.train]
    english = [pair.target for pair in sample.train]
    words = [[word.text for word in segment(text)] for text in chinese]
    english_words = [tokenise(text) for text in english]
    pairs = list(zip(chinese, english, words, english_words, strict=True))
    held_out = HeldOutIndex(
        (
            HeldOutText("test", str(at), "reference 1", pair.target, tokenise(pair.target))
            for at, pair in enumerate(sample.test)
        ),
        13,
    )
    measures = [_measured(pair, held_out) for pair in pairs]
    matcher = Matcher(([entry.source], at) for at, entry in enumerate(sample.dictionary))
    converter, casing = Converter("simplified", "standard"), learn_casing(english_words, [])
    works: dict[str, Callable[[], object]] = {
        "rules": lambda: _each(find, chinese),
        "words without rules": lambda: _each(segment, chinese),
        "words with rules": lambda: _each(_with_rules, chinese),
        "English words": lambda: _each(tokenise, english),
        "printing English": lambda: _each(detokenise, english_words),
        "case of English": lambda: _each(lambda item: restore_case(item, casing), english_words),
        "script": lambda: _each(converter.convert, chinese),
        "measuring pairs": lambda: _each(lambda pair: _measured(pair, held_out), pairs),
        "judging pairs": lambda: _each(lambda row: why_drop(row, _CONFIG), measures),
        f"matching {len(sample.dictionary):,} phrases": lambda: _each(matcher.find, words),
    }
    for name, seconds in median_in_turn(works, ROUNDS).items():
        sides = 2 if "pairs" in name else 1
        figure(name, sides * len(chinese) / seconds, "sentences/s")
    _compare_segmenters(chinese[:2000])


def _compare_segmenters(texts: list[str]) -> None:
    """Measure jieba itself beside rjieba, which makes the same words."""
    cutters = {name: Cutter(name) for name in ("jieba", "rjieba")}
    works = {
        name: lambda cutter=cutter: _each(lambda text: segment(text, cutter=cutter), texts)
        for name, cutter in cutters.items()
    }
    seconds = median_in_turn(works, ROUNDS)
    figure("rjieba against jieba", seconds["jieba"] / seconds["rjieba"], "times as fast")


def _each(work: Callable[[T], object], items: Iterable[T]) -> None:
    for item in items:
        work(item)


def _measured(
    pair: tuple[str, str, list[str], list[str]], held_out: HeldOutIndex
) -> dict[str, object]:
    source, target, source_words, target_words = pair
    texts = source, target
    return measure(texts, texts, (source_words, target_words), held_out)


def _with_rules(text: str) -> object:
    return segment(text, [Span(match.start, match.end) for match in find(text)])
