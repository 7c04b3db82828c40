"""What became of the phrases that were offered: produced in phrase mode, appeared in any way, or
ignored.

*Offered*: in a slot. *Appeared*: its words are in the output, next to each other. *Produced*:
search emitted it in phrase mode; this is recorded while searching and never guessed from the words.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from storage.records import Category, Origin, Slot, Use
from tasks.tagging.occurrences import leftmost_free

WORD_MODE = -1
"""The slot of an output word that was not emitted as part of a phrase."""


@dataclass(frozen=True, slots=True)
class TranslatedSentence:
    """One output, with the slots that the system was offered."""

    words: tuple[str, ...]
    slot_of_word: tuple[int, ...]
    """For each output word the number of the slot it was emitted from, or `WORD_MODE`."""
    slots: tuple[Slot, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.slot_of_word):
            raise ValueError(f"{len(self.words)} words but modes for {len(self.slot_of_word)}")
        unknown = set(self.slot_of_word) - {WORD_MODE} - {slot.slot for slot in self.slots}
        if unknown:
            raise ValueError(
                f"words were emitted from the slots {sorted(unknown)}, which were not offered"
            )


@dataclass(frozen=True, slots=True)
class UseCount:
    """How many phrases of one category and origin were offered, appeared and were produced."""

    category: Category | None
    """None for the sum over all."""
    origin: Origin | None
    offered: int
    appeared: int
    """Those produced included: produced <= appeared <= offered."""
    produced: int


@dataclass(frozen=True, slots=True)
class Place:
    """How far a phrase came, and where its words are in the output."""

    use: Use
    start: int
    """First word, or -1 if the phrase is not in the output."""
    end: int
    """Behind its last word, or -1."""


def uses(sentence: TranslatedSentence) -> list[Use]:
    """Say of each slot, in order, how far its phrase came: `produced`, else `appeared`, else
    `offered`.

    Two slots with the same target need two occurrences in the output; those emitted in phrase mode
    are theirs already, and the others take what is left from the left.
    """
    return [place.use for place in places(sentence)]


def places(sentence: TranslatedSentence) -> list[Place]:
    """Say of each slot, in order, how far its phrase came and where it is; see `uses`."""
    words = list(sentence.words)
    taken = [slot != WORD_MODE for slot in sentence.slot_of_word]
    found: list[Place] = []
    for slot in sentence.slots:
        if slot.slot in sentence.slot_of_word:
            produced = [at for at, of in enumerate(sentence.slot_of_word) if of == slot.slot]
            found.append(Place("produced", produced[0], produced[-1] + 1))
            continue
        target = slot.target.split()
        start = leftmost_free(target, words, taken)
        if start < 0:
            found.append(Place("offered", -1, -1))
            continue
        taken[start : start + len(target)] = [True] * len(target)
        found.append(Place("appeared", start, start + len(target)))
    return found


def count_by_kind(sentences: Iterable[TranslatedSentence]) -> list[UseCount]:
    """Count uses by category and origin, sorted; the last row is the sum over all."""
    counts: Counter[tuple[Category, Origin, Use]] = Counter()
    for sentence in sentences:
        for slot, use in zip(sentence.slots, uses(sentence), strict=True):
            counts[slot.category, slot.origin, use] += 1
    kinds = sorted({(category, origin) for category, origin, _ in counts})
    rows = [
        _row(category, origin, {use: counts[category, origin, use] for use in _USES})
        for category, origin in kinds
    ]
    total = {use: sum(n for (_, _, which), n in counts.items() if which == use) for use in _USES}
    return [*rows, _row(None, None, total)]


_USES: tuple[Use, ...] = ("offered", "appeared", "produced")


def _row(category: Category | None, origin: Origin | None, count: dict[Use, int]) -> UseCount:
    appeared = count["appeared"] + count["produced"]
    return UseCount(category, origin, count["offered"] + appeared, appeared, count["produced"])
