"""Precision, recall and alignment error rate against gold links (Och and Ney 2003, section 6).

Links are pairs `(source index, target index)`, 0-based. Soft alignments are in
`soft_alignment.py`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.errors import InputError

Link = tuple[int, int]

_GOLD_LINK = re.compile(r"(?P<i>\d+)-(?P<p>p-)?(?P<j>\d+)|(?P<i1>\d+):(?P<j1>\d+)/(?P<sure>[01])")


@dataclass(frozen=True, slots=True)
class GoldLinks:
    """What a person says about one sentence pair."""

    sure: frozenset[Link]
    possible: frozenset[Link]
    """Links that are not wrong; sure ones need not be repeated."""


@dataclass(frozen=True, slots=True)
class AlignmentScores:
    """Scores over all sentence pairs together, each between 0 and 1."""

    precision: float
    """|A & P| / |A|, the share of found links that are possible; 1 if none was found."""
    recall: float
    """|A & S| / |S|, the share of sure links that were found; 1 if there is none."""
    error_rate: float
    """AER = 1 - (|A & S| + |A & P|) / (|A| + |S|); lower is better."""
    num_found: int
    num_sure: int


def alignment_scores(found: Sequence[Iterable[Link]], gold: Sequence[GoldLinks]) -> AlignmentScores:
    """Compare found links with gold links.

    Args:
        found: links of each sentence pair.
        gold: gold links of the same sentence pairs, in the same order.

    Raises:
        InputError: there are more of one than of the other.
    """
    if len(found) != len(gold):
        raise InputError(
            f"alignment: links for {len(found)} sentence pairs but gold links for "
            f"{len(gold)}; expected one line for each pair, an empty one where there are no links. "
            "Compare the files line by line."
        )
    num_found = num_sure = found_sure = found_possible = 0
    for links, answer in zip(found, gold, strict=True):
        here = frozenset(links)
        num_found += len(here)
        num_sure += len(answer.sure)
        found_sure += len(here & answer.sure)
        found_possible += len(here & (answer.possible | answer.sure))
    total = num_found + num_sure
    return AlignmentScores(
        precision=found_possible / num_found if num_found else 1.0,
        recall=found_sure / num_sure if num_sure else 1.0,
        error_rate=1 - (found_sure + found_possible) / total if total else 0.0,
        num_found=num_found,
        num_sure=num_sure,
    )


def parse_gold_links(line: str, name: str, number: int) -> GoldLinks:
    """Read one line of gold links; as `read_gold_links`."""
    return read_gold_links([(number, line)], name)[0]


def read_gold_links(lines: Iterable[tuple[int, str]], name: str) -> list[GoldLinks]:
    """Read the gold links of sentence pairs, one line each; an empty line has none.

    `i-j` is sure and `i-p-j` is possible, both counted from 0. `i:j/1` is sure and `i:j/0` is
    possible (the form of Liu and Sun 2015); they count from 1, or from 0 in a file in which one of
    them names a word 0.

    Args:
        lines: number and text of each line.
        name: the file, for messages.

    Raises:
        InputError: something on a line is not a link.
    """
    parsed = [[_match(item, name, number) for item in line.split()] for number, line in lines]
    from_zero = any(
        match["i1"] and 0 in (int(match["i1"]), int(match["j1"]))
        for found in parsed
        for match in found
    )
    return [_gold(found, 0 if from_zero else 1) for found in parsed]


def _match(item: str, name: str, number: int) -> re.Match[str]:
    match = _GOLD_LINK.fullmatch(item)
    if match is None:
        raise InputError(
            f"{name}, line {number}: expected links such as 0-1 (sure), 0-p-1 (possible) or 1:2/1 "
            f"(1 is sure, 0 is possible), found {item[:40]!r}. Fix the line."
        )
    return match


def _gold(found: Iterable[re.Match[str]], first: int) -> GoldLinks:
    """Put the links of a line together; `first` is what colon links call the first word."""
    sure: set[Link] = set()
    possible: set[Link] = set()
    for match in found:
        if match["sure"] is None:
            link, is_sure = (int(match["i"]), int(match["j"])), match["p"] is None
        else:
            link, is_sure = (
                (int(match["i1"]) - first, int(match["j1"]) - first),
                match["sure"] == "1",
            )
        (sure if is_sure else possible).add(link)
    return GoldLinks(frozenset(sure), frozenset(possible))


def check_within(
    gold: Sequence[GoldLinks],
    lengths: Sequence[tuple[int, int]],
    name: str,
    first_line: int = 1,
) -> None:
    """Check that gold links point to words that are there.

    Args:
        gold: the links of each line.
        lengths: source and target words of each line.
        name: the file of the links, for the message.
        first_line: number of the first of these lines in the file.

    Raises:
        InputError: a link lies outside of its sentences.
    """
    numbered = enumerate(zip(gold, lengths, strict=False), start=first_line)
    for number, (answer, (source, target)) in numbered:
        for i, j in sorted(answer.sure | answer.possible):
            if i >= source or j >= target:
                raise InputError(
                    f"{name}, line {number}: the link {i}-{j} lies outside of its sentences of "
                    f"{source} and {target} words. Indices count words from 0; fix the line."
                )
