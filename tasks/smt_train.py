"""Steps that train the system `smt`: a phrase table with a language model, and tuned weights."""

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.workspace import Workspace
from tasks.linked import read_linked
from tasks.mining.extraction import LinkedPair, corpus_of
from tasks.progress import track
from tasks.smt.config import SmtConfig
from tasks.smt_references import references_of
from tasks.step import step

if TYPE_CHECKING:
    from tasks.smt.bleu_counts import References
    from tasks.smt.features import Weights
    from tasks.smt.model_files import SmtModel
    from tasks.smt.translator import Candidate
    from tasks.smt.tuning import Round

log = logging.getLogger(__name__)


@step(writes=("smt_table",), name="smt-table")
def smt_table(
    workspace: Workspace,
    *,
    pairs: tuple[ArtifactRef, ...],
    links: tuple[ArtifactRef, ...],
    config: SmtConfig,
) -> ArtifactRef:
    """Learn phrases and a language model from the linked pairs of all shards.

    Raises:
        InputError: there is no pair.
    """
    from tasks.compiled.arrays import spelled
    from tasks.smt.language_model import FIRST_WORD, train
    from tasks.smt.model_files import model_files
    from tasks.smt.phrase_table import build_table

    linked = _in_order(workspace, pairs, links)
    if not linked:
        raise InputError("No training sentence has words on both sides; there is nothing to learn.")
    corpus = corpus_of(linked)
    target = corpus.target
    language = train((target.ids + FIRST_WORD).astype("int32"), target.starts, config.ngram_order)
    table = build_table(
        corpus, config.max_words, config.table_candidates, discounts=config.discounts
    )
    log.info("%d phrases, %d phrase pairs", len(table.entries) - 1, len(table.scores))
    words = spelled(corpus.source.words), spelled(target.words)
    return workspace.write_bundle("smt_table", model_files(table, language, words))


def _in_order(
    workspace: Workspace, pairs: Sequence[ArtifactRef], links: Sequence[ArtifactRef]
) -> list[LinkedPair]:
    """Read the pairs of all shards in the order of their ids, which no shard can change."""
    found: dict[str, LinkedPair] = {}
    for shard, its_links in zip(pairs, links, strict=True):
        ids = workspace.read_columns(shard, ["pair_id"])["pair_id"]
        found.update(zip(ids, read_linked(workspace, shard, its_links), strict=True))
    return [found[identity] for identity in sorted(found)]


@step(writes=("smt", "tuning_log"), name="smt-tune")
def smt_tune(
    workspace: Workspace,
    *,
    table: ArtifactRef,
    dev: tuple[tuple[ArtifactRef, ArtifactRef], ...],
    config: SmtConfig,
    lowercase: bool,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Tune the weights; returns them, and what each round found.

    Args:
        workspace: where the tables are.
        table: the phrase table with the language model.
        dev: words and lines of each development set; without any the first weights stay.
        config: how to search and to tune.
        lowercase: whether the systems' words are in lower case.
    """
    from tasks.smt.model_files import WEIGHTS_FILE, read_model, weights_bytes
    from tasks.smt.tuning import best_round

    sentences = list(_sentences(workspace, dev, lowercase))[: config.tuning_sentences]
    model = read_model(workspace.read_bundle(table))
    rounds = list(_rounds(model, sentences, config))
    best = best_round(rounds)
    log.info("tuned on %d sentences: round %d is the best", len(sentences), best.number)
    made = workspace.write_bundle(
        "smt", {WEIGHTS_FILE: weights_bytes(best.weights)}, reproducibility="same-machine"
    )
    rows = (
        {
            "round": each.number,
            "bleu": 100 * each.bleu,
            "weights": each.weights.tolist(),
            "chosen": each.number == best.number,
        }
        for each in rounds
    )
    return made, workspace.write_rows("tuning_log", rows)


def _sentences(
    workspace: Workspace, dev: Sequence[tuple[ArtifactRef, ArtifactRef]], lowercase: bool
) -> "Iterator[tuple[list[str], References]]":
    """Yield the words of each sentence of dev that has any, and its references."""
    from tasks.smt.bleu_counts import References

    for words, lines in dev:
        references = references_of(workspace, lines, lowercase)
        for row in workspace.read_rows(words, ["pair_id", "source_words"]):
            if row["source_words"]:
                yield row["source_words"], References(references[row["pair_id"]])


def _rounds(
    model: "SmtModel", sentences: "Sequence[tuple[list[str], References]]", config: SmtConfig
) -> "Iterator[Round]":
    from tasks.smt.features import first_weights
    from tasks.smt.translator import SmtTranslator
    from tasks.smt.tuning import tune

    def decode(weights: "Weights") -> "list[list[Candidate]]":
        translator = SmtTranslator(model, weights, config)
        words = (each for each, _ in sentences)
        return [
            translator.candidates(each, config.n_best)
            for each in track(words, total=len(sentences), unit="sentences")
        ]

    first = first_weights(lexicalised=config.lexicalised_reordering)
    rounds = config.tuning_rounds if sentences else 0
    references: list[Any] = [each for _, each in sentences]
    return tune(decode, references, first, rounds, config.seed)
