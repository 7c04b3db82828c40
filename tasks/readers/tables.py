"""Read pairs from Parquet and Arrow files: columns by name, or by a dotted path into a struct.

Both formats have tables of contents to jump to, so a compressed copy is unpacked into a temporary
file first.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from storage.foreign import Cell, TableFormat, read_text_columns
from storage.remote import is_remote, open_random
from tasks.readers.lines import PathLike
from tasks.readers.opening import CHUNK_BYTES, open_bytes, without_compression
from tasks.readers.records import KEPT_CHARACTERS, RawPair, Record, excerpt, fault


def read_table(path: PathLike, kind: TableFormat, fields: tuple[str, str, str]) -> Iterator[Record]:
    """Yield the pairs of a table; `line` is the row, from 1.

    Args:
        path: the file.
        kind: `parquet` or `arrow`.
        fields: columns of source, target and document; "" for no document.

    Raises:
        InputError: it is not such a file, or a column is missing or no text.
    """
    name = os.fspath(path)
    with _random_access(name) as file:
        rows = read_text_columns(file, kind, fields, name)
        for number, cells in enumerate(rows, start=1):
            yield _record(cells, name, number)


def _record(cells: tuple[Cell, ...], name: str, number: int) -> Record:
    texts = [cell for cell in cells if isinstance(cell, str)]
    if len(texts) == len(cells):
        source, target, document = texts
        return RawPair(source, target, document, number)
    unread = next(cell for cell in cells if isinstance(cell, bytes))
    shown = unread[:KEPT_CHARACTERS].decode(errors="backslashreplace")
    found = f"expected UTF-8, found {excerpt(shown)}. Write the table again with texts in UTF-8."
    return fault(f"{name}, row {number}", number, "encoding", shown, found)


@contextmanager
def _random_access(name: str) -> Iterator[Any]:
    """Give something in which one can jump about."""
    if is_remote(name) and without_compression(name) == name:
        with open_random(name) as remote:
            yield remote
        return
    with open_bytes(name) as stream:
        if stream.seekable() and without_compression(name) == name:
            yield stream
            return
        with tempfile.TemporaryFile() as unpacked:
            shutil.copyfileobj(stream, unpacked, CHUNK_BYTES)
            unpacked.seek(0)
            yield unpacked
