"""Long arrays on their way to a computation: written in parts, then mapped into memory as one.

What is mapped counts as the file's memory: the system may drop and read it again, and processes
share it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from storage.files import explained


class ArrayFiles:
    """Named arrays in a folder, one file each."""

    def __init__(self, folder: Path, types: Mapping[str, str]) -> None:
        """Name the arrays.

        Args:
            folder: where they lie; made if need be.
            types: numpy's name for the type of each array.
        """
        self._folder, self._types = folder, types

    def add(self, parts: Mapping[str, Any]) -> None:
        """Append a part to each array."""
        with explained("write", self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            for name, kind in self._types.items():
                with self._file(name).open("ab") as file:
                    file.write(np.ascontiguousarray(parts[name], dtype=kind).data)

    def mapped(self) -> dict[str, Any]:
        """Return the arrays without reading them; nothing may be added afterwards."""
        return {name: self._mapped(name, kind) for name, kind in self._types.items()}

    def _mapped(self, name: str, kind: str) -> Any:
        file = self._file(name)
        if not file.exists() or not file.stat().st_size:
            return np.zeros(0, dtype=kind)
        with pa.memory_map(str(file)) as source:
            return np.frombuffer(source.read_buffer(), dtype=kind)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.{self._types[name]}"
