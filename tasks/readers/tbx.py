"""Read TBX, the exchange format of termbases (ISO 30042), as a stream of concepts.

Version 2 (`martif`) and 3 (`tbx`, in both styles: DCA names a data category in an attribute, DCT in
an element) differ in names only. A concept gives an entry for each of its Chinese terms, with its
one English term: the preferred one where there is one. Deprecated terms are not used.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from storage.errors import InputError
from storage.records import Category
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


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a termbase with its terms of two languages."""

    line: int
    """1-based line where it begins."""
    subjects: tuple[str, ...]
    sources: Mapping[str, Status]
    targets: Mapping[str, Status]
    notes: Mapping[str, str]
    """What is noted of a target term, else of the whole concept; terms without a note are left
    out."""

    @property
    def category(self) -> Category | None:
        """What kind of phrase the subject field names, if it is the word for one of ours."""
        known = [subject for subject in self.subjects if subject in get_args(Category)]
        return cast(Category, known[0]) if len(known) == 1 else None


def read_concepts(
    path: PathLike, *, languages: tuple[str, str] = ("zh", "en")
) -> Iterator[Concept]:
    """Yield the concepts of a termbase.

    Args:
        path: the file.
        languages: of the source and of the target; a variant such as `zh-TW` takes no other.

    Raises:
        InputError: it is not TBX, is not well-formed, or declares entities.
    """
    name = os.fspath(path)
    root = _root(path)
    for event, element in parse_elements(path, root=root, tags=_CONCEPTS, units=_CONCEPTS):
        if event == "end" and local_name(element) in _CONCEPTS:
            yield Concept(
                line=element.sourceline,
                subjects=tuple(dict.fromkeys(_values(element, ("subjectField",), name))),
                sources=_terms(element, languages[0], name),
                targets=_terms(element, languages[1], name),
                notes=_notes(element, languages[1], name),
            )


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
    for concept in read_concepts(path, languages=languages):
        yield from _entries(concept, subjects)


def _root(path: PathLike) -> str:
    """Return the name of the root element, which tells the version."""
    try:
        next(parse_elements(path, root="martif", tags=("tbx",), units=()))
    except InputError as error:
        if "found <" not in str(error):
            raise
        return "tbx"
    return "martif"


def _entries(concept: Concept, subjects: Sequence[str]) -> Iterator[Found]:
    line, sources, targets = concept.line, concept.sources, concept.targets
    reason = ""
    target = ""
    if subjects and not set(concept.subjects) & set(subjects):
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
            yield FoundEntry(term, target, line, concept.category)


def _one_target(terms: Mapping[str, Status]) -> str:
    """Return the preferred term, or the only one that is not deprecated, or ""; case tells no two
    terms apart.
    """
    for wanted in (("preferred",), ("preferred", "admitted")):
        found = {term.casefold(): term for term in reversed(list(terms)) if terms[term] in wanted}
        if found:
            return next(iter(found.values())) if len(found) == 1 else ""
    return ""


def _terms(concept: Any, wanted: str, name: str) -> dict[str, Status]:
    """Return the terms of a language; of one that is spelled twice the better status counts."""
    terms: dict[str, Status] = {}
    for section, element in _term_elements(concept, wanted):
        text = inline_text(element, (), name)
        if text:
            status = _status(element, section, name)
            terms[text] = min(status, terms.get(text, status), key=_RANK.index)
    return terms


def _notes(concept: Any, wanted: str, name: str) -> dict[str, str]:
    """Return what is noted of each term of a language: beside the term, else in the concept."""
    general = _children_text(concept, "note", name)
    found: dict[str, str] = {}
    for section, element in _term_elements(concept, wanted):
        note = _children_text(_owner(element, section), "note", name) or general
        if note:
            found[inline_text(element, (), name)] = note
    return found


def _children_text(element: Any, tag: str, name: str) -> str:
    texts = (inline_text(part, (), name) for part in element.iterchildren(f"{{*}}{tag}"))
    return "; ".join(text for text in texts if text)


def _term_elements(concept: Any, wanted: str) -> Iterator[tuple[Any, Any]]:
    """Yield the section and the element of each term of a language."""
    for section in concept.iter(*(f"{{*}}{tag}" for tag in _LANGUAGES)):
        if _is_wanted(language_of(section), wanted):
            for element in section.iter("{*}term"):
                if local_name(element.getparent()) in _TERM_OWNERS:
                    yield section, element


def _is_wanted(tag: str, wanted: str) -> bool:
    # `zh` asks for no script, and Chinese without one fits either.
    return is_language(tag, wanted) or parse_language(tag) == parse_language(
        wanted.partition("-")[0]
    )


def _status(term: Any, section: Any, name: str) -> Status:
    """Return a term's status: `admitted` unless its own section says something else."""
    said = list(_values(_owner(term, section), _STATUS, name))
    if any(value.startswith(_NOT_USED) for value in said):
        return "deprecated"
    return "preferred" if any(value.startswith("preferredTerm") for value in said) else "admitted"


def _owner(term: Any, section: Any) -> Any:
    """Return the element that holds a term with all that is said of it."""
    owner = term.getparent()
    nested = local_name(owner) == "termGrp" and owner.getparent() is not section
    return owner.getparent() if nested else owner


def _values(element: Any, categories: Sequence[str], name: str) -> Iterator[str]:
    """Yield the values of data categories, named by an attribute (DCA) or by the element (DCT)."""
    for part in element.iter("{*}*"):
        if part.get("type") in categories or local_name(part) in categories:
            yield inline_text(part, (), name)
