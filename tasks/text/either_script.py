"""A phrase as people may type it: in the script of the memory, or in the other one."""

from collections.abc import Iterator

from tasks.text.conversion import Converter
from tasks.text.script import normalise


def in_either_script(text: str) -> Iterator[str]:
    """Yield a phrase without blanks, as it is first, then in Simplified and in Traditional.

    The tables of the converter are read only by those who ask for more than the first one.
    """
    plain = "".join(normalise(text).split())
    yield plain
    simplified = Converter("simplified", "standard").convert(plain).text
    traditional = Converter("traditional", "standard").convert(plain).text
    yield from dict.fromkeys(form for form in (simplified, traditional) if form != plain)
