"""What the tables need of a result that was read back: each value, where it stands and its type.

A result may hold more than this; a value that no table reads may be anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storage.errors import InputError
from tasks.experiments.config import METRICS
from tasks.experiments.statistics import GATE, KINDS, SOURCE_WORDS, column_names, unpacked

TEXT, NUMBER, COUNT = "a text", "a number", "a whole number of 0 or more"
LARGEST = 10**15
"""Counts above it are damage: no text has so many words."""


@dataclass(frozen=True, slots=True)
class _Each:
    """An object with any names, whose values all have one form."""

    form: Any


@dataclass(frozen=True, slots=True)
class _Rows:
    """A list whose items all have one form."""

    form: Any


@dataclass(frozen=True, slots=True)
class _OrNone:
    """A value, or nothing."""

    form: Any


@dataclass(frozen=True, slots=True)
class _One:
    """One of some texts."""

    texts: tuple[str, ...]


_MEASURES = _Rows({"subset": TEXT, "metric": TEXT, "value": NUMBER, "sentences": COUNT})
_TEST = {
    "role": _One(("test", "dev")),
    "lines": TEXT,
    "sentences": COUNT,
    "decoding": {"words": COUNT, "processor_seconds": NUMBER},
    "phrase_use": _Rows({"origin": TEXT, "offered": COUNT, "appeared": COUNT, "produced": COUNT}),
    "scores": _MEASURES,
    "ngrams": _Rows({"subset": TEXT, "flavour": TEXT, "order": COUNT, "individual": NUMBER}),
    "measures": _MEASURES,
    "lengths": _Rows(
        {
            "low": COUNT, "high": NUMBER, "sentences": COUNT, "bleu_v11b": NUMBER,
            "bleu_v13a": NUMBER, "hypothesis_words": NUMBER, "reference_words": NUMBER,
        }
    ),
    "scaling": _OrNone(
        _Rows(
            {
                "source_scale": NUMBER, "target_scale": NUMBER, "bleu_v11b": NUMBER,
                "bleu_v13a": NUMBER, "hypothesis_words": NUMBER,
            }
        )
    ),
    "records": _OrNone({"kind": _One(("records",)), "digest": TEXT, "rows": COUNT}),
    "statistics": {"sentences": COUNT, "columns": _Rows(TEXT), "data": TEXT},
}  # fmt: skip
FORM: Mapping[str, Any] = {
    "digest": TEXT,
    "settings_digest": TEXT,
    "memory_snapshot": TEXT,
    "parameters": {"all": COUNT, "decoder": COUNT},
    "training": {
        "target_words": COUNT,
        "passes": COUNT,
        "hours": NUMBER,
        "processor_hours": NUMBER,
        "peak_memory_bytes": COUNT,
        "dev_losses": _Rows((COUNT, NUMBER)),
    },
    "ledger": {"digest": TEXT},
    "tests": _Each(_TEST),
}


def check_result(result: Mapping[str, Any]) -> None:
    """Check all that the tables read of a result.

    Raises:
        InputError: names the first value that is missing or of another type, with its place.
    """
    problem = next(_problems(result, FORM, ""), None)
    if problem is not None:
        raise InputError(problem)
    for name, test in result["tests"].items():
        where = f"tests.{name}.statistics"
        try:
            columns = unpacked(test["statistics"])
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        missing = [each for each in _COLUMNS if each not in columns]
        if missing:
            raise InputError(f"{where}.columns lacks {missing[0]!r}.")


_COLUMNS = (
    SOURCE_WORDS,
    KINDS,
    GATE,
    *(name for metric in METRICS for name in column_names(metric)),
)


def _problems(value: Any, form: Any, where: str) -> Iterator[str]:
    """Say what is wrong with a value, and with those inside of it."""
    match form:
        case _OrNone():
            if value is not None:
                yield from _problems(value, form.form, where)
        case _One():
            if value not in form.texts:
                yield _told(value, where, f"one of {', '.join(form.texts)}")
        case str():
            if not _fits(value, form):
                yield _told(value, where, form)
        case _Rows() | tuple():
            yield from _in_list(value, form, where)
        case _:
            yield from _in_object(value, form, where)


def _in_list(value: Any, form: Any, where: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield _told(value, where, "a list")
        return
    forms: Sequence[Any] = form if isinstance(form, tuple) else [form.form] * len(value)
    if len(forms) != len(value):
        yield _told(value, where, f"a list of {len(forms)}")
        return
    for number, (item, each) in enumerate(zip(value, forms, strict=True)):
        yield from _problems(item, each, f"{where}[{number}]")


def _in_object(value: Any, form: Any, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield _told(value, where, "an object")
        return
    forms = dict.fromkeys(value, form.form) if isinstance(form, _Each) else form
    for key, each in forms.items():
        place = f"{where}.{key}" if where else str(key)
        if key in value:
            yield from _problems(value[key], each, place)
        elif not isinstance(each, _OrNone):
            yield f"{place} is missing."


def _fits(value: Any, form: str) -> bool:
    if form == TEXT:
        return isinstance(value, str)
    if isinstance(value, bool):
        return False
    if form == COUNT:
        return isinstance(value, int) and 0 <= value <= LARGEST
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= LARGEST)


def _told(value: Any, where: str, expected: str) -> str:
    found = "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
    return f"{where} is {found}; expected {expected}."
