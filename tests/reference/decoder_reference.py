"""The encoders, decoders, coverage and context gates written word by word, straight from the
equations of dl4mt, GroundHog and the two papers.

Slow and obvious: no batches, no padding, no shared products.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.config import ModelConfig

Weights = Mapping[str, Tensor]
Share = Tensor | float


def gru(x: Tensor, h: Tensor, parts: tuple[Tensor, Tensor, Tensor], bias_inside: Tensor) -> Tensor:
    """One step of dl4mt's GRU; `parts` are input weight, state weight and bias."""
    weight, state_weight, bias = parts
    size = len(h)
    inputs, inner = x @ weight + bias, h @ state_weight + bias_inside
    r = torch.sigmoid(inputs[:size] + inner[:size])
    u = torch.sigmoid(inputs[size : 2 * size] + inner[size : 2 * size])
    candidate = torch.tanh(inputs[2 * size :] + r * inner[2 * size :])
    return u * h + (1 - u) * candidate


@dataclass(frozen=True)
class Sentence:
    """What the decoder reads of one example."""

    w: Weights
    config: ModelConfig
    h: list[Tensor]
    tag: list[int]
    """Slot of each source word, or -1."""
    phrases: tuple[tuple[int, ...], ...]
    slot: tuple[int, ...]
    """Slot of each phrase: phrases on the same source words have the same."""


@dataclass(frozen=True)
class State:
    layers: list[Tensor]
    memory: list[Tensor]
    """Of LSTM layers."""
    coverage: list[Tensor] | None
    context: tuple[Tensor, Tensor] | None = None
    """GroundHog's order: context and tag mass of the step before."""
    fed: tuple[tuple[Tensor, tuple[bool, ...]], ...] = ()
    """Transformer: embedding of each word so far, and the slots that lived when it was fed."""

    @property
    def top(self) -> Tensor:
        return self.layers[-1]


@dataclass(frozen=True)
class Step:
    """One step of the decoder, and what it read."""

    state: State
    c: Tensor
    mass: Tensor
    e: Tensor
    alive: tuple[bool, ...]
    attention: Tensor
    z: Tensor | None = None


def encode(w: Weights, config: ModelConfig, ids: Sequence[int]) -> list[Tensor]:
    """Return [forward; backward] for each word, the end mark included."""
    inputs = [w["encoder.embedding_VE"][i] for i in ids]
    if config.encoder_form == "groundhog":
        inputs = [x + w["encoder.embedding_bias_E"] for x in inputs]
    for layer in range(config.encoder_depth):
        name = "encoder.recurrence" if layer == 0 else f"encoder.upper.{layer - 1}"
        sides = [_encode_side(w, config, name, d, inputs[:: 1 - 2 * d]) for d in (0, 1)]
        inputs = [torch.cat(pair) for pair in zip(sides[0], sides[1][::-1], strict=True)]
    return inputs


def _encode_side(
    w: Weights, config: ModelConfig, name: str, direction: int, inputs: list[Tensor]
) -> list[Tensor]:
    weight = w[f"{name}.input_weight_DEG"][direction]
    state_weight = w[f"{name}.state_weight_DHG"][direction]
    h, states = torch.zeros_like(state_weight[:, 0]), []
    for x in inputs:
        if config.encoder_form == "dl4mt":
            bias = w[f"{name}.bias_DG"][direction]
            h = gru(x, h, (weight, state_weight, bias), torch.zeros_like(bias))
        else:
            h = _groundhog_gru(x @ weight, h, state_weight, w[f"{name}.bias_DH"][direction])
        states.append(h)
    return states


