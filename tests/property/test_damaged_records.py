"""Whatever becomes of any one value in the small files of a workspace or of an exported model, an
auditor gets an answer, or one error that says what is damaged: never a defect.
"""

import contextlib
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.audit_speed import SETTINGS, Size, build
from flows.cli import main
from storage.errors import InputError
from storage.exported import MARKER, ExportedModel, read_export, write_export
from storage.exports import Export
from storage.workspace import Workspace, open_workspace

STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    1 << 70,
    0.5,
    "",
    "odd",
    "../..",
    [],
    [1],
    {},
    {"odd": {}},
)
"""What stands in the place of a value."""
LIGHT = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value within a JSON value, the whole first."""
    yield path
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(value: Any, path: tuple[Any, ...], put: Any, *, leave_out: bool) -> Any:
    """Return a JSON value with one place changed or left out."""
    if not path:
        return put
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    if leave_out:
        del inner[path[-1]]
    else:
        inner[path[-1]] = put
    return copy


def damage(file: Path, data: st.DataObject) -> bool:
    """Change one value of a file; says whether it says something else now."""
    value = json.loads(file.read_bytes())
    path = data.draw(st.sampled_from(list(places(value))))
    put = data.draw(st.sampled_from(STRANGE))
    new = changed(value, path, put, leave_out=bool(path) and data.draw(st.booleans()))
    file.write_bytes(json.dumps(new, ensure_ascii=False, separators=(",", ":")).encode())
    return new != value or isinstance(put, bool)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Make a workspace with something in each of its folders."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "phrasenet.toml").write_text(SETTINGS, encoding="utf-8")
    workspace = open_workspace(folder / "workspace")
    small = Size(phrases=1000, evidence_each=2, pairs=1000, translations=1000)
    names = build(workspace, small)
    with workspace.lease():
        fill(workspace)
    return folder, names


def fill(workspace: Workspace) -> None:
    (entry,) = workspace.registry.entries()
    hashes = workspace.write_rows("tombstones", [{"kind": "line", "hash": "0" * 64}])
    body = {"decision": "promote", "model": entry.model_id, "author": "Li", "reason": "good"}
    promoted = workspace.ledger.append("decision", body)
    workspace.production.promote(entry.model_id, "good", promoted.sequence)
    workspace.registry.mark(entry.model_id, "a reason", promoted.sequence, promoted.time)
    workspace.tombstones.append("0" * 64, hashes, frozenset(["a"]), is_phrase=False)
    workspace.exports.keep("a", Export("out.tbx", "memory", promoted.time, (entry.ref,)))
    workspace.ledger.keep_code("0" * 32, {"tasks.made.up": "1" * 32})
    workspace.seals.make()


QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("verify",),
    ("verify", "--rebuild", "1"),
    ("explain", "PHRASE"),
    ("trace", "PAIR_ID", "--down"),
    ("trace", "test:00000777", "--down"),
    ("trace", "MODEL"),
    ("impact", "made-up"),
    ("impact", "PHRASE"),
    ("licences", "MODEL"),
    ("compare", "MODEL", "MODEL"),
    ("export", "out.jsonl"),
    ("export", "out.html"),
    ("withdraw", "made-up:none.tsv:778", "--reason", "asked", "--dry-run"),
)


def ask(*arguments: str) -> tuple[int, str]:
    """Ask an auditor's question; returns the exit code and what was printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(["audit", *arguments])
    return code, out.getvalue()


@LIGHT
@given(data=st.data())
def test_a_question_to_a_damaged_workspace_gets_an_answer_or_one_error(
    whole: tuple[Path, dict[str, str]], tmp_path: Path, data: st.DataObject
) -> None:
    folder, names = whole
    copy = fresh(folder, tmp_path)
    file = data.draw(st.sampled_from(json_files(copy / "workspace")))
    damage(file, data)
    question = data.draw(st.sampled_from(QUESTIONS))
    arguments = [names.get(word, word) for word in question]
    with contextlib.chdir(copy):
        code, printed = ask(*arguments)
    assert code in (0, 2), (file, printed)


@LIGHT
@given(data=st.data())
def test_verify_says_that_something_is_wrong(
    whole: tuple[Path, dict[str, str]], tmp_path: Path, data: st.DataObject
) -> None:
    copy = fresh(whole[0], tmp_path)
    file = data.draw(st.sampled_from(json_files(copy / "workspace")))
    is_damaged = damage(file, data)
    with contextlib.chdir(copy):
        code, printed = ask("verify", "--json")
    beside = file.parent.name == "exports" or file.name == "phrasenet-workspace.json"
    if is_damaged and not beside:
        assert code == 2, (file, printed)


DEEP = b"[" * 100_000
"""Python's reader of JSON gives up on it with an error of its own."""


def test_brackets_without_end_are_damage_and_no_defect(
    whole: tuple[Path, dict[str, str]], exported: Path, tmp_path: Path
) -> None:
    copy = fresh(whole[0], tmp_path)
    for file in json_files(copy / "workspace"):
        before = file.read_bytes()
        file.write_bytes(DEEP)
        with contextlib.chdir(copy):
            code, printed = ask("verify")
        assert code in (0, 2), (file, printed)
        file.write_bytes(before)
    copy = fresh(exported, tmp_path)
    for file in json_files(copy):
        before = file.read_bytes()
        file.write_bytes(DEEP)
        with pytest.raises(InputError, match="is damaged|is no exported model"):
            read_export(copy)
        file.write_bytes(before)


def json_files(root: Path) -> list[Path]:
    found = (path for path in root.rglob("*.json") if "tmp" not in path.relative_to(root).parts)
    return sorted(path for path in found if path.stat().st_size)  # a lease that is free is empty


def fresh(folder: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    return Path(shutil.copytree(folder, copy))


@pytest.fixture(scope="module")
def exported(whole: tuple[Path, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the made-up model; nothing but its files is looked at here."""
    workspace = open_workspace(whole[0] / "workspace")
    head, (entry,) = workspace.memory.head(), workspace.registry.entries()
    assert head is not None
    folder = tmp_path_factory.mktemp("exported") / "model"
    about = {"snapshot": head.snapshot_id, "trained": {"label": "made up", "seconds": 1.5}}
    what = ExportedModel("made-up", entry.ref, head.tables, {"memory": {}, "decoding": {}}, about)
    write_export(folder, workspace, what, {"card.md": b"A card.\n"})
    return folder


@LIGHT
@given(data=st.data())
def test_a_damaged_export_is_refused_with_advice_that_helps(
    exported: Path, tmp_path: Path, data: st.DataObject
) -> None:
    assert read_export(exported).system == "made-up"
    copy = fresh(exported, tmp_path)
    file = data.draw(st.sampled_from(json_files(copy)))
    if not damage(file, data):
        return
    with pytest.raises(InputError) as refused:
        read_export(copy)
    told = str(refused.value)
    assert str(copy) in told
    assert "phrasenet run" not in told
    assert "phrasenet models export" in told or "Update phrasenet" in told


@pytest.mark.parametrize("write", [Path.unlink, lambda path: path.write_bytes(b"{")])
@pytest.mark.parametrize("name", [MARKER, "manifest.json"])
def test_an_export_without_a_readable_list_is_refused(
    exported: Path, tmp_path: Path, name: str, write: Callable[[Path], Any]
) -> None:
    copy = fresh(exported, tmp_path)
    write(next(copy.rglob(name)))
    with pytest.raises(InputError, match="`phrasenet models export`") as refused:
        read_export(copy)
    assert "phrasenet run" not in str(refused.value)
