"""Say what kind of thing a mined phrase names: a person, a place, an organisation, or a term.

Both sides have to agree. English writes names with capitals, Chinese shows their kind by how they
end, and knows many of them; a word list alone calls 契约 (contract) a place. Dates, numbers,
quantities and times are what the rules say they are.
"""

import re
from collections.abc import Mapping

from storage.records import Category
from tasks.mining.english_shape import as_name
from tasks.mining.part_of_speech import NAME_TAGS, Tagger
from tasks.mining.term_facts import TermFacts
from tasks.mining.termhood import MIN_NAMED_SHARE
from tasks.readers.categories import guess_category
from tasks.rules.places import read_place
from tasks.rules.style import RuleStyle

MIN_PROPER_SHARE = 0.9
"""The same for a phrase that only a word list calls a place: proper names have no other form."""
MIN_RULE_SHARE = 0.5
"""Least share of the places where a phrase stands at which a rule says what it is."""

_ORGANIZATION = re.compile(
    r".{2,}(?:部|署|局|院|处|處|厅|廳|会|會|委|司|社|行|所|团|團|队|隊|党|黨|库|庫|校|馆|館|中心|公司|集团|集團"
    r"|银行|銀行|大学|大學|政府|医院|醫院|组织|組織|联盟|聯盟|法庭|机构|機構)"
)
_LOCATION = re.compile(
    r".+(?:省|市|县|縣|区|區|州|郡|镇|鎮|乡|鄉|村|里|岛|島|群岛|群島|半岛|半島|山|河|江|湖|海|洋|湾|灣|海峡|海峽"
    r"|沙漠|高原|平原|盆地|港|国|國|洲|路|街)"
)
_BODY = re.compile(
    r"(?:ministry|bureau|department|committee|commission|council|court|bank|university|college"
    r"|agency|administration|association|institute|academy|authority|office|center|centre|company"
    r"|corporation|group|yuan|government|congress|party|union|organi[sz]ation|school|hospital"
    r"|foundation|fund|federation|society|club|museum|press|television|board|division|directorate"
    r"|secretariat|library|embassy|prosecutors?|headquarters|service|exchange|police)"
)
"""A word of the English name of a body."""


def category_of(
    source: str,
    target: str,
    facts: TermFacts,
    listed: Mapping[str, Category],
    known: tuple[Tagger, RuleStyle],
) -> Category:
    """Return the category of a mined phrase.

    Args:
        source: Chinese without blanks, either script.
        target: English words, lower-cased.
        facts: what was counted about the source.
        listed: what dictionaries call their phrases, where they agree, by source.
        known: what tags words, and how the rules read names.
    """
    tagger, style = known
    by_rule = _by_rules(facts)
    if by_rule is not None:
        return by_rule
    if listed.get(source, "term") != "term":
        return listed[source]
    place = read_place(source, style)
    if place is not None and place.target == target:
        return place.category
    if facts.named_share(target) < MIN_NAMED_SHARE:
        return "term"
    return _by_ending(source, target, facts, tagger)


def _by_rules(facts: TermFacts) -> Category | None:
    seen = facts.values.get("rule", {})
    for category, count in seen.items():
        if count >= MIN_RULE_SHARE * facts.occurrences:
            return category  # type: ignore[return-value]
    return None


def _by_ending(source: str, target: str, facts: TermFacts, tagger: Tagger) -> Category:
    """Return the category of a phrase whose target is written as a name."""
    guess = guess_category(source, as_name(target))
    if guess == "person":
        return guess
    if _ORGANIZATION.fullmatch(source) and any(map(_BODY.fullmatch, target.split(" "))):
        return "organization"
    tags = {NAME_TAGS.get(tagger.tag(word).tag, "") for word in facts.words}
    if _LOCATION.fullmatch(source) and (guess == "location" or "location" in tags):
        return "location"
    always = facts.named_share(target) >= MIN_PROPER_SHARE
    return "location" if always and tags == {"location"} else "term"
