"""Steps that read what the user has: corpora, dictionaries and test sets, kept untouched."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from storage.records import make_id, pair_id
from storage.workspace import Workspace
from tasks.arguments import SourceFile
from tasks.readers.config import CorpusForm
from tasks.readers.dictionaries import DictionaryForm, read_dictionary
from tasks.readers.lines import RawPair, read_lines, read_parallel, read_tsv
from tasks.step import step

_SENTENCE_DIGITS = 8


@step(writes=("raw_pairs",))
def ingest(
    workspace: Workspace,
    *,
    files: tuple[SourceFile, ...],
    form: CorpusForm,
    shards: int,
) -> tuple[ArtifactRef, ...]:
    """Read a corpus into one table of raw pairs for each shard of its documents."""
    parts: list[list[dict[str, Any]]] = [[] for _ in range(shards)]
    repetitions: Counter[tuple[str, str, str]] = Counter()
    pairs = _read_corpus(files, form)
    for position, pair in enumerate(pairs):
        content = (pair.document, pair.source, pair.target)
        identity = pair_id(form.name, *content, repetitions[content])
        repetitions[content] += 1
        # A corpus without documents is spread by its pairs instead.
        parts[_shard(pair.document or identity, shards)].append(
            {
                "pair_id": identity,
                "corpus": form.name,
                "document": pair.document,
                "position": position,
                "line": pair.line,
                "source": pair.source,
                "target": pair.target,
                "licence": form.licence,
            }
        )
    return tuple(workspace.write_rows("raw_pairs", rows) for rows in parts)


def _read_corpus(files: tuple[SourceFile, ...], form: CorpusForm) -> Iterator[RawPair]:
    if form.format == "tsv":
        return read_tsv(files[0].path, columns=form.columns, header=form.header)
    documents = files[2].path if len(files) > 2 else None
    return read_parallel(files[0].path, files[1].path, document_path=documents)


def _shard(document: str, shards: int) -> int:
    return int(make_id("shard", document)[:12], 16) % shards


@step(writes=("entries",))
def dictionary(workspace: Workspace, *, file: SourceFile, form: DictionaryForm) -> ArtifactRef:
    """Read a dictionary into one table of entries."""
    parts: Counter[int] = Counter()
    rows: list[dict[str, Any]] = []
    for entry in read_dictionary(form, file.path):
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
    return workspace.write_rows("entries", rows)


@step(writes=("test_lines",))
def testset(
    workspace: Workspace, *, source: SourceFile, references: tuple[SourceFile, ...], name: str
) -> ArtifactRef:
    """Read a test set with its references, line by line."""
    lines = [text for _, text in read_lines(source.path)]
    translations = [[text for _, text in read_lines(file.path)] for file in references]
    for file, texts in zip(references, translations, strict=True):
        _must_match(source, len(lines), file, len(texts))
    _must_hold_text(source, lines, translations, references)
    return workspace.write_rows(
        "test_lines",
        (
            {
                "sentence_id": f"{name}:{position:0{_SENTENCE_DIGITS}d}",
                "testset": name,
                "position": position,
                "source": text,
                "references": [texts[position] for texts in translations],
            }
            for position, text in enumerate(lines)
        ),
    )


def _must_hold_text(
    source: SourceFile,
    lines: list[str],
    translations: list[list[str]],
    references: tuple[SourceFile, ...],
) -> None:
    """Refuse lines that could not be translated or scored, before anything is trained.

    Raises:
        InputError: names the file and the line.
    """
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            raise InputError(
                f"{source.path}, line {number}: expected a sentence, found an empty line. Take the "
                "line out of this file and of every file of references."
            )
        if not any(texts[number - 1].strip() for texts in translations):
            files = " and ".join(str(file.path) for file in references)
            raise InputError(
                f"{files}, line {number}: the sentence has no reference. Give it one, or take the "
                "line out of the source and of every file of references."
            )


def _must_match(source: SourceFile, expected: int, file: SourceFile, found: int) -> None:
    if found != expected:
        raise InputError(
            f"{file.path} has {found:,} lines and {source.path} has {expected:,}; expected the "
            "same sentences in the same order. Compare both around line "
            f"{min(found, expected)}, and mend the file that lost or gained lines."
        )
    if expected == 0:
        raise InputError(f"{source.path} is empty; expected one sentence a line.")
