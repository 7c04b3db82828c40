"""Whole names of well-known persons, and texts that only look like names."""

import pytest

from tasks.rules import cantonese
from tasks.rules.names import read_person
from tasks.rules.pinyin import Umlaut
from tasks.rules.style import Region, RuleStyle

MAINLAND = """
邓小平 Deng Xiaoping;周恩来 Zhou Enlai;毛泽东 Mao Zedong;江泽民 Jiang Zemin;胡锦涛 Hu Jintao
温家宝 Wen Jiabao;朱镕基 Zhu Rongji;李克强 Li Keqiang;习近平 Xi Jinping;李强 Li Qiang
王岐山 Wang Qishan;栗战书 Li Zhanshu;汪洋 Wang Yang;王毅 Wang Yi;秦刚 Qin Gang
杨洁篪 Yang Jiechi;李肇星 Li Zhaoxing;唐家璇 Tang Jiaxuan;钱其琛 Qian Qichen;吴仪 Wu Yi
刘延东 Liu Yandong;孙春兰 Sun Chunlan;丁薛祥 Ding Xuexiang;何立峰 He Lifeng
周小川 Zhou Xiaochuan;易纲 Yi Gang;任正非 Ren Zhengfei;雷军 Lei Jun;李彦宏 Li Yanhong
丁磊 Ding Lei;柳传志 Liu Chuanzhi;曾庆红 Zeng Qinghong;曾培炎 Zeng Peiyan;曾国藩 Zeng Guofan
單田芳 Shan Tianfang;单霁翔 Shan Jixiang;解晓东 Xie Xiaodong;解振华 Xie Zhenhua;仇英 Qiu Ying
区志航 Ou Zhihang;查良镛 Zha Liangyong;任贤齐 Ren Xianqi;尉迟恭 Yuchi Gong;盖叫天 Gai Jiaotian
缪荃孙 Miao Quansun;种师道 Chong Shidao;乐毅 Yue Yi;翟志刚 Zhai Zhigang;葛优 Ge You
葛洪 Ge Hong;折可求 She Keqiu;员半千 Yun Banqian;逄先知 Pang Xianzhi;冼星海 Xian Xinghai
洗星海 Xian Xinghai;哈文 Ha Wen;那英 Na Ying;燕青 Yan Qing;甯静 Ning Jing
華國鋒 Hua Guofeng;华罗庚 Hua Luogeng;曲啸 Qu Xiao;谌容 Chen Rong;令狐冲 Linghu Chong
令狐计划 Linghu Jihua;长孙无忌 Zhangsun Wuji;澹台灭明 Tantai Mieming;单于夫罗 Chanyu Fuluo
宰父黑 Zaifu Hei;皇甫嵩 Huangfu Song;诸葛亮 Zhuge Liang;司马懿 Sima Yi;司马迁 Sima Qian
司马光 Sima Guang;欧阳修 Ouyang Xiu;欧阳自远 Ouyang Ziyuan;上官婉儿 Shangguan Wan'er
夏侯惇 Xiahou Dun;公孙瓒 Gongsun Zan;慕容复 Murong Fu;宇文泰 Yuwen Tai;拓跋焘 Tuoba Tao
独孤信 Dugu Xin;东方朔 Dongfang Shuo;端木赐 Duanmu Ci;呼延灼 Huyan Zhuo;完颜亮 Wanyan Liang
耶律楚材 Yelyu Chucai;南宫适 Nangong Shi;闻人牧 Wenren Mu;万俟卨 Moqi Xie;赫连勃勃 Helian Bobo
鲜于通 Xianyu Tong;轩辕剑 Xuanyuan Jian;第五伦 Diwu Lun;百里奚 Baili Xi;西门豹 Ximen Bao
纳兰性德 Nalan Xingde;申屠刚 Shentu Gang;淳于意 Chunyu Yi;濮阳兴 Puyang Xing
钟离昧 Zhongli Mei;姚明 Yao Ming;刘翔 Liu Xiang;李娜 Li Na;郎平 Lang Ping;邓亚萍 Deng Yaping
孙杨 Sun Yang;张继科 Zhang Jike;马龙 Ma Long;丁俊晖 Ding Junhui;林丹 Lin Dan;谌龙 Chen Long
朱婷 Zhu Ting;苏炳添 Su Bingtian;谷爱凌 Gu Ailing;羽生结弦 -;武大靖 Wu Dajing
杨利伟 Yang Liwei;刘洋 Liu Yang;王亚平 Wang Yaping;聂海胜 Nie Haisheng;费俊龙 Fei Junlong
景海鹏 Jing Haipeng;刘伯明 Liu Boming;钱学森 Qian Xuesen;邓稼先 Deng Jiaxian
袁隆平 Yuan Longping;屠呦呦 Tu Youyou;钟南山 Zhong Nanshan;莫言 Mo Yan;余华 Yu Hua
贾平凹 Jia Pingwa;苏童 Su Tong;王安忆 Wang Anyi;铁凝 Tie Ning;老舍 Lao She;鲁迅 Lu Xun
郭沫若 Guo Moruo;茅盾 Mao Dun;巴金 Ba Jin;曹禺 Cao Yu;沈从文 Shen Congwen;张爱玲 Zhang Ailing
钱锺书 Qian Zhongshu;杨绛 Yang Jiang;林语堂 Lin Yutang;胡适 Hu Shi;陈独秀 Chen Duxiu
李大钊 Li Dazhao;张艺谋 Zhang Yimou;陈凯歌 Chen Kaige;冯小刚 Feng Xiaogang;贾樟柯 Jia Zhangke
巩俐 Gong Li;章子怡 Zhang Ziyi;范冰冰 Fan Bingbing;赵薇 Zhao Wei;周迅 Zhou Xun;姜文 Jiang Wen
郎朗 Lang Lang;谭盾 Tan Dun;李云迪 Li Yundi;崔健 Cui Jian;王菲 Wang Fei;李白 Li Bai;杜甫 Du Fu
白居易 Bai Juyi;苏轼 Su Shi;陆游 Lu You;辛弃疾 Xin Qiji;李清照 Li Qingzhao;屈原 Qu Yuan
曹操 Cao Cao;刘备 Liu Bei;关羽 Guan Yu;张飞 Zhang Fei;赵云 Zhao Yun;周瑜 Zhou Yu;孙权 Sun Quan
吕布 Lyu Bu;吕不韦 Lyu Buwei;岳飞 Yue Fei;文天祥 Wen Tianxiang;海瑞 Hai Rui;戚继光 Qi Jiguang
林则徐 Lin Zexu;严复 Yan Fu;康有为 Kang Youwei;梁启超 Liang Qichao;谭嗣同 Tan Sitong
黄兴 Huang Xing;宋教仁 Song Jiaoren;袁世凯 Yuan Shikai;段祺瑞 Duan Qirui;张作霖 Zhang Zuolin
张学良 Zhang Xueliang;李宗仁 Li Zongren;彭德怀 Peng Dehuai;刘少奇 Liu Shaoqi;朱德 Zhu De
陈毅 Chen Yi;贺龙 He Long;叶剑英 Ye Jianying;聂荣臻 Nie Rongzhen;徐向前 Xu Xiangqian
罗荣桓 Luo Ronghuan;粟裕 Su Yu;习仲勋 Xi Zhongxun;郑和 Zheng He;玄奘 Xuanzang;张骞 Zhang Qian
徐霞客 Xu Xiake;李时珍 Li Shizhen;祖冲之 Zu Chongzhi;张衡 Zhang Heng;沈括 Shen Kuo
宋应星 Song Yingxing;王羲之 Wang Xizhi;颜真卿 Yan Zhenqing;朴树 Piao Shu;尹鸿 Yin Hong
敬一丹 Jing Yidan;撒贝宁 Sa Beining;岑参 Cen Shen;曾参 Zeng Shen;覃塞 Qin Sai
郑李淑芳 Zheng-Li Shufang;刘杨帆 Liu Yangfan
孙建安 Sun Jian'an;李恩 Li En;周延安 Zhou Yan'an;何炅 He Jiong
李晟 Li Sheng;罗隽永 Luo Junyong;李行健 Li Xingjian;张朝晖 Zhang Zhaohui;王重阳 Wang Chongyang
杨茜 Yang Qian;吴长江 Wu Changjiang;江小娥 Jiang Xiao'e;蔡元培 Cai Yuanpei
"""
HONGKONG = """
陳大文 Chan Tai-man;黃志明 Wong Chi-ming;吳家傑 Ng Ka-kit;鄭志剛 Cheng Chi-kong
謝偉俊 Tse Wai-chun;許智峯 Hui Chi-fung;葉國謙 Yip Kwok-him;林鄭月娥 Carrie Lam
梁振英 Leung Chun-ying;曾俊華 Tsang Chun-wah;梁君彥 Leung Kwan-yin;梁國雄 Leung Kwok-hung
李卓人 Lee Cheuk-yan;何俊仁 Ho Chun-yan;劉慧卿 Lau Wai-hing;涂謹申 To Kan-san
余若薇 Yu Yeuk-mei;梁家傑 Leung Ka-kit;湯家驊 Tong Ka-wah;陳茂波 Chan Mau-po
陳國基 Chan Kwok-kei;鄧炳強 Tang Ping-keung;楊潤雄 Yeung Yun-hung;羅致光 Law Chi-kwong
張建宗 Cheung Kin-chung;聶德權 Nip Tak-kuen;馬道立 Ma To-lap;黃仁龍 Wong Yan-lung
袁國強 Yuen Kwok-keung;鄭若驊 Cheng Yeuk-wah;邱騰華 Yau Tang-wah;蘇錦樑 So Kam-leung
高永文 Ko Wing-man;梁卓偉 Leung Cheuk-wai;吳克儉 Ng Hak-kim;曾德成 Tsang Tak-shing
曾鈺成 Tsang Yuk-shing;范徐麗泰 Rita Fan;田北俊 Tin Pak-chun;劉健儀 Lau Kin-yee;方剛 Fong Kong
李慧琼 Lee Wai-king;陳克勤 Chan Hak-kan;何君堯 Ho Kwan-yiu;陳志全 Chan Chi-chuen
莫乃光 Mok Nai-kwong;葉建源 Yip Kin-yuen;楊岳橋 Yeung Ngok-kiu;郭家麒 Kwok Ka-ki;郭榮鏗 -
毛孟靜 Mo Mang-ching;胡志偉 Wu Chi-wai;林卓廷 Lam Cheuk-ting;鄺俊宇 Kwong Chun-yu
尹兆堅 Wan Siu-kin;許冠傑 Hui Kwun-kit;譚耀宗 Tam Yiu-chung;鄭耀棠 Cheng Yiu-tong
黃宏發 Wong Wang-fat;張文光 Cheung Man-kwong;司徒華 Szeto Wah;歐陽偉 Au Yeung Wai
關永華 Kwan Wing-wah;麥美娟 Mak Mei-kuen;馮志強 Fung Chi-keung;郭富城 Kwok Fu-shing
陳慧琳 Chan Wai-lam;古天樂 Ku Tin-lok;劉青雲 Lau Ching-wan;余文樂 Yu Man-lok
任達華 Yam Tat-wah;黃日華 Wong Yat-wah;呂良偉 Lui Leung-wai;溫兆倫 Wan Siu-lun
陳志明 Chan Chi-ming;陈志明 Chan Chi-ming;郑嘉颖 Cheng Ka-wing;黄子华 Wong Tsz-wah;吳偉 Ng Wai
趙子明 Chiu Tsz-ming;蕭美玲 Siu Mei-ling;蔣志光 Cheung Chi-kwong;朱佩珊 Chu Pui-shan
徐家文 Tsui Ka-man;洪天明 Hung Tin-ming;盧偉國 Lo Wai-kwok;霍震霆 Fok Chun-ting
霍英東 Fok Ying-tung;龔如心 Kung Yu-sum;簡志健 Kan Chi-kin;顧家輝 Koo Ka-fai
石鏡泉 Shek King-chuen;陸志強 Luk Chi-keung;駱應淦 Lok Ying-kam;史美倫 Sze Mei-lun
"""
TAIWAN = """
蔡明哲 Tsai Ming-che;蘇貞昌 Su Tseng-chang;謝欣怡 Hsieh Hsin-yi;張俊雄 Chang Chun-hsiung
吳敦義 Wu Tun-yi;江宜樺 Chiang Yi-hua;毛治國 Mao Chih-kuo;林全 Lin Chuan;陳建仁 Chen Chien-jen
黃國昌 Huang Kuo-chang;李明德 Lee Ming-te;許世賢 Hsu Shih-hsien;周志強 Chou Chih-chiang
郭婉容 Kuo Wan-jung;趙子龍 Chao Tzu-lung;曾志朗 Tseng Chih-lang;徐國勇 Hsu Kuo-yung
何志偉 Ho Chih-wei;高金素梅 -;歐陽龍 Ouyang Lung;諸葛明 Chuko Ming;朱學恆 Chu Hsueh-heng
鄭文燦 Cheng Wen-tsan;馬英九 Ma Ying-jeou;蔡英文 Tsai Ing-wen;石世豪 Shih Shih-hao
葉俊榮 Yeh Chun-jung
"""
NO_NAMES = """
高兴 马上 黄金 万一 安全 时候 周到 方便 包括 成功 何必 都是 从来 应该 曾经 温和 连接 王朝 石油
白天 全国 公安局 时间表 高尔夫 马拉松 马克思 毕加索 华盛顿 巴西 沙特 古巴 安理会 莫斯科 张家口
石家庄 马来西亚 江苏银行 第五章 第五條 常委会 王教授 李先生 陈女士 张总理 黃議員 王某 张某某
李氏 安倍晋三 山本太郎 小泉纯一郎 铃木一朗 贝多芬 居里夫人 买买提·艾力 阿卜杜拉·古尔
迪丽热巴·迪力木拉提 王 伍 欧阳 司马 王小明和李红 他说 你好 谢谢 你好吗 abc 123 。 王1 我们
王的 高興 馬上 黃金 萬一 時候 應該 方便 連接 平安 国庆 文化 金融
"""


