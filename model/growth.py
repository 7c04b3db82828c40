"""How a hypothesis of one sentence grows: by a word, by a phrase with its idle run, or to its end.

It holds the rules of length, of phrases and of required phrases; which hypotheses are kept is up
to `beam.py` and `walk.py`.
"""

import math
from dataclasses import dataclass, field

from model.config import DecodingConfig
from model.hypotheses import WORD_MODE, Candidates, OutputWord, Partial, Strings
from model.requirements import NOTHING, Required, longest_translation
from model.vocabulary import EOS, UNK

FREE = Required()
"""Nothing is required."""


@dataclass(slots=True)
class Growth:
    """The rules for one sentence."""

    phrases: tuple[tuple[int, ...], ...]
    """Target words of each offered phrase."""
    slots: tuple[int, ...]
    """Slot of each phrase; rivals share one."""
    num_source: int
    config: DecodingConfig
    required: Required = FREE
    max_length: int = field(init=False)
    min_length: int = field(init=False)
    _strings: Strings = field(init=False, default_factory=Strings)

    def __post_init__(self) -> None:
        self.max_length = longest_translation(self.num_source, self.config)
        self.min_length = math.ceil(self.config.min_length_ratio * self.num_source)

    def root(self) -> Partial:
        """Return the hypothesis without words."""
        everything = (1 << len(set(self.slots))) - 1
        left = self.required.left(everything, NOTHING)
        return Partial(0, 0, everything, 0.0, EOS, -1, None, None, left=left)

    def may_end(self, partial: Partial, length: int) -> bool:
        """Say whether a hypothesis of so many words may end."""
        return partial.left == 0 and (length >= self.min_length or length == self.max_length)

    def end(self, partial: Partial, score: float) -> Partial:
        """End a hypothesis; those that spell the same are recombined whatever slots they used."""
        node = self._strings.extend(partial.node, EOS)
        return Partial(node, -node, 0, partial.score + score, EOS, -1, partial, None)

    def words(
        self, partial: Partial, found: Candidates, row: int, attended: int, length: int
    ) -> list[Partial]:
        """Return a hypothesis of so many words with each of the words that are open to it."""
        if length >= self.max_length:
            return []
        successors = []
        for word_id, score in zip(found.words, found.word_scores, strict=True):
            grown = self.word(partial, word_id, score, row, attended)
            if grown is not None and length + 1 + grown.left <= self.max_length:
                successors.append(grown)
        return successors

    def word(
        self, partial: Partial, word_id: int, score: float, row: int, attended: int
    ) -> Partial | None:
        """Return a hypothesis with one more word, or None if the word may not be taken."""
        if word_id == EOS:
            return None
        node = self._strings.extend(partial.node, word_id)
        alive = self._alive_after_word(node, word_id, partial.alive)
        # A required phrase is produced in phrase mode, so its slot must not be used up by words.
        if (partial.alive & ~alive) & self.required.slots_mask:
            return None
        output = OutputWord(word_id, WORD_MODE, 0, math.exp(score), attended)
        trail = self._strings.trail(partial.trail, node, alive)
        grown = Partial(node, trail, alive, partial.score + score, word_id, row, partial, output)
        grown.progress = self.required.spelled.after(partial.progress, word_id)
        grown.left = self.required.left(alive, grown.progress)
        return grown

    def may_use(self, partial: Partial, number: int, length: int) -> bool:
        """Say whether a hypothesis of so many words has room for a phrase whose slot is alive, and
        after it for what is required; and whether no required rival would be lost with it.
        """
        if not self.required.allows(self.slots[number], number):
            return False
        others = self.required.left(self._without(partial.alive, number), partial.progress)
        return length + len(self.phrases[number]) + others <= self.max_length

    def phrase(
        self, partial: Partial, number: int, score: float, row: int, attended: int
    ) -> Partial:
        """Return a hypothesis with the first word of a phrase, the others being forced."""
        phrase = self.phrases[number]
        words = [OutputWord(word_id, number, at, 1.0, -1) for at, word_id in enumerate(phrase)]
        first = OutputWord(phrase[0], number, 0, math.exp(score), attended)
        total = partial.score + score
        return self._arrived(self._step(partial, total, row, first, tuple(words[1:])))

    def walk(self, partial: Partial, row: int, attended: int) -> Partial:
        """Return a hypothesis with the next word of its idle run."""
        word, *rest = partial.forced
        output = OutputWord(word.word_id, word.slot, word.offset, 1.0, attended)
        return self._arrived(self._step(partial, partial.score, row, output, tuple(rest)))

    def _step(
        self,
        partial: Partial,
        score: float,
        row: int,
        output: OutputWord,
        forced: tuple[OutputWord, ...],
    ) -> Partial:
        after = self._without(partial.alive, output.slot)
        alive = partial.alive if forced else after
        grown = Partial(
            partial.node, partial.trail, alive, score, output.word_id, row, partial, output, forced
        )
        grown.progress = partial.progress
        grown.left = self.required.left(after, grown.progress)
        return grown

    def _arrived(self, step: Partial) -> Partial:
        """Name the new sequence."""
        assert step.output is not None
        step.node = self._strings.extend(step.node, _key(step.output))
        step.trail = self._strings.trail(step.trail, step.node, step.alive)
        return step

    def _alive_after_word(self, node: int, word_id: int, alive: int) -> int:
        """Clear the slot of the longest phrase that has just been spelled out word by word."""
        if not alive or word_id == UNK or not self.config.clear_on_word_match:
            return alive
        best = -1
        for number, phrase in enumerate(self.phrases):
            is_open = alive >> self.slots[number] & 1
            if phrase[-1] == word_id and is_open and UNK not in phrase:
                longer = best < 0 or len(phrase) > len(self.phrases[best])
                if longer and self._strings.ends_with(node, phrase):
                    best = number
        return alive if best < 0 else self._without(alive, best)

    def _without(self, alive: int, number: int) -> int:
        """Use up the slot of a phrase, and with it all its rivals."""
        return alive & ~(1 << self.slots[number])


def _key(word: OutputWord) -> int:
    """Return what tells a word from others; unknown words of different phrases differ."""
    if word.word_id != UNK:
        return word.word_id
    return -2 - (word.slot << 32) - word.offset
