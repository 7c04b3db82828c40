"""Bad input: one clear message each, exit code 2, nothing half-written.

The messages are golden files, so that a reviewer reads them as a user would.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.cli import _tell
from storage.errors import PhrasenetError
from storage.workspace import open_workspace
from tests.conftest import Command, Golden
from tests.support import assert_whole, edit, refresh_directly

PAIRED = """
[[corpus]]
name = "paired"
format = "parallel"
source = "train.zh"
target = "train.en"
licence = "Apache-2.0"
"""


def unequal_line_counts(tiny: Path) -> None:
    (tiny / "train.zh").write_text("一\n二\n三\n")
    (tiny / "train.en").write_text("One.\nTwo.\n")
    edit(tiny / "phrasenet.toml", "[[dictionary]]", f"{PAIRED}\n[[dictionary]]")


def unequal_references(tiny: Path) -> None:
    with (tiny / "test.en").open("a") as stream:
        stream.write("One line too many.\n")


def invalid_utf8(tiny: Path) -> None:
    lines = (tiny / "pairs.tsv").read_bytes().split(b"\n")
    lines[6] = "银行\tbank\tnews-1".encode("gb18030")
    (tiny / "pairs.tsv").write_bytes(b"\n".join(lines))


def utf16_dictionary(tiny: Path) -> None:
    text = (tiny / "terms.tsv").read_text()
    (tiny / "terms.tsv").write_bytes(text.encode("utf-16"))


def missing_column(tiny: Path) -> None:
    edit(tiny / "pairs.tsv", "The new traffic plan will begin next year.\tnews-1", "news-1")


def one_column_only(tiny: Path) -> None:
    (tiny / "pairs.tsv").write_text("银行\n图书馆\n")


def empty_corpus(tiny: Path) -> None:
    (tiny / "pairs.tsv").write_text("")


def empty_test_set(tiny: Path) -> None:
    (tiny / "test.zh").write_text("")
    (tiny / "test.en").write_text("")


def blank_corpus(tiny: Path) -> None:
    (tiny / "pairs.tsv").write_text("\n  \n\n")


def missing_file(tiny: Path) -> None:
    (tiny / "pairs.tsv").rename(tiny / "pair.tsv")


def missing_reference(tiny: Path) -> None:
    (tiny / "test.en").unlink()


def cut_short_gzip(tiny: Path) -> None:
    import gzip

    data = gzip.compress((tiny / "pairs.tsv").read_bytes())
    (tiny / "pairs.tsv.gz").write_bytes(data[: len(data) // 2])
    edit(tiny / "phrasenet.toml", '"pairs.tsv"', '"pairs.tsv.gz"')


def every_pair_dropped(tiny: Path) -> None:
    (tiny / "pairs.tsv").write_text("\tNo Chinese.\td\n没有英文。\t\td\n")


def unknown_licence(tiny: Path) -> None:
    edit(tiny / "phrasenet.toml", 'licence = "Apache-2.0"', "")


def no_corpus(tiny: Path) -> None:
    (tiny / "phrasenet.toml").write_text("[memory]\nmin_count = 2\n")


def typo_in_a_key(tiny: Path) -> None:
    edit(tiny / "phrasenet.toml", "min_reliability", "min_reliabilty")


def typo_in_a_section(tiny: Path) -> None:
    edit(tiny / "phrasenet.toml", "[training]", "[trainig]")


def nonsense_value(tiny: Path) -> None:
    edit(tiny / "phrasenet.toml", "min_reliability = 0.7", "min_reliability = 7")


def unknown_system(tiny: Path) -> None:
    edit(tiny / "phrasenet.toml", '"phrasenet-gate"', '"phrasenet-gates"')


CASES: list[Callable[[Path], None]] = [
    unequal_line_counts,
    unequal_references,
    invalid_utf8,
    utf16_dictionary,
    missing_column,
    one_column_only,
    empty_corpus,
    empty_test_set,
    blank_corpus,
    missing_file,
    missing_reference,
    cut_short_gzip,
    every_pair_dropped,
    unknown_licence,
    no_corpus,
    typo_in_a_key,
    typo_in_a_section,
    nonsense_value,
    unknown_system,
]


def told(error: Exception, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the command line says of an error, without the folder's own name."""
    capsys.readouterr()
    assert _tell(error) == 2
    return capsys.readouterr().err.replace(str(folder), "<folder>")


