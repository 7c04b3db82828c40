"""Language tags as files write them: `zh`, `ZH-cn`, `zh_Hans_CN`, `en_US`, `cmn-Hant`.

They compare without case, and a wanted tag asks only for what it says: `zh` takes any Chinese,
while `zh-TW` does not take a text marked as of the mainland. (BCP 47 tags, RFC 5646; the script
that goes without saying is that of the Unicode CLDR's likely subtags.)
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Direction = Literal["auto", "zh-en", "en-zh"]
"""From which language the file translates; `auto` asks the file, or what is usual for its format.
"""

_SAME_LANGUAGE = {
    "zho": "zh",
    "chi": "zh",
    "cmn": "zh",
    "chinese": "zh",
    "eng": "en",
    "english": "en",
}
_SCRIPT_OF_REGION = {
    "cn": "hans", "sg": "hans", "my": "hans", "tw": "hant", "hk": "hant", "mo": "hant",
}  # fmt: skip
_SCRIPT_OF_NAME = {"chs": "hans", "cht": "hant"}
_SEPARATOR = re.compile(r"[-_.@]")


@dataclass(frozen=True, slots=True)
class Language:
    """A language, and the script and region where they are said or go without saying."""

    name: str
    script: str
    region: str


def parse_language(tag: str) -> Language:
    """Read a language tag of any spelling; unknown subtags are not looked at."""
    first, *rest = _SEPARATOR.split(tag.strip().lower())
    name = _SAME_LANGUAGE.get(first, first)
    script = next((part for part in rest if len(part) == 4 and part.isalpha()), "")
    script = script or next((_SCRIPT_OF_NAME[part] for part in rest if part in _SCRIPT_OF_NAME), "")
    region = next((part for part in rest if re.fullmatch(r"[a-z]{2}|\d{3}", part)), "")
    if name == "zh":
        script = script or _SCRIPT_OF_REGION.get(region, "")
    return Language(name, script, region)


@lru_cache(maxsize=256)
def is_language(tag: str, wanted: str) -> bool:
    """Say whether a text with a tag is of the language that is wanted.

    What the text's tag leaves open is taken for what is wanted, except that Chinese without a
    script is Simplified.
    """
    found, asked = parse_language(tag), parse_language(wanted)
    if not found.name or found.name != asked.name:
        return False
    if asked.name == "zh" and asked.script and (found.script or "hans") != asked.script:
        return False
    return not (asked.region and found.region) or asked.region == found.region
