"""The code digest of a step sees what can shape its output, by the name of the function, and
nothing else.

A small project with rooms of the same names is fingerprinted, before and after each edit, in a
process of its own.
"""

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.support import ROOT

FILES = {
    "tasks/__init__.py": "",
    "tasks/demo.py": '''
"""A step."""
import json
import numpy
from typing import TYPE_CHECKING
from tasks.progress import track
from tasks.step import step
from tasks.topic import sibling
from tasks.topic.helper import Tool, double

if TYPE_CHECKING:
    from tasks.topic.deeper import deep

LIMIT, OTHER = 3, 4
FACTOR: int = 2
TABLE = {"a": 1}
TABLE["b"] = 2
NAMES = []
NAMES.append("c")
if OTHER:
    SWITCH = 1


@step(writes=("pairs",), retry_delays_seconds=(1.0,))
def demo(workspace, *, number):
    """Say what."""
    from model.thing import think

    # Why.
    total = double(number) + LIMIT * FACTOR + TABLE["b"] + len(NAMES) + SWITCH
    return think(total, local(number), Tool().use(), numpy.zeros(1), track([1]))


def local(x):
    return x + sibling.ONE


def unused():
    return json.dumps(1)
''',
    "tasks/topic/__init__.py": "",
    "tasks/topic/helper.py": '''
"""Helpers."""
import math
from tasks.topic.deeper import deep


def double(x):
    """Double it."""
    return deep(x) * math.floor(2.5)


class Tool:
    """A tool."""

    size: int = 1
    """How large."""

    def use(self):
        """Use it."""
        return self.size
''',
    "tasks/topic/deeper.py": "def deep(x):\n    return x + 1\n",
    "tasks/topic/sibling.py": "ONE = 1\n",
    "tasks/topic/unrelated.py": "TWO = 2\n",
    "tasks/reports/__init__.py": "",
    "tasks/reports/html.py": "HEAD = '<html>'\n",
    "model/__init__.py": "",
    "model/thing.py": "from .other import think\n",
    "model/other.py": "def think(*all):\n    return all\n",
}

EDITS: dict[str, tuple[str, str, str, set[str]]] = {
    # What the edit is: file, before, after, and the functions that must be named.
    "the step's own body": (
        "tasks/demo.py",
        "double(number) + LIMIT",
        "double(number) - LIMIT",
        {"tasks.demo:demo"},
    ),
    "a function of its file": (
        "tasks/demo.py",
        "return x + sibling",
        "return x - sibling",
        {"tasks.demo:local"},
    ),
    "a constant among several": (
        "tasks/demo.py",
        "= 3, 4",
        "= 5, 4",
        {"tasks.demo:LIMIT", "tasks.demo:OTHER"},
    ),
    "a constant with a type": (
        "tasks/demo.py",
        "FACTOR: int = 2",
        "FACTOR: int = 3",
        {"tasks.demo:FACTOR"},
    ),
    "a key of a table": ("tasks/demo.py", '["b"] = 2', '["b"] = 3', {"tasks.demo:TABLE"}),
    "a call at the top": ("tasks/demo.py", 'append("c")', 'append("d")', {"tasks.demo:NAMES"}),
    "a condition at the top": (
        "tasks/demo.py",
        "SWITCH = 1",
        "SWITCH = 2",
        {"tasks.demo:SWITCH", "tasks.demo:OTHER"},
    ),
    "a helper": (
        "tasks/topic/helper.py",
        "deep(x) *",
        "deep(x) +",
        {"tasks.topic.helper:double"},
    ),
    "a helper's helper": ("tasks/topic/deeper.py", "x + 1", "x + 2", {"tasks.topic.deeper:deep"}),
    "a module imported from its package": (
        "tasks/topic/sibling.py",
        "ONE = 1",
        "ONE = 3",
        {"tasks.topic.sibling:ONE"},
    ),
    "a method": (
        "tasks/topic/helper.py",
        "return self.size",
        "return -self.size",
        {"tasks.topic.helper:Tool.use"},
    ),
    "a field's default": (
        "tasks/topic/helper.py",
        "size: int = 1",
        "size: int = 2",
        {"tasks.topic.helper:Tool"},
    ),
    "what is imported": (
        "tasks/topic/helper.py",
        "import math",
        "import cmath as math",
        {"tasks.topic.helper:imports"},
    ),
    "a model behind a relative import": (
        "model/other.py",
        "return all",
        "return all[0]",
        {"model.other:think"},
    ),
    "a comment": ("tasks/demo.py", "# Why.", "# Because.", set()),
    "a docstring of the step": ("tasks/demo.py", '"""Say what."""', '"""Say it."""', set()),
    "no docstring": ("tasks/demo.py", '    """Say what."""\n', "", set()),
    "a docstring of a module": ("tasks/topic/helper.py", '"""Helpers."""', '"""Help."""', set()),
    "a docstring of a helper": ("tasks/topic/helper.py", '"""Double it."""', '"""2x."""', set()),
    "a docstring of a method": ("tasks/topic/helper.py", '"""Use it."""', '"""Do."""', set()),
    "a docstring of a field": ("tasks/topic/helper.py", '"""How large."""', '"""Size."""', set()),
    "formatting": (
        "tasks/topic/helper.py",
        "deep(x) * math.floor(2.5)",
        "(\n        deep( x )\n        * math.floor(2.50)\n    )",
        set(),
    ),
    "the order of definitions": (
        "tasks/topic/sibling.py",
        "ONE = 1\n",
        "\n\n\n# moved\nONE = 1\n",
        set(),
    ),
    "how often the step is tried again": (
        "tasks/demo.py",
        "retry_delays_seconds=(1.0,)",
        "retry_delays_seconds=(2.0, 3.0)",
        set(),
    ),
    "a function that the step does not use": (
        "tasks/demo.py",
        "json.dumps(1)",
        "json.dumps(2)",
        set(),
    ),
    "a module that the step does not reach": (
        "tasks/topic/unrelated.py",
        "TWO = 2",
        "TWO = 3",
        set(),
    ),
    "an import for types only": (
        "tasks/demo.py",
        "    from tasks.topic.deeper import deep\n",
        "    from tasks.topic.helper import Tool\n",
        set(),
    ),
    "a report template": ("tasks/reports/html.py", "<html>", "<html lang='en'>", set()),
    "the machinery of steps": (
        "tasks/progress.py",
        "EVERY_SECONDS = 1.0",
        "EVERY_SECONDS = 2.0",
        set(),
    ),
    "storage": ("storage/files.py", 'PARTIAL = ".partial"', 'PARTIAL = ".part"', set()),
}

