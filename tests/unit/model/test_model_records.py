"""Records of attention and gates, and test-time scaling."""

import pytest
import torch

from model.batches import collate_source, collate_target
from model.config import DecodingConfig
from model.hypotheses import Hypothesis, OutputWord
from model.records import record_references, record_translations, scaled, used_up
from model.search import translate
from model.vocabulary import EOS, UNK
from tests.reference.family_reference import advance, initial, read
from tests.reference.model_examples import example, toy_config, toy_translator

SENTENCES = [
    example([3, 4, 5, 6], [2, 7, 8], (0, 1, (7, 8), 1), (2, 3, (4,), -1)),
    example([2, 9], [5]),
]


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        ("phrasenet-gate+context-gate", {}),
        ("groundhog-coverage+gate", {}),
        ("groundhog-gru+gate", {"order": "groundhog"}),
        ("groundhog-gru+scalar", {}),
        ("transformer+phrase-gate", {}),
        ("rnnsearch", {}),
    ],
)
def test_records_are_what_the_equations_give(system: str, changes: dict[str, object]) -> None:
    translator = toy_translator(toy_config(system, **changes))
    found = record_references(translator, SENTENCES)
    for sentence, record in zip(SENTENCES, found, strict=True):
        read_in = read(translator.state_dict(), translator.config, sentence)
        state, previous = initial(read_in), None
        alive = [True] * len(sentence.slots)
        for position, word in enumerate([*sentence.target_ids.tolist(), EOS]):
            if sentence.slots and position == 3:
                alive[0] = False
            step = advance(read_in, state, previous, tuple(alive))
            assert torch.allclose(record.attention_IJ[position], step.attention, atol=1e-12)
            if step.z is None:
                assert record.gate_IZ is None or bool(record.gate_IZ[position].isnan().all())
            else:
                assert record.gate_IZ is not None
                assert record.gate_mean_I is not None
                assert torch.allclose(record.gate_IZ[position], step.z, atol=1e-12)
                assert record.gate_mean_I[position].item() == pytest.approx(step.z.mean().item())
            state, previous = step.state, word


def test_a_translation_fed_back_attends_where_its_search_did() -> None:
    translator = toy_translator(toy_config("phrasenet-gate+context-gate"), scale=0.8)
    found = translate(translator, SENTENCES, DecodingConfig(beam=3))
    assert any(word.slot >= 0 for hypothesis in found for word in hypothesis.words)
    for hypothesis, record in zip(
        found, record_translations(translator, SENTENCES, found), strict=True
    ):
        assert len(record.attention_IJ) == len(hypothesis.words) + 1
        attended = record.attention_IJ.argmax(-1)[:-1].tolist()
        assert attended == [word.attended for word in hypothesis.words]


def test_slots_are_used_up_by_phrases_and_by_spelling_them_out() -> None:
    sentence = example(
        [2, 3, 4, 5], None, (0, 1, (2, 3), -1), (1, 2, (3, 4), -1), (2, 3, (UNK,), -1)
    )

    def words(*items: tuple[int, int, int]) -> Hypothesis:
        return Hypothesis(tuple(OutputWord(*item, 1.0, 0) for item in items), 0.0, 0.0)

    phrase = words((2, 0, 0), (3, 0, 1), (4, -1, 0))
    assert used_up(sentence, phrase, clear_on_word_match=True) == [2, 3, -1]
    assert used_up(sentence, phrase, clear_on_word_match=False) == [2, -1, -1]
    unknown = words((UNK, -1, 0), (UNK, 2, 0))
    assert used_up(sentence, unknown, clear_on_word_match=True) == [-1, -1, 2]


def test_a_trained_network_is_scaled_at_test_time_and_a_gated_one_is_not() -> None:
    plain = toy_translator(toy_config("groundhog-gru"))
    source, target = collate_source(SENTENCES, 0), collate_target(SENTENCES, 0)
    with torch.no_grad():
        before = plain.log_likelihood(source, target)
        assert torch.allclose(scaled(plain, 1, 1).log_likelihood(source, target), before)
        assert not torch.allclose(scaled(plain, 1, 0.5).log_likelihood(source, target), before)
    with pytest.raises(ValueError, match="context gate"):
        scaled(toy_translator(toy_config("groundhog-gru+gate")), 1, 0.5)


def test_a_translation_need_not_have_room_for_the_phrases_of_a_reference() -> None:
    translator = toy_translator(toy_config("phrasenet-gate"))
    short = Hypothesis((OutputWord(3, -1, 0, 1.0, 0),), 0.0, 0.0)
    (record,) = record_translations(translator, SENTENCES[:1], [short])
    assert record.attention_IJ.shape == (2, 5)
