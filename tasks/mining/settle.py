"""Give a source phrase one translation, or abstain.

Precedence: a reviewer's decision, rules, trusted dictionaries, mined phrases, other dictionaries. A
conflict that precedence does not settle is kept with its candidates, shown for review and not used.
Texts are compared as they are: the caller normalises them first (tokenised, lower-case). How mined
phrases are scored is in `selection.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from storage.records import Category, Origin, PhraseState

ORIGINS: tuple[Origin, ...] = get_args(Origin)
RANKS = range(len(ORIGINS) + 1)
"""Highest first: review, rule, trusted dictionary, mined, other dictionary."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One reason to believe, or to disbelieve, that a target translates a source."""

    source: str
    target: str
    origin: Origin
    category: Category
    name: str
    """Who claims it: reviewer, rule id and version, dictionary, or method of mining."""
    count: int = 1
    """How often it was seen; 1 for what is not counted."""
    reliability: float = 1.0
    """Smoothed p(target|source) of a mined phrase, between 0 and 1; 1.0 for what is not mined."""
    rejects: bool = False
    """True if a reviewer says that this target is wrong."""
    trusted: bool = True
    """False for a dictionary that mined phrases outrank."""

    @property
    def rank(self) -> int:
        """Return its place in `RANKS`."""
        return ORIGINS.index(self.origin) if self.trusted else RANKS[-1]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the memory holds for one candidate translation of a source phrase."""

    source: str
    target: str
    state: PhraseState
    origin: Origin
    """The highest rank that claims it."""
    category: Category
    count: int
    """Highest count of its claims of that rank."""
    reliability: float
    """Highest reliability of its claims of that rank."""
    claims: tuple[Claim, ...]
    """Every claim for this source and target, highest rank first."""


def settle_all(claims: Iterable[Claim]) -> Iterator[Decision]:
    """Settle every source phrase of `claims`, sorted by source and then target."""
    by_source: dict[str, list[Claim]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).append(claim)
    for source in sorted(by_source):
        yield from settle(by_source[source])


def settle(claims: Sequence[Claim]) -> list[Decision]:
    """Decide on one source phrase; the order of its claims does not matter.

    The highest rank decides. If it names several targets, the ranks below may tell them apart:
    those that the next rank also claims stay. A reviewer's rejection takes a target away from every
    rank.

    Args:
        claims: all claims about one source phrase, at least one.

    Returns:
        One decision for each rejected target, and for each target of the rank that decides: one
        `active`, or two or more in `conflict`. Sorted by target.
    """
    rejected = {claim.target for claim in claims if claim.rejects}
    candidates = _narrowed([claim for claim in claims if claim.target not in rejected])
    state: PhraseState = "active" if len(candidates) == 1 else "conflict"
    decisions = [_decide(target, state, claims) for target in candidates]
    decisions += [_decide(target, "rejected", claims) for target in rejected]
    return sorted(decisions, key=lambda decision: decision.target)


def _narrowed(claims: Sequence[Claim]) -> set[str]:
    """Give the targets that are left when each rank, from the highest, has had its say."""
    left: set[str] = set()
    for rank in RANKS:
        named = {claim.target for claim in claims if claim.rank == rank}
        left = (left & named) or left or named
        if len(left) == 1:
            break
    return left


def _decide(target: str, state: PhraseState, claims: Sequence[Claim]) -> Decision:
    ranked = tuple(sorted((c for c in claims if c.target == target), key=_claim_order))
    best = [c for c in ranked if c.rank == ranked[0].rank]
    return Decision(
        source=ranked[0].source,
        target=target,
        state=state,
        origin=ranked[0].origin,
        category=_category(best),
        count=max(c.count for c in best),
        reliability=max(c.reliability for c in best),
        claims=ranked,
    )


def _category(claims: Sequence[Claim]) -> Category:
    """Prefer any category to `term`, which only says that nobody knows a better one."""
    categories = get_args(Category)
    return min((c.category for c in claims), key=categories.index)


def _claim_order(claim: Claim) -> tuple[int, str, str, int, float, bool]:
    return claim.rank, claim.name, claim.category, -claim.count, -claim.reliability, claim.rejects
