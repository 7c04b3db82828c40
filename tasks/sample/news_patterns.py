"""Sentence patterns of the sample with names, dates, amounts and terms; the two orders differ in
most.

A pattern is a function from the speaker's choices to a chunk; its docstring shows the order of both
sides.
"""

from collections.abc import Callable, Sequence

from tasks.sample.chunks import Chunk, order, pair
from tasks.sample.speaker import Speaker, action, be, comma


def _sentence(source: Sequence[Chunk], target: Sequence[Chunk]) -> Chunk:
    return order(source, target)


_TELL = (("介绍", "said"), ("报道", "reported"), ("估计", "estimated"))
_CHANGE = (("增加", "rose"), ("减少", "fell"), ("改变", "changed"))
_PAST = (("去年", "last year"), ("上月", "last month"), ("上周", "last week"))
_GIVE = (("捐赠", "donated"), ("支付", "paid"), ("借出", "lent"))
_SPEND = (("投入", "spend"), ("筹集", "raise"), ("支付", "pay"))
_BUY = (("买下", "bought"), ("卖掉", "sold"), ("租下", "rented"))
_MENTION = (("谈到", "discussed"), ("提到", "mentioned"), ("支持", "supported"))
_APPOINT = (("任命", "appointed"), ("推荐", "recommended"), ("邀请", "invited"))
_MIND = (("担心", "fear"), ("支持", "support"), ("了解", "understand"))
_BELIEVE = (("认为", "believes"), ("说", "says"), ("强调", "stresses"))
_WAY = (("铁路", "railway"), ("公路", "road"), ("铁路", "line"))
_COVER = (("覆盖", "covers"), ("延伸", "spans"))
_TROUBLE = (("困扰", "troubled"), ("吸引", "attracted"), ("影响", "affected"))
_MOVE = (("到达", "reach", "reached"), ("离开", "leave", "left"), ("参观", "visit", "visited"))


def visit(speaker: Speaker) -> Chunk:
    """DATE PERSON 在 PLACE V 了 O / PERSON V O in PLACE on DATE."""
    date, person, place = speaker.date(), speaker.person(), speaker.place()
    verb, thing = speaker.verb(), speaker.things().chunk
    on, in_, done, le = (
        pair("", "on"),
        pair("在", "in"),
        pair(verb.source, verb.past),
        pair("了", ""),
    )
    source = [on, date, pause := pair("，", ""), person, in_, place, done, le, thing]
    return _sentence(source, [person, done, le, thing, in_, place, on, date, pause])


def announce(speaker: Speaker) -> Chunk:
    """ORG DATE 宣布 将 V O / ORG announced on DATE that it will V O."""
    organization, date = speaker.organization(), speaker.date()
    verb, thing = speaker.verb(), speaker.things().chunk
    told, on, that = pair("宣布", "announced"), pair("", "on"), pair("", "that it")
    will, do = pair("将", "will"), pair(verb.source, verb.base)
    source = [organization, on, date, told, that, will, do, thing]
    return _sentence(source, [organization, told, on, date, that, will, do, thing])


def growth(speaker: Speaker) -> Chunk:
    """Somebody tells how something changed.

    根据 ORG 介绍 ， PLACE 的 TERM 比 PAST 增加 了 SHARE
    TERM in PLACE rose by SHARE from PAST , ORG said
    """
    organization, place = speaker.organization(), speaker.place()
    term, share = speaker.term(), speaker.percent()
    by, say, pause = pair("根据", ""), speaker.word(_TELL), comma()
    in_, changed = pair("的", "in"), speaker.word(_CHANGE)
    than = order([pair("比", "from"), speaker.word(_PAST)])
    le = order([pair("了", ""), pair("", "by")])
    source = [by, organization, say, pause, place, in_, term, than, changed, le, share]
    return order(source, [term, in_, place, changed, le, share, than, pause, by, organization, say])


def holder(speaker: Speaker) -> Chunk:
    """PERSON 是 PLACE 的 ORG 的 ROLE / PERSON is the ROLE of ORG in PLACE."""
    person, place, organization = speaker.person(), speaker.place(), speaker.organization()
    is_, role, of = pair("是", "is"), speaker.role(is_new=False), pair("的", "of")
    the, in_ = pair("", "the"), pair("的", "in")
    source = [person, is_, place, in_, organization, of, the, role]
    return _sentence(source, [person, is_, the, role, of, organization, in_, place])


