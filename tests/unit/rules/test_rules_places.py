"""What one whole place or organisation is in English, or that it abstains."""

import pytest

from tasks.rules.gazetteer import ORGANIZATIONS, WORDS, entries, forms, is_disputed, parse
from tasks.rules.place_readings import read_specific
from tasks.rules.places import MAX_NAME, read_place
from tasks.rules.style import RuleStyle
from tasks.text.english import tokenise

PLACES = """
北京 beijing; 北京市 beijing; 天津 tianjin; 河北省 hebei province; 山西 shanxi
陕西省 shaanxi province; 內蒙古 inner mongolia; 广西壮族自治区 guangxi zhuang autonomous region
西藏 tibet; 新疆 xinjiang; 哈尔滨 harbin; 哈爾濱市 harbin; 齐齐哈尔 qiqihar; 乌鲁木齐市 urumqi
拉萨 lhasa; 喀什 kashgar; 鄂尔多斯 ordos; 和田 hotan; 吐鲁番 turpan; 延边 yanbian; 日喀则 shigatse
香格里拉 shangri-la; 六安 lu'an; 六合区 luhe district; 蚌埠 bengbu; 亳州 bozhou; 台州 taizhou
泰州 taizhou; 乐清 yueqing; 乐山 leshan; 长春 changchun; 长沙市 changsha; 长子县 zhangzi county
朝阳 chaoyang; 重庆 chongqing; 番禺区 panyu district; 东莞 dongguan; 涪陵 fuling
铅山县 yanshan county; 尉犁县 yuli county; 洪洞县 hongtong county; 瓦窑堡 wayaobu; 浚县 xun county
莘县 shen county; 解州镇 xiezhou town; 蔚县 yu county; 歙县 she county; 黟县 yi county
盱眙县 xuyi county; 荥阳市 xingyang; 郯城县 tancheng county; 涡阳县 guoyang county
泌阳县 biyang county; 柞水县 zhashui county; 闵行区 minhang district; 漯河市 luohe
驻马店 zhumadian; 淮安 huai'an; 淮南 huainan; 吉安 ji'an; 瑞安市 rui'an; 雅安 ya'an
宝安区 bao'an district; 雄安新区 xiong'an new area; 浦东新区 pudong new area
滨海新区 binhai new area; 海淀区 haidian district; 中关村街道 zhongguancun subdistrict
徐汇区 xuhui district; 天河区 tianhe district; 周庄镇 zhouzhuang town; 张江镇 zhangjiang town
大足区 dazu district; 万州区 wanzhou district
阿坝藏族羌族自治州 aba tibetan and qiang autonomous prefecture
恩施土家族苗族自治州 enshi tujia and miao autonomous prefecture
长阳土家族自治县 changyang tujia autonomous county; 石林彝族自治县 shilin yi autonomous county
喀什地区 kashgar prefecture; 阿拉善盟 alxa league; 额济纳旗 ejin banner; 朝阳县 chaoyang county
四川省成都市 chengdu , sichuan province; 浙江省温州市乐清市 yueqing , wenzhou , zhejiang province
陕西乾縣 qian county , shaanxi; 江蘇省蘇州市崑山市 kunshan , suzhou , jiangsu province
香港 hong kong; 香港特别行政区 hong kong special administrative region; 九龙 kowloon
新界 new territories; 铜锣湾 causeway bay; 深水埗 sham shui po; 沙田 sha tin; 觀塘 kwun tong
尖沙咀 tsim sha tsui; 湾仔 wan chai; 元朗 yuen long; 将军澳 tseung kwan o; 大屿山 lantau island
澳门 macao; 氹仔 taipa; 路环 coloane; 台北 taipei; 臺北市 taipei city; 新北市 new taipei city
台中 taichung; 臺南 tainan; 高雄 kaohsiung; 基隆 keelung; 新竹縣 hsinchu county; 嘉義市 chiayi city
花蓮 hualien; 屏東縣 pingtung county; 淡水 tamsui; 金門 kinmen; 馬祖 matsu; 日月潭 sun moon lake
宜蘭 yilan; 台東 taitung; 彰化 changhua; 苗栗 miaoli; 长江 yangtze river; 黄河 yellow river
珠江三角洲 pearl river delta; 太湖 taihu lake; 淮河 huaihe river; 洞庭湖 dongting lake
青海湖 qinghai lake; 泰山 mount tai; 天山 tianshan mountains; 黄海 yellow sea; 南海 south china sea
渤海 bohai sea; 台湾海峡 taiwan strait; 琼州海峡 qiongzhou strait; 山东半岛 shandong peninsula
舟山群岛 zhoushan archipelago; 华北平原 north china plain; 四川盆地 sichuan basin
塔克拉玛干沙漠 taklimakan desert; 珠穆朗玛峰 mount qomolangma; 澜沧江 lancang river
鸭绿江 yalu river; 雅鲁藏布江 yarlung zangbo river; 渭河 weihe river; 天安门广场 tiananmen square
人民大会堂 great hall of the people; 故宫 palace museum; 武汉长江大桥 wuhan yangtze river bridge
郑州东站 zhengzhou east railway station; 成都双流国际机场 chengdu shuangliu international airport
宁波港 ningbo port; 长安街 chang'an avenue; 东长安街 east chang'an avenue
南京西路 west nanjing road; 建国路 jianguo road
北京市朝阳区建国路88号 no . 88 jianguo road , chaoyang district , beijing
上海市徐汇区淮海中路九百号 no . 900 middle huaihai road , xuhui district , shanghai
广州市天河区天河北路12号5楼 floor 5 , no . 12 north tianhe road , tianhe district , guangzhou
美国 united states; 英国 united kingdom; 法国 france; 俄罗斯 russia; 南非 south africa
新西兰 new zealand; 紐西蘭 new zealand; 澳洲 australia; 科特迪瓦 côte d'ivoire; 緬甸 myanmar
沙烏地阿拉伯 saudi arabia; 土耳其 turkey; 中华人民共和国 people 's republic of china
刚果民主共和国 democratic republic of the congo; 伦敦 london; 纽约 new york; 海牙 the hague
日内瓦 geneva; 首尔 seoul; 平壤 pyongyang; 内罗毕 nairobi; 亚的斯亚贝巴 addis ababa
布宜诺斯艾利斯 buenos aires; 里约热内卢 rio de janeiro; 加利福尼亚州 california
东南亚 southeast asia; 朝鲜半岛 korean peninsula; 太平洋 pacific ocean
霍尔木兹海峡 strait of hormuz; 格林威治村 greenwich village; 皇后区 queens; 青马大桥 tsing ma bridge
青藏公路 qinghai-tibet highway; 川藏公路 sichuan-tibet highway
京港澳高速公路 beijing-hong kong-macao expressway; 三环路 third ring road
北四环路 north fourth ring road; 第五大街 fifth street; 二十四街 24th street; 解放路 jiefang road
上海市浦东新区世纪大道100号 no . 100 shiji avenue , pudong new area , shanghai
西安市长安南路199号3号楼502室 room 502 , building 3 , no . 199 south chang'an road , xi'an
三元里村 sanyuanli village; 沙市区 shashi district; 吉林市 jilin; 喀什地区 kashgar prefecture
苏州工业园区 suzhou industrial park; 厦门经济特区 xiamen special economic zone
杭州湾大桥 hangzhou bay bridge; 长江大桥 yangtze river bridge
湖南省博物馆 hunan provincial museum; 中国北京 beijing , china; 日本东京 tokyo , japan
刚果（金） democratic republic of the congo; 南锣鼓巷 nanluoguxiang
"""
ORGANISATIONS = """
联合国 united nations; 联合国安全理事会 united nations security council; 安理会 security council
聯合國大會 united nations general assembly; 国际法院 international court of justice
世界卫生组织 world health organization; 世贸组织 wto; 国际货币基金组织 international monetary fund
世界银行 world bank; 国际原子能机构 international atomic energy agency; 教科文组织 unesco
北约 nato; 欧洲联盟 european union; 东盟 asean; 非洲联盟 african union
上海合作组织 shanghai cooperation organization; 国务院 state council
全国人民代表大会 national people 's congress; 最高人民法院 supreme people 's court
最高人民检察院 supreme people 's procuratorate; 外交部 ministry of foreign affairs
中国外交部 ministry of foreign affairs of china; 商务部 ministry of commerce
国家发展和改革委员会 national development and reform commission
中国人民银行 people 's bank of china; 中国共产党 communist party of china
全国人大常委会 npc standing committee; 新华社 xinhua news agency; 行政院 executive yuan
立法院 legislative yuan; 司法院 judicial yuan; 監察院 control yuan; 考試院 examination yuan
內政部 ministry of the interior; 中央研究院 academia sinica; 國民黨 kuomintang
民主进步党 democratic progressive party; 廉政公署 independent commission against corruption
香港金融管理局 hong kong monetary authority; 立法会 legislative council
终审法院 court of final appeal; 北京大学 peking university; 清华大学 tsinghua university
中山大学 sun yat-sen university; 复旦大学 fudan university; 苏州大学 soochow university
香港中文大學 chinese university of hong kong; 宁波大学 ningbo university
湖北师范大学 hubei normal university; 哈佛大学 harvard university; 中国银行 bank of china
北京银行 bank of beijing; 宁波银行 bank of ningbo; 汇丰银行 hsbc; 英格兰银行 bank of england
华为 huawei; 上海证券交易所 shanghai stock exchange; 第三中学 no . 3 middle school
北京市第四中学 beijing no . 4 middle school; 第二小学 no . 2 primary school
第一人民医院 no . 1 people 's hospital; 武汉市第十二中学 wuhan no . 12 middle school
第二人民法院 no . 2 people 's court
上海市第一中级人民法院 shanghai no . 1 intermediate people 's court; 第五十四军 54th army
第七舰队 seventh fleet; 第三十八集团军 38th group army; 第一师 first division
第五委员会 fifth committee; 广东省高级人民法院 guangdong high people 's court
西安市中级人民法院 xi'an intermediate people 's court
海淀区人民法院 haidian district people 's court; 江苏省人民检察院 jiangsu people 's procuratorate
湖南省人民政府 hunan provincial people 's government; 深圳市政府 shenzhen municipal government
西安市公安局 xi'an municipal public security bureau; 浙江省委 zhejiang provincial party committee
四川省教育厅 sichuan provincial department of education; 平山县政府 pingshan county government
朝阳区政府 chaoyang district government; 中国驻美国大使馆 chinese embassy in the united states
法国驻华大使馆 french embassy in china; 美国驻上海总领事馆 american consulate general in shanghai
海南日报 hainan daily; 浦东新区政府 pudong new area government
第一附属医院 first affiliated hospital; 第十六届全国人民代表大会 16th national people 's congress
湖北省武汉市中级人民法院 wuhan intermediate people 's court of hubei province
西藏自治区人民政府 people 's government of tibet autonomous region
伦敦证券交易所 london stock exchange; 首尔大学 seoul national university
"""
ABSTAINING = [
    "大埔", "马鞍山", "东区", "罗湖", "涩谷区", "江南区", "巴彦呼舒", "达斡尔区", "老王",
    "王小明", "今天", "某某银行", "阿斗公司", "莫名其妙大学", "布尔津尔克县", "乌兰旗",
    "洛德斯维尔市", "第三种人", "第零中学", "第某中学", "建国路八十零百号", "没有这样的组织",
    "蓝天驻火星大使馆", "一号", "北京市某区", "广东省人民公敌", "圩镇区", "ABC", "123", "😀省",
    "\ud800市", "路", "号", "区",
    "滨海区域村", "环渤海湾地区", "洪江管理区", "朱祁镇", "花地玛堂区", "长洲区", "新兴区",
    "索霍区", "大城市", "贫困县", "地球村", "新农村", "该县", "各县", "北京地区", "江浙地区",
    "高速公路", "过马路", "回头路", "步行街", "开发区", "自治区", "吸烟区", "金融区", "无人区",
    "市辖区", "东方", "江山", "中山东一路", "西藏路", "拉萨路", "江苏市", "上海省", "罗马大学",
    "德州", "狮子山", "蓝田", "长乐未央", "乾县管理区", "北三环东路", "韩江大桥",
    "塔什库尔干自治县",
]  # fmt: skip
REGIONAL = [
    ("大埔", "hongkong", "tai po"), ("大埔", "mainland", "dabu"), ("罗湖", "hongkong", "lo wu"),
    ("罗湖区", "mainland", "luohu district"), ("马鞍山", "mainland", "ma'anshan"),
    ("马鞍山", "hongkong", "ma on shan"), ("大埔县", "unknown", "dabu county"),
    ("大埔區", "hongkong", "tai po district"), ("石塘镇", "hongkong", None),
    ("长洲区", "mainland", "changzhou district"), ("新兴区", "mainland", "xinxing district"),
    ("狮子山", "taiwan", "sierra leone"), ("蓝田", "hongkong", "lam tin"),
    ("中山北路", "taiwan", "zhongshan north road"), ("德州", "mainland", "dezhou"),
    ("石塘鄉", "taiwan", None), ("石塘镇", "mainland", "shitang town"),
]  # fmt: skip


