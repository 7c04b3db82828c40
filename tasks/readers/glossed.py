"""Read a dictionary whose lines hold a headword with its glosses, whatever their syntax is."""

import itertools
from collections.abc import Callable, Iterator

from tasks.readers.entries import Found, bad_line, read_texts
from tasks.readers.glosses import Headword, Strictness, choose_translations
from tasks.readers.lines import Encoding, PathLike
from tasks.readers.records import SetAside


def read_glossed(
    path: PathLike,
    parse: Callable[[str, int], Headword | None],
    form: str,
    strictness: Strictness,
    encoding: Encoding = "utf-8",
) -> Iterator[Found]:
    """Yield one record for each line that is neither blank nor a comment; faults come first.

    Args:
        path: the file.
        parse: reads one line, of a number; None if it does not have the form.
        form: what a line should be, for a message.
        strictness: how much a gloss has to show before it is taken.
        encoding: how the file is encoded.
    """
    faults: list[SetAside] = []

    def headwords() -> Iterator[Headword]:
        for item in read_texts(path, encoding):
            if isinstance(item, SetAside):
                faults.append(item)
            elif not item[1].startswith("#"):
                number, text = item
                headword = parse(text, number)
                if headword is None:
                    faults.append(bad_line(path, number, text, form, "format"))
                else:
                    yield headword

    # The first entry is chosen once all lines were read, and the faults are known by then.
    found = choose_translations(headwords(), strictness)
    first = list(itertools.islice(found, 1))
    yield from faults
    yield from first
    yield from found
