"""The code digest of a step: everything that can shape its output, and nothing else.

Covered are the step's own function, the definitions in its file that it uses, and every module of
`tasks/<topic>` and `model` that it reaches through imports, as syntax trees without comments and
docstrings. `storage` counts by the schema versions it writes (see `tasks/step.py`); the machinery
of steps itself does not count. Digests are kept for each function, so that `status --why` can name
the one that changed. Modules are read as text and not imported, so this never loads torch.
"""

import ast
import hashlib
import importlib.metadata
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

MACHINERY = frozenset(
    f"tasks.{name}"
    for name in (
        "arguments",
        "execution",
        "fingerprint",
        "history",
        "observer",
        "own_process",
        "prefect_call",
        "progress",
        "raised",
        "run",
        "side_by_side",
        "step",
        "training_trackers",
        "usage",
        "window",
    )
)
"""Modules that carry steps and never shape what one computes."""

_PARSER = threading.Lock()
"""CPython's parser keeps its recursion depth for the whole interpreter (python/cpython#106905)."""

_COUNTED = ("tasks", "model")
_DISTRIBUTIONS = {"thot": "sil-thot", "ahocorasick_rs": "ahocorasick-rs"}
"""Import names that differ from the name under which the package is installed."""


@dataclass(frozen=True, slots=True)
class CodeFingerprint:
    """What a step's code looks like now."""

    digest: str
    functions: Mapping[str, str]
    """`module:definition` to the digest of its syntax tree."""
    libraries: Mapping[str, str]
    """Distribution to installed version, for each third-party package that the code imports."""


@dataclass(frozen=True, slots=True)
class _Module:
    name: str
    tree: ast.Module
    is_package: bool


def fingerprint(function: Callable[..., Any], libraries: tuple[str, ...] = ()) -> CodeFingerprint:
    """Return the fingerprint of a step's function as its source stands on disk.

    Args:
        function: the undecorated function; its file is read, not the function object.
        libraries: distributions that shape the output without being imported by the code, such as
            the engine that runs its queries.
    """
    with _PARSER:
        return _fingerprint(function.__module__, function.__qualname__, libraries)


def read_again() -> None:
    """Forget what was read: fingerprints are then of the sources as they stand on disk now."""
    with _PARSER:
        for kept in (_fingerprint, _load, _imported_by, _module_digests):
            kept.cache_clear()


@lru_cache(maxsize=256)
def _fingerprint(module_name: str, qualname: str, libraries: tuple[str, ...]) -> CodeFingerprint:
    home = _load(module_name)
    assert home is not None, f"the source of {module_name} cannot be found"
    used = _definitions_used(home.tree, qualname)
    functions = {f"{module_name}:{name}": _digest_of_all(nodes) for name, nodes in used.items()}
    nodes = [node for found in used.values() for node in found]
    imported = set(_imports(home, _statements_for(home.tree, nodes)))
    for module in _closure(name for name in imported if _counts(name)):
        functions.update(_module_digests(module.name))
        imported |= set(_imported_by(module.name))
    whole = hashlib.sha256(
        "\n".join(f"{name} {digest}" for name, digest in sorted(functions.items())).encode()
    )
    versions = {name: importlib.metadata.version(name) for name in libraries}
    versions |= _library_versions(imported)
    versions["python"] = f"{sys.version_info.major}.{sys.version_info.minor}"
    return CodeFingerprint(whole.hexdigest()[:32], functions, versions)


def _counts(name: str) -> bool:
    if name in MACHINERY or name == "tasks":
        return False
    return name.split(".")[0] in _COUNTED


@lru_cache(maxsize=1024)
def _load(name: str) -> _Module | None:
    """Read a module's source, or return None if there is no such module."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    tree = ast.parse(Path(spec.origin).read_bytes())
    return _Module(name, tree, spec.submodule_search_locations is not None)


def _closure(names: Iterable[str]) -> list[_Module]:
    """Return the modules of these names and all that they reach by imports that count."""
    waiting, seen, found = sorted(set(names)), set[str](), list[_Module]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        module = _load(name)
        if module is None:
            continue
        found.append(module)
        waiting += [other for other in _imported_by(name) if _counts(other)]
    return sorted(found, key=lambda module: module.name)


@lru_cache(maxsize=1024)
def _imported_by(name: str) -> tuple[str, ...]:
    """Return the names of all modules that a module imports; many steps reach the same ones."""
    module = _load(name)
    return () if module is None else tuple(dict.fromkeys(_imports(module, [module.tree])))


def _imports(module: _Module, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of the modules that are imported anywhere below the nodes."""
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = _absolute(module, node)
                yield base
                # `from tasks.mining import extraction` imports a module, not a name.
                if _is_package(base):
                    names = (f"{base}.{alias.name}" for alias in node.names)
                    yield from (name for name in names if _load(name) is not None)


