"""Commands in odd surroundings: closed streams, full disks, other locales, broken arguments."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli import main
from tests.integration.commands import environment

COMMAND = [sys.executable, "-m", "flows.cli"]


def shell(line: str, **variables: str) -> "subprocess.CompletedProcess[bytes]":
    command = " ".join(COMMAND)
    return subprocess.run(
        ["sh", "-c", line.replace("phrasenet", command)],
        env=environment(**variables),
        capture_output=True,
        check=False,
    )


def test_no_standard_input_is_a_mistake() -> None:
    done = shell("phrasenet rules <&-")
    assert done.returncode == 2
    assert b"Name a file" in done.stderr


def test_no_standard_output_is_no_defect() -> None:
    assert shell("echo 三月 | phrasenet rules >&-").returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_an_output_that_is_full_is_a_mistake() -> None:
    done = shell("echo 三月二十日 | phrasenet rules > /dev/full")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    done = shell("yes 三月二十日 | head -50000 | phrasenet rules | head -1; exit 0")
    assert done.stderr == b""


def test_chinese_is_written_in_any_locale() -> None:
    done = shell("echo 三月二十日 | phrasenet rules", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0
    assert "三月二十日\tmarch 20" in done.stdout.decode("utf-8")


def test_arguments_that_are_no_text_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "\udced\udca0"]) == 2
    assert "not UTF-8" in capsys.readouterr().err


def test_references_may_be_named_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("out", "the bank rose\n"), ("a", "the bank rose\n"), ("b", "no\n")):
        (tmp_path / name).write_text(text, "utf-8")
    paths = {name: str(tmp_path / name) for name in ("out", "a", "b")}
    assert main(["score", paths["out"], "--ref", paths["a"], "--ref", paths["b"]]) == 0
    assert "nrefs:2" in capsys.readouterr().out


def test_gold_links_outside_of_the_sentence_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "zh").write_text("甲 乙\n", "utf-8")
    (tmp_path / "en").write_text("a b\n", "utf-8")
    (tmp_path / "gold").write_text("0-0 1-9\n", "utf-8")
    files = [str(tmp_path / name) for name in ("zh", "en")]
    assert main(["align", *files, "--gold", str(tmp_path / "gold")]) == 2
    assert "line 1: the link 1-9 lies outside" in capsys.readouterr().err


def test_pairs_that_are_too_long_to_link_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "zh").write_text("甲 乙\n" + "词 " * 300 + "\n", "utf-8")
    (tmp_path / "en").write_text("a b\nword\n", "utf-8")
    assert main(["align", str(tmp_path / "zh"), str(tmp_path / "en")]) == 0
    assert "1 pairs are not linked (too_long" in capsys.readouterr().err
