"""What of the offered phrases is known before a network reads a batch.

Which words come while a phrase may be used follows from the references alone. So it is found where
a batch is padded, on the host, and a training on a GPU never has to wait to learn how many there
are.

Shapes: I target words, B sentences, Q offered phrases of a sentence, P slots, N real target words
(or hypotheses), L of them with an open phrase, Z pairs of a word and an open phrase, X offered
phrases of the batch, T longest phrase.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.vocabulary import EOS

Phrase = tuple[int, ...]


class Open(NamedTuple):
    """Where phrases may be used (all int64), in the order of the rows, then of the phrases."""

    row_L: Tensor
    """Rows at which any phrase may be used."""
    row_Z: Tensor
    """Row of each pair."""
    phrase_Z: Tensor
    """Phrase of each pair."""


def everywhere(open_NQ: Tensor) -> Open:
    """Return all rows and pairs, open or not: nobody waits for a count of those that are open."""
    rows, phrases = open_NQ.shape
    row_L = torch.arange(rows, device=open_NQ.device)
    phrase_Q = torch.arange(phrases, device=open_NQ.device)
    row_Z = row_L[:, None].expand(rows, phrases).flatten()
    return Open(row_L, row_Z, phrase_Q.repeat(rows))


def open_only(open_NQ: Tensor) -> Open:
    """Return the open ones; on a GPU somebody waits for their number."""
    row_Z, phrase_Z = open_NQ.nonzero(as_tuple=True)
    return Open(open_NQ.any(-1).nonzero().squeeze(1), row_Z, phrase_Z)


def open_in_references(
    mask_IB: NDArray[np.bool_], clear_BP: NDArray[np.int64], slot_BQ: NDArray[np.int64]
) -> Open:
    """Return where phrases are open at the real words of references.

    Args:
        mask_IB: True on words.
        clear_BP: step from which on a slot is used up.
        slot_BQ: slot of each phrase, -1 where there is none.
    """
    if not slot_BQ.size:
        nothing = torch.zeros(0, dtype=torch.int64)
        return Open(nothing, nothing, nothing)
    step_N, sentence_N = np.nonzero(mask_IB)
    clear_BQ = np.take_along_axis(clear_BP, np.maximum(slot_BQ, 0), axis=1)
    open_NQ = (step_N[:, None] < clear_BQ[sentence_N]) & (slot_BQ >= 0)[sentence_N]
    return open_only(torch.from_numpy(open_NQ))


class PhraseIds(NamedTuple):
    """The words of all offered phrases of a batch, side by side."""

    number_BQ: Tensor
    """Column of each offered phrase (int64); 0 where there is none."""
    word_TX: Tensor
    """Word ids, then padding (int64)."""
    past_TX: Tensor
    """True where a reading from the last row to the first finds no word, in the order of that
    reading.
    """


def phrase_ids(phrases: Sequence[Sequence[Phrase]], width: int) -> PhraseIds:
    """Put the phrases of a batch side by side.

    Args:
        phrases: target ids of each offered phrase, by sentence.
        width: places Q for phrases of a sentence; none has more.
    """
    flat = [words for sentence in phrases for words in sentence]
    number_BQ = np.zeros((len(phrases), width), dtype=np.int64)
    count = 0
    for row, sentence in enumerate(phrases):
        number_BQ[row, : len(sentence)] = np.arange(count, count + len(sentence))
        count += len(sentence)
    lengths_X = np.asarray([len(words) for words in flat], dtype=np.int64)
    longest = int(lengths_X.max(initial=0))
    word_TX = np.full((longest, len(flat)), EOS, dtype=np.int64)
    for column, words in enumerate(flat):
        word_TX[: len(words), column] = words
    past_TX = np.flip(np.arange(longest)[:, None] >= lengths_X, 0).copy()
    return PhraseIds(*map(torch.from_numpy, (number_BQ, word_TX, past_TX)))
