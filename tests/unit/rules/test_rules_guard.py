"""Pairs whose values agree or not, and what the guard does not judge."""

import pytest

from tasks.rules.guard import compare, disagree, kept_values
from tasks.rules.style import RuleStyle

TAIWAN = RuleStyle(region="taiwan")


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("出口额达3.5亿美元。", "Exports reached $350 million."),
        ("出口额达3.5亿美元。", "exports reached 0.35 billion us dollars ."),
        ("人口约1.3亿。", "It has a population of about 130 million."),
        ("增长百分之三点五。", "It grew 3.5 per cent."),
        ("增长百分之五十。", "It grew by half."),
        ("三成居民反对。", "30 percent of the residents are against it."),
        ("三分之二的居民。", "Two-thirds of the residents."),
        ("四分之一的居民。", "25 % of the residents."),
        ("二〇〇三年三月二十日", "20 March 2003"),
        ("2003年3月20日", "3/20/2003"),
        ("2003年3月20日", "In 2003, on March 20, they met."),
        ("3月5日至8日开会。", "They met from March 5-8."),
        ("3月5日至4月8日开会。", "They met from 5 March to 8 April."),
        ("民国95年成立。", "It was founded in 2006."),
        ("民国95年成立。", "It was founded in year 95 of the Republic of China."),
        ("上世纪八十年代", "in the eighties"),
        ("20世纪初", "in the early 1900s"),
        ("下午四点半开会。", "They meet at half past four in the afternoon."),
        ("15时零五分到达。", "It arrived at 1505."),
        ("三个月后", "a quarter later"),
        ("二十年来", "over two decades"),
        ("十八个月", "one and a half years"),
        ("六个月", "half a year"),
        ("第三章规定", "Chapter III provides"),
        ("第五条规定", "Article 5 provides"),
        ("第十六届会议", "the sixteenth session"),
        ("约300公里长", "about 186 miles long"),
        ("500亩土地", "33 hectares of land"),
        ("两人都来了。", "Both came."),
        ("三四个人", "a few people"),
        ("数百人", "hundreds of people"),
        ("第一项规定", "the preceding paragraph"),
        ("前项第二款规定", "the foregoing item"),
        ("三百多人", "more than 300 people"),
        ("重1吨", "It weighs 1000 kg."),
        ("一年一次", "annually"),
        ("三至五天", "3-5 days"),
        ("罚款三万元以上六万元以下", "a fine of 30 to 60 thousand dollars"),
        ("2013年12月31日终了的财政年度", "the fiscal year ending 31 December 2013"),
        ("今年8月12日", "last Friday, August 12, 2016"),
        ("功率五百万赫", "a frequency of 5 MHz"),
        ("电站为十万瓩", "a station of 100 megawatts"),
        ("电站为十万瓩", "a station of one hundred megawatts"),
        ("频率为5兆赫", "a frequency of 5,000 kHz"),
        ("功率为5兆瓦", "a power of 5,000 kilowatts"),
        ("共有五十亿个", "There are 5 x 10^9 of them."),
        ("共有五十亿个", "There are 5×10⁹ of them."),
        ("长三百六十三米", "three sixty-three meters long"),
        ("价格为55万美元", "a price of $ 550 k"),
        ("走了20里", "They walked a long way to 30 houses."),
        ("二百至三千人", "between two hundred and three thousand people"),
        ("2013年预算", "the budget of the fiscal year 2012"),
        ("2013年预算", "the budget of the fiscal year 2014"),
        ("罚款1,500,000元", "a fine of 1500,000 dollars"),
        ("不得少于百分之七．五", "at least 7.5 percent"),
    ],
)
def test_sides_that_agree(chinese: str, english: str) -> None:
    assert not disagree(chinese, english)
    assert not compare(chinese, english).lost


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("出口额达3.5亿美元。", "Exports reached $35 million."),
        ("出口额达3.5亿美元。", "Exports reached $3.5 million."),
        ("人口约1.3亿。", "It has a population of about 13 million."),
        ("增长百分之三点五。", "It grew 35 per cent."),
        ("增长百分之三点五。", "it grew 4.5 percent ."),
        ("三分之二的居民。", "Three quarters of the residents."),
        ("2003年3月20日开会。", "They met on March 21, 2003."),
        ("2003年3月20日开会。", "They met on 20 March 2004."),
        ("3月5日开会。", "They met on April 5."),
        ("周六开会。", "They meet on Sunday."),
        ("民国95年成立。", "It was founded in 1995."),
        ("上世纪八十年代", "in the 1970s"),
        ("下午四点半开会。", "They meet at 5:30 p.m."),
        ("为期六个月", "for 9 months"),
        ("第五条规定", "Article 6 provides"),
        ("第十六届会议", "the seventeenth session"),
        ("有四十名学生。", "There are forty-five students."),
        ("全长300公里", "It is 3,000 kilometers long."),
        ("共200多万项", "more than 200 million items"),
        ("有11名学生", "There are 11,000 students."),
        ("有345名学生", "There are 12,345 students."),
        ("频率为5兆赫", "a frequency of 6 MHz"),
        ("2013年成立", "It was founded in 2012."),
        ("2013年预算", "the budget of the fiscal year 2010"),
        ("共有五十亿个", "There are 5 x 10^8 of them."),
        ("共有363个", "three sixty-four of them"),
        ("三分之二的居民", "45 percent of the residents"),
        ("出口额达3.5亿美元。", "Exports reached 35 million."),
    ],
)
def test_sides_that_disagree(chinese: str, english: str) -> None:
    assert disagree(chinese, english)
    assert not disagree(chinese, "Nothing of the kind is said.")


