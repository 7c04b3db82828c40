"""What raters return, with the sides lifted: whose translation each of them prefers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from tasks.rating.worksheet import QUESTIONS, Key, Question

CHOICES: Mapping[str, int | None] = {"A": -1, "=": 0, "B": 1, "": None}
"""A: the first translation is better; B: the second; empty: not rated."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one rater says of one item, with the sides lifted."""

    number: int
    sentence_id: str
    answers: Mapping[Question, int | None]
    """-1: the baseline is better, 0: equal, 1: the system is better; None: not rated."""
    comment: str


@dataclass(frozen=True, slots=True)
class Returned:
    """One returned worksheet, still blinded."""

    worksheet: str
    rater: str
    """Empty if the file does not say."""
    rows: tuple[Mapping[str, str], ...]
    """Number, answers and comment of each item, all as text."""
    file: str


def rater_of(returned: Returned, rater: str) -> str:
    """Return who rated: the name in the file, else the one that is given.

    Raises:
        InputError: there is neither.
    """
    if not (returned.rater or rater):
        raise InputError(
            f"{returned.file}: the file does not say who rated. Name the rater with --rater."
        )
    return returned.rater or rater


def rated_items(returned: Returned, key: Key) -> list[Rating]:
    """Say whose translation each answer prefers; items without any answer are left out.

    Raises:
        InputError: an item is not in the key, comes twice, or has an answer of another form; or
            no item is rated.
    """
    ratings = _lift_sides(returned, key)
    if not ratings:
        raise InputError(
            f"{returned.file}: no item is rated; expected an answer to at least one question."
        )
    return ratings


def _lift_sides(returned: Returned, key: Key) -> list[Rating]:
    ratings: dict[int, Rating] = {}
    for row in returned.rows:
        where = f"{returned.file}, item {row['number'] or '?'}"
        number = int(row["number"]) if row["number"].isdecimal() else 0
        if not 1 <= number <= len(key.places):
            raise InputError(
                f"{where}: expected a number from 1 to {len(key.places)}. Keep the numbers of the "
                "worksheet as they are."
            )
        if number in ratings:
            raise InputError(f"{where}: this item is rated twice; leave one of the rows.")
        sentence_id, first = key.places[number - 1]
        sign = 1 if first == "baseline" else -1
        answers = {name: _lifted(row[name], sign, name, where) for name in QUESTIONS}
        if any(answer is not None for answer in answers.values()):
            ratings[number] = Rating(number, sentence_id, answers, row["comment"])
    return list(ratings.values())


def _lifted(text: str, sign: int, question: Question, where: str) -> int | None:
    chosen = text.strip().upper()
    if chosen not in CHOICES:
        raise InputError(
            f"{where}: the answer on {question} is {text!r}; expected A, = or B, or nothing."
        )
    choice = CHOICES[chosen]
    return None if choice is None else sign * choice


def rating_rows(
    ratings: Iterable[Rating], key: Key, *, rater: str, rated: str
) -> Iterator[dict[str, Any]]:
    """Yield rows of the table `ratings`.

    Args:
        ratings: what one rater said.
        key: of the worksheet.
        rater: who.
        rated: when it was taken in, ISO 8601.
    """
    compared = key.compared
    for rating in ratings:
        yield {
            "worksheet": key.worksheet,
            "number": rating.number,
            "sentence_id": rating.sentence_id,
            "testset": compared.testset,
            "baseline": compared.baseline,
            "system": compared.system,
            "baseline_outputs": compared.baseline_outputs,
            "system_outputs": compared.system_outputs,
            "rater": rater,
            "rated": rated,
            "adequacy": rating.answers["adequacy"],
            "fluency": rating.answers["fluency"],
            "comment": rating.comment,
        }
