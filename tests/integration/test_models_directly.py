"""What people do with models: put them into production, show them, take them elsewhere."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.cli import main
from storage.exported import MARKER
from storage.lineage import lineage_of
from storage.workspace import Workspace
from tasks.audit_trace import trace
from tasks.promote_decide import last_judged
from tasks.verify import verify_workspace
from tests.support import edit, files_below, flip_byte

Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(evaluated_tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny")) / "phrasenet.toml"


@pytest.fixture
def asked(project: Path, capsys: pytest.CaptureFixture[str]) -> Asked:
    """Return a function that runs `phrasenet models ...` on the project."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["models", *arguments, "-c", str(project)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def model_of(project: Path, system: str) -> str:
    entries = Workspace(project.parent / "workspace").registry.entries()
    return next(entry.model_id for entry in entries if entry.system == system)


def test_a_person_promotes_and_rolls_back_and_all_of_it_is_recorded(
    project: Path, asked: Asked
) -> None:
    workspace = Workspace(project.parent / "workspace")
    first, second = (model_of(project, name) for name in ("rnnsearch", "phrasenet-gate"))
    assert asked("rollback", "--reason", "nothing there")[0] == 2
    assert asked("show")[0] == 2
    code, out, _ = asked("promote", first[:12], "--reason", "the first one")
    assert code == 0
    assert "held out: every shard that it learned from was searched" in out
    assert asked("promote", first[:12], "--reason", "again")[0] == 2
    code, out, _ = asked("promote", second[:12], "--reason", "with phrases", "--json")
    answer = json.loads(out)
    assert (code, answer["from"], answer["outcome"]) == (0, first, "promoted")
    assert {row["rule"] for row in answer["findings"]} >= {"held out", "licences", "test set"}
    listed = [json.loads(line) for line in asked("list", "--json")[1].splitlines()]
    assert [item["model_id"] for item in listed if item["production"]] == [second]
    code, out, _ = asked("rollback", "--reason", "slower", "--json")
    assert (code, json.loads(out)) == (0, {"model": first, "from": second})
    shown = json.loads(asked("show", "--json")[1])
    assert (shown["model_id"], shown["production"], shown["whole"]) == (first, True, True)
    assert [item["reason"] for item in shown["history"]] == ["the first one", "slower"]
    assert f"model {second}, not in production" in asked("show", second[:12])[1]
    bodies = [r.body for r in workspace.ledger.records() if r.kind == "decision"]
    assert [body["decision"] for body in bodies] == ["promote", "promote", "rollback-model"]
    assert all(body["author"] and body["reason"] for body in bodies)
    assert verify_workspace(workspace) == []
    graph = lineage_of(workspace)
    below = graph.reachable([f"model/{first}"], "down")
    titles = [node.title for node in below if node.kind == "decision"]
    # The second promotion was judged against what the first model translated.
    assert sorted(title.split(" of ")[0] for title in titles) == [
        "promote",
        "promote",
        "rollback-model",
    ]
    assert trace(graph, [graph.find(f"model/{first}")], "down", 2)
    edit(workspace.root / "models" / "production" / "00000001.json", second, "5" * 32)
    assert any("no decision put model 5555" in finding for finding in verify_workspace(workspace))


