"""`phrasenet score`: BLEU and chrF of anybody's output, with signatures; needs no workspace."""

import argparse
from typing import Any

from flows.commands.options import add_command, add_json_option, emit, emit_json, input_lines


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "score",
        "score translations against references",
        "phrasenet score output.en --ref test.en",
    )
    parser.add_argument("hypotheses", metavar="HYPOTHESES", help="one translation a line, or -")
    parser.add_argument(
        "--ref",
        dest="references",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="references, line by line the same sentences",
    )
    parser.add_argument("--cased", action="store_true", help="score upper and lower case as well")
    parser.add_argument(
        "--words", action="store_true", help="the text is split into words already; do not tokenise"
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from tasks.metrics.bleu import corpus_bleu, corpus_chrf

    hypotheses = list(input_lines(options.hypotheses))
    references = [list(input_lines(file)) for file in options.references]
    lowercase = not options.cased
    scores = [
        corpus_bleu(
            hypotheses,
            references,
            tokenize="none" if options.words else "13a",
            lowercase=lowercase,
        ),
        corpus_chrf(hypotheses, references, lowercase=lowercase),
    ]
    if options.json:
        metrics = [
            {"name": score.name, "value": score.value, "signature": score.signature}
            for score in scores
        ]
        emit_json({"metrics": metrics, "sentences": len(hypotheses)})
        return 0
    for score in scores:
        emit(str(score))
    return 0
