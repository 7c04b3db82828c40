"""The Transformer's decoder with slot tags (Vaswani et al. 2017, pre-norm; tags after PhraseNet,
arXiv 1606.01792).

With the embedded previous word e (zero before the first), `x_i = W_E e + position_i` (no W_E if
E = H; embeddings are multiplied by sqrt(E)), then in each layer
`x = x + self_attention(norm(x))`, `x = x + W_O o + b_O` with o from `source_attention(norm(x))`,
`x = x + feed_forward(norm(x))`. The state that readout and phrase mode see is `s_i = norm(x_i)`.

**Tags.** As in PhraseNet an annotation is `h'_j = [h_j ; tag_j(i)]`, where tag_j(i) is the one-hot
slot of source word j while that slot may still be used at step i, else zero. Keys and values are
affine maps of h'_j, so with the slot p of word j and live_ip in {0, 1} head m of each layer has

    k_ij = K h_j + b_K + live_ip T_K[p]        v_ij = V h_j + b_V + live_ip T_V[p]
    a_ij = softmax_j(q_i . k_ij / sqrt(D))
    o_i = sum_j a_ij v_ij = sum_j a_ij (V h_j + b_V) + sum_p mass_ip T_V[p]
    mass_ip = live_ip sum_(j in p) a_ij

Which slots live changes from step to step, keys do not: q_i . k_ij is the product of
`[q_i ; live_ip (q_i . T_K[p])]` and `[K h_j + b_K ; one-hot slot of j]`. So all steps of a
reference are one attention over keys and values that have the slots as further columns, and what
comes out in those columns is the attention on each slot.

**What phrase mode reads.** The source context c_i is o_i of the highest layer, all heads side by
side, before W_O; its tag part is the mean of mass_i over the heads of that layer. Attention as it
is recorded, and as unknown words are replaced by, is the mean of a_i over the same heads.

Shapes: B sentences or hypotheses, I words that are fed, J source words, T words fed before, H
width, M heads, D = H / M, P slots, E embedding, L layers, A = 2LH keys and values, X = 2H; in
products X inputs, Y outputs, Z rows.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, scaled_dot_product_attention

from model.cells import product
from model.initial import Parameters, by_inputs, embeddings
from model.loop import Carried, Memory, Sharing, State, one_hot_slots
from model.network_config import ModelConfig
from model.transformer_layers import (
    Affine,
    FeedForward,
    LayerNorm,
    Manner,
    SelfAttention,
    joined,
    positions,
    split,
)


class Looked(NamedTuple):
    """What source attention found."""

    heads_BIH: Tensor
    """o of all heads side by side."""
    mass_BIP: Tensor | None
    """Attention on each live slot, the mean of the heads."""
    weights_BIJ: Tensor | None
    """Attention, the mean of the heads; None if it was not asked for."""


class Fed(NamedTuple):
    """What the decoder made of the words it was fed."""

    state_BIH: Tensor
    looked: Looked
    """Of the highest layer."""
    past: tuple[Tensor, ...]
    """Keys and values of all words so far, past_BTX of each layer."""


class SourceAttention(Parameters):
    """Several heads over the tagged annotations; keys and values are made once per sentence."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width, self._heads = config.hidden, config.num_heads
        self.query = Affine(width, width)
        self.source = Affine(width, 2 * width)
        self.output = Affine(width, width)
        if config.slots:
            self.tag_key_PH = self.add("tag_key_PH", (config.slots, width), by_inputs)
            self.tag_value_PH = self.add("tag_value_PH", (config.slots, width), by_inputs)

    def look(
        self,
        x_BIH: Tensor,
        known_BJX: Tensor,
        memory: Memory,
        alive_BIP: Tensor | None,
        dtype: torch.dtype,
        *,
        weights: bool,
    ) -> Looked:
        """Attend to the source; see the module.

        Args:
            x_BIH: normalised words.
            known_BJX: keys and values of the source words, without tags.
            memory: tags and padding.
            alive_BIP: 1 for slots that may still be used; None without slots.
            dtype: number format of the matrix products.
            weights: whether attention is wanted.
        """
        query_BMID = split(self.query(x_BIH, dtype), self._heads)
        keys_BMJD, values_BMJD = (split(part, self._heads) for part in known_BJX.chunk(2, -1))
        tags = None
        if memory.tags_BJP is not None:
            tags = self._tag_query(query_BMID, alive_BIP), memory.tags_BJP
        attend = _attend_openly if weights else _attend_at_once
        asked = _Asked(query_BMID, keys_BMJD, values_BMJD, tags, memory.sharing)
        found = attend(asked, memory.penalty_BJ, dtype)
        heads_BIH, mass_BIP = joined(found.heads_BMID), None
        if found.mass_BMIP is not None and alive_BIP is not None:
            mass_BMIP = found.mass_BMIP * alive_BIP.unsqueeze(1)
            tag_value_MPD = self.tag_value_PH.unflatten(-1, (self._heads, -1)).transpose(0, 1)
            heads_BIH = heads_BIH + joined(_each_head(mass_BMIP, tag_value_MPD))
            mass_BIP = mass_BMIP.mean(1)
        return Looked(heads_BIH, mass_BIP, found.weights_BIJ)

    def _tag_query(self, query_BMID: Tensor, alive_BIP: Tensor | None) -> Tensor:
        """Return what the tag of each slot adds to the energies of its words, query_BMIP."""
        assert alive_BIP is not None
        tag_key_MDP = self.tag_key_PH.unflatten(-1, (self._heads, -1)).permute(1, 2, 0)
        return _each_head(query_BMID, tag_key_MDP) * alive_BIP.unsqueeze(1)


