"""A model's Markdown to plain text: ordinary writing left alone, nothing invented, nothing unseen left inside."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.plain_text import legible, plain

FAMILY = "👨‍👩‍👧‍👦"
FLAG = "🇹🇼"
THAI = "ที่นี่"


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4 = 24",
        "2 * 3 * 4",
        "a**2 + b**2 = c**2",
        "5*人數*天數",
        "snake_case_name 和 _private，還有 __init__",
        "#12 買牛奶\n#家事 #採買",
        "完成 #14–16，還有 #17",
        "(´・ω・`)おはよう(´・ω・`)",
        "(*´∀`*) (*´∀`*) >_< ^_^ T_T (^_^)",
        "¯\\_(ツ)_/¯",
        "C:\\temp\\new_file.txt",
        "3~5 點，好~ 掰~~明天見~~",
        "->箭頭 => 箭頭",
        "- 牛奶\n- 雞蛋\n1. 早餐\n2) 午餐\n+ 5 元",
        "a | b | c",
        "10:00 | 早會\n11:00 | 回診",
        "https://example.com/a_b_c/__d__/*e*?f=_g_#h_i_",
        "f(x)[0](y) 和 [註1](見下)",
        "価格は`未定です",
        "陳*明、林*華",
        "卡號 ****1234，密碼 ***",
        "<3 1 < 2 > 0 &amp; <b>",
        "一行\n\n\n\n四行之後",
        "記好了：12/1（二）15:00 跟陳醫師回診 #12。14:00 提醒你。",
        f"{FAMILY}{FLAG}{THAI} ✈️ e\u0301",
    ],
)
def test_ordinary_writing_is_left_as_it_is(text: str):
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("# 標題", "標題"),
        ("### **重點** ###", "重點"),
        ("# C#", "C#"),
        ("**重點**是這個", "重點是這個"),
        ("共**120**元，價格**80**TWD", "共120元，價格80TWD"),
        ("this is *very* important, _really_ __so__ now", "this is very important, really __so__ now"),
        ("__very loud words__", "very loud words"),
        ("***both***", "both"),
        ("~~舊的~~ 新的", "舊的 新的"),
        ("**a *b* c**", "a b c"),
        ("**「午餐」**", "「午餐」"),
        ("**沒有關上", "**沒有關上"),
        ("用 `pip install x_y_z` 裝", "用 pip install x_y_z 裝"),
        ("``a`` ```b```", "a b"),
        ("**用 `a**b` 算**", "用 a**b 算"),
        ("```python\nx = **y**\n# note\n- `z`\n```\n好", "x = **y**\n# note\n- `z`\n好"),
        ("```\n沒關上 **x**", "沒關上 **x**"),
        ("````\n```\nx\n```\n````", "```\nx\n```"),
        ("[Notion](https://notion.so/a_b(c)_d)", "Notion (https://notion.so/a_b(c)_d)"),
        ('見 [**這裡**](<https://x.y> "名") 吧', "見 這裡 (https://x.y) 吧"),
        ("[https://x.y](https://x.y)", "https://x.y"),
        ("[](https://x.y) <https://z.w>", "https://x.y https://z.w"),
        ("![圖](https://x.y/a.png)", "圖 (https://x.y/a.png)"),
        ("**[看](https://x.y)**", "看 (https://x.y)"),
        ("**https://x.y/a_b**", "https://x.y/a_b"),
        ("> 引用\n>\n>> 再引用", "引用\n\n再引用"),
        ("* 牛奶\n  * 低脂", "・牛奶\n  ・低脂"),
        ("- [ ] 牛奶\n* [x] 雞蛋", "☐ 牛奶\n☑ 雞蛋"),
        ("一\n\n---\n\n二", "一\n\n二"),
        ("標題\n===\n內文\n* * *\n完", "標題\n內文\n完"),
        (
            "| 品項 | 金額 |\n|:---|---:|\n| **早餐** | 60 |\n| 捷運 | |\n\n共 60",
            "品項 · 金額\n早餐 · 60\n捷運\n\n共 60",
        ),
        ("a|b\n-|-\nx \\| y|z", "a · b\nx | y · z"),
        ("一<br>二<BR/>三", "一\n二\n三"),
        (r"\*星號\* snake\_case \#1", "*星號* snake_case #1"),
        ("一\r\n二\r三", "一\n二\n三"),
    ],
)
def test_markdown_is_read_not_shown(text: str, read: str):
    assert plain(text) == read


def test_what_nobody_can_read_is_left_out():
    assert plain("a\x00b\x07c\ud83dd\x7f\ufffee\u202ef\tg\nh") == "abcdef\tg\nh"


@pytest.mark.parametrize(
    "blank", ["", " \n\t", "\u3000", "\u200b\u200d\ufeff", "\u3164", "\x00", "---", "```\n```", "> "]
)
def test_what_shows_nothing_is_nothing(blank: str):
    assert plain(blank) == ""


def test_legible_text_keeps_its_marks():
    assert legible(" *a*\r\n# `b`\x00 ") == "*a*\n# `b`"


@given(st.text(alphabet="字a1 。\n, ！é😀ｱ-:", max_size=200))
def test_text_without_marks_comes_back_but_for_the_space_around(text: str):
    lines = text.split("\n")
    if not any(set(line.rstrip()) == {"-"} or line.startswith("- - ") for line in lines):
        assert plain(text) == text.strip()


@given(st.text(alphabet="*_`~#>|-[]()\\ \nab字1:https://.<br>", max_size=120))
def test_no_mixture_of_marks_breaks_anything_or_invents_a_sign(text: str):
    added = set(plain(text)) - set(text)

    assert added <= set("・☐☑· ()\n")


PUMPS = ["**a ", " *a ", "`a", '[a](https:x "', "<https:", "|-", "> ", "__a ", "\\*", "http://a ", "(", "  ", "_a* ",
         "\n\n \n", "#  ", "```  ", "a|", "https:(", "~~a", "- ", "* ", "｜", "。", "\u0301", FAMILY, FLAG]  # fmt: skip


@pytest.mark.parametrize("pump", PUMPS)
def test_no_text_takes_long(pump: str):
    begun = time.process_time()
    plain(pump * (20_000 // len(pump)) + "\x01!")

    assert time.process_time() - begun < 1
