"""Keep the phrases that are right where their source stands, with or without a link.

Relative frequencies over extracted pairs (`candidates.py`) say nothing of the sentences in which a
source stood but could not be cut out: a noun whose plural aligns well and whose singular does not
looks as if it were always plural. What the memory needs is how often a phrase would be *right* when
it is offered, so each candidate is looked up once more in the words alone (`uses.py`), and is as
reliable as the worse of two estimates:

    (found + 1) / (occurrences + 2)        (found_documents + 1) / (documents + 2)

The second keeps a phrase that only one document holds, however often, from passing for certain.
"""

import itertools
from dataclasses import dataclass

from storage.records import Origin
from tasks.mining.config import CountBy, MemoryConfig
from tasks.mining.selection import PairCounts, candidate_parameters, passes, smoothed
from tasks.mining.uses import TOTAL_USES, Uses

WHOLE_PERCENT = 80
"""A target is a part of a longer one that is found in so much of its places, or in more."""

SELECT_RELIABLE = f"""
WITH used AS ({TOTAL_USES}), scored AS (
    SELECT source, target, pair_count, source_count, target_count,
        found, occurrences, found_documents, documents,
        LEAST(
            (found + 1)::DOUBLE / (occurrences + 2)::DOUBLE,
            CASE WHEN $by_documents
                THEN (found_documents + 1)::DOUBLE / (documents + 2)::DOUBLE ELSE 1.0 END
        ) AS reliability
    FROM candidates JOIN used USING (source, target)
), reliable AS (SELECT * FROM scored WHERE reliability >= $min_reliability),
partial AS (
    SELECT DISTINCT short.source, short.target
    FROM reliable AS short JOIN reliable AS long USING (source)
    WHERE short.target <> long.target
        AND CONTAINS(' ' || long.target || ' ', ' ' || short.target || ' ')
        AND 100 * long.found >= {WHOLE_PERCENT} * short.found
)
SELECT source, target, pair_count, source_count, target_count,
    found, occurrences, found_documents, documents, reliability
FROM reliable ANTI JOIN partial USING (source, target)
QUALIFY RANK() OVER (PARTITION BY source ORDER BY pair_count DESC, found DESC) = 1
ORDER BY source, target
"""
"""Reliable phrases, of several for one source those that were extracted most often. A target that
is mostly a part of another reliable one of that source is none (`liability` beside `liability
insurance`): what always stands there, too, belongs to it.

They are of `candidates` (rows of `SELECT_PHRASES` with `candidate_parameters`); the table
`use_counts(source, target, found, occurrences, found_documents, documents)` may hold a key once for
each shard. The columns are those of `ReliablePhrase`; parameters: `reliable_parameters`.
"""

RELIABLE_CANDIDATES = f"""
SELECT candidates.* FROM candidates SEMI JOIN ({SELECT_RELIABLE}) USING (source)
ORDER BY source, target
"""
"""The rows of `candidates` whose source has a reliable target. The others can become no phrases;
what stands beside the other targets of a source is among what it is judged by."""

_ALMOST_CERTAIN = 0.999


def reliable_parameters(config: MemoryConfig) -> dict[str, float | bool]:
    """Give the parameters of `SELECT_RELIABLE`."""
    return {
        "min_reliability": config.min_reliability,
        "by_documents": config.count_by == "documents",
    }


def reliability(uses: Uses, count_by: CountBy) -> float:
    """Estimate how often a phrase is right where its source stands, between 0 and 1."""
    by_occurrence = smoothed(uses.found, uses.occurrences)
    if count_by == "sentences":
        return by_occurrence
    return min(by_occurrence, smoothed(uses.found_documents, uses.documents))


@dataclass(frozen=True, slots=True)
class ReliablePhrase:
    """A row of `SELECT_RELIABLE`."""

    source: str
    target: str
    pair_count: int
    source_count: int
    target_count: int
    found: int
    """Occurrences of the source with an occurrence of the target opposite."""
    occurrences: int
    """Occurrences of the source."""
    found_documents: int
    """Documents in which most occurrences are found."""
    documents: int
    """Documents in which the source occurs."""
    reliability: float
    """See `reliability`."""


COUNTED: tuple[Origin, ...] = ("mined", "dictionary")
"""Origins whose phrases are offered according to what the training text says of them."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All counts on which a phrase rests."""

    extracted: PairCounts
    uses: Uses


def is_offered(origin: Origin, evidence: Evidence, config: MemoryConfig) -> bool:
    """Say whether the evidence is enough to offer an active phrase.

    Asked again of what is left without a training sentence and its copies (leave-one-out), every
    threshold is tested again. What people decided and what rules say is offered as it is.

    Args:
        origin: the highest rank that claims the phrase.
        evidence: its counts.
        config: the thresholds.
    """
    if origin == "mined":
        return (
            passes(evidence.extracted, candidate_parameters(config))
            and reliability(evidence.uses, config.count_by) >= config.min_reliability
        )
    return origin != "dictionary" or not is_contradicted(evidence.uses, config)


def fewest_documents(config: MemoryConfig) -> int:
    """Return in how many documents a phrase must be right at the least to be reliable."""
    share = min(config.min_reliability, _ALMOST_CERTAIN)
    return next(number for number in itertools.count() if smoothed(number, number) >= share)


def is_contradicted(uses: Uses, config: MemoryConfig) -> bool:
    """Say whether the training text speaks against an entry of a dictionary.

    It does where the source stands `min_count` times or more and the entry is right in too few of
    the places, or of the documents. Dictionaries have credit, so nothing is smoothed.
    """
    return _speaks_against(uses, config.min_listed_share, config)


def is_rule_contradicted(uses: Uses, config: MemoryConfig) -> bool:
    """Say whether the training text speaks against what a rule saw, counted by its shape."""
    return _speaks_against(uses, config.min_rule_share, config)


def _speaks_against(uses: Uses, least: float, config: MemoryConfig) -> bool:
    is_seldom = uses.found < least * uses.occurrences
    if config.count_by == "documents":
        is_seldom = is_seldom or uses.found_documents < least * uses.documents
    return uses.occurrences >= config.min_count and is_seldom
