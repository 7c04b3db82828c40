"""Take one law out of a memory of 20,000 pairs of laws, with figures only.

`python -m benchmarks.withdrawal LAWS DIR` reads LAWS/train.tsv.zst (source, target, document) and
LAWS/dev.zh and dev.en, refreshes a memory in DIR, and withdraws a law for which alone some phrases
speak from a copy of it. Then the law is given again as a file of its own. No sentence is printed.
"""

import argparse
import itertools
import shutil
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.measuring import say
from benchmarks.withdrawal_reasons import say_why_gone, say_why_taken_in
from flows.driver import step_window
from flows.pipeline import refresh
from flows.settings import load_settings
from flows.withdraw import plan_withdrawal, withdraw
from flows.workspaces import current_pairs
from storage.lineage import lineage_of
from storage.workspace import Elsewhere, Workspace, open_workspace
from tasks.audit_tables import training_pairs
from tasks.corpus_queries import corpus_stats
from tasks.lineage.withdrawal import Receipt
from tasks.observer import Silent
from tasks.readers.lines import read_lines
from tasks.run import Run
from tasks.verify import verify_workspace
from tasks.withdraw import Asked

PAIRS = 20_000
SETTINGS = """[[corpus]]
name = "laws"
path = "laws.tsv"
columns = ["source", "target", "document"]
licence = "OGDL-Taiwan-1.0"

[[testset]]
name = "laws-dev"
source = "dev.zh"
references = ["dev.en"]
role = "dev"

[text]
max_words = 50

[rules]
region = "taiwan"

[memory]
min_reliability = 0.8
count_by = "sentences"                # so that one law alone can speak for a phrase

[execution]
shards = 4
"""
AGAIN = """
[[corpus]]
name = "again"
path = "again.tsv"
columns = ["source", "target", "document"]
licence = "OGDL-Taiwan-1.0"
"""

ALONE = """
SELECT any_value(document) AS document, COUNT(*) AS phrases
FROM phrases JOIN pairs
    ON contains(replace(pairs.source, ' ', ''), phrases.source)
    AND contains(' ' || array_to_string(target_words, ' ') || ' ', ' ' || phrases.target || ' ')
WHERE state = 'active' AND origin = 'mined' AND source_count BETWEEN 2 AND 8
GROUP BY phrase_id
HAVING COUNT(DISTINCT document) = 1
"""
"""Phrases that one law alone holds, with the law."""


