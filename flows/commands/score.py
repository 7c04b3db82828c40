"""`phrasenet score`: BLEU, chrF and TER of anybody's output, with signatures."""

import argparse
from typing import TYPE_CHECKING, Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_scoring_options,
    emit,
    emit_json,
    input_lines,
)

if TYPE_CHECKING:
    from tasks.metrics.values_kept import KeptCount

REGIONS = ("unknown", "mainland", "hongkong", "taiwan")


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "score",
        "score translations against references",
        "phrasenet score output.en --ref test.en",
    )
    parser.add_argument("hypotheses", metavar="HYPOTHESES", help="one translation a line, or -")
    add_scoring_options(parser)
    parser.add_argument("--ter", action="store_true", help="add TER, which takes longer")
    parser.add_argument(
        "--source",
        metavar="FILE",
        help="the Chinese of the same sentences: count which of its dates and numbers are kept",
    )
    parser.add_argument(
        "--region",
        choices=REGIONS,
        default="unknown",
        help="where the source comes from; in Taiwan, years may count from 1912 (unknown)",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.metrics.bleu import corpus_bleu, corpus_chrf, corpus_ter
    from tasks.metrics.values_kept import values_kept
    from tasks.rules.style import RuleStyle

    hypotheses = list(input_lines(options.hypotheses))
    references = [list(input_lines(file)) for file in options.references]
    lowercase = not options.cased
    bleu = corpus_bleu(
        hypotheses,
        references,
        tokenize="none" if options.words else "13a",
        lowercase=lowercase,
    )
    today, _ = _apart("v13a", hypotheses, references, options)
    papers, papers_bleu = _apart("v11b", hypotheses, references, options)
    metrics = [
        _as_json(bleu) | today,
        _as_json(papers_bleu) | papers,
        _as_json(corpus_chrf(hypotheses, references, lowercase=lowercase)),
    ]
    if options.ter:
        metrics.append(_as_json(corpus_ter(hypotheses, references, lowercase=lowercase)))
    counts: list[KeptCount] = []
    ceiling: list[KeptCount] = []
    if options.source:
        counts, ceiling = _count(options, hypotheses, references)
        metrics.append(_as_json(values_kept(counts, RuleStyle(region=options.region))))
    if options.json:
        answer: dict[str, Any] = {"metrics": metrics, "sentences": len(hypotheses)}
        emit_json(answer | ({"values": _values(counts, ceiling)} if counts else {}))
        return 0
    for metric in metrics:
        _print(metric)
    for row, best in zip(counts, ceiling, strict=True):
        emit(f"  {row.kind or 'all':9}{_share(row):26}  by a reference{_share(best)}")
    return 0


def _count(
    options: argparse.Namespace, hypotheses: list[str], references: list[list[str]]
) -> "tuple[list[KeptCount], list[KeptCount]]":
    """Count the values that the hypotheses keep, and those that any reference keeps."""
    from tasks.metrics.values_kept import count_kept
    from tasks.rules.style import RuleStyle

    sources = list(input_lines(options.source))
    style = RuleStyle(region=options.region)
    counts = count_kept(sources, hypotheses, style)
    joined = [" ".join(texts) for texts in zip(*references, strict=True)]
    return counts, count_kept(sources, joined, style)


def _values(counts: "list[KeptCount]", ceiling: "list[KeptCount]") -> list[dict[str, Any]]:
    return [
        {
            "kind": row.kind or "all",
            "source": row.source,
            "kept": row.kept,
            "kept_by_reference": best.kept,
        }
        for row, best in zip(counts, ceiling, strict=True)
    ]


def _as_json(score: Any) -> dict[str, Any]:
    return {"name": score.name, "value": score.value, "signature": score.signature}


def _apart(
    flavour: Any, hypotheses: list[str], references: list[list[str]], options: argparse.Namespace
) -> tuple[dict[str, Any], Any]:
    """Give what one script's BLEU is made of, and the score."""
    from tasks.metrics.mteval import count_corpus

    corpus = count_corpus(
        [hypotheses],
        references,
        flavour=flavour,
        lowercase=not options.cased,
        in_words=options.words,
    )
    apart = corpus.breakdown(0)
    parts = {
        "individual": list(apart.individual),
        "cumulative": list(apart.cumulative),
        "brevity_penalty": apart.brevity_penalty,
        "hypothesis_words": apart.hypothesis_words,
        "reference_words": apart.reference_words,
    }
    return parts, corpus.scores()[0]


def _print(metric: dict[str, Any]) -> None:
    emit(f"{metric['name']} = {metric['value']:.2f} ({metric['signature']})")
    if "individual" in metric:
        for name in ("individual", "cumulative"):
            values = " ".join(f"{value:.2f}" for value in metric[name])
            emit(f"  {name} 1- to 4-grams: {values}")
        emit(
            f"  brevity penalty {metric['brevity_penalty']:.4f}, {metric['hypothesis_words']:,} "
            f"words against {metric['reference_words']:,}"
        )


def _share(row: "KeptCount") -> str:
    return f"{row.kept:8,} of {row.source:,} ({row.share:.1%})"
