"""Count how often what the rules write stands in the translation, by the shape of what they saw.

A rule is right or wrong by what it saw more than by the number in it: `第 12 条` is nearly always
`article 12`, while translators write `30 %` in many ways. So what a rule saw is counted by its
shape, its source with every number taken out; all names that a rule sees go together.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasks.mining.uses import DocumentKey, Held, Uses, by_document, marked, total

TOTAL_RULE_USES = """
SELECT rule, shape,
    SUM(found)::BIGINT AS found, SUM(occurrences)::BIGINT AS occurrences,
    SUM(found_documents)::BIGINT AS found_documents, SUM(documents)::BIGINT AS documents
FROM rule_counts GROUP BY rule, shape
ORDER BY rule, shape
"""
"""Uses over all shards; a key may stand once for each of them."""

RuleKey = tuple[str, str]
"""Id and version of a rule, and shape of what it saw."""
RulePair = tuple[DocumentKey, Sequence[Mapping[str, Any]], Sequence[str]]
"""Document, what the rules saw in the source, target words."""

NUMBER = "#"
_NAMES = frozenset(["person", "location", "organization"])
_NUMBERS = re.compile(r"[0-9][0-9.,]*|[零〇一二三四五六七八九十百千万萬亿億兆两兩廿卅]+")


def rule_key(rule: Mapping[str, Any]) -> RuleKey:
    """Return by what the uses of a rule's span are counted."""
    if rule["category"] in _NAMES:
        return rule["rule"], ""
    return rule["rule"], _NUMBERS.sub(NUMBER, rule["source"])


def rules_in_pair(rules: Sequence[Mapping[str, Any]], target: Sequence[str]) -> dict[RuleKey, Held]:
    """Count the uses of rules in one sentence pair.

    Several spans that are written alike need as many places opposite.
    """
    if not rules:
        return {}
    opposite = marked(target)
    spans = Counter((rule_key(rule), rule["target"]) for rule in rules)
    held: dict[RuleKey, Held] = {}
    for (key, written), number in spans.items():
        found, occurrences = held.get(key, (0, 0))
        here = min(number, opposite.count(marked(written.split())))
        held[key] = found + here, occurrences + number
    return held


def count_rule_uses(pairs: Iterable[RulePair]) -> dict[RuleKey, Uses]:
    """Count the uses of rules in sentence pairs; whole documents, one after the other."""
    held = ((document, rules_in_pair(rules, target)) for document, rules, target in pairs)
    return total(by_document(held))