def table(text: str) -> list[tuple[str, str]]:
    """Read `name english` items parted by `;` or line ends."""
    items = [item.strip() for line in text.splitlines() for item in line.split(";")]
    return [tuple(item.split(" ", 1)) for item in items if item]  # type: ignore[misc]


@pytest.mark.parametrize(("name", "english"), table(PLACES))
def test_a_place_has_its_english(name: str, english: str) -> None:
    match = read_place(name, RuleStyle())
    assert match is not None
    assert (match.target, match.category, match.source) == (english, "location", name)


@pytest.mark.parametrize(("name", "english"), table(ORGANISATIONS))
def test_an_organisation_has_its_english(name: str, english: str) -> None:
    match = read_place(name, RuleStyle())
    assert match is not None
    assert (match.target, match.category) == (english, "organization")


@pytest.mark.parametrize("name", ABSTAINING)
def test_what_is_unknown_or_differs_by_region_abstains(name: str) -> None:
    assert read_place(name, RuleStyle()) is None


@pytest.mark.parametrize(("name", "region", "english"), REGIONAL)
def test_the_region_decides_what_differs(name: str, region: str, english: str | None) -> None:
    match = read_place(name, RuleStyle(region=region))  # type: ignore[arg-type]
    assert (match and match.target) == english


