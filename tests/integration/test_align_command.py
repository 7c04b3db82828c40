"""`phrasenet align`: where its words come from, and what it says of wrong input."""

import io
import json
from pathlib import Path

import pytest

from flows.cli import main

SOURCE, TARGET = "我 看 书\n你 买 报\n", "i read books\nyou bought papers\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "zh").write_text(SOURCE * 20, "utf-8")
    (tmp_path / "en").write_text(TARGET * 20, "utf-8")
    return str(tmp_path / "zh"), str(tmp_path / "en")


def given(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_both_sides_may_come_from_standard_input(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["align", *files]) == 0
    expected = capsys.readouterr().out
    assert len(expected.splitlines()) == 40
    given(monkeypatch, SOURCE * 20)
    assert main(["align", "-", files[1]]) == 0
    assert capsys.readouterr().out == expected
    pairs = zip((SOURCE * 20).splitlines(), (TARGET * 20).splitlines(), strict=True)
    given(monkeypatch, "".join(f"{source} ||| {target}\n" for source, target in pairs))
    assert main(["align", "-"]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["-", "-"], "", "Both sides cannot be read from standard input"),
        (["-"], "我 看 书 i read\n", "line 1: expected 'source words ||| target words'"),
        (["-"], "我 ||| i ||| me\n", "line 1: expected 'source words ||| target words'"),
        (["-", "en"], "我\n", "- has 1 lines but"),
        (["zh", "en", "--engine", "giza"], "", "phrasenet: --engine is 'giza'; expected"),
        (["zh", "en", "--heuristic", "best"], "", "phrasenet: --heuristic is 'best'; exp"),
    ],
)
def test_wrong_input_is_one_clear_error(
    arguments: list[str],
    text: str,
    message: str,
    files: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given(monkeypatch, text)
    named = dict(zip(("zh", "en"), files, strict=True))
    assert main(["align", *(named.get(item, item) for item in arguments)]) == 2
    assert message in capsys.readouterr().err


def test_gold_links_of_either_form_are_read(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, links in enumerate(("0-0 1-1 2-p-2\n", "1:1/1 2:2/1 3:3/0\n")):
        gold = tmp_path / f"gold{number}"
        gold.write_text(links * 40, "utf-8")
        assert main(["align", *files, "--gold", str(gold), "--json", "--engine", "joint-hmm"]) == 0
    one, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert one == other
    assert set(one) == {"precision", "recall", "aer"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (1, "line 1 of the given text has the text "),
        (41, "the links are of line 41, which the given text of 40 lines does not have"),
    ],
)
def test_gold_links_of_another_text_are_refused_with_advice_for_this_command(
    line: int,
    message: str,
    files: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gold = tmp_path / "gold"
    row = {"line": line, "text": "0" * 16, "source": [1], "target": [1], "links": "0-0"}
    gold.write_text(json.dumps(row), "utf-8")
    assert main(["align", *files, "--gold", str(gold), "--engine", "joint-hmm"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "leave --gold out" in told
    assert "test set" not in told
    assert "testset" not in told


def test_a_missing_eflomal_says_how_to_get_it(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert main(["align", *files, "--engine", "eflomal"]) == 2
    told = capsys.readouterr().err
    assert "`pip install eflomal`" in told
    assert '--engine is "eflomal"' in told
