"""Single-word terms: words that a corpus uses far more often than the language at large.

The measure is the log-likelihood of Rayson and Garside 2000, "Comparing corpora using frequency
profiling". The language at large is the word list that comes with jieba: 349,046 words of news and
novels with their frequencies, at hand wherever the segmenter is. A word that it lacks is compared
with a frequency of 0.
"""

import math


def keyness(count: int, total: int, reference_count: int, reference_total: int) -> float:
    """Score how much more frequent a word is in a corpus than in the reference.

    With E the count expected if both had the word equally often:
    LL = 2 * (count ln(count / E) + reference_count ln(reference_count / E_reference)).

    Args:
        count: occurrences in the corpus.
        total: words of the corpus, at least 1.
        reference_count: occurrences in the reference.
        reference_total: words of the reference, at least 1.

    Returns:
        0 or more (chi-square with one degree of freedom: 10.83 is p = 0.001); 0 for a word that the
        corpus does not use more often.
    """
    if count * reference_total <= reference_count * total:
        return 0.0
    share = (count + reference_count) / (total + reference_total)
    score = count * math.log(count / (share * total))
    if reference_count:
        score += reference_count * math.log(reference_count / (share * reference_total))
    return 2 * score
