"""`phrasenet audit verify`: is everything as it was recorded, and can it be made again?"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
    zero_or_more,
)

if TYPE_CHECKING:
    from flows.settings import Settings
    from storage.workspace import Workspace
    from tasks.rebuild import Rebuilt

_SEEDS = 1 << 32


def add(group: Any) -> None:
    """Add the command to the group `audit`."""
    parser = add_command(
        group,
        "verify",
        "check the ledger's chain, every byte of every recorded artifact, and all seals",
        "phrasenet audit verify --rebuild 5%",
    )
    parser.add_argument(
        "--root", metavar="HEX", help="also demand that a seal with this root is kept and holds"
    )
    parser.add_argument(
        "--rebuild",
        metavar="SAMPLE",
        help="also make results again from their inputs, compare them row by row and name the "
        "first that differs: all, a number of runs, a share such as 5%%, a step, a kind, or an id "
        "of four digits or more",
    )
    parser.add_argument(
        "--seed", type=zero_or_more, help="draws the sample (another one each time, which is told)"
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="also check licences and decontamination, and write a page below reports/audits, as "
        "the flow audit-lineage does daily",
    )
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    import secrets

    from flows.opening import open_settings
    from tasks.rebuild import check_sample

    if options.rebuild is not None:
        check_sample(options.rebuild)
    settings, workspace = open_settings(Path(options.config))
    if options.root is not None:
        workspace.seals.with_root(options.root)
    seed = secrets.randbelow(_SEEDS) if options.seed is None else options.seed
    if options.report:
        return _report(settings, workspace, options, seed)
    return _verify(settings, workspace, options, seed)


def _verify(
    settings: "Settings", workspace: "Workspace", options: argparse.Namespace, seed: int
) -> int:
    from tasks.verify import verify_workspace

    findings = verify_workspace(workspace)
    answer: dict[str, Any] = {"ledger": workspace.ledger.digest()}
    results: list[Rebuilt] = []
    if options.rebuild is not None:
        from flows.daily_audit import rebuild_sample

        results = rebuild_sample(settings, workspace, options.rebuild, seed)
        answer |= {"seed": seed, "rebuilt": [_as_json(item) for item in results]}
    differing = [str(item) for item in results if item.outcome == "differs"]
    if options.json:
        emit_json({"ok": not findings + differing, "findings": findings + differing, **answer})
        return 2 if findings or differing else 0
    for finding in findings:
        emit(finding)
    if not findings:
        emit(f"All is as it was recorded. Ledger {answer['ledger']}.")
    if options.rebuild is not None:
        _print_rebuilt(results, seed)
    return 2 if findings or differing else 0


def _as_json(item: "Rebuilt") -> dict[str, Any]:
    return {
        "artifact": item.ref.to_json(),
        "label": item.label,
        "outcome": item.outcome,
        "detail": item.detail,
    }


def _print_rebuilt(results: "list[Rebuilt]", seed: int) -> None:
    for item in results:
        if item.outcome != "equal":
            emit(str(item))
    counts = {name: sum(item.outcome == name for item in results) for name in ("equal", "differs")}
    rest = len(results) - sum(counts.values())
    emit(
        f"Of {len(results):,} results (--seed {seed}) {counts['equal']:,} were made again and are "
        f"equal, {counts['differs']:,} differ, {rest:,} were not made again."
    )


def _report(
    settings: "Settings", workspace: "Workspace", options: argparse.Namespace, seed: int
) -> int:
    from dataclasses import asdict

    from flows.daily_audit import audit
    from tasks.lineage.audit_report import findings_of

    audited = audit(settings, workspace, sample=options.rebuild or "", seed=seed)
    findings = findings_of(audited.checks)
    if options.json:
        emit_json(
            {
                "ok": not findings,
                "findings": findings,
                "ledger": workspace.ledger.digest(),
                "checks": [asdict(check) for check in audited.checks],
                "report": str(audited.path),
            }
        )
    else:
        emit(audited.text.rstrip("\n"))
        emit(f"\nWritten to {audited.path}")
    return 2 if findings else 0
