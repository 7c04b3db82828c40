"""The Transformer: against torch's own, step by step, by hand, and what it refuses."""

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from model.batches import collate_source, collate_target
from model.config import SYSTEMS, ModelConfig
from model.loop import run
from model.noise import SILENT, Noise
from model.records import scaled
from model.teacher_forcing import Means, trace
from model.transformer_decoder import SourceAttention
from model.transformer_encoder import TransformerEncoder
from model.transformer_layers import Affine, LayerNorm, Manner, positions
from model.transformer_loop import TransformerLoop
from model.translator import Translator, build_translator
from tests.reference.model_examples import example, toy_config, toy_translator
from tests.unit.model.test_model_sizes import size

PHRASAL = [name for name, found in SYSTEMS.items() if found.is_transformer]
BATCH = [
    example([3, 4, 5, 1, 6], [2, 7, 8, 9, 4], (0, 1, (7, 8), 1), (3, 5, (4,), 4)),
    example([2, 1], [1, 5, 1, 3], (1, 2, (1, 5, 1), 0)),
    example([9, 8, 7], [2]),
]


def torchs_own(translator: Translator) -> nn.Transformer:
    """Give torch's Transformer the same weights."""
    config = translator.config
    other = nn.Transformer(
        config.hidden, config.num_heads, config.encoder_depth, config.decoder_depth,
        config.feed_forward_size, 0.0, batch_first=True, norm_first=True, dtype=torch.float64,
    )  # fmt: skip
    for ours, theirs in (
        (translator.encoder, other.encoder),
        (translator.decoder, other.decoder),
    ):
        for mine, its in zip(ours.layers, theirs.layers, strict=True):  # type: ignore[arg-type]
            _same_norm(its.norm1, mine.self_norm)
            _same_norm(
                its.norm2, mine.feed_norm if ours is translator.encoder else mine.source_norm
            )
            joint = mine.self_attention.joint
            _same(its.self_attn.in_proj_weight, its.self_attn.in_proj_bias, joint)
            _same(
                its.self_attn.out_proj.weight,
                its.self_attn.out_proj.bias,
                mine.self_attention.output,
            )
            _same(its.linear1.weight, its.linear1.bias, mine.feed_forward.inner)
            _same(its.linear2.weight, its.linear2.bias, mine.feed_forward.outer)
            if ours is translator.decoder:
                _same_norm(its.norm3, mine.feed_norm)
                attention = mine.source_attention
                joined = Affine(config.hidden, 3 * config.hidden).double()
                joined.weight_XY.data = torch.cat(
                    [attention.query.weight_XY, attention.source.weight_XY], 1
                )
                joined.bias_Y.data = torch.cat([attention.query.bias_Y, attention.source.bias_Y])
                _same(its.multihead_attn.in_proj_weight, its.multihead_attn.in_proj_bias, joined)
                out = its.multihead_attn.out_proj
                _same(out.weight, out.bias, attention.output)
        _same_norm(theirs.norm, ours.last_norm)  # type: ignore[arg-type]
    return other.eval()


@torch.no_grad()
def _same(weight: torch.Tensor, bias: torch.Tensor, affine: Affine) -> None:
    weight.copy_(affine.weight_XY.T)
    bias.copy_(affine.bias_Y)


