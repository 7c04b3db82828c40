"""The ordinary vocabulary of the sample: tables and nothing else.

Ordinary words have no one translation, as in real text: a noun is singular or plural, a verb past,
future or progressive, an adjective differs between people and things, and a few words change their
meaning with the subject. Only names, dates, amounts and `TERMS` keep one translation, so only they
are worth remembering.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Noun:
    """A countable noun: `source` with its counting word, and both English numbers."""

    source: str
    measure: str
    singular: str
    plural: str


@dataclass(frozen=True, slots=True)
class Verb:
    """A transitive verb: base, past and progressive form, and an English particle that goes before
    the object."""

    source: str
    base: str
    past: str
    progressive: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What people of one walk of life talk about."""

    people: tuple[Noun, ...]
    things: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    terms: tuple[tuple[str, str], ...]
    """Source words and English; a leading "the" is not part of the term."""


def _nouns(text: str) -> tuple[Noun, ...]:
    return tuple(
        Noun(*(part.strip() for part in line.split("|"))) for line in text.strip().split("\n")
    )


def _verbs(text: str) -> tuple[Verb, ...]:
    return tuple(
        Verb(*(part.strip() for part in line.split("|"))) for line in text.strip().split("\n")
    )


def _terms(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (line.split("|") for line in text.strip().split("\n"))
    return tuple((source.strip(), target.strip()) for source, target in pairs)


COMMON_VERBS = _verbs("""
    讨论 | discuss | discussed | discussing
    研究 | study | studied | studying
    支持 | support | supported | supporting
    反对 | oppose | opposed | opposing
    检查 | inspect | inspected | inspecting
    介绍 | introduce | introduced | introducing
    准备 | prepare | prepared | preparing
    改变 | change | changed | changing
    保护 | protect | protected | protecting
    选择 | choose | chose | choosing
    放弃 | abandon | abandoned | abandoning
    分析 | analyze | analyzed | analyzing
    寻找 | seek | sought | seeking
    评价 | assess | assessed | assessing
    展示 | display | displayed | displaying
    描述 | describe | described | describing
""")

BUSINESS = Subject(
    people=_nouns(
        """
        商人 | 位 | merchant | merchants
        工人 | 名 | worker | workers
        经理 | 位 | manager | managers
        农民 | 名 | farmer | farmers
        专家 | 位 | expert | experts
        顾客 | 位 | customer | customers
    """
    ),
    things=_nouns("""
        计划 | 个 | plan | plans
        产品 | 种 | product | products
        工厂 | 家 | factory | factories
        合同 | 份 | contract | contracts
        机器 | 台 | machine | machines
        商店 | 家 | shop | shops
        仓库 | 座 | warehouse | warehouses
        项目 | 个 | project | projects
        材料 | 种 | material | materials
        市场 | 个 | market | markets
    """),
    verbs=_verbs("""
        购买 | buy | bought | buying
        出售 | sell | sold | selling
        生产 | produce | produced | producing
        建造 | build | built | building
        关闭 | close | closed | closing
        处理 | handle | handled | handling
    """),
    terms=_terms("""
        经济 增长 | economic growth
        中央 银行 | the central bank
        贸易 协定 | the trade agreement
        失业率 | the unemployment rate
        最低 工资 | the minimum wage
        国内 生产总值 | the gross domestic product
        通货膨胀 | inflation
        股票 市场 | the stock market
        可 再生 能源 | renewable energy
        供应链 | the supply chain
    """),
)

SPORT = Subject(
    people=_nouns(
        """
        运动员 | 名 | athlete | athletes
        教练 | 位 | coach | coaches
        球迷 | 位 | fan | fans
        裁判 | 名 | referee | referees
        选手 | 名 | player | players
    """
    ),
    things=_nouns("""
        球队 | 支 | team | teams
        比赛 | 场 | match | matches
        项目 | 个 | event | events
        成绩 | 项 | result | results
        体育场 | 座 | stadium | stadiums
        冠军 | 个 | title | titles
        训练 | 次 | session | sessions
        规则 | 条 | rule | rules
        记录 | 项 | record | records
    """),
    verbs=_verbs("""
        赢得 | win | won | winning
        参加 | enter | entered | entering
        取消 | cancel | cancelled | cancelling
        组织 | organize | organized | organizing
        观看 | watch | watched | watching
    """),
    terms=_terms("""
        世界杯 | the World Cup
        奥运会 | the Olympic Games
        国家队 | the national team
        兴奋剂 检测 | doping tests
        转会费 | the transfer fee
        半决赛 | the semifinal
        世界 纪录 | the world record
        足球 联赛 | the football league
    """),
)

SCHOOL = Subject(
    people=_nouns(
        """
        老师 | 位 | teacher | teachers
        学生 | 名 | student | students
        教授 | 位 | professor | professors
        家长 | 位 | parent | parents
        校长 | 位 | principal | principals
    """
    ),
    things=_nouns("""
        学校 | 所 | school | schools
        课程 | 门 | course | courses
        教材 | 本 | textbook | textbooks
        成绩 | 个 | grade | grades
        图书馆 | 座 | library | libraries
        作业 | 份 | assignment | assignments
        考试 | 次 | exam | exams
        论文 | 篇 | paper | papers
        实验室 | 间 | laboratory | laboratories
        活动 | 项 | activity | activities
    """),
    verbs=_verbs("""
        修改 | revise | revised | revising
        完成 | complete | completed | completing
        参观 | visit | visited | visiting
        阅读 | read | read | reading
        设计 | design | designed | designing
    """),
    terms=_terms("""
        义务 教育 | compulsory education
        高考 | the college entrance examination
        奖学金 | scholarships
        人工智能 | artificial intelligence
        职业 培训 | vocational training
        学术 自由 | academic freedom
        幼儿园 | kindergartens
        互联网 | the internet
    """),
)

LAW = Subject(
    people=_nouns(
        """
        律师 | 位 | lawyer | lawyers
        法官 | 位 | judge | judges
        警察 | 名 | officer | officers
        证人 | 名 | witness | witnesses
        记者 | 名 | reporter | reporters
        官员 | 名 | official | officials
    """
    ),
    things=_nouns("""
        案件 | 起 | case | cases
        材料 | 份 | document | documents
        法律 | 部 | law | laws
        判决 | 项 | verdict | verdicts
        建议 | 条 | suggestion | suggestions
        问题 | 个 | question | questions
        报告 | 份 | report | reports
        申请 | 份 | application | applications
        组织 | 个 | organization | organizations
    """),
    verbs=_verbs("""
        调查 | investigate | investigated | investigating
        批准 | approve | approved | approving
        拒绝 | reject | rejected | rejecting
        接受 | accept | accepted | accepting
        处理 | process | processed | processing
        公布 | publish | published | publishing
    """),
    terms=_terms("""
        宪法 | the constitution
        知识产权 | intellectual property
        人权 | human rights
        死刑 | the death penalty
        最高 法院 | the Supreme Court
        环境 保护 | environmental protection
        刑事 责任 | criminal liability
        气候 变化 | climate change
        公共 卫生 | public health
    """),
)

HEALTH = Subject(
    people=_nouns(
        """
        医生 | 位 | doctor | doctors
        护士 | 名 | nurse | nurses
        病人 | 位 | patient | patients
        科学家 | 位 | scientist | scientists
        志愿者 | 名 | volunteer | volunteers
    """
    ),
    things=_nouns("""
        医院 | 家 | hospital | hospitals
        药品 | 种 | drug | drugs
        方法 | 种 | method | methods
        手术 | 次 | operation | operations
        疾病 | 种 | disease | diseases
        样本 | 份 | sample | samples
        设备 | 台 | device | devices
        问题 | 个 | problem | problems
        活动 | 场 | campaign | campaigns
    """),
    verbs=_verbs("""
        测试 | test | tested | testing
        治疗 | treat | treated | treating
        发现 | discover | discovered | discovering
        使用 | use | used | using
        提供 | provide | provided | providing
        捐赠 | donate | donated | donating
    """),
    terms=_terms("""
        糖尿病 | diabetes
        心脏病 | heart disease
        疫苗 接种 | vaccination
        预期 寿命 | life expectancy
        医疗 保险 | medical insurance
        基因 治疗 | gene therapy
        空气 污染 | air pollution
        禽流感 | bird flu
    """),
)

SUBJECTS = (BUSINESS, SPORT, SCHOOL, LAW, HEALTH)

ADJECTIVES = (
    ("重要", "important", "prominent"),
    ("普通", "ordinary", "common"),
    ("优秀", "outstanding", "excellent"),
    ("老", "old", "senior"),
    ("特殊", "special", "particular"),
    ("主要", "main", "leading"),
    ("强大", "powerful", "strong"),
    ("知名", "famous", "renowned"),
)
"""Source, English for things, English for people."""

ROLES = (
    ("市长", "mayor", "head"),
    ("主席", "chairman", "president"),
    ("秘书长", "secretary-general", "secretary"),
    ("发言人", "spokesman", "representative"),
    ("主任", "director", "chief"),
    ("代表", "delegate", "envoy"),
)
"""Source, English of somebody who holds the office, English of somebody who is given it."""
