from decimal import Decimal

import pytest

from tasks.rules.numbers import read_amount, read_number
from tasks.rules.values import Amount


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("七万亿", "7000000000000"),
        ("三千万亿", "3000000000000000"),
        ("一百四十万零三千二百一十六", "1403216"),
        ("两万零一十五", "20015"),
        ("两万零十五", "20015"),
        ("32万5", "325000"),
        ("14万3千", "143000"),
        ("3万500", "30500"),
        ("2亿5000万", "250000000"),
        ("六万三", "63000"),
        ("一亿五", "150000000"),
        ("一千二", "1200"),
        ("三百五", "350"),
        ("一万万", "100000000"),
        ("17.3亿", "1730000000"),
        ("零点七亿", "70000000"),
        ("二点三万亿", "2300000000000"),
        ("三点零", "3.0"),
        ("三点一四", "3.14"),
        ("1,234,567", "1234567"),
        ("12 500", "12500"),
        ("叁拾万零伍仟陆佰柒拾捌", "305678"),
        ("廿八", "28"),
        ("卅一", "31"),
        ("二〇〇三", "2003"),
        ("一五〇", "150"),
        ("一百十五", "115"),
    ],
)
def test_numbers_are_read_exactly(text: str, value: str) -> None:
    read = read_number(text)
    assert read is not None
    assert f"{read:f}" == value


@pytest.mark.parametrize(
    "text",
    [
        "百万",
        "千万",
        "五六七八",
        "十四十五十六",
        "三千五万二千万",
        "007",
        "五百三千",
        "两十",
        "零五",
    ]
    + ["伍", "贰十", "一两", "12,34", "5万8万", "十十", "万一", "点五", "二二"],
)
def test_what_is_not_one_sure_number_is_not_read(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "low", "high", "bound"),
    [
        ("三百余万", 3_000_000, None, "more"),
        ("十多万", 100_000, None, "more"),
        ("十几亿", 10**9, None, "more"),
        ("两千多", 2000, None, "more"),
        ("20多万", 200_000, None, "more"),
        ("十几", 10, None, "more"),
        ("数十万", 100_000, None, "several"),
        ("几百", 100, None, "several"),
        ("数千亿", 10**11, None, "several"),
        ("三四", 3, 4, "exact"),
        ("十七八", 17, 18, "exact"),
        ("五六十万", 500_000, 600_000, "exact"),
        ("三五百", 300, 500, "exact"),
        ("一百二三十", 120, 130, "exact"),
        ("负七", -7, None, "exact"),
        ("-2.5", Decimal("-2.5"), None, "exact"),
    ],
)
def test_approximate_numbers_keep_their_meaning(
    text: str, low: Decimal | int, high: int | None, bound: str
) -> None:
    amount = read_amount(text)
    assert amount is not None
    assert (amount.low, amount.high, amount.bound) == (low, high, bound)


@pytest.mark.parametrize(
    "text", ["七八九十", "数", "几", "三七", "负三四", "数三百", "三四多", "多"]
)
def test_approximations_that_say_nothing_sure_are_not_read(text: str) -> None:
    assert read_amount(text) is None


def test_amounts_in_arabic_digits_remember_it() -> None:
    assert read_amount("1,500") == Amount(Decimal(1500), digits=True)
    assert read_amount("15百") == Amount(Decimal(1500))
