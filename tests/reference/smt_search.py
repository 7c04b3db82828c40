"""All translations of a sentence under a distortion limit, one by one, and their features."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.reference.smt_language_model import BEGIN, END, SlowLanguageModel


@dataclass(frozen=True)
class Pair:
    """A phrase pair."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    scores: tuple[float, ...]
    reordering: tuple[float, ...]


@dataclass(frozen=True)
class Step:
    """A phrase pair on the source words `[start, end)`."""

    pair: Pair
    start: int
    end: int


def derivations(words: Sequence[str], pairs: Sequence[Pair], limit: int) -> Iterator[list[Step]]:
    """Yield every way to translate a sentence whose words are all known."""
    yield from _extended(words, pairs, limit, [])


def _extended(
    words: Sequence[str], pairs: Sequence[Pair], limit: int, path: list[Step]
) -> Iterator[list[Step]]:
    covered = {place for step in path for place in range(step.start, step.end)}
    if len(covered) == len(words):
        yield path
        return
    gap = min(place for place in range(len(words)) if place not in covered)
    last = path[-1].end if path else 0
    for start in range(len(words)):
        for pair in pairs:
            end = start + len(pair.source)
            if tuple(words[start:end]) != pair.source or covered & set(range(start, end)):
                continue
            if abs(start - last) > limit or (start != gap and end - gap > limit):
                continue
            yield from _extended(words, pairs, limit, [*path, Step(pair, start, end)])


def features(path: Sequence[Step], model: SlowLanguageModel) -> list[float]:
    """Return the features of a translation, as `tasks/smt/features.py` names them."""
    found = [0.0] * 14
    said, last, before = [BEGIN], 0, None
    for step in path:
        for number, score in enumerate(step.pair.scores):
            found[number] += score
        found[4] += 1
        found[5] -= len(step.pair.target)
        found[6] -= abs(step.start - last)
        for word in step.pair.target:
            found[7] += math.log(model.probability(said, word))
            said.append(word)
        orientation = _orientation(before, step)
        found[8 + orientation] += step.pair.reordering[orientation]
        if before is not None:
            found[11 + orientation] += before.pair.reordering[3 + orientation]
        last, before = step.end, step
    found[7] += math.log(model.probability(said, END))
    return found


def _orientation(before: Step | None, step: Step) -> int:
    start, end = (-1, 0) if before is None else (before.start, before.end)
    if step.start == end:
        return 0
    return 1 if before is not None and step.end == start else 2
