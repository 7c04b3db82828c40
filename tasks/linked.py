"""Read sentence pairs together with their links."""

from collections.abc import Iterator

from storage.columns import NumberColumn, WordColumn
from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.compiled.arrays import Corpus, Links, Sentences, Texts
from tasks.mining.candidates import BATCH_PAIRS
from tasks.mining.extraction import (
    SOURCE_JOINER,
    TARGET_JOINER,
    LinkedPair,
    checked,
    kinds_of,
)


def read_linked(
    workspace: Workspace, pairs: ArtifactRef, links: ArtifactRef
) -> Iterator[LinkedPair]:
    """Yield words and links of each pair of a shard; both tables are in the order of the ids."""
    texts = workspace.read_columns(pairs, ["pair_id", "source_words", "target_words"])
    found = workspace.read_columns(links, ["pair_id", "source_index", "target_index"])
    assert texts["pair_id"] == found["pair_id"], "links were made for other pairs"
    for source, target, source_index, target_index in zip(
        texts["source_words"],
        texts["target_words"],
        found["source_index"],
        found["target_index"],
        strict=True,
    ):
        yield source, target, tuple(zip(source_index, target_index, strict=True))


def read_corpora(
    workspace: Workspace, pairs: ArtifactRef, links: ArtifactRef
) -> Iterator[tuple[Corpus, list[str]]]:
    """Yield words and links of a shard as the compiled loops want them, some pairs at a time.

    Yields:
        The pairs, and their ids.

    Raises:
        ValueError: a link lies outside its sentences.
    """
    texts = workspace.read_arrays(pairs, ["pair_id", "source_words", "target_words"], BATCH_PAIRS)
    found = workspace.read_arrays(links, ["pair_id", "source_index", "target_index"], BATCH_PAIRS)
    for words, links_here in zip(texts, found, strict=True):
        assert words["pair_id"] == links_here["pair_id"], "links were made for other pairs"
        yield _corpus(words["source_words"], words["target_words"], links_here), words["pair_id"]


def _corpus(source: WordColumn, target: WordColumn, links: dict[str, NumberColumn]) -> Corpus:
    index = links["source_index"]
    return checked(
        Corpus(
            Sentences(source.ids, source.starts, Texts(*source.texts), len(SOURCE_JOINER)),
            Sentences(target.ids, target.starts, Texts(*target.texts), len(TARGET_JOINER)),
            Links(index.starts, index.values, links["target_index"].values),
            kinds_of(source.words),
            kinds_of(target.words),
        )
    )
