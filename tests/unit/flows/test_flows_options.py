"""Arguments that are no number, and arguments that are empty."""

from pathlib import Path

import pytest

from flows.commands.options import program
from storage.errors import InputError
from storage.workspace import open_workspace
from tasks.memory_import import import_glossary
from tests.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "a", "b", "--ref", "c", "--trials", "x"), "--trials: 'x' is not a whole"),
        (("compare", "a", "b", "--ref", "c", "--seed", "1.5"), "--seed: '1.5' is not a whole"),
        (("corpus", "sample", "-n", "many"), "'many' is not a whole number"),
        (("corpus", "sample", "--seed", "x"), "'x' is not a whole number"),
        (("run", "--wait", "soon"), "'soon' is not a time of 0 or more seconds"),
    ],
)
def test_what_is_no_number_is_told_in_plain_words(
    arguments: tuple[str, ...],
    message: str,
    phrasenet: Command,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        phrasenet(*arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("phrase", ["", "  "])
def test_an_empty_phrase_is_not_looked_up(phrase: str, phrasenet: Command) -> None:
    answer = phrasenet("memory", "lookup", phrase)
    assert (answer.code, answer.out) == (2, "")
    assert "The phrase to look up is empty" in answer.err


@pytest.mark.parametrize("form", ["tsv", "pairs", "moses"])
def test_a_glossary_without_entries_is_refused(form: str, tmp_path: Path) -> None:
    glossary = tmp_path / "empty"
    glossary.write_text("")
    workspace = open_workspace(tmp_path / "workspace")
    with pytest.raises(InputError, match="found none"):
        import_glossary(workspace, glossary, form, "Li", "")


@pytest.mark.parametrize(
    ("called", "found", "expected"),
    [
        ("/a/project/.venv/bin/phrasenet", None, ".venv/bin/phrasenet"),
        ("/a/project/.venv/bin/phrasenet", "/usr/bin/phrasenet", "phrasenet"),
        ("/a/project/flows/cli.py", None, "phrasenet"),
    ],
)
def test_hints_name_the_program_as_it_can_be_called(
    called: str, found: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [called])
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr("os.getcwd", lambda: "/a/project")
    assert program() == expected