def statement(speaker: Speaker) -> Chunk:
    """PLACE ROLE PERSON 说 ， CLAUSE / PERSON , ROLE of PLACE , said that CLAUSE."""
    place, role, person = speaker.place(), speaker.role(is_new=False), speaker.person()
    said, that, clause = (
        pair("说", "said"),
        order([pair("，", ""), pair("", "that")]),
        action(speaker, speaker.people()),
    )
    before, of, after = pair("", ","), pair("", "of"), pair("", ",")
    source = [of, place, role, before, person, after, said, that, clause]
    return _sentence(source, [person, before, role, of, place, after, said, that, clause])


def gift(speaker: Speaker) -> Chunk:
    """ORG 向 PLACE 的 PEOPLE 捐赠 了 MONEY / ORG donated MONEY to PEOPLE in PLACE."""
    organization, place, money = speaker.organization(), speaker.place(), speaker.money()
    people, to, in_ = speaker.people().chunk, pair("向", "to"), pair("的", "in")
    gave = speaker.word(_GIVE)
    source = [organization, to, place, in_, people, gave, le := pair("了", ""), money]
    return _sentence(source, [organization, gave, le, money, to, people, in_, place])


def investment(speaker: Speaker) -> Chunk:
    """ORG 将 在 DATE 以前 投入 MONEY V O / ORG will spend MONEY to V O before DATE."""
    organization, date, money = speaker.organization(), speaker.date(), speaker.money()
    verb, thing = speaker.verb(), speaker.things().chunk
    will, at, before = pair("将", "will"), pair("在", ""), pair("以前", "before")
    spend, to, do = speaker.word(_SPEND), pair("", "to"), pair(verb.source, verb.base)
    source = [organization, will, at, date, before, spend, money, to, do, thing]
    return _sentence(source, [organization, will, spend, money, to, do, thing, at, before, date])


def crowd(speaker: Speaker) -> Chunk:
    """N 名 PEOPLE DATE 在 PLACE V 了 O / on DATE , N PEOPLE V O in PLACE."""
    number, date, place = speaker.number(), speaker.date(), speaker.place()
    noun, verb = speaker.rng.choice(speaker.subject.people), speaker.verb()
    thing, in_, on = speaker.things().chunk, pair("在", "in"), pair("", "on")
    people = pair(noun.source, noun.plural)
    done, le, pause = pair(verb.source, verb.past), pair("了", ""), pair("", ",")
    source = [number, people, on, date, pause, in_, place, done, le, thing]
    return _sentence(source, [on, date, pause, number, people, done, le, thing, in_, place])


def railway(speaker: Speaker) -> Chunk:
    """从 PLACE 通往 PLACE 的 铁路 覆盖 DISTANCE / the railway from PLACE to PLACE covers N."""
    start, goal, distance = speaker.place(), speaker.place(), speaker.distance()
    way = order([pair("", "the"), speaker.word(_WAY)])
    from_, to, of = pair("从", "from"), pair("通往", "to"), pair("的", "")
    covers = speaker.word(_COVER)
    source = [from_, start, to, goal, of, way, covers, distance]
    return order(source, [way, of, from_, start, to, goal, covers, distance])


def decline(speaker: Speaker) -> Chunk:
    """由于 TERM ， ORG 的 O 减少 了 SHARE / the O of ORG fell by SHARE because of TERM."""
    term, organization, share = speaker.term(), speaker.organization(), speaker.percent()
    noun = speaker.rng.choice(speaker.subject.things)
    because, of = pair("由于", "because of"), pair("的", "of")
    things, fell = order([pair("", "the"), pair(noun.source, noun.plural)]), speaker.word(_CHANGE)
    le, pause = order([pair("了", ""), pair("", "by")]), pair("，", "")
    source = [because, term, pause, organization, of, things, fell, le, share]
    return _sentence(source, [things, of, organization, fell, le, share, because, term, pause])


def sale(speaker: Speaker) -> Chunk:
    """O 已经 被 ORG 以 MONEY 的 价格 买下 / O was bought by ORG for MONEY."""
    thing, organization, money = speaker.things(), speaker.organization(), speaker.money()
    was, by, for_ = (
        pair("已经", "were" if thing.is_plural else "was"),
        pair("被", "by"),
        pair("以", "for"),
    )
    bought, price = speaker.word(_BUY), pair("的 价格", "")
    source = [thing.chunk, was, by, organization, for_, money, price, bought]
    return _sentence(source, [thing.chunk, was, bought, by, organization, for_, money, price])


