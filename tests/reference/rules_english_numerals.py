"""Write integers in English as taught in school: the judge of `tasks/rules/english_numbers.py`."""

ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = [
    "zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
]  # fmt: skip
SCALES = [(10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")]
IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip


def in_english(value: int, joint: str = "") -> str:
    """Write 0 to 10^15 - 1; `joint` stands between hundreds and the rest (`and `)."""
    for size, name in SCALES:
        if value >= size:
            head, tail = divmod(value, size)
            rest = f" {in_english(tail, joint)}" if tail else ""
            return f"{_below_thousand(head, joint)} {name}{rest}"
    return _below_thousand(value, joint)


def _below_thousand(value: int, joint: str) -> str:
    if value < 20:
        return ONES[value]
    if value < 100:
        return TENS[value // 10] + (f"-{ONES[value % 10]}" if value % 10 else "")
    rest = f" {joint}{_below_thousand(value % 100, joint)}" if value % 100 else ""
    return f"{ONES[value // 100]} hundred{rest}"


def ordinal_in_english(value: int) -> str:
    """Write 1 to 10^15 - 1 as an ordinal: `one hundred twenty-first`."""
    text = in_english(value)
    cut = max(text.rfind(" "), text.rfind("-")) + 1
    head, last = text[:cut], text[cut:]
    if last.endswith("y"):
        return f"{head}{last[:-1]}ieth"
    return head + IRREGULAR.get(last, f"{last}th")
