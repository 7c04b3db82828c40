"""How text becomes words: the part of the settings that a model must remember to be used later."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from tasks.rules.style import RuleStyle
from tasks.text.config import Segmenter, Units, Variant, WantedScript

RECIPE_FILE = "recipe.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecipe:
    """How words are made; a model only understands words that were made in its own way."""

    segmenter: Segmenter = "rjieba"
    user_words: bool = False
    script: WantedScript = "keep"
    variant: Variant = "standard"
    protected_names: tuple[str, ...] = ()
    lowercase: bool = True
    source_units: Units = "words"
    target_units: Units = "words"
    style: RuleStyle = field(default_factory=RuleStyle)

    @property
    def has_units(self) -> bool:
        """Say whether the model reads or writes something smaller than words."""
        return self.source_units != "words" or self.target_units != "words"

    def to_bytes(self) -> bytes:
        """Return the recipe as the JSON file that travels with a model."""
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode() + b"\n"

    @staticmethod
    def of_model(files: Mapping[str, bytes]) -> "WordRecipe":
        """Read the recipe among a model's files."""
        value = json.loads(files[RECIPE_FILE])
        names = tuple(value.get("protected_names", ()))
        style = RuleStyle(**value["style"])
        return WordRecipe(**{**value, "style": style, "protected_names": names})
