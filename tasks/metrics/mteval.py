"""BLEU as NIST's scripts mteval-v11b and mteval-v13a make it, from counts of each sentence.

Both split text in the same way. They differ in the brevity penalty (shortest or closest reference)
and in what becomes of an order without any right n-gram: in v11b the score is 0, in v13a it is
smoothed. PhraseNet and Context Gates report v11b; today's papers report v13a, which is sacreBLEU's
BLEU.
"""

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tasks.metrics.bleu import References, Score, checked_references
from tasks.metrics.ngram_counts import (
    FIRST_MATCH,
    FIRST_TOTAL,
    HYPOTHESIS_LENGTH,
    MAX_ORDER,
    REFERENCE_LENGTH,
    Brevity,
    Counts,
    sentence_counts,
)

Flavour = Literal["v11b", "v13a"]
"""Which script's BLEU."""

Values = NDArray[np.float64]

_BREVITY: dict[Flavour, Brevity] = {"v11b": "shortest", "v13a": "closest"}
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_PUNCTUATION = re.compile(r"([{-~\[-` -&(-+:-@/])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_LOWERED: dict[Flavour, Callable[[str], str]] = {
    "v11b": lambda text: text.translate(_ASCII_LOWER),
    "v13a": str.lower,
}
"""The script lower-cases A to Z only; sacreBLEU, whose BLEU v13a is, every letter."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """BLEU of a corpus and what it is made of; all between 0 and 100 but the penalty."""

    score: float
    individual: tuple[float, ...]
    """Share of right n-grams of order 1 to 4, without brevity penalty: mteval's "individual"."""
    cumulative: tuple[float, ...]
    """BLEU up to order 1 to 4, with brevity penalty; the last is `score`."""
    brevity_penalty: float
    """Between 0 and 1."""
    hypothesis_words: int
    reference_words: int


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Counts of several systems on the same sentences, and how they were made."""

    counts: Counts
    """Shape (systems, sentences, columns), see `ngram_counts`."""
    flavour: Flavour
    signature: str

    def scores(self) -> list[Score]:
        """Score each system on all sentences."""
        values = bleu_of_sums(self.counts.sum(axis=1), self.flavour)
        return [Score(f"BLEU-{self.flavour}", float(value), self.signature) for value in values]

    def breakdown(self, system: int) -> Breakdown:
        """Take one system's score apart."""
        return breakdown_of_sums(self.counts[system].sum(axis=0), self.flavour)


def split_words(text: str) -> list[str]:
    """Split a line as mteval does: by blanks and around ASCII punctuation; periods, commas and
    dashes stay inside numbers."""
    return [word for part in text.split() for word in _split_part(part)]


@lru_cache(maxsize=2**17)
def _split_part(part: str) -> tuple[str, ...]:
    """Split what stands between two blanks; no pattern looks past a blank, and parts repeat."""
    part = part.replace("<skipped>", "")
    for entity, sign in _ENTITIES:
        part = part.replace(entity, sign)
    part = _PUNCTUATION.sub(r" \1 ", f" {part} ")
    part = _AFTER_NO_DIGIT.sub(r"\1 \2 ", part)
    part = _BEFORE_NO_DIGIT.sub(r" \1 \2", part)
    return tuple(_DASH_AFTER_DIGIT.sub(r"\1 \2 ", part).split())


