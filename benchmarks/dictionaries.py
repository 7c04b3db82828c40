"""How often a dictionary's translation is in the reference, by kind of entry, and reading speed.

Needs real text beside the project (`../shared/data`); only the speed is measured without it.
"""

import functools
import gzip
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.measuring import figure, processor_seconds, say
from tasks.readers.cedict import read_cedict
from tasks.readers.config import DictionaryConfig, DictionaryFormat
from tasks.readers.dictionaries import DictionaryForm, form_of, read_dictionary
from tasks.readers.entries import FoundEntry
from tasks.readers.glosses import Strictness
from tasks.readers.parallel import parallel_lines
from tasks.tagging.matcher import Match, Matcher
from tasks.text.english import tokenise
from tasks.text.script import normalise
from tasks.text.segment import segment

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
CEDICT = DATA / "dictionaries" / "cc_cedict.tsv.zst"
CHOSEN_ON = {"newsdev2017": "wmt/newsdev2017", "laws dev": "laws/dev"}
CHECKED_ON = {"newstest2019": "wmt/newstest2019", "un dev": "un/dev"}
LEVELS: tuple[Strictness, ...] = ("lenient", "normal", "strict")
ROWS = 20_000

Sentence = tuple[list[str], str]
"""Chinese words, and the English reference in lower case between blanks."""


def run() -> None:
    """Measure the degrees of strictness, the kinds of entries, and every reader's speed."""
    if CEDICT.exists():
        texts = {name: _sentences(stem) for name, stem in (CHOSEN_ON | CHECKED_ON).items()}
        for level in LEVELS:
            entries = _accepted(level)
            say(f"  {level}: {len(entries):,} entries")
            _report(entries, texts, lambda entry: "all")
        say("  kinds of entries that `lenient` accepts")
        lenient = _accepted("lenient")
        _report(lenient, texts, lambda entry: f"{len(entry.target.split())} English words")
        _report(lenient, texts, lambda entry: f"{min(len(entry.source), 6)} characters")
        _report(lenient, texts, _kind)
    _speed()


def _kind(entry: FoundEntry) -> str:
    return "capitalised" if entry.target[:1].isupper() else "not capitalised"


def _accepted(strictness: Strictness) -> list[FoundEntry]:
    found = read_cedict(CEDICT, table=True, script="simplified", strictness=strictness)
    return [entry for entry in found if isinstance(entry, FoundEntry)]


def _sentences(stem: str) -> list[Sentence]:
    pairs = parallel_lines(DATA / f"{stem}.zh", DATA / f"{stem}.en")
    return [
        ([word.text for word in segment(normalise(source))], _english(target))
        for source, target in pairs
    ]


def _english(text: str) -> str:
    return f" {' '.join(tokenise(normalise(text))).lower()} "


def _report(
    entries: list[FoundEntry],
    texts: dict[str, list[Sentence]],
    kind: Callable[[FoundEntry], str],
) -> None:
    """Print for each kind and text how often an entry's source stood there, and the share found."""
    matcher = Matcher(([entry.source], at) for at, entry in enumerate(entries))
    targets = [_english(entry.target) for entry in entries]
    for name, sentences in texts.items():
        offered: Counter[str] = Counter()
        found: Counter[str] = Counter()
        for words, reference in sentences:
            for match in _longest(matcher.find(words)):
                label = kind(entries[match.phrase])
                offered[label] += 1
                found[label] += targets[match.phrase] in reference
        for label in sorted(offered):
            share = 100 * found[label] / offered[label]
            figure(f"{name}, {label} ({offered[label]:,} offered)", share, "% found")


def _longest(matches: Iterable[Match]) -> Iterator[Match]:
    """Choose matches without overlaps, the longest first."""
    taken: set[int] = set()
    for match in sorted(matches, key=lambda match: (match.start - match.end, match.start)):
        span = range(match.start, match.end)
        if taken.isdisjoint(span):
            taken.update(span)
            yield match


def _speed() -> None:
    """Print lines or terms that each reader reads in a second of one processor."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, (head, line, tail) in _MADE.items():
            path = Path(folder) / f"dictionary.{kind}.gz"
            rows = "".join(line.format(f"词{_name(n)}", f"word{n}") for n in range(ROWS))
            path.write_bytes(gzip.compress((head + rows + tail).encode(), compresslevel=1))
            form = form_of(DictionaryConfig(name="made", path=str(path), format=kind))
            seconds = processor_seconds(functools.partial(_read, form, path))
            figure(f"reading {kind}", ROWS / seconds, "entries/s")


def _read(form: DictionaryForm, path: Path) -> None:
    for _ in read_dictionary(form, path):
        pass


def _name(number: int) -> str:
    """Return two Chinese characters of their own for each number."""
    return chr(0x4E00 + number // 200) + chr(0x5E00 + number % 200)


_CONCEPT = (
    '<conceptEntry><langSec xml:lang="zh"><termSec><term>{}</term></termSec></langSec>'
    '<langSec xml:lang="en"><termSec><term>{}</term></termSec></langSec></conceptEntry>\n'
)
_MADE: dict[DictionaryFormat, tuple[str, str, str]] = {
    "tsv": ("", "{}\t{}\n", ""),
    "csv": ("", '{},"{}"\n', ""),
    "cedict": ("", "{0} {0} [ci2] /{1}/\n", ""),
    "cedict-tsv": ("", "{0}\t{0}\tci2\t{1}\n", ""),
    "ldc": ("", "{}\t/{}/\n", ""),
    "ldc-names": ("", "{}\t/{}/\n", ""),
    "tbx": ("<tbx><text><body>", _CONCEPT, "</body></text></tbx>"),
    "phrase-table": ("", "{} ||| {} ||| 1 1 1 1 ||| 0-0 ||| 9 9 9\n", ""),
    "names": ("", "{}\t{}\n", ""),
    "pairs": ("", "{} {}\n", ""),
    "terms-json": ("", '{{"proper": {{"{}": ["{}"]}}}}\n', ""),
}
