"""Whether a sentence of a model only nods, or says again what the receipt has said.

Pure. Words that carry nothing are taken out; whatever is left must stand in the receipt. In doubt the sentence says
something: to repeat is a blemish, to swallow a word meant for a person is a fault. Must not know what was changed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bot.voice.claim_words import SIMPLIFIED

LONGEST_JUDGED: Final = 5_000
"""Characters of a text that is still held against a receipt."""

_CHINESE: Final = """
改成 改到 改為 改好 改 刪掉 刪除 刪 更新 修改 變更 調整 取消 移除 移到 標記 完成 掉 好的 好喔 好啊 好呀 好 了解
收到 沒問題 沒事 不客氣 知道了 知道 明白 當然 遵命 是的 可以 嗯 行 搞定 放心 請放心 交給我 辛苦了 太好了 很高興
已經 已 都 也 幫你 替你 為你 給你 幫 我 你 把 將 這幾 這筆 這件 這個 這些 這 那 筆 件 個 項 條 記錄 紀錄 記下來
記起來 記下 加上 記好 記住 記 起來 下來 下 登記 登錄 新增 加入 加到 加進 加 添加 存好 存 儲存 保存 建立 安排 排
處理 辦 弄 設定 設 到 進 入 去 裡面 裡 中 在 的 了 囉 嘍 啦 咯 喔 哦 唷 呀 啊 吧 成功 完畢 行程 待辦事項 待辦
清單 行事曆 日曆 事項 支出 花費 筆記 備忘錄 為 是 和 跟 以及 與 於 會 總共 一共 共 金額 時間 類別 分類 元 塊錢
塊 圓 完 準時 到時候 到時 再 時候 項目 內容 以下 如下
"""
_JAPANESE: Final = """
変更 削除 更新 取り消し 消し 変え 移し 承知しました 承知いたしました 承知です 了解しました 了解いたしました
了解です 了解 かしこまりました わかりました 分かりました 承りました はい ええ うん もちろん お任せください
どういたしまして 大丈夫です 登録 追加 記録 保存 メモ 設定 入れ 控え 残し 書き 完了 おきました おきます おいた
ておき しました いたしました され いたし ました ます でした です だ した して し て を に へ の は が で と も
よ ね から まで さん 予定 カレンダー リスト やること タスク 支出 家計簿 件 円 これ それ この その こちら 無事
無事に ちゃんと 全部 すべて 合計 計 時間 として へと
"""
_THAI: Final = """
แก้ไข แก้ ลบ เปลี่ยน เลื่อน ยกเลิก ได้เลย ได้ โอเค ตกลง รับทราบ เข้าใจแล้ว เข้าใจ เรียบร้อย แล้ว บันทึก จดไว้ จด เพิ่ม ลง ใส่
ไว้ ให้ นะ จ้า จ้ะ ครับ ค่ะ คะ เรา คุณ รายการ ปฏิทิน ใน ที่ ตอน เวลา วันที่ วัน น. และ ของ เป็น เสร็จ บาท รวม ทั้งหมด
สำเร็จ จำนวน ค่า ด้วย จะ
"""
_ENGLISH_WORDS: Final = """
changed moved updated deleted removed cancelled canceled marked completed thing appointment ok okay sure got it
it's its done great perfect alright all set noted note saved save added add logged log recorded scheduled
created stored put made welcome you're certainly absolutely course understood roger yes yep right consider the a
an your my our i i've i'll i'm have has been is are was were will be that this these those they to for on at in
of and with now just you as under successfully calendar list to-do todo task tasks expense expenses event events
record records entry item items total both also by pleasure any time
"""
_DAYS: Final = """
今天 明天 後天 大後天 昨天 前天 今晚 明早 明晚 早上 上午 中午 下午 晚上 凌晨 今日 明日 明後日 昨日 あした きょう
きのう 午前 午後 夜 朝 today tomorrow yesterday tonight morning afternoon evening noon วันนี้ พรุ่งนี้ มะรืน เมื่อวาน
เช้า บ่าย เย็น ค่ำ
"""
_POLITE: Final = re.compile(r"\bno (?:problem|worries)\b|\bnot a problem\b|\bdon't mention it\b")
_NUMERALS: Final = {name: str(value) for value, name in enumerate("零一二三四五六七八九")} | {
    "兩": "2",
    "十": "10",
    "十一": "11",
    "十二": "12",
}


def adds_nothing(sentence: str, receipt: str) -> bool:
    """Whether nothing of the sentence is missing in the receipt. A question always asks something, and so does, unread,
    whatever is longer than any nod."""
    if len(sentence) > LONGEST_JUDGED:
        return False
    words, facts = _POLITE.sub(" ", _even(sentence)), _facts(receipt)
    if _QUESTION.search(words):
        return False
    if _DATE_OR_TIME.search(facts):
        words = _DAY_WORD.sub(" ", words)
    known = set(_NUMBER.findall(facts))
    if any(number not in known for number in _NUMBER.findall(words)):
        return False
    return _latin_known(words, facts) and _runs_known(words, facts)


def _latin_known(words: str, facts: str) -> bool:
    """Latin words: fillers, or words of the receipt (its longer forms count: remind, reminder)."""
    said = set(_LATIN.findall(words)) - _ENGLISH
    known = set(_LATIN.findall(facts))
    return all(len(word) > _STEM and any(each.startswith(word) for each in known) for word in said - known)


def _runs_known(words: str, facts: str) -> bool:
    """Han, kana and Thai, which have no spaces: what is left between the fillers."""
    joined = "".join(facts.split())
    return all(run in joined for run in _RUN.findall(_FILLER.sub(" ", words)))


@lru_cache(maxsize=8)
def _facts(receipt: str) -> str:
    """A receipt is made even once for all sentences that are held against it."""
    return _even(receipt)


def _even(text: str) -> str:
    """One spelling for both sides: width, case, single spaces, digits, clock times as HH:MM, dates as month/day."""
    plain = unicodedata.normalize("NFKC", text.translate(SIMPLIFIED).replace("’", "'")).casefold()
    plain = " ".join(plain.split())
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", plain)
    plain = re.sub(r"(?:星期|週|周|禮拜)(?=[一二三四五六日天])|曜日?", "", plain)
    plain = re.sub(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b", r"\1", plain)
    plain = re.sub(r"一(?=[筆件個項])", "", plain)
    plain = re.sub(
        r"(?:十[一二]?|[零一二兩三四五六七八九])(?=[點時月日號筆件個項])", lambda found: _NUMERALS[found[0]], plain
    )
    plain = re.sub(r"(\d{1,2})月(\d{1,2})[日號号]?", r"\1/\2 ", plain)
    return _CLOCK.sub(_clock, plain)


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), 30 if found["half"] else int(found["minute"] or 0)
    late = found["part"] in _LATE_PARTS or (found["ampm"] or found["only"] or "").startswith("p")
    return f" {hour + 12 if late and hour < _NOON else hour:02d}:{minute:02d} "


_STEM: Final = 3
_NOON: Final = 12
_LATE_PARTS: Final = frozenset({"下午", "晚上", "午後", "夜", "今晚", "傍晚"})
_CLOCK: Final = re.compile(
    r"(?:(?P<part>下午|晚上|午後|夜|今晚|傍晚|上午|早上|午前|朝|中午)\s?)?(?<![\d/:.])(?P<hour>[01]?\d|2[0-4])"
    r"(?:\s?[:點時]\s?(?P<half>半)?(?P<minute>[0-5]\d)?(?:分)?(?!\d)\s?(?P<ampm>[ap]\.?m\b\.?)?|\s?(?P<only>[ap])\.?m\b\.?)"
)
_QUESTION: Final = re.compile(r"[?？]|[嗎呢]\W*$|か\W*$|ไหม|มั้ย|หรือ")
_DATE_OR_TIME: Final = re.compile(r"\d[:/]\d|[ก-ฮ]\.[ก-ฮ]\.|\b(?:mon|tue|wed|thu|fri|sat|sun)\b")
_NUMBER: Final = re.compile(r"\d+(?:[.:/]\d+)*")
_LATIN: Final = re.compile(r"[a-z\u00c0-\u024f]+(?:['-][a-z]+)*")
_RUN: Final = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]+|[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff]+")


def _any_of(*words: str) -> re.Pattern[str]:
    """Any of the words, the longest first."""
    spelt = {unicodedata.normalize("NFKC", word) for each in words for word in each.split()}
    return re.compile("|".join(re.escape(word) for word in sorted(spelt, key=lambda word: (-len(word), word))))


_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())
_FILLER: Final = _any_of(_CHINESE, _JAPANESE, _THAI)
_DAY_WORD: Final = _any_of(_DAYS)
