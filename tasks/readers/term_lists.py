"""Read the terms that translations are asked for: one list for all segments, or one for each.

- Two columns separated by a tab: a Chinese term and a translation; a term of several lines has
  several translations. The list is for all segments.
- JSON lines, one object a segment, or a single one for all segments: named dictionaries from a term
  to its translations, as WMT's task of 2025 gives them (`proper`, `random`), or a list of objects
  with `zh` and `en`, as that of 2023 does. Which side is Chinese is seen by its script.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from storage.errors import InputError
from tasks.metrics.terminology import Term
from tasks.readers.lines import Encoding, PathLike, read_lines
from tasks.readers.records import excerpt
from tasks.readers.word_pairs import chinese_first

PLAIN_LIST = "terms"
"""Name of a list that has no name of its own."""

TermSets = dict[str, list[tuple[Term, ...]]]
"""Dictionary, then the terms of each segment."""


def read_term_sets(path: PathLike, num_segments: int, encoding: Encoding = "utf-8") -> TermSets:
    """Read a file of terms for a number of segments.

    Raises:
        InputError: the file holds no terms, or terms for another number of segments.
    """
    name = os.fspath(path)
    lines = [(number, text) for number, text in read_lines(path, encoding) if text.strip()]
    if not lines:
        raise InputError(f"{name} is empty; expected one term a line, or JSON lines.")
    if lines[0][1].lstrip()[0] in "{[":
        segments = [_json_line(text, f"{name}, line {number}") for number, text in lines]
        return _per_segment(segments, num_segments, name)
    pairs = [_columns(text, f"{name}, line {number}") for number, text in lines]
    return {PLAIN_LIST: [tuple(_terms(pairs))] * num_segments}


def _columns(text: str, where: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split("\t")]
    if len(parts) < 2 or not parts[0] or not parts[1]:
        raise InputError(
            f"{where}: expected a term, a tab and its translation, found {excerpt(text)}. "
            "Fix the line."
        )
    return parts[0], parts[1]


def _terms(pairs: Iterable[tuple[str, str]]) -> Iterator[Term]:
    """Put the translations of equal terms together, in their order."""
    found: dict[str, list[str]] = {}
    for source, target in pairs:
        found.setdefault(source, []).append(target)
    yield from (Term(source, tuple(targets)) for source, targets in found.items())


def _per_segment(
    segments: Sequence[Mapping[str, tuple[Term, ...]]], num_segments: int, name: str
) -> TermSets:
    if len(segments) == 1:
        segments = list(segments) * num_segments
    if len(segments) != num_segments:
        raise InputError(
            f"{name} has terms for {len(segments):,} segments and there are {num_segments:,}; "
            "expected one line for each segment, or one for all. Compare the files line by line."
        )
    names = list(dict.fromkeys(key for segment in segments for key in segment))
    if not names:
        raise InputError(
            f"{name}: expected dictionaries such as `proper` and `random`, or a list of objects "
            "with `zh` and `en`, found neither. Check the file."
        )
    return {key: [segment.get(key, ()) for segment in segments] for key in names}


def _json_line(text: str, where: str) -> dict[str, tuple[Term, ...]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON ({error}). Fix the line.") from None
    if isinstance(value, list):
        return {PLAIN_LIST: tuple(_terms(_of_list(value, where)))}
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected a JSON object or list, found {excerpt(text)}.")
    found: dict[str, tuple[Term, ...]] = {}
    for key, inside in value.items():
        if isinstance(inside, dict) and inside:
            found[key] = tuple(_terms(_of_mapping(inside, where)))
        elif isinstance(inside, list) and inside:
            found[key] = tuple(_terms(_of_list(inside, where)))
    return found


def _of_mapping(terms: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    for term, said in terms.items():
        for translation in [said] if isinstance(said, str) else said or []:
            yield from _pair(term, translation, where)


def _of_list(terms: Sequence[Any], where: str) -> Iterator[tuple[str, str]]:
    for item in terms:
        if not isinstance(item, dict) or not {"zh", "en"} <= item.keys():
            raise InputError(
                f"{where}: expected objects with `zh` and `en`, found {excerpt(str(item))}. "
                "Fix the line."
            )
        yield from _pair(item["zh"], item["en"], where)


def _pair(one: Any, other: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield the pair with its Chinese side first; as it is, if not just one side is Chinese."""
    if not isinstance(one, str) or not isinstance(other, str):
        raise InputError(f"{where}: expected texts as terms, found {excerpt(str((one, other)))}.")
    if one.strip() and other.strip():
        yield chinese_first(one.strip(), other.strip()) or (one.strip(), other.strip())
