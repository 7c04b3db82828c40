"""A short list of target words: search computes the logits of the words that a sentence may need,
and no others (Jean et al. 2015, section 3.3; Mi et al. 2016).

The words of a batch are those of its sentences together, so that one product has them all; words
of other sentences are closed to a sentence, so that it is translated alike in any company.
Probabilities are shared out among the words of the list.

Shapes: B sentences, D rows, X words of the list, V target vocabulary, E readout.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.batches import Example
from model.vocabulary import EOS, UNK

ALWAYS = (EOS, UNK)
Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ShortList:
    """The words of a batch."""

    word_X: Tensor
    """Their ids, ascending, so that the end mark is the first (int64)."""
    closed_BX: Tensor
    """True for words that are not on the list of a sentence."""

    def places(self, ids: Tensor) -> Tensor:
        """Return where words of the list stand in it."""
        return torch.searchsorted(self.word_X, ids)

    def spread(self, logits_DX: Tensor, words: int) -> Tensor:
        """Return logits of all words, minus infinity where they are not on the list."""
        logits_DV = logits_DX.new_full((len(logits_DX), words), -torch.inf)
        return logits_DV.index_copy(1, self.word_X, logits_DX)


def short_list(
    listed: Sequence[Ids], examples: Sequence[Example], device: torch.device
) -> ShortList:
    """Return the list of a batch.

    Args:
        listed: ids of the words of each sentence, in any order.
        examples: the sentences; the words of phrases that are offered to them are on their lists.
        device: where search is.
    """
    own = [_with_phrases(ids, example) for ids, example in zip(listed, examples, strict=True)]
    together = np.unique(np.concatenate(own))
    closed = np.stack([np.isin(together, ids, invert=True) for ids in own])
    return ShortList(torch.from_numpy(together).to(device), torch.from_numpy(closed).to(device))


def _with_phrases(ids: Ids, example: Example) -> Ids:
    phrases = [word for slot in example.slots for word in slot.target_ids]
    return np.concatenate([ids, np.asarray([*ALWAYS, *phrases], dtype=np.int64)])