def test_years_of_the_republic_need_a_text_from_taiwan() -> None:
    text, english = "九十五年一月一日施行", "It takes effect on January 1, 2007."
    assert disagree(text, english, TAIWAN)
    assert not disagree(text, "It takes effect on January 1, 2006.", TAIWAN)


def test_a_verdict_names_what_it_saw() -> None:
    chinese, english = "3月5日有数百人捐款600万元。", "On March 5, hundreds gave 60 million yuan."
    verdict = compare(chinese, english)
    assert [chinese[each.start : each.end] for each in verdict.kept] == ["3月5日"]
    assert [chinese[each.start : each.end] for each in verdict.lost] == ["600万元"]
    assert [english[each.start : each.end] for each in verdict.added] == ["60 million yuan"]
    assert [chinese[each.start : each.end] for each in verdict.unjudged] == ["数百人"]


def test_the_values_to_keep_do_not_depend_on_the_translation() -> None:
    chinese = "约300公里，3月5日到达。"
    wanted = [kept_values(chinese, english) for english in ("", "186 miles", "March 5, 300 km")]
    assert [[each for each, _ in row] for row in wanted] == [[each for each, _ in wanted[0]]] * 3
    assert [[kept for _, kept in row] for row in wanted] == [[False, False]] * 2 + [[True, True]]


@pytest.mark.parametrize(
    ("chinese", "english", "other"),
    [
        (
            "降价百分之二十。",
            "The price was reduced to 80 percent.",
            "It was reduced to 70 percent.",
        ),
        ("增加百分之二十。", "It grew to 120 percent.", "It grew to 130 percent."),
        (
            "人数减少三分之一。",
            "It was reduced to two thirds.",
            "It was reduced to three quarters.",
        ),
        ("价值12。5万美元", "worth $125,000", "worth $135,000"),
    ],
)
def test_a_value_may_be_told_in_another_way(chinese: str, english: str, other: str) -> None:
    assert not disagree(chinese, english)
    assert disagree(chinese, other)


@pytest.mark.parametrize("english", ["ı", "İx", "auguſt", "１ ſep"])
def test_letters_that_only_look_like_ours_are_no_numerals(english: str) -> None:
    assert not compare("第五条，3月5日", english).kept
