"""Put together what all shards counted about the sources of likely phrases."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.mining.boundary_entropy import entropy
from tasks.mining.c_value import Nesting, Words, nc_value
from tasks.mining.function_words import is_content_word
from tasks.mining.part_of_speech import Tagger

TOTAL_CONTEXTS = """
SELECT source, fact, value, SUM("count")::BIGINT AS "count" FROM term_contexts
GROUP BY source, fact, value
ORDER BY source, fact, value
"""

FEW = 5
"""In fewer places chance puts the same character beside a source."""
_TELLING = frozenset(["noun", "nominal", "adjective", "verb"])


@dataclass(frozen=True, slots=True)
class TermFacts:
    """What is known of one source over the whole text."""

    words: Words = ()
    """How it is mostly cut into words."""
    occurrences: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    """Number of occurrences by fact without value, see `term_contexts.py`."""
    values: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Number of occurrences by fact and value."""
    left_entropy: float = 0.0
    right_entropy: float = 0.0
    target_entropy: float = 0.0
    """Of the words before, or behind, the target: the smaller of both."""

    def share(self, fact: str) -> float:
        """Return the share of the occurrences of which a fact holds, between 0 and 1."""
        return self.counts.get(fact, 0) / self.occurrences if self.occurrences else 0.0

    def named_share(self, target: str) -> float:
        """Return the share of the occurrences at which a target is written as a name is."""
        named = self.values.get("named", {}).get(target, 0)
        return named / self.occurrences if self.occurrences else 0.0

    def lacking_share(self, target: str) -> float:
        """Return the share of the places of a target beside which more is linked to its source."""
        places = self.values.get("opposite", {}).get(target, 0)
        return self.values.get("beyond", {}).get(target, 0) / max(places, 1)

    def next_share(self, side: str) -> float:
        """Return the share of the most frequent content word beside the target, on one side."""
        beside = self.values.get(side, {})
        counts = [count for word, count in beside.items() if is_content_word(word)]
        return max(counts, default=0) / max(sum(beside.values()), 1)

    def character_share(self) -> float:
        """Return the share of the most frequent word of content of one character beside the source,
        on the side where it is larger; 0 where the source stands in few places.
        """
        if self.occurrences < FEW:
            return 0.0
        beside = (self.values.get(side, {}) for side in ("left", "right"))
        counts = (
            count
            for words in beside
            for word, count in words.items()
            if len(word) == 1 and is_content_word(word)
        )
        return max(counts, default=0) / self.occurrences

    def going_on(self) -> float:
        """Return how much more often a content word follows the target than the source.

        A target that goes on where its source does not lacks its last word: what the source is
        called there is `hot spring`, not `hot`. The share of the target is taken as if two more
        places had spoken against it.
        """
        return self.content_share("after", more=2) - self.content_share("right")

    def content_share(self, side: str, *, more: int = 0) -> float:
        """Return the share of the content words on one side, with some other places more."""
        beside = self.values.get(side, {})
        counts = (count for word, count in beside.items() if is_content_word(word))
        return sum(counts) / max(sum(beside.values()) + more, 1)


def gather(rows: Iterable[Mapping[str, Any]]) -> dict[str, TermFacts]:
    """Arrange the rows of `TOTAL_CONTEXTS` by source."""
    by_source: dict[str, dict[str, dict[str, int]]] = {}
    for row in rows:
        facts = by_source.setdefault(row["source"], {})
        facts.setdefault(row["fact"], {})[row["value"]] = row["count"]
    return {source: _facts(values) for source, values in by_source.items()}


def _facts(values: Mapping[str, Mapping[str, int]]) -> TermFacts:
    cuts = values["words"]
    mostly = min(cuts, key=lambda words: (-cuts[words], words))
    return TermFacts(
        words=tuple(mostly.split(" ")),
        occurrences=sum(cuts.values()),
        counts={fact: counts[""] for fact, counts in values.items() if "" in counts},
        values=values,
        left_entropy=_entropy(values.get("left", {})),
        right_entropy=_entropy(values.get("right", {})),
        target_entropy=min(_entropy(values.get(side, {})) for side in ("before", "after")),
    )


def _entropy(neighbours: Mapping[str, int]) -> float:
    return entropy((count for word, count in neighbours.items() if word), neighbours.get("", 0))


def nc_values(
    facts: Mapping[str, TermFacts],
    nestings: Mapping[Words, Nesting],
    weights: Mapping[str, float],
    tagger: Tagger,
) -> dict[Words, float]:
    """Return the NC-value of each source that is a candidate of several words.

    Args:
        facts: what was counted about the sources.
        nestings: of these sources.
        weights: of words beside terms, between 0 and 1.
        tagger: tells parts of speech.
    """
    return {
        known.words: nc_value(
            nestings[known.words].c_value(len(known.words)),
            _telling_neighbours(known, tagger),
            weights,
        )
        for known in facts.values()
        if len(known.words) > 1 and known.words in nestings
    }


def _telling_neighbours(facts: TermFacts, tagger: Tagger) -> dict[str, int]:
    """Count the nouns, adjectives and verbs beside a source, on either side."""
    beside: dict[str, int] = {}
    for side in ("left", "right"):
        for word, count in facts.values.get(side, {}).items():
            if word and tagger.tag(word).word_class in _TELLING:
                beside[word] = beside.get(word, 0) + count
    return beside