@torch.no_grad()
def _same_norm(norm: nn.LayerNorm, ours: LayerNorm) -> None:
    norm.weight.copy_(ours.gain_H)
    norm.bias.copy_(ours.bias_H)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_it_is_the_transformer_of_torch() -> None:
    translator = toy_translator(toy_config("transformer", embedding=4))
    other = torchs_own(translator)
    source, target = collate_source(BATCH, 0), collate_target(BATCH, 0)
    encoder, dtype = translator.encoder, torch.float64
    assert isinstance(encoder, TransformerEncoder)
    with torch.no_grad():
        words = 2 * encoder.embedding_VE[source.ids_BJ]
        hidden = words + positions(0, words.shape[1], words[0, 0])
        annotations = other.encoder(hidden, src_key_padding_mask=~source.mask_BJ)
        found = encoder(source.ids_BJ, source.mask_BJ, SILENT, dtype)
        assert torch.allclose(found[source.mask_BJ], annotations[source.mask_BJ], atol=1e-12)
        fed = translator.decoder.embed(target.ids_IB)
        memory = translator.decoder.remember(found, source.mask_BJ, None, dtype)
        start = translator.decoder.start(memory, source.mask_BJ)
        states = trace(
            translator.decoder, memory, fed, start, None, Means(dtype, translator.pool)
        ).states_IBH
        count = len(fed)
        expected = other.decoder(
            (fed + positions(0, count, fed[0, 0])[:, None]).transpose(0, 1),
            found,
            tgt_mask=nn.Transformer.generate_square_subsequent_mask(count, dtype=dtype),
            memory_key_padding_mask=~source.mask_BJ,
            tgt_is_causal=True,
        )
    assert torch.allclose(states.transpose(0, 1), expected, atol=1e-12)


@pytest.mark.parametrize("system", PHRASAL)
def test_word_by_word_with_what_was_kept_is_all_words_at_once(system: str) -> None:
    translator = toy_translator(toy_config(system))
    slots, dtype = translator.config.slots, torch.float64
    source, target = collate_source(BATCH, slots), collate_target(BATCH, slots)
    with torch.no_grad():
        memory = translator.encode(source, SILENT, dtype).memory
        words = translator.decoder.embed(target.ids_IB)
        start = translator.decoder.start(memory, source.mask_BJ)
        alive = target.alive_IBP().to(dtype) if slots else None
        means = Means(dtype, translator.pool)
        whole = trace(translator.decoder, memory, words, start, alive, means)
        loop = TransformerLoop(translator.decoder, dtype=dtype)  # type: ignore[arg-type]
        steps = run(loop, memory, words, start, alive)
    for number, step in enumerate(steps):
        assert torch.allclose(step.state.layers[-1].hidden_BH, whole.states_IBH[number], atol=1e-12)
        assert torch.allclose(step.context.context_BC, whole.contexts_IBC[number], atol=1e-12)
        assert step.weights_BJ.sum(-1).tolist() == pytest.approx([1.0] * 3)
        if step.context.tag_mass_BP is not None:
            assert whole.tag_mass_IBP is not None
            assert torch.allclose(step.context.tag_mass_BP, whole.tag_mass_IBP[number], atol=1e-12)


