"""Pure code has no folder, no clock and no pickle: found by walking its syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

FORBIDDEN_CALLS = {"print", "open", "eval", "exec", "input"}
FORBIDDEN_NAMES = {
    "datetime.now", "datetime.utcnow", "datetime.datetime.now", "date.today", "datetime.date.today",
    "time.time", "torch.save", "torch.load", "np.save", "np.load", "numpy.save", "numpy.load",
    "os.environ", "os.getenv", "os.getcwd",
}  # fmt: skip
FORBIDDEN_MODULES = {"pickle", "shelve", "marshal", "dill", "joblib", "subprocess", "socket"}
FOLDER_MODULES = {"pathlib", "tempfile", "shutil"}
LONGEST_FILE = 400


def pure_files() -> list[Path]:
    """Return the files of model/ and of the packages below tasks/."""
    return sorted(
        path
        for pattern in ("model/**/*.py", "tasks/*/**/*.py")
        for path in ROOT.glob(pattern)
        if path.name != "__init__.py"
    )


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a chain of attributes, or an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def impurities(source: str, *, may_open: bool) -> Iterator[str]:
    """Yield what pure code must not hold."""
    calls = FORBIDDEN_CALLS - ({"open"} if may_open else set())
    modules = FORBIDDEN_MODULES | (set() if may_open else FOLDER_MODULES)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if top(alias.name) in modules)
        elif isinstance(node, ast.ImportFrom) and top(node.module or "") in modules:
            yield node.module or ""
        elif isinstance(node, ast.Call) and dotted(node.func) in calls:
            yield f"{dotted(node.func)}()"
        elif isinstance(node, ast.Attribute) and dotted(node) in FORBIDDEN_NAMES:
            yield dotted(node)


def top(module: str) -> str:
    return module.split(".")[0]


@pytest.mark.parametrize("path", pure_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pure_code_has_no_folder_clock_or_pickle(path: Path) -> None:
    may_open = path.parent.name == "readers"
    assert list(impurities(path.read_text(), may_open=may_open)) == []


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "def f():\n    open('x')",
        "from pathlib import Path",
        "import pickle",
        "from pickle import loads",
        "import torch\ntorch.save({}, 'x')",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime\ndatetime.now()",
        "import os\nos.environ['X']",
    ],
)
def test_the_walk_sees_impure_code(source: str) -> None:
    assert list(impurities(source, may_open=False))


def test_readers_may_open_and_nothing_else() -> None:
    assert list(impurities("from pathlib import Path\nopen('x')", may_open=True)) == []
    assert list(impurities("import pickle\nprint(1)", may_open=True)) == ["pickle", "print()"]


def test_nothing_unpickles_a_file() -> None:
    for room in ("flows", "tasks", "model", "storage"):
        for path in (ROOT / room).rglob("*.py"):
            found = [name for name in impurities(path.read_text(), may_open=True)]
            assert not {"pickle", "torch.load", "np.load"} & set(found), path


def test_no_file_is_too_long() -> None:
    rooms = ("flows", "tasks", "model", "storage", "tests", "benchmarks")
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
    }
    assert {name: count for name, count in lengths.items() if count > LONGEST_FILE} == {}


def test_test_files_have_unique_names() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
