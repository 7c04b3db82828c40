"""Reads what `tasks/reports/sentence_data.py` packed, plainly, as the page's script does."""

import base64
import gzip
import json
import re
from typing import Any

PACKED = re.compile(r'<script id="sentence-data" type="application/octet-stream">([^<]*)</script>')


def packed_in(page: str) -> Any:
    """Return the JSON that a page carries."""
    (found,) = PACKED.findall(page)
    return unpack(found)


def unpack(text: str) -> Any:
    """Return the JSON of a packed text."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


def words_of(data: Any, numbers: list[int]) -> list[str]:
    """Return the words behind their numbers."""
    return [data["words"][number] for number in numbers]


def levels_of(text: str, columns: int) -> list[list[int]]:
    """Return rows of attention as whole steps."""
    rows = []
    for line in text.split(","):
        row: list[int] = []
        for sign in line:
            row += [0] * (ord(sign) - ord("a") + 1) if sign.isalpha() else [int(sign)]
        rows.append(row + [0] * (columns - len(row)))
    return rows


def gates_of(text: str) -> list[int | None]:
    """Return gates in percent."""
    pairs = [text[place : place + 2] for place in range(0, len(text), 2)]
    return [None if pair == "--" else int(pair) for pair in pairs]
