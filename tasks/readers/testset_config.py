"""What a user says about a test set: one `[[testset]]` of the settings file."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError
from tasks.readers.checks import check_choice, check_given, check_name
from tasks.readers.lines import Encoding
from tasks.readers.records import OnBadLine

TestsetRole = Literal["test", "dev"]
TestsetFormat = Literal["plain", "mteval", "wmt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsetForm:
    """What shapes the lines of a test set; where its files lie does not."""

    __test__ = False  # the name begins with Test, and pytest would take it for a test

    name: str
    format: TestsetFormat = "plain"
    encoding: Encoding = "utf-8"
    on_bad_line: OnBadLine = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsetConfig:
    """One `[[testset]]`: sentences to translate and the references to score against."""

    __test__ = False  # the name begins with Test, and pytest would take it for a test

    name: str
    """What it is called in tables and commands."""
    source: str
    """The file of source sentences."""
    references: tuple[str, ...] = ()
    """Files of translations; marked-up formats may hold several in one, or in the source's file."""
    role: TestsetRole = "test"
    """`dev` chooses the best checkpoint, `test` is only scored."""
    format: TestsetFormat = "plain"
    """Line-parallel files, or marked-up documents: NIST's mteval (SGML or XML), or the XML of WMT.
    """
    encoding: Encoding = "utf-8"
    """Encoding of the files."""
    on_bad_line: OnBadLine = "stop"
    """Stop at a sentence that is empty or has no reference, or leave it out on all sides."""
    gold: str = ""
    """A file of gold links between source and first reference, one line a sentence: `i-j`,
    `i-p-j` (possible) or `i:j/k`; or JSON lines with the links of some sentences, which hold
    digests and lengths of words and no text, such as `experiments/laws-dev.links.jsonl`. Alignment
    error rates are taken against them."""
    gold_words: tuple[str, ...] = ()
    """What links of all sentences count: a file of source words and a file of target words,
    separated by blanks; left out, they count the words of `phrasenet segment`."""
    terms: str = ""
    """A file of terms and their translations, for terminology success and consistency: two columns
    for all sentences, or JSON lines with dictionaries for each sentence."""

    def __post_init__(self) -> None:
        where = f"testset {self.name!r}"
        check_name("testset", self.name)
        check_choice(where, "role", self.role, get_args(TestsetRole))
        check_choice(where, "format", self.format, get_args(TestsetFormat))
        check_choice(where, "encoding", self.encoding, get_args(Encoding))
        check_choice(where, "on_bad_line", self.on_bad_line, get_args(OnBadLine))
        check_given(where, {"source": self.source})
        if isinstance(self.references, str):
            raise ConfigError(
                f"{where}: references is the text {self.references!r}; expected a list of files. "
                f'Write references = ["{self.references}"].'
            )
        if not all(self.references) or (self.format == "plain" and not self.references):
            raise ConfigError(
                f"{where}: references is {list(self.references)}; expected at least one file. "
                "Name the file that holds the translation of each source line."
            )
        if self.format == "plain" and self.source in self.references:
            raise ConfigError(
                f"{where}: {self.source!r} is both the source and a reference. "
                "Name the file of translations under references."
            )

        self._check_gold(where)

    def _check_gold(self, where: str) -> None:
        """Refuse words of gold links that are not two files, or that count for nothing."""
        if isinstance(self.gold_words, str) or len(self.gold_words) not in (0, 2):
            raise ConfigError(
                f"{where}: gold_words is {self.gold_words!r}; expected two files, of source words "
                'and of target words. Write gold_words = ["words.zh", "words.en"].'
            )
        if self.gold_words and not self.gold:
            raise ConfigError(
                f"{where}: gold_words has no effect without gold. Name the file of gold links."
            )

    @property
    def form(self) -> TestsetForm:
        """Return the part that shapes the lines."""
        return TestsetForm(
            name=self.name,
            format=self.format,
            encoding=self.encoding,
            on_bad_line=self.on_bad_line,
        )
