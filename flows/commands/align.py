"""`phrasenet align`: word links of two files, and their error against gold links."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands.options import (
    add_command,
    add_json_option,
    emit,
    emit_json,
    input_lines,
    named_as_given,
    warn,
)

_ENGINES = "joint-hmm, thot-hmm, thot-ibm4, thot-fast-align, thot-eflomal or eflomal"
_BAR = "|||"
_GIVEN = {"alignment.engine": "--engine", "alignment.heuristic": "--heuristic"}
_HEURISTICS = "intersection, union, grow-diag, grow-diag-final or grow-diag-final-and"


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "align",
        "link the words of two line-parallel files; words are separated by blanks",
        "phrasenet align words.zh words.en --gold links.gold",
    )
    parser.add_argument(
        "source", metavar="SOURCE", help="source words, one sentence a line; - for standard input"
    )
    parser.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        help="target words, line by line the same; without it, SOURCE holds lines of "
        "'source words ||| target words'",
    )
    parser.add_argument(
        "--gold",
        metavar="FILE",
        help="gold links a line: i-j, i-p-j (possible) or i:j/k; prints precision, recall and AER "
        "instead of the links",
    )
    parser.add_argument(
        "--engine", default="thot-hmm", metavar="NAME", help=f"{_ENGINES} (thot-hmm)"
    )
    parser.add_argument(
        "--heuristic", default="grow-diag-final-and", metavar="NAME", help=_HEURISTICS
    )
    add_json_option(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> int:
    from storage.errors import InputError
    from tasks.eflomal import align_once
    from tasks.mining.alignment import count_unaligned
    from tasks.mining.alignment_config import LONGEST_SENTENCE, AlignmentConfig

    with named_as_given(_GIVEN):
        config = AlignmentConfig(
            engine=options.engine, heuristic=options.heuristic, max_words=LONGEST_SENTENCE
        )
    pairs = _read_pairs(options.source, options.target)
    unaligned = count_unaligned(pairs, config)
    if sum(unaligned.values()) == len(pairs):
        files = ", ".join(filter(None, (options.source, options.target)))
        raise InputError(
            f"{files}: expected at least one pair with words on both "
            f"sides and at most {LONGEST_SENTENCE} on each, found none. Check both files, or cut "
            "long lines into sentences."
        )
    for reason, count in unaligned.items():
        warn(f"{count:,} pairs are not linked ({reason}; at most {LONGEST_SENTENCE} words a side)")
    with named_as_given(_GIVEN):
        links = align_once(pairs, config)
    if options.gold is not None:
        return _report_error(Path(options.gold), pairs, links, as_json=options.json)
    for found in links:
        if options.json:
            emit_json({"links": [list(link) for link in found]})
        else:
            emit(" ".join(f"{source}-{target}" for source, target in found))
    return 0


def _read_pairs(source: str, target: str | None) -> list[tuple[list[str], list[str]]]:
    """Read the words of both sides, from two files, one of which may be standard input, or one."""
    from storage.errors import InputError
    from tasks.readers.parallel import parallel_lines

    if target is None:
        return [_cut(line, source, number) for number, line in enumerate(input_lines(source), 1)]
    if "-" not in (source, target):
        texts = list(parallel_lines(Path(source), Path(target)))
    else:
        if source == target:
            raise InputError(
                "Both sides cannot be read from standard input. Name one file, or give lines of "
                "'source words ||| target words' on standard input and leave TARGET out."
            )
        sides = list(input_lines(source)), list(input_lines(target))
        if len(sides[0]) != len(sides[1]):
            raise InputError(
                f"{source} has {len(sides[0])} lines but {target} has {len(sides[1])}; expected "
                "the same sentences in the same order. Mend the one that lacks lines."
            )
        texts = list(zip(*sides, strict=True))
    return [(one.split(), other.split()) for one, other in texts]


def _cut(line: str, file: str, number: int) -> tuple[list[str], list[str]]:
    """Cut a line at the one word `|||`."""
    from storage.errors import InputError

    words = line.split()
    if words.count(_BAR) != 1:
        raise InputError(
            f"{'standard input' if file == '-' else file}, line {number}: expected "
            f"'source words ||| target words' with one |||, found {line[:60]!r}. Mend the line, or "
            "name a second file with the target words."
        )
    at = words.index(_BAR)
    return words[:at], words[at + 1 :]


def _report_error(gold: Path, pairs: list[Any], links: list[Any], *, as_json: bool) -> int:
    from tasks.metrics.alignment_error import (
        alignment_scores,
        check_within,
        read_gold_links,
    )
    from tasks.metrics.gold_of_some import is_of_some
    from tasks.readers.lines import read_lines

    lines = list(read_lines(gold))
    if is_of_some(lines):
        links, answers = _of_some(lines, str(gold), pairs, links)
    else:
        answers = read_gold_links(lines, str(gold))
        check_within(answers, [(len(source), len(target)) for source, target in pairs], str(gold))
    scores = alignment_scores(links, answers)
    if as_json:
        emit_json(
            {"precision": scores.precision, "recall": scores.recall, "aer": scores.error_rate}
        )
    else:
        emit(
            f"precision {scores.precision:.4f}  recall {scores.recall:.4f}  "
            f"AER {scores.error_rate:z.4f}"
        )
    return 0


def _of_some(
    lines: list[tuple[int, str]], name: str, pairs: list[Any], links: list[Any]
) -> tuple[list[Any], list[Any]]:
    """Return the links of the sentences that have gold links, found ones and gold ones."""
    from tasks.metrics.gold_of_some import (
        GIVEN_TEXT,
        expect_lines,
        on_words,
        read_linked_sentences,
    )

    linked = read_linked_sentences(lines, name)
    expect_lines(linked, range(1, len(pairs) + 1), GIVEN_TEXT)
    answers = []
    for each in linked:
        words = pairs[each.line - 1]
        texts = " ".join(words[0]), " ".join(words[1])
        answers.append(on_words(each, texts, words, GIVEN_TEXT))
    return [links[each.line - 1] for each in linked], answers
