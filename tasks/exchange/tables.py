"""Glossaries as lines of text: TSV, word pairs for training tools, Moses' phrase table."""

from collections.abc import Iterable, Iterator

from tasks.exchange.entries import GlossaryEntry

MOSES_FEATURES = ("p(source|target)", "p(target|source)")
"""The two scores of a line of the phrase table, in this order; lexical weights are not kept."""


def tsv_lines(entries: Iterable[GlossaryEntry]) -> Iterator[str]:
    """Yield source, target, category, origin, reliability and note, with a header, no quoting."""
    yield "source\ttarget\tcategory\torigin\treliability\tnote"
    for entry in entries:
        fields = (
            entry.source,
            entry.target,
            entry.category,
            entry.origin,
            f"{entry.reliability:.6f}",
            entry.note,
        )
        yield "\t".join(" ".join(field.split()) for field in fields)


def pair_lines(entries: Iterable[GlossaryEntry]) -> Iterator[str]:
    """Yield unsegmented source and target, as the terminology files of Marian's OpusTrainer and of
    Eole want them: two columns, no header."""
    for entry in entries:
        yield f"{entry.source}\t{entry.target}"


def moses_lines(entries: Iterable[GlossaryEntry]) -> Iterator[str]:
    """Yield lines of a phrase table: source words, target words, scores, links, counts.

    The scores are relative frequencies of mined phrases (MOSES_FEATURES), 1 for what was not mined;
    links are not kept, so that field is empty. Counts are those of target, source and pair, as
    Moses writes them. The lines are sorted by source as Moses wants it: by the bytes of the words.
    """
    lines = [_moses_line(entry) for entry in entries]
    yield from sorted(lines, key=lambda line: line.encode("utf-8"))


def _moses_line(entry: GlossaryEntry) -> str:
    pair, source, target = entry.pair_count, entry.source_count, entry.target_count
    reverse = pair / target if target else 1.0
    forward = pair / source if source else 1.0
    counts = f"{target} {source} {pair}" if pair else "1 1 1"
    words = " ".join(_escaped(word) for word in entry.source_words)
    return f"{words} ||| {_escaped(entry.target)} ||| {reverse:.6g} {forward:.6g} ||| ||| {counts}"


_ESCAPES = (
    ("&", "&amp;"),
    ("|", "&#124;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("'", "&apos;"),
    ('"', "&quot;"),
    ("[", "&#91;"),
    ("]", "&#93;"),
)
"""Of Moses' tokeniser; the ampersand first, so that nothing is escaped twice."""


def _escaped(text: str) -> str:
    """Escape what means something in Moses' files."""
    for character, escape in _ESCAPES:
        text = text.replace(character, escape)
    return text
