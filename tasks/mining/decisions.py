"""What people decided about phrases, and which decisions stand when somebody decides again.

A decision is about unsegmented text, so it outlives every segmenter and tokeniser. Accepting a
translation says that it is the one translation of its source; rejecting says that it is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from storage.records import Category, phrase_id

Verdict = Literal["accept", "reject"]


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """One person's word about one candidate translation."""

    source: str
    """Chinese, normalised and unsegmented."""
    target: str
    """English words, separated by blanks."""
    verdict: Verdict
    category: Category
    author: str
    decided: str
    """Time, ISO 8601."""
    reason: str

    @property
    def phrase_id(self) -> str:
        """Return the id of the phrase that the decision is about."""
        return phrase_id(self.source, self.target)


def standing(decisions: Iterable[ReviewDecision]) -> list[ReviewDecision]:
    """Return the decisions that stand.

    The last word about a phrase stands. Of the accepted translations of one source only the last
    one stands: it replaces those before, without saying that they are wrong.

    Args:
        decisions: in the order in which they were made.

    Returns:
        Sorted by source and target.
    """
    last: dict[str, ReviewDecision] = {}
    accepted: dict[str, str] = {}
    for decision in decisions:
        identity = decision.phrase_id
        last[identity] = decision
        if decision.verdict == "accept":
            replaced = accepted.get(decision.source)
            if replaced is not None and replaced != identity:
                del last[replaced]
            accepted[decision.source] = identity
        elif accepted.get(decision.source) == identity:
            del accepted[decision.source]
    return sorted(last.values(), key=lambda decision: (decision.source, decision.target))
