"""gettext catalogs: turned round, and nothing that nobody vouches for."""

import struct
from pathlib import Path

import polib
import pytest

from storage.errors import InputError
from tasks.readers.gettext import read_gettext
from tasks.readers.records import RawPair, SetAside, stop_at_faults

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: zh_CN\\n"\n'


def po(folder: Path, entries: str, header: str = HEADER, encoding: str = "utf-8") -> Path:
    path = folder / "messages.po"
    path.write_bytes(f"{header}\n{entries}".encode(encoding))
    return path


def mo(folder: Path, entries: str, *, big_endian: bool = False) -> Path:
    data = polib.pofile(f"{HEADER}\n{entries}").to_binary()
    if big_endian:
        head = struct.unpack("<7I", data[:28])
        tables = struct.unpack(f"<{head[2] * 4}I", data[28 : 28 + head[2] * 16])
        swapped = struct.pack(">7I", *head) + struct.pack(f">{len(tables)}I", *tables)
        data = swapped + data[28 + head[2] * 16 :]
    path = folder / "messages.mo"
    path.write_bytes(data)
    return path


def texts(path: Path) -> list[tuple[str, str]]:
    records = stop_at_faults(read_gettext(path))
    return [(item.source, item.target) for item in records if isinstance(item, RawPair)]


def aside(path: Path) -> list[tuple[int, str]]:
    records = read_gettext(path)
    return [(item.line, item.reason) for item in records if isinstance(item, SetAside)]


def test_messages_are_english_so_pairs_are_turned_round(tmp_path: Path) -> None:
    path = po(tmp_path, 'msgid "Open %(name)s"\nmsgstr "打开%(name)s"\n')
    assert list(read_gettext(path)) == [RawPair("打开%(name)s", "Open %(name)s", "", 6)]
    assert texts(path) == [("打开%(name)s", "Open %(name)s")]


def test_a_catalog_of_chinese_messages_is_read_as_it_stands(tmp_path: Path) -> None:
    header = HEADER.replace("zh_CN", "en_GB")
    path = po(tmp_path, 'msgid "打开"\nmsgstr "Open"\n', header)
    assert list(read_gettext(path, direction="zh-en")) == [RawPair("打开", "Open", "", 6)]
    with pytest.raises(InputError, match="says that it translates into 'en_GB'; expected 'zh'"):
        list(read_gettext(path))


def test_what_nobody_vouches_for_is_counted_with_its_reason(tmp_path: Path) -> None:
    entries = (
        '#, fuzzy\nmsgid "a"\nmsgstr "甲"\n\n'
        '#, python-format\n#, fuzzy\nmsgid "b"\nmsgstr "乙"\n\n'
        'msgid "c"\nmsgstr ""\n\n'
        '#~ msgid "d"\n#~ msgstr "丁"\n\n'
        'msgid "e"\nmsgstr "戊"\n'
    )
    path = po(tmp_path, entries)
    assert texts(path) == [("戊", "e")]
    assert [reason for _, reason in aside(path)] == ["fuzzy", "fuzzy", "untranslated", "obsolete"]


def test_of_plural_forms_the_last_goes_with_the_plural(tmp_path: Path) -> None:
    entries = (
        'msgid "%d file"\nmsgid_plural ""\n"%d "\n"files"\nmsgstr[0] ""\n"%d 个"\n"文件"\n\n'
        'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "一个"\nmsgstr[1] "许多"\n\n'
        'msgid "half"\nmsgid_plural "halves"\nmsgstr[0] "半"\nmsgstr[1] ""\n'
    )
    path = po(tmp_path, entries)
    assert texts(path) == [("%d 个文件", "%d files"), ("一个", "one"), ("许多", "many")]
    assert [reason for _, reason in aside(path)] == ["untranslated"]


def test_one_message_in_two_contexts_is_two_pairs(tmp_path: Path) -> None:
    entries = "\n\n".join(
        f'msgctxt ""\n"{context}"\nmsgid "May"\nmsgstr "{text}"'
        for context, text in (("month", "五月"), ("verb", "可以"))
    )
    assert texts(po(tmp_path, entries)) == [("五月", "May"), ("可以", "May")]


def test_entries_need_no_blank_line_between_them(tmp_path: Path) -> None:
    entries = 'msgid "a"\nmsgstr "甲"\n#. note\nmsgid "b"\nmsgstr "乙"\nmsgid "c"\nmsgstr "丙"\n'
    path = po(tmp_path, entries)
    assert [
        (item.line, item.target) for item in read_gettext(path) if isinstance(item, RawPair)
    ] == [
        (6, "a"),
        (8, "b"),
        (11, "c"),
    ]


def test_escapes_are_decoded_once(tmp_path: Path) -> None:
    path = po(tmp_path, 'msgid "say \\"hi\\"\\\\n"\nmsgstr "说\\t“你好”"\n')
    assert texts(path) == [("说\t“你好”", 'say "hi"\\n')]


