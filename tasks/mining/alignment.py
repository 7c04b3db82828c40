"""Link the words of sentence pairs with a hidden Markov model in both directions (Vogel et al.
1996).

The models are sil-thot's: IBM Model 1, then an HMM that starts from its lexicon. Training sees the
pairs in an order of their own content, so the links do not depend on the order, shards or processes
in which the pairs came. Which words form a phrase is decided elsewhere (`extraction.py`).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import thot.alignment as thot

from storage.errors import InputError
from tasks.mining.config import AlignmentConfig
from tasks.mining.symmetrise import Link, Links, symmetrise

Words = Sequence[str]
WordPair = tuple[Words, Words]
UnalignedReason = Literal["empty_side", "too_long"]
UNALIGNED_REASONS = get_args(UnalignedReason)

_RESERVED = frozenset({"NULL", "UNKNOWN_WORD", "<UNUSED_WORD>"})
"""Names that the aligner gives to words of its own."""


def why_unaligned(source: Words, target: Words, config: AlignmentConfig) -> UnalignedReason | None:
    """Say why a pair gets no links, or None if it is aligned."""
    if not source or not target:
        return "empty_side"
    if max(len(source), len(target)) > config.max_words:
        return "too_long"
    return None


def count_unaligned(
    pairs: Iterable[WordPair], config: AlignmentConfig
) -> dict[UnalignedReason, int]:
    """Count the pairs that get no links, by reason; reasons that do not occur are left out."""
    reasons = Counter(why_unaligned(source, target, config) for source, target in pairs)
    return {reason: reasons[reason] for reason in UNALIGNED_REASONS if reasons[reason]}


def align(pairs: Sequence[WordPair], config: AlignmentConfig) -> list[Links]:
    """Train on the pairs and link each of them.

    Args:
        pairs: words of both sides.
        config: iterations, heuristic and longest sentence.

    Returns:
        One tuple of links for each pair, in the order of `pairs`; `()` where `why_unaligned` has a
        reason.

    Raises:
        InputError: no pair can be aligned, or the aligner's result is not finite.
    """
    return Aligner.train(pairs, config).align_pairs(pairs)


class Aligner:
    """Trained tables of both directions, with which new pairs can be linked too."""

    def __init__(self, forward: Any, backward: Any, config: AlignmentConfig) -> None:
        self._forward = forward
        self._backward = backward
        self._config = config

    @classmethod
    def train(cls, pairs: Iterable[WordPair], config: AlignmentConfig) -> "Aligner":
        """Train both directions, one after the other: each uses all processors by itself.

        Raises:
            InputError: no pair can be aligned.
        """
        fit = sorted(
            (_escaped(source), _escaped(target))
            for source, target in pairs
            if why_unaligned(source, target, config) is None
        )
        if not fit:
            raise InputError(
                "alignment: expected at least one pair with words on both sides and at most "
                f"{config.max_words} on each, found none. See `phrasenet corpus dropped`, "
                "or raise alignment.max_words."
            )
        forward = _train_direction(fit, config)
        backward = _train_direction([(target, source) for source, target in fit], config)
        return cls(forward, backward, config)

    def align_pairs(self, pairs: Sequence[WordPair]) -> list[Links]:
        """Link the words of each pair, in the given order; see `align`."""
        fit = [i for i, (s, t) in enumerate(pairs) if why_unaligned(s, t, self._config) is None]
        sources = [_escaped(pairs[i][0]) for i in fit]
        targets = [_escaped(pairs[i][1]) for i in fit]
        forward = _best_links(self._forward, sources, targets)
        backward = _best_links(self._backward, targets, sources)
        found: list[Links] = [()] * len(pairs)
        for i, one, other in zip(fit, forward, backward, strict=True):
            found[i] = symmetrise(one, ((s, t) for t, s in other), self._config.heuristic)
        return found

    def align_pair(self, source: Words, target: Words) -> Links:
        """Link the words of one pair."""
        return self.align_pairs([(source, target)])[0]

    def save(self, prefix: str) -> None:
        """Write both models as text files whose names start with `prefix`, in a folder that exists.

        Raises:
            InputError: the files cannot be written.
        """
        for model, direction in ((self._forward, "forward"), (self._backward, "backward")):
            if not model.print(f"{prefix}{direction}"):
                raise InputError(
                    f"{prefix}{direction}: the alignment model cannot be written. "
                    "Check that the folder exists, may be written and has space left."
                )

    @classmethod
    def load(cls, prefix: str, config: AlignmentConfig) -> "Aligner":
        """Read what `save` wrote; the loaded aligner gives the same links.

        Raises:
            InputError: the files are missing or damaged.
        """
        models = []
        for direction in ("forward", "backward"):
            model = thot.HmmAlignmentModel()
            if not model.load(f"{prefix}{direction}"):
                raise InputError(
                    f"{prefix}{direction}: no alignment model can be read here. Train it again: "
                    "`phrasenet run --from align`."
                )
            models.append(model)
        return cls(models[0], models[1], config)


def _train_direction(pairs: Sequence[tuple[list[str], list[str]]], config: AlignmentConfig) -> Any:
    """Train the model that gives each word of the second side a word of the first."""
    lexicon = thot.Ibm1AlignmentModel()
    for first, second in pairs:
        lexicon.add_sentence_pair(first, second)
    _run_em(lexicon, config.ibm1_iterations)
    model = thot.HmmAlignmentModel(lexicon)
    _run_em(model, config.hmm_iterations)
    return model


def _run_em(model: Any, iterations: int) -> None:
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()


def _best_links(model: Any, first: list[list[str]], second: list[list[str]]) -> list[list[Link]]:
    """Give the links `(index in first, index in second)` of the most probable alignment of each
    pair."""
    found: list[list[Link]] = []
    for position, (log_probability, matrix) in enumerate(model.get_best_alignments(first, second)):
        if not math.isfinite(log_probability):
            raise InputError(
                f"alignment: the aligner gives the pair {' '.join(first[position])[:40]!r} / "
                f"{' '.join(second[position])[:40]!r} the log probability "
                f"{log_probability}; expected a finite number. Drop that pair, or set other "
                "mining.alignment iterations."
            )
        rows, columns = matrix.to_numpy().nonzero()
        found.append(list(zip(rows.tolist(), columns.tolist(), strict=True)))
    return found


def _escaped(words: Words) -> list[str]:
    """Keep words of the text apart from the aligner's own."""
    return [f"\\{word}" if word in _RESERVED or word.startswith("\\") else word for word in words]
