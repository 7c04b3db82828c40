"""The style sheets and scripts of pages, which stand as files of their own in `assets/`."""

import hashlib
from functools import lru_cache
from importlib import resources

_FOLDER = "assets"


@lru_cache(maxsize=32)
def asset(name: str) -> str:
    """Return the text of a style sheet or script."""
    return resources.files(__package__).joinpath(_FOLDER, name).read_text("utf-8")


def assets_digest() -> str:
    """Return a digest of all of them, so that a page is made anew when one changes: 32 hex digits.

    The code digest of a step covers Python only; who makes a page passes this beside it.
    """
    names = sorted(each.name for each in resources.files(__package__).joinpath(_FOLDER).iterdir())
    whole = hashlib.sha256()
    for name in names:
        whole.update(f"{name}\0{hashlib.sha256(asset(name).encode()).hexdigest()}\n".encode())
    return whole.hexdigest()[:32]
