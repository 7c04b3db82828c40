"""The step that translates tagged sentences with a model and records how each word came about."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.decoding import open_models, translate_rows
from tasks.progress import track
from tasks.step import step
from tasks.unknown_words import lexicon_of


@step(writes=("translations",), with_driver=True)
def translate(
    workspace: Workspace,
    *,
    model: ArtifactRef,
    tagged: ArtifactRef,
    decoding: DecodingConfig,
    phrases: ArtifactRef | None = None,
) -> ArtifactRef:
    """Translate the sentences of a tagged table with one model.

    With phrases, unknown words may be looked up in them (`decoding.unknown_words`).
    """
    rows = list(workspace.read_rows(tagged))
    lexicon = lexicon_of(workspace.read_rows(phrases)) if phrases else {}
    translations = _translations(workspace.read_bundle(model), rows, decoding, lexicon)
    return workspace.write_rows(
        "translations", track(translations, total=len(rows), unit="sentences")
    )


def _translations(
    files: Mapping[str, bytes],
    rows: Sequence[Mapping[str, Any]],
    decoding: DecodingConfig,
    lexicon: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    models = open_models([files], decoding, lexicon)
    for found in translate_rows(models, rows):
        yield found.row
