"""The files of `score` and `compare`: what does not fit together is refused by name."""

from pathlib import Path

import pytest

from flows.commands.scored_texts import read_texts
from storage.errors import InputError


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"two": "a\nb\n", "also": "c\nd\n", "one": "a\n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("outputs", "references", "source"),
    [
        (["two"], ["one"], None),
        (["two"], ["also", "one"], None),
        (["two", "one"], ["also"], None),
        (["two"], ["also"], "one"),
    ],
)
def test_the_file_with_another_number_of_sentences_is_named(
    files: Path, outputs: list[str], references: list[str], source: str | None
) -> None:
    with pytest.raises(InputError, match="^one has 1 sentences but two has 2; expected"):
        read_texts(outputs, references, source)


def test_standard_input_is_read_once(files: Path) -> None:
    with pytest.raises(InputError, match="named twice"):
        read_texts(["-"], ["-"])


def test_files_that_fit_come_in_their_order(files: Path) -> None:
    found = read_texts(["two"], ["also", "two"], "also")
    assert found.outputs == [["a", "b"]]
    assert found.references == [["c", "d"], ["a", "b"]]
    assert found.source == ["c", "d"]
