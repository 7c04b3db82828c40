"""The step that translates tagged sentences with a model and records how each word came about."""

from model.config import DecodingConfig
from storage.datasets import ArtifactRef
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.decoding import open_models, translate_rows
from tasks.progress import track
from tasks.short_list import word_table
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
    word_links: ArtifactRef | None = None,
) -> ArtifactRef:
    """Translate the sentences of a tagged table with one model.

    With phrases, unknown words may be looked up in them (`decoding.unknown_words`); with them and
    the counts of linked words, short lists are made (`decoding.short_list`).
    """
    rows = list(workspace.read_rows(tagged))
    known = list(workspace.read_rows(phrases)) if phrases else []
    models = open_models(
        [workspace.read_bundle(model)],
        decoding,
        lexicon_of(known),
        table=word_table(known, workspace.read_rows(word_links) if word_links else ()),
    )
    translations = (found.row for found in translate_rows(models, rows))
    return workspace.write_rows(
        "translations", track(translations, total=len(rows), unit="sentences")
    )


def looked_up(decoding: DecodingConfig, snapshot: Snapshot) -> dict[str, ArtifactRef | None]:
    """Return the tables of a snapshot that a translation looks words up in, by argument of the
    step; those that it does not read would only change its key.
    """
    short = decoding.short_list > 0
    reads = short or decoding.unknown_words == "dictionary"
    return {
        "phrases": snapshot.phrases if reads else None,
        "word_links": snapshot.word_links if short else None,
    }
