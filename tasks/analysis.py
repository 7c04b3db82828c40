"""What is known of each sentence of an evaluation, and measures that are sums over sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.metrics.adequacy import SourceCoverage, repeated_pairs, source_coverage
from tasks.metrics.alignment_error import GoldLinks, alignment_scores
from tasks.metrics.attention_table import AttentionMatrix, Side, attention_of
from tasks.metrics.bleu import Score
from tasks.metrics.gate_analysis import mean_gate, pearson, short_and_long
from tasks.metrics.mteval import count_corpus
from tasks.metrics.sentence_bleu import SIGNATURE, sentence_bleu
from tasks.metrics.soft_alignment import hard_links, soft_error_rate
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise

Row = Mapping[str, Any]
Measure = tuple[str, Score, int]
"""Subset, score, and the number of sentences that it rests on."""

FORCED = "attention:forced decoding of the first reference|links:arg-max of each target word"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a test set and what one system made of it."""

    row: Row
    """Of `translations`."""
    line: Row
    """Of `test_lines`."""
    records: Mapping[str, Row]
    """Of `records`, by side."""
    baseline_words: Sequence[str] | None
    """What the baseline said; None where the system is the baseline."""

    def attention(self, side: Side) -> AttentionMatrix | None:
        """Return what was attended to; None if the system has no attention or the side no words."""
        return attention_of(self.records[side]) if side in self.records else None

    def reference_words(self) -> list[list[str]]:
        """Return the words of each reference, in lower case."""
        return [
            [word.lower() for word in tokenise(normalise(text))]
            for text in self.line["references"]
            if text
        ]

    def coverage(self) -> SourceCoverage | None:
        """Return how the translation covers the source, or None if that is not known."""
        reference, translation = self.attention("reference"), self.attention("translation")
        if reference is None or translation is None:
            return None
        return source_coverage(reference, translation)


def sentence_rows(sentences: Sequence[Sentence]) -> Iterator[dict[str, Any]]:
    """Yield the row of `sentence_measures` of each sentence."""
    ours = _sentence_scores(sentences, [sentence.row["words"] for sentence in sentences])
    have_baseline = all(sentence.baseline_words is not None for sentence in sentences)
    theirs: Sequence[float | None] = [None] * len(sentences)
    if have_baseline:
        words = [sentence.baseline_words or [] for sentence in sentences]
        theirs = _sentence_scores(sentences, words)
    for sentence, bleu, baseline in zip(sentences, ours, theirs, strict=True):
        coverage = sentence.coverage()
        words = sentence.row["words"]
        record = sentence.records.get("translation")
        yield {
            "sentence_id": sentence.row["sentence_id"],
            "source_length": len(sentence.row["source_words"]),
            "length": len(words),
            "bleu": bleu,
            "baseline_bleu": baseline,
            "gate": mean_gate(record["gates"]) if record else None,
            "left_out": None if coverage is None else coverage.left_out,
            "said_twice": None if coverage is None else coverage.said_twice,
            "repeated": repeated_pairs(words, sentence.reference_words()),
        }


def _sentence_scores(
    sentences: Sequence[Sentence], outputs: Sequence[Sequence[str]]
) -> list[float]:
    if not sentences:
        return []
    streams = list(zip(*(sentence.line["references"] for sentence in sentences), strict=True))
    texts = [detokenise(words) for words in outputs]
    scores: list[float] = sentence_bleu(count_corpus([texts], streams).counts[0]).tolist()
    return scores


def sums_of(sentences: Sequence[Sentence], rows: Sequence[Row]) -> Iterator[Measure]:
    """Yield over- and under-translation (see `tasks/metrics/adequacy.py`), in percent."""
    covered = [found for sentence in sentences if (found := sentence.coverage()) is not None]
    if covered:
        left_out = sum(found.left_out for found in covered)
        expected = sum(found.expected for found in covered)
        twice = sum(found.said_twice for found in covered)
        source = sum(found.source_words for found in covered)
        made = "like:1-CDR (Kong et al. 2019)|links:arg-max of attention"
        yield "all", Score("Words left out", _percent(left_out, expected), made), len(covered)
        made = "coverage:1 more than under the reference"
        yield "all", Score("Words said twice", _percent(twice, source), made), len(covered)
    pairs = sum(max(0, row["length"] - 1) for row in rows)
    if pairs:
        repeated = sum(row["repeated"] for row in rows)
        made = "like:Otem (Yang et al. 2018), n = 2, without penalty"
        yield "all", Score("Repeated pairs", _percent(repeated, pairs), made), len(rows)


def gate_measures(rows: Sequence[Row]) -> Iterator[Measure]:
    """Yield the mean gate, and how it goes with improvement over the baseline."""
    gated = [row for row in rows if row["gate"] is not None]
    for subset, inside in short_and_long(gated).items():
        if not inside:
            continue
        mean = sum(row["gate"] for row in inside) / len(inside)
        made = "gate:mean over words and dimensions of the translation"
        yield subset, Score("Mean gate", mean, f"{made}, then over sentences"), len(inside)
        compared = [row for row in inside if row["baseline_bleu"] is not None]
        found = pearson(
            [row["gate"] for row in compared],
            [row["bleu"] - row["baseline_bleu"] for row in compared],
        )
        if found is not None:
            made = f"{made}|improvement:{SIGNATURE}|against:first baseline"
            yield subset, Score("Gate-BLEU Pearson", found, made), len(compared)


def alignment_measures(
    sentences: Sequence[Sentence], gold: Mapping[str, GoldLinks]
) -> Iterator[Measure]:
    """Yield AER, SAER, precision and recall of the attention under forced decoding, in percent."""
    both = [
        (found, gold[sentence.row["sentence_id"]])
        for sentence in sentences
        if (found := sentence.attention("reference")) is not None
        and sentence.row["sentence_id"] in gold
    ]
    if not both:
        return
    answers = [answer for _, answer in both]
    hard = alignment_scores([hard_links(found.rows_IJ[:-1]) for found, _ in both], answers)
    soft = soft_error_rate([found.inner_IJ for found, _ in both], answers)
    for name, value in (
        ("AER", hard.error_rate),
        ("Alignment precision", hard.precision),
        ("Alignment recall", hard.recall),
    ):
        yield "all", Score(name, 100 * value, FORCED), len(both)
    made = "attention:forced decoding of the first reference|end marks:left out"
    yield "all", Score("SAER", 100 * soft, made), len(both)


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
