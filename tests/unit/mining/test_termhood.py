"""What speaks against a likely phrase, one thing at a time."""

from dataclasses import replace

import pytest

from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import TermFacts
from tasks.mining.termhood import Judge, Reason

SOURCE, TARGET = ("灯塔", "保险"), "lighthouse insurance"
BESIDE = {"of": 4, "": 6}
WHOLE = TermFacts(
    words=SOURCE,
    occurrences=10,
    counts={"unit": 10},
    values={
        "left": {"的": 4, "": 6},
        "right": {"": 5, "人": 5},
        "before": {**BESIDE},
        "after": {**BESIDE},
        "opposite": {TARGET: 10},
    },
    left_entropy=1.0,
    right_entropy=1.0,
    target_entropy=1.0,
)


def told(**values: dict[str, int]) -> TermFacts:
    """Give the facts of a whole term with some others in their place."""
    return replace(WHOLE, values={**WHOLE.values, **values})


NAMED = {"named": {TARGET: 9}}


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (WHOLE, ""),
        # Words beyond the target are linked to its source at two of ten places, or at one.
        (told(beyond={TARGET: 2}), "target"),
        (told(beyond={TARGET: 1}), ""),
        (told(beyond={"insurance": 9}), ""),
        # The same word stands beside the target, which a name bears less of.
        (told(before={"national": 7, "": 3}), "target"),
        (told(before={"national": 6, "": 4}), ""),
        (told(before={"national": 6, "": 4}, **NAMED), "target"),
        (told(before={"national": 5, "": 5}, **NAMED), ""),
        # The same character stands beside the source; function words and longer ones may.
        (told(right={"人": 7, "": 3}), "context"),
        (told(left={"人": 7, "": 3}), "context"),
        (told(right={"人": 6, "": 4}), ""),
        (told(right={"的": 7, "": 3}), ""),
        (told(right={"公司": 7, "": 3}), ""),
        (replace(told(right={"人": 4}), occurrences=4, counts={"unit": 4}), ""),
        (replace(WHOLE, left_entropy=0.1), "context"),
        # No method proposes it, which is asked last.
        (replace(WHOLE, counts={}), "no method"),
        (replace(told(beyond={TARGET: 2}), counts={}), "target"),
        (replace(WHOLE, counts={"unit": 10, "cut": 6}), "cut"),
        (replace(WHOLE, counts={"unit": 10, "covered": 10}), "part"),
        (replace(WHOLE, words=("的", "保险")), "edge"),
    ],
)
def test_each_thing_speaks_against_a_phrase(facts: TermFacts, reason: Reason) -> None:
    judge = Judge(TermConfig(), Tagger(), {}, {}, 1000)
    assert judge.judge(facts, TARGET).reason == reason


def test_links_are_not_asked_if_the_settings_say_so() -> None:
    judge = Judge(TermConfig(max_lacking_share=1.1), Tagger(), {}, {}, 1000)
    assert judge.judge(told(beyond={TARGET: 10}), TARGET).reason == ""
