"""What lexical weights and significance rest on, straight from the definitions and slow."""

from collections import Counter
from collections.abc import Iterable, Sequence

from tasks.mining.config import ExtractionConfig
from tasks.mining.extraction import LinkedPair
from tasks.mining.uses import Phrase
from tests.reference.mining_counts import may_be_phrase, spans_plainly

Place = tuple[int, int, int, int, int, int]


def places_plainly(
    linked: Sequence[LinkedPair],
    phrases: Sequence[Phrase],
    config: ExtractionConfig,
    *,
    max_words: int,
) -> set[Place]:
    """Return pair, both spans and phrase of every place at which a phrase was counted."""
    number = {phrase: place for place, phrase in enumerate(phrases)}
    found = set()
    for at, pair in enumerate(linked):
        for s1, s2, t1, t2 in spans_plainly(pair, config):
            source, target = list(pair[0][s1:s2]), list(pair[1][t1:t2])
            which = number.get(("".join(source), " ".join(target)))
            fits = all(
                len(words) <= max_words and may_be_phrase(words) for words in (source, target)
            )
            if fits and which is not None:
                found.add((at, s1, s2, t1, t2, which))
    return found


def alignments_plainly(
    linked: Sequence[LinkedPair], places: Iterable[Place]
) -> Counter[tuple[int, str, str]]:
    """Count by phrase, source words and links how it was cut and linked."""
    counts: Counter[tuple[int, str, str]] = Counter()
    for pair, s1, s2, t1, t2, phrase in places:
        source, _, links = linked[pair]
        inside = sorted({(s - s1, t - t1) for s, t in links if s1 <= s < s2 and t1 <= t < t2})
        text = " ".join(f"{s}-{t}" for s, t in inside)
        counts[phrase, " ".join(source[s1:s2]), text] += 1
    return counts


def sentences_plainly(
    linked: Sequence[LinkedPair], phrases: Sequence[Phrase]
) -> list[tuple[int, int, int]]:
    """Count for each phrase the sentence pairs with both sides, with the source, the target."""
    counts = []
    for source, target in phrases:
        held = [(_holds(pair[0], "", source), _holds(pair[1], " ", target)) for pair in linked]
        counts.append((held.count((True, True)), *(sum(side) for side in zip(*held, strict=True))))
    return counts


def links_plainly(linked: Iterable[LinkedPair]) -> Counter[tuple[str, str]]:
    """Count linked words, those without a link with the empty word."""
    counts: Counter[tuple[str, str]] = Counter()
    for source, target, links in linked:
        counts.update((source[s], target[t]) for s, t in links)
        alone = set(range(len(source))) - {s for s, _ in links}
        counts.update((source[place], "") for place in alone)
        alone = set(range(len(target))) - {t for _, t in links}
        counts.update(("", target[place]) for place in alone)
    return counts


def _holds(words: Sequence[str], joiner: str, text: str) -> bool:
    size = len(words)
    return any(joiner.join(words[a:b]) == text for a in range(size) for b in range(a + 1, size + 1))
