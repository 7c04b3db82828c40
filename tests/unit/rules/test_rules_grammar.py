"""What the whole grammar makes of a phrase: one match that covers it, or none."""

import pytest

from tasks.rules.grammar import find
from tasks.rules.hits import Hit, settle
from tasks.rules.style import RuleStyle

NUMBERS = [
    ("七万亿", "7 trillion"),
    ("两千万亿", "2 quadrillion"),
    ("三百万", "3 million"),
    ("2.7亿", "270 million"),
    ("二十万", "200,000"),
    ("三千零一", "3,001"),
    ("一百二十五名", "125"),
    ("45,876人", "45,876 people"),
    ("１２，３４５", "12,345"),
    ("三点零", "3.0"),
    ("负二点五", "-2.5"),
    ("三万二", "32,000"),
    ("六萬五", "65,000"),
    ("384,400,100米", "384,400,100 meters"),
]
SHARES = [
    ("百分之三点五", "3.5 percent"),
    ("负百分之二", "minus 2 percent"),
    ("百分之百", "100 percent"),
    ("百分之零点一", "0.1 percent"),
    ("5％至8％", "5 to 8 percent"),
    ("6-9%", "6 to 9 percent"),
    ("百分之三四十", "30 to 40 percent"),
    ("百分之八至百分之十五", "8 to 15 percent"),
    ("千分之三", "0.3 percent"),
    ("万分之五", "0.05 percent"),
    ("两个百分点", "2 percentage points"),
    ("三分之二", "two thirds"),
    ("二分之一", "one half"),
    ("四分之三", "three quarters"),
    ("十五分之四", "4 / 15"),
    ("七成五", "75 percent"),
    ("打七折", "30 percent off"),
    ("翻两番", "quadrupled"),
    ("五倍", "five times"),
]
APPROXIMATE = [
    ("三四个", "three or four"),
    ("五六十", "50 to 60"),
    ("数十万", "hundreds of thousands"),
    ("数千人", "thousands of people"),
    ("几十年", "decades"),
    ("十几亿", "more than 1 billion"),
    ("三百余万元", "more than 3 million yuan"),
    ("七百左右", "about 700"),
    ("不到一百", "less than 100"),
    ("约三百", "about 300"),
    ("近五百名", "nearly 500"),
    ("约三至五天", "about three to five days"),
    ("超过160千米", "more than 160 kilometers"),
    ("四至六天", "four to six days"),
    ("3至5万人", "30,000 to 50,000 people"),
    ("200万到300万年", "2 to 3 million years"),
]
ORDINALS = [
    ("第十六届", "16th"),
    ("第一百一十二", "112th"),
    ("第36届", "36th"),
    ("第三届", "third"),
    ("第十六条", "article 16"),
    ("第三十四条之一", "article 34-1"),
    ("第三十条至第三十四条", "articles 30 to 34"),
    ("第四章", "chapter 4"),
    ("第1441号决议", "resolution 1441"),
    ("第三季度", "third quarter"),
    ("七十周年", "70th anniversary"),
]
DATES = [
    ("二〇〇三年三月二十日", "march 20 , 2003"),
    ("２００３年３月２０日", "march 20 , 2003"),
    ("2003年3月20日（星期四）", "thursday , march 20 , 2003"),
    ("六月三十日", "june 30"),
    ("四月二十三", "april 23"),
    ("5月份", "may"),
    ("十月底", "the end of october"),
    ("10月中旬", "mid-october"),
    ("二○○四年", "2004"),
    ("一九九八年底", "the end of 1998"),
    ("2018年上半年", "the first half of 2018"),
    ("2018年第三季度", "the third quarter of 2018"),
    ("2003年5月", "may 2003"),
    ("2016-11-13", "november 13 , 2016"),
    ("2016/1/3", "january 3 , 2016"),
    ("2004年2月29日", "february 29 , 2004"),
    ("民国三十八年", "1949"),
    ("民国九十五年七月一日", "july 1 , 2006"),
    ("昭和二十年", "1945"),
    ("公元前二二一年", "221 bc"),
    ("公元25年", "25 ad"),
    ("上世纪八十年代", "the 1980s"),
    ("20世纪90年代初", "the early 1990s"),
    ("八十年代中期", "the mid-1980s"),
    ("二十一世纪", "the 21st century"),
    ("十九世纪末", "the end of the 19th century"),
    ("星期三", "wednesday"),
    ("周一至周五", "monday to friday"),
    ("农历八月十五", "the 15th day of the eighth lunar month"),
    ("九·一八事变", "september 18 incident"),
    ("2011 年 至 2013 年", "2011 to 2013"),
    ("一九九八至二〇〇〇年", "1998 to 2000"),
    ("三月五日至八日", "march 5 to 8"),
    ("2014年1月1日至12月31日", "january 1 to december 31 , 2014"),
    ("7-8月", "july to august"),
    ("11月至2月", "november to february"),
    ("三百年", "300 years"),
    ("两千多年", "more than 2,000 years"),
    ("三个月", "three months"),
    ("两年半", "two and a half years"),
    ("三个半小时", "three and a half hours"),
    ("五年计划", "five-year plan"),
]
TIMES = [
    ("下午四点半", "4:30 p.m."),
    ("下午三点一刻", "3:15 p.m."),
    ("上午9时至11时", "9 to 11 a.m."),
    ("上午9点到12点", "9 a.m. to noon"),
    ("十五时零五分", "3:05 p.m."),
    ("8点零5分", "8:05"),
    ("晚上十点", "10 p.m."),
    ("晚上12点", "midnight"),
    ("中午十二点", "noon"),
    ("零时", "midnight"),
    ("08:15", "08:15"),
    ("9:00-17:00", "9:00 to 17:00"),
    ("上午9:00至下午5:30", "9:00 a.m. to 5:30 p.m."),
    ("北京时间8时30分", "8:30 a.m. beijing time"),
    ("昨晚八点", "8 p.m. last night"),
    ("差五分八点", "7:55"),
    ("2014年08月09日10时20分", "10:20 a.m. on august 9 , 2014"),
    ("2020-02-02 10:00:00", "february 2 , 2020 at 10:00:00"),
]
MONEY = [
    ("五千五百万美元", "55 million us dollars"),
    ("一点二万亿元人民币", "1.2 trillion yuan"),
    ("人民币壹万贰仟元整", "12,000 yuan"),
    ("八百港元", "800 hong kong dollars"),
    ("五十万日元", "500,000 yen"),
    ("三元五角", "3.5 yuan"),
    ("US$500", "500 us dollars"),
    ("数十亿美元", "billions of us dollars"),
    ("3亿至5亿美元", "300 to 500 million us dollars"),
    ("二十摄氏度", "20 degrees celsius"),
    ("六十亿立方米", "6 billion cubic meters"),
    ("3千瓦", "3 kilowatts"),
    ("1公里", "1 kilometer"),
]
RATES = [
    ("每小时120公里", "120 kilometers per hour"),
    ("120公里/小时", "120 kilometers per hour"),
    ("每桶60美元", "60 us dollars per barrel"),
    ("零下五度", "minus 5 degrees"),
    ("零下20摄氏度", "minus 20 degrees celsius"),
    ("摄氏36度", "36 degrees celsius"),
    ("一米七五", "1.75 meters"),
    ("1米75", "1.75 meters"),
    ("两块五", "2.5 yuan"),
    ("30㎡", "30 square meters"),
    ("30m2", "30 square meters"),
    ("3.5km", "3.5 kilometers"),
]
WORDED = [
    ("第1373(2001)号决议", "resolution 1373 ( 2001 )"),
    ("第57/270号决议", "resolution 57 / 270"),
    ("第十一个五年计划", "11th five-year plan"),
    ("上世纪末", "the end of last century"),
    ("二十世纪六七十年代", "the 1960s and 1970s"),
    ("半小时", "half an hour"),
    ("八点钟", "8 o'clock"),
    ("近三成", "nearly 30 percent"),
    ("大约三分之一", "about one third"),
    ("逾百万人", "more than 1 million people"),
    ("一百来人", "about 100 people"),
    ("千余人", "more than 1,000 people"),
    ("三五天", "three to five days"),
    ("负五", "-5"),
]
ALONE = NUMBERS + SHARES + APPROXIMATE + ORDINALS + DATES + TIMES + MONEY + RATES + WORDED


