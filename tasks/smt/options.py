"""What a sentence may be translated with: the options of each of its spans, and what a part that is
not translated yet will cost at least as far as it can be told (Koehn 2010, section 6.3.2)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tasks.compiled.arrays import Ids, Numbers
from tasks.compiled.jit import compiled, inner
from tasks.smt.features import LANGUAGE_MODEL, PHRASES, SCORES, WORDS, Weights
from tasks.smt.language_model import UNKNOWN, LanguageModel, next_word
from tasks.smt.phrase_table import PhraseTable, SourceIndex
from tasks.smt.tries import NOT_THERE, ROOT, follow

Reals = NDArray[np.float64]

COPIED = -1
"""The entry of a source word that is copied, since no phrase translates it alone."""
COPY_SCORE = -100.0
"""Score of a copied word, as in Moses: it is copied only where no phrase spans it."""


class Models(NamedTuple):
    """What knows words and phrases."""

    table: PhraseTable
    sources: SourceIndex
    language: LanguageModel


class Options(NamedTuple):
    """The options of a sentence, by span and then the best first."""

    spans: Numbers
    """Option at which the span of `length` words from `start` on begins, at
    `start * max_words + length - 1`; one more number at the end."""
    start: Ids
    end: Ids
    entry: Ids
    """Entry of the phrase table, or `COPIED`."""
    score: Reals
    """Of what does not depend on the rest of the sentence."""
    estimate: Reals
    """The same with an estimate of the language model."""
    future: Reals
    """Best estimate of `length` words from `start` on, words x (longest + 1)."""
    rest: Reals
    """Best estimate of all words from `start` on, words + 1."""


@compiled
def entry_words(table: PhraseTable, entry: int) -> Ids:
    """Return the target words of an entry; a copied word is one that nobody knows."""
    if entry == COPIED:
        return np.full(1, UNKNOWN, np.int32)
    return table.target_words[table.target_starts[entry] : table.target_starts[entry + 1]]


@inner
def static_score(table: PhraseTable, entry: int, weights: Weights) -> float:
    """Return the score of an entry that does not depend on its surroundings."""
    if entry == COPIED:
        return COPY_SCORE + weights[PHRASES] - weights[WORDS]
    total = weights[PHRASES]
    total -= weights[WORDS] * (table.target_starts[entry + 1] - table.target_starts[entry])
    for number in range(table.scores.shape[1]):
        total += weights[SCORES + number] * np.float64(table.scores[entry, number])
    return total


@inner
def _estimate(models: Models, entry: int, weights: Weights) -> float:
    """Return the score of an entry with the language model's, as far as its own words tell."""
    total, state = 0.0, ROOT
    for word in entry_words(models.table, entry):
        logarithm, state = next_word(models.language, state, word)
        total += logarithm
    return static_score(models.table, entry, weights) + weights[LANGUAGE_MODEL] * total


@compiled
def find_options(
    models: Models, words: Ids, weights: Weights, max_words: int, limits: tuple[int, int]
) -> Options:
    """Find the options of a sentence.

    Args:
        models: what knows words and phrases.
        words: numbers of the source words, -1 for those that the table does not know.
        weights: of the features.
        max_words: longest source phrase.
        limits: most translations of a span; longest part whose future is asked for by length.
    """
    size, found = len(words), 0
    spans = np.zeros(size * max_words + 1, np.int64)
    room = size * max_words * limits[0] + size
    entries, estimates = np.empty(room, np.int32), np.empty(room)
    starts, ends = np.empty(room, np.int32), np.empty(room, np.int32)
    for start in range(size):
        node = ROOT
        for length in range(1, max_words + 1):
            cell = start * max_words + length - 1
            first = found
            if node != NOT_THERE and start + length <= size and words[start + length - 1] >= 0:
                node = follow(models.sources.trie, node, words[start + length - 1])
            else:
                node = NOT_THERE
            if node != NOT_THERE and models.sources.phrase[node] >= 0:
                phrase = models.sources.phrase[node]
                found = _best_entries(
                    models, phrase, weights, limits[0], (entries, estimates), found
                )
            if length == 1 and found == first:
                entries[found] = COPIED
                estimates[found] = _estimate(models, COPIED, weights)
                found += 1
            starts[first:found] = start
            ends[first:found] = start + length
            spans[cell + 1] = found
    scores = np.empty(found)
    for option in range(found):
        scores[option] = static_score(models.table, entries[option], weights)
    future, rest = _futures(spans, estimates, size, max_words, limits[1])
    return Options(
        spans,
        starts[:found],
        ends[:found],
        entries[:found],
        scores,
        estimates[:found],
        future,
        rest,
    )


@inner
def _best_entries(
    models: Models,
    phrase: int,
    weights: Weights,
    limit: int,
    out: tuple[Ids, Reals],
    found: int,
) -> int:
    """Write the best entries of a source phrase, the best first; returns where they end."""
    first, end = models.table.entries[phrase], models.table.entries[phrase + 1]
    estimates = np.empty(end - first)
    for place in range(end - first):
        estimates[place] = -_estimate(models, first + place, weights)
    for place in np.argsort(estimates, kind="mergesort")[:limit]:
        out[0][found], out[1][found] = first + place, -estimates[place]
        found += 1
    return found


@inner
def _futures(
    spans: Numbers, estimates: Reals, size: int, max_words: int, longest: int
) -> tuple[Reals, Reals]:
    """Return the best estimates of short parts, and of what is left from each word on."""
    longest = max(longest, max_words)
    future = np.full((size, longest + 1), -np.inf)
    rest = np.full(size + 1, -np.inf)
    rest[size] = 0.0
    for start in range(size - 1, -1, -1):
        future[start, 0] = 0.0
        for length in range(1, min(max_words, size - start) + 1):
            cell = start * max_words + length - 1
            if spans[cell] == spans[cell + 1]:
                continue
            best = estimates[spans[cell]]
            future[start, length] = max(future[start, length], best)
            rest[start] = max(rest[start], best + rest[start + length])
            for more in range(1, min(longest - length, size - start - length) + 1):
                whole = best + future[start + length, more]
                future[start, length + more] = max(future[start, length + more], whole)
    return future, rest
