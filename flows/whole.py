"""The flow `phrasenet-run`: everything in one flow run."""

from typing import Any

from prefect import flow

from flows.driver import Request, drive
from flows.parameters import StepName
from flows.stages import evaluate_stages


@flow(name="phrasenet-run", validate_parameters=False)
def run_flow(  # noqa: PLR0913 - the fields of the form in Prefect
    settings_file: str = "phrasenet.toml",
    from_step: StepName | None = None,
    until_step: StepName | None = None,
    accept_change: bool = False,
    allow_changed: bool = False,
    wait_seconds: float = 0.0,
    restarts: int = 0,
) -> dict[str, Any]:
    """Do everything: refresh, retrain and evaluate; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
        accept_change: publish a memory even if it differs from the current one by more than
            [checks] allows; set it once, after you looked at why.
        allow_changed: an interrupted training goes on although code, settings or data changed.
        wait_seconds: how long to wait while another run writes to the workspace; at least as long
            as [execution] says.
        restarts: how often this run was started again because its process died; set by the
            automation that does it.
    """
    request = Request(
        settings_file,
        from_step,
        until_step,
        accept_change,
        allow_changed=allow_changed,
        wait_seconds=wait_seconds,
        restarts=restarts,
    )
    return drive("phrasenet-run", evaluate_stages, request)