def count_corpus(
    systems: Sequence[Sequence[str]],
    references: References,
    *,
    flavour: Flavour = "v13a",
    lowercase: bool = True,
    in_words: bool = False,
) -> CorpusCounts:
    """Count what BLEU needs of each sentence of several systems.

    Args:
        systems: the outputs of each system, one text a sentence.
        references: one or more sets of references.
        flavour: whose brevity penalty and smoothing.
        lowercase: False to score case as well.
        in_words: the text is split into words by blanks already.

    Raises:
        InputError: references and outputs do not fit together, or there is nothing to score.
    """
    streams: list[list[str | None]] = [[]]
    for outputs in systems:
        streams = checked_references(outputs, references)
    lower = _LOWERED[flavour] if lowercase else str
    split = str.split if in_words else split_words
    brevity = _BREVITY[flavour]
    counts = sentence_counts(
        [[split(lower(text)) for text in outputs] for outputs in systems],
        [[None if text is None else split(lower(text)) for text in stream] for stream in streams],
        brevity,
    )
    parts = [
        f"nrefs:{_number_of_references(streams)}",
        f"case:{'lc' if lowercase else 'mixed'}",
        f"tok:{'none' if in_words else 'mteval'}",
        f"bp:{brevity}",
        f"smooth:{'none' if flavour == 'v11b' else 'exp'}",
        f"like:mteval-{flavour}",
    ]
    return CorpusCounts(counts, flavour, "|".join(parts))


def bleu_of_sums(sums: Counts, flavour: Flavour) -> Values:
    """Return BLEU (0 to 100) for sums of counts of shape (..., columns)."""
    shares = _shares(sums, flavour)
    with np.errstate(divide="ignore"):
        mean_log = np.log(shares).mean(axis=-1)
    scored = (sums[..., FIRST_MATCH] > 0) & (shares.min(axis=-1) > 0)
    return np.asarray(np.where(scored, 100 * np.exp(mean_log) * _penalty(sums), 0.0))


def breakdown_of_sums(sums: Counts, flavour: Flavour) -> Breakdown:
    """Take the score of one row of sums apart."""
    matches = sums[FIRST_MATCH:FIRST_TOTAL].astype(float)
    totals = np.maximum(sums[FIRST_TOTAL:], 1)
    shares = _shares(sums, flavour)
    penalty = float(_penalty(sums))
    with np.errstate(divide="ignore"):
        logs = np.log(shares)
    orders = np.arange(1, MAX_ORDER + 1)
    right = matches[0] > 0
    cumulative = 100 * penalty * np.exp(np.cumsum(logs) / orders) * right
    return Breakdown(
        score=float(bleu_of_sums(sums, flavour)),
        individual=tuple(float(share) for share in 100 * matches / totals),
        cumulative=tuple(float(value) for value in cumulative),
        brevity_penalty=penalty,
        hypothesis_words=int(sums[HYPOTHESIS_LENGTH]),
        reference_words=int(sums[REFERENCE_LENGTH]),
    )


def _shares(sums: Counts, flavour: Flavour) -> Values:
    """Return the share of right n-grams of each order; v13a halves ever again where there is none.

    An order that the output is too short for has no n-grams; it counts as nothing right.
    """
    matches = sums[..., FIRST_MATCH:FIRST_TOTAL].astype(float)
    totals = sums[..., FIRST_TOTAL:].astype(float)
    if flavour == "v13a":
        empty = (matches == 0) & (totals > 0)
        halvings = np.cumsum(empty, axis=-1)
        matches = np.where(empty, 0.5**halvings, matches)
    return np.asarray(np.divide(matches, totals, out=np.zeros_like(matches), where=totals > 0))


def _penalty(sums: Counts) -> Values:
    """Return the brevity penalty: exp(1 - r / c) where the output is shorter, else 1."""
    ours = sums[..., HYPOTHESIS_LENGTH].astype(float)
    theirs = sums[..., REFERENCE_LENGTH].astype(float)
    ratio = np.divide(theirs, ours, out=np.full_like(ours, np.inf), where=ours > 0)
    return np.asarray(np.exp(np.minimum(0.0, 1 - ratio)))


def _number_of_references(streams: Sequence[Sequence[str | None]]) -> str:
    """Return the number of references of each sentence, or `var` where it differs."""
    numbers = {sum(text is not None for text in texts) for texts in zip(*streams, strict=True)}
    return str(numbers.pop()) if len(numbers) == 1 else "var"
