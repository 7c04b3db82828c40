"""Write integers in Chinese as taught in school: the judge of `tasks/rules/numbers.py`."""

DIGITS = "零一二三四五六七八九"
FORMAL = str.maketrans("一二三四五六七八九十百千", "壹贰叁肆伍陆柒捌玖拾佰仟")
TRADITIONAL = str.maketrans("万亿", "萬億")


def in_chinese(value: int) -> str:
    """Write 0 to 10^16 - 1, such as 10,015 as 一万零一十五."""
    if value < 10_000:
        return _below_ten_thousand(value)
    size, mark = (10**8, "亿") if value >= 10**8 else (10**4, "万")
    head, tail = divmod(value, size)
    gap = "零" if tail and tail < size // 10 else ""
    return in_chinese(head) + mark + gap + (in_chinese(tail) if tail else "")


def _below_ten_thousand(value: int) -> str:
    if value < 10:
        return DIGITS[value]
    for size, mark in ((1000, "千"), (100, "百"), (10, "十")):
        if value >= size:
            head, tail = divmod(value, size)
            gap = "零" if tail and tail < size // 10 else ""
            return DIGITS[head] + mark + gap + (_below_ten_thousand(tail) if tail else "")
    raise AssertionError(value)


def digit_by_digit(value: int) -> str:
    """Write 2003 as 二〇〇三."""
    return "".join("〇一二三四五六七八九"[int(digit)] for digit in str(value))
