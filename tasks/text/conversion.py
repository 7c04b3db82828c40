"""Tell Traditional from Simplified Chinese, a sentence at a time, and convert on request.

A character is a sign of a script if the old standard set of that script has it (Big5, GB 2312) and
the other set has not. OpenCC converts; in names only what is no good character of the wanted script
is converted, so that 徐乾學 becomes 徐乾学 and 乾安 stays, where 乾 (dry) would become 干.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Literal

import ahocorasick_rs
import opencc

from tasks.text.config import Variant, WantedScript

Script = Literal["simplified", "traditional", "mixed", "unknown"]

_CONFIGS = {
    ("simplified", "standard"): "t2s",
    ("simplified", "taiwan"): "tw2sp",
    ("simplified", "hongkong"): "hk2s",
    ("traditional", "standard"): "s2t",
    ("traditional", "taiwan"): "s2twp",
    ("traditional", "hongkong"): "s2hk",
}
_SETS = {"simplified": "gb2312", "traditional": "big5"}

NAMES = (
    ["乾安", "乾安县", "乾縣", "乾县", "乾陵", "乾隆", "乾元", "乾清宫", "乾清宮", "乾德", "乾宁"]
    + ["徐乾學", "徐乾学", "乾寧", "康乾", "於潜", "於潛", "於陵", "於菟", "樊於期", "於梨華"]
    + ["於梨华", "幺麼", "徵羽", "宫商角徵羽", "宮商角徵羽", "魏徵", "文徵明", "尉遲恭", "周敦頤"]
)
"""Names with characters that stay in Simplified text, whatever they become elsewhere."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A text, the script that it was in, and what converted it."""

    text: str
    script: Script
    converter: str
    """Library, version and configuration; empty if nothing was converted."""


def script_of(text: str) -> Script:
    """Say in which script a text is, by the characters that only one of them has."""
    if text.isascii():
        return "unknown"
    traditional, simplified = _signs()
    characters = [character for character in text if character > "\u2e7f"]
    more = sum(map(traditional.__contains__, characters))
    less = sum(map(simplified.__contains__, characters))
    if more == less:
        return "mixed" if more else "unknown"
    return "traditional" if more > less else "simplified"


class Converter:
    """Brings sentences to one script."""

    def __init__(self, wanted: WantedScript, variant: Variant, names: Iterable[str] = ()) -> None:
        """Prepare the conversion to a script.

        Args:
            wanted: the script; "keep" converts nothing.
            variant: whose usage the Traditional side follows; "taiwan" also exchanges terms.
            names: names to take care of, beside `NAMES`.
        """
        self._wanted = wanted
        if wanted == "keep":
            return
        config = _CONFIGS[wanted, variant]
        self._opencc = opencc.OpenCC(config)
        self._good = _SETS[wanted]
        self._label = f"OpenCC {version('OpenCC')} {config}"
        self._names = ahocorasick_rs.AhoCorasick(
            sorted({name for name in (*NAMES, *names) if name}),
            matchkind=ahocorasick_rs.MatchKind.LeftmostLongest,
        )

    def convert(self, text: str) -> Converted:
        """Convert a sentence, unless it is in the wanted script already."""
        script = script_of(text)
        if self._wanted == "keep" or script in (self._wanted, "unknown"):
            return Converted(text, script, "")
        pieces: list[str] = []
        position = 0
        for _, start, end in self._names.find_matches_as_indexes(text):
            pieces.append(self._opencc.convert(text[position:start]))
            pieces.append("".join(map(self._careful, text[start:end])))
            position = end
        pieces.append(self._opencc.convert(text[position:]))
        made = "".join(pieces)
        return Converted(made, script, self._label if made != text else "")

    def harms(self, name: str) -> bool:
        """Say whether a name would come out wrong if nobody took care of it."""
        return self._wanted != "keep" and self._opencc.convert(name) != "".join(
            map(self._careful, name)
        )

    def _careful(self, character: str) -> str:
        """Convert a character of a name, unless the wanted script has it."""
        return character if _has(self._good, character) else str(self._opencc.convert(character))


@cache
def _signs() -> tuple[frozenset[str], frozenset[str]]:
    """Return the characters that only Traditional, and only Simplified text has."""
    han = [chr(code) for code in range(0x4E00, 0xA000)]
    big5 = {character for character in han if _has("big5", character)}
    gb2312 = {character for character in han if _has("gb2312", character)}
    return frozenset(big5 - gb2312), frozenset(gb2312 - big5)


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
