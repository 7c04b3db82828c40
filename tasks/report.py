"""The report of an evaluation: one self-contained page, a model card for each system, and the
attribution of all sources. A view of results, made like a step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from storage.datasets import ArtifactRef
from storage.registry import SourceLicence
from storage.workspace import Workspace
from tasks.report_tables import Results, Systems, Testsets, read_evaluation
from tasks.reports.attribution import attribution
from tasks.reports.evaluation_page import evaluation_page
from tasks.reports.model_card import model_card
from tasks.step import step

REPORT_FILE = "report.html"
ATTRIBUTION_FILE = "attribution.md"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportConfig:
    """What a report is about, beside its tables."""

    title: str
    testsets: tuple[str, ...]
    """In the order in which they are shown; that of a mapping is not kept by the ledger."""
    systems: tuple[str, ...]
    """In the order in which they are shown."""
    baseline: str = ""
    """The system that others are compared with; an empty text without one."""
    licences: tuple[SourceLicence, ...] = ()
    """Of all sources that the systems learned from."""
    assets: str = ""
    """Digest of the page's style sheets and scripts."""


@step(writes=("report",), libraries=("matplotlib",))
def report(
    workspace: Workspace,
    *,
    results: Results,
    testsets: Testsets,
    systems: Systems,
    remembered: Mapping[str, Sequence[ArtifactRef]],
    config: ReportConfig,
) -> ArtifactRef:
    """Write the report, the model cards and the attribution.

    Args:
        workspace: where the tables are.
        results: by test set and system the tables of an evaluation, by name.
        testsets: by test set its `lines` with references and, where there are several systems,
            their `comparison` with the baseline.
        systems: by system its `model` and its training `log`.
        remembered: the `phrases` of the memory, and the `ratings` of translations, oldest first.
        config: what the report is about.
    """
    shown = _ordered(results, config.testsets)
    data = read_evaluation(
        workspace,
        {name: _ordered(by_system, config.systems) for name, by_system in shown.items()},
        _ordered(testsets, config.testsets),
        _ordered(systems, config.systems),
        remembered,
        (config.title, config.baseline),
    )
    files = {REPORT_FILE: evaluation_page(data), ATTRIBUTION_FILE: attribution(config.licences)}
    for facts in data.systems:
        files[card_file(facts.system)] = model_card(facts, data, config.licences)
    return workspace.write_bundle("report", _encoded(files))


def _ordered(items: Mapping[str, T], names: Sequence[str]) -> dict[str, T]:
    return {name: items[name] for name in names if name in items}


def card_file(system: str) -> str:
    """Return the name of a system's model card."""
    plain = "".join(letter if letter.isalnum() or letter in "+-._" else "_" for letter in system)
    return f"model-card-{plain}.md"


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}
