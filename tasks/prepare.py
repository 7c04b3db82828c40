"""Steps that make words of raw text and set aside, with a reason, the pairs that are unfit."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import RuleMatch, Span
from storage.workspace import Workspace
from tasks.progress import track
from tasks.recipe import WordRecipe
from tasks.rules.grammar import find
from tasks.step import step
from tasks.text.clean import why_drop, why_drop_text
from tasks.text.config import TextConfig
from tasks.text.english import tokenise
from tasks.text.script import normalise
from tasks.text.segment import Word, segment

log = logging.getLogger(__name__)

IN_TEST_SET = "in_test_set"
"""Why a training pair is dropped that is also in a dev or test set."""


@step(writes=("words",))
def words(workspace: Workspace, *, raw: ArtifactRef, recipe: WordRecipe) -> ArtifactRef:
    """Normalise, find the rules' spans and cut into words, for training pairs and test lines."""
    rows = (_as_pair(row) for row in workspace.read_rows(raw))
    cut = (_cut(row, recipe) for row in rows)
    return workspace.write_rows("words", track(cut, total=raw.rows, unit="pairs"))


def _as_pair(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """See a line of a test set as a pair with its first reference."""
    if "sentence_id" not in row:
        return row
    return {
        "pair_id": row["sentence_id"],
        "corpus": row["testset"],
        "document": "",
        "position": row["position"],
        "source": row["source"],
        "target": row["references"][0],
    }


def _cut(row: Mapping[str, Any], recipe: WordRecipe) -> dict[str, Any]:
    source, target = normalise(row["source"]), normalise(row["target"])
    source_words, rules = chinese_words(source, recipe)
    english = tokenise(target)
    return {
        "pair_id": row["pair_id"],
        "corpus": row["corpus"],
        "document": row["document"],
        "position": row["position"],
        "source": source,
        "target": target,
        "source_words": source_words,
        "target_words": [word.lower() for word in english] if recipe.lowercase else english,
        "rules": rules,
    }


def chinese_words(text: str, recipe: WordRecipe) -> tuple[list[str], list[dict[str, Any]]]:
    """Cut a normalised text into words; also returns what the rules saw, with spans in words."""
    matches = find(text, recipe.style)
    cut = segment(
        text, [Span(match.start, match.end) for match in matches], segmenter=recipe.segmenter
    )
    return [word.text for word in cut], list(_in_words(matches, cut))


def _in_words(matches: Iterable[RuleMatch], cut: list[Word]) -> Iterator[dict[str, Any]]:
    """Give each rule's span in words; its borders are borders of words by construction."""
    starts = {word.start: index for index, word in enumerate(cut)}
    ends = {word.end: index + 1 for index, word in enumerate(cut)}
    for match in matches:
        yield {
            "start": starts[match.start],
            "end": ends[match.end],
            "source": match.source,
            "target": match.target,
            "category": match.category,
            "rule": match.rule,
        }


@step(writes=("pairs", "dropped"))
def clean(
    workspace: Workspace,
    *,
    words: ArtifactRef,
    held_out: tuple[ArtifactRef, ...],
    config: TextConfig,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Keep the pairs that are fit for training; returns them, and the others with their reasons.

    A pair is unfit if either side stands in a test set, as its source or as any of its references.
    """
    held_out_texts = {
        normalise(text)
        for ref in held_out
        for row in workspace.read_rows(ref, ["source", "references"])
        for text in (row["source"], *row["references"])
    }
    kept: list[dict[str, Any]] = []
    dropped: list[dict[str, Any]] = []
    for row in workspace.read_rows(words):
        reason = _why_unfit(row, held_out_texts, config)
        if reason is None:
            kept.append(row)
        else:
            dropped.append({**row, "reason": reason})
    counts = Counter(row["reason"] for row in dropped)
    log.info("kept %d of %d: %s", len(kept), words.rows, dict(sorted(counts.items())))
    return workspace.write_rows("pairs", kept), workspace.write_rows("dropped", dropped)


def _why_unfit(row: Mapping[str, Any], held_out_texts: set[str], config: TextConfig) -> str | None:
    """Say why a pair is unfit for training: one reason, the first that holds."""
    if row["source"] in held_out_texts or row["target"] in held_out_texts:
        return IN_TEST_SET
    return why_drop_text(row["source"], row["target"], config) or why_drop(
        row["source_words"], row["target_words"], config
    )
