"""Tables of what can be counted and measured: Chinese (folded) to English, singular and plural."""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Unit(NamedTuple):
    """English names of a unit, and whether small amounts of it are spelled out."""

    one: str
    many: str
    spell: bool = False


class Currency(NamedTuple):
    """English names of a currency, and its symbol where news writes one."""

    one: str
    many: str
    symbol: str = ""


COUNTS = {
    "个月": Unit("month", "months", True),
    "年": Unit("year", "years", True),
    "天": Unit("day", "days", True),
    "周": Unit("week", "weeks", True),
    "星期": Unit("week", "weeks", True),
    "个星期": Unit("week", "weeks", True),
    "个礼拜": Unit("week", "weeks", True),
    "小时": Unit("hour", "hours", True),
    "个小时": Unit("hour", "hours", True),
    "个钟头": Unit("hour", "hours", True),
    "分钟": Unit("minute", "minutes", True),
    "秒": Unit("second", "seconds", True),
    "秒钟": Unit("second", "seconds", True),
    "毫秒": Unit("millisecond", "milliseconds"),
    "个世纪": Unit("century", "centuries", True),
    "个季度": Unit("quarter", "quarters", True),
    "个工作日": Unit("working day", "working days", True),
    "岁": Unit("year old", "years old"),
    "人": Unit("person", "people", True),
    "人次": Unit("", ""),
    "公里": Unit("kilometer", "kilometers"),
    "千米": Unit("kilometer", "kilometers"),
    "km": Unit("kilometer", "kilometers"),
    "米": Unit("meter", "meters"),
    "公尺": Unit("meter", "meters"),
    "厘米": Unit("centimeter", "centimeters"),
    "公分": Unit("centimeter", "centimeters"),
    "cm": Unit("centimeter", "centimeters"),
    "毫米": Unit("millimeter", "millimeters"),
    "公厘": Unit("millimeter", "millimeters"),
    "mm": Unit("millimeter", "millimeters"),
    "微米": Unit("micrometer", "micrometers"),
    "纳米": Unit("nanometer", "nanometers"),
    "英里": Unit("mile", "miles"),
    "英尺": Unit("foot", "feet"),
    "英寸": Unit("inch", "inches"),
    "海里": Unit("nautical mile", "nautical miles"),
    "光年": Unit("light year", "light years"),
    "平方公里": Unit("square kilometer", "square kilometers"),
    "平方千米": Unit("square kilometer", "square kilometers"),
    "平方米": Unit("square meter", "square meters"),
    "平方公尺": Unit("square meter", "square meters"),
    "平方英里": Unit("square mile", "square miles"),
    "平方英尺": Unit("square foot", "square feet"),
    "㎡": Unit("square meter", "square meters"),
    "m2": Unit("square meter", "square meters"),
    "m²": Unit("square meter", "square meters"),
    "km2": Unit("square kilometer", "square kilometers"),
    "km²": Unit("square kilometer", "square kilometers"),
    "m3": Unit("cubic meter", "cubic meters"),
    "m³": Unit("cubic meter", "cubic meters"),
    "公顷": Unit("hectare", "hectares"),
    "英亩": Unit("acre", "acres"),
    "亩": Unit("mu", "mu"),
    "立方米": Unit("cubic meter", "cubic meters"),
    "立方公尺": Unit("cubic meter", "cubic meters"),
    "立方公里": Unit("cubic kilometer", "cubic kilometers"),
    "立方厘米": Unit("cubic centimeter", "cubic centimeters"),
    "吨": Unit("ton", "tons"),
    "公吨": Unit("metric ton", "metric tons"),
    "公斤": Unit("kilogram", "kilograms"),
    "千克": Unit("kilogram", "kilograms"),
    "kg": Unit("kilogram", "kilograms"),
    "克": Unit("gram", "grams"),
    "公克": Unit("gram", "grams"),
    "毫克": Unit("milligram", "milligrams"),
    "微克": Unit("microgram", "micrograms"),
    "斤": Unit("jin", "jin"),
    "磅": Unit("pound", "pounds"),
    "盎司": Unit("ounce", "ounces"),
    "升": Unit("liter", "liters"),
    "公升": Unit("liter", "liters"),
    "毫升": Unit("milliliter", "milliliters"),
    "加仑": Unit("gallon", "gallons"),
    "桶": Unit("barrel", "barrels"),
    "瓦": Unit("watt", "watts"),
    "千瓦": Unit("kilowatt", "kilowatts"),
    "兆瓦": Unit("megawatt", "megawatts"),
    "千瓦时": Unit("kilowatt-hour", "kilowatt-hours"),
    "千瓦小时": Unit("kilowatt-hour", "kilowatt-hours"),
    "伏": Unit("volt", "volts"),
    "伏特": Unit("volt", "volts"),
    "马力": Unit("horsepower", "horsepower"),
    "分贝": Unit("decibel", "decibels"),
    "赫兹": Unit("hertz", "hertz"),
    "兆赫": Unit("megahertz", "megahertz"),
    "摄氏度": Unit("degree celsius", "degrees celsius"),
    "℃": Unit("degree celsius", "degrees celsius"),
    "°C": Unit("degree celsius", "degrees celsius"),
    "华氏度": Unit("degree fahrenheit", "degrees fahrenheit"),
    "公里/小时": Unit("kilometer per hour", "kilometers per hour"),
    "米/秒": Unit("meter per second", "meters per second"),
    "km/h": Unit("kilometer per hour", "kilometers per hour"),
    "个": Unit("", "", True),
    "名": Unit("", "", True),
    "位": Unit("", "", True),
    "家": Unit("", "", True),
    "项": Unit("", "", True),
    "件": Unit("", "", True),
    "座": Unit("", "", True),
    "所": Unit("", "", True),
    "辆": Unit("", "", True),
    "架": Unit("", "", True),
    "艘": Unit("", "", True),
    "种": Unit("", "", True),
}
"""Units by their folded Chinese name; classifiers have no English."""

