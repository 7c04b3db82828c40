"""The searches that two cells are taken apart with, on models of the tiny example."""

from pathlib import Path

import pytest

from benchmarks.cell_findings import SYSTEMS, WAYS, Cells, outputs, say_searches
from flows.opening import open_settings


def test_every_way_of_searching_is_scored_for_the_systems_that_it_concerns(
    evaluated_tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, workspace = open_settings(evaluated_tiny / "phrasenet.toml")
    made = {f"{label} [tiny]": found for label, found in outputs(workspace).items()}
    for system in SYSTEMS:
        name = f"translate tiny-test {system}"
        made[f"{name} [tiny/{system}/1]"] = made[f"{name} [tiny]"]
    say_searches(Cells(workspace, made, "tiny-test", "tiny"), 2, settings.decoding)
    head, _, *lines = capsys.readouterr().out.strip().splitlines()
    table = {cells[0]: cells[1:] for cells in (line.strip("| ").split(" | ") for line in lines)}
    assert list(table) == list(WAYS)
    assert {len(cells) for cells in table.values()} == {head.count("|") - 2} == {6}
    for name, (way, _) in WAYS.items():
        assert (table[name][:3] == ["–"] * 3) is (way != "offered"), name
        assert float(table[name][3]) >= 0
        assert float(table[name][4]) > 0
