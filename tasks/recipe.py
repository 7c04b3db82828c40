"""How text becomes words: the part of the settings that a model must remember to be used later."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from tasks.rules.style import RuleStyle
from tasks.text.config import Segmenter

RECIPE_FILE = "recipe.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecipe:
    """How words are made; a model only understands words that were made in its own way."""

    segmenter: Segmenter = "jieba"
    lowercase: bool = True
    style: RuleStyle = field(default_factory=RuleStyle)

    def to_bytes(self) -> bytes:
        """Return the recipe as the JSON file that travels with a model."""
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode() + b"\n"

    @staticmethod
    def of_model(files: Mapping[str, bytes]) -> "WordRecipe":
        """Read the recipe among a model's files."""
        value = json.loads(files[RECIPE_FILE])
        return WordRecipe(**{**value, "style": RuleStyle(**value["style"])})
