"""Persons whose English name no rule gives: they stand before every rule and region.

Rulers, thinkers and public persons who are known in English by a spelling of their own, and names
of history whose characters are read as no table says. Written from general knowledge.
"""

_KNOWN = """
孔子 Confucius;孟子 Mencius;老子 Laozi;庄子 Zhuangzi;荀子 Xunzi;墨子 Mozi;韩非子 Han Feizi
列子 Liezi;康熙 Kangxi;乾隆 Qianlong;雍正 Yongzheng;秦始皇 Qin Shi Huang
唐太宗 Emperor Taizong of Tang;汉武帝 Emperor Wu of Han;和珅 Heshen;溥仪 Puyi;乌兰夫 Ulanhu
女娲 Nuwa;伏羲 Fuxi;嫦娥 Chang'e;神农 Shennong;慈禧 Cixi;慈禧太后 Empress Dowager Cixi
孙中山 Sun Yat-sen;孙逸仙 Sun Yat-sen;蒋介石 Chiang Kai-shek;蒋中正 Chiang Kai-shek
蒋经国 Chiang Ching-kuo;宋庆龄 Soong Ching Ling;宋美龄 Soong May-ling;宋子文 T. V. Soong
顾维钧 Wellington Koo;李登辉 Lee Teng-hui;陈水扁 Chen Shui-bian;马英九 Ma Ying-jeou
蔡英文 Tsai Ing-wen;赖清德 Lai Ching-te;宋楚瑜 James Soong;朱立伦 Eric Chu;韩国瑜 Han Kuo-yu
吕秀莲 Annette Lu;柯文哲 Ko Wen-je;连战 Lien Chan;谢长廷 Frank Hsieh;王金平 Wang Jin-pyng
侯友宜 Hou Yu-ih;萧美琴 Hsiao Bi-khim;郝柏村 Hau Pei-tsun;李远哲 Yuan T. Lee;李安 Ang Lee
侯孝贤 Hou Hsiao-hsien;周杰伦 Jay Chou;蔡依林 Jolin Tsai;林书豪 Jeremy Lin;郭台铭 Terry Gou
张忠谋 Morris Chang;邓丽君 Teresa Teng;贝聿铭 I. M. Pei;杨振宁 Yang Chen-Ning;李政道 Tsung-Dao Lee
丁肇中 Samuel C. C. Ting;陈省身 Shiing-Shen Chern;丘成桐 Shing-Tung Yau;吴健雄 Chien-Shiung Wu
董建华 Tung Chee-hwa;曾荫权 Donald Tsang;梁振英 Leung Chun-ying;林郑月娥 Carrie Lam;李家超 John Lee
陈方安生 Anson Chan;叶刘淑仪 Regina Ip;李嘉诚 Li Ka-shing;李国能 Andrew Li;陈冯富珍 Margaret Chan
何厚铧 Edmund Ho;崔世安 Fernando Chui;贺一诚 Ho Iat Seng;何鸿燊 Stanley Ho;成龙 Jackie Chan
李小龙 Bruce Lee;周润发 Chow Yun-fat;刘德华 Andy Lau;梁朝伟 Tony Leung;张国荣 Leslie Cheung
张曼玉 Maggie Cheung;王家卫 Wong Kar-wai;吴宇森 John Woo;金庸 Jin Yong;周星驰 Stephen Chow
张学友 Jacky Cheung;黄之锋 Joshua Wong;李柱铭 Martin Lee;黎智英 Jimmy Lai;李光耀 Lee Kuan Yew
李显龙 Lee Hsien Loong;吴作栋 Goh Chok Tong;黄循财 Lawrence Wong;王瑞杰 Heng Swee Keat
陈庆炎 Tony Tan;骆家辉 Gary Locke;朱棣文 Steven Chu;赵小兰 Elaine Chao;马友友 Yo-Yo Ma
白求恩 Norman Bethune;胡志明 Ho Chi Minh;金日成 Kim Il Sung;金正日 Kim Jong Il;金正恩 Kim Jong Un
金与正 Kim Yo Jong;朴槿惠 Park Geun-hye;朴正熙 Park Chung-hee;文在寅 Moon Jae-in
李明博 Lee Myung-bak;卢武铉 Roh Moo-hyun;金大中 Kim Dae-jung;全斗焕 Chun Doo-hwan;卢泰愚 Roh Tae-woo
尹锡悦 Yoon Suk Yeol;李在明 Lee Jae-myung;潘基文 Ban Ki-moon;李承晚 Syngman Rhee;贾平凹 Jia Pingwa
范徐丽泰 Rita Fan;苏贞昌 Su Tseng-chang;成吉思汗 Genghis Khan;马可波罗 Marco Polo
利玛窦 Matteo Ricci;郎世宁 Giuseppe Castiglione;汤若望 Johann Adam Schall von Bell
南怀仁 Ferdinand Verbiest;李约瑟 Joseph Needham;史景迁 Jonathan Spence;费正清 John King Fairbank
彭定康 Chris Patten;卫奕信 David Wilson;陆克文 Kevin Rudd;司徒雷登 John Leighton Stuart;洪森 Hun Sen
金泳三 Kim Young-sam;朴智星 Park Ji-sung;孙兴慜 Son Heung-min;李在镕 Lee Jae-yong;李舜臣 Yi Sun-sin
崔龙海 Choe Ryong Hae;安重根 An Jung-geun;李世石 Lee Sedol;李昌镐 Lee Chang-ho;黄金辉 Wee Kim Wee
吴清源 Go Seigen;忽必烈 Kublai Khan;努尔哈赤 Nurhaci;皇太极 Hong Taiji;多尔衮 Dorgon;鳌拜 Oboi
郑成功 Zheng Chenggong;武则天 Wu Zetian;秦桧 Qin Hui;米芾 Mi Fu;李泌 Li Bi;刘禅 Liu Shan
翟让 Zhai Rang;伍员 Wu Yun;皋陶 Gao Yao;郦食其 Li Yiji;冒顿 Modu;樊於期 Fan Wuji;金日磾 Jin Midi
嫪毐 Lao Ai;墨翟 Mo Di;妲己 Daji;褒姒 Bao Si;祭遵 Zhai Zun;妇好 Fu Hao;柳下惠 Liuxia Hui
隗嚣 Wei Xiao;介子推 Jie Zitui;吴三桂 Wu Sangui;典韦 Dian Wei;苻坚 Fu Jian;陈伯达 Chen Boda
郁达夫 Yu Dafu;郑板桥 Zheng Banqiao;令计划 Ling Jihua;郑易里 Zheng Yili;奢香 She Xiang;鉴真 Jianzhen
玄奘 Xuanzang;慧能 Huineng;冰心 Bing Xin;北岛 Bei Dao;阿来 Alai;启功 Qi Gong;老舍 Lao She
庐隐 Lu Yin;扁鹊 Bian Que;秋瑾 Qiu Jin;嬴政 Ying Zheng;孔夫子 Confucius;孟轲 Mencius
孙文 Sun Yat-sen;光绪 Guangxu;咸丰 Xianfeng;同治 Tongzhi;道光 Daoguang;嘉庆 Jiaqing;庄周 Zhuang Zhou
宗喀巴 Tsongkhapa;松赞干布 Songtsen Gampo;文成公主 Princess Wencheng;游锡堃 Yu Shyi-kun
洪秀柱 Hung Hsiu-chu;江启臣 Johnny Chiang;卢秀燕 Lu Shiow-yen;萧万长 Vincent Siew
施明德 Shih Ming-teh;钱复 Fredrick Chien;江丙坤 Chiang Pin-kung;辜振甫 Koo Chen-fu
孙运璿 Sun Yun-suan;李焕 Lee Huan;陈菊 Chen Chu;邱义仁 Chiou I-jen;吴钊燮 Joseph Wu
顾立雄 Wellington Koo;柯建铭 Ker Chien-ming;管碧玲 Kuan Bi-ling;施振荣 Stan Shih;杨德昌 Edward Yang
李敖 Li Ao;余光中 Yu Kwang-chung;谢淑薇 Hsieh Su-wei;王力宏 Wang Leehom;林义雄 Lin Yi-hsiung
桂纶镁 Gwei Lun-mei;林怀民 Lin Hwai-min;田长霖 Chang-Lin Tien;李开复 Kai-Fu Lee;杨致远 Jerry Yang
钱永健 Roger Y. Tsien;崔琦 Daniel C. Tsui;高锟 Charles K. Kao;林家翘 Chia-Chiao Lin
邵逸夫 Run Run Shaw;包玉刚 Yue-Kong Pao;周梁淑怡 Selina Chow;唐英年 Henry Tang;林瑞麟 Stephen Lam
许仕仁 Rafael Hui;梁爱诗 Elsie Leung;叶澍堃 Stephen Ip;罗范椒芬 Fanny Law;沈祖尧 Joseph Sung
徐立之 Lap-Chee Tsui;容祖儿 Joey Yung;谢霆锋 Nicholas Tse;陈奕迅 Eason Chan;张柏芝 Cecilia Cheung
谭咏麟 Alan Tam;吴镇宇 Francis Ng;杜琪峰 Johnnie To;徐克 Tsui Hark;洪金宝 Sammo Hung
甄子丹 Donnie Yen;李连杰 Jet Li;杨紫琼 Michelle Yeoh;梅艳芳 Anita Mui;叶问 Ip Man
孙燕姿 Stefanie Sun;梁静茹 Fish Leong;李嘉欣 Michele Reis;李国豪 Brandon Lee;张纯如 Iris Chang
黄柳霜 Anna May Wong;纳兰性德 Nalan Xingde;赛珍珠 Pearl S. Buck;廖沫沙 Liao Mosha;宦乡 Huan Xiang
陈履安 Chen Li-an;王建民 Wang Chien-ming;梁美芬 Priscilla Leung;冯检基 Frederick Fung
陈恒镔 Ben Chan;朱凯廸 Eddie Chu;何韵诗 Denise Ho;林明溱 Lin Ming-chen;罗淑佩 Rosanna Law
应玚 Ying Yang;周处 Zhou Chu
"""

KNOWN: dict[str, str] = {
    name: english
    for name, _, english in (
        entry.partition(" ") for line in _KNOWN.split("\n") for entry in line.split(";")
    )
}
"""From a name in Simplified characters to its English."""
