"""Termbases: both versions and styles, statuses, language variants, and XML that is refused."""

from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.readers.entries import Found, FoundEntry
from tasks.readers.tbx import read_tbx

V2 = """<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
<termEntry id="c1"><descripGrp><descrip type="subjectField">law</descrip></descripGrp>
 <langSet xml:lang="en-GB"><tig><term>Harbour <hi>Fund</hi></term>
  <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig>
  <tig><term>port fund</term></tig></langSet>
 <langSet xml:lang="de"><tig><term>Hafenfonds</term></tig></langSet>
 <langSet xml:lang="zh-CN"><tig><term>海港基金</term></tig>
  <ntig><termGrp><term>港口钱</term>
   <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></termGrp></ntig>
 </langSet>
 <langSet xml:lang="zh-TW"><tig><term>海港基金會</term></tig></langSet>
</termEntry>
<termEntry id="c2"><langSet xml:lang="en"><tig><term>anchor</term></tig></langSet>
 <langSet xml:lang="de"><tig><term>Anker</term></tig></langSet></termEntry>
<termEntry id="c3"><langSet xml:lang="en"><tig><term>rope</term></tig><tig><term>cord</term></tig>
 </langSet><langSet xml:lang="zh"><tig><term>绳索</term></tig></langSet></termEntry>
</body></text></martif>"""

V3 = """<tbx style="{style}" type="TBX-Basic" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
 xmlns:min="http://www.tbxinfo.net/ns/min"><text><body>
<conceptEntry id="c1"><langSec xml:lang="en">
 <termSec><term>lighthouse</term></termSec>
 <termSec><term>light house</term>{status}</termSec></langSec>
 <langSec xml:lang="zh-Hans"><termSec><term>灯塔</term></termSec></langSec>
</conceptEntry></body></text></tbx>"""
DCA = '<termNote type="administrativeStatus">supersededTerm-admn-sts</termNote>'
DCT = "<min:administrativeStatus>deprecatedTerm-admn-sts</min:administrativeStatus>"


def read(
    folder: Path, content: str, *languages: str, subjects: tuple[str, ...] = ()
) -> list[Found]:
    path = folder / "terms.tbx"
    path.write_text(content, encoding="utf-8")
    wanted = (languages[0], languages[1]) if languages else ("zh-CN", "en")
    return list(read_tbx(path, languages=wanted, subjects=subjects))


def entries(found: list[Found]) -> list[tuple[str, str]]:
    return [(item.source, item.target) for item in found if isinstance(item, FoundEntry)]


def test_the_preferred_term_translates_every_term_that_is_not_deprecated(tmp_path: Path) -> None:
    found = read(tmp_path, V2)
    assert entries(found) == [("海港基金", "Harbour Fund")]
    rest = [(item.line, item.reason) for item in found if not isinstance(item, FoundEntry)]
    assert rest == [(4, "deprecated"), (15, "no_source_language"), (17, "no_one_target")]


def test_a_variant_of_chinese_is_chosen_by_its_tag(tmp_path: Path) -> None:
    assert entries(read(tmp_path, V2, "zh-TW", "en")) == [("海港基金會", "Harbour Fund")]
    both = [("海港基金", "Harbour Fund"), ("海港基金會", "Harbour Fund")]
    assert entries(read(tmp_path, V2, "zh", "en")) == both


def test_other_subjects_are_set_aside(tmp_path: Path) -> None:
    assert len(entries(read(tmp_path, V2, subjects=("law",)))) == 1
    assert entries(read(tmp_path, V2, subjects=("sailing",))) == []


@pytest.mark.parametrize(("style", "status"), [("dca", DCA), ("dct", DCT)])
def test_version_3_is_read_in_both_styles(tmp_path: Path, style: str, status: str) -> None:
    found = read(tmp_path, V3.format(style=style, status=status))
    assert entries(found) == [("灯塔", "lighthouse")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '<!DOCTYPE martif [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><martif>&c;</martif>',
            "declares the entity",
        ),
        (
            '<!DOCTYPE martif [<!ENTITY x SYSTEM "file:///etc/hostname">]><martif>&x;</martif>',
            "declares the entity 'x'",
        ),
        ("<martif><text>", "not well-formed"),
        ("<html/>", "expected XML with the root <tbx>, found <html>"),
    ],
)
def test_dangerous_and_broken_files_are_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)


def test_a_term_that_a_note_mentions_is_no_entry(tmp_path: Path) -> None:
    note = '<termNote type="usageNote">see <term>灯台</term></termNote>'
    content = V3.format(style="dca", status="").replace("灯塔</term>", f"灯塔</term>{note}")
    path = tmp_path / "base.tbx"
    path.write_text(content.replace("<term>light house</term>", ""), encoding="utf-8")
    found = [item for item in read_tbx(path) if isinstance(item, FoundEntry)]
    assert [(entry.source, entry.target) for entry in found] == [("灯塔", "lighthouse")]


@pytest.mark.parametrize("wanted", ["law", "sea", "air"])
def test_a_concept_of_several_subjects_is_of_each(tmp_path: Path, wanted: str) -> None:
    subjects = "".join(f'<descrip type="subjectField">{name}</descrip>' for name in ("law", "sea"))
    content = V3.format(style="dca", status=DCA).replace('id="c1">', f'id="c1">{subjects}')
    path = tmp_path / "base.tbx"
    path.write_text(content, encoding="utf-8")
    found = list(read_tbx(path, subjects=(wanted,)))
    assert isinstance(found[0], FoundEntry) == (wanted != "air")


def test_terms_that_differ_in_case_only_are_one(tmp_path: Path) -> None:
    content = V3.format(style="dca", status="").replace("light house", "Lighthouse")
    path = tmp_path / "base.tbx"
    path.write_text(content, encoding="utf-8")
    found = list(read_tbx(path))
    assert [item.target for item in found if isinstance(item, FoundEntry)] == ["lighthouse"]


def test_a_subject_that_is_one_of_our_categories_is_the_category(tmp_path: Path) -> None:
    found = read(tmp_path, V2.replace("law<", "organization<"))
    assert [item.category for item in found if isinstance(item, FoundEntry)] == ["organization"]
    assert [item.category for item in read(tmp_path, V2) if isinstance(item, FoundEntry)] == [None]
