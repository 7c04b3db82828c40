"""Models that were trained on something withdrawn: marked always, in production no longer."""

from pathlib import Path

import pytest

from storage.ledger import LedgerRecord
from storage.workspace import Workspace, open_workspace
from tasks.verify import verify_workspace
from tasks.withdraw import Demote, keep_production, mark_models, take_production

OURS, OTHER = "a" * 32, "b" * 32


def in_production(root: Path) -> tuple[Workspace, LedgerRecord]:
    """Return a workspace with a model in production, and a decision to withdraw."""
    workspace = open_workspace(root)
    promoted = workspace.ledger.append("decision", {"decision": "promote", "model": OURS})
    workspace.production.promote(OURS, "best", promoted.sequence)
    record = workspace.ledger.append(
        "decision", {"decision": "withdraw", "target": "document x", "reason": "asked for"}
    )
    return workspace, record


@pytest.mark.parametrize(
    ("demote", "trained_on_it", "lost", "current"),
    [
        (take_production, [OTHER, OURS], (OURS,), None),
        (take_production, [OTHER], (), OURS),
        (keep_production, [OURS], (), OURS),
    ],
)
def test_only_the_setting_and_the_model_s_own_sources_take_production(
    tmp_path: Path,
    demote: Demote,
    trained_on_it: list[str],
    lost: tuple[str, ...],
    current: str | None,
) -> None:
    workspace, record = in_production(tmp_path / "workspace")
    models = [{"model": model_id} for model_id in trained_on_it]
    assert mark_models(workspace, models, record, demote) == (tuple(trained_on_it), lost)
    assert workspace.production.current() == current
    assert all(workspace.registry.marks(model_id) for model_id in trained_on_it)
    assert not [line for line in verify_workspace(workspace) if "production" in line]


def test_without_a_model_in_production_none_loses_it(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path / "workspace")
    record = workspace.ledger.append(
        "decision", {"decision": "withdraw", "target": "document x", "reason": "asked for"}
    )
    assert take_production(workspace, [OURS], record) == ()
    assert workspace.production.history() == []