class _Told(Silent):
    def note(self, text: str) -> None:
        """Print what a person is told."""
        say(f"  told: {text}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("laws", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    whole = options.folder / "whole"
    _prepare(options.laws, whole)
    workspace, seconds, counts = _refresh(whole)
    say(f"first refresh: {seconds:,.0f} s, {counts['computed']} steps computed")
    law = _law(workspace)
    copy = options.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(whole, copy)
    _withdraw(copy, law)
    _give_again(copy, law)


def _prepare(laws: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "phrasenet.toml").write_text(SETTINGS, encoding="utf-8")
    lines = (text for _, text in read_lines(laws / "train.tsv.zst"))
    text = "".join(f"{line}\n" for line in itertools.islice(lines, PAIRS))
    (folder / "laws.tsv").write_text(text, encoding="utf-8")
    for name in ("dev.zh", "dev.en"):
        shutil.copy(laws / name, folder / name)


def _refresh(folder: Path) -> tuple[Workspace, float, Mapping[str, int]]:
    settings = load_settings(folder / "phrasenet.toml")
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    start = time.perf_counter()
    with workspace.lease():
        run = Run(workspace, step_window(None, None), observer=_Told())
        refresh(run, settings)
    return workspace, time.perf_counter() - start, run.counts


def _law(workspace: Workspace) -> str:
    """Choose the law that alone speaks for most phrases."""
    head = workspace.memory.head()
    assert head is not None
    pairs = training_pairs(lineage_of(workspace), head, workspace)
    found: Counter[str] = Counter()
    for row in workspace.query(ALONE, {"phrases": head.phrases, "pairs": pairs}):
        found[row["document"]] += 1
    return found.most_common(1)[0][0]


def _withdraw(folder: Path, law: str) -> None:
    settings = load_settings(folder / "phrasenet.toml")
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    known = {path.name for path in (workspace.root / "warehouse" / "words").iterdir()}
    start = time.perf_counter()
    computed: Counter[str] = Counter()

    def rebuild() -> Mapping[str, Any]:
        run = Run(workspace, step_window(None, None), observer=_Told())
        first = (workspace.ledger.last() or _missing()).sequence
        refresh(run, settings)
        computed.update(
            record.body["step"]
            for record in workspace.ledger.records()
            if record.kind == "run" and record.sequence > first
        )
        return run.counts

    before = _phrases_of(folder.parent / "whole")
    with workspace.lease():
        planned = plan_withdrawal(settings, workspace, f"laws:{law}")
        plan_seconds = time.perf_counter() - start
        receipt, _ = withdraw(planned, Asked("benchmark", "a benchmark"), rebuild)
    plan = planned.plan
    say(f"plan: {plan_seconds:,.0f} s; {plan.rows:,} pairs")
    say(f"  sentences that may not come back: {plan.sentences:,}")
    say(f"  sentences that others hold, too, and that stay: {plan.boilerplate:,}")
    say(f"  phrases that rest on it alone: {plan.phrases:,}")
    say(f"withdrawal: {time.perf_counter() - start:,.0f} s with plan and proof")
    _print_receipt(receipt, computed)
    say_why_gone(workspace, settings.memory, before, receipt.phrases)
    words = {path.name for path in (workspace.root / "warehouse" / "words").iterdir()}
    say(f"  shards of words kept as they were: {len(known & words):,} of {len(known):,}")
    say(f"  verify: {len(verify_workspace(workspace)):,} findings")


def _phrases_of(folder: Path) -> Elsewhere:
    """Return the phrases of a project that is left as it is."""
    workspace = open_workspace(load_settings(folder / "phrasenet.toml").workspace_path)
    head = workspace.memory.head()
    assert head is not None
    return Elsewhere(workspace.root, head.phrases)


def _missing() -> Any:
    raise AssertionError("the ledger is empty")


def _print_receipt(receipt: Receipt, computed: Counter[str]) -> None:
    say(f"  rebuilt {receipt.rebuilt['computed']:,} steps, reused {receipt.rebuilt['reused']:,}: ")
    say("  " + ", ".join(f"{name} {number}" for name, number in sorted(computed.items())))
    say(f"  phrases that are gone: {len(receipt.phrases):,}")
    say(
        f"  artifacts removed: {len(receipt.removed):,}; files searched: {receipt.files_searched:,}"
    )
    say(f"  ids and texts searched: {receipt.ids_searched:,} and {receipt.texts_searched:,}")
    say(f"  files that still hold some of it: {len(receipt.found):,}")


def _give_again(folder: Path, law: str) -> None:
    lines = (folder / "laws.tsv").read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if line.split("\t")[2] == law]
    (folder / "again.tsv").write_text("".join(f"{line}\n" for line in own), encoding="utf-8")
    path = folder / "phrasenet.toml"
    path.write_text(path.read_text(encoding="utf-8") + AGAIN, encoding="utf-8")
    workspace, _, _ = _refresh(folder)
    for row in corpus_stats(*current_pairs(path)):
        if row["corpus"] == "again":
            say(f"  the file given again, {row['outcome']}: {row['pairs']:,}")
    others = [text for line in lines if line.split("\t")[2] != law for text in line.split("\t")[:2]]
    for name in ("dev.zh", "dev.en"):
        others += (folder / name).read_text(encoding="utf-8").splitlines()
    say_why_taken_in(workspace, others)


if __name__ == "__main__":
    main()
