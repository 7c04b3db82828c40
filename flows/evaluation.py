"""What becomes of trained systems: outputs on every test set, scores, tests and the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from flows.analyses import (
    SystemOnTest,
    analyse_all,
    give_terms,
    in_order,
    read_answers,
    record_all,
    scale_all,
)
from flows.licences import source_licences
from flows.pipeline import Refreshed, Tagged
from flows.promotion import consider, settle
from flows.settings import Settings
from flows.sources import TestWords
from flows.statistical import translate_statistical
from flows.training import TrainedModel
from storage.datasets import ArtifactRef
from tasks.compare import comparison
from tasks.report import ReportConfig, report
from tasks.reports.assets import assets_digest
from tasks.run import Run
from tasks.score import score
from tasks.translate import looked_up, translate


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What an evaluation leaves."""

    results: Mapping[str, Mapping[str, Mapping[str, ArtifactRef]]]
    """Test set, then system, then the name of a table: `translations`, `records`, `scores`,
    `ngrams`, those of `tasks/analyse.py`, and `scaling` and `term_settings`
    where they were asked for."""
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
    """Translate every test set with every system, score, look into the outputs and report."""
    results = look_into(run, settings, refreshed, tagged, trained)
    comparisons = _compare_systems(run, settings, _tests_first(tagged), results)
    judged = consider(run, settings, trained, refreshed)
    page = run.view(
        report,
        "",
        results=results,
        testsets={
            item.name: {"lines": item.lines}
            | ({"comparison": comparisons[item.name]} if item.name in comparisons else {})
            for item in refreshed.testsets
        },
        systems={
            made.system: {"model": made.model} | ({"log": made.log} if made.log else {})
            for made in trained
        },
        remembered={
            "phrases": (refreshed.snapshot.phrases,),
            "ratings": run.workspace.ratings.tables(),
            **({"gate": (judged.table,)} if judged else {}),
        },
        config=ReportConfig(
            title=settings.title,
            testsets=tuple(dict.fromkeys([*results, *(item.name for item in refreshed.testsets)])),
            systems=tuple(made.system for made in trained),
            baseline=next(iter(settings.evaluation.baselines), ""),
            licences=source_licences(settings),
            assets=assets_digest(),
        ),
    )
    settle(run, settings, judged)
    return Evaluated(results, comparisons, page)


def look_into(
    run: Run,
    settings: Settings,
    refreshed: Refreshed,
    tagged: Tagged,
    trained: tuple[TrainedModel, ...],
) -> dict[str, dict[str, dict[str, ArtifactRef]]]:
    """Translate every test set with every system, score and look into the outputs.

    Returns the tables by test set, system and name, as in `Evaluated.results`.
    """
    tests_first = _tests_first(tagged)
    answers = read_answers(run, settings, [item for item, _ in tests_first])
    pairs = [SystemOnTest(item, ref, made) for item, ref in tests_first for made in trained]
    translated = _translate_all(run, settings, refreshed, pairs)
    recorded = record_all(run, settings, pairs, translated)
    outputs = [
        {"translations": output, "records": looked_at}
        for output, looked_at in zip(translated, recorded, strict=True)
    ]
    scores = _score_all(run, settings, pairs, outputs)
    analysed = analyse_all(run, settings, pairs, outputs, answers)
    scaled = scale_all(run, settings, pairs)
    given = give_terms(run, settings, pairs, answers)
    results: dict[str, dict[str, dict[str, ArtifactRef]]] = {}
    for pair, *tables in zip(pairs, outputs, scores, analysed, scaled, given, strict=True):
        joined = {name: ref for found in tables for name, ref in found.items()}
        results.setdefault(pair.item.name, {})[pair.made.system] = joined
    return results


def _tests_first(tagged: Tagged) -> list[tuple[TestWords, ArtifactRef]]:
    return sorted(tagged.held_out, key=lambda held_out: held_out[0].role != "test")


def _translate_all(
    run: Run, settings: Settings, refreshed: Refreshed, pairs: list[SystemOnTest]
) -> list[ArtifactRef]:
    """Translate every test set with every system."""
    tables = looked_up(settings.decoding, refreshed.snapshot)
    found = run.all(
        [
            run.prepare(
                translate,
                pair.label,
                model=pair.made.model,
                tagged=pair.tagged,
                decoding=settings.decoding,
                **tables,
            )
            for pair in pairs
            if pair.made.statistical is None
        ]
    )
    return in_order(pairs, found, translate_statistical(run, settings, pairs))


def _score_all(
    run: Run,
    settings: Settings,
    pairs: list[SystemOnTest],
    outputs: list[dict[str, ArtifactRef]],
) -> list[dict[str, ArtifactRef]]:
    """Score every system on every test set."""
    made = run.all(
        [
            run.prepare(
                score,
                pair.label,
                lines=pair.item.lines,
                outputs=output,
                testset=pair.item.name,
                system=pair.made.system,
                style=settings.rules,
            )
            for pair, output in zip(pairs, outputs, strict=True)
        ]
    )
    return [{"scores": found[0], "ngrams": found[1]} for found in made]


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
                records=results[item.name][baseline]["records"],
                testset=item.name,
                baseline=baseline,
            )
            for item, _ in tests_first
        ]
    )
    return {item.name: ref for (item, _), ref in zip(tests_first, made, strict=True)}
