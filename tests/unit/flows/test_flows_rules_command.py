"""`phrasenet rules`: which reader a line is given to."""

import json
from pathlib import Path

import pytest

from tests.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "line", "targets"),
    [
        ((), "三百万", ["3 million"]),
        (("--render", "person", "--region", "mainland"), "查思远", ["Zha Siyuan"]),
        (("--render", "person", "--region", "hongkong"), "何淑儀", ["Ho Suk-yee"]),
        (("--render", "person"), "王志明", []),
        (("--render", "person", "--region", "mainland"), "高兴", []),
    ],
)
def test_a_line_is_read_as_asked(
    tmp_path: Path, phrasenet: Command, arguments: tuple[str, ...], line: str, targets: list[str]
) -> None:
    source = tmp_path / "lines.txt"
    source.write_text(f"{line}\n", encoding="utf-8")
    answer = phrasenet("rules", "--json", *arguments, str(source))
    assert answer.code == 0
    row = json.loads(answer.out)
    assert row["text"] == line
    assert [match["target"] for match in row["matches"]] == targets
