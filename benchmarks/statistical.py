"""BLEU, speed and memory of the system `smt`, on a folder of real text.

`PHRASENET_BENCH_TEXTS` names a folder with `train.tsv.zst` (source, target), `dev.zh`, `dev.en`,
`test.zh` and `test.en`. Words are jieba's and ours, lower-cased, without the spans of rules; pairs
are drawn at random from those of at most 30 words a side. BLEU is sacreBLEU's on these words.
"""

import io
import os
import random
import resource
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import rjieba
import sacrebleu
import zstandard

from benchmarks.measuring import say
from tasks.compiled.arrays import spelled
from tasks.mining.alignment import Aligner
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.extraction import corpus_of
from tasks.smt.bleu_counts import References
from tasks.smt.config import SmtConfig
from tasks.smt.features import Weights, first_weights
from tasks.smt.language_model import FIRST_WORD, train
from tasks.smt.model_files import SmtModel, model_files, read_model
from tasks.smt.phrase_table import build_table
from tasks.smt.translator import Candidate, SmtTranslator
from tasks.smt.tuning import best_round, tune
from tasks.text.english import tokenise
from tasks.text.script import normalise

PLACE = "PHRASENET_BENCH_TEXTS"
NUM_PAIRS, MAX_WORDS, SEED = 40_000, 30, 1
CONFIG = SmtConfig(tuning_rounds=5, pops=300)

Pair = tuple[list[str], list[str]]


def run() -> None:
    """Train, tune and translate."""
    if PLACE not in os.environ:
        say(f"  needs real text: set {PLACE} to a folder of it")
        return
    folder = Path(os.environ[PLACE])
    model = _trained(list(_training_pairs(folder)))
    weights = _tuned(model, _held_out(folder, "dev")[: CONFIG.tuning_sentences])
    test = _held_out(folder, "test")
    started = time.process_time()
    translator = SmtTranslator(model, weights, CONFIG)
    said = [" ".join(word.word for word in translator.translate(pair[0]).words) for pair in test]
    seconds = time.process_time() - started
    score = sacrebleu.corpus_bleu(said, [[" ".join(pair[1]) for pair in test]], tokenize="none")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"  test: BLEU {score.score:.2f}, {len(test) / seconds:.0f} sentences a CPU second")
    say(f"  peak memory {peak:.0f} MB")


def _words(source: str, target: str) -> Pair:
    cut = [word for word in rjieba.cut(normalise(source)) if word.strip()]
    return cut, [word.lower() for word in tokenise(normalise(target))]


def _training_pairs(folder: Path) -> Iterator[Pair]:
    with zstandard.open(folder / "train.tsv.zst", "rb") as file:
        rows = [line.rstrip("\n").split("\t") for line in io.TextIOWrapper(file, "utf-8")]
    random.Random(SEED).shuffle(rows)
    cut = (_words(row[0], row[1]) for row in rows)
    fitting = (pair for pair in cut if all(0 < len(side) <= MAX_WORDS for side in pair))
    yield from islice(fitting, NUM_PAIRS)


def _held_out(folder: Path, name: str) -> list[Pair]:
    sides = ((folder / f"{name}.{side}").read_text("utf-8").splitlines() for side in ("zh", "en"))
    return [_words(*lines) for lines in zip(*sides, strict=True)]


def _trained(pairs: list[Pair]) -> SmtModel:
    started = time.process_time()
    aligner = Aligner.train(pairs, AlignmentConfig())
    links = aligner.align_pairs(pairs)
    say(f"  {len(pairs)} pairs linked in {time.process_time() - started:.0f} CPU s")
    started = time.process_time()
    corpus = corpus_of([(*pair, found) for pair, found in zip(pairs, links, strict=True)])
    ids = (corpus.target.ids + FIRST_WORD).astype(np.int32)
    language = train(ids, corpus.target.starts, CONFIG.ngram_order)
    table = build_table(
        corpus, CONFIG.max_words, CONFIG.table_candidates, discounts=CONFIG.discounts
    )
    say(f"  {len(table.scores)} phrase pairs in {time.process_time() - started:.0f} CPU s")
    words = spelled(corpus.source.words), spelled(corpus.target.words)
    return read_model(model_files(table, language, words))


def _tuned(model: SmtModel, dev: list[Pair]) -> Weights:
    def decode(weights: Weights) -> list[list[Candidate]]:
        translator = SmtTranslator(model, weights, CONFIG)
        return [translator.candidates(source, CONFIG.n_best) for source, _ in dev]

    started = time.process_time()
    references = [References([target]) for _, target in dev]
    first = first_weights(lexicalised=CONFIG.lexicalised_reordering)
    rounds = list(tune(decode, references, first, CONFIG.tuning_rounds, CONFIG.seed))
    found = ", ".join(f"{100 * each.bleu:.2f}" for each in rounds)
    say(f"  BLEU of {len(dev)} dev sentences by round: {found}")
    say(f"  tuned in {time.process_time() - started:.0f} CPU s")
    return best_round(rounds).weights
