"""The words for what repeats: every language's table, tried beside those for times.

Data only; ``rules`` says how a row is read. The value of a row ``every`` is a frequency and how many of it, or the
words with ``<n>`` say how many. ``until``, ``except``, ``start`` stand in front of their day, ``…_`` behind it. Must
not know what day it is.
"""

from __future__ import annotations

from dataclasses import replace

from tools.when.rules import Language, Rule
from tools.when.words_en import EN
from tools.when.words_ja import JA
from tools.when.words_th import TH
from tools.when.words_zh import ZH

WORKDAYS = (0, 1, 2, 3, 4)
WEEKEND = (5, 6)
EVERY_DAY = ("DAILY", 1)

# ── Chinese ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_ZW = "(?:週|周|星期|禮拜)"
_ZD = "[一二三四五六日天]"
_ZAND = rf"(?:[、,/和跟及與]\s?)?{_ZW}?"
_ZDAYS = rf"(?P<days>{_ZD}(?!次)(?:(?:(?:到|至|~|-){_ZW}?|{_ZAND}){_ZD})*)"
_ZWORK = "(?:工作|上班|營業)[日天]"
_ZNTH = rf"(?P<nths>第[一二三四五1-5](?:[、,和跟及與]第?[一二三四五1-5])*)個?{_ZW}(?P<days>{_ZD})"
_ZH = (
    Rule("每一?[天日]|[天日]{2}|逐日|每個?日子", "every", EVERY_DAY),
    Rule("每隔一?[天日]|每兩天", "every", ("DAILY", 2)),
    Rule("每隔?(?P<n><n>)[天日]", "every", ("DAILY", 0)),
    Rule(f"每一?個?{_ZW}|[一每]個?{_ZW}一次", "every", ("WEEKLY", 1)),
    Rule(f"(?:每一?個?|逢|每逢){_ZW}的?{_ZDAYS}", "every", ("WEEKLY", 1)),
    Rule(f"{_ZW}{_ZDAYS}", "weekdays"),
    Rule(f"(?:每?隔一?個?{_ZW}|每?雙{_ZW}|每兩個?{_ZW})(?:的?{_ZW}?{_ZDAYS}|一次)?", "every", ("WEEKLY", 2)),
    Rule(f"每隔?(?P<n><n>)個?{_ZW}(?:的?{_ZW}?{_ZDAYS})?(?:一次)?", "every", ("WEEKLY", 0)),
    Rule("每一?個?月|[一每]個?月一次|月月", "every", ("MONTHLY", 1)),
    Rule("每?隔一?個?月|每?雙月|每兩個月", "every", ("MONTHLY", 2)),
    Rule("每隔?(?P<n><n>)個月(?:一次)?", "every", ("MONTHLY", 0)),
    Rule("每一?個?季度?|[一每]季一次", "every", ("MONTHLY", 3)),
    Rule("每半年(?:一次)?|半年一次", "every", ("MONTHLY", 6)),
    Rule("每一?年|[一每]年一次|年年", "every", ("YEARLY", 1)),
    Rule("每?隔一?年|每兩年", "every", ("YEARLY", 2)),
    Rule("每隔?(?P<n><n>)年(?:一次)?", "every", ("YEARLY", 0)),
    Rule("每一?個?(?:小時|鐘頭)(?:一次)?|每個鐘", "every", ("HOURLY", 1)),
    Rule("每隔?(?P<n><n>)個?(?:小時|鐘頭)(?:一次)?", "every", ("HOURLY", 0)),
    Rule("每半個?(?:小時|鐘頭)(?:一次)?", "every", ("MINUTELY", 30)),
    Rule("每隔?(?P<n><n>)分鐘?(?:一次)?", "every", ("MINUTELY", 0)),
    Rule("[每朝]一?[天日個]?[早朝](?:上|晨)?", "every", (*EVERY_DAY, "morning")),
    Rule("每一?[天日個]?晚(?:上)?|晚晚", "every", (*EVERY_DAY, "evening")),
    Rule(f"(?:每一?個?)?(?:平日|{_ZWORK})|週間每天", "every", ("WEEKLY", 1, WORKDAYS)),
    Rule(f"每一?個?(?:{_ZW}末|{_ZW}六、?日)", "every", ("WEEKLY", 1, WEEKEND)),
    Rule("每一?個?月的?(?:月?底|月?末)", "every", ("MONTHLY", 1, "end")),
    Rule(f"(?:每一?個?月的?)?最後一?個?{_ZWORK}", "workday", -1),
    Rule(f"(?:每一?個?月的?)?(?:第一|首)個?{_ZWORK}", "workday", 1),
    Rule("(?P<doms><n>(?:[、,和跟及與]<n>)+)[號日]", "doms"),
    Rule(_ZNTH, "nths"),
    Rule(f"最後一?個?{_ZW}(?P<days>{_ZD})", "nths", -1),
    Rule("直到|到|至|持續到|一直到", "until"),
    Rule("為止|止|結束|之前", "until_"),
    Rule("除了?|跳過|不含|不包括", "except"),
    Rule("除外|以外|之外|不算|不用|跳過|暫停|休息?", "except_"),
    Rule("從|自|由", "start"),
    Rule("開始|起", "start_"),
    Rule(r"(?:共|一共|總共|重複)?(?P<n><n>)次", "times"),
    Rule("的|都|要|固定|定期|重複|在", "fill"),
)  # fmt: skip

