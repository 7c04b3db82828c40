"""What an evaluation looks into beside scores: alignment, gates, phrases, lengths, scaling."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from flows.settings import Settings
from flows.source_files import find_file
from flows.sources import TestWords
from flows.statistical import record_statistical
from flows.training import TrainedModel
from model.config import SYSTEMS
from storage.datasets import ArtifactRef
from tasks.analyse import NAMES, analyse
from tasks.gold import gold
from tasks.record import Feeding, record
from tasks.run import Run
from tasks.scaling import PAIRS, label_of, scaling
from tasks.term_settings import DICTIONARIES, tag_terms, term_settings
from tasks.test_set_terms import test_set_terms
from tasks.translate import translate

T = TypeVar("T")
Answers = Mapping[str, Mapping[str, ArtifactRef]]
"""Test set, then `lines`, and `gold` and `terms` where there are any."""


@dataclass(frozen=True, slots=True)
class SystemOnTest:
    """One system on one test set."""

    item: TestWords
    tagged: ArtifactRef
    made: TrainedModel

    @property
    def label(self) -> str:
        """Return how calls about it are labelled."""
        return f"{self.item.name} {self.made.system}"


def read_answers(run: Run, settings: Settings, items: Sequence[TestWords]) -> Answers:
    """Read the gold links and the terms of the test sets that have some."""
    known = {config.name: config for config in settings.testsets}
    with_gold = [item for item in items if known[item.name].gold]
    golds = run.all(
        [
            run.prepare(
                gold,
                item.name,
                links=find_file(settings, known[item.name].gold),
                seen_words=tuple(find_file(settings, f) for f in known[item.name].gold_words),
                words=item.words,
                lines=item.lines,
                encoding=known[item.name].encoding,
            )
            for item in with_gold
        ]
    )
    with_terms = [item for item in items if known[item.name].terms]
    lists = run.all(
        [
            run.prepare(
                test_set_terms,
                item.name,
                file=find_file(settings, known[item.name].terms),
                lines=item.lines,
                encoding=known[item.name].encoding,
            )
            for item in with_terms
        ]
    )
    answers: dict[str, dict[str, ArtifactRef]] = {
        item.name: {"lines": item.lines} for item in items
    }
    for name, chosen, read in (("gold", with_gold, golds), ("terms", with_terms, lists)):
        for item, ref in zip(chosen, read, strict=True):
            answers[item.name][name] = ref
    return answers


def record_all(
    run: Run,
    settings: Settings,
    pairs: Sequence[SystemOnTest],
    translated: Sequence[ArtifactRef],
) -> list[ArtifactRef]:
    """Record what every system attends to, and its gate, on every test set."""
    found = run.all(
        [
            run.prepare(
                record,
                pair.label,
                model=pair.made.model,
                tagged=pair.tagged,
                translations=output,
                feeding=Feeding.of(settings.decoding),
            )
            for pair, output in zip(pairs, translated, strict=True)
            if pair.made.statistical is None
        ]
    )
    return in_order(pairs, found, record_statistical(run, pairs, translated))


def in_order(pairs: Sequence[SystemOnTest], networks: Iterable[T], others: Iterable[T]) -> list[T]:
    """Put what was made of networks and of other systems into the order of `pairs`."""
    left = {True: iter(networks), False: iter(others)}
    return [next(left[pair.made.statistical is None]) for pair in pairs]


def analyse_all(
    run: Run,
    settings: Settings,
    pairs: Sequence[SystemOnTest],
    outputs: Sequence[Mapping[str, ArtifactRef]],
    answers: Answers,
) -> list[dict[str, ArtifactRef]]:
    """Look into the outputs of every system; returns tables by the names of `tasks/analyse.py`."""
    baseline = next(iter(settings.evaluation.baselines), None)
    of_baseline = {
        pair.item.name: refs["translations"]
        for pair, refs in zip(pairs, outputs, strict=True)
        if pair.made.system == baseline
    }
    found = run.all(
        [
            run.prepare(
                analyse,
                pair.label,
                outputs={
                    **refs,
                    **(
                        {"baseline": of_baseline[pair.item.name]}
                        if pair.item.name in of_baseline and pair.made.system != baseline
                        else {}
                    ),
                },
                answers=answers[pair.item.name],
                testset=pair.item.name,
                system=pair.made.system,
            )
            for pair, refs in zip(pairs, outputs, strict=True)
        ]
    )
    return [{name: made[number] for number, name in enumerate(NAMES)} for made in found]


def scale_all(
    run: Run, settings: Settings, pairs: Sequence[SystemOnTest]
) -> list[dict[str, ArtifactRef]]:
    """Translate the test sets with weighted contexts, where it is asked for and can be done."""
    others = settings.experiment.out_of_domain
    chosen = [
        pair
        for pair in pairs
        if settings.evaluation.scaling and pair.item.name not in others and _can_be_scaled(pair)
    ]
    curves = _translate_scaled(run, settings, chosen)
    made = run.all(
        [
            run.prepare(
                scaling,
                pair.label,
                lines=pair.item.lines,
                translations=curves[pair.label],
                testset=pair.item.name,
                system=pair.made.system,
            )
            for pair in chosen
        ]
    )
    found = {pair.label: ref for pair, ref in zip(chosen, made, strict=True)}
    return [{"scaling": found[pair.label]} if pair.label in found else {} for pair in pairs]


def _translate_scaled(
    run: Run, settings: Settings, pairs: Sequence[SystemOnTest]
) -> dict[str, dict[str, ArtifactRef]]:
    """Translate with all weights of the contexts; returns tables by label of the pair and of the
    weights."""
    calls = [(pair, *weights) for pair in pairs for weights in PAIRS]
    whole = replace(settings.decoding, short_list=0)
    translated = run.all(
        [
            run.prepare(
                translate,
                f"{pair.label} {label_of(source, target)}",
                model=pair.made.model,
                tagged=pair.tagged,
                decoding=replace(whole, source_scale=source, target_scale=target),
            )
            for pair, source, target in calls
        ]
    )
    curves: dict[str, dict[str, ArtifactRef]] = {}
    for (pair, source, target), ref in zip(calls, translated, strict=True):
        curves.setdefault(pair.label, {})[label_of(source, target)] = ref
    return curves


def give_terms(
    run: Run, settings: Settings, pairs: Sequence[SystemOnTest], answers: Answers
) -> list[dict[str, ArtifactRef]]:
    """Translate test sets with terms under the settings of WMT's tasks, where it is asked for."""
    chosen = [pair for pair in pairs if _is_given_terms(settings, pair, answers)]
    offered = _offer_terms(run, settings, [pair.item for pair in chosen], answers)
    translated = _translate_with_terms(run, settings, chosen, offered)
    made = run.all(
        [
            run.prepare(
                term_settings,
                pair.label,
                answers={name: answers[pair.item.name][name] for name in ("lines", "terms")},
                translations={setting: translated[pair.label, setting] for setting in DICTIONARIES},
                testset=pair.item.name,
                system=pair.made.system,
            )
            for pair in chosen
        ]
    )
    found = {pair.label: ref for pair, ref in zip(chosen, made, strict=True)}
    return [{"term_settings": found[p.label]} if p.label in found else {} for p in pairs]


