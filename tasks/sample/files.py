"""The sample as the files that a user would have: a corpus, a dictionary, dev and test sets."""

from collections.abc import Sequence

from tasks.sample.chunks import SamplePair
from tasks.sample.newswire import LICENCE, NOTICE, Sample

README = "README.txt"


def sample_files(sample: Sample) -> dict[str, str]:
    """Return the text of each file by its name."""
    rows = (f"{pair.source}\t{pair.target}" for pair in sample.train)
    names = (f"{name.source}\t{name.target}\t{name.category}" for name in sample.dictionary)
    return {
        README: f"This is a {NOTICE}. Licence: {LICENCE}.\n",
        "train.tsv": _lines(list(rows)),
        "names.tsv": _lines(list(names)),
        **_held_out("dev", sample.dev),
        **_held_out("test", sample.test),
    }


def _held_out(name: str, pairs: Sequence[SamplePair]) -> dict[str, str]:
    """Return the texts of a part, and its gold links with the words that they count."""
    return {
        f"{name}.zh": _lines([pair.source for pair in pairs]),
        f"{name}.en": _lines([pair.target for pair in pairs]),
        f"{name}.gold": _lines([_gold(pair) for pair in pairs]),
        f"{name}.words.zh": _lines([" ".join(pair.source_words) for pair in pairs]),
        f"{name}.words.en": _lines([" ".join(pair.target_words) for pair in pairs]),
    }


def _gold(pair: SamplePair) -> str:
    sure = [f"{source}-{target}" for source, target in pair.links]
    return " ".join([*sure, *(f"{i}-p-{j}" for i, j in pair.possible_links)])


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
