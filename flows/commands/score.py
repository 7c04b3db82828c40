"""`phrasenet score`: BLEU, chrF and TER of anybody's output, with signatures."""

import argparse
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    add_scoring_options,
    emit,
    emit_json,
    input_lines,
)


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
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.metrics.bleu import corpus_bleu, corpus_chrf, corpus_ter

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
    if options.json:
        emit_json({"metrics": metrics, "sentences": len(hypotheses)})
        return 0
    for metric in metrics:
        _print(metric)
    return 0


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
