"""Corpus BLEU, chrF and TER through sacreBLEU, with a signature that says how each number was made.

Refuses what sacreBLEU would silently score: references that are transposed, too few or missing.
Scores sentences as text, not as word ids; two scores may stand side by side only if
`Score.signature` is equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from storage.errors import InputError

Tokenizer = Literal["13a", "zh", "none"]
"""`13a` for English text, `zh` for Chinese text, `none` for text that is already split into
words."""

References = Sequence[Sequence[str | None]]
"""One sequence for each set of references, each as long as the hypotheses; None or "" where one is
missing."""


@dataclass(frozen=True, slots=True)
class Score:
    """A number that says how it was made."""

    name: str
    value: float
    """Between 0 and 100, but for TER, which may be higher."""
    signature: str

    def __str__(self) -> str:
        """Give name, value and signature."""
        return f"{self.name} = {self.value:z.2f} ({self.signature})"


def corpus_bleu(
    hypotheses: Sequence[str],
    references: References,
    *,
    tokenize: Tokenizer = "13a",
    lowercase: bool = True,
) -> Score:
    """Score translations with BLEU (Papineni et al. 2002), brevity penalty by the closest
    reference.

    Args:
        hypotheses: one translation for each sentence.
        references: one or more sets of references.
        tokenize: how both sides are split; `none` only for text that is split into words already.
        lowercase: False to score case as well.

    Raises:
        InputError: the references do not fit the hypotheses, or there is nothing to score.
    """
    # sacreBLEU takes None for a missing reference, though its types do not say so.
    checked = cast(list[list[str]], checked_references(hypotheses, references))
    metric = BLEU(lowercase=lowercase, tokenize=tokenize, force=True)
    value = float(metric.corpus_score(list(hypotheses), checked).score)
    return Score("BLEU", value, metric.get_signature().format())


def corpus_chrf(
    hypotheses: Sequence[str], references: References, *, lowercase: bool = True
) -> Score:
    """Score translations with chrF2 (Popović 2015); arguments and errors as for `corpus_bleu`."""
    # sacreBLEU takes None for a missing reference, though its types do not say so.
    checked = cast(list[list[str]], checked_references(hypotheses, references))
    metric = CHRF(lowercase=lowercase)
    value = float(metric.corpus_score(list(hypotheses), checked).score)
    return Score("chrF2", value, metric.get_signature().format())


def corpus_ter(
    hypotheses: Sequence[str], references: References, *, lowercase: bool = True
) -> Score:
    """Score translations with TER (Snover et al. 2006), lower is better, may pass 100; arguments
    and errors as for `corpus_bleu`."""
    checked = cast(list[list[str]], checked_references(hypotheses, references))
    metric = TER(case_sensitive=not lowercase)
    value = float(metric.corpus_score(list(hypotheses), checked).score)
    return Score("TER", value, metric.get_signature().format())


def check_comparable(scores: Sequence[Score]) -> None:
    """Raise `InputError` unless all scores were made in the same way."""
    made = sorted({(score.name, score.signature) for score in scores})
    if len(made) > 1:
        raise InputError(
            "scores: expected one signature in one column, found "
            f"{' and '.join(f'{name} {signature}' for name, signature in made)}. "
            "Score all systems with the same references, case and tokenizer."
        )


def checked_references(hypotheses: Sequence[str], references: References) -> list[list[str | None]]:
    """Give the references with missing ones as None.

    Raises:
        InputError: they do not fit the hypotheses, or there is nothing to score.
    """
    if not hypotheses:
        raise InputError(
            "score: expected at least one hypothesis, found none. Check the output file."
        )
    if not references:
        raise InputError("score: expected at least one set of references, found none. Name one.")
    for number, stream in enumerate(references, start=1):
        if isinstance(stream, str):
            raise InputError(
                f"score: reference set {number} is one text; expected a list of sentences. "
                "Pass [[first sentence, second sentence, ...]]."
            )
        if len(stream) != len(hypotheses):
            raise InputError(_unequal(number, len(stream), len(hypotheses), len(references)))
    streams = [
        [text if text and text.strip() else None for text in stream] for stream in references
    ]
    for number, texts in enumerate(zip(*streams, strict=True), start=1):
        if not any(texts):
            raise InputError(
                f"score: sentence {number} has no reference. Give it one, or take the sentence "
                "out of the hypotheses and of every set of references."
            )
    return streams


def _unequal(number: int, found: int, expected: int, num_streams: int) -> str:
    hint = ""
    if num_streams == expected > 1:
        hint = (
            " The sets seem to be transposed: pass one list for each set, "
            "not one for each sentence."
        )
    return (
        f"score: {expected} hypotheses but {found} references in set {number}: "
        f"they must be the same sentences in the same order."
        f"{hint or ' Compare the files line by line.'}"
    )
