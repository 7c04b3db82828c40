"""The page of the lineage in a real browser: it walks up and down, finds, and runs no text."""

from pathlib import Path

import pytest

from storage.lineage import lineage_of
from storage.workspace import open_workspace
from tasks.audit_page import shown_nodes
from tasks.reports.lineage_page import ShownNode, lineage_page
from tests.conftest import Command
from tests.integration.browser import rendered

EVIL = '</script><script>document.body.textContent="broken"</script><img src=x onerror=alert(1)>'
END = "if (first) go(first.id);\n})();"


def with_script(text: str, script: str) -> str:
    """Do something more at the end of a page's script."""
    assert text.count(END) == 1
    return text.replace(END, f"if (first) go(first.id);{script}\n}})();")


@pytest.mark.browser
@pytest.mark.parametrize("width", [420, 1200])
def test_a_reader_walks_from_a_model_to_a_file(
    evaluated_tiny: Path, tmp_path: Path, width: int
) -> None:
    workspace = open_workspace(evaluated_tiny / "workspace")
    graph = lineage_of(workspace)
    text = lineage_page(shown_nodes(graph), title="Tiny", ledger=workspace.ledger.digest())
    click = """
    const path = [];
    const last = () => byId.get(path[path.length - 1] || first.id);
    for (let step = 0; step < 60 && last().above.length; step++) {
      at("above").querySelector("button").click();
      path.push(decodeURIComponent(location.hash.slice(1)));
    }
    at("query").value = "train rnnsearch"; at("query").dispatchEvent(new Event("input"));
    """
    path = tmp_path / "lineage.html"
    path.write_text(with_script(text, click), encoding="utf-8")
    shown = rendered(path, tmp_path, width=width)
    here = shown[shown.index('id="here"') : shown.index('id="below-title"')]
    assert "<dd>file/" in here
    assert "3 of " in shown[shown.index('id="count"') :]


@pytest.mark.browser
def test_text_is_never_markup(tmp_path: Path) -> None:
    nodes = [
        ShownNode("run/1", "run", EVIL, "2026-03-01T10:00:00", [("reason", EVIL)], []),
        ShownNode("model/2", "artifact", "model", "", [], ["run/1", "lost/3"]),
    ]
    path = tmp_path / "lineage.html"
    text = lineage_page(nodes, title=EVIL, ledger=EVIL)
    path.write_text(with_script(text, 'go("run/1");'), encoding="utf-8")
    shown = rendered(path, tmp_path, width=800)
    assert "<img" not in shown.replace("\\u003cimg", "")
    assert "2 of 2 things" in shown


def test_the_page_is_written_by_its_ending(
    evaluated_tiny: Path, tmp_path: Path, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(evaluated_tiny)
    path = tmp_path / "lineage.html"
    answer = phrasenet("audit", "export", str(path))
    assert answer.code == 0, answer.err
    assert "things to click through" in answer.out
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
