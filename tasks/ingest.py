"""Steps that read what the user has: corpora, dictionaries and test sets, kept untouched."""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.records import make_id, pair_id
from storage.spool import Spool
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.lineage.tombstones import REASON, TABLE, corpus_key, dictionary_key
from tasks.readers.corpora import Origin, read_corpus
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.dictionaries import DictionaryForm, read_dictionary
from tasks.readers.records import RawPair, SetAside, stop_at_faults
from tasks.readers.testset_config import TestsetForm
from tasks.readers.testsets import TestLine, read_testset
from tasks.step import step
from tasks.tombstones import open_tombstones

log = logging.getLogger(__name__)

_SENTENCE_DIGITS = 8

REPEATED_PAIRS = """
SELECT read.*, repetition
FROM read JOIN (
    SELECT position, row_number() OVER (PARTITION BY pair_id ORDER BY position) - 1 AS repetition
    FROM read
) USING (position)
WHERE repetition > 0
"""
DISTINCT_PAIRS = """
SELECT * FROM read ANTI JOIN renamed USING (position)
UNION ALL
SELECT * FROM renamed
ORDER BY pair_id
"""
"""A pair that its document repeats gets an id of its own; `read` has the id of the first."""


@step(writes=("raw_pairs", "set_aside"))
def ingest(
    workspace: Workspace,
    *,
    parts: tuple[tuple[SourceFile, ...], ...],
    origins: tuple[Origin, ...],
    form: CorpusForm,
    shards: int,
    withdrawn: tuple[ArtifactRef, ...] = (),
) -> tuple[tuple[ArtifactRef, ...], ArtifactRef]:
    """Read a corpus into one table of raw pairs for each shard of its documents.

    Returns them, and what was set aside; memory does not grow with the corpus. Of what `withdrawn`
    (tables `tombstones`) names only the place is kept.
    """
    aside: list[dict[str, Any]] = []
    gone = open_tombstones(workspace, withdrawn)
    hide_all = gone.has(corpus_key(form.name))
    position = 0
    with workspace.spools("raw_pairs", shards) as spools:
        paths = [tuple(file.path for file in part) for part in parts]
        for origin, record in read_corpus(form, paths, origins):
            if isinstance(record, SetAside):
                kept = _hidden(record.line, hide_all) if hide_all else record
                aside.append(_aside_row(form.name, origin.name, len(aside), kept))
                continue
            texts = record.source, record.target
            if by := hide_all or gone.has_pair(form.name, record.document, *texts):
                hidden = _hidden(record.line, by)
                aside.append(_aside_row(form.name, origin.name, len(aside), hidden))
                position += 1  # the pairs after it stay where they were
                continue
            row = _pair_row(form.name, origin, position, record)
            # A corpus without documents is spread by its pairs instead.
            spools[_shard(record.document or row["pair_id"], shards)].add(row)
            position += 1
        made = tuple(_write_shard(workspace, spool) for spool in spools)
    _say_what_was_set_aside(form.name, position, aside)
    return made, workspace.write_rows("set_aside", aside)


def _hidden(line: int, by: str) -> SetAside:
    """Set aside what was withdrawn, without its text: the table that names it stands instead."""
    return SetAside(line, REASON, f"{TABLE} {by}")


def _pair_row(corpus: str, origin: Origin, position: int, pair: RawPair) -> dict[str, Any]:
    return {
        "pair_id": pair_id(corpus, pair.document, pair.source, pair.target, 0),
        "corpus": corpus,
        "document": pair.document,
        "position": position,
        "file": origin.name,
        "line": pair.line,
        "source": pair.source,
        "target": pair.target,
        "licence": origin.licence,
    }


def _aside_row(owner: str, file: str, number: int, record: SetAside) -> dict[str, Any]:
    """Return the row of a record of a corpus, or of another source that says its kind."""
    return {
        "corpus": owner,
        "number": number,
        "file": file,
        "line": record.line,
        "reason": record.reason,
        "text": record.text,
    }


