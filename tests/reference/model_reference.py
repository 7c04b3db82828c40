"""The models written sentence by sentence and word by word, straight from the equations.

Slow and obvious: no batches, no padding, no shared products. Weights come from a translator's state
dictionary, so both are the same function; whatever differs is a mistake in one of them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.batches import Example
from model.config import ModelConfig
from model.vocabulary import EOS, UNK

Weights = Mapping[str, Tensor]


def gru(x: Tensor, h: Tensor, parts: tuple[Tensor, Tensor, Tensor], bias_inside: Tensor) -> Tensor:
    """One step of dl4mt's GRU; `parts` are input weight, state weight and bias."""
    weight, state_weight, bias = parts
    size = len(h)
    inputs, inner = x @ weight + bias, h @ state_weight + bias_inside
    r = torch.sigmoid(inputs[:size] + inner[:size])
    u = torch.sigmoid(inputs[size : 2 * size] + inner[size : 2 * size])
    candidate = torch.tanh(inputs[2 * size :] + r * inner[2 * size :])
    return u * h + (1 - u) * candidate


def encode(w: Weights, ids: Sequence[int]) -> list[Tensor]:
    """Return [forward; backward] for each word and the end mark."""
    embedded = [w["encoder.embedding_VE"][i] for i in [*ids, EOS]]
    sides = []
    for direction, words in enumerate((embedded, embedded[::-1])):
        parts = tuple(
            w[f"encoder.recurrence.{name}"][direction]
            for name in ("input_weight_DEG", "state_weight_DHG", "bias_DG")
        )
        h = torch.zeros_like(parts[1][:, 0])
        states = []
        for x in words:
            h = gru(x, h, parts, torch.zeros_like(parts[2]))  # type: ignore[arg-type]
            states.append(h)
        sides.append(states)
    return [torch.cat(pair) for pair in zip(sides[0], sides[1][::-1], strict=True)]


@dataclass(frozen=True)
class Sentence:
    """What the decoder reads of one example."""

    w: Weights
    config: ModelConfig
    h: list[Tensor]
    tag: list[int]
    """Slot of each source word, or -1."""
    phrases: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class State:
    s: Tensor
    coverage: list[Tensor] | None


@dataclass(frozen=True)
class Step:
    """One step of the decoder, and what it read."""

    state: State
    c: Tensor
    mass: Tensor
    e: Tensor
    alive: tuple[bool, ...]
    attention: Tensor


def read(w: Weights, config: ModelConfig, example: Example) -> Sentence:
    """Encode one example."""
    tag = [-1] * (len(example.source_ids) + 1)
    slots = example.slots if config.slots else ()
    for number, slot in enumerate(slots):
        for position in range(slot.source_start, slot.source_end):
            tag[position] = number
    phrases = tuple(slot.target_ids for slot in slots)
    return Sentence(w, config, encode(w, [int(i) for i in example.source_ids]), tag, phrases)


def initial(sentence: Sentence) -> State:
    w = sentence.w
    mean = sum(sentence.h, torch.zeros_like(sentence.h[0])) / len(sentence.h)
    inner = mean @ w["decoder.initial_weight_CH"] + w["decoder.initial_bias_H"]
    for tag in sentence.tag:
        if tag >= 0:
            inner = inner + w["decoder.initial_tag_weight_PH"][tag] / len(sentence.h)
    coverage = None
    if sentence.config.switches.coverage == "neural":
        coverage = [mean.new_zeros(sentence.config.coverage_dim) for _ in sentence.h]
    return State(torch.tanh(inner), coverage)


