"""Chains as text, JSON and Mermaid."""

import re

from hypothesis import given
from hypothesis import strategies as st

from tasks.lineage.tree import Branch, as_json, mermaid_lines, text_lines


def chain() -> Branch:
    shared = Branch("pairs/1", "artifact", "pairs", "2026-03-01T10:00:00.123+00:00")
    again = Branch("pairs/1", "artifact", "pairs", seen_above=True)
    first = Branch("run/a", "run", 'say "a"', branches=[shared])
    second = Branch("run/b", "run", "b", branches=[again], cut_off=True)
    return Branch("model/9", "artifact", "model", branches=[first, second])


def test_text_is_indented_and_says_what_is_not_spelled_out() -> None:
    assert list(text_lines(chain())) == [
        "model  [model/9]",
        '  say "a"  [run/a]',
        "    pairs, 2026-03-01T10:00:00Z  [pairs/1]",
        "  b, and more behind it  [run/b]",
        "    pairs, as above  [pairs/1]",
    ]


def test_json_is_nested() -> None:
    value = as_json(chain())
    assert value["branches"][0]["branches"][0]["id"] == "pairs/1"
    assert value["branches"][1]["cut_off"] is True
    assert value["branches"][1]["branches"][0]["seen_above"] is True
    assert "seen_above" not in value


def test_a_drawing_has_each_thing_once_and_arrows_from_what_was_first() -> None:
    lines = list(mermaid_lines(chain(), upwards=True))
    assert lines[0] == "flowchart LR"
    assert lines[2] == '  n1("say #34;a#34;")'
    assert lines[-4:] == ["  n1 --> n0", "  n3 --> n0", "  n2 --> n1", "  n2 --> n3"]
    assert "  n0 --> n1" in list(mermaid_lines(chain(), upwards=False))


@given(st.text())
def test_no_title_ends_its_node(title: str) -> None:
    (_, line) = mermaid_lines(Branch("x", "run", title), upwards=True)
    inside = line.removeprefix('  n0("').removesuffix('")')
    assert '"' not in inside
    assert re.sub(r"#(\d+);", lambda found: chr(int(found.group(1))), inside) == title
