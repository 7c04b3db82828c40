"""Results of the tiny example made again, and what an audit says of all of it."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flows.rebuild import files_of
from flows.settings import load_settings
from storage.datasets import MANIFEST, ArtifactRef, Manifest, PartFile
from storage.digests import file_digest
from storage.errors import InputError
from storage.workspace import Workspace, open_workspace
from tasks.rebuild import Made, rebuild, rebuildable, sampled
from tasks.recall import CannotRecall, recalled_call
from tasks.step import key_of, steps_named
from tasks.verify import verify_workspace
from tests.conftest import Command
from tests.support import edit


@pytest.fixture
def project(evaluated_tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    return folder


def opened(folder: Path) -> Workspace:
    return open_workspace(folder / "workspace")


def made_of(workspace: Workspace, step: str) -> list[Made]:
    return [item for item in rebuildable(workspace) if item.record["step"] == step]


def outcomes(folder: Path, made: list[Made]) -> list[tuple[str, str]]:
    settings = load_settings(folder / "phrasenet.toml")
    found = rebuild(opened(folder), made, files_of(settings))
    return [(item.outcome, item.detail) for item in found]


def test_every_run_is_recalled_as_the_call_that_it_was(evaluated_tiny: Path) -> None:
    settings = load_settings(evaluated_tiny / "phrasenet.toml")
    files = files_of(settings)
    made = rebuildable(opened(evaluated_tiny))
    assert len(made) > 50
    for item in made:
        keys = {
            key_of(step.name, recalled_call(step, item.record, files).facts())
            for step in steps_named(item.record["step"])
            if step.fingerprint().digest == item.record["code"]
        }
        assert keys == {item.record["key"]}, item.record["label"]


def test_results_of_every_room_are_made_again(project: Path) -> None:
    workspace = opened(project)
    steps = ("ingest", "words", "clean", "mine", "collect", "tag", "vocabulary", "translate")
    made = [item for step in steps for item in made_of(workspace, step)]
    found = outcomes(project, made)
    assert len(found) >= 20
    assert {outcome for outcome, _ in found} == {"equal"}
    assert verify_workspace(workspace) == []
    assert not list((workspace.root / "tmp").iterdir())


def test_a_report_is_made_again_with_systems_and_test_sets_in_their_order(project: Path) -> None:
    workspace = opened(project)
    made = made_of(workspace, "report")
    assert len(made[0].record["settings"]["config"]["systems"]) > 1
    assert outcomes(project, made) == [("equal", "")] * len(made)
    turned = made[0].record["settings"]["config"]
    turned = {**turned, "systems": turned["systems"][::-1]}
    again = changed(made[0], settings={**made[0].record["settings"], "config": turned})
    ((outcome, detail),) = outcomes(project, [again])
    assert (outcome, "it was made otherwise" in detail) == ("not rebuilt", True)


def forge(workspace: Workspace, ref: ArtifactRef, column: str, place: int) -> None:
    """Change one number of a table, and its manifest with it, so that no digest of bytes tells."""
    rows = [dict(row) for row in workspace.read_rows(ref)]
    rows[place][column] += 1
    forged = workspace.write_rows(ref.kind, rows)
    folder = workspace.folder_of(ref)
    shutil.rmtree(folder)
    workspace.folder_of(forged).rename(folder)
    part = next(folder.glob("*.parquet"))
    parts = (PartFile(part.name, part.stat().st_size, file_digest(part)),)
    manifest = replace(Manifest.read(folder), content_digest=ref.digest, parts=parts)
    manifest = replace(manifest, bytes_digest=manifest.seal())
    (folder / MANIFEST).write_bytes(manifest.to_bytes())


def test_a_forged_table_is_found_by_making_it_again(project: Path, phrasenet: Command) -> None:
    workspace = opened(project)
    (made,) = made_of(workspace, "collect")
    phrases = next(ref for ref in made.refs if ref.kind == "phrases")
    row = list(workspace.read_rows(phrases))[2]
    forge(workspace, phrases, "pair_count", 2)
    assert verify_workspace(workspace) == []  # nothing was sealed, and all digests fit
    answer = phrasenet("audit", "verify", "--rebuild", "collect", "--seed", "1")
    assert answer.code == 2
    assert f"row 3 (phrase_id {row['phrase_id']}) differs in pair_count" in answer.out
    assert "1 were made again and are equal, 1 differ" in answer.out
    found = json.loads(phrasenet("audit", "verify", "--rebuild", phrases.digest, "--json").out)
    assert found["ok"] is False
    assert [item["outcome"] for item in found["rebuilt"]] == ["differs", "equal"]


def changed(made: Made, **body: Any) -> Made:
    return replace(made, record={**made.record, **body})


def test_what_cannot_be_made_again_says_why(project: Path) -> None:
    workspace = opened(project)
    (made,) = made_of(workspace, "select")
    for body, reason in (
        ({"step": "selekt"}, "there is no step selekt any more"),
        ({"settings": {"config": {"min": 1}}}, "another version (MemoryConfig"),
        ({"key": "0", "versions": {"duckdb": "0.1"}}, "library duckdb was 0.1"),
    ):
        assert [
            (outcome, reason in detail)
            for outcome, detail in outcomes(project, [changed(made, **body)])
        ] == [("not rebuilt", True)]
    shutil.rmtree(workspace.folder_of(ArtifactRef.from_json(first_input(made.record))))
    assert "what it was made from is gone" in outcomes(project, [made])[0][1]
    edit(project / "terms.tsv", "central bank", "central institute")
    ((outcome, detail),) = set(outcomes(project, made_of(workspace, "dictionary")))
    assert (outcome, "or was changed" in detail) == ("not rebuilt", True)


def first_input(record: Mapping[str, Any]) -> Any:
    return record["inputs"]["phrase_counts"][0]["artifact"]


def test_on_another_machine_weights_may_differ_and_counts_may_not(project: Path) -> None:
    workspace = opened(project)
    (made,) = [
        item for item in made_of(workspace, "translate") if item.record["label"].endswith("search")
    ]
    (ref,) = made.refs
    forge(workspace, ref, "score", 0)
    assert outcomes(project, [made]) == [
        ("differs", "row 1 (sentence_id tiny-test:00000000) differs in score")
    ]
    ((outcome, detail),) = outcomes(project, [changed(made, machine="an abacus")])
    assert outcome == "not rebuilt"
    assert "made on an abacus" in detail


def test_samples(evaluated_tiny: Path) -> None:
    made = rebuildable(opened(evaluated_tiny))
    assert sampled(made, "all", 1).sort(key=str) == made.sort(key=str)
    assert len(sampled(made, "3", 1)) == 3
    assert len(sampled(made, "10%", 1)) == round(len(made) / 10)
    assert len(sampled(made, "0.01%", 1)) == 1
    assert sampled(made, "5", 1) == sampled(made, "5", 1) != sampled(made, "5", 2)
    assert {item.record["step"] for item in sampled(made, "translations", 1)} == {"translate"}
    for text in ("", " ", "none", "0", "000", "0%", "0.00%", "200%", "-1", "-1%", "1.5", "1e3"):
        with pytest.raises(
            InputError, match="expected all, a number of runs from 1, a share above 0%"
        ):
            sampled(made, text, 1)


def test_a_file_that_is_not_there_cannot_be_read_again(evaluated_tiny: Path) -> None:
    (made,) = made_of(opened(evaluated_tiny), "dictionary")
    with pytest.raises(CannotRecall, match="is not there any more"):
        recalled_call(steps_named("dictionary")[0], made.record, {})
