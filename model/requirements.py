"""Which phrases a translation must hold, and how much of them is still to come.

A system with phrase memory produces them in phrase mode; any other spells them out, one word after
the other, at places that do not overlap (constrained beam search, Post and Vilar 2018).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from model.batches import Example, slots_of
from model.config import DecodingConfig
from model.vocabulary import UNK

Reading = tuple[int, int, int]
"""One way to read the words so far: phrases that are complete (bits), the phrase that is being
spelled or -1, and how many words of it there are.
"""
Progress = frozenset[Reading]
"""All ways to read the words so far that may still be of use."""
NOTHING: Progress = frozenset({(0, -1, 0)})


@dataclass(slots=True)
class Spelled:
    """Phrases that must be spelled out, followed word by word."""

    phrases: tuple[tuple[int, ...], ...]
    _known: dict[tuple[Progress, int], Progress] = field(init=False, default_factory=dict)

    def after(self, progress: Progress, word: int) -> Progress:
        """Return the progress after one more word."""
        if not self.phrases:
            return progress
        found = self._known.get((progress, word))
        if found is None:
            found = self._known[progress, word] = _without_lesser(self._follow(progress, word))
        return found

    def left(self, progress: Progress) -> int:
        """Return how many words are still to come at least."""
        return min(
            sum(len(self.phrases[at]) for at in self._open(done)) - position
            for done, _, position in progress
        )

    def wanted(self, progress: Progress) -> frozenset[int]:
        """Return the words that begin a phrase or go on with one."""
        words: set[int] = set()
        for done, phrase, position in progress:
            if phrase >= 0:
                words.add(self.phrases[phrase][position])
            else:
                words.update(self.phrases[at][0] for at in self._open(done))
        return frozenset(words)

    def _open(self, done: int) -> list[int]:
        return [at for at in range(len(self.phrases)) if not done >> at & 1]

    def _follow(self, progress: Progress, word: int) -> set[Reading]:
        found: set[Reading] = set()
        for done, phrase, position in progress:
            if phrase >= 0:
                if self.phrases[phrase][position] == word:
                    found.add(self._step(done, phrase, position + 1))
                continue
            found.add((done, -1, 0))
            begun: set[tuple[int, ...]] = set()
            for at in self._open(done):
                # Of equal phrases one is begun, for which of them it is makes no difference.
                if self.phrases[at][0] == word and self.phrases[at] not in begun:
                    begun.add(self.phrases[at])
                    found.add(self._step(done, at, 1))
        return found

    def _step(self, done: int, phrase: int, position: int) -> Reading:
        if position == len(self.phrases[phrase]):
            return done | 1 << phrase, -1, 0
        return done, phrase, position


def _without_lesser(found: set[Reading]) -> Progress:
    """Drop readings that are like another one but for phrases that this one has beside."""
    return frozenset(
        (done, phrase, position)
        for done, phrase, position in found
        if not any(
            other != done and other & done == done and (phrase, position) == place
            for other, *rest in found
            for place in [tuple(rest)]
        )
    )


@dataclass(frozen=True, slots=True)
class Required:
    """What must be in one translation."""

    slots: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """For each slot of which a phrase must be produced in phrase mode: the phrases that will do,
    with their numbers of words.
    """
    spelled: Spelled = field(default_factory=lambda: Spelled(()))

    @property
    def slots_mask(self) -> int:
        """Return a number whose bit k is 1 where a phrase of slot k is required."""
        return sum(1 << slot for slot in self.slots)

    def allows(self, slot: int, phrase: int) -> bool:
        """Say whether a phrase of a slot may be produced: where a rival is required it may not."""
        return slot not in self.slots or phrase in self.slots[slot]

    def left(self, alive: int, progress: Progress) -> int:
        """Return how many words of required phrases are still to come at least.

        Args:
            alive: bit k is 1 while slot k may be used.
            progress: how far phrases have been spelled out.
        """
        left = self.spelled.left(progress) if self.spelled.phrases else 0
        for slot, words in self.slots.items():
            if alive >> slot & 1:
                left += min(words.values())
        return left


def required_in(example: Example, wanted: frozenset[int], *, phrase_mode: bool) -> Required:
    """Require some phrases of an example, of rivals among them any one.

    Args:
        example: whose phrases.
        wanted: numbers of the phrases.
        phrase_mode: whether the system has phrase memory.
    """
    if not phrase_mode:
        return Required(
            spelled=Spelled(tuple(example.slots[number].target_ids for number in sorted(wanted)))
        )
    return Required(
        {
            slot: {number: len(example.slots[number].target_ids) for number in rivals}
            for slot, rivals in _by_slot(example, wanted).items()
        }
    )


def _by_slot(example: Example, wanted: frozenset[int]) -> dict[int, list[int]]:
    """Return the wanted phrases of each slot."""
    found: dict[int, list[int]] = {}
    slots = slots_of(example.slots)
    for number in sorted(wanted):
        found.setdefault(slots[number], []).append(number)
    return found


def longest_translation(num_source: int, config: DecodingConfig) -> int:
    """Return the most words that a translation of so many source words may have."""
    return max(1, math.floor(config.max_length_ratio * num_source))


def impossible(
    example: Example, wanted: frozenset[int], config: DecodingConfig, *, phrase_mode: bool
) -> dict[int, str]:
    """Say of some phrases of an example why they cannot be required; the others can be, all
    together.

    Args:
        example: whose phrases.
        wanted: numbers of the phrases, as they were asked for.
        config: length rules.
        phrase_mode: whether the system has phrase memory.
    """
    limit = longest_translation(len(example.source_ids), config)
    reasons: dict[int, str] = {}
    taken = 0
    for rivals in _by_slot(example, wanted).values():
        fitting = []
        for number in rivals:
            words = example.slots[number].target_ids
            reason = _why_never(words, limit, phrase_mode=phrase_mode)
            if reason:
                reasons[number] = reason
            else:
                fitting.append(number)
        shortest = min((len(example.slots[number].target_ids) for number in fitting), default=0)
        if taken + shortest <= limit:
            taken += shortest
            continue
        for number in fitting:
            reasons[number] = (
                f"the required phrases before it take {taken} words and it has "
                f"{len(example.slots[number].target_ids)}, but the translation has at most {limit}"
            )
    return reasons


def _why_never(words: tuple[int, ...], limit: int, *, phrase_mode: bool) -> str:
    """Say why a phrase could not be required even by itself; empty if it could."""
    unknown = sum(word == UNK for word in words)
    if unknown and not phrase_mode:
        return (
            f"the model does not know {unknown} of its {len(words)} words, and a model without "
            "phrase memory must spell them"
        )
    if len(words) > limit:
        return f"it has {len(words)} words, and the translation at most {limit}"
    return ""
