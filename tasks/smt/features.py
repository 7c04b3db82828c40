"""The features of a translation and their weights; Moses names the same ones."""

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]

SCORES, PHRASES, WORDS, DISTORTION, LANGUAGE_MODEL, REORDERING = 0, 4, 5, 6, 7, 8
"""Where the weights begin: four scores of the phrase table, number of phrases, minus the number of
words, minus the words jumped over, the language model, and six orientations."""
NUM_FEATURES = 14

NAMES = (
    "target given source",
    "source given target",
    "lexical target given source",
    "lexical source given target",
    "phrases",
    "words",
    "distortion",
    "language model",
    "monotone before",
    "swap before",
    "discontinuous before",
    "monotone behind",
    "swap behind",
    "discontinuous behind",
)


def first_weights(*, lexicalised: bool) -> Weights:
    """Return the weights that tuning starts from: those of Moses' training."""
    return np.array([0.2] * 4 + [0.2, -1.0, 0.3, 0.5] + [0.3 * lexicalised] * 6)
