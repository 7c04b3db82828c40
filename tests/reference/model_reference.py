"""The models written sentence by sentence and word by word, straight from the equations.

Slow and obvious: no batches, no padding, no shared products. Weights come from a translator's state
dictionary, so both are the same function; whatever differs is a mistake in one of them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.batches import Example
from model.config import ModelConfig
from model.vocabulary import EOS, UNK
from tests.reference.decoder_reference import (
    Sentence,
    State,
    Step,
    Weights,
    advance,
    embed,
    gru,
    initial,
    read,
)


def _project(sentence: Sentence, name: str, step: Step) -> Tensor:
    w = sentence.w
    out = step.state.top @ w[f"{name}.state_weight_HO"] + step.c @ w[f"{name}.context_weight_CO"]
    out = out + step.e @ w[f"{name}.word_weight_EO"]
    if sentence.config.slots:
        out = out + step.mass @ w[f"{name}.tag_weight_PO"]
    return out + w[f"{name}.bias_RO"].sum(0) if f"{name}.bias_RO" in w else out


def distribution(sentence: Sentence, step: Step) -> tuple[Tensor, Tensor]:
    """Return p(z = 0, word) over the vocabulary and p(z = 1, slot) over the sentence's slots."""
    w = sentence.w
    inner = _project(sentence, "readout.projection", step)
    if sentence.config.switches.is_groundhog:
        pairs = [torch.maximum(inner[2 * i], inner[2 * i + 1]) for i in range(len(inner) // 2)]
        hidden = torch.stack(pairs) @ w["readout.low_rank_weight_ME"]
    else:
        hidden = torch.tanh(inner)
    logits = w["readout.output_weight_VE"] @ hidden + w["readout.output_bias_V"]
    words = torch.softmax(logits, 0)
    alive = [k for k, live in enumerate(step.alive) if live]
    phrases = words.new_zeros(len(step.alive))
    if not alive or not sentence.config.slots:
        return words, phrases
    if sentence.config.phrase_memory == "softmax":
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
        embedded = embed(sentence, word)
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
