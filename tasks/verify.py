"""Check a workspace against its ledger: the chain of records, the bytes of every artifact, and all
that points from one to the other.
"""

from collections.abc import Iterator, Mapping

from storage.datasets import ArtifactRef, artifact_folder
from storage.digests import file_digest
from storage.errors import PhrasenetError, WorkspaceError
from storage.ledger import KEY_MARK, LedgerRecord
from storage.moments import shown
from storage.seals import Seal
from storage.workspace import Workspace
from tasks.history import ACCEPT

_WITHDRAWING = ("withdraw", "purge", "receipt")
_WITHOUT_KEY = "texts that were withdrawn are not recognised without it: restore it from its backup"


def verify_workspace(workspace: Workspace, seals: list[Seal] | None = None) -> list[str]:
    """Say what was changed, lost or reordered, one sentence a finding; empty if all is well.

    Args:
        workspace: the workspace.
        seals: the seals that it must still fit; all of its own if left out.
    """
    records = list(workspace.ledger.readable_records())
    purged = _purged(workspace, records)
    findings = list(workspace.ledger.problems())
    findings += _artifact_findings(workspace, records, purged)
    findings += _code_findings(workspace, records)
    findings += _memory_findings(workspace, records)
    findings += _registry_findings(workspace, records)
    findings += _withdrawal_findings(workspace, records)
    findings += _production_findings(workspace, records)
    findings += _acceptance_findings(records)
    findings += _key_findings(workspace, records)
    checked = workspace.seals.all() if seals is None else seals
    findings += workspace.seals.problems(checked, purged)
    return list(dict.fromkeys(findings))


def _purged(workspace: Workspace, records: list[LedgerRecord]) -> dict[str, int]:
    """Return the files whose absence is recorded, with the newest record that took them out."""
    decisions = [record for record in records if record.kind == "decision"]
    manifests = {
        _manifest(workspace, ArtifactRef.from_json(value)): record.sequence
        for record in decisions
        for value in record.body.get("purged", ())
    }
    files = {
        path: record.sequence
        for record in decisions
        for path in record.body.get("purged_files", ())
    }
    return manifests | files


def _manifest(workspace: Workspace, ref: ArtifactRef) -> str:
    folder = artifact_folder(workspace.root, ref)
    return f"{folder.relative_to(workspace.root).as_posix()}/manifest.json"


def _artifact_findings(
    workspace: Workspace, records: list[LedgerRecord], purged: Mapping[str, int]
) -> Iterator[str]:
    """Say what is broken; what was made again after its removal has to be there again."""
    first: dict[ArtifactRef, int] = {}
    newest: dict[ArtifactRef, int] = {}
    for record in records:
        for value in record.body["outputs"] if record.kind == "run" else _tables(record):
            ref = ArtifactRef.from_json(value)
            first.setdefault(ref, record.sequence)
            newest[ref] = record.sequence
    for ref, sequence in first.items():
        broken = workspace.why_broken(ref)
        if broken is not None and purged.get(_manifest(workspace, ref), -1) < newest[ref]:
            yield f"record {sequence}: {broken}"


def _tables(record: LedgerRecord) -> list[Mapping[str, object]]:
    """Return the tables that a person's decision wrote."""
    if record.kind != "decision":
        return []
    tables = [record.body["table"]] if "table" in record.body else []
    return [*tables, *record.body.get("rewritten", ())]


def _code_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    """Say of which runs it is not known any more what code they ran."""
    digests = {
        record.body["code"]: record.sequence
        for record in records
        if record.kind == "run" and "code" in record.body
    }
    for digest, sequence in digests.items():
        if not workspace.ledger.code(digest):
            yield f"record {sequence}: the functions of code {digest[:12]} are missing or damaged"


def _memory_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    published = {record.body["snapshot"] for record in records if record.kind == "publish"}
    for snapshot_id in sorted(published):
        try:
            workspace.memory.snapshot(snapshot_id)
        except PhrasenetError as error:
            yield str(error)
    try:
        history = workspace.memory.history()
        head = workspace.memory.head()
    except (PhrasenetError, ValueError, TypeError, KeyError) as error:
        yield f"the history of the phrase memory is damaged: {error}"
        return
    if [entry.sequence for entry in history] != list(range(len(history))):
        yield "the history of the phrase memory has a gap"
    for entry in history:
        if entry.snapshot_id not in published:
            yield f"snapshot {entry.snapshot_id} is in the history, but no record publishes it"
    if head is not None and history and head.snapshot_id != history[-1].snapshot_id:
        yield f"HEAD names {head.snapshot_id}, the history ends with {history[-1].snapshot_id}"


