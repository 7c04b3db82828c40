"""Read XML as a stream of elements, refusing what could reach beyond the file or blow it up.

No entity is ever expanded beyond the five of XML and character references: a document that
declares any is refused, and so is one that uses an undeclared one. Nothing is fetched. Elements are
forgotten once they were given out, so memory does not grow with the file.
"""

import os
from collections.abc import Collection, Iterator
from typing import Any

from lxml import etree

from storage.errors import InputError
from tasks.readers.lines import PathLike
from tasks.readers.opening import open_bytes

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def parse_elements(
    path: PathLike, *, root: str, tags: Collection[str], units: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """Yield `("start" or "end", element)` for elements of some names, in any namespace.

    Args:
        path: the file; its encoding is that of its byte order mark or XML declaration.
        root: local name that the root element must have.
        tags: local names of elements to yield, beside the root.
        units: those among `tags` that are emptied once their end was yielded.

    Raises:
        InputError: it is not well-formed, declares entities, or has another root.
    """
    name = os.fspath(path)
    wanted = [f"{{*}}{tag}" for tag in (root, *tags)]
    with open_bytes(path) as stream:
        context = etree.iterparse(
            stream,
            events=("start", "end"),
            tag=wanted,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
        )
        seen_root = False
        try:
            for event, element in context:
                if not seen_root:
                    seen_root = True
                    _check_root(element, root, name)
                yield event, element
                if event == "end" and local_name(element) in units:
                    _forget(element)
        except etree.XMLSyntaxError as error:
            raise InputError(_not_well_formed(error, context.error_log, name)) from None
    if not seen_root:
        found = "" if context.root is None else f", found <{local_name(context.root)}>"
        raise InputError(
            f"{name}: expected XML with the root <{root}>{found}. Check format and path."
        )


def _check_root(element: Any, root: str, name: str) -> None:
    tree = element.getroottree()
    dtd = tree.docinfo.internalDTD
    declared = [] if dtd is None else list(dtd.iterentities())
    if declared:
        raise InputError(
            f"{name}: its DOCTYPE declares the entity {declared[0].name!r}; expected none, since "
            "entities can pull in other files or grow without end. Replace them by their text and "
            "remove the declarations."
        )
    if local_name(tree.getroot()) != root:
        raise InputError(
            f"{name}: expected XML with the root <{root}>, found <{local_name(tree.getroot())}>. "
            "Check format and path."
        )


def _not_well_formed(error: Any, log: Any, name: str) -> str:
    # The error only says that nothing was found where an entity that nobody declares ends it all.
    line, cause = next(((entry.line, entry.message) for entry in log), (error.lineno, error.msg))
    return (
        f"{name}, line {line or 1}: not well-formed XML ({cause.strip()}). Mend the file; what "
        "follows a broken place cannot be read, so it cannot be set aside either."
    )


def _forget(element: Any) -> None:
    element.clear(keep_tail=False)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def local_name(element: Any) -> str:
    """Return an element's name without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: Any, name: str) -> list[Any]:
    """Return the direct children of a local name."""
    return [child for child in element if local_name(child) == name]


def child(element: Any, name: str) -> Any | None:
    """Return the first direct child of a local name, or None."""
    return next((child for child in element if local_name(child) == name), None)


def language_of(element: Any) -> str:
    """Return an element's language: `xml:lang`, or the older `lang`, or ""."""
    return element.get(XML_LANG) or element.get("lang") or ""


def inline_text(element: Any, without: Collection[str], name: str) -> str:
    """Return the text of an element: tags are taken off, and some with what they hold.

    Line ends and tabs are layout of the file; with the blanks around them they become one blank.

    Args:
        element: a segment.
        without: local names of inline elements whose content is code and no text.
        name: names the file in a message.

    Raises:
        InputError: there is an entity that nothing declares.
    """
    return tidy("".join(_pieces(element, without, name)))


def tidy(text: str) -> str:
    """Make one blank of line ends and tabs with the blanks around them; none at the ends."""
    if not any(mark in text for mark in "\n\r\t"):
        return text.strip(" ")
    lines = text.replace("\r", "\n").replace("\t", "\n").split("\n")
    return " ".join(filter(None, (line.strip(" ") for line in lines)))


def _pieces(element: Any, without: Collection[str], name: str) -> Iterator[str]:
    yield element.text or ""
    for part in element:
        if part.tag is etree.Entity:
            raise InputError(
                f"{name}, line {part.sourceline}: the entity {part.text} is not declared; expected "
                "text. Write the character itself."
            )
        if local_name(part) and local_name(part) not in without:
            yield from _pieces(part, without, name)
        yield part.tail or ""
