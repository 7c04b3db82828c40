"""Steps that make words of raw text, and what they need to know of the dictionaries for it."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.continued import write_continued
from tasks.progress import track
from tasks.recipe import WordRecipe
from tasks.step import Before, step
from tasks.text.config import MOST_CHARACTERS
from tasks.text.lexicon import LEXICON_FILE, Lexicon, build_lexicon
from tasks.text.script import normalise
from tasks.word_maker import ChineseWords, WordMaker

log = logging.getLogger(__name__)


@step(writes=("lexicon",))
def lexicon(
    workspace: Workspace, *, entries: tuple[ArtifactRef, ...], recipe: WordRecipe
) -> ArtifactRef:
    """Choose which words and names of the dictionaries the making of words has to know."""
    rows = (row for ref in entries for row in workspace.read_rows(ref, ["source", "category"]))
    made = build_lexicon(rows, recipe.script, user_words=recipe.user_words)
    log.info("%d words to keep whole, %d names to spare", len(made.words), len(made.names))
    return workspace.write_bundle("lexicon", {LEXICON_FILE: made.to_bytes()})


NEW_PAIRS = "SELECT raw.* FROM raw ANTI JOIN before USING (pair_id) ORDER BY pair_id"
"""Pairs that were not there before; the id of a pair tells its texts."""
KNOWN_WORDS = """
SELECT before.* REPLACE (raw.position AS position) FROM before JOIN raw USING (pair_id)
"""


@step(writes=("words",), libraries=("OpenCC", "jieba", "duckdb"), continues=("raw",))
def words(
    workspace: Workspace,
    *,
    raw: ArtifactRef,
    lexicon: ArtifactRef,
    recipe: WordRecipe,
    before: Before | None = None,
) -> ArtifactRef:
    """Normalise, find the rules' spans and cut into words, for training pairs and test lines."""
    maker = WordMaker(recipe, Lexicon.of_files(workspace.read_bundle(lexicon)))
    scripts: Counter[str] = Counter()
    if before is None or raw.kind != "raw_pairs":
        rows = track(workspace.read_rows(raw), total=raw.rows, unit="pairs")
        cut = (_cut(row, maker, scripts) for row in rows)
        made = workspace.write_rows("words", cut)
    else:
        tables = {"raw": raw, "before": before.result}
        cut = (_cut(row, maker, scripts) for row in workspace.stream(NEW_PAIRS, tables))
        made = write_continued(workspace, "words", tables, KNOWN_WORDS, cut)
    log.info("scripts of %d sentences: %s", raw.rows, dict(sorted(scripts.items())))
    return made


def _as_pair(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """See a line of a test set as a pair with its first reference."""
    if "sentence_id" not in row:
        return row
    return {
        "pair_id": row["sentence_id"],
        "corpus": row["testset"],
        "document": "",
        "position": row["position"],
        "source": row["source"],
        "target": next(filter(None, row["references"]), ""),
    }


def _is_far_too_long(pair: Mapping[str, Any]) -> bool:
    """Say whether a pair will be dropped for its length, whatever the settings say."""
    return any(
        len(pair[side]) > MOST_CHARACTERS and len(normalise(pair[side])) > MOST_CHARACTERS
        for side in ("source", "target")
    )


def _between_blanks(source: str) -> ChineseWords:
    """Cut a text that nobody will read, which the rules would read for many seconds."""
    text = normalise(source)
    return ChineseWords(text, text.split(), [], "unknown", "")


def _cut(read: Mapping[str, Any], maker: WordMaker, scripts: Counter[str]) -> dict[str, Any]:
    row = _as_pair(read)
    target = normalise(row["target"])
    if row is read and _is_far_too_long(row):
        chinese, target_words = _between_blanks(row["source"]), target.split()
    else:
        chinese, target_words = maker.chinese(row["source"]), maker.english(target)
    scripts.update(_outcomes(chinese.script, chinese.converter))
    return {
        "pair_id": row["pair_id"],
        "corpus": row["corpus"],
        "document": row["document"],
        "position": row["position"],
        "source": chinese.text,
        "target": target,
        "source_words": chinese.words,
        "target_words": target_words,
        "rules": chinese.rules,
        "script": chinese.script,
        "converter": chinese.converter,
    }


def _outcomes(script: str, converter: str) -> Iterator[str]:
    yield script
    if converter:
        yield "converted"
