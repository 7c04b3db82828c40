"""Glossaries of other tools: what they hold, and that strange texts do not break them."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tasks.exchange.entries import Aligned, GlossaryEntry
from tasks.exchange.structured import json_lines, tbx_lines
from tasks.exchange.tables import moses_lines, pair_lines, tsv_lines

MINED = GlossaryEntry(
    phrase_id="a" * 24,
    source="中央银行",
    source_words=("中央", "银行"),
    target="central bank",
    category="organization",
    origin="mined",
    reliability=0.75,
    pair_count=6,
    source_count=8,
    target_count=12,
    note="",
)
LISTED = replace(
    MINED,
    phrase_id="b" * 24,
    source="药",
    source_words=("药",),
    target="drugs | medicine",
    origin="dictionary",
    reliability=1.0,
    pair_count=0,
    source_count=0,
    target_count=0,
    note="see\tnote",
)
NAMES = {
    "tbx": "urn:iso:std:iso:30042:ed-2",
    "min": "http://www.tbxinfo.net/ns/min",
    "xml": "http://www.w3.org/XML/1998/namespace",
}


def test_tsv_has_a_header_and_no_stray_tab() -> None:
    assert list(tsv_lines([MINED, LISTED])) == [
        "source\ttarget\tcategory\torigin\treliability\tnote",
        "中央银行\tcentral bank\torganization\tmined\t0.750000\t",
        "药\tdrugs | medicine\torganization\tdictionary\t1.000000\tsee note",
    ]


def test_pairs_are_two_columns() -> None:
    assert list(pair_lines([MINED])) == ["中央银行\tcentral bank"]


def test_a_phrase_table_has_words_scores_and_counts() -> None:
    assert list(moses_lines([LISTED, MINED])) == [
        "中央 银行 ||| central bank ||| 0.5 1 0.75 1 |||  ||| 12 8 6",
        "药 ||| drugs &#124; medicine ||| 1 1 1 1 |||  ||| 1 1 1",
    ]


def test_a_phrase_table_has_the_lexical_weights_of_what_was_linked() -> None:
    aligned = Aligned(("中", "央", "银行"), ("central", "bank"), ((0, 0), (2, 1)), 0.25, 0.125)
    [line] = moses_lines([replace(MINED, aligned=aligned)])
    assert line == "中 央 银行 ||| central bank ||| 0.5 0.125 0.75 0.25 ||| 0-0 2-1 ||| 12 8 6"


def test_json_is_one_document() -> None:
    for entries in ([], [MINED], [MINED, LISTED]):
        value = json.loads("\n".join(json_lines(entries, name='memory "1"')))
        assert value["name"] == 'memory "1"'
        assert [item["source"] for item in value["entries"]] == [e.source for e in entries]


def test_tbx_is_a_concept_with_both_languages() -> None:
    root = etree.fromstring("\n".join(tbx_lines([MINED, LISTED], name="m & n")).encode())
    assert root.get(f"{{{NAMES['xml']}}}lang") == "zh"
    concepts = root.findall(".//tbx:conceptEntry", NAMES)
    assert [concept.get("id") for concept in concepts] == ["c" + "a" * 24, "c" + "b" * 24]
    languages = concepts[0].findall("tbx:langSec", NAMES)
    assert [item.get(f"{{{NAMES['xml']}}}lang") for item in languages] == ["zh", "en"]
    assert [item.findtext(".//tbx:term", None, NAMES) for item in languages] == [
        "中央银行",
        "central bank",
    ]
    assert concepts[0].findtext("min:subjectField", None, NAMES) == "organization"
    assert concepts[1].findtext("tbx:note", None, NAMES) == "see\tnote"


TEXT = st.text(max_size=12)


@given(TEXT, TEXT, TEXT)
def test_any_text_is_written_well_formed(source: str, target: str, note: str) -> None:
    entry = replace(
        MINED, source=source, source_words=tuple(source.split()), target=target, note=note
    )
    root = etree.fromstring("\n".join(tbx_lines([entry], name=note)).encode())
    terms = [term.text or "" for term in root.iterfind(".//tbx:term", NAMES)]
    assert len(terms) == 2
    [read] = json.loads("\n".join(json_lines([entry], name=note)))["entries"]
    assert (read["source"], read["target"], read["note"]) == (source, target, note)
    assert all(line.count("\t") == 5 for line in tsv_lines([entry]))
    [line] = moses_lines([entry])
    assert len(line.split("|||")) == 5
