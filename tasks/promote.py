"""The step that puts a candidate to the test against the model in production."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.metrics.mteval import bleu_of_sums, count_corpus
from tasks.metrics.significance import compare
from tasks.metrics.values_kept import count_kept
from tasks.promotion.config import GateLimits
from tasks.promotion.finding import Finding
from tasks.promotion.rules import ALL, Share, judge_phrases, judge_test_set, judge_values
from tasks.rules.style import RuleStyle
from tasks.step import step
from tasks.text.detokenise import detokenise

TRIALS = 1000
SEED = 1
Tables = Mapping[str, ArtifactRef]
Rows = list[dict[str, Any]]


@step(writes=("gate_findings",), libraries=("numpy",))
def gate(
    workspace: Workspace,
    *,
    testsets: Mapping[str, Tables],
    known: tuple[Finding, ...],
    limits: GateLimits,
    style: RuleStyle,
) -> ArtifactRef:
    """Judge a candidate: what its translations say, and what is known of it beside them.

    Args:
        workspace: where the tables are.
        testsets: by name the `lines` of a test set and its translations by the `candidate` and,
            where a model is in production, by `production`.
        known: what other rules found already.
        limits: how much worse is bad enough.
        style: where the sources come from.
    """
    measured = (
        finding
        for name, tables in testsets.items()
        if "production" in tables
        for finding in _measured(workspace, name, tables, limits, style)
    )
    return workspace.write_rows("gate_findings", map(asdict, [*known, *measured]))


def _measured(
    workspace: Workspace, name: str, tables: Tables, limits: GateLimits, style: RuleStyle
) -> Iterator[Finding]:
    """Compare the two models on one test set, sentence by sentence."""
    lines = {row["sentence_id"]: row for row in workspace.read_rows(tables["lines"])}
    before, now = (
        list(workspace.read_rows(tables[which], ["sentence_id", "words", "slots", "uses"]))
        for which in ("production", "candidate")
    )
    ids = [row["sentence_id"] for row in now]
    assert [row["sentence_id"] for row in before] == ids, "the models translated other sentences"
    if not ids:
        return
    texts = [[detokenise(row["words"]) for row in rows] for rows in (before, now)]
    streams = list(zip(*(lines[sentence]["references"] for sentence in ids), strict=True))
    corpus = count_corpus(texts, streams, flavour="v13a")
    own, (found,) = compare(
        corpus.counts, lambda sums: bleu_of_sums(sums, "v13a"), trials=TRIALS, seed=SEED
    )
    yield judge_test_set(name, own, found, len(ids), limits)
    yield from judge_phrases(name, _appeared(before), _appeared(now), limits)
    sources = [lines[sentence]["source"] for sentence in ids]
    kept = [_kept(sources, outputs, style) for outputs in texts]
    yield from judge_values(name, kept[0], kept[1], limits)


def _appeared(rows: Rows) -> dict[str, Share]:
    """Count by category the phrases that appear, among those offered."""
    offered: Counter[str] = Counter()
    appeared: Counter[str] = Counter()
    for row in rows:
        for slot, use in zip(row["slots"], row["uses"], strict=True):
            for category in (slot["category"], ALL):
                offered[category] += 1
                appeared[category] += use != "offered"
    return {category: (appeared[category], number) for category, number in offered.items()}


def _kept(sources: list[str], outputs: Iterable[str], style: RuleStyle) -> dict[str, Share]:
    """Count by kind the values that are kept, among those of the sources."""
    counts = count_kept(sources, list(outputs), style)
    return {count.kind or ALL: (count.kept, count.source) for count in counts if count.source}