class _Asked(NamedTuple):
    """What attention reads."""

    query_BMID: Tensor
    keys_BMJD: Tensor
    values_BMJD: Tensor
    tags: tuple[Tensor, Tensor] | None
    """Queries for tags, query_BMIP, and the tags, tags_BJP."""
    sharing: Sharing | None
    """Of which sentence each row has the keys and values."""


class _Found(NamedTuple):
    """What attention found."""

    heads_BMID: Tensor
    mass_BMIP: Tensor | None
    """Attention on all words of each slot."""
    weights_BIJ: Tensor | None = None


def _attend_at_once(asked: _Asked, penalty_BJ: Tensor, dtype: torch.dtype) -> _Found:
    """Attend with tags as further columns of queries, keys and values."""
    query_BMIX, keys_BMJX, values_BMJX, tags, _ = asked
    size, kind = query_BMIX.shape[-1], query_BMIX.dtype
    if tags is not None:
        query_BMIP, tags_BJP = tags
        tags_BMJP = tags_BJP.unsqueeze(1).expand(-1, query_BMIX.shape[1], -1, -1)
        query_BMIX = torch.cat([query_BMIX, query_BMIP], -1)
        keys_BMJX = torch.cat([keys_BMJX, tags_BMJP], -1)
        values_BMJX = torch.cat([values_BMJX, tags_BMJP], -1)
    found_BMIX = scaled_dot_product_attention(
        query_BMIX.to(dtype),
        keys_BMJX.to(dtype),
        values_BMJX.to(dtype),
        penalty_BJ[:, None, None].to(dtype),
        scale=size**-0.5,
    ).to(kind)
    return _Found(found_BMIX[..., :size], None if tags is None else found_BMIX[..., size:])


def _attend_openly(asked: _Asked, penalty_BJ: Tensor, dtype: torch.dtype) -> _Found:
    """Attend with the weights at hand, for few queries: nothing is copied to put tags beside."""
    query_BMID, keys_BMJD, values_BMJD, tags, sharing = asked
    energy_BMIJ = _of_sentences(query_BMID, keys_BMJD.mT.to(dtype), sharing)
    if tags is not None:
        query_BMIP, tags_BJP = tags
        energy_BMIJ = energy_BMIJ + _all_heads(query_BMIP, tags_BJP.transpose(-1, -2))
    scaled_BMIJ = energy_BMIJ * query_BMID.shape[-1] ** -0.5
    weights_BMIJ = (scaled_BMIJ + penalty_BJ[:, None, None]).softmax(-1)
    mass_BMIP = None if tags is None else _all_heads(weights_BMIJ, tags[1])
    heads_BMID = _of_sentences(weights_BMIJ, values_BMJD.to(dtype), sharing)
    return _Found(heads_BMID, mass_BMIP, weights_BMIJ.mean(1))


def _of_sentences(x_BMIX: Tensor, matrix_SMXY: Tensor, sharing: Sharing | None) -> Tensor:
    """Multiply each row with the matrices of its sentence; rows that share them have one word."""
    if sharing is None:
        return product(x_BMIX, matrix_SMXY)
    return sharing.product(x_BMIX[:, :, 0], matrix_SMXY).unsqueeze(2)


def _each_head(x_BMIX: Tensor, matrix_MXY: Tensor) -> Tensor:
    """Multiply each head with its own matrix, which all sentences share, without a copy for each
    sentence.
    """
    rows_MZX = x_BMIX.transpose(0, 1).flatten(1, 2)
    product_MBIY: Tensor = (rows_MZX @ matrix_MXY).unflatten(1, (-1, x_BMIX.shape[2]))
    return product_MBIY.transpose(0, 1)


def _all_heads(x_BMIX: Tensor, matrix_BXY: Tensor) -> Tensor:
    """Multiply with a matrix that all heads of a sentence share, without a copy for each head."""
    rows_BZX = x_BMIX.flatten(1, 2)
    product_BMIY: Tensor = (rows_BZX @ matrix_BXY).unflatten(1, x_BMIX.shape[1:3])
    return product_BMIY


