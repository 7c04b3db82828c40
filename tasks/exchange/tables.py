"""Glossaries as lines of text: TSV, word pairs for training tools, Moses' phrase table."""

from collections.abc import Iterable, Iterator

from tasks.exchange.entries import GlossaryEntry

MOSES_FEATURES = (
    "p(source|target)",
    "lex(source|target)",
    "p(target|source)",
    "lex(target|source)",
)
"""The four scores of a line of the phrase table, in this order, as Moses has them."""


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

    The scores are those of Moses (MOSES_FEATURES): relative frequencies, and lexical weights by the
    alignment that was seen most often, which is written, too. What was not mined has 1 for each and
    no links. Counts are those of target, source and pair, as Moses writes them. The lines are
    sorted by source as Moses wants it: by the bytes of the words.
    """
    lines = [_moses_line(entry) for entry in entries]
    yield from sorted(lines, key=lambda line: line.encode("utf-8"))


def _moses_line(entry: GlossaryEntry) -> str:
    pair, source, target = entry.pair_count, entry.source_count, entry.target_count
    reverse = pair / target if target else 1.0
    forward = pair / source if source else 1.0
    counts = f"{target} {source} {pair}" if pair else "1 1 1"
    aligned = entry.aligned
    weights = (aligned.inverse, aligned.forward) if aligned else (1.0, 1.0)
    fields = (
        " ".join(map(_escaped, aligned.source_words if aligned else entry.source_words)),
        _escaped(" ".join(aligned.target_words) if aligned else entry.target),
        f"{reverse:.6g} {weights[0]:.6g} {forward:.6g} {weights[1]:.6g}",
        " ".join(f"{s}-{t}" for s, t in aligned.links) if aligned else "",
        counts,
    )
    return " ||| ".join(fields)


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
