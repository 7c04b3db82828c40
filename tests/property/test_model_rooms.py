"""Laws of widened batches: they hold what the batches held, and teach the same."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example, collate_source, collate_target
from model.rooms import SENTENCES, Piece, _power, room_of, widened
from model.translator import Translator
from model.vocabulary import EOS
from tests.reference.model_examples import examples, toy_config, toy_translator
from tests.reference.model_variants import REPRESENTATIVES, VARIANTS

OTHERS = (
    "the literal gate, half-normal noise",
    "conditional, three layers",
    "conditional, GroundHog's encoder and start",
    "LSTM, gate, layers",
    "Transformer, one size, tied",
    "phrases in a tanh decoder",
)
CASES: dict[str, tuple[str, dict[str, object]]] = {
    **{name: (name, {}) for name in (*REPRESENTATIVES, "phrasenet-softmax")},
    **{name: VARIANTS[name] for name in OTHERS},
}
NETWORKS: dict[str, Translator] = {}


def network(case: str) -> Translator:
    if case not in NETWORKS:
        system, changes = CASES[case]
        rivals = {"phrase_candidates": 3} if "softmax" in system else {}
        NETWORKS[case] = toy_translator(toy_config(system, **changes, **rivals))
    return NETWORKS[case]


def learned(translator: Translator, piece: Piece) -> tuple[torch.Tensor, list[torch.Tensor | None]]:
    """Return the loss of a piece and its gradient."""
    log_B = translator.log_likelihood(piece.source, piece.target, label_smoothing=0.1)
    if piece.real_B is not None:
        log_B = torch.where(piece.real_B, log_B, 0.0)
    loss = -log_B.sum()
    parameters = list(translator.parameters())
    return loss.detach(), list(torch.autograd.grad(loss, parameters, allow_unused=True))


@pytest.mark.parametrize("case", CASES)
@settings(deadline=None, max_examples=8)
@given(data=st.data())
def test_a_widened_batch_has_the_loss_and_the_gradient_of_the_batch(
    case: str, data: st.DataObject
) -> None:
    translator = network(case)
    pairs = data.draw(
        st.lists(examples(candidates=translator.config.phrase_candidates), min_size=1, max_size=9)
    )
    batch = Piece(*translator.collate(pairs))
    loss, gradients = learned(translator, batch)
    wide_loss, wide_gradients = learned(translator, widened(batch.source, batch.target))
    torch.testing.assert_close(wide_loss, loss, rtol=1e-9, atol=1e-9)
    for gradient, wide in zip(gradients, wide_gradients, strict=True):
        if gradient is None:  # in references of one word nothing goes on to a next step
            assert wide is None or (len(batch.target.ids_IB) == 1 and not wide.any())
        else:
            assert wide is not None
            torch.testing.assert_close(wide, gradient, rtol=1e-7, atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.lists(examples(candidates=2), min_size=1, max_size=20))
def test_what_was_in_a_batch_is_in_the_widened_one_and_nothing_is_added_that_counts(
    pairs: list[Example],
) -> None:
    source, target = collate_source(pairs, 4, 2), collate_target(pairs, 4, 2)
    piece, room = widened(source, target), room_of(source, target)
    assert piece.room == room
    assert piece.real_B is not None
    assert piece.real_B.tolist() == [True] * len(pairs) + [False] * (room.sentences - len(pairs))
    assert 1 <= room.sentences - len(pairs) <= SENTENCES
    assert piece.source.ids_BJ.shape == (room.sentences, room.source)
    assert piece.target.ids_IB.shape == (room.target, room.sentences)
    assert piece.source.word_TX.shape == (room.phrase_length, room.phrases)
    assert piece.source.past_TX.shape == (room.phrase_length, room.phrases)
    num, real = target.num_words, slice(0, len(pairs))
    words = piece.target.ids_IB.view(-1)[piece.target.row_N]
    assert words[:num].tolist() == target.ids_IB.view(-1)[target.row_N].tolist()
    assert words[num:].unique().tolist() == [EOS]
    assert piece.target.sentence_N[:num].tolist() == target.sentence_N.tolist()
    assert piece.target.sentence_N[num:].unique().tolist() == [room.sentences - 1]
    assert piece.target.num_words == room.words > num
    assert piece.source.mask_BJ[real].sum(1).tolist() == source.mask_BJ.sum(1).tolist()
    assert piece.source.mask_BJ[len(pairs) :].sum(1).unique().tolist() == [1]
    assert not piece.source.offered_BP[len(pairs) :].any()
    for old, wide in (
        (source.word_TX, piece.source.word_TX),
        (source.past_TX.flip(0), piece.source.past_TX.flip(0)),
        (target.start_S[:, None], piece.target.start_S[:, None]),
        (target.row_Z[:, None], piece.target.row_Z[:, None]),
    ):
        assert wide[: old.shape[0], : old.shape[1]].tolist() == old.tolist()
    for added in (
        piece.target.start_S[len(target.start_S) :],
        piece.target.row_Z[len(target.row_Z) :],
    ):
        assert set(added.tolist()) <= {room.words - 1}


@given(st.integers(0, 5000))
def test_sizes_are_few_and_add_at_most_half(number: int) -> None:
    size = _power(number)
    assert size >= number
    assert size in {0} | {8 * 2**n for n in range(12)} | {12 * 2**n for n in range(12)}
    assert 0 < number <= 8 or 2 * size <= 3 * number
