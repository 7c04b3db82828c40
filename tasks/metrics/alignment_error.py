"""Precision, recall and alignment error rate against gold links (Och and Ney 2003, section 6).

Links are pairs `(source index, target index)`, 0-based. Soft alignments (SAER) are another metric.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.errors import InputError

Link = tuple[int, int]

_GOLD_LINK = re.compile(r"(\d+)-(p-)?(\d+)")


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
    """Read one line of gold links: `i-j` is sure, `i-p-j` is possible; both 0-based.

    Raises:
        InputError: something on the line is not a link.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for item in line.split():
        match = _GOLD_LINK.fullmatch(item)
        if match is None:
            raise InputError(
                f"{name}, line {number}: expected links such as 0-1 (sure) or 0-p-1 (possible), "
                f"found {item[:40]!r}. Fix the line; indices count words from 0."
            )
        (possible if match[2] else sure).add((int(match[1]), int(match[3])))
    return GoldLinks(frozenset(sure), frozenset(possible))


def check_within(gold: Sequence[GoldLinks], lengths: Sequence[tuple[int, int]], name: str) -> None:
    """Check that gold links point to words that are there.

    Args:
        gold: the links of each line.
        lengths: source and target words of each line.
        name: the file of the links, for the message.

    Raises:
        InputError: a link lies outside of its sentences.
    """
    for number, (answer, (source, target)) in enumerate(zip(gold, lengths, strict=False), start=1):
        for i, j in sorted(answer.sure | answer.possible):
            if i >= source or j >= target:
                raise InputError(
                    f"{name}, line {number}: the link {i}-{j} lies outside of its sentences of "
                    f"{source} and {target} words. Indices count words from 0; fix the line."
                )
