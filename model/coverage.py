"""Coverage (Tu et al. 2016): what has been translated, kept per source word.

*Neural gated*: a GRU over decoding steps with state C_j in R^d for source word j, and inputs: the
attention paid to j, the annotation of j and the decoder's state before the step. Form of the
released code: no biases, reset before the matrix product, the update gate takes the *new* value.

*Neural ungated*: `C_j = tanh(C_j W + a_j w + h_j U + t V)`, the same inputs.

*Linguistic*: `C_j = C_j + a_j / Phi_j`, one number; with fertility `Phi_j = 2 sigmoid(w . h_j)`
without a bias, as in the released code of the context gates, otherwise 1.

Shapes: B rows, J source words, K coverage numbers (d), G = 3K (reset, update, candidate), C
    annotation, H state.
"""

import torch
from torch import Tensor

from model.cells import product
from model.gru_step import early_reset_step
from model.initial import SMALL_SCALE, Parameters, constant, gaussian, orthogonal_blocks

MOST_FERTILITY = 2
"""Most target words that one source word is expected to give (N)."""


class NeuralCoverage(Parameters):
    """Parameters of neural coverage, and of its way into an attention's hidden layer of size A.

    Ungated coverage has a candidate only: G = K.
    """

    def __init__(
        self, size: int, hidden: int, annotation: int, attention: int, *, gated: bool = True
    ) -> None:
        super().__init__()
        small, width = gaussian(SMALL_SCALE), (3 if gated else 1) * size
        self.size, self._gated = size, gated
        self.recurrent_weight_KG = self.add("recurrent_weight_KG", (size, width), orthogonal_blocks)
        self.attention_weight_G = self.add("attention_weight_G", (width,), constant())
        self.annotation_weight_CG = self.add("annotation_weight_CG", (annotation, width), small)
        self.state_weight_HG = self.add("state_weight_HG", (hidden, width), small)
        self.energy_weight_KA = self.add("energy_weight_KA", (size, attention), small)

    def inputs(self, annotations_BJC: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the part of the GRU's input that is fixed for a sentence, inputs_BJG."""
        return product(annotations_BJC, self.annotation_weight_CG.to(dtype))

    def advance(
        self, coverage_BJK: Tensor, weights_BJ: Tensor, state_BG: Tensor, inputs_BJG: Tensor
    ) -> Tensor:
        """Return the coverage after a step.

        Args:
            coverage_BJK: coverage before the step.
            weights_BJ: attention.
            state_BG: projected state.
            inputs_BJG: see `inputs`.
        """
        input_BJG = torch.addcmul(
            inputs_BJG + state_BG.unsqueeze(1), weights_BJ.unsqueeze(-1), self.attention_weight_G
        )
        if not self._gated:
            return torch.tanh(input_BJG + coverage_BJK @ self.recurrent_weight_KG)
        return early_reset_step(input_BJG, coverage_BJK, self.recurrent_weight_KG)


class LinguisticCoverage(Parameters):
    """Parameters of linguistic coverage: a weight into the attention, and a fertility if wanted."""

    def __init__(self, annotation: int, attention: int, *, fertility: bool) -> None:
        super().__init__()
        self.size, self._fertility = 1, fertility
        small = gaussian(SMALL_SCALE)
        self.energy_weight_KA = self.add("energy_weight_KA", (1, attention), small)
        if fertility:
            self.fertility_weight_C = self.add("fertility_weight_C", (annotation,), small)

    def inputs(self, annotations_BJC: Tensor, dtype: torch.dtype) -> Tensor:
        """Return 1 / Phi of each word, inputs_BJ1."""
        if not self._fertility:
            return torch.ones_like(annotations_BJC[..., :1])
        fertility_BJ = MOST_FERTILITY * torch.sigmoid(annotations_BJC @ self.fertility_weight_C)
        return 1 / fertility_BJ.unsqueeze(-1)

    def advance(
        self, coverage_BJK: Tensor, weights_BJ: Tensor, state_BG: Tensor | None, inputs_BJG: Tensor
    ) -> Tensor:
        """Return the coverage after a step; the state is not read."""
        return torch.addcmul(coverage_BJK, weights_BJ.unsqueeze(-1), inputs_BJG)