def _registry_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    """Say which models do not come from the training that the registry names."""
    trained = {
        (record.body["key"], ArtifactRef.from_json(value).digest)
        for record in records
        if record.kind == "run"
        for value in record.body["outputs"]
        if value["kind"] == "model"
    }
    try:
        entries = workspace.registry.entries()
    except (ValueError, KeyError, TypeError) as error:
        yield f"the registry of models is damaged: {error}"
        return
    for entry in entries:
        if (entry.run_key, entry.model_id) not in trained:
            yield f"model {entry.model_id} is registered, but no recorded training made it"
    cut_short = _cut_short(records)
    listed = {(entry.run_key, entry.model_id) for entry in entries}
    for _, model_id in sorted(trained - listed - cut_short):
        yield f"model {model_id} was trained and recorded, but is not in the registry"


def _withdrawal_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    """Say which withdrawals were interrupted, and which receipts are not as they were recorded."""
    newest = {
        record.body["target"]: record
        for record in records
        if record.kind == "decision" and record.body["decision"] in _WITHDRAWING
    }
    for record in sorted(newest.values(), key=lambda record: record.sequence):
        if record.body["decision"] != "receipt":
            yield (
                f"record {record.sequence}: a withdrawal was interrupted and has no receipt; give "
                "`phrasenet audit withdraw` again with the same name, which completes it"
            )
    for record in records:
        if record.kind == "decision" and record.body["decision"] == "receipt":
            path = workspace.root / record.body["receipt"]
            if not path.is_file():
                yield f"record {record.sequence}: its receipt {path} is missing"
            elif file_digest(path) != record.body["content"]:
                yield f"record {record.sequence}: its receipt {path} was changed"


def _cut_short(records: list[LedgerRecord]) -> set[tuple[str, str]]:
    """Return the models of flow runs that have no end, or a bad one: these died, or were stopped,
    before they could enter a model into the registry.
    """
    begun = {record.body["flow_run"] for record in records if record.kind == "flow"}
    ended = {
        record.body["flow_run"]
        for record in records
        if record.kind == "end" and record.body["outcome"] == "completed"
    }
    return {
        (record.body["key"], value["digest"])
        for record in records
        if record.kind == "run" and record.body.get("flow_run") in begun - ended
        for value in record.body["outputs"]
        if value["kind"] == "model"
    }


def _acceptance_findings(records: list[LedgerRecord]) -> Iterator[str]:
    """Say which accepted results no recorded run made."""
    keys = {record.body["key"] for record in records if record.kind == "run"}
    for record in records:
        if record.kind == "decision" and record.body["decision"] == ACCEPT:
            for call in record.body["calls"]:
                if call["of"] not in keys:
                    yield (
                        f"record {record.sequence}: the result of {call['label']!r} was accepted "
                        "as unchanged, and no recorded run made it"
                    )


def _key_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    """Say whether the key is another one than the keyed hashes were made with."""
    marks = {
        record.body[KEY_MARK]: record.sequence for record in records if KEY_MARK in record.body
    }
    # Records of earlier versions have no mark; a withdrawal needs the key all the same.
    is_needed = marks or any(record.body.get("decision") in _WITHDRAWING for record in records)
    if not workspace.ledger.has_key():
        if is_needed:
            yield f"ledger/key is missing; {_WITHOUT_KEY}"
        return
    try:
        mark = workspace.ledger.key_mark()
    except (WorkspaceError, OSError) as error:
        yield f"ledger/key cannot be used: {error}"
        return
    for known, sequence in marks.items():
        if known != mark:
            yield f"record {sequence} was made with another ledger/key; {_WITHOUT_KEY}"


def _production_findings(workspace: Workspace, records: list[LedgerRecord]) -> Iterator[str]:
    """Say which changes of the model in production no decision of the ledger stands behind."""
    decided = {item.sequence: item.body for item in records if item.kind == "decision"}
    try:
        history = workspace.production.history()
    except PhrasenetError as error:
        yield str(error)
        return
    if [entry.sequence for entry in history] != list(range(len(history))):
        yield "the history of the model in production has a gap"
    for entry in history:
        body = decided.get(entry.record, {})
        if not body or (entry.model_id and body.get("model") != entry.model_id):
            model, when = entry.model_id or "none", shown(entry.time)
            yield f"no decision put model {model} into production ({when})"
