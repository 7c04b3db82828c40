"""How far a run goes: the memory, the models, or all the way to the report."""

from flows.evaluation import Evaluated, evaluate
from flows.pipeline import refresh, tag
from flows.promotion import consider, settle
from flows.settings import Settings
from flows.training import train_systems
from storage.datasets import ArtifactRef
from tasks.run import Run


def refresh_stages(run: Run, settings: Settings) -> None:
    """Refresh the memory."""
    refresh(run, settings)


def retrain_stages(run: Run, settings: Settings) -> None:
    """Refresh the memory, tag and train, and judge the model if the settings ask for that."""
    refreshed = refresh(run, settings)
    trained = train_systems(run, settings, refreshed, tag(run, settings, refreshed))
    settle(run, settings, consider(run, settings, trained, refreshed))


def evaluate_stages(run: Run, settings: Settings) -> ArtifactRef | None:
    """Refresh the memory, tag, train, translate, score and report; returns the report.

    Without a test set there is nothing to report.
    """
    if not settings.testsets:
        retrain_stages(run, settings)
        return None
    return evaluate_all(run, settings).report


def evaluate_all(run: Run, settings: Settings) -> Evaluated:
    """Do all stages; returns what the last one leaves."""
    refreshed = refresh(run, settings)
    tagged = tag(run, settings, refreshed)
    trained = train_systems(run, settings, refreshed, tagged)
    return evaluate(run, settings, refreshed, tagged, trained)
