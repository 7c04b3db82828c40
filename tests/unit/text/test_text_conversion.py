import pytest

from tasks.text.config import Variant, WantedScript
from tasks.text.conversion import Converter, script_of
from tasks.text.lexicon import LEXICON_FILE, Lexicon, build_lexicon


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我們討論經濟發展", "traditional"),
        ("我们讨论经济发展", "simplified"),
        ("我們討論经济", "traditional"),
        ("他在家中", "unknown"),
        ("乾陵", "unknown"),
        ("國国", "mixed"),
        ("plain text", "unknown"),
        ("〇○1", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_script_of_a_sentence_is_told_by_its_own_characters(text: str, expected: str) -> None:
    assert script_of(text) == expected


@pytest.mark.parametrize(
    ("variant", "text", "expected"),
    [
        ("standard", "圖書館的鐘錶與圖表", "图书馆的钟表与图表"),
        ("standard", "著名的國家", "著名的国家"),
        ("taiwan", "著名學者走著", "著名学者走着"),
        ("taiwan", "滑鼠與軟體", "鼠标与软件"),
        ("hongkong", "裏面的發展", "里面的发展"),
        ("standard", "皇后與太后離開以後", "皇后与太后离开以后"),
        ("standard", "徐乾學到過乾陵和乾安縣", "徐乾学到过乾陵和乾安县"),
        ("standard", "把衣服弄乾了，魏徵徵求意見", "把衣服弄干了，魏徵征求意见"),
        ("standard", "几里公里发展周年", "几里公里发展周年"),
        ("standard", "乾安", "乾安"),
    ],
)
def test_text_is_converted_and_names_are_spared(variant: Variant, text: str, expected: str) -> None:
    made = Converter("simplified", variant).convert(text)
    assert made.text == expected
    assert bool(made.converter) == (text != expected)
    if made.converter:
        assert made.converter.startswith("OpenCC 1.")
        assert made.converter.endswith(
            {"standard": "t2s", "taiwan": "tw2sp", "hongkong": "hk2s"}[variant]
        )


@pytest.mark.parametrize(
    ("wanted", "text", "expected"),
    [
        ("keep", "國家发展", "國家发展"),
        ("traditional", "国家的发展和头发", "國家的發展和頭髮"),
        ("traditional", "國家的發展", "國家的發展"),
    ],
)
def test_the_wanted_script_is_a_setting(wanted: WantedScript, text: str, expected: str) -> None:
    assert Converter(wanted, "standard").convert(text).text == expected


def test_both_spellings_of_a_word_become_one() -> None:
    converter = Converter("simplified", "standard")
    assert {converter.convert(text).text for text in ("國家", "国家")} == {"国家"}


def test_converting_twice_changes_nothing() -> None:
    converter = Converter("simplified", "standard", ["葉乾"])
    once = converter.convert("葉乾與徐乾學在乾淨的圖書館裡發現後山").text
    assert converter.convert(once).text == once
    assert once == "叶乾与徐乾学在干净的图书馆里发现后山"


def entry(source: str, category: str) -> dict[str, str]:
    return {"source": source, "category": category}


def test_the_lexicon_holds_what_conversion_would_harm_and_what_stays_whole() -> None:
    entries = [
        entry("葉乾", "person"),
        entry("李國華", "person"),
        entry("餅乾", "term"),
        entry("奥迪 A6", "term"),
        entry("國家發展委員會", "organization"),
        entry("非常非常非常长的词", "term"),
    ]
    made = build_lexicon(entries, "simplified", user_words=True)
    assert made.names == ("葉乾",)
    assert made.words == tuple(sorted(["叶干", "李国华", "饼干", "国家发展委员会"]))
    assert build_lexicon(entries, "keep", user_words=False) == Lexicon()
    assert Lexicon.of_files({LEXICON_FILE: made.to_bytes()}) == made
    assert Lexicon.of_files({}) == Lexicon()