@pytest.mark.parametrize("name", ["阿乐", "行", "单解", "布尔津尔", "A", "五个字的名字"])
def test_a_reading_that_is_not_sure_abstains(name: str) -> None:
    assert read_specific(name) is None


def test_the_spelling_of_the_umlaut_is_a_setting() -> None:
    spelled = [read_specific("绿洲", umlaut) for umlaut in ("u", "yu", "v", "ü")]
    assert spelled == ["luzhou", "lyuzhou", "lvzhou", "lüzhou"]


def test_blanks_around_a_name_are_not_part_of_it() -> None:
    match = read_place("　西安 \n", RuleStyle())
    assert match is not None
    assert (match.start, match.end, match.target) == (1, 3, "xi'an")


def test_every_row_of_the_gazetteer_reads_back_in_its_region() -> None:
    for entry in entries():
        home = entry.region if entry.region in ("mainland", "hongkong", "taiwan") else "unknown"
        for form in forms(entry):
            if form in WORDS or is_disputed(form, home):  # type: ignore[arg-type]
                continue
            match = read_place(form, RuleStyle(region=home))  # type: ignore[arg-type]
            assert match is not None, form
            assert match.target == " ".join(tokenise(entry.english)).lower(), form
            assert (match.category == "organization") == (entry.kind in ORGANIZATIONS), form


def test_the_gazetteer_is_sorted_and_has_one_row_a_name_and_region() -> None:
    keys = [(entry.source, entry.region) for entry in entries()]
    assert keys == sorted(set(keys))
    assert len(keys) > 3000
    assert all(2 <= len(name) <= MAX_NAME for name, _ in keys)
    regions = {entry.region for entry in entries()}
    assert regions == {"world", "mainland", "hongkong", "macao", "taiwan"}


def test_a_gazetteer_with_another_header_is_refused() -> None:
    with pytest.raises(AssertionError):
        parse("zh\ten\n")
