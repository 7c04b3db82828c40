"""What a person means who names something to be withdrawn."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

from storage.errors import InputError
from storage.lineage import Lineage
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.audit_explain import SHORTEST_PREFIX
from tasks.audit_tables import raw_tables
from tasks.lineage import queries
from tasks.lineage import withdrawal_queries as asked
from tasks.lineage.withdrawal import Target
from tasks.text.script import normalise

_NEAREST = 3


class NothingCalledSo(InputError):
    """A name stands for nothing."""

    def __init__(self, message: str, nearest: str = "") -> None:
        """Take the message, and the sentence in it that names what is called alike, if any."""
        super().__init__(message)
        self.nearest = nearest


def find_target(
    workspace: Workspace, graph: Lineage, snapshot: Snapshot | None, text: str
) -> Target:
    """Return what a name, a place or an id stands for.

    Args:
        workspace: the workspace.
        graph: its lineage.
        snapshot: the current state of the memory.
        text: a corpus or dictionary, `corpus:document`, `corpus:file:line`, `dictionary:line`, an
            id of a pair or phrase (at least six digits), or Chinese.

    Raises:
        NothingCalledSo: names what is called alike.
        InputError: the name stands for several things.
    """
    corpora, dictionaries = _names(graph, "ingest"), _names(graph, "dictionary")
    if text in corpora:
        return Target("corpus", text, text)
    if text in dictionaries:
        return Target("dictionary", text, text)
    for find in (_document, _line, _entry, _pair):
        found = find(workspace, graph, corpora if find is not _entry else dictionaries, text)
        if found is not None:
            return found
    phrases = _phrases(workspace, snapshot, text)
    if phrases is None:
        raise _unknown(workspace, graph, text)
    return phrases


def _names(graph: Lineage, step: str) -> list[str]:
    """Return the corpora or dictionaries that were ever read."""
    titles = {
        node.title.removeprefix(step).strip()
        for node in graph.nodes.values()
        if node.kind == "run" and node.detail["step"] == step
    }
    return sorted(titles)


def _parts(names: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield the known names that a text begins with, each with what follows its colon."""
    for name in names:
        if text.startswith(f"{name}:"):
            yield name, text[len(name) + 1 :]


def _document(
    workspace: Workspace, graph: Lineage, names: Sequence[str], text: str
) -> Target | None:
    for corpus, document in _parts(names, text):
        parameters = {"corpus": corpus, "document": document}
        for ref in raw_tables(graph, workspace, "raw_pairs"):
            if workspace.query(asked.PAIRS_OF, {"raw_pairs": ref}, parameters):
                return Target("document", text, corpus, document)
    return None


def _line(workspace: Workspace, graph: Lineage, names: Sequence[str], text: str) -> Target | None:
    for corpus, place in _parts(names, text):
        file, _, line = place.rpartition(":")
        if line.isdecimal():
            parameters = {"corpus": corpus, "file": file, "line": int(line)}
            # The newest tables first: that is the file that the person looks at.
            for ref in reversed(raw_tables(graph, workspace, "raw_pairs")):
                rows = workspace.query(asked.LINE_OF_CORPUS, {"raw_pairs": ref}, parameters)
                if rows:
                    return _pair_target(rows, text)
    return None


def _entry(workspace: Workspace, graph: Lineage, names: Sequence[str], text: str) -> Target | None:
    for dictionary, line in _parts(names, text):
        if not line.isdecimal():
            continue
        for ref in reversed(raw_tables(graph, workspace, "entries")):
            rows = workspace.query(asked.ENTRIES_OF, {"entries": ref}, {"dictionary": dictionary})
            texts = tuple(
                (row["source"], row["target"]) for row in rows if row["line"] == int(line)
            )
            if texts:
                return Target("entry", text, dictionary, texts=texts)
    return None


def _pair(workspace: Workspace, graph: Lineage, names: Sequence[str], text: str) -> Target | None:
    if len(text) < SHORTEST_PREFIX:
        return None
    rows: dict[str, dict[str, Any]] = {}
    for ref in raw_tables(graph, workspace, "raw_pairs"):
        for row in workspace.query(asked.PAIR_WITH_ID, {"raw_pairs": ref}, {"prefix": text}):
            rows[row["pair_id"]] = row
    if len(rows) > 1:
        raise InputError(f"{len(rows)} pairs have an id that begins with {text!r}; expected one.")
    for row in rows.values():
        return _pair_target([row], f"{row['corpus']}:{row['file']}:{row['line']}")
    return None


def _pair_target(rows: Sequence[dict[str, Any]], name: str) -> Target:
    if len({(row["document"], row["file"]) for row in rows}) > 1:
        files = ", ".join(sorted({row["file"] for row in rows}))
        raise InputError(f"{name} stands for lines of several files; name one of them: {files}.")
    texts = tuple((row["source"], row["target"]) for row in rows)
    return Target("line", name, rows[0]["corpus"], rows[0]["document"], texts)


def _phrases(workspace: Workspace, snapshot: Snapshot | None, text: str) -> Target | None:
    if snapshot is None:
        return None
    source = "".join(normalise(text).split())
    parameters = {"source": source, "prefix": text if len(text) >= SHORTEST_PREFIX else "-"}
    rows = workspace.query(queries.PHRASES, {"phrases": snapshot.phrases}, parameters)
    identities = tuple(row["phrase_id"] for row in rows)
    return Target("phrase", identities[0], phrase_ids=identities) if identities else None


def _unknown(workspace: Workspace, graph: Lineage, text: str) -> NothingCalledSo:
    corpora, dictionaries = _names(graph, "ingest"), _names(graph, "dictionary")
    known = [*corpora, *dictionaries]
    tables = raw_tables(graph, workspace, "raw_pairs")
    if ":" in text and tables:
        known += [
            f"{corpus}:{row['document']}"
            for corpus in corpora
            for row in workspace.query(asked.DOCUMENTS, {"raw_pairs": tables}, {"corpus": corpus})
        ]
    near = difflib.get_close_matches(text, known, n=_NEAREST, cutoff=0.4)
    nearest = f" The nearest names are: {', '.join(near)}." if near else ""
    return NothingCalledSo(
        f"Nothing here is called {text!r}; expected a corpus or dictionary "
        f"({', '.join([*corpora, *dictionaries]) or 'none was read yet'}), corpus:document, "
        f"corpus:file:line, dictionary:line, an id of a pair or phrase, or a phrase in Chinese."
        f"{nearest}",
        nearest,
    )
