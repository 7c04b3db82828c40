"""Read phrase tables of Moses (https://www2.statmt.org/moses/?n=FactoredTraining.ScorePhrases).

`source ||| target ||| scores ||| alignment ||| counts`; of the scores the first four are p(f|e),
lex(f|e), p(e|f) and lex(e|f), with f the source. The counts are of e, of f and of both.
"""

import math
import os
from collections.abc import Iterator, Sequence

from tasks.readers.entries import SECTION, Found, FoundEntry, bad_line, read_texts
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, excerpt, fault, set_aside

FORM = "`source ||| target ||| scores`"
_ESCAPES = (
    ("&#124;", "|"),
    ("&#91;", "["),
    ("&#93;", "]"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", '"'),
    ("&apos;", "'"),
    ("&amp;", "&"),
)
"""Of Moses' tokeniser; the ampersand last, so that nothing is taken for an escape twice."""


def read_phrase_table(
    path: PathLike,
    *,
    min_scores: Sequence[float],
    min_count: int,
    encoding: Encoding = "utf-8",
) -> Iterator[Found]:
    """Yield one record for each line: the pair, if it reaches every threshold.

    Args:
        path: the file.
        min_scores: smallest value of each score, in the order of the table.
        min_count: fewest times that the pair was seen together; 0 asks for no counts.
        encoding: how the file is encoded.

    Raises:
        InputError: the file cannot be opened.
    """
    for item in read_texts(path, encoding):
        if isinstance(item, SetAside):
            yield item
        else:
            yield _record(path, *item, min_scores, min_count)


def _record(
    path: PathLike, number: int, text: str, min_scores: Sequence[float], min_count: int
) -> Found:
    fields = [field.strip() for field in text.split("|||")]
    if len(fields) < 3 or not fields[0] or not fields[1]:
        return bad_line(path, number, text, FORM, "columns")
    scores = _numbers(fields[2])
    if scores is None or len(scores) < len(min_scores):
        found = f"expected at least {len(min_scores)} scores, as min_scores has, found"
        return _fault(path, number, text, f"{found} {excerpt(fields[2])}.")
    if any(score < least for score, least in zip(scores, min_scores, strict=False)):
        return set_aside(number, "below_min_scores", text)
    if min_count:
        counts = _numbers(fields[4]) if len(fields) > 4 else None
        if counts is None or len(counts) < 3:
            found = f"expected counts in the fifth field, as min_count is {min_count}, found none."
            return _fault(path, number, text, f"{found} Set min_count = 0 to do without.")
        if counts[2] < min_count:
            return set_aside(number, "below_min_count", text)
    return FoundEntry(unescape(fields[0]), unescape(fields[1]), number)


def _numbers(text: str) -> list[float] | None:
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def unescape(text: str) -> str:
    """Undo what Moses' tokeniser escapes."""
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


def _fault(path: PathLike, number: int, text: str, found: str) -> SetAside:
    where = f"{os.fspath(path)}, line {number}"
    return fault(where, number, "scores", text, f"{found} Fix the line.", section=SECTION)
