"""The step that reads the terms of a test set, and what was made of them in an output."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.metrics.bleu import Score
from tasks.metrics.terminology import Term, TermMatch, term_scores, terminology
from tasks.readers.lines import Encoding
from tasks.readers.term_lists import read_term_sets
from tasks.step import step


@step(writes=("test_terms",), name="test-terms")
def test_set_terms(
    workspace: Workspace, *, file: SourceFile, lines: ArtifactRef, encoding: Encoding
) -> ArtifactRef:
    """Read the terms that each sentence of a test set holds.

    Raises:
        InputError: the file holds no terms, or terms for another number of sentences.
    """
    sentences = list(workspace.read_rows(lines))
    count = max(row["position"] for row in sentences) + 1
    sets = read_term_sets(file.path, count, encoding)
    return workspace.write_rows("test_terms", _rows(sets, sentences))


def _rows(
    sets: Mapping[str, Sequence[Sequence[Term]]], sentences: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    for dictionary, segments in sets.items():
        for row in sentences:
            text = row["source"].lower()
            for part, term in enumerate(segments[row["position"]]):
                if term.source.lower() in text:
                    yield {
                        "dictionary": dictionary,
                        "sentence_id": row["sentence_id"],
                        "part": part,
                        "source": term.source,
                        "targets": list(term.targets),
                    }


def scores_of_terms(
    rows: Iterable[Mapping[str, Any]],
    sentences: Sequence[Mapping[str, Any]],
    outputs: Sequence[str],
    match: TermMatch = "substring",
) -> list[tuple[Score, int]]:
    """Score the terms of each dictionary in an output.

    Args:
        rows: rows of `test_terms`.
        sentences: rows of `test_lines`.
        outputs: translation of each sentence.
        match: how translations are looked for.

    Returns:
        Each score with the number of sentences that it rests on.
    """
    found: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        term = Term(row["source"], tuple(row["targets"]))
        found[row["dictionary"]][row["sentence_id"]].append(term)
    sources = [row["source"] for row in sentences]
    streams = list(zip(*(row["references"] for row in sentences), strict=True))
    made: list[tuple[Score, int]] = []
    for dictionary, by_sentence in found.items():
        each = [by_sentence.get(row["sentence_id"], []) for row in sentences]
        scored = terminology(sources, outputs, streams, each, match)
        made += [
            (score, scored.segments_with_terms) for score in term_scores(scored, dictionary, match)
        ]
    return made