def _pairs(table: str) -> list[tuple[str, str | None]]:
    """Cut a table of names and their English; `-` stands for abstaining."""
    entries = (entry for line in table.split("\n") for entry in line.split(";") if entry)
    cut = (entry.partition(" ") for entry in entries)
    return [(name, None if english == "-" else english) for name, _, english in cut]


def _read(text: str, region: Region, umlaut: Umlaut = "yu") -> str | None:
    match = read_person(text, RuleStyle(region=region, umlaut=umlaut))
    return match.target if match else None


@pytest.mark.parametrize(("name", "english"), _pairs(MAINLAND))
def test_a_mainland_name_is_written_in_pinyin(name: str, english: str | None) -> None:
    assert _read(name, "mainland") == english


@pytest.mark.parametrize(("name", "english"), _pairs(HONGKONG))
def test_a_hong_kong_name_has_the_government_spelling(name: str, english: str | None) -> None:
    assert _read(name, "hongkong") == english


@pytest.mark.parametrize(("name", "english"), _pairs(TAIWAN))
def test_a_name_of_taiwan_is_in_wade_giles(name: str, english: str | None) -> None:
    assert _read(name, "taiwan") == english


@pytest.mark.parametrize("region", ["unknown", "mainland", "hongkong", "taiwan"])
@pytest.mark.parametrize("text", NO_NAMES.split())
def test_what_only_looks_like_a_name_abstains(text: str, region: Region) -> None:
    assert _read(text, region) is None


