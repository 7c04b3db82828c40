"""Nothing prints -0.00: a signed figure is rounded with the option z (PEP 682)."""

import re

import pytest

from tasks.experiments.table import figure
from tests.support import ROOT

SIGNED = re.compile(r"\+,?\.\d+f")
PLACES = [path for room in ("flows", "tasks", "benchmarks") for path in (ROOT / room).rglob("*.py")]


def test_no_signed_figure_may_be_a_negative_zero() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in PLACES
        for match in SIGNED.finditer(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (-0.001, "+z.2f", "+0.00"), (-0.001, "z.2f", "0.00"), (-0.0, "z.2f", "0.00"),
        (-0.005001, "+z.2f", "-0.01"),
    ],
)  # fmt: skip
def test_a_figure_of_a_table_is_no_negative_zero(value: float, form: str, text: str) -> None:
    assert figure(value, form).text == text
    assert figure(-0.001).text == "0.00"
