"""Figures of a training beside its log stay in the workspace; no training ends by them."""

import importlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from storage.errors import ConfigError
from tasks.fingerprint import fingerprint
from tasks.train import train
from tasks.training_trackers import Trackers, open_trackers


class Broken:
    calls = 0

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        self.calls += 1
        raise OSError("no space")

    def close(self) -> None:
        raise OSError("gone")


def test_a_tracker_that_fails_is_told_once_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    broken = Broken()
    both = Trackers({"mlflow": broken})
    both.add(1, {"loss": 2.0})
    both.add(2, {"loss": 1.0})
    both.close()
    assert broken.calls == 1
    assert caplog.text.count("mlflow takes no more figures of this training: no space") == 1
    Trackers({"mlflow": broken}).close()
    assert "may be lost: gone" in caplog.text


def test_a_package_that_is_missing_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ConfigError, match=r'pip install "phrasenet\[tensorboard\]"'):
        open_trackers(("tensorboard",), tmp_path, "run", {})


def test_trackers_are_no_part_of_what_a_training_computes() -> None:
    code = fingerprint(train.function)
    assert not {"mlflow", "mlflow-skinny", "tensorboard"} & set(code.libraries)
    assert not [name for name in code.functions if "training_trackers" in name]


def test_tensorboard_gets_the_figures(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    made = open_trackers(("tensorboard",), tmp_path / "tracking", "run", {"steps": 3})
    made.add(20, {"loss": 2.5})
    made.close()
    (file,) = (tmp_path / "tracking" / "tensorboard" / "run").glob("events.*")
    assert b"loss" in file.read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_mlflow_gets_the_figures_and_goes_on_with_the_same_run(tmp_path: Path) -> None:
    pytest.importorskip("mlflow")
    for step in (20, 40):
        made = open_trackers(("mlflow",), tmp_path / "tracking", "run", {"steps": 3})
        made.add(step, {"loss": 100 / step})
        made.close()
    with sqlite3.connect(tmp_path / "tracking" / "mlflow.db") as database:
        found = database.execute("SELECT run_uuid, key, value, step FROM metrics").fetchall()
    assert [row[1:] for row in found] == [("loss", 5.0, 20), ("loss", 2.5, 40)]
    assert len({row[0] for row in found}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["tracking"]
