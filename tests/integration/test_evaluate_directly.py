"""Everything on the tiny example without Prefect: from texts to models, outputs and a page."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from flows.cli import main
from flows.planning import current_evaluation
from flows.settings import load_settings
from model.fit import StepReport
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.recipe import WordRecipe
from tasks.step import CurrentCall
from tasks.train import train_here
from tasks.training_data import TrainingData
from tasks.training_dev import Measured
from tasks.training_session import TrainingSession
from tests.conftest import Command
from tests.reference.report_unpacking import packed_in, words_of
from tests.support import assert_whole, edit, evaluate_directly

SYSTEMS = ("rnnsearch", "phrasenet-gate")


@pytest.fixture
def finished(evaluated_tiny: Path) -> Path:
    return evaluated_tiny / "phrasenet.toml"


@pytest.fixture
def project(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished.parent, tmp_path / "tiny")) / "phrasenet.toml"


def test_a_second_evaluation_computes_nothing(project: Path) -> None:
    workspace, _, run = evaluate_directly(project)
    assert run.counts["computed"] == 0
    assert run.counts["reused"] == 68
    assert_whole(workspace.root)


def test_every_system_is_scored_on_the_same_sentences(finished: Path) -> None:
    workspace, evaluated, _ = evaluate_directly(finished)
    assert set(evaluated.results["tiny-test"]) == set(SYSTEMS)
    counts = []
    for refs in evaluated.results["tiny-test"].values():
        rows = list(workspace.read_rows(refs["scores"]))
        assert all(0 <= row["value"] <= 100 and row["signature"] for row in rows)
        counts.append({(row["subset"], row["metric"]): row["sentences"] for row in rows})
    assert counts[0] == counts[1]
    assert counts[0]["all", "BLEU"] == 3
    assert counts[0]["with rule spans", "BLEU"] + counts[0]["without rule spans", "BLEU"] == 3


def test_a_word_of_phrase_mode_is_a_word_of_its_slot(finished: Path) -> None:
    workspace, evaluated, _ = evaluate_directly(finished)
    for system, refs in evaluated.results["tiny-test"].items():
        for row in workspace.read_rows(refs["translations"]):
            assert [item["word"] for item in row["steps"]] == row["words"]
            targets = {slot["slot"]: slot["target"].split() for slot in row["slots"]}
            for item in row["steps"]:
                assert (item["mode"] == "phrase") == (item["slot"] >= 0)
                if item["mode"] == "phrase":
                    assert item["word"] in targets[item["slot"]]
            if system == "rnnsearch":
                assert "produced" not in row["uses"]


def test_the_report_is_one_whole_page(finished: Path) -> None:
    workspace, evaluated, _ = evaluate_directly(finished)
    page = workspace.read_bundle(evaluated.report)["report.html"].decode()
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert all(system in page for system in SYSTEMS)
    # Nothing is fetched from anywhere.
    assert "src=" not in page
    assert "@import" not in page
    held = packed_in(page)
    assert [found["name"] for found in held["sets"]] == list(evaluated.results)
    lines = {row[1]: "".join(words_of(held, row[2])) for row in held["sets"][0]["rows"]}
    assert len(lines) == 3
    assert any("中央银行" in line for line in lines.values())


def test_every_figure_of_the_report_leads_to_a_record_of_the_ledger(finished: Path) -> None:
    workspace, evaluated, _ = evaluate_directly(finished)
    page = workspace.read_bundle(evaluated.report)["report.html"].decode()
    cells = re.compile(
        r'<tr id="artifact-[^"]+"><th scope="row">(\w+)</th><td><code>(\w+)</code></td>'
        r'<td class="number">(\d+)</td><td>([^<]+)</td><td><code>(\w+)</code></td></tr>'
    )
    named = cells.findall(page)
    assert len(named) == page.count('<tr id="artifact-')
    records = {str(record.sequence): record.body for record in workspace.ledger.records()}
    for kind, digest, number, label, key in named:
        body = records[number]
        assert (body["label"], body["key"]) == (label, key)
        assert (kind, digest) in {(each["kind"], each["digest"]) for each in body["outputs"]}
    shown = {digest for _, digest, *_ in named}
    results = [ref for systems in evaluated.results.values() for refs in systems.values()
               for ref in refs.values()]  # fmt: skip
    assert {ref.digest for ref in results} <= shown


def test_a_model_card_and_the_attribution_lie_beside_the_report(finished: Path) -> None:
    workspace, evaluated, _ = evaluate_directly(finished)
    files = workspace.read_bundle(evaluated.report)
    assert {"report.html", "attribution.md"} <= set(files)
    for system, refs in evaluated.results["tiny-test"].items():
        card = files[f"model-card-{system}.md"].decode()
        entry = next(e for e in workspace.registry.entries() if e.system == system)
        assert entry.model_id in card
        for row in workspace.read_rows(refs["scores"]):
            if row["subset"] == "all":
                assert f"| {row['metric']} | {row['value']:.2f} |" in card
        assert all(licence.source in files["attribution.md"].decode() for licence in entry.licences)


def test_a_changed_budget_trains_again_and_leaves_the_memory_alone(project: Path) -> None:
    edit(project, "epochs = 5", "epochs = 1")
    workspace, evaluated, run = evaluate_directly(project)
    labels = [r.body["label"] for r in workspace.ledger.records() if r.kind == "run"][-12:]
    assert labels[:2] == ["train rnnsearch", "train phrasenet-gate"]
    assert run.counts == {"computed": 11, "reused": 57}
    assert evaluated.results == current_evaluation(workspace, load_settings(project))


def test_an_interrupted_training_goes_on_to_the_same_model(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, _, _ = evaluate_directly(project)
    settings = load_settings(project)
    configs = settings.model, replace(settings.training, checkpoint_steps=5)
    tagged = recorded(workspace, "tag training")
    words = recorded(workspace, "vocabulary")[0], recorded(workspace, "casing")[0]
    data = TrainingData(tagged, (), (), words, WordRecipe())
    whole, parts = CurrentCall("whole"), CurrentCall("parts")
    undisturbed = train_here(workspace, whole, data, configs)
    with monkeypatch.context() as patch:
        patch.setattr(TrainingSession, "_note", interrupted_at(12))
        with pytest.raises(RuntimeError, match="interrupted"):
            train_here(workspace, parts, data, configs)
    assert workspace.checkpoints.all_about()["parts"]["step"] == 10
    assert train_here(workspace, parts, data, configs) == undisturbed


def recorded(workspace: Workspace, label: str) -> tuple[ArtifactRef, ...]:
    """Return what the calls whose label begins so wrote."""
    return tuple(
        ArtifactRef.from_json(output)
        for record in workspace.ledger.records()
        if record.kind == "run" and record.body["label"].startswith(label)
        for output in record.body["outputs"]
    )


def interrupted_at(step: int) -> Callable[..., None]:
    """Return a replacement for the log of a training that fails at a step."""
    note = TrainingSession._note

    def stop(session: TrainingSession, report: StepReport, measured: Measured) -> None:
        note(session, report, measured)
        if report.step >= step:
            raise RuntimeError("interrupted")

    return stop


def test_translate_explains_each_word(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = finished.parent / "test.zh"
    assert main(["translate", "-c", str(finished), "--explain", str(lines)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["source"] for answer in answers] == lines.read_text("utf-8").splitlines()
    first = answers[0]
    assert list(first) == ["source", "words", "translation", "score", "steps", "slots", "values"]
    assert [(value["source"], value["kind"]) for value in first["values"]] == [
        ("2005年6月7日", "date")
    ]
    assert set(first["steps"][0]) == {"word", "mode", "slot", "probability"}
    assert {slot["target"] for slot in first["slots"]} >= {"central bank", "june 7 , 2005"}
    assert {slot["use"] for slot in first["slots"]} <= {"offered", "appeared", "produced"}
    assert main(["translate", "-c", str(finished), str(lines)]) == 0
    plain = capsys.readouterr().out.splitlines()
    assert plain == [answer["translation"] for answer in answers]


def test_every_offered_phrase_can_be_required(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(finished.parent / "test.zh")
    asked = ["translate", "-c", str(finished), "--explain", "--require", "all", lines]
    assert main(asked) == 0
    captured = capsys.readouterr()
    answers = [json.loads(line) for line in captured.out.splitlines()]
    uses = [slot["use"] for answer in answers for slot in answer["slots"]]
    assert uses
    assert set(uses) == {"produced"}
    assert f"required {len(uses)}, produced {len(uses)}" in captured.err
    assert answers[0]["required"] == [slot["slot"] for slot in answers[0]["slots"]]


def test_phrases_of_a_list_are_required_with_the_translation_of_the_list(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(finished.parent / "test.zh")
    plain = ["tag", "-c", str(finished), "--json", lines]
    assert main(plain) == 0
    tagged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    source = tagged[0]["slots"][0]["source"]
    wanted = tmp_path / "wanted.tsv"
    wanted.write_text(f"{source}\tThe Agreed Term\n宇宙飞船\tspacecraft\n", "utf-8")
    asked = ["translate", "-c", str(finished), "--explain", "--require", str(wanted), lines]
    assert main(asked) == 0
    captured = capsys.readouterr()
    assert "1 of 2 phrases of the list stood in no line: 宇宙飞船\n" in captured.err
    first = json.loads(captured.out.splitlines()[0])
    assert "the agreed term" in first["translation"].lower()
    (slot,) = [slot for slot in first["slots"] if slot["source"] == source]
    assert slot["use"] == "produced"
    wanted.write_text("一\t二\t三\n", "utf-8")
    assert main(asked) == 2
    assert "line 1" in capsys.readouterr().err


def test_the_best_translations_come_with_what_shaped_them(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(finished.parent / "test.zh")
    asked = ["translate", "-c", str(finished), "--n-best", "3", lines]
    assert main([*asked, "--explain"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    best = first["n_best"]
    assert 1 <= len(best) <= 3
    assert best[0]["translation"] == first["translation"]
    assert best[0]["words"] == first["words"]
    assert [item["score"] for item in best] == sorted((i["score"] for i in best), reverse=True)
    for item in best:
        for row in item["attention"]:
            assert sum(row) == pytest.approx(1, abs=0.01)
    assert main(asked) == 0
    plain = capsys.readouterr().out.splitlines()
    assert plain[0].split(" ||| ")[:2] == ["0", best[0]["translation"]]


def test_models_can_decide_together_or_be_averaged(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(finished.parent / "test.zh")
    assert main(["models", "list", "-c", str(finished), "--json"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    model = entries[-1]["model_id"]
    texts = []
    for more in ([], ["--model", model], ["--model", model, "--average"]):
        assert main(["translate", "-c", str(finished), "--model", model, *more, lines]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]


def test_tag_answers_in_the_promised_form(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tag", "-c", str(finished), "--json", str(finished.parent / "test.zh")]) == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[0])
    assert list(answer) == ["text", "words", "slots"]
    for slot in answer["slots"]:
        assert "".join(answer["words"][slot["start"] : slot["end"]]) == slot["source"]
    assert [slot["origin"] for slot in answer["slots"]].count("rule") == 1


def test_a_model_that_is_not_there_is_a_clear_mistake(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = str(finished.parent / "test.zh")
    assert main(["translate", "-c", str(finished), "--model", "ffff", lines]) == 2
    assert "phrasenet models list" in capsys.readouterr().err


def test_people_compare_two_systems_without_knowing_which(
    project: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    assert "nobody rated" in phrasenet("ratings", "show").out
    answer = phrasenet("ratings", "export", "rate.html", "-n", "3", "--json")
    assert answer.code == 0, answer.err
    made = json.loads(answer.out)
    assert (made["baseline"], made["system"], made["sentences"]) == (*SYSTEMS, 3)
    page = Path("rate.html").read_text(encoding="utf-8")
    assert not any(system in page for system in SYSTEMS)
    for rater, adequacy in (("Lin", "AAA"), ("Ito", "AB=")):
        ratings = [
            {"number": number, "adequacy": letter, "fluency": "="}
            for number, letter in enumerate(adequacy, start=1)
        ]
        returned = {"worksheet": made["worksheet"], "rater": rater, "ratings": ratings}
        Path(f"{rater}.json").write_text(json.dumps(returned))
    answer = phrasenet("ratings", "import", "Lin.json", "Ito.json")
    assert answer.code == 0, answer.err
    assert "Ito: 3 sentences rated" in answer.out
    (found,) = json.loads(phrasenet("ratings", "show", "--json").out)["comparisons"]
    by_rater = {(row["question"], row["rater"]): row for row in found["shares"]}
    assert by_rater["fluency", "Lin"]["equal"] == 3
    assert by_rater["adequacy", "Ito"]["equal"] == 1
    assert [pair["observed"] for pair in found["agreements"]] == [pytest.approx(1 / 3), 1.0]
    assert "kappa is not defined" in phrasenet("ratings", "show").out
    workspace, evaluated, run = evaluate_directly(project)
    assert run.counts["reused"] == 68
    files = workspace.folder_of(evaluated.report)
    assert "Ito and Lin" in (files / "report.html").read_text(encoding="utf-8")
    card = (files / f"model-card-{SYSTEMS[1]}.md").read_text(encoding="utf-8")
    assert re.search(r"\| ratings \| \w+ \| ledger record \d+, ratings \|", card)
    assert "| adequacy | Ito and Lin | 3 | 33.3 % |" in card
    assert_whole(project.parent / "workspace")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "rate.pdf"], "ends with .html, .csv or .xlsx"),
        (["export", "r.html", "--system", "other"], "it has: rnnsearch, phrasenet-gate"),
        (["export", "r.html", "--system", "rnnsearch"], "both sides are rnnsearch"),
        (["export", "r.html", "--testset", "other"], "names no test set 'other'"),
        (["export", "r.html", "--outputs", "test.en", "test.en"], "--outputs needs --source"),
        (["export", "r.html", "--source", "test.zh"], "belong to --outputs"),
        (["import", "test.en"], "expected a JSON object"),
        (["show", "a.json"], "need their key"),
    ],
)
def test_odd_requests_for_ratings_are_told(
    finished: Path,
    phrasenet: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(finished.parent)
    answer = phrasenet("ratings", *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_outputs_in_files_are_rated_without_a_workspace(
    tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, texts in {"s": "一\n二\n", "a": "one\ntwo\n", "b": "1\n2\n", "c": "1\n"}.items():
        Path(name).write_text(texts, encoding="utf-8")
    asked = ["ratings", "export", "r.csv", "--source", "s", "--outputs", "a"]
    refused = phrasenet(*asked, "c")
    assert refused.code == 2
    assert "c has 1 lines but s has 2" in refused.err
    answer = phrasenet(*asked, "b")
    assert answer.code == 0, answer.err
    text = Path("r.csv").read_text(encoding="utf-8-sig")
    Path("Lin.csv").write_text(text.replace("one,1,", "one,1,A").replace("1,one,", "1,one,B"))
    answer = phrasenet("ratings", "show", "Lin.csv", "--key", "r.csv.key.json", "--json")
    assert answer.code == 0, answer.err
    ((found),) = json.loads(answer.out)["comparisons"]
    assert found["shares"] == [
        {
            "question": "adequacy",
            "rater": "Lin",
            "items": 1,
            "baseline_better": 1,
            "equal": 0,
            "system_better": 0,
        }
    ]
