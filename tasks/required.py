"""Which phrases a person wants in the translations: all that are offered, or those of a list."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.errors import InputError
from storage.records import phrase_id
from tasks.lines import LineTagger
from tasks.readers.lines import read_lines
from tasks.tag import tagged_row
from tasks.tagging.matcher import Match, Matcher
from tasks.tagging.slots import Candidate
from tasks.text.english import tokenise
from tasks.text.script import normalise

ALL = "all"
_NAMED = 20
"""Phrases that a message names; a glossary may hold thousands that a text has no use for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wanted phrases; without a list, all that are offered."""

    names: tuple[str, ...] = ()
    """Source phrases of the list, normalised."""
    targets: tuple[str | None, ...] = ()
    """Target words of each, or None for the translation that is offered."""
    matcher: Matcher | None = None
    """None without a list."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A tagged sentence and what is required of its translation."""

    row: dict[str, Any]
    """Row of a `tagged` table."""
    slots: frozenset[int]
    """Slots whose phrases are required."""
    refused: tuple[tuple[str, str], ...] = ()
    """Phrases of the list that stand in the sentence but have no slot, with the reason."""


@dataclass(slots=True)
class Tally:
    """What came of the wanted phrases in all sentences together."""

    wanted: Wanted
    required: int = 0
    """Source phrases that were to be required, each time they stood in a sentence."""
    held: int = 0
    """Those of them that a translation holds."""
    _as_words: set[int] = field(default_factory=set)
    """Phrases of the list that stood somewhere as words of their own."""
    _as_characters: set[int] = field(default_factory=set)
    """Phrases of the list whose characters stood somewhere, if only inside longer words."""

    def add(self, demand: Demand, uses: Sequence[str], enough: Sequence[str]) -> None:
        """Add a sentence.

        Args:
            demand: what was required of it.
            uses: what became of each of its slots.
            enough: which uses count as held.
        """
        held: dict[tuple[int, int], list[str]] = {}
        for slot, use in zip(demand.row["slots"], uses, strict=True):
            if slot["slot"] in demand.slots:
                held.setdefault((slot["start"], slot["end"]), []).append(use)
        self.required += len(held) + len(demand.refused)
        self.held += sum(any(use in enough for use in found) for found in held.values())
        if self.wanted.matcher is not None:
            words = demand.row["source_words"]
            characters = list("".join(words))
            self._as_words.update(match.phrase for match in self.wanted.matcher.find(words))
            self._as_characters.update(
                match.phrase for match in self.wanted.matcher.find(characters)
            )

    def lines(self) -> Iterator[str]:
        """Yield what a person should know: the counts, and which phrases were never required."""
        yield f"required {self.required}, produced {self.held}"
        missed = set(range(len(self.wanted.names))) - self._as_words
        yield from self._named(missed - self._as_characters, "stood in no line")
        yield from self._named(missed & self._as_characters, "stood only inside longer words")

    def _named(self, phrases: set[int], reason: str) -> Iterator[str]:
        if phrases:
            names = [self.wanted.names[phrase] for phrase in sorted(phrases)]
            more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            number = f"{len(names):,} of {len(self.wanted.names):,} phrases of the list"
            yield f"{number} {reason}: {', '.join(names[:_NAMED])}{more}"


def read_wanted(name: str, *, lowercase: bool) -> Wanted:
    """Read what a person named: `all`, or a file with one phrase a line, source or source, tab,
    target.

    Args:
        name: `all` or the file.
        lowercase: whether the models' target words are lower-cased.

    Raises:
        InputError: a line has more than two columns or an empty one, a phrase has two
            translations, or the file names no phrase.
    """
    if name == ALL:
        return Wanted()
    found: dict[str, str | None] = {}
    for number, line in read_lines(name):
        if not line.strip():
            continue
        source, target = _columns(name, number, line)
        source = "".join(normalise(source).split())
        words = None if target is None else " ".join(tokenise(normalise(target)))
        words = words.lower() if words is not None and lowercase else words
        if found.get(source, words) != words:
            raise InputError(
                f"{name}, line {number}: {source!r} is already in the list with another "
                "translation. Keep one of the two lines."
            )
        found[source] = words
    if not found:
        raise InputError(
            f"{name} names no phrase. Write one phrase a line: Chinese, or Chinese, a tab and "
            f"English; `--require {ALL}` takes all phrases that are offered."
        )
    names = tuple(found)
    matcher = Matcher(([source], index) for index, source in enumerate(names))
    return Wanted(names, tuple(found.values()), matcher)


