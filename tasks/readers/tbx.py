"""Read TBX, the exchange format of termbases (ISO 30042), as a stream of concepts.

Version 2 (`martif`) and 3 (`tbx`, in both styles: DCA names a data category in an attribute, DCT in
an element) differ in names only. A concept gives an entry for each of its Chinese terms, with its
one English term: the preferred one where there is one. Deprecated terms are not used.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

from storage.errors import InputError
from tasks.readers.entries import Found, FoundEntry
from tasks.readers.languages import is_language, parse_language
from tasks.readers.lines import PathLike
from tasks.readers.records import set_aside
from tasks.readers.safe_xml import inline_text, language_of, local_name, parse_elements

Status = Literal["preferred", "admitted", "deprecated"]
_RANK: tuple[Status, ...] = get_args(Status)

_CONCEPTS = ("termEntry", "conceptEntry")
_LANGUAGES = ("langSet", "langSec")
_TERM_OWNERS = ("tig", "termGrp", "ntig", "termSec")
"""Elements whose direct child is a term, and not the mention of one in a note."""
_STATUS = ("administrativeStatus", "normativeAuthorization")
_NOT_USED = ("deprecatedTerm", "supersededTerm", "obsoleteTerm")


def read_tbx(
    path: PathLike, *, languages: tuple[str, str] = ("zh", "en"), subjects: Sequence[str] = ()
) -> Iterator[Found]:
    """Yield the records of a termbase; `line` is where the concept begins.

    Args:
        path: the file.
        languages: of the source and of the target; a variant such as `zh-TW` takes no other.
        subjects: subject fields to read; empty for all.

    Raises:
        InputError: it is not TBX, is not well-formed, or declares entities.
    """
    name = os.fspath(path)
    root = _root(path)
    for event, element in parse_elements(path, root=root, tags=_CONCEPTS, units=_CONCEPTS):
        if event == "end" and local_name(element) in _CONCEPTS:
            yield from _concept(element, languages, subjects, name)


def _root(path: PathLike) -> str:
    """Return the name of the root element, which tells the version."""
    try:
        next(parse_elements(path, root="martif", tags=("tbx",), units=()))
    except InputError as error:
        if "found <" not in str(error):
            raise
        return "tbx"
    return "martif"


def _concept(
    concept: Any, languages: tuple[str, str], subjects: Sequence[str], name: str
) -> Iterator[Found]:
    line = concept.sourceline
    of_subjects = set(_values(concept, ("subjectField",), name))
    sources = _terms(concept, languages[0], name)
    targets = _terms(concept, languages[1], name)
    reason = ""
    target = ""
    if subjects and not of_subjects & set(subjects):
        reason = "other_subject"
    elif not sources or not targets:
        reason = "no_source_language" if not sources else "no_target_language"
    else:
        target = _one_target(targets)
        reason = "" if target else "no_one_target"
    shown = f"{' | '.join(sources)} = {' | '.join(targets)}"
    used = [term for term, status in sources.items() if status != "deprecated"]
    if reason or not used:
        yield set_aside(line, reason or "deprecated", shown)
        return
    for term, status in sources.items():
        if status == "deprecated":
            yield set_aside(line, "deprecated", f"{term} = {target}")
        else:
            yield FoundEntry(term, target, line)


def _one_target(terms: dict[str, Status]) -> str:
    """Return the preferred term, or the only one that is not deprecated, or ""; case tells no two
    terms apart.
    """
    for wanted in (("preferred",), ("preferred", "admitted")):
        found = {term.casefold(): term for term in reversed(terms) if terms[term] in wanted}
        if found:
            return next(iter(found.values())) if len(found) == 1 else ""
    return ""


def _terms(concept: Any, wanted: str, name: str) -> dict[str, Status]:
    """Return the terms of a language; of one that is spelled twice the better status counts."""
    terms: dict[str, Status] = {}
    for section in concept.iter(*(f"{{*}}{tag}" for tag in _LANGUAGES)):
        if not _is_wanted(language_of(section), wanted):
            continue
        for element in section.iter("{*}term"):
            if local_name(element.getparent()) not in _TERM_OWNERS:
                continue
            text = inline_text(element, (), name)
            status = _status(element, section, name)
            if text:
                terms[text] = min(status, terms.get(text, status), key=_RANK.index)
    return terms


def _is_wanted(tag: str, wanted: str) -> bool:
    # `zh` asks for no script, and Chinese without one fits either.
    return is_language(tag, wanted) or parse_language(tag) == parse_language(
        wanted.partition("-")[0]
    )


def _status(term: Any, section: Any, name: str) -> Status:
    """Return a term's status: `admitted` unless its own section says something else."""
    owner = term.getparent()
    if local_name(owner) == "termGrp" and owner.getparent() is not section:
        owner = owner.getparent()
    said = list(_values(owner, _STATUS, name))
    if any(value.startswith(_NOT_USED) for value in said):
        return "deprecated"
    return "preferred" if any(value.startswith("preferredTerm") for value in said) else "admitted"


def _values(element: Any, categories: Sequence[str], name: str) -> Iterator[str]:
    """Yield the values of data categories, named by an attribute (DCA) or by the element (DCT)."""
    for part in element.iter("{*}*"):
        if part.get("type") in categories or local_name(part) in categories:
            yield inline_text(part, (), name)
