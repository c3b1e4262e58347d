"""The words for time in Japanese.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.when.rules import Language, Rule, days, parts, periods

_JN = r"(?:\d{1,4}|[零〇一二三四五六七八九十百]{1,5})"
_JW = r"(?P<w>[月火水木金土日])(?:曜日?)"
_JREL = {"先々": -2, "先": -1, "前": -1, "今": 0, "この": 0, "次": 1, "来": 1, "翌": 1, "再来": 2}
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "西暦": 0}
JA = Language(
    number=_JN,
    units={
        "年": "year", "月": "month", "週": "week", "週間": "week", "日": "day", "時間": "hour",
        "分": "minute", "秒": "second",
    },
    amount=(
        rf"(?:(?P<n>\d+\.\d|{_JN}|半)\s*"
        r"(?P<u>年|[かヶヵケカ箇]月|月(?=[後前])|週間?|日|時間|分|秒)間?(?P<after>半)?と?)"
    ),
    rules=(
        *days({
            "一昨々日|さきおととい": -3, "一昨日|おととい|おとつい|前々日": -2, "昨日|きのう": -1,
            "今日|本日|きょう": 0,
            "明日|あした|あす|みょうにち|翌日": 1, "明後日|あさって|翌々日": 2, "明々後日|しあさって": 3,
        }),
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
        Rule("(?P<w>げつ|か|すい|もく|きん|ど|にち)ようび?", "weekday", {}),
        *periods("week", {"先々週": -2, "先週|前週|前の週": -1, "今週|当週|この週": 0, "来週|翌週|次の週": 1,
        "再来週|翌々週": 2}),
        *periods("weekend", {"先週末": -1, "今週末|週末": 0, "来週末": 1}),
        *periods("month", {"先々月": -2, "先月|前月|前の月": -1, "今月|当月|この月": 0, "来月|翌月|次の月": 1,
        "再来月|翌々月": 2}),
        *periods("year", {
            "一昨々年": -3, "一昨年|おととし|前々年": -2, "昨年|去年|先年|前年": -1, "今年|本年|ことし": 0,
            "来年|翌年|次年": 1, "再来年|翌々年|明後年": 2, "明々後年": 3,
        }),
        *periods("quarter", {"[先前]の?四半期": -1, "今四半期": 0, "[次来]の?四半期": 1}),
        Rule("月末|末日", "edge", "end"),
        Rule("今月末", "month_end", 0),
        Rule("来月末", "month_end", 1),
        Rule("先月末", "month_end", -1),
        Rule(rf"(?P<era>{'|'.join(_ERAS)})(?P<y>\d{{1,4}}|元|[一二三四五六七八九十]{{1,3}})年", "era_year", _ERAS),
        Rule(r"(?P<y><n>)年", "era_year", {}),
        Rule("(?P<m><n>)月", "month"),
        Rule("(?P<m><n>)月の?(?P<d><n>)日?", "ymd"),
        Rule(r"(?P<d>\d{1,2})日(?![間後前目分])", "dom"),
        Rule("(?P<d><n>)日(?!間)", "dom", weak=True),
        Rule("(?:(?:今日?|本日)から)?(?P<a><amounts>)後", "shift", 1),
        Rule("(?P<a><amounts>)(?:前|まえ)", "shift", -1),
        Rule("(?:ここ|直近の?|最近の?)(?P<a><amounts>)", "rolling", "incl"),
        Rule("(?:過去の?)(?P<a><amounts>)", "rolling", "back"),
        Rule("(?:今後の?|これからの?|次の)(?P<a><amounts>)", "rolling", "ahead"),
        Rule("から|より", "to"),
        Rule("(?:まで|の間|にかけて)", "fill"),
        Rule("[のにでは]|ちょうど|ぴったり|きっかり", "fill"),
    ),
)  # fmt: skip
