"""The tour of the code names the steps that there are, in their order, and what they write."""

import re

import pytest

import flows.stages  # noqa: F401 - defines every step
from flows.pipeline import STEPS
from tasks.step import steps_named
from tests.support import ROOT

_NAME = re.compile(r"`([\w-]+)`")
_ROWS = [
    [_NAME.findall(cell) for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "tour.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]


def test_the_tour_names_all_steps_in_their_order() -> None:
    assert [name for steps, _, _ in _ROWS for name in steps] == list(STEPS)


@pytest.mark.parametrize(("steps", "kinds"), [(steps, kinds) for steps, _, kinds in _ROWS], ids=str)
def test_the_tour_names_what_steps_write(steps: list[str], kinds: list[str]) -> None:
    written = {kind for name in steps for step in steps_named(name) for kind in step.writes}
    assert set(kinds) == written
