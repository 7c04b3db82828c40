"""What a reader of corpora yields: pairs, and what is no pair with the reason.

Nothing disappears: the pairs and the set-aside records of a file add up to what was read. Whether a
pair is fit for training is decided, with a reason, in `tasks/text/clean.py`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from storage.errors import InputError

T = TypeVar("T")
OnBadLine = Literal["stop", "drop"]

EXCERPT_CHARACTERS = 60
KEPT_CHARACTERS = 500
"""How much of a text is kept of what was set aside."""


@dataclass(frozen=True, slots=True)
class RawPair:
    """A pair as the file holds it, untouched but for line ends and byte order marks."""

    source: str
    target: str
    document: str
    line: int
    """1-based line of the file (of both files, when there are two); the row or entry of a file that
    has no lines."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A line, unit or row that holds no pair."""

    line: int
    reason: str
    text: str
    """What stood there, its first `KEPT_CHARACTERS`."""
    fault: str = ""
    """The message that stops the reading; empty for what is rightly no pair, such as a translation
    that is marked as unfinished."""


Record = RawPair | SetAside


def set_aside(line: int, reason: str, text: str) -> SetAside:
    """Set aside what is rightly no pair."""
    return SetAside(line, reason, text[:KEPT_CHARACTERS])


def fault(
    where: str, line: int, reason: str, text: str, found: str, *, section: str = "corpus"
) -> SetAside:
    """Set aside what is wrong in the file.

    Args:
        where: names the file and the place in it.
        line: line, row or entry.
        reason: one word for the counts.
        text: what stands there.
        found: what was expected and what was found, and how to mend it: whole sentences.
        section: the section of the settings file that names the file.
    """
    complaint = (
        f'{where}: {found} Or set on_bad_line = "drop" in the [[{section}]]: such lines are then '
        "set aside and counted."
    )
    return SetAside(line, reason, text[:KEPT_CHARACTERS], complaint)


def stop_at_faults(records: Iterable[T | SetAside]) -> Iterator[T | SetAside]:
    """Pass on records up to the first fault.

    Raises:
        InputError: names file, line and remedy.
    """
    for record in records:
        if isinstance(record, SetAside) and record.fault:
            raise InputError(record.fault)
        yield record


def of_document(records: Iterable[Record], document: str) -> Iterator[Record]:
    """Give the pairs without a document of their own the document named."""
    for record in records:
        if isinstance(record, RawPair) and not record.document:
            yield replace(record, document=document)
        else:
            yield record


def excerpt(text: str) -> str:
    """Return the beginning of a text for a message."""
    return repr(text[:EXCERPT_CHARACTERS])
