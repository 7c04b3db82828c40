"""What a refresh must hold: what the counts say against the limits, on cases done by hand."""

import pytest

from flows.config_tables import config_from
from storage.datasets import ArtifactRef
from storage.errors import ConfigError
from storage.memory import Snapshot
from storage.workspace import Workspace
from tasks.check import (
    ChecksFailed,
    check,
    drift_of,
    measures_of,
    memory_change,
    must_pass,
    must_resemble,
)
from tasks.checks.config import CheckConfig
from tasks.checks.verdicts import Breach, Measure, MemoryChange, breaches, changes, drift

CONFIG = CheckConfig(compare_from=10)


def names(found: "list[Breach]") -> list[tuple[str, str]]:
    return [(breach.check, breach.subject) for breach in found]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (Measure("rows", "laws", 1, 1), []),
        (Measure("rows", "laws", 0, 0), [("min_rows", "laws")]),
        (Measure("dropped", "laws", 95, 100), []),
        (Measure("dropped", "laws", 96, 100), [("max_dropped", "laws")]),
        (Measure("empty", "pairs", 0, 100), []),
        (Measure("empty", "pairs", 1, 100), [("empty", "pairs (rows without text or words)")]),
        (Measure("something new", "pairs", 1, 100), []),
    ],
)
def test_limits_hold_to_the_last_unit(measure: Measure, expected: list[tuple[str, str]]) -> None:
    assert names(list(breaches([measure], CheckConfig()))) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (Measure("rows", "laws", 10, 10), Measure("rows", "laws", 5, 5), []),
        (
            Measure("rows", "laws", 10, 10),
            Measure("rows", "laws", 4, 4),
            [("max_rows_lost", "laws")],
        ),
        # So few rows that a share says nothing; a corpus that is new; one that grew.
        (Measure("rows", "laws", 9, 9), Measure("rows", "laws", 1, 1), []),
        (Measure("rows", "news", 10, 10), Measure("rows", "laws", 1, 1), []),
        (Measure("rows", "laws", 10, 10), Measure("rows", "laws", 900, 900), []),
        (Measure("dropped", "laws", 1, 10), Measure("dropped", "laws", 3, 10), []),
        (
            Measure("dropped", "laws", 1, 10),
            Measure("dropped", "laws", 4, 10),
            [("max_dropped_more", "laws")],
        ),
        (Measure("dropped", "laws", 10, 10), Measure("dropped", "laws", 0, 10), []),
    ],
)
def test_a_refresh_is_held_against_the_last_one(
    before: Measure, after: Measure, expected: list[tuple[str, str]]
) -> None:
    assert names(list(changes([before], [after], CONFIG))) == expected


def test_a_memory_may_differ_up_to_the_limit() -> None:
    assert list(drift(MemoryChange(5, 10, 10, 8), CONFIG)) == []
    assert names(list(drift(MemoryChange(6, 10, 10, 8), CONFIG))) == [
        ("max_memory_change", "the phrase memory")
    ]
    assert list(drift(MemoryChange(10, 10, 9, 8), CONFIG)) == []


def test_a_message_names_check_value_limit_and_what_to_do() -> None:
    [breach] = drift(MemoryChange(6, 10, 10, 8), CONFIG)
    assert str(breach).startswith(
        "check max_memory_change of the phrase memory is 0.6, and [checks] allows 0.5: of 10 "
        "phrases in use before or after, 0 are new, 2 gone and 4 translated in another way. Compare"
    )
    assert "--accept-change" in str(breach)


@pytest.mark.parametrize(
    ("name", "before", "after", "fact"),
    [
        (
            "rows",
            (1200, 1200),
            (900, 900),
            "check max_rows_lost of laws is 0.25, and [checks] allows 0.5: 1,200 rows before, 900 "
            "now.",
        ),
        (
            "dropped",
            (100, 1000),
            (300, 1200),
            "check max_dropped_more of laws is 0.15, and [checks] allows 0.2: 100 of 1,000 rows "
            "were set aside before, 300 of 1,200 rows now.",
        ),
    ],
)
def test_a_change_within_its_limit_is_told_with_its_numbers(
    name: str, before: tuple[int, int], after: tuple[int, int], fact: str
) -> None:
    old, new = Measure(name, "laws", *before), Measure(name, "laws", *after)
    assert list(changes([old], [new], CONFIG)) == []
    [told] = changes([old], [new], CONFIG, share=0.49)
    assert told.fact == fact