def _columns(name: str, number: int, line: str) -> tuple[str, str | None]:
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) > 2 or not all(columns):
        raise InputError(
            f"{name}, line {number}: expected a Chinese phrase, or a Chinese phrase, a tab and its "
            f"translation; found {len(columns)} columns: {line[:60]!r}. Mend or remove the line."
        )
    return columns[0], columns[1] if len(columns) == 2 else None


def demand(tagger: LineTagger, text: str, wanted: Wanted) -> Demand:
    """Tag a sentence and say which of its slots are required.

    A phrase of the list with a translation is offered with it, whatever the memory holds; of
    phrases of the list that overlap, the longest is required.
    """
    if wanted.matcher is None:
        row = tagger.tag(text)
        return Demand(row, frozenset(slot["slot"] for slot in row["slots"]))
    row, candidates = tagger.candidates(text)
    kept, refused = _without_overlap(wanted.matcher.find(row["source_words"]), wanted)
    own = [_candidate(row["source_words"], match, wanted) for match in kept]
    spans = [match for match in kept if wanted.targets[match.phrase] is not None]
    others = [
        item
        for item in candidates
        if not any(item.start < end and start < item.end for start, end, _ in spans)
    ]
    room = tagger.config.phrase_slots
    named = [item for item in own if item is not None]
    tagged = tagged_row(row, [*named, *_nearest(others, kept, room - len(named))], tagger.config)
    by_span: dict[tuple[int, int], list[int]] = {}
    for slot in tagged["slots"]:
        by_span.setdefault((slot["start"], slot["end"]), []).append(slot["slot"])
    slots: set[int] = set()
    for match in kept:
        offered = by_span.get((match.start, match.end), [])
        if not offered:
            refused.append((wanted.names[match.phrase], _why_no_slot(match, wanted, room)))
        slots.update(offered)
    return Demand(tagged, frozenset(slots), tuple(refused))


def _nearest(others: Sequence[Candidate], kept: Sequence[Match], room: int) -> Iterable[Candidate]:
    """Leave room for the list: of what overlaps a wanted phrase only that phrase itself stays."""
    spans = {(match.start, match.end) for match in kept}
    apart = [
        item
        for item in others
        if (item.start, item.end) in spans
        or not any(item.start < end and start < item.end for start, end in spans)
    ]
    apart.sort(key=lambda item: ((item.start, item.end) not in spans, item.start - item.end))
    chosen: list[tuple[int, int]] = []
    for item in apart:
        span = (item.start, item.end)
        if span not in chosen:
            chosen.append(span)
    allowed = set(chosen[: max(0, room)])
    return [item for item in apart if (item.start, item.end) in allowed]


def _without_overlap(
    matches: Iterable[Match], wanted: Wanted
) -> tuple[list[Match], list[tuple[str, str]]]:
    """Keep the longest of overlapping phrases, leftmost of equals."""
    kept: list[Match] = []
    refused: list[tuple[str, str]] = []
    for match in sorted(matches, key=lambda match: (match.start - match.end, match.start)):
        over = [other for other in kept if match.start < other.end and other.start < match.end]
        if over:
            reason = f"it overlaps {wanted.names[over[0].phrase]!r}, which is required too"
            refused.append((wanted.names[match.phrase], reason))
        else:
            kept.append(match)
    return sorted(kept), refused


def _candidate(words: Sequence[str], match: Match, wanted: Wanted) -> Candidate | None:
    target = wanted.targets[match.phrase]
    if target is None:
        return None
    source = "".join(words[match.start : match.end])
    return Candidate(
        start=match.start,
        end=match.end,
        source=source,
        target=target,
        category="term",
        origin="review",
        phrase_id=phrase_id(source, target),
        provider="list of required phrases",
    )


def _why_no_slot(match: Match, wanted: Wanted, room: int) -> str:
    if wanted.targets[match.phrase] is None:
        return (
            "no translation of it is offered: add one to its line, after a tab, or to the phrase "
            "memory"
        )
    return f"a sentence has at most {room} slots (memory.phrase_slots)"
