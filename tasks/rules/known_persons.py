"""Persons whose English name no rule gives, and names that look Chinese and are not.

Rulers, thinkers and public persons who are known in English by a spelling of their own. They stand
before every rule and region. Foreign names without a dot that begin with a Chinese surname, and
Japanese, Korean and Vietnamese names in Chinese characters, must not be read by the rules; where
their English is beyond doubt it is given, else they abstain.
"""

_KNOWN = """
孔子 Confucius;孟子 Mencius;老子 Laozi;庄子 Zhuangzi;荀子 Xunzi;墨子 Mozi;韩非子 Han Feizi
列子 Liezi;孙子 Sunzi;康熙 Kangxi;乾隆 Qianlong;雍正 Yongzheng;秦始皇 Qin Shi Huang
唐太宗 Emperor Taizong of Tang;汉武帝 Emperor Wu of Han;和珅 Heshen;溥仪 Puyi;乌兰夫 Ulanhu
女娲 Nuwa;伏羲 Fuxi;嫦娥 Chang'e;神农 Shennong;慈禧 Cixi;慈禧太后 Empress Dowager Cixi
孙中山 Sun Yat-sen;孙逸仙 Sun Yat-sen;蒋介石 Chiang Kai-shek;蒋中正 Chiang Kai-shek
蒋经国 Chiang Ching-kuo;宋庆龄 Soong Ching Ling;宋美龄 Soong May-ling;宋子文 T. V. Soong
顾维钧 Wellington Koo;李登辉 Lee Teng-hui;陈水扁 Chen Shui-bian;马英九 Ma Ying-jeou
蔡英文 Tsai Ing-wen;赖清德 Lai Ching-te;宋楚瑜 James Soong;朱立伦 Eric Chu;韩国瑜 Han Kuo-yu
吕秀莲 Annette Lu;柯文哲 Ko Wen-je;连战 Lien Chan;谢长廷 Frank Hsieh;王金平 Wang Jin-pyng
侯友宜 Hou Yu-ih;萧美琴 Hsiao Bi-khim;郝柏村 Hau Pei-tsun;李远哲 Yuan T. Lee;李安 Ang Lee
侯孝贤 Hou Hsiao-hsien;周杰伦 Jay Chou;蔡依林 Jolin Tsai;林书豪 Jeremy Lin;郭台铭 Terry Gou
张忠谋 Morris Chang;邓丽君 Teresa Teng;贝聿铭 I. M. Pei;杨振宁 Yang Chen-Ning
李政道 Tsung-Dao Lee;丁肇中 Samuel C. C. Ting;陈省身 Shiing-Shen Chern;丘成桐 Shing-Tung Yau
吴健雄 Chien-Shiung Wu;董建华 Tung Chee-hwa;曾荫权 Donald Tsang;梁振英 Leung Chun-ying
林郑月娥 Carrie Lam;李家超 John Lee;陈方安生 Anson Chan;叶刘淑仪 Regina Ip
李嘉诚 Li Ka-shing;李国能 Andrew Li;陈冯富珍 Margaret Chan;何厚铧 Edmund Ho
崔世安 Fernando Chui;贺一诚 Ho Iat Seng;何鸿燊 Stanley Ho;成龙 Jackie Chan;李小龙 Bruce Lee
周润发 Chow Yun-fat;刘德华 Andy Lau;梁朝伟 Tony Leung;张国荣 Leslie Cheung
张曼玉 Maggie Cheung;王家卫 Wong Kar-wai;吴宇森 John Woo;金庸 Jin Yong;周星驰 Stephen Chow
张学友 Jacky Cheung;黄之锋 Joshua Wong;李柱铭 Martin Lee;黎智英 Jimmy Lai
李光耀 Lee Kuan Yew;李显龙 Lee Hsien Loong;吴作栋 Goh Chok Tong;黄循财 Lawrence Wong
王瑞杰 Heng Swee Keat;陈庆炎 Tony Tan;骆家辉 Gary Locke;朱棣文 Steven Chu;赵小兰 Elaine Chao
马友友 Yo-Yo Ma;白求恩 Norman Bethune;胡志明 Ho Chi Minh;金日成 Kim Il Sung
金正日 Kim Jong Il;金正恩 Kim Jong Un;金与正 Kim Yo Jong;朴槿惠 Park Geun-hye
朴正熙 Park Chung-hee;文在寅 Moon Jae-in;李明博 Lee Myung-bak;卢武铉 Roh Moo-hyun
金大中 Kim Dae-jung;全斗焕 Chun Doo-hwan;卢泰愚 Roh Tae-woo;尹锡悦 Yoon Suk Yeol
李在明 Lee Jae-myung;潘基文 Ban Ki-moon;李承晚 Syngman Rhee;贾平凹 Jia Pingwa
范徐丽泰 Rita Fan;苏贞昌 Su Tseng-chang;成吉思汗 Genghis Khan;马可波罗 Marco Polo
"""

