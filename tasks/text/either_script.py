"""A phrase as people may type it: in the script of the memory, or in the other one."""

from tasks.text.conversion import Converter
from tasks.text.script import normalise


def in_either_script(text: str) -> list[str]:
    """Return a phrase without blanks, as it is first, then in Simplified and in Traditional."""
    plain = "".join(normalise(text).split())
    simplified = Converter("simplified", "standard").convert(plain).text
    traditional = Converter("traditional", "standard").convert(plain).text
    return list(dict.fromkeys([plain, simplified, traditional]))
