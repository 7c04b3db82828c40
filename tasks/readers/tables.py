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

from storage.foreign import TableFormat, read_text_columns
from storage.remote import is_remote, open_random
from tasks.readers.lines import PathLike
from tasks.readers.opening import CHUNK_BYTES, open_bytes, without_compression
from tasks.readers.records import RawPair, Record


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
        for number, (source, target, document) in enumerate(rows, start=1):
            yield RawPair(source, target, document, number)


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
