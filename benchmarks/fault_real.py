"""The refresh of the tiny example as a flow of fault schedules: real steps on changing sources."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from flows.driver import step_window
from flows.pipeline import refresh
from flows.settings import WorkspaceConfig, load_settings
from storage.workspace import open_workspace
from tasks.run import Run

TINY = Path(__file__).parent.parent / "examples" / "tiny"


@dataclass
class RealFlow:
    """Refreshes the tiny example; some days leave out a part of its corpus."""

    folder: Path
    """Where the sources of each day are put."""

    def __call__(self, root: Path, day: int) -> None:
        """Refresh a workspace for a day."""
        settings = load_settings(self._project(day) / "phrasenet.toml")
        settings = replace(settings, workspace=WorkspaceConfig(path=str(root)))
        workspace = open_workspace(root)
        with workspace.lease():
            workspace.sweep()
            run = Run(workspace, step_window(None, None), flow_run=f"day {day}")
            refresh(run, settings)

    def _project(self, day: int) -> Path:
        project = self.folder / f"day-{day}"
        if not project.exists():
            shutil.copytree(TINY, project, ignore=shutil.ignore_patterns("workspace"))
            corpus = project / "pairs.tsv"
            lines = corpus.read_bytes().splitlines(keepends=True)
            corpus.write_bytes(b"".join(lines[: len(lines) - 2 * day]))
        return project
