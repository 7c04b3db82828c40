"""Steps that translate a test set as WMT's terminology tasks do: under three settings of terms.

*proper* offers the proper terms of each sentence, *random* its random ones, *noterm* none; nothing
else is offered under any of them, so that the settings differ in nothing but the terms.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.records import phrase_id
from storage.workspace import Workspace
from tasks.metrics.bleu import corpus_bleu
from tasks.mining.config import MemoryConfig
from tasks.readers.term_lists import PLAIN_LIST
from tasks.step import step
from tasks.tag import tagged_row
from tasks.tagging.matcher import Matcher
from tasks.tagging.slots import Candidate
from tasks.test_set_terms import scores_of_terms
from tasks.text.detokenise import detokenise
from tasks.text.english import tokenise
from tasks.text.script import normalise

DICTIONARIES: Mapping[str, tuple[str, ...]] = {
    "proper": ("proper", PLAIN_LIST),
    "random": ("random",),
    "noterm": (),
}
"""Setting, and the dictionaries whose terms it offers; a list without a name is a proper one."""


@step(writes=("tagged",))
def tag_terms(
    workspace: Workspace,
    *,
    words: ArtifactRef,
    terms: ArtifactRef,
    setting: str,
    config: MemoryConfig,
    lowercase: bool,
) -> ArtifactRef:
    """Offer the terms of one setting to the sentences of a test set.

    Args:
        workspace: where the tables are.
        words: words of the test set.
        terms: terms of its sentences; the first translation of each is offered.
        setting: one of `DICTIONARIES`.
        config: how many slots a sentence has.
        lowercase: whether the systems' words are in lower case.
    """
    offered: dict[str, dict[str, str]] = defaultdict(dict)
    for row in workspace.read_rows(terms):
        source = "".join(normalise(row["source"]).split())
        if row["dictionary"] in DICTIONARIES[setting] and source:
            target = tokenise(normalise(row["targets"][0]))
            said = " ".join(word.lower() for word in target) if lowercase else " ".join(target)
            offered[row["sentence_id"]].setdefault(source, said)
    return workspace.write_rows(
        "tagged",
        (
            tagged_row(row, list(_candidates(row["source_words"], offered[row["pair_id"]])), config)
            for row in workspace.read_rows(words)
        ),
    )


def _candidates(words: Sequence[str], terms: Mapping[str, str]) -> Iterator[Candidate]:
    sources = [source for source, target in terms.items() if target]
    matcher = Matcher(([source], number) for number, source in enumerate(sources))
    for start, end, number in matcher.find(words):
        source, target = sources[number], terms[sources[number]]
        yield Candidate(
            start=start,
            end=end,
            source=source,
            target=target,
            category="term",
            origin="dictionary",
            phrase_id=phrase_id(source, target),
            provider="terms",
        )


@step(writes=("measures",), libraries=("sacrebleu",))
def term_settings(
    workspace: Workspace,
    *,
    answers: Mapping[str, ArtifactRef],
    translations: Mapping[str, ArtifactRef],
    testset: str,
    system: str,
) -> ArtifactRef:
    """Score one system under each setting with every dictionary, and with BLEU.

    Args:
        workspace: where the tables are.
        answers: `lines` and `terms` of the test set.
        translations: outputs by setting.
        testset: its name.
        system: the system's name.
    """
    lines = {row["sentence_id"]: row for row in workspace.read_rows(answers["lines"])}
    terms = list(workspace.read_rows(answers["terms"]))
    rows: list[dict[str, Any]] = []
    for setting, ref in translations.items():
        outputs = list(workspace.read_rows(ref))
        sentences = [lines[row["sentence_id"]] for row in outputs]
        texts = [detokenise(row["words"]) for row in outputs]
        streams = list(zip(*(row["references"] for row in sentences), strict=True))
        scores = [(corpus_bleu(texts, streams), len(texts))]
        for score, number in scores + scores_of_terms(terms, sentences, texts):
            rows.append(
                {
                    "testset": testset,
                    "system": system,
                    "subset": f"terms given: {setting}",
                    "metric": score.name,
                    "value": score.value,
                    "sentences": number,
                    "signature": score.signature,
                }
            )
    return workspace.write_rows("measures", rows)
