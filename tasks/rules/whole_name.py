"""What the readers of whole names share: Simplified characters, and numbers written either way."""

import re
from functools import lru_cache
from typing import Any

from tasks.rules.numbers import read_integer

_WRITABLE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3007○0-9０-９A-Za-z·•、（）()/—-]+")
_WIDTH = str.maketrans("０１２３４５６７８９○•", "0123456789〇·")
_KEPT = frozenset("乾著")
"""Traditional characters with two Simplified ones; in names they stay."""


def simplify(name: str) -> str | None:
    """Return a name in Simplified characters, as long as it was; None where it is no name."""
    if not _WRITABLE.fullmatch(name):
        return None
    simple = _converter().convert(name)
    if len(simple) != len(name):
        return None
    kept = (old if old in _KEPT else new for old, new in zip(name, simple, strict=True))
    return "".join(kept).translate(_WIDTH)


@lru_cache(maxsize=1)
def _converter() -> Any:
    from opencc import OpenCC

    return OpenCC("t2s")


def number(text: str) -> int | None:
    """Read a whole number in digits or Chinese numerals."""
    if text.isascii():
        return int(text) if text.isdigit() and not text.startswith("0") else None
    return read_integer(text)
