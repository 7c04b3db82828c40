"""The flow `audit-lineage`: is everything in the workspace as the ledger recorded it?"""

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.workspaces import workspace_of
from storage.errors import WorkspaceError
from tasks.verify import verify_workspace


@flow(name="audit-lineage", validate_parameters=False)
def audit_lineage(settings_file: str = "phrasenet.toml") -> dict[str, Any]:
    """Check the ledger's chain and every byte of every recorded artifact; fails on a finding.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
    """
    workspace = workspace_of(Path(settings_file))
    findings = verify_workspace(workspace)
    digest = workspace.ledger.digest()
    listed = "\n".join(f"- {finding}" for finding in findings) or "All is as it was recorded."
    create_markdown_artifact(f"# Audit\n\nLedger `{digest}`\n\n{listed}\n", key="audit-lineage")
    if findings:
        raise WorkspaceError(
            f"The audit found {len(findings)} problems, first: {findings[0]}. Restore what was "
            "changed, or run `phrasenet run` to make missing artifacts again."
        )
    return {"ledger": digest, "findings": 0}
