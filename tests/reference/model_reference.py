"""The models written sentence by sentence and word by word, straight from the equations.

Slow and obvious: no batches, no padding, no shared products. Weights come from a translator's state
dictionary, so both are the same function; whatever differs is a mistake in one of them.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model.batches import Example
from model.config import ModelConfig
from model.vocabulary import EOS, UNK
from tests.reference.decoder_reference import Sentence, State, Step, Weights, gru
from tests.reference.family_reference import advance, embed, initial, read


def _project(sentence: Sentence, name: str, step: Step) -> Tensor:
    w = sentence.w
    out = step.state.top @ w[f"{name}.state_weight_HO"] + step.c @ w[f"{name}.context_weight_CO"]
    out = out + step.e @ w[f"{name}.word_weight_EO"]
    if sentence.config.slots:
        out = out + step.mass @ w[f"{name}.tag_weight_PO"]
    return out + w[f"{name}.bias_RO"].sum(0) if f"{name}.bias_RO" in w else out


Noise = tuple[Tensor, Tensor]
"""Standard normal numbers for the two noisy tanhs of the mode gate at one step."""


def distribution(
    sentence: Sentence, step: Step, noise: Noise | None = None
) -> tuple[Tensor, Tensor]:
    """Return p(z = 0, word) over the vocabulary and p(z = 1, phrase) over its phrases; without
    noise as at test time.
    """
    w = sentence.w
    tied = sentence.config.tied_embeddings
    table = w["decoder.embedding_VE" if tied else "readout.output_weight_VE"]
    logits = table @ _hidden(sentence, step) + w["readout.output_bias_V"]
    words = torch.softmax(logits, 0)
    alive = [k for k, slot in enumerate(sentence.slot) if step.alive[slot]]
    phrases = words.new_zeros(len(sentence.phrases))
    if not sentence.config.slots or not (alive or sentence.config.gate_always):
        return words, phrases
    if sentence.config.phrase_memory == "softmax":
        scores = torch.stack([_phrase_score(sentence, step, k) for k in alive])
        joint = torch.softmax(torch.cat([logits, scores]), 0)
        return joint[: len(logits)], phrases.index_put((torch.tensor(alive),), joint[len(logits) :])
    f = _gate(sentence, step, noise)
    if not alive:
        return (1 - f) * words, phrases
    inner = torch.tanh(_project(sentence, "phrase_mode.classifier", step))
    shares = torch.softmax(w["phrase_mode.slot_weight_PE"][alive] @ inner, 0)
    return (1 - f) * words, phrases.index_put((torch.tensor(alive),), f * shares)


def _hidden(sentence: Sentence, step: Step) -> Tensor:
    """What the softmax over words reads."""
    w = sentence.w
    if sentence.config.switches.is_transformer:
        narrow = w.get("readout.state_weight_HE")
        return step.state.top if narrow is None else step.state.top @ narrow
    inner = _project(sentence, "readout.projection", step)
    if not sentence.config.switches.is_groundhog:
        return torch.tanh(inner)
    pairs = [torch.maximum(inner[2 * i], inner[2 * i + 1]) for i in range(len(inner) // 2)]
    return torch.stack(pairs) @ w["readout.low_rank_weight_ME"]


def noisy_tanh(x: Tensor, p: Tensor, kind: str, xi: Tensor | None) -> Tensor:
    """Noisy hard tanh with a learned p (NTanhP), alpha = 1.15 and c = 0.5."""
    alpha, c, h, u = 1.15, 0.5, x.clamp(-1, 1), x
    sd = c * (torch.sigmoid(p * (h - u)) - 0.5) ** 2
    d = -torch.sign(x) * math.copysign(1.0, 1 - alpha)
    eps = torch.zeros_like(x) if kind == "normal" else torch.full_like(x, math.sqrt(2 / math.pi))
    if xi is not None:
        eps = xi if kind == "normal" else xi.abs()
    return alpha * h + (1 - alpha) * u + d * sd * eps


def _gate(sentence: Sentence, step: Step, noise: Noise | None) -> Tensor:
    w, kind = sentence.w, sentence.config.gate_noise
    name, (one, two) = "phrase_mode.gate", noise or (None, None)
    first = _project(sentence, f"{name}.first", step)
    first = noisy_tanh(first, w[f"{name}.first_phi.width_W"], kind, one)
    second = first @ w[f"{name}.second_weight_WW"] + w[f"{name}.second_bias_W"]
    second = noisy_tanh(second, w[f"{name}.second_phi.width_W"], kind, two) + first
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


def log_likelihood(
    w: Weights,
    config: ModelConfig,
    example: Example,
    noise: Mapping[int, Noise] | None = None,
) -> Tensor:
    """Return log p(y | x), adding up every sequence of modes that emits the reference.

    Each span of the reference may be one phrase decision or, if its words are known, several
    word decisions. In training there is noise for each step that asks the mode gate.
    """
    sentence = read(w, config, example)
    words = [*(int(i) for i in example.target_ids), EOS]
    slots = example.slots if config.slots else ()
    spans = {slot.target_start: k for k, slot in enumerate(slots) if slot.target_start >= 0}
    ends = {slot.target_start + len(slot.target_ids): k for k, slot in enumerate(slots)
            if slot.target_start >= 0}  # fmt: skip
    alive = every_slot(sentence)
    state, previous, steps = initial(sentence), None, []
    for position, word in enumerate(words):
        if position in ends:
            alive = without(sentence, alive, ends[position])
        step = advance(sentence, state, previous, alive)
        state, previous = step.state, word
        steps.append(distribution(sentence, step, (noise or {}).get(position)))
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


def every_slot(sentence: Sentence) -> tuple[bool, ...]:
    """All slots alive."""
    return (True,) * len(set(sentence.slot))


def without(sentence: Sentence, alive: tuple[bool, ...], phrase: int) -> tuple[bool, ...]:
    """Use up the slot of a phrase."""
    return tuple(live and slot != sentence.slot[phrase] for slot, live in enumerate(alive))


def strings(w: Weights, config: ModelConfig, example: Example, longest: int) -> dict[
    tuple[int, ...], float
]:  # fmt: skip
    """Return the probability of every translation of at most `longest` words, over all modes."""
    sentence = read(w, config, example)
    found: dict[tuple[int, ...], float] = {}
    start = Path((), initial(sentence), every_slot(sentence), 1.0)
    for words, p in _continue(sentence, start, longest):
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
        alive = after_word(sentence, text, path.alive)
        child = Path(text, step.state, alive, path.p * float(words[word]))
        yield from _continue(sentence, child, longest)
    for number in range(len(sentence.phrases)):
        child = after_phrase(sentence, path, step, number, float(phrases[number]))
        if path.alive[sentence.slot[number]] and len(child.words) <= longest:
            yield from _continue(sentence, child, longest)


def after_phrase(sentence: Sentence, path: Path, step: Step, number: int, p: float) -> Path:
    """Go through the idle run of a phrase that was chosen with probability p."""
    phrase, state = sentence.phrases[number], step.state
    for word in phrase[:-1]:
        state = advance(sentence, state, word, path.alive).state
    alive = without(sentence, path.alive, number)
    return Path((*path.words, *phrase), state, alive, path.p * p)


def after_word(
    sentence: Sentence, text: tuple[int, ...], alive: tuple[bool, ...]
) -> tuple[bool, ...]:
    """Clear the slot of the longest open phrase that the text ends with (the first of equals)."""
    fits = [
        k
        for k, phrase in enumerate(sentence.phrases)
        if alive[sentence.slot[k]] and UNK not in phrase and text[-len(phrase) :] == phrase
    ]
    if not fits:
        return alive
    return without(sentence, alive, max(fits, key=lambda k: (len(sentence.phrases[k]), -k)))


def without_slots(example: Example) -> Example:
    """Return the example without its phrases."""
    return replace(example, slots=())
