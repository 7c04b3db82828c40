"""Which model is in production: promotions, rollbacks step by step, and the loss of production."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import InputError, WorkspaceError
from storage.production import Production


def test_nothing_is_in_production_at_first(tmp_path: Path) -> None:
    production = Production(tmp_path)
    assert production.current() is None
    assert production.history() == []
    assert production.demote("nothing there", 1) is None
    with pytest.raises(InputError, match="nothing to roll back to"):
        production.previous()


def test_rollbacks_go_back_step_by_step(tmp_path: Path) -> None:
    production = Production(tmp_path)
    for record, name in enumerate("abc"):
        production.promote(name, f"{name} is better", record)
    seen = []
    for record in (3, 4):
        production.rollback(production.previous(), "worse in use", record)
        seen.append(production.current())
    assert seen == ["b", "a"]
    with pytest.raises(InputError, match="nothing to roll back to"):
        production.previous()
    assert production.rolled_back() == {"b", "c"}
    production.promote("c", "mended", 5)
    assert production.previous() == "a"
    assert production.rolled_back() == {"b"}
    assert [entry.sequence for entry in production.history()] == list(range(6))


def test_a_model_that_lost_production_is_not_rolled_back_to(tmp_path: Path) -> None:
    production = Production(tmp_path)
    production.promote("a", "first", 0)
    production.promote("b", "better", 1)
    lost = production.demote("its text was withdrawn", 2)
    assert lost is not None
    assert (lost.change, lost.model_id, lost.record) == ("demote", "", 2)
    assert production.current() is None
    assert production.rolled_back() == {"b"}
    assert production.previous() == "a"
    production.rollback("a", "the one before", 3)
    assert production.current() == "a"
    with pytest.raises(InputError):
        production.previous()


def test_a_damaged_entry_is_told_and_not_passed_over(tmp_path: Path) -> None:
    production = Production(tmp_path)
    production.promote("a", "first", 0)
    (tmp_path / "models" / "production" / "00000000.json").write_text("{}")
    with pytest.raises(WorkspaceError, match="damaged"):
        production.current()


@given(st.lists(st.sampled_from(["a", "b", "c", "back", "lost"]), max_size=20))
def test_a_rollback_never_reaches_what_was_rejected(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    production = Production(tmp_path_factory.mktemp("production"))
    for record, step in enumerate(steps):
        if step == "lost":
            production.demote("withdrawn", record)
        elif step == "back":
            try:
                earlier = production.previous()
            except InputError:
                continue
            assert earlier not in production.rolled_back()
            assert earlier != production.current()
            production.rollback(earlier, "worse", record)
        else:
            production.promote(step, "better", record)
            assert step not in production.rolled_back()
    assert production.current() not in production.rolled_back()
