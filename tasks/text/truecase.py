"""Give lower-cased English words their usual case back.

The case of a word is the form in which the training text has it most often inside sentences, where
nothing else asks for a capital; after some words another form may be the usual one (`New York
state`, `the State Council`). Headings and lines in capitals teach nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

CASING_FILE = "casing.json"

_ENDS = frozenset([".", "!", "?", "...", "!!", "??", "?!", "!?"])
_OPENS = frozenset(['"', "'", "(", "[", "“"])
_LEAST_LOWER = 0.3
"""A sentence with a smaller share of words in lower case is a heading."""
_FEWEST_AFTER = 2
_NAMES = frozenset(["person", "location", "organization"])
_SMALL = frozenset(["of", "the", "and", "for", "in", "on", "at", "to", "by", "de", "a", "an"])
_CALENDAR = frozenset(
    ["january", "february", "march", "april", "may", "june", "july", "august", "september"]
    + ["october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday"]
    + ["saturday", "sunday", "bc", "ad"]
)
_INITIALS = frozenset(["bc", "ad"])


@dataclass(frozen=True, slots=True)
class Casing:
    """Forms of words that are not simply in lower case."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Word in lower case to its form."""
    after: Mapping[str, str] = field(default_factory=dict)
    """Word before and word, in lower case with a blank between, to the form there."""
    phrases: Mapping[str, str] = field(default_factory=dict)
    """Phrase in lower case to its form, words separated by blanks."""

    def to_bytes(self) -> bytes:
        """Return the casing as the JSON file that travels with a model."""
        value = {"words": self.words, "after": self.after, "phrases": self.phrases}
        return json.dumps(value, ensure_ascii=False, indent=0, sort_keys=True).encode()

    @staticmethod
    def of_model(files: Mapping[str, bytes]) -> "Casing | None":
        """Read the casing among a model's files; None if the model has none."""
        return Casing(**json.loads(files[CASING_FILE])) if CASING_FILE in files else None


@dataclass(frozen=True, slots=True)
class PhraseSpan:
    """A remembered phrase on the output words `[start, end)`."""

    start: int
    end: int
    category: str


def learn_casing(sentences: Iterable[Sequence[str]], phrases: Iterable[Sequence[str]]) -> Casing:
    """Learn the usual forms from words in their own case.

    Args:
        sentences: words of sentences of the training text.
        phrases: words of phrases that somebody wrote in their own case.
    """
    alone: dict[str, Counter[str]] = {}
    after: dict[str, Counter[str]] = {}
    for words in sentences:
        for before, word in _inner_words(words):
            lower = word.lower()
            alone.setdefault(lower, Counter())[word] += 1
            if before[-1].isalnum():
                after.setdefault(f"{before.lower()} {lower}", Counter())[word] += 1
    usual = {lower: _most_frequent(forms) for lower, forms in alone.items()}
    written: dict[str, str] = {}
    for words in phrases:
        form = " ".join(words)
        if form != " ".join(usual.get(word.lower(), word.lower()) for word in words):
            written.setdefault(form.lower(), form)
    return Casing(
        {lower: form for lower, form in sorted(usual.items()) if form != lower},
        {
            pair: form
            for pair, forms in sorted(after.items())
            for form in [_most_frequent(forms)]
            if form != usual[pair.split(" ")[1]] and forms[form] >= _FEWEST_AFTER
        },
        dict(sorted(written.items())),
    )


def restore_case(
    words: Sequence[str], casing: Casing, spans: Sequence[PhraseSpan] = ()
) -> list[str]:
    """Give words their usual case, and each sentence its capital.

    Args:
        words: words in lower case.
        casing: the usual forms.
        spans: the remembered phrases among them, without overlaps.
    """
    restored: list[str] = []
    for number, word in enumerate(words):
        pair = f"{words[number - 1].lower()} {word}" if number else ""
        restored.append(casing.after.get(pair) or casing.words.get(word, word))
    for span in spans:
        restored[span.start : span.end] = _phrase(words, restored, span, casing)
    for number in _sentence_starts(words):
        restored[number] = restored[number][:1].upper() + restored[number][1:]
    return restored


def _phrase(
    words: Sequence[str], restored: Sequence[str], span: PhraseSpan, casing: Casing
) -> list[str]:
    """Return the words of a phrase in their case: as it was written, or as its kind asks for."""
    inside = words[span.start : span.end]
    written = casing.phrases.get(" ".join(inside))
    if written is not None:
        return written.split(" ")
    forms = list(restored[span.start : span.end])
    for place, word in enumerate(inside):
        if forms[place] != word:
            continue
        if span.category in ("date", "time") and word in _CALENDAR:
            forms[place] = word.upper() if word in _INITIALS else word.capitalize()
        elif span.category in _NAMES and (word not in _SMALL or place == 0):
            forms[place] = "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
    return forms


def _inner_words(words: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield the words that do not begin a sentence, each with the word before it."""
    letters = [word for word in words if word[0].isalpha()]
    if sum(word[0].islower() for word in letters) < _LEAST_LOWER * len(letters):
        return
    starts = set(_sentence_starts(words))
    for number in range(1, len(words)):
        if number not in starts and any(map(str.isalpha, words[number])):
            yield words[number - 1], words[number]


def _sentence_starts(words: Sequence[str]) -> Iterable[int]:
    """Yield where the sentences among some words begin, opening marks aside."""
    begins = True
    for number, word in enumerate(words):
        if begins and word not in _OPENS:
            yield number
            begins = False
        begins = begins or word in _ENDS


def _most_frequent(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], not form.islower(), form))
