"""Which checkpoint a training goes on from: its own, or a changed one that a person allowed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from storage.checkpoints import Checkpoints
from storage.errors import ConfigError
from tasks.step import CurrentCall
from tasks.training_store import Found, Progressed, TrainingStore

LABEL = "train phrasenet-gate"


def facts(**settings: Any) -> dict[str, Any]:
    return {"code": "c", "settings": settings, "inputs": {}, "versions": {}, "schemas": {}}


def store(
    folder: Path,
    key: str,
    settings: Mapping[str, Any],
    *,
    allow_changed: bool = False,
    network: Mapping[str, Any] | None = None,
) -> TrainingStore:
    call = CurrentCall(key, LABEL, facts(**settings), allow_changed)
    return TrainingStore(Checkpoints(folder), call, network=network or {"hidden": 8}, keep=2)


def put(made: TrainingStore, step: int) -> None:
    made.put({"weights": str(step).encode()}, step, Progressed(seconds=step), {"log": []})


def weights(found: Found | None) -> bytes | None:
    return None if found is None else found.files["weights"]


def test_a_training_goes_on_from_its_own_newest_checkpoint(tmp_path: Path) -> None:
    made = store(tmp_path, "a", {"rate": 1})
    assert made.find() is None
    for step in (200, 400):
        put(made, step)
    found = made.find()
    assert weights(found) == b"400"
    assert found is not None
    assert found.progressed == Progressed(seconds=400)
    assert found.continued is None


def test_a_checkpoint_of_other_settings_is_told_and_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(store(tmp_path, "a", {"rate": 1}), 400)
    assert store(tmp_path, "b", {"rate": 2}).find() is None
    assert (
        "train phrasenet-gate begins anew: there is a checkpoint at step 400, but setting rate "
        "was 1, is 2. To go on from it all the same, stop this run and add --allow-changed."
    ) in caplog.text


def test_it_is_taken_if_a_person_allows_it_and_the_difference_is_recorded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(store(tmp_path, "a", {"rate": 1}), 400)
    found = store(tmp_path, "b", {"rate": 2}, allow_changed=True).find()
    assert weights(found) == b"400"
    assert found is not None
    assert found.continued == {
        "key": "a",
        "step": 400,
        "differences": ["setting rate was 1, is 2"],
    }
    assert "goes on from a checkpoint at step 400 (--allow-changed), although" in caplog.text


def test_the_own_checkpoint_wins_unless_the_other_is_further(tmp_path: Path) -> None:
    put(store(tmp_path, "a", {"rate": 1}), 400)
    allowed = store(tmp_path, "b", {"rate": 2}, allow_changed=True)
    put(allowed, 200)
    assert weights(allowed.find()) == b"400"
    put(allowed, 600)
    assert weights(allowed.find()) == b"600"


@pytest.mark.parametrize("allow_changed", [True, False])
def test_the_checkpoint_of_another_network_is_never_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, allow_changed: bool
) -> None:
    put(store(tmp_path, "a", {}), 400)
    other = store(tmp_path, "b", {}, allow_changed=allow_changed, network={"hidden": 16})
    if not allow_changed:
        assert other.find() is None
        assert caplog.text == ""
        return
    with pytest.raises(ConfigError, match="step 400, which is of another network: hidden was 8"):
        other.find()


def test_what_is_finished_leaves_nothing_under_its_name(tmp_path: Path) -> None:
    for key in "ab":
        put(store(tmp_path, key, {"rate": key}), 400)
    Checkpoints(tmp_path).put("c", {}, about={"label": "other", "step": 1}, keep=1)
    Checkpoints(tmp_path).finish("b", LABEL)
    assert list(Checkpoints(tmp_path).all_about()) == ["c"]
