"""Take a source, a line or a phrase out of a workspace, and prove that it is gone."""

import contextlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.files import write_bytes
from storage.ledger import LedgerRecord
from storage.lineage import Lineage, artifact_id
from storage.memory import Snapshot
from storage.search import Search
from storage.step_cache import StepCache
from storage.workspace import Workspace
from tasks.audit_tables import inputs_of, raw_tables
from tasks.lineage import withdrawal_queries as asked
from tasks.lineage.withdrawal import Receipt, receipt_text
from tasks.text.overlap import fold
from tasks.tombstones import write_tombstones
from tasks.withdraw_plan import Current, Found, condemned, decisions_of

RECEIPTS = Path("reports") / "receipts"
_PREFECT = "prefect"


@dataclass(frozen=True, slots=True)
class Asked:
    """Who withdraws, and why."""

    author: str
    reason: str


def target_hash(workspace: Workspace, name: str) -> str:
    """Return what the list of tombstones calls something that a person named."""
    return workspace.ledger.keyed_hash(f"withdrawal\0{name}")


def finished_record(workspace: Workspace, name: str) -> int | None:
    """Return the record of the purge of a withdrawal under this name; None if there is none."""
    target = target_hash(workspace, name)
    for record in workspace.ledger.newest_first():
        body = record.body
        if record.kind == "decision" and body["decision"] == "purge" and body["target"] == target:
            return record.sequence
    return None


def begin(
    workspace: Workspace,
    graph: Lineage,
    found: Found,
    asked_by: Asked,
    *,
    named: str,
    cleared: frozenset[str],
) -> LedgerRecord:
    """Write the tombstones and the decision, and take back what would bring the text back.

    That are the text that the aligner was trained on, without which it is trained again, and
    reviewers' decisions that speak of what is withdrawn, which are rewritten without it.
    """
    table = write_tombstones(workspace, found.keys)
    target = target_hash(workspace, named)
    if all((item.target, item.table) != (target, table) for item in workspace.tombstones.all()):
        is_phrase = found.target.kind == "phrase"
        workspace.tombstones.append(target, table, cleared, is_phrase=is_phrase)
    rewritten = [
        (number, workspace.write_rows("decisions", kept))
        for number, kept, _ in decisions_of(workspace, found)
    ]
    tables = workspace.decisions.tables()
    purged = [*_texts_of_aligners(workspace, graph, found), *(tables[n] for n, _ in rewritten)]
    files = [workspace.decisions.path_of(number) for number, _ in rewritten]
    body = {
        "decision": "withdraw",
        "target": target,
        "what": found.target.kind,
        "table": table.to_json(),
        "rewritten": [ref.to_json() for _, ref in rewritten],
        "author": asked_by.author,
        "reason": asked_by.reason,
        "rows": len(found.rows),
        "sentences": len(found.sentences),
        "purged": [ref.to_json() for ref in purged],
        "purged_files": [path.relative_to(workspace.root).as_posix() for path in files],
    }
    record = workspace.ledger.append("decision", body)
    for number, ref in rewritten:
        workspace.decisions.replace(number, ref)
    remove_artifacts(workspace, purged)
    return record


def _texts_of_aligners(workspace: Workspace, graph: Lineage, found: Found) -> list[ArtifactRef]:
    """Return the pairs that aligners were trained on and that hold rows of the target."""
    if not found.pair_ids:
        return []
    trained = {
        ref
        for node in graph.nodes.values()
        if node.kind == "run" and node.detail["step"] == "aligner"
        for ref in inputs_of(node, "pairs")
    }
    return [
        ref
        for ref in raw_tables(graph, workspace, "pairs")
        if ref in trained
        and workspace.query(asked.HOLDS_PAIRS, {"pairs": ref}, {"pair_ids": found.pair_ids})[0][
            "number"
        ]
    ]


def remove_artifacts(workspace: Workspace, refs: Iterable[ArtifactRef]) -> None:
    """Remove artifacts whose removal is recorded, and what the cache knows of them."""
    gone = set(refs)
    for ref in gone:
        shutil.rmtree(workspace.folder_of(ref), ignore_errors=True)
    StepCache(workspace.root).forget(gone)


def mark_models(
    workspace: Workspace, models: Sequence[Mapping[str, Any]], record: LedgerRecord
) -> tuple[str, ...]:
    """Mark models that were trained on something withdrawn; returns their ids."""
    ids = tuple(dict.fromkeys(model["model"] for model in models))
    for model_id in ids:
        workspace.registry.mark(model_id, str(record.body["reason"]), record.sequence, record.time)
    return ids


