"""Read gettext catalogs, PO and MO: messages in English with their Chinese translations.

The message is English and its translation Chinese, so pairs come out turned round. Left out, with
a reason, is what nobody vouches for: fuzzy, untranslated and obsolete entries. Of a message with a
plural, the last form of the translation goes with the plural message and, where there is more than
one form, the first with the singular. Placeholders stay as they are written.
"""

import os
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polib

from storage.errors import InputError
from tasks.readers.languages import Direction, is_language
from tasks.readers.lines import PathLike, read_byte_lines
from tasks.readers.opening import open_bytes
from tasks.readers.records import RawPair, Record, excerpt, fault, set_aside

_OBSOLETE = "#~"
_OLD_MESSAGE = "#~|"
"""A comment of an obsolete entry: the message before it changed."""
_LINE = re.compile(
    r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?)\s*)?"((?:[^"\\]|\\.)*)"', re.DOTALL
)
_STARTS = re.compile(r"#|\s*msgctxt\b|\s*msgid\b(?!_)")
_CHARSET = re.compile(
    rb'^(?!#).*Content-Type:[^"\n]*?charset=([\w.:-]+)', re.IGNORECASE | re.MULTILINE
)
_PRINTED_ASCII = bytes(range(0x20, 0x7F)) + b"\\n.xn--wgv71a"
"""Also with what a codec for escapes or for host names would not leave as it is."""
_MO_MAGIC = (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")
_HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class _Sides:
    """Which language the translations of a catalog must be in, and which way pairs go."""

    language: str
    turned: bool


@dataclass(frozen=True, slots=True)
class _Message:
    """An entry: a message, its plural if it has one, and the forms of its translation."""

    singular: str
    plural: str
    forms: tuple[str, ...]


def read_gettext(
    path: PathLike, languages: tuple[str, str] = ("zh", "en"), direction: Direction = "auto"
) -> Iterator[Record]:
    """Yield the pairs of a PO or MO file; `line` is that of a PO file, or the entry of an MO file.

    A PO file is read as a stream; an MO file, which is a table to jump about in, is held in memory.

    Args:
        path: the file; which of the two it is, its first bytes say.
        languages: of the source and of the target.
        direction: `zh-en` for the rare catalog whose messages are Chinese.

    Raises:
        InputError: it is neither, it is damaged, or its header names another language.
    """
    turned = direction != "zh-en"
    sides = _Sides(languages[0] if turned else languages[1], turned)
    with open_bytes(path) as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_MO_MAGIC):
        return _read_mo(path, sides)
    return _read_po(path, head, sides)


def _read_mo(path: PathLike, sides: _Sides) -> Iterator[Record]:
    name = os.fspath(path)
    with open_bytes(path) as stream:
        data = stream.read()
    try:
        _check_extent(data)
        catalog = polib.mofile(data)
    except (OSError, ValueError, IndexError, UnicodeError, struct.error) as error:
        raise InputError(
            f"{name}: not a readable MO file ({error}). Compile it again with msgfmt."
        ) from None
    _check_language(catalog.metadata.get("Language", ""), sides, name)
    for number, entry in enumerate(catalog, start=1):
        forms = [text for _, text in sorted(entry.msgstr_plural.items())] or [entry.msgstr]
        message = _Message(entry.msgid, entry.msgid_plural, tuple(forms))
        yield from _entry_records(message, number, sides)


def _check_extent(data: bytes) -> None:
    """Refuse an MO file that was cut short: a text that its tables name lies beyond its end."""
    order = "<" if data.startswith(_MO_MAGIC[0]) else ">"
    number, *tables = struct.unpack_from(f"{order}3I", data, 8)
    for table in tables:
        numbers = struct.unpack_from(f"{order}{2 * number}I", data, table)
        if any(size + at > len(data) for size, at in zip(numbers[::2], numbers[1::2], strict=True)):
            raise ValueError("it was cut short")


def _read_po(path: PathLike, head: bytes, sides: _Sides) -> Iterator[Record]:
    name = os.fspath(path)
    encoding = _encoding(head, name)
    for number, lines in _blocks(path):
        try:
            text = b"".join(lines).decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            at = number + b"".join(lines)[: error.start].count(b"\n")
            found = f"expected {encoding}, found the byte 0x{error.object[error.start]:02x}."
            shown = b"".join(lines).decode("utf-8", errors="backslashreplace")
            yield fault(f"{name}, line {at}", at, "encoding", shown, f"{found} Convert the file.")
            continue
        yield from _block_records(text, number, sides, name)


def _encoding(head: bytes, name: str) -> str:
    said = _CHARSET.search(head)
    encoding = "utf-8" if said is None or said[1] == b"CHARSET" else said[1].decode("ascii")
    if not _extends_ascii(encoding):
        raise InputError(
            f"{name}: its header names the charset {encoding[:40]!r}; expected UTF-8 or another "
            "that holds ASCII. Mend the header, or convert the file with msgconv."
        )
    return encoding


