"""Types of the flows' parameters, as Prefect's forms show them."""

from typing import TYPE_CHECKING, Literal

from flows.pipeline import STEPS

if TYPE_CHECKING:
    StepName = str
else:
    StepName = Literal[STEPS]
    """One of the steps, as a list to choose from; a flow checks its parameters itself."""
