"""`phrasenet status`: what is up to date, what would run, and why."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)

if TYPE_CHECKING:
    from flows.planning import PlannedCall


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "status",
        "say what is up to date and what would run, without running it",
        "phrasenet status -c laws.toml --why mine",
    )
    add_settings_option(parser)
    parser.add_argument(
        "--why",
        metavar="STEP",
        help="name each function, setting, input and library that changed for this step",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from flows.planning import plan
    from flows.stages import evaluate_stages

    planned = plan(Path(options.config), evaluate_stages, options.why)
    if options.json:
        for item in planned:
            accepted = {"accepted": dict(item.accepted)} if item.accepted else {}
            reasons = list(item.reasons)
            emit_json({"call": item.label, "step": item.step, "reasons": reasons, **accepted})
        return 0
    for item in planned:
        if options.why is None:
            emit(f"{item.label:{_WIDTH}} {_short(item.reasons)}")
        else:
            _explain(item)
    if options.why is None:
        _say_production(Path(options.config))
    return 0


def _say_production(config: Path) -> None:
    """Say which model is in production and who put it there, against which rules."""
    from flows.opening import workspace_of
    from tasks.promote_decide import decision_in_force

    said = decision_in_force(workspace_of(config))
    if said is None:
        return
    against = ", ".join(said.get("rules", ()))
    forced = f", although {against} spoke against it" if said.get("forced") else ""
    verb = "rolled back to" if said["decision"] == "rollback-model" else "promoted"
    emit(
        f"Model {said['model'][:12]} is in production, {verb} by {said['author']}{forced}: "
        f"{said['reason']} (`phrasenet models show`)"
    )


_WIDTH = 38


def _short(reasons: Sequence[str]) -> str:
    if not reasons:
        return "up to date"
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"would run: {reasons[0]}{more}"


def _explain(item: "PlannedCall") -> None:
    if item.accepted:
        said = item.accepted
        emit(
            f"{item.label}: up to date; that its code changed was accepted by {said['author']} on "
            f"{said['time'][:10]}: {said['reason']} (record {said['record']})"
        )
        return
    if not item.reasons:
        emit(f"{item.label}: up to date")
        return
    emit(f"{item.label}: would run, because")
    for reason in item.reasons:
        emit(f"  {reason}")
