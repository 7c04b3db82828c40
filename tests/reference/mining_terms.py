"""Terms the slow way: from the definitions, one by one."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from tasks.mining.c_value import SHARE_OF_BEST, Nesting
from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import TermFacts, nc_values
from tasks.mining.termhood import Judge

Words = tuple[str, ...]


def holds(longer: Words, shorter: Words) -> bool:
    """Say whether a longer sequence of words holds a shorter one."""
    size = len(shorter)
    return size < len(longer) and any(
        longer[start : start + size] == shorter for start in range(len(longer) - size + 1)
    )


def outside(words: Words, frequencies: Mapping[Words, int]) -> int:
    """Count the occurrences of a candidate outside of all longer ones: f(a) - t(a)."""
    longer = [other for other in frequencies if holds(other, words)]
    return frequencies[words] - sum(outside(other, frequencies) for other in longer)


def c_value_plainly(words: Words, frequencies: Mapping[Words, int]) -> float:
    """Return C(a), asking for each longer candidate anew."""
    longer = [other for other in frequencies if holds(other, words)]
    inside = sum(outside(other, frequencies) for other in longer)
    mean = inside / len(longer) if longer else 0.0
    return math.log2(len(words)) * (frequencies[words] - mean)


def nestings_plainly(frequencies: Mapping[Words, int]) -> dict[Words, Nesting]:
    """Find out how every candidate is nested, asking for each longer one anew."""
    nested: dict[Words, Nesting] = {}
    for words, frequency in frequencies.items():
        longer = [other for other in frequencies if holds(other, words)]
        inside = sum(outside(other, frequencies) for other in longer)
        nested[words] = Nesting(frequency, inside, len(longer))
    return nested


def weights_plainly(
    facts: Mapping[str, TermFacts], nested: Mapping[Words, Nesting]
) -> dict[str, float]:
    """Weigh the words beside the candidates with the highest C-value by the share of these."""
    scores = {
        known.words: nested[known.words].c_value(len(known.words))
        for known in facts.values()
        if len(known.words) > 1 and known.words in nested
    }
    ranked = sorted(scores, key=lambda words: (-scores[words], words))
    best = ranked[: max(1, round(len(ranked) * SHARE_OF_BEST))]
    beside = {known.words: known.values for known in facts.values()}
    seen = Counter(
        word
        for words in best
        for word in {*beside[words].get("left", {}), *beside[words].get("right", {})} - {""}
    )
    return {word: count / len(best) for word, count in seen.items()}


def judge_plainly(
    config: TermConfig,
    tagger: Tagger,
    frequencies: Mapping[Words, int],
    facts: Mapping[str, TermFacts],
) -> Judge:
    """Prepare the judgement of all sources, with everything in memory.

    Args:
        config: the thresholds.
        tagger: tells parts of speech.
        frequencies: occurrences of all term candidates, single words included.
        facts: what was counted about the sources.
    """
    return judge_of(config, tagger, (frequencies, nestings_plainly(frequencies)), facts)


def judge_of(
    config: TermConfig,
    tagger: Tagger,
    counted: tuple[Mapping[Words, int], Mapping[Words, Nesting]],
    facts: Mapping[str, TermFacts],
) -> Judge:
    """Do the same where it is known how the candidates are nested."""
    frequencies, nested = counted
    weights = weights_plainly(facts, nested)
    single = sum(count for words, count in frequencies.items() if len(words) == 1)
    return Judge(config, tagger, nested, nc_values(facts, nested, weights, tagger), single)


def units_plainly(scores: Sequence[float], least: float) -> set[tuple[int, int]]:
    """Merge units one by one: always at the strongest border that is left, the left one of equals.

    Args:
        scores: the score of the border behind each word; the last word has none that counts.
        least: borders are dissolved only above this score.

    Returns:
        Every unit formed, `(start, end)` in words.
    """
    units = [(word, word + 1) for word in range(len(scores))]
    formed: set[tuple[int, int]] = set()
    while True:
        borders = [(scores[left[1] - 1], place) for place, left in enumerate(units[:-1])]
        if not borders or max(borders)[0] <= least:
            return formed
        strongest = max(score for score, _ in borders)
        place = next(place for score, place in borders if score == strongest)
        merged = units[place][0], units[place + 1][1]
        units[place : place + 2] = [merged]
        formed.add(merged)


def places_plainly(
    sentences: Sequence[Sequence[str]], texts: Sequence[str], max_words: int
) -> list[tuple[int, int, int]]:
    """Look at every run of words: `(phrase, start, end)`, words counted over all sentences."""
    found = []
    base = 0
    for words in sentences:
        for start in range(len(words)):
            for end in range(start + 1, min(start + max_words, len(words)) + 1):
                text = "".join(words[start:end])
                if text in texts:
                    found.append((texts.index(text), base + start, base + end))
        base += len(words)
    return sorted(found)
