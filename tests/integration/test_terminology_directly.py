"""Four years of terms become a memory, and phrases are found in it."""

from collections import Counter
from pathlib import Path

import pytest

from tasks.memory_queries import lookup
from tests.support import ROOT, refresh_directly

DATA = ROOT.parent / "shared" / "data"
EXAMPLE = ROOT / "examples" / "terminology.toml"


@pytest.mark.data
@pytest.mark.skipif(
    not (DATA / "terminology").is_dir(), reason="needs ../shared/data/terminology, which is absent"
)
def test_term_dictionaries_of_four_years_become_a_memory(tmp_path: Path) -> None:
    settings = tmp_path / "terminology.toml"
    text = EXAMPLE.read_text(encoding="utf-8").replace("../../shared/data", str(DATA))
    for side in ("zh", "en"):
        lines = (DATA / "flores" / f"dev.{side}").read_text(encoding="utf-8").split("\n")[:40]
        few = tmp_path / f"few.{side}"
        few.write_text("\n".join(lines) + "\n", encoding="utf-8")
        text = text.replace(str(DATA / "flores" / f"dev.{side}"), str(few))
    settings.write_text(text, encoding="utf-8")
    workspace, refreshed, _ = refresh_directly(settings)
    phrases = [
        row
        for row in workspace.read_rows(refreshed.snapshot.phrases)
        if row["origin"] == "dictionary"
    ]
    states = Counter(row["state"] for row in phrases)
    assert states["active"] > 500
    assert states["conflict"] > 0
    active = [row["source"] for row in phrases if row["state"] == "active"]
    assert len(active) == len(set(active))
    for source in active[:20]:
        [found] = lookup(workspace, refreshed.snapshot, source)
        assert found["state"] == "active"
    evidence = list(workspace.read_rows(refreshed.snapshot.evidence))
    providers = {row["provider"] for row in evidence if row["origin"] == "dictionary"}
    assert providers == {f"reports-{year}" for year in (2015, 2016, 2017, 2018)}
    assert {row["licence"] for row in evidence if row["origin"] == "dictionary"} == {"CC-BY-NC-4.0"}