@pytest.mark.parametrize(("text", "english"), ALONE)
def test_a_phrase_alone_has_one_match_that_covers_it(text: str, english: str) -> None:
    assert [(m.start, m.end, m.target) for m in find(text)] == [(0, len(text), english)]


@pytest.mark.parametrize(
    "text",
    [
        "一",
        "两",
        "半",
        "一点",
        "十五",
        "十分",
        "四五",
        "千万",
        "二百五",
        "三点五",
        "伍",
        "一个",
        "一些",
        "万一",
    ]
    + [
        "五六七八",
        "七八九十枝",
        "十四十五十六",
        "单一零件",
        "全国统一零售价",
        "赵四海和钱三立",
        "index.page",
    ]
    + [
        "二月三十日",
        "2005年2月29日",
        "2005年13月",
        "二十五时",
        "上午十二点",
        "上午下午七点",
        "下午5点70分",
    ]
    + [
        "21年",
        "95年",
        "增长两倍",
        "联系电话13900000000",
        "A6",
        "5kmh",
        "3D",
        "四周",
        "两年期",
    ]
    + [
        "九十五年一月一日",
        "第一款",
        "192.168.1.1",
        "3.2.1",
        "http://example.org/2003年",
        "my_5年",
        "（四十二）",
    ]
    + [
        "三四月",
        "5日至8日",
        "腊月二十三",
        "十三五",
        "十四五",
        "一一九",
        "三倍半",
        "肩负两岸",
        "200 3年",
        "第1373(2001)条",
    ]
    + [
        "一兆元",
        "15点",
        "三月以上",
        "逾七百万元至九百万元",
        "八月十五中秋节",
        "二十一大",
        "美元5欧元",
        "๒๕",
        "٣٤٥",
    ],
)
def test_what_is_not_sure_has_no_match(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("甲有三千元，乙有四千元", ["三千元", "四千元"]),
        ("2016年9月4日或08:15", ["2016年9月4日", "08:15"]),
        ("于2016-11-13修改", ["2016-11-13"]),
        ("百分之六十百分位", ["百分之六十"]),
        ("員工４５，８７６人", ["４５，８７６人"]),
        ("第八条第四章", ["第八条", "第四章"]),
        ("在 2003 年 3 月 5 日 ，", ["2003 年 3 月 5 日"]),
        ("约15 200人", ["约15 200人"]),
        ("两者相差三百元", ["三百元"]),
        ("截至2004年底", ["2004年底"]),
        ("二、五年以下", ["五年"]),
        ("二〇〇三年三月十五", ["二〇〇三年三月十五"]),
    ],
)
def test_spans_in_running_text_slice_the_original(text: str, spans: list[str]) -> None:
    found = find(text)
    assert [m.source for m in found][: len(spans)] == spans
    assert all(text[m.start : m.end] == m.source for m in found)


