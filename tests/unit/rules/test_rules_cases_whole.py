"""Parts of a unit, dates and times that are only about right, set phrases: whole, or not at all."""

import pytest

from tasks.rules.grammar import find

READ = [
    ("百分之一秒", [("百分之一秒", "one hundredth of a second")]),
    ("千分之三毫米", [("千分之三毫米", "three thousandths of a millimeter")]),
    ("约万分之一克", [("约万分之一克", "about one ten-thousandth of a gram")]),
    ("百分之一英寸左右", [("百分之一英寸左右", "about one hundredth of an inch")]),
    ("百分之一小时", [("百分之一小时", "one hundredth of an hour")]),
    ("百分之三秒杀", [("百分之三", "3 percent")]),
    ("百分之五升至百分之六", [("百分之五", "5 percent"), ("百分之六", "6 percent")]),
    ("百分之五元", [("百分之五", "5 percent")]),
    ("百分之三的人", [("百分之三", "3 percent")]),
    ("百分之三十人", [("百分之三十", "30 percent")]),
    ("百分之一百", [("百分之一百", "100 percent")]),
    ("总人数百分之六十", [("百分之六十", "60 percent")]),
    ("三尺八", [("三尺八", "3.8 chi")]),
    ("三丈五", [("三丈五", "3.5 zhang")]),
    ("三斤六两", [("三斤六两", "3 jin 6 liang")]),
    ("五尺六寸", [("五尺六寸", "5 chi 6 cun")]),
    ("三石五斗", [("三石五斗", "3 dan 5 dou")]),
    ("三公里五名", [("三公里", "3 kilometers")]),
    ("三吨二氧化碳", [("三吨", "3 tons")]),
    ("十元一个", [("十元", "10 yuan")]),
    ("三个来月", [("三个来月", "about three months")]),
    ("三个来小时", [("三个来小时", "about three hours")]),
    ("三个来自", [("三个", "three")]),
    ("六分之一左右", [("六分之一左右", "about one sixth")]),
    ("三分之一出头", [("三分之一出头", "more than one third")]),
    ("一半左右", [("一半左右", "about half")]),
    ("2003年前后", [("2003年前后", "around 2003")]),
    ("2003年3月20日左右", [("2003年3月20日左右", "around march 20 , 2003")]),
    ("3月前后", [("3月前后", "around march")]),
    ("2003年底前后", [("2003年底前后", "around the end of 2003")]),
    ("九十年代前后", [("九十年代前后", "around the 1990s")]),
    ("公元前200年左右", [("公元前200年左右", "around 200 bc")]),
    ("光绪二十年前后", [("光绪二十年前后", "around 1894")]),
    ("周三前后", [("周三前后", "around wednesday")]),
    ("零下5度左右", [("零下5度左右", "about minus 5 degrees")]),
    ("2003年上下", [("2003年上下", "around 2003")]),
    ("2003年上下半年", [("2003年", "2003")]),
    ("大约2003年", [("大约2003年", "around 2003")]),
    ("约1839年", [("约1839年", "around 1839")]),
    ("预约2003年3月", [("2003年3月", "march 2003")]),
    ("约3月20日见面", [("3月20日", "march 20")]),
    ("3月20日(周三)前后", [("3月20日(周三)前后", "around wednesday , march 20")]),
    ("上世纪末前后", [("上世纪末前后", "around the end of last century")]),
    ("19世纪中叶左右", [("19世纪中叶左右", "around the middle of the 19th century")]),
    ("约98年", [("约98年", "about 98 years")]),
    ("摄氏36度左右", [("摄氏36度左右", "about 36 degrees celsius")]),
    ("2003年左右两侧", [("2003年", "2003")]),
    ("2003年前后共三次", [("2003年", "2003")]),
    ("三年左右", [("三年左右", "about three years")]),
    ("三百许多", [("三百", "300")]),
    ("付了三元里面", [("三元", "3 yuan")]),
    ("五十里山路", [("五十里", "50 li")]),
    ("共三百先生", [("三百", "300")]),
    ("二十四节气", [("二十四", "24")]),
    ("两千年", [("两千年", "2,000 years")]),
    ("两千五百零八年", [("两千五百零八年", "2,508 years")]),
    ("1,950年", [("1,950年", "1,950 years")]),
    ("三米多普勒", [("三米", "3 meters")]),
    ("三百多瑙河", [("三百", "300")]),
    ("三百多哈尼族", [("三百多", "more than 300")]),
    ("三百多元化", [("三百", "300")]),
    ("三百余杭", [("三百", "300")]),
    ("三倍多媒体", [("三倍", "three times")]),
    ("三千元出头条", [("三千元", "3,000 yuan")]),
    ("五百左右手", [("五百", "500")]),
    ("三百人左右逢源", [("三百人", "300 people")]),
    ("三百上下铺", [("三百", "300")]),
    ("上午9时许至11时许", [("上午9时许至11时许", "about 9 to about 11 a.m.")]),
    ("上午9点左右到下午5点", [("上午9点左右到下午5点", "about 9 a.m. to 5 p.m.")]),
    ("上午9时至11时许", [("上午9时至11时许", "9 to about 11 a.m.")]),
    ("9:00左右至10:00", [("9:00左右至10:00", "about 9:00 to 10:00")]),
    (
        "3月5日上午9时许至11时许",
        [("3月5日上午9时许至11时许", "about 9 to about 11 a.m. on march 5")],
    ),
    (
        "2003年3月20日上午9时至下午1时",
        [("2003年3月20日上午9时至下午1时", "9 a.m. to 1 p.m. on march 20 , 2003")],
    ),
]
"""What is found in a text."""
LEFT_ALONE = [
    "百分之三十公里",
    "百分之一至百分之三秒",
    "百分之零点一秒",
    "一百分之三十",
    "百万分之三十五",
    "数百分之三十",
    "三斤六",
    "三公里五",
    "三亩五分",
    "两公斤三两",
    "一个来月",
    "三十许",
    "三百许人",
    "三里许",
    "2003至2005年左右",
    "20日前后",
    "八月十五前后",
    "98年左右",
    "两千零八年左右",
    "约三斤六两",
    "三斤六两多",
    "五尺六七",
    "三寸五",
    "百分之一度",
    "零下5度出头",
    "三十里铺",
    "欧阳三百先生",
    "每周三左右",
    "约2003年左右",
    "万儿八千",
    "一百单八将",
    "三元里",
    "六里桥",
    "陈三百先生",
    "三天两头",
    "三天兩頭",
    "三十而立",
    "五十步笑百步",
    "十万八千里",
    "三十年河东",
    "两千零八年",
    "两千零八年三月",
    "一千九百四十九年",
    "约上午9时至11时",
    "上午九时至十一时左右",
    "9:00-11:00左右",
    "3月5日凌晨2点到凌晨1点",
]
"""The words may mean something else, or name no number: no part of them is read."""


@pytest.mark.parametrize(("text", "expected"), READ)
def test_reads_the_whole_or_the_plain_value(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(match.source, match.target) for match in find(text)] == expected


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_reads_no_part(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize("text", ["他走了十万八千里路", "人到三十而立之年", "去三元里大街"])
def test_reads_nothing_inside_of_a_set_phrase_in_a_sentence(text: str) -> None:
    assert find(text) == []


def test_reads_what_stands_beside_a_set_phrase() -> None:
    assert [match.target for match in find("三天两头来三百人")] == ["300 people"]
