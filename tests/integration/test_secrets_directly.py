"""Secrets stay in the environment: nothing that phrasenet writes or prints holds one."""

import json
from pathlib import Path

import pytest

from flows.cli import main
from storage.workspace import open_workspace
from tests.support import copy_tiny, edit, refresh_directly

SECRETS = {
    "AWS_ACCESS_KEY_ID": "KEYID4711KEYID4711",
    "AWS_SECRET_ACCESS_KEY": "wordofs3secret0815",
    "AWS_SESSION_TOKEN": "tokenofs3secret0815",
    "AWS_ENDPOINT_URL": "http://someone:wordofendpoint99@127.0.0.1:9",
    "AWS_REGION": "nowhere-1",
    "PREFECT_API_AUTH_STRING": "admin:wordofprefect123",
    "PREFECT_API_KEY": "pnu_keyofprefect456",
}
HIDDEN = [
    "KEYID4711", "s3secret0815", "wordofendpoint99", "wordofprefect123", "keyofprefect456",
    "wordinsettings77",
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    return copy_tiny(tmp_path / "tiny") / "phrasenet.toml"


def assert_nothing_leaked(project: Path, said: str) -> None:
    for word in HIDDEN:
        assert word not in said
    for path in (project.parent / "workspace").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert [word for word in HIDDEN if word.encode() in data] == [], path


def test_a_run_and_what_is_told_about_it_hold_no_secret(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    refresh_directly(project)
    monkeypatch.setenv("PREFECT_API_URL", "http://someone:wordinsettings77@127.0.0.1:9/api")
    events = tmp_path / "events.json"
    page = tmp_path / "history.html"
    for command in (
        ["status", "--why", "mine"],
        ["status", "--json"],
        ["audit", "verify", "--json"],
        ["audit", "export", str(events)],
        ["audit", "export", str(page)],
        ["audit", "export", "--url", "http://someone:wordinsettings77@127.0.0.1:9"],
        ["doctor"],
        ["doctor", "--json"],
        ["models", "list"],
    ):
        assert main([*command, "-c", str(project)]) in (0, 2)
    captured = capsys.readouterr()
    assert "***@127.0.0.1:9" in captured.err + captured.out
    said = captured.out + captured.err + caplog.text + events.read_text() + page.read_text()
    assert_nothing_leaked(project, said)


def test_a_server_of_files_that_does_not_answer_is_named_without_the_secret(
    project: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    open_workspace(project.parent / "workspace")
    edit(project, 'path = "pairs.tsv"', 'path = "s3://bucket/pairs.tsv"')
    assert main(["status", "-c", str(project)]) == 2
    captured = capsys.readouterr()
    assert "s3://bucket/pairs.tsv" in captured.err
    assert_nothing_leaked(project, captured.out + captured.err + caplog.text)


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ('path = "pairs.tsv"', 'path = "s3://me:wordinsettings77@bucket/p"', "corpus: 1: path"),
        (
            'licence = "Apache-2.0"',
            'licence = "Apache-2.0"\nlicence_url = "https://h/l?token=wordinsettings77"',
            "corpus: 1: licence_url",
        ),
        (
            'references = ["test.en"]',
            'references = ["http://a:wordinsettings77@h/test.en"]',
            "testset: 1: references: 1",
        ),
    ],
)
def test_settings_with_a_password_are_refused_by_place(
    project: Path, before: str, after: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, before, after)
    assert main(["status", "-c", str(project)]) == 2
    err = capsys.readouterr().err
    assert f"{place}: it holds an address with a user, password or key" in err
    assert_nothing_leaked(project, err)
    assert not (project.parent / "workspace").exists()


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "a/b", "..", "ev\\il", "evil\n", ""])
@pytest.mark.parametrize("known", ["tiny", "terms", "tiny-test"])
def test_names_of_the_settings_lead_nowhere(
    project: Path, known: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project, f'name = "{known}"', f"name = {json.dumps(name)}")
    assert main(["status", "-c", str(project)]) == 2
    assert "name is" in capsys.readouterr().err
    assert not (project.parent / "workspace").exists()


@pytest.mark.parametrize("name", ["..", "../../ledger", "*", "?", "[", ""])
def test_ids_of_models_and_snapshots_lead_nowhere(
    evaluated_tiny: Path, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings = str(evaluated_tiny / "phrasenet.toml")
    for command in (
        ["models", "show", name],
        ["models", "export", name, str(tmp_path / "export")],
        ["models", "promote", name, "--reason", "x"],
        ["memory", "rollback", name, "--reason", "x"],
        ["audit", "licences", name],
    ):
        assert main([*command, "-c", settings]) == 2
        assert "expected one" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
