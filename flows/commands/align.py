"""`phrasenet align`: word links of two files, and their error against gold links."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import add_command, add_json_option, emit, emit_json, warn


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "align",
        "link the words of two line-parallel files; words are separated by blanks",
        "phrasenet align words.zh words.en --gold links.gold",
    )
    parser.add_argument("source", metavar="SOURCE", help="source words, one sentence a line")
    parser.add_argument("target", metavar="TARGET", help="target words, line by line the same")
    parser.add_argument(
        "--gold",
        metavar="FILE",
        help="gold links a line: i-j, i-p-j (possible) or i:j/k; prints the error instead",
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from storage.errors import InputError
    from tasks.mining.alignment import align, count_unaligned
    from tasks.mining.config import THOT_MAX_WORDS, AlignmentConfig
    from tasks.readers.parallel import parallel_lines

    pairs = [
        (source.split(), target.split())
        for source, target in parallel_lines(Path(options.source), Path(options.target))
    ]
    config = AlignmentConfig(max_words=THOT_MAX_WORDS)
    unaligned = count_unaligned(pairs, config)
    if sum(unaligned.values()) == len(pairs):
        raise InputError(
            f"{options.source}, {options.target}: expected at least one pair with words on both "
            f"sides and at most {THOT_MAX_WORDS} on each, found none. Check both files, or cut "
            "long lines into sentences."
        )
    for reason, count in unaligned.items():
        warn(f"{count:,} pairs are not linked ({reason}; at most {THOT_MAX_WORDS} words a side)")
    links = align(pairs, config)
    if options.gold is not None:
        return _report_error(Path(options.gold), pairs, links, as_json=options.json)
    for found in links:
        if options.json:
            emit_json({"links": [list(link) for link in found]})
        else:
            emit(" ".join(f"{source}-{target}" for source, target in found))
    return 0


def _report_error(gold: Path, pairs: list[Any], links: list[Any], *, as_json: bool) -> int:
    from tasks.metrics.alignment_error import (
        alignment_scores,
        check_within,
        read_gold_links,
    )
    from tasks.readers.lines import read_lines

    answers = read_gold_links(read_lines(gold), str(gold))
    check_within(answers, [(len(source), len(target)) for source, target in pairs], str(gold))
    scores = alignment_scores(links, answers)
    if as_json:
        emit_json(
            {"precision": scores.precision, "recall": scores.recall, "aer": scores.error_rate}
        )
    else:
        emit(
            f"precision {scores.precision:.4f}  recall {scores.recall:.4f}  "
            f"AER {scores.error_rate:.4f}"
        )
    return 0
