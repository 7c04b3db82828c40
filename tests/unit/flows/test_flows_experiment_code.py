"""A cell whose code changed under it says so, and a defect says where it is."""

import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flows import experiment_code
from flows.experiment_code import with_code
from flows.experiment_run import told
from storage.errors import InputError, WorkspaceError
from tasks.fingerprint import fingerprint, read_again
from tasks.metrics.gate_analysis import gates_by_class
from tasks.step import code_of_steps

CODE = {"tasks.train:train": "of today", "tasks.score:score": "of today"}


@pytest.fixture
def code_on_disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what the code of the steps is taken for; a test may change it."""
    found = dict(CODE)
    monkeypatch.setattr(experiment_code, "code_of_steps", lambda: dict(found))
    return found


def defect() -> None:
    gates_by_class([([0.5], ["content", "content"])])


def test_a_function_runs_with_the_code_of_its_experiment() -> None:
    assert with_code(code_of_steps(), max, 1, 2) == 2


def test_other_code_is_refused_before_anything_is_computed(code_on_disk: dict[str, str]) -> None:
    code_on_disk["tasks.score:score"] = "of tomorrow"
    called: list[int] = []
    with pytest.raises(WorkspaceError, match=r"step tasks\.score:score changed.*from a copy"):
        with_code(CODE, called.append, 1)
    assert called == []


def test_code_that_changed_meanwhile_explains_a_defect(code_on_disk: dict[str, str]) -> None:
    def late() -> None:
        code_on_disk["tasks.train:train"] = "of tomorrow"
        defect()

    with pytest.raises(WorkspaceError, match=r"tasks\.train:train changed.*ValueError: zip\(\)"):
        with_code(CODE, late)


def test_a_step_that_one_side_did_not_import_is_no_change(code_on_disk: dict[str, str]) -> None:
    del code_on_disk["tasks.score:score"]
    code_on_disk["tasks.report:report"] = "of today"
    assert with_code(CODE, max, 1, 2) == 2


def test_a_defect_says_its_place_in_another_process_too(code_on_disk: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"zip\(\)") as caught:
        with_code(CODE, defect)
    told_here = told(pickle.loads(pickle.dumps(caught.value)))  # noqa: S301 - our own
    assert "ValueError: zip() argument 2 is longer than argument 1 (tasks/" in told_here
    assert "tasks/metrics/gate_analysis.py, line " in told_here


def test_a_mistake_is_told_in_its_own_words(code_on_disk: dict[str, str]) -> None:
    def mistaken() -> None:
        code_on_disk["tasks.train:train"] = "of tomorrow"
        raise InputError("the file has no lines")

    with pytest.raises(InputError) as caught:
        with_code(CODE, mistaken)
    assert told(caught.value) == "the file has no lines"


def test_an_error_of_another_library_has_no_place_of_ours() -> None:
    assert told(ValueError("bad")) == "ValueError: bad"


def test_sources_can_be_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "changing_module.py"
    file.write_text("def work():\n    return 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import changing_module  # type: ignore[import-not-found]

    function: Callable[[], int] = changing_module.work
    before = fingerprint(function).digest
    file.write_text("def work():\n    return 2\n")
    assert fingerprint(function).digest == before, "code is read once"
    read_again()
    assert fingerprint(function).digest != before
    del sys.modules["changing_module"]
