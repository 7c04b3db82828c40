"""Read numbers written in Chinese, Arabic or both, exactly; write nothing.

`NUMBER` finds where a number could be; `read_amount` says what it means or None. Patterns see
folded text (`fold.py`). Approximate numbers keep their meaning (`三百余` is more than 300) and
neighbours named in one breath are a range (`三四`, `五六十万`).
"""

import re
from decimal import Decimal
from functools import lru_cache

from tasks.rules.values import Amount, Bound

DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SMALL_SCALES = {"十": 10, "百": 100, "千": 1000}
_SCALES = {**_SMALL_SCALES, "万": 10**4, "亿": 10**8, "兆": 10**12}
_POINTS = str.maketrans(".·", "点点")
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")

CHINESE = "零〇一二三四五六七八九十百千万亿两廿卅兆壹贰叁肆伍陆柒捌玖拾佰仟"
"""Every character of a Chinese numeral."""

_LATIN_UNITS = "(?:km/h|km2|km|cm|mm|kg|mg|ml|m2|m3|m²|m³|[kMG]W|kWh|[kMG]Hz|[MGT]B)(?![A-Za-z0-9])"
_MEGA = "兆(?:[瓦赫帕焦]|字节)"
_ROUGHLY = (
    "来(?=[个名位人家岁年天元次件吨亩公页头张种台条辆栋座部本篇支只匹万里斤米块分秒所间艘架户层])"
)
"""来 behind a number is `about` before what is counted; before a verb it is `come`."""
SEVERAL = "(?<![人总户次件股票张])数"
"""数 as `several`, not as the end of 人数 and the like."""
NO_NUMERAL_BEFORE = rf"(?<![{CHINESE}几0-9])(?<!(?=(?<![人总户次件股票张])数).)"
"""A share may begin here: 一百分之三 and 数百分之三 are none of hundredths."""
OF_NAMES = "普勒|瑙|米尼|哈(?![尼萨])|伦多|佛|特蒙|元化|媒体|极化|边主|边贸|样化|党制"
"""Behind 多 they make a word of it: 多普勒, 多瑙河, 多元化."""
_MORE = rf"(?:多(?!{OF_NAMES}|[样边])|余(?![样边杭姚]))"
LEFT = rf"(?<![{CHINESE}0-9A-Za-z几数第])(?<![0-9][.,:/ -])(?<![A-Za-z][.-])(?<![{CHINESE}][.·])"
"""A number may begin here: no numeral, letter or 第 stands before it."""
RIGHT = (
    rf"(?!(?!两[者个位]|千[米克瓦]|百分[位点之]|{_MEGA}|{_LATIN_UNITS})[{CHINESE}0-9A-Za-z]"
    rf"|[.:/, ]?[0-9]|[几数][{CHINESE}]|[点.·][零〇一二三四五六七八九]"
    rf"|{_MORE}|{_ROUGHLY}|(?<=十)字(?:路口|街|架|形|军|绣|勋章|头))"
)
"""A number may end here: no numeral or approximation follows, and no letter but a unit."""

_SCALE_RUN = "(?:(?:[十百万亿]|兆(?![瓦赫帕焦字])|千(?![米克瓦])){1,3}(?!分之|分[位点]))"
ARABIC = r"(?:[0-9]{1,3}(?:[, ][0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,18}(?:\.[0-9]{1,12})?)"
_MIXED = rf"{ARABIC}[多余]?{_SCALE_RUN}(?:{ARABIC}[百千万亿]{{0,2}}){{0,3}}"
_NUMERAL = rf"(?:(?![百千万]分[之位点]|千[克瓦]|{_MEGA})[{CHINESE}])"
_WRITTEN = rf"(?:[数几](?=[十百千万亿]))?{_NUMERAL}{{1,32}}"
_POINT = "(?:点|(?:(?<=..)|(?<=[零〇]))[.·])"
"""A point between Chinese digits; behind one digit at the beginning it may number a list."""
_DECIMAL = f"{_POINT}[零〇一二三四五六七八九]{{1,12}}(?:[百千万亿]|兆(?![瓦赫帕焦字])){{0,3}}"
NUMBER = (
    rf"(?:(?:(?<![肩担胜抱辜欺承自背])负|(?<!-)-)?(?:{_MIXED}|{ARABIC}|{_WRITTEN}(?:{_DECIMAL}|[几多余来](?=[百千万亿])[百千万亿]{{1,3}})?)"
    rf"(?:{_MORE}|几(?![0-9])|{_ROUGHLY})?)"
)
"""A number with its approximations; bounded everywhere, so that matching stays linear."""


