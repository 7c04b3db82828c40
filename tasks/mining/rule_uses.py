"""Count how often what the rules write stands in the translation, by the shape of what they saw.

A rule is right or wrong by what it saw more than by the number in it: `第 12 条` is nearly always
`article 12`, while translators write `30 %` in many ways. So what a rule saw is counted by its
shape, its source with every number taken out; all names that a rule sees go together.

What stands beside it tells, too: the parts of a list are gathered (`articles 34 , 50 and 58`, where
nobody writes `article 50`), and a 项 that no 条 stands before may be `the first paragraph`. So the
shape also says whether the same rule saw something directly before or behind, and whether the span
is one of a list.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from tasks.mining.uses import DocumentKey, Held, Uses, by_document, marked, total

TOTAL_RULE_USES = """
SELECT rule, shape,
    SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences,
    SUM(found_documents)::BIGINT AS found_documents, SUM(documents)::BIGINT AS documents
FROM rule_counts GROUP BY rule, shape
ORDER BY rule, shape
"""
"""Uses over all shards; a key may stand once for each of them."""

T = TypeVar("T", bound=Mapping[str, Any])

RuleKey = tuple[str, str]
"""Id and version of a rule, and shape of what it saw."""
RulePair = tuple[DocumentKey, Sequence[Mapping[str, Any]], Sequence[str]]
"""Document, what the rules saw in the source, target words."""

NUMBER, BESIDE, LISTED = "#", "…", "、"
"""How a shape is written: `…第#项、` is one of several 项 behind a 条."""
_Shapes = Mapping[tuple[int, str], str]
"""Shapes by where they start, or end, and by rule."""
_NAMES = frozenset(["person", "location", "organization"])
_NUMBERS = re.compile(r"[0-9][0-9.,]*|[零〇一二三四五六七八九十百千万萬亿億兆两兩廿卅]+")


def keyed_rules(rules: Sequence[T]) -> list[tuple[T, RuleKey]]:
    """Return what the rules saw in a sentence, each with the key by which its uses are counted.

    Args:
        rules: every span of the sentence, in order.
    """
    spans = [(rule["start"], rule["end"], rule["rule"], _shape(rule)) for rule in rules]
    starts = {(start, rule): shape for start, _, rule, shape in spans}
    ends = {(end, rule): shape for _, end, rule, shape in spans}
    return [
        (seen, (rule, _with_neighbours(shape, (start, end, rule), starts, ends)))
        for seen, (start, end, rule, shape) in zip(rules, spans, strict=True)
    ]


def _shape(rule: Mapping[str, Any]) -> str:
    """Return what a rule saw, without numbers; names have no shape."""
    return "" if rule["category"] in _NAMES else _NUMBERS.sub(NUMBER, rule["source"])


def _with_neighbours(shape: str, span: tuple[int, int, str], starts: _Shapes, ends: _Shapes) -> str:
    """Add to a shape what the same rule saw beside a span."""
    start, end, rule = span
    if not shape:
        return shape
    listed = shape in (ends.get((start - 1, rule)), starts.get((end + 1, rule)))
    before = BESIDE if (start, rule) in ends else ""
    behind = BESIDE if (end, rule) in starts else ""
    return f"{before}{shape}{LISTED if listed else ''}{behind}"


def rules_in_pair(rules: Sequence[Mapping[str, Any]], target: Sequence[str]) -> dict[RuleKey, Held]:
    """Count the uses of rules in one sentence pair.

    Several spans that are written alike need as many places opposite, which the first ones take.
    """
    if not rules:
        return {}
    opposite = marked(target)
    left = {written: opposite.count(marked(written.split())) for written in _written(rules)}
    held: dict[RuleKey, Held] = {}
    for rule, key in keyed_rules(rules):
        found, occurrences = held.get(key, (0, 0))
        held[key] = found + (left[rule["target"]] > 0), occurrences + 1
        left[rule["target"]] -= 1
    return held


def _written(rules: Iterable[Mapping[str, Any]]) -> set[str]:
    return {rule["target"] for rule in rules}


def count_rule_uses(pairs: Iterable[RulePair]) -> dict[RuleKey, Uses]:
    """Count the uses of rules in sentence pairs; whole documents, one after the other."""
    held = ((document, rules_in_pair(rules, target)) for document, rules, target in pairs)
    return total(by_document(held))
