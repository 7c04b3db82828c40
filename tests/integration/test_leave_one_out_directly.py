"""Leave-one-out in tagging, held to counting everything again without the sentence."""

from collections.abc import Iterator
from typing import Any

import pytest

from flows.settings import Settings, load_settings
from storage.workspace import Workspace
from tasks.documents import ruled_pairs
from tasks.linked import read_linked
from tasks.mining.candidates import count_phrases
from tasks.mining.extraction import LinkedPair
from tasks.mining.rule_uses import RuleKey, keyed_rules
from tasks.mining.selection import PairCounts
from tasks.mining.uses import DocumentKey, Uses, document_key
from tasks.mining.verification import Evidence, is_offered, is_rule_contradicted
from tasks.phrasebook import Phrasebook, rule_candidate
from tasks.tag import tag_training, tagged_row
from tests.reference.mining_uses import uses_plainly
from tests.support import copy_tiny, edit, refresh_directly

Row = dict[str, Any]
ARTICLES = (
    "第三条规定了费用。\tArticle 3 provides for the fees.\tv",
    "第四条规定了时间。\tArticle 4 provides for the time.\tw",
    "第五条规定了税率。\tThe fifth section provides for the rate.\tx",
    "第六条规定了罚款。\tThe sixth section provides for the fine.\ty",
)
"""A rule is right twice of four times, so that it is too seldom right without one of the two."""


@pytest.fixture(scope="module", params=["documents", "sentences"])
def refreshed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Settings, Workspace, Any]:
    """Refresh a project in which sentences stand several times, within and across documents."""
    folder = copy_tiny(tmp_path_factory.mktemp("copies") / "tiny")
    lines = (folder / "pairs.tsv").read_text().splitlines()
    copies = [f"{line.rpartition(chr(9))[0]}\t{name}" for line in lines[::3] for name in ("", "b")]
    lines += [*lines[:9], *copies, *ARTICLES]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n")
    edit(folder / "phrasenet.toml", 'count_by = "sentences"', f'count_by = "{request.param}"')
    edit(
        folder / "phrasenet.toml",
        "[memory]",
        '[text]\nduplicates = "keep"\n\n[memory]\nmin_rule_share = 0.5',
    )
    workspace, made, _ = refresh_directly(folder / "phrasenet.toml")
    return load_settings(folder / "phrasenet.toml"), workspace, made


def training(workspace: Workspace, made: Any) -> Iterator[tuple[Row, LinkedPair]]:
    for pairs, links in zip(made.pairs, made.links, strict=True):
        yield from zip(
            workspace.read_rows(pairs), read_linked(workspace, pairs, links), strict=True
        )


def recounted(
    book: Phrasebook, place: int, rest: list[tuple[Row, LinkedPair]], settings: Settings
) -> Evidence:
    """Count the evidence for a phrase in the sentences that are left."""
    source, target = book.phrases[place]["source"], book.phrases[place]["target"]
    linked = [pair for _, pair in rest]
    counts = count_phrases(linked, settings.extraction, max_words=settings.memory.max_words)
    extracted = counts.pairs[source, target], counts.sources[source], counts.targets[target]
    pairs = [
        (
            document_key(row["corpus"], row["document"], row["pair_id"]),
            row["source_words"],
            row["target_words"],
        )
        for row, _ in rest
    ]
    return Evidence(PairCounts(*extracted), uses_plainly(pairs, (source, target)))


def test_a_phrase_is_offered_if_it_holds_without_the_sentence_and_its_copies(
    refreshed: tuple[Settings, Workspace, Any],
) -> None:
    settings, workspace, made = refreshed
    config = settings.memory
    book = Phrasebook.of(workspace, made.snapshot.tables, config)
    everything = list(training(workspace, made))
    tagged = {}
    for shard in zip(made.pairs, made.links, strict=True):
        ref = tag_training.function(
            workspace,
            shard=shard,
            all_pairs=made.pairs,
            memory=made.snapshot.tables,
            config=config,
            extraction=settings.extraction,
        )
        tagged.update({row["sentence_id"]: row for row in workspace.read_rows(ref)})
    withheld = rules_withheld = num_found = 0
    for row, _ in everything:
        rest = [item for item in everything if not is_copy(item[0], row)]
        found = book.matcher.find(row["source_words"])
        num_found += len(found)
        left = {match.phrase: recounted(book, match.phrase, rest, settings) for match in found}
        kept = [
            match
            for match in found
            if is_offered(book.phrases[match.phrase]["origin"], left[match.phrase], config)
        ]
        withheld += len(found) - len(kept)
        rules = [
            rule
            for rule, key in book.rule_matches(row)
            if not is_rule_contradicted(rule_uses_plainly(rest, key), config)
        ]
        rules_withheld += len(list(book.rule_matches(row))) - len(rules)
        offers = [*map(rule_candidate, rules), *map(book.candidate, kept)]
        assert tagged[row["pair_id"]] == tagged_row(row, offers, config)
    assert 0 < withheld < num_found
    assert rules_withheld > 0


def rule_uses_plainly(rest: list[tuple[Row, LinkedPair]], key: RuleKey) -> Uses:
    """Count what the rules saw of one shape in the sentences that are left."""
    by_document: dict[DocumentKey, list[tuple[int, int]]] = {}
    for row, _ in rest:
        place = document_key(row["corpus"], row["document"], row["pair_id"])
        text = f" {' '.join(row['target_words'])} "
        for rule, its_key in keyed_rules(row["rules"]):
            if its_key == key:
                found = f" {rule['target']} " in text
                by_document.setdefault(place, []).append((found, 1))
    sums = [tuple(map(sum, zip(*held, strict=True))) for held in by_document.values()]
    return Uses(
        sum(found for found, _ in sums),
        sum(number for _, number in sums),
        sum(found > number / 2 for found, number in sums),
        len(sums),
    )


def is_copy(row: Row, other: Row) -> bool:
    return (row["source"], row["target"]) == (other["source"], other["target"])


def test_documents_are_read_one_after_the_other(
    refreshed: tuple[Settings, Workspace, Any],
) -> None:
    _, workspace, made = refreshed
    for ref in made.pairs:
        keys = [document for document, _, _ in ruled_pairs(workspace, ref)]
        changes = sum(one != other for one, other in zip(keys, keys[1:], strict=False))
        assert changes + 1 == len(set(keys))
