"""What a trained model says of itself, read from its small files: its words and its room."""

import json
from dataclasses import replace

from model.config import SYSTEMS
from storage.registry import ModelEntry
from storage.workspace import Workspace
from tasks.mining.config import MemoryConfig
from tasks.recipe import RECIPE_FILE, WordRecipe

CONFIG_FILE = "config.json"


def recipe_of(workspace: Workspace, entry: ModelEntry) -> WordRecipe:
    """Return how a model's words are made."""
    path = workspace.folder_of(entry.ref) / RECIPE_FILE
    return WordRecipe.of_model({RECIPE_FILE: path.read_bytes()})


def offered_to(workspace: Workspace, entry: ModelEntry, config: MemoryConfig) -> MemoryConfig:
    """Return the rules of tagging for a model: it is offered no more phrases than it takes.

    A system without phrase memory takes none; what it is offered only says what to look for.
    """
    if SYSTEMS[entry.system].phrase_memory == "none":
        return config
    path = workspace.folder_of(entry.ref) / CONFIG_FILE
    model = json.loads(path.read_bytes())["model"]
    room = {
        name: min(getattr(config, name), model.get(name, getattr(config, name)))
        for name in ("phrase_slots", "phrase_candidates")
    }
    return replace(config, **room)
