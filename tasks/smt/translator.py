"""Words in, words out: translates sentences with a statistical model and weights."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import Ids
from tasks.smt.config import SmtConfig
from tasks.smt.features import Weights
from tasks.smt.graph import Graph, Limits, Problem
from tasks.smt.language_model import FIRST_WORD
from tasks.smt.model_files import SmtModel
from tasks.smt.options import COPIED, Options, Reals, find_options
from tasks.smt.search import search


class Word(NamedTuple):
    """A word of a translation and the phrase that it comes from."""

    word: str
    start: int
    """First source word of the phrase."""
    end: int
    probability: float
    """phi(target | source) of the phrase; 1 for a copied word."""


class Found(NamedTuple):
    """A translation."""

    words: tuple[Word, ...]
    score: float
    """Weighted sum of the features."""


class Candidate(NamedTuple):
    """A translation with its features."""

    words: tuple[str, ...]
    features: Reals


class SmtTranslator:
    """Translates with one model and one set of weights."""

    def __init__(self, model: SmtModel, weights: Weights, config: SmtConfig) -> None:
        """Take what is needed; nothing is changed later."""
        self._model, self._weights, self._config = model, weights, config
        self._number = {word: number for number, word in enumerate(model.source)}
        self._limits = Limits(
            config.max_words,
            config.distortion_limit,
            config.pops,
            config.stack,
            config.lexicalised_reordering,
        )

    def knows(self, word: str) -> bool:
        """Say whether a source word occurred in the training text."""
        return word in self._number

    def translate(self, words: Sequence[str]) -> Found:
        """Return the best translation of a sentence; none of no words."""
        from tasks.smt.n_best import best_paths

        if not words:
            return Found((), 0.0)
        options, graph = self._search(words)
        path = best_paths(graph, 1)[0]
        return Found(tuple(self._spelled(words, options, path)), float(graph.nodes.score[-1]))

    def candidates(self, words: Sequence[str], number: int) -> list[Candidate]:
        """Return the best translations of a sentence with their features, the best first; of those
        that spell the same words only the best."""
        from tasks.smt.n_best import best_paths, features_of

        if not words:
            return []
        options, graph = self._search(words)
        found: dict[tuple[str, ...], Candidate] = {}
        lexicalised = self._config.lexicalised_reordering
        for path in best_paths(graph, number):
            spelled = tuple(each.word for each in self._spelled(words, options, path))
            if spelled not in found:
                features = features_of(self._model.models, options, path, lexicalised)
                found[spelled] = Candidate(spelled, features)
        return list(found.values())

    def _search(self, words: Sequence[str]) -> tuple[Options, Graph]:
        config = self._config
        ids = np.array([self._number.get(word, -1) for word in words], np.int32)
        limits = config.span_candidates, config.distortion_limit
        options = find_options(self._model.models, ids, self._weights, config.max_words, limits)
        problem = Problem(self._model.models, options, self._weights, self._limits, len(words))
        return options, search(problem)

    def _spelled(self, words: Sequence[str], options: Options, path: Ids) -> list[Word]:
        table, spelled = self._model.models.table, []
        for option in path.tolist():
            start, end = int(options.start[option]), int(options.end[option])
            entry = int(options.entry[option])
            if entry == COPIED:
                spelled.append(Word(words[start], start, end, 1.0))
                continue
            probability = float(np.exp(table.scores[entry, 0]))
            for word in table.target_words[
                table.target_starts[entry] : table.target_starts[entry + 1]
            ]:
                text = self._model.target[word - FIRST_WORD]
                spelled.append(Word(text, start, end, probability))
        return spelled
