"""Arguments that are no number, and arguments that are empty."""

import errno
import json
from pathlib import Path
from unittest import mock

import pytest

from flows.commands import segment
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
        (("compare", "a", "b", "--ref", "c", "--seed", "-1"), "-1 is not between 0 and"),
        (("ratings", "export", "a.html", "--seed", "-1"), "-1 is not between 0 and"),
        (("corpus", "sample", "--seed", "-1"), "-1 is not between 0 and"),
        (("corpus", "sample", "--seed", str(1 << 63)), "is not between 0 and"),
        (("audit", "verify", "--seed", "-1"), "-1 is not between 0 and"),
        (("audit", "verify", "--seed", str(1 << 63)), "is not between 0 and"),
        (("audit", "export", "a.jsonl", "--since", "-1"), "-1 is not between 0 and"),
        (("audit", "explain", "a", "-n", "0"), "0 is not between 1 and"),
        (("audit", "trace", "a", "--depth", "0"), "0 is not between 1 and"),
        (("audit", "withdraw", "a", "--reason", "b", "--wait", "-1"), "not a time of 0 or more"),
        (("audit", "withdraw", "a", "--reason", "b", "--wait", "nan"), "not a time of 0 or more"),
        (("experiment", "--seeds", "1,-2"), "'1,-2' is not a list of whole numbers of 0 or more"),
        (("score", "--ref", "a", "b"), "required: HYPOTHESES. --ref takes all names that follow"),
        (("compare", "a", "--ref", "b", "c"), "required: SYSTEM. --ref takes all names"),
        (("compare", "--words"), "are required: BASELINE, SYSTEM, --ref\n"),
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


@pytest.mark.parametrize("sample", ["0", "00", "0%", "0.0%", "-3", "101%", "1.5", "", " "])
def test_a_sample_of_nothing_is_no_sample(sample: str, phrasenet: Command) -> None:
    answer = phrasenet("audit", "verify", f"--rebuild={sample}")
    assert (answer.code, answer.out) == (2, "")
    assert f"--rebuild {sample!r}: expected all, a number of runs from 1" in answer.err


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


@pytest.mark.parametrize("first", ["央行", "央行\tcentral bank", "source\tsource\ttarget"])
def test_a_glossary_without_its_header_is_refused_with_advice_for_it(
    first: str, tmp_path: Path
) -> None:
    glossary = tmp_path / "terms.tsv"
    glossary.write_text(f"{first}\n利率\tinterest rate\n", "utf-8")
    workspace = open_workspace(tmp_path / "workspace")
    with pytest.raises(InputError, match="line 1: expected a header that names the columns"):
        import_glossary(workspace, glossary, "tsv", "Li", "")


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


def test_words_are_told_to_programs(tmp_path: Path, phrasenet: Command) -> None:
    (tmp_path / "lines").write_text("The bank said so.\n\n", "utf-8")
    answer = phrasenet("segment", str(tmp_path / "lines"), "--lang", "en", "--json")
    assert [json.loads(line) for line in answer.out.splitlines()] == [
        {"text": "The bank said so.", "words": ["The", "bank", "said", "so", "."]},
        {"text": "", "words": []},
    ]


def test_what_is_gone_while_a_command_runs_is_no_defect(
    tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lines").write_text("one\n", "utf-8")
    gone = FileNotFoundError(errno.ENOENT, "No such file or directory", str(tmp_path / "gone"))
    monkeypatch.setattr(segment, "emit", mock.Mock(side_effect=gone))
    answer = phrasenet("segment", str(tmp_path / "lines"), "--lang", "en")
    assert answer.code == 2
    assert answer.err == (
        f"phrasenet: {tmp_path / 'gone'} is not there any more: something was removed while the "
        "command ran. Run it again: what is missing is made anew.\n"
    )


@pytest.mark.parametrize("name", ["a-program", str(Path(segment.__file__).parent / "table.tsv")])
def test_a_missing_program_or_file_of_our_own_is_a_defect(
    name: str, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lines").write_text("one\n", "utf-8")
    gone = FileNotFoundError(errno.ENOENT, "No such file or directory", name)
    monkeypatch.setattr(segment, "emit", mock.Mock(side_effect=gone))
    assert phrasenet("segment", str(tmp_path / "lines"), "--lang", "en").code == 1


@pytest.mark.parametrize(
    ("date", "message"),
    [
        ("9999-01-01", "9999-01-01 lies in the future"),
        ("yesterday", "'yesterday' is no date; expected one such as 2026-03-01"),
    ],
)
def test_a_backfill_of_no_past_date_starts_nothing(
    date: str, message: str, tiny: Path, phrasenet: Command
) -> None:
    answer = phrasenet("refresh", "-c", str(tiny / "phrasenet.toml"), "--as-of", date)
    assert answer.code == 2
    assert message in answer.err
    assert not (tiny / "workspace").exists()
