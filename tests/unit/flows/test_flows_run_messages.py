"""What a command says at the end of a run."""

from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from flows.commands import run
from tests.support import copy_tiny


def test_a_refresh_says_what_drifted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fact = "check max_rows_lost of laws is 0.3, and [checks] allows 0.5: 100 rows before, 70 now."
    summary: dict[str, Any] = {
        "computed": 1,
        "reused": 2,
        "snapshot": "f" * 32,
        "report": None,
        "drift": {"accepted": False, "before": "e" * 32, "findings": [{"fact": fact}]},
    }
    monkeypatch.setattr(run, "run_held", lambda *_: summary)
    file = copy_tiny(tmp_path / "tiny") / "phrasenet.toml"
    assert main(["refresh", "-c", str(file)]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "Done: 1 steps computed, 2 reused.  Memory snapshot ffffffffffff.",
        f"The memory drifted: {fact}",
    ]
    del summary["drift"]
    assert main(["refresh", "-c", str(file)]) == 0
    assert "drifted" not in capsys.readouterr().err
