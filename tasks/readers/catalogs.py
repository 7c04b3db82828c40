"""Find the Chinese message catalogs of installed Python packages: parallel text on any machine."""

import importlib.metadata
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.errors import InputError
from tasks.readers.checks import UNKNOWN_LICENCE
from tasks.readers.languages import is_language

_CATALOG = re.compile(r"(?:.*/)?([^/]+)/LC_MESSAGES/[^/]+\.(po|mo)", re.IGNORECASE)
_CLASSIFIER = "License :: OSI Approved :: "
_LONGEST_LICENCE = 60
"""A longer text of a package's metadata is the licence itself and not its name."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog of an installed package."""

    package: str
    version: str
    path: Path
    name: str
    """The path within the package's folder; it is the same on every machine."""
    licence: str


def find_catalogs(packages: Sequence[str], language: str = "zh-CN") -> list[Catalog]:
    """Return the catalogs of installed packages in the order of package and path.

    Of a catalog that a package ships as source and compiled, only the source is taken.

    Args:
        packages: names of packages, or "*" for all.
        language: of the translations: `zh-CN` takes zh, zh_CN and zh_Hans, but not zh_TW.

    Raises:
        InputError: a package is not installed or has no such catalog.
    """
    found: list[Catalog] = []
    for distribution in _distributions(packages):
        own = list(_catalogs_of(distribution, language))
        if not own and "*" not in packages:
            raise InputError(
                f"The package {distribution.name!r} has no catalog in {language!r}. Take it out "
                "of packages, or change languages."
            )
        found += own
    if not found:
        raise InputError(
            f"No installed package has a catalog in {language!r}. Install some, for example "
            "`pip install Django`."
        )
    return found


def _distributions(packages: Sequence[str]) -> list[importlib.metadata.Distribution]:
    installed = {
        _normal(distribution.name): distribution
        for distribution in importlib.metadata.distributions()
        if distribution.name
    }
    wanted = sorted(installed) if "*" in packages else sorted(map(_normal, packages))
    for name in wanted:
        if name not in installed:
            raise InputError(
                f"The package {name!r} is not installed. Install it (`pip install {name}`), or "
                "take it out of packages."
            )
    return [installed[name] for name in wanted]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _catalogs_of(distribution: importlib.metadata.Distribution, language: str) -> Iterator[Catalog]:
    names = sorted(str(file) for file in distribution.files or [])
    fitting = [
        name
        for name in names
        if (match := _CATALOG.fullmatch(name)) and is_language(match[1], language)
    ]
    for name in fitting:
        stem, ending = os.path.splitext(name)
        if ending.lower() == ".mo" and f"{stem}.po" in fitting:
            continue
        path = Path(str(distribution.locate_file(name)))
        if not path.is_file():  # a record of what somebody has removed since
            continue
        licence = _licence(distribution.metadata)
        yield Catalog(distribution.name, distribution.version, path, name, licence)


def _licence(metadata: "importlib.metadata.PackageMetadata") -> str:
    """Return the licence that a package's metadata names, or `unknown`."""
    for key in ("License-Expression", "License"):
        text = str((metadata.get_all(key) or [""])[0]).strip()
        if text and "\n" not in text and len(text) <= _LONGEST_LICENCE and text != "UNKNOWN":
            return text
    classifiers = metadata.get_all("Classifier") or []
    named = [line.removeprefix(_CLASSIFIER) for line in classifiers if line.startswith(_CLASSIFIER)]
    return " AND ".join(named) or UNKNOWN_LICENCE
