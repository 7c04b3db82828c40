"""What the page of the lineage shows of each thing."""

from collections.abc import Iterator

from storage.lineage import Lineage, Node
from tasks.reports.lineage_page import ShownNode


def shown_nodes(graph: Lineage) -> Iterator[ShownNode]:
    """Yield the things of a graph in the order of the ledger."""
    for node_id, node in graph.nodes.items():
        yield ShownNode(
            node_id=node_id,
            kind=node.kind,
            title=node.title,
            time=node.time,
            facts=list(_facts(node)),
            above=graph.above.get(node_id, []),
        )


def _facts(node: Node) -> Iterator[tuple[str, str]]:
    if node.ref is not None:
        yield "rows or files", f"{node.ref.rows:,}"
    if node.kind == "run":
        yield "code", node.detail["code"]
        yield "seconds", str(node.detail["seconds"])
        yield "libraries", ", ".join(f"{n} {v}" for n, v in sorted(node.detail["versions"].items()))
        yield "settings", _settings(node.detail["settings"])
        yield "reused", f"{len(node.sequences) - 1:,} times"
    if node.kind == "decision":
        yield "author", str(node.detail.get("author", ""))
        yield "reason", str(node.detail.get("reason", ""))


def _settings(value: object, prefix: str = "") -> str:
    """Write settings as `name = value`, one after the other."""
    return "; ".join(_leaves(value, prefix))


def _leaves(value: object, name: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{name}[{number}]")
    else:
        yield f"{name} = {value}"
