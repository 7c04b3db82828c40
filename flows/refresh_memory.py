"""The flow `refresh-phrase-memory`: sources in, a snapshot of the phrase memory out."""

from typing import Any

from prefect import flow

from flows.driver import drive, step_window
from flows.stages import refresh_stages


@flow(name="refresh-phrase-memory", validate_parameters=False)
def refresh_phrase_memory(
    settings_file: str = "phrasenet.toml",
    from_step: str | None = None,
    until_step: str | None = None,
) -> dict[str, Any]:
    """Read the sources, mine phrases and publish a snapshot; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
    """
    window = step_window(from_step, until_step)
    return drive("refresh-phrase-memory", settings_file, window, refresh_stages)