@lru_cache(maxsize=65536)
def read_amount(text: str) -> Amount | None:
    """Read a number with its sign and approximation, or None if it is not one number."""
    negative = text[:1] in ("负", "-")
    body = text[1:] if negative else text
    body, bound = _without_approximation(body)
    if body[:1] in ("数", "几"):
        return None if negative or bound == "more" else _several(body[1:])
    pair = _read_pair(body)
    if pair is not None:
        return None if negative or bound != "exact" else pair
    value = read_number(body)
    if value is None:
        return None
    digits = body.isascii()
    return Amount(-value if negative else value, bound=bound, digits=digits)


def is_plain(amount: Amount) -> bool:
    """Say whether an amount is one exact number."""
    return amount.high is None and amount.bound == "exact"


def _without_approximation(body: str) -> tuple[str, Bound]:
    """Take 多, 余, 几 and 来 out of a number: behind it, or before its last scales."""
    found = re.fullmatch(r"(.+?)([多余几来])([百千万亿兆]*)", body)
    if found is None:
        return body, "exact"
    lead = "一" if found[1] in ("百", "千", "万") else ""
    return lead + found[1] + found[3], "about" if found[2] == "来" else "more"


def _several(scales: str) -> Amount | None:
    """Read the scale of 数十万: several times that."""
    if not scales or any(mark not in _SCALES for mark in scales):
        return None
    value = read_number(scales if scales[0] == "十" else "一" + scales)
    if value is None or value > 10**12 or set(str(value)[1:]) - {"0"} or str(value)[0] != "1":
        return None
    return Amount(value, bound="several")


def _read_pair(body: str) -> Amount | None:
    """Read neighbours in one breath, such as 三四, 十七八 and 五六十万."""
    found = re.fullmatch(
        r"([零〇一二三四五六七八九两十百千万亿兆]*?)([一二两三四五六七八九])([一二三四五六七八九])([十百千万亿兆]*)",
        body,
    )
    if found is None or (found[1] and found[1][-1] not in _SCALES):
        return None
    first, second = DIGITS[found[2]], DIGITS[found[3]]
    if second != first + 1 and (first, second, found[1]) != (3, 5, ""):
        return None
    low, high = (read_number(found[1] + digit + found[4]) for digit in found.group(2, 3))
    if low is None or high is None:
        return None
    return Amount(low, high, alternative=second == first + 1)


@lru_cache(maxsize=65536)
def read_number(text: str) -> Decimal | None:
    """Read one exact number: Arabic, Chinese, mixed (27万5) or by digits (二〇〇三); or None."""
    if text.isascii():
        return _read_arabic(text)
    if text[0].isascii():
        return _read_mixed(text)
    formal = text.translate(_FORMAL)
    if formal != text:
        if any(mark in "一二三四五六七八九十百千两" for mark in text) or len(text) < 2:
            return None
        text = formal
    whole, point, rest = text.translate(_POINTS).partition("点")
    if point:
        return _read_decimal(whole, rest)
    value = read_integer(text)
    return None if value is None else Decimal(value)


def _read_arabic(text: str) -> Decimal | None:
    if re.fullmatch(ARABIC, text) is None:
        return None
    plain = text.replace(",", "").replace(" ", "")
    if len(plain) > 1 and plain[0] == "0" and plain[1] != ".":
        return None
    return Decimal(plain)


