"""What becomes of trained systems: outputs on every test set, scores, tests and the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from flows.pipeline import Refreshed, Tagged, TrainedModel
from flows.settings import DEFAULT_FILE, Settings
from flows.sources import TestWords
from storage.datasets import ArtifactRef
from tasks.compare import comparison
from tasks.report import report
from tasks.run import Run
from tasks.score import score
from tasks.translate import translate


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation leaves."""

    results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
    """Test set, then system, then `translations` or `scores`."""
    comparisons: Mapping[str, ArtifactRef]
    """Every system against the first baseline, by test set; empty where only one was trained."""
    report: ArtifactRef


def evaluate(
    run: Run,
    settings: Settings,
    refreshed: Refreshed,
    tagged: Tagged,
    trained: tuple[TrainedModel, ...],
) -> Evaluated:
    """Translate every test set with every system, score and report."""
    tests_first = sorted(tagged.held_out, key=lambda held_out: held_out[0].role != "test")
    pairs = [(item, ref, made) for item, ref in tests_first for made in trained]
    looks_up = settings.decoding.unknown_words == "dictionary"
    phrases = refreshed.snapshot.phrases if looks_up else None
    translated = run.all(
        [
            run.prepare(
                translate,
                f"{item.name} {made.system}",
                model=made.model,
                tagged=ref,
                decoding=settings.decoding,
                phrases=phrases,
            )
            for item, ref, made in pairs
        ]
    )
    scores = run.all(
        [
            run.prepare(
                score,
                f"{item.name} {made.system}",
                lines=item.lines,
                translations=output,
                testset=item.name,
                system=made.system,
                style=settings.rules,
            )
            for (item, _, made), output in zip(pairs, translated, strict=True)
        ]
    )
    results: dict[str, dict[str, dict[str, ArtifactRef]]] = {}
    for (item, _, made), output, scored in zip(pairs, translated, scores, strict=True):
        by_system = results.setdefault(item.name, {})
        by_system[made.system] = {"translations": output, "scores": scored}
    comparisons = _compare_systems(run, settings, tests_first, results)
    page = run.view(
        report,
        "",
        results=results,
        testsets={
            item.name: {"lines": item.lines}
            | ({"comparison": comparisons[item.name]} if item.name in comparisons else {})
            for item in refreshed.testsets
        },
        logs={made.system: made.log for made in trained},
        phrases=refreshed.snapshot.phrases,
        title=_title(settings),
    )
    return Evaluated(results, comparisons, page)


def _compare_systems(
    run: Run,
    settings: Settings,
    tests_first: list[tuple[TestWords, ArtifactRef]],
    results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]],
) -> dict[str, ArtifactRef]:
    """Test on every test set whether the systems differ from the first baseline."""
    baseline = next(iter(settings.evaluation.baselines), None)
    if baseline is None or any(len(systems) < 2 for systems in results.values()):
        return {}
    made = run.all(
        [
            run.prepare(
                comparison,
                item.name,
                lines=item.lines,
                translations={
                    system: refs["translations"] for system, refs in results[item.name].items()
                },
                testset=item.name,
                baseline=baseline,
            )
            for item, _ in tests_first
        ]
    )
    return {item.name: ref for (item, _), ref in zip(tests_first, made, strict=True)}


def _title(settings: Settings) -> str:
    """Name a report after the settings file, or after its folder if the file has the usual name."""
    path = settings.file
    return path.parent.name if path.name == DEFAULT_FILE else path.stem
