"""Take a source, a line or a phrase out of a workspace, and prove that it is gone."""

import contextlib
import datetime
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.digests import file_digest
from storage.ledger import KEY_MARK, LedgerRecord
from storage.lineage import Lineage, artifact_id
from storage.memory import Snapshot
from storage.mirror import mirror_of
from storage.search import Search
from storage.sharing import remove
from storage.step_cache import StepCache
from storage.workspace import Workspace
from tasks.audit_tables import inputs_of, raw_tables
from tasks.lineage import withdrawal_queries as asked
from tasks.lineage.withdrawal import Receipt
from tasks.rewriting import rewritings, rewritten_run
from tasks.text.overlap import fold
from tasks.tombstones import write_tombstones
from tasks.withdraw_plan import Current, Found, condemned
from tasks.withdraw_state import RECEIPTS, memo_of, receipt_stem, remember, target_hash

_PREFECT = "prefect"
_READ = ("raw_pairs", "entries")
"""Kinds of tables that hold what was read: by them a second call finds the target."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who withdraws, and why."""

    author: str
    reason: str


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
        (item, workspace.write_rows(item.before.kind, item.rows))
        for item in rewritings(workspace, found)
    ]
    purged = [*_texts_of_aligners(workspace, graph, found), *(item.before for item, _ in rewritten)]
    body = {
        "decision": "withdraw",
        "target": target,
        KEY_MARK: workspace.ledger.key_mark(),
        "what": found.target.kind,
        "table": table.to_json(),
        "rewritten": [ref.to_json() for _, ref in rewritten],
        "author": asked_by.author,
        "reason": asked_by.reason,
        "rows": len(found.rows),
        "sentences": len(found.sentences),
        "purged": [ref.to_json() for ref in purged],
        "purged_files": [_below(workspace, item.path) for item, _ in rewritten],
    }
    remember(workspace, target, found.phrase_ids)
    record = workspace.ledger.append("decision", body)
    for item, ref in rewritten:
        for run in _runs_of(graph, item.before):
            workspace.ledger.append("run", rewritten_run(run, item.before, ref))
        item.log.replace(item.number, ref)
    remove_artifacts(workspace, purged)
    return record


def _runs_of(graph: Lineage, ref: ArtifactRef) -> list[Mapping[str, Any]]:
    """Return the records of the runs that made something."""
    above = graph.neighbours(artifact_id(ref), "up")
    return [node.detail for node in above if node.kind == "run"]


def _below(workspace: Workspace, path: Path) -> str:
    return path.relative_to(workspace.root).as_posix()


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
    remove(workspace.root, gone)
    StepCache(workspace.root).forget(gone)


Demote = Callable[[Workspace, Sequence[str], LedgerRecord], Sequence[str]]
"""Takes production from those of some models that have it; returns their ids."""


def keep_production(
    workspace: Workspace, model_ids: Sequence[str], record: LedgerRecord
) -> Sequence[str]:
    """Take production from none: `promotion.demote_withdrawn` is not set."""
    return ()


def take_production(
    workspace: Workspace, model_ids: Sequence[str], record: LedgerRecord
) -> Sequence[str]:
    """Take production from the model that has it, if it is one of some."""
    current = workspace.production.current()
    if current is None or current not in model_ids:
        return ()
    workspace.production.demote(str(record.body["reason"]), record.sequence)
    return (current,)


def mark_models(
    workspace: Workspace,
    models: Sequence[Mapping[str, Any]],
    record: LedgerRecord,
    demote: Demote,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Mark models that were trained on something withdrawn.

    Args:
        workspace: the workspace.
        models: the models.
        record: the decision to withdraw.
        demote: takes production from them if the settings ask for it.

    Returns:
        The ids of the models, and of those that lost production.
    """
    ids = tuple(dict.fromkeys(model["model"] for model in models))
    for model_id in ids:
        workspace.registry.mark(model_id, str(record.body["reason"]), record.sequence, record.time)
    return ids, tuple(demote(workspace, ids, record))


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
    rewritten = set(workspace.translations.tables())  # they were written again without it
    search = search_for(found, phrase_ids)
    holding = [
        ref
        for ref in others
        if ref not in current.refs
        and ref not in rewritten
        and any(search.is_in_file(path) for path in workspace.folder_of(ref).glob("*"))
    ]
    return [
        ref
        for ref in (*below, *holding)
        if ref not in current.refs
        and ref not in rewritten
        and workspace.holds(ref)
        and (models or ref.kind != "model")
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
    """Record what goes, and remove it and all passing files that may hold text; returns the latter.

    What was read goes last, by `finish`: until then a second call finds again what has to go.
    """
    files = tuple(_below(workspace, path) for path in _passing(workspace.root))
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
    remove_artifacts(workspace, [ref for ref in refs if ref.kind not in _READ])
    for path in _passing(workspace.root):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
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


def finish(
    workspace: Workspace, named: str, receipt: Receipt, refs: Iterable[ArtifactRef]
) -> LedgerRecord:
    """Remove what was read, and record the receipt: only now the withdrawal is done.

    Args:
        workspace: the workspace.
        named: what was withdrawn, as the person named it.
        receipt: the receipt, which was written already.
        refs: all that the withdrawal removes.
    """
    remove_artifacts(workspace, [ref for ref in refs if ref.kind in _READ])
    path = receipt_stem(workspace, receipt.record).with_suffix(".json")
    body: dict[str, Any] = {
        "decision": "receipt",
        "target": target_hash(workspace, named),
        "of_record": receipt.record,
        "author": receipt.author,
        "receipt": _below(workspace, path),
        "content": file_digest(path),
        "clean": receipt.is_clean,
    }
    record = workspace.ledger.append("decision", body)
    memo_of(workspace, body["target"]).unlink(missing_ok=True)
    return record


def prove(
    workspace: Workspace, found: Found, phrase_ids: Sequence[str], going: Iterable[ArtifactRef]
) -> dict[str, Any]:
    """Search everything below a workspace for what was withdrawn; returns a receipt's counts.

    Receipts are left out: they name what was withdrawn. So is what `finish` removes at once.
    """
    search = search_for(found, phrase_ids)
    last = [workspace.folder_of(ref) for ref in going if ref.kind in _READ]
    number, holding = search.files_below(workspace.root, but=[workspace.root / RECEIPTS, *last])
    ids = len(found.pair_ids) + len(phrase_ids)
    return {
        "ids_searched": ids,
        "texts_searched": len(search.texts) - ids,
        "files_searched": number,
        "found": tuple(_below(workspace, path) for path in holding),
        **_without_strays(workspace, search),
    }


def _without_strays(workspace: Workspace, search: Search) -> dict[str, int]:
    """Remove from the bucket of a workspace what its index does not name and holds some of it.

    Whatever their age: the caller holds the lease, so nobody else writes.
    """
    mirror = mirror_of(workspace.root)
    if mirror is None:
        return {"objects_searched": 0, "objects_removed": 0}
    strays = mirror.strays(datetime.datetime.max.replace(tzinfo=datetime.UTC))
    holding = []
    with workspace.scratch() as folder:
        for item in strays:
            copy = folder / Path(item.path).name
            copy.write_bytes(mirror.read_stray(item.path))
            if search.is_in_file(copy):
                holding.append(item.path)
            copy.unlink()
    mirror.remove_strays(holding)
    return {"objects_searched": len(strays), "objects_removed": len(holding)}