def advance(sentence: Sentence, state: State, word: int | None, alive: tuple[bool, ...]) -> Step:
    """Feed one word (None before the first) and attend."""
    w, size = sentence.w, len(state.s)
    embedding = w["decoder.embedding_VE"]
    e = torch.zeros_like(embedding[0]) if word is None else embedding[word]
    parts = (w["decoder.word_weight_EG"], w["decoder.state_weight_HG"], w["decoder.word_bias_G"])
    s1 = gru(e, state.s, parts, torch.zeros_like(parts[2]))
    energies = []
    for j, h in enumerate(sentence.h):
        a = h @ w["decoder.attention.annotation_weight_CA"] + w["decoder.attention.bias_A"]
        a = a + s1 @ w["decoder.attention.state_weight_HA"]
        if state.coverage is not None:
            a = a + state.coverage[j] @ w["decoder.coverage.energy_weight_KA"]
        if sentence.tag[j] >= 0 and alive[sentence.tag[j]]:
            a = a + w["decoder.attention.tag_weight_PA"][sentence.tag[j]]
        energies.append(w["decoder.attention.score_A"] @ torch.tanh(a))
    attention = torch.softmax(torch.stack(energies), 0)
    c = sum((attention[j] * h for j, h in enumerate(sentence.h)), torch.zeros_like(sentence.h[0]))
    mass = c.new_zeros(max(sentence.config.slots, 1))
    for j, tag in enumerate(sentence.tag):
        if tag >= 0 and alive[tag]:
            mass = mass + attention[j] * torch.eye(len(mass), dtype=mass.dtype)[tag]
    x = c @ w["decoder.context_weight_CG"]
    if sentence.config.slots:
        x = x + mass @ w["decoder.tag_weight_PG"]
    identity = torch.eye(3 * size, dtype=x.dtype)
    parts = (identity, w["decoder.middle_weight_HG"], torch.zeros_like(x))
    s = gru(x, s1, parts, w["decoder.middle_bias_G"])
    coverage = _cover(sentence, state, attention)
    return Step(State(s, coverage), c, mass, e, alive, attention)


def _cover(sentence: Sentence, state: State, attention: Tensor) -> list[Tensor] | None:
    if state.coverage is None:
        return None
    w, size = sentence.w, sentence.config.coverage_dim
    recurrent = w["decoder.coverage.recurrent_weight_KG"]
    result = []
    for j, old in enumerate(state.coverage):
        x = (
            attention[j] * w["decoder.coverage.attention_weight_G"]
            + sentence.h[j] @ w["decoder.coverage.annotation_weight_CG"]
            + state.s @ w["decoder.coverage.state_weight_HG"]
        )
        r = torch.sigmoid(old @ recurrent[:, :size] + x[:size])
        u = torch.sigmoid(old @ recurrent[:, size : 2 * size] + x[size : 2 * size])
        new = torch.tanh((r * old) @ recurrent[:, 2 * size :] + x[2 * size :])
        result.append(u * new + (1 - u) * old)
    return result


def _project(sentence: Sentence, name: str, step: Step) -> Tensor:
    w = sentence.w
    out = step.state.s @ w[f"{name}.state_weight_HO"] + step.c @ w[f"{name}.context_weight_CO"]
    out = out + step.e @ w[f"{name}.word_weight_EO"]
    if sentence.config.slots:
        out = out + step.mass @ w[f"{name}.tag_weight_PO"]
    return out + w[f"{name}.bias_RO"].sum(0) if f"{name}.bias_RO" in w else out


def distribution(sentence: Sentence, step: Step) -> tuple[Tensor, Tensor]:
    """Return p(z = 0, word) over the vocabulary and p(z = 1, slot) over the sentence's slots."""
    w = sentence.w
    hidden = torch.tanh(_project(sentence, "readout.projection", step))
    logits = w["readout.output_weight_VE"] @ hidden + w["readout.output_bias_V"]
    words = torch.softmax(logits, 0)
    alive = [k for k, live in enumerate(step.alive) if live]
    phrases = words.new_zeros(len(step.alive))
    if not alive or not sentence.config.slots:
        return words, phrases
    if sentence.config.switches.phrase_memory == "softmax":
        scores = torch.stack([_phrase_score(sentence, step, k) for k in alive])
        joint = torch.softmax(torch.cat([logits, scores]), 0)
        return joint[: len(logits)], phrases.index_put((torch.tensor(alive),), joint[len(logits) :])
    f = _gate(sentence, step)
    inner = torch.tanh(_project(sentence, "phrase_mode.classifier", step))
    shares = torch.softmax(w["phrase_mode.slot_weight_PE"][alive] @ inner, 0)
    return (1 - f) * words, phrases.index_put((torch.tensor(alive),), f * shares)


def noisy_tanh(x: Tensor) -> Tensor:
    """The test-time form with normal noise: its mean is zero."""
    return 1.15 * x.clamp(-1, 1) + (1 - 1.15) * x


def _gate(sentence: Sentence, step: Step) -> Tensor:
    w = sentence.w
    first = noisy_tanh(_project(sentence, "phrase_mode.gate.first", step))
    second = first @ w["phrase_mode.gate.second_weight_WW"] + w["phrase_mode.gate.second_bias_W"]
    second = noisy_tanh(second) + first
    return torch.sigmoid(
        second @ w["phrase_mode.gate.third_weight_W"] + w["phrase_mode.gate.third_bias"]
    )


