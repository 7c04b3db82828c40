"""Words that carry no content: they may stand inside a phrase, never at its edge.

The lists are closed classes (articles, pronouns, prepositions, conjunctions, auxiliaries,
particles) and a few adverbs of degree, with Chinese counting words; they say nothing about how
frequent a word is. Numerals are the business of the rules.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words("""
    a an the this that these those such each every either neither any some all both no none other
    another i you he she it we they me him her us them my your his its our their mine yours hers
    ours theirs myself yourself himself herself itself ourselves themselves one ones oneself who
    whom whose which what whoever whatever whichever when where why how whether while whereas of
    in on at by for with from to into onto upon under over above below between among through
    during before after since until till against about around across along within without toward
    towards per via off out up down as than like near behind beside besides beyond despite except
    including concerning regarding according due pursuant amid amidst throughout and or but nor so
    yet if unless because although though therefore thus hence however moreover furthermore then
    else otherwise also too only just even still already again ever never not n't very more most
    less least much many few little quite rather well be am is are was were been being do does did
    done doing have has had having will would shall should can could may might must ought let
    there here now 's s ' etc e.g i.e herein hereof hereto hereby hereunder thereof therein
    thereto thereby thereunder thereafter aforementioned said same
""")

CHINESE = _words(
    """
    的 地 得 之 了 着 过 所 者 们 等 等等 吗 呢 吧 啊 呀 嘛 么 我 你 您 他 她 它 我们 你们 他们
    她们 它们 咱们 自己 其 其他 其它 其余 彼此 本人 某 某些 各 各个 每 每个 每一 这 那 这个 那个
    这些 那些 这样 那样 这种 那种 这里 那里 此 该 该等 此等 此项 此种 本 前项 前款 上述 下列 什么
    谁 哪 哪个 哪些 怎么 怎样 如何 为什么 何 何时 多少 几 在 于 从 自 由 对 对于 关于 至 至于 向
    往 朝 到 以 为 为了 因 因为 由于 按 按照 依 依照 依据 据 根据 凭 用 把 将 被 叫 让 使 令 给 跟
    和 与 同 及 以及 并 并且 而 而且 且 或 或者 或是 还是 又 也 亦 都 均 皆 就 便 即 才 只 仅 但
    但是 可是 然而 不过 却 虽 虽然 尽管 如 如果 若 假如 倘若 则 否则 那么 因此 所以 故 于是 从而
    以便 以免 除 除了 除外 之外 之内 之间 之前 之后 之时 之一 以上 以下 以内 以外 以前 以后 时
    时候 中 内 外 上 下 前 后 间 里 后 起 止 是 有 无 没 没有 不 未 非 别 勿 莫 不是 不得 不能 能
    能够 可 可以 可能 会 应 应当 应该 应予 须 必须 需 需要 得以 要 想 愿 愿意 敢 肯 很 非常 十分
    极 最 更 更加 较 比较 太 还 再 再次 已 已经 曾 曾经 正 正在 将要 刚 刚刚 当 当时 一 一个 一些
    一种 一样 一般 一下 有些 有的 所有 全部 任何 许多 很多 个 种 项 次 者 经 经过 通过 随 随着 沿
    沿着 年 月 日 号 元 万 亿 万元 亿元
    位 份 台 家 座 部 起 本 门 篇 间 支 场 条 只 件 批 套 张 届 辆 艘 架 幅 首 棵 颗 笔 群 队
    层 节 段 句 来 去 着 像 似的 一直 仍 仍然 常 常常 往往 总是 尤其 特别 甚至 甚至于 比如 例如
    譬如 即使 只要 只有 不但 不仅 无论 不论 不管 与其 宁可 何况 况且 另 另外 此外 同时 及其 以至
    以致 予以 加以 进行 有关 相关 关于 所称 所定 所为 依其
"""
)

_NUMERAL_ZH = re.compile(
    r"第?[0-9０-９.,，.〇零一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟几数多余半]+"
    r"[条章节款项目编号年月日时分秒个名人次位度岁元角点%％届]{0,2}"
)
_NUMERAL_EN = re.compile(
    r"[0-9][0-9.,:/%-]*(?:st|nd|rd|th)?"
    r"|zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|trillions?"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
)
_COUNTED_ZH = re.compile(
    r"(?:[这那每各某几数一两]|好几)"
    r"[个些种项次位名份台家座部起本门篇间支场条只件批套张所]"
)
_LETTER = re.compile(r"[^\W\d_]")


def is_function_word(word: str) -> bool:
    """Say whether a word, English lower-cased, is a function word, with a counting word or not."""
    return word in ENGLISH or word in CHINESE or _COUNTED_ZH.fullmatch(word) is not None


def is_punctuation(word: str) -> bool:
    """Say whether a word has neither letter nor digit."""
    return not any(character.isalnum() for character in word)


def is_numeral(word: str) -> bool:
    """Say whether a word is a number, with at most a counting word behind it."""
    return (_NUMERAL_ZH.fullmatch(word) or _NUMERAL_EN.fullmatch(word)) is not None


def is_content_word(word: str) -> bool:
    """Say whether a word has a letter and is neither a function word nor a number."""
    return _LETTER.search(word) is not None and not is_function_word(word) and not is_numeral(word)


def carries_content(word: str) -> bool:
    """Say whether a word is a number, or has letters or digits and is no function word."""
    return is_numeral(word) or not (is_function_word(word) or is_punctuation(word))
