"""The settings file: what is unknown, of the wrong type or nonsense is refused by name."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from flows.config_tables import config_from
from flows.settings import Settings, load_settings
from storage.errors import ConfigError
from tests.support import TINY


@dataclass(frozen=True, kw_only=True)
class Example:
    name: str
    count: int = 1
    share: float = 0.5
    loud: bool = False
    mode: Literal["a", "b"] = "a"
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(f"count is {self.count}; it must be 0 or more.")


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "phrasenet.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def test_the_tiny_example_is_read() -> None:
    settings = load_settings(TINY / "phrasenet.toml")
    assert [corpus.name for corpus in settings.corpora] == ["tiny"]
    assert settings.workspace_path == TINY.resolve() / "workspace"
    assert settings.memory.min_count == 2


def test_what_a_table_says_becomes_a_config() -> None:
    table = {"name": "n", "count": 2, "share": 1, "loud": True, "mode": "b", "words": ["x"]}
    config = config_from(Example, table, "file")
    assert config == Example(name="n", count=2, share=1.0, loud=True, mode="b", words=("x",))
    assert type(config.share) is float


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "file: the key 'name' is missing. Add `name = ...`."),
        ({"nmae": "n"}, "file: unknown key 'nmae'. Did you mean 'name'?"),
        (
            {"zzz": 1},
            "file: unknown key 'zzz'. Known keys: name, count, share, loud, mode, words.",
        ),
        ({"name": 1}, "file name is 1; expected a text in quotes."),
        ({"name": "n", "count": "1"}, "file count is '1'; expected a whole number."),
        ({"name": "n", "count": 1.5}, "file count is 1.5; expected a whole number."),
        ({"name": "n", "count": True}, "file count is True; expected a whole number."),
        ({"name": "n", "share": True}, "file share is True; expected a number."),
        ({"name": "n", "share": float("nan")}, "file share is nan; expected a finite number."),
        ({"name": "n", "share": float("-inf")}, "file share is -inf; expected a finite number."),
        ({"name": "n", "loud": 1}, "file loud is 1; expected true or false."),
        ({"name": "n", "mode": "c"}, "file mode is 'c'; expected one of 'a', 'b'."),
        ({"name": "n", "words": "x"}, 'file words is \'x\'; expected a list, such as ["a", "b"].'),
        ({"name": "n", "words": [1]}, "file words is 1; expected a text in quotes."),
        ({"name": "n", "count": -1}, "file: count is -1; it must be 0 or more."),
    ],
)
def test_what_makes_no_sense_is_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_from(Example, table, "file")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[memry]\n", "unknown key 'memry'. Did you mean 'memory'?"),
        (
            "[memory]\nmin_cuont = 3\n",
            "[memory]: unknown key 'min_cuont'. Did you mean 'min_count'?",
        ),
        ("memory = 3\n", "[memory] is 3; expected a table that begins with [memory]."),
        ('[corpus]\nname = "x"\n', "expected a table that begins with [[corpus]]."),
        ("corpus = [3]\n", "corpus number 1 is 3; expected a table that begins with [[corpus]]."),
        ("[[corpus]]\n", "[[corpus]] number 1: the key 'name' is missing."),
        ("[execution]\nshards = 0\n", "execution.shards is 0; it must be between 1 and 10000."),
        (
            "[execution]\nshards = 99999999999999999999\n",
            "execution.shards is 99999999999999999999; it must be between 1 and 10000.",
        ),
        ("[memory\n", "is not valid TOML"),
        (
            '[[dictionary]]\nname = "d"\npath = "a"\n[[dictionary]]\nname = "d"\npath = "b"\n',
            "dictionary 'd' is declared 2 times",
        ),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    assert message in str(caught.value)
    assert str(tmp_path / "phrasenet.toml") in str(caught.value)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff[memory]\nmin_count = 7\n").memory.min_count == 7


def test_a_file_that_is_not_there_or_no_text_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="phrasenet init DIR"):
        load_settings(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        load_settings(tmp_path / "x.toml")
    with pytest.raises(
        ConfigError, match="expected a settings file, found a folder. Name the file in it"
    ):
        load_settings(tmp_path)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    settings = load(tmp_path, '[workspace]\npath = "../w"\n')
    assert settings.workspace_path == (tmp_path.parent / "w").resolve()
    assert settings.resolve("/a/b") == Path("/a/b")


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        ("mien", None, "--from mien: no such step. Steps: dictionary, testset, ingest"),
        (None, "nothing", "--until nothing: no such step."),
        ("mine", "words", "--until words lies before --from mine; nothing would run."),
    ],
)
def test_a_window_that_names_no_steps_is_refused(
    first: str | None, last: str | None, message: str
) -> None:
    from flows.driver import step_window

    with pytest.raises(ConfigError, match=message):
        step_window(first, last)


def test_a_promotion_names_test_sets_that_are_there(tmp_path: Path) -> None:
    testset = '[[testset]]\nname = "news"\nsource = "a.zh"\nreferences = ["a.en"]\n'
    settings = load(tmp_path, testset + '[promotion]\ntestsets = ["news"]\n')
    assert settings.promotion.testsets == ("news",)
    with pytest.raises(ConfigError, match="names 'nwes'; the test sets are: news"):
        load(tmp_path, testset + '[promotion]\ntestsets = ["nwes"]\n')


def test_an_address_with_a_password_is_refused_by_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"workspace: path: it holds an address") as caught:
        load(tmp_path, '[workspace]\npath = "s3://me:wordofmine@bucket/x"\n')
    assert "wordofmine" not in str(caught.value)