KNOWN: dict[str, str] = {
    name: english
    for name, _, english in (
        entry.partition(" ") for line in _KNOWN.split("\n") for entry in line.split(";")
    )
}
"""From a name in Simplified characters to its English."""

_FOREIGN_TABLE = """
马克思 霍金 巴特尔 马克龙 马斯克 马拉多纳 马歇尔 马尔克斯 马杜罗 马蒂斯 马丁 牛顿 高尔基 高尔夫 高更
戴高乐 戴安娜 戴维斯 罗斯福 罗素 罗丹 罗马 罗琳 华盛顿 林肯 康德 巴赫 巴菲特 巴尔扎克 巴罗佐
安徒生 安理会 安倍 安南 贝多芬 贝尔 贝克汉姆 白里安 毕加索 毕加斯 卡斯特罗 梅西 梅德韦杰夫
梅克尔 柏拉图 莫扎特 莫奈 莫迪 莫里森 穆罕默德 萨达姆 萨特 萨科齐 席勒 席尔瓦 温斯顿 温格
福特 伏尔泰 伏特 费米 费曼 鲁尼 鲁宾 鲁特 史密斯 史迪威 司徒雷登 沙特 胡塞尔 胡佛 雷诺 雷根
冯德莱恩 居里 居里夫人 达芬奇 达尔文 达赖 伊万卡 伊莎贝拉 明仁 包德甫 艾森豪威尔 艾略特 艾伦
韦伯 韦德 石原 司汤达 桑德斯 施罗德 施密特 乔丹 乔布斯 乔治 汤姆 汤普森 汤因比 凯恩斯
麦克阿瑟 麦凯恩 麦卡锡 查理 查尔斯 查韦斯 杜鲁门 杜特尔特 杜勒斯 武元甲 黎笋 阮文绍 阮富仲
阮晋勇 阮春福 范文同 范明政 陈大光 陈德良 农德孟
"""
FOREIGN = frozenset(_FOREIGN_TABLE.split())
"""Foreign names that begin with a Chinese surname: they abstain."""

_JAPANESE_SURNAMES_TABLE = """
佐藤 铃木 高桥 田中 渡边 伊藤 山本 中村 小林 加藤 吉田 山田 佐佐 山口 松本 井上 木村 清水
山崎 池田 桥本 阿部 中川 小川 前田 藤田 冈田 长谷 石井 近藤 坂本 远藤 青木 藤井 西村 福田
太田 三浦 藤原 松田 中野 原田 竹内 小野 田村 和田 中山 石田 上田 森田 柴田 宫崎 酒井 横山
宫本 内田 高木 安藤 谷口 大野 丸山 今井 河野 藤本 村田 武田 上野 杉山 增田 平野 大塚 千叶
久保 松井 野口 岩崎 木下 松尾 菊地 野村 新井 佐野 安倍 麻生 野田 鸠山 小泉 菅义 岸田 石破
岸信 高市 伊东 东条 东乡 山县 西乡 明石 本田 丰田 丰臣 德川 织田 黑田 黑泽 村上 大江 川端
芥川 夏目 三岛 宫泽 竹下 中曾 海部 羽田 细川 小渊 石原 平冈 平井 荒井 关口 水野 河村 江藤
秋山 南野 成田 安田 向井 花田 米田 桑田 柳田 吉川 吉本 梅田 梅原 岛田 岛村 盐野
"""
JAPANESE_SURNAMES = frozenset(_JAPANESE_SURNAMES_TABLE.split())
"""Japanese surnames of two characters, Simplified; names of three or more that begin so abstain."""

TRANSLITERATED = frozenset(
    "乌什伊伯佐佩克兹内切加劳勒卡厄史哈图坎埃基塔塞多夫姆宾尔尼巴布帕库弗德戈扎托拉提斯普格梅比沃沙波洛特瓦皮盖科穆米索纳罗耶舍茨莫莱菲萨蒂蒙西詹诺贝费赫达迈迪里阿雷霍韦顿马"
)
"""Characters that write foreign sounds and seldom meet in a Chinese given name."""
