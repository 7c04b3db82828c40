"""Facts about phrases, spelled out."""

from collections.abc import Iterable

from tasks.compiled.arrays import spelled
from tasks.mining.likely import LikelyPhrases
from tasks.mining.term_contexts import FACTS, Facts, FactTable

FactCount = tuple[str, str, str, int]
"""Source text, fact, value, number of occurrences."""


def spelled_facts(phrases: LikelyPhrases, facts: Iterable[Facts]) -> list[FactCount]:
    table = FactTable.of(facts)
    sources = spelled(phrases.sources)
    return [
        (sources[phrase], FACTS[fact], table.values[value], count)
        for phrase, fact, value, count in zip(
            table.phrase.tolist(),
            table.fact.tolist(),
            table.value.tolist(),
            table.number.tolist(),
            strict=True,
        )
    ]
