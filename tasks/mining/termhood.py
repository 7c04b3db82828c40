"""Judge whether a likely phrase is a term or a fragment, and remember who proposed it.

A phrase is a term if one of three methods proposes its source (Meng et al. 2014 take their union):
C-value over part-of-speech patterns and log-likelihood ratio with hierarchical reducing for several
words, log-likelihood against the language at large for single ones; and if nothing speaks against
it: what stands at its edges, what stands beside it, what it is always a part of.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tasks.mining.c_value import Nesting, Words
from tasks.mining.english_shape import begins_nominal, breaks_off, looks_nominal, looks_verbal
from tasks.mining.function_words import is_punctuation
from tasks.mining.part_of_speech import Tagged, Tagger
from tasks.mining.single_terms import keyness
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import TermFacts

Method = Literal["alignment", "c-value", "likelihood-ratio", "single-word"]
"""Who proposes a mined phrase; `alignment` proposes every one."""
Reason = Literal["", "edge", "inside", "cut", "verb", "context", "target", "part", "no method"]
"""Why a phrase is a fragment: a function word, a number or a mark is at an edge, or inside of what
is no name; it cuts through what a rule saw; it is a verb or a clause; the same words, or the same
character, always stand beside it; its target lacks a word, since the same words stand beside it, or
it goes on where its source does not, or a word beyond it is linked to its source; it only stands
inside of longer terms. Last, where nothing speaks against a phrase: no method proposes its source.
Empty for a term."""

MAX_CUT_SHARE = 0.5
MIN_NAMED_SHARE = 0.5
"""Least share of the places of a phrase at which a name is written with capitals."""
MIN_FREE_SHARE_OF_NAME = 0.3
"""Least share of the places of a name that are not inside of longer ones: half a name is none."""
MAX_SAME_WORD_SHARE, MAX_SAME_WORD_SHARE_OF_NAME = 0.7, 0.6
"""Below this share of the places, the same content word may stand beside a target."""
MAX_SAME_CHARACTER_SHARE = 0.65
"""The same for a word of one character beside a source: 人 belongs to what it stands behind."""
MAX_GOING_ON, MAX_GOING_ON_LONG = 0.35, 0.2
"""A target may be followed by content words in so much larger a share of its places than its
source, or it is cut short; less for a source of `LONG` characters, which has several words."""
LONG = 4
MAX_CONTENT_BEHIND_HEAD = 0.5
"""The same for the share itself, of a source that ends in a head noun."""
_HEAD = re.compile(
    r".+(?:机关|機關|机构|機構|公司|商店|市场|市場|设备|設備|单位|單位|[小中大]学|[小中大]學|学校|學校)"
    r"|.{2,}(?:业|業|场|場|表|区|區|税|稅)|温泉|溫泉"
)
"""Sources that end in the kind of thing that they name; English has a word for it (`market`)."""
_IN_NAMES = frozenset("/·‧-－—")
"""Marks that stand inside of names."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about a phrase."""

    methods: tuple[Method, ...]
    reason: Reason
    c_value: float = 0.0
    nc_value: float = 0.0
    keyness: float = 0.0


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows the counts of the whole text."""

    config: TermConfig
    tagger: Tagger
    nestings: Mapping[Words, Nesting]
    """Of the sources that are judged, as far as they are candidates."""
    nc_values: Mapping[Words, float]
    total_words: int
    """Words of content in the whole text."""

    def judge(self, facts: TermFacts, target: str) -> Verdict:
        """Judge one phrase by the facts about its source, and by its target."""
        nesting = self.nestings.get(facts.words)
        c_value = nesting.c_value(len(facts.words)) if nesting else 0.0
        key = self._keyness(facts) if len(facts.words) == 1 else 0.0
        methods = self._methods(facts, c_value, key)
        tags = [self.tagger.tag(word) for word in facts.words]
        return Verdict(
            methods,
            self._objection(facts, methods, tags, target),
            c_value,
            self.nc_values.get(facts.words, 0.0),
            key,
        )

    def _keyness(self, facts: TermFacts) -> float:
        word = facts.words[0]
        return keyness(
            facts.occurrences,
            max(self.total_words, facts.occurrences),
            self.tagger.reference_count(word),
            self.tagger.reference_total,
        )

    def _methods(self, facts: TermFacts, c_value: float, key: float) -> tuple[Method, ...]:
        return ("alignment", *self._proposers(facts, c_value, key))

    def _proposers(self, facts: TermFacts, c_value: float, key: float) -> Iterator[Method]:
        if len(facts.words) == 1:
            if key >= self.config.min_keyness:
                yield "single-word"
            return
        if facts.words in self.nestings and c_value >= self.config.min_c_value:
            yield "c-value"
        if facts.share("unit") >= 0.5:
            yield "likelihood-ratio"

    def _objection(
        self, facts: TermFacts, methods: tuple[Method, ...], tags: list[Tagged], target: str
    ) -> Reason:
        if tags[0].word_class == "other" or tags[-1].word_class == "other":
            return "edge"
        if self._is_list_or_clause(facts, target, tags):
            return "inside"
        if facts.share("cut") > MAX_CUT_SHARE:
            return "cut"
        if _is_verb(tags, target) or breaks_off(target):
            return "verb"
        beside = self._what_is_around(facts, target)
        return beside or ("no method" if len(methods) == 1 else "")

    def _is_list_or_clause(self, facts: TermFacts, target: str, tags: list[Tagged]) -> bool:
        """Say whether function words or marks stand inside of a phrase that is no name."""
        marks = {word for word in (*facts.words, *target.split(" ")) if is_punctuation(word)}
        if marks - _IN_NAMES:
            return True
        inner = any(tag.word_class == "other" for tag in tags[1:-1])
        return inner and facts.named_share(target) < MIN_NAMED_SHARE

    def _what_is_around(self, facts: TermFacts, target: str) -> Reason:
        if min(facts.left_entropy, facts.right_entropy) < self.config.min_entropy:
            return "context"
        if facts.character_share() >= MAX_SAME_CHARACTER_SHARE:
            return "context"
        if facts.lacking_share(target) >= self.config.max_lacking_share:
            return "target"
        same_word = max(facts.next_share("before"), facts.next_share("after"))
        is_name = facts.named_share(target) >= MIN_NAMED_SHARE
        most = MAX_SAME_WORD_SHARE_OF_NAME if is_name else MAX_SAME_WORD_SHARE
        if facts.target_entropy < self.config.min_entropy or same_word >= most:
            return "target"
        if not is_name and _lacks_head(facts):
            return "target"
        least = MIN_FREE_SHARE_OF_NAME if is_name else self.config.min_free_share
        if self._free_share(facts) < least:
            return "part"
        return ""

    def _free_share(self, facts: TermFacts) -> float:
        """Return the share of the occurrences of a source that nothing longer holds."""
        nesting = self.nestings.get(facts.words)
        in_terms = nesting.nested / nesting.frequency if nesting else 0.0
        return 1.0 - max(in_terms, facts.share("covered"))


def _lacks_head(facts: TermFacts) -> bool:
    """Say whether the target seems to lack its last word (`judicial` for 司法机关).

    Not asked of names, behind which verbs stand in English and not always in Chinese.
    """
    source = "".join(facts.words)
    if facts.going_on() >= (MAX_GOING_ON_LONG if len(source) >= LONG else MAX_GOING_ON):
        return True
    is_kind = _HEAD.fullmatch(source) is not None
    return is_kind and facts.content_share("after") >= MAX_CONTENT_BEHIND_HEAD


def _is_verb(tags: list[Tagged], target: str) -> bool:
    """Say whether a phrase begins or ends in a verb and its target does not deny it."""
    last = tags[-1]
    if len(tags) > 1 and tags[0].word_class == "verb" and not begins_nominal(target):
        return True
    if last.word_class in ("verb", "adjective"):
        return looks_verbal(target) or not looks_nominal(target)
    # The insured and the accused are nouns; with a noun before them, verbs are likelier.
    return looks_verbal(target) and (last.word_class == "nominal" or " " in target)
