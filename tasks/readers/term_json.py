"""Read dictionaries of terms in JSON lines, as the WMT25 terminology task gives them.

Each line is a document with named dictionaries (`proper`, `random`, ...) from a term to the list of
its translations. Which side is Chinese is seen by its script, term by term: files differ in it.
"""

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from tasks.readers.entries import SECTION, Found, FoundEntry, bad_line, read_texts
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside, fault, set_aside
from tasks.readers.word_pairs import has_han

FORM = "a JSON object that holds dictionaries of terms"


def read_term_json(
    path: PathLike, *, terms: Sequence[str], encoding: Encoding = "utf-8"
) -> Iterator[Found]:
    """Yield one record for each pair of a term and a translation; `line` is that of the document.

    Terms with several English translations are set aside, and so are pairs that do not have one
    side in Chinese. Several Chinese terms of one English term are entries of their own.

    Args:
        path: the file.
        terms: names of the dictionaries to read.
        encoding: how the file is encoded.

    Raises:
        InputError: the file cannot be opened.
    """
    seen: set[tuple[str, str]] = set()
    for item in read_texts(path, encoding):
        if isinstance(item, SetAside):
            yield item
            continue
        number, text = item
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            yield bad_line(path, number, text, FORM, "json")
            continue
        for name in terms:
            for found in _dictionary(document, name, path, number):
                yield _once(found, seen)


def _once(found: Found, seen: set[tuple[str, str]]) -> Found:
    """Set aside what another document said before: documents share their terms."""
    if isinstance(found, SetAside):
        return found
    pair = found.source, found.target
    if pair in seen:
        return set_aside(found.line, "repeated", ": ".join(pair))
    seen.add(pair)
    return found


def _dictionary(
    document: dict[str, Any], name: str, path: PathLike, number: int
) -> Iterator[Found]:
    found = document.get(name)
    if found == []:  # empty dictionaries may be written as empty lists
        return
    if not isinstance(found, dict):
        known = ", ".join(map(repr, document))[:200] or "nothing"
        yield _fault(path, number, f"expected a dictionary {name!r} among {known}.")
        return
    for term, translations in found.items():
        if isinstance(translations, str):
            translations = [translations]
        if not _are_texts([term]) or not _are_texts(translations):
            yield _fault(path, number, f"expected a list of texts as the value of {term!r}.")
            continue
        yield from _term(term.strip(), [text.strip() for text in translations], number)


def _term(term: str, translations: Sequence[str], number: int) -> Iterator[Found]:
    if not translations:
        yield set_aside(number, "no_translation", term)
        return
    if has_han(term):
        distinct = {text.casefold(): text for text in reversed(translations)}
        english = [text for text in distinct.values() if text and not has_han(text)]
        if len(english) == len(distinct) == 1:
            yield FoundEntry(term, english[0], number)
            return
        reason = "several_translations" if len(english) > 1 else "not_one_chinese"
        yield set_aside(number, reason, f"{term}: {'; '.join(translations)}")
        return
    for chinese in dict.fromkeys(translations):
        if term and has_han(chinese):
            yield FoundEntry(chinese, term, number)
        else:
            yield set_aside(number, "not_one_chinese", f"{term}: {chinese}")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(text, str) and not any("\ud800" <= c <= "\udfff" for c in text) for text in value
    )


def _fault(path: PathLike, number: int, found: str) -> SetAside:
    where = f"{os.fspath(path)}, line {number}"
    remedy = f"{found} Fix the line, or set terms to the dictionaries that it holds."
    return fault(where, number, "fields", "", remedy, section=SECTION)