# ── Japanese ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_JD = "[月火水木金土日]"
_JNEXT = r"(?:曜日?|(?=[月火水木金土日、・と~〜]|$|\s|の|は|に|\d|朝|午|夜))"
_JDAYS = rf"(?P<days>{_JD}(?:曜日?)?(?:(?:から|[~〜\-]|[、・,/と]\s?)?{_JD}{_JNEXT})*)"
_JNTH = rf"(?P<nths>第[一二三四五1-5](?:[・、,と]第?[一二三四五1-5])*)の?(?P<days>{_JD})曜日?"
_JA = (
    Rule("毎日|日々|連日|[一1]日(?:に)?[一1][回度]", "every", EVERY_DAY),
    Rule("[一1]日おき|隔日", "every", ("DAILY", 2)),
    Rule("(?P<n><n>)日(?:ごと|毎|に[一1][回度])", "every", ("DAILY", 0)),
    Rule("(?P<n><n>)日おき", "every", ("DAILY", -1)),
    Rule("毎週|各週|[一1]?週間?(?:に|ごとに)?[一1][回度]|週ごと", "every", ("WEEKLY", 1)),
    Rule(f"(?:毎週|各週)の?{_JDAYS}", "every", ("WEEKLY", 1)),
    Rule(f"毎(?={_JD}曜){_JDAYS}", "every", ("WEEKLY", 1)),
    Rule(f"{_JDAYS}(?:ごと|毎)", "every", ("WEEKLY", 1)),
    Rule(rf"(?P<days>{_JD}(?:曜日?)?(?:から|[~〜\-]){_JD}(?:曜日?)?|{_JD}曜日?(?:[、・と]?{_JD}曜日?)*)", "weekdays"),
    Rule(f"(?:隔週|[一1]週間?おき)(?:の?{_JDAYS})?", "every", ("WEEKLY", 2)),
    Rule(f"(?P<n><n>)週間?(?:ごと|毎|に[一1][回度])の?(?:{_JDAYS})?", "every", ("WEEKLY", 0)),
    Rule("毎月|[一1]?[かヶヵケカ箇]?月(?:に)?[一1][回度]|月ごと", "every", ("MONTHLY", 1)),
    Rule("隔月|[一1][かヶヵケカ箇]月おき", "every", ("MONTHLY", 2)),
    Rule("(?P<n><n>)[かヶヵケカ箇]月(?:ごと|毎|に[一1][回度])", "every", ("MONTHLY", 0)),
    Rule("毎四半期|四半期(?:ごと|毎)", "every", ("MONTHLY", 3)),
    Rule("半年(?:ごと|毎|に[一1][回度])", "every", ("MONTHLY", 6)),
    Rule("毎年|[一1]?年(?:に)?[一1][回度]|年ごと", "every", ("YEARLY", 1)),
    Rule("隔年|[一1]年おき", "every", ("YEARLY", 2)),
    Rule("(?P<n><n>)年(?:ごと|毎|に[一1][回度])", "every", ("YEARLY", 0)),
    Rule("毎時|[一1]時間(?:ごと|おき|毎)", "every", ("HOURLY", 1)),
    Rule("(?P<n><n>)時間(?:ごと|おき|毎|に[一1][回度])", "every", ("HOURLY", 0)),
    Rule("(?P<n><n>)分(?:ごと|おき|毎|に[一1][回度])", "every", ("MINUTELY", 0)),
    Rule("毎朝", "every", (*EVERY_DAY, "morning")),
    Rule("毎[晩夜夕]", "every", (*EVERY_DAY, "evening")),
    Rule("(?:毎週の?)?(?:平日|営業日)(?:ごと|毎日|は?毎日)?|毎平日", "every", ("WEEKLY", 1, WORKDAYS)),
    Rule("毎週末|週末(?:ごと|毎|は毎週)|毎週の?土日|土日", "every", ("WEEKLY", 1, WEEKEND)),
    Rule("毎月の?(?:月?末日?|最終日|最後の日)|月末(?:ごと|毎)", "every", ("MONTHLY", 1, "end")),
    Rule("(?:毎月の?)?(?:最終|最後の|末)営業日|(?:毎月の?)?最終平日", "workday", -1),
    Rule("(?:毎月の?)?(?:最初の|第一?1?|初)営業日", "workday", 1),
    Rule("(?P<doms><n>(?:[、,・と]<n>)+)日", "doms"),
    Rule(_JNTH, "nths"),
    Rule(f"最[終後]の?(?P<days>{_JD})曜日?", "nths", -1),
    Rule("まで", "until_"),
    Rule("[をは]?(?:除[いき]て?|除く|除外|のぞく|のぞいて)|以外|[はを]?(?:お?休み|なし|スキップ|抜き)", "except_"),
    Rule("から|以降|より|から(?:始めて|開始|スタート)|開始", "start_"),
    Rule("(?P<n><n>)回", "times"),
    Rule("[のにではを]|ごとに|必ず|ずっと|繰り返し|ただし|だけ", "fill"),
)  # fmt: skip