CURRENCIES = {
    "元": Currency("yuan", "yuan"),
    "块": Currency("yuan", "yuan"),
    "块钱": Currency("yuan", "yuan"),
    "人民币": Currency("yuan", "yuan"),
    "美元": Currency("us dollar", "us dollars", "$"),
    "美金": Currency("us dollar", "us dollars", "$"),
    "港元": Currency("hong kong dollar", "hong kong dollars", "hk $"),
    "港币": Currency("hong kong dollar", "hong kong dollars", "hk $"),
    "新台币": Currency("new taiwan dollar", "new taiwan dollars", "nt $"),
    "台币": Currency("new taiwan dollar", "new taiwan dollars", "nt $"),
    "澳门元": Currency("pataca", "patacas"),
    "日元": Currency("yen", "yen", "¥"),
    "日币": Currency("yen", "yen", "¥"),
    "欧元": Currency("euro", "euros", "€"),
    "英镑": Currency("pound", "pounds", "£"),
    "卢布": Currency("ruble", "rubles"),
    "卢比": Currency("rupee", "rupees"),
    "韩元": Currency("won", "won"),
    "韩币": Currency("won", "won"),
    "澳元": Currency("australian dollar", "australian dollars", "a $"),
    "加元": Currency("canadian dollar", "canadian dollars", "c $"),
    "新元": Currency("singapore dollar", "singapore dollars", "s $"),
    "新加坡元": Currency("singapore dollar", "singapore dollars", "s $"),
    "瑞士法郎": Currency("swiss franc", "swiss francs"),
    "法郎": Currency("franc", "francs"),
    "马克": Currency("mark", "marks"),
    "泰铢": Currency("baht", "baht"),
    "比索": Currency("peso", "pesos"),
    "里拉": Currency("lira", "lira"),
    "越南盾": Currency("dong", "dong"),
    "兰特": Currency("rand", "rand"),
    "$": Currency("dollar", "dollars", "$"),
}
"""Currencies by their folded Chinese name."""

SIGNS = {
    "US$": "美元", "USD": "美元", "HK$": "港元", "HKD": "港元", "NT$": "新台币", "NTD": "新台币",
    "RMB": "人民币", "CNY": "人民币", "EUR": "欧元", "€": "欧元", "£": "英镑", "GBP": "英镑",
    "JPY": "日元", "$": "$",
}  # fmt: skip
"""Signs and codes before an amount, and their currency."""


def alternatives(names: Iterable[str]) -> str:
    """Return a pattern of names, the longest first, so that 千瓦时 is not read as 千瓦."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
