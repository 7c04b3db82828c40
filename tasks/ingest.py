"""Steps that read what the user has: corpora, dictionaries and test sets, kept untouched."""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.numbered import NumberedSpools
from storage.records import make_id, pair_id
from storage.spool import Spool
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.lineage.tombstones import REASON, TABLE, corpus_key, dictionary_key
from tasks.readers.batches import Batch, batches, is_large
from tasks.readers.corpora import Origin, Tally, pieces_of, read_piece
from tasks.readers.corpus_config import CorpusForm
from tasks.readers.dictionaries import DictionaryForm, read_dictionary
from tasks.readers.lines import count_lines
from tasks.readers.records import RawPair, SetAside, stop_at_faults
from tasks.readers.testset_config import TestsetForm
from tasks.readers.testsets import TestLine, read_testset
from tasks.side_by_side import side_by_side
from tasks.step import step
from tasks.tombstones import open_tombstones

log = logging.getLogger(__name__)

_SENTENCE_DIGITS = 8
MOST_WAITING = 1 << 17
"""Pairs that wait in memory to be spooled, of all shards together."""

_READ = """
WITH read AS (
    SELECT * EXCLUDE table_number REPLACE (position + table_number AS position) FROM spooled
)"""
"""Pairs with their place in the corpus; spools have that in their batch."""
REPEATED_PAIRS = f"""{_READ}
SELECT read.*, repetition
FROM read JOIN (
    SELECT position, row_number() OVER (PARTITION BY pair_id ORDER BY position) - 1 AS repetition
    FROM read
) USING (position)
WHERE repetition > 0
"""
DISTINCT_PAIRS = f"""{_READ}
SELECT * FROM read ANTI JOIN renamed USING (position)
UNION ALL
SELECT * FROM renamed
ORDER BY pair_id
"""
"""A pair that its document repeats gets an id of its own; `read` has the id of the first."""


@dataclass(slots=True)
class _BatchRead:
    """What a batch of a corpus held beside the pairs that are in its spools."""

    paths: list[Path]
    """Of the spool of each shard."""
    positions: int = 0
    """Pairs, those included that were withdrawn: the pairs after them stay where they were."""
    aside: list[tuple[str, SetAside]] = field(default_factory=list)
    """With the file that held it."""
    tally: Tally = field(default_factory=Tally)


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
    (tables `tombstones`) names only the place is kept. A large corpus is read in batches by several
    processes; nothing depends on how many.
    """
    paths = [tuple(file.path for file in part) for part in parts]
    processes = workspace.engine.processes if is_large(paths) else 1
    with workspace.scratch() as folder, side_by_side(processes) as each:
        divided = batches(
            form, pieces_of(paths, origins), processes, lambda spans: list(each(count_lines, spans))
        )
        told = [
            (workspace, folder / str(number), batch, form, shards, withdrawn)
            for number, batch in enumerate(divided)
        ]
        read = list(each(_read_batch, told))
        _tally_of(read).must_hold_pairs(form, paths)
        made = tuple(
            each(_write_shard, [(workspace, _of_shard(read, shard)) for shard in range(shards)])
        )
    aside = [
        _aside_row(form.name, file, number, record)
        for number, (file, record) in enumerate(item for batch in read for item in batch.aside)
    ]
    _say_what_was_set_aside(form.name, sum(batch.positions for batch in read), aside)
    return made, workspace.write_rows("set_aside", aside)


def _read_batch(
    workspace: Workspace,
    folder: Path,
    batch: Batch,
    form: CorpusForm,
    shards: int,
    withdrawn: tuple[ArtifactRef, ...],
) -> _BatchRead:
    """Read a batch into a spool for each shard, in `folder`."""
    gone = open_tombstones(workspace, withdrawn)
    hide_all = gone.has(corpus_key(form.name))
    folder.mkdir()
    spools = [Spool("raw_pairs", folder / f"{shard}.parquet") for shard in range(shards)]
    read = _BatchRead([spool.path for spool in spools])
    for origin, record in ((piece.origin, it) for piece in batch for it in read_piece(form, piece)):
        read.tally.note(record)
        if isinstance(record, SetAside):
            kept = _hidden(record.line, hide_all) if hide_all else record
            read.aside.append((origin.name, kept))
            continue
        texts = record.source, record.target
        if by := hide_all or gone.has_pair(form.name, record.document, *texts):
            read.aside.append((origin.name, _hidden(record.line, by)))
        else:
            row = _pair_row(form.name, origin, read.positions, record)
            # A corpus without documents is spread by its pairs instead.
            spools[_shard(record.document or row["pair_id"], shards)].add(row)
        read.positions += 1
        if read.positions % MOST_WAITING == 0:
            for spool in spools:
                spool.flush()
    for spool in spools:
        spool.close()
    return read


def _tally_of(read: Iterable[_BatchRead]) -> Tally:
    """Return what was found in all batches."""
    whole = Tally()
    for batch in read:
        whole.add(batch.tally)
    return whole


def _of_shard(read: Sequence[_BatchRead], shard: int) -> NumberedSpools:
    """Return the pairs of a shard, with how many stand before each batch."""
    before = accumulate((batch.positions for batch in read[:-1]), initial=0)
    return NumberedSpools(tuple(batch.paths[shard] for batch in read), tuple(before))


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


def _write_shard(workspace: Workspace, spooled: NumberedSpools) -> ArtifactRef:
    """Write the rows of a shard in the order of their ids, each with an id of its own."""
    with workspace.spools("raw_pairs", 1) as (renamed,):
        for row in workspace.stream(REPEATED_PAIRS, {"spooled": spooled}):
            texts = row["document"], row["source"], row["target"]
            identity = pair_id(row["corpus"], *texts, row.pop("repetition"))
            renamed.add({**row, "pair_id": identity})
        renamed.close()
        return workspace.write_query(
            "raw_pairs", DISTINCT_PAIRS, {"spooled": spooled, "renamed": renamed}
        )


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
