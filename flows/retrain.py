"""The flow `retrain`: models, trained on sentences that are tagged with the current memory."""

from typing import Any

from prefect import flow

from flows.driver import drive, step_window
from flows.stages import retrain_stages


@flow(name="retrain", validate_parameters=False)
def retrain_flow(
    settings_file: str = "phrasenet.toml",
    from_step: str | None = None,
    until_step: str | None = None,
) -> dict[str, Any]:
    """Refresh the memory, tag the sentences and train the models; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
    """
    window = step_window(from_step, until_step)
    return drive("retrain", settings_file, window, retrain_stages)
