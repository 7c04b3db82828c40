"""The flow `maintain`: remove what nothing needs any more, here and in Prefect's database."""

import contextlib
import datetime
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import create_markdown_artifact
from prefect.runtime import flow_run

from flows.driver import lease_is_held
from flows.opening import open_settings
from flows.prefect_history import old_runs, remove_runs
from flows.withdraw import current_state
from tasks.maintain import Upkeep, carry_out, plan_upkeep


@flow(name="maintain", validate_parameters=False)
def maintain_flow(
    settings_file: str = "phrasenet.toml", dry_run: bool = False, wait_seconds: float = 0.0
) -> dict[str, Any]:
    """Remove old snapshots' tables, unreferenced results, checkpoints and Prefect's old runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        dry_run: only say what would be removed.
        wait_seconds: how long to wait while another run writes to the workspace; at least as long
            as [execution] says.
    """
    settings, workspace = open_settings(Path(settings_file))
    config, now = settings.maintenance, datetime.datetime.now(datetime.UTC)
    lease = workspace.lease(wait_seconds=max(wait_seconds, settings.execution.wait_seconds))
    with contextlib.nullcontext() if lease_is_held.get() else lease:
        state, _ = current_state(settings, workspace)
        upkeep = plan_upkeep(workspace, config, state.refs | frozenset(state.sources), now)
        if not dry_run:
            workspace.sweep()
            carry_out(workspace, upkeep, str(flow_run.id))
        runs = old_runs(now - datetime.timedelta(days=config.run_days))
        if not dry_run:
            remove_runs(runs)
        summary = summary_of(upkeep, len(runs), dry_run=dry_run, ledger=workspace.ledger.digest())
    create_markdown_artifact(f"# Maintenance\n\n{text_of(summary)}\n", key="maintain")
    return summary


def summary_of(upkeep: Upkeep, runs: int, *, dry_run: bool, ledger: str) -> dict[str, Any]:
    """Return what was, or would be, removed, as plain JSON."""
    return {
        "dry_run": dry_run,
        "artifacts": len(upkeep.artifacts),
        "by_kind": dict(upkeep.by_kind),
        "bytes": upkeep.bytes,
        "snapshots": list(upkeep.snapshots),
        "checkpoints": len(upkeep.checkpoints),
        "locks": len(upkeep.locks),
        "strays": len(upkeep.strays),
        "stray_bytes": sum(item.bytes for item in upkeep.strays),
        "flow_runs": runs,
        "ledger": ledger,
    }


def text_of(summary: dict[str, Any]) -> str:
    """Return the same for people, one line a fact."""
    verb = "Would remove" if summary["dry_run"] else "Removed"
    kinds = ", ".join(f"{number} {kind}" for kind, number in summary["by_kind"].items())
    megabytes = summary["bytes"] / 1e6
    lines = [
        f"{verb} {summary['artifacts']:,} artifacts of {megabytes:,.1f} MB"
        + (f" ({kinds})." if kinds else "."),
        f"{verb} the tables of {len(summary['snapshots'])} snapshots of the memory.",
        f"{verb} {summary['checkpoints']} checkpoints and {summary['locks']} locks.",
        f"{verb} {summary['flow_runs']:,} flow runs from Prefect's database.",
    ]
    if summary["strays"]:
        lines.append(
            f"{verb} {summary['strays']:,} objects of {summary['stray_bytes'] / 1e6:,.1f} MB from "
            "the bucket, which its index does not name."
        )
    return "\n".join(lines)