def _phrase_score(sentence: Sentence, step: Step, slot: int) -> Tensor:
    w = sentence.w
    parts = tuple(
        w[f"phrase_mode.reader.{name}"][0]
        for name in ("input_weight_DEG", "state_weight_DHG", "bias_DG")
    )
    h = torch.zeros_like(parts[1][:, 0])
    for word in reversed(sentence.phrases[slot]):
        embedded = w["decoder.embedding_VE"][word]
        h = gru(embedded, h, parts, torch.zeros_like(parts[2]))  # type: ignore[arg-type]
    inner = _project(sentence, "phrase_mode.projection", step)
    inner = torch.tanh(inner + h @ w["phrase_mode.phrase_weight_HE"])
    score = w["phrase_mode.score_weight_E"] @ inner
    return score + w["phrase_mode.score_bias"] if "phrase_mode.score_bias" in w else score


def log_likelihood(w: Weights, config: ModelConfig, example: Example) -> Tensor:
    """Return log p(y | x), adding up every sequence of modes that emits the reference.

    Each span of the reference may be one phrase decision or, if its words are known, several
    word decisions.
    """
    sentence = read(w, config, example)
    words = [*(int(i) for i in example.target_ids), EOS]
    slots = example.slots if config.slots else ()
    spans = {slot.target_start: k for k, slot in enumerate(slots) if slot.target_start >= 0}
    ends = {slot.target_start + len(slot.target_ids): k for k, slot in enumerate(slots)
            if slot.target_start >= 0}  # fmt: skip
    alive = [True] * len(slots)
    state, previous, steps = initial(sentence), None, []
    for position, word in enumerate(words):
        if position in ends:
            alive[ends[position]] = False
        step = advance(sentence, state, previous, tuple(alive))
        state, previous = step.state, word
        steps.append(distribution(sentence, step))
    total, position = torch.zeros_like(steps[0][0][0]), 0
    while position < len(words):
        slot = spans.get(position)
        if slot is None:
            total = total + steps[position][0][words[position]].log()
            position += 1
            continue
        phrase = slots[slot].target_ids
        p = steps[position][1][slot]
        if UNK not in phrase:
            p = p + math.prod(
                (steps[position + n][0][word] for n, word in enumerate(phrase)),
                start=torch.ones_like(p),
            )
        total = total + p.log()
        position += len(phrase)
    return total


@dataclass(frozen=True)
class Path:
    words: tuple[int, ...]
    state: State
    alive: tuple[bool, ...]
    p: float


def strings(w: Weights, config: ModelConfig, example: Example, longest: int) -> dict[
    tuple[int, ...], float
]:  # fmt: skip
    """Return the probability of every translation of at most `longest` words, over all modes."""
    sentence = read(w, config, example)
    found: dict[tuple[int, ...], float] = {}
    alive = (True,) * len(sentence.phrases)
    for words, p in _continue(sentence, Path((), initial(sentence), alive, 1.0), longest):
        found[words] = found.get(words, 0.0) + p
    return found


def _continue(
    sentence: Sentence, path: Path, longest: int
) -> Iterator[tuple[tuple[int, ...], float]]:
    previous = path.words[-1] if path.words else None
    step = advance(sentence, path.state, previous, path.alive)
    words, phrases = distribution(sentence, step)
    yield path.words, path.p * float(words[EOS])
    if len(path.words) == longest:
        return
    for word in range(1, len(words)):
        text = (*path.words, word)
        alive = _spelled(sentence.phrases, text, path.alive)
        child = Path(text, step.state, alive, path.p * float(words[word]))
        yield from _continue(sentence, child, longest)
    for slot, phrase in enumerate(sentence.phrases):
        if path.alive[slot] and len(path.words) + len(phrase) <= longest:
            state = step.state
            for word in phrase[:-1]:
                state = advance(sentence, state, word, path.alive).state
            alive = tuple(live and k != slot for k, live in enumerate(path.alive))
            child = Path((*path.words, *phrase), state, alive, path.p * float(phrases[slot]))
            yield from _continue(sentence, child, longest)


def _spelled(
    phrases: tuple[tuple[int, ...], ...], text: tuple[int, ...], alive: tuple[bool, ...]
) -> tuple[bool, ...]:
    """Clear the longest live slot that the text ends with (leftmost of equals)."""
    fits = [
        k
        for k, phrase in enumerate(phrases)
        if alive[k] and UNK not in phrase and text[-len(phrase) :] == phrase
    ]
    if not fits:
        return alive
    best = max(fits, key=lambda k: (len(phrases[k]), -k))
    return tuple(live and k != best for k, live in enumerate(alive))


def without_slots(example: Example) -> Example:
    """Return the example without its phrases."""
    return replace(example, slots=())
