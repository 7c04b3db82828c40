"""The flow `audit-lineage`: is everything in the workspace as it was recorded, and as it may be?"""

import secrets
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from flows.daily_audit import audit
from flows.opening import open_settings
from storage.errors import WorkspaceError
from tasks.lineage.audit_report import findings_of

SEEDS = 1 << 32


@flow(name="audit-lineage", validate_parameters=False)
def audit_lineage(settings_file: str = "phrasenet.toml", rebuild: str = "") -> dict[str, Any]:
    """Check records, files, licences and decontamination, and write a page; fails on a finding.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        rebuild: which results are made again: a number, a share such as `1%`, or nothing.
    """
    settings, workspace = open_settings(Path(settings_file))
    audited = audit(settings, workspace, sample=rebuild, seed=secrets.randbelow(SEEDS))
    create_markdown_artifact(audited.text, key="audit-lineage", description=str(audited.path))
    findings = findings_of(audited.checks)
    if findings:
        raise WorkspaceError(
            f"The audit has {len(findings)} findings, first: {findings[0]} The page with all of "
            f"them: {audited.path}. Restore what was changed, or run `phrasenet run` to make "
            "missing artifacts again."
        )
    return {"ledger": workspace.ledger.digest(), "findings": 0, "report": str(audited.path)}
