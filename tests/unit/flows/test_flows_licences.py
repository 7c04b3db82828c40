"""Nothing learns from a source whose licence nobody knows, and models list what they rest on."""

from dataclasses import replace
from pathlib import Path

import pytest

from flows.licences import check_licences, joined_licences, source_licences
from flows.settings import Settings, load_settings
from storage.errors import ConfigError
from storage.registry import ModelEntry, ModelRegistry, SourceLicence

CORPUS = '[[corpus]]\nname = "c"\npath = "c.tsv"\n'
TERMS = '[[dictionary]]\nname = "d"\npath = "d.tsv"\nlicence = "MIT"\n'


def settings_of(folder: Path, text: str) -> Settings:
    path = folder / "phrasenet.toml"
    path.write_text(text)
    return load_settings(path)


@pytest.mark.parametrize(
    ("text", "source", "section"),
    [
        (CORPUS + TERMS, "'c'", "corpus"),
        (CORPUS + 'licence = "MIT"\n' + TERMS.replace('"MIT"', '"unknown"'), "'d'", "dictionary"),
    ],
)
def test_an_unknown_licence_is_refused_with_the_source_and_the_setting(
    tmp_path: Path, text: str, source: str, section: str
) -> None:
    settings = settings_of(tmp_path, text)
    message = rf"under which licence {source} .*\[\[{section}\]\], or allow_unknown_licence = true"
    with pytest.raises(ConfigError, match=message):
        check_licences(settings)


def test_a_user_may_allow_an_unknown_licence_by_source(tmp_path: Path) -> None:
    text = CORPUS + "allow_unknown_licence = true\n" + TERMS
    check_licences(settings_of(tmp_path, text))
    unknown = TERMS.replace('"MIT"', '"unknown"')
    with pytest.raises(ConfigError, match="'d'"):
        check_licences(settings_of(tmp_path, text.replace(TERMS, unknown)))


def test_licences_are_listed_with_whom_they_ask_to_name(tmp_path: Path) -> None:
    said = 'licence = "CC-BY-4.0"\nlicence_url = "URL"\nattribution = "Somebody"\n'
    settings = settings_of(tmp_path, CORPUS + said + TERMS)
    assert source_licences(settings) == (
        SourceLicence("corpus", "c", "CC-BY-4.0", "URL", "Somebody"),
        SourceLicence("dictionary", "d", "MIT"),
    )
    assert joined_licences(settings) == {"c": "CC-BY-4.0"}


def test_a_registered_model_keeps_its_licences_and_learns_of_mended_ones(tmp_path: Path) -> None:
    registry = ModelRegistry(tmp_path)
    entry = ModelEntry("m", 1, "rnnsearch", "s", "k", "2026-01-01T00:00:00Z")
    registry.register(replace(entry, licences=(SourceLicence("corpus", "c", "unknown"),)))
    mended = replace(entry, licences=(SourceLicence("corpus", "c", "MIT"),), registered="later")
    registry.register(mended)
    assert registry.entries() == [replace(mended, registered=entry.registered)]


def test_an_entry_from_before_licences_is_still_read(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "registry"
    folder.mkdir(parents=True)
    (folder / "m-k.json").write_text(
        '{"files":1,"format":1,"model_id":"m","registered":"t","run_key":"k","snapshot_id":"s",'
        '"system":"rnnsearch"}'
    )
    assert ModelRegistry(tmp_path).entries() == [ModelEntry("m", 1, "rnnsearch", "s", "k", "t")]
