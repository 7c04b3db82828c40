"""What is decided part by part is what one process decides that sees everything."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from storage.datasets import ArtifactRef
from storage.phrase_keys import phrase_key
from storage.workspace import Workspace, open_workspace
from tasks.collect import (
    CollectConfig,
    collect,
    count_corpus,
    keep_reliable,
    listed_phrases,
    settle_part,
)
from tasks.mining.config import MemoryConfig
from tasks.mining.key_parts import MOST_PARTS, Part, parts_of
from tasks.mining.part_of_speech import Tagger
from tasks.mining.term_config import TermConfig
from tasks.mining.term_facts import gather
from tasks.rules.style import RuleStyle
from tasks.terms import MIN_COUNT, TermSettings, judge_terms, merge_terms, total_terms
from tests.reference.mining_collect import collected_plainly
from tests.reference.mining_terms import judge_plainly

T = TypeVar("T")

SOURCES = ["甲", "甲乙", "丙", "法院", "a b", "𠮷"]
TARGETS = ["a", "a b", "ab", "court", "Court"]
WORDS = ["甲", "乙", "法院", "法", "院", "中国"]
MEMORY = MemoryConfig(min_count=1, min_reliability=0.5, min_extracted=0.1, min_reverse=0.1)
PHRASES = st.tuples(st.sampled_from(SOURCES), st.sampled_from(TARGETS))
COUNTS = st.tuples(*[st.integers(0, 4)] * 2, *[st.integers(0, 2)] * 2)


def in_workspace(check: Callable[[Workspace], T]) -> T:
    with tempfile.TemporaryDirectory() as folder:
        return check(open_workspace(Path(folder) / "workspace"))


def uses(counts: tuple[int, ...]) -> dict[str, int]:
    found, more, right, other = counts
    return {
        "found": found,
        "occurrences": found + more + 1,
        "found_documents": right,
        "documents": right + other + 1,
    }


USES = st.dictionaries(PHRASES, COUNTS.map(uses), max_size=8)
ENTRIES = st.lists(
    st.tuples(
        PHRASES, st.sampled_from(["term", "person"]), st.sampled_from(["trusted", "untrusted"])
    )
)


@st.composite
def memories(draw: Any) -> dict[str, Any]:
    """Draw counts of two corpora with two shards each, and a dictionary."""
    likely = draw(st.lists(PHRASES, unique=True, max_size=12))
    number = st.integers(1, 9)
    names = ("pair_count", "source_count", "target_count")
    return {
        "candidates": sorted(
            (
                {
                    "source": source,
                    "target": target,
                    "source_key": phrase_key(source),
                    "target_key": phrase_key(target),
                    **{name: draw(number) for name in names},
                    "reliability": 0.5,
                    "reverse": 0.5,
                }
                for source, target in likely
            ),
            key=lambda row: (row["source"], row["target"]),
        ),
        "fragments": draw(st.sets(st.sampled_from(TARGETS))),
        "uses": [draw(USES) for _ in range(4)],
        "pairs": [draw(st.dictionaries(PHRASES, number)) for _ in range(4)],
        "entries": draw(ENTRIES),
        "listed": draw(USES),
    }


def use_rows(known: Mapping[tuple[str, str], dict[str, int]]) -> list[dict[str, Any]]:
    return [{"source": key[0], "target": key[1], **row} for key, row in sorted(known.items())]


def pair_rows(known: Mapping[tuple[str, str], int]) -> list[dict[str, Any]]:
    return [
        {"source_key": phrase_key(source), "target_key": phrase_key(target), "count": count}
        for (source, target), count in known.items()
    ]


@settings(max_examples=8)
@given(memories(), st.integers(1, 4))
def test_a_memory_in_parts_is_the_memory_of_one_process(drawn: dict[str, Any], number: int) -> None:
    terms = [
        {
            "source": row["source"],
            "target": row["target"],
            "category": "term",
            "methods": ["alignment"],
            "fragment": "edge" if row["target"] in drawn["fragments"] else "",
            "words": row["source"],
            **dict.fromkeys(("c_value", "nc_value", "keyness", "left_entropy", "right_entropy"), 0),
        }
        for row in drawn["candidates"]
    ]
    entries = [
        {
            "dictionary": name,
            "line": line,
            "part": 0,
            "source": phrase[0],
            "target": phrase[1],
            "category": category,
            "licence": "CC0-1.0",
        }
        for line, (phrase, category, name) in enumerate(drawn["entries"])
    ]
    wanted = collected_plainly(
        drawn["candidates"],
        terms,
        {
            name: (
                [row for shard in shards for row in pair_rows(drawn["pairs"][shard])],
                [row for shard in shards for row in use_rows(drawn["uses"][shard])],
            )
            for name, shards in (("laws", (0, 1)), ("news", (2, 3)))
        },
        (entries, use_rows(drawn["listed"])),
        MEMORY,
    )

    def check(workspace: Workspace) -> None:
        candidates = workspace.write_rows("candidates", drawn["candidates"])
        shards = [
            (
                workspace.write_rows("pair_counts", pair_rows(pairs)),
                workspace.write_rows("use_counts", use_rows(used)),
            )
            for pairs, used in zip(drawn["pairs"], drawn["uses"], strict=True)
        ]
        counts = {
            name: count_corpus.function(
                workspace,
                candidates=candidates,
                pair_counts=tuple(pairs for pairs, _ in own),
                use_counts=tuple(used for _, used in own),
            )
            for name, own in (("laws", shards[:2]), ("news", shards[2:]))
        }
        reliable = keep_reliable.function(
            workspace, candidates=candidates, use_counts=tuple(counts.values()), config=MEMORY
        )
        refs = (workspace.write_rows("entries", entries),)
        _, listings = listed_phrases.function(workspace, entries=refs, lowercase=True)
        config = CollectConfig(
            memory=MEMORY,
            lowercase=True,
            fragments="drop",
            licences={name: name.upper() for name in counts},
            untrusted=("untrusted",),
        )
        settled = [
            settle_part.function(
                workspace,
                likely={
                    "reliable": reliable,
                    "terms": workspace.write_rows("terms", terms),
                },
                counts=counts,
                claimed={
                    "listings": (listings,),
                    "use_counts": (workspace.write_rows("use_counts", use_rows(drawn["listed"])),),
                    "decisions": (),
                },
                part=Part(place, number),
                config=config,
            )
            for place in range(number)
        ]
        made = collect.function(
            workspace,
            phrases=tuple(one[0] for one in settled),
            evidence=tuple(one[1] for one in settled),
            candidates=candidates,
            counts=counts,
            config=MEMORY,
        )
        assert made == (
            workspace.write_rows("phrases", wanted[0]),
            workspace.write_rows("evidence", wanted[1]),
        )

    in_workspace(check)


SEQUENCES = st.dictionaries(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple),
    st.integers(1, 20),
    max_size=12,
)
FACTS = st.dictionaries(
    st.sampled_from(["left", "right", "before", "after"]),
    st.dictionaries(st.sampled_from([*WORDS, "", "of"]), st.integers(1, 9), min_size=1, max_size=3),
)


@settings(max_examples=8)
@given(SEQUENCES, st.data(), st.integers(1, 4))
def test_terms_judged_in_parts_are_those_of_one_process(
    frequencies: dict[tuple[str, ...], int], data: st.DataObject, number: int
) -> None:
    cuts = data.draw(
        st.dictionaries(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple),
            st.tuples(st.integers(1, 9), FACTS),
            max_size=8,
        )
    )
    contexts: dict[tuple[str, str, str], int] = {}
    for words, (count, facts) in cuts.items():
        source = "".join(words)
        contexts[source, "words", " ".join(words)] = count
        for fact, values in facts.items():
            for value, times in values.items():
                contexts[source, fact, value] = times
    rows = [
        {"source": source, "fact": fact, "value": value, "count": count}
        for (source, fact, value), count in sorted(contexts.items())
    ]
    facts_known = gather(rows)
    frequent = {words: 2 * count for words, count in frequencies.items() if 2 * count >= MIN_COUNT}
    tagger, config = Tagger(), TermConfig(min_entropy=0.0)
    judge = judge_plainly(config, tagger, frequent, facts_known)

    def check(workspace: Workspace) -> None:
        made = judged_in_parts(workspace, frequencies, rows, config, number)
        for row in workspace.read_rows(made):
            verdict = judge.judge(facts_known[row["source"]], row["target"])
            assert row["methods"] == list(verdict.methods)
            assert row["fragment"] == verdict.reason
            assert row["c_value"] == round(1000 * verdict.c_value)
            assert row["nc_value"] == round(1000 * verdict.nc_value)
            assert row["keyness"] == round(1000 * verdict.keyness)
        assert made.rows == 2 * len(facts_known)

    in_workspace(check)


def judged_in_parts(
    workspace: Workspace,
    frequencies: dict[tuple[str, ...], int],
    rows: list[dict[str, Any]],
    config: TermConfig,
    number: int,
) -> ArtifactRef:
    """Judge two targets of each source, from two shards that counted the same."""
    sources = sorted({row["source"] for row in rows})
    candidates = workspace.write_rows(
        "candidates",
        [
            {
                "source": source,
                "target": target,
                "source_key": phrase_key(source),
                "target_key": phrase_key(target),
                **dict.fromkeys(("pair_count", "source_count", "target_count"), 1),
                **dict.fromkeys(("reliability", "reverse"), 1.0),
            }
            for source in sources
            for target in ("the court", "of")
        ],
    )
    counted = workspace.write_rows(
        "sequence_counts",
        [{"words": " ".join(words), "count": count} for words, count in frequencies.items()],
    )
    contexts = (workspace.write_rows("term_contexts", rows),)
    totals = total_terms.function(
        workspace, sequence_counts=(counted, counted), term_contexts=contexts, max_words=3
    )
    listings = workspace.write_rows("listings", [])
    parts = [
        judge_terms.function(
            workspace,
            phrases={"candidates": candidates, "listings": listings},
            totals=totals,
            term_contexts=contexts,
            part=Part(place, number),
            config=TermSettings(config, RuleStyle(), 3),
        )
        for place in range(number)
    ]
    return merge_terms.function(workspace, terms=tuple(parts))


@given(st.integers(1, 500), st.integers(1, 1000))
def test_parts_cover_every_row_once(shards: int, rows: int) -> None:
    parts = parts_of(shards)
    assert len(parts) == min(shards, MOST_PARTS)
    borders = [part.borders(rows) for part in parts]
    assert borders[0][0] is None
    assert borders[-1][1] is None
    assert all(before[1] == after[0] for before, after in zip(borders, borders[1:], strict=False))
