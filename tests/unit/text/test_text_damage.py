import pytest

from tasks.text.damage import count_tags, damage_of

SENTENCES = [
    "今天的会议将讨论经济发展问题。",
    "國家圖書館於星期一休館",
    "溴化银与铜的反应",
    "他说：“联通”公司在一九九四年成立，拥有员工三万余名。",
    "Ångström’s naïve café — 20 °C, £5 • ½ ‰ … über Straße",
    "«Déjà vu», señor; piñata and œuvre",
    "plain text",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_sound_text_is_sound(text: str) -> None:
    assert damage_of(text) == ""


WESTERN = "Ångström’s naïve café — 20 °C, £5 • ½ ‰ … über Straße"


@pytest.mark.parametrize("text", [*SENTENCES[:4], WESTERN])
@pytest.mark.parametrize("table", ["latin-1", "cp1252"])
def test_utf8_read_as_a_western_table_is_found(text: str, table: str) -> None:
    assert damage_of(text.encode().decode(table, "replace")) != ""


@pytest.mark.parametrize("text", SENTENCES[:4])
def test_utf8_read_as_gbk_is_found(text: str) -> None:
    assert damage_of(text.encode().decode("gb18030", "replace")) != ""
    assert damage_of(text.encode().decode("gb18030", "replace").replace("\ufffd", "?")) != ""


@pytest.mark.parametrize("text", ["中文字符编码", "统一表达方式"])
def test_gbk_read_as_a_western_table_is_found(text: str) -> None:
    assert damage_of(text.encode("gbk").decode("latin-1")) == "mojibake"


@pytest.mark.parametrize("character", ["\u2019", "\u201c", "\u2014", "\u00e9", "\u00a0"])
def test_a_single_wrong_character_is_found(character: str) -> None:
    wrong = character.encode().decode("cp1252", "replace")
    assert damage_of(f"It is {wrong} here") in ("mojibake", "replacement_character")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("缺\ufffd字", "replacement_character"),
        ("锟斤拷锟斤拷", "replacement_character"),
        ("private \ue000 use", "replacement_character"),
        ("bell\x07", "control_character"),
        ("nul\x00", "control_character"),
        ("c1 \x9c here", "control_character"),
        ("tab\tand\u2028line\x85ends\r\n", ""),
        ("zero\u200bwidth\ufeff", ""),
    ],
)
def test_lost_and_control_characters_are_found(text: str, expected: str) -> None:
    assert damage_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>bold</b> and <br/>", 3),
        ('<a href="http://x.y/?a=1">link</a>', 2),
        ("&nbsp;&#39;&#x2019;&lt;", 4),
        ("[[wiki]] and {{template}} and '''bold'''", 6),
        ("[b]forum[/b] [url=http://x]y[/url]", 4),
        (r"{\an8}subtitle", 1),
        ("<!-- comment", 1),
        ("a < b, c > d, 1<2>0 and x<y", 0),
        ("AT&T; R&D; Q&A: you & me;", 0),
        ("list[0], f[x], {1, 2} and [sic]", 0),
        ("mail <me@example.org> or <https://example.org>", 0),
        ("the '90s and ''quoted''", 0),
        ("<" * 50_000, 0),
        ("<a " * 20_000, 0),
        ("&a" * 30_000, 0),
    ],
)
def test_tags_and_entities_are_counted(text: str, expected: int) -> None:
    assert count_tags(text) == expected
