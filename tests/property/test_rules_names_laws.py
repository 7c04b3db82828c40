"""Laws of personal names, whole and in running text."""

import re
import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.rules.given_names import read_given
from tasks.rules.grammar import find
from tasks.rules.name_mentions import find_mentions
from tasks.rules.names import read_person
from tasks.rules.pinyin import spell
from tasks.rules.style import Region, RuleStyle
from tasks.rules.surnames import COMPOUND, SINGLE
from tasks.text.english import tokenise

REGIONS = get_args(Region)
STYLES = st.sampled_from([RuleStyle(region=region, person_names=True) for region in REGIONS])
SURNAMES = st.sampled_from(sorted(SINGLE) + sorted(COMPOUND))
HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)
PIECES = st.sampled_from(
    [
        "王",
        "毅",
        "欧阳",
        "小明",
        "安",
        "表示",
        "说",
        "先生",
        "部长",
        "，",
        "。",
        "（香港）",
        "·",
        " ",
        "Peter",
    ]
    + ["\ud800", "\u3000", "①", "١", "𠮷", "(", "「", "阿", "第五", "的"]
)
ANY_TEXT = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=40))


@given(ANY_TEXT, STYLES)
def test_any_text_is_read_without_failing_and_slices_back(text: str, style: RuleStyle) -> None:
    match = read_person(text, style)
    if match:
        assert text[match.start : match.end] == match.source
        assert match.category == "person"
        assert re.fullmatch(r"[A-Za-z .'-]+", match.target)


@given(SURNAMES, st.text(HAN, min_size=1, max_size=2))
def test_a_given_name_is_read_back_syllable_by_syllable(surname: str, given_name: str) -> None:
    match = read_person(surname + given_name, RuleStyle(region="mainland"))
    if match is None or match.rule != "person.mainland/1":
        return
    syllables = read_given(given_name)
    assert syllables
    written = match.target.split(" ")[1].lower()
    for place, syllable in enumerate(syllables):
        spelled = spell([syllable], umlaut="yu")
        if place and spelled[0] in "aeo":
            assert written.startswith("'")
            written = written[1:]
        assert written.startswith(spelled)
        written = written.removeprefix(spelled)
    assert not written


@given(SURNAMES, st.text(HAN, min_size=1, max_size=2))
def test_a_surname_never_has_a_general_reading(surname: str, given_name: str) -> None:
    match = read_person(surname + given_name, RuleStyle(region="mainland"))
    if match and match.rule == "person.mainland/1" and surname in COMPOUND:
        assert match.target.startswith(spell([COMPOUND[surname].lower()], umlaut="yu").capitalize())


@given(st.lists(PIECES, max_size=14).map("".join), STYLES)
def test_names_in_running_text_are_tokenised_and_never_overlap(text: str, style: RuleStyle) -> None:
    found = find(text, style)
    assert all(text[m.start : m.end] == m.source for m in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    for hit in find_mentions(text, style):
        assert hit.target == " ".join(tokenise(str(hit.target).lower()))


@given(st.lists(PIECES, max_size=14).map("".join))
def test_without_the_switch_or_a_region_no_names_are_found(text: str) -> None:
    assert not list(find_mentions(text, RuleStyle(region="mainland")))
    assert not list(find_mentions(text, RuleStyle(person_names=True)))


@pytest.mark.parametrize("piece", ["王", "王毅说", "部长王", "（", "\ud800", "司马"])
def test_a_long_line_takes_no_quadratic_time(piece: str) -> None:
    style = RuleStyle(region="mainland", person_names=True)
    text = piece * (10_000 // len(piece))
    list(find_mentions("部长王毅说", style))
    start = time.process_time()
    assert read_person(text, style) is None
    list(find_mentions(text, style))
    assert time.process_time() - start < 1
