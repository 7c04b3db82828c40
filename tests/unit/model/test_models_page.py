"""The pages on models name what exists, and have a whole entry for every system."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import torch

from model.config import SYSTEMS, ModelConfig
from model.translator import Translator
from tests.support import ROOT

INDEX = ROOT / "docs" / "models.md"
FOLDER = ROOT / "docs" / "models"
PAGES = [INDEX, *sorted(FOLDER.glob("*.md"))]
TEXT = " ".join(" ".join(page.read_text(encoding="utf-8") for page in PAGES).split())
PLACES = sorted(set(re.findall(r"`((?:model|tasks)/[\w/]+\.py): ([\w.]+)`", TEXT)))
PARTS = ("Parameters: ", "| equation | where |", "Switches: ", "Differences from the paper: ",
         "Differences from the released code: ", "```mermaid\nflowchart")  # fmt: skip


@cache
def names(file: str) -> frozenset[str]:
    found = set()
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)}
    return frozenset(found)


@cache
def entries() -> dict[str, tuple[Path, str]]:
    found: dict[str, tuple[Path, str]] = {}
    for page in PAGES:
        for part in page.read_text(encoding="utf-8").split("\n## ")[1:]:
            heading = re.match(r"`([^`]+)`\n", part)
            if heading:
                assert heading[1] not in found, f"{heading[1]} has two entries"
                found[heading[1]] = (page, part)
    return found


def anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_each_place_that_a_page_names_exists(file: str, name: str) -> None:
    assert name in names(file)


def test_the_pages_name_many_places_and_exactly_the_systems() -> None:
    assert len(PLACES) > 40
    assert set(entries()) == set(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_has_a_whole_entry_that_the_index_links(system: str) -> None:
    page, entry = entries()[system]
    assert [part for part in PARTS if part not in entry] == []
    assert len(re.findall(r"^\| .* \| .*`model/\w+\.py: [\w.]+`", entry, re.M)) >= 3
    link = f"[`{system}`](models/{page.name}#{anchor(system)})"
    assert link in INDEX.read_text(encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_has_as_many_parameters_as_its_entry_says(system: str) -> None:
    _, entry = entries()[system]
    found = re.search(r"Parameters: ([\d,]+) \(([\d,]+) words a side", entry)
    assert found is not None
    parameters, words = (int(number.replace(",", "")) for number in found.groups())
    width = re.search(r"E = H = (\d+)", entry)
    sizes = {"embedding": int(width[1]), "hidden": int(width[1])} if width else {}
    with torch.device("meta"):
        made = Translator(ModelConfig(system=system, **sizes), words, words)  # type: ignore[arg-type]
    assert sum(parameter.numel() for parameter in made.parameters()) == parameters


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
