"""docs/settings.md is made from the code."""

from pathlib import Path

from flows.settings_reference import settings_reference

PAGE = Path(__file__).parent.parent.parent / "docs" / "settings.md"


def test_the_reference_of_the_settings_is_up_to_date() -> None:
    assert settings_reference() == PAGE.read_text("utf-8"), (
        "run: python -m flows.settings_reference > docs/settings.md"
    )


def test_every_setting_says_what_it_means() -> None:
    rows = [line for line in settings_reference().splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row for row in rows if row.endswith("|  |")] == []
