"""How long an auditor waits: `audit explain` and `audit trace`, each in a new process, on a memory
of 200,000 phrases and ten million rows of evidence.

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
_NUMBERS = "(SELECT range AS n FROM range({0}))"

PHRASE_ROWS = f"""
SELECT {_HEX.format("n")} AS phrase_id, {_SOURCE} AS source, 'word ' || n AS target,
    'term' AS category, 'mined' AS origin, 'made-up' AS provider, 'active' AS state,
    0.95::DOUBLE AS reliability, 9::BIGINT AS pair_count, 9::BIGINT AS source_count,
    9::BIGINT AS target_count, 9::BIGINT AS "found", 9::BIGINT AS occurrences,
    9::BIGINT AS found_documents, 9::BIGINT AS documents,
    {EVIDENCE_EACH}::BIGINT AS evidence_count, '' AS note
FROM {_NUMBERS.format(PHRASES)} ORDER BY phrase_id
"""
EVIDENCE_ROWS = f"""
SELECT {_HEX.format("n")} AS phrase_id, 'dictionary' AS origin, 'd' || k AS provider,
    ['listed'] AS methods, k::BIGINT AS line, 0::INTEGER AS part, 'term' AS category,
    'CC0-1.0' AS licence, 9::BIGINT AS pair_count, 9::BIGINT AS "found", 9::BIGINT AS occurrences,
    9::BIGINT AS found_documents, 9::BIGINT AS documents, false AS rejects, '' AS author,
    '' AS decided, '' AS reason
FROM {_NUMBERS.format(PHRASES)}, (SELECT range AS k FROM range({EVIDENCE_EACH}))
ORDER BY phrase_id, origin, provider, line, part
"""
_PAIR = f"""
    {_HEX.format("'p' || n")} AS pair_id, 'made-up' AS corpus, 'd' || (n // 50) AS document,
    n::BIGINT AS position"""
COUNT_ROWS = "SELECT 1::BIGINT AS source_key, 1::BIGINT AS target_key, 9::BIGINT AS count"
RAW_ROWS = f"""
SELECT {_PAIR}, 'none.tsv' AS file, n + 1 AS line, '这是' || {_SOURCE} || '。' AS source,
    'This is word ' || n || '.' AS target, 'CC0-1.0' AS licence
FROM {_NUMBERS.format(PAIRS)} ORDER BY pair_id
"""
PAIR_ROWS = f"""
SELECT {_PAIR}, '这是' || {_SOURCE} || '。' AS source, 'This is word ' || n || '.' AS target,
    ['这', '是', {_SOURCE}, '。'] AS source_words,
    ['this', 'is', 'word', n::VARCHAR, '.'] AS target_words,
    []::STRUCT(start INTEGER, "end" INTEGER, source VARCHAR, target VARCHAR, category VARCHAR,
        rule VARCHAR)[] AS rules, 'simplified' AS script, '' AS converter
FROM {_NUMBERS.format(PAIRS)} ORDER BY pair_id
"""
_SLOTS = f"""
    [{{'slot': 0::INTEGER, 'start': 2::INTEGER, 'end': 3::INTEGER, 'source': {_SOURCE},
    'target': 'word ' || n, 'category': 'term', 'origin': 'mined',
    'phrase_id': {_HEX.format("n")}, 'provider': 'made-up', 'target_start': 2::INTEGER,
    'target_end': 4::INTEGER}}] AS slots"""
TAGGED_ROWS = f"""
SELECT {_HEX.format("'p' || n")} AS sentence_id, ['这', '是', {_SOURCE}, '。'] AS source_words,
    ['this', 'is', 'word', n::VARCHAR, '.'] AS target_words, {_SLOTS}
FROM {_NUMBERS.format(PAIRS)} ORDER BY sentence_id
"""
TRANSLATED_ROWS = f"""
SELECT 'test:' || lpad(n::VARCHAR, 8, '0') AS sentence_id,
    ['这', '是', {_SOURCE}, '。'] AS source_words, ['word', n::VARCHAR] AS words,
    0.0::DOUBLE AS score, []::STRUCT(word VARCHAR, mode VARCHAR, slot INTEGER,
        probability DOUBLE, attended INTEGER)[] AS steps, {_SLOTS}, ['produced'] AS uses
FROM {_NUMBERS.format(TRANSLATIONS)} ORDER BY sentence_id
"""
LINE_ROWS = f"""
SELECT 'test:' || lpad(n::VARCHAR, 8, '0') AS sentence_id, 'test' AS testset, n::BIGINT AS position,
    '这是' || {_SOURCE} || '。' AS source, ['This is word ' || n || '.'] AS "references"
FROM {_NUMBERS.format(TRANSLATIONS)} ORDER BY sentence_id
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
        seconds, processor = zip(*(_ask(folder, arguments) for _ in range(ROUNDS)), strict=True)
        figure(title, statistics.median(seconds), "s")
        figure("  processor time", statistics.median(processor), "s")


def _ask(folder: Path, arguments: list[str]) -> tuple[float, float]:
    before, start = os.times(), time.perf_counter()
    answer = subprocess.run(
        [sys.executable, "-m", "flows.cli", "audit", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds, after = time.perf_counter() - start, os.times()
    assert answer.returncode == 0, answer.stderr
    assert len(answer.stdout.splitlines()) > 1, answer.stdout
    used = after.children_user + after.children_system
    return seconds, used - before.children_user - before.children_system


def build(workspace: Workspace) -> dict[str, str]:
    """Make the workspace up; returns what the questions ask for by name."""
    raw = workspace.write_query("raw_pairs", RAW_ROWS, {})
    pairs = workspace.write_query("pairs", PAIR_ROWS, {})
    phrases = workspace.write_query("phrases", PHRASE_ROWS, {})
    counts = workspace.write_query("pair_counts", COUNT_ROWS, {})
    evidence = workspace.write_query("evidence", EVIDENCE_ROWS, {})
    tagged = workspace.write_query("tagged", TAGGED_ROWS, {})
    lines = workspace.write_query("test_lines", LINE_ROWS, {})
    translations = workspace.write_query("translations", TRANSLATED_ROWS, {})
    model = workspace.write_bundle("model", {"weights": b"none"})
    snapshot = Snapshot(phrases, evidence)
    with workspace.lease():
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
        _record(workspace, "translate test made-up", inputs, [translations])
        entry = ModelEntry(
            model.digest, 1, "made-up", snapshot.snapshot_id, key, "2026-01-01T00:00:00+00:00"
        )
        workspace.registry.register(entry)
    sql = "SELECT phrase_id, source FROM phrases WHERE target = 'word 777'"
    (phrase,) = workspace.query(sql, {"phrases": phrases})
    sql = "SELECT pair_id FROM raw_pairs WHERE line = 778"
    (pair,) = workspace.query(sql, {"raw_pairs": raw})
    say(f"  {phrases.rows:,} phrases, {evidence.rows:,} rows of evidence, {pairs.rows:,} pairs")
    return {
        "PHRASE": phrase["source"],
        "PHRASE_ID": phrase["phrase_id"],
        "PAIR_ID": pair["pair_id"],
        "MODEL": model.digest,
    }


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