def _groundhog_gru(x: Tensor, h: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    size = len(h)
    r = torch.sigmoid(x[:size] + h @ weight[:, :size])
    u = torch.sigmoid(x[size : 2 * size] + h @ weight[:, size : 2 * size])
    new = torch.tanh(x[2 * size :] + (r * h) @ weight[:, 2 * size :] + bias)
    return u * new + (1 - u) * h


def embed(sentence: Sentence, word: int) -> Tensor:
    e = sentence.w["decoder.embedding_VE"][word]
    if sentence.config.switches.is_groundhog:
        e = e + sentence.w["decoder.embedding_bias_E"]
    return e


def initial(sentence: Sentence) -> State:
    w, config = sentence.w, sentence.config
    if config.first_state == "mean":
        mean = sum(sentence.h, torch.zeros_like(sentence.h[0])) / len(sentence.h)
        inner = mean @ w["decoder.initial_weight_CH"] + w["decoder.initial_bias_H"]
        for tag in sentence.tag:
            if tag >= 0:
                inner = inner + w["decoder.initial_tag_weight_PH"][tag] / len(sentence.h)
    else:
        backward = sentence.h[0][config.hidden :]
        inner = backward @ w["decoder.initial_weight_CH"] + w["decoder.initial_bias_H"]
    size = {"none": None, "linguistic": 1}.get(config.switches.coverage, config.coverage_dim)
    coverage = None if size is None else [inner.new_zeros(size) for _ in sentence.h]
    layers = list(torch.tanh(inner).split(config.hidden))
    return State(layers, [torch.zeros_like(h) for h in layers], coverage)


def attend(
    sentence: Sentence, query: Tensor, coverage: list[Tensor] | None, alive: tuple[bool, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the context, the attention on each slot's words, and the attention."""
    w, energies = sentence.w, []
    for j, h in enumerate(sentence.h):
        if sentence.config.attention_kind == "none":
            energies.append(query.new_tensor(0.0 if j == len(sentence.h) - 1 else -torch.inf))
            continue
        a = h @ w["decoder.attention.annotation_weight_CA"]
        if not sentence.config.switches.is_groundhog:
            a = a + w["decoder.attention.bias_A"]
        a = a + query @ w["decoder.attention.state_weight_HA"]
        if coverage is not None:
            a = a + coverage[j] @ w["decoder.coverage.energy_weight_KA"]
        if sentence.tag[j] >= 0 and alive[sentence.tag[j]]:
            a = a + w["decoder.attention.tag_weight_PA"][sentence.tag[j]]
        energies.append(w["decoder.attention.score_A"] @ torch.tanh(a))
    attention = torch.softmax(torch.stack(energies), 0)
    c = sum((attention[j] * h for j, h in enumerate(sentence.h)), torch.zeros_like(sentence.h[0]))
    mass = c.new_zeros(max(sentence.config.slots, 1))
    for j, tag in enumerate(sentence.tag):
        if tag >= 0 and alive[tag]:
            mass = mass + attention[j] * torch.eye(len(mass), dtype=mass.dtype)[tag]
    return c, mass, attention


def shares(
    sentence: Sentence, t: Tensor, s: tuple[Tensor, Tensor], y: Tensor
) -> tuple[Share, Share, Tensor | None]:
    """Return what source and target contexts are multiplied by, and the gate."""
    w, mode = sentence.w, sentence.config.switches.gate
    if mode == "none":
        return 1.0, 1.0, None
    if mode == "fixed":
        return sentence.config.source_scale, sentence.config.target_scale, None
    name = "decoder.context_gate"
    if mode.startswith("static"):
        a = torch.sigmoid(w[f"{name}.weight_Z"])
        return a, 1 - a, None
    z = torch.sigmoid(_gate_input(sentence, t, s, y))
    if mode == "both":
        return z, 1 - z, z
    return (1.0, z, z) if mode == "target" else (z, 1.0, z)


def _gate_input(sentence: Sentence, t: Tensor, s: tuple[Tensor, Tensor], y: Tensor) -> Tensor:
    w, name, z = sentence.w, "decoder.context_gate", t.new_zeros(())
    inputs = sentence.config.switches.gate_inputs
    if "t" in inputs:
        z = z + t @ w[f"{name}.state_weight_HZ"]
    if "s" in inputs:
        z = z + s[0] @ w[f"{name}.context_weight_CZ"]
        if sentence.config.slots:
            z = z + s[1] @ w[f"{name}.tag_weight_PZ"]
    if "y" in inputs:
        z = z + y @ w[f"{name}.word_weight_EZ"]
    return z + w[f"{name}.bias_Z"] if sentence.config.switches.gate == "scalar" else z


def advance(sentence: Sentence, state: State, word: int | None, alive: tuple[bool, ...]) -> Step:
    """Feed one word (None before the first) and attend."""
    e = torch.zeros_like(sentence.w["decoder.embedding_VE"][0])
    if word is not None:
        e = embed(sentence, word)
    if not sentence.config.switches.is_groundhog:
        return _conditional(sentence, state, e, alive)
    if sentence.config.step_order == "paper":
        c, mass, attention = attend(sentence, state.top, state.coverage, alive)
        coverage = _cover(sentence, state.coverage, state.top, attention)
        layers, memory, z = _update(sentence, state, (c, mass), e)
        return Step(State(layers, memory, coverage), c, mass, e, alive, attention, z)
    layers, memory, z = state.layers, state.memory, None
    if state.context is not None:
        layers, memory, z = _update(sentence, state, state.context, e)
    c, mass, attention = attend(sentence, layers[-1], state.coverage, alive)
    coverage = _cover(sentence, state.coverage, layers[-1], attention)
    new = State(layers, memory, coverage, (c, mass))
    return Step(new, c, mass, e, alive, attention, z)


def _update(
    sentence: Sentence, state: State, s: tuple[Tensor, Tensor], y: Tensor
) -> tuple[list[Tensor], list[Tensor], Tensor | None]:
    """Advance the layers of a GroundHog decoder."""
    w, name = sentence.w, "decoder.cell"
    source = s[0] @ w[f"{name}.context_weight_CG"]
    if sentence.config.slots:
        source = source + s[1] @ w[f"{name}.tag_weight_PG"]
    a, b, z = shares(sentence, state.layers[0], s, y)
    layers, memory, below = [], [], y
    for number, (t, m) in enumerate(zip(state.layers, state.memory, strict=True)):
        if number:
            name, source, a, b = f"decoder.upper.{number - 1}", torch.zeros_like(source), 1.0, 1.0
        new, new_memory = _cell(sentence, name, (t, m), below, source, (a, b))
        layers.append(new)
        memory.append(new_memory)
        below = new
    return layers, memory, z


def _cell(
    sentence: Sentence,
    name: str,
    carried: tuple[Tensor, Tensor],
    x: Tensor,
    source: Tensor,
    weights: tuple[Share, Share],
) -> tuple[Tensor, Tensor]:
    """One step of a GroundHog cell; returns state and memory."""
    w, (t, m), (a, b), n = sentence.w, carried, weights, len(carried[0])
    target, u, bias = (
        x @ w[f"{name}.input_weight_XG"],
        w[f"{name}.state_weight_HG"],
        w[f"{name}.bias"],
    )
    code = sentence.config.gate_place == "code"
    if code:
        t = b * t

    def pre(part: int, inner: Tensor, added: Tensor | float) -> Tensor:
        columns = slice(part * n, (part + 1) * n)
        inner = inner @ u[:, columns]
        if not code:
            inner = b * inner
        return inner + b * (target[columns] + added) + a * source[columns]

    kind = sentence.config.switches.decoder
    if kind == "groundhog-tanh":
        return torch.tanh(pre(0, t, bias)), m
    if kind == "groundhog-gru":
        r, update = torch.sigmoid(pre(0, t, 0.0)), torch.sigmoid(pre(1, t, 0.0))
        candidate = torch.tanh(pre(2, r * t, bias))
        return update * candidate + (1 - update) * t, m
    take, keep, show = (torch.sigmoid(pre(k, t, bias[k * n : (k + 1) * n])) for k in range(3))
    m = keep * m + take * torch.tanh(pre(3, t, bias[3 * n :]))
    return show * torch.tanh(m), m


def _conditional(sentence: Sentence, state: State, e: Tensor, alive: tuple[bool, ...]) -> Step:
    """One step of the conditional GRU: GRU1, attention, GRU2."""
    w, before = sentence.w, state.layers[0]
    parts = (w["decoder.word_weight_EG"], w["decoder.state_weight_HG"], w["decoder.word_bias_G"])
    s1 = gru(e, before, parts, torch.zeros_like(parts[2]))
    c, mass, attention = attend(sentence, s1, state.coverage, alive)
    x = c @ w["decoder.context_weight_CG"]
    if sentence.config.slots:
        x = x + mass @ w["decoder.tag_weight_PG"]
    a, b, z = shares(sentence, s1, (c, mass), e)
    s = _second(sentence, s1, x, (a, b))
    layers = [s]
    for number, old in enumerate(state.layers[1:]):
        names = ("upper_input_weight_LHG", "upper_state_weight_LHG", "upper_bias_LG")
        parts = tuple(w[f"decoder.{name}"][number] for name in names)  # type: ignore[assignment]
        layers.append(gru(layers[-1], old, parts, torch.zeros_like(parts[2])))
    coverage = _cover(sentence, state.coverage, before, attention)
    return Step(State(layers, state.memory, coverage), c, mass, e, alive, attention, z)


def _second(sentence: Sentence, s1: Tensor, x: Tensor, weights: tuple[Share, Share]) -> Tensor:
    """GRU2 with its target side (the state and its bias) and its source side weighed."""
    w, (a, b), n = sentence.w, weights, len(s1)
    if sentence.config.gate_place == "code":
        s1 = b * s1
        b = 1.0
    inner = s1 @ w["decoder.middle_weight_HG"] + w["decoder.middle_bias_G"]
    target, source = [b * part for part in inner.split(n)], [a * part for part in x.split(n)]
    r, u = torch.sigmoid(target[0] + source[0]), torch.sigmoid(target[1] + source[1])
    return u * s1 + (1 - u) * torch.tanh(r * target[2] + source[2])


def _cover(
    sentence: Sentence, old: list[Tensor] | None, t: Tensor, attention: Tensor
) -> list[Tensor] | None:
    if old is None:
        return None
    w, kind, result = sentence.w, sentence.config.switches.coverage, []
    for j, (c, h) in enumerate(zip(old, sentence.h, strict=True)):
        if kind == "linguistic":
            phi = torch.ones_like(attention[j])
            if sentence.config.coverage_fertility:
                phi = 2 * torch.sigmoid(h @ w["decoder.coverage.fertility_weight_C"])
            result.append(c + attention[j] / phi)
            continue
        x = (
            attention[j] * w["decoder.coverage.attention_weight_G"]
            + h @ w["decoder.coverage.annotation_weight_CG"]
            + t @ w["decoder.coverage.state_weight_HG"]
        )
        recurrent = w["decoder.coverage.recurrent_weight_KG"]
        if kind == "neural-ungated":
            result.append(torch.tanh(c @ recurrent + x))
        else:
            zero = torch.zeros_like(c)
            result.append(_groundhog_gru(x, c, recurrent, zero))
    return result
