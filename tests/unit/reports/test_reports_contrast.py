"""Colours of pages can be told from what they stand on, in light and in dark (WCAG 2.2, AA)."""

import re

import pytest

from tasks.reports.assets import asset

TEXT, PLOT = 4.5, 3.0
INKS = ("ink", "soft", "accent", "good", "fair", "bad")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root \{(.*?)\}", asset("page.css"), re.DOTALL)
)


def brightness(colour: str) -> float:
    """Return the relative luminance of a colour, between 0 and 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ink", INKS)
def test_text_can_be_read(scheme: dict[str, str], ink: str) -> None:
    for back in ("back", "panel"):
        assert contrast(scheme[ink], scheme[back]) >= TEXT


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_marked_text_can_be_read(scheme: dict[str, str]) -> None:
    for ink, back in (("ink", "good-back"), ("good", "good-back"), ("ink", "mark")):
        assert contrast(scheme[ink], scheme[back]) >= TEXT, (ink, back)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_of_plots_can_be_seen(scheme: dict[str, str]) -> None:
    for number in range(6):
        assert contrast(scheme[f"c{number}"], scheme["back"]) >= PLOT
