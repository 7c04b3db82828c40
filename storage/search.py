"""Search all files of a workspace for texts, whatever file holds them: the proof of a withdrawal.

Parquet files are decoded, all others are read as they are; JSON's escapes are undone. A text is
searched in the form that the caller folds it to, so that a sentence is found, too, where it is kept
word by word.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import ahocorasick_rs
import pyarrow as pa
import pyarrow.parquet as pq

from storage.lease import LEASE

_CHUNK_BYTES = 1 << 23
_OVERLAP_BYTES = 1 << 15
"""More than the longest sentence, so that one on the border of two chunks is found."""
_BORDER = "\ua66e"
"""Stands between two cells; a letter, so that no folding removes it, and one that no text has."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


class Search:
    """Texts that are looked for."""

    def __init__(self, texts: Sequence[str], fold: Callable[[str], str]) -> None:
        """Take texts and ids, and what folds them as well as the files' text."""
        self._fold = fold
        plain = (fold(text).encode("utf-8", "ignore").decode() for text in texts)
        self.texts = tuple(dict.fromkeys(filter(None, plain)))
        self._automaton = ahocorasick_rs.AhoCorasick(self.texts) if self.texts else None

    def is_in(self, text: str) -> bool:
        """Say whether one of the texts stands in another."""
        if self._automaton is None:
            return False
        return bool(self._automaton.find_matches_as_indexes(self._fold(text)))

    def files_below(self, root: Path, *, but: Sequence[Path] = ()) -> tuple[int, list[Path]]:
        """Search all files below a folder; returns how many there were, and those with a hit.

        The lease is left out: its holder empties it. So is all that lies below a path of `but`.
        """
        files = [
            path
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.name != LEASE and not _is_below(path, but)
        ]
        return len(files), [path for path in files if self.is_in_file(path)]

    def is_in_file(self, path: Path) -> bool:
        """Say whether a file holds one of the texts."""
        pieces = _columns(path) if path.suffix == ".parquet" else _chunks(path)
        return any(self.is_in(piece) for piece in pieces)


def _is_below(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _chunks(path: Path) -> Iterator[str]:
    """Yield a file as text, each piece with the end of the one before it."""
    before = b""
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            text = (before + chunk).decode("utf-8", "ignore")
            yield _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
            before = chunk[-_OVERLAP_BYTES:]


def _columns(path: Path) -> Iterator[str]:
    """Yield the text of each column of a Parquet file, and what its footer says."""
    try:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                for column in file.read_row_group(group).columns:
                    for chunk in column.chunks:
                        yield from _texts(chunk)
    except (OSError, pa.ArrowInvalid):
        yield from _chunks(path)  # no Parquet after all, or damaged: its bytes are still searched


def _texts(array: pa.Array) -> Iterator[str]:
    """Yield the text in an array, one run of text for each column of text in it."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        array, kind = array.dictionary_decode(), kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind):
        cells = array.cast(pa.large_string()) if pa.types.is_binary(kind) else array
        yield _BORDER.join(cell or "" for cell in cells.to_pylist())
    elif pa.types.is_list(kind) and pa.types.is_string(kind.value_type):
        yield _BORDER.join("\n".join(cell or []) for cell in array.to_pylist())
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield from _texts(array.flatten())
    elif pa.types.is_struct(kind):
        for child in array.flatten():
            yield from _texts(child)
