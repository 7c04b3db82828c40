"""What became of each offered phrase, told apart also by mode and place: exact, misplaced, spelled,
ignored.

- *ignored*: the phrase is not in the output;
- *exact*: in phrase mode, and in place;
- *spelled*: in word mode although it was offered, and in place;
- *misplaced*: in the output, but not in place.

A phrase is in place if one of its words attends most to a word of the slot, or if the word before
or behind it is the one that a reference has there (its beginning and end count as words). Either is
enough, since attention wanders off while a phrase is said in one decision, and a right translation
may go another way than the references. Every offered phrase has one of the four outcomes;
`produced` of `phrase_use.py` is exact or misplaced, `appeared` is spelled or misplaced. A system
without attention is judged by the references alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from storage.records import Category, Origin, Slot, Use
from tasks.metrics.attention_table import AttentionMatrix
from tasks.metrics.phrase_use import Place, TranslatedSentence, places

Outcome = Literal["exact", "misplaced", "spelled", "ignored"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

_BORDER = ""
"""Stands before the first word and behind the last; no word is empty."""


@dataclass(frozen=True, slots=True)
class SlotOutcome:
    """What became of one slot of one translation."""

    slot: Slot
    use: Use
    outcome: Outcome
    start: int
    """First word in the output, or -1."""
    end: int
    """Behind its last word, or -1."""


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """Phrases of one category and origin; the four outcomes sum to `offered`."""

    category: Category | None
    """None for the sum over all."""
    origin: Origin | None
    offered: int
    appeared: int
    """Those produced included."""
    produced: int
    exact: int
    misplaced: int
    spelled: int
    ignored: int


def outcomes(
    sentence: TranslatedSentence,
    attention: AttentionMatrix | None,
    references: Sequence[Sequence[str]],
) -> list[SlotOutcome]:
    """Say of each slot, in order, what became of it.

    Args:
        sentence: the output and its slots.
        attention: what its words attended to; None for a system without attention.
        references: words of each reference, cased and cut like the output.
    """
    attended = [] if attention is None else attention.rows_IJ.argmax(axis=1).tolist()
    found = []
    for slot, place in zip(sentence.slots, places(sentence), strict=True):
        positions = attended[place.start : place.end]
        in_place = any(slot.start <= position < slot.end for position in positions) or any(
            _has_a_neighbour_of(reference, sentence.words, place) for reference in references
        )
        found.append(
            SlotOutcome(slot, place.use, _outcome(place, in_place), place.start, place.end)
        )
    return found


def _outcome(place: Place, in_place: bool) -> Outcome:
    if place.use == "offered":
        return "ignored"
    if not in_place:
        return "misplaced"
    return "exact" if place.use == "produced" else "spelled"


def _has_a_neighbour_of(reference: Sequence[str], words: Sequence[str], place: Place) -> bool:
    """Say whether a reference has the same words with the same word before or behind them."""
    ours, theirs = [_BORDER, *words, _BORDER], [_BORDER, *reference, _BORDER]
    start, end = place.start + 1, place.end + 1
    length = end - start
    return any(
        theirs[at : at + length] == ours[start:end]
        and (theirs[at - 1] == ours[start - 1] or theirs[at + length] == ours[end])
        for at in range(1, len(theirs) - length)
    )


def count_outcomes(found: Iterable[SlotOutcome]) -> list[OutcomeCount]:
    """Count by category and origin, sorted; the last row is the sum over all."""
    each = Counter((o.slot.category, o.slot.origin, o.use, o.outcome) for o in found)
    kinds = sorted({(category, origin) for category, origin, _, _ in each})
    rows = []
    for category, origin in kinds:
        inside = Counter({key[2:]: n for key, n in each.items() if key[:2] == (category, origin)})
        rows.append(_count(category, origin, inside))
    total: Counter[tuple[Use, Outcome]] = Counter()
    for (_, _, use, outcome), number in each.items():
        total[use, outcome] += number
    return [*rows, _count(None, None, total)]


def _count(
    category: Category | None, origin: Origin | None, inside: Counter[tuple[Use, Outcome]]
) -> OutcomeCount:
    by_outcome = {
        name: sum(number for (_, outcome), number in inside.items() if outcome == name)
        for name in OUTCOMES
    }
    produced = sum(number for (use, _), number in inside.items() if use == "produced")
    return OutcomeCount(
        category,
        origin,
        offered=inside.total(),
        appeared=inside.total() - by_outcome["ignored"],
        produced=produced,
        **by_outcome,
    )
