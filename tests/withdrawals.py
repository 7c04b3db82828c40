"""What the tests of withdrawals share: a project to take things out of, and how."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flows.settings import load_settings
from flows.withdraw import finish_withdrawal, plan_withdrawal, withdraw
from storage.search import Search
from storage.workspace import Workspace, open_workspace
from tasks.lineage.withdrawal import Receipt
from tasks.text.overlap import fold
from tasks.withdraw import Asked
from tests.support import copy_tiny, refresh_directly

SHARED = (
    "本办法由市政府和交通部共同解释，自发布之日起施行。\t"
    "These rules are explained by the city and come into force today.\t{}\n"
)
OWN = (
    "山谷里的蓝色风车每天早晨都会唱一首老歌。\t"
    "The blue windmill in the valley sings an old song every morning.\towl-1\n"
)


def project_with_owl(folder: Path) -> Path:
    """Give a copy of the tiny example a document of its own and a sentence that two documents
    share, and refresh its memory."""
    copy_tiny(folder)
    added = "".join(
        [
            *(SHARED.format(document) for document in ("owl-1", "law-1")),
            OWN,
            "我看见了蓝色风车。\tI saw the blue windmill.\towl-1\n",
            "蓝色风车很高。\tThe blue windmill is very tall.\towl-1\n",
        ]
    )
    # They come first, so that the places of all other pairs depend on them.
    pairs = folder / "pairs.tsv"
    pairs.write_text(added + pairs.read_text(encoding="utf-8"), encoding="utf-8")
    with (folder / "terms.tsv").open("a", encoding="utf-8") as stream:
        stream.write("雪人\tsnowman\tterm\n")
    refresh_directly(folder / "phrasenet.toml")
    return folder


def take_out(
    folder: Path, named: str, *, wait_seconds: float = 0.0, **options: Any
) -> tuple[Workspace, Receipt]:
    """Withdraw without Prefect."""
    settings = load_settings(folder / "phrasenet.toml")
    workspace = open_workspace(settings.workspace_path)

    def rebuild() -> Mapping[str, Any]:
        from flows.driver import step_window
        from flows.pipeline import refresh
        from tasks.run import Run

        run = Run(workspace, step_window(None, None))
        refresh(run, settings)
        return run.counts

    with workspace.lease(wait_seconds=wait_seconds):
        written = finish_withdrawal(workspace, named)
        if written is not None:
            return workspace, written[0]
        planned = plan_withdrawal(settings, workspace, named)
        asked = Asked("ann", "the owner asked")
        receipt, _ = withdraw(planned, asked, rebuild, **options)
    return workspace, receipt


def phrases_of(workspace: Workspace) -> dict[str, str]:
    """Return the state of each phrase of the current memory."""
    head = workspace.memory.head()
    assert head is not None
    return {row["source"]: row["state"] for row in workspace.read_rows(head.phrases)}


def is_found(workspace: Workspace, text: str) -> bool:
    """Say whether a text stands in any file of a workspace."""
    return bool(Search([text], fold).files_below(workspace.root)[1])
