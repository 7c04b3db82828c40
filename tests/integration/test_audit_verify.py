"""Whatever is changed, lost or swapped in a workspace, `audit verify` names it."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.workspace import Workspace, open_workspace
from tasks.verify import verify_workspace
from tests.conftest import Command

PROTECTED = (
    "warehouse/*/*/*",
    "models/*/*",
    "reports/*/*",
    "ledger/records/*",
    "ledger/code/*",
    "memory/snapshots/*",
    "memory/history/*",
    "models/registry/*",
)
TRIALS = 100


@pytest.fixture(scope="module")
def sealed(evaluated_tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("sealed") / "tiny"
    shutil.copytree(evaluated_tiny, folder)
    workspace = open_workspace(folder / "workspace")
    with workspace.lease():
        workspace.seals.make()
    return workspace


def protected(workspace: Workspace) -> list[Path]:
    found = (path for pattern in PROTECTED for path in workspace.root.glob(pattern))
    return sorted({path for path in found if path.is_file()})


def damages(workspace: Workspace) -> Iterator[tuple[str, list[Path]]]:
    """Damage the workspace in a hundred ways, one after the other; each is undone at once."""
    chance = random.Random(7)
    files = [path for path in protected(workspace) if path.stat().st_size]
    for number in range(TRIALS):
        kind = ("changed", "lost", "swapped")[number % 3]
        if kind == "swapped":
            records = [path for path in files if path.parent.name == "records"]
            paths = chance.sample(records, 2)
        else:
            paths = [chance.choice(files)]
        contents = [path.read_bytes() for path in paths]
        if kind == "changed":
            data = bytearray(contents[0])
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            paths[0].write_bytes(bytes(data))
        elif kind == "lost":
            paths[0].unlink()
        else:
            paths[0].write_bytes(contents[1])
            paths[1].write_bytes(contents[0])
        yield kind, paths
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)


def names(path: Path) -> list[str]:
    """Return how a finding may call a file."""
    if path.parent.name == "records":
        return [f"record {int(path.stem)} ", f"record {int(path.stem) + 1} ", path.name]
    return [path.name, path.parent.name, path.stem]


def test_a_sealed_workspace_is_whole(sealed: Workspace) -> None:
    assert verify_workspace(sealed) == []


def test_every_damage_is_named(sealed: Workspace) -> None:
    for kind, paths in damages(sealed):
        findings = verify_workspace(sealed)
        for path in paths:
            named = [item for item in findings for name in names(path) if name in item]
            assert named, f"{kind} {path} is not named: {findings}"
    assert verify_workspace(sealed) == []


def test_most_damage_is_named_without_a_seal(sealed: Workspace) -> None:
    for kind, paths in damages(sealed):
        if "code" in {path.parent.name for path in paths} and kind == "changed":
            continue  # what the functions of a code digest were is only sealed
        if "registry" in {path.parent.name for path in paths} and kind == "changed":
            continue
        if "history" in {path.parent.name for path in paths} and kind == "changed":
            continue
        assert verify_workspace(sealed, seals=[]), f"{kind} {paths} is not named"


def test_the_root_that_was_kept_must_be_there(
    sealed: Workspace, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sealed.root.parent)
    root = sealed.seals.all()[0].root
    assert phrasenet("audit", "verify", "--root", root).code == 0
    refused = phrasenet("audit", "verify", "--root", "0" * 64)
    assert refused.code == 2
    assert "No seal of this workspace has the root" in refused.err
    answer = phrasenet("audit", "seal")
    assert answer.code == 0
    assert sealed.seals.all()[-1].root in answer.out
