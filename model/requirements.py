"""Which phrases a translation must hold, and how much of them is still to come.

A system with phrase memory produces them in phrase mode; any other spells them out, one word after
the other, at places that do not overlap (constrained beam search, Post and Vilar 2018).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from model.batches import Example
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

    slots: int
    """Bit k is 1 where slot k must be produced in phrase mode."""
    spelled: Spelled

    def left(self, phrases: Sequence[tuple[int, ...]], alive: int, progress: Progress) -> int:
        """Return how many words of required phrases are still to come.

        Args:
            phrases: target words of each slot.
            alive: bit k is 1 while slot k may be used.
            progress: how far phrases have been spelled out.
        """
        open_slots, left = self.slots & alive, 0
        if open_slots:
            left = sum(len(words) for slot, words in enumerate(phrases) if open_slots >> slot & 1)
        return left + self.spelled.left(progress) if self.spelled.phrases else left


def required_in(example: Example, slots: frozenset[int], *, phrase_mode: bool) -> Required:
    """Require some slots of an example.

    Args:
        example: whose phrases.
        slots: numbers of the slots.
        phrase_mode: whether the system has phrase memory.
    """
    if phrase_mode:
        return Required(sum(1 << slot for slot in slots), Spelled(()))
    return Required(0, Spelled(tuple(example.slots[slot].target_ids for slot in sorted(slots))))


def longest_translation(num_source: int, config: DecodingConfig) -> int:
    """Return the most words that a translation of so many source words may have."""
    return max(1, math.floor(config.max_length_ratio * num_source))


def impossible(
    example: Example, slots: frozenset[int], config: DecodingConfig, *, phrase_mode: bool
) -> dict[int, str]:
    """Say of some slots of an example why their phrases cannot be required; the others can be, all
    together.

    Args:
        example: whose phrases.
        slots: numbers of the slots, as they were asked for.
        config: length rules.
        phrase_mode: whether the system has phrase memory.
    """
    limit = longest_translation(len(example.source_ids), config)
    reasons: dict[int, str] = {}
    taken = 0
    for slot in sorted(slots):
        words = example.slots[slot].target_ids
        unknown = sum(word == UNK for word in words)
        if unknown and not phrase_mode:
            reasons[slot] = (
                f"the model does not know {unknown} of its {len(words)} words, and a model without "
                "phrase memory must spell them"
            )
        elif len(words) > limit:
            reasons[slot] = f"it has {len(words)} words, and the translation at most {limit}"
        elif taken + len(words) > limit:
            reasons[slot] = (
                f"the required phrases before it take {taken} words and it has {len(words)}, but "
                f"the translation has at most {limit}"
            )
        else:
            taken += len(words)
    return reasons
