"""Are terms translated as agreed, and always in the same way? As in WMT's terminology tasks.

*Success* is the score of the WMT 2025 task, track 2 (its `evaluate_track2.py`): of each term of a
segment whose source is in the source text and one of whose translations is in a reference, how
often its translations are in the output, divided by how often the term is in the source, at most 1;
averaged over terms and segments. All is compared in lower case. In the tasks every output is scored
with the proper dictionary and with the random one, whichever of them its system was given (settings
proper, random and no terms).

*Consistency* follows Semenov and Bojar (2022), as the tasks of 2023 and 2025 do: of a term that
several segments hold, the share of the segments that translate it as its pseudo-reference, which is
its first translation in the output, its most frequent one, or the one of the dictionary; averaged
over terms. The tasks find translations with a language model and an aligner; here a translation is
one of the dictionary's that stands in the output, the longest one, and anything else is none, which
agrees with nothing.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from storage.errors import InputError
from tasks.metrics.bleu import References, Score
from tasks.text.english import tokenise

TermMatch = Literal["substring", "words"]
"""How a translation is looked for: anywhere in the text, as the tasks do, or as whole words."""

SUCCESS = "Term success"
CONSISTENCIES = ("first", "frequent", "dictionary")


@dataclass(frozen=True, slots=True)
class Term:
    """A term with the translations that it may have; the first one is preferred."""

    source: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terminology:
    """How the terms of one dictionary fared in one output; shares are between 0 and 1."""

    segments_with_terms: int
    scored: int
    """Terms and segments that success is the average of."""
    success: float
    """0 if nothing was scored."""
    repeated: int
    """Terms that several segments hold."""
    consistency: Mapping[str, float]
    """By pseudo-reference: `first`, `frequent`, `dictionary`; empty without repeated terms."""


def terminology(
    sources: Sequence[str],
    outputs: Sequence[str],
    references: References,
    terms: Sequence[Sequence[Term]],
    match: TermMatch = "substring",
) -> Terminology:
    """Score the terms of one dictionary.

    Args:
        sources: source text of each segment.
        outputs: translation of each segment.
        references: one or more sets of references.
        terms: the terms of each segment.
        match: how translations are looked for.

    Raises:
        InputError: the numbers of segments differ.
    """
    _check_lengths(sources, outputs, references, terms)
    times = _substring_times if match == "substring" else _word_times
    rates: list[float] = []
    renderings: dict[str, list[str]] = {}
    preferred: dict[str, str] = {}
    segments = 0
    for number, (source, output) in enumerate(zip(sources, outputs, strict=True)):
        answers = [text for stream in references if (text := stream[number])]
        scored = [term for term in terms[number] if _is_scored(term, source, answers, times)]
        segments += bool(scored)
        for term in scored:
            found = [(target, times(target, output)) for target in term.targets]
            in_source = source.lower().count(_plain(term.source))
            # A translation that is listed twice counts twice, as in the task.
            rates.append(min(1.0, sum(number for _, number in found) / in_source))
            name = _plain(term.source)
            preferred.setdefault(name, _plain(term.targets[0]))
            renderings.setdefault(name, []).append(_rendering(found))
    repeated = {name: said for name, said in renderings.items() if len(said) > 1}
    return Terminology(
        segments,
        len(rates),
        sum(rates) / len(rates) if rates else 0.0,
        len(repeated),
        _consistency(repeated, preferred),
    )


def term_scores(found: Terminology, dictionary: str, match: TermMatch) -> list[Score]:
    """Return what was found as scores in percent, with their signature."""
    made = f"like:wmt25-track2|case:lc|match:{match}"
    scores = []
    if found.scored:
        scores.append(Score(f"{SUCCESS} ({dictionary})", 100 * found.success, made))
    for name, value in found.consistency.items():
        title = f"Term consistency, {name} ({dictionary})"
        scores.append(Score(title, 100 * value, f"{made}|average:terms|pseudo-reference:{name}"))
    return scores


Times = Callable[[str, str], int]
"""How often a translation is in a text."""


def _plain(text: str) -> str:
    return text.strip().lower()


def _substring_times(target: str, text: str) -> int:
    wanted = _plain(target)
    return text.lower().count(wanted) if wanted else 0


def _word_times(target: str, text: str) -> int:
    wanted = _bordered(_plain(target))
    return _bordered(text.lower()).count(wanted) if wanted else 0


@lru_cache(maxsize=64)  # the terms of a segment ask for the same few texts, which may be long
def _bordered(text: str) -> str:
    """Return the words of a text, each within borders that no word holds."""
    return "".join(f" {word}\n" for word in tokenise(text))


def _is_scored(term: Term, source: str, answers: Sequence[str], times: Times) -> bool:
    name = _plain(term.source)
    return (
        bool(name)
        and name in source.lower()
        and any(times(target, text) for target in term.targets for text in answers)
    )


def _rendering(found: Sequence[tuple[str, int]]) -> str:
    """Return the longest translation that is in the output, or "" if none is."""
    present = [_plain(target) for target, number in found if number]
    return max(present, key=len, default="")


def _consistency(
    repeated: Mapping[str, Sequence[str]], preferred: Mapping[str, str]
) -> dict[str, float]:
    if not repeated:
        return {}
    expected: dict[str, dict[str, str]] = {
        "first": {name: next(filter(None, said), "") for name, said in repeated.items()},
        "frequent": {name: _most_frequent(said) for name, said in repeated.items()},
        "dictionary": {name: preferred[name] for name in repeated},
    }
    return {
        kind: sum(
            sum(bool(said) and said == answer[name] for said in repeated[name])
            / len(repeated[name])
            for name in repeated
        )
        / len(repeated)
        for kind, answer in expected.items()
    }


def _most_frequent(said: Sequence[str]) -> str:
    """Return the most frequent translation; which of two equally frequent ones changes nothing."""
    return next((name for name, _ in Counter(filter(None, said)).most_common(1)), "")


def _check_lengths(
    sources: Sequence[str],
    outputs: Sequence[str],
    references: References,
    terms: Sequence[Sequence[Term]],
) -> None:
    lengths = {len(sources), len(outputs), len(terms), *(len(stream) for stream in references)}
    if len(lengths) > 1 or not references:
        raise InputError(
            f"terms: {len(outputs)} translations, {len(sources)} sources, references of "
            f"{[len(stream) for stream in references]} and terms of {len(terms)} segments: they "
            "must be the same segments in the same order. Compare the files line by line."
        )