def to_purge(
    workspace: Workspace,
    graph: Lineage,
    found: Found,
    current: Current,
    phrase_ids: Sequence[str],
    *,
    models: bool,
) -> list[ArtifactRef]:
    """Return the artifacts that hold what was withdrawn and that are not of the new state.

    Those that were made of it, found by lineage; and whatever else holds its text, found by search.

    Args:
        workspace: the workspace, whose memory was rebuilt.
        graph: its lineage, as of now.
        found: what was withdrawn.
        current: what is up to date now.
        phrase_ids: phrases that rested on it.
        models: whether models go, too.
    """
    below = {node.ref: None for node in condemned(graph, found) if node.ref is not None}
    below.update(dict.fromkeys(_aside_of(graph, found)))
    others = {
        node.ref: None
        for node in graph.nodes.values()
        if node.ref is not None and node.ref not in below and node.ref.kind != "model"
    }
    search = search_for(found, phrase_ids)
    holding = [
        ref
        for ref in others
        if ref not in current.refs
        and any(search.is_in_file(path) for path in workspace.folder_of(ref).glob("*"))
    ]
    return [
        ref
        for ref in (*below, *holding)
        if ref not in current.refs and workspace.holds(ref) and (models or ref.kind != "model")
    ]


def _aside_of(graph: Lineage, found: Found) -> list[ArtifactRef]:
    """Return what was set aside by the readings that read the target."""
    runs = [run for ref in found.tables for run in graph.neighbours(artifact_id(ref), "up")]
    refs = [ArtifactRef.from_json(value) for run in runs for value in run.detail["outputs"]]
    return [ref for ref in dict.fromkeys(refs) if ref.kind == "set_aside"]


def search_for(found: Found, phrase_ids: Sequence[str]) -> Search:
    """Return a search for the ids and the sentences of what was withdrawn."""
    texts = [form for sentence in found.sentences for form in sorted(sentence.forms)]
    return Search([*found.pair_ids, *phrase_ids, *texts], fold)


def purge(
    workspace: Workspace, named: str, record: LedgerRecord, refs: Sequence[ArtifactRef]
) -> tuple[str, ...]:
    """Record and remove artifacts, and all passing files that may hold text; returns the latter."""
    files = tuple(path.relative_to(workspace.root).as_posix() for path in _passing(workspace.root))
    body = {
        "decision": "purge",
        "target": target_hash(workspace, named),
        "of_record": record.sequence,
        "author": record.body["author"],
        "reason": record.body["reason"],
        "purged": [ref.to_json() for ref in refs],
        "counts": {"artifacts": len(refs), "files": len(files)},
    }
    workspace.ledger.append("decision", body)
    # What was read goes last: until then a second call finds again what has to go.
    kinds = ("raw_pairs", "entries")
    remove_artifacts(workspace, [ref for ref in refs if ref.kind not in kinds])
    for path in _passing(workspace.root):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    remove_artifacts(workspace, [ref for ref in refs if ref.kind in kinds])
    return files


def _passing(root: Path) -> list[Path]:
    """Return what no result depends on: spilled data, checkpoints, Prefect's store and logs."""
    names = ("tmp", ".partial", "checkpoints", "warehouse/checkpoint", _PREFECT)
    return [root / name for name in names if (root / name).exists()]


def phrase_ids_of(workspace: Workspace, snapshot: Snapshot | None) -> set[str]:
    """Return the ids of all phrases of a snapshot."""
    if snapshot is None or not workspace.holds(snapshot.phrases):
        return set()
    rows = workspace.query(asked.PHRASE_IDS, {"phrases": snapshot.phrases})
    return {row["phrase_id"] for row in rows}


def write_receipt(workspace: Workspace, receipt: Receipt) -> list[Path]:
    """Write a receipt as JSON and as Markdown; returns both files."""
    stem = workspace.root / RECEIPTS / f"withdrawal-{receipt.record:08d}"
    data = json.dumps({**asdict(receipt), "clean": receipt.is_clean}, indent=1, ensure_ascii=False)
    files = {stem.with_suffix(".json"): data + "\n", stem.with_suffix(".md"): receipt_text(receipt)}
    for path, text in files.items():
        write_bytes(path, text.encode("utf-8", "replace"))
    return list(files)


def prove(workspace: Workspace, found: Found, phrase_ids: Sequence[str]) -> dict[str, Any]:
    """Search everything below a workspace for what was withdrawn; returns a receipt's counts.

    Receipts are left out: they name what was withdrawn.
    """
    search = search_for(found, phrase_ids)
    number, holding = search.files_below(workspace.root, but=[workspace.root / RECEIPTS])
    ids = len(found.pair_ids) + len(phrase_ids)
    return {
        "ids_searched": ids,
        "texts_searched": len(search.texts) - ids,
        "files_searched": number,
        "found": tuple(path.relative_to(workspace.root).as_posix() for path in holding),
    }