def test_the_share_of_a_limit_from_which_on_a_change_is_told_is_not_part_of_it() -> None:
    change = MemoryChange(5, 20, 20, 15)
    assert list(drift(change, CONFIG, share=0.5)) == []
    assert names(list(drift(change, CONFIG, share=0.49))) == [
        ("max_memory_change", "the phrase memory")
    ]
    assert list(drift(MemoryChange(0, 20, 20, 20), CONFIG, share=0.0)) == [], "nothing changed"


@pytest.mark.parametrize("value", [-0.1, 1.1])
@pytest.mark.parametrize("name", ["max_dropped", "tell_from"])
def test_a_share_is_between_nothing_and_all(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"{name} is .*must be between 0 and 1"):
        config_from(CheckConfig, {name: value}, "x.toml: [checks]")


def raw_row(number: int) -> dict[str, object]:
    return {
        "pair_id": f"{number}",
        "corpus": "laws",
        "document": "d",
        "position": number,
        "file": "f",
        "line": number,
        "source": "猫",
        "target": "cat",
        "licence": "l",
    }


def pair_row(number: int, **change: object) -> dict[str, object]:
    kept = ("pair_id", "corpus", "document", "position", "source", "target")
    row = {name: raw_row(number)[name] for name in kept}
    words = {"source_words": ["猫"], "target_words": ["cat"], "rules": []}
    return {**row, **words, "script": "both", "converter": "", **change}


def phrase_row(identity: str, **change: object) -> dict[str, object]:
    texts = {
        "source": identity,
        "target": "cat",
        "category": "term",
        "origin": "mined",
        "provider": "laws",
        "state": "active",
        "note": "",
    }
    counts = dict.fromkeys(
        (
            "pair_count",
            "source_count",
            "target_count",
            "found",
            "occurrences",
            "found_documents",
            "documents",
            "evidence_count",
        ),
        2,
    )
    return {"phrase_id": identity, **texts, **counts, "reliability": 0.9, **change}


def evidence_row(identity: str, **change: object) -> dict[str, object]:
    texts = dict.fromkeys(("category", "licence", "author", "decided", "reason"), "")
    counts = dict.fromkeys(("pair_count", "found", "occurrences", "found_documents", "documents"))
    rest = {"origin": "mined", "provider": "laws", "methods": [], "line": 0, "part": 0}
    return {"phrase_id": identity, **texts, **counts, **rest, "rejects": False, **change}


def counted(
    workspace: Workspace,
    *,
    pairs: list[dict[str, object]] | None = None,
    links: list[dict[str, object]] | None = None,
    phrases: list[dict[str, object]] | None = None,
    evidence: list[dict[str, object]] | None = None,
) -> ArtifactRef:
    """Count a refresh of three raw pairs of which two are fit."""
    straight = {"source_index": [0], "target_index": [0]}
    if links is None:
        links = [{"pair_id": f"{number}", **straight} for number in (1, 2)]
    rows = [pair_row(1), pair_row(2)] if pairs is None else pairs
    return check.function(
        workspace,
        raw=(workspace.write_rows("raw_pairs", map(raw_row, (1, 2, 3))),),
        pairs=(workspace.write_rows("pairs", rows),),
        links=(workspace.write_rows("links", links),),
        phrases=workspace.write_rows("phrases", phrases or [phrase_row("猫")]),
        evidence=workspace.write_rows("evidence", evidence or [evidence_row("猫")]),
    )


def found(workspace: Workspace, table: ArtifactRef) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (item.name, item.subject): (item.part, item.whole) for item in measures_of(workspace, table)
    }


