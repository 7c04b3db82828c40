"""How much work a training step of `rnnsearch` is at least: products, and bytes that memory moves.

Products are counted from the sizes as the network computes them on a GPU, padding included (on a
processor it leaves out most of that), two operations for each multiplication and addition; the
backward pass is twice the forward pass. The scores of the attention and the softmax itself are left
out.

Letters: E embedding, H hidden, A attention, K coverage, V words; B pairs, J source words and I
target words of the longest pair, end marks included, N real target words.
"""

from dataclasses import dataclass

from model.config import ModelConfig

TRAINING_PASSES = 3
"""Forward, and twice as much backward."""
_FLOAT, _NARROW = 4, 2
_ADAM_TOUCHES = 7
"""Weight, gradient and two moments are read, weight and moments written."""
_KEYS_TOUCHES = 6
"""Of a step: keys read, hidden layer written; backward it is read, written and read once more, and
the keys' gradient is read and written, of which one stays in the cache."""
_PRODUCT_TOUCHES = 2
"""Annotations times the weight of the context, read by a step forward and backward."""
_LOGITS_TOUCHES = 3
"""Written forward, read by both products backward."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """Sizes of a padded batch."""

    pairs: int
    source: int
    """Words of the longest source, end mark included."""
    target: int
    """Words of the longest target, end mark included."""
    words: int
    """Real target words, end marks included."""


def multiplications(config: ModelConfig, vocabulary: int, batch: BatchSize) -> dict[str, int]:
    """Return the multiplications of a forward pass by component."""
    e, h, a = config.embedding, config.hidden, config.attention_size
    k = config.coverage_dim
    b, j, i, n = batch.pairs, batch.source, batch.target, batch.words
    loop = h * (3 * h + 3 * k) + h * (a + 3 * h)
    # What each source word takes part in: the context, as it is and multiplied with the weight of
    # the second GRU, and coverage into attention and itself.
    context = j * (2 * h + 3 * h + k * a + k * 3 * k)
    return {
        "encoder": b * j * (e * 6 * h + 2 * h * 3 * h),
        "source": b * j * 2 * h * (a + 3 * k + 3 * h) + b * (2 * h * h + j * 2 * h),
        "decoder loop": b * i * (e * 3 * h + loop + context),
        "readout": n * e * (h + 2 * h + e) + n * e * vocabulary,
    }


def attention_passes(*, features: bool, fused: bool) -> int:
    """Return how often a step of training passes over as many numbers as its keys have, reading or
    writing them.

    Args:
        features: whether there is coverage, or tags.
        fused: whether the kernels of `model/fused_attention.py` compute it.
    """
    if fused:
        # Forward: keys. Backward: keys, their gradient read and written; keys for the features.
        return 1 + 3 + features
    # Forward: the sum with the query (2), features added (2), sigmoid (2), score (1). Backward: by
    # score (1), slope (2), by keys (3), by query (1), by feature weights (1) and features (1).
    return 5 + 2 * features + 7 + 2 * features


def training_operations(config: ModelConfig, vocabulary: int, batch: BatchSize) -> int:
    """Return the operations of a training step."""
    return 2 * TRAINING_PASSES * sum(multiplications(config, vocabulary, batch).values())


def training_bytes(
    config: ModelConfig, parameters: int, vocabulary: int, batch: BatchSize, narrow: bool
) -> int:
    """Return the bytes that a training step moves at least between memory and processor.

    Args:
        config: the network.
        parameters: its numbers.
        vocabulary: target words.
        batch: its sizes.
        narrow: whether products are in bfloat16.
    """
    cells = batch.target * batch.pairs * batch.source
    attention = cells * config.attention_size * _KEYS_TOUCHES
    products = cells * 3 * config.hidden * _PRODUCT_TOUCHES
    logits = batch.words * vocabulary * _LOGITS_TOUCHES * (_NARROW if narrow else _FLOAT)
    return _FLOAT * (parameters * _ADAM_TOUCHES + attention + products) + logits