@pytest.mark.parametrize(
    "entry",
    [
        'msgctxt "broken\nover two lines"\nmsgid "a"\nmsgstr "甲"\n',
        'msgid "a"\nmsgstr "甲\n',
        'msgid "a"b"\nmsgstr "甲"\n',
        'msgid a\nmsgstr "甲"\n',
        'msgid "a"\nmsgstr "甲" rest\n',
        'msgid "a"\nmsgstr "甲\\"\n',
        'message "a"\nmsgstr "甲"\n',
        '# note\nmsgstr "甲"\n',
        '"a"\nmsgid "a"\nmsgstr "甲"\n',
    ],
)
def test_what_is_no_po_stops_with_its_line_or_is_set_aside(tmp_path: Path, entry: str) -> None:
    path = po(tmp_path, f'{entry}\nmsgid "b"\nmsgstr "乙"\n')
    with pytest.raises(InputError, match=r"messages\.po, line [67]: expected .*msgfmt -c"):
        texts(path)
    records = list(read_gettext(path))
    assert records[-1] == RawPair("乙", "b", "", 6 + entry.count("\n") + 1)
    assert [item.reason for item in records if isinstance(item, SetAside)] == ["syntax"]


def test_the_charset_of_the_header_is_obeyed(tmp_path: Path) -> None:
    header = HEADER.replace("UTF-8", "GB2312")
    path = po(tmp_path, 'msgid "a"\nmsgstr "甲"\n', header, "gb2312")
    assert texts(path) == [("甲", "a")]
    unknown = HEADER.replace("UTF-8", "martian")
    with pytest.raises(InputError, match="charset 'martian'"):
        texts(po(tmp_path, 'msgid "a"\nmsgstr "b"\n', unknown))


def test_bytes_of_another_charset_are_a_fault_of_their_entry(tmp_path: Path) -> None:
    path = tmp_path / "messages.po"
    entry = 'msgid "a"\nmsgstr "甲"\n\n'
    path.write_bytes(f"{HEADER}\n{entry}".encode() + entry.encode("gb18030"))
    assert aside(path) == [(10, "encoding")]
    with pytest.raises(InputError, match="line 10: expected UTF-8, found the byte 0x"):
        texts(path)


@pytest.mark.parametrize("big_endian", [False, True])
def test_compiled_catalogs_are_read_in_both_byte_orders_without_their_header(
    tmp_path: Path, big_endian: bool
) -> None:
    entries = (
        'msgid "a"\nmsgstr "甲"\n\nmsgctxt "menu"\nmsgid "b"\nmsgstr "乙"\n\n'
        'msgid "%d x"\nmsgid_plural "%d xs"\nmsgstr[0] "%d 个"\n'
    )
    path = mo(tmp_path, entries, big_endian=big_endian)
    assert sorted(texts(path)) == sorted([("甲", "a"), ("乙", "b"), ("%d 个", "%d xs")])


def test_a_damaged_compiled_catalog_is_refused(tmp_path: Path) -> None:
    path = mo(tmp_path, 'msgid "a"\nmsgstr "甲乙"\n')
    data = path.read_bytes()
    assert data.endswith("乙\0".encode())
    for size in (6, 20, 30, len(data) - 2, len(data) - len("乙\0".encode())):
        path.write_bytes(data[:size])
        with pytest.raises(InputError, match="not a readable MO file"):
            texts(path)


@pytest.mark.parametrize(
    "charset", ["undefined", "punycode", "idna", "base64", "utf-16", "klingon"]
)
def test_a_charset_that_catalogs_cannot_have_is_refused(tmp_path: Path, charset: str) -> None:
    header = HEADER.replace("UTF-8", charset)
    with pytest.raises(InputError, match=f"header names the charset '{charset}'"):
        list(read_gettext(po(tmp_path, 'msgid "rain"\nmsgstr "雨"\n', header)))


@pytest.mark.parametrize(
    "before", ["# Content-Type: text/html; charset=klingon\n", "# charset=klingon\n"]
)
def test_only_the_header_names_the_charset(tmp_path: Path, before: str) -> None:
    entry = 'msgid "set charset=klingon"\nmsgstr "设"\n'
    assert texts(po(tmp_path, entry, f"{before}{HEADER}")) == [("设", "set charset=klingon")]
    assert texts(po(tmp_path, entry, before)) == [("设", "set charset=klingon")]


def test_the_charset_is_found_in_a_header_of_one_line(tmp_path: Path) -> None:
    header = 'msgid ""\nmsgstr "Language: zh\\nContent-Type: text/plain; charset=Big5\\n"\n'
    path = po(tmp_path, 'msgid "merit"\nmsgstr "功許"\n', header, "big5")
    assert texts(path) == [("功許", "merit")]


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ('msgid "a"\nmsgid "b"\nmsgstr "甲"\n', 7),
        ('msgid "a"\nmsgstr "甲"\nmsgstr "乙"\n', 8),
        ('msgctxt "x"\nmsgctxt "y"\nmsgid "a"\nmsgstr "甲"\n', 7),
        ('msgid "a"\nmsgid_plural "as"\nmsgstr[0] "甲"\nmsgstr[0] "乙"\n', 9),
    ],
)
def test_an_entry_that_says_something_twice_is_a_fault(
    tmp_path: Path, entry: str, line: int
) -> None:
    path = po(tmp_path, f'{entry}\nmsgid "c"\nmsgstr "丙"\n')
    assert aside(path) == [(line, "syntax")]
    with pytest.raises(InputError, match=rf"line {line}: .* each keyword once"):
        texts(path)


def test_the_old_message_of_an_obsolete_entry_is_a_comment(tmp_path: Path) -> None:
    entry = '#, fuzzy\n#~| msgid "older"\n#~ msgid "old"\n#~ msgstr "旧"\n'
    assert aside(po(tmp_path, entry)) == [(6, "obsolete")]
