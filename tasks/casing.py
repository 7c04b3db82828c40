"""The step that learns how English words are written, from text in its own case."""

import logging
from collections.abc import Iterator

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.step import step
from tasks.text.english import tokenise
from tasks.text.script import normalise
from tasks.text.truecase import CASING_FILE, learn_casing

log = logging.getLogger(__name__)


@step(writes=("casing",))
def casing(
    workspace: Workspace,
    *,
    pairs: tuple[ArtifactRef, ...],
    entries: tuple[ArtifactRef, ...],
) -> ArtifactRef:
    """Learn the case of words from the pairs of all shards, of phrases from the dictionaries."""
    learned = learn_casing(_words(workspace, pairs), _words(workspace, entries))
    log.info(
        "%d words and %d phrases are not in lower case", len(learned.words), len(learned.phrases)
    )
    return workspace.write_bundle("casing", {CASING_FILE: learned.to_bytes()})


def _words(workspace: Workspace, refs: tuple[ArtifactRef, ...]) -> Iterator[list[str]]:
    for ref in refs:
        for row in workspace.read_rows(ref, ["target"]):
            yield tokenise(normalise(row["target"]))
