"""The words for time in Chinese: traditional, simplified through folding, everyday Cantonese.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.when.rules import Language, Rule, days, holidays, lunar, parts, periods

_ZN = r"(?:\d{1,4}|[零〇一二兩三四五六七八九十百廿卅]{1,5})"
_ZW = "(?:週|周|星期|禮拜)"
_HAN = "0-9零〇一二兩三四五六七八九十百廿卅"
_WHOLE = rf"(?<!(?<![週周期拜])[{_HAN}])(?<![{_HAN}]月)(?<![今明]日)"
"""In front of a day of the month: it is no piece of a larger number, nor of a date whose month stands before it."""
_UP = "(?:上(?=<n>[點時:]))?"
"""Of 今晚上八點; in 今晚上課 it belongs to what is done."""
ZH = Language(
    scripts=frozenset({"han"}),
    number=_ZN,
    units={
        "年": "year", "個月": "month", "月": "month", "週": "week", "周": "week", "星期": "week", "禮拜": "week",
        "天": "day", "日": "day", "小時": "hour", "鐘頭": "hour", "鐘": "hour", "分鐘": "minute", "分": "minute",
        "秒鐘": "second", "秒": "second", "刻鐘": "quarter_hour", "季度": "quarter", "季": "quarter",
    },
    amount=(
        rf"(?:(?P<n>\d{{1,4}}\.\d{{1,2}}|{_ZN}|半|(?=個半))\s*(?:個)?(?P<half>半)?"
        r"(?P<u>年|(?<=個)月|(?<=個半)月|週|周|星期|禮拜|天|日|小時|鐘頭|(?<=個)鐘|(?<=個半)鐘|季度|(?<=個)季|刻鐘|分鐘?|"
        r"秒鐘?)(?P<after>半鐘?)?[又零]?)"
    ),
    rules=(
        *days({
            "大前[天日]": -3, "前天": -2, "[昨琴尋][天日]": -1, "[今當]天|[今本]日": 0,
            "[明聽]天|[明聽]日|翌日|隔天": 1, "後天": 2, "大後[天日]": 3,
        }),
        *holidays({
            "元旦": (1, 1), "情人節": (2, 14), "勞動節": (5, 1), "國慶日|雙十節": (10, 10), "萬聖節": (10, 31),
            "平安夜|聖誕夜": (12, 24), "聖誕節?|耶誕節?": (12, 25), "跨年夜?": (12, 31),
        }),
        *lunar({
            "春節|[農农][曆歷]新年|大年初一|正月初一": (1, 1), "除夕夜?|大年夜|年三十": (12, -1), "小年夜": (12, -2),
            "元宵節": (1, 15), "端午節?": (5, 5), "七夕": (7, 7), "中元節": (7, 15), "中秋節?": (8, 15),
            "重[陽阳]節?": (9, 9), "臘八節?|腊八節?": (12, 8), "尾牙": (12, 16),
        }),
        *(Rule(f"{term}節?", "lunar", term) for term in ("清明", "冬至", "夏至", "立春", "立夏", "立秋", "立冬")),
        Rule("大年初(?P<d>[二三四五六七八九十])", "lunar_day", 1),
        Rule("(?:[農农陰阴舊][曆歷])(?P<m><n>)月(?:初(?P<d><n>)|(?P<e><n>))日?", "lunar_day"),
        Rule("一?整天|全天|一整日|全日|成日", "fill"),
        Rule(f"今[晚夜]{_UP}|今天[晚夜](?![上間裡晚])", "day_part", (0, "evening")),
        Rule(f"今[早朝晨]{_UP}", "day_part", (0, "morning")),
        Rule(f"[明聽][晚夜]{_UP}", "day_part", (1, "evening")),
        Rule(f"[明聽][早朝晨]{_UP}", "day_part", (1, "morning")),
        Rule(f"[昨琴][晚夜]{_UP}", "day_part", (-1, "evening")),
        Rule("現在|當前|而家|此刻|此時|目前", "now", weak=True),
        *parts({
            "dawn": "凌晨", "deep": "半夜|深夜", "morning": "早上|早晨|清晨|清早|一早|朝早|早(?=<n>[點時:])",
            "am": "上午",
            "noon": "中午", "afternoon": "下午|晏晝|下晝",
            "evening": "晚上|晚間|傍晚|夜裡|夜間|夜晚|晚(?=<n>[點時:]|\\d)",
        }),
        Rule("正午", "clock_at", (12, 0)),
        Rule("(?P<h>一)點", "clock", weak=True),
        Rule(
            r"(?P<h><n>)(?:點|時(?!間))(?:鐘|整|正)?"
            r"(?:(?P<half>踏?半)|(?P<q>[一三])刻|[踏搭](?P<steps>[一二三四五六七八九十]{1,2})|"
            r"(?P<five>[一二三四五六七八九十]{1,2})個字|[零〇]?(?P<mi><n>)分?)?(?:(?P<s><n>)秒)?",
            "clock",
        ),
        Rule(r"(?P<h>\d{1,2}):(?P<mi>\d\d)(?:時|分)", "clock"),
        Rule(rf"(?P<rel>上上|上|這|本|今|下下|下)?\s*(?:一?個)?{_ZW}(?P<w>[一二三四五六日天1-6])", "weekday",
             {"上上": -2, "上": -1, "這": 0, "本": 0, "今": 0, "下": 1, "下下": 2}),
        Rule(rf"\((?:{_ZW})?(?P<w>[一二三四五六日])\)", "weekday", {}),
        *periods("week", {
            f"上上(?:個)?{_ZW}": -2, f"上(?:一?個)?{_ZW}": -1, f"(?:這|本|今|當)(?:一?個)?{_ZW}": 0,
            f"下(?:一?個)?{_ZW}": 1, f"下下(?:個)?{_ZW}": 2, f"同一?{_ZW}": 0,
        }),
        *periods("weekend", {
            f"上(?:個)?{_ZW}末": -1, f"(?:這|本)(?:個)?{_ZW}末|{_ZW}末": 0, f"下(?:個)?{_ZW}末": 1,
        }),
        *periods("month", {
            "上上個?月": -2, "上個?月": -1, "[這今本當]個?月": 0, "下個?月": 1, "下下個?月": 2,
        }),
        *periods("year", {"前年": -2, "[去上舊]年": -1, "[今本]年": 0, "[明下]年": 1, "後年": 2}),
        Rule(f"(?P<rel>上|這|本|下)?(?:一?個)?{_ZW}六、?日", "weekend_of", {"上": -1, "這": 0, "本": 0, "下": 1}),
        *periods("quarter", {"上(?:一?個|一)?季度?": -1, "(?:這|本|今|當)(?:一?個|一)?季度?": 0,
                            "下(?:一?個|一)?季度?": 1}),
        Rule("第(?P<n>[一二三四1-4])個?季度?", "piece", 3),
        Rule("上半年", "piece_is", (6, 1)),
        Rule("下半年", "piece_is", (6, 2)),
        *(Rule(f"{word}旬", "third", index) for index, word in enumerate("上中下", 1)),
        Rule(f"第(?P<n><n>)個?{_ZW}", "nth_week", "whole"),
        Rule(f"最後(?:一個?)?{_ZW}", "nth_week", -1),
        Rule(f"首個?{_ZW}", "nth_week", 1),
        Rule("第(?P<n><n>)[天日]", "nth_day"),
        Rule("最後一?[天日]", "nth_day", -1),
        Rule("第(?P<n><n>)個月", "nth_month"),
        Rule(f"[那當](?:一?個)?{_ZW}|所在的?{_ZW}", "around", "week"),
        Rule("月(?:底|末)", "edge", "end"),
        Rule("[這今本]個?月(?:底|末)", "month_end", 0),
        Rule("下個?月(?:底|末)", "month_end", 1),
        Rule("上個?月(?:底|末)", "month_end", -1),
        Rule(r"(?P<era>民國|西元|公元)(?P<y>\d{1,4})[./-](?P<m>\d{1,2})(?:[./-](?P<d>\d{1,2}))?", "era_year",
             {"民國": 1911, "西元": 0, "公元": 0}),
        Rule(r"(?P<era>民國|西元|公元)?(?P<y>\d{2,4}|元|[零〇一二兩三四五六七八九十百千]{1,6})\s*年",
             "era_year", {"民國": 1911, "西元": 0, "公元": 0}),
        Rule("(?P<m><n>)月(?:份)?", "month"),
        Rule("(?P<m><n>)月(?P<d><n>)(?:日|號)?", "ymd"),
        Rule(rf"{_WHOLE}(?P<d><n>)號", "dom"),
        Rule(rf"{_WHOLE}(?P<d>(?!兩)<n>)日", "dom", weak=True),
        Rule(rf"第(?P<n><n>)個?{_ZW}(?P<w>[一二三四五六日天])", "nth_weekday"),
        Rule(rf"最後一?個{_ZW}(?P<w>[一二三四五六日天])", "nth_weekday", -1),
        Rule(r"(?P<a><amounts>)\s*(?:之後|以後|過後|後)", "shift", 1),
        Rule(r"(?:的|起|開始|之後|以後)(?:再?過)?(?P<a><amounts>)\s*(?:之後|以後|過後|後)", "onward"),
        Rule(r"(?:起|開始|為期|持續|連續|一共|共)的?(?:連續|連)?(?P<a><amounts>)", "lasting"),
        Rule(r"(?P<a><amounts>)\s*(?:之內|以內|內)", "shift", 1, weak=True),
        Rule(r"再?過(?P<a><amounts>)(?:之後|以後|後)?", "shift", 1),
        Rule(r"(?P<a><amounts>)\s*(?:之前|以前|前)", "shift", -1),
        Rule(r"(?:最近|近|這)(?P<a><amounts>)", "rolling", "incl"),
        Rule(r"(?:過去|前)(?P<a><amounts>)", "rolling", "back"),
        Rule(r"(?:未來|接下來)(?P<a><amounts>)", "rolling", "ahead"),
        Rule("(?:之前|以前|前)", "before"),
        Rule("到|至|~", "to"),
        Rule("和|跟|與|及", "and"),
        Rule("從|由|自", "from"),
        Rule("之間|期間|介於", "between"),
        Rule("在|於|止|為止|起", "fill"),
    ),
)  # fmt: skip
