"""Check a workspace against its ledger: the chain of records, and the bytes of every artifact."""

from storage.datasets import ArtifactRef
from storage.workspace import Workspace


def verify_workspace(workspace: Workspace) -> list[str]:
    """Say what was changed, lost or reordered, one sentence a finding; empty if all is well."""
    findings = list(workspace.ledger.problems())
    recorded = {
        ArtifactRef.from_json(output): record.sequence
        for record in workspace.ledger.readable_records()
        if record.kind == "run"
        for output in record.body["outputs"]
    }
    for ref, sequence in recorded.items():
        broken = workspace.why_broken(ref)
        if broken is not None:
            findings.append(f"record {sequence}: {broken}")
    return findings
