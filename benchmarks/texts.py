"""Sentences a second and processor, on the Chinese of the built-in sample."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from benchmarks.measuring import figure, median_in_turn
from storage.records import Span
from tasks.rules.grammar import find
from tasks.sample.newswire import generate
from tasks.tagging.matcher import Matcher
from tasks.text.english import tokenise
from tasks.text.segment import segment

T = TypeVar("T")

ROUNDS = 3


def run() -> None:
    """Measure rules, segmentation, tokenisation and phrase matching."""
    sample = generate(1)
    chinese = [pair.source for pair in sample.train]
    english = [pair.target for pair in sample.train]
    words = [[word.text for word in segment(text)] for text in chinese]
    matcher = Matcher(([entry.source], at) for at, entry in enumerate(sample.dictionary))
    works: dict[str, Callable[[], object]] = {
        "rules": lambda: _each(find, chinese),
        "words without rules": lambda: _each(segment, chinese),
        "words with rules": lambda: _each(_with_rules, chinese),
        "English words": lambda: _each(tokenise, english),
        f"matching {len(sample.dictionary):,} phrases": lambda: _each(matcher.find, words),
    }
    for name, seconds in median_in_turn(works, ROUNDS).items():
        figure(name, len(chinese) / seconds, "sentences/s")


def _each(work: Callable[[T], object], items: Iterable[T]) -> None:
    for item in items:
        work(item)


def _with_rules(text: str) -> object:
    return segment(text, [Span(match.start, match.end) for match in find(text)])
