"""How the step size of Adam rises and falls."""

import pytest

from model.config import TrainingConfig
from model.schedules import step_size


def sizes(**changes: object) -> list[float]:
    config = TrainingConfig(steps=10, learning_rate=0.1, **changes)  # type: ignore[arg-type]
    return [step_size(config, step, (step - 1) / 10) for step in (1, 2, 4, 6, 9)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [0.1] * 5),
        ({"final_learning_rate": 0.05}, [0.1, 0.095, 0.085, 0.075, 0.06]),
        ({"warmup_steps": 4}, [0.025, 0.05, 0.1, 0.1, 0.1]),
        ({"warmup_steps": 4, "final_learning_rate": 0.05}, [0.025, 0.0475, 0.085, 0.075, 0.06]),
        (
            {"warmup_steps": 4, "decay": "inverse-root"},
            [0.025, 0.05, 0.1, 0.1 * (4 / 6) ** 0.5, 0.1 * 2 / 3],
        ),
        ({"warmup_steps": 1, "decay": "inverse-root"}, [0.1 / n**0.5 for n in (1, 2, 4, 6, 9)]),
    ],
)
def test_the_step_size_follows_its_rule(changes: dict[str, object], expected: list[float]) -> None:
    assert sizes(**changes) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decay": "inverse-root"}, "set training.warmup_steps to 1 or more"),
        ({"decay": "inverse-root", "warmup_steps": 3, "final_learning_rate": 0.1}, "knows no end"),
        ({"decay": "steep"}, "training.decay is 'steep'; it must be one of linear, inverse-root"),
        ({"warmup_steps": -1}, "training.warmup_steps is -1"),
        (
            {"optimizer": "adadelta", "warmup_steps": 3},
            "training.warmup_steps is 3, which adadelta",
        ),
        (
            {"optimizer": "adadelta", "decay": "inverse-root"},
            "training.decay is 'inverse-root', which adadelta does not read",
        ),
    ],
)
def test_a_rule_without_sense_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingConfig(steps=10, **changes)  # type: ignore[arg-type]