@torch.no_grad()
def test_the_mass_of_a_slot_is_the_attention_on_its_words_while_it_lives() -> None:
    translator = toy_translator(toy_config("transformer+phrase-gate"), scale=1.0)
    attention = translator.decoder.layers[0].source_attention  # type: ignore[union-attr,index]
    assert isinstance(attention, SourceAttention)
    memory = translator.encode(collate_source(BATCH[:1], 4), SILENT, torch.float64).memory
    x_BIH = torch.randn((1, 2, 4), generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    alive = torch.tensor([[[1.0, 1, 0, 0], [0, 1, 0, 0]]], dtype=torch.float64)
    known = memory.keys_BJA[..., :8]
    found = attention.look(x_BIH, known, memory, alive, torch.float64, weights=True)
    assert found.weights_BIJ is not None
    assert found.mass_BIP is not None
    first, second = found.weights_BIJ[0]
    expected = [[first[0], first[3] + first[4], 0, 0], [0, second[3] + second[4], 0, 0]]
    assert torch.allclose(found.mass_BIP[0], torch.tensor(expected, dtype=torch.float64))
    without = memory._replace(tags_BJP=None)
    plain = attention.look(x_BIH, known, without, None, torch.float64, weights=True)
    assert plain.weights_BIJ is not None
    assert not torch.allclose(plain.weights_BIJ, found.weights_BIJ)


def test_a_word_sees_no_later_word_and_no_later_end_of_a_slot() -> None:
    translator = toy_translator(toy_config("transformer+phrase-gate"))
    source, target = collate_source(BATCH, 4), collate_target(BATCH, 4)
    dtype, means = torch.float64, Means(torch.float64, translator.pool)
    with torch.no_grad():
        memory = translator.encode(source, SILENT, dtype).memory
        words = translator.decoder.embed(target.ids_IB)
        start = translator.decoder.start(memory, source.mask_BJ)
        alive = target.alive_IBP().to(dtype)
        before = trace(translator.decoder, memory, words, start, alive, means).states_IBH
        words[3:], alive[3:] = 7.0, 0.0
        after = trace(translator.decoder, memory, words, start, alive, means).states_IBH
    assert torch.equal(before[:3], after[:3])
    assert not torch.allclose(before[3], after[3])


def test_positions_are_waves() -> None:
    found = positions(2, 2, torch.zeros(5, dtype=torch.float64))
    for row, at in enumerate((2, 3)):
        for column in range(5):
            angle = at / 10_000 ** (2 * (column // 2) / 5)
            wave = math.cos(angle) if column % 2 else math.sin(angle)
            assert found[row, column].item() == pytest.approx(wave, abs=1e-15)


def test_dropout_reaches_every_sublayer_and_draws_the_same_from_the_same_stream() -> None:
    translator = toy_translator(toy_config("transformer", embedding=4))
    source, target = collate_source(BATCH, 0), collate_target(BATCH, 0)

    def likelihood(rate: float, seed: int) -> list[float]:
        noise = Noise(torch.Generator().manual_seed(seed), rate)
        with torch.no_grad():
            return translator.log_likelihood(source, target, noise=noise).tolist()

    assert likelihood(0.0, 1) == likelihood(0.0, 2)
    assert likelihood(0.3, 1) == likelihood(0.3, 1) != likelihood(0.3, 2)
    drawn: list[tuple[int, ...]] = []

    class Counting(Noise):
        def dropout(self, x: torch.Tensor) -> torch.Tensor:
            drawn.append(tuple(x.shape))
            return x

    memory = translator.encode(source, Counting(), torch.float64).memory
    assert len(drawn) == 1 + 2 * 2
    start = translator.decoder.start(memory, source.mask_BJ)
    words = translator.decoder.embed(target.ids_IB).transpose(0, 1)
    manner = Manner(Counting(), torch.float64)
    translator.decoder.feed(words, memory, start.past, None, manner, weights=False)  # type: ignore[operator]
    assert len(drawn) == 1 + 2 * 2 + 3 * 2


def layers(width: int, inner: int) -> tuple[int, int]:
    """Parameters of a layer of the encoder and of the decoder, counted by hand."""
    attention, feed = 4 * (width * width + width), 2 * width * inner + inner + width
    return attention + feed + 2 * 2 * width, 2 * attention + feed + 3 * 2 * width


def test_the_base_transformer_has_its_published_number_of_parameters() -> None:
    width, words = 512, 100
    encoder, decoder = layers(width, 2048)
    stacks = 6 * (encoder + decoder) + 2 * 2 * width
    assert stacks == 44_140_544  # torch.nn.Transformer()
    changes = {"embedding": width, "hidden": width}
    assert size("transformer", words, **changes) == stacks + 3 * words * width + words
    tied = size("transformer", words, tied_embeddings=True, **changes)
    assert tied == stacks + 2 * words * width + words


def test_another_size_of_embeddings_adds_a_map_on_each_side_and_one_before_the_softmax() -> None:
    width, small, words = 512, 128, 100
    added = 2 * (small * width + width) + width * small
    encoder, decoder = layers(width, 64)
    expected = 2 * encoder + 3 * decoder + 4 * width + 3 * words * small + words + added
    changes = {"encoder_layers": 2, "decoder_layers": 3, "feed_forward": 64, "heads": 4}
    assert size("transformer", words, embedding=small, hidden=width, **changes) == expected


def test_phrase_memory_adds_tags_gate_and_classifier_and_nothing_else() -> None:
    width, small, slots, depth, gate = 512, 128, 10, 6, 512
    tags = depth * 2 * slots * width
    inputs = width + width + slots + small
    mode = inputs * gate + gate + gate * gate + gate + gate + 1 + 2 * gate
    classifier = inputs * small + slots * small
    changes = {"embedding": small, "hidden": width}
    added = size("transformer+phrase-gate", 100, **changes) - size("transformer", 100, **changes)
    assert added == tags + mode + classifier
    reader = 3 * (small * width + width * width + width)
    added = size("transformer+phrase-softmax", 100, **changes) - size("transformer", 100, **changes)
    assert added == tags + inputs * small + width * small + small + reader


def test_first_values_do_not_follow_the_scheme_of_recurrent_networks() -> None:
    paper, other = (
        build_translator(toy_config("transformer", initial_values=scheme), 9, 9, seed=1)
        for scheme in ("paper", "scaled")
    )
    for name, value in paper.state_dict().items():
        assert torch.equal(value, other.state_dict()[name]), name


def test_tied_tables_stay_tied_and_are_saved_once() -> None:
    translator = toy_translator(toy_config("transformer", tied_embeddings=True))
    assert translator.readout.words_VE is translator.decoder.embedding_VE
    assert "readout.output_weight_VE" not in translator.state_dict()


def test_a_transformer_has_no_contexts_to_scale() -> None:
    with pytest.raises(ValueError, match="the model is a Transformer, whose layers"):
        scaled(toy_translator(toy_config("transformer")), 1, 0.5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heads": 3}, "model.hidden is 1000 and model.heads 3; .* multiple"),
        ({"heads": -1}, "model.heads is -1; it must be 0 \\(derived\\) or more"),
        ({"encoder_layers": -2}, "model.encoder_layers"),
        ({"coverage": "neural"}, "model.coverage is 'neural' with a Transformer decoder, but"),
        ({"context_gate": "both"}, "model.context_gate is 'both' with a Transformer decoder, but"),
        ({"context_gate": "fixed", "target_scale": 0.5}, "model.target_scale is 0.5, but"),
        ({"attention": 4}, "set model.heads"),
        ({"attention_kind": "none"}, "model.attention_kind"),
        ({"encoder": "dl4mt"}, "model.encoder is 'dl4mt', but a Transformer's encoder is no GRU"),
        ({"order": "groundhog"}, "model.order"),
        ({"initial_state": "mean"}, "model.initial_state"),
        ({"coverage_fertility": True}, "model.coverage_fertility"),
    ],
)
def test_what_makes_no_sense_in_a_transformer_is_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ModelConfig(system="transformer", **changes)  # type: ignore[arg-type]


def test_a_transformer_decoder_is_refused_where_the_system_brings_coverage() -> None:
    with pytest.raises(ValueError, match='Set coverage to "none"'):
        ModelConfig(system="phrasenet-gate", decoder="transformer")
    config = ModelConfig(system="phrasenet-gate", decoder="transformer", coverage="none")
    assert replace(config, system="transformer+phrase-gate").switches == config.switches


@pytest.mark.parametrize("name", ["heads", "feed_forward"])
def test_sizes_of_a_transformer_are_refused_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match=f"model.{name} is 2, but only a Transformer has it"):
        ModelConfig(system="rnnsearch", **{name: 2})  # type: ignore[arg-type]


def test_sizes_follow_to_another_transformer_and_not_to_another_family() -> None:
    config = ModelConfig(system="transformer+phrase-gate", heads=4, decoder_layers=2)
    other = config.as_system("transformer")
    assert (other.num_heads, other.decoder_depth, other.encoder_depth) == (4, 2, 6)
    recurrent = config.as_system("rnnsearch")
    assert (recurrent.heads, recurrent.decoder_depth) == (0, 1)
    assert ModelConfig(attention=7, decoder_layers=2).as_system("transformer").decoder_depth == 6


@pytest.mark.parametrize(("hidden", "heads"), [(512, 8), (1000, 8), (36, 4), (6, 2), (33, 1)])
def test_heads_divide_the_width(hidden: int, heads: int) -> None:
    assert ModelConfig(system="transformer", hidden=hidden).num_heads == heads
