"""Names of the settings file become files, in an order that is the same on every machine."""

import shutil
from pathlib import Path

import pytest

from flows.cli import main
from flows.settings import Settings, load_settings
from flows.source_files import expect_sources, find_corpus
from storage.errors import InputError
from tests.support import ROOT


def settings_of(folder: Path, corpus: str) -> Settings:
    path = folder / "phrasenet.toml"
    path.write_text(f'[[corpus]]\nname = "a"\nlicence = "MIT"\n{corpus}\n')
    return load_settings(path)


def found(folder: Path, corpus: str) -> list[tuple[list[str], str]]:
    settings = settings_of(folder, corpus)
    files = find_corpus(settings, settings.corpora[0])
    assert {origin.licence for origin in files.origins} == {"MIT"}
    return [
        ([Path(file.path).name for file in part], origin.name)
        for part, origin in zip(files.parts, files.origins, strict=True)
    ]


def test_a_pattern_takes_all_files_below_and_names_them_without_their_folder(
    tmp_path: Path,
) -> None:
    for name in ("x/b.po", "x/y/a.po", "x/c.txt", "x/a.po"):
        (tmp_path / "texts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / name).write_text("")
    assert found(tmp_path, 'format = "gettext"\npath = "texts/**/*.po"') == [
        (["a.po"], "a.po"),
        (["b.po"], "b.po"),
        (["a.po"], "y/a.po"),
    ]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a[1].tsv").write_text("")
    assert found(tmp_path, 'path = "a[1].tsv"') == [(["a[1].tsv"], "a[1].tsv")]


def test_a_prefix_finds_both_languages_also_compressed(tmp_path: Path) -> None:
    for name in ("train.zh.gz", "train.en"):
        (tmp_path / name).write_text("")
    assert found(tmp_path, 'format = "moses"\npath = "train"') == [
        (["train.zh.gz", "train.en"], "train.zh.gz")
    ]
    (tmp_path / "train.zh-TW").write_text("")
    assert found(tmp_path, 'format = "moses"\npath = "train"\nlanguages = ["zh-TW", "en"]') == [
        (["train.zh-TW", "train.en"], "train.zh-TW")
    ]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ('path = "*.tsv"', "no file fits this pattern"),
        ('path = "a.tsv"', "no such file"),
        ('format = "moses"\npath = "train"', r"train\.zh: no such file"),
        ('path = "folder"', "expected a file, found a folder"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, corpus: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    settings = settings_of(tmp_path, corpus)
    with pytest.raises(InputError, match=message):
        find_corpus(settings, settings.corpora[0])
    with pytest.raises(InputError, match=message):
        expect_sources(settings)


@pytest.mark.parametrize("missing", ["pairs.tsv", "terms.tsv", "test.zh", "test.en"])
def test_whatever_a_run_reads_is_missed_before_it_starts(
    tmp_path: Path, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(ROOT / "examples" / "tiny", tmp_path / "tiny")
    settings_file = folder / "phrasenet.toml"
    expect_sources(load_settings(settings_file))
    (folder / missing).unlink()
    assert main(["run", "-c", str(settings_file)]) == 2
    said = capsys.readouterr().err
    assert f"{missing}: no such file" in said
    assert "watch at" not in said
    assert not (folder / "workspace").exists()
