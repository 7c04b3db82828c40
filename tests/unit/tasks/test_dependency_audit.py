"""The dependency audit never says that all is well where nobody was asked."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.dependency_audit import (
    NONE_KNOWN,
    NOT_ASKED,
    SOME_KNOWN,
    main,
    read_answer,
    sentences,
)

CLEAN = {"name": "numpy", "version": "2.4.1", "vulns": []}
WEAK = {
    "name": "lxml",
    "version": "6.1.0",
    "vulns": [{"id": "PYSEC-1", "aliases": ["CVE-2"], "fix_versions": ["6.1.1"]}],
}
SKIPPED = {"name": "rjieba", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        ([CLEAN], NONE_KNOWN, "Asked about 1 packages, 0 known weaknesses."),
        ([CLEAN, WEAK], SOME_KNOWN, "lxml 6.1.0: PYSEC-1, CVE-2; mended in 6.1.1"),
        ([CLEAN, SKIPPED], NOT_ASKED, "NOT ASKED about 1 packages"),
        ([WEAK, SKIPPED], SOME_KNOWN, "rjieba: Dependency not found on PyPI"),
        ([], NOT_ASKED, "NOT ASKED about 0 packages"),
    ],
)
def test_each_answer_has_its_exit_code_and_words(
    found: list[dict[str, Any]], code: int, words: str
) -> None:
    answer = read_answer({"dependencies": found})
    assert answer.code == code
    assert any(words in line for line in sentences(answer))


def test_no_report_is_told_with_the_last_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "pip-audit"
    program.write_text("#!/bin/sh\necho 'no way to pypi.org' >&2\nexit 1\n")
    program.chmod(0o700)
    assert main(str(program), tmp_path / "requirements.lock") == NOT_ASKED
    told = capsys.readouterr()
    assert "ended with 1 and said: no way to pypi.org" in told.out + told.err
