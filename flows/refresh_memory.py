"""The flow `refresh-phrase-memory`: sources in, a snapshot of the phrase memory out."""

import datetime
from typing import Any

from prefect import flow

from flows.driver import Request, drive
from flows.parameters import StepName
from flows.stages import refresh_stages


@flow(name="refresh-phrase-memory", validate_parameters=False)
def refresh_phrase_memory(  # noqa: PLR0913 - the fields of a form
    settings_file: str = "phrasenet.toml",
    from_step: StepName | None = None,
    until_step: StepName | None = None,
    accept_change: bool = False,
    as_of: datetime.date | None = None,
    wait_seconds: float = 0.0,
    restarts: int = 0,
) -> dict[str, Any]:
    """Read the sources, mine phrases and publish a snapshot; only what is out of date runs.

    Args:
        settings_file: the settings file, on the machine where the flow runs.
        from_step: take the steps before this one as they last were.
        until_step: stop after this step.
        accept_change: publish a memory even if it differs from the current one by more than
            [checks] allows; set it once, after you looked at why.
        as_of: backfill a past date: take the sources as they were last read by the end of that day
            (UTC), with the settings, code and decisions of today. The snapshot is kept under its
            id and not published.
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
        as_of=str(as_of) if as_of else None,
        wait_seconds=wait_seconds,
        restarts=restarts,
    )
    return drive("refresh-phrase-memory", refresh_stages, request)
