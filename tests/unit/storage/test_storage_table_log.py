"""The list of decisions grows and never forgets; damage to it is told."""

from pathlib import Path

import pytest

from storage.datasets import ArtifactRef
from storage.errors import MissingArtifact
from storage.table_log import TableLog


def table(number: int) -> ArtifactRef:
    return ArtifactRef("decisions", f"{number:032d}", 1)


def test_decisions_are_kept_in_their_order(tmp_path: Path) -> None:
    log = TableLog(tmp_path / "log", holds="what people said")
    assert log.tables() == ()
    for number in range(12):
        assert log.append(table(number % 3)).sequence == number
    assert TableLog(tmp_path / "log", holds="what people said").tables() == tuple(
        table(number % 3) for number in range(12)
    )


@pytest.mark.parametrize("damage", ["lost", "changed"])
def test_a_damaged_list_is_no_shorter_list(tmp_path: Path, damage: str) -> None:
    log = TableLog(tmp_path / "log", holds="what people said")
    for number in range(3):
        log.append(table(number))
    path = tmp_path / "log" / "00000001.json"
    path.unlink() if damage == "lost" else path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(MissingArtifact, match="Restore the folder"):
        log.tables()