@pytest.mark.parametrize(
    ("style", "text", "english"),
    [
        (RuleStyle(day_first=True), "2003年3月20日", "20 march 2003"),
        (RuleStyle(percent_sign=True), "百分之三点五", "3.5 %"),
        (RuleStyle(money_symbols=True), "五千五百万美元", "$ 55 million"),
        (RuleStyle(money_symbols=True), "约八百港元", "about hk $ 800"),
        (RuleStyle(spell_up_to=0), "三个月", "3 months"),
        (RuleStyle(region="taiwan"), "九十五年一月一日", "january 1 , 2006"),
        (RuleStyle(region="taiwan"), "三万元", "30,000 new taiwan dollars"),
        (RuleStyle(region="taiwan"), "第四项", "paragraph 4"),
        (RuleStyle(region="mainland"), "第四款", "paragraph 4"),
    ],
)
def test_the_style_is_a_setting(style: RuleStyle, text: str, english: str) -> None:
    assert [m.target for m in find(text, style)] == [english]


def hit(start: int, end: int, target: str | None, rule: str = "a/1") -> Hit:
    return Hit(start, end, target, "number", rule)


def test_the_longest_hit_wins_even_where_it_abstains() -> None:
    assert settle([hit(0, 2, "short"), hit(1, 5, "long")]) == [hit(1, 5, "long")]
    assert settle([hit(0, 2, "short"), hit(0, 3, None)]) == [hit(0, 3, None)]


def test_equally_long_hits_that_disagree_abstain_and_those_that_agree_do_not() -> None:
    assert settle([hit(0, 2, "x"), hit(0, 2, "y", "b/1")]) == [hit(0, 2, None)]
    assert settle([hit(0, 2, "x"), hit(1, 3, "y")]) == [hit(0, 2, None)]
    assert settle([hit(0, 2, "x"), hit(0, 2, "x", "b/1")]) == [hit(0, 2, "x")]


def test_hits_side_by_side_all_stay() -> None:
    assert settle([hit(2, 4, "y"), hit(0, 2, "x")]) == [hit(0, 2, "x"), hit(2, 4, "y")]


def test_a_match_names_its_rule_with_its_version_and_its_category() -> None:
    (match,) = find("二〇〇三年三月二十日")
    assert (match.rule, match.category) == ("date.full/2", "date")


def test_times_of_day_do_not_depend_on_todays_clock() -> None:
    assert find("明晚八点") == find("明晚八点")
    assert find("明晚八点")[0].target == "8 p.m. tomorrow night"


@pytest.mark.parametrize(
    "unit",
    [
        "一",
        "1",
        "年",
        "1,234 ",
        "第",
        "百分之",
        "数",
        "(",
        "三月",
        "2003年",
        "1.",
        "点",
        "约",
        "\ud800",
        "至",
    ],
)
def test_a_long_line_takes_no_quadratic_time(unit: str) -> None:
    for match in find(unit * (200_000 // len(unit))):
        assert match.end - match.start <= 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NBA 二〇〇三年三月二十日", ["march 20 , 2003"]),
        ("NBA二〇〇三年三月二十日", ["march 20 , 2003"]),
        ("iPhone 二〇〇三年", ["2003"]),
        ("b 2003年3月20日", ["march 20 , 2003"]),
        ("b2003年3月20日", []),
        ("AB2003年3月", []),
        ("去年3月20日", ["march 20"]),
    ],
)
def test_letters_before_a_date_never_cut_it(text: str, expected: list[str]) -> None:
    assert [match.target for match in find(text)] == expected


def test_a_region_may_end_in_a_blank() -> None:
    assert find("5 ") == []
    assert [match.target for match in find("3月20日 ")] == ["march 20"]
