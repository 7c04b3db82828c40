"""Choose what a sentence of the sample talks about, and build its parts in both languages.

Sentence patterns, which put the parts in order, are in `plain_patterns.py` and `news_patterns.py`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.sample.chunks import Chunk, order, pair, phrase
from tasks.sample.lexicon import ADJECTIVES, COMMON_VERBS, ROLES, SUBJECTS, Noun, Subject, Verb
from tasks.sample.names import (
    Pools,
    date_chunk,
    distance_chunk,
    money_chunk,
    number_chunk,
    percent_chunk,
)

SINGULAR = (("这", "this"), ("那", "that"), ("一", "a"), ("每", "every"))
PLURAL = (
    ("这些", "these"),
    ("那些", "those"),
    ("许多", "many"),
    ("几", "several"),
    ("所有", "all"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """A noun phrase and whether its English takes a plural verb."""

    chunk: Chunk
    is_plural: bool


@dataclass(frozen=True, slots=True)
class Speaker:
    """Chooses what a sentence talks about, within one subject."""

    rng: random.Random
    pools: Pools
    subject: Subject

    @classmethod
    def any(cls, rng: random.Random, pools: Pools) -> "Speaker":
        """Choose a subject."""
        return cls(rng, pools, rng.choice(SUBJECTS))

    def verb(self) -> Verb:
        """Choose a verb of the subject, or a common one."""
        return self.rng.choice(self.subject.verbs + COMMON_VERBS)

    def people(self) -> Group:
        """Speak of people."""
        return self._group(self.rng.choice(self.subject.people), person=True)

    def things(self) -> Group:
        """Speak of things."""
        return self._group(self.rng.choice(self.subject.things), person=False)

    def _group(self, noun: Noun, *, person: bool) -> Group:
        adjective = self._adjective(person=person)
        if self.rng.random() < 0.5:
            zh, en = self.rng.choice(SINGULAR)
            measure = pair(noun.measure, "")
            article = "an" if en == "a" and _starts_with_vowel(adjective, noun.singular) else en
            parts = [pair(zh, article), measure, *adjective, pair(noun.source, noun.singular)]
            return Group(order(parts), is_plural=False)
        zh, en = self.rng.choice(PLURAL)
        counted = [pair(noun.measure, "")] if zh == "几" else []
        parts = [pair(zh, en), *counted, *adjective, pair(noun.source, noun.plural)]
        return Group(order(parts), is_plural=True)

    def _adjective(self, *, person: bool) -> list[Chunk]:
        if self.rng.random() < 0.65:
            return []
        zh, en_thing, en_person = self.rng.choice(ADJECTIVES)
        return [pair(zh, en_person if person else en_thing), pair("的", "")]

    def term(self) -> Chunk:
        """Name a term of the subject."""
        source, target = self.rng.choice(self.subject.terms)
        article = pair("", "the") if target.startswith("the ") else pair("", "")
        sources, targets = source.split(), target.removeprefix("the ").split()
        if len(sources) == len(targets):
            words = order([pair(s, t) for s, t in zip(sources, targets, strict=True)])
        else:
            words = pair(source, " ".join(targets))
        return order([article, phrase(words, "term")])

    def person(self) -> Chunk:
        """Name a person."""
        return self.rng.choice(self.pools.people).chunk()

    def place(self) -> Chunk:
        """Name a place."""
        return self.rng.choice(self.pools.places).chunk()

    def organization(self) -> Chunk:
        """Name an organisation."""
        return self.rng.choice(self.pools.organizations).chunk()

    def date(self) -> Chunk:
        """Name a day."""
        year, month, day = self.rng.choice(self.pools.days)
        return date_chunk(year, month, day, self.rng.choice(("full", "full", "day", "chinese")))

    def money(self) -> Chunk:
        """Name a sum of money."""
        amount = self.rng.choice(self.pools.amounts)
        return money_chunk(
            amount * self.rng.choice((1, 100)), self.rng.choice(("yuan", "yuan", "dollar"))
        )

    def percent(self) -> Chunk:
        """Name a share."""
        return percent_chunk(self.rng.choice(self.pools.amounts))

    def number(self) -> Chunk:
        """Name a large whole number."""
        return number_chunk(1000 + 7 * self.rng.choice(self.pools.amounts))

    def distance(self) -> Chunk:
        """Name a distance."""
        return distance_chunk(self.rng.choice(self.pools.amounts))

    def word(self, choices: Sequence[tuple[str, str]]) -> Chunk:
        """Choose one of several words that fit, with its translation."""
        return pair(*self.rng.choice(choices))

    def role(self, *, is_new: bool) -> Chunk:
        """Name an office that somebody holds, or is given."""
        zh, holds, is_given = self.rng.choice(ROLES)
        return pair(zh, is_given if is_new else holds)


def _starts_with_vowel(adjective: list[Chunk], noun: str) -> bool:
    first = adjective[0].target[0].text if adjective else noun
    return first[0] in "aeio" or first.startswith("un")


def be(group: Group) -> str:
    """Give the form of "to be" that goes with a noun phrase."""
    return "are" if group.is_plural else "is"


def action(speaker: Speaker, actor: Group) -> Chunk:
    """Say that somebody does something: past, future, progressive, or a wish."""
    verb, object_ = speaker.verb(), speaker.things().chunk
    tense = speaker.rng.choice(("past", "past", "future", "progressive", "wish"))
    if tense == "past":
        return order([actor.chunk, pair(verb.source, verb.past), pair("了", ""), object_])
    if tense == "future":
        return order([actor.chunk, pair("将", "will"), pair(verb.source, verb.base), object_])
    if tense == "progressive":
        being = pair("正在", be(actor))
        return order([actor.chunk, being, pair(verb.source, verb.progressive), object_])
    wish = pair("想", "want" if actor.is_plural else "wants")
    return order([actor.chunk, wish, pair("", "to"), pair(verb.source, verb.base), object_])


def stop() -> Chunk:
    """End a sentence."""
    return pair("。", ".")


def comma() -> Chunk:
    """Separate clauses in both languages."""
    return pair("，", ",")
