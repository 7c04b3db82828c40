"""The words' part of the softmax as search computes it: all words or those of a short list, in the
number format of the products or in int8.

In int8 a row of the weights and a row of the hidden layer are 127 steps of their own largest
number; products are exact sums of whole numbers, and `logit = (w . h) scale_w scale_h + bias`. The
best words get exact logits afterwards (`top_words.refined`), so int8 decides only which words are
looked at, and the sum of the others.

Shapes: D rows, X words, E readout.
"""

import torch
from torch import Tensor

from model.readout import Readout
from model.short_list import ShortList

STEPS = 127
"""Largest whole number in int8, of either sign."""
ROWS = 32
"""Rows worked on at a time."""


class SearchSoftmax:
    """Weights and biases, prepared once for a batch of sentences."""

    def __init__(
        self, readout: Readout, listed: ShortList | None, dtype: torch.dtype, *, int8: bool
    ) -> None:
        words_XE: Tensor = readout.words_VE
        bias_X: Tensor = readout.output_bias_V
        if listed is not None:
            words_XE, bias_X = words_XE[listed.word_X], bias_X[listed.word_X]
        self.words_XE, self.bias_X = words_XE, bias_X
        self.is_exact = dtype == words_XE.dtype and not int8
        self._dtype, self._listed = dtype, listed
        self._narrow_X = bias_X.to(dtype)
        self._scale_X: Tensor | None = None
        if int8:
            self._narrow_XE, scale_X1 = quantised(words_XE)
            self._scale_X = scale_X1.squeeze(1)
        else:
            self._narrow_XE = words_XE.to(dtype)

    def logits(self, hidden_DE: Tensor, sentence_D: Tensor) -> Tensor:
        """Return logits_DX, minus infinity for words that are closed to a row's sentence."""
        if self._scale_X is None:
            narrow_DE = hidden_DE.to(self._dtype)
            logits_DX = torch.addmm(self._narrow_X, narrow_DE, self._narrow_XE.T)
        else:
            logits_DX = self._whole_products(hidden_DE, self._scale_X)
        if self._listed is not None:
            logits_DX.masked_fill_(self._listed.closed_BX[sentence_D], -torch.inf)
        return logits_DX

    def _whole_products(self, hidden_DE: Tensor, scale_X: Tensor) -> Tensor:
        """Return logits, so few rows at a time that their sums stay in the processor's cache."""
        whole_DE, scale_D1 = quantised(hidden_DE)
        logits_DX = hidden_DE.new_empty((len(hidden_DE), len(scale_X)))
        for first in range(0, len(hidden_DE), ROWS):
            rows = slice(first, first + ROWS)
            sums_YX = torch._int_mm(whole_DE[rows], self._narrow_XE.T) * scale_D1[rows]
            torch.addcmul(self.bias_X, sums_YX, scale_X, out=logits_DX[rows])
        return logits_DX


def quantised(x_XE: Tensor) -> tuple[Tensor, Tensor]:
    """Return whole numbers (int8), and the scale of each row, scale_X1, that gives `x` back."""
    largest_X1 = x_XE.abs().amax(1, keepdim=True)
    scale_X1 = largest_X1.clamp(min=torch.finfo(x_XE.dtype).tiny * STEPS) / STEPS
    return (x_XE / scale_X1).round().to(torch.int8), scale_X1