def test_what_is_whole_passes(workspace: Workspace) -> None:
    table = counted(workspace)
    assert found(workspace, table) == {
        ("rows", "laws"): (3, 3),
        ("dropped", "laws"): (1, 3),
        ("empty", "pairs"): (0, 2),
        ("empty", "phrases"): (0, 1),
        ("range", "links"): (0, 2),
        ("range", "phrases"): (0, 1),
        ("several", "phrases"): (0, 1),
        ("unfounded", "phrases"): (0, 1),
        ("unlinked", "links"): (0, 2),
    }
    must_pass(workspace, table, CheckConfig())


def test_no_fit_pair_at_all_is_counted(workspace: Workspace) -> None:
    table = counted(workspace, pairs=[], links=[])
    assert found(workspace, table)["dropped", "laws"] == (3, 3)
    with pytest.raises(ChecksFailed, match="max_dropped of laws is 1, and .* allows 0.95"):
        must_pass(workspace, table, CheckConfig())


@pytest.mark.parametrize(
    ("check_name", "subject", "tables"),
    [
        ("empty", "pairs", {"pairs": [pair_row(1, target=" "), pair_row(2)]}),
        ("empty", "pairs", {"pairs": [pair_row(1, source_words=[]), pair_row(2)]}),
        ("empty", "phrases", {"phrases": [phrase_row("猫", target="")]}),
        (
            "unlinked",
            "links",
            {"links": [{"pair_id": "1", "source_index": [], "target_index": []}]},
        ),
        (
            "range",
            "links",
            {
                "links": [
                    {"pair_id": "1", "source_index": [1], "target_index": [0]},
                    {"pair_id": "2", "source_index": [], "target_index": []},
                ]
            },
        ),
        ("range", "phrases", {"phrases": [phrase_row("猫", reliability=1.5)]}),
        ("range", "phrases", {"phrases": [phrase_row("猫", reliability=None)]}),
        ("range", "phrases", {"phrases": [phrase_row("猫", found=3)]}),
        ("range", "phrases", {"phrases": [phrase_row("猫", pair_count=3)]}),
        ("unfounded", "phrases", {"evidence": [evidence_row("狗")]}),
        ("unfounded", "phrases", {"evidence": [evidence_row("猫", rejects=True)]}),
        (
            "several",
            "phrases",
            {
                "phrases": [phrase_row("a", source="猫"), phrase_row("b", source="猫")],
                "evidence": [evidence_row("a"), evidence_row("b")],
            },
        ),
    ],
)
def test_what_is_broken_is_counted_and_refused(
    workspace: Workspace, check_name: str, subject: str, tables: dict[str, list[dict[str, object]]]
) -> None:
    table = counted(workspace, **tables)
    assert found(workspace, table)[check_name, subject][0] == 1
    with pytest.raises(ChecksFailed, match=f"check {check_name} of {subject}"):
        must_pass(workspace, table, CheckConfig())


def test_drift_counts_what_is_new_gone_or_translated_in_another_way(workspace: Workspace) -> None:
    def snapshot(**targets: str) -> Snapshot:
        rows = [phrase_row(name, source=name, target=text) for name, text in targets.items()]
        rows.append(phrase_row("asleep", state="conflict"))
        evidence = workspace.write_rows("evidence", map(evidence_row, targets))
        return Snapshot(workspace.write_rows("phrases", rows), evidence)

    before = snapshot(same="1", gone="2", other="3")
    after = snapshot(same="1", new="2", other="4")
    assert memory_change(workspace, before, after) == MemoryChange(3, 4, 3, 3)
    table = counted(workspace)

    def drifted(head: Snapshot | None, **limits: float) -> list[Breach]:
        config = config_from(CheckConfig, limits, "x.toml: [checks]")
        return drift_of(workspace, table, head, after, config)

    with pytest.raises(ChecksFailed, match="max_memory_change of the phrase memory is 0.75"):
        must_resemble(drifted(before, compare_from=3))
    assert drifted(before, compare_from=4) == []
    assert drifted(None, compare_from=0) == []
    allowed = {"compare_from": 3, "max_memory_change": 1.0}
    [told] = drifted(before, **allowed)
    assert "1 are new, 1 gone and 1 translated in another way" in told.fact
    must_resemble([told])
    assert drifted(before, **allowed, tell_from=0.75) == []
