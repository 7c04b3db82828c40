"""The Transformer with slot tags written word by word, straight from the equations.

Slow and obvious: no batches, no padding, no heads side by side, no words kept from step to step:
each step computes all words before it anew.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.config import ModelConfig
from tests.reference.decoder_reference import Sentence, State, Step, Weights


def _affine(w: Weights, name: str, x: Tensor) -> Tensor:
    return x @ w[f"{name}.weight_XY"] + w[f"{name}.bias_Y"]


def _norm(w: Weights, name: str, x: Tensor) -> Tensor:
    centred = x - x.mean()
    return (
        w[f"{name}.gain_H"] * centred / (centred.square().mean() + 1e-5).sqrt()
        + w[f"{name}.bias_H"]
    )


def _position(at: int, like: Tensor) -> Tensor:
    waves = []
    for k in range(len(like)):
        angle = at / 10_000 ** (2 * (k // 2) / len(like))
        waves.append(math.sin(angle) if k % 2 == 0 else math.cos(angle))
    return like.new_tensor(waves)


def _input(w: Weights, side: str, e: Tensor, at: int) -> Tensor:
    x = _affine(w, f"{side}.input", e) if f"{side}.input.weight_XY" in w else e
    return x + _position(at, x)


def _feed_forward(w: Weights, name: str, x: Tensor) -> Tensor:
    inner = _affine(w, f"{name}.feed_forward.inner", _norm(w, f"{name}.feed_norm", x))
    return _affine(w, f"{name}.feed_forward.outer", inner.clamp(min=0))


def _self_attention(
    w: Weights, name: str, heads: int, xs: list[Tensor], at: int, seen: int
) -> Tensor:
    """What the word at a place reads of the first `seen` words."""
    joint = [
        _affine(w, f"{name}.self_attention.joint", _norm(w, f"{name}.self_norm", x)) for x in xs
    ]
    size, found = len(xs[0]) // heads, []
    for m in range(heads):
        part = slice(m * size, (m + 1) * size)
        q, k, v = zip(*(each.chunk(3) for each in joint), strict=True)
        energies = [q[at][part] @ k[j][part] / math.sqrt(size) for j in range(seen)]
        a = torch.softmax(torch.stack(energies), 0)
        found.append(sum((a[j] * v[j][part] for j in range(seen)), torch.zeros_like(v[0][part])))
    return _affine(w, f"{name}.self_attention.output", torch.cat(found))


def encode(w: Weights, config: ModelConfig, ids: Sequence[int]) -> list[Tensor]:
    """Return one annotation for each word, the end mark included."""
    table, heads = w["encoder.embedding_VE"], config.num_heads
    xs = [
        _input(w, "encoder", math.sqrt(table.shape[1]) * table[i], at) for at, i in enumerate(ids)
    ]
    for number in range(config.encoder_depth):
        name = f"encoder.layers.{number}"
        xs = [x + _self_attention(w, name, heads, xs, at, len(xs)) for at, x in enumerate(xs)]
        xs = [x + _feed_forward(w, name, x) for x in xs]
    return [_norm(w, "encoder.last_norm", x) for x in xs]


def embed(sentence: Sentence, word: int) -> Tensor:
    table = sentence.w["decoder.embedding_VE"]
    return math.sqrt(table.shape[1]) * table[word]


def initial(sentence: Sentence) -> State:
    return State([], [], None)


def advance(sentence: Sentence, state: State, word: int | None, alive: tuple[bool, ...]) -> Step:
    """Feed one word (None before the first)."""
    e = torch.zeros_like(sentence.w["decoder.embedding_VE"][0])
    if word is not None:
        e = embed(sentence, word)
    fed = (*state.fed, (e, alive))
    w, heads = sentence.w, sentence.config.num_heads
    xs = [_input(w, "decoder", e, at) for at, (e, _) in enumerate(fed)]
    for number in range(sentence.config.decoder_depth):
        name = f"decoder.layers.{number}"
        xs = [x + _self_attention(w, name, heads, xs, at, at + 1) for at, x in enumerate(xs)]
        looked = [
            look(sentence, f"{name}.source_attention", _norm(w, f"{name}.source_norm", x), live)
            for x, (_, live) in zip(xs, fed, strict=True)
        ]
        xs = [
            x + _affine(w, f"{name}.source_attention.output", c)
            for x, (c, _, _) in zip(xs, looked, strict=True)
        ]
        xs = [x + _feed_forward(w, name, x) for x in xs]
    c, mass, attention = looked[-1]
    top = _norm(w, "decoder.last_norm", xs[-1])
    return Step(replace(state, layers=[top], fed=fed), c, mass, e, alive, attention)


def look(
    sentence: Sentence, name: str, x: Tensor, alive: tuple[bool, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return what all heads read of [h_j; tag_j], the attention on each slot, the attention."""
    w, heads = sentence.w, sentence.config.num_heads
    size, found, attention = len(x) // heads, [], []
    q = _affine(w, f"{name}.query", x)
    known = [_affine(w, f"{name}.source", h).chunk(2) for h in sentence.h]
    keys, values = [k for k, _ in known], [v for _, v in known]
    for j, tag in enumerate(sentence.tag):
        if tag >= 0 and alive[tag]:
            keys[j] = keys[j] + w[f"{name}.tag_key_PH"][tag]
            values[j] = values[j] + w[f"{name}.tag_value_PH"][tag]
    for m in range(heads):
        part = slice(m * size, (m + 1) * size)
        energies = [q[part] @ key[part] / math.sqrt(size) for key in keys]
        a = torch.softmax(torch.stack(energies), 0)
        attention.append(a)
        found.append(sum((a[j] * v[part] for j, v in enumerate(values)), torch.zeros_like(q[part])))
    mean = sum(attention, torch.zeros_like(attention[0])) / heads
    mass = x.new_zeros(max(sentence.config.slots, 1))
    for j, tag in enumerate(sentence.tag):
        if tag >= 0 and alive[tag]:
            mass = mass + mean[j] * torch.eye(len(mass), dtype=mass.dtype)[tag]
    return torch.cat(found), mass, mean
