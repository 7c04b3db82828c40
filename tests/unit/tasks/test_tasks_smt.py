"""The steps of the statistical systems: what they write, and what a user is told."""

import json
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from storage.datasets import ArtifactRef
from storage.errors import ConfigError, InputError
from storage.workspace import Workspace, open_workspace
from tasks.moses import PROGRAMS, moses_train, moses_translate
from tasks.smt.config import SmtConfig
from tasks.smt.moses_text import moses_line, moses_words
from tasks.smt_train import smt_table, smt_tune
from tasks.smt_translate import smt_record, smt_translate

PAIRS = [
    ("房子 很 大", "the house is big", [(0, 0), (0, 1), (1, 2), (2, 3)]),
    ("房子 很 小", "the house is small", [(0, 0), (0, 1), (1, 2), (2, 3)]),
    ("树 很 大", "the tree is big", [(0, 0), (0, 1), (1, 2), (2, 3)]),
    ("小 树", "the small tree", [(0, 1), (1, 0), (1, 2)]),
    ("大 房子", "the big house", [(0, 1), (1, 0), (1, 2)]),
]
SLOT = {
    "slot": 0, "start": 0, "end": 1, "source": "树", "target": "tree", "category": "term",
    "origin": "dictionary", "phrase_id": "p", "provider": "d", "target_start": 1, "target_end": 2,
}  # fmt: skip
CONFIG = SmtConfig(tuning_rounds=2, n_best=20, pops=200)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


def write_shard(workspace: Workspace, numbers: Sequence[int]) -> tuple[ArtifactRef, ArtifactRef]:
    pairs = [
        {
            "pair_id": f"p{number}", "corpus": "c", "document": "d", "position": number,
            "source_words": PAIRS[number][0].split(), "target_words": PAIRS[number][1].split(),
        }
        for number in numbers
    ]  # fmt: skip
    links = [
        {
            "pair_id": f"p{number}",
            "source_index": [link[0] for link in PAIRS[number][2]],
            "target_index": [link[1] for link in PAIRS[number][2]],
        }
        for number in numbers
    ]
    return workspace.write_rows("pairs", pairs), workspace.write_rows("links", links)


def training(workspace: Workspace, *shards: Sequence[int]) -> dict[str, tuple[ArtifactRef, ...]]:
    pairs, links = zip(*(write_shard(workspace, numbers) for numbers in shards), strict=True)
    return {"pairs": pairs, "links": links}


def dev_set(workspace: Workspace) -> tuple[tuple[ArtifactRef, ArtifactRef], ...]:
    words = [
        {"pair_id": "t1", "source_words": ["小", "房子"]},
        {"pair_id": "t2", "source_words": []},
    ]
    lines = [
        {"sentence_id": "t1", "position": 0, "source": "小房子", "references": ["The small house"]},
        {"sentence_id": "t2", "position": 1, "source": "", "references": [""]},
    ]
    return ((workspace.write_rows("words", words), workspace.write_rows("test_lines", lines)),)


def sentences(workspace: Workspace) -> ArtifactRef:
    said = {"t1": "树 很 小", "t2": "", "t3": "小 新词 房子"}
    return workspace.write_rows(
        "tagged",
        [
            {
                "sentence_id": name,
                "source_words": text.split(),
                "target_words": ["the", "tree", "is", "small"] if name == "t1" else [],
                "slots": [SLOT] if name == "t1" else [],
            }
            for name, text in said.items()
        ],
    )


def rows(workspace: Workspace, ref: ArtifactRef) -> list[dict[str, Any]]:
    return list(workspace.read_rows(ref))


def test_it_learns_tunes_translates_and_records(workspace: Workspace) -> None:
    table = smt_table.function(workspace, **training(workspace, range(5)), config=CONFIG)
    model, log = smt_tune.function(
        workspace, table=table, dev=dev_set(workspace), config=CONFIG, lowercase=True
    )
    rounds = rows(workspace, log)
    assert [row["round"] for row in rounds] == list(range(len(rounds)))
    assert sum(row["chosen"] for row in rounds) == 1
    assert max(rounds, key=lambda row: row["bleu"])["bleu"] == pytest.approx(
        next(row["bleu"] for row in rounds if row["chosen"])
    )
    tagged = sentences(workspace)
    arguments: dict[str, Any] = {"model": model, "table": table, "tagged": tagged, "config": CONFIG}
    made = smt_translate.function(workspace, **arguments)
    assert smt_translate.function(workspace, **arguments) == made
    first, empty, unknown = rows(workspace, made)
    assert " ".join(first["words"]) == "the tree is small"
    assert [step["word"] for step in first["steps"]] == first["words"]
    assert first["uses"] == ["appeared"]
    assert all(0 < step["probability"] <= 1 for step in first["steps"])
    assert (empty["words"], empty["steps"]) == ([], [])
    assert "新词" in unknown["words"]
    known = [{"side": side, "id": 0, "word": word, "count": 1}
             for side, word in (("source", "树"), ("target", "the"))]  # fmt: skip
    vocabulary = workspace.write_rows("vocabulary", known)
    recorded: dict[str, Any] = {"tagged": tagged, "translations": made, "vocabulary": vocabulary}
    found = rows(workspace, smt_record.function(workspace, **recorded))
    assert [(row["sentence_id"], row["side"]) for row in found] == [
        ("t1", "reference"), ("t1", "translation"), ("t3", "translation"),
    ]  # fmt: skip
    assert found[1]["source_known"] == [True, False, False]
    assert found[1]["classes"] == ["function", "unknown", "unknown", "unknown"]
    whole = rows(workspace, smt_record.function(workspace, **{**recorded, "vocabulary": None}))
    assert whole[1]["classes"] == ["function", "term", "function", "content"]


