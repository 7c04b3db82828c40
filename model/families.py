"""Which encoder, which decoder and which loop a configuration has."""

import torch

from model.conditional_gru import ConditionalGru
from model.conditional_loop import ConditionalLoop, PlainLoop
from model.encoder import Encoder
from model.groundhog import GroundHogDecoder, GroundHogLoop
from model.loop import Loop
from model.network_config import ModelConfig
from model.transformer_decoder import TransformerDecoder
from model.transformer_encoder import TransformerEncoder
from model.transformer_loop import TransformerLoop

AnyEncoder = Encoder | TransformerEncoder
AnyDecoder = ConditionalGru | GroundHogDecoder | TransformerDecoder


def make_encoder(config: ModelConfig, vocabulary: int) -> AnyEncoder:
    """Create an encoder for so many source words."""
    if config.switches.is_transformer:
        return TransformerEncoder(config, vocabulary)
    return Encoder(config, vocabulary)


def make_decoder(config: ModelConfig, vocabulary: int) -> AnyDecoder:
    """Create a decoder for so many target words."""
    if config.switches.is_transformer:
        return TransformerDecoder(config, vocabulary)
    if config.switches.is_groundhog:
        return GroundHogDecoder(config, vocabulary)
    return ConditionalGru(config, vocabulary)


def make_loop(decoder: AnyDecoder, *, tags: bool, dtype: torch.dtype, search: bool = False) -> Loop:
    """Prepare a pass over a batch or a search.

    Args:
        decoder: whose parameters are used.
        tags: whether the batch has slots.
        dtype: number format of the matrix products.
        search: whether it is for a search, where annotations come multiplied with the loop's
            `context_weight_CX`, its columns first, and products that cost little are in the
            network's own number format: rounding them would change translations.
    """
    if isinstance(decoder, TransformerDecoder):
        return TransformerLoop(decoder, dtype=dtype)
    if isinstance(decoder, GroundHogDecoder):
        return GroundHogLoop(decoder, tags=tags, dtype=dtype, search=search)
    if search and decoder.is_plain and not torch.is_grad_enabled():
        return PlainLoop(decoder, tags=tags, dtype=dtype)
    return ConditionalLoop(decoder, tags=tags, dtype=dtype, search=search)
