"""Open a text file by its name as a stream of bytes: plain, `.gz`, `.zst`, `.xz` or `.bz2`, on this
machine or on S3.

Memory does not grow with the file, and a file that was cut short is an error, never a shorter file.
This module knows nothing of lines, encodings or columns (see `lines.py`).
"""

import bz2
import difflib
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from storage.errors import InputError
from storage.remote import is_remote, open_stream

CHUNK_BYTES = 1 << 18

COMPRESSIONS = (".gz", ".zst", ".xz", ".bz2")
"""Endings of names that are decompressed while they are read."""

_DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, zstandard.ZstdError)


@contextmanager
def open_bytes(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open `path` for reading bytes, decompressing by the ending of its name.

    Iterating over the stream gives lines that end with `\\n` and with nothing else.

    Raises:
        InputError: the file is missing, is a folder, may not be read, or its compression is
        damaged.
    """
    name = os.fspath(path)
    try:
        with _opened(name) as stream:
            yield stream
    except FileNotFoundError:
        raise InputError(missing_file(name)) from None
    except IsADirectoryError:
        raise InputError(
            f"{name}: expected a file, found a folder. Name one file inside it."
        ) from None
    except PermissionError:
        raise InputError(
            f"{name}: may not be read by this user. Change its permissions (chmod u+r), or copy it."
        ) from None
    except _DAMAGED as error:
        raise InputError(_damaged(name, error)) from None
    except OSError as error:
        if name.endswith(".bz2") and error.errno is None:  # bz2 has no error of its own
            raise InputError(_damaged(name, error)) from None
        raise


def without_compression(name: str) -> str:
    """Return a file's name without the ending that says how it is compressed."""
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in COMPRESSIONS else name


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Decompress a file; both streams are closed at the end."""
    with _plain(name) as file, _decompressed(file, Path(name).suffix.lower()) as stream:
        yield stream


def _plain(name: str) -> BinaryIO:
    if is_remote(name):
        return cast(BinaryIO, io.BufferedReader(open_stream(name), CHUNK_BYTES))
    return Path(name).open("rb")


def _decompressed(file: BinaryIO, suffix: str) -> BinaryIO:
    if suffix == ".zst":
        return cast(BinaryIO, io.BufferedReader(_ZstdStream(file), CHUNK_BYTES))
    if suffix == ".gz":
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(file))
    if suffix == ".bz2":
        return cast(BinaryIO, bz2.BZ2File(file))
    return file


class _ZstdStream(io.RawIOBase):
    """Decompress one or more zstd frames; unlike `zstandard.open`, notice a file that was cut
    short."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._started = False
        self._compressed = b""
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        while not self._ready:
            if not self._fill():
                return 0
        taken = self._ready[: len(view)]
        view[: len(taken)] = taken
        self._ready = self._ready[len(taken) :]
        return len(taken)

    def _fill(self) -> bool:
        """Decompress some more; False at the end of the file."""
        data = self._compressed or self._file.read(CHUNK_BYTES // 4)
        self._compressed = b""
        if not data:
            if self._started and not self._frame.eof:
                raise EOFError("the last frame is not complete")
            return False
        if self._frame.eof:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._started = True
        self._ready = self._frame.decompress(data)
        if self._frame.eof:
            self._compressed = self._frame.unused_data
        return True


def _damaged(name: str, error: Exception) -> str:
    return (
        f"{name}: its compression is damaged or the file was cut short ({error}). "
        "Copy or download the file again."
    )


def missing_file(name: str) -> str:
    """Say that a file is missing, and which existing one its name resembles."""
    if is_remote(name):
        return f"{name}: no such file. Check the bucket and the key."
    path = Path(name)
    folder = path.parent
    if not folder.is_dir():
        return (
            f"{name}: no such file; its folder {str(folder)!r} does not exist either. "
            "Mend the path; a relative path starts from the folder of the settings file."
        )
    near = difflib.get_close_matches(path.name, sorted(os.listdir(folder)), n=1, cutoff=0.5)
    if near:
        return f"{name}: no such file. Did you mean {str(folder / near[0])!r}?"
    return f"{name}: no such file, and nothing with a similar name beside it. Mend the path."
