"""Log-likelihood of references under the mixture of word and phrase modes (PhraseNet,
arXiv 1606.01792).

One teacher-forced pass is exact: the idle run feeds the same words to the same recurrence in
either mode.

Shapes: N real target words, S phrase spans of the references, B sentences.
"""

import torch
from torch import Tensor

from model.batches import TargetBatch


def sentence_log_likelihood(target: TargetBatch, word_N: Tensor, phrase_S: Tensor | None) -> Tensor:
    """Return log p(y | x) of each sentence, log_B.

    A word outside all spans counts by itself. A span counts as the sum of two ways to say it: word
    by word (only if all its words are in the vocabulary, the paper's I_unk) or in one phrase
    decision at its first word.

    Args:
        target: where the spans are.
        word_N: log p(z = 0, word) of each real word.
        phrase_S: log p(z = 1, slot) of each span at its first word; None if no network has slots.
    """
    num_sentences = target.mask_IB.shape[1]
    if phrase_S is None or not len(target.start_S):
        return word_N.new_zeros(num_sentences).index_add(0, target.sentence_N, word_N)
    outside_N = torch.where(target.span_N == 0, word_N, torch.zeros_like(word_N))
    spelled = word_N.new_zeros(len(target.start_S) + 1).index_add(0, target.span_N, word_N)
    spelled_S = torch.where(target.known_S, spelled[1:], -torch.inf)
    span_S = torch.logaddexp(spelled_S, phrase_S)
    log_B = word_N.new_zeros(num_sentences).index_add(0, target.sentence_N, outside_N)
    return log_B.index_add(0, target.sentence_N[target.start_S], span_S)
