"""The texts that `score` and `compare` read: plain lines, marked-up test sets, or JSON lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flows.commands.options import input_lines

if TYPE_CHECKING:
    from tasks.readers.outputs import TextStream
    from tasks.readers.sgml import SetKind

FORMS_HELP = "plain lines, NIST's mteval (SGML or XML), the XML of WMT, or .jsonl with zh and en"


@dataclass(frozen=True, slots=True)
class ScoredTexts:
    """Texts of the same sentences in the same order."""

    names: list[str]
    outputs: list[list[str]]
    references: list[list[str]]
    source: list[str]
    """Empty if no source was asked for."""


def read_texts(
    outputs: Sequence[str], references: Sequence[str], source: str | None = None
) -> ScoredTexts:
    """Read outputs, references and perhaps the source.

    Marked-up segments are matched by document and id; the first file that has them gives the order.

    Raises:
        InputError: a file cannot be read, or files hold other segments.
    """
    from tasks.readers.outputs import in_order_of

    _read_once([*outputs, *references, *([] if source is None else [source])])
    systems = [_only(file, "hypothesis") for file in outputs]
    answers = [stream for file in references for stream in _streams(file, "reference")]
    sources = [_only(source, "source")] if source is not None else []
    everything = [*systems, *answers, *sources]
    first = next((stream for stream in everything if stream.keys is not None), systems[0])
    ordered = [
        in_order_of(first, stream, may_miss=stream in answers).texts for stream in everything
    ]
    _must_match([stream.name for stream in everything], [len(texts) for texts in ordered])
    ends = len(systems), len(systems) + len(answers)
    return ScoredTexts(
        [stream.name for stream in systems],
        ordered[: ends[0]],
        ordered[ends[0] : ends[1]],
        ordered[ends[1]] if sources else [],
    )


def _read_once(files: Sequence[str]) -> None:
    """Refuse standard input in two places: the second would find nothing."""
    from storage.errors import InputError

    if files.count("-") > 1:
        raise InputError("Standard input (-) is named twice, and can be read once. Name a file.")


def _must_match(names: Sequence[str], lengths: Sequence[int]) -> None:
    """Refuse files with another number of sentences than the first one."""
    from storage.errors import InputError

    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise InputError(
                f"{name} has {length:,} sentences but {names[0]} has {lengths[0]:,}; expected the "
                "same sentences in the same order, one file for each set of references. Compare "
                "the files line by line."
            )


def _only(file: str, kind: "SetKind") -> "TextStream":
    (stream,) = _streams(file, kind)
    return stream


def _streams(file: str, kind: "SetKind") -> "list[TextStream]":
    from tasks.readers.outputs import TextStream, read_streams

    if file in ("", "-"):
        return [TextStream("standard input", list(input_lines(file)))]
    return read_streams(file, kind)
