"""Opening files: every compression, and files that are missing, damaged or no files at all."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from storage.errors import InputError
from tasks.readers.opening import open_bytes

TEXT = b"".join(b"line %d\n" % number for number in range(200_000))
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".txt": bytes,
    ".gz": gzip.compress,
    ".zst": zstandard.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_a_compressed_file_reads_like_a_plain_one(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(COMPRESSORS[suffix](TEXT))
    with open_bytes(path) as stream:
        assert stream.readlines() == TEXT.splitlines(keepends=True)


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz", ".bz2"])
def test_two_streams_in_one_file_are_read_one_after_the_other(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(COMPRESSORS[suffix](b"first\n") + COMPRESSORS[suffix](b"second\n"))
    with open_bytes(path) as stream:
        assert stream.read() == b"first\nsecond\n"


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz", ".bz2"])
def test_a_file_that_was_cut_short_is_an_error_and_not_a_shorter_file(
    tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(COMPRESSORS[suffix](TEXT)[:-9])
    with (
        pytest.raises(InputError, match=r"text.*damaged or the file was cut short"),
        open_bytes(path) as stream,
    ):
        stream.read()


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz", ".bz2"])
def test_a_plain_file_with_the_name_of_a_compressed_one_is_an_error(
    tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(b"just text\n")
    with pytest.raises(InputError, match="compression is damaged"), open_bytes(path) as stream:
        stream.read()


def test_a_missing_file_names_the_nearest_one_that_exists(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").touch()
    (tmp_path / "other.txt").touch()
    with (
        pytest.raises(InputError, match=r"no such file. Did you mean '.*train\.tsv'"),
        open_bytes(tmp_path / "tarin.tsv"),
    ):
        pass


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"its folder '.*nowhere' does not exist"),
        open_bytes(tmp_path / "nowhere" / "train.tsv"),
    ):
        pass


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file, found a folder"), open_bytes(tmp_path):
        pass