# ── Thai ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

_TD = "(?:จันทร์|อังคาร|พุธ|พฤหัสบดี|พฤหัส|ศุกร์|เสาร์|อาทิตย์)"
_TDAYS = rf"(?P<days>{_TD}(?:\s*(?:ถึง|-|–|,|และ|กับ)?\s*(?:วัน)?{_TD})*)"
_TN = "(?:[1-5]|หนึ่ง|สอง|สาม|สี่|ห้า)"
_TNTH = rf"(?P<nths>แรก|ที่\s*{_TN}(?:\s*(?:,|และ)\s*(?:ที่\s*)?{_TN})*|สุดท้าย)"
_TA = r"ทุก(?:\s*ๆ)?\s*"
_TH = (
    Rule(f"{_TA}วัน|รายวัน|ประจำวัน|วันละครั้ง", "every", EVERY_DAY),
    Rule("วันเว้นวัน", "every", ("DAILY", 2)),
    Rule(rf"{_TA}(?P<n><n>)\s*วัน", "every", ("DAILY", 0)),
    Rule(rf"{_TA}(?:สัปดาห์|อาทิตย์)|รายสัปดาห์|ประจำสัปดาห์|(?:สัปดาห์|อาทิตย์)ละ(?:ครั้ง|หน)", "every", ("WEEKLY", 1)),
    Rule(rf"(?:{_TA})(?:วัน)?{_TDAYS}", "every", ("WEEKLY", 1)),
    Rule(rf"(?:วัน)?{_TDAYS}", "weekdays"),
    Rule(r"(?:สัปดาห์เว้นสัปดาห์|อาทิตย์เว้นอาทิตย์)", "every", ("WEEKLY", 2)),
    Rule(rf"{_TA}(?P<n><n>)\s*(?:สัปดาห์|อาทิตย์)", "every", ("WEEKLY", 0)),
    Rule(f"{_TA}เดือน|รายเดือน|ประจำเดือน|เดือนละ(?:ครั้ง|หน)", "every", ("MONTHLY", 1)),
    Rule("เดือนเว้นเดือน", "every", ("MONTHLY", 2)),
    Rule(rf"{_TA}(?P<n><n>)\s*เดือน", "every", ("MONTHLY", 0)),
    Rule(f"{_TA}ไตรมาส|รายไตรมาส", "every", ("MONTHLY", 3)),
    Rule(f"{_TA}ครึ่งปี|{_TA}หกเดือน", "every", ("MONTHLY", 6)),
    Rule(rf"{_TA}วันที่\s*(?P<dom>\d{{1,2}})", "every", ("MONTHLY", 1)),
    Rule(f"{_TA}ปี|รายปี|ประจำปี|ปีละ(?:ครั้ง|หน)", "every", ("YEARLY", 1)),
    Rule("ปีเว้นปี", "every", ("YEARLY", 2)),
    Rule(rf"{_TA}(?P<n><n>)\s*ปี", "every", ("YEARLY", 0)),
    Rule(rf"{_TA}(?:ชั่วโมง|ชม\.)|ชั่วโมงละครั้ง", "every", ("HOURLY", 1)),
    Rule(rf"{_TA}(?P<n><n>)\s*(?:ชั่วโมง|ชม\.)", "every", ("HOURLY", 0)),
    Rule(rf"{_TA}ครึ่งชั่วโมง", "every", ("MINUTELY", 30)),
    Rule(rf"{_TA}(?P<n><n>)\s*นาที", "every", ("MINUTELY", 0)),
    Rule(f"{_TA}(?:ตอน)?เช้า", "every", (*EVERY_DAY, "morning")),
    Rule(f"{_TA}(?:ตอน)?บ่าย", "every", (*EVERY_DAY, "afternoon")),
    Rule(f"{_TA}(?:ตอน)?เย็น", "every", (*EVERY_DAY, "late")),
    Rule(f"{_TA}(?:ตอน)?(?:คืน|ค่ำ)", "every", (*EVERY_DAY, "evening")),
    Rule(f"(?:{_TA})?(?:วันธรรมดา|วันทำงาน|วันทำการ)", "every", ("WEEKLY", 1, WORKDAYS)),
    Rule(f"{_TA}(?:วันหยุด)?(?:สุดสัปดาห์|เสาร์\\s*-?\\s*อาทิตย์)", "every", ("WEEKLY", 1, WEEKEND)),
    Rule(f"{_TA}สิ้นเดือน|สิ้นเดือนของ(?={_TA}เดือน)", "every", ("MONTHLY", 1, "end")),
    Rule("วันทำ(?:งาน|การ)สุดท้าย", "workday", -1),
    Rule("วันทำ(?:งาน|การ)(?:วัน)?แรก", "workday", 1),
    Rule(rf"(?:{_TA})?วัน(?P<days>{_TD})\s*{_TNTH}", "nths"),
    Rule("จนถึง|ถึง|ไปจนถึง|จนกว่าจะถึง|สิ้นสุด", "until"),
    Rule("ยกเว้น|เว้น|ไม่รวม|ข้าม", "except"),
    Rule("ตั้งแต่|เริ่ม(?:ต้น)?(?:จาก|ตั้งแต่)?|จาก", "start"),
    Rule("(?:รวม\\s*)?(?P<n><n>)\\s*ครั้ง", "times"),
    Rule("ของ(?:เดือน)?|เวลา|ตอน|ใน|เดือน(?=\\s|$)|ซ้ำ|เป็นประจำ", "fill"),
)  # fmt: skip