def test_what_speaks_against_a_model_stops_it_until_a_person_insists(
    project: Path, asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = Workspace(project.parent / "workspace")
    model = model_of(project, "phrasenet-gate")
    edit(project, "[training]", '[promotion]\nrefuse_conditions = ["attribution"]\n\n[training]')
    code, out, err = asked("promote", model[:12], "--reason", "now")
    assert code == 2
    assert "licences: its sources ask for attribution" in err
    assert workspace.production.current() is None
    code, out, _ = asked("promote", model[:12], "--reason", "agreed", "--force", "--json")
    assert (code, json.loads(out)["forced"]) == (0, True)
    last = workspace.ledger.last()
    assert last is not None
    assert (last.body["forced"], last.body["rules"]) == (True, ["licences"])
    judged = last_judged(workspace, workspace.registry.find(model))
    assert judged is not None
    assert judged.rules == ["licences"]
    assert json.loads(asked("show", "--json")[1])["forced_against"] == ["licences"]
    assert main(["status", "-c", str(project)]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith(f"Model {model[:12]} is in production, promoted by ")
    assert ", although licences spoke against it: agreed (" in said


def test_a_test_set_of_today_asks_for_a_proof_that_it_was_held_out(
    project: Path, asked: Asked
) -> None:
    for name in ("test.zh", "test.en"):
        lines = (project.parent / name).read_text("utf-8").splitlines()
        (project.parent / name).write_text("\n".join(lines[:2]) + "\n", "utf-8")
    code, _, err = asked("promote", model_of(project, "rnnsearch"), "--reason", "now")
    assert code == 2
    assert "was not searched for the sentences of tiny-test as they are today" in err


def test_translate_takes_the_model_in_production(
    project: Path, asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(project.parent / "test.zh")

    def translated(*more: str) -> str:
        capsys.readouterr()
        assert main(["translate", "-c", str(project), "--no-warnings", *more, lines]) == 0
        return capsys.readouterr().out

    model = model_of(project, "rnnsearch")
    before = translated()
    assert before == translated("--model", model_of(project, "phrasenet-gate"))
    assert asked("promote", model, "--reason", "the baseline")[0] == 0
    assert translated() == translated("--model", model) != before


@pytest.fixture
def exported(project: Path, asked: Asked, tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere" / "laws model"
    folder.parent.mkdir()
    code, out, _ = asked("export", model_of(project, "phrasenet-gate")[:12], str(folder))
    assert code == 0
    assert "uses it" in out
    return folder


def test_an_export_translates_without_the_workspace(
    project: Path,
    exported: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = project.parent / "test.zh"
    assert main(["translate", "-c", str(project), "--explain", str(lines)]) == 0
    at_home = capsys.readouterr().out
    shutil.copy(lines, exported.parent / "lines.zh")
    shutil.rmtree(project.parent)
    monkeypatch.chdir(exported.parent)
    before = files_below(exported)
    assert main(["translate", "--model", exported.name, "--explain", "lines.zh"]) == 0
    assert capsys.readouterr().out == at_home
    assert any("slots" in line and "central bank" in line for line in at_home.splitlines())
    assert main(["translate", "--model", exported.name, "--json", "--n-best", "2", "lines.zh"]) == 0
    for told, explained in zip(capsys.readouterr().out.splitlines(), at_home.splitlines(),
                               strict=True):  # fmt: skip
        answer, more = json.loads(told), json.loads(explained)
        best = answer.pop("n_best")
        assert answer == {key: more[key] for key in ("source", "words", "translation", "score")}
        assert best[0]["translation"] == answer["translation"]
        assert "attention" not in best[0]
    both = ["translate", "--model", exported.name, "--model", str(exported), "lines.zh"]
    assert main([*both, "--n-best", "2"]) == 0
    assert files_below(exported) == before
    card = (exported / "model-card.md").read_text("utf-8")
    assert "phrasenet-gate" in card
    assert "BLEU" in card
    assert "Apache-2.0" in (exported / "attribution.md").read_text("utf-8")
    assert json.loads((exported / "licences.json").read_bytes())["go_together"] is True


def damage_weights(folder: Path) -> None:
    flip_byte(next(folder.rglob("weights.safetensors")), 5000)


def damage_phrases(folder: Path) -> None:
    next((folder / "warehouse" / "phrases").rglob("*.parquet")).unlink()


def damage_marker(folder: Path) -> None:
    edit(folder / MARKER, '"phrase_slots": 10', '"phrase_slots": 11')


def lead_out(folder: Path) -> None:
    value = json.loads((folder / MARKER).read_bytes())
    value["model"]["digest"] = "../../../etc"
    (folder / MARKER).write_text(json.dumps(value), "utf-8")


def lead_out_by_a_file(folder: Path) -> None:
    value = json.loads((folder / MARKER).read_bytes())
    value["files"]["../lines.zh"] = "0"
    (folder / MARKER).write_text(json.dumps(value), "utf-8")


def lead_out_by_a_part(folder: Path) -> None:
    path = next((folder / "models").rglob("manifest.json"))
    edit(path, '"weights.safetensors"', '"../../lines.zh"')


def damage_card(folder: Path) -> None:
    edit(folder / "model-card.md", "#", "##")


def remove_marker(folder: Path) -> None:
    (folder / MARKER).unlink()


def newer_format(folder: Path) -> None:
    edit(folder / MARKER, '"format": 1', '"format": 2')


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_weights, "weights.safetensors was changed"),
        (damage_phrases, "is missing"),
        (damage_marker, f"{MARKER} was changed"),
        (lead_out, "is no exported model"),
        (lead_out_by_a_file, "names the file '../lines.zh'"),
        (lead_out_by_a_part, "no readable manifest.json"),
        (damage_card, "model-card.md was changed"),
        (remove_marker, "is no exported model"),
        (newer_format, "has format 2"),
    ],
)
def test_a_bad_folder_is_one_clear_error(
    exported: Path,
    damage: Callable[[Path], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damage(exported)
    capsys.readouterr()
    assert main(["translate", "--model", str(exported), "-"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.startswith("phrasenet: ")
    assert "Traceback" not in err


def test_an_export_takes_a_new_folder_outside_of_the_workspace(
    project: Path, asked: Asked, tmp_path: Path
) -> None:
    model = model_of(project, "rnnsearch")
    inside = project.parent / "workspace" / "export"
    code, _, err = asked("export", model, str(inside))
    assert code == 2
    assert "lies in the workspace" in err
    used = tmp_path / "used"
    used.mkdir()
    assert asked("export", model, str(used))[0] == 0
    before = files_below(used)
    assert asked("export", model, str(used))[0] == 2
    assert files_below(used) == before
    flip_byte(next((project.parent / "workspace" / "models" / model).glob("weights*")), 100)
    code, _, err = asked("export", model, str(tmp_path / "new"))
    assert code == 2
    assert "Nothing was exported" in err
    assert sorted(tmp_path.iterdir()) == [tmp_path / "tiny", used]
