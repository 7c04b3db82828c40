"""How long an auditor waits: `audit explain`, `trace` and `impact`, each in a new process, on a
memory of 200,000 phrases and ten million rows of evidence.

The workspace is made up, by the same functions that write a real one: a corpus of 200,000 pairs,
tagged, a model trained on it, and 2,000 translations. `python -m benchmarks audit` prints figures.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import figure, say
from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.registry import ModelEntry
from storage.workspace import Workspace, open_workspace

PHRASES = 200_000
EVIDENCE_EACH = 50
PAIRS = 200_000
TRANSLATIONS = 2_000
ROUNDS = 5
SETTINGS = """[[corpus]]
name = "made-up"
path = "none.tsv"
licence = "CC0-1.0"
"""

_HEX = "substr(md5({0}::VARCHAR), 1, 24)"
_LETTER = "chr((20000 + ({0}) % 10000)::INTEGER)"
_SOURCE = f"{_LETTER.format('n // 10000')} || '词' || {_LETTER.format('n')}"
_NUMBERS = "(SELECT range AS n FROM range($rows))"

PHRASE_ROWS = f"""
SELECT {_HEX.format("n")} AS phrase_id, {_SOURCE} AS source, 'word ' || n AS target,
    'term' AS category, 'mined' AS origin, 'made-up' AS provider, 'active' AS state,
    0.95::DOUBLE AS reliability, 9::BIGINT AS pair_count, 9::BIGINT AS source_count,
    9::BIGINT AS target_count, 9::BIGINT AS "found", 9::BIGINT AS occurrences,
    9::BIGINT AS found_documents, 9::BIGINT AS documents,
    $each::BIGINT AS evidence_count, '' AS note
FROM {_NUMBERS} ORDER BY phrase_id
"""
EVIDENCE_ROWS = f"""
SELECT {_HEX.format("n")} AS phrase_id, 'dictionary' AS origin, 'd' || k AS provider,
    ['listed'] AS methods, k::BIGINT AS line, 0::INTEGER AS part, 'term' AS category,
    'CC0-1.0' AS licence, 9::BIGINT AS pair_count, 9::BIGINT AS "found", 9::BIGINT AS occurrences,
    9::BIGINT AS found_documents, 9::BIGINT AS documents, false AS rejects, '' AS author,
    '' AS decided, '' AS reason
