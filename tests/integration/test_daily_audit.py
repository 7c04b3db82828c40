"""The daily audit of the tiny example: what it finds, its page, and the flow's state."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from flows.daily_audit import Audited, audit
from flows.settings import load_settings
from storage.registry import SourceLicence
from storage.workspace import Workspace, open_workspace
from tasks.lineage.audit_report import MOST_FINDINGS, Check, audit_report, findings_of
from tests.conftest import Command
from tests.integration.commands import environment
from tests.support import ROOT, edit


@pytest.fixture
def project(evaluated_tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = Path(shutil.copytree(evaluated_tiny, tmp_path / "tiny"))
    monkeypatch.chdir(folder)
    return folder


def opened(folder: Path) -> Workspace:
    return open_workspace(folder / "workspace")


def audited(folder: Path) -> Audited:
    settings = load_settings(folder / "phrasenet.toml")
    return audit(settings, opened(folder), sample="", seed=1)


def test_a_page_says_that_all_is_well(project: Path, phrasenet: Command) -> None:
    answer = phrasenet("audit", "verify", "--report", "--rebuild", "select")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("# Audit: all is well\n")
    (page,) = (project / "workspace" / "reports" / "audits").iterdir()
    text = page.read_text(encoding="utf-8")
    assert text.strip() in answer.out
    assert "| Rebuilding | 1 of 1 results made again, seed " in text
    assert "| Decontamination | 37 pairs against 3 held-out sentences | fine |" in text
    answer = phrasenet("audit", "verify", "--json")
    assert json.loads(answer.out)["ok"] is True


def test_a_changed_file_is_on_the_page(project: Path, phrasenet: Command) -> None:
    part = next((project / "workspace" / "warehouse" / "evidence").glob("*/*.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    answer = phrasenet("audit", "verify", "--report")
    assert answer.code == 2
    assert answer.out.startswith("# Audit: 1 findings")
    assert f"{part} was changed" in answer.out


def test_licences_that_do_not_go_together_are_found(project: Path) -> None:
    registry = opened(project).registry
    entry = registry.entries()[0]
    licences = (
        SourceLicence("corpus", "tiny", "CC-BY-SA-4.0"),
        SourceLicence("dictionary", "terms", "GPL-3.0-only"),
    )
    registry.register(replace(entry, licences=licences))
    registry.mark(entry.model_id, "the owner asked", 7, "2026-11-30T00:00:00+00:00")
    (_, check, _) = audited(project).checks
    assert check.name == "Licences"
    assert all(item.startswith(f"model {entry.model_id[:12]}") for item in check.findings)
    assert len(check.findings) == 1
    assert "CC-BY-SA-4.0" in check.findings[0]
    assert "record 7): the owner asked" in check.notes[0]
    edit(project / "phrasenet.toml", 'licence = "Apache-2.0"\n\n[[dictionary]]', "\n[[dictionary]]")
    (_, check, _) = audited(project).checks
    assert "nobody said under which licence" in check.findings[0]


def test_pairs_that_a_later_test_set_holds_are_found(project: Path) -> None:
    """The test set was read and cut into words, and nothing was cleaned again."""
    from flows.driver import step_window
    from flows.sources import cut_testsets, read_dictionaries, read_lexicon, read_testsets
    from tasks.run import Run

    lines = (project / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    source, target, _ = lines[0].split("\t")
    (project / "test.zh").write_text(f"{source}\n", encoding="utf-8")
    (project / "test.en").write_text(f"{target}\n", encoding="utf-8")
    settings = load_settings(project / "phrasenet.toml")
    run = Run(opened(project), step_window(None, None))
    known = read_lexicon(run, settings, read_dictionaries(run, settings))
    cut_testsets(run, settings, known, read_testsets(run, settings))
    check = audited(project).checks[2]
    assert check.name == "Decontamination"
    assert len(check.findings) == 3  # the memory and both models
    assert "learned from 1 pairs that stand in tiny-test" in check.findings[0]
    edit(project / "phrasenet.toml", "[memory]", '[text]\ndecontaminate = "off"\n\n[memory]')
    check = audited(project).checks[2]
    assert (len(check.findings), len(check.notes)) == (0, 4)


def test_a_long_page_is_cut() -> None:
    checks = [Check("One", "1 thing", tuple(f"finding {n}" for n in range(50)), ("a\nnote",))]
    text = audit_report(checks, time="now", ledger="0")
    assert len(findings_of(checks)) == 50
    assert "# Audit: 50 findings" in text
    assert f"- and {50 - MOST_FINDINGS} more\n" in text
    assert "- a note\n" in text


SCENARIO = """
import json, sys
from pathlib import Path
from flows.private_server import prefect_server

workspace = Path(sys.argv[1]) / "workspace"
with prefect_server(workspace) as server:
    from prefect.client.orchestration import get_client
    from flows.audit import audit_lineage
    server.wait()
    good = audit_lineage(sys.argv[1] + "/phrasenet.toml", return_state=True)
    next((workspace / "warehouse" / "links").glob("*/manifest.json")).unlink()
    bad = audit_lineage(sys.argv[1] + "/phrasenet.toml", return_state=True)
    with get_client(sync_client=True) as client:
        pages = client.read_artifacts()
    print(json.dumps({
        "states": [good.type.value, bad.type.value],
        "message": bad.message,
        "pages": [page.data.splitlines()[0] for page in pages
                  if page.key == "audit-lineage"],
    }))
"""


@pytest.mark.server
def test_the_flow_fails_on_a_finding_and_keeps_its_page(project: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-c", SCENARIO, str(project)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found = json.loads(made.stdout.splitlines()[-1])
    assert found["states"] == ["COMPLETED", "FAILED"]
    assert "The audit has 1 findings" in found["message"]
    assert set(found["pages"]) == {"# Audit: all is well", "# Audit: 1 findings"}
