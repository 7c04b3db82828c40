"""Small statistical models for tests, and their slow counterparts."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tasks.compiled.arrays import sentences_of, starts_of
from tasks.smt.language_model import FIRST_WORD, LanguageModel, train
from tasks.smt.model_files import SmtModel
from tasks.smt.options import Models
from tasks.smt.phrase_table import PhraseTable, index_sources
from tests.reference.smt_language_model import SlowLanguageModel
from tests.reference.smt_search import Pair

SOURCE, TARGET = ["一", "二", "三", "四", "五"], ["A", "B", "C", "D", "E"]


class Toy(NamedTuple):
    """A model and what it was made of."""

    model: SmtModel
    pairs: list[Pair]
    slow: SlowLanguageModel


def toy(seed: int, *, order: int = 3, pairs: int = 12) -> Toy:
    """Make a model of random phrases; every source word has a translation."""
    chance = random.Random(seed)
    text = [chance.choices(TARGET, k=chance.randint(1, 6)) for _ in range(12)]
    single = [((word,), (chance.choice(TARGET),)) for word in SOURCE]
    longer = [
        (
            tuple(SOURCE[start : start + chance.randint(1, 3)]),
            tuple(chance.choices(TARGET, k=chance.randint(1, 3))),
        )
        for start in chance.choices(range(len(SOURCE)), k=pairs)
    ]
    found = [
        Pair(*each, _logs(chance, 4), _logs(chance, 6)) for each in dict.fromkeys(single + longer)
    ]
    return toy_of(found, text, order)


def _logs(chance: random.Random, number: int) -> tuple[float, ...]:
    return tuple(round(-3 * chance.random(), 3) for _ in range(number))


def toy_of(pairs: Sequence[Pair], text: Sequence[Sequence[str]], order: int = 3) -> Toy:
    """Make a model of phrase pairs and target text."""
    language, target = language_model(text, order)
    names = list(target)
    for word in dict.fromkeys(word for pair in pairs for word in pair.target):
        if word not in names:
            names.append(word)
    source = list(dict.fromkeys(word for pair in pairs for word in pair.source))
    by_source = sorted(pairs, key=lambda pair: [source.index(word) for word in pair.source])
    table = _table(by_source, source, names)
    models = Models(table, index_sources(table), language)
    return Toy(SmtModel(models, tuple(source), tuple(names)), list(pairs), _slow(text, order))


def _slow(text: Sequence[Sequence[str]], order: int) -> SlowLanguageModel:
    return SlowLanguageModel(text, order)


def language_model(text: Sequence[Sequence[str]], order: int) -> tuple[LanguageModel, list[str]]:
    """Train a language model; returns also its words by number, without the marks."""
    sentences, words = sentences_of(text, blanks=1)
    ids = (sentences.ids + FIRST_WORD).astype(np.int32)
    return train(ids, sentences.starts, order), words


def _table(pairs: Sequence[Pair], source: list[str], target: list[str]) -> PhraseTable:
    phrases = list(dict.fromkeys(pair.source for pair in pairs))
    firsts = [next(i for i, p in enumerate(pairs) if p.source == phrase) for phrase in phrases]
    assert all(one < other for one, other in pairwise(firsts)), "pairs must be sorted by source"
    return PhraseTable(
        np.array([source.index(word) for phrase in phrases for word in phrase], np.int32),
        starts_of(phrases),
        np.array([*firsts, len(pairs)], np.int64),
        np.array([target.index(w) + FIRST_WORD for p in pairs for w in p.target], np.int32),
        starts_of([pair.target for pair in pairs]),
        np.array([pair.scores for pair in pairs], np.float32),
        np.array([pair.reordering for pair in pairs], np.float32),
    )