def _is_given_terms(settings: Settings, pair: SystemOnTest, answers: Answers) -> bool:
    """Only test sets with terms count, and only networks that can be offered any."""
    return (
        settings.evaluation.term_settings
        and "terms" in answers[pair.item.name]
        and pair.made.statistical is None
        and SYSTEMS[pair.made.system].phrase_memory != "none"
    )


def _offer_terms(
    run: Run, settings: Settings, items: Iterable[TestWords], answers: Answers
) -> dict[tuple[str, str], ArtifactRef]:
    """Offer the sentences of test sets their terms; returns tables by test set and setting."""
    wanted = {(item.name, setting): item for item in items for setting in DICTIONARIES}
    tagged = run.all(
        [
            run.prepare(
                tag_terms,
                f"{name} {setting}",
                words=item.words,
                terms=answers[name]["terms"],
                setting=setting,
                config=settings.memory,
                lowercase=settings.text.lowercase,
            )
            for (name, setting), item in wanted.items()
        ]
    )
    return dict(zip(wanted, tagged, strict=True))


def _translate_with_terms(
    run: Run,
    settings: Settings,
    pairs: Sequence[SystemOnTest],
    offered: Mapping[tuple[str, str], ArtifactRef],
) -> dict[tuple[str, str], ArtifactRef]:
    """Translate what was offered terms; returns tables by label of the pair and setting."""
    wanted = [(pair, setting) for pair in pairs for setting in DICTIONARIES]
    translated = run.all(
        [
            run.prepare(
                translate,
                f"{pair.label} terms {setting}",
                model=pair.made.model,
                tagged=offered[pair.item.name, setting],
                decoding=replace(settings.decoding, short_list=0),
            )
            for pair, setting in wanted
        ]
    )
    places = [(pair.label, setting) for pair, setting in wanted]
    return dict(zip(places, translated, strict=True))


def _can_be_scaled(pair: SystemOnTest) -> bool:
    """Only test sets count, and only systems that do not weigh their contexts themselves."""
    is_network = pair.made.statistical is None
    return pair.item.role == "test" and is_network and SYSTEMS[pair.made.system].gate == "none"
