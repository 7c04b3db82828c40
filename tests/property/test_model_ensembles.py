"""Networks that decide together: with room for everything, their beam is an enumeration."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.batches import Example
from model.config import DecodingConfig
from model.search import translate, translate_n_best
from tests.reference.ensemble_reference import strings_together
from tests.reference.model_examples import example, examples, toy_config, toy_translator

MEANS = ("probability", "log-probability")
TOGETHER = {
    "two seeds": [("phrasenet-gate", 3), ("phrasenet-gate", 4)],
    "two variants": [("phrasenet-gate", 3), ("phrasenet-softmax", 4)],
    "three families": [("rnnsearch", 3), ("groundhog-coverage+gate", 4), ("transformer", 5)],
    "phrases in two families": [("phrasenet-gate", 3), ("transformer+phrase-softmax", 4)],
}
SMALL = {
    name: [toy_translator(toy_config(system), words=4, seed=seed) for system, seed in members]
    for name, members in TOGETHER.items()
}
LARGER = {
    name: [toy_translator(toy_config(system), seed=seed, scale=0.8) for system, seed in members]
    for name, members in TOGETHER.items()
}


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("together", TOGETHER)
def test_a_beam_with_room_for_everything_finds_the_summed_paths_of_every_string(
    together: str, mean: str
) -> None:
    sentence = example([2, 3], None, (0, 1, (2, 3), -1), (1, 2, (3,), -1))
    if not SMALL[together][0].config.slots:
        sentence = example([2, 3])
    expected = strings_together(SMALL[together], sentence, 3, geometric=mean == "log-probability")
    config = DecodingConfig(beam=5000, max_length_ratio=1.5, ensemble_mean=mean)  # type: ignore[arg-type]
    found = {
        tuple(word.word_id for word in hypothesis.words): math.exp(hypothesis.log_probability)
        for hypothesis in translate_n_best(SMALL[together], [sentence], config)[0]
    }
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("together", TOGETHER)
@settings(max_examples=5, deadline=None)
@given(batch=st.lists(examples(most=5), min_size=2, max_size=4), mean=st.sampled_from(MEANS))
def test_a_sentence_is_translated_alike_alone_and_in_company(
    together: str, batch: list[Example], mean: str
) -> None:
    config = DecodingConfig(
        beam=3,
        batch_size=3,
        max_length_ratio=1.5,
        ensemble_mean=mean,  # type: ignore[arg-type]
    )
    found = translate(LARGER[together], batch, config)
    for sentence, ours in zip(batch, found, strict=True):
        alone = translate(LARGER[together], [sentence], config)[0]
        assert [(w.word_id, w.slot, w.attended) for w in alone.words] == [
            (w.word_id, w.slot, w.attended) for w in ours.words
        ]
        assert alone.score == pytest.approx(ours.score, abs=1e-10)