def test_shards_change_nothing(workspace: Workspace) -> None:
    one = smt_table.function(workspace, **training(workspace, range(5)), config=CONFIG)
    split = training(workspace, [1, 3], [], [0, 2, 4])
    assert smt_table.function(workspace, **split, config=CONFIG).digest == one.digest


def test_without_dev_the_first_weights_stay(workspace: Workspace) -> None:
    table = smt_table.function(workspace, **training(workspace, range(5)), config=CONFIG)
    _, log = smt_tune.function(workspace, table=table, dev=(), config=CONFIG, lowercase=True)
    assert [(row["round"], row["chosen"]) for row in rows(workspace, log)] == [(0, True)]


def test_nothing_to_learn_from_is_said(workspace: Workspace) -> None:
    with pytest.raises(InputError, match="nothing to learn"):
        smt_table.function(workspace, **training(workspace, []), config=CONFIG)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"distortion_limit": 61}, "smt.distortion_limit is 61; it must be between 0 and 60"),
        ({"ngram_order": 0}, "smt.ngram_order is 0; it must be between 1 and 6"),
        ({"pops": -1}, "smt.pops is -1"),
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SmtConfig(**changes)


@pytest.mark.parametrize(
    "words", [["a|b", "<s>", "[X]", "&amp;", "it's", '"'], ["&#124;", "&lt;"], []]
)
def test_marks_of_moses_are_escaped_and_read_back(words: list[str]) -> None:
    line = moses_line(words)
    assert not set("|<>[]\"'") & set(line)
    assert moses_words(line) == words
    assert len(moses_line(["a b", ""]).split()) == 2


FAKES = {
    "lmplz": """
arguments = dict(zip(sys.argv[1:], sys.argv[2:]))
assert pathlib.Path(arguments["--text"]).read_text().startswith("the house is big")
pathlib.Path(arguments["--arpa"]).write_text("arpa")
""",
    "train-model.perl": """
arguments = dict(zip(sys.argv[1:], sys.argv[2:]))
root = pathlib.Path(arguments["-root-dir"])
assert (root / "model" / "aligned.grow-diag-final-and").read_text().startswith("0-0 0-1 1-2 2-3")
assert arguments["-first-step"] == "4" and arguments["-reordering"] == "msd-bidirectional-fe"
(root / "model" / "phrase-table.gz").write_bytes(b"phrases")
(root / "model" / "extract.gz").write_bytes(b"not needed")
(root / "model" / "moses.ini").write_text(f"path={root}/model/phrase-table\\nlm={root}/lm.arpa\\n")
""",
    "mert-moses.pl": """
source, references, moses, ini, *options = sys.argv[1:]
folder = pathlib.Path(options[options.index("--working-dir") + 1])
assert pathlib.Path(source).read_text() == "小 房子\\n"
assert pathlib.Path(references + "0").read_text() == "the small house\\n"
assert (pathlib.Path(options[options.index("--mertdir") + 1]) / "mert").exists()
folder.mkdir()
(folder / "moses.ini").write_text(pathlib.Path(ini).read_text() + "tuned\\n")
""",
    "mert": "",
    "moses": """
settings = pathlib.Path(sys.argv[2]).read_text()
assert settings.endswith("tuned\\n"), settings
for line in settings.splitlines()[:-1]:
    place = pathlib.Path(line.split("=")[1])
    assert place.exists() or place.with_name(place.name + ".gz").exists(), place
for line in sys.stdin:
    print(" ".join(reversed(line.split())))
""",
}


def fake_moses(folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    for name, body in {**FAKES, **changes}.items():
        file = folder / name
        file.write_text(f"#!{sys.executable}\nimport pathlib, sys\n{body}")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def run_moses(workspace: Workspace) -> tuple[ArtifactRef, ArtifactRef]:
    dev = dev_set(workspace)
    model = moses_train.function(
        workspace, **training(workspace, range(5)), dev=dev, lowercase=True
    )
    tagged = sentences(workspace)
    return model, moses_translate.function(workspace, model=model, tagged=tagged)


def test_moses_is_run_as_it_comes(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_moses(tmp_path, monkeypatch)
    model, made = run_moses(workspace)
    assert set(workspace.read_bundle(model)) == {"moses.ini", "model+phrase-table.gz", "lm.arpa"}
    assert str(tmp_path) not in workspace.read_bundle(model)["moses.ini"].decode()
    assert [row["words"] for row in rows(workspace, made)] == [
        ["小", "很", "树"], [], ["房子", "新词", "小"],
    ]  # fmt: skip
    manifest = json.loads((workspace.folder_of(model) / "manifest.json").read_text())
    assert manifest["reproducibility"] == "none"


@pytest.mark.parametrize("missing", PROGRAMS)
def test_what_is_missing_is_named(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    fake_moses(tmp_path, monkeypatch)
    (tmp_path / missing).unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=f"needs a Moses of your own, and {missing} cannot be"):
        run_moses(workspace)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lmplz": "sys.exit('no space left')"}, "lmplz failed with exit code 1: no space left"),
        ({"moses": "print('one line')"}, "moses wrote 1 lines for 2 sentences"),
    ],
)
def test_what_fails_is_told(
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str],
    message: str,
) -> None:
    fake_moses(tmp_path, monkeypatch, **changes)
    with pytest.raises(InputError, match=message):
        run_moses(workspace)
