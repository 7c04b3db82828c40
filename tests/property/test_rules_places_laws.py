"""Laws of whole places and of places in running text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.rules.gazetteer import all_forms
from tasks.rules.grammar import find
from tasks.rules.place_mentions import find_places
from tasks.rules.places import MAX_NAME, read_place
from tasks.rules.style import Region, RuleStyle
from tests.reference.rules_places import longest_names

REGIONS: list[Region] = ["unknown", "mainland", "hongkong", "taiwan"]
STYLES = st.sampled_from([RuleStyle(region=region, place_names=True) for region in REGIONS])
NAMES = sorted(form for form in all_forms() if len(form) > 1)
PARTS = st.sampled_from(
    [*"省市县区镇村路街号第一二三中大北京人民，。· ", *NAMES[::40], "\ud800", "a"]
)
UNHURRIED = settings(deadline=None)
"""The first name loads dictionaries and builds the automaton."""
TEXTS = st.lists(PARTS, max_size=12).map("".join)


@UNHURRIED
@given(TEXTS, STYLES)
def test_a_whole_name_is_read_or_nothing(text: str, style: RuleStyle) -> None:
    match = read_place(text, style)
    if match is not None:
        assert match.source == text.strip() == text[match.start : match.end]
        assert match.target == " ".join(match.target.lower().split())
        assert len(match.source) <= MAX_NAME
        assert match.target.isprintable()


@UNHURRIED
@given(TEXTS, STYLES)
def test_the_hits_of_a_text_are_its_longest_names(text: str, style: RuleStyle) -> None:
    hits = [(hit.start, hit.end) for hit in find_places(text, style)]
    assert set(hits) <= set(longest_names(text, NAMES))
    assert hits == sorted(set(hits))


@UNHURRIED
@given(st.sampled_from(NAMES), STYLES)
def test_a_name_between_marks_is_read_like_the_whole_or_not_at_all(
    name: str, style: RuleStyle
) -> None:
    for hit in find_places(f"，{name}。", style):
        whole = read_place(name, style)
        assert whole is not None
        assert (hit.start, hit.end, hit.target) == (1, 1 + len(name), whole.target)


@UNHURRIED
@given(TEXTS, STYLES)
def test_matches_of_the_grammar_with_places_do_not_overlap(text: str, style: RuleStyle) -> None:
    matches = find(text, style)
    assert all(a.end <= b.start for a, b in zip(matches, matches[1:], strict=False))
    assert all(match.source == text[match.start : match.end] for match in matches)
