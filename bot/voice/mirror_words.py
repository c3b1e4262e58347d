"""What is said of what was done in Notion and did not come about here, or came about unasked.

Pure words. Must not know when it is said, or how it was found out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from bot.voice.dates import moment_text
from bot.voice.receipt_words import receipt_words
from bot.voice.record_text import short
from tools.record import Language, News


@dataclass(frozen=True, slots=True)
class MirrorWords:
    """``kept``, ``unfit`` and ``trashed`` are sentences on one record, ``full`` is one on the place itself; ``fields``
    what each thing that can be changed is called, ``nothing`` stands for what was taken away."""

    kept: str
    unfit: str
    trashed: str
    full: str
    fields: Mapping[str, str]
    nothing: str
    between: str


_WORDS: Final[Mapping[Language, MirrorWords]] = {
    "zh-TW": MirrorWords(
        kept="{record}：Notion 裡也改了{news}。我照你在這裡說的；要用那個就告訴我。",
        unfit="{record}：Notion 裡的{news}我用不了，原樣留在那裡，這裡沒有改。",
        trashed="{record}：這裡改過，但在 Notion 被丟進垃圾桶，所以刪了。要留就按「復原」。",
        full="Notion 的免費額度用完了：新紀錄只留在這裡，一筆不少，舊的照樣能改。怎麼辦，管理的人看 doctor。",
        fields={
            "content": "內容", "type": "種類", "status": "狀態", "when": "時間", "until": "結束", "remind_at": "提醒",
            "amount": "金額", "currency": "幣別", "category": "分類", "tags": "標籤",
        },
        nothing="（空白）",
        between="、",
    ),
    "ja": MirrorWords(
        kept="{record}：Notionでも{news}が変わっていました。こちらで言われたほうを残しています。あちらにするなら教えてください。",
        unfit="{record}：Notionの{news}は使えない値でした。あちらはそのまま、こちらは変えていません。",
        trashed="{record}：こちらで変えたあと、Notionでゴミ箱に入れられたので消しました。残すなら「元に戻す」を押してください。",
        full="Notionの無料枠がいっぱいです。新しい記録はここだけに残り、なくなりません。前からある分の変更は届きます。直し方はdoctorにあります。",
        fields={
            "content": "内容", "type": "種類", "status": "状態", "when": "日時", "until": "終わり",
            "remind_at": "お知らせ", "amount": "金額", "currency": "通貨", "category": "分類", "tags": "タグ",
        },
        nothing="（空）",
        between="、",
    ),
    "th": MirrorWords(
        kept="{record}: ใน Notion ก็แก้{news}ด้วย แต่ยึดตามที่บอกไว้ที่นี่ ถ้าจะใช้แบบนั้นบอกได้เลย",
        unfit="{record}: ใน Notion {news} ใช้ไม่ได้ จึงปล่อยไว้อย่างนั้น ที่นี่ไม่ได้เปลี่ยน",
        trashed="{record}: แก้ไว้ที่นี่ แต่ใน Notion ถูกย้ายไปถังขยะ จึงลบแล้ว ถ้าจะเก็บไว้กด “เลิกทำ”",
        full="โควตาฟรีของ Notion เต็มแล้ว บันทึกใหม่อยู่ที่นี่ที่เดียว ไม่หายไปไหน ส่วนที่มีอยู่แล้วยังแก้ไขได้ วิธีแก้อยู่ใน doctor",
        fields={
            "content": "เนื้อหา", "type": "ประเภท", "status": "สถานะ", "when": "เวลา", "until": "เวลาสิ้นสุด",
            "remind_at": "การเตือน", "amount": "จำนวนเงิน", "currency": "สกุลเงิน", "category": "หมวด", "tags": "แท็ก",
        },
        nothing=" (ว่าง)",
        between=" ",
    ),
    "en": MirrorWords(
        kept="{record}: in Notion {news} was changed too. What you said here stands; tell me if you want that instead.",
        unfit="{record}: in Notion {news} cannot be used. It stays there as it is, and nothing changed here.",
        trashed="{record}: changed here, but thrown away in Notion, so it is deleted. To keep it, tap Undo.",
        full="Notion's free plan is used up: new records are kept here alone, none is lost, and what is there "
        "already is still changed. What to do stands in doctor, for whoever runs the bot.",
        fields={
            "content": "the text", "type": "the kind", "status": "the status", "when": "the time", "until": "the end",
            "remind_at": "the reminder", "amount": "the amount", "currency": "the currency",
            "category": "the category", "tags": "the tags",
        },
        nothing=" (empty)",
        between=", ",
    ),
}  # fmt: skip


def mirror_text(news: News, now: datetime, language: Language) -> str:
    """One sentence. ``now`` in the person's zone."""
    words = _WORDS[language]
    record = f"#{news.ref} {short(news.content)}"
    if news.where:
        record = f"{news.where} {record}"
    if news.full:
        return words.full
    if news.trashed:
        return words.trashed.format(record=record)
    if news.unfit:
        left = [_named(name, value, language) for name, value in news.unfit.items()]
        return words.unfit.format(record=record, news=words.between.join(left))
    said = [_change(name, value, now, language) for name, value in news.kept.items()]
    return words.kept.format(record=record, news=words.between.join(said))


def _change(name: str, value: str, now: datetime, language: Language) -> str:
    return _named(name, _shown(name, value, now, language) if value else "", language)


def _named(name: str, value: str, language: Language) -> str:
    words = _WORDS[language]
    shown = short(value) if value else words.nothing
    sign = "「{}」" if language in {"zh-TW", "ja"} else " “{}”"
    return words.fields.get(name, name) + (shown if not value else sign.format(shown))


def _shown(name: str, value: str, now: datetime, language: Language) -> str:
    if name in {"status", "type"}:
        words = receipt_words(language)
        codes: Mapping[Any, str] = words.statuses if name == "status" else words.types
        return codes.get(value, value)
    if name in {"when", "until", "remind_at"}:
        moment = datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)
        return moment_text(moment, now, language)
    return value
