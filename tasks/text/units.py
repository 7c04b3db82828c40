"""Units smaller than words: characters, or subwords that are learned from the training text.

Every word is coded by itself and its first unit begins with `▁`, so the borders of words, and with
them those of phrases, are borders of units, and the way back to words is exact.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sentencepiece

from storage.errors import ConfigError
from tasks.text.config import Units

UNIT_FILES = {"source": "source_units.model", "target": "target_units.model"}
BEGIN = "\u2581"
"""Marks the first unit of a word."""
_LONGEST_LINE_BYTES = 1_000_000


def learn_subwords(sentences: Iterable[Sequence[str]], size: int) -> bytes:
    """Learn subwords by byte-pair encoding; the same sentences give the same bytes.

    Args:
        sentences: words of sentences.
        size: how many different subwords there are to be; fewer if the text does not have them.

    Raises:
        ConfigError: the text has more different characters than `size`, or no text at all.
    """
    written = io.BytesIO()
    lines = (" ".join(words).replace(BEGIN, "_") for words in sentences if words)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=lines,
            model_writer=written,
            vocab_size=size,
            model_type="bpe",
            normalization_rule_name="identity",
            character_coverage=1.0,
            max_sentence_length=_LONGEST_LINE_BYTES,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
        )
    except RuntimeError as error:
        raise ConfigError(
            f"text.num_subwords is {size}, and that many subwords cannot be learned from this "
            "text. Choose more than it has different characters (8000 is usual), or "
            '"characters" as units.'
        ) from error
    return written.getvalue()


def join_units(units: Sequence[str]) -> list[str]:
    """Put units together to words."""
    return [word for word in "".join(units).split(BEGIN) if word]


def begins_word(units: Sequence[str], number: int) -> bool:
    """Say whether a unit is the first of a word, for `join_units`."""
    unit = units[number]
    after = units[number + 1] if number + 1 < len(units) else BEGIN
    if unit == BEGIN:
        return not after.startswith(BEGIN)
    return number == 0 or unit.startswith(BEGIN)


def phrases_apart(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Begin a word after each phrase, so that nothing sticks to the phrase that was agreed on.

    Args:
        steps: what search decided, for each unit, with its `word` and `slot` (-1 for none).
    """
    apart: list[dict[str, Any]] = []
    for number, step in enumerate(steps):
        before = steps[number - 1]["slot"] if number else -1
        ends = before >= 0 and before != step["slot"]
        begins = step["word"].startswith(BEGIN)
        apart.append({**step, "word": step["word"] if begins or not ends else BEGIN + step["word"]})
    return apart


def slot_of_each_word(words: Sequence[str], steps: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the slot from which each output word came, or -1.

    Args:
        words: the words of a translation.
        steps: what search decided, for each word or for each unit of the words.
    """
    units = [step["word"] for step in steps]
    if units == list(words):
        return [step["slot"] for step in steps]
    return [step["slot"] for number, step in enumerate(steps) if begins_word(units, number)]


class UnitCoder:
    """Codes the words of one side."""

    def __init__(self, units: Units, model: bytes = b"") -> None:
        """Prepare a way of coding.

        Args:
            units: what words are cut into.
            model: the learned subwords, as `learn_subwords` returns them, where they are wanted.
        """
        self._units = units
        self._known: dict[str, list[str]] = {}
        if units == "subwords":
            self._pieces = sentencepiece.SentencePieceProcessor(model_proto=model)

    def code(self, words: Sequence[str]) -> tuple[list[str], list[int]]:
        """Return the units of some words, and where each word begins among them, and the end."""
        units: list[str] = []
        starts = [0]
        for word in words:
            units.extend(self._of(word))
            starts.append(len(units))
        return units, starts

    def join(self, units: Sequence[str]) -> list[str]:
        """Return the words of some units."""
        return list(units) if self._units == "words" else join_units(units)

    def decoded(self, steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the words of a translation, and what search decided with phrases kept whole.

        Args:
            steps: what search decided, for each unit.
        """
        kept = list(steps) if self._units == "words" else phrases_apart(steps)
        return {"words": self.join([step["word"] for step in kept]), "steps": kept}

    def _of(self, word: str) -> list[str]:
        if self._units == "words":
            return [word]
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._cut(word.replace(BEGIN, "_"))
        return known

    def _cut(self, word: str) -> list[str]:
        if self._units == "characters":
            return [BEGIN + word[0], *word[1:]]
        pieces: list[str] = self._pieces.encode(word, out_type=str)
        return pieces


class PairCoder:
    """Codes the rows of `tagged` tables, and words of translations back."""

    def __init__(self, source: UnitCoder, target: UnitCoder) -> None:
        """Join the coders of both sides."""
        self.source, self.target = source, target

    @staticmethod
    def of(source: Units, target: Units, files: Mapping[str, bytes]) -> "PairCoder":
        """Load the coders of both sides from the files of a model or of the step `units`."""
        return PairCoder(
            UnitCoder(source, files.get(UNIT_FILES["source"], b"")),
            UnitCoder(target, files.get(UNIT_FILES["target"], b"")),
        )

    def coded(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row of a `tagged` table in units; its slots count units, too."""
        source, source_starts = self.source.code(row["source_words"])
        target, target_starts = self.target.code(row["target_words"])
        slots = [
            {
                **slot,
                "start": source_starts[slot["start"]],
                "end": source_starts[slot["end"]],
                "target": " ".join(self.target.code(slot["target"].split())[0]),
                **{
                    name: target_starts[slot[name]] if slot[name] >= 0 else slot[name]
                    for name in ("target_start", "target_end")
                },
            }
            for slot in row["slots"]
        ]
        return {**row, "source_words": source, "target_words": target, "slots": slots}
