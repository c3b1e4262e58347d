"""What is said about pictures and files in four languages, and how people ask to see one again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_args

import pytest

from bot.voice.attachment_words import AttachmentWords, attachment_words, wanted_in
from tools.attachment import Failure
from tools.record import Language

LANGUAGES = get_args(Language)


def sentences(words: AttachmentWords) -> list[str]:
    said: list[str] = []
    for each in fields(words):
        value: Any = getattr(words, each.name)
        if isinstance(value, str):
            said.append(value)
        elif isinstance(value, Callable):
            two = each.name in {"sum_differs", "incomplete"}
            said.append(value("3", "4") if two else value(3))
        else:
            said += value.values()
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there_short_and_whole(language):
    words = attachment_words(language)
    assert words.failures.keys() == set(get_args(Failure))
    for sentence in sentences(words):
        assert sentence == sentence.strip()
        assert 0 < len(sentence) < 130
        assert "{" not in sentence
    assert len({*sentences(words)}) == len(sentences(words))


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("看照片", None),
        ("看照片，謝謝", None),
        ("再看一次 #3 的照片 謝謝", 3),
        ("写真見せてくれる？", None),
        ("ขอดูรูปหน่อยครับ", None),
        ("could you show me the photo again, please", None),
        ("can I see the receipt", None),
        ("看最近的照片", None),
        ("給我看我的照片", None),
        ("写真を見る", None),
        ("写真見せて", None),
        ("ดูรูป", None),
        ("ขอดูรูปล่าสุดหน่อย", None),
        ("show photo", None),
        ("see my latest photos", None),
        ("給我看那張收據", None),
        ("給我看剛剛那張照片", None),
        ("給我看剛剛的照片", None),
        ("看剛才那個檔案", None),
        ("給我看 #3", 3),
        ("給我看 #12 的收據", 12),
        ("看 #12 的照片。", 12),
        ("#12 的檔案", 12),
        ("＃１２的收據", 12),
        ("さっきの写真を見せて", None),
        ("#7のレシートを見せてください", 7),
        ("ขอดูใบเสร็จ", None),
        ("ดูรูปของ #3", 3),
        ("Show me that receipt", None),
        ("show me the photo of #12!", 12),
        ("open the last file", None),
    ],
)
def test_asking_to_see_it_again_is_understood(text, ref):
    wanted = wanted_in(text)
    assert wanted is not None
    assert wanted.ref == ref


def test_a_photo_means_a_picture_and_a_receipt_may_be_anything():
    asked = ["看照片", "写真を見せて", "ดูรูป", "show the pic", "看收據", "打開那個檔案"]
    assert [wanted_in(each).picture for each in asked] == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "看牙醫",
        "給我看上個月的收據總額",
        "收據",
        "show me my week",
        "拍照片",
        "レシートを整理する",
        "ดูหนัง",
        "#12 的",
        "a" * 9_000,
    ],
)
def test_anything_else_is_not(text):
    assert wanted_in(text) is None