PROBE = """
import json, sys
from pathlib import Path
from tasks import fingerprint as room
from tasks.demo import demo

def look():
    for name in ("_fingerprint", "_load", "_imported_by", "_module_digests", "_digest"):
        getattr(room, name).cache_clear()
    found = demo.fingerprint()
    return {"digest": found.digest, "functions": dict(found.functions),
            "libraries": dict(found.libraries)}

answers = {"before": look()}
for name, (file, before, after) in json.load(sys.stdin).items():
    path = Path(file)
    text = path.read_text()
    assert before in text, (name, file, before)
    path.write_text(text.replace(before, after))
    answers[name] = look()
    path.write_text(text)
answers["after"] = look()
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the fingerprint before, after each edit, and after all were undone."""
    project = tmp_path_factory.mktemp("fingerprints")
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    for path in (ROOT / "tasks").glob("*.py"):
        if not (project / "tasks" / path.name).exists():
            shutil.copy(path, project / "tasks")
    shutil.copytree(ROOT / "storage", project / "storage")
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project)},
        input=json.dumps({name: edit[:3] for name, edit in EDITS.items()}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_seen_only_if_it_can_shape_the_output(found: dict[str, Any], edit: str) -> None:
    before, now = found["before"], found[edit]
    named = {
        name
        for name in before["functions"].keys() | now["functions"].keys()
        if before["functions"].get(name) != now["functions"].get(name)
    }
    assert named == EDITS[edit][3]
    assert (before["digest"] != now["digest"]) == bool(named)


def test_undoing_every_edit_gives_the_first_digest_again(found: dict[str, Any]) -> None:
    assert found["after"] == found["before"]


def test_the_versions_of_imported_libraries_are_told(found: dict[str, Any]) -> None:
    import importlib.metadata

    assert found["before"]["libraries"] == {
        "numpy": importlib.metadata.version("numpy"),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }


def test_the_steps_of_the_project_see_what_they_compute_with() -> None:
    from tasks.collect import select
    from tasks.mine import mine
    from tasks.train import train

    mined = mine.fingerprint()
    assert "tasks.mine:mine" in mined.functions
    assert any(name.startswith("tasks.mining.extraction:") for name in mined.functions)
    assert not any(name.startswith(("tasks.rules", "model.")) for name in mined.functions)
    assert "torch" not in mined.libraries
    trained = train.fingerprint()
    assert "tasks.train:train" in trained.functions
    assert any(name.startswith("model.fit:") for name in trained.functions)
    assert "torch" in trained.libraries
    # The query that scores is code of its step, and the engine that runs it a library of its.
    assert "tasks.mining.selection:SELECT_PHRASES" in select.fingerprint().functions
    assert "duckdb" in select.fingerprint().libraries


def test_looking_at_code_imports_no_model() -> None:
    command = (
        "import sys; from tasks.train import train; train.fingerprint(); "
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=True)