class DecoderLayer(Parameters):
    """Self-attention, source attention and feed-forward layer."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width = config.hidden
        self.self_norm, self.source_norm = LayerNorm(width), LayerNorm(width)
        self.feed_norm = LayerNorm(width)
        self.self_attention = SelfAttention(config)
        self.source_attention = SourceAttention(config)
        self.feed_forward = FeedForward(config)

    def forward(
        self,
        x_BIH: Tensor,
        source: tuple[Tensor, Memory],
        past_BTX: Tensor,
        alive_BIP: Tensor | None,
        manner: Manner,
        *,
        weights: bool,
    ) -> tuple[Tensor, Looked, Tensor]:
        """Return the stream after the layer, what it read of the source, and keys and values of
        all words so far. `source` holds this layer's keys and values, and tags and padding.
        """
        noise, dtype = manner
        out_BIH, known_BTX = self.self_attention(self.self_norm(x_BIH), None, past_BTX, dtype)
        x_BIH = x_BIH + noise.dropout(out_BIH)
        looked = self.source_attention.look(
            self.source_norm(x_BIH), *source, alive_BIP, dtype, weights=weights
        )
        x_BIH = x_BIH + noise.dropout(self.source_attention.output(looked.heads_BIH, dtype))
        x_BIH = x_BIH + noise.dropout(self.feed_forward(self.feed_norm(x_BIH), dtype))
        return x_BIH, looked, known_BTX


class TransformerDecoder(Parameters):
    """Embeddings of target words and layers."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        size, width = config.embedding, config.hidden
        self.embedding_VE = self.add("embedding_VE", (vocabulary, size), embeddings)
        self.input = Affine(size, width) if size != width else None
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_depth))
        self.last_norm = LayerNorm(width)

    def table(self) -> Tensor:
        """Return the embeddings of all words, embedding_VE."""
        return self.embedding_VE * math.sqrt(self.config.embedding)

    def embed(self, ids_X: Tensor) -> Tensor:
        """Return the embeddings of words."""
        return embedding(ids_X, self.embedding_VE) * math.sqrt(self.config.embedding)

    def words(self, embedded_XE: Tensor, dtype: torch.dtype) -> Tensor:
        """Bring embedded previous words to the width of the layers."""
        if self.input is None:
            return embedded_XE
        words_XH: Tensor = self.input(embedded_XE, dtype)
        return words_XH

    def remember(
        self, annotations_BJC: Tensor, mask_BJ: Tensor, slot_BJ: Tensor | None, dtype: torch.dtype
    ) -> Memory:
        """Compute what is fixed for a sentence: keys and values of all layers.

        Args:
            annotations_BJC: output of the encoder.
            mask_BJ: True on words.
            slot_BJ: slot of each word or -1; None leaves tags out.
            dtype: number format of the matrix products.
        """
        stack = cast(Sequence[DecoderLayer], self.layers)
        keys = [layer.source_attention.source(annotations_BJC, dtype) for layer in stack]
        penalty_BJ = torch.zeros_like(annotations_BJC[..., 0]).masked_fill(~mask_BJ, -torch.inf)
        tags_BJP = None
        if slot_BJ is not None:
            tags_BJP = one_hot_slots(slot_BJ, self.config.slots, annotations_BJC.dtype)
        # The layers read keys and values alone, so search need not copy the annotations.
        return Memory(annotations_BJC[..., :0], torch.cat(keys, -1), penalty_BJ, None, tags_BJP)

    def start(self, memory: Memory, mask_BJ: Tensor) -> State:
        """Return the state before the first step: no word has been fed."""
        num, width = len(mask_BJ), self.config.hidden
        past = tuple(memory.keys_BJA.new_zeros((num, 0, 2 * width)) for _ in self.layers)
        return State((Carried(memory.keys_BJA.new_zeros((num, width))),), None, past=past)

    def feed(
        self,
        words_BIH: Tensor,
        memory: Memory,
        past: tuple[Tensor, ...],
        alive_BIP: Tensor | None,
        manner: Manner,
        *,
        weights: bool,
    ) -> Fed:
        """Feed all words of references, or one more word of hypotheses.

        Args:
            words_BIH: see `words`.
            memory: see `remember`.
            past: keys and values of the words before; without steps where all words are fed.
            alive_BIP: 1 for slots that may still be used at a step; None without slots.
            manner: dropout and number format.
            weights: whether attention is wanted.
        """
        first, count = past[0].shape[1], words_BIH.shape[1]
        x_BIH = words_BIH + positions(first, count, words_BIH[0, 0])
        keys = memory.keys_BJA.chunk(len(past), -1)
        known: list[Tensor] = []
        for number, layer in enumerate(self.layers):
            source = keys[number], memory
            x_BIH, looked, known_BTX = layer(
                x_BIH, source, past[number], alive_BIP, manner, weights=weights
            )
            known.append(known_BTX)
        return Fed(self.last_norm(x_BIH), looked, tuple(known))
