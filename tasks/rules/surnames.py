"""Chinese surnames and how each is read as a surname, which often differs from the usual reading.

Simplified and Traditional characters and common variants. Where a surname has several readings by
region or clan the commonest is given: 覃 Qin, 乐 Yue, 朴 Piao, 缪 Miao, 折 She, 种 Chong, 盖 Gai.
Written from general knowledge; the readings were checked against the surnames that CC-CEDICT marks
and differ from it in 盖 (there Ge) and 郗 (there Chi).
"""

_SINGLE = """
Ai:艾 An:安 Ao:敖 Ba:巴 Bai:白柏拜 Ban:班 Bao:包鲍鮑暴 Bei:贝貝 Ben:贲賁 Bi:毕畢秘祕 Bian:边邊卞
Bie:别別 Bin:宾賓 Bing:邴 Bo:薄 Bu:卜步 Cai:蔡才 Cang:苍蒼 Cao:曹 Cen:岑 Chai:柴 Chang:常昌畅暢苌萇
Chao:晁巢 Che:车車 Chen:陈陳谌諶 Cheng:程成承 Chi:池迟遲 Chong:崇种 Chu:褚楚储儲 Chuan:钏 Chun:淳
Cong:丛叢从從 Cuan:爨 Cui:崔 Da:达達笪 Dai:戴代 Dang:党黨 Dao:刀 Deng:邓鄧 Di:狄邸 Dian:典 Diao:刁
Ding:丁 Dong:董东東 Dou:窦竇 Du:杜都 Duan:段 E:鄂 Fan:范樊 Fang:方房 Fei:费費
Feng:冯馮封丰豐酆奉凤鳳 Fo:佛 Fu:付傅符伏苻扶 Gai:盖蓋 Gan:甘干 Gang:冮 Gao:高郜皋 Ge:葛戈 Geng:耿
Gong:龚龔宫宮巩鞏公弓恭贡貢 Gou:勾苟缑緱句 Gu:顾顧古谷辜 Guan:关關官管贯貫观觀 Gui:桂归歸妫媯
Guo:郭过過虢 Ha:哈 Hai:海 Han:韩韓寒撖 Hang:杭 Hao:郝 He:何贺賀和赫 Hei:黑 Heng:衡 Hong:洪弘
Hou:侯后 Hu:胡扈户戶斛呼虎 Hua:华華花 Huai:怀懷 Huan:桓宦环環 Huang:黄黃 Hui:惠回 Hun:浑渾 Huo:霍
Ji:季纪紀吉姬计計冀籍汲蓟薊嵇暨姞戢箕 Jia:贾賈郏郟 Jian:简簡翦菅蹇 Jiang:江蒋蔣姜 Jiao:焦矫矯敫
Jie:揭介 Jin:金靳晋晉 Jing:荆荊景井经經敬 Ju:鞠居琚俱 Juan:隽 Kan:阚闞 Kang:康亢 Ke:柯 Kong:孔
Kou:寇 Ku:库庫 Kuai:蒯 Kuang:邝鄺匡况況旷曠 Kui:夔隗 Lai:赖賴来來 Lan:兰蘭蓝藍 Lang:郎 Lao:劳勞
Le:勒 Lei:雷嫘 Leng:冷 Li:李黎厉厲利郦酈栗力励勵 Lian:连連廉练練 Liang:梁 Liao:廖 Lin:林蔺藺
Ling:凌令零泠 Liu:刘劉柳 Long:龙龍隆 Lou:娄婁楼樓 Lu:卢盧陆陸鲁魯路芦蘆逯禄祿甪 Luan:栾欒
Luo:罗羅骆駱洛 Lü:吕呂闾閭律 Ma:马馬麻 Mai:麦麥买買 Man:满滿 Mao:毛茅茆冒 Mei:梅 Men:门門 Meng:孟蒙
Mi:米糜宓芈祢禰弥彌 Miao:苗缪繆 Min:闵閔 Ming:明 Mo:莫墨 Mou:牟 Mu:穆木牧慕母 Na:那 Nai:佴能 Nan:南
Ni:倪 Nian:年粘 Nie:聂聶乜 Ning:宁寧甯 Niu:牛钮鈕 Nong:农農 Ou:区區欧歐 Pan:潘盘盤 Pang:庞龐逄
Pei:裴 Peng:彭 Pi:皮 Piao:朴 Ping:平 Po:繁 Pu:蒲濮浦 Qi:齐齊戚祁亓漆綦杞 Qian:钱錢千乾 Qiang:强強羌
Qiao:乔喬谯譙 Qie:郄 Qin:秦覃钦欽芹 Qing:卿青 Qiu:邱丘仇裘秋 Qu:曲屈瞿渠麴璩麹 Quan:全权權 Que:阙闕
Ran:冉 Rang:穰 Rao:饶饒 Ren:任 Rong:荣榮容戎融 Ru:茹汝 Ruan:阮 Rui:芮 Sa:萨薩撒 Sai:赛賽 Sang:桑
Sha:沙 Shan:山单單 Shang:尚商 Shao:邵召韶 She:佘折厍厙 Shen:沈申莘慎 Sheng:盛 Shi:石史施时時师師
Shou:寿壽 Shu:舒束树樹殳疏 Shuai:帅帥 Shuang:双雙 Shui:水税 Si:司斯姒 Song:宋 Su:苏蘇宿粟肃肅
Sui:隋眭随隨睢 Sun:孙孫 Suo:索 Tai:邰台臺 Tan:谭譚谈談檀 Tang:唐汤湯 Tao:陶 Teng:滕腾騰 Tian:田
Tie:铁鐵 Tong:佟童仝彤 Tou:钭鈄 Tu:涂屠 Tuo:庹拓 Wan:万萬宛 Wang:王汪 Wei:魏尉韦韋卫衛衞危
Wen:温溫文闻聞 Weng:翁 Wo:沃 Wu:吴吳武伍邬鄔巫乌烏毋仵 Xi:席奚习習郗郤 Xia:夏 Xian:冼鲜鮮咸洗线線缐
Xiang:向项項相 Xiao:肖萧蕭 Xie:谢謝解颉 Xin:辛信忻 Xing:邢幸 Xiong:熊 Xiu:修脩 Xu:徐许許胥 Xuan:宣禤
Xue:薛 Xun:荀郇寻尋 Yan:严嚴阎閻颜顏闫閆燕晏言鄢 Yang:杨楊阳陽羊仰扬揚 Yao:姚尧堯药幺么 Ye:叶葉
Yi:易伊衣仪儀羿弋 Yin:尹殷阴陰银銀印鄞訚 Ying:应應英嬴 Yong:雍 You:尤游由
Yu:余俞虞喻郁禹庾鱼魚宇于蔚於鬱毓 Yuan:袁元苑原源 Yue:岳乐樂 Yun:云雲员員恽惲贠貟 Zai:宰 Zan:昝
Zang:臧 Ze:笮 Zeng:曾 Zha:查 Zhai:翟祭 Zhan:詹占湛展战戰 Zhang:张張章仉掌 Zhao:赵趙招肇 Zhen:甄
Zheng:郑鄭 Zhi:支智植郅 Zhong:钟鍾鐘仲 Zhou:周 Zhu:朱祝诸諸竺竹邾 Zhuan:颛顓 Zhuang:庄莊 Zhuo:卓禚
Zi:訾资資 Zong:宗 Zou:邹鄒 Zu:祖 Zuo:左
"""
_COMPOUND = """
Aixinjueluo:爱新觉罗/愛新覺羅 Baili:百里 Beigong:北宫/北宮 Chanyu:单于/單于 Chigan:叱干 Chunyu:淳于
Daxi:达奚/達奚 Diwu:第五 Dongfang:东方/東方 Dongguo:东郭/東郭 Dongmen:东门/東門 Doulu:豆卢/豆盧
Duangan:段干 Duanmu:端木 Dugu:独孤/獨孤 Erzhu:尔朱/爾朱 Geshu:哥舒 Gongbo:公伯 Gongliang:公良
Gongshu:公输/公輸 Gongsun:公孙/公孫 Gongxi:公西 Gongyang:公羊 Gongye:公冶 Guanqiu:毌丘
Guliang:谷梁/穀梁/榖梁 Heba:贺拔/賀拔 Helan:贺兰/賀蘭 Helian:赫连/赫連 Helou:贺楼/賀樓
Heruo:贺若/賀若 Houmochen:侯莫陈/侯莫陳 Huangfu:皇甫 Hulü:斛律 Huyan:呼延 Jiagu:夹谷/夾谷 Jimo:即墨
Juqu:沮渠 Liangqiu:梁丘 Linghu:令狐 Lufei:陆费/陸費 Lüqiu:闾丘/閭丘 Moqi:万俟/萬俟 Motai:墨台
Murong:慕容 Nalan:纳兰/納蘭 Nangong:南宫/南宮 Nanguo:南郭 Nanmen:南门/南門 Niuhulu:钮祜禄/鈕祜祿
Ouhou:欧侯/歐侯 Ouyang:欧阳/歐陽 Pugu:仆固/僕固 Puyang:濮阳/濮陽 Qidiao:漆雕 Qifu:乞伏 Qiguan:亓官
Qutu:屈突 Rangsi:壤驷/壤駟 Shangguan:上官 Shatuo:沙陀 Shentu:申屠 Sikong:司空 Sikou:司寇
Sima:司马/司馬 Situ:司徒 Suqin:宿勤 Taishi:太史 Taishu:太叔 Tantai:澹台/澹臺 Tufa:秃发/禿髮
Tuoba:拓跋 Tutu:吐突 Wanyan:完颜/完顏 Weisheng:微生 Wenren:闻人/聞人 Wuma:巫马/巫馬 Xiahou:夏侯
Xiangli:相里 Xianyu:鲜于/鮮于 Ximen:西门/西門 Xuanyuan:轩辕/軒轅 Yangshe:羊舌
Yehenala:叶赫那拉/葉赫那拉 Yelü:耶律 Yuchi:尉迟/尉遲 Yuezheng:乐正/樂正 Yuwen:宇文 Zaifu:宰父
Zhangsun:长孙/長孫 Zhongchang:仲长/仲長 Zhongli:钟离/鍾離 Zhongsun:仲孙/仲孫 Zhuansun:颛孙/顓孫
Zhuge:诸葛/諸葛 Zhuye:朱邪 Ziju:子车/子車 Zongzheng:宗政 Zuoqiu:左丘
"""

SINGLE: dict[str, str] = {
    character: reading
    for reading, _, characters in (group.partition(":") for group in _SINGLE.split())
    for character in characters
}
"""From a surname of one character to its reading, ü written `ü`."""
COMPOUND: dict[str, str] = {
    surname: reading
    for reading, _, surnames in (group.partition(":") for group in _COMPOUND.split())
    for surname in surnames.split("/")
}
"""From a surname of two or more characters to its reading in one word, ü written `ü`."""
COMMON = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許邓鄧韩韓冯馮曹彭曾肖萧蕭田董袁潘"
    "于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾鐘谭譚陆陸汪范石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫閆段雷"
    "侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯徐"
)
"""Some hundred of the commonest surnames, of which a double surname is made."""
LONGEST = max(map(len, COMPOUND))
"""In characters."""


def surname_lengths(name: str) -> list[int]:
    """List how many characters the surname of a name can have, the longest first."""
    lengths = [n for n in range(LONGEST, 1, -1) if n < len(name) and name[:n] in COMPOUND]
    return lengths + ([1] if name[:1] in SINGLE else [])
