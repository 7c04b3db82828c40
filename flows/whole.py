"""The flow `phrasenet-run`: everything in one flow run."""

from typing import Any

from prefect import flow

from flows.driver import drive, step_window
from flows.stages import evaluate_stages


@flow(name="phrasenet-run", validate_parameters=False)
def run_flow(
    settings_file: str = "phrasenet.toml",
    from_step: str | None = None,
    until_step: str | None = None,
) -> dict[str, Any]:
    """Do everything: refresh, retrain and evaluate; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
    """
    window = step_window(from_step, until_step)
    return drive("phrasenet-run", settings_file, window, evaluate_stages)
