"""Words of approximation around a number, shared by the rules of quantities, money and shares."""

import re
from dataclasses import replace
from decimal import Decimal

from tasks.rules.numbers import OF_NAMES, read_amount
from tasks.rules.values import Amount, Bound

_BEFORE: dict[str, Bound] = {
    **dict.fromkeys(("约", "大约", "大概"), "about"),
    **dict.fromkeys(("近", "将近"), "nearly"),
    **dict.fromkeys(("超过", "逾"), "more"),
    **dict.fromkeys(("不到", "不足"), "less"),
    "至少": "least",
    "最多": "most",
}
PREFIX = (
    "(?:(?P<pre>大约|大概|将近|超过|不到|不足|至少|最多|逾"
    "|(?<![条合节纽预违契公立相制签誓])约|(?<![附最靠接远临新就相])近))?"
)
LEFT_AND_RIGHT = (
    "左右(?!手|脚|肩|臂|眼|耳|腿|舷|舵|派|摇|摆|护法|丞相|逢源|为难|开弓|两[侧边翼岸]|[侧翼]|着)"
)
"""左右 as `about`, not as the left and the right of something."""
SOME = "许(?![多可诺愿久某氏先女])"
"""许 as `about`, not as the beginning of a word or of a name."""
AROUND = (
    f"(?:(?P<around>{LEFT_AND_RIGHT}|上下(?![文游级铺册班楼车集卷]))"
    "|(?P<just_over>出头(?![露天条版鸟绪目像饰号衔羊牌])))?"
)

_LAST_SCALE = re.compile("[百千万亿兆]{1,3}$")
UNIT_ENDS = (
    "(?!(?<=年)[代级度初末底间]|(?<=天)[津安空然下]|(?<=人)[民员均行工类事力口士才制帮组座]"
    "|(?<=名)[字单义列称词]|(?<=位)[置于]|(?<=家)[庭长电具乡]|(?<=克)[拉里林罗什]"
    "|(?<=升)[高级值至到幅降]|(?<=周)[年末期边一二三四五六日刊]|(?<=所)[有以需得述列称规定]"
    "|(?<=项)[目链]|(?<=种)[类族植子]|(?<=个)[月人别性体百小星礼钟世季工]|(?<=座)[谈位]"
    "|(?<=架)构|(?<=件)数|(?<=米)[饭粉]|(?<=元)[月旦素首老宵年件]|(?<=块)茎|(?<=分)之"
    "|(?<=秒)杀|(?<=里)[面边头程亚氏斯昂奇拉屯庄店河桥碑村镇乡坡堡铺湾坪沟洋]|(?<=丈)[夫人母量]|(?<=尺)[寸度子码]|(?<=寸)[步心土]"
    "|(?<=石)[油化家头子材像碑器窟]|(?<=担)[心任负保当忧子]|(?<=顷)刻|(?<=斗)[争志篷]|(?<=[A-Za-z])[A-Za-z0-9])"
)
"""A unit is not the beginning of another word: 米 of 米饭, 元 of 元月."""

MORE = f"多(?!{OF_NAMES}|[种样次边方数少元半人家名位个达于项条起国地党功媒层重维角久余出亏])"
"""Behind what was counted 多 says `more`, but not before what makes it `many`."""
APIECE = "一(?:[斤张本件条瓶碗杯支根串]|个(?![人小月]))"
"""Behind a price it says for how much of a thing; its 一 is no digit of the price."""
UNIT_TAIL = (
    "(?:(?P<half>半(?![径数年天月小个夜点信决导山岛价程成票官球场封自职边]))"
    f"|(?P<over>{MORE}|(?<=[亩顷])多(?=地)"
    "|余(?![下生额款热地粮数量粉钱项党孽味暇光威留存年人名"
    "位条次种家波震音毒悸杭姚江干]))"
    "|(?P<roughly>(?<=[米尺丈里])来(?=[高长宽深厚远])|(?<=[斤克吨])来(?=重)))?"
)
"""Behind a unit: and a half of it (两斤半), more than so many (三米多, 三米余), or about so many
(三米来高)."""


def bound_before(found: re.Match[str]) -> Bound:
    """Return what the word of approximation before a number says."""
    return _BEFORE.get(found["pre"] or "", "exact")


def amount_of(found: re.Match[str]) -> Amount | None:
    """Read the groups n and m and the words of approximation around them."""
    groups = found.groupdict()
    low = read_amount(found["n"])
    if low is None and groups.get("pre") and found["n"][0] in "百千万亿":
        low = read_amount("一" + found["n"])
    if low is not None and groups.get("m"):
        low = read_range(found["n"], found["m"])
    if low is not None and groups.get("half"):
        low = _and_a_half(low)
    return None if low is None else bounded(low, found)


def bounded(amount: Amount, found: re.Match[str]) -> Amount | None:
    """Apply the words of approximation in the groups around an amount; None where they clash."""
    return _bounded(amount, _bounds_around(found.groupdict()))


def _bounds_around(groups: dict[str, str | None]) -> list[Bound]:
    """Return what each word of approximation around a number says of it."""
    before = _BEFORE.get(groups.get("pre") or "")
    bounds: list[Bound] = [] if before is None else [before]
    if groups.get("over") or groups.get("just_over"):
        bounds.append("more")
    if groups.get("around") or groups.get("roughly"):
        bounds.append("about")
    return bounds


def _bounded(amount: Amount, bounds: list[Bound]) -> Amount | None:
    """Apply one word of approximation; several, or one that does not suit the amount, are None."""
    if not bounds:
        return amount
    if len(bounds) > 1 or amount.bound != "exact":
        return None
    if amount.high is not None and bounds != ["about"]:
        return None
    return replace(amount, bound=bounds[0])


def _and_a_half(amount: Amount) -> Amount | None:
    """Add a half to a whole number, or return None."""
    if amount.high is not None or amount.bound != "exact" or amount.low % 1:
        return None
    return replace(amount, low=amount.low + Decimal("0.5"))


def read_range(first: str, last: str) -> Amount | None:
    """Read a range that rises; a scale behind its end may be shared (3至5万)."""
    low, high = read_amount(first), read_amount(last)
    if low is None or high is None or low.high is not None or high.high is not None:
        return None
    if low.bound != "exact" or high.bound != "exact":
        return None
    shared = None
    if scale := _LAST_SCALE.search(last):
        shared = read_amount(first + scale[0]) if first[-1] not in "十百千万亿" else None
    if shared is not None and shared.high is None and shared.low < high.low:
        low = shared
    if not low.low < high.low:
        return None
    return Amount(low.low, high.low, digits=low.digits and high.digits)
