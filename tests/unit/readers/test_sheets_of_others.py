"""Sheets that others made: bombs, entities and nonsense are one clear error, and quickly."""

import io
import zipfile
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers import sheets
from tasks.readers.sheets import read_cells, write_cells

SHEET = "xl/worksheets/sheet1.xml"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.xlsx"
    write_cells(path, [["source", "target"], ["雨", "rain"]], title="made up")
    return path


def rewrite(path: Path, name: str, change: bytes) -> None:
    """Replace one file in a workbook."""
    with zipfile.ZipFile(path) as archive:
        files = {item: archive.read(item) for item in archive.namelist()}
    files[name] = change
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for item, data in files.items():
            archive.writestr(item, data)
    path.write_bytes(stream.getvalue())


def outcome(path: Path) -> str:
    """Return the rows of a sheet as text, or the error that refuses it."""
    try:
        return str(list(read_cells(path)))
    except InputError as error:
        return str(error)


def content(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(SHEET)


def test_a_workbook_comes_back(book: Path) -> None:
    assert list(read_cells(book)) == [["source", "target"], ["雨", "rain"]]


def test_a_workbook_that_unpacks_to_far_more_is_refused(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "_MAX_UNPACKED_BYTES", 1 << 20)
    rewrite(book, "xl/media/big.bin", bytes(2 << 20))
    assert book.stat().st_size < 100_000
    with pytest.raises(InputError, match="it unpacks to 2 MiB; expected at most 1"):
        list(read_cells(book))


def test_a_row_number_without_end_is_refused(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "_MAX_ROWS", 1000)
    sheet = content(book).replace(b'r="2"', b'r="999999999"')
    rewrite(book, SHEET, sheet.replace(b"<dimension", b"<nothing"))
    with pytest.raises(InputError, match="more than 1,000 rows"):
        list(read_cells(book))


@pytest.mark.parametrize("name", [SHEET, "xl/sharedStrings.xml", "xl/workbook.xml"])
def test_entities_are_refused_and_never_expanded(book: Path, name: str) -> None:
    with zipfile.ZipFile(book) as archive:
        had = archive.read(name) if name in archive.namelist() else b"<sst/>"
    body = had.partition(b"?>")[2] if had.startswith(b"<?xml") else had
    rewrite(book, name, BOMB.encode() + body.replace("雨".encode(), b"&b;"))
    found = outcome(book)
    assert "this is no XLSX workbook" in found or found.startswith("[[")
    assert "aaaa" not in found


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", b"<html>", bytes(1000)])
def test_what_is_no_workbook_is_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(damage)
    with pytest.raises(InputError, match="this is no XLSX workbook"):
        list(read_cells(path))


@pytest.mark.parametrize("text", ['a,b\n"' + "x" * 200_000 + '"\n', "a,b\n1,2\r3\n"])
def test_odd_csv_is_read_or_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, "utf-8", newline="")
    found = outcome(path)
    assert "this is no CSV" in found or found.startswith("[['a', 'b']")