def _is_package(name: str) -> bool:
    # Only packages are asked for their parts, since to look into a module would import it.
    module = _load(name) if name.split(".")[0] in _COUNTED else None
    return module is not None and module.is_package


def _absolute(module: _Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    keep = len(parts) - node.level + (1 if module.is_package else 0)
    return ".".join(parts[:keep] + ([node.module] if node.module else []))


def _library_versions(imported: Iterable[str]) -> dict[str, str]:
    own = {"flows", "tasks", "model", "storage", ""}
    tops = {name.split(".")[0] for name in imported} - own - set(sys.stdlib_module_names)
    names = sorted(_DISTRIBUTIONS.get(top, top) for top in tops)
    return {name: _version(name) for name in names if name != "prefect"}


def _version(name: str) -> str:
    """Return the version of a library; one that is an option, as Triton is, may not be there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _definitions_used(tree: ast.Module, qualname: str) -> dict[str, list[ast.stmt]]:
    """Return what defines a name of a file and the names of the same file that it uses."""
    defined: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for name in _names_defined(node):
            defined.setdefault(name, []).append(node)
    waiting, used = [qualname.split(".")[0]], dict[str, list[ast.stmt]]()
    while waiting:
        name = waiting.pop()
        if name in used or name not in defined:
            continue
        used[name] = defined[name]
        waiting += [child for node in used[name] for child in _names_in(node)]
    return used


def _names_defined(node: ast.stmt) -> list[str]:
    """Return the names that a top-level statement makes or may change."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [name for target in node.targets for name in _names_in(target)]
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        return _names_in(node.target)
    if isinstance(node, ast.Import | ast.ImportFrom) or _is_for_types_only(node):
        return []
    # A call, a loop or a condition at the top may change whatever it speaks of.
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    inner = [child.name for child in ast.walk(node) if isinstance(child, nested)]
    return list(dict.fromkeys([*_names_in(node), *inner]))


def _names_in(node: ast.AST) -> list[str]:
    return [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]


def _statements_for(tree: ast.Module, used: Iterable[ast.AST]) -> list[ast.AST]:
    """Return the used definitions and the import statements that bring the names they use."""
    nodes = list(used)
    names = {name for node in nodes for name in _names_in(node)}
    return nodes + [
        node
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and names & set(_names_bound(node))
    ]


def _names_bound(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.asname or alias.name.split(".")[0] for alias in node.names]


@lru_cache(maxsize=1024)
def _module_digests(name: str) -> Mapping[str, str]:
    module = _load(name)
    assert module is not None
    parts: dict[str, list[str]] = {}
    for node in module.tree.body:
        for part, piece in _pieces(node):
            parts.setdefault(f"{name}:{part}", []).append(_digest(piece))
    # Import statements are sorted, since their order means nothing; that of others does.
    return {
        part: _joined(sorted(digests) if part.endswith(":imports") else digests)
        for part, digests in parts.items()
    }


def _pieces(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    """Split a top-level statement into named pieces: methods apart from their class."""
    if isinstance(node, ast.ClassDef):
        methods = [
            item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        for method in methods:
            yield f"{node.name}.{method.name}", method
        rest = [item for item in node.body if item not in methods]
        yield node.name, ast.ClassDef(**{**_fields(node), "body": rest})
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield "imports", node
    elif not _is_docstring(node) and not _is_for_types_only(node):
        names = _names_defined(node)
        yield (names[0] if names else "statements"), node


def _fields(node: ast.AST) -> dict[str, Any]:
    return dict(ast.iter_fields(node))


def _digest_of_all(nodes: Iterable[ast.AST]) -> str:
    return _joined([_digest(node) for node in nodes])


def _joined(digests: list[str]) -> str:
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


@lru_cache(maxsize=8192)
def _digest(node: ast.AST) -> str:
    """Hash a syntax tree without positions, comments, docstrings and step decorators."""
    plain = _WithoutDocstrings().visit(_copied(node))
    return hashlib.sha256(ast.dump(plain).encode()).hexdigest()[:16]


def _copied(node: ast.AST) -> ast.AST:
    """Copy the lists of statements of a tree, so that removing docstrings leaves the original."""
    fields: dict[str, Any] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            fields[name] = [_copied(i) if isinstance(i, ast.AST) else i for i in value]
        else:
            fields[name] = _copied(value) if isinstance(value, ast.AST) else value
    return type(node)(**fields)


class _WithoutDocstrings(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            # A bare string below an attribute is its documentation as well.
            node.body = [item for item in node.body if not _is_docstring(item)]
            node.decorator_list = [item for item in node.decorator_list if not _is_step(item)]
        return node


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_for_types_only(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def _is_step(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else node
    return isinstance(called, ast.Name) and called.id == "step"
