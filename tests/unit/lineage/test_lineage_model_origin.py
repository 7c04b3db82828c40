"""How the origin of a model reads."""

from typing import Any

from tasks.lineage.model_origin import origin_lines

SOURCE: dict[str, Any] = {
    "kind": "corpus", "name": "laws", "licence": "CC-BY-4.0", "url": "https://laws.example",
    "attribution": "the ministry", "files": ("ab12", "cd34"), "rows": 1200, "record": 3,
    "time": "2026-01-02T03:04:05.678+00:00",
}  # fmt: skip
TRAINING: dict[str, Any] = {
    "started": "2026-01-02T04:00:00+00:00", "seconds": 61.25, "flow_run": "run-1", "code": "c0de",
    "versions": {"torch": "2"},
    "settings": {"configs": [{"hidden": 32}, {"track": []}], "recipe": {"style": {"up": 10}}},
}  # fmt: skip
FOUND: dict[str, Any] = {
    "training": TRAINING,
    "record": 9,
    "functions": 500,
    "snapshot": {"id": "5a", "published": "2026-01-02T03:30:00+00:00"},
    "sources": [SOURCE, SOURCE | {"kind": "testset", "name": "test", "licence": "", "url": ""}],
}


def test_each_source_code_and_setting_has_its_line() -> None:
    assert list(origin_lines(FOUND)) == [
        "  training begun 2026-01-02T04:00:00Z, took 61.2 s, in flow run run-1 (record 9)",
        "  memory snapshot 5a, published 2026-01-02T03:30:00Z",
        "  corpus laws: CC-BY-4.0, 1,200 rows, read 2026-01-02T03:04:05Z (record 3)",
        "    https://laws.example",
        "    the ministry",
        "    file ab12",
        "    file cd34",
        "  test set test: kept out of the training text, 1,200 rows, read 2026-01-02T03:04:05Z "
        "(record 3)",
        "    the ministry",
        "    file ab12",
        "    file cd34",
        "  code c0de, 500 functions",
        "  libraries: torch 2",
        "  settings of recipe: style.up 10",
        "  settings of model: hidden 32",
        "  settings of training: track none",
    ]


def test_what_is_not_known_is_said() -> None:
    unknown: dict[str, Any] = {"training": None, "record": None, "functions": 0, "sources": []}
    assert list(origin_lines(unknown | {"snapshot": {"id": "5a", "published": ""}})) == [
        "  the ledger has no record of its training",
        "  memory snapshot 5a, never published",
    ]


def test_long_lists_break_between_their_items() -> None:
    many = TRAINING | {"settings": {"recipe": {f"name-{n}": f"value {n}" for n in range(40)}}}
    lines = list(origin_lines(FOUND | {"training": many, "sources": []}))
    assert all(len(line) <= 100 for line in lines)
    items = " ".join(line.strip() for line in lines).partition("settings of recipe: ")[2]
    assert items.split(", ") == [f"name-{n} value {n}" for n in range(40)]
    assert all(line.endswith((",", " value 39")) for line in lines[4:])