def meeting(speaker: Speaker) -> Chunk:
    """PERSON 和 PERSON DATE 在 PLACE 谈到 了 TERM / on DATE , PERSON and PERSON discussed TERM
    in PLACE."""
    first, second, date = speaker.person(), speaker.person(), speaker.date()
    place, term = speaker.place(), speaker.term()
    and_, on, pause, in_ = pair("和", "and"), pair("", "on"), pair("", ","), pair("在", "in")
    talked, le = speaker.word(_MENTION), pair("了", "")
    source = [first, and_, second, on, date, pause, in_, place, talked, le, term]
    return _sentence(source, [on, date, pause, first, and_, second, talked, le, term, in_, place])


def appointment(speaker: Speaker) -> Chunk:
    """为了 V O ， ORG 任命 PERSON 担任 ROLE / ORG appointed PERSON as ROLE to V O."""
    verb, thing = speaker.verb(), speaker.things().chunk
    organization, person, role = speaker.organization(), speaker.person(), speaker.role(is_new=True)
    to, do, pause = pair("为了", "to"), pair(verb.source, verb.base), pair("，", "")
    named, as_ = speaker.word(_APPOINT), pair("担任", "as")
    source = [to, do, thing, pause, organization, named, person, as_, role]
    return _sentence(source, [organization, named, person, as_, role, to, do, thing, pause])


def survey(speaker: Speaker) -> Chunk:
    """SHARE 的 PEOPLE 担心 TERM / SHARE of PEOPLE fear TERM."""
    share, term = speaker.percent(), speaker.term()
    noun = speaker.rng.choice(speaker.subject.people)
    place, in_ = speaker.place(), pair("的", "in")
    of, people, worry = (
        pair("的", "of the"),
        pair(noun.source, noun.plural),
        speaker.word(_MIND),
    )
    source = [place, in_, share, of, people, worry, term]
    return _sentence(source, [share, of, people, in_, place, worry, term])


def issue(speaker: Speaker) -> Chunk:
    """TERM 困扰 着 PEOPLE / PEOPLE are troubled by TERM."""
    term, people = speaker.term(), speaker.people()
    be_, by = pair("", be(people)), pair("", "by")
    troubled, on = speaker.word(_TROUBLE), pair("着", "")
    source = [term, troubled, on, be_, by, people.chunk]
    return order(source, [people.chunk, be_, troubled, on, by, term])


def dispute(speaker: Speaker) -> Chunk:
    """PERSON 认为 ， TERM 对 PEOPLE 很 重要 / TERM is very important for PEOPLE , PERSON
    believes."""
    person, term, people = speaker.person(), speaker.term(), speaker.people()
    believes, pause, for_ = speaker.word(_BELIEVE), comma(), pair("对", "for")
    is_, very, important = pair("", "is"), pair("很", "very"), pair("重要", "important")
    source = [person, believes, pause, term, for_, people.chunk, is_, very, important]
    return _sentence(
        source, [term, is_, very, important, for_, people.chunk, pause, person, believes]
    )


def arrival(speaker: Speaker) -> Chunk:
    """DATE ， PEOPLE 到达 PLACE / PEOPLE reached PLACE on DATE."""
    date, people, place = speaker.date(), speaker.people(), speaker.place()
    on, pause = pair("", "on"), pair("，", "")
    zh, base, past = speaker.rng.choice(_MOVE)
    if speaker.rng.random() < 0.5:
        move = order([pair("将", "will"), pair(zh, base)])
    else:
        move = order([pair(zh, past), pair("了", "")])
    source = [on, date, pause, people.chunk, move, place]
    return order(source, [people.chunk, move, place, on, date, pause])


def at_work(speaker: Speaker) -> Chunk:
    """PLACE 的 N 名 PEOPLE 正在 V O / N PEOPLE in PLACE are V-ing O."""
    place, number, verb = speaker.place(), speaker.number(), speaker.verb()
    noun, thing = speaker.rng.choice(speaker.subject.people), speaker.things().chunk
    of, people = pair("的", "in"), pair(noun.source, noun.plural)
    now, doing = pair("正在", "are"), pair(verb.source, verb.progressive)
    source = [place, of, number, people, now, doing, thing]
    return _sentence(source, [number, people, of, place, now, doing, thing])


NEWS: tuple[Callable[[Speaker], Chunk], ...] = (
    visit,
    announce,
    growth,
    holder,
    statement,
    gift,
    investment,
    crowd,
    railway,
    decline,
    sale,
    meeting,
    appointment,
    survey,
    issue,
    dispute,
    arrival,
    at_work,
)
