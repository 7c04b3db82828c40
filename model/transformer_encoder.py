"""The Transformer's encoder: one annotation per source word (Vaswani et al. 2017, pre-norm).

`x_j = W_E sqrt(E) e_j + position_j` (no W_E if E = H), then in each layer
`x = x + attention(norm(x))`, `x = x + feed_forward(norm(x))`, at last `h_j = norm(x_j)`.

Shapes: B sentences, J source words incl. the end mark, E embedding, H width, which is also the
size C of an annotation.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from model.initial import Parameters, embeddings
from model.network_config import ModelConfig
from model.noise import Noise
from model.transformer_layers import (
    Affine,
    FeedForward,
    LayerNorm,
    Manner,
    SelfAttention,
    positions,
)


class EncoderLayer(Parameters):
    """Self-attention and feed-forward layer."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_norm, self.feed_norm = LayerNorm(config.hidden), LayerNorm(config.hidden)
        self.self_attention = SelfAttention(config)
        self.feed_forward = FeedForward(config)

    def forward(self, x_BJH: Tensor, mask_BJ: Tensor, manner: Manner) -> Tensor:
        """Return a tensor of the same shape."""
        noise, dtype = manner
        out_BJH, _ = self.self_attention(self.self_norm(x_BJH), mask_BJ, None, dtype)
        x_BJH = x_BJH + noise.dropout(out_BJH)
        return x_BJH + noise.dropout(self.feed_forward(self.feed_norm(x_BJH), dtype))


class TransformerEncoder(Parameters):
    """Word embeddings and layers."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        size, width = config.embedding, config.hidden
        self.embedding_VE = self.add("embedding_VE", (vocabulary, size), embeddings)
        self.input = Affine(size, width) if size != width else None
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_depth))
        self.last_norm = LayerNorm(width)

    def forward(self, ids_BJ: Tensor, mask_BJ: Tensor, noise: Noise, dtype: torch.dtype) -> Tensor:
        """Return the annotations of the words, annotations_BJC.

        Args:
            ids_BJ: word ids.
            mask_BJ: True on words; rows where it is False hold values that must not be used.
            noise: its dropout is applied to embeddings and to the output of each sublayer.
            dtype: number format of the matrix products.
        """
        x_BJH = self.embedding_VE.shape[-1] ** 0.5 * embedding(ids_BJ, self.embedding_VE)
        x_BJH = noise.dropout(x_BJH)
        if self.input is not None:
            x_BJH = self.input(x_BJH, dtype)
        x_BJH = x_BJH + positions(0, ids_BJ.shape[1], x_BJH[0, 0])
        for layer in self.layers:
            x_BJH = layer(x_BJH, mask_BJ, Manner(noise, dtype))
        annotations_BJC: Tensor = self.last_norm(x_BJH)
        return annotations_BJC
