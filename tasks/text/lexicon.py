"""What dictionaries say about the words of Chinese: names to spare, and words to keep whole.

It is made of the dictionaries before any words are, and travels with a model, since a model only
understands words that were made in its own way.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tasks.text.config import WantedScript
from tasks.text.conversion import Converter
from tasks.text.script import normalise

LEXICON_FILE = "lexicon.json"

_NAMES = frozenset(["person", "location", "organization"])
_LONGEST_WORD = 8


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Names and words of the dictionaries."""

    names: tuple[str, ...] = ()
    """Names that a conversion of the script would harm."""
    words: tuple[str, ...] = ()
    """Words that the segmenter should know."""

    def to_bytes(self) -> bytes:
        """Return the lexicon as the JSON file that travels with a model."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=0).encode()

    @staticmethod
    def of_files(files: Mapping[str, bytes]) -> "Lexicon":
        """Read the lexicon among some files; an empty one if there is none."""
        if LEXICON_FILE not in files:
            return Lexicon()
        value = json.loads(files[LEXICON_FILE])
        return Lexicon(tuple(value["names"]), tuple(value["words"]))


def build_lexicon(
    entries: Iterable[Mapping[str, Any]], script: WantedScript, *, user_words: bool
) -> Lexicon:
    """Choose what to know of dictionary entries.

    Args:
        entries: rows of the kind `entries`.
        script: the script to which text is converted.
        user_words: whether the segmenter is to keep the phrases of the dictionaries whole.
    """
    plain = Converter(script, "standard")
    names: set[str] = set()
    words: set[str] = set()
    for entry in entries:
        source = normalise(entry["source"])
        if entry["category"] in _NAMES and plain.harms(source):
            names.add(source)
        if user_words and 1 < len(source) <= _LONGEST_WORD and " " not in source:
            words.add(plain.convert(source).text)
    return Lexicon(tuple(sorted(names)), tuple(sorted(words)))
