"""The flow `evaluate`: translations of the test sets, scores and a report."""

from typing import Any

from prefect import flow

from flows.driver import drive, step_window
from flows.stages import evaluate_stages


@flow(name="evaluate", validate_parameters=False)
def evaluate_flow(
    settings_file: str = "phrasenet.toml",
    from_step: str | None = None,
    until_step: str | None = None,
) -> dict[str, Any]:
    """Retrain if needed, translate the test sets, score and report; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
    """
    window = step_window(from_step, until_step)
    return drive("evaluate", settings_file, window, evaluate_stages)
