"""Search reads a source as training does: shared by the hypotheses of a sentence, and with
annotations that are multiplied beforehand.
"""

import pytest
import torch
from torch import Tensor

from model.attention import attend, attended
from model.batches import collate_source
from model.config import SYSTEMS
from model.families import make_loop
from model.loop import Memory, Run, of_hypotheses, rows_of
from model.multiplied import multiplied
from model.noise import SILENT
from model.readout import Projection, Reading
from model.translator import Translator
from tests.reference.model_examples import example, toy_config, toy_translator
from tests.reference.model_variants import VARIANTS

SENTENCES, WORDS, SIZE, FEATURES, ANNOTATION = 3, 4, 6, 2, 5
OWNERS = torch.tensor([0, 0, 0, 2, 2])
RUNS = (Run(0, slice(0, 3)), Run(2, slice(3, 5)))
PAIRS = [
    example([2, 3, 4], None, (0, 1, (5,), -1), (1, 3, (3, 4), -1)),
    example([4, 5]),
    example([3, 2], None, (1, 2, (4, 1), -1)),
]
NAMED = {system: toy_config(system) for system in SYSTEMS} | {
    name: toy_config(system, **changes) for name, (system, changes) in VARIANTS.items()
}


def drawn(*shape: int) -> Tensor:
    """Return the same random numbers for the same shape."""
    generator = torch.Generator().manual_seed(len(shape) + sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def of_sentences() -> Memory:
    penalty = torch.zeros(SENTENCES, WORDS, dtype=torch.float64)
    penalty[2, 3] = -torch.inf
    annotations = drawn(SENTENCES, WORDS, ANNOTATION)
    return Memory(annotations, drawn(SENTENCES, WORDS, SIZE), penalty, None, None)


def test_hypotheses_of_a_sentence_share_what_is_large() -> None:
    memory = of_sentences()
    shared = of_hypotheses(memory, OWNERS)
    assert shared.sharing is not None
    assert shared.sharing.runs == RUNS
    assert shared.keys_BJA is memory.keys_BJA
    assert shared.annotations_BJC is memory.annotations_BJC
    assert torch.equal(shared.penalty_BJ, memory.penalty_BJ[OWNERS])


def test_rows_are_multiplied_with_the_matrices_of_their_sentence() -> None:
    shared, heads = of_hypotheses(of_sentences(), OWNERS).sharing, 2
    x, matrices = drawn(len(OWNERS), heads, SIZE), drawn(SENTENCES, heads, SIZE, WORDS)
    assert shared is not None
    expected = (x.unsqueeze(2) @ matrices[OWNERS]).squeeze(2)
    torch.testing.assert_close(shared.product(x, matrices), expected)


@pytest.mark.parametrize("features", [False, True])
def test_attention_and_context_are_those_of_copies(*, features: bool) -> None:
    own, shared = rows_of(of_sentences(), OWNERS), of_hypotheses(of_sentences(), OWNERS)
    query, score = drawn(len(OWNERS), SIZE), drawn(SIZE)
    given = (drawn(len(OWNERS), WORDS, FEATURES), drawn(FEATURES, SIZE)) if features else None
    _, expected = attend(own.keys_BJA, query, score, own.penalty_BJ, given)
    weights = attended(shared, query, score, given)
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-12)
    assert (weights[3:, 3] == 0).all()
    torch.testing.assert_close(shared.context(weights), own.context(expected))


def test_the_mean_of_products_is_the_product_of_the_mean() -> None:
    memory, weights = of_sentences(), [drawn(ANNOTATION, 3), drawn(ANNOTATION, 7)]
    shares = torch.softmax(drawn(SENTENCES, WORDS), -1)
    products, columns = multiplied(memory, weights)
    assert list(columns.values()) == [slice(0, 3), slice(3, 10)]
    for weight in weights:
        found = products.context(shares)[:, columns[weight]]
        torch.testing.assert_close(found, memory.context(shares) @ weight)


@torch.no_grad()
@pytest.mark.parametrize("name", NAMED)
def test_a_step_of_a_search_is_a_step_of_training(name: str) -> None:
    translator = toy_translator(NAMED[name])
    training, search = two_steps(translator, search=False), two_steps(translator, search=True)
    assert len(training) == len(search) >= 6
    for one, other in zip(training, search, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


def two_steps(translator: Translator, *, search: bool) -> list[Tensor]:
    """Feed two words to each hypothesis; return states, attention, and what projections read."""
    config, decoder = translator.config, translator.decoder
    source = collate_source(PAIRS, config.slots, config.phrase_candidates)
    memory = translator.encode(source, SILENT, torch.float64).memory
    tags, columns = memory.tags_BJP is not None, None
    loop = make_loop(decoder, tags=tags, dtype=torch.float64, search=search)
    state = rows_of(decoder.start(memory, source.mask_BJ), OWNERS)
    parts = [part for part in translator.modules() if isinstance(part, Projection)]
    if search and loop.context_weight_CX is not None:
        weights = [loop.context_weight_CX, *(part.context_weight_CO for part in parts)]
        memory, columns = multiplied(memory, weights)
    own = of_hypotheses(memory, OWNERS) if search else rows_of(memory, OWNERS)
    reader, alive_BP = loop.on(own), drawn(len(OWNERS), config.slots).gt(0).double()
    values: list[Tensor] = []
    for ids in ([2, 3, 4, 5, 6], [3, 3, 2, 7, 8]):
        word_BE = decoder.embed(torch.tensor(ids))
        step = loop.step(reader, loop.words(word_BE), state, alive_BP if tags else None)
        state = step.state
        hidden_BH = state.layers[-1].hidden_BH
        reading = Reading(hidden_BH, *step.context, word_BE, columns)
        values += [hidden_BH, step.weights_BJ, translator.readout.hidden(reading, torch.float64)]
        values += [part(reading, torch.float64) for part in parts]
    return values
