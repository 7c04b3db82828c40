"""The sentences of a report in a compact form, which the page's script unpacks and shows.

Words are numbers of one shared list, attention is rounded to a digit and its zeros are counted, and
what is sent is two gzip streams in base64: the texts, which every reader needs at once, and the
attention, unpacked when the first sentence is opened. 2,000 sentences of 5 systems must stay below
5 MB. What is written here is read by `assets/data.js`; both say what stands at which place.
"""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.metrics.attention_table import AttentionMatrix

ATTENTION_LEVELS = 9
"""Attention is shown in this many steps above nothing; it is off by half a step, 0.056, at most."""
_MOST_ZEROS = 26
NO_GATE = "--"


@dataclass(frozen=True, slots=True)
class Looks:
    """What a system attended to while it wrote one output, packed as it is sent."""

    rows: str
    """See `attention_digits`, one row for each word and the end mark, commas between; columns are
    the source words and the end mark."""
    gates: str
    """See `gate_digits`, one gate for each row; empty for a system without a gate."""
    source_words: Sequence[str]
    words: Sequence[str]

    @staticmethod
    def of(matrix: AttentionMatrix, gates: Sequence[float | None]) -> "Looks":
        """Pack attention and the mean context gate of each row, between 0 and 1."""
        rows = ",".join(attention_digits(row) for row in attention_levels(matrix.rows_IJ))
        packed_gates = "".join(gate_digits(gate) for gate in gates)
        return Looks(rows, packed_gates, matrix.source_words, matrix.words)


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What one system made of a sentence."""

    words: Sequence[str]
    spans: Sequence[tuple[int, int, int]]
    """Where phrases stand in the words: start, end (half-open) and slot."""
    uses: Sequence[str]
    """For each slot: offered, appeared or produced."""
    outcomes: Sequence[str] = ()
    """For each slot exact, misplaced, spelled or ignored; empty if nobody asked."""
    bleu: float | None = None
    """Sentence BLEU, between 0 and 100."""
    trouble: tuple[int, int, int] = (0, 0, 0)
    """Source words left out and said twice, and output words that are repeated."""
    looks: Looks | None = None


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence with its references and every system's output, in the order of the systems."""

    number: int
    """1-based place in the test set."""
    sentence_id: str
    source_words: Sequence[str]
    slots: Sequence[Mapping[str, Any]]
    references: Sequence[str]
    outputs: Sequence[SystemOutput]


@dataclass(frozen=True, slots=True)
class ShownTestset:
    """The sentences of a test set that a page shows."""

    name: str
    total: int
    """Sentences of the test set, shown or not."""
    sentences: Sequence[ShownSentence]


@dataclass(slots=True)
class _Words:
    """A list of words that grows as they are met."""

    numbers: dict[str, int] = field(default_factory=dict)

    def encode(self, words: Sequence[str]) -> list[int]:
        return [self.numbers.setdefault(word, len(self.numbers)) for word in words]


def browser_data(
    testsets: Sequence[ShownTestset], systems: Sequence[str], baseline: str, main: str
) -> tuple[dict[str, Any], list[Any]]:
    """Return what the script shows, as plain JSON.

    Args:
        testsets: the sentences.
        systems: names in the order of the outputs.
        baseline: the system that the others are compared with; none of them if there is none.
        main: the system that is judged as long as the reader chooses no other.

    Returns:
        The texts, and the attention by test set, sentence and system (0 where there is none).
    """
    words = _Words()
    sets = [
        {
            "name": testset.name,
            "total": testset.total,
            "rows": [_sentence(sentence, words) for sentence in testset.sentences],
        }
        for testset in testsets
    ]
    looks = [
        [
            [_looks(output, sentence, words) if output.looks else 0 for output in sentence.outputs]
            for sentence in testset.sentences
        ]
        for testset in testsets
    ]
    texts = {
        "systems": list(systems),
        "baseline": systems.index(baseline) if baseline in systems else -1,
        "main": systems.index(main),
        "sets": sets,
        "words": list(words.numbers),
    }
    return texts, looks


def packed(value: Any) -> str:
    """Return JSON as a gzip stream in base64, which no text can break out of; always the same."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def _sentence(sentence: ShownSentence, words: _Words) -> list[Any]:
    return [
        sentence.number,
        sentence.sentence_id,
        words.encode(sentence.source_words),
        list(sentence.references),
        [_slot(slot) for slot in sentence.slots],
        [_output(output, words) for output in sentence.outputs],
    ]


def _slot(slot: Mapping[str, Any]) -> list[Any]:
    names = ("start", "end", "target", "category", "origin", "provider", "phrase_id")
    return [slot[name] for name in names]


def _output(output: SystemOutput, words: _Words) -> list[Any]:
    return [
        words.encode(output.words),
        [number for span in output.spans for number in span],
        "".join(use[0] for use in output.uses),
        "".join(outcome[0] for outcome in output.outcomes),
        None if output.bleu is None else round(output.bleu, 1),
        list(output.trouble) if any(output.trouble) else 0,
    ]


def _looks(output: SystemOutput, sentence: ShownSentence, words: _Words) -> list[Any]:
    """Pack attention and gate; the words are left out where they are those shown anyway."""
    looks = output.looks
    assert looks is not None
    own_source = list(looks.source_words) != list(sentence.source_words)
    own_words = list(looks.words) != list(output.words)
    return [
        looks.rows,
        looks.gates,
        words.encode(looks.source_words) if own_source else 0,
        words.encode(looks.words) if own_words else 0,
    ]


def attention_levels(rows_IJ: NDArray[np.float64]) -> list[list[int]]:
    """Round attention, between 0 and 1, to whole steps of 1 / `ATTENTION_LEVELS`."""
    levels_IJ = np.floor(np.clip(rows_IJ, 0, 1) * ATTENTION_LEVELS + 0.5).astype(np.int64)
    found: list[list[int]] = levels_IJ.tolist()
    return found


def attention_digits(levels: Sequence[int]) -> str:
    """Write a row of attention in digits 0 to 9; letters a to z stand for 1 to 26 zeros, and zeros
    at the end are left out."""
    pieces: list[str] = []
    zeros = 0
    for level in levels:
        if level == 0:
            zeros += 1
            continue
        while zeros > 0:
            run = min(zeros, _MOST_ZEROS)
            pieces.append(chr(ord("a") + run - 1))
            zeros -= run
        pieces.append(str(level))
    return "".join(pieces)


def gate_digits(gate: float | None) -> str:
    """Write a gate in percent, 00 to 99, or `--` where there is none."""
    return NO_GATE if gate is None or gate != gate else f"{min(99, int(100 * gate)):02d}"
