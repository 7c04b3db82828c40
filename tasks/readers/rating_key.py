"""The key of a worksheet of outputs in files, kept beside the worksheet as JSON."""

import json
from pathlib import Path

from storage.errors import InputError
from storage.files import write_bytes
from tasks.rating.worksheet import Key


def key_path(worksheet: Path) -> Path:
    """Return where the key of a worksheet is written."""
    return worksheet.with_name(f"{worksheet.name}.key.json")


def write_key(path: Path, key: Key) -> None:
    """Write a key; raters must not see it."""
    text = json.dumps(list(key.rows()), ensure_ascii=False, indent=1)
    write_bytes(path, f"{text}\n".encode("utf-8", "replace"))


def read_key(path: Path) -> Key:
    """Read a key.

    Raises:
        InputError: there is no such file, or it is no key.
    """
    try:
        return Key.of_rows(json.loads(path.read_bytes()))
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file.") from error
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise InputError(
            f"{path}: expected the key of a worksheet, as `phrasenet ratings export --outputs` "
            "writes it beside the worksheet."
        ) from error
