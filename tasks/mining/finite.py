"""Refuse what an aligner computed if it is not a number: links made of it would be noise."""

import math
from collections.abc import Sequence

from storage.errors import InputError


def check_finite(value: float, pair: tuple[Sequence[str], Sequence[str]]) -> None:
    """Check a result of an aligner.

    Args:
        value: a log probability, or a sum of probabilities.
        pair: the words that it is about.

    Raises:
        InputError: names the pair.
    """
    if not math.isfinite(value):
        raise InputError(
            f"alignment: the aligner computed {value} for the pair {' '.join(pair[0])[:40]!r} / "
            f"{' '.join(pair[1])[:40]!r}; expected a finite number. Drop that pair, or set other "
            "alignment iterations."
        )