# ── English ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_ED = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri|sat|sun)"
_EDAYS = (
    rf"(?P<days>{_ED}s?\.?(?:(?:\s*(?:,|/|&|-|–)\s*(?:and )?| and | to | through | thru | or )(?:on )?{_ED}s?\b\.?)*)"
)
_EVERY = "(?:every|each|ev|per)(?: single)?"
_OTHER = "(?:other|second|2nd|alternate|two)"
_ENTH1 = r"(?:first|second|third|fourth|fifth|last|\d(?:st|nd|rd|th))"
_ENTH = rf"(?P<nths>{_ENTH1}(?:(?:,| and| &) (?:the )?{_ENTH1})*)"
_EWORK = "(?:working ?day|work ?day|business day|weekday)"
_EOF = "(?: (?:of|in) (?:the|each|every|a) month)?"
_EN = (
    Rule(f"{_EVERY} ?day|daily|everyday|day after day|once (?:a|per|every|each) day", "every", EVERY_DAY),
    Rule(f"{_EVERY} {_OTHER} days?|every alternate day", "every", ("DAILY", 2)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?days?", "every", ("DAILY", 0)),
    Rule(f"{_EVERY} week|weekly|once (?:a|per|every|each) week", "every", ("WEEKLY", 1)),
    Rule(rf"(?:on )?(?:{_EVERY}|weekly on) {_EDAYS}\b", "every", ("WEEKLY", 1)),
    Rule(rf"(?:on )?(?P<days>{_ED}s(?:(?:\s*(?:,|/|&)\s*(?:and )?| and )(?:on )?{_ED}s)*)\b", "every", ("WEEKLY", 1)),
    Rule(rf"(?:on )?{_EDAYS}\b", "weekdays"),
    Rule(rf"{_EVERY} {_OTHER} {_EDAYS}\b", "every", ("WEEKLY", 2)),
    Rule(rf"{_EVERY} {_OTHER} weeks?|bi-?weekly|fortnightly|{_EVERY} fortnight|once (?:a|every) fortnight",
         "every", ("WEEKLY", 2)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?(?:weeks?|wks?)", "every", ("WEEKLY", 0)),
    Rule(f"{_EVERY} month|monthly|(?:of )?the month|once (?:a|per|every|each) month", "every", ("MONTHLY", 1)),
    Rule(f"{_EVERY} {_OTHER} months?", "every", ("MONTHLY", 2)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?months?", "every", ("MONTHLY", 0)),
    Rule(f"{_EVERY} quarter|quarterly|once (?:a|per|every) quarter", "every", ("MONTHLY", 3)),
    Rule(f"{_EVERY} (?:half|half a|half-) ?year|half-yearly|semi-?annually|twice a year", "every", ("MONTHLY", 6)),
    Rule(f"{_EVERY} year|yearly|annual(?:ly)?|once (?:a|per|every|each) year", "every", ("YEARLY", 1)),
    Rule(f"{_EVERY} {_OTHER} years?", "every", ("YEARLY", 2)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?(?:years?|yrs?)", "every", ("YEARLY", 0)),
    Rule(f"{_EVERY} hour|hourly|once (?:an|every|per) hour", "every", ("HOURLY", 1)),
    Rule(f"{_EVERY} {_OTHER} hours?", "every", ("HOURLY", 2)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?(?:hours?|hrs?|h)", "every", ("HOURLY", 0)),
    Rule(f"{_EVERY} half(?: an)? hour", "every", ("MINUTELY", 30)),
    Rule(f"{_EVERY} (?P<n><n>)[ -]?(?:minutes?|mins?)", "every", ("MINUTELY", 0)),
    Rule(f"(?:in )?(?:{_EVERY} morning|mornings)", "every", (*EVERY_DAY, "morning")),
    Rule(f"(?:in )?(?:{_EVERY} afternoon|afternoons)", "every", (*EVERY_DAY, "afternoon")),
    Rule(f"(?:in )?(?:at )?(?:{_EVERY} (?:evening|night)|evenings|nights|nightly)", "every", (*EVERY_DAY, "evening")),
    Rule(f"(?:on )?(?:{_EVERY} {_EWORK}|weekdays|working ?days|work ?days|business days)", "every",
         ("WEEKLY", 1, WORKDAYS)),
    Rule(f"(?:on |at )?(?:{_EVERY} weekend|weekends)", "every", ("WEEKLY", 1, WEEKEND)),
    Rule(f"(?:at )?(?:the )?(?:end|last day) of {_EVERY} month|month-end", "every", ("MONTHLY", 1, "end")),
    Rule("(?:on )?(?:the )?last day of the month", "every", ("MONTHLY", 1, "end")),
    Rule(f"(?:on )?(?:the )?(?:{_EVERY} )?last {_EWORK}{_EOF}", "workday", -1),
    Rule(f"(?:on )?(?:the )?(?:{_EVERY} )?first {_EWORK}{_EOF}", "workday", 1),
    Rule(rf"(?:on )?(?:the )?(?:{_EVERY} )?{_ENTH} (?P<days>{_ED}){_EOF}", "nths"),
    Rule(r"every|each", "each"),
    Rule("(?:up )?(?:until|till?|through|thru|to)|ending(?: on)?|ends(?: on)?", "until"),
    Rule("except(?: for| on)?|excluding|but not(?: on)?|other than|apart from|skip(?:ping)?|not(?: on)?", "except"),
    Rule("from|starting(?: from| on| at)?|beginning(?: on| from)?|as of|commencing(?: on)?|since", "start"),
    Rule("(?:for )?(?P<n><n>) times", "times"),
    Rule("on|at|in|of|the|repeat(?:s|ing)?|always", "fill"),
)  # fmt: skip

_ANY = Language(number=r"\d{1,4}", units={}, amount="(?!)", rules=(Rule(r"\s*[、,;・&]\s*", "list"),))

LANGUAGES: tuple[Language, ...] = (
    _ANY,
    replace(ZH, rules=_ZH), replace(JA, rules=_JA, scripts=frozenset({"han"})), replace(TH, rules=_TH),
    replace(EN, rules=_EN),
)  # fmt: skip
"""Those for repeating alone."""