@pytest.mark.parametrize("name", ["王志明", "李伟", "陳大文", "吴建安", "欧阳文"])
def test_without_a_region_a_name_that_differs_by_region_abstains(name: str) -> None:
    assert _read(name, "unknown") is None


@pytest.mark.parametrize(
    ("name", "english"),
    [("孙中山", "Sun Yat-sen"), ("赛尚阿", "Saishang'a"), ("勒清阿", "Leqing'a")],
)
def test_without_a_region_a_name_that_is_the_same_everywhere_is_written(
    name: str, english: str
) -> None:
    assert _read(name, "unknown") == english


@pytest.mark.parametrize(
    ("text", "source", "english"),
    [
        ("張志明（香港）", "張志明", "Cheung Chi-ming"),
        ("张志明(香港)", "张志明", "Cheung Chi-ming"),
        ("陳志明（香港議員）", "陳志明", "Chan Chi-ming"),
        ("蔡明哲（台湾）", "蔡明哲", "Tsai Ming-che"),
        ("王志明（大陆）", "王志明", "Wang Zhiming"),
        ("王小明先生", "王小明", "Wang Xiaoming"),
        ("「王小明」", "王小明", "Wang Xiaoming"),
        ("李　明", "李　明", "Li Ming"),
        ("王志明（新加坡）", None, None),
        ("王志明（澳门）", None, None),
    ],
)
def test_brackets_titles_and_blanks_are_understood(
    text: str, source: str | None, english: str | None
) -> None:
    match = read_person(text, RuleStyle(region="mainland"))
    assert (match and match.source, match and match.target) == (source, english)


@pytest.mark.parametrize("text", ["Peter 陳大文", "陳大文 Peter", "陳大文（Peter）"])
def test_an_english_name_goes_first(text: str) -> None:
    assert _read(text, "hongkong") == "Peter Chan Tai-man"


@pytest.mark.parametrize(
    ("umlaut", "english"),
    [("yu", "Lyu Luewen"), ("u", "Lu Luewen"), ("v", "Lv Luewen"), ("ü", "Lü Lüewen")],
)
def test_the_letter_for_the_umlaut_is_a_setting(umlaut: Umlaut, english: str) -> None:
    assert _read("吕略文", "mainland", umlaut) == english


def test_a_character_has_one_spelling_in_each_cantonese_table() -> None:
    for table in (cantonese._SURNAMES, cantonese._GIVEN):
        characters = [mark for group in table.split() for mark in group.partition(":")[2]]
        assert len(characters) == len(set(characters))
