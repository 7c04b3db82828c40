"""Worksheets in which raters compare two translations of a sentence without knowing whose they are.

After the subjective evaluation of Context Gates: adequacy and fluency apart, for each whether one
translation is better or both are equal. Which sentences are drawn, and which translation stands
first, follows from the seed and the sentence alone.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from storage.errors import InputError

Question = Literal["adequacy", "fluency"]
QUESTIONS: Mapping[Question, str] = {
    "adequacy": "Which says more of what the source says, and nothing else?",
    "fluency": "Which is better English, whatever the source says?",
}
First = Literal["baseline", "system"]
DEFAULT_SENTENCES = 200
"""As in the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPair:
    """One sentence with the two translations that are compared."""

    sentence_id: str
    source: str
    baseline: str
    system: str
    reference: str = ""
    """Shown to raters if it is not empty."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Whose translations a worksheet compares."""

    testset: str
    baseline: str
    system: str
    baseline_outputs: str = ""
    """Content digest of the baseline's translations, if they come from a workspace."""
    system_outputs: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of a worksheet, for those who rate."""

    number: int
    """1-based."""
    source: str
    first: str
    """The translation that is called A."""
    second: str
    """The translation that is called B."""
    reference: str


@dataclass(frozen=True, slots=True)
class Key:
    """What raters must not know: which sentence is which, and whose translation stands first."""

    worksheet: str
    """Names the worksheet: a hash of all that is in it."""
    compared: Compared
    seed: int
    places: tuple[tuple[str, First], ...]
    """Sentence id and owner of translation A of each item, in order."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the key as rows of the table `worksheets`."""
        for number, (sentence_id, first) in enumerate(self.places, start=1):
            yield {
                "worksheet": self.worksheet,
                "number": number,
                "sentence_id": sentence_id,
                "first": first,
                "seed": self.seed,
                "testset": self.compared.testset,
                "baseline": self.compared.baseline,
                "system": self.compared.system,
                "baseline_outputs": self.compared.baseline_outputs,
                "system_outputs": self.compared.system_outputs,
            }

    def must_fit(self, worksheet: str, file: str) -> None:
        """Refuse what was returned of another worksheet.

        Raises:
            InputError: it is of another worksheet.
        """
        if worksheet != self.worksheet:
            raise InputError(
                f"{file}: this is of the worksheet {worksheet!r}, the key is of "
                f"{self.worksheet!r}. Give the key that was written with that worksheet."
            )

    @staticmethod
    def of_rows(rows: Sequence[Mapping[str, Any]]) -> "Key":
        """Read what `rows` gives, in any order.

        Raises:
            KeyError, ValueError, TypeError: these are no such rows.
        """
        ordered = sorted(rows, key=lambda row: int(row["number"]))
        if not ordered:
            raise ValueError("there is no item")
        head = ordered[0]
        if [int(row["number"]) for row in ordered] != list(range(1, len(ordered) + 1)):
            raise ValueError("the items are not numbered one by one")
        names = ("testset", "baseline", "system", "baseline_outputs", "system_outputs")
        places = tuple((str(row["sentence_id"]), row["first"]) for row in ordered)
        if any(first not in ("baseline", "system") for _, first in places):
            raise ValueError("the translation that stands first is neither baseline nor system")
        return Key(
            str(head["worksheet"]),
            Compared(*(str(head[name]) for name in names)),
            int(head["seed"]),
            places,
        )


def draw_worksheet(
    pairs: Sequence[OutputPair], compared: Compared, *, num_sentences: int, seed: int
) -> tuple[Key, list[Item]]:
    """Draw sentences and sides.

    Args:
        pairs: all sentences of the test set.
        compared: whose translations they are.
        num_sentences: how many to draw; all if there are fewer.
        seed: another seed draws other sentences and sides.

    Returns:
        The key, and the items in the order of the draw.

    Raises:
        InputError: there is no sentence.
    """
    if not pairs:
        raise InputError("There is no sentence to rate; expected at least one in both outputs.")
    drawn = sorted(pairs, key=lambda pair: _draw(seed, "sentence", pair.sentence_id))
    places: list[tuple[str, First]] = []
    items: list[Item] = []
    for number, pair in enumerate(drawn[:num_sentences], start=1):
        system_first = _draw(seed, "side", pair.sentence_id)[0] % 2 == 1
        first, second = pair.baseline, pair.system
        if system_first:
            first, second = second, first
        places.append((pair.sentence_id, "system" if system_first else "baseline"))
        items.append(Item(number, pair.source, first, second, pair.reference))
    return Key(_name(compared, seed, places, items), compared, seed, tuple(places)), items


def _draw(seed: int, purpose: str, sentence_id: str) -> bytes:
    """Give bytes that look random, the same on every machine and in every version of Python."""
    return hashlib.sha256(f"{seed} {purpose} {sentence_id}".encode()).digest()


def _name(
    compared: Compared, seed: int, places: Sequence[tuple[str, First]], items: Sequence[Item]
) -> str:
    content = repr((compared, seed, places, items)).encode("utf-8", "backslashreplace")
    return hashlib.sha256(content).hexdigest()[:16]
