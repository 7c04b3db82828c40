"""Hong Kong names: the government's customary romanisation of Cantonese, by whole syllables.

There is no official table. Surnames have their most usual spelling (陈 Chan, 吴 and 伍 Ng, 谢 Tse);
given names that of the Hong Kong Government Cantonese Romanisation, without tones.
A character that is spelled in several ways with none prevailing (筠 Kwan or Wan) is not listed, so
that a name with it abstains. Both scripts; tables of Mandarin or Jyutping are never mixed in.
Written from general knowledge and compared with the public spelling of well-known persons.
"""

_SURNAMES = """
Au:區歐区欧 Cha:查 Chai:齊柴齐 Chak:翟 Cham:湛 Chan:陳陈 Che:車车 Cheng:鄭郑 Cheuk:卓
Cheung:張章蔣张蒋 Chik:戚植 Chim:詹 Chin:錢钱 Ching:程 Chiu:趙招焦赵 Choi:蔡 Chong:莊庄 Chow:周鄒邹
Chu:朱諸诸 Chui:崔 Chuk:祝竺 Chun:秦 Chung:鍾鐘钟宗 Fan:范樊 Fok:霍 Fong:方房 Fu:傅符付
Fung:馮封鳳酆冯凤 Ha:夏 Hau:侯 Heung:向 Ho:何賀贺 Hon:韓韩 Hong:康 Hui:許许 Hung:洪熊孔 Ka:贾賈
Kam:金甘 Kan:簡简 Kau:裘 Kei:紀纪 Keung:姜 Ki:祁 Kiu:乔喬 Ko:高 Kok:郝 Kong:江 Koo:顧顾 Kot:葛 Ku:古
Kung:龔龚 Kwai:桂季 Kwan:關关 Kwok:郭 Kwong:鄺邝 Lai:黎賴赖 Lam:林藍蓝 Lau:劉柳刘楼樓娄婁 Law:羅罗
Lee:李利 Leung:梁 Lin:連練连练 Ling:凌 Liu:廖 Lo:盧勞老卢劳鲁魯路 Lok:駱骆 Long:郎 Lui:呂雷吕
Luk:陸陆 Lung:龍龙 Ma:馬马 Mak:麥麦 Man:文萬万 Mang:孟 Miu:苗繆缪 Mo:毛巫武 Mok:莫 Mui:梅 Ng:吳伍吴
Ngai:倪魏艾 Ngan:顏颜 Ngo:敖 Ngok:岳 Ning:宁寧 Nip:聶聂 On:安 Or:柯 Pak:白 Pang:彭 Pat:畢毕
Pau:包鮑鲍 Pong:龐庞 Poon:潘 Pui:貝裴贝 San:辛 Shek:石 Sheung:尚 Shing:成盛 Shiu:邵 Shu:舒 Shum:沈岑
Sin:冼單单 Sit:薛 Siu:蕭萧 So:蘇苏 Suen:孫孙 Sung:宋 Sze:施史 Tai:戴 Tam:譚談覃谭谈 Tang:鄧邓滕
Tik:狄 Tin:田 Ting:丁 To:杜陶涂屠 Tong:唐湯汤 Tsang:曾 Tse:謝谢 Tso:左曹 Tsui:徐 Tuen:段 Tung:董童
Wah:華华 Wai:韋衛衞韦卫 Wan:溫尹雲温云 Wat:屈 Wong:黃王汪黄 Wu:胡鄔邬 Yam:任 Yan:殷甄 Yau:丘邱游尤
Yeung:楊杨 Yik:易 Yim:嚴閻严阎 Ying:應应 Yip:葉叶 Yiu:姚饒饶 Yu:余于俞喻茹虞於 Yuen:袁阮元 Yuk:郁
Yung:容翁
"""
_COMPOUND = """
Au_Yeung:欧阳/歐陽 Szeto:司徒 Sheung_Kwun:上官 Chu_Kot:诸葛/諸葛 Ha_Hau:夏侯
Sze_Ma:司马/司馬 Wong_Po:皇甫
"""
_GIVEN = """
Au:鷗歐鸥欧 Chai:齊濟齐济 Chak:澤擇泽择 Cham:湛尋沉寻 Chan:燦璨贊讚陳塵親灿赞陈尘亲
Chau:秋洲舟疇籌畴筹 Cheong:昌 Cheuk:卓焯灼綽倬爵绰 Cheung:張章彰璋祥翔長暢张长畅
Chi:志智芝之知治至致緻池持馳賜祉枝稚遲始誌驰赐迟 Chim:瞻 Chin:展戰战
Ching:程澄清青菁情晶精正政貞禎楨靜征晴呈蜻靖贞祯桢静 Chit:哲捷喆 Chiu:昭超潮朝釗照俏钊 Cho:祖佐楚初
Choi:彩才財材采賽财赛 Chok:作 Chong:莊創壯庄创壮 Chu:珠柱鑄朱铸 Chuen:銓全泉傳存川尊铨传 Chui:翠聚
Chuk:竹祝 Chun:俊駿進晉振震津雋珍真春臻準浚鎮椿峻竣骏进晋隽准镇
Chung:忠仲聰鍾鐘中松頌從宗沖冲驄聪钟颂从骢重 Fai:輝暉徽揮辉晖挥 Fan:芬奮勳勛訓帆凡繁蕃奋勋训
Fat:發法发 Fei:飛菲妃斐飞 Fo:科 Fong:芳方放 Fu:富夫芙虎輔扶孚傅辅 Fui:奎魁 Fuk:福 Fun:歡寬欢宽
Fung:風鳳峰峯豐鋒楓烽风凤丰锋枫逢 Ha:霞夏遐 Hak:克 Ham:涵咸 Han:嫻閒閑娴闲 Hang:恒恆衡亨杏行幸
Hap:俠侠 Hau:孝厚巧侯效 Hei:喜熙希曦羲禧晞僖起 Heung:香鄉響向乡响 Him:謙谦
Hin:憲顯軒獻衍騫宪显轩献骞 Hing:馨興慶卿兄兴庆 Hip:協协 Hiu:曉晓 Ho:浩豪好昊皓何可賀河荷灝顥濠贺灏颢
Hoi:海凱開愷鎧凯开恺铠 Hok:學鶴学鹤 Hon:漢翰瀚韓寒汉韩 Hong:康航匡 Hop:合 Huen:萱煊 Hui:許许
Hung:紅洪鴻雄虹孔红鸿 Ka:家嘉珈 Kai:啟啓繼階楷佳溪启继阶偕 Kam:錦金琴甘淦锦 Kan:勤根謹瑾谨 Kap:及
Kat:吉 Kau:球九久 Kei:基奇其紀祈騏驥纪骐骥 Keung:強强 Ki:琪祺麒淇 Kim:劍儉剑俭檢检 Kin:健堅建鍵坚键
King:敬經瓊京景競鏡憬经琼竞镜璟 Kit:傑潔杰洁 Kiu:嬌喬橋翹娇乔桥翘 Ko:高歌 Kok:覺觉 Kon:乾幹干
Kong:江剛港刚 Kuen:權娟权 Kui:駒居驹巨 Kuk:菊谷 Kung:恭功公 Kwai:桂貴葵季贵
Kwan:君坤群羣均軍鈞昆關焜崑堃军钧关 Kwok:國郭幗国帼 Kwong:光廣广 Kwun:冠觀观 Lai:麗禮黎勵丽礼励
Lam:嵐林霖琳藍岚蓝 Lan:蘭兰 Lap:立 Lau:流柳留騮骝 Lee:利 Lei:莉俐理 Leung:亮良樑梁 Li:李 Lik:力歷历
Lim:廉濂 Lin:蓮連憐莲连怜 Ling:玲齡靈凌鈴菱令龄灵铃 Lit:列烈 Lo:露璐路 Loi:來萊来莱 Lok:樂洛駱乐骆
Long:朗浪 Luen:聯联 Lui:蕾磊雷 Luk:綠祿陸绿禄陆 Lun:倫麟綸伦纶 Lung:龍隆瓏龙珑
Man:敏文雯曼汶萬民旻万 Mang:孟 Mau:茂 Mei:美微薇媚 Min:勉綿绵 Ming:明銘鳴茗名铭鸣 Miu:妙苗 Mo:武慕
Mong:望 Mui:梅玫妹 Muk:睦木 Mun:滿满 Mung:夢蒙梦 Na:娜 Nai:乃 Nam:南男楠 Nang:能 Nap:納纳 Nei:妮彌弥
Ng:五伍午吾悟梧吳吴 Nga:雅芽牙 Ngai:藝毅倪巍霓艺 Ngam:岩巖 Ngan:銀雁顏银颜 Ngo:娥我鵝鹅 Ngok:岳嶽鄂
Ngon:岸 Ngong:昂 Nim:念 Nin:年 Ning:寧甯宁 Nok:諾诺 Nui:女 Nung:農农 Oi:愛藹靄爱蔼霭 On:安
Pak:柏百伯北栢 Pan:斌彬賓品鑌宾镔 Pang:鵬彭鹏 Pik:碧璧 Pin:便 Ping:平萍屏炳秉冰娉 Piu:標彪标
Po:寶保普步波坡宝 Pok:博 Pong:邦 Pui:佩培沛珮貝蓓贝 Pun:本 Sai:世西 Sam:三森 San:新辛申晨臣辰
Sang:生笙 Sau:秀壽修守寿 Seung:相湘襄 Sha:沙莎 Shan:山珊 Shek:石碩硕 Sheung:常尚裳雙霜嫦賞双赏
Shing:誠成城承勝盛聖丞诚胜圣晟 Shu:樹書舒树书 Shui:水瑞 Shun:信順淳舜純洵迅顺纯 Shung:崇 Si:時施时
Sin:仙善先倩茜 Sing:昇升星聲声 Siu:小少紹兆肇韶笑绍 So:素 Song:爽桑 Suen:宣璇孫旋孙 Suet:雪
Suk:淑肅叔肃 Sum:心深芯琛 Sun:燊 Sze:思斯士仕師史司师詩诗 Tai:泰大帝戴娣 Tak:德 Tan:丹
Tang:騰登燈腾灯 Tat:達达 Tik:迪廸 Tim:添甜恬 Tin:天田典 Ting:定鼎庭廷婷亭丁霆汀挺
To:濤道桃陶杜滔韜涛韬 Tong:堂棠唐 Tsang:增曾 Tsun:遵 Tsz:子梓紫慈芷 Tuen:端
Tung:東冬棟同彤桐童通东栋 Wa:娃 Wah:華樺驊嬅华桦骅
Wai:威偉惠慧維為唯蕙煒瑋衛懷葦緯蔚伟维为炜玮卫怀苇纬衞憓 Wan:雲運韻允尹芸蘊耘云运韵蕴
Wang:宏弘泓橫横 Wik:域 Wing:榮永詠泳穎頴嶸荣咏颖颕嵘 Wo:和禾龢 Wong:旺煌皇凰 Wu:湖 Wun:桓
Yam:蔭音欽任荫钦 Yan:恩仁欣昕忻人因茵甄寅殷 Yat:日逸一溢 Yau:有友佑祐優柔悠猷优
Yee:儀怡宜兒綺依漪仪儿绮 Yeuk:若 Yeung:揚陽洋扬阳 Yi:意義懿以爾伊誼义尔谊 Yik:翼奕益亦億憶翊弈亿忆
Yim:炎艷嚴艳严 Yin:賢妍然燕彥言嫣研延贤彦 Ying:英瑛盈應迎瑩影映瀅螢凝瀛櫻鷹应莹滢萤樱鹰
Yip:業葉燁业叶烨 Yiu:耀堯瑤遙曜尧瑶遥 Yu:如宇羽雨瑜愉裕譽予儒余汝禹瑀茹渝誉
Yuen:源元遠婉苑圓淵緣沅媛原園玄远圆渊缘园 Yuet:月悅越粵悦粤 Yui:銳睿锐 Yuk:玉育旭煜郁毓鈺昱钰
Yun:潤润 Yung:容蓉勇庸鏞榕雍镛
"""


def _by_character(table: str) -> dict[str, str]:
    return {
        character: spelling
        for spelling, _, characters in (group.partition(":") for group in table.split())
        for character in characters
    }


SURNAMES: dict[str, str] = _by_character(_SURNAMES)
"""From a surname of one character to its spelling."""
COMPOUND_SURNAMES: dict[str, str] = {
    surname: spelling.replace("_", " ")
    for spelling, _, surnames in (group.partition(":") for group in _COMPOUND.split())
    for surname in surnames.split("/")
}
"""From a surname of two characters to its spelling."""
GIVEN: dict[str, str] = _by_character(_GIVEN)
"""From a character of a given name to its spelling, with a capital."""


def spell_surname(surname: str) -> str | None:
    """Spell a surname, or two surnames of a married woman: `Ip Lau`; None where one is unknown."""
    whole = COMPOUND_SURNAMES.get(surname)
    if whole:
        return whole
    parts = [SURNAMES.get(character) for character in surname]
    return " ".join(part for part in parts if part) if all(parts) else None


def spell_given(given: str) -> str | None:
    """Spell a given name, `Chi-ming`; None where a character is not listed."""
    parts = [GIVEN.get(character) for character in given]
    return "-".join(part for part in parts if part).capitalize() if all(parts) else None
