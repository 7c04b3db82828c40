"""Steps that translate with the system `smt`, and that record what is known of its words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from storage.datasets import ArtifactRef
from storage.records import Slot
from storage.workspace import Workspace
from tasks.metrics.phrase_spans import PhraseSpan, spans_in_reference, spans_in_translation
from tasks.metrics.phrase_use import WORD_MODE, TranslatedSentence, uses
from tasks.metrics.word_classes import classes_of
from tasks.progress import track
from tasks.smt.config import SmtConfig
from tasks.step import step

if TYPE_CHECKING:
    from tasks.smt.translator import SmtTranslator, Word

Row = Mapping[str, Any]
Known = Mapping[str, set[str]]
"""The words of each side."""


@step(writes=("translations",), name="smt-translate")
def smt_translate(
    workspace: Workspace,
    *,
    model: ArtifactRef,
    table: ArtifactRef,
    tagged: ArtifactRef,
    config: SmtConfig,
) -> ArtifactRef:
    """Translate the sentences of a tagged table; phrases that are offered are not looked at.

    Args:
        workspace: where the tables are.
        model: the weights.
        table: the phrase table with the language model.
        tagged: the sentences.
        config: how to search.
    """
    from tasks.smt.model_files import WEIGHTS_FILE, read_model, read_weights
    from tasks.smt.translator import SmtTranslator

    weights = read_weights(workspace.read_bundle(model)[WEIGHTS_FILE])
    translator = SmtTranslator(read_model(workspace.read_bundle(table)), weights, config)
    rows = list(workspace.read_rows(tagged))
    found = (_translated(translator, row) for row in rows)
    return workspace.write_rows("translations", track(found, total=len(rows), unit="sentences"))


def _translated(translator: "SmtTranslator", row: Row) -> dict[str, Any]:
    found = translator.translate(row["source_words"])
    return translation_row(row, [_decision(each) for each in found.words], found.score)


def _decision(word: "Word") -> dict[str, Any]:
    return {
        "word": word.word,
        "mode": "word",
        "slot": WORD_MODE,
        "probability": word.probability,
        "attended": word.start,
    }


def translation_row(row: Row, steps: Sequence[Row], score: float) -> dict[str, Any]:
    """Return the row of a `translations` table of a system that has no phrase memory.

    Args:
        row: the sentence, of a `tagged` table.
        steps: how each word came about.
        score: of the translation.
    """
    words = [each["word"] for each in steps]
    slots = tuple(Slot(**slot) for slot in row["slots"])
    sentence = TranslatedSentence(tuple(words), (WORD_MODE,) * len(words), slots)
    return {
        "sentence_id": row["sentence_id"],
        "source_words": row["source_words"],
        "words": words,
        "score": score,
        "steps": list(steps),
        "slots": row["slots"],
        "uses": list(uses(sentence)),
    }


@step(writes=("records",), name="smt-record")
def smt_record(
    workspace: Workspace,
    *,
    tagged: ArtifactRef,
    translations: ArtifactRef,
    vocabulary: ArtifactRef | None,
) -> ArtifactRef:
    """Record the words of references and translations; there is no attention and no gate.

    Args:
        workspace: where the tables are.
        tagged: the sentences.
        translations: what became of them.
        vocabulary: the words that the networks know, so that the same words count as unknown; None
            where they put words together of smaller units and so know all of them.
    """
    known = _known_words(workspace, vocabulary) if vocabulary else None
    both = zip(workspace.read_rows(tagged), workspace.read_rows(translations), strict=True)
    return workspace.write_rows(
        "records", (made for row, found in both for made in _records(row, found, known))
    )


def _known_words(workspace: Workspace, vocabulary: ArtifactRef) -> Known:
    """Return the words of each side."""
    columns = workspace.read_columns(vocabulary, ["side", "word"])
    known: dict[str, set[str]] = {"source": set(), "target": set()}
    for side, word in zip(columns["side"], columns["word"], strict=True):
        known[side].add(word)
    return known


def _records(row: Row, found: Row, known: Known | None) -> Iterator[dict[str, Any]]:
    if row["source_words"] and row["target_words"]:
        spans = spans_in_reference(row)
        yield _record(row, ("reference", row["target_words"], spans), known)
    if row["source_words"]:
        yield _record(row, ("translation", found["words"], spans_in_translation(found)), known)


def _record(
    row: Row, fed: tuple[str, Sequence[str], list[PhraseSpan]], known: Known | None
) -> dict[str, Any]:
    side, words, spans = fed
    source_known, target_known = (
        [known is None or word in known[which] for word in some]
        for which, some in (("source", row["source_words"]), ("target", words))
    )
    return {
        "sentence_id": row["sentence_id"],
        "side": side,
        "source_words": row["source_words"],
        "source_known": source_known,
        "words": words,
        "classes": classes_of(words, target_known, spans),
        "attention": [],
        "gates": [],
    }
