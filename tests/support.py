"""What several test files share: copies of the tiny example, and its steps without Prefect."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from storage.datasets import ArtifactRef
from storage.workspace import Workspace

if TYPE_CHECKING:
    from prefect.client.schemas.objects import BlockDocument

    from flows.evaluation import Evaluated
    from flows.pipeline import Refreshed
    from tasks.run import Run

ROOT = Path(__file__).parent.parent
TINY = ROOT / "examples" / "tiny"


def copy_tiny(folder: Path) -> Path:
    """Copy the tiny example's own files to a new folder and return it."""
    return Path(shutil.copytree(TINY, folder, ignore=shutil.ignore_patterns("workspace")))


def edit(path: Path, before: str, after: str) -> None:
    """Replace a text that a file must hold."""
    text = path.read_text(encoding="utf-8")
    assert before in text, f"{path} does not hold {before!r}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def block_document(kind: str) -> "BlockDocument":
    """Return a block as the Prefect server describes it, without its secrets."""
    from prefect.client.schemas.objects import BlockDocument, BlockType

    return BlockDocument(
        id=uuid4(),
        name="oncall",
        block_type=BlockType(name=kind, slug=kind),
        block_type_name=kind,
        block_type_id=uuid4(),
        block_schema_id=uuid4(),
    )


def files_below(folder: Path) -> list[str]:
    """Return the files below a folder, relative to it, sorted."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def flip_byte(path: Path, position: int) -> None:
    """Change one byte of a file."""
    data = bytearray(path.read_bytes())
    data[position % len(data)] ^= 0x01
    path.write_bytes(bytes(data))


def phrase_counts(number: int) -> list[dict[str, object]]:
    """Return some rows of the kind `phrase_counts`."""
    return [
        {"source": f"词{index:05d}", "target": f"word {index}", "count": index}
        for index in range(number)
    ]


def write_counts(workspace: Workspace, number: int = 3) -> ArtifactRef:
    """Write a small table and return its reference."""
    return workspace.write_rows("phrase_counts", phrase_counts(number))


def content_digests(workspace: Workspace, kinds: Iterable[str]) -> dict[str, list[str]]:
    """Return the content digests that a workspace holds, by kind."""
    return {
        kind: sorted(path.name for path in (workspace.root / "warehouse" / kind).glob("*"))
        for kind in kinds
    }


def refresh_directly(settings_file: Path) -> "tuple[Workspace, Refreshed, Run]":
    """Refresh the phrase memory of a settings file in this process, without Prefect."""
    from flows.driver import step_window
    from flows.pipeline import refresh
    from flows.settings import load_settings
    from storage.workspace import open_workspace
    from tasks.run import Run

    settings = load_settings(settings_file)
    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    with workspace.lease():
        workspace.sweep()
        run = Run(workspace, step_window(None, None))
        return workspace, refresh(run, settings), run


def evaluate_directly(settings_file: Path) -> "tuple[Workspace, Evaluated, Run]":
    """Make everything of a settings file up to the report, in this process, without Prefect."""
    from flows.driver import step_window
    from flows.settings import load_settings
    from flows.stages import evaluate_all
    from storage.workspace import open_workspace
    from tasks.run import Run

    settings = load_settings(settings_file)
    workspace = open_workspace(
        settings.workspace_path, settings.execution.engine, settings.workspace.remote
    )
    with workspace.lease():
        run = Run(workspace, step_window(None, None))
        return workspace, evaluate_all(run, settings), run


def assert_whole(workspace: Path) -> None:
    """Check that a workspace holds nothing half-written: every artifact and record is as it must
    be.
    """
    from storage.datasets import MANIFEST, ArtifactRef, Manifest, why_broken
    from storage.ledger import Ledger

    assert list((workspace / ".partial").glob("*")) == []
    assert [str(path) for path in workspace.rglob("*.partial") if path.is_file()] == []
    for path in workspace.rglob(MANIFEST):
        manifest = Manifest.read(path.parent)
        ref = ArtifactRef(manifest.kind, manifest.content_digest, manifest.rows)
        assert why_broken(workspace, ref) is None
    assert list(Ledger(workspace).problems()) == []
