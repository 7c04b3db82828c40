"""What rules saw is counted by its shape, and by what the same rule saw beside it."""

import pytest

from tasks.mining.rule_uses import keyed_rules, rules_in_pair

PART = "ordinal.part/1"


def span(
    start: int, source: str, target: str = "", *, words: int = 3, rule: str = PART
) -> dict[str, object]:
    category = "person" if rule.startswith("name") else "term"
    end = start + words
    return {
        **{"start": start, "end": end, "source": source, "target": target},
        **{"rule": rule, "category": category},
    }


@pytest.mark.parametrize(
    ("spans", "shapes"),
    [
        ([], []),
        ([span(0, "第三条")], ["第#条"]),
        # 第三条第一项: the one goes on with the other.
        ([span(0, "第三条"), span(3, "第一项")], ["第#条…", "…第#项"]),
        # 第三条、第四条及第五条: a list, with one word between.
        (
            [span(0, "第三条"), span(4, "第四条"), span(8, "第五条")],
            ["第#条、", "第#条、", "第#条、"],
        ),
        # 第三条第一项及第二项: the last two are a list, the first of them behind a 条.
        (
            [span(0, "第三条"), span(3, "第一项"), span(7, "第二项")],
            ["第#条…", "…第#项、", "第#项、"],
        ),
        # 第三条第一项及第四条: of different shapes is no list.
        (
            [span(0, "第三条"), span(3, "第一项"), span(7, "第四条")],
            ["第#条…", "…第#项", "第#条"],
        ),
        # Two words between are no list.
        ([span(0, "第三条"), span(5, "第四条")], ["第#条", "第#条"]),
        # Other rules tell nothing.
        ([span(0, "第三条"), span(3, "五日", rule="quantity.days/1")], ["第#条", "#日"]),
        # All names go together.
        ([span(0, "张三", rule="name.person/1"), span(3, "李四", rule="name.person/1")], ["", ""]),
    ],
)
def test_a_shape_says_what_stands_beside(spans: list[dict[str, object]], shapes: list[str]) -> None:
    keyed = keyed_rules(spans)
    assert [seen for seen, _ in keyed] == spans
    assert [key for _, key in keyed] == [
        (seen["rule"], shape) for seen, shape in zip(spans, shapes, strict=True)
    ]


def test_spans_written_alike_need_as_many_places_whatever_stands_beside_them() -> None:
    spans = [span(0, "第三条", "article 3"), span(3, "第一项", "paragraph 1")]
    spans += [span(8, "第一项", "paragraph 1"), span(13, "第二项", "paragraph 2")]
    words = ["paragraph", "1", "of", "article", "3", "and", "paragraph", "2"]
    assert rules_in_pair(spans, words) == {
        (PART, "第#条…"): (1, 1),
        (PART, "…第#项"): (1, 1),
        (PART, "第#项"): (1, 2),
    }
    assert rules_in_pair([], words) == {}
