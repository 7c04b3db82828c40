"""A dictionary with two translations of one source phrase, from the memory to a translation."""

import json
from pathlib import Path

import pytest

from flows.driver import step_window
from flows.settings import load_settings
from flows.stages import evaluate_all
from storage.errors import ConfigError
from storage.workspace import open_workspace
from tasks.run import Run
from tests.conftest import Command
from tests.support import edit

ENTRIES = "旅客\ttrain guests\tterm\n旅客\tpassers\tterm\n"


def test_both_translations_are_offered_to_the_softmax_variant_alone(
    tiny: Path, phrasenet: Command
) -> None:
    project, terms = tiny / "phrasenet.toml", tiny / "terms.tsv"
    terms.write_text(terms.read_text() + ENTRIES, encoding="utf-8")
    edit(project, "[memory]", "[memory]\nphrase_candidates = 2\nmin_listed_share = 0.0")
    softmax = 'system = "phrasenet-softmax"\nphrase_candidates = 2'
    edit(project, 'system = "phrasenet-gate"', softmax)
    edit(project, "epochs = 5", "epochs = 1")
    project.write_text(project.read_text() + '\n[evaluation]\nbaselines = ["phrasenet-gate"]\n')
    settings = load_settings(project)
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    with workspace.lease():
        results = evaluate_all(Run(workspace, step_window(None, None)), settings).results
    for refs in results["tiny-test"].values():
        row = list(workspace.read_rows(refs["translations"]))[2]
        offered = [(s["slot"], s["start"], s["target"]) for s in row["slots"]]
        assert [target for _, start, target in offered if start == 0] == ["passers", "train guests"]
        assert [number for number, *_ in offered] == list(range(len(offered)))

    lines = tiny / "lines.zh"
    lines.write_text("旅客对火车站很满意。\n", encoding="utf-8")
    explained = ("translate", "-c", str(project), "--explain", "--require", "all", str(lines))
    answer = json.loads(phrasenet(*explained).out)
    spans: dict[tuple[int, int], list[str]] = {}
    for slot in answer["slots"]:
        spans.setdefault((slot["start"], slot["end"]), []).append(slot["use"])
    assert max(len(uses) for uses in spans.values()) == 2
    assert all(uses.count("produced") == 1 for uses in spans.values())
    gate = next(e for e in workspace.registry.entries() if e.system == "phrasenet-gate")
    told = phrasenet(*explained, "--model", gate.model_id)
    assert "it has several translations in the phrase memory, and the model takes one" in told.err
    slots = json.loads(told.out)["slots"]
    assert [s["use"] for s in slots if s["source"] == "旅客"] != ["produced", "produced"]
    assert {s["use"] for s in slots if s["source"] != "旅客"} == {"produced"}


def test_more_translations_than_the_model_takes_are_refused_at_once(tiny: Path) -> None:
    edit(
        tiny / "phrasenet.toml",
        "[memory]",
        "[memory]\nphrase_candidates = 2\nmin_listed_share = 0.0",
    )
    with pytest.raises(ConfigError, match=r"memory\.phrase_candidates is 2, and the model takes 1"):
        load_settings(tiny / "phrasenet.toml")
