"""Results of experiments: one JSON file a cell, of numbers alone, made to be kept beside the code.

A file says which cell it is of by its digest. It needs no workspace, so that a later run, on any
machine, takes the cell as done.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from storage.errors import InputError
from storage.files import READ, explained, write_bytes

FORMAT = 1
"""Version of the files' form."""
MEND = "Remove the file, and the cell is run again."


class ResultFiles:
    """The folder `cells/` below a folder of results."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder = root / "cells"

    def prepare(self) -> None:
        """Make the folder, and see that it can be written to, before hours go into a result.

        Raises:
            WorkspaceError: it cannot be written to.
        """
        with explained("write", self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass

    def write(self, name: str, result: Mapping[str, Any]) -> Path:
        """Write the result of a cell, replacing an older one."""
        path = self.path_of(name)
        write_bytes(path, (json.dumps(result, ensure_ascii=False, indent=1) + "\n").encode())
        return path

    def path_of(self, name: str) -> Path:
        """Return where a result is, or would be."""
        return self._folder / name

    def read(self, name: str) -> dict[str, Any] | None:
        """Return the result of a cell as it stands, or None if there is none.

        Raises:
            InputError: the file is no JSON, or of another format.
        """
        path = self.path_of(name)
        try:
            with explained(READ, path):
                result = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} is no JSON ({error}). {MEND}") from error
        if not isinstance(result, dict) or result.get("format") != FORMAT:
            found = result.get("format") if isinstance(result, dict) else type(result).__name__
            raise InputError(f"{path} has the format {found!r}; expected {FORMAT}. {MEND}")
        return result

    def write_page(self, name: str, text: str) -> Path:
        """Write a file made from the results, such as a table; returns its path."""
        path = self.root / name
        write_bytes(path, text.encode())
        return path

    def names(self) -> Iterator[str]:
        """Yield the names of all results that are there."""
        yield from sorted(path.name for path in self._folder.glob("*.json"))
