"""How much a withdrawal would take out, counted before it is done."""

from collections import Counter

from storage.lineage import Lineage, artifact_id
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.lineage.withdrawal import WithdrawalPlan
from tasks.rewriting import rewritings
from tasks.withdraw_plan import Current, Found, condemned, models_of, readings_of


def plan_of(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot | None, current: Current, found: Found
) -> WithdrawalPlan:
    """Count what a withdrawal would do."""
    below = condemned(graph, found)
    if found.target.kind == "phrase" and snapshot is not None:
        below = graph.reachable([artifact_id(snapshot.phrases)], "down")
    kept = [node.ref for node in below if node.ref is not None and workspace.holds(node.ref)]
    runs = [node for node in below if node.kind == "run" and node.detail["key"] in current.keys]
    steps = Counter(node.detail["step"] for node in runs)
    steps.update(readings_of(graph, found, current))
    changed: Counter[str] = Counter()
    for item in rewritings(workspace, found):
        changed[item.before.kind] += item.changed
    refs = [node.ref for node in below if node.ref is not None]
    exports = tuple(f"{item.path} ({item.what})" for item in workspace.exports.holding(refs))
    models = models_of(workspace, graph, snapshot, found)
    return WithdrawalPlan(
        target=found.target,
        rows=found.num_current,
        earlier_rows=len(found.rows) - found.num_current,
        sentences=len(found.sentences),
        boilerplate=found.num_held,
        steps=dict(steps) or {"collect": 1},
        artifacts=dict(Counter(ref.kind for ref in kept if ref.kind != "model")),
        phrases=len(found.phrase_ids),
        decisions=changed["decisions"],
        ratings=changed["ratings"],
        asked=changed["translations"],
        models=tuple(models),
        translations=sum(ref.kind == "translations" for ref in kept),
        reports=sum(ref.kind == "report" for ref in kept),
        exports=exports,
    )
