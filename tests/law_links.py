"""Sixty sentence pairs of laws/dev whose words were linked by hand; the sentences are not ours to
pass on, so there are only line numbers, digests, lengths of words, and links (the form of
`tasks/metrics/gold_of_some.py`). `experiments/laws.toml` takes them as gold links.

How it was done. The sentences are a seeded draw among those with 8 to 35 words a side as
`phrasenet segment` cuts them, linked before any aligner was tuned and without looking at one's
output. A link is sure if the two words mean the same here, also where several words share it (公司
with `company`); a word that helps its neighbour (articles, `be` of a passive, `to`, the
prepositions of `in accordance with`) is possibly linked to what its neighbour is linked to;
numbers, dates and punctuation with the same task are sure; what has no counterpart is free.
A second pass over 15 of the sixty, drawn by chance and done in the same session, gave 226 sure
links against 219, all of which were among them (F1 0.98); of both kinds, 330 links were the same
of 338 and 362 (F1 0.94).
"""

from collections.abc import Mapping
from pathlib import Path

from tasks.metrics.alignment_error import GoldLinks
from tasks.metrics.gold_of_some import on_words, read_linked_sentences
from tasks.readers.lines import read_lines
from tasks.recipe import WordRecipe
from tasks.text.lexicon import Lexicon
from tasks.text.script import normalise
from tasks.word_maker import WordMaker

FILE = Path(__file__).parent.parent / "experiments" / "laws-dev.links.jsonl"

WordPair = tuple[list[str], list[str]]


def law_links(laws: Path) -> tuple[list[WordPair], Mapping[int, GoldLinks]]:
    """Return the words of laws/dev, and the links by hand of some of its lines, counted from 0.

    Raises:
        InputError: a sentence of `laws`, the folder of the data, is not the one that was linked.
    """
    maker = WordMaker(WordRecipe(lowercase=True), Lexicon())
    chinese, english = (
        (laws / f"dev.{side}").read_text("utf-8").split("\n") for side in ("zh", "en")
    )
    texts = [both for both in zip(chinese, english, strict=True) if any(both)]
    pairs = [
        (maker.chinese(source).words, maker.english(normalise(target))) for source, target in texts
    ]
    gold = {
        linked.line - 1: on_words(linked, texts[linked.line - 1], pairs[linked.line - 1])
        for linked in read_linked_sentences(list(read_lines(FILE)), FILE.name)
    }
    return pairs, gold
