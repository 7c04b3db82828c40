"""The page on models names what exists, and every system."""

import ast
import re

import pytest

from model.config import SYSTEMS
from tests.support import ROOT

PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`(model/\w+\.py): ([\w.]+)`", " ".join(PAGE.split()))))


def names(file: str) -> set[str]:
    found = set()
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)}
    return found


@pytest.mark.parametrize(("file", "name"), PLACES)
def test_each_place_that_the_page_names_exists(file: str, name: str) -> None:
    assert name in names(file)


def test_the_page_names_many_places_and_all_systems() -> None:
    assert len(PLACES) > 20
    assert [system for system in SYSTEMS if f"`{system}`" not in PAGE] == []
