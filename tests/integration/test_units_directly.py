"""The tiny example with characters on one side and subwords on the other."""

from pathlib import Path

from flows.driver import step_window
from flows.settings import load_settings
from flows.stages import evaluate_all
from storage.workspace import open_workspace
from tasks.run import Run
from tests.conftest import Command
from tests.support import edit


def test_a_model_of_smaller_units_reads_and_writes_words(tiny: Path, phrasenet: Command) -> None:
    project = tiny / "phrasenet.toml"
    units = 'source_units = "characters"\ntarget_units = "subwords"\nnum_subwords = 200'
    edit(project, "[memory]", f"[text]\n{units}\n\n[memory]")
    edit(project, "epochs = 5", "epochs = 2")
    settings = load_settings(project)
    workspace = open_workspace(settings.workspace_path, settings.execution.engine)
    with workspace.lease():
        run = Run(workspace, step_window(None, None))
        evaluated = evaluate_all(run, settings)
    for made in evaluated.results["tiny-test"].values():
        for row in workspace.read_rows(made["translations"]):
            assert not any("▁" in text for text in (*row["words"], *row["source_words"]))
            assert all(slot["end"] <= len(row["source_words"]) for slot in row["slots"])
    models = [workspace.read_bundle(entry.ref) for entry in workspace.registry.entries()]
    assert all("target_units.model" in files for files in models)
    (tiny / "lines.zh").write_text("他2003年3月20日在大学。\n", encoding="utf-8")
    lines = str(tiny / "lines.zh")
    shown = phrasenet("translate", "-c", str(project), lines).out
    words = phrasenet("translate", "--tokens", "-c", str(project), lines).out
    assert "▁" not in shown + words
    assert shown.lower().split()[0] == words.split()[0]
    assert shown[0].isupper() or not words[0].isalpha()
