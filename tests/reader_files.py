"""Files of foreign formats for the tests of their readers."""

from pathlib import Path
from typing import Any

from tasks.readers.config import DictionaryConfig
from tasks.readers.dictionaries import form_of, read_dictionary
from tasks.readers.entries import DictionaryEntry
from tasks.readers.records import SetAside


def tmx(folder: Path, body: str, prolog: str = "") -> Path:
    """Write a TMX file whose body begins on line 3."""
    path = folder / "memory.tmx"
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}\n'
        f'<tmx version="1.4"><header srclang="en"/><body>\n{body}\n</body></tmx>\n',
        encoding="utf-8",
    )
    return path


def xliff1(folder: Path, body: str, source: str, target: str) -> Path:
    """Write an XLIFF 1.2 file whose body begins on line 3; an empty language is left out."""
    languages = f' source-language="{source}"' if source else ""
    languages += f' target-language="{target}"' if target else ""
    path = folder / "texts.xlf"
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file original="app.html" datatype="html"{languages}><body>\n{body}\n'
        "</body></file></xliff>\n",
        encoding="utf-8",
    )
    return path


def xliff2(folder: Path, body: str, source: str, target: str) -> Path:
    """Write an XLIFF 2 file."""
    path = folder / "texts2.xlf"
    path.write_text(
        f'<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="{source}" '
        f'trgLang="{target}"><file id="f1">\n{body}\n</file></xliff>\n',
        encoding="utf-8",
    )
    return path


def dictionary_records(
    folder: Path, content: str | bytes, name: str = "file", **settings: Any
) -> list[DictionaryEntry | SetAside]:
    """Write a dictionary and read it with some settings."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    config = DictionaryConfig(name="d", path=str(path), **settings)
    return list(read_dictionary(form_of(config), path))