FROM {_NUMBERS}, (SELECT range AS k FROM range($each))
ORDER BY phrase_id, origin, provider, line, part
"""
_PAIR = f"""
    {_HEX.format("'p' || n")} AS pair_id, 'made-up' AS corpus, 'd' || (n // 50) AS document,
    n::BIGINT AS position"""
COUNT_ROWS = "SELECT 1::BIGINT AS source_key, 1::BIGINT AS target_key, 9::BIGINT AS count"
RAW_ROWS = f"""
SELECT {_PAIR}, 'none.tsv' AS file, n + 1 AS line, '这是' || {_SOURCE} || '。' AS source,
    'This is word ' || n || '.' AS target, 'CC0-1.0' AS licence
FROM {_NUMBERS} ORDER BY pair_id
"""
PAIR_ROWS = f"""
SELECT {_PAIR}, '这是' || {_SOURCE} || '。' AS source, 'This is word ' || n || '.' AS target,
    ['这', '是', {_SOURCE}, '。'] AS source_words,
    ['this', 'is', 'word', n::VARCHAR, '.'] AS target_words,
    []::STRUCT(start INTEGER, "end" INTEGER, source VARCHAR, target VARCHAR, category VARCHAR,
        rule VARCHAR)[] AS rules, 'simplified' AS script, '' AS converter
FROM {_NUMBERS} ORDER BY pair_id
"""
_SLOTS = f"""
    [{{'slot': 0::INTEGER, 'start': 2::INTEGER, 'end': 3::INTEGER, 'source': {_SOURCE},
    'target': 'word ' || n, 'category': 'term', 'origin': 'mined',
    'phrase_id': {_HEX.format("n")}, 'provider': 'made-up', 'target_start': 2::INTEGER,
    'target_end': 4::INTEGER}}] AS slots"""
TAGGED_ROWS = f"""
SELECT {_HEX.format("'p' || n")} AS sentence_id, ['这', '是', {_SOURCE}, '。'] AS source_words,
    ['this', 'is', 'word', n::VARCHAR, '.'] AS target_words, {_SLOTS}
FROM {_NUMBERS} ORDER BY sentence_id
"""
TRANSLATED_ROWS = f"""
SELECT 'test:' || lpad(n::VARCHAR, 8, '0') AS sentence_id,
    ['这', '是', {_SOURCE}, '。'] AS source_words, ['word', n::VARCHAR] AS words,
    0.0::DOUBLE AS score, []::STRUCT(word VARCHAR, mode VARCHAR, slot INTEGER,
        probability DOUBLE, attended INTEGER)[] AS steps, {_SLOTS}, ['produced'] AS uses
FROM {_NUMBERS} ORDER BY sentence_id
"""
LINE_ROWS = f"""
SELECT 'test:' || lpad(n::VARCHAR, 8, '0') AS sentence_id, 'test' AS testset, n::BIGINT AS position,
    '这是' || {_SOURCE} || '。' AS source, ['This is word ' || n || '.'] AS "references"
FROM {_NUMBERS} ORDER BY sentence_id
"""
QUESTIONS = {
    "explain a phrase": ("explain", "PHRASE"),
    "explain an id": ("explain", "PHRASE_ID"),
    "trace a phrase": ("trace", "PHRASE_ID"),
    "trace a phrase down": ("trace", "PHRASE_ID", "--down"),
    "trace a pair": ("trace", "PAIR_ID"),
    "trace a pair down": ("trace", "PAIR_ID", "--down"),
    "trace a sentence down": ("trace", "test:00000777", "--down"),
    "trace a model": ("trace", "MODEL"),
    "impact of a source": ("impact", "made-up"),
    "impact of a phrase": ("impact", "PHRASE"),
    "impact of a line": ("impact", "made-up:none.tsv:778"),
}


def run() -> None:
    """Print how long each question takes, with the start of the process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "phrasenet.toml").write_text(SETTINGS, encoding="utf-8")
        start = time.perf_counter()
        names = build(open_workspace(folder / "workspace"))
        figure("make the workspace up", time.perf_counter() - start, "s")
        ask_all(folder, names)


def ask_all(folder: Path, names: Mapping[str, str]) -> None:
    """Print the time of each question, with the processor time of all its threads."""
    for title, question in QUESTIONS.items():
        arguments = [names.get(item, item) for item in question]
        _ask(folder, arguments)  # the first one leaves byte code for the others
        seconds, processor = zip(*(_ask(folder, arguments) for _ in range(ROUNDS)), strict=True)
        figure(title, statistics.median(seconds), "s")
        figure("  slowest", max(seconds), "s")
        figure("  processor time", statistics.median(processor), "s")


def _ask(folder: Path, arguments: list[str]) -> tuple[float, float]:
    before, start = os.times(), time.perf_counter()
    answer = subprocess.run(
        [sys.executable, "-m", "flows.cli", "audit", *arguments],
        cwd=folder,
        env=_surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )
    seconds, after = time.perf_counter() - start, os.times()
    assert answer.returncode == 0, answer.stderr
    assert len(answer.stdout.splitlines()) > 1, answer.stdout
    used = after.children_user + after.children_system
    return seconds, used - before.children_user - before.children_system