@pytest.mark.parametrize("spoil", CASES, ids=lambda spoil: spoil.__name__)
def test_bad_input_is_one_clear_message(
    tiny: Path, spoil: Callable[[Path], None], golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(tiny)
    with pytest.raises(PhrasenetError) as caught:
        refresh_directly(tiny / "phrasenet.toml")
    message = told(caught.value, tiny, capsys)
    golden(f"messages/{spoil.__name__}.txt", message)
    assert "Traceback" not in message
    assert_whole(tiny / "workspace")


def test_a_full_disk_is_one_clear_message(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    really, flushed = os.fsync, []

    def fill_up(handle: int) -> None:
        flushed.append(handle)
        if len(flushed) > 60:
            raise OSError(errno.ENOSPC, "No space left on device")
        really(handle)

    monkeypatch.setattr(os, "fsync", fill_up)
    with pytest.raises(PhrasenetError) as caught:
        refresh_directly(tiny / "phrasenet.toml")
    message = told(caught.value, tiny, capsys)
    assert message.startswith("phrasenet: Could not write ")
    assert message.endswith(
        ": No space left on device. The disk is full. Free some space and run the command again; "
        "nothing was lost.\n"
    )
    assert_whole(tiny / "workspace")
    monkeypatch.undo()
    _, _, run = refresh_directly(tiny / "phrasenet.toml")
    assert run.counts["reused"] > 0


def test_a_read_only_workspace_is_one_clear_message(
    tiny: Path, golden: Golden, phrasenet: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", read_only)
        answer = phrasenet("run", "-c", str(tiny / "phrasenet.toml"))
    assert answer.code == 2
    golden("messages/read_only_workspace.txt", answer.err.replace(str(tiny), "<folder>"))
    assert not (tiny / "workspace").exists()


def test_a_workspace_in_use_is_one_clear_message(tiny: Path, phrasenet: Command) -> None:
    with open_workspace(tiny / "workspace").lease():
        answer = phrasenet("refresh", "-c", str(tiny / "phrasenet.toml"))
    assert answer.code == 2
    assert f"is in use: process {os.getpid()} on " in answer.err
    assert (
        "Wait until it has finished, give --wait SECONDS, or use another workspace." in answer.err
    )
    assert_whole(tiny / "workspace")


def test_a_folder_that_is_no_workspace_is_one_clear_message(
    tiny: Path, golden: Golden, phrasenet: Command
) -> None:
    edit(tiny / "phrasenet.toml", 'path = "workspace"', 'path = "."')
    answer = phrasenet("run", "-c", str(tiny / "phrasenet.toml"))
    assert answer.code == 2
    golden("messages/no_workspace.txt", answer.err.replace(str(tiny), "<folder>"))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("no_settings_file", ("run", "-c", "<folder>/none.toml")),
        ("no_such_step", ("run", "--from", "mien")),
        ("window_the_wrong_way_round", ("run", "--from", "mine", "--until", "words")),
        ("why_of_no_step", ("status", "--why", "mien", "-c", "<folder>/phrasenet.toml")),
        ("status_without_workspace", ("status", "-c", "<folder>/phrasenet.toml")),
        ("lookup_without_workspace", ("memory", "lookup", "词", "-c", "<folder>/phrasenet.toml")),
        ("init_over_a_project", ("init", "<folder>")),
    ],
)
def test_a_mistaken_command_is_one_clear_message(
    tiny: Path, golden: Golden, phrasenet: Command, name: str, arguments: tuple[str, ...]
) -> None:
    answer = phrasenet(*(item.replace("<folder>", str(tiny)) for item in arguments))
    assert (answer.code, answer.out) == (2, "")
    golden(f"messages/{name}.txt", answer.err.replace(str(tiny), "<folder>"))
    assert not (tiny / "workspace").exists()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rules_of_no_region", ("rules", "--render", "person", "--region", "china")),
        ("rules_of_no_kind", ("rules", "--render", "animal")),
    ],
)
def test_a_mistaken_option_is_one_clear_message(
    golden: Golden,
    capsys: pytest.CaptureFixture[str],
    phrasenet: Command,
    name: str,
    arguments: tuple[str, ...],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        phrasenet(*arguments)
    assert stopped.value.code == 2
    message = capsys.readouterr().err.splitlines()[-1]
    golden(f"messages/{name}.txt", f"{message}\n")


def test_a_defect_says_how_to_report_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert _tell(ZeroDivisionError("division by zero")) == 1
    assert capsys.readouterr().err == (
        "phrasenet: a defect, not your mistake: ZeroDivisionError: division by zero\n"
        "Run the same command with `phrasenet --debug ...` and report what it prints.\n"
    )