def _read_mixed(text: str) -> Decimal | None:
    """Read groups of digits with falling scales; a last bare digit means the next lower unit."""
    total = Decimal(0)
    previous = Decimal(10) ** 20
    position = 0
    for found in re.finditer(rf"({ARABIC})([十百千万亿兆]*)", text):
        number = _read_arabic(found[1])
        scale = _scale_of(found[2])
        if found.start() != position or number is None or scale >= previous:
            return None
        if scale == 1 and position and len(found[1]) == 1:
            scale = previous / 10
        total += number * scale
        previous, position = scale, found.end()
    return _plain(total) if position == len(text) else None


def _scale_of(marks: str) -> Decimal:
    scale = Decimal(1)
    for mark in marks:
        scale *= _SCALES[mark]
    return scale


def _read_decimal(whole: str, rest: str) -> Decimal | None:
    """Read 三点五 and 一点二万亿, keeping the written precision where no scale follows."""
    found = re.fullmatch(r"([零〇一二三四五六七八九]+)([百千万亿兆]*)", rest)
    units = read_integer(whole)
    if found is None or units is None:
        return None
    value = Decimal(f"{units}." + "".join(str(DIGITS[digit]) for digit in found[1]))
    return _plain(value * _scale_of(found[2])) if found[2] else value


def _plain(value: Decimal) -> Decimal:
    """Drop zeros behind the point that come from a scale, without an exponent."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def read_digit(text: str) -> int | None:
    """Read one digit: 5, 五 or 伍."""
    plain = text.translate(_FORMAL)
    return int(plain) if plain.isdecimal() and len(plain) == 1 else DIGITS.get(plain)


@lru_cache(maxsize=65536)
def read_integer(text: str) -> int | None:
    """Read a Chinese integer below 10^16, or None; 兆 is 10^12, which holds in Taiwan only."""
    text = text.replace("廿", "二十").replace("卅", "三十")
    if len(text) > 1 and all(mark in DIGITS and mark != "两" for mark in text):
        return _read_digit_by_digit(text)
    return _read_scaled(text)


def _read_digit_by_digit(text: str) -> int | None:
    """Read 二〇〇三; counting aloud (五六七八) is no number, nor are two digits."""
    values = [DIGITS[digit] for digit in text]
    steps = {after - before for before, after in zip(values, values[1:], strict=False)}
    if len(text) < 3 or steps == {1}:
        return None
    return int("".join(map(str, values)))


def _read_scaled(text: str) -> int | None:
    """Read around the largest scale: 五万亿 is 五万 times 亿."""
    for mark, size in (("兆", 10**12), ("亿", 10**8), ("万", 10**4)):
        left, found, right = text.rpartition(mark)
        if not found:
            continue
        head, tail = _read_scaled(left), _read_tail(right, size)
        nested = head is not None and head >= size and not (mark == "万" and left[-1] == "万")
        if not head or tail is None or nested or head >= 10**8:
            return None
        return head * size + tail
    return _read_below_ten_thousand(text)


def _read_tail(text: str, size: int) -> int | None:
    """Read what follows a scale: 四万二 is 42,000, and 四万零二 40,002."""
    if not text:
        return 0
    if len(text) == 1 and text in DIGITS:
        return DIGITS[text] * size // 10 or None
    return _read_scaled(text[1:] if text[0] in "零〇" and len(text) > 1 else text)


_SECTION = re.compile(
    "(?:([一二三四五六七八九两])千)?"
    "(?:([零〇])?([一二三四五六七八九两])百)?"
    "(?:([零〇])?([一二三四五六七八九])?(十))?"
    "(?:([零〇])?([一二三四五六七八九两]))?"
)


def _read_below_ten_thousand(text: str) -> int | None:
    if text in ("零", "〇"):
        return 0
    found = _SECTION.fullmatch(text)
    if found is None or not text or text[0] in "零〇":
        return None
    thousands, _, hundreds, _, tens, ten, zero, ones = found.groups()
    value = 1000 * DIGITS.get(thousands, 0) + 100 * DIGITS.get(hundreds, 0)
    if ten:
        value += 10 * DIGITS.get(tens, 1)
    unit = 1
    if ones and not zero and not ten and (thousands or hundreds):
        unit = 10 if hundreds else 100
    if ones == "两" and len(text) > 1:
        return None
    return value + unit * DIGITS.get(ones, 0)