def _surroundings() -> dict[str, str]:
    """Return an environment in which Python keeps byte code, as it does where it is installed."""
    ours = {"PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONDONTWRITEBYTECODE": ""}
    return {**os.environ, **ours}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is made up; at least 1,000 of each, but for the evidence."""

    phrases: int = PHRASES
    evidence_each: int = EVIDENCE_EACH
    pairs: int = PAIRS
    translations: int = TRANSLATIONS


def build(workspace: Workspace, size: Size = Size()) -> dict[str, str]:  # noqa: B008 - frozen
    """Make the workspace up; returns what the questions ask for by name."""
    made = _tables(workspace, size)
    model = workspace.write_bundle("model", {"weights": b"none"})
    snapshot = Snapshot(made["phrases"], made["evidence"])
    with workspace.lease():
        key = _record_all(workspace, made, snapshot, model)
        entry = ModelEntry(
            model.digest, 1, "made-up", snapshot.snapshot_id, key, "2026-01-01T00:00:00+00:00"
        )
        workspace.registry.register(entry)
    sql = "SELECT phrase_id, source FROM phrases WHERE target = 'word 777'"
    (phrase,) = workspace.query(sql, {"phrases": made["phrases"]})
    sql = "SELECT pair_id FROM raw_pairs WHERE line = 778"
    (pair,) = workspace.query(sql, {"raw_pairs": made["raw_pairs"]})
    counts = ", ".join(f"{made[name].rows:,} {name}" for name in ("phrases", "evidence", "pairs"))
    say(f"  rows: {counts}")
    return {
        "PHRASE": phrase["source"],
        "PHRASE_ID": phrase["phrase_id"],
        "PAIR_ID": pair["pair_id"],
        "MODEL": model.digest,
    }


def _tables(workspace: Workspace, size: Size) -> dict[str, ArtifactRef]:
    of_pairs, of_tests = {"rows": size.pairs}, {"rows": size.translations}
    of_phrases = {"rows": size.phrases, "each": size.evidence_each}
    queries: dict[str, tuple[str, dict[str, int]]] = {
        "raw_pairs": (RAW_ROWS, of_pairs),
        "pairs": (PAIR_ROWS, of_pairs),
        "phrases": (PHRASE_ROWS, of_phrases),
        "pair_counts": (COUNT_ROWS, {}),
        "evidence": (EVIDENCE_ROWS, of_phrases),
        "tagged": (TAGGED_ROWS, of_pairs),
        "test_lines": (LINE_ROWS, of_tests),
        "translations": (TRANSLATED_ROWS, of_tests),
    }
    return {
        kind: workspace.write_query(kind, sql, {}, parameters)
        for kind, (sql, parameters) in queries.items()
    }


def _record_all(
    workspace: Workspace, made: Mapping[str, ArtifactRef], snapshot: Snapshot, model: ArtifactRef
) -> str:
    """Record who made what; returns the key of the training."""
    raw, pairs, phrases, tagged = (
        made[kind] for kind in ("raw_pairs", "pairs", "phrases", "tagged")
    )
    lines, counts, evidence = (made[kind] for kind in ("test_lines", "pair_counts", "evidence"))
    _record(workspace, "ingest made-up", {"parts": [[{"file": "f" * 32}]]}, [raw])
    _record(workspace, "testset test", {"source": {"file": "e" * 32}}, [lines])
    _record(workspace, "clean made-up 1/1", _inputs(words=raw), [pairs])
    _record(workspace, "mine made-up 1/1", _inputs(pairs=pairs), [counts])
    _record(workspace, "collect", _inputs(counts=counts), [phrases, evidence])
    workspace.ledger.append("publish", {"snapshot": snapshot.snapshot_id, "flow_run": ""})
    workspace.memory.publish(snapshot, reason="made up")
    _record(workspace, "tag made-up 1/1", _inputs(shard=pairs, memory=phrases), [tagged])
    key = _record(workspace, "train made-up", _inputs(tagged=tagged), [model])
    inputs = _inputs(model=model, tagged=lines)
    _record(workspace, "translate test made-up", inputs, [made["translations"]])
    return key


def _inputs(**refs: ArtifactRef) -> dict[str, Any]:
    return {name: {"artifact": ref.to_json()} for name, ref in refs.items()}


def _record(
    workspace: Workspace, label: str, inputs: Mapping[str, Any], outputs: list[ArtifactRef]
) -> str:
    step = label.partition(" ")[0]
    key = f"{workspace.ledger.keyed_hash(label)[:32]}"
    body = {
        "step": step,
        "label": label,
        "key": key,
        "code": "0" * 32,
        "settings": {},
        "inputs": dict(inputs),
        "versions": {},
        "schemas": {},
        "outputs": [ref.to_json() for ref in outputs],
        "flow_run": "",
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 0.0,
        "healed": False,
    }
    workspace.ledger.append("run", body)
    return key
