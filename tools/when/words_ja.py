"""The words for time in Japanese.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.when.rules import Language, Rule, days, holidays, parts, periods

_JN = r"(?:\d{1,4}|[零〇一二三四五六七八九十百]{1,5})"
_JW = r"(?P<w>[月火水木金土日])(?:曜日?)"
_JREL = {"先々": -2, "先": -1, "前": -1, "今": 0, "この": 0, "次": 1, "来": 1, "翌": 1, "再来": 2}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "西暦": 0, "西曆": 0, "㋿": 2018}
_ERA_LETTERS = {"r": 2018, "h": 1988, "s": 1925, "t": 1911, "m": 1867}
_KANA_MONTHS = (
    "いちがつ",
    "にがつ",
    "さんがつ",
    "しがつ",
    "ごがつ",
    "ろくがつ",
    "(?:しち|なな)がつ",
    "はちがつ",
    "くがつ",
    "じゅうがつ",
    "じゅういちがつ",
    "じゅうにがつ",
)
_KANA_HOURS = ("いち", "に", "さん", "よ", "ご", "ろく", "しち", "はち", "く", "じゅう", "じゅういち", "じゅうに")
_KANA_DAYS = {
    "ついたち": 1,
    "ふつか": 2,
    "みっか": 3,
    "よっか": 4,
    "いつか": 5,
    "むいか": 6,
    "ここのか": 9,
    "とおか": 10,
    "はつか": 20,
}
_JQ = "(?:四半期|qtr|クォーター)"
JA = Language(
    scripts=frozenset({"han", "latin"}),
    number=_JN,
    units={
        "年": "year", "月": "month", "週": "week", "週間": "week", "日": "day", "時間": "hour",
        "分": "minute", "秒": "second", "四半期": "quarter",
    },
    amount=(
        rf"(?:(?P<n>\d{{1,4}}\.\d{{1,2}}|{_JN}|半)\s*"
        r"(?P<u>年|[かヶヵケカ箇]月|月(?=[後前])|週間?|日|時間|四半期|分|秒)間?(?P<after>半)?と?)"
    ),
    rules=(
        *days({
            "一昨々日|さきおととい": -3, "前々々日": -3, "一昨日|おととい|おとつい|前々日": -2, "昨日|きのう": -1,
            "今日|本日|きょう": 0,
            "明日|あした|あす|みょうにち|翌日": 1, "明後日|あさって|翌々日": 2, "明々後日|しあさって": 3,
        }),
        Rule("この日", "day", 0, weak=True),
        Rule("(?:まる|丸)?[一1]日中|終日|丸一日|いちにちじゅう|(?<=[今明]日)[一1]日", "fill"),
        *holidays({
            "元日|元旦": (1, 1), "バレンタイン(?:デー)?": (2, 14), "ハロウィン": (10, 31), "クリスマスイブ": (12, 24),
            "クリスマス": (12, 25), "大晦日|おおみそか": (12, 31),
        }),
        Rule("旧正月", "lunar", (1, 1)),
        *(Rule(word, "month_is", index) for index, word in enumerate(_KANA_MONTHS, 1)),
        *(Rule(word, "dom_is", dom, weak=True) for word, dom in _KANA_DAYS.items()),
        *(Rule(f"(?P<h>{word})じ(?!かん)(?P<half>はん)?", "clock_kana", hour, weak=True)
          for hour, word in enumerate(_KANA_HOURS, 1)),
        Rule("今[夜晩朝]の?|今日の夜", "day_part", (0, "evening")),
        Rule("今朝", "day_part", (0, "morning")),
        Rule("明晩|明日の夜", "day_part", (1, "evening")),
        Rule("明朝", "day_part", (1, "morning")),
        Rule("昨[夜晩]|ゆうべ", "day_part", (-1, "evening")),
        Rule("今すぐ|ただちに|現在|今", "now", weak=True),
        *parts({
            "am": "午前中?", "pm": "午後", "dawn": "未明|明け方", "deep": "深夜|夜中", "morning": "早朝|朝",
            "noon": "お?昼",
            "evening": "夕方|夜|晩",
        }),
        Rule("正午(?:12時)?", "clock_at", (12, 0)),
        Rule(r"(?P<h><n>)時(?!間)(?:(?P<half>半)|(?P<mi><n>)分(?:(?P<s><n>)秒)?|(?P<s2><n>)秒)?", "clock"),
        Rule(r"(?P<h><n>)時(?P<mi><n>)分前", "clock_before"),
        Rule(rf"(?:(?P<rel>先々|先|前|今|次|来|翌|再来)(?:週の?|の)|(?P<rel2>この|次の|今度の))?{_JW}", "weekday",
             _JREL),
        Rule(r"\((?P<w>[月火水木金土日])(?:曜日?)?\)", "weekday", {}),
        Rule("(?P<w>げつ|か|すい|もく|きん|ど|にち)よう(?:び)?", "weekday", {}),
        *periods("week", {"先々週": -2, "先週|前週|[前先]の週": -1, "[今当同]週|この週|現在の週|今の週": 0,
                         "来週|翌週|次の週": 1, "再来週|翌々週": 2}),
        *periods("weekend", {"先週末": -1, "今週末|週末": 0, "来週末": 1}),
        *periods("month", {"先々月": -2, "先月|前月|[前先]の月": -1, "[今当同]月|この月": 0, "来月|翌月|次の月": 1,
        "再来月|翌々月": 2}),
        *periods("year", {
            "一昨々年": -3, "一昨年|おととし|前々年": -2, "昨年|去年|先年|前年": -1, "今年|[本同当]年|ことし": 0,
            "来年|翌年|次年": 1, "再来年|翌々年|明後年": 2, "明々後年": 3,
        }),
        *periods("quarter", {
            f"[先前]の?{_JQ}": -1, f"(?:今の?|当|この){_JQ}": 0, f"[次来翌]の?{_JQ}": 1,
        }),
        Rule("第?(?P<n>[一二三四1-4])(?:四半期|クォーター)", "piece", 3),
        Rule("上半期|上期|前半期", "piece_is", (6, 1)),
        Rule("下半期|下期|後半期", "piece_is", (6, 2)),
        *(Rule(f"{word}旬", "third", index) for index, word in enumerate(("上", "中", "下"), 1)),
        Rule("初旬", "third", 1),
        Rule("第(?P<n><n>)週目?", "nth_week"),
        Rule("最初の週|第一週目", "nth_week", 1),
        Rule("(?:最終週|最後の週)", "nth_week", -1),
        Rule(r"第(?P<n><n>)(?P<w>[月火水木金土日])曜日?", "nth_weekday"),
        Rule("最[終後]の?(?P<w>[月火水木金土日])曜日?", "nth_weekday", -1),
        Rule("(?P<n><n>)日目", "nth_day"),
        Rule("最終日|最後の日", "nth_day", -1),
        Rule("最初の日|初日", "nth_day", 1),
        Rule("の週(?!末)|を含む週", "around", "week"),
        Rule("月末|末日", "edge", "end"),
        Rule("今月末", "month_end", 0),
        Rule("来月末", "month_end", 1),
        Rule("先月末", "month_end", -1),
        Rule(rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<y>\d{{1,4}}|元)(?:年?[./,-])(?P<m>\d{{1,2}})(?:[./,-](?P<d>\d{{1,2}})|月)?",
             "era_year", _ERAS),
        Rule(r"(?P<era>[rhstm])\.?(?P<y>\d{1,2}|元)(?:年|[./-])(?P<m>\d{1,2})(?:月|[./-])(?P<d>\d{1,2})日?", "era_year",
             _ERA_LETTERS),
        Rule(r"(?P<era>[rhst])\.?(?P<y>\d{1,2}|元)年(?:(?P<m>\d{1,2})月)?", "era_year", _ERA_LETTERS),
        Rule(r"(?P<y>\d{4})年?[/.](?P<m>\d{1,2})月", "era_year", {}),
        Rule(rf"(?P<era>{'|'.join(_ERAS)})(?P<y>\d{{1,4}}|元|[一二三四五六七八九十]{{1,3}})年", "era_year", _ERAS),
        Rule(r"(?P<y><n>)年", "era_year", {}),
        Rule("(?P<m><n>)月", "month"),
        Rule("(?P<m><n>)月の?(?P<d><n>)日?", "ymd"),
        Rule(r"(?P<d>\d{1,2})日(?![間後前目分])", "dom"),
        Rule("(?P<d><n>)日(?!間)", "dom", weak=True),
        Rule("(?:(?:今日?|本日)から)?(?P<a><amounts>)(?:経過)?後", "shift", 1),
        Rule("(?P<a><amounts>)(?:経過したら|経ったら|たったら|以内)", "shift", 1),
        Rule(r"(?!\d{3})(?P<a><amounts>)で", "shift", 1),
        Rule("(?:の|から)(?P<a><amounts>)後", "onward"),
        Rule("から(?P<a><amounts>)(?<=[間月])", "lasting"),
        Rule("(?P<a><amounts>)(?:前|まえ)", "shift", -1),
        Rule("(?:ここ|直近の?|最近の?)(?P<a><amounts>)", "rolling", "incl"),
        Rule("(?:過去の?)(?P<a><amounts>)", "rolling", "back"),
        Rule("(?:今後の?|これからの?|次の)(?P<a><amounts>)", "rolling", "ahead"),
        Rule("(?:より)?(?:以前|前)", "before", weak=True),
        Rule("から|より", "to"),
        Rule("と|および|及び", "and"),
        Rule("の間に?|の期間", "between"),
        Rule("までの間|まで|にかけて|にわたって|にわたり|に渡って", "fill"),
        Rule("[のにでは]|ちょうど|ぴったり|きっかり", "fill"),
    ),
)  # fmt: skip