def _extends_ascii(encoding: str) -> bool:
    try:
        return _PRINTED_ASCII.decode(encoding) == _PRINTED_ASCII.decode("ascii")
    except (LookupError, UnicodeError):
        return False


def _blocks(path: PathLike) -> Iterator[tuple[int, list[bytes]]]:
    """Cut a PO file into entries: `(first line, lines)`.

    An entry ends at a blank line, or where a comment, context or message follows a translation.
    """
    block: list[bytes] = []
    start, translated = 1, False
    for number, line in read_byte_lines(path):
        text = line.decode("latin-1").removeprefix(_OBSOLETE).strip()
        if block and (not text or (translated and _STARTS.match(text))):
            yield start, block
            block, translated = [], False
        if text:
            start = start if block else number
            block.append(line.removesuffix(b"\n").removesuffix(b"\r") + b"\n")
            translated = translated or text.startswith("msgstr")
    if block:
        yield start, block


def _block_records(text: str, start: int, sides: _Sides, name: str) -> Iterator[Record]:
    lines = [line.strip() for line in text.split("\n")]
    wrong = _first_wrong(lines)
    if wrong is not None:
        yield fault(
            f"{name}, line {start + wrong}",
            start + wrong,
            "syntax",
            text,
            "expected a comment, or a keyword of PO and a text in one pair of quotes, each keyword "
            f"once and a message before its translation, found {excerpt(lines[wrong])}. Mend the "
            "line; `msgfmt -c` finds such places.",
        )
        return
    message, flags = _message(lines), {flag for line in lines for flag in _flags(line)}
    if message is None:
        return
    if any(line.startswith(_OBSOLETE) for line in lines):
        yield set_aside(start, "obsolete", message.singular)
    elif not message.singular:
        _check_language(_language_of_header(message.forms[0]), sides, name)
    elif "fuzzy" in flags:
        yield set_aside(start, "fuzzy", message.singular)
    else:
        yield from _entry_records(message, start, sides)


def _first_wrong(lines: Sequence[str]) -> int | None:
    """Return the index of the first line that is no PO, or that does not stand where it may."""
    seen: set[str] = set()
    for at, line in enumerate(lines):
        bare = line.removeprefix(_OBSOLETE).strip()
        if not bare or line.startswith(_OLD_MESSAGE) or bare.startswith("#"):
            continue
        match = _LINE.fullmatch(bare)
        keyword = match[1] or "" if match else ""
        needs = "msgid" if keyword.startswith("msgstr") or keyword == "msgid_plural" else ""
        is_lost = (needs and needs not in seen) or (not keyword and not seen)
        if match is None or is_lost or keyword in seen:
            return at
        if keyword:
            seen.add(keyword)
    return None


def _flags(line: str) -> list[str]:
    return [flag.strip() for flag in line[2:].split(",")] if line.startswith("#,") else []


def _message(lines: Iterable[str]) -> _Message | None:
    """Put the texts of an entry together; None if it holds comments only."""
    texts: dict[str, str] = {}
    keyword = ""
    for line in lines:
        match = _LINE.fullmatch(line.removeprefix(_OBSOLETE).strip())
        if match is not None:
            keyword = match[1] or keyword
            texts[keyword] = texts.get(keyword, "") + polib.unescape(match[2])
    forms = [texts[key] for key in sorted(texts) if key.startswith("msgstr")]
    if "msgid" not in texts:
        return None
    return _Message(texts["msgid"], texts.get("msgid_plural", ""), tuple(forms) or ("",))


def _language_of_header(header: str) -> str:
    found = re.search(r"^Language:[ \t]*(\S*)", header, re.MULTILINE)
    return found[1] if found else ""


def _entry_records(message: _Message, line: int, sides: _Sides) -> Iterator[Record]:
    forms = message.forms
    if not all(forms):
        yield set_aside(line, "untranslated", message.singular)
        return
    if not message.plural:
        yield _pair(message.singular, forms[0], line, sides)
        return
    if len(forms) > 1:
        yield _pair(message.singular, forms[0], line, sides)
    yield _pair(message.plural, forms[-1], line, sides)


def _pair(message: str, translation: str, line: int, sides: _Sides) -> RawPair:
    texts = (translation, message) if sides.turned else (message, translation)
    return RawPair(*texts, "", line)


def _check_language(tag: str, sides: _Sides, name: str) -> None:
    said = tag.strip()
    if said and not is_language(said, sides.language):
        raise InputError(
            f"{name}: its header says that it translates into {said!r}; expected "
            f"{sides.language!r}. Check the path, languages and direction."
        )