def _write_shard(workspace: Workspace, spool: Spool) -> ArtifactRef:
    """Write the rows of a shard in the order of their ids, each with an id of its own."""
    spool.close()
    with workspace.spools("raw_pairs", 1) as (renamed,):
        for row in workspace.stream(REPEATED_PAIRS, {"read": spool}):
            texts = row["document"], row["source"], row["target"]
            identity = pair_id(row["corpus"], *texts, row.pop("repetition"))
            renamed.add({**row, "pair_id": identity})
        renamed.close()
        tables = {"read": spool, "renamed": renamed}
        return workspace.write_query("raw_pairs", DISTINCT_PAIRS, tables)


def _say_what_was_set_aside(name: str, kept: int, aside: Iterable[Mapping[str, Any]]) -> None:
    counts = Counter(row["reason"] for row in aside)
    log.info(
        "%s: read %d, kept %d, set aside %d: %s",
        name,
        kept + counts.total(),
        kept,
        counts.total(),
        dict(sorted(counts.items())),
    )


def _shard(document: str, shards: int) -> int:
    return int(make_id("shard", document)[:12], 16) % shards


@step(writes=("entries", "set_aside"))
def dictionary(
    workspace: Workspace,
    *,
    file: SourceFile,
    form: DictionaryForm,
    withdrawn: tuple[ArtifactRef, ...] = (),
) -> tuple[ArtifactRef, ArtifactRef]:
    """Read a dictionary into one table of entries, and one of what was set aside, of which no text
    is kept where `withdrawn` (tables `tombstones`) names it.
    """
    gone = open_tombstones(workspace, withdrawn)
    hide_all = gone.has(dictionary_key(form.name))
    parts: Counter[int] = Counter()
    rows: list[dict[str, Any]] = []
    aside: list[dict[str, Any]] = []
    name = os.path.basename(file.path)
    for entry in read_dictionary(form, file.path):
        if isinstance(entry, SetAside):
            kept = _hidden(entry.line, hide_all) if hide_all else entry
            aside.append(_aside_row(f"dictionary {form.name}", name, len(aside), kept))
            continue
        if by := hide_all or gone.has_entry(form.name, entry.source, entry.target):
            hidden = _hidden(entry.line, by)
            aside.append(_aside_row(f"dictionary {form.name}", name, len(aside), hidden))
            parts[entry.line] += 1
            continue
        rows.append(
            {
                "dictionary": form.name,
                "line": entry.line,
                "part": parts[entry.line],
                "source": entry.source,
                "target": entry.target,
                "category": entry.category,
                "licence": form.licence,
            }
        )
        parts[entry.line] += 1
    _say_what_was_set_aside(form.name, len(rows), aside)
    return workspace.write_rows("entries", rows), workspace.write_rows("set_aside", aside)


@step(writes=("test_lines", "set_aside"))
def testset(
    workspace: Workspace,
    *,
    source: SourceFile,
    references: tuple[SourceFile, ...],
    form: TestsetForm,
) -> tuple[ArtifactRef, ArtifactRef]:
    """Read a test set with its references; returns it, and the sentences that were set aside.

    Raises:
        InputError: files do not fit together, or a sentence cannot be translated or scored.
    """
    records: Iterator[TestLine | SetAside]
    records = read_testset(form, source.path, [file.path for file in references])
    if form.on_bad_line == "stop":
        records = stop_at_faults(records)
    kept: list[dict[str, Any]] = []
    aside: list[dict[str, Any]] = []
    file = os.path.basename(source.path)
    for record in records:
        if isinstance(record, SetAside):
            aside.append(_aside_row(f"testset {form.name}", file, len(aside), record))
        else:
            kept.append(_test_row(form.name, record))
    _say_what_was_set_aside(form.name, len(kept), aside)
    if not kept:
        raise InputError(f"{source.path}: every sentence was set aside; nothing is left to score.")
    return workspace.write_rows("test_lines", kept), workspace.write_rows("set_aside", aside)


def _test_row(name: str, line: TestLine) -> dict[str, Any]:
    return {
        "sentence_id": f"{name}:{line.position:0{_SENTENCE_DIGITS}d}",
        "testset": name,
        "position": line.position,
        "source": line.source,
        "references": list(line.references),
    }
